/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/error_norms.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/choices.h>
#include <macrostep/cosim.h>
#include <macrostep/options.h>
#include "error_sums.h"
#include "sample_queue.h"

/* (1 - sqrt(3/5)) / 2, 1/2, (1 + sqrt(3/5)) / 2 */
const double ms_gauss_fractions[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
const double ms_gauss_weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* Rules -------------------------------------------------------------------------------------------------- */

/* Of the integrals that are reported, what the rules of a level may leave open, relative to the integral. */
static const double TOLERANCE = 1e-6;

/* A macro-step counts as resolved by three Gauss points if Simpson's rule differs by less than this part: for
 * squares ~ 1 + cos(theta s), s in [0, 1], it does so by theta^4/2880, they by theta^6/2016000: 4e-7. */
static const double RESOLVED = 3e-4;

/* Fejer's second rule on [0, 1]: the n - 1 points (1 - cos(k pi/n))/2, n even. Those of n/2 are every other
 * one. */
static double fejer_weight(int n, int k)
{
    const double angle = acos(-1.0) * k / n;
    double sum = 0.0;
    for (int j = 1; j <= n / 2; j++)
        sum += sin((2 * j - 1) * angle) / (2 * j - 1);
    return 2.0 * sin(angle) / n * sum;
}

/* Three Gauss points, compared with Simpson's rule, which shares the middle. */
static void place_gauss(ms_error_rule *rule)
{
    *rule =
        (ms_error_rule){.n = 3, .other = {0.0, 2.0 / 3.0, 0.0}, .other_end = 1.0 / 6.0, .resolved = RESOLVED};
    memcpy(rule->at, ms_gauss_fractions, sizeof ms_gauss_fractions);
    memcpy(rule->weight, ms_gauss_weights, sizeof ms_gauss_weights);
}

/* Fejer's rule with n - 1 points, compared with that of n/2 - 1. */
static void place_fejer(int n, ms_error_rule *rule)
{
    *rule = (ms_error_rule){.n = n - 1};
    for (int k = 1; k < n; k++) {
        rule->at[k - 1] = 0.5 * (1.0 - cos(acos(-1.0) * k / n));
        rule->weight[k - 1] = fejer_weight(n, k);
        rule->other[k - 1] = k % 2 == 0 ? fejer_weight(n / 2, k / 2) : 0.0;
    }
}

static void place(int level, ms_error_rule *rule)
{
    if (level == MS_ERROR_AT_POINTS)
        *rule = (ms_error_rule){.n = 0};
    else if (level == 0)
        place_gauss(rule);
    else
        place_fejer(level == 1 ? 16 : MS_ERROR_POINTS + 1, rule);
}

/* The observer's parts ----------------------------------------------------------------------------------- */

/* What fmax would do, inline. */
static inline void raise_to(double *largest, double value)
{
    if (value > *largest)
        *largest = value;
}

/* Errors at a communication point. */
static void measure(ms_error_norms *errors, const ms_cosim *cosim)
{
    const double *reference = ms_reference_state(errors->reference);
    for (int j = 0; j < errors->nx; j++) {
        ms_state_errors *state = &errors->state[j];
        state->end = fabs(cosim->x[j] - reference[j]);
        raise_to(&state->max, state->end);
        raise_to(&errors->reference_scale, fabs(reference[j]));
        ms_error_scale_see(&errors->scale, j, reference[j]);
    }
    errors->reference_error = ms_reference_error(errors->reference);
}

static bool is_usable(const ms_error_norms *errors)
{
    return ms_reference_usable(ms_reference_error(errors->reference),
                               ms_reference_largest(errors->reference));
}

/* What is known is kept, as of what comes it may not be. */
static void keep(ms_error_norms *errors)
{
    if (!errors->known)
        return;
    for (int j = 0; j < errors->nx; j++) {
        const ms_state_errors *state = &errors->state[j];
        const ms_error_sums *s = &errors->sums[j];
        errors->kept[j] = (ms_error_kept){state->max, state->end, s->integral, s->open};
    }
    errors->kept_error = errors->reference_error;
    errors->kept_elapsed = errors->elapsed;
    errors->keeps = true;
}

/* All up to t has been added. */
static void note(ms_error_norms *errors, double t)
{
    errors->known = is_usable(errors);
    if (!errors->known)
        return;
    errors->keeps = false;
    errors->known_until = t;
}

/* At the end the last stored value is all there is. Is it more than the start? */
static bool take_kept(ms_error_norms *errors)
{
    for (int j = 0; j < errors->nx && errors->keeps; j++) {
        const ms_error_kept *from = &errors->kept[j];
        ms_error_sums *s = &errors->sums[j];
        errors->state[j] = (ms_state_errors){.max = from->max, .end = from->end};
        s->integral = from->integral;
        s->open = from->open;
    }
    if (errors->keeps) {
        errors->reference_error = errors->kept_error;
        errors->elapsed = errors->kept_elapsed;
    }
    return errors->elapsed > 0.0;
}

/* Adds a segment to the integrals. end (nx): the states at its end. */
static void integrate(ms_error_norms *errors, const ms_segment *segment, const double *end)
{
    const ms_error_rule *rule = &errors->rule;
    const double *state = ms_reference_state(errors->reference), *x[MS_ERROR_POINTS],
                 *reference[MS_ERROR_POINTS];
    for (int k = 0; k < rule->n; k++) {
        x[k] = segment->samples + (size_t)errors->sample[k] * (size_t)errors->nx;
        reference[k] = ms_reference_sample(errors->reference, k);
    }
    for (int j = 0; j < errors->nx; j++) {
        ms_error_sums s = errors->sums[j];
        for (int k = 0; k < rule->n; k++)
            ms_error_sums_add(&s, rule->weight[k] * segment->h, rule->other[k] * segment->h,
                              x[k][j] - reference[k][j], reference[k][j]);
        for (int k = 0; k < rule->n && errors->scale.low != NULL; k++)
            ms_error_scale_see(&errors->scale, j, reference[k][j]);
        ms_error_sums_close(&s, rule->resolved, rule->other_end * segment->h, end[j] - state[j], state[j]);
        errors->sums[j] = s;
    }
    errors->elapsed += segment->h;
}

/* Each subsystem on its own clock ----------------------------------------------------------------------- */

/* The samples and the end of a segment of one subsystem; next: where it goes on, or NULL. Those that meet take the same `now` for it: their
 * own t + h may differ by round-off, and the one that is behind would hold back what the others know. */
static int store(ms_error_norms *errors, const ms_cosim *cosim, const ms_segment *segment,
                 const ms_segment *next, double now)
{
    const ms_system *s = cosim->system;
    const ms_error_rule *rule = &errors->rule;
    const int i = segment->first, first = s->x_at[i], count = s->sub[i].nx;
    int status = MS_OK;
    for (int k = 0; k < rule->n && status == MS_OK; k++)
        status = ms_sample_queue_add(errors->queue, segment->t + rule->at[k] * segment->h,
                                     rule->weight[k] * segment->h, rule->other[k] * segment->h, first, count,
                                     segment->samples + errors->sample[k] * s->nx + first);
    errors->clock[i] = now;
    if (next != NULL && status == MS_OK) /* no communication point: a weight that adds nothing */
        return ms_sample_queue_add(errors->queue, next->t, DBL_MIN, rule->other_end * segment->h, first,
                                   count, next->start + first);
    return status == MS_OK ? ms_sample_queue_add(errors->queue, now, 0.0, rule->other_end * segment->h, first,
                                                 count, cosim->x + first)
                           : status;
}

static void compare(ms_error_norms *errors, const ms_sample *sample, const double *x)
{
    const double *reference = ms_reference_state(errors->reference) + sample->first;
    for (int j = 0; j < sample->count; j++) {
        ms_state_errors *state = &errors->state[sample->first + j];
        ms_error_sums *s = &errors->sums[sample->first + j];
        const double e = x[j] - reference[j];
        raise_to(&errors->reference_scale, fabs(reference[j]));
        ms_error_scale_see(&errors->scale, sample->first + j, reference[j]);
        if (sample->weight != 0.0) {
            ms_error_sums_add(s, sample->weight, sample->other, e, reference[j]);
            continue;
        }
        ms_error_sums_close(s, errors->rule.resolved, sample->other, e, reference[j]);
        state->end = fabs(e);
        raise_to(&state->max, state->end);
    }
}

/* Brings the reference to every sample before which no other can come. */
static int compare_until(ms_error_norms *errors, const ms_cosim *cosim)
{
    double until = errors->clock[0];
    const double *x;
    ms_sample sample;
    for (int i = 1; i < cosim->system->n; i++)
        until = fmin(until, errors->clock[i]);
    while (ms_sample_queue_take(errors->queue, until, &sample, &x)) {
        if (sample.t > errors->reached) {
            MS_TRY(ms_reference_step(errors->reference, errors->reached, sample.t - errors->reached));
            errors->reached = sample.t;
        }
        compare(errors, &sample, x);
    }
    errors->elapsed = until - cosim->variant.start_time;
    errors->reference_error = ms_reference_error(errors->reference);
    return MS_OK;
}

static int asynchronous_step(ms_error_norms *errors, const ms_cosim *cosim, double now)
{
    int status = MS_OK;
    keep(errors);
    for (int k = 0; k < cosim->n_segments; k++)
        for (int i = cosim->segment[k].first; i < cosim->segment[k].last && status == MS_OK; i++) {
            ms_segment one = cosim->segment[k];
            one.first = i;
            status = store(errors, cosim, &one, ms_cosim_next_segment(cosim, k, i), now);
        }
    return status == MS_OK ? compare_until(errors, cosim) : status;
}

/* The observer ------------------------------------------------------------------------------------------- */

static int errors_start(void *self, const ms_cosim *cosim, double t)
{
    ms_error_norms *errors = self;
    ms_sample_queue_clear(errors->queue);
    errors->reached = t;
    for (int i = 0; i < cosim->system->n; i++)
        errors->clock[i] = t;
    ms_reference_start(errors->reference);
    errors->max = errors->rmse = errors->end = errors->l2_normalized_mean = 0.0;
    errors->reference_scale = errors->elapsed = 0.0;
    ms_error_scale_start(&errors->scale);
    errors->status = MS_OK;
    errors->resolved = true;
    memset(errors->state, 0, sizeof *errors->state * (size_t)errors->nx);
    memset(errors->sums, 0, sizeof *errors->sums * (size_t)errors->nx);
    for (int k = 0; k < errors->rule.n; k++)
        errors->sample[k] = ms_cosim_sample_index(cosim, errors->rule.at[k]);
    measure(errors, cosim);
    for (int j = 0; j < errors->nx; j++)
        ms_error_sums_close(&errors->sums[j], 1.0, 0.0, errors->state[j].end,
                            ms_reference_state(errors->reference)[j]);
    errors->known = true; /* so far */
    errors->known_until = t;
    keep(errors);
    note(errors, t);
    return 0;
}

/* Of the macro-steps of all subsystems together, whose end is judged: where there are several segments that is not known before. */
static int synchronous_step(ms_error_norms *errors, const ms_cosim *cosim)
{
    for (int k = 0; k < cosim->n_segments; k++) {
        const ms_segment *segment = &cosim->segment[k];
        MS_TRY(ms_reference_step(errors->reference, segment->t, segment->h));
        if (k == 0 && (cosim->n_segments > 1 || !is_usable(errors)))
            keep(errors);
        integrate(errors, segment, k + 1 < cosim->n_segments ? segment[1].start : cosim->x);
    }
    measure(errors, cosim);
    return MS_OK;
}

static int errors_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_error_norms *errors = self;
    if (errors->status != MS_OK)
        return 0;
    errors->status =
        cosim->asynchronous ? asynchronous_step(errors, cosim, t + h) : synchronous_step(errors, cosim);
    if (errors->status == MS_OK)
        note(errors, t + h);
    return 0;
}

