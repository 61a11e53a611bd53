/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_iteration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include "answer.h"
#include "nonlinear.h"

static const double TIGHTEST = 1e-12; /* what Newton's method attains for states of size 1 */
static const double LOOSER = 100.0;   /* factor from one epsilon to the next */
static const double COMPANION = 10.0; /* the factor in epsilon by which the amplification is measured */
enum { COMPANIONS = 3 };              /* number of first runs, the cheapest, in which it is measured */

ms_converge_iteration ms_converge_iteration_of(const ms_options *options)
{
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    const bool given = options->given[MS_OPTION_EPSILON];
    return (ms_converge_iteration){.iterates = ms_scheme_knows(scheme, MS_OPTION_EPSILON),
                                   .chosen = !given,
                                   .epsilon = given ? options->iteration.epsilon : TIGHTEST};
}

/* Has a macro-step been halved? Its length is then not the one studied. */
static bool has_failed(const ms_simulation *simulation)
{
    return simulation->result.reason == MS_REASON_ITERATION_FAILED ||
           (simulation->result.reason == MS_REASON_END_TIME && simulation->result.rejected_steps > 0);
}

int ms_converge_iteration_run(ms_converge_iteration *iteration, const ms_system *system, ms_options options,
                              const ms_simulation_options *request, ms_simulation *simulation,
                              ms_error *error)
{
    const double most = options.iteration.epsilon;
    if (!iteration->iterates)
        return ms_simulation_run(system, &options, request, simulation, error);
    if (!options.given[MS_OPTION_STEP_RULE])
        options.iteration.step_rule = MS_STEP_RULE_FIXED;
    options.iteration.epsilon = iteration->epsilon;
    int status = ms_simulation_run(system, &options, request, simulation, error);
    while (status == MS_OK && has_failed(simulation) && iteration->chosen &&
           options.iteration.epsilon < most) {
        ms_simulation_destroy(simulation);
        options.iteration.epsilon = fmin(LOOSER * options.iteration.epsilon, most);
        status = ms_simulation_run(system, &options, request, simulation, error);
    }
    if (status == MS_OK && simulation->result.reason == MS_REASON_END_TIME && !has_failed(simulation)) {
        if (iteration->chosen) /* shorter steps have better initial guesses */
            iteration->epsilon = fmax(options.iteration.epsilon / LOOSER, TIGHTEST);
        iteration->loosest = fmax(iteration->loosest, options.iteration.epsilon);
    }
    return status;
}

/* The effective epsilon; 0 iterates to 1e-12 of the largest entry. */
static double epsilon_of(const ms_simulation *simulation)
{
    return fmax(simulation->options->iteration.epsilon, 1e-12);
}

/* The factor that converts the error norm to the unit of the states. */
static double unit_of(const ms_simulation *simulation)
{
    const ms_error_norms *errors = &simulation->errors;
    return simulation->options->norm == MS_NORM_L2
               ? errors->reference_scale
               : 1.0 / ms_error_norms_unit(errors, simulation->options->norm);
}

int ms_converge_iteration_measure(ms_converge_iteration *iteration, const ms_simulation *simulation,
                                  const ms_simulation_options *request, ms_error *error)
{
    ms_options options = *simulation->options;
    ms_simulation companion;
    if (!iteration->iterates || !simulation->errors_valid || iteration->companions >= COMPANIONS)
        return MS_OK;
    iteration->companions++;
    options.iteration.epsilon = COMPANION * epsilon_of(simulation);
    MS_TRY(ms_simulation_run(simulation->system, &options, request, &companion, error));
    if (companion.errors_valid) {
        const double moved = fabs(ms_error_norms_of(&companion.errors, options.norm) -
                                  ms_error_norms_of(&simulation->errors, options.norm)) *
                             unit_of(simulation);
        iteration->amplification =
            fmax(iteration->amplification,
                 moved / (options.iteration.epsilon * (1.0 + simulation->errors.reference_scale)));
    }
    int status = companion.result.reason == MS_REASON_INTERRUPTED ? MS_INTERRUPTED : MS_OK;
    ms_simulation_destroy(&companion);
    return status;
}

double ms_converge_iteration_error(const ms_converge_iteration *iteration, const ms_simulation *simulation)
{
    if (!iteration->iterates)
        return 0.0;
    return fmax(1.0, iteration->amplification) * epsilon_of(simulation) *
           (1.0 + simulation->errors.reference_scale);
}

/* Does the run end with that method? */
static int attempt(const ms_converge_iteration *iteration, const ms_simulation *failed, const char *method,
                   const volatile sig_atomic_t *stop, bool *ends, ms_error *error)
{
    const ms_simulation_options request = {.stop = stop};
    ms_converge_iteration other = *iteration;
    ms_options options = *failed->options;
    ms_simulation simulation;
    other.epsilon = iteration->chosen ? TIGHTEST : options.iteration.epsilon;
    MS_TRY(ms_options_set(&options, "solver-nonlinear", method, error));
    MS_TRY(ms_options_set(&options, "backend", "native", error));
    MS_TRY(ms_converge_iteration_run(&other, failed->system, options, &request, &simulation, error));
    *ends = simulation.result.reason == MS_REASON_END_TIME;
    int status = simulation.result.reason == MS_REASON_INTERRUPTED ? MS_INTERRUPTED : MS_OK;
    ms_simulation_destroy(&simulation);
    return status;
}

int ms_converge_iteration_seek(ms_converge_iteration *iteration, const ms_simulation *simulation,
                               const volatile sig_atomic_t *stop, ms_error *error)
{
    const char *own = ms_option_choice(simulation->options, MS_OPTION_SOLVER_NONLINEAR);
    int status = MS_OK;
    bool ends = false;
    if (!iteration->iterates || iteration->sought || simulation->result.reason != MS_REASON_ITERATION_FAILED)
        return MS_OK;
    iteration->sought = true;
    for (const ms_nonlinear_method *const *m = ms_nonlinear_methods; *m != NULL && status == MS_OK && !ends;
         m++) {
        if (strcmp((*m)->backend, "native") != 0 || strcmp((*m)->name, own) == 0)
            continue;
        status = attempt(iteration, simulation, (*m)->name, stop, &ends, error);
        if (status == MS_OK && ends)
            snprintf(iteration->method, sizeof iteration->method, "%s", (*m)->name);
    }
    iteration->step_size = simulation->options->step_size;
    return status;
}

json_t *ms_converge_iteration_json(const ms_converge_iteration *iteration)
{
    if (!iteration->iterates)
        return json_null();
    return ms_json_object(
        "epsilon:o chosen:b amplification:o",
        iteration->loosest > 0.0 || !iteration->chosen ? json_real(iteration->loosest) : json_null(),
        iteration->chosen, iteration->companions > 0 ? ms_json_real(iteration->amplification) : json_null());
}
