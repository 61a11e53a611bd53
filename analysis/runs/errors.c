#include "errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* (1 - sqrt(3/5)) / 2, 1/2, (1 + sqrt(3/5)) / 2 */
const double ms_gauss_fractions[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
const double ms_gauss_weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* Errors at a communication point. */
static void measure(ms_errors *errors, const ms_cosim *cosim)
{
    const double *reference = ms_reference_state(errors->reference);
    for (int j = 0; j < errors->nx; j++) {
        ms_state_errors *state = &errors->state[j];
        state->end = fabs(cosim->x[j] - reference[j]);
        state->max = fmax(state->max, state->end);
        errors->reference_scale = fmax(errors->reference_scale, fabs(reference[j]));
    }
    errors->reference_error = ms_reference_error(errors->reference);
}

/* Adds a segment to the integrals of e^2 and ref^2. */
static void integrate(ms_errors *errors, const ms_cosim *cosim, const ms_segment *segment)
{
    double *e2 = errors->integrals, *ref2 = e2 + errors->nx;
    for (int k = 0; k < 3; k++) {
        const double weight = ms_gauss_weights[k] * segment->h;
        const double *x =
            segment->samples + ms_cosim_sample_index(cosim, ms_gauss_fractions[k]) * errors->nx;
        const double *reference = ms_reference_sample(errors->reference, k);
        for (int j = 0; j < errors->nx; j++) {
            const double e = x[j] - reference[j];
            e2[j] += weight * e * e;
            ref2[j] += weight * reference[j] * reference[j];
        }
    }
    errors->elapsed += segment->h;
}

/* Each subsystem on its own clock ----------------------------------------------------------------------- */

/* The samples and the end of a segment of one subsystem. Those that meet take the same `now` for it: their
 * own t + h may differ by round-off, and the one that is behind would hold back what the others know. */
static int store(ms_errors *errors, const ms_cosim *cosim, const ms_segment *segment, double now)
{
    const ms_system *s = cosim->system;
    const int i = segment->first, first = s->x_at[i], count = s->sub[i].nx;
    int status = MS_OK;
    for (int k = 0; k < 3 && status == MS_OK; k++)
        status = ms_backlog_add(&errors->backlog, segment->t + ms_gauss_fractions[k] * segment->h,
                                ms_gauss_weights[k] * segment->h, first, count,
                                segment->samples +
                                    ms_cosim_sample_index(cosim, ms_gauss_fractions[k]) * s->nx + first);
    errors->clock[i] = now;
    return status == MS_OK
               ? ms_backlog_add(&errors->backlog, errors->clock[i], 0.0, first, count, cosim->x + first)
               : status;
}

static void compare(ms_errors *errors, const ms_sample *sample, const double *x)
{
    double *e2 = errors->integrals + sample->first, *ref2 = e2 + errors->nx;
    const double *reference = ms_reference_state(errors->reference) + sample->first;
    for (int j = 0; j < sample->count; j++) {
        ms_state_errors *state = &errors->state[sample->first + j];
        const double e = x[j] - reference[j];
        e2[j] += sample->weight * e * e;
        ref2[j] += sample->weight * reference[j] * reference[j];
        errors->reference_scale = fmax(errors->reference_scale, fabs(reference[j]));
        if (sample->weight == 0.0) {
            state->end = fabs(e);
            state->max = fmax(state->max, state->end);
        }
    }
}

/* Brings the reference to every sample before which no other can come. */
static int compare_until(ms_errors *errors, const ms_cosim *cosim)
{
    double until = errors->clock[0];
    const double *x;
    ms_sample sample;
    for (int i = 1; i < cosim->system->n; i++)
        until = fmin(until, errors->clock[i]);
    while (ms_backlog_take(&errors->backlog, until, &sample, &x)) {
        if (sample.t > errors->reached) {
            const int status =
                ms_reference_step(errors->reference, errors->reached, sample.t - errors->reached);
            if (status != MS_OK)
                return status;
            errors->reached = sample.t;
        }
        compare(errors, &sample, x);
    }
    errors->elapsed = until - cosim->options.start_time;
    errors->reference_error = ms_reference_error(errors->reference);
    return MS_OK;
}

static int apart_step(ms_errors *errors, const ms_cosim *cosim, double now)
{
    int status = MS_OK;
    for (int k = 0; k < cosim->n_segments; k++)
        for (int i = cosim->segment[k].first; i < cosim->segment[k].last && status == MS_OK; i++) {
            ms_segment one = cosim->segment[k];
            one.first = i;
            status = store(errors, cosim, &one, now);
        }
    return status == MS_OK ? compare_until(errors, cosim) : status;
}

/* The observer ------------------------------------------------------------------------------------------- */

static int errors_start(void *self, const ms_cosim *cosim, double t)
{
    ms_errors *errors = self;
    ms_backlog_clear(&errors->backlog);
    errors->reached = t;
    for (int i = 0; i < cosim->system->n; i++)
        errors->clock[i] = t;
    ms_reference_start(errors->reference);
    errors->max = errors->rmse = errors->end = errors->l2_normalized_mean = 0.0;
    errors->reference_scale = errors->elapsed = 0.0;
    errors->status = MS_OK;
    memset(errors->state, 0, sizeof *errors->state * (size_t)errors->nx);
    memset(errors->integrals, 0, sizeof(double) * 2 * (size_t)errors->nx);
    measure(errors, cosim);
    return 0;
}

static int errors_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_errors *errors = self;
    if (cosim->apart) {
        if (errors->status == MS_OK)
            errors->status = apart_step(errors, cosim, t + h);
        return 0;
    }
    for (int k = 0; k < cosim->n_segments && errors->status == MS_OK; k++) {
        const ms_segment *segment = &cosim->segment[k];
        errors->status = ms_reference_step(errors->reference, segment->t, segment->h);
        if (errors->status == MS_OK)
            integrate(errors, cosim, segment);
    }
    if (errors->status == MS_OK)
        measure(errors, cosim);
    return 0;
}

