/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_answer.h"

#include <errno.h>
#include <math.h>

#include <macrostep/cosim.h>
#include <macrostep/options.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include "answer.h"
#include "provenance.h"

/* Up to this dimension of the propagation matrix a run's answer gives its spectral radius. */
enum { RADIUS_DIMENSION = 200 };

ms_against ms_run_against(const ms_arguments *arguments)
{
    return (ms_against){.name = arguments->text[MS_ARGUMENT_REFERENCE],
                        .model = arguments->reference_model,
                        .series = arguments->reference_series,
                        .finer = arguments->reference_finer};
}

json_t *ms_state_errors_json(const ms_state_errors *e, const ms_error_scale *scale, int j)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o}", "max", ms_json_real(e->max), "rmse",
                               ms_json_real(e->rmse), "l2", ms_json_real(e->l2), "end", ms_json_real(e->end));
    if (scale != NULL && scale->by != MS_SCALE_NONE)
        ms_json_set(&object, "scale", ms_json_real(scale->of[j]));
    return object;
}

/* "SUB.y.OUTPUT" -> its errors, where no states could be compared. */
static json_t *errors_per_output(const ms_system *system, const ms_error_norms *errors)
{
    json_t *object = json_object();
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].ny; j++) {
            const int at = system->y_at[i] + j;
            ms_json_set_as(&object, ms_state_errors_json(&errors->state[at], &errors->scale, at), "%s.y.%s",
                           system->sub[i].name, system->sub[i].y[j].name);
        }
    return object;
}

/* "SUB.STATE" -> its errors. errors == NULL: all of them null. */
static json_t *errors_per_state(const ms_system *system, const ms_error_norms *errors)
{
    static const ms_state_errors none = {NAN, NAN, NAN, NAN};
    json_t *object = json_object();
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].nx; j++) {
            const int at = system->x_at[i] + j;
            const ms_state_errors *e = errors != NULL ? &errors->state[at] : &none;
            ms_json_set_as(&object, ms_state_errors_json(e, errors != NULL ? &errors->scale : NULL, at),
                           "%s.%s", system->sub[i].name, system->sub[i].x[j].name);
        }
    return object;
}

static json_t *errors_json(const ms_system *system, const ms_error_norms *errors, bool of_outputs)
{
    const double max = errors != NULL ? errors->max : NAN, rmse = errors != NULL ? errors->rmse : NAN;
    const double l2 = errors != NULL ? errors->l2_normalized_mean : NAN,
                 end = errors != NULL ? errors->end : NAN;
    const int compared = errors != NULL ? errors->compared : 0, of = errors != NULL ? errors->nx : system->nx;
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:i, s:i, s:o}", "max", ms_json_real(max), "rmse",
                     ms_json_real(rmse), "l2_normalized_mean", ms_json_real(l2), "end", ms_json_real(end),
                     "over", of_outputs ? "outputs" : "states", "compared", compared, "of", of, "per_state",
                     of_outputs && errors != NULL ? errors_per_output(system, errors)
                                                  : errors_per_state(system, errors));
}

static json_t *energy_json(const ms_simulation_energy *energy)
{
    if (!energy->known)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "start", ms_json_real(energy->start), "end",
                     ms_json_real(energy->end), "drift", ms_json_real(energy->drift), "residual",
                     ms_json_real(energy->residual));
}

static json_t *work_json(const ms_system *system, const ms_work *work)
{
    json_t *rows = json_array();
    for (int i = 0; i < ms_system_shown(system); i++) {
        const ms_work w = work != NULL ? work[i] : (ms_work){0};
        ms_json_append(&rows, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "subsystem",
                                        system->sub[i].name, "micro_steps", (json_int_t)w.micro_steps,
                                        "rhs_evaluations", (json_int_t)w.rhs_evaluations,
                                        "jacobian_evaluations", (json_int_t)w.jacobian_evaluations,
                                        "error_test_failures", (json_int_t)w.error_test_failures, "events",
                                        (json_int_t)w.events, "time_events_announced",
                                        (json_int_t)w.announced, "time_events_handled", (json_int_t)w.served,
                                        "switches", (json_int_t)w.switches, "slides", (json_int_t)w.slides));
    }
    return rows;
}

