/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.c - names of papers and figures on the pages. */
#include <string.h>

#include "report.h"

static const char thesis[] =
    "C. Andersson: Methods and Tools for Co-Simulation of Dynamic Systems with the Functional Mock-up "
    "Interface. Doctoral thesis, Lund University, 2016. ISBN 978-91-7623-698-7";
static const char ifosmondi[] =
    "Y. Eguillon, B. Lacabanne, D. Tromeur-Dervout: IFOSMONDI Co-simulation Algorithm with Jacobian-Free "
    "Methods in PETSc. Engineering with Computers, 2021. DOI 10.1007/s00366-021-01558-6";
static const char f3ornits[] =
    "Y. Eguillon, B. Lacabanne, D. Tromeur-Dervout: F3ORNITS: a flexible variable step size non-iterative "
    "co-simulation method handling subsystems with hybrid advanced capabilities. arXiv 2101.09309";

/* ID, title, the same in two words, whole name, address; "": none. */
static const char *const papers[][5] = {
    {"andersson2016", "Andersson (2016): co-simulation of dynamic systems, doctoral thesis", "Andersson 2016",
     thesis, ""},
    {"moshagen2021", "Moshagen (2021): energy balance in co-simulation", "Moshagen 2021",
     "T. Moshagen: On meeting Energy Balance Errors in Cosimulations. 2021. arXiv 1706.07273",
     "https://arxiv.org/abs/1706.07273"},
    {"eguillon2021", "Eguillon et al. (2021): IFOSMONDI-JFM", "Eguillon 2021", ifosmondi,
     "https://doi.org/10.1007/s00366-021-01558-6"},
    {"eguillon2022", "Eguillon et al. (2022): F3ORNITS", "Eguillon 2022", f3ornits,
     "https://arxiv.org/abs/2101.09309"},
    {"libraries", "Other programs: values published with their benchmark models", "other programs", "", ""},
    {"macrostep:", "Studies of this project", "own studies", "", ""},
};

enum { PAPERS = sizeof papers / sizeof papers[0] };

/* The paper of that ID, PAPERS if it is unknown. */
static size_t find_paper(const char *id)
{
    size_t k = 0;
    while (k < PAPERS && strncmp(id, papers[k][0], strlen(papers[k][0])) != 0)
        k++;
    return k;
}

/* Column 1 or 2 of the paper of that ID. */
static void name_paper(const char *id, int column, char *text, size_t size)
{
    const size_t k = find_paper(id);
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

const char *ms_report_citation(const char *id, const char **address)
{
    const size_t k = find_paper(id);
    *address = k < PAPERS ? papers[k][4] : "";
    return k < PAPERS ? papers[k][3] : "";
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
