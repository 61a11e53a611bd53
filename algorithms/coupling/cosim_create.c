/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_create.c - creates a co-simulation: resolved options, masked capabilities, memory, subsystems,
 * scheme, and executor. */
#include <macrostep/cosim_create.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/options.h>
#include <macrostep/solver_registry.h>
#include "control_options.h"
#include "cosim_capabilities.h"
#include "cosim_steppers.h"
#include "equal_rows.h"
#include "inner_outputs.h"
#include "loop.h"
#include "nearest.h"
#include "spline.h"
#include "structure.h"

/* The option that was given and that the scheme does not know. */
static int check_known(const ms_scheme *scheme, const ms_options *options, ms_error *error)
{
    for (int k = 0; ms_option_table[k].name != NULL; k++) {
        if (!options->given[k] || ms_scheme_knows(scheme, k))
            continue;
        char known[sizeof error->text - 96] = ""; /* the words around it take less than 96 */
        for (const ms_option_id *own = scheme->knows; *own != MS_OPTIONS; own++) {
            const size_t length = strlen(known);
            snprintf(known + length, sizeof known - length, " `%s`", ms_option_table[*own].name);
        }
        return ms_fail(error, MS_INVALID, "`%s`: scheme %s does not have this option; it has%s",
                       ms_option_table[k].name, scheme->name, known[0] == '\0' ? " none of its own" : known);
    }
    return MS_OK;
}

/* Options that say nothing without another one. */
static int check_together(const ms_scheme *scheme, const ms_options *o, ms_error *error)
{
    if (ms_option_asked(o, MS_OPTION_PASSIVITY_LIMIT) && o->balance.passivity == 0)
        return ms_fail(error, MS_INVALID, "`passivity-limit`: requires `passivity` on");
    return ms_control_options_check(scheme, o, error);
}

/* A time [s] whose round-off is still a normal number, and so is its inverse. */
static const double shortest = DBL_MIN / DBL_EPSILON;

static int check_times(const ms_options *o, ms_error *error)
{
    if (!isfinite(o->start_time) || !isfinite(o->stop_time) || o->stop_time <= o->start_time)
        return ms_fail(error, MS_INVALID, "`stop-time` %g: must be finite and greater than the start time %g",
                       o->stop_time, o->start_time);
    const double length = o->stop_time - o->start_time;
    if (o->step_size > length * (1.0 + 1e-12) && !ms_option_asked(o, MS_OPTION_STEP_SIZE))
        return ms_fail(error, MS_INVALID,
                       "the step size of this model is %g s, and the run is %g s long; set `stop-time` to a "
                       "multiple of it, or another `step-size`",
                       o->step_size, length);
    if (!(o->step_size > 0.0) || o->step_size > length * (1.0 + 1e-12))
        return ms_fail(error, MS_INVALID,
                       "`step-size` %g: must be greater than 0 and at most %g, the length of the run",
                       o->step_size, length);
    if (o->step_size < shortest)
        return ms_fail(error, MS_INVALID,
                       "`step-size` %g: must be at least %.1e, below which doubles lose digits", o->step_size,
                       shortest);
    if (length / o->step_size > 1e15 || o->start_time + o->step_size == o->start_time)
        return ms_fail(error, MS_INVALID, "`step-size` %g: too small to advance the time from %g to %g",
                       o->step_size, o->start_time, o->stop_time);
    return MS_OK;
}

/* Fills defaults of the scheme and step control in given times, and checks them. */
static int resolve_options(const ms_scheme *scheme, ms_options *o, ms_error *error)
{
    const ms_control_options *control = ms_control_options_of((ms_error_control)o->control.error_controlled);
    MS_TRY(check_known(scheme, o, error));
    MS_TRY(check_together(scheme, o, error));
    MS_TRY(check_times(o, error));
    if (control->defaults != NULL)
        control->defaults(o);
    if (o->control.min_step > o->control.max_step)
        return ms_fail(error, MS_INVALID, "`min-step` %g: must be at most the largest step %g",
                       o->control.min_step, o->control.max_step);
    if (scheme->defaults != NULL)
        scheme->defaults(o);
    return MS_OK;
}

/* Fills defaults that need the system, and checks them. */
static int resolve(ms_cosim *cosim, ms_error *error)
{
    ms_options *o = cosim->options;
    const ms_system *system = cosim->system;
    ms_cosim_resolve(system, cosim->scheme, o);
    MS_TRY(resolve_options(cosim->scheme, o, error));
    MS_TRY(ms_solver_choice_create(system, o, &cosim->choice, error));
    cosim->solver = cosim->choice.all;
    const ms_solver *linear =
        cosim->scheme->laws ? ms_solver_choice_linear_only(&cosim->choice, system) : NULL;
    if (linear != NULL)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "`%s` %s: the inputs of scheme %s are not polynomials, so that every subsystem is nonlinear; %s "
            "or another solver fits",
            strcmp(linear->name, o->solver) == 0 ? "solver" : "solver-of", linear->name, o->scheme,
            ms_cosim_default_solver(system, cosim->scheme));
    ms_variant_set(&cosim->variant, cosim->scheme, cosim->solver, o);
    return ms_system_check_inputs(system, o->start_time, o->stop_time, error);
}

