/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation_system.c - a nonlinear model as a linear one near a state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "loop.h"
#include "partials.h"
#include "structure.h"

/* The blocks of a subsystem, handed to the linear model as its data. */
typedef struct part {
    int nx, nu, ny;
    const double *A, *B, *C, *D;
} part;

static void copy_blocks(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const part *of = data;
    const size_t nx = (size_t)of->nx, nu = (size_t)of->nu, ny = (size_t)of->ny, size = sizeof(double);
    memcpy(m->A, of->A, size * nx * nx);
    memcpy(m->B, of->B, size * nx * nu);
    memcpy(m->C, of->C, size * ny * nx);
    memcpy(m->D, of->D, size * ny * nu);
}

/* Subsystems while the linear system is made. */
typedef struct draft {
    part *parts;
    ms_subsystem *subsystems;
    double *blocks, *next, *scratch;
    double partials_error;
    ms_structure memory; /* of subsystems that bring their own solvers */
} draft;

/* Scratch of ms_subsystem_jacobian for any subsystem: w and discrete variables (as they start) come after
 * it. */
static size_t scratch_size(const ms_system *s)
{
    return (size_t)(s->nx + s->nu + 2 * (s->nx + s->ny) + s->nw);
}

static int draft_open(const ms_system *s, draft *d)
{
    size_t size = 0;
    for (int i = 0; i < s->n; i++)
        size += (size_t)(s->sub[i].nx + s->sub[i].ny) * (size_t)(s->sub[i].nx + s->sub[i].nu);
    d->parts = calloc((size_t)s->n + 1, sizeof *d->parts);
    d->subsystems = calloc((size_t)s->n + 1, sizeof *d->subsystems);
    d->blocks = d->next = calloc(size + 1, sizeof *d->blocks);
    d->scratch = calloc(scratch_size(s) + (size_t)(s->nw + s->nz) + 1, sizeof *d->scratch);
    if (d->scratch != NULL)
        ms_system_start_discrete(s, d->scratch + scratch_size(s) + s->nw);
    const bool whole = d->parts != NULL && d->subsystems != NULL && d->blocks != NULL;
    return whole && d->scratch != NULL ? MS_OK : MS_NO_MEMORY;
}

static void draft_close(draft *d)
{
    MS_FREE(d->parts, d->subsystems, d->blocks, d->scratch);
    ms_structure_free(&d->memory);
}

static bool is_differenced(const ms_subsystem *sub)
{
    return sub->matrices == NULL && sub->jacobian == NULL && sub->stepper == NULL;
}

bool ms_linearisation_has_differences(const ms_system *system)
{
    int i = 0;
    while (i < system->n && !is_differenced(&system->sub[i]))
        i++;
    return i < system->n;
}

/* All blocks at a point, and how far they are off. */
static int fill_blocks(const ms_system *s, int i, ms_point *at, draft *d, double *w, const ms_blocks *m)
{
    double error = 0.0;
    const int status = is_differenced(&s->sub[i]) ? ms_partials_blocks(s, i, at, m, &error)
                                                  : ms_subsystem_jacobian(s, i, at, w, d->scratch, m, NULL);
    d->partials_error = fmax(d->partials_error, error);
    return status;
}

/* Jacobian blocks of subsystem i at x, u. */
static int linearise_part(const ms_system *s, int i, ms_point *at, draft *d, ms_error *error)
{
    const ms_subsystem *sub = &s->sub[i];
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    if (sub->stepper != NULL)
        return sub->stepper->linearise(sub, &d->memory, &d->subsystems[i], error);
    if (sub->uses_du)
        return ms_fail(error, MS_UNSUPPORTED, "outputs of subsystem %s depend on derivatives of its inputs",
                       sub->name);
    double *A = d->next, *B = A + nx * nx, *C = B + nx * nu, *D = C + ny * nx,
           *w = d->scratch + scratch_size(s);
    d->next = D + ny * nu;
    at->z = w + s->nw + s->z_at[i];
    const ms_blocks m = {.A = A, .B = B, .C = C, .D = D};
    const int status = fill_blocks(s, i, at, d, w, &m);
    d->parts[i] = (part){sub->nx, sub->nu, sub->ny, A, B, C, D};
    d->subsystems[i] = (ms_subsystem){.name = sub->name,
                                      .nx = sub->nx,
                                      .nu = sub->nu,
                                      .ny = sub->ny,
                                      .x = sub->x,
                                      .u = sub->u,
                                      .y = sub->y,
                                      .matrices = copy_blocks,
                                      .data = &d->parts[i]};
    return status == MS_OK || status == MS_NO_MEMORY
               ? status
               : ms_fail(error, MS_SOLVER_FAILED, "subsystem %s cannot be evaluated at this state",
                         sub->name);
}

