/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe_derivatives.c - directional derivatives and output derivatives, held against differences; whether outputs follow inputs. */
#include <math.h>

#include "fmu_prober.h"

/* dy/du by central differences, outputs at the start for other inputs, into D; its largest entry in *size. */
static int differences(ms_fmu_prober *p, double *D, double *size)
{
    const int nu = p->at->nu, ny = p->at->ny;
    int status = MS_OK;
    *size = 0.0;
    for (int i = 0; i < nu && status == MS_OK; i++) {
        const double move = ms_fmu_prober_move(p, i);
        for (int side = 0; side < 2 && status == MS_OK; side++) {
            status = ms_fmu_prober_open(p, i, side == 0 ? move : -move);
            MS_THEN(status, ms_fmu_prober_look(p, p->v[side]));
        }
        for (int j = 0; j < ny && status == MS_OK; j++) {
            D[j * nu + i] = move == 0.0 || !ms_fmu_prober_is_smooth(p, j)
                                ? 0.0
                                : (p->v[0][j] - p->v[1][j]) / (2.0 * move);
            *size = fmax(*size, fabs(D[j * nu + i]));
        }
    }
    return status;
}

static void try_directional(ms_fmu_prober *p)
{
    const int n = p->at->ny * p->at->nu;
    double *D = p->D, *by_differences = D + n, size, worst = 0.0;
    p->found->can.directional_derivatives = p->declared.can.directional_derivatives;
    if (!p->declared.can.directional_derivatives || n == 0 || differences(p, by_differences, &size) != MS_OK)
        return;
    const bool given =
        ms_fmu_prober_open(p, -1, 0.0) == MS_OK && ms_fmu_stepping_feed_through(&p->s, D) == MS_OK;
    for (int k = 0; k < n && given; k++) {
        const double d = fabs(D[k] - by_differences[k]);
        worst = isnan(d) ? INFINITY : fmax(worst, d);
    }
    p->found->can.directional_derivatives = given && worst <= MS_FMU_ALIKE * (1e-6 + size);
    if (!given)
        ms_fmu_prober_tell(p, MS_FMU_DIRECTIONAL, "directional derivatives are refused");
    else if (!p->found->can.directional_derivatives)
        ms_fmu_prober_tell(p, MS_FMU_DIRECTIONAL,
                           "dy/du differs from differences of outputs by %.3g, the largest being %.3g", worst,
                           size);
}

/* Do outputs follow inputs that are set without a step? They do where they depend on none. */
static void try_reevaluation(ms_fmu_prober *p)
{
    const int nu = p->at->nu, ny = p->at->ny;
    double size = 0.0, worst = 0.0, moved = 0.0;
    if (differences(p, p->D, &size) != MS_OK || ms_fmu_prober_open(p, -1, 0.0) != MS_OK)
        return;
    ms_fmu_prober_inputs(p, ms_fmu_still, 0.0);
    bool done = ms_fmu_prober_step(p, 0.0, p->h, 0) == MS_OK && ms_fmu_prober_look(p, p->v[0]) == MS_OK;
    ms_fmu_prober_inputs(p, ms_fmu_held, 0.0);
    done = done && (nu == 0 || ms_fmu_stepping_tell(&p->s, p->c) == MS_OK) &&
           ms_fmu_prober_look(p, p->v[1]) == MS_OK;
    for (int j = 0; j < ny && done; j++) {
        double expected = 0.0;
        for (int i = 0; i < nu; i++)
            expected += p->D[j * nu + i] * ms_fmu_prober_move(p, i);
        if (!ms_fmu_prober_is_smooth(p, j))
            continue;
        worst = fmax(worst, fabs(p->v[1][j] - p->v[0][j] - expected));
        moved = fmax(moved, fabs(expected));
    }
    p->found->can.reevaluate_outputs =
        done && (size == 0.0 || (moved > 0.0 && worst <= MS_FMU_ALIKE * moved));
    if (p->found->can.reevaluate_outputs)
        ms_fmu_prober_tell(p, MS_FMU_REEVALUATE,
                           size == 0.0
                               ? "outputs depend on no input directly, so that they need not follow them"
                               : "outputs follow inputs that are set without a step, which no flag declares");
}

/* y' after a step against the difference over a small one; the highest order that holds. */
static int output_order(ms_fmu_prober *p)
{
    const double small = p->h / MS_FMU_SMALL;
    double most = 0.0, worst = 0.0;
    if (ms_fmu_prober_open(p, -1, 0.0) != MS_OK)
        return 0;
    ms_fmu_prober_inputs(p, ms_fmu_held, 0.0);
    if (ms_fmu_stepping_derivatives(&p->s, 1, p->v[0]) != MS_OK) {
        ms_fmu_prober_tell(p, MS_FMU_OUTPUT_DERIVATIVES,
                           "output derivatives are refused, or not finite, at the start");
        return 0;
    }
    ms_fmu_prober_tell(p, MS_FMU_OUTPUT_DERIVATIVES,
                       "output derivatives are refused, or not finite, after a step");
    if (ms_fmu_prober_step(p, 0.0, p->h, 0) != MS_OK ||
        ms_fmu_stepping_derivatives(&p->s, 1, p->v[0]) != MS_OK)
        return 0;
    const bool second =
        p->declared.can.output_derivatives > 1 && ms_fmu_stepping_derivatives(&p->s, 2, p->v[3]) == MS_OK;
    if (ms_fmu_prober_look(p, p->v[1]) != MS_OK || p->found->can.step != 0.0 || p->found->can.constant_step)
        return second ? 2 : 1; /* nothing shorter to hold it against */
    if (ms_fmu_prober_step(p, p->h, small, 0) != MS_OK || ms_fmu_prober_look(p, p->v[2]) != MS_OK ||
        ms_fmu_stepping_derivatives(&p->s, 1, p->v[4]) != MS_OK)
        return 0;
    for (int k = 0; k < p->at->n_smooth; k++) { /* the mean of both ends: of second order */
        const int j = p->at->smooth_at[k];
        const double slope = (p->v[2][j] - p->v[1][j]) / small;
        worst = fmax(worst, fabs(0.5 * (p->v[0][j] + p->v[4][j]) - slope));
        most = fmax(most, fabs(slope));
    }
    ms_fmu_prober_tell(
        p, MS_FMU_OUTPUT_DERIVATIVES,
        "output derivatives differ from the change of outputs over a short step by %.3g, the largest being "
        "%.3g",
        worst, most);
    return worst > MS_FMU_ALIKE * most + 1e-6 ? 0 : second ? 2 : 1;
}

static void try_output_derivatives(ms_fmu_prober *p)
{
    const int declared = p->declared.can.output_derivatives;
    const int order = declared > 0 && p->at->ny > 0 ? output_order(p) : declared;
    p->found->can.output_derivatives = order;
    if (order == declared)
        ms_fmu_prober_tell(p, MS_FMU_OUTPUT_DERIVATIVES, "%s", "");
    else if (order > 0)
        ms_fmu_prober_tell(p, MS_FMU_OUTPUT_DERIVATIVES,
                           "second output derivatives are refused or not finite");
}

void ms_fmu_probe_derivatives(ms_fmu_prober *p)
{
    try_directional(p);
    try_reevaluation(p);
    try_output_derivatives(p);
}