/* All errors NaN: the reference could not follow anywhere. */
static void give_up(ms_error_norms *errors)
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
static bool vanishes(const ms_error_norms *errors, int j)
{
    const double ref2 = errors->sums[j].integral[MS_REFERENCE2];
    return !(sqrt(ref2) > errors->reference_error * sqrt(errors->elapsed));
}

/* Are the integrals of state j known to the tolerance? Those of an error that is no more than the reference's
 * own need not be. */
static bool resolved(const ms_error_norms *errors, int j)
{
    const ms_error_sums *s = &errors->sums[j];
    const double noise = 50.0 * fmax(errors->reference_error, DBL_EPSILON * errors->reference_scale);
    if (!(s->integral[MS_ERROR2] > noise * noise * errors->elapsed))
        return true;
    return s->open[MS_ERROR2] <= TOLERANCE * s->integral[MS_ERROR2] &&
           (vanishes(errors, j) || s->open[MS_REFERENCE2] <= TOLERANCE * s->integral[MS_REFERENCE2]);
}

bool ms_error_scale_apply(const ms_error_scale *scale, int j, ms_state_errors *errors)
{
    const double of = scale->of[j];
    if (scale->by == MS_SCALE_NONE)
        return true;
    errors->max /= of;
    errors->rmse /= of;
    errors->end /= of;
    return !isnan(of);
}

