/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exported.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_fmu.h"
#include "monolithic.h"
#include "nearest.h"

/* Creation ----------------------------------------------------------------------------------------------- */

int ms_exported_find_subsystem(const ms_system *base, const char *name, int *index, ms_error *error)
{
    *index = ms_system_find(base, name);
    if (*index >= 0)
        return MS_OK;
    const char *nearest = base->sub[0].name;
    for (int i = 1; i < base->n; i++)
        nearest = ms_nearest(name, (const char *const[]){nearest, base->sub[i].name}, 2);
    return ms_fail(error, MS_INVALID,
                   "model %s has no subsystem %s; the nearest is %s, and whole is all of it",
                   base->model->name, name, nearest);
}

static void count(ms_exported *e)
{
    const ms_subsystem *sub = e->sub;
    const int n[MS_EXPORTED_GROUPS] = {[MS_EXPORTED_TIME] = 1,
                                       [MS_EXPORTED_INPUT] = sub->nu,
                                       [MS_EXPORTED_OUTPUT] = sub->ny,
                                       [MS_EXPORTED_STATE] = sub->nx,
                                       [MS_EXPORTED_DERIVATIVE] = sub->residual != NULL ? 0 : sub->nx,
                                       [MS_EXPORTED_DISCRETE] = sub->nz,
                                       [MS_EXPORTED_INDICATOR] = sub->n_indicators,
                                       [MS_EXPORTED_PARAMETER] = e->base->model->n_parameters};
    e->first[0] = 0;
    for (int g = 0; g < MS_EXPORTED_GROUPS; g++)
        e->first[g + 1] = e->first[g] + (unsigned)n[g];
}

int ms_exported_create(const ms_system *base, const char *subsystem, ms_exported *exported, ms_error *error)
{
    *exported = (ms_exported){.base = base, .system = base};
    MS_TRY(subsystem != NULL ? ms_exported_find_subsystem(base, subsystem, &exported->index, error)
                             : ms_monolithic_create(base, &exported->whole, error));
    for (int i = 0; i < base->n; i++) {
        ms_model_fmu_found found;
        if (ms_model_fmu(base->model, base->sub[i].name, &found) &&
            (subsystem == NULL || i == exported->index))
            return ms_fail(error, MS_UNSUPPORTED, "subsystem %s is an FMU%s", base->sub[i].name,
                           subsystem != NULL ? " already" : ", which another FMU cannot hold");
    }
    const ms_own_stepper *stepper = subsystem != NULL ? base->sub[exported->index].stepper : NULL;
    if (stepper != NULL)
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s is %s already, and cannot be exported", subsystem,
                       stepper->kind);
    if (subsystem == NULL)
        exported->system = exported->whole;
    exported->sub = &exported->system->sub[exported->index];
    count(exported);
    return MS_OK;
}

void ms_exported_destroy(ms_exported *exported)
{
    ms_monolithic_destroy(&exported->whole);
    *exported = (ms_exported){0};
}

bool ms_exported_find(const ms_exported *exported, unsigned reference, ms_exported_group *group, int *k)
{
    int g = 0;
    while (g < MS_EXPORTED_GROUPS && reference >= exported->first[g + 1])
        g++;
    if (g == MS_EXPORTED_GROUPS)
        return false;
    *group = (ms_exported_group)g;
    *k = (int)(reference - exported->first[g]);
    return true;
}

const char *ms_exported_no_model_exchange(const ms_exported *exported)
{
    const ms_subsystem *sub = exported->sub;
    return sub->residual != NULL ? "it is differential-algebraic"
           : sub->uses_du        ? "its outputs read time derivatives of inputs"
                                 : NULL;
}

bool ms_exported_is_size(const ms_exported *exported, int k)
{
    const ms_model *model = exported->base->model;
    return model->build != NULL && model->parameters[k].integer;
}

/* Names -------------------------------------------------------------------------------------------------- */

static bool is_identifier(const char *word, size_t length)
{
    bool is = length > 0 && (isalpha((unsigned char)word[0]) || word[0] == '_');
    for (size_t k = 0; k < length && is; k++)
        is = isalnum((unsigned char)word[k]) || word[k] == '_';
    return is;
}

/* Appends one word of a name to a text that holds `at` letters; returns how many it holds then. */
static size_t append_word(char name[MS_EXPORTED_NAME], size_t at, const char *word, size_t length)
{
    const bool quoted = !is_identifier(word, length);
    const size_t most = MS_EXPORTED_NAME - 4;
    if (quoted && at < most)
        name[at++] = '\'';
    for (size_t k = 0; k < length && at < most; k++) {
        if (word[k] == '\'' || word[k] == '\\')
            name[at++] = '\\';
        name[at++] = word[k];
    }
    if (quoted && at < MS_EXPORTED_NAME - 1)
        name[at++] = '\'';
    name[at] = '\0';
    return at;
}

