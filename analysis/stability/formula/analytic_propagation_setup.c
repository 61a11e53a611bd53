/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_setup.c - the formula before its first evaluation: what it models, coordinates of the memory,
 * (I - D L)^-1, allocation. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "analytic_propagation_parts.h"
#include "matrix.h"

/* What is modelled ------------------------------------------------------------------------------------ */

/* What no formula depends on: how a run starts; and of micro-solvers, some of which a formula knows, how they take jumps (only
 * multistep ones look at that), how many steps they take, what is masked. */
#define OF_STARTS                                                                                            \
    {"start", NULL},                                                                                         \
    {                                                                                                        \
        "initial-inputs", NULL                                                                               \
    }
#define OF_SOLVERS(known)                                                                                    \
    {"solver", known}, {"input-change", NULL}, {"micro-steps", NULL},                                        \
    {                                                                                                        \
        "mask", NULL                                                                                         \
    }

/* Equal steps after the start: how that was made does not matter. Neither do capabilities: a variant has them
 * or does not exist. */
const ms_modelled ms_analytic_propagation_explicit_models[] = {
    {"scheme", NULL}, /* by their form, as micro-solvers */
    {"extrapolation-order", "0 1 2"},
    {"derivatives", "differences analytic"},
    {"outputs", "inconsistent consistent corrected"},
    {"smooth-coupling", "none c0 c1"},
    {"sequence", NULL},
    {"as-printed", "quadratic smoothing"},
    {"balance-error", "raw used"},
    {"balance-hat", "box triangle smooth"},
    {"balance-steps", NULL},
    {"alpha", MS_MODELLED_CHECKED},
    {"balance-integral", "trapezoid exact"},
    {"wires", NULL},
    {"at-events", "keep drop"}, /* linear systems have none */
    OF_STARTS,
    {"output-derivatives", "exact differences"},
    OF_SOLVERS(NULL),
    {NULL, NULL}};

const ms_modelled ms_analytic_propagation_split_models[] = {{"scheme", NULL}, {"sequence", NULL},
                                                            OF_STARTS,        {"output-derivatives", NULL},
                                                            OF_SOLVERS(NULL), {NULL, NULL}};

/* A macro-step that has converged does not know by which method. */
const ms_modelled ms_analytic_propagation_iterated_models[] = {{"scheme", NULL},
                                                               {"rollback", MS_MODELLED_CHECKED},
                                                               {"input-degree", "0 1 2 3"},
                                                               {"sensitivities", MS_MODELLED_CHECKED},
                                                               {"update", NULL},
                                                               {"solver-nonlinear", NULL},
                                                               {"backend", NULL},
                                                               {"sweep", NULL},
                                                               {"sequence", NULL},
                                                               OF_STARTS,
                                                               {"output-derivatives", "exact differences"},
                                                               OF_SOLVERS(NULL),
                                                               {NULL, NULL}};

static const ms_modelled multirate_models[] = {{"scheme", NULL},
                                               {"extrapolation-order", "0 1 2"},
                                               {"substeps", NULL},
                                               {"first", "parallel slow fast"},
                                               {"points", "micro macro common"},
                                               OF_STARTS,
                                               {"output-derivatives", NULL},
                                               OF_SOLVERS(NULL),
                                               {NULL, NULL}};

/* The delay is the macro-step, or there is no formula. */
static const ms_modelled delayed_models[] = {{"scheme", NULL},
                                             {"impedance", MS_MODELLED_CHECKED},
                                             {"wave-damping", MS_MODELLED_CHECKED},
                                             {"wave-start", NULL},
                                             {"solver-nonlinear", NULL},
                                             {"backend", NULL},
                                             OF_STARTS,
                                             {"output-derivatives", NULL},
                                             OF_SOLVERS(NULL),
                                             {NULL, NULL}};

static const ms_modelled sampled_models[] = {{"scheme", NULL},
                                             {"samples", NULL},
                                             {"spline-degree", "0 1 2 3"},
                                             {"sweep", NULL},
                                             {"sequence", NULL},
                                             {"solver-nonlinear", NULL},
                                             {"backend", NULL},
                                             OF_STARTS,
                                             {"output-derivatives", NULL},
                                             OF_SOLVERS(MS_MODELLED_CHECKED),
                                             {NULL, NULL}};

