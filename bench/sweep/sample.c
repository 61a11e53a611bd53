/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the sample");
}

/* Points ------------------------------------------------------------------------------------------------- */

/* One of the midpoints of 2^32 equal intervals, so that neither it nor its sum with a multiple of 2^-31 is an integer. */
static double draw(gsl_rng *rng)
{
    return ldexp((double)gsl_rng_get(rng) + 0.5, -32);
}

/* The library omits the first point, zero, without which 2^k points would not be evenly spread. */
static int draw_sobol(gsl_rng *rng, int n, int dimensions, double *u)
{
    double shift[MS_SOBOL_DIMENSIONS], point[MS_SOBOL_DIMENSIONS] = {0};
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
    MS_TRY_MEMORY(sobol != NULL);
    for (int d = 0; d < dimensions; d++)
        shift[d] = draw(rng);
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < dimensions; d++) {
            const double sum = point[d] + shift[d];
            *u++ = sum < 1.0 ? sum : sum - 1.0;
        }
        gsl_qrng_get(sobol, point);
    }
    gsl_qrng_free(sobol);
    return MS_OK;
}

static int draw_latin(gsl_rng *rng, int n, int dimensions, double *u)
{
    int *place = malloc(sizeof *place * (size_t)n);
    MS_TRY_MEMORY(place != NULL);
    for (int d = 0; d < dimensions; d++) {
        for (int k = 0; k < n; k++)
            place[k] = k;
        gsl_ran_shuffle(rng, place, (size_t)n, sizeof *place);
        for (int k = 0; k < n; k++)
            u[(size_t)k * (size_t)dimensions + (size_t)d] = (place[k] + draw(rng)) / n;
    }
    free(place);
    return MS_OK;
}

int ms_sample_points(int sampling, int n, int dimensions, int seed, double *u, ms_error *error)
{
    gsl_set_error_handler_off(); /* where memory is missing, NULL comes back */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    MS_TRY_MEMORY_OR(rng != NULL, no_memory(error));
    gsl_rng_set(rng, (unsigned long)seed);
    const int status = (sampling == MS_SAMPLING_SOBOL ? draw_sobol : draw_latin)(rng, n, dimensions, u);
    gsl_rng_free(rng);
    return status == MS_OK ? MS_OK : no_memory(error);
}

/* Draws -------------------------------------------------------------------------------------------------- */

static bool is_random(const ms_arguments *arguments, int setting)
{
    return arguments->distributions[setting].kind != MS_DISTRIBUTION_NONE;
}

static int take_quantiles(const ms_arguments *arguments, ms_sample *sample, ms_error *error)
{
    for (int s = 0, d = 0; s < arguments->n_settings; s++) {
        if (!is_random(arguments, s))
            continue;
        for (int k = 0; k < sample->n; k++) {
            double *value = &sample->value[(size_t)k * (size_t)sample->dimensions + (size_t)d];
            *value = ms_distribution_quantile(&arguments->distributions[s], *value);
            if (!isfinite(*value))
                return ms_fail(error, MS_INVALID,
                               "--set %s=%s: a draw is beyond the largest number; lognormal takes mean and "
                               "standard deviation of the logarithm",
                               arguments->settings[s].parameter, ms_arguments_setting_text(arguments, s));
        }
        d++;
    }
    return MS_OK;
}

int ms_sample_create(const ms_arguments *arguments, ms_sample *sample, ms_error *error)
{
    *sample = (ms_sample){.n = arguments->sample};
    for (int s = 0; s < arguments->n_settings; s++)
        sample->dimensions += is_random(arguments, s);
    if (sample->n == 0)
        return MS_OK;
    sample->value = calloc((size_t)sample->n * (size_t)sample->dimensions, sizeof *sample->value);
    MS_TRY_MEMORY_OR(sample->value != NULL, no_memory(error));
    MS_TRY(ms_sample_points(arguments->sampling, sample->n, sample->dimensions, arguments->seed,
                            sample->value, error));
    return take_quantiles(arguments, sample, error);
}

void ms_sample_destroy(ms_sample *sample)
{
    free(sample->value);
    *sample = (ms_sample){0};
}

void ms_sample_apply(const ms_sample *sample, const ms_arguments *arguments, int k, ms_setting *settings)
{
    const double *value = sample->value + (size_t)k * (size_t)sample->dimensions;
    for (int s = 0; s < arguments->n_settings; s++)
        if (is_random(arguments, s))
            settings[s].value = *value++;
}

void ms_sample_range(const ms_sample *sample, int dimension, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int k = 0; k < sample->n; k++) {
        const double value = sample->value[(size_t)k * (size_t)sample->dimensions + (size_t)dimension];
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
}

/* Quantiles ---------------------------------------------------------------------------------------------- */

double ms_sample_quantile(int n, const double *ascending, double p)
{
    const double place = p * (n - 1), part = place - floor(place);
    const int k = (int)floor(place);
    return part > 0.0 ? ascending[k] + part * (ascending[k + 1] - ascending[k]) : ascending[k];
}