/* All errors NaN: the reference could not follow. */
static void give_up(ms_errors *errors)
{
    for (int j = 0; j < errors->nx; j++)
        errors->state[j] = (ms_state_errors){NAN, NAN, NAN, NAN};
    errors->max = errors->rmse = errors->end = errors->l2_normalized_mean = errors->reference_error = NAN;
}

/* The larger one; NaN where either is, unlike fmax. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* Is the reference of state j no more than its own error, as round-off where the solution is zero? */
static bool vanishes(const ms_errors *errors, int j)
{
    const double ref2 = errors->integrals[errors->nx + j];
    return !(sqrt(ref2) > errors->reference_error * sqrt(errors->elapsed));
}

static void errors_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    ms_errors *errors = self;
    const double *e2 = errors->integrals, *ref2 = e2 + errors->nx;
    double sum = 0.0;
    int counted = 0;
    if (errors->status != MS_OK) {
        give_up(errors);
        return;
    }
    for (int j = 0; j < errors->nx; j++) {
        ms_state_errors *state = &errors->state[j];
        state->rmse = errors->elapsed > 0.0 ? sqrt(e2[j] / errors->elapsed) : 0.0;
        state->l2 = vanishes(errors, j) ? NAN : sqrt(e2[j] / ref2[j]);
        errors->max = larger(errors->max, state->max);
        errors->rmse = larger(errors->rmse, state->rmse);
        errors->end = larger(errors->end, state->end);
        if (!vanishes(errors, j)) {
            sum += state->l2;
            counted++;
        }
    }
    errors->l2_normalized_mean = counted > 0 ? sum / counted : NAN;
}

int ms_errors_create(ms_cosim *cosim, ms_errors *errors, ms_observer *observer, ms_error *error)
{
    const size_t nx = (size_t)cosim->system->nx;
    *errors = (ms_errors){.nx = cosim->system->nx};
    errors->state = calloc(nx + 1, sizeof *errors->state);
    errors->integrals = calloc(2 * nx + 1, sizeof *errors->integrals);
    errors->clock = calloc((size_t)cosim->system->n + 1, sizeof *errors->clock);
    int status = ms_cosim_sample(cosim, 3, ms_gauss_fractions);
    if (status != MS_OK || errors->clock == NULL || errors->state == NULL || errors->integrals == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the errors of %d states", errors->nx);
    if (status == MS_OK)
        status = ms_reference_create(cosim->system, 3, ms_gauss_fractions, &errors->reference, error);
    if (status != MS_OK)
        ms_errors_destroy(errors);
    *observer = (ms_observer){.self = errors, .start = errors_start, .step = errors_step, .end = errors_end};
    return status;
}

void ms_errors_destroy(ms_errors *errors)
{
    ms_reference_destroy(&errors->reference);
    free(errors->state);
    free(errors->integrals);
    free(errors->clock);
    ms_backlog_destroy(&errors->backlog);
    errors->clock = NULL;
    errors->state = NULL;
    errors->integrals = NULL;
}

double ms_errors_norm(const ms_errors *errors, int norm)
{
    switch (norm) {
    case MS_NORM_RMSE:
        return errors->rmse;
    case MS_NORM_L2:
        return errors->l2_normalized_mean;
    case MS_NORM_END:
        return errors->end;
    default:
        return errors->max;
    }
}
