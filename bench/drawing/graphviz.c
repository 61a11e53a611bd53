/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graphviz.h"

#include <errno.h>
#include <string.h>

#include "process.h"

int ms_graphviz_draw(const char *text, const char *format, FILE *file, const char *what,
                     const volatile sig_atomic_t *stop, ms_error *error)
{
    char option[16], said[MS_PROCESS_SAID_MAX];
    snprintf(option, sizeof option, "-T%s", format);
    FILE *input = tmpfile();
    if (input == NULL || fputs(text, input) == EOF || fflush(input) != 0 || fseek(input, 0, SEEK_SET) != 0 ||
        fflush(file) != 0) {
        const int status = ms_fail(error, MS_IO, "%s: %s", what, strerror(errno));
        if (input != NULL)
            fclose(input);
        return status;
    }
    const ms_process process = {.words = (const char *const[]){"dot", option, NULL},
                                .input = fileno(input),
                                .output = fileno(file),
                                .package = "graphviz",
                                .use = "pictures of graphs need it"};
    const int status = ms_process_run(&process, what, stop, said, error);
    fclose(input);
    return status;
}