int ms_linearisation_inputs(const ms_system *system, double t, const double *x, const double *z, double *u,
                            double *du, ms_error *error)
{
    ms_options options;
    ms_cosim *cosim = NULL;
    ms_options_default(&options);
    double *y = calloc((size_t)(system->ny + system->nz) + 1, sizeof *y);
    int status = ms_system_needs_partials(system, "a linearisation", error);
    MS_THEN(status, y != NULL ? ms_cosim_of_options(system, &options, &cosim, error) : MS_NO_MEMORY);
    if (status == MS_OK) {
        double *start = y + system->ny;
        ms_system_start_discrete(system, start);
        if (z == NULL)
            z = start;
        memcpy(cosim->x, x, sizeof(double) * (size_t)system->nx);
        for (int i = 0; i < system->n; i++)
            if (system->sub[i].nz > 0)
                memcpy(cosim->instance[i]->z, z + system->z_at[i], sizeof *z * (size_t)system->sub[i].nz);
        status = ms_loop_start(cosim->loop, t, y, u);
        if (status != MS_OK) {
            char reason[400];
            ms_loop_explain(cosim->loop, reason, sizeof reason);
            ms_fail(error, status, "u = L g(x, u) of model %s was not solved at this state: %s",
                    system->model->name, reason);
        }
        if (status == MS_OK && du != NULL && ms_system_reads_slopes(system)) {
            status = ms_loop_derivative(cosim->loop, t, u, y);
            ms_system_couple(system, y, du);
            if (status != MS_OK)
                ms_fail(error, status, "u' of model %s was not found at this state", system->model->name);
        }
    }
    ms_cosim_destroy(&cosim);
    free(y);
    return status;
}

/* From here on the data of its subsystems are its own blocks. */
static int take_over(ms_system *linear, const ms_system *system, draft *d)
{
    part *parts = ms_structure_alloc(&linear->structure, (size_t)system->n + 1, sizeof *parts);
    MS_TRY_MEMORY(parts);
    for (int i = 0; i < system->n; i++) {
        const ms_blocks *m = &linear->blocks[i];
        if (system->sub[i].stepper != NULL)
            continue;
        parts[i] = (part){d->parts[i].nx, d->parts[i].nu, d->parts[i].ny, m->A, m->B, m->C, m->D};
        linear->structure.subsystems[i].data = &parts[i];
    }
    linear->model = linear->structure.model = system->model;
    linear->partials_error = d->partials_error;
    ms_structure_adopt(&linear->structure, &d->memory);
    return MS_OK;
}

static int make(const ms_system *system, draft *d, ms_system **linear, ms_error *error)
{
    ms_model model = *system->model;
    const int n = system->model->n_parameters;
    ms_setting *settings = calloc((size_t)n + 1, sizeof *settings);
    MS_TRY_MEMORY(settings);
    model.build = NULL;
    model.subsystems = d->subsystems;
    model.n_subsystems = system->n;
    model.wires = system->structure.wires;
    model.n_wires = system->structure.n_wires;
    for (int k = 0; k < n; k++)
        settings[k] = (ms_setting){model.parameters[k].name, system->p[k]};
    int status = ms_system_create(&model, system->case_name, settings, n, linear, error);
    free(settings);
    MS_THEN(status, take_over(*linear, system, d));
    if (status != MS_OK)
        ms_system_destroy(linear);
    return status;
}

/* Inputs at the point, which is the start where a subsystem brings its own solver. */
static int find_inputs(const ms_system *system, double t, const double *x, double *u, ms_error *error)
{
    if (ms_system_own_stepper(system) == NULL)
        return ms_linearisation_inputs(system, t, x, NULL, u, NULL, error);
    double *start = calloc((size_t)system->nx + 1, sizeof *start);
    const int status = start != NULL ? ms_linearisation_start(system, start, u, error) : MS_NO_MEMORY;
    free(start);
    return status;
}

int ms_linearisation_system(const ms_system *system, double t, const double *x, ms_system **linear,
                            ms_error *error)
{
    draft d = {0};
    double *u = calloc(2 * (size_t)system->nu + 1, sizeof *u);
    *linear = NULL;
    int status = u != NULL ? draft_open(system, &d) : MS_NO_MEMORY;
    MS_THEN(status, ms_linearisation_supported(system, error));
    MS_THEN(status, find_inputs(system, t, x, u, error));
    for (int i = 0; i < system->n && status == MS_OK; i++) {
        ms_point at = {.t = t, .x = x + system->x_at[i], .u = u + system->u_at[i], .du = u + system->nu};
        status = linearise_part(system, i, &at, &d, error);
    }
    MS_THEN(status, make(system, &d, linear, error));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to linearise model %s", system->model->name);
    draft_close(&d);
    free(u);
    return status;
}
