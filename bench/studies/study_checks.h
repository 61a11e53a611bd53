/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_checks.h - the checks that most figures use, with published values by their keys in results/published.
 *
 *     ms_study_number(drawing, "order of convergence", "order", measured, 0.1, "Fitted over %d runs.", n);
 *     ms_study_claim(drawing, "power conserves the energy", "conserves", MS_REALS({"E(75 s)/E(0)", end}),
 *                    fabs(end - 1.0) < 0.02, "To the width of a line.");
 *
 * Measured values and tolerances are stolen; the note says why. */
#pragma once

#include <math.h>

#include "answer.h"
#include "drawing.h"

/* {"name": number, ..}, null for what is not finite: MS_REALS({"first", a}, {"second", b}). */
typedef struct ms_named_real {
    const char *name;
    double value;
} ms_named_real;

json_t *ms_reals_json(int n, const ms_named_real *values);
#define MS_REALS(...)                                                                                        \
    ms_reals_json(MS_COUNT(((const ms_named_real[]){__VA_ARGS__})), (const ms_named_real[]){__VA_ARGS__})

/* The same of whole numbers: MS_COUNTS({"steps", n}, {"rejected", m}). */
typedef struct ms_named_count {
    const char *name;
    json_int_t value;
} ms_named_count;

json_t *ms_counts_json(int n, const ms_named_count *values);
#define MS_COUNTS(...)                                                                                       \
    ms_counts_json(MS_COUNT(((const ms_named_count[]){__VA_ARGS__})), (const ms_named_count[]){__VA_ARGS__})

/* Widens [low, high] so that it holds the value; NaN changes nothing. */
static inline void ms_widen(double *low, double *high, double value)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* max |a_k - b_k| over n values; NaN is left out. */
double ms_largest_difference(size_t n, const double *a, const double *b);

/* Least and largest of n values (n > 0). */
void ms_extremes(long n, const double *values, double *low, double *high);

/* Reproduced where it holds, else it deviates. */
ms_verdict ms_verdict_of(bool holds);

/* A number: reproduced where |measured - published| <= tolerance. */
void ms_study_number(ms_drawing *drawing, const char *what, const char *key, double measured,
                     double tolerance, const char *note, ...) __attribute__((format(printf, 6, 7)));

/* A statement that holds or does not. */
void ms_study_claim(ms_drawing *drawing, const char *what, const char *key, json_t *measured, bool holds,
                    const char *note, ...) __attribute__((format(printf, 6, 7)));

/* A statement that the text does not determine: the measured value is recorded with it. */
void ms_study_undetermined(ms_drawing *drawing, const char *what, const char *key, json_t *measured,
                           const char *note, ...) __attribute__((format(printf, 5, 6)));
