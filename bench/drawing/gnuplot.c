/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "process.h"

/* Has gnuplot drawn something else than was meant, although it has not failed? Columns that do not exist or
 * hold no numbers are warnings to it; a range that it widens is no fault. */
static bool is_faulty(const char *said)
{
    while (*said != '\0') {
        char text[256];
        const size_t length = strcspn(said, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, said);
        said += length + (said[length] == '\n');
        if (strstr(text, ": warning:") != NULL && strstr(text, "adjusting to") == NULL &&
            strstr(text, "difficulty fitting plot titles") == NULL)
            return true;
    }
    return false;
}

int ms_gnuplot_run(const char *folder, const char *script, const volatile sig_atomic_t *stop, ms_error *error)
{
    const ms_process process = {.words = (const char *const[]){"gnuplot", "-d", script, NULL},
                                .folder = folder,
                                .input = -1,
                                .output = -1,
                                .package = "gnuplot-nox",
                                .use = "figures need it"};
    char said[MS_PROCESS_SAID_MAX], line[400];
    const int status = ms_process_run(&process, script, stop, said, error);
    if (status != MS_OK || !is_faulty(said))
        return status;
    ms_process_join(said, line, sizeof line);
    return ms_fail(error, MS_IO, "gnuplot %s: %s", script, line);
}
