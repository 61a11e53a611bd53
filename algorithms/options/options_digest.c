/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_digest.c - whether two runs have the same options. */
#include "options_digest.h"

static void add_value(const ms_options *options, const ms_option *option, ms_digest *digest)
{
    const void *value = (const char *)options + option->offset;
    switch (option->kind) {
    case MS_KIND_REAL:
        ms_digest_add_numbers(digest, 1, value);
        break;
    case MS_KIND_TEXT:
        ms_digest_add_text(digest, value);
        break;
    case MS_KIND_FLAG:
        ms_digest_add_int(digest, *(const bool *)value);
        break;
    case MS_KIND_LIST:
        for (int k = 0; k < options->n_masks; k++)
            ms_digest_add_text(digest, options->mask[k]);
        break;
    default:
        ms_digest_add_int(digest, *(const int *)value);
    }
}

void ms_options_digest(const ms_options *options, ms_digest *digest)
{
    *digest = ms_digest_empty;
    for (int k = 0; k < MS_OPTIONS; k++)
        add_value(options, &ms_option_table[k], digest);
}
