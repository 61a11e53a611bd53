/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_automatic.c - dop853 as long as accuracy bounds its steps, and cvode-bdf as soon as stability does.
 *
 * A macro-step is short compared with the time scale of a smooth subsystem: one or two steps of an explicit method of order 8 suffice,
 * whereas a multistep method restarts at order 1 each time. After every MS_DOP853_LOOK micro-steps of a piece the next step h is compared
 * with the spectral radius of J = df/dx. On x' = J x accuracy bounds h rho(J) by about 5 tol^(1/8), 0.3 at 1e-10 and 1.5 at 1e-4, and
 * stability by 5 to 6 along the negative real axis. If h rho(J) exceeds three times the former or half the latter, fast components have
 * decayed.
 *
 * rho(J) is estimated by |J^4|^(1/4) in Frobenius's norm, which is at least rho. CVODE then takes over until the end of the run: the sign
 * of the saved step records it, so that a restored state continues in the same way. CVODE also takes over after a failed explicit step.
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2 (stiffness detection). */
#include <math.h>
#include <stdlib.h>

#include "matrix.h"
#include "micro_done.h"
#include "solver_dop853.h"

extern const ms_solver ms_solver_cvode_bdf;

typedef struct automatic {
    ms_instance *instance;
    ms_dop853 *explicit_data;
    void *stiff_data;
    double most;        /* bound of h rho(J) of a nonstiff subsystem */
    double *J, *square; /* nx x nx each */
} automatic;

/* Bounds of h rho(J): three times the accuracy bound at a tolerance of 1, and half of the stability bound. */
static const double ACCURACY = 15.0, STABILITY = 3.0;

/* The saved step of a subsystem that CVODE has taken over. */
static const double STIFF = -1.0;

/* Lets the instance act as one of `solver`. */
static void act_as(ms_instance *instance, const ms_solver *solver, void *data)
{
    instance->solver = solver;
    instance->solver_data = data;
}

static double frobenius(int n, const double *M)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += M[i] * M[i];
    return sqrt(sum);
}

/* Is a step from t longer than the fastest components would allow if they were excited? */
static bool is_stiff(void *self, double t, double step)
{
    const automatic *data = self;
    ms_instance *instance = data->instance;
    const int n = instance->sub->nx;
    if (ms_instance_jacobian(instance, data->explicit_data->piece, t, instance->state, data->J) != 0)
        return false;
    ms_matrix_product(n, n, n, data->J, data->J, data->square);
    ms_matrix_product(n, n, n, data->square, data->square, data->J);
    return step * sqrt(sqrt(frobenius(n, data->J))) >= data->most;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int create_explicit(automatic *data, const ms_solver_options *options, ms_error *error)
{
    ms_instance *instance = data->instance;
    const size_t entries = (size_t)instance->sub->nx * (size_t)instance->sub->nx;
    act_as(instance, &ms_solver_dop853, NULL);
    const int status = ms_solver_create(instance, options, error);
    data->explicit_data = instance->solver_data;
    if (status != MS_OK)
        return status;
    data->J = malloc(sizeof(double) * 2 * entries);
    MS_TRY_MEMORY(data->J);
    data->square = data->J + entries;
    data->most = fmin(STABILITY, ACCURACY * pow(options->rtol > 0.0 ? options->rtol : options->atol, 0.125));
    data->explicit_data->hands_over = is_stiff;
    data->explicit_data->self = data;
    return MS_OK;
}

static int automatic_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_solver *own = instance->solver;
    automatic *data = instance->solver_data;
    data->instance = instance;
    act_as(instance, &ms_solver_cvode_bdf, NULL);
    int status = ms_solver_create(instance, options, error);
    data->stiff_data = instance->solver_data;
    MS_THEN(status, create_explicit(data, options, error));
    act_as(instance, own, data);
    return status;
}

static void automatic_destroy(ms_instance *instance)
{
    const ms_solver *own = instance->solver;
    automatic *data = instance->solver_data;
    act_as(instance, &ms_solver_dop853, data->explicit_data);
    ms_solver_destroy(instance);
    act_as(instance, &ms_solver_cvode_bdf, data->stiff_data);
    ms_solver_destroy(instance);
    free(data->J);
    act_as(instance, own, data);
}

/* Pieces ------------------------------------------------------------------------------------------------- */

/* The rest of a piece from t0 to `end`; samples up to `from` are filled already. */
static int advance_stiff(ms_instance *instance, int piece, double t0, double from, double end)
{
    const ms_place *place = instance->place;
    const int places = instance->n_places;
    while (from > t0 && instance->n_places > 0 && ms_micro_sample_time(instance, 0) <= from) {
        instance->place++;
        instance->n_places--;
    }
    const int status = instance->solver->advance(instance, piece, from, end - from);
    instance->place = place;
    instance->n_places = places;
    return status;
}

static int automatic_integrate(ms_instance *instance, int piece, double t0, double h)
{
    const ms_solver *own = instance->solver;
    automatic *data = instance->solver_data;
    double from = t0;
    int status = MS_SOLVER_FAILED;
    if (instance->memory[0] >= 0.0) {
        act_as(instance, &ms_solver_dop853, data->explicit_data);
        status = instance->solver->advance(instance, piece, t0, h);
        from = data->explicit_data->resumes;
    }
    if (status == MS_SOLVER_FAILED && isfinite(from)) {
        instance->memory[0] = STIFF;
        act_as(instance, &ms_solver_cvode_bdf, data->stiff_data);
        status = advance_stiff(instance, piece, t0, from, t0 + h);
    }
    act_as(instance, own, data);
    return status;
}

const ms_solver ms_solver_automatic = {.name = "automatic",
                                       .summary =
                                           "dop853, and cvode-bdf from where stability bounds its steps",
                                       .source = "Hairer, Wanner 1996, IV.2; Hindmarsh et al. 2005",
                                       .library = MS_LIBRARY_SUNDIALS,
                                       .tolerance_exponent = 1.0,
                                       .implicit = true,
                                       .stiff = true,
                                       .adaptive = true,
                                       .events = true,
                                       .memory = 1,
                                       .data = sizeof(automatic),
                                       .create = automatic_create,
                                       .destroy = automatic_destroy,
                                       .advance = ms_adaptive_advance,
                                       .integrate = automatic_integrate};