/* Where no state has a scale, there are no largest errors. */
static void largest_of_none(ms_error_norms *errors, int scaled)
{
    if (errors->nx > 0 && scaled == 0)
        errors->max = errors->rmse = errors->end = NAN;
}

static void errors_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    ms_error_norms *errors = self;
    double sum = 0.0;
    int counted = 0, scaled = 0;
    if (errors->status == MS_OK && errors->known)
        errors->known_until = NAN;
    if (!isnan(errors->known_until) && !take_kept(errors)) {
        give_up(errors);
        return;
    }
    ms_error_scale_conclude(&errors->scale, errors->reference_error);
    for (int j = 0; j < errors->nx; j++) {
        ms_state_errors *state = &errors->state[j];
        const double e2 = errors->sums[j].integral[MS_ERROR2], ref2 = errors->sums[j].integral[MS_REFERENCE2];
        state->rmse = errors->elapsed > 0.0 ? sqrt(e2 / errors->elapsed) : 0.0;
        if (errors->level == MS_ERROR_AT_POINTS)
            state->rmse = NAN;
        state->l2 = vanishes(errors, j) ? NAN : sqrt(e2 / ref2);
        errors->resolved = errors->resolved && resolved(errors, j);
        if (ms_error_scale_apply(&errors->scale, j, state)) {
            errors->max = larger(errors->max, state->max);
            errors->rmse = larger(errors->rmse, state->rmse);
            errors->end = larger(errors->end, state->end);
            scaled++;
        }
        if (!vanishes(errors, j)) {
            sum += state->l2;
            counted++;
        }
    }
    errors->l2_normalized_mean = counted > 0 ? sum / counted : NAN;
    largest_of_none(errors, scaled);
}

