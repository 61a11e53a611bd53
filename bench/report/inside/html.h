/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.h - what the pages are made of. Answers may be a stranger's: every text of theirs goes through
 * ms_html_text, every address through ms_html_link. */
#ifndef MS_HTML_H
#define MS_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Text in an element or between double quotes; control characters become spaces. NULL: nothing. */
void ms_html_text(const char *text, FILE *file);

/* <tag attributes>text</tag>; the attributes are ours. */
void ms_html_element(const char *tag, const char *attributes, const char *text, FILE *file);

/* A value of an answer as text for readers (ms_value_line). */
void ms_html_value(json_t *value, FILE *file);

/* A verdict on its colour. What is none of the verdicts, or NULL, is shown in grey. */
void ms_html_badge(const char *status, FILE *file);

/* A link; what is not made of letters, digits and "._-/#" is no address of ours: the text alone. */
void ms_html_link(const char *address, const char *text, FILE *file);

/* A line that readers copy. */
void ms_html_command(const char *command, FILE *file);

/* Which rows of a table: the first `most` of them (0: all), and of these the ones whose column (NULL: any) holds that
 * value; the column itself is left out. */
typedef struct ms_html_part {
    size_t most;
    const char *column, *value;
} ms_html_part;

/* A table of an answer: rows are objects with the columns of the first. */
void ms_html_table(const char *title, json_t *rows, const ms_html_part *part, FILE *file);

/* Everything before the contents of a page, and everything after them: which program wrote it. */
void ms_html_begin(const char *title, FILE *file);
void ms_html_end(FILE *file);

#endif
