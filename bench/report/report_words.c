/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.c - what the pages say of the report, its papers and its figures. */
#include <string.h>

#include "report.h"

const char ms_report_scope[] =
    "Left out are results of commercial models, whose equations are not public: the race car (Andersson, "
    "Fig. 7.11 and Table 7.4; a linear car made here replaces it in Figs 5.13, 6.20 to 6.22 and Table "
    "9.7), and the chromatography column (section 9.3.5); the robot of chapter 8 is of an open library, whose "
    "exporting tool is commercial.";

void ms_report_summary(const ms_report *report, FILE *file)
{
    fprintf(file,
            "%d figures and tables: %d reproduced, %d with deviations, %d that the printed text leaves "
            "undetermined, %d drawn with nothing printed to compare, %d studies of our own that miss an "
            "expectation, %d not drawn yet. Checks held: %ld of %ld. A figure's verdict is the worst of its "
            "checks, which compare with printed numbers, with printed sentences, or with the shape that a "
            "caption says is to be seen; own checks in a paper's figure do not count.%s",
            report->n, report->counts[MS_REPRODUCED], report->counts[MS_DEVIATES],
            report->counts[MS_NOT_DETERMINED], report->counts[MS_DRAWN],
            report->counts[MS_EXPECTATION_MISSED], report->missing, report->held, report->checks,
            report->chosen ? "" : " The papers were read as text, without their pictures.");
}

void ms_report_held(const ms_report_entry *entry, char *text, size_t size)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    text[0] = '\0';
    if (json_array_size(held) == 2)
        snprintf(text, size, "%d of %d checks hold", (int)json_integer_value(json_array_get(held, 0)),
                 (int)json_integer_value(json_array_get(held, 1)));
}

bool ms_report_is_own_check(const ms_report_entry *entry, const json_t *check)
{
    return json_is_true(json_object_get(check, "own")) && !ms_figure_is_own(entry->figure);
}

static const char *const papers[][3] = {
    {"andersson2016", "Andersson (2016): co-simulation of dynamic systems, doctoral thesis",
     "Andersson 2016"},
    {"moshagen2021", "Moshagen (2021): energy balance in co-simulation", "Moshagen 2021"},
    {"eguillon2021", "Eguillon et al. (2021): IFOSMONDI-JFM", "Eguillon 2021"},
    {"eguillon2022", "Eguillon et al. (2022): F3ORNITS", "Eguillon 2022"},
    {"libraries", "Other programs: values published with their benchmark models", "other programs"},
    {"macrostep:", "Studies of this project", "own studies"},
};

enum { PAPERS = sizeof papers / sizeof papers[0] };

/* Column 1 or 2 of the paper of that ID. */
static void name_paper(const char *id, int column, char *text, size_t size)
{
    size_t k = 0;
    while (k < PAPERS && strncmp(id, papers[k][0], strlen(papers[k][0])) != 0)
        k++;
    if (k < PAPERS)
        snprintf(text, size, "%s", papers[k][column]);
    else
        snprintf(text, size, "%.*s", (int)strcspn(id, ":"), id);
}

void ms_report_paper(const char *id, char *text, size_t size)
{
    name_paper(id, 1, text, size);
}

void ms_report_paper_short(const char *id, char *text, size_t size)
{
    name_paper(id, 2, text, size);
}

void ms_report_label(const char *id, char *label, size_t size)
{
    const char *colon = strchr(id, ':'), *name = colon != NULL ? colon + 1 : id;
    if (strncmp(name, "fig", 3) == 0)
        snprintf(label, size, "Fig. %s", name + 3);
    else if (strncmp(name, "table", 5) == 0)
        snprintf(label, size, "Table %s", name + 5);
    else
        snprintf(label, size, "%s", name);
}

ms_verdict ms_report_status(const ms_report_entry *entry)
{
    const char *status = json_string_value(json_object_get(entry->answer, "status"));
    int k = 0;
    while (k < MS_VERDICTS && (status == NULL || strcmp(status, ms_verdict_name((ms_verdict)k)) != 0))
        k++;
    return (ms_verdict)k;
}

const ms_report_entry *ms_report_find(const ms_report *report, const char *id)
{
    for (int k = 0; k < report->n; k++)
        if (strcmp(report->entries[k].figure->id, id) == 0)
            return &report->entries[k];
    return NULL;
}