/* The reference of a run that this cosim makes. */
static int create_reference(const ms_cosim *cosim, ms_shared_reference *shared, ms_error_norms *errors,
                            ms_error *error)
{
    const ms_reference_reading reading = {
        .n = cosim->asynchronous ? 0 : errors->rule.n, /* else it steps to each sample */
        .fractions = errors->rule.at,
        .uneven_steps =
            cosim->variant.control.error_controlled != MS_CONTROL_NONE || cosim->scheme->next_time != NULL,
        .span = cosim->variant.stop_time - cosim->variant.start_time,
        .shared = shared};
    return ms_reference_create_reading(cosim->system, &reading, &errors->reference, error);
}

int ms_error_norms_create(ms_cosim *cosim, int level, ms_shared_reference *shared, ms_error_norms *errors,
                          ms_observer *observer, ms_error *error)
{
    const size_t nx = (size_t)cosim->system->nx;
    *errors = (ms_error_norms){.nx = cosim->system->nx, .compared = cosim->system->nx, .level = level};
    place(level, &errors->rule);
    errors->state = calloc(nx + 1, sizeof *errors->state);
    errors->sums = calloc(nx + 1, sizeof *errors->sums);
    errors->kept = calloc(nx + 1, sizeof *errors->kept);
    errors->clock = calloc((size_t)cosim->system->n + 1, sizeof *errors->clock);
    errors->queue = ms_sample_queue_create();
    int status = ms_cosim_sample_states(cosim, errors->rule.n, errors->rule.at);
    if (status != MS_OK || errors->clock == NULL || errors->state == NULL || errors->sums == NULL ||
        errors->kept == NULL || errors->queue == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the errors of %d states", errors->nx);
    MS_THEN(status, ms_error_scale_create(cosim->system, cosim->options->error_scale, &errors->scale, error));
    MS_THEN(status, create_reference(cosim, shared, errors, error));
    if (status != MS_OK)
        ms_error_norms_destroy(errors);
    *observer = (ms_observer){.self = errors, .start = errors_start, .step = errors_step, .end = errors_end};
    return status;
}

/* All of them: a finer range is the larger one. */
static void take_scaled(ms_error_norms *errors, const ms_error_norms *finer)
{
    memcpy(errors->state, finer->state, sizeof *errors->state * (size_t)errors->nx);
    memcpy(errors->scale.of, finer->scale.of, sizeof *errors->scale.of * (size_t)errors->nx);
    errors->max = finer->max;
    errors->end = finer->end;
}

void ms_error_norms_take_integrals(ms_error_norms *errors, const ms_error_norms *finer)
{
    if (errors->scale.by == MS_SCALE_RANGE)
        take_scaled(errors, finer);
    for (int j = 0; j < errors->nx; j++) {
        errors->state[j].rmse = finer->state[j].rmse;
        errors->state[j].l2 = finer->state[j].l2;
    }
    errors->rmse = finer->rmse;
    errors->l2_normalized_mean = finer->l2_normalized_mean;
    errors->level = finer->level;
    errors->resolved = finer->resolved;
}

void ms_error_norms_destroy(ms_error_norms *errors)
{
    ms_reference_destroy(&errors->reference);
    ms_error_scale_destroy(&errors->scale);
    MS_FREE(errors->state, errors->sums, errors->kept, errors->clock);
    ms_sample_queue_destroy(&errors->queue);
    errors->clock = NULL;
    errors->state = NULL;
    errors->sums = NULL;
    errors->kept = NULL;
}

double ms_state_errors_norm(const ms_state_errors *errors, int norm)
{
    switch (norm) {
    case MS_NORM_RMSE:
        return errors->rmse;
    case MS_NORM_L2:
        return errors->l2;
    case MS_NORM_END:
        return errors->end;
    default:
        return errors->max;
    }
}

double ms_error_norms_of(const ms_error_norms *errors, int norm)
{
    const ms_state_errors total = {
        .max = errors->max, .rmse = errors->rmse, .l2 = errors->l2_normalized_mean, .end = errors->end};
    return ms_state_errors_norm(&total, norm);
}

double ms_error_norms_unit(const ms_error_norms *errors, int norm)
{
    if (norm != MS_NORM_L2)
        return ms_error_scale_unit(&errors->scale);
    return errors->reference_scale > 0.0 ? 1.0 / errors->reference_scale : 0.0;
}