static json_t *degraded_json(const ms_simulation *simulation)
{
    json_t *lines = json_array();
    for (int k = 0; k < simulation->n_degraded; k++)
        ms_json_append(&lines, json_string(simulation->degraded[k]));
    return lines;
}

json_t *ms_run_answer(const ms_simulation *simulation)
{
    const ms_system *system = simulation->system;
    const ms_options *options = simulation->options;
    const ms_run_result *result = &simulation->result;
    const ms_error_norms *errors = simulation->errors_valid ? &simulation->errors : NULL;
    const bool compared = options->errors == MS_AGAINST_REFERENCE && !simulation->without_reference;
    const double error = errors != NULL ? ms_error_norms_of(errors, options->norm) : NAN;
    const bool scaled = errors != NULL && options->error_scale != MS_SCALE_NONE;
    const double reference_error =
        scaled ? simulation->errors.reference_error * ms_error_scale_unit(&errors->scale)
        : simulation->errors.reference != NULL || errors != NULL ? simulation->errors.reference_error
                                                                 : NAN;
    const bool reached = result->reason == MS_REASON_END_TIME && !isnan(reference_error);
    const bool ran = result->reason != MS_REASON_INCOMPATIBLE;
    const double radius =
        ran ? ms_propagation_radius(system, options, options->step_size, RADIUS_DIMENSION) : NAN;
    if (ran && isnan(radius) && errno == ENOMEM)
        return NULL;
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:s, s:s, s:o, "
        "s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o}",
        "model", system->model->name, "case", system->case_name, "parameters", ms_parameters_json(system),
        "scheme", ms_options_json(options), "reason", ms_reason_name(result->reason), "message",
        ms_json_text(result->message[0] != '\0' ? result->message : simulation->note), "end_time",
        ran ? ms_json_real(result->end_time) : json_null(), "macro_steps", (json_int_t)result->macro_steps,
        "rejected_steps", (json_int_t)result->rejected_steps, "iterations", (json_int_t)result->iterations,
        "sweeps", (json_int_t)result->sweeps, "integrations", (json_int_t)result->integrations,
        "sensitivities", (json_int_t)result->sensitivities, "estimate_defect",
        ran ? ms_json_real(result->estimate_defect) : json_null(), "spectral_radius", ms_json_real(radius),
        "errors", compared ? errors_json(system, errors, simulation->of_outputs) : json_null(), "norm",
        ms_option_choice(options, MS_OPTION_NORM), "error_scale",
        ms_option_choice(options, MS_OPTION_ERROR_SCALE), "error", ms_json_real(error), "reference_error",
        ms_json_real(reference_error), "reference_known_until",
        reached ? ms_json_real(simulation->errors.known_until) : json_null(), "coupling_residual",
        ms_json_real(simulation->coupling_residual), "energy", energy_json(&simulation->energy), "work",
        work_json(system, simulation->work), "degraded", degraded_json(simulation), "wall_seconds",
        ran ? ms_json_real(result->wall_seconds) : json_null());
}

json_t *ms_run_answer_incompatible(const ms_system *system, const ms_options *options, const char *why)
{
    ms_options resolved = *options;
    ms_simulation none = {.system = system,
                          .options = &resolved,
                          .result = {.reason = MS_REASON_INCOMPATIBLE},
                          .coupling_residual = NAN};
    ms_cosim_resolve(system, ms_scheme_find(resolved.scheme), &resolved);
    snprintf(none.result.message, sizeof none.result.message, "%s", why);
    return ms_run_answer(&none);
}
