/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrate_answer.h"

#include <math.h>
#include <stdio.h>

#include <macrostep/cosim.h>
#include <macrostep/solver_registry.h>
#include "answer.h"
#include "provenance.h"

json_t *ms_integrate_solver_json(const ms_options *o)
{
    const ms_solver *solver = ms_solver_find(o->solver);
    const bool adaptive = solver != NULL && solver->adaptive, fixed = solver != NULL && solver->order > 0;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", o->solver, "rtol",
                     adaptive ? ms_json_real(o->solver_rtol) : json_null(), "atol",
                     adaptive ? ms_json_real(o->solver_atol) : json_null(), "step_size",
                     fixed ? ms_json_real(o->step_size) : json_null(), "start_time",
                     ms_json_real(o->start_time), "stop_time", ms_json_real(o->stop_time));
}

/* Errors ------------------------------------------------------------------------------------------------- */

static json_t *error_json(double max, double rmse, double end)
{
    return json_pack("{s:o, s:o, s:o}", "max", ms_json_real(max), "rmse", ms_json_real(rmse), "end",
                     ms_json_real(end));
}

static json_t *errors_json(const ms_system *s, const ms_options *options, const ms_integration *run)
{
    if (options->errors == MS_AGAINST_NONE)
        return json_null();
    const bool valid = run->errors_valid;
    json_t *all = valid ? error_json(run->max, run->rmse, run->end) : error_json(NAN, NAN, NAN);
    json_t *states = json_object();
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].nx; j++) {
            const ms_integration_error none = {NAN, NAN, NAN};
            const ms_integration_error e = valid ? run->error[s->x_at[i] + j] : none;
            json_t *object = error_json(e.max, e.rmse, e.end);
            if (valid && run->scale.by != MS_SCALE_NONE)
                ms_json_set(&object, "scale", ms_json_real(run->scale.of[s->x_at[i] + j]));
            ms_json_set_as(&states, object, "%s.%s", s->sub[i].name, s->sub[i].x[j].name);
        }
    ms_json_set(&all, "per_state", states);
    return all;
}

static double reference_error_of(const ms_integration *run)
{
    return run->errors_valid ? run->reference_error * ms_error_scale_unit(&run->scale) : NAN;
}

static json_t *energy_json(const ms_integration *run)
{
    if (!run->energy_known)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "start", ms_json_real(run->energy_start), "end",
                     ms_json_real(run->energy_end), "drift", ms_json_real(run->energy_drift));
}

/* Events ------------------------------------------------------------------------------------------------- */

/* "state", "time+step", .. */
static json_t *kind_json(const double *row)
{
    static const char *const names[] = {"state", "time", "step"};
    char text[32] = "";
    size_t length = 0;
    for (int k = 0; k < MS_COUNT(names); k++)
        if (row[1 + k] != 0.0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? "+" : "",
                                       names[k]);
    return json_string(text);
}

/* The indicators that changed their signs, from 1, negative where they fell. */
static json_t *crossed_json(const ms_integration *run, const double *row)
{
    json_t *crossed = json_array();
    for (int k = 0; k < run->n_indicators; k++)
        if (row[4 + k] != 0.0)
            ms_json_append(&crossed, json_integer(row[4 + k] > 0.0 ? k + 1 : -(k + 1)));
    return crossed;
}

static json_t *event_list(const ms_integration *run)
{
    json_t *list = json_array();
    for (long n = 0; n < run->events.rows; n++) {
        const double *row = ms_run_series_row(&run->events, n);
        ms_json_append(&list, json_pack("{s:o, s:o, s:o}", "time", ms_json_real(row[0]), "kind",
                                        kind_json(row), "indicators", crossed_json(run, row)));
    }
    return list;
}

static json_t *events_json(const ms_integration *run, bool list)
{
    json_t *events =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "total", (json_int_t)run->events.rows, "state",
                  (json_int_t)run->state_events, "time", (json_int_t)run->time_events, "step",
                  (json_int_t)run->step_events, "announced", (json_int_t)run->work.announced, "switches",
                  (json_int_t)run->work.switches, "slides", (json_int_t)run->work.slides);
    if (list)
        ms_json_set(&events, "list", event_list(run));
    return events;
}

/* Answers ------------------------------------------------------------------------------------------------ */

json_t *ms_integrate_answer(const ms_integration *run, bool list)
{
    const ms_system *s = run->system;
    const ms_options *options = &run->options;
    const ms_work *work = &run->work;
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:s, s:o, "
        "s:o, s:o, s:o}",
        "model", s->model->name, "case", s->case_name, "parameters", ms_parameters_json(s), "solver",
        ms_integrate_solver_json(options), "reason", ms_reason_name(run->reason), "message",
        ms_json_text(run->message), "end_time", ms_json_real(run->end_time), "output_points",
        run->reason != MS_REASON_INCOMPATIBLE ? json_integer(run->output_points) : json_null(), "micro_steps",
        (json_int_t)work->micro_steps, "rhs_evaluations", (json_int_t)work->rhs_evaluations,
        "jacobian_evaluations", (json_int_t)work->jacobian_evaluations, "error_test_failures",
        (json_int_t)work->error_test_failures, "output_evaluations", (json_int_t)run->output_evaluations,
        "step_sizes",
        json_pack("{s:o, s:o}", "smallest", ms_json_real(run->smallest_step), "largest",
                  ms_json_real(run->largest_step)),
        "orders", json_pack("{s:i, s:i}", "lowest", run->lowest_order, "highest", run->highest_order),
        "events", events_json(run, list), "errors", errors_json(s, options, run), "error_scale",
        ms_option_choice(options, MS_OPTION_ERROR_SCALE), "reference_error",
        ms_json_real(reference_error_of(run)), "reference_known_until", ms_json_real(run->known_until),
        "energy", energy_json(run), "wall_seconds", ms_json_real(run->wall_seconds));
}

json_t *ms_integrate_answer_incompatible(const ms_system *system, const ms_options *options, const char *why)
{
    ms_integration none = {.system = system,
                           .options = *options,
                           .reason = MS_REASON_INCOMPATIBLE,
                           .end_time = NAN,
                           .smallest_step = NAN,
                           .largest_step = NAN,
                           .known_until = NAN,
                           .wall_seconds = NAN};
    ms_cosim_resolve(system, NULL, &none.options);
    snprintf(none.message, sizeof none.message, "%s", why);
    return ms_integrate_answer(&none, false);
}