/* Capability masks --------------------------------------------------------------------------------------- */

static const char *const capabilities[] = {
    "rollback", "directional-derivatives", "reevaluate-outputs", "input-degree", "output-derivatives", "step",
    NULL};

static int mask_value(const char *mask, const char *text, double low, double high, bool whole, double *value,
                      ms_error *error)
{
    if (text == NULL || !ms_option_number(text, value) || *value < low || *value > high ||
        (whole && *value != floor(*value)))
        return ms_fail(error, MS_INVALID, "`mask` %s: needs =VALUE, %s in [%g, %g]", mask,
                       whole ? "a whole number" : "a number", low, high);
    return MS_OK;
}

/* Takes one capability from one subsystem. */
static int mask_one(const char *mask, const char *name, const char *text, ms_capabilities *can,
                    ms_error *error)
{
    double value = 0.0;
    int status = MS_OK, k = 0;
    while (capabilities[k] != NULL && strcmp(capabilities[k], name) != 0)
        k++;
    switch (k) {
    case 0:
        can->rollback = false;
        break;
    case 1:
        can->directional_derivatives = false;
        break;
    case 2:
        can->reevaluate_outputs = false;
        break;
    case 3:
        status = mask_value(mask, text, 0, MS_INPUT_DEGREE, true, &value, error);
        if (status == MS_OK && (int)value < can->input_degree)
            can->input_degree = (int)value;
        return status;
    case 4:
        status = mask_value(mask, text, 0, 2, true, &value, error);
        if (status == MS_OK && (int)value < can->output_derivatives)
            can->output_derivatives = (int)value;
        return status;
    case 5:
        status = mask_value(mask, text, 1e-300, 1e300, false, &value, error);
        if (status == MS_OK && can->step != 0.0 && can->step != value)
            return ms_fail(error, MS_INVALID,
                           "`mask` %s: the model imposes a step of %g s there; masks only remove", mask,
                           can->step);
        can->step = value;
        return status;
    default:
        return ms_fail(error, MS_INVALID, "`mask` %s: unknown capability; the nearest is %s", mask,
                       ms_nearest(name, capabilities, k));
    }
    if (text != NULL)
        return ms_fail(error, MS_INVALID, "`mask` %s: %s takes no value", mask, name);
    return MS_OK;
}

