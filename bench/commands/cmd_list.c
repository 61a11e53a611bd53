/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "commands.h"
#include "figure_registry.h"
#include "nearest.h"
#include "preset.h"

static void add(json_t **rows, const char *kind, const char *name, const char *summary, const char *source)
{
    ms_json_append(rows, ms_json_object("kind:s name:s summary:s source:s", kind, name, summary, source));
}

static void list_models(json_t **rows)
{
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        add(rows, "model", ms_catalogue[k]->name, ms_catalogue[k]->summary, ms_catalogue[k]->source);
}

/* A master of another tool: the options that --as NAME sets. */
static void add_preset(json_t **rows, const ms_preset *preset)
{
    char options[256], name[64], summary[384];
    ms_preset_text(preset, options, sizeof options);
    ms_arguments_respell(options);
    snprintf(name, sizeof name, "--as %s", preset->name);
    snprintf(summary, sizeof summary, "%s: %s", preset->summary, options);
    ms_json_append(rows, ms_json_object("kind:s name:s summary:s source:s stands_for:s faults:s", "preset",
                                        name, summary, preset->source, options, preset->faults));
}

static void add_scheme(json_t **rows, const ms_scheme *scheme)
{
    ms_json_append(rows,
                   ms_json_object("kind:s name:s summary:s source:s rolls_back:b", "scheme", scheme->name,
                                  scheme->summary, scheme->source, (int)scheme->rolls_back));
}

static void list_schemes(json_t **rows)
{
    for (int k = 0; ms_schemes[k] != NULL; k++)
        add_scheme(rows, ms_schemes[k]);
    for (int k = 0; ms_preset_at(k) != NULL; k++)
        add_preset(rows, ms_preset_at(k));
}

static void list_solvers(json_t **rows)
{
    for (int k = 0; ms_solvers[k] != NULL; k++)
        add(rows, "solver", ms_solvers[k]->name, ms_solvers[k]->summary, ms_solvers[k]->source);
}

static void list_figures(json_t **rows)
{
    for (int k = 0; ms_figure_at(k) != NULL; k++)
        add(rows, "figure", ms_figure_at(k)->id, ms_figure_at(k)->title, ms_figure_at(k)->source);
}

/* One study per paper: the figures whose IDs begin with its name. */
static void list_studies(json_t **rows)
{
    for (int k = 0; ms_figure_at(k) != NULL;) {
        char name[64], summary[64], source[128];
        const char *id = ms_figure_at(k)->id, *paper = ms_figure_at(k)->source;
        const size_t length = strcspn(id, ":");
        const bool own = strncmp(id, "macrostep:", 10) == 0;
        int n = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, id);
        const char *year = strchr(paper, ')'); /* authors (year), figure, section */
        snprintf(source, sizeof source, "%.*s", year != NULL ? (int)(year + 1 - paper) : 0, paper);
        while (ms_figure_at(k) != NULL && strncmp(ms_figure_at(k)->id, id, length + 1) == 0) {
            k++;
            n++;
        }
        snprintf(summary, sizeof summary,
                 own ? "%d studies of its own" : "%d figures and tables of the paper", n);
        add(rows, "study", name, summary, own ? "macrostep" : source);
    }
}

static void list_commands(json_t **rows)
{
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        ms_json_append(rows, ms_help_row(command));
}

/* The last one is not part of "all". */
static const struct {
    const char *name;
    void (*list)(json_t **rows);
} lists[] = {{"models", list_models},   {"schemes", list_schemes}, {"solvers", list_solvers},
             {"studies", list_studies}, {"figures", list_figures}, {"commands", list_commands}};
enum { ALL = MS_COUNT(lists) - 1 };

static int unknown_list(const char *what, ms_error *error)
{
    return ms_fail(
        error, MS_INVALID,
        "list %s: unknown; the nearest is %s (models, schemes, solvers, studies, figures, commands)", what,
        MS_NEAREST_OF(what, lists, MS_COUNT(lists)));
}

static int check(void *self, ms_error *error)
{
    const ms_call *call = self;
    const char *what = call->arguments.operand;
    for (int k = 0; k < MS_COUNT(lists) && what != NULL; k++)
        if (strcmp(what, lists[k].name) == 0)
            return MS_OK;
    return what == NULL ? MS_OK : unknown_list(what, error);
}

/* The list asked for, or all. */
static int compute(void *self, ms_error *error)
{
    static const ms_column all[] = {{"kind", "kind"}, {"name", "name"}, {"summary", "summary"}, {0}};
    static const ms_column one[] = {{"name", "name"}, {"summary", "summary"}, {"source", "source"}, {0}};
    ms_call *call = self;
    const char *what = call->arguments.operand;
    const bool figures = what == NULL || strcmp(what, "figures") == 0 || strcmp(what, "studies") == 0;
    if (figures && ms_figures_read(error) != MS_OK)
        return MS_NO_MEMORY;
    json_t *rows = json_array();
    for (int k = 0; k < MS_COUNT(lists); k++)
        if (what == NULL ? k < ALL : strcmp(what, lists[k].name) == 0)
            lists[k].list(&rows);
    call->answer = (ms_answer){.value = rows, .columns = what != NULL ? one : all};
    return MS_OK;
}

const ms_call_steps ms_command_list = {.size = sizeof(ms_call), .read = check, .compute = compute};
