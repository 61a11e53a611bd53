/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments_line.h - the command line as it is repeated in files. */
#ifndef MS_ARGUMENTS_LINE_H
#define MS_ARGUMENTS_LINE_H

/* Appends a word, in quotes where a shell wants them. */
void ms_arguments_append_word(char *line, const char *word);

/* The words from argv[first] to argv[last], unless they are an option that changes no result. */
void ms_arguments_append(char *line, char **argv, int first, int last);

#endif
