/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "propagation_extreme.h"

#include <math.h>
#include <stdlib.h>

#include <macrostep/spectrum.h>
#include "propagation_map.h"
#include "propagation_shift.h"

static const double tolerance = 1e-8, round_off = 1e-14, circle = 1e-8;

/* Rows times products, and bounds of the number of products: a minute or two on a present-day processor. */
static const double WORK = 2e8, LEAST = 600.0, MOST = 1e6;

/* The same of the few from which shifts start. */
static const double START_WORK = 2e7, START_LEAST = 30.0;

ms_arnoldi_request ms_propagation_extreme_request(int n, int k)
{
    const double products = fmax(LEAST, fmin(MOST, WORK / fmax(1.0, n)));
    return (ms_arnoldi_request){.k = k, .applications = (long)products, .tolerance = tolerance};
}

/* Is it linear? ------------------------------------------------------------------------------------------ */

/* a = (1, -1/2, 1/3, ..), b = (1, 1/2, .., 1/7, 1, ..), c = a + 3 b. */
static void set_tests(int n, double *a, double *b, double *c)
{
    for (int j = 0; j < n; j++) {
        a[j] = (j % 2 == 0 ? 1.0 : -1.0) / (1 + j);
        b[j] = 1.0 / (1 + j % 7);
        c[j] = a[j] + 3.0 * b[j];
    }
}

/* Is Psi a + 3 Psi b = Psi (a + 3 b), up to the round-off of entries that cancel? v: (6 n). */
static int check_linear(ms_propagation_map *map, double *v, ms_error *error)
{
    const int n = ms_propagation_map_dimension(map);
    const size_t size = (size_t)n;
    double *to = v + 3 * size, largest = 0.0;
    set_tests(n, v, v + size, v + 2 * size);
    for (size_t k = 0; k < 3; k++)
        MS_TRY(ms_propagation_map_apply(map, v + k * size, to + k * size, error));
    for (size_t i = 0; i < 3 * size; i++)
        largest = fmax(largest, fabs(to[i]));
    if (!isfinite(largest))
        return MS_OK; /* the iteration fails on it as well */
    const double left = ms_propagation_map_left_over(map);
    for (size_t i = 0; i < size; i++) {
        const double a = to[i], b = 3.0 * to[size + i], c = to[2 * size + i];
        if (!(fabs(a + b - c) <= 1e-6 * (fabs(a) + fabs(b)) + 1e-9 * largest + 10.0 * left))
            return ms_propagation_map_not_linear(map, error);
    }
    return MS_OK;
}

static int refuse_nonlinear(ms_propagation_map *map, ms_error *error)
{
    const size_t n = (size_t)ms_propagation_map_dimension(map);
    double *v = malloc(sizeof *v * (6 * n + 1));
    const int status = v != NULL
                           ? check_linear(map, v, error)
                           : ms_fail(error, MS_NO_MEMORY, "not enough memory for vectors of %zu rows", n);
    free(v);
    return status;
}

/* Stability ---------------------------------------------------------------------------------------------- */

/* Of each eigenvalue. Conditions are lower bounds: the worst of those found is taken for all, and squared, as terms of the second order
 * grow with it. */
static double uncertainty(const ms_arnoldi *found)
{
    double residual = 0.0, condition = 0.0;
    for (int k = 0; k < found->n; k++) {
        residual = fmax(residual, found->residuals[k]);
        condition = fmax(condition, found->conditions[k]);
    }
    return residual * condition * condition;
}

static double modulus(const ms_arnoldi *found, int k)
{
    return hypot(found->eigenvalues[2 * k], found->eigenvalues[2 * k + 1]);
}

static int judge_defective(const ms_arnoldi *found, bool all, int *defective, ms_error *error)
{
    ms_spectrum spectrum; /* of the transpose, which has the same eigenvalues */
    MS_TRY(ms_spectrum_create(found->size, found->projection, &spectrum, error));
    *defective = spectrum.defective ? 1 : all ? 0 : -1;
    ms_spectrum_destroy(&spectrum);
    return MS_OK;
}

static int judge_stable(const ms_arnoldi *found, bool all, int defective)
{
    const double off = uncertainty(found);
    double largest = 0.0;
    for (int k = 0; k < found->n; k++)
        largest = fmax(largest, modulus(found, k));
    if (defective == 1 || largest - off > 1.0 + circle)
        return 0;
    return all && largest + off <= 1.0 + circle ? 1 : -1;
}

/* Only all eigenvalues show that it is stable: a Krylov space may miss one inside of an arc of others, however well these have converged. */
static int judge(ms_propagation_extreme *extreme, ms_error *error)
{
    const ms_arnoldi *found = &extreme->found;
    extreme->defective = extreme->stable = -1;
    if (found->converged < found->n)
        return MS_OK;
    const bool shifted = extreme->shifts > 0, all = !shifted && (found->n == 0 || found->complete);
    const int status = shifted ? MS_OK : judge_defective(found, all, &extreme->defective, error);
    extreme->stable = judge_stable(found, all, extreme->defective);
    return status;
}

