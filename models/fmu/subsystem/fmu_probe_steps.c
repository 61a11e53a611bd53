/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe_steps.c - steps of other lengths. */
#include <math.h>
#include <string.h>

#include "fmu_prober.h"

enum { SMALL_STEPS = 256, ENOUGH = 32 };

/* The number of fewest decimals in (low, high], its ends blurred by round-off. */
static double plainest(double low, double high)
{
    for (int digits = 0; digits <= 12; digits++) {
        const double scale = pow(10.0, digits);
        const double value = floor(high * scale * (1.0 + 1e-12)) / scale;
        if (value > low * (1.0 + 1e-12))
            return value;
    }
    return high;
}

/* The distance of changes if some of many small steps change nothing at all [s]; NaN: all of them do, or none does: nearly all of the
 * first ones show it. The first small step, in which inputs jump, is ignored; between changes in small steps i and k there are n intervals of that
 * length. */
static double hidden_step(ms_fmu_prober *p)
{
    const double small = p->h / MS_FMU_SMALL;
    double low = 0.0, high = SMALL_STEPS * small;
    int moved = 0, first = 0, last = 0;
    int status = ms_fmu_prober_open(p, -1, 0.0);
    ms_fmu_prober_inputs(p, ms_fmu_held, 0.0);
    MS_THEN(status, ms_fmu_prober_look(p, p->v[0]));
    for (int k = 0; k < SMALL_STEPS && status == MS_OK; k++) {
        if (k == ENOUGH && moved > ENOUGH * 3 / 4)
            return NAN;
        status = ms_fmu_prober_step(p, k * small, small, 0);
        MS_THEN(status, ms_fmu_prober_look(p, p->v[1]));
        if (status != MS_OK || ms_fmu_prober_same(p, p->v[0], p->v[1]))
            continue;
        memcpy(p->v[0], p->v[1], sizeof *p->v[0] * (size_t)p->nv);
        if (k == 0)
            continue;
        if (moved++ == 0)
            first = k;
        last = k;
        if (moved > 1)
            low = fmax(low, (k - first - 1) * small / (moved - 1));
        if (moved > 1)
            high = fmin(high, (k - first + 1) * small / (moved - 1));
    }
    if (status != MS_OK || moved < 2 ||
        2 * moved >= last - first + 1) /* behind the last one it has settled */
        return NAN;
    return low < high ? plainest(low, high) : high;
}

void ms_fmu_probe_steps(ms_fmu_prober *p)
{
    ms_fmu_abilities *found = p->found;
    p->variable = p->flags->variable_step;
    if (!p->variable) {
        found->can.step = p->declared.can.step;
        found->can.several_steps = p->declared.can.several_steps;
        found->can.constant_step = p->declared.can.constant_step;
        return;
    }
    const bool halves = ms_fmu_prober_go(p, 0, ms_fmu_held, 0, 2, p->v[0]) == MS_OK;
    found->hidden_step = halves && p->nv > 0 ? hidden_step(p) : NAN;
    p->variable = halves && isnan(found->hidden_step);
    if (!halves)
        ms_fmu_prober_tell(p, MS_FMU_VARIABLE_STEP, "it refuses half of a step");
    if (!isnan(found->hidden_step)) {
        ms_fmu_prober_tell(p, MS_FMU_VARIABLE_STEP, "it takes steps of any length, and moves by %.6g s",
                           found->hidden_step);
        ms_fmu_prober_tell(p, MS_FMU_HIDDEN_STEP, "outputs change every %.6g s, however short the steps are",
                           found->hidden_step);
    }
    if (!p->variable)
        found->can.step = halves ? found->hidden_step : p->h;
    found->can.several_steps = found->can.step != 0.0;
}
