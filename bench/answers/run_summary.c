/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_answer.h"

#include <stdio.h>
#include <string.h>

#include "json.h"
#include "provenance.h"

enum { STATES_SHOWN = 4, SUBSYSTEMS_SHOWN = 4, LINE_LENGTH = 1024 };

/* Members as they are ------------------------------------------------------------------------------------ */

/* Does it say anything: is it there, and no empty text, list or count? */
static bool says_something(const json_t *value)
{
    return json_is_string(value)    ? json_string_length(value) > 0
           : json_is_array(value)   ? json_array_size(value) > 0
           : json_is_integer(value) ? json_integer_value(value) != 0
                                    : value != NULL && !json_is_null(value);
}

static void copy(json_t **summary, const json_t *from, const char *key)
{
    json_t *value = json_object_get(from, key);
    if (says_something(value))
        ms_json_set(summary, key, json_incref(value));
}

static void copy_all(json_t **summary, const json_t *from, const char *const *keys)
{
    for (int k = 0; keys[k] != NULL; k++)
        copy(summary, from, keys[k]);
}

/* The call ------------------------------------------------------------------------------------------------ */

/* "NAME=VALUE NAME=VALUE": the parameters that were given. */
static void add_settings(json_t **summary, const ms_arguments *arguments)
{
    char text[LINE_LENGTH] = "";
    for (int k = 0; k < arguments->n_settings; k++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s=%g", k > 0 ? " " : "",
                 arguments->settings[k].parameter, arguments->settings[k].value);
    }
    if (text[0] != '\0')
        ms_json_set(summary, "set", ms_json_text(text));
}

static void add_scheme(json_t **summary, const json_t *scheme, const ms_options *options)
{
    static const ms_option_id apart[] = {MS_OPTION_STEP_SIZE, MS_OPTION_SOLVER, MS_OPTIONS};
    ms_json_set(summary, "scheme", ms_options_line(scheme, options, apart));
    copy(summary, scheme, "step_size");
    copy(summary, scheme, "solver");
}

/* Errors -------------------------------------------------------------------------------------------------- */

static double largest_of(const json_t *errors)
{
    return json_number_value(json_object_get(errors, "max"));
}

/* The state with the largest error that is not in the rows yet, or NULL. */
static const char *next_worst(json_t *per_state, const json_t *rows)
{
    const char *worst = NULL, *name;
    json_t *errors;
    json_object_foreach (per_state, name, errors) {
        if (json_object_get(rows, name) == NULL &&
            (worst == NULL || largest_of(errors) > largest_of(json_object_get(per_state, worst))))
            worst = name;
    }
    return worst;
}

/* Whose the errors are: "all states", "8 of 16 states". */
static void name_compared(const json_t *errors, char *name, size_t size)
{
    const json_int_t n = json_integer_value(json_object_get(errors, "compared")),
                     of = json_integer_value(json_object_get(errors, "of"));
    const char *over = json_string_value(json_object_get(errors, "over"));
    if (n == of)
        snprintf(name, size, "all %s", over);
    else
        snprintf(name, size, "%lld of %lld %s", (long long)n, (long long)of, over);
}

/* A row of a table, whose l2 has no unit, unlike its neighbours. */
static json_t *norms_of(const json_t *errors, const char *l2)
{
    return ms_json_object("max:O rmse:O relative l2:O end:O", json_object_get(errors, "max"),
                          json_object_get(errors, "rmse"), json_object_get(errors, l2),
                          json_object_get(errors, "end"));
}

/* All states together, with the mean of their l2, and the worst of them. */
static json_t *errors_json(const json_t *errors)
{
    char name[64];
    json_t *per_state = json_object_get(errors, "per_state");
    name_compared(errors, name, sizeof name);
    json_t *rows = json_pack("{s:o}", name, norms_of(errors, "l2_normalized_mean"));
    for (int k = 0; k < STATES_SHOWN; k++) {
        const char *worst = next_worst(per_state, rows);
        if (worst != NULL)
            ms_json_set(&rows, worst, norms_of(json_object_get(per_state, worst), "l2"));
    }
    return rows;
}

static void add_errors(json_t **summary, const json_t *answer)
{
    const json_t *errors = json_object_get(answer, "errors");
    const size_t states = json_object_size(json_object_get(errors, "per_state"));
    if (!json_is_number(json_object_get(errors, "max")))
        return;
    ms_json_set(summary, "errors", errors_json(errors));
    if (states > STATES_SHOWN)
        ms_json_set(summary, "states_not_shown", json_integer((json_int_t)states - STATES_SHOWN));
}

/* Work ---------------------------------------------------------------------------------------------------- */

/* The sum over all subsystems, under the number of them. NULL without memory. */
static json_t *sum_of(const json_t *work)
{
    json_t *sum = json_object();
    char name[48];
    snprintf(name, sizeof name, "all %zu together", json_array_size(work));
    ms_json_set(&sum, "subsystem", json_string(name));
    for (size_t k = 0; k < json_array_size(work); k++) {
        const char *key;
        json_t *value;
        json_object_foreach (json_array_get(work, k), key, value) {
            const json_int_t before = json_integer_value(json_object_get(sum, key));
            if (json_is_integer(value))
                ms_json_set(&sum, key, json_integer(before + json_integer_value(value)));
        }
    }
    return sum;
}

/* The row without what is zero in the sum. */
static json_t *without_zeros(json_t *row, const json_t *sum)
{
    json_t *kept = json_object();
    const char *key;
    json_t *value;
    json_object_foreach (row, key, value) {
        if (says_something(json_object_get(sum, key)))
            ms_json_set(&kept, key, json_incref(value));
    }
    return kept;
}

/* A row for each subsystem, or if there are many, one for all. */
static void add_work(json_t **summary, const json_t *work)
{
    json_t *sum = sum_of(work), *rows = json_array();
    const size_t n = json_array_size(work);
    for (size_t k = 0; k < n && n <= SUBSYSTEMS_SHOWN; k++)
        ms_json_append(&rows, without_zeros(json_array_get(work, k), sum));
    if (n > SUBSYSTEMS_SHOWN)
        ms_json_append(&rows, without_zeros(sum, sum));
    ms_json_set(summary, "work", rows);
    json_decref(sum);
}

json_t *ms_run_summary(const json_t *answer, const ms_arguments *arguments)
{
    static const char *const model[] = {"model", "case", NULL},
                             *const end[] = {"reason",         "message",    "end_time", "macro_steps",
                                             "rejected_steps", "iterations", "sweeps",   "integrations",
                                             "sensitivities",  NULL},
                             *const found[] = {"reference_error",
                                               "reference_known_until",
                                               "coupling_residual",
                                               "spectral_radius",
                                               "energy",
                                               NULL},
                             *const rest[] = {"degraded", "wall_seconds", NULL};
    json_t *summary = json_object();
    copy_all(&summary, answer, model);
    add_settings(&summary, arguments);
    add_scheme(&summary, json_object_get(answer, "scheme"), &arguments->options);
    copy_all(&summary, answer, end);
    add_errors(&summary, answer);
    copy_all(&summary, answer, found);
    add_work(&summary, json_object_get(answer, "work"));
    copy_all(&summary, answer, rest);
    return summary;
}
