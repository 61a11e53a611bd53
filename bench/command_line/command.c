/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "part_file.h"
#include "printable.h"

volatile sig_atomic_t ms_interrupted, ms_interruption_told, ms_answering;

_Thread_local ms_error *ms_command_caller;

static FILE *kept;
static struct stat taken; /* its identity */

void ms_standard_error_keep(void)
{
    const int descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    kept = descriptor >= 0 && fstat(descriptor, &taken) == 0 ? fdopen(descriptor, "w") : NULL;
    if (kept != NULL)
        setvbuf(kept, NULL, _IONBF, 0);
    else if (descriptor >= 0)
        close(descriptor);
}

bool ms_descriptor_is(int descriptor, const struct stat *file)
{
    struct stat now;
    return fstat(descriptor, &now) == 0 && now.st_ino == file->st_ino && now.st_dev == file->st_dev;
}

FILE *ms_standard_error(void)
{
    return kept != NULL && ms_descriptor_is(fileno(kept), &taken) ? kept : stderr;
}

/* " (19.6 GB were requested)", or nothing where the size is unknown. */
static void describe_refusal(size_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double amount = (double)bytes;
    size_t k = 0;
    for (; amount >= 1000.0 && k + 1 < sizeof units / sizeof *units; k++)
        amount /= 1000.0;
    if (bytes > 0)
        snprintf(text, size, " (%.3g %s were requested)", amount, units[k]);
}

/* Of a file that could not be opened or written for that reason, too. */
static bool lacks_memory(int status, const char *text)
{
    return status == MS_NO_MEMORY || strstr(text, "not enough memory") != NULL ||
           strstr(text, strerror(ENOMEM)) != NULL;
}

void ms_command_note(const char *of, const char *text)
{
    ms_error line;
    snprintf(line.text, sizeof line.text, "%s%s%s", of != NULL ? of : "", of != NULL ? ": " : "", text);
    ms_part_files_final_names(line.text);
    ms_text_make_printable(line.text);
    fprintf(ms_standard_error(), "macrostep: %s\n", line.text);
}

int ms_command_fail(int status, const ms_error *error)
{
    const char *text = error->text;
    if (ms_memory_refused() && status != MS_INTERRUPTED && status != MS_IO)
        status = MS_NO_MEMORY; /* other errors may be consequences of a partial read */
    if (status == MS_NO_MEMORY && strstr(text, "memory") == NULL)
        text = ms_memory_refused() ? "not enough memory for the input or the answer"
                                   : "not enough memory for the command";
    if ((status == MS_SOLVER_FAILED || status == MS_INVALID) && ms_interrupted != 0) {
        status = MS_INTERRUPTED; /* an FMU was ended for that */
        text = "";
    }
    if (status == MS_INTERRUPTED && text[0] == '\0')
        text = "interrupted";
    char size[48] = "", line[sizeof error->text];
    if (lacks_memory(status, text))
        describe_refusal(ms_memory_refused_size(), size, sizeof size);
    snprintf(line, sizeof line, "%s", text);
    ms_part_files_final_names(line);
    ms_text_make_printable(line);
    if (ms_command_caller != NULL)
        snprintf(ms_command_caller->text, sizeof ms_command_caller->text, "%s", line);
    else {
        ms_interruption_told = status == MS_INTERRUPTED;
        fprintf(ms_standard_error(), "macrostep: %s%s\n", line, size);
    }
    switch (status) {
    case MS_OK:
        return MS_EXIT_DONE;
    case MS_INVALID:
    case MS_UNSUPPORTED:
    case MS_NO_SOLUTION:
        return MS_EXIT_WRONG;
    case MS_INTERRUPTED:
        return MS_EXIT_INTERRUPTED;
    default:
        return MS_EXIT_BROKEN;
    }
}
