/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "error_sum.h"

#include <math.h>
#include <string.h>

#include <macrostep/execution.h>

/* The compared values of this process: states, or the outputs of its own subsystems. *n: their number. */
static const double *values_of(const ms_cosim *cosim, bool outputs, int *n)
{
    const ms_system *s = cosim->system;
    *n = outputs ? s->y_at[s->n - cosim->executor->part] : s->nx;
    return outputs ? cosim->y : cosim->x;
}

double ms_error_sum_add(const ms_cosim *cosim, const ms_error_sum *of, double sum, double *kept)
{
    int n;
    const double *v = values_of(cosim, of->outputs, &n), *w = kept;
    if (of->outputs && n > 0)
        ms_system_forget_jumps(cosim->system, v, kept);
    for (int j = 0; j < n; j++) {
        if (of->outputs && !isfinite(v[j]) && !cosim->system->carried[j])
            continue;
        const double delta = fabs(v[j] - w[j]) / of->divisor;
        const double ratio = delta / (of->atol + of->rtol * fabs(v[j]));
        sum += of->squares ? ratio * ratio : ratio;
    }
    return sum;
}

void ms_error_sum_keep(const ms_cosim *cosim, bool outputs, double *kept)
{
    int n;
    const double *values = values_of(cosim, outputs, &n);
    if (cosim->executor->state != NULL)
        cosim->executor->state->keep(cosim, outputs);
    else if (n > 0)
        memcpy(kept, values, sizeof *kept * (size_t)n);
}

double ms_error_sum_kept(const ms_cosim *cosim, const ms_error_sum *of, double *kept)
{
    return cosim->executor->state != NULL ? cosim->executor->state->error_sum(cosim, of)
                                          : ms_error_sum_add(cosim, of, 0.0, kept);
}
