/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "standard_output.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static FILE *kept;
static struct stat taken; /* its identity */

/* What an FMU starts by fork alone does not hold it open. */
static void leave(void)
{
    close(fileno(kept));
    if (ms_standard_error() != stderr)
        close(fileno(ms_standard_error()));
}

void ms_standard_output_keep(void)
{
    const int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file != NULL && fstat(descriptor, &taken) == 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
        kept = file;
        (void)pthread_atfork(NULL, NULL, leave);
    } else if (file != NULL) {
        fclose(file);
    } else if (descriptor >= 0) {
        close(descriptor);
    }
}

FILE *ms_standard_output(void)
{
    return kept != NULL ? kept : stdout;
}

bool ms_standard_output_lost(void)
{
    return kept != NULL && !ms_descriptor_is(fileno(kept), &taken);
}

bool ms_standard_output_is(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(path, names[k]) == 0)
            return true;
    return false;
}
