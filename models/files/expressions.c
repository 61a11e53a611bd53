/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expressions.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_expressions.h"

/* Longer texts are refused, as muParser has a limit of its own. */
enum { LENGTH_MAX = 10000 };

/* Parsers (n) of one thread at a time, and the values that they read. */
typedef struct worker {
    atomic_flag busy;
    struct worker *_Atomic next; /* there are as many as threads have been here at once */
    void **parser;
    double *value;
} worker;

struct ms_expressions {
    ms_expressions *next;
    const ms_plugin_expressions *library;
    int n, n_names;
    int at[MS_NAME_GROUPS + 1]; /* where the names of each group begin */
    const char **name;          /* (n_names) */
    const char **text;          /* (n) */
    worker *first;
};

/* Workers ------------------------------------------------------------------------------------------------ */

static void destroy_worker(const ms_expressions *e, worker *w)
{
    for (int k = 0; w != NULL && w->parser != NULL && k < e->n; k++)
        e->library->destroy(w->parser[k]);
    if (w != NULL) {
        free(w->parser);
        free(w->value);
    }
    free(w);
}

/* A busy one, or NULL. */
static worker *create_worker(const ms_expressions *e)
{
    worker *w = calloc(1, sizeof *w);
    bool created = w != NULL;
    if (created) {
        atomic_flag_clear(&w->busy);
        atomic_flag_test_and_set(&w->busy);
        atomic_init(&w->next, NULL);
        w->value = calloc((size_t)e->n_names, sizeof *w->value);
        w->parser = calloc((size_t)e->n + 1, sizeof *w->parser);
        created = w->value != NULL && w->parser != NULL;
    }
    for (int k = 0; k < e->n && created; k++) {
        w->parser[k] = e->library->create(e->text[k], e->n_names, e->name, w->value);
        created = w->parser[k] != NULL;
    }
    if (!created) {
        destroy_worker(e, w);
        return NULL;
    }
    return w;
}

/* A worker that nobody else uses: one that is there, or else a new one; without memory for that, the first that gets free. */
static worker *take_worker(const ms_expressions *e)
{
    worker *w = e->first;
    while (atomic_flag_test_and_set_explicit(&w->busy, memory_order_acquire)) {
        worker *next = atomic_load(&w->next);
        if (next != NULL) {
            w = next;
            continue;
        }
        worker *made = create_worker(e);
        if (made != NULL && atomic_compare_exchange_strong(&w->next, &next, made))
            return made;
        destroy_worker(e, made);
        w = next != NULL ? next : e->first;
    }
    return w;
}

int ms_expressions_evaluate(const ms_expressions *e, const double *const of[MS_NAME_GROUPS], double *value)
{
    return ms_expressions_evaluate_some(e, 0, e->n, of, value);
}

int ms_expressions_evaluate_some(const ms_expressions *e, int first, int n,
                                 const double *const of[MS_NAME_GROUPS], double *value)
{
    worker *w = take_worker(e);
    int status = 0;
    for (int group = 0; group < MS_NAME_GROUPS; group++) {
        const size_t size = sizeof(double) * (size_t)(e->at[group + 1] - e->at[group]);
        if (size > 0 && of[group] != NULL)
            memcpy(w->value + e->at[group], of[group], size);
        else if (size > 0)
            memset(w->value + e->at[group], 0, size);
    }
    for (int k = 0; k < n; k++) {
        value[k] = e->library->evaluate(w->parser[first + k]);
        status |= !isfinite(value[k]);
    }
    atomic_flag_clear_explicit(&w->busy, memory_order_release);
    return status;
}

bool ms_expressions_read(const ms_expressions *e, int k, int group, int variable)
{
    return e->library->reads(e->first->parser[k], e->first->value + e->at[group] + variable);
}

const char *ms_expressions_text(const ms_expressions *e, int k)
{
    return e->text[k];
}

bool ms_expressions_find(const ms_expressions *e, const char *name, int length, int *group, int *variable)
{
    for (*group = 0; *group < MS_NAME_GROUPS; (*group)++)
        for (*variable = 0; *variable < e->at[*group + 1] - e->at[*group]; (*variable)++) {
            const char *known = e->name[e->at[*group] + *variable];
            if (strlen(known) == (size_t)length && strncmp(known, name, (size_t)length) == 0)
                return true;
        }
    return false;
}

/* Creating ----------------------------------------------------------------------------------------------- */

