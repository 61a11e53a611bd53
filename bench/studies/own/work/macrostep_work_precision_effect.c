/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error over work of runs, and what C1 smoothing costs and saves (macrostep_work_precision.h). */
#include <math.h>
#include <stdbool.h>

#include "macrostep_work_precision.h"
#include "study_work.h"

static const double ERROR_MAX = 0.5; /* above it nothing has been solved */
static const double RANGE_MIN = 2.0; /* of a common range, its ends' quotient */

static bool counts(const ms_work_point *p)
{
    return isfinite(p->evaluations) && p->error > 0.0 && p->error <= ERROR_MAX;
}

ms_work_point ms_work_point_of(double setting, const ms_simulation *run)
{
    if (!run->errors_valid)
        return (ms_work_point){setting, NAN, NAN, NAN};
    return (ms_work_point){setting, (double)run->result.macro_steps, (double)run->result.integrations,
                           run->errors.l2_normalized_mean};
}

double ms_curve_work_at(const ms_work_curve *curve, double error)
{
    double work[MS_SETTINGS], errors[MS_SETTINGS];
    for (int k = 0; k < MS_SETTINGS; k++) {
        work[k] = curve->point[k].evaluations;
        errors[k] = curve->point[k].error;
    }
    return ms_work_at(MS_SETTINGS, work, errors, error);
}

void ms_work_write(ms_data *data, int n, const double *first, const ms_work_curve *curve, double largest)
{
    for (int k = 0; k < MS_SETTINGS; k++) {
        const ms_work_point *p = &curve->point[k];
        if (!(p->error <= largest))
            continue;
        ms_data_cells(data, n, first);
        ms_data_cells(data, 4, (const double[]){p->setting, p->steps, p->evaluations, p->error});
    }
    ms_data_break(data);
}

/* Least and largest error of the points that count. */
static void range_of(const ms_work_curve *curve, double range[2])
{
    range[0] = INFINITY;
    range[1] = 0.0;
    for (int k = 0; k < MS_SETTINGS; k++)
        if (counts(&curve->point[k]))
            ms_widen(&range[0], &range[1], curve->point[k].error);
}

typedef struct mean {
    double sum, low, high;
    int n;
} mean;

static void include(mean *m, double quotient)
{
    m->low = m->n > 0 ? fmin(m->low, quotient) : quotient;
    m->high = m->n > 0 ? fmax(m->high, quotient) : quotient;
    m->sum += log(quotient);
    m->n++;
}

static void finish(const mean *m, double of[3])
{
    of[0] = m->n > 0 ? m->low : NAN;
    of[1] = m->n > 0 ? exp(m->sum / m->n) : NAN;
    of[2] = m->n > 0 ? m->high : NAN;
}

ms_smoothing_effect ms_smoothing_effect_of(const ms_work_curve *without, const ms_work_curve *with)
{
    ms_smoothing_effect effect = {.levels = {NAN, NAN}};
    mean work = {0}, error = {0}, equal = {0};
    double a[2], b[2];
    for (int k = 0; k < MS_SETTINGS; k++)
        if (counts(&without->point[k]) && counts(&with->point[k])) {
            include(&work, with->point[k].evaluations / without->point[k].evaluations);
            include(&error, with->point[k].error / without->point[k].error);
        }
    range_of(without, a);
    range_of(with, b);
    const double low = fmax(a[0], b[0]), high = fmin(a[1], b[1]);
    for (int k = 0; k < MS_LEVELS && high >= RANGE_MIN * low; k++) {
        const double z = (double)k / (MS_LEVELS - 1),
                     level = k == MS_LEVELS - 1 ? high : low * pow(high / low, z);
        include(&equal, ms_curve_work_at(with, level) / ms_curve_work_at(without, level));
        effect.levels[0] = low;
        effect.levels[1] = high;
    }
    finish(&work, effect.work);
    finish(&error, effect.error);
    finish(&equal, effect.equal);
    return effect;
}
