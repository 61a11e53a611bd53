/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation.c - results from the propagation matrix by formula or probe: its spectral radius, by formula if there is one, and
 * whether formula and probe agree. */
#include <macrostep/propagation.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/options.h>
#include <macrostep/spectrum.h>

static int radius_by_formula(ms_analytic_propagation *formula, double h, double *radius)
{
    const int n = ms_analytic_propagation_dimension(formula);
    const size_t size = (size_t)n * (size_t)n;
    double *psi = malloc(sizeof(double) * (size + (size_t)ms_spectrum_work(n) + 1));
    MS_TRY_MEMORY(psi != NULL);
    const int status = ms_analytic_propagation_evaluate(formula, h, psi);
    *radius = status == MS_OK ? ms_spectrum_radius(n, psi, psi + size) : NAN;
    free(psi);
    return status;
}

static int radius_by_probe(const ms_system *system, const ms_options *options, double h, int largest,
                           double *radius)
{
    int n = 0;
    double *psi = NULL;
    int status = ms_propagation_probe(system, options, h, &n, &psi, NULL);
    if (status == MS_OK && n <= largest) {
        double *work = malloc(sizeof(double) * (size_t)ms_spectrum_work(n));
        status = work != NULL ? MS_OK : MS_NO_MEMORY;
        *radius = work != NULL ? ms_spectrum_radius(n, psi, work) : NAN;
        free(work);
    }
    free(psi);
    return status;
}

static int find_radius(const ms_system *system, const ms_options *options, double h, int largest,
                       double *radius)
{
    ms_analytic_propagation *formula;
    if (!system->linear || options->control.error_controlled != MS_CONTROL_NONE || !(h >= 0.0))
        return MS_UNSUPPORTED;
    if (system->nx + system->ny > largest)
        return MS_UNSUPPORTED;
    int status = ms_analytic_propagation_create(system, options, &formula, NULL);
    if (status == MS_UNSUPPORTED && h > 0.0)
        return radius_by_probe(system, options, h, largest, radius);
    if (status != MS_OK)
        return status;
    if (ms_analytic_propagation_dimension(formula) <= largest)
        status = radius_by_formula(formula, h, radius);
    ms_analytic_propagation_destroy(&formula);
    return status;
}

/* Keeps errno consistent with the status: the C library may set ENOMEM and then find memory elsewhere. */
double ms_propagation_radius(const ms_system *system, const ms_options *options, double h, int largest)
{
    double radius = NAN;
    errno = find_radius(system, options, h, largest, &radius) == MS_NO_MEMORY ? ENOMEM : 0;
    return radius;
}

int ms_propagation_check(const ms_system *system, const ms_options *options, double h, ms_error *error)
{
    ms_analytic_propagation *formula = NULL;
    ms_error why;
    double *psi = NULL, *probe = NULL;
    int n = 0,
        status = h > 0.0 ? ms_analytic_propagation_create(system, options, &formula, &why) : MS_UNSUPPORTED;
    if (status == MS_OK) {
        const size_t rows = (size_t)ms_analytic_propagation_dimension(formula);
        psi = malloc(sizeof *psi * (rows * rows + 1));
        status = psi != NULL ? ms_analytic_propagation_evaluate(formula, h, psi) : MS_NO_MEMORY;
    }
    MS_THEN(status, ms_propagation_probe(system, options, h, &n, &probe, &why));
    const bool both = status == MS_OK;
    if (both)
        status = ms_analytic_propagation_compare(formula, h, psi, n, probe, error);
    else if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to compare formula and probe");
    else
        status = MS_OK;
    ms_analytic_propagation_destroy(&formula);
    MS_FREE(psi, probe);
    return status;
}