/* The eigenvalues ---------------------------------------------------------------------------------------- */

typedef struct macro_step {
    ms_propagation_map *map;
    ms_error *error;
} macro_step;

static int apply(void *self, const double *v, double *to)
{
    const macro_step *step = self;
    const int status = ms_propagation_map_apply(step->map, v, to, step->error);
    return status > 0 ? MS_SOLVER_FAILED : status;
}

/* By shifts, where the matrix has a narrow band. */
static int shift(const ms_system *system, macro_step *step, const ms_arnoldi_map *psi,
                 const ms_arnoldi_request *request, ms_propagation_extreme *extreme)
{
    ms_propagation_band band;
    int status = ms_propagation_band_create(system, step->map, request->stop, &band, step->error);
    extreme->found.applications += band.applications;
    MS_THEN(status, ms_propagation_shift(&band, psi, request, &extreme->found, &extreme->shifts));
    ms_propagation_band_destroy(&band);
    return status;
}

/* What the line says unless a macro-step, or want of memory, has said why. */
static void expect_finite(ms_error *error)
{
    ms_fail(error, MS_SOLVER_FAILED, "the propagation matrix is not finite; use another step");
}

/* By as many products as are left. */
static int start_again(const macro_step *step, const ms_arnoldi_map *psi, const ms_arnoldi_request *request,
                       ms_propagation_extreme *extreme)
{
    const long used = extreme->found.applications;
    ms_arnoldi_request rest = *request;
    rest.applications -= used;
    ms_arnoldi_destroy(&extreme->found);
    expect_finite(step->error);
    const int status = ms_arnoldi_create(psi, &rest, &extreme->found);
    extreme->shifts = 0;
    extreme->found.applications += used;
    return status;
}

/* By products, and where few are not enough by shifts, or by all products that were asked for, which need less memory. */
static int iterate(const ms_system *system, macro_step *step, const ms_arnoldi_request *request,
                   ms_propagation_extreme *extreme)
{
    const ms_arnoldi_map psi = {.n = ms_propagation_map_dimension(step->map),
                                .apply = apply,
                                .self = step,
                                .round_off = round_off,
                                .left_over = ms_propagation_map_left_over(step->map)};
    ms_arnoldi_request all = *request;
    if (request->applications == 0)
        all.applications = ms_propagation_extreme_request(psi.n, request->k).applications;
    ms_arnoldi_request few = all;
    few.applications = (long)fmin((double)all.applications, fmax(START_LEAST, START_WORK / fmax(1.0, psi.n)));
    int status = ms_arnoldi_create(&psi, &few, &extreme->found);
    if (status != MS_NOT_CONVERGED || few.applications == all.applications)
        return status;
    status = shift(system, step, &psi, &all, extreme);
    const bool more = all.applications - extreme->found.applications > few.applications;
    if (status == MS_NOT_CONVERGED || status == MS_UNSUPPORTED || status == MS_NO_MEMORY)
        status = more ? start_again(step, &psi, &all, extreme) : MS_NOT_CONVERGED;
    return status;
}

static int find(const ms_system *system, ms_propagation_map *map, const ms_arnoldi_request *request,
                ms_propagation_extreme *extreme, ms_error *error)
{
    macro_step step = {map, error};
    expect_finite(error);
    const int status = iterate(system, &step, request, extreme);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for %d eigenvalues and vectors of %d rows; ask for fewer",
                request->k, extreme->n);
    else if (status == MS_INTERRUPTED)
        ms_fail(error, status, "interrupted");
    return status;
}

int ms_propagation_extreme_create(const ms_system *system, const ms_options *options, double h,
                                  const ms_arnoldi_request *request, ms_propagation_extreme *extreme,
                                  ms_error *error)
{
    ms_propagation_map *map;
    *extreme = (ms_propagation_extreme){0};
    MS_TRY(ms_propagation_map_create(system, options, h, &map, error));
    extreme->n = ms_propagation_map_dimension(map);
    int status = refuse_nonlinear(map, error);
    MS_THEN(status, find(system, map, request, extreme, error));
    ms_propagation_map_destroy(&map);
    const int judged = status == MS_OK || status == MS_NOT_CONVERGED ? judge(extreme, error) : status;
    return judged != MS_OK ? judged : status;
}

void ms_propagation_extreme_destroy(ms_propagation_extreme *extreme)
{
    ms_arnoldi_destroy(&extreme->found);
    *extreme = (ms_propagation_extreme){0};
}
