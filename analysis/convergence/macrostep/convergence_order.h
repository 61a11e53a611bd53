/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convergence_order.h - observed orders of convergence. */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef enum ms_convergence_note {
    MS_CONVERGENCE_USED,
    MS_CONVERGENCE_PRE_ASYMPTOTIC, /* a local slope at this row or a finer one still differs from its
                                      neighbour's by more than 0.15 */
    MS_CONVERGENCE_FLOOR,  /* the error is at its floor, see ms_convergence_row, or (finest rows) it is
                             within 20 floors and the slope has left that of the rows before */
    MS_CONVERGENCE_FAILED, /* the run did not end, or the error is not finite */
    MS_CONVERGENCE_ZERO,   /* the error is zero */
    MS_CONVERGENCE_RISING, /* errors rise as steps become shorter: there is no order */
    /* Set by who knows more: */
    MS_CONVERGENCE_ROUND_OFF, /* the floor is that of round-off */
    MS_CONVERGENCE_UNSTABLE   /* the scheme is not zero-stable */
} ms_convergence_note;

typedef struct ms_convergence_row {
    double step_size, error; /* error: infinite where the run diverged, NaN where it did not end otherwise */
    double floor; /* below which the error means nothing: 50 times the reference's own error or round-off */
    /* Below which it means nothing from the row on that .. (0: nowhere) */
    double doubtful; /* does not fall at the rate that is expected, nor at that of the row before */
    double stalling; /* falls at less than half the rate of the row before, or of what is expected */
    double slope;    /* to the previous usable row, neither failed nor at its floor; NaN: none */
    ms_convergence_note note;
} ms_convergence_row;

typedef struct ms_convergence_order {
    double order;       /* least-squares slope of log error over log step, used rows; NaN: fewer than 2 */
    double first, last; /* range of step sizes that was used, the larger one first; NaN: none */
} ms_convergence_order;

/* "", "pre-asymptotic", "floor", "failed", "zero", "rising", "round-off", "unstable" */
const char *ms_convergence_note_name(ms_convergence_note note);

/* Fills slopes and notes of n rows that descend in step size, and fits. Where the finest run diverged while longer steps ended, or the
 * slope of the fit is below -0.15, errors rise: rows that would be used are `rising`, and there is no order. Nor is there one where the
 * finest slopes go to and fro by more than 0.15 and not less from row to row: all rows are `pre-asymptotic`. */
ms_convergence_order ms_convergence_fit(int n, ms_convergence_row *rows);

/* The same with the order that is expected, by which doubtful rows are judged; NaN: it is not known. */
ms_convergence_order ms_convergence_fit_expected(int n, ms_convergence_row *rows, double expected);

MS_C_LINKAGE_END