const char *ms_expression_of(ms_structure *owner, const json_t *value)
{
    if (json_is_string(value))
        return ms_structure_name(owner, "%s", json_string_value(value));
    return json_is_number(value) ? ms_structure_name(owner, "%.17g", json_number_value(value)) : NULL;
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* What muParser would take for an assignment or for several results. */
static const char *find_refused(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c != '\0'; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c == ',' && depth <= 0)
            return "a comma outside of parentheses: one value is expected";
        if (*c == '=' && c[1] == '=')
            c++;
        else if (*c == '=' && (c == text || !is_one_of(c[-1], "<>!")))
            return "'=' assigns nothing here; == compares";
    }
    return strlen(text) > LENGTH_MAX ? "longer than 10000 characters" : NULL;
}

/* The names that there are, "x, v, k, t", as far as they go into the text. */
static void list_names(const ms_expressions *e, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int k = 0; k < e->n_names && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", k > 0 ? ", " : "", e->name[k]);
    if (at >= size)
        snprintf(text + size - 4, 4, "...");
}

static int check(const ms_expressions *e, const ms_expression_text *text, const ms_json_place *at,
                 ms_error *error)
{
    char names[200];
    for (int k = 0; k < e->n; k++) {
        const char *fault = e->library->fault(e->first->parser[k]);
        if (fault == NULL)
            continue;
        list_names(e, names, sizeof names);
        return ms_json_fail(at, error, "%s: %s (%.100s); there are: %s, pi", text[k].what, fault,
                            text[k].text, names);
    }
    return MS_OK;
}

static int check_texts(int n, const ms_expression_text *text, const ms_json_place *at, ms_error *error)
{
    for (int k = 0; k < n; k++) {
        const char *refused = find_refused(text[k].text);
        if (refused != NULL)
            return ms_json_fail(at, error, "%s: %s (%.100s)", text[k].what, refused, text[k].text);
    }
    return MS_OK;
}

/* Names by groups, and the texts. */
static bool copy_names(ms_expressions *e, ms_structure *owner, const ms_names *names,
                       const ms_expression_text *text)
{
    for (int group = 0; group < MS_NAME_GROUPS; group++)
        e->at[group + 1] = e->at[group] + (group == MS_NAMES_TIME ? 1 : names->n[group]);
    e->n_names = e->at[MS_NAME_GROUPS];
    e->name = ms_structure_alloc(owner, (size_t)e->n_names, sizeof *e->name);
    e->text = ms_structure_alloc(owner, (size_t)e->n + 1, sizeof *e->text);
    if (e->name == NULL || e->text == NULL)
        return false;
    e->name[0] = "t";
    for (int group = MS_NAMES_TIME + 1; group < MS_NAME_GROUPS; group++)
        for (int k = 0; k < names->n[group]; k++)
            e->name[e->at[group] + k] = names->name[group][k];
    for (int k = 0; k < e->n; k++)
        e->text[k] = text[k].text;
    return true;
}

/* muParser, opened for the first expressions of a file. */
static int open_library(const ms_file_model *file, const ms_json_place *at,
                        const ms_plugin_expressions **library, ms_error *error)
{
    const ms_plugin *plugin = NULL;
    *library = file->expressions != NULL ? file->expressions->library : NULL;
    if (*library != NULL)
        return MS_OK;
    const int status = ms_plugin_open("expressions", at->path, &plugin, error);
    *library = (const ms_plugin_expressions *)plugin;
    return status;
}

int ms_expressions_create(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                          const ms_json_place *at, const ms_expressions **out, ms_error *error)
{
    const ms_plugin_expressions *library;
    *out = NULL;
    int status = check_texts(n, text, at, error);
    if (status == MS_OK)
        status = open_library(file, at, &library, error);
    if (status != MS_OK)
        return status;
    ms_expressions *e = calloc(1, sizeof *e);
    if (e == NULL)
        return ms_json_no_memory(at, error);
    e->next = file->expressions;
    file->expressions = e;
    e->library = library;
    e->n = n;
    e->first = copy_names(e, &file->structure, names, text) ? create_worker(e) : NULL;
    if (e->first == NULL)
        return ms_json_no_memory(at, error);
    atomic_flag_clear(&e->first->busy);
    *out = e;
    return check(e, text, at, error);
}

void ms_expressions_destroy(ms_expressions **list)
{
    while (*list != NULL) {
        ms_expressions *e = *list, *next = e->next;
        for (worker *w = e->first, *following; w != NULL; w = following) {
            following = atomic_load(&w->next);
            destroy_worker(e, w);
        }
        free(e);
        *list = next;
    }
}
