/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments_parts.h"

void ms_arguments_append_word(char *line, const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
    char *to = line + strlen(line);
    *to++ = ' ';
    const bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';
    if (quoted)
        *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    if (quoted)
        *to++ = '\'';
    *to = '\0';
}

void ms_arguments_append(char *line, char **argv, int first, int last)
{
    for (int k = 0; k < MS_ARGUMENTS; k++) {
        const char *name = ms_argument_table[k].option.name;
        const size_t length = strlen(name);
        if (!ms_argument_table[k].result && strncmp(argv[first], "--", 2) == 0 &&
            strncmp(argv[first] + 2, name, length) == 0 && strchr("=", argv[first][2 + length]) != NULL)
            return;
    }
    for (int i = first; i <= last; i++)
        ms_arguments_append_word(line, argv[i]);
}
