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
    return arguments->reference != NULL ? arguments->reference->against : (ms_against){0};
}

json_t *ms_state_errors_json(const ms_state_errors *e, const ms_error_scale *scale, int j)
{
    json_t *object = ms_json_object("max:r rmse:r l2:r end:r", e->max, e->rmse, e->l2, e->end);
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
    return ms_json_object("max:r rmse:r l2_normalized_mean:r end:r over:s compared:i of:i per_state:o", max,
                          rmse, l2, end, of_outputs ? "outputs" : "states", compared, of,
                          of_outputs && errors != NULL ? errors_per_output(system, errors)
                                                       : errors_per_state(system, errors));
}

static json_t *energy_json(const ms_simulation_energy *energy)
{
    if (!energy->known)
        return json_null();
    return ms_json_object("start:r end:r drift:r residual:r", energy->start, energy->end, energy->drift,
                          energy->residual);
}

static json_t *work_json(const ms_system *system, const ms_work *work)
{
    json_t *rows = json_array();
    for (int i = 0; i < ms_system_shown(system); i++) {
        const ms_work w = work != NULL ? work[i] : (ms_work){0};
        ms_json_append(
            &rows,
            ms_json_object(
                "subsystem:s micro_steps:l rhs_evaluations:l jacobian_evaluations:l error_test_failures:l "
                "events:l time_events_announced:l time_events_handled:l switches:l slides:l",
                system->sub[i].name, w.micro_steps, w.rhs_evaluations, w.jacobian_evaluations,
                w.error_test_failures, w.events, w.announced, w.served, w.switches, w.slides));
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
    return ms_json_object(
        "model:s case:s parameters:o scheme:o reason:s message:s end_time:o macro_steps:l "
        "rejected_steps:l iterations:l sweeps:l integrations:l sensitivities:l estimate_defect:o "
        "spectral_radius:r errors:o norm:s error_scale:s error:r reference_error:r "
        "reference_known_until:o coupling_residual:r energy:o work:o degraded:o wall_seconds:o",
        system->model->name, system->case_name, ms_parameters_json(system), ms_options_json(options),
        ms_reason_name(result->reason), result->message[0] != '\0' ? result->message : simulation->note,
        ran ? ms_json_real(result->end_time) : json_null(), result->macro_steps, result->rejected_steps,
        result->iterations, result->sweeps, result->integrations, result->sensitivities,
        ran ? ms_json_real(result->estimate_defect) : json_null(), radius,
        compared ? errors_json(system, errors, simulation->of_outputs) : json_null(),
        ms_option_choice(options, MS_OPTION_NORM), ms_option_choice(options, MS_OPTION_ERROR_SCALE), error,
        reference_error, reached ? ms_json_real(simulation->errors.known_until) : json_null(),
        simulation->coupling_residual, energy_json(&simulation->energy), work_json(system, simulation->work),
        degraded_json(simulation), ran ? ms_json_real(result->wall_seconds) : json_null());
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
