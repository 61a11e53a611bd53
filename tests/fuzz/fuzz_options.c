/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_options.c - a command line, a word in each line of the input, read, and bound to its model; values of lists put into the
 * options. Nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "harness.h"

enum { WORDS = 60 };

static void apply_axes(ms_arguments *arguments)
{
    ms_options options = arguments->options;
    ms_error error = {{0}};
    for (int a = 0; a < arguments->n_axes; a++)
        for (int k = 0; k < arguments->axes[a].n && k < 50; k++)
            (void)harness_check(ms_arguments_apply(arguments, &arguments->axes[a], k, &options, &error),
                                &error);
}

static void bind(ms_arguments *arguments)
{
    const ms_model *model = NULL;
    ms_model *owned = NULL;
    ms_system *system = NULL;
    ms_error error = {{0}};
    if (harness_check(ms_arguments_model(arguments, &model, &owned, &error), &error))
        (void)harness_check(ms_arguments_bind(arguments, model, &system, &error), &error);
    ms_system_destroy(&system);
    ms_model_destroy(&owned);
}

static void read_words(int n, char **words)
{
    static ms_arguments arguments;
    ms_error error = {{0}};
    if (harness_check(ms_arguments_read(n, words, &arguments, &error), &error)) {
        apply_axes(&arguments);
        bind(&arguments);
    }
    ms_arguments_destroy(&arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[WORDS + 1] = {0}, *rest = NULL;
    int n = 0;
    if (memchr(data, '/', size) != NULL || memchr(data, '\n', size) == NULL)
        return -1; /* files of others are not opened */
    ms_fail_respelled(ms_arguments_respell);
    char *text = harness_text(data, size);
    for (char *word = strtok_r(text, "\n", &rest); word != NULL && n < WORDS;
         word = strtok_r(NULL, "\n", &rest))
        words[n++] = word;
    if (n > 0 && ms_command_find(words[0]) != NULL)
        read_words(n, words);
    free(text);
    return 0;
}