/* "PREFIX" and the words between the dots of a name. */
static void write_name(char name[MS_EXPORTED_NAME], const char *prefix, const char *of)
{
    size_t at = (size_t)snprintf(name, MS_EXPORTED_NAME, "%s", prefix);
    for (;;) {
        const char *dot = strchr(of, '.');
        at = append_word(name, at, of, dot != NULL ? (size_t)(dot - of) : strlen(of));
        if (dot == NULL)
            return;
        if (at < MS_EXPORTED_NAME - 4)
            name[at++] = '.';
        of = dot + 1;
    }
}

static bool has_name(int n, const ms_variable *variables, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(variables[k].name, name) == 0)
            return true;
    return false;
}

static bool is_output(const ms_subsystem *sub, const char *name)
{
    return has_name(sub->ny, sub->y, name);
}

const char *ms_exported_name(const ms_exported *exported, ms_exported_group group, int k,
                             char name[MS_EXPORTED_NAME])
{
    const ms_subsystem *sub = exported->sub;
    const bool whole = exported->whole != NULL;
    const char *states = whole ? "" : "x.";
    if (group == MS_EXPORTED_TIME) /* what is wired keeps its name */
        write_name(name, has_name(sub->nu, sub->u, "time") || is_output(sub, "time") ? "independent." : "",
                   "time");
    else if (group == MS_EXPORTED_INPUT)
        write_name(name, is_output(sub, sub->u[k].name) ? "u." : "", sub->u[k].name);
    else if (group == MS_EXPORTED_OUTPUT)
        write_name(name, "", sub->y[k].name);
    else if (group == MS_EXPORTED_STATE)
        write_name(name, states, sub->x[k].name);
    else if (group == MS_EXPORTED_DISCRETE)
        write_name(name, "z.", sub->z[k].name);
    else if (group == MS_EXPORTED_PARAMETER)
        write_name(name, "p.", exported->base->model->parameters[k].name);
    else if (group == MS_EXPORTED_INDICATOR)
        snprintf(name, MS_EXPORTED_NAME, "indicator.r%d", k + 1);
    else {
        write_name(name, whole ? "der(" : "der(x.", sub->x[k].name);
        memcpy(name + strlen(name), ")", 2);
    }
    return name;
}

const char *ms_exported_unit(const ms_exported *exported, ms_exported_group group, int k)
{
    const ms_subsystem *sub = exported->sub;
    const char *unit = group == MS_EXPORTED_TIME        ? "s"
                       : group == MS_EXPORTED_INPUT     ? sub->u[k].unit
                       : group == MS_EXPORTED_OUTPUT    ? sub->y[k].unit
                       : group == MS_EXPORTED_DISCRETE  ? sub->z[k].unit
                       : group == MS_EXPORTED_PARAMETER ? exported->base->model->parameters[k].unit
                       : group == MS_EXPORTED_INDICATOR ? "1"
                                                        : sub->x[k].unit;
    return unit != NULL ? unit : "1";
}

/* Of letters, digits, and '_'. */
static void write_identifier(char name[MS_EXPORTED_NAME], const char *model, const char *subsystem)
{
    snprintf(name, MS_EXPORTED_NAME, "%s%.90s_%.90s", isalpha((unsigned char)model[0]) ? "" : "m", model,
             subsystem);
    for (char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}

const char *ms_exported_identifier(const ms_exported *exported, char name[MS_EXPORTED_NAME])
{
    const ms_system *base = exported->base;
    const char *model = base->model->name;
    char other[MS_EXPORTED_NAME];
    bool taken = false;
    write_identifier(name, model, exported->whole != NULL ? "whole" : exported->sub->name);
    for (int i = 0; i < exported->index && exported->whole == NULL && !taken; i++) {
        write_identifier(other, model, base->sub[i].name);
        taken = strcmp(name, other) == 0;
    }
    if (taken)
        snprintf(name + strlen(name), MS_EXPORTED_NAME - strlen(name), "_%d", exported->index + 1);
    return name;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

int ms_exported_check_names(const ms_exported *exported, ms_error *error)
{
    const unsigned n = exported->first[MS_EXPORTED_GROUPS];
    char(*names)[MS_EXPORTED_NAME] = calloc(n + 1, sizeof *names);
    char identifier[MS_EXPORTED_NAME];
    ms_exported_group group;
    int k, status = MS_OK;
    MS_TRY_MEMORY_FOR(names != NULL, error, "the names of %u variables", n);
    for (unsigned r = 0; r < n; r++)
        if (ms_exported_find(exported, r, &group, &k))
            ms_exported_name(exported, group, k, names[r]);
    qsort(names, n, sizeof *names, compare);
    for (unsigned r = 1; r < n && status == MS_OK; r++)
        if (strcmp(names[r - 1], names[r]) == 0)
            status = ms_fail(error, MS_INVALID,
                             "two variables of FMU %s would have the name %.100s; another name of the "
                             "subsystem or of the variable is expected",
                             ms_exported_identifier(exported, identifier), names[r]);
    free(names);
    return status;
}