/* Memory: states, order + 1 values or derivatives, what smoothing remembers for each kind, raw outputs,
 * errors of balances. */
static void set_columns(ms_analytic_propagation *f)
{
    const int ny = f->system->ny;
    int at = f->system->nx;
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
            f->column[kind][s] = -1;
    for (int s = 0; s <= f->order; s++, at += ny)
        f->column[PAST][s] = f->column[NEWEST][s] = at;
    for (int kind = 0; kind < (f->gauss_seidel ? KINDS : 1); kind++)
        for (int s = LEFT; s < LEFT + f->smoothing; s++, at += ny)
            f->column[kind][s] = at;
    f->raw_column = f->remembers_raw ? at : -1;
    at += f->remembers_raw ? ny : 0;
    f->error_column = f->balance ? at : -1;
    f->n = at + f->errors * ny;
}

/* Creation -------------------------------------------------------------------------------------------- */

/* (I - D L)^-1. */
static int invert_loop(ms_analytic_propagation *f, ms_error *error)
{
    const ms_system *s = f->system;
    const int ny = s->ny;
    double *M = f->solved; /* ny x n with n >= ny */
    memset(M, 0, sizeof(double) * (size_t)ny * (size_t)ny);
    for (int i = 0; i < s->n; i++)
        ms_system_add_feed_through(s, i, -1.0, s->blocks[i].D, s->sub[i].nu, NULL, ny, M);
    for (int j = 0; j < ny; j++)
        propagation_row(M, j, ny)[j] += 1.0;
    if (ms_matrix_factor(ny, M, f->pivots) != MS_OK)
        return ms_fail(
            error, MS_NO_SOLUTION,
            "det(I - D L) = 0: the algebraic loop of %s has no unique solution; change the feed-through or "
            "the wires so that I - D L is regular",
            s->model->name);
    double *column = f->raw;
    for (int j = 0; j < ny; j++) {
        memset(column, 0, sizeof(double) * (size_t)ny);
        column[j] = 1.0;
        ms_matrix_solve(ny, M, f->pivots, column);
        for (int i = 0; i < ny; i++)
            propagation_row(f->R, i, ny)[j] = column[i];
    }
    return MS_OK;
}

int ms_analytic_propagation_bind(ms_analytic_propagation *f, const ms_system *system, ms_error *error)
{
    const ms_system *was = f->system;
    bool same = system->linear && system->n == was->n;
    for (int i = 0; i < was->n && same; i++)
        same = system->sub[i].nx == was->sub[i].nx && system->sub[i].nu == was->sub[i].nu &&
               system->sub[i].ny == was->sub[i].ny;
    if (!same)
        return ms_fail(error, MS_INVALID, "the formula was made for another shape of model %s",
                       system->model->name);
    f->system = system;
    return invert_loop(f, error);
}

/* The order in which Gauss-Seidel takes subsystems. */
static int set_sequence(ms_analytic_propagation *f, const ms_options *options, ms_error *error)
{
    const ms_system *s = f->system;
    const int status = ms_variant_sequence(s, options, f->sequence, f->rank, error);
    f->twice = status == MS_OK && f->split ? ms_analytic_propagation_split_twice(f) : 0;
    return status;
}

static bool has_formula(const ms_scheme *scheme)
{
    return scheme->form != MS_FORM_OTHER;
}

static bool has_known_steps(const ms_solver *solver)
{
    return solver->form != MS_STEPS_OTHER;
}

/* How subsystems are solved, as step_map.h counts it. */
static const ms_runge_kutta *method_of(const ms_solver *solver)
{
    return solver != NULL ? solver->method : NULL;
}

