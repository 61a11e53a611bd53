/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zero_stability.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/linearisation_jacobian.h>
#include <macrostep/options.h>
#include <macrostep/propagation.h>

static const double MARGIN =
    1e-4; /* (machine epsilon)^(1/4): perturbation of a defective eigenvalue of multiplicity four */
static const double SETTLED = 1e-6, SHORTER = 0.0625;
enum { PROBES = 8 };

bool ms_zero_stability_lost(double radius)
{
    return radius > 1.0 + MARGIN;
}

/* The first pair of successively shorter macro-steps between which the radius does not change. */
static double radius_by_probes(const ms_system *system, const ms_options *options, int largest)
{
    double h = SHORTER * system->step_size, radius = NAN;
    for (int k = 0; k < PROBES; k++, h *= SHORTER) {
        const double before = radius;
        radius = ms_propagation_radius(system, options, h, largest);
        if (fabs(radius - before) <= SETTLED * before)
            return radius;
    }
    return NAN;
}

static int radius_of_linear(const ms_system *system, const ms_options *options, int largest, double *radius,
                            ms_error *error)
{
    ms_options exact = *options;
    snprintf(exact.solver, sizeof exact.solver, "exact");
    exact.solver_of[0] = '\0';
    exact.given[MS_OPTION_SOLVER_OF] = false;
    *radius = ms_propagation_radius(system, &exact, 0.0, largest);
    if (isnan(*radius) && errno != ENOMEM)
        *radius = radius_by_probes(system, &exact, largest);
    return isnan(*radius) && errno == ENOMEM
               ? ms_fail(error, MS_NO_MEMORY, "not enough memory for a propagation matrix")
               : MS_OK;
}

/* The linearisation at the start; NULL: there is none. */
static int linearise(const ms_system *system, ms_system **linear, ms_error *error)
{
    const ms_linearisation_point start = {0};
    double *x = calloc((size_t)system->nx + 1, sizeof *x);
    if (x == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory to linearise model %s", system->model->name);
    int status = ms_linearisation_point_state(system, &start, NULL, x, NULL, error);
    MS_THEN(status, ms_linearisation_system(system, 0.0, x, linear, error));
    free(x);
    return status == MS_NO_MEMORY ? status : MS_OK;
}

int ms_zero_stability_radius(const ms_system *system, const ms_options *options, int largest, double *radius,
                             ms_error *error)
{
    ms_system *linear = NULL;
    *radius = NAN;
    if (system->nu == 0 || system->nx + system->ny > largest || ms_system_own_stepper(system) != NULL)
        return MS_OK;
    if (system->linear)
        return radius_of_linear(system, options, largest, radius, error);
    int status = linearise(system, &linear, error);
    if (status == MS_OK && linear != NULL)
        status = radius_of_linear(linear, options, largest, radius, error);
    ms_system_destroy(&linear);
    return status;
}
