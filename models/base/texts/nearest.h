/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - the name that was probably meant. */
#ifndef MS_NEAREST_H
#define MS_NEAREST_H

/* Of n names the one that the word is a synonym of (synonyms.c), else the one with the least edit distance from the word, the
 * first of equals; NULL if n is 0. A letter that the word leaves out costs 1, any other edit (letter too many, wrong letter, two exchanged)
 * costs 2, so that abbreviations find their name. Letters beyond the 63rd do not count. */
const char *ms_nearest(const char *word, const char *const *names, int n);

/* synonyms.c: other words for options, their values and commands, as other tools and papers have them. */

/* Of n names the one that the word is a synonym of, or NULL. Capital letters and `_` for `-` do not matter. */
const char *ms_synonym(const char *word, const char *const *names, int n);

#endif
