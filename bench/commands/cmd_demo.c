/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_demo.c - shows inside/demo.in; runs its lines that begin with "$ macrostep ". */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "standard_output.h"
#include "templates.h"

enum { WORDS_MAX = 24 };

static const char *const prompt = "$ macrostep ";

/* Runs a line of words separated by blanks. */
static int run_line(char *line)
{
    char *words[WORDS_MAX + 1] = {NULL}, *rest = NULL;
    int n = 0;
    for (char *word = strtok_r(line, " ", &rest); word != NULL && n < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[n++] = word;
    const ms_command *command = n > 0 ? ms_command_find(words[0]) : NULL;
    return command != NULL ? ms_command_call_within(command, n, words) : MS_EXIT_BROKEN;
}

/* Waits between two parts if the demo is interactive. False at the end of input. */
static bool wait_for_reader(bool reads)
{
    if (!reads)
        return true;
    fputs("[Enter: go on]", ms_standard_output());
    fflush(ms_standard_output());
    int c;
    do
        c = getchar();
    while (c != '\n' && c != EOF);
    return c != EOF;
}

static int tell(char *text, bool reads, int *ended)
{
    char *rest = text;
    bool part = false; /* has anything run since the last wait? */
    while (*ended == MS_EXIT_DONE && rest != NULL && ms_interrupted == 0) {
        char *line = rest, *end = strchr(line, '\n');
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        if (part && line[0] == '\0') {
            part = false;
            if (!wait_for_reader(reads))
                return MS_OK;
        }
        fprintf(ms_standard_output(), "%s\n", line);
        fflush(ms_standard_output());
        if (strncmp(line, prompt, strlen(prompt)) == 0) {
            *ended = run_line(line + strlen(prompt));
            part = true;
        }
    }
    return MS_OK;
}

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    const bool reads =
        isatty(STDIN_FILENO) == 1 && isatty(fileno(ms_standard_output())) == 1 && !call->arguments.quiet;
    char *text = strdup(ms_template("demo.in"));
    MS_TRY_MEMORY_FOR(text != NULL, error, "the text");
    const int status = tell(text, reads, &call->exit_status);
    call->written = true;
    free(text);
    return status;
}

const ms_call_steps ms_command_demo = {.size = sizeof(ms_call), .opens_itself = true, .compute = compute};