static int apply_mask(ms_cosim *cosim, const char *mask, ms_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%s", mask);
    char *capability = strchr(name, ':');
    if (capability == NULL)
        return ms_fail(error, MS_INVALID, "`mask` %s: must be SUBSYSTEM:CAPABILITY[=VALUE]", mask);
    *capability++ = '\0';
    char *value = strchr(capability, '=');
    if (value != NULL)
        *value++ = '\0';
    const bool all = strcmp(name, "*") == 0;
    const int only = all ? 0 : ms_system_find(cosim->system, name);
    if (only < 0)
        return ms_fail(error, MS_INVALID, "`mask` %s: model %s has no subsystem %s; its first is %s", mask,
                       cosim->system->model->name, name, cosim->system->sub[0].name);
    int status = MS_OK;
    for (int i = only; status == MS_OK && i < (all ? cosim->system->n : only + 1); i++)
        status = mask_one(mask, capability, value, &cosim->instance[i]->can, error);
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int create_blocks(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    int scheme_lin = s->ny, scheme_aux = 0;
    if (cosim->scheme->memory != NULL)
        cosim->scheme->memory(cosim, &scheme_lin, &scheme_aux);
    cosim->lin_size = s->nx + scheme_lin;
    cosim->aux_size = scheme_aux + s->nz + ms_solver_choice_memory(&cosim->choice, s, s->n);
    cosim->lin = ms_cosim_alloc(cosim, (size_t)cosim->lin_size, sizeof(double));
    cosim->aux = ms_cosim_alloc(cosim, (size_t)cosim->aux_size, sizeof(double));
    const ms_input_room room = ms_cosim_input_room(cosim);
    const size_t coefficients = (size_t)s->nu * (size_t)(room.pieces * (room.degree + 1));
    const size_t inputs = (size_t)s->nu * (s->u_held != NULL ? 2 : 1);
    double *outputs = ms_cosim_alloc(cosim, (size_t)s->ny + inputs + coefficients, sizeof(double));
    cosim->instance = ms_cosim_alloc(cosim, (size_t)s->n, sizeof(ms_instance *));
    cosim->communicates = ms_cosim_alloc(cosim, (size_t)s->n, sizeof *cosim->communicates);
    cosim->due = ms_cosim_alloc(cosim, (size_t)s->n, sizeof *cosim->due);
    MS_TRY_MEMORY_FOR(cosim->communicates != NULL && cosim->due != NULL && cosim->lin != NULL &&
                          cosim->aux != NULL && outputs != NULL && cosim->instance != NULL,
                      error, "%d states", cosim->lin_size);
    cosim->x = cosim->lin;
    cosim->scheme_lin = cosim->lin + s->nx;
    cosim->y = cosim->scheme_lin;
    cosim->scheme_aux = cosim->aux;
    cosim->y_raw = outputs;
    cosim->u_left = outputs + s->ny;
    cosim->coefficients = cosim->u_left + s->nu;
    cosim->hold = s->u_held != NULL ? cosim->coefficients + coefficients : NULL;
    for (int l = 0; l < s->nu && cosim->hold != NULL; l++)
        cosim->hold[l] = NAN;
    return MS_OK;
}

/* Instances with equal matrices share their solver's data if one thread steps them in sequence. */
static int create_instances(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    double *memory = cosim->aux + (cosim->aux_size - ms_solver_choice_memory(&cosim->choice, s, s->n)),
           *z = memory - s->nz;
    const ms_input_room room = ms_cosim_input_room(cosim);
    const bool starts_here = ms_system_has_residual(s); /* algebraic variables are found here for all */
    const bool shares =
        !cosim->executor->concurrent && cosim->scheme->feedback == NULL && s->equal_to != NULL;
    for (int i = 0; i < s->n; i++) {
        ms_input_law feedback[MS_INPUT_LAWS];
        const ms_solver *solver = ms_solver_choice_of(&cosim->choice, i);
        const bool borrows =
            shares && s->equal_to[i] != i && ms_solver_choice_of(&cosim->choice, s->equal_to[i]) == solver;
        const ms_instance_parts parts = {.system = s,
                                         .index = i,
                                         .solver = solver,
                                         .options = &cosim->variant.micro,
                                         .x = cosim->x + s->x_at[i],
                                         .z = z + s->z_at[i],
                                         .memory = memory,
                                         .room = room,
                                         .coefficients = cosim->coefficients +
                                                         s->u_at[i] * room.pieces * (room.degree + 1),
                                         .hold = cosim->hold != NULL ? cosim->hold + s->u_at[i] : NULL,
                                         .lender = borrows ? cosim->instance[s->equal_to[i]] : NULL,
                                         .unsolved = i >= cosim->own && !starts_here,
                                         .feedback = feedback,
                                         .n_feedback = ms_variant_feedback(&cosim->variant, s, i, feedback)};
        MS_TRY(ms_instance_create(&parts, &cosim->instance[i], error));
        memory += ms_solver_memory(solver, s->sub[i].nx);
    }
    return MS_OK;
}

static int place(ms_cosim *cosim, ms_error *error)
{
    cosim->own = cosim->system->n - cosim->executor->part;
    return cosim->executor->place != NULL ? cosim->executor->place(cosim, error) : MS_OK;
}

static int apply_masks(ms_cosim *cosim, ms_error *error)
{
    const ms_options *options = cosim->options;
    for (int k = 0; k < options->n_masks; k++)
        MS_TRY(apply_mask(cosim, options->mask[k], error));
    return MS_OK;
}

/* Checks the requirements of options and scheme on subsystems. */
static int check(ms_cosim *cosim, ms_error *error)
{
    MS_TRY(apply_masks(cosim, error));
    return ms_cosim_check_steppers(cosim, error);
}

void *ms_cosim_alloc(ms_cosim *cosim, size_t count, size_t size)
{
    return ms_structure_alloc(&cosim->memory, count, size);
}

static int create_scheme(ms_cosim *cosim, ms_error *error)
{
    const ms_scheme *scheme = cosim->scheme;
    cosim->scheme_data = ms_cosim_alloc(cosim, 1, scheme->data);
    const int status = cosim->scheme_data != NULL ? scheme->create(cosim, error) : MS_NO_MEMORY;
    return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for scheme %s", scheme->name)
                                  : status;
}

static int create(ms_cosim *cosim, ms_error *error)
{
    const bool part = cosim->executor->part;
    int status = resolve(cosim, error);
    MS_THEN(status, place(cosim, error));
    MS_THEN(status, create_blocks(cosim, error));
    MS_THEN(status, create_instances(cosim, error));
    if (status == MS_OK && !part)
        status = check(cosim, error);
    MS_THEN(status, ms_loop_create(cosim->system, cosim->instance, &cosim->loop, error));
    if (status == MS_OK && !part)
        status = ms_cosim_check_capabilities(cosim, error);
    MS_THEN(status, create_scheme(cosim, error));
    if (status == MS_OK && !cosim->executor->concurrent && ms_equal_rows_create(cosim) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a co-simulation");
    return status == MS_OK && cosim->executor->create != NULL ? cosim->executor->create(cosim, error)
                                                              : status;
}

int ms_cosim_create(const ms_system *system, const ms_scheme *scheme, const ms_executor *executor,
                    const ms_options *options, ms_cosim **out, ms_error *error)
{
    ms_cosim *cosim = calloc(1, sizeof *cosim);
    *out = cosim;
    MS_TRY_MEMORY_FOR(cosim != NULL, error, "a co-simulation");
    cosim->system = system;
    cosim->scheme = scheme;
    cosim->executor = executor;
    cosim->share = 1.0;
    cosim->options = ms_cosim_alloc(cosim, 1, sizeof *options);
    if (cosim->options == NULL) {
        ms_cosim_destroy(out);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a co-simulation");
    }
    *cosim->options = *options;
    const int status = create(cosim, error);
    if (status != MS_OK)
        ms_cosim_destroy(out);
    return status;
}

/* Checks that create nothing ------------------------------------------------------------------------------- */

/* Instances with the properties of their subsystems, as masks leave them. */
static int outline(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = ms_cosim_alloc(cosim, (size_t)s->n + 1, sizeof *instance);
    cosim->instance = ms_cosim_alloc(cosim, (size_t)s->n + 1, sizeof(ms_instance *));
    MS_TRY_MEMORY_FOR(instance != NULL && cosim->instance != NULL, error, "a co-simulation");
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = instance[i].sub = &s->sub[i];
        instance[i].can.step = sub->imposed_step;
        if (sub->stepper != NULL)
            sub->stepper->capabilities(sub, &instance[i].can);
        cosim->instance[i] = &instance[i];
    }
    return apply_masks(cosim, error);
}

/* Are subsystems and inputs that options other than masks name those of the system? */
static int check_names(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_options *o = cosim->options;
    int *list = ms_cosim_alloc(cosim, 2 * (size_t)s->n + 1, sizeof *list), n, twice;
    bool *held = ms_cosim_alloc(cosim, (size_t)s->nu + 1, sizeof *held);
    MS_TRY_MEMORY_FOR(list != NULL && held != NULL, error, "a co-simulation");
    MS_TRY(ms_variant_sequence(s, o, list, list + s->n, error));
    MS_TRY(ms_variant_subsystems(s, "`smooth-subsystems`", o->f3ornits.smooth_subsystems, list, &n, &twice,
                                 error));
    MS_TRY(ms_variant_counts(s, "substeps", o->multirate.substeps, MS_INNER_MAX, list, error));
    MS_TRY(ms_variant_counts(s, "samples", o->multirate.samples, MS_SPLINE_SAMPLES, list, error));
    MS_TRY(ms_variant_inputs(s, o, held, error));
    return ms_solver_choice_check(s, o, error);
}

int ms_cosim_check_names(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_options copy = *options;
    ms_cosim cosim = {.system = system, .options = &copy};
    int status = outline(&cosim, error);
    MS_THEN(status, check_names(&cosim, error));
    ms_structure_free(&cosim.memory);
    return status;
}

int ms_cosim_check_run(const ms_system *system, const ms_scheme *scheme, const ms_options *options,
                       ms_error *error)
{
    ms_options resolved = *options;
    ms_cosim cosim = {.system = system, .scheme = scheme, .options = &resolved};
    ms_options_resolve_times(&resolved, system->step_size, system->stop_time);
    int status = outline(&cosim, error);
    MS_THEN(status, resolve_options(scheme, &resolved, error));
    if (status == MS_OK) {
        ms_variant_set(&cosim.variant, scheme, NULL, &resolved);
        status = ms_cosim_check_all_steps(&cosim, error);
    }
    ms_structure_free(&cosim.memory);
    return status;
}

void ms_cosim_destroy(ms_cosim **out)
{
    ms_cosim *cosim = *out;
    if (cosim == NULL)
        return;
    if (cosim->executor->destroy != NULL)
        cosim->executor->destroy(cosim);
    ms_loop_destroy(&cosim->loop);
    for (int i = cosim->instance != NULL ? cosim->system->n - 1 : -1; i >= 0;
         i--) /* in reverse: an instance may use its lender's data */
        ms_instance_destroy(&cosim->instance[i]);
    ms_equal_rows_destroy(cosim);
    ms_solver_choice_destroy(&cosim->choice);
    MS_FREE(cosim->degraded, cosim->segment, cosim->segment_memory, cosim->saved_work, cosim->port_at);
    ms_structure_free(&cosim->memory);
    free(cosim);
    *out = NULL;
}
