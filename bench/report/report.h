/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - all reproduced results next to the published ones: DIRECTORY/report.html and report.md, and four more pages, field.html (which scheme
 * for what), errata.html (what the papers print wrong, or not at all), ledger.html (every printed item, and what judges it) and explorer.html
 * (stability of a model and a scheme of one's choice); if foreign.json exists (bench/python/foreign.py), also foreign.html.
 *
 * The report is built from the answers that ms_figure_draw stores; nothing is redrawn. A figure without an answer is listed as missing,
 * with the command that draws it. */
#pragma once

#include <stdio.h>

#include "drawing.h"

typedef struct ms_report_entry {
    const ms_figure *figure;
    char name[128];         /* of its files */
    char paper[96];         /* title of its group, ms_report_paper */
    char paper_short[32];   /* the same in two words */
    const char *fault;      /* why it could not be drawn; NULL: it was not tried now, or drawn */
    json_t *answer;         /* NULL: missing */
    char *models, *schemes; /* that its commands name, spaces between; NULL: none */
    int width, height;      /* of the picture; 0: a table, or missing */
    char *alt;              /* a sentence that says what is seen in it */
    char *svg;              /* the picture itself; NULL unless it is to be embedded */
} ms_report_entry;

typedef struct ms_report {
    ms_report_entry *entries;
    int n, counts[MS_VERDICTS], missing; /* counts by verdict */
    long held, checks;                   /* of all that are drawn */
    json_t *errata;                      /* ms_report_errata_rows */
    json_t *ledger, *equations;          /* ms_ledger and ms_equations of all papers */
    json_t *foreign;                     /* DIRECTORY/foreign.json; NULL: none, or there is no page for it */
    json_t *explorer;                    /* ms_report_explorer; NULL: there is no page for it */
    bool single_file;
    bool chosen; /* not all figures of the program: the pages on all of them have no place */
} ms_report;

/* figures: those to be told of, ending with NULL; NULL: all of the program. faults (may be NULL): of each of these why it could not be
 * drawn, NULL where it could. single_file: pictures and these pages are in report.html, and nothing is linked. *rows (may be NULL): id, title, status
 * and checks_held of each figure, null where it has not been drawn; for the caller to release. Errors: MS_IO,
 * MS_NO_MEMORY. */
int ms_report_write(const char *directory, const ms_figure *const *figures, const char *const *faults,
                    bool single_file, json_t **rows, ms_error *error);

/* The values of the report for the templates of the pages, for ms_page_write without its "title"; to be released by the caller. NULL: no memory. */
json_t *ms_report_page(const ms_report *report);

/* The errata, in the order of the papers: {"paper", "where", "kind", "printed", "correct", "evidence", "command", "figure"};
 * for the caller to release. NULL: no memory. */
json_t *ms_report_errata_rows(void);

/* The entry of that figure, or NULL. */
const ms_report_entry *ms_report_find(const ms_report *report, const char *id);

/* The verdict of a figure, MS_VERDICTS where it has none that is known: missing, or a stranger's. */
ms_verdict ms_report_status(const ms_report_entry *entry);

/* Title of a group of figures: the paper of the ID, or if unknown the text before its colon. */
void ms_report_paper(const char *id, char *text, size_t size);

/* The same in two words, "Andersson 2016"; "own studies". */
void ms_report_paper_short(const char *id, char *text, size_t size);

/* Authors, title, year and number of the paper, and its address; "" if there is none. */
const char *ms_report_citation(const char *id, const char **address);

/* "Fig. 6.4" of andersson2016:fig6.4; what comes after the colon of our own. */
void ms_report_label(const char *id, char *label, size_t size);
