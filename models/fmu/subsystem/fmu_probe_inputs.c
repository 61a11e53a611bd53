/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe_inputs.c - the effect of inputs that are polynomials over a step.
 *
 * At some steps they have no effect, such as the first one of an FMU that begins with an event, or during sticking: then others are
 * tried. */
#include "fmu_prober.h"

/* By what part of what they do a cubic may differ from its halves: it tells it from a parabola. */
static const double ALIKE_CUBIC = 0.02;

static const int places[] = {0, 1, 4, 16}; /* steps ahead of the one that is looked at */
enum { PLACES = sizeof places / sizeof *places };

typedef enum response { NO_RESPONSE, INCONSISTENT, CONSISTENT } response;

/* Inputs with tau^degree: does it respond, on both sides, and do two half steps give the result of the whole one? They are small compared with
 * the values to which they are added, since the response of an equation that is even in its input is the same on both sides of 0. */
static response test_response(ms_fmu_prober *p, int ahead, int degree)
{
    static const double base[MS_FMU_ORDERS + 1] = {0.5};
    double up[MS_FMU_ORDERS + 1] = {0.5}, down[MS_FMU_ORDERS + 1] = {0.5};
    up[degree] = 0.125;
    down[degree] = -0.125;
    if (ms_fmu_prober_go(p, ahead, base, 0, 1, p->v[0]) != MS_OK)
        return NO_RESPONSE;
    if (ms_fmu_prober_go(p, ahead, up, degree, 1, p->v[1]) != MS_OK ||
        ms_fmu_prober_go(p, ahead, down, degree, 1, p->v[2]) != MS_OK)
        return INCONSISTENT;
    const double effect = ms_fmu_prober_apart(p, p->v[1], p->v[0]);
    if (effect == 0.0)
        return NO_RESPONSE;
    for (int j = 0; j < p->nv; j++) /* 2 v(0) - v(down): what the other side promises */
        p->v[2][j] = 2.0 * p->v[0][j] - p->v[2][j];
    if (!(ms_fmu_prober_apart(p, p->v[1], p->v[2]) <= 0.5 * effect))
        return INCONSISTENT;
    if (!p->variable)
        return CONSISTENT;
    const bool halves =
        ms_fmu_prober_go(p, ahead, up, degree, 2, p->v[3]) == MS_OK &&
        ms_fmu_prober_apart(p, p->v[1], p->v[3]) <= (degree < 3 ? MS_FMU_ALIKE : ALIKE_CUBIC) * effect;
    return halves ? CONSISTENT : INCONSISTENT;
}

static response test_degree(ms_fmu_prober *p, int degree)
{
    response worst = NO_RESPONSE;
    for (int k = 0; k < PLACES; k++) {
        const response found = test_response(p, places[k], degree);
        if (found == CONSISTENT)
            return CONSISTENT;
        worst = found == INCONSISTENT ? INCONSISTENT : worst;
    }
    return worst;
}

/* Inputs that nothing answers to may be anything. */
static bool answers(ms_fmu_prober *p)
{
    for (int k = 0; k < PLACES && p->at->nu > 0; k++)
        if (ms_fmu_prober_go(p, places[k], ms_fmu_still, 0, 1, p->v[0]) == MS_OK &&
            ms_fmu_prober_go(p, places[k], ms_fmu_held, 0, 1, p->v[1]) == MS_OK &&
            !ms_fmu_prober_same(p, p->v[0], p->v[1]))
            return true;
    return false;
}

void ms_fmu_probe_inputs(ms_fmu_prober *p)
{
    static const char *const called[] = {"", "linear", "quadratic", "cubic", "quartic"};
    const int declared = p->declared.can.input_degree;
    int *degree = &p->found->can.input_degree;
    response found = CONSISTENT;
    if (declared > 0 && !answers(p))
        *degree = declared;
    while (*degree < declared && (found = test_degree(p, *degree + 1)) == CONSISTENT)
        ++*degree;
    if (*degree >= 2 || *degree >= declared)
        return;
    ms_fmu_prober_tell(p, MS_FMU_INPUT_DEGREE,
                       found == NO_RESPONSE
                           ? "the %s part of inputs has no effect over a step"
                           : "a %s input over a step does not have the effect of its two halves",
                       called[*degree + 1]);
}
