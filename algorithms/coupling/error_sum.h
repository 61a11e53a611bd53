/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_sum.h - what step control sums up over values v and those of another solution. */
#ifndef MS_ERROR_SUM_H
#define MS_ERROR_SUM_H

#include <math.h>
#include <stdbool.h>

typedef struct ms_error_sum {
    bool outputs; /* values are outputs, else states */
    bool squares;
    double divisor, atol, rtol;
} ms_error_sum;

/* sum + sum_j of |v_j - w_j| / divisor / (atol + rtol |v_j|), or of squares of these, in the order of the n values. */
static inline double ms_error_sum_add(const ms_error_sum *of, double sum, int n, const double *v,
                                      const double *w)
{
    for (int j = 0; j < n; j++) {
        const double delta = fabs(v[j] - w[j]) / of->divisor;
        const double ratio = delta / (of->atol + of->rtol * fabs(v[j]));
        sum += of->squares ? ratio * ratio : ratio;
    }
    return sum;
}

#endif