/* The variant of the options, or a refusal if there is no formula for it. */
static int choose_variant(const ms_options *options, ms_variant *variant, ms_error *error)
{
    static const char *const what = "the formula of the propagation matrix";
    const ms_modelled *models = ms_analytic_propagation_explicit_models;
    if (ms_variant_of_options(options, variant, error) != MS_OK)
        return MS_UNSUPPORTED;
    char names[256];
    if (!has_formula(variant->scheme))
        return ms_fail(error, MS_UNSUPPORTED, "`scheme` %s: %s knows %s here", variant->scheme->name, what,
                       ms_scheme_names(has_formula, names, sizeof names));
    if (variant->solver != NULL && !has_known_steps(variant->solver))
        return ms_fail(error, MS_UNSUPPORTED, "`solver` %s: %s knows %s here", variant->solver->name, what,
                       ms_solver_names(has_known_steps, names, sizeof names));
    if (variant->scheme->form == MS_FORM_CONVERGED)
        models = ms_analytic_propagation_iterated_models;
    if (variant->scheme->form == MS_FORM_SPLIT)
        models = ms_analytic_propagation_split_models;
    if (variant->scheme->form == MS_FORM_SAMPLED)
        models = sampled_models;
    if (variant->scheme->form == MS_FORM_MULTIRATE)
        models = multirate_models;
    if (variant->scheme->form == MS_FORM_DELAYED || variant->scheme->form == MS_FORM_IMPEDANCE)
        models = delayed_models;
    if (variant->scheme->form == MS_FORM_SAMPLED && variant->solver != NULL &&
        variant->solver->form != MS_STEPS_EXACT)
        return ms_fail(error, MS_UNSUPPORTED, "`solver` %s: %s covers only exact for scheme %s",
                       variant->solver->name, what, variant->scheme->name);
    if (variant->scheme->through_past && !variant->scheme->retries &&
        variant->iteration.sensitivities != MS_SENSITIVITY_EXACT)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "`sensitivities`: %s covers only exact ones for scheme %s, as if its macro-step had converged",
            what, variant->scheme->name);
    const bool estimated = variant->scheme->at_once || variant->iteration.rollback == MS_ROLLBACK_ESTIMATED;
    if (estimated && method_of(variant->solver) != NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`solver` %s: %s covers estimates only if subsystems are solved exactly",
                       variant->solver->name, what);
    return ms_modelled_check(models, options, what, error);
}

static void set_scheme(ms_analytic_propagation *f, const ms_variant *v)
{
    f->method = method_of(v->solver);
    f->micro_steps = v->micro.micro_steps;
    if (f->iterated != NULL || f->sampled != NULL || f->multirate != NULL || f->common != NULL ||
        f->delayed != NULL)
        return;
    f->split = v->scheme->form == MS_FORM_SPLIT;
    f->gauss_seidel = v->scheme->sequential && !f->split;
    f->balance = v->scheme->integrals;
    f->trapezoid = f->balance && !v->integrals;
    f->alpha = v->balance.alpha;
    f->order = v->extrapolation.order;
    f->smoothing = v->extrapolation.smooth_coupling;
    f->outputs = v->extrapolation.outputs;
    const bool analytic = v->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC;
    f->analytic = analytic && f->order > 0;
    f->remembers_raw = analytic && v->initial.output_derivatives == MS_YDOT_DIFFERENCES;
    f->differences = f->remembers_raw;
    f->printed_quadratic = (v->extrapolation.as_printed & MS_PRINTED_QUADRATIC) != 0;
    f->printed_smoothing = (v->extrapolation.as_printed & MS_PRINTED_SMOOTHING) != 0 &&
                           f->smoothing == MS_SMOOTHING_C0 && f->outputs == MS_OUTPUTS_INCONSISTENT;
    f->plain_limit = !f->gauss_seidel && !f->balance && f->analytic && !f->differences &&
                     f->smoothing == MS_SMOOTHING_NONE;
    f->errors = f->balance ? v->balance.steps : 0;
    f->pieces = f->balance && v->balance.hat == MS_HAT_TRIANGLE ? 2 : 1;
    set_columns(f);
    ms_analytic_propagation_set_weights(f, v);
    ms_analytic_propagation_set_end(f, 1.0);
}

