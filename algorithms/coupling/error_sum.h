/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_sum.h - sums for step-size control over values v of a co-simulation and those of another solution. */
#pragma once

#include <macrostep/cosim.h>

typedef struct ms_error_sum {
    bool outputs; /* values are outputs, else states */
    bool squares;
    double divisor, atol, rtol;
} ms_error_sum;

/* sum + sum_j of |v_j - w_j| / divisor / (atol + rtol |v_j|), or of squares of these, in the order of v. v are the present
 * values of this process: states, or the outputs of its own subsystems; w are the stored ones. Outputs that jump are
 * excluded: their w becomes v. */
double ms_error_sum_add(const ms_cosim *cosim, const ms_error_sum *of, double sum, double *kept);

/* For step-size control: stores the present values, kept (nx or ny); values in other processes are stored there. The sum over
 * them and the values stored before has the bits of a serial one. */
void ms_error_sum_keep(const ms_cosim *cosim, bool outputs, double *kept);
double ms_error_sum_kept(const ms_cosim *cosim, const ms_error_sum *of, double *kept);
