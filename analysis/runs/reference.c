/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "instance.h"
#include "monolithic.h"
#include "solver_registry.h"

/* One trajectory of the monolithic model. */
typedef struct solution {
    double *x, *z, *memory; /* (nx), (nz), (of the solver) */
    ms_instance *instance;
} solution;

struct ms_reference {
    ms_system *whole;
    solution main, companion;
    double *block; /* memory of both */
    double error;
};

/* Tolerances of nonlinear models; the companion's are looser by COMPANION_FACTOR. Below them nothing is
 * gained: over 2 s of example-6.3.1 gsl-rk8pd errs by 1e-15 to 4e-14 and over 5 s of double-pendulum, which
 * amplifies errors, by 3e-14 to 6e-13 (steps 0.1 to 0.001), all round-off. CVODE's Adams errs there by up
 * to 2e-13 and 4e-11, and with a tolerance of 3e-15 by 2e-14 and 6e-12. */
static const double RTOL = 1e-13, ATOL = 1e-14, COMPANION_FACTOR = 10.0;

/* Of differential-algebraic models. Below them nothing is gained: over 2 s of a pendulum of index 1 ida
 * errs by 1e-12 to 2e-11 with 1e-11 to 1e-13, and with 1e-14 its convergence tests fail. */
static const double DAE_RTOL = 1e-11, DAE_ATOL = 1e-12;

/* Of a step: the times at which both solutions meet the same event differ by less. */
static const double NEAR = 1e-6;

static const char *solver_name(const ms_system *whole)
{
    if (whole->sub[0].residual != NULL)
        return "ida";
    return whole->linear ? "exact" : "gsl-rk8pd";
}

static int create_solution(const ms_system *whole, const ms_solver *solver, double factor, double **next,
                           solution *s, ms_error *error)
{
    const bool dae = whole->sub[0].residual != NULL;
    const ms_solver_options options = {.rtol = factor * (dae ? DAE_RTOL : RTOL),
                                       .atol = factor * (dae ? DAE_ATOL : ATOL),
                                       .micro_steps = 1,
                                       .input_change = MS_INPUT_RESTART};
    s->x = *next;
    s->z = s->x + whole->nx;
    s->memory = s->z + whole->nz;
    *next = s->memory + solver->memory;
    return ms_instance_create(&(ms_instance_parts){whole, 0, solver, &options, s->x, s->z, s->memory},
                              &s->instance, error);
}

static void sample_at(ms_instance *instance, int n, const double *fractions)
{
    instance->n_samples = n;
    for (int k = 0; k < n; k++)
        instance->sample_at[k] = fractions[k];
}

int ms_reference_create(const ms_system *system, int n, const double *fractions, ms_reference **out,
                        ms_error *error)
{
    ms_reference *reference = calloc(1, sizeof *reference);
    *out = reference;
    if (reference == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    int status = MS_OK;
    if (n > MS_SAMPLES_MAX)
        status = ms_fail(error, MS_INVALID, "the reference takes at most %d samples a step, not %d",
                         MS_SAMPLES_MAX, n);
    if (status == MS_OK)
        status = ms_monolithic_create(system, &reference->whole, error);
    if (status != MS_OK)
        goto failed;

    const ms_system *whole = reference->whole;
    const ms_solver *solver = ms_solver_find(solver_name(whole));
    reference->block = calloc(2 * (size_t)(whole->nx + whole->nz + solver->memory) + 1, sizeof(double));
    double *next = reference->block;
    if (reference->block == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    if (status == MS_OK)
        status = create_solution(whole, solver, 1.0, &next, &reference->main, error);
    if (status == MS_OK)
        status = create_solution(whole, solver, COMPANION_FACTOR, &next, &reference->companion, error);
    if (status != MS_OK)
        goto failed;
    sample_at(reference->main.instance, n, fractions);
    ms_reference_start(reference);
    return MS_OK;
failed:
    ms_reference_destroy(out);
    return status;
}

void ms_reference_destroy(ms_reference **out)
{
    if (out == NULL || *out == NULL)
        return;
    ms_reference *reference = *out;
    ms_instance_destroy(&reference->main.instance);
    ms_instance_destroy(&reference->companion.instance);
    ms_monolithic_destroy(&reference->whole);
    free(reference->block);
    free(reference);
    *out = NULL;
}

/* Where it fails the first step does, too. */
static void start_algebraic(ms_instance *instance, double h)
{
    instance->input.end[0] = h;
    ms_instance_make_consistent(instance, 0.0, h);
}

void ms_reference_start(ms_reference *reference)
{
    const ms_system *whole = reference->whole;
    const int memory = reference->main.instance->solver->memory;
    memset(reference->block, 0, sizeof(double) * 2 * (size_t)(whole->nx + whole->nz + memory));
    ms_system_start(whole, reference->main.x);
    ms_system_start(whole, reference->companion.x);
    ms_system_start_discrete(whole, reference->main.z);
    ms_system_start_discrete(whole, reference->companion.z);
    reference->error = 0.0;
    reference->main.instance->work = reference->companion.instance->work = (ms_work){0};
    if (whole->sub[0].residual != NULL) {
        start_algebraic(reference->main.instance, whole->step_size);
        start_algebraic(reference->companion.instance, whole->step_size);
    }
}

static int step(const solution *s, double t, double h)
{
    s->instance->input.end[0] = h;
    return ms_instance_step(s->instance, t, h);
}

/* An event near the end of a step may have been handled by one solution and lie ahead of the other, so that
 * their difference is the event's jump and no error. Has it been handled near t by the one that is ahead? If
 * the other one does not follow, the difference is seen in the next step. */
static bool an_event_apart(const ms_reference *reference, double t, double h)
{
    const ms_instance *main = reference->main.instance, *companion = reference->companion.instance;
    const ms_instance *ahead = main->work.events > companion->work.events ? main : companion;
    return main->work.events != companion->work.events && fabs(t - ahead->events->last) <= NEAR * h;
}

int ms_reference_step(ms_reference *reference, double t, double h)
{
    int status = step(&reference->main, t, h);
    if (status == MS_OK)
        status = step(&reference->companion, t, 0.5 * h);
    if (status == MS_OK)
        status = step(&reference->companion, t + 0.5 * h, 0.5 * h);
    if (status == MS_OK && an_event_apart(reference, t + h, h))
        return MS_OK;
    for (int j = 0; j < reference->whole->nx && status == MS_OK; j++)
        reference->error = fmax(reference->error, fabs(reference->main.x[j] - reference->companion.x[j]));
    return status;
}

const double *ms_reference_state(const ms_reference *reference)
{
    return reference->main.x;
}

const double *ms_reference_sample(const ms_reference *reference, int k)
{
    return reference->main.instance->samples + (size_t)k * (size_t)reference->whole->nx;
}

const double *ms_reference_discrete(const ms_reference *reference)
{
    return reference->main.z;
}

double ms_reference_error(const ms_reference *reference)
{
    return reference->error;
}
