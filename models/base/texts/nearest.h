/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - the name that was probably meant. */
#pragma once

#include <stddef.h>

/* Of n names the one that the word is a synonym of (synonyms.c), else the one with the least edit distance from the word, the
 * first of equals; NULL if n is 0. A letter that the word leaves out costs 1, any other edit (letter too many, wrong letter, two exchanged)
 * costs 2, so that abbreviations find their name. Letters beyond the 63rd do not count. */
const char *ms_nearest(const char *word, const char *const *names, int n);

/* The same of n > 0 structures of an array, by their member `name`. */
#define MS_NEAREST_OF(word, array, n) ms_nearest_of((word), &(array)->name, sizeof *(array), (n))
const char *ms_nearest_of(const char *word, const void *first, size_t stride, int n);

/* synonyms.c: other words for options, their values and commands, as other tools and papers have them. */

/* Of n names the one that the word is a synonym of, or NULL. Capital letters and `_` for `-` do not matter. */
const char *ms_synonym(const char *word, const char *const *names, int n);
const char *ms_synonym_of(const char *word, const void *first, size_t stride, int n);

/* The name of entry i, where names stand that far apart. */
static inline const char *ms_name_at(const void *first, size_t stride, int i)
{
    return *(const char *const *)(const void *)((const char *)first + (size_t)i * stride);
}

/* Which of n such names, in ascending order, consists of the first `length` characters of the word; -1: none. */
int ms_name_search(const void *first, size_t stride, int n, const char *word, size_t length);
