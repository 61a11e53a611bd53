/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - everything that was reproduced, beside what was published: DIRECTORY/report.html and report.md.
 *
 * The report is built from the answers that ms_figure_draw stores; nothing is redrawn. A figure without an
 * answer is listed as missing, with the command that draws it. */
#ifndef MS_REPORT_H
#define MS_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "drawing.h"

typedef struct ms_report_entry {
    const ms_figure *figure;
    char name[128]; /* of its files */
    json_t *answer; /* NULL: missing */
    char *svg;      /* the picture; NULL: a table, or missing */
} ms_report_entry;

typedef struct ms_report {
    ms_report_entry *entries;
    int n, counts[MS_VERDICTS], missing; /* counts by verdict */
} ms_report;

/* *rows (may be NULL): id, title, status and checks_held of each figure, null where it has not been drawn; for the caller
 * to release. Errors: MS_IO, MS_NO_MEMORY. */
int ms_report_write(const char *directory, json_t **rows, ms_error *error);

void ms_report_html(const ms_report *report, FILE *file);
void ms_report_markdown(const ms_report *report, FILE *file);

/* What both say of the verdicts, and of the papers' figures that are not here. */
void ms_report_summary(const ms_report *report, FILE *file);
extern const char ms_report_scope[];

/* "5 of 6 checks hold" into text; empty where the figure has not been drawn. */
void ms_report_held(const ms_report_entry *entry, char *text, size_t size);

/* A check of our own in a figure of a paper, without a say in its status? */
bool ms_report_is_aside(const ms_report_entry *entry, const json_t *check);

/* A check's value as one line for readers, six digits; owned by the caller. */
char *ms_report_value(json_t *value);

/* Title of a group of figures: the paper of the ID; a new group begins where it differs from the entry
 * before. */
const char *ms_report_paper(const char *id);

#endif
