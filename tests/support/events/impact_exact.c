/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "impact_exact.h"

#include <math.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "extended_exponential.h"
#include "matrix.h"
#include "support.h"
#include "unit_test.h"

enum { N = 5 }; /* x1, v1, x2, v2, 1 */
enum { NONE, IMPACT, SWITCH, TIME, BOTH };

/* x' = M x with the last component 1. acts: the stop's spring, or the force. */
static void monolithic(const ms_system *s, bool acts, double M[N * N])
{
    const int event = (int)support_value(s, "event");
    const double m1 = support_value(s, "m1"), m2 = support_value(s, "m2"), c2 = support_value(s, "c2"),
                 d2 = support_value(s, "d2");
    const bool spring = acts && event == SWITCH;
    const double k = spring ? support_value(s, "k") : 0.0;
    double push = spring ? k * support_value(s, "s") - support_value(s, "preload") : 0.0;
    if (acts && event == TIME)
        push = support_value(s, "force");
    const double rows[N * N] = {0.0,
                                1.0,
                                0.0,
                                0.0,
                                0.0,
                                -(support_value(s, "c1") + c2 + k) / m1,
                                -(support_value(s, "d1") + d2) / m1,
                                c2 / m1,
                                d2 / m1,
                                push / m1,
                                0.0,
                                0.0,
                                0.0,
                                1.0,
                                0.0,
                                c2 / m2,
                                d2 / m2,
                                -(support_value(s, "c3") + c2) / m2,
                                -(support_value(s, "d3") + d2) / m2,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                0.0,
                                0.0};
    memcpy(M, rows, sizeof rows);
}

static void flow(const double M[N * N], const double from[N], double t, double to[N])
{
    double E[N * N];
    support_exponential(N, M, t, E);
    ms_matrix_multiply(N, N, E, from, to);
}

/* Distances to the events that are possible, positive before them. */
static void distances(const ms_system *s, bool acts, double t, const double x[N], double r[2])
{
    const int event = (int)support_value(s, "event");
    r[0] = r[1] = 1.0;
    if (event == IMPACT || event == BOTH)
        r[0] = support_value(s, "s") - x[0];
    if (event == SWITCH)
        r[0] = acts ? x[0] - support_value(s, "s") : support_value(s, "s") - x[0];
    if (event == TIME && !acts)
        r[0] = support_value(s, "event_time") - t;
    if (event == BOTH)
        r[1] = x[2] - support_value(s, "s2");
}

support_impact_solution support_impact_exact(const ms_system *s, double end)
{
    enum { GRID = 4000 };
    support_impact_solution out = {{0.0}, 0, {0.0}};
    const double step = end / GRID;
    double x[N] = {support_value(s, "x1_start"), 0.0, 0.0, 0.0, 1.0}, M[N * N], y[N], r[2];
    double t = 0.0;
    bool acts = false;
    while (t < end) {
        monolithic(s, acts, M);
        double low = 0.0, high = 0.0;
        int which = -1;
        while (t + high < end && which < 0) { /* the step in which a distance becomes negative */
            low = high;
            high = fmin(end - t, high + step);
            flow(M, x, high, y);
            distances(s, acts, t + high, y, r);
            which = r[0] < 0.0 && low > 0.0 ? 0 : r[1] < 0.0 && low > 0.0 ? 1 : -1;
        }
        for (int k = 0; k < 80 && which >= 0; k++) {
            const double middle = 0.5 * (low + high);
            flow(M, x, middle, y);
            distances(s, acts, t + middle, y, r);
            if (r[which] < 0.0)
                high = middle;
            else
                low = middle;
        }
        flow(M, x, high, y);
        memcpy(x, y, sizeof x);
        t = which >= 0 ? t + high : end;
        if (which < 0)
            break;
        assert_true(out.n_events < SUPPORT_IMPACT_EVENTS_MAX);
        out.event[out.n_events++] = t;
        const int event = (int)support_value(s, "event");
        acts = event == SWITCH ? !acts : event == TIME;
        if (event == IMPACT || event == BOTH)
            x[which == 0 ? 1 : 3] *= -support_value(s, "e");
    }
    memcpy(out.x, x, sizeof out.x);
    return out;
}

ms_cosim *support_impact_run(const ms_system *system, const ms_options *options, int n)
{
    ms_cosim *cosim = support_cosim(system, options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int k = 0; k <= n; k++)
        assert_int_equal(ms_cosim_step(cosim, k * options->step_size, options->step_size), MS_OK);
    return cosim;
}

ms_options support_impact_options(const char *text, double step)
{
    ms_options options = support_options(text);
    options.step_size = step;
    return options;
}

int support_impact_step(double event, double step)
{
    return (int)floor(event / step);
}
