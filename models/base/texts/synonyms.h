/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synonyms.h - other words for options, their values and commands, as other tools and papers have them. */
#ifndef MS_SYNONYMS_H
#define MS_SYNONYMS_H

/* Of n names the one that the word is a synonym of, or NULL. Capital letters and `_` for `-` do not matter. */
const char *ms_synonym(const char *word, const char *const *names, int n);

#endif
