/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_rho.h - the grid of explicit variants that several studies walk, and spectral radii over the step
 * size. */
#ifndef MS_MACROSTEP_RHO_H
#define MS_MACROSTEP_RHO_H

#include <math.h>

#include <macrostep/region.h>
#include "study.h"

/* Variants of the explicit schemes: execution, kind of outputs, smoothing, extrapolation of inputs. */
enum { EXECUTIONS = 2, OUTPUTS = 3, SMOOTHINGS = 3, INPUTS = 5 };
extern const char *const ms_execution_names[EXECUTIONS], *const ms_output_names[OUTPUTS],
                                                             *const ms_smoothing_kinds[SMOOTHINGS];

typedef struct ms_input_variant {
    const char *name, *key;
    int order;
    const char *derivatives;
} ms_input_variant;

extern const ms_input_variant ms_input_variants[INPUTS];

/* n points from least to largest in equal ratios. */
static inline void ms_fill_axis(int n, double least, double largest, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = least * pow(largest / least, (double)k / (n - 1));
}

/* rho(Psi) of the study's scheme at n step sizes (ascending, at most 256), and the critical ones up to the
 * largest, to be destroyed. Errors: MS_INVALID (more step sizes), those of ms_region_map and ms_region_critical. */
int ms_rho_measure(const ms_study *study, int n, const double *step, double largest, const ms_effort *effort,
                   double *rho, ms_critical *critical, ms_error *error);

/* Growth of the study's scheme from a random memory, without inputs from outside, less rho(Psi); settled: to 1e-6
 * within `longest` macro-steps. Errors: those of ms_growth_observe. */
int ms_rho_observe(const ms_study *study, double h, int longest, const volatile sig_atomic_t *stop,
                   double *off, bool *settled, ms_error *error);

/* A critical step size; "beyond 20" where none up to the end is unstable (NaN). */
json_t *ms_critical_json(double critical, double end);

#endif