static int allocate(ms_analytic_propagation *f)
{
    const ms_system *s = f->system;
    size_t nx = 0, nu = 0, work = 0;
    for (int i = 0; i < s->n; i++) {
        const size_t size = ms_step_map_work(s->sub[i].nx, s->sub[i].nu);
        work = size > work ? size : work;
        nx = (size_t)s->sub[i].nx > nx ? (size_t)s->sub[i].nx : nx;
        nu = (size_t)s->sub[i].nu > nu ? (size_t)s->sub[i].nu : nu;
    }
    const size_t n = (size_t)f->n, ny = (size_t)s->ny, map = nx * nx + COEFFICIENTS * nx * nu;
    const size_t coefficients = (size_t)(f->pieces * (f->degree + 1)) * nu, pieces = (size_t)f->pieces;
    const size_t next = f->split ? nx * n : 0;
    const size_t means = f->balance ? map + ((pieces + 1) * nx + nu) * n : 0;
    const size_t inputs = (coefficients + 3 * nu) * n;
    const size_t outputs = (f->analytic ? 4U : 2U) * ny * n, states = f->analytic ? 2 * (size_t)s->nx * n : 0;
    f->R = ms_structure_alloc(&f->owned, ny * ny + map + work + inputs + outputs + states + means + next,
                              sizeof *f->R);
    f->sequence = ms_structure_alloc(&f->owned, 2 * (size_t)s->n + ny, sizeof *f->sequence);
    f->held = ms_structure_alloc(&f->owned, (size_t)s->nu, sizeof *f->held);
    MS_TRY_MEMORY(f->R != NULL && f->sequence != NULL && f->held != NULL);
    f->rank = f->sequence + s->n;
    f->pivots = f->rank + s->n;
    f->E = f->R + ny * ny;
    f->G = f->E + nx * nx;
    f->map_work = f->G + COEFFICIENTS * nx * nu;
    f->c = f->map_work + work;
    for (size_t k = 0; k < 3; k++)
        f->u[k] = f->c + (coefficients + k * nu) * n;
    f->raw = f->c + inputs;
    f->solved = f->raw + ny * n;
    f->dy = f->analytic ? f->solved + ny * n : NULL;
    f->ddy = f->analytic ? f->dy + ny * n : NULL;
    f->dx = f->analytic ? f->ddy + ny * n : NULL;
    f->next = f->solved + (outputs - ny * n) + states + means;
    if (f->balance) {
        f->S = f->solved + (outputs - ny * n) + states;
        f->T = f->S + nx * nx;
        f->x_start = f->T + COEFFICIENTS * nx * nu;
        f->x_mean = f->x_start + pieces * nx * n;
        f->u_mean = f->x_mean + nx * n;
    }
    return MS_OK;
}

int ms_analytic_propagation_create(const ms_system *system, const ms_options *options,
                                   ms_analytic_propagation **out, ms_error *error)
{
    ms_analytic_propagation *f = calloc(1, sizeof *f);
    *out = f;
    ms_variant variant;
    int status = f != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK && !system->linear)
        status = ms_fail(error, MS_UNSUPPORTED, "model %s is nonlinear: it has no propagation matrix",
                         system->model->name);
    if (status == MS_OK && ms_system_own_stepper(system) != NULL)
        status = ms_system_needs_equations(system, "a formula of the propagation matrix", error);
    if (status == MS_OK && options->control.error_controlled != MS_CONTROL_NONE)
        status = ms_fail(error, MS_UNSUPPORTED,
                         "`error-controlled`: the steps vary, so there is no propagation matrix");
    MS_THEN(status, choose_variant(options, &variant, error));
    if (status == MS_OK) {
        f->system = system;
        f->pieces = 1;
        status = ms_analytic_propagation_iterated_create(f, &variant);
        MS_THEN(status, ms_analytic_propagation_sampled_create(f, &variant, options, error));
        MS_THEN(status, ms_analytic_propagation_multirate_create(f, &variant, options, error));
        MS_THEN(status, ms_analytic_propagation_common_create(f, &variant, options, error));
        MS_THEN(status, ms_analytic_propagation_delayed_create(f, &variant, error));
    }
    if (status == MS_OK)
        set_scheme(f, &variant);
    MS_THEN(status, allocate(f));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the propagation matrix of model %s",
                system->model->name);
    MS_THEN(status, set_sequence(f, options, error));
    MS_THEN(status, ms_variant_inputs(system, options, f->held, error));
    if (status == MS_OK)
        ms_analytic_propagation_multirate_arrange(f, &variant);
    MS_THEN(status, invert_loop(f, error));
    if (status != MS_OK)
        ms_analytic_propagation_destroy(out);
    return status;
}

void ms_analytic_propagation_destroy(ms_analytic_propagation **out)
{
    if (*out == NULL)
        return;
    ms_structure_free(&(*out)->owned);
    free(*out);
    *out = NULL;
}

int ms_analytic_propagation_dimension(const ms_analytic_propagation *f)
{
    return f->n;
}
