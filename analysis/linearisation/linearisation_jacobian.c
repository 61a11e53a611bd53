/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/linearisation_jacobian.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "monolithic.h"

static int no_memory(const ms_system *system, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory to linearise model %s", system->model->name);
}

int ms_linearisation_start(const ms_system *system, double *x, double *u, ms_error *error)
{
    ms_options options;
    ms_cosim *cosim = NULL;
    ms_options_default(&options);
    ms_system_start(system, x);
    for (int k = 0; k < system->nu; k++)
        u[k] = 0.0;
    MS_TRY(ms_cosim_of_options(system, &options, &cosim, error));
    int status = ms_cosim_start(cosim);
    if (status == MS_OK)
        ms_system_couple(system, cosim->y, u); /* consistent outputs */
    else
        ms_fail(error, status, "%s", cosim->error.text);
    ms_cosim_destroy(&cosim);
    return status;
}

/* Scratch of ms_subsystem_jacobian for any subsystem: w, then the rest, then discrete variables as they start
 * and input derivatives (zero), then one matrix block. */
typedef struct workspace {
    double *memory, *w, *scratch, *z, *du, *block;
} workspace;

static int open_workspace(const ms_system *s, workspace *space)
{
    const size_t nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny, nw = (size_t)s->nw,
                 nz = (size_t)s->nz;
    const size_t scratch = nx + nu + 2 * (nx + ny) + nw, block = nx * nx > ny * nu ? nx * nx : ny * nu;
    space->memory = calloc(nw + scratch + nz + nu + block + 1, sizeof *space->memory);
    MS_TRY_MEMORY(space->memory);
    space->w = space->memory;
    space->scratch = space->w + nw;
    space->z = space->scratch + scratch;
    space->du = space->z + nz;
    space->block = space->du + nu;
    ms_system_start_discrete(s, space->z);
    return MS_OK;
}

int ms_linearisation_loop(const ms_system *system, double t, const double *x, const double *u, double *DL,
                          ms_error *error)
{
    workspace space;
    MS_TRY(ms_system_needs_partials(system, "a linearisation", error));
    int status = open_workspace(system, &space);
    MS_TRY_MEMORY_OR(status == MS_OK, no_memory(system, error));
    memset(DL, 0, sizeof *DL * (size_t)system->ny * (size_t)system->ny);
    for (int i = 0; i < system->n && status == MS_OK; i++) {
        ms_point at = {.t = t,
                       .x = x + system->x_at[i],
                       .u = u + system->u_at[i],
                       .du = space.du + system->u_at[i],
                       .z = space.z + system->z_at[i]};
        const ms_blocks m = {.D = space.block};
        if (ms_subsystem_jacobian(system, i, &at, space.w, space.scratch, &m, NULL) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "subsystem %s cannot be evaluated at the start",
                             system->sub[i].name);
        else
            ms_system_add_feed_through(system, i, 1.0, space.block, system->sub[i].nu, NULL, system->ny, DL);
    }
    free(space.memory);
    return status;
}

int ms_linearisation_monolithic(const ms_system *system, double t, const double *x, double *A,
                                ms_error *error)
{
    ms_system *monolithic = NULL;
    workspace space = {0};
    int status = ms_monolithic_create(system, &monolithic, error);
    if (status != MS_OK)
        return status;
    if (monolithic->sub[0].residual != NULL)
        status = ms_fail(error, MS_UNSUPPORTED,
                         "model %s is differential-algebraic; eigenvalues are those of an x' = f",
                         system->model->name);
    else if (open_workspace(monolithic, &space) != MS_OK)
        status = no_memory(system, error);
    if (status == MS_OK) {
        ms_point at = {.t = t, .x = x, .u = space.du, .du = space.du, .z = space.z};
        const ms_blocks m = {.A = A};
        if (ms_subsystem_jacobian(monolithic, 0, &at, space.w, space.scratch, &m, NULL) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "model %s cannot be evaluated at the start",
                             system->model->name);
    }
    free(space.memory);
    ms_monolithic_destroy(&monolithic);
    return status;
}

double ms_spectral_radius(int n, const double *eigenvalues)
{
    double largest = 0.0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, hypot(eigenvalues[2 * k], eigenvalues[2 * k + 1]));
    return largest;
}
