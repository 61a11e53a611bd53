/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/modelled.h>

#include <stdio.h>
#include <string.h>

#include <macrostep/options.h>

const ms_modelled *ms_modelled_find(const ms_modelled *list, const char *option)
{
    for (; list->option != NULL; list++)
        if (strcmp(list->option, option) == 0)
            return list;
    return NULL;
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, word, length) == 0)
            return true;
        at += size;
    }
    return false;
}

/* Are all bits flags that the words name? */
static bool has_flags(const char *words, const ms_option *option, int bits)
{
    for (int k = 0; ms_option_choice_at(option, k) != NULL; k++)
        if (has_word(words, ms_option_choice_at(option, k)))
            bits &= ~(1 << k);
    return bits == 0;
}

/* The value at `member` as text; that of a choice or flags that the table does not have is a number. */
static const char *print(const ms_option *option, const void *member, char *text, size_t size)
{
    int choices = 0;
    while (ms_option_has_choices(option) && ms_option_choice_at(option, choices) != NULL)
        choices++;
    if (option->kind == MS_KIND_TEXT || option->kind == MS_KIND_LIST)
        return member;
    if (option->kind == MS_KIND_REAL)
        snprintf(text, size, "%g", *(const double *)member);
    else if (option->kind == MS_KIND_CHOICE && *(const int *)member >= 0 && *(const int *)member < choices)
        return ms_option_choice_at(option, *(const int *)member);
    else
        snprintf(text, size, "%d", *(const int *)member);
    return text;
}

static bool has_value(const char *words, const ms_option *option, const void *member)
{
    char text[32];
    if (strcmp(words, MS_MODELLED_CHECKED) == 0)
        return true;
    if (option->kind == MS_KIND_FLAGS)
        return has_flags(words, option, *(const int *)member);
    const char *value = print(option, member, text, sizeof text);
    return (option->kind == MS_KIND_TEXT && value[0] == '\0') || has_word(words, value);
}

/* Texts end at the first zero; anything after it is ignored. */
static bool equal(const ms_option *option, const void *one, const void *other)
{
    return option->kind == MS_KIND_TEXT || option->kind == MS_KIND_LIST
               ? strcmp(one, other) == 0
               : memcmp(one, other, option->size) == 0;
}

static int refuse(const ms_option *option, const void *member, const ms_modelled *known, const char *what,
                  ms_error *error)
{
    char text[32];
    const char *value = print(option, member, text, sizeof text);
    if (known == NULL)
        return ms_fail(error, MS_UNSUPPORTED, "`%s` %.200s: %s does not cover this option", option->name,
                       value, what);
    return ms_fail(error, MS_UNSUPPORTED, "`%s` %.200s: %s covers %s", option->name, value, what,
                   known->values);
}

int ms_modelled_check(const ms_modelled *list, const ms_options *options, const char *what, ms_error *error)
{
    ms_options standard;
    ms_options_default(&standard);
    for (const ms_option *option = ms_option_table; option->name != NULL; option++) {
        const ms_modelled *known = ms_modelled_find(list, option->name);
        const char *member = (const char *)options + option->offset;
        const bool fits = known == NULL
                              ? option->same_step || equal(option, member, (char *)&standard + option->offset)
                              : known->values == NULL || has_value(known->values, option, member);
        if (!fits)
            return refuse(option, member, known, what, error);
    }
    return MS_OK;
}
