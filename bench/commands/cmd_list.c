/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "catalogue.h"
#include "commands.h"
#include "figure_registry.h"
#include "nearest.h"
#include "provenance.h"
#include "scheme_registry.h"
#include "solver_registry.h"

static int add(json_t *rows, const char *kind, const char *name, const char *summary, const char *source)
{
    return json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "kind", kind, "name", name,
                                                 "summary", summary, "source", source));
}

static int list_models(json_t *rows)
{
    int status = 0;
    for (int k = 0; ms_catalogue[k] != NULL && status == 0; k++)
        status = add(rows, "model", ms_catalogue[k]->name, ms_catalogue[k]->summary, ms_catalogue[k]->source);
    return status;
}

static int list_schemes(json_t *rows)
{
    int status = 0;
    for (int k = 0; ms_schemes[k] != NULL && status == 0; k++)
        status = add(rows, "scheme", ms_schemes[k]->name, ms_schemes[k]->summary, ms_schemes[k]->source);
    return status;
}

static int list_solvers(json_t *rows)
{
    int status = 0;
    for (int k = 0; ms_solvers[k] != NULL && status == 0; k++)
        status = add(rows, "solver", ms_solvers[k]->name, ms_solvers[k]->summary, ms_solvers[k]->source);
    return status;
}

static int list_figures(json_t *rows)
{
    int status = 0;
    for (int k = 0; ms_figures[k] != NULL && status == 0; k++)
        status = add(rows, "figure", ms_figures[k]->id, ms_figures[k]->title, ms_figures[k]->source);
    return status;
}

/* One study a paper: the figures whose IDs begin with its name. */
static int list_studies(json_t *rows)
{
    int status = 0;
    for (int k = 0; ms_figures[k] != NULL && status == 0;) {
        char name[64], summary[64], source[128];
        const char *id = ms_figures[k]->id, *paper = ms_figures[k]->source;
        const size_t length = strcspn(id, ":");
        const bool own = strncmp(id, "macrostep:", 10) == 0;
        int n = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, id);
        const char *year = strchr(paper, ')'); /* authors (year), figure, section */
        snprintf(source, sizeof source, "%.*s", year != NULL ? (int)(year + 1 - paper) : 0, paper);
        while (ms_figures[k] != NULL && strncmp(ms_figures[k]->id, id, length + 1) == 0) {
            k++;
            n++;
        }
        snprintf(summary, sizeof summary,
                 own ? "%d studies of its own" : "%d figures and tables of the paper", n);
        status = add(rows, "study", name, summary, own ? "macrostep" : source);
    }
    return status;
}

static const struct {
    const char *name;
    int (*list)(json_t *rows);
} lists[] = {{"models", list_models},
             {"schemes", list_schemes},
             {"solvers", list_solvers},
             {"studies", list_studies},
             {"figures", list_figures}};

static int unknown_list(const char *what, ms_error *error)
{
    const char *names[MS_COUNT(lists)];
    for (int k = 0; k < MS_COUNT(lists); k++)
        names[k] = lists[k].name;
    return ms_fail(error, MS_INVALID,
                   "list %s: unknown; the nearest is %s (models, schemes, solvers, studies, figures)", what,
                   ms_nearest(what, names, MS_COUNT(lists)));
}

/* NULL: everything. *known becomes false where there is no such list. */
static json_t *list(const char *what, bool *known)
{
    json_t *rows = json_array();
    int status = rows != NULL ? 0 : -1;
    *known = what == NULL;
    for (int k = 0; k < MS_COUNT(lists) && status == 0; k++)
        if (what == NULL || strcmp(what, lists[k].name) == 0) {
            status = lists[k].list(rows);
            *known = true;
        }
    if (status != 0) {
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}

int ms_command_list(int argc, char **argv)
{
    static const ms_column all[] = {{"kind", "kind"}, {"name", "name"}, {"summary", "summary"}, {0}};
    static const ms_column one[] = {{"name", "name"}, {"summary", "summary"}, {"source", "source"}, {0}};
    ms_arguments arguments;
    ms_error error;
    ms_output output = {0};
    bool known = true;
    int status = ms_arguments_read(argc, argv, &arguments, &error);
    if (status == MS_OK) {
        ms_answer answer = {.value = list(arguments.operand, &known),
                            .columns = arguments.operand != NULL ? one : all};
        answer.provenance = ms_provenance(arguments.line);
        if (known) {
            status = ms_answer_finish(&answer, &arguments, &output, &error);
        } else {
            status = unknown_list(arguments.operand, &error);
            ms_answer_discard(&answer);
        }
    }
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
