/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>

/* Cuts the word at its '='. */
static int read_pair(const char *option, char *word, ms_pair *pair, ms_error *error)
{
    char *equals = strchr(word, '=');
    *pair = (ms_pair){.name = word};
    if (equals == NULL) {
        if (!ms_option_number(word, &pair->value))
            pair->value = NAN;
        return MS_OK;
    }
    *equals = '\0';
    pair->text = equals + 1;
    if (ms_option_number(pair->text, &pair->value))
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--%s %s=%s: the value must be a finite number", option, word,
                   pair->text);
}

int ms_pairs_create(const char *option, const char *text, ms_pairs *pairs, ms_error *error)
{
    int words = 1, status = MS_OK;
    for (const char *c = text; *c != '\0'; c++)
        words += *c == ',';
    *pairs = (ms_pairs){.pair = calloc((size_t)words, sizeof *pairs->pair), .words = strdup(text)};
    if (pairs->pair == NULL || pairs->words == NULL)
        return ms_fail(error, MS_NO_MEMORY, "--%s: not enough memory for its values", option);
    for (char *word = pairs->words; word != NULL && status == MS_OK;) {
        char *comma = strchr(word, ',');
        if (comma != NULL)
            *comma = '\0';
        status = read_pair(option, word, &pairs->pair[pairs->n++], error);
        word = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

void ms_pairs_destroy(ms_pairs *pairs)
{
    MS_FREE(pairs->pair, pairs->words);
    *pairs = (ms_pairs){0};
}
