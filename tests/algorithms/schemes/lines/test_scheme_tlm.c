/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_tlm.c - delay lines in place of springs: by hand, the identities of a lossless line and its energy over random
 * networks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "cosim_segments.h"
#include "line_network.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { NETWORKS = 60, STEPS = 60, ENDS = 2 * SUPPORT_LINE_NETWORK_LINES, GAUSS = 8 };

/* What a run shows at communication points of each end: forces of the line on the body, velocities. */
typedef struct points {
    int ends;
    double force[STEPS + 1][ENDS], v[STEPS + 1][ENDS], elongation[STEPS + 1][ENDS / 2];
} points;

static const ms_port *port_of(const ms_system *s, int e)
{
    return ms_system_line_port(s, &s->line[e / 2], e % 2);
}

static void read_points(const ms_cosim *cosim, int n, points *p)
{
    const ms_system *s = cosim->system;
    p->ends = 2 * s->n_lines;
    for (int e = 0; e < p->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const int i = line->subsystem[e % 2];
        const ms_port *port = port_of(s, e);
        p->v[n][e] = cosim->y[s->y_at[i] + port->output];
        p->elongation[n][e / 2] = cosim->x[s->x_at[line->element]];
        p->force[n][e] = n > 0 ? port->gain * cosim->u_left[s->u_at[i] + port->input]
                               : (e % 2 == 0 ? 1.0 : -1.0) * cosim->y[s->y_at[line->element]];
    }
}

static double impedance(const ms_system *s, int e, double delay)
{
    return s->line[e / 2].stiffness * delay;
}

/* Laws of the line ----------------------------------------------------------------------------------------- */

/* A lossless line of d macro-steps: half the difference of its forces follows the spring by the trapezoidal rule, half their sum an
 * inertia of Z T; with d = 1 the element, where it is solved well enough, is that spring. */
static void check_line(const ms_system *s, const points *p, int line, int d, double h, bool follows)
{
    const int a = 2 * line, b = a + 1;
    const double Z = impedance(s, a, d * h);
    for (int n = d; n <= STEPS; n++) {
        const double scale =
            1.0 + Z * (fabs(p->v[n][a]) + fabs(p->v[n][b])) + fabs(p->force[n][a]) + fabs(p->force[n][b]);
        const double pull = 0.5 * (p->force[n][a] - p->force[n][b]),
                     pull_then = 0.5 * (p->force[n - d][a] - p->force[n - d][b]);
        const double sum = 0.5 * (p->force[n][a] + p->force[n][b]),
                     sum_then = 0.5 * (p->force[n - d][a] + p->force[n - d][b]);
        const double apart = p->v[n][b] - p->v[n][a], apart_then = p->v[n - d][b] - p->v[n - d][a];
        const double mean = p->v[n][b] + p->v[n][a], mean_then = p->v[n - d][b] + p->v[n - d][a];
        support_near(pull - pull_then, 0.5 * Z * (apart + apart_then), 1e-11 * scale);
        support_near(sum + sum_then, -0.5 * Z * (mean - mean_then), 1e-11 * scale);
        if (follows)
            support_near(s->line[line].stiffness * p->elongation[n][line], pull, 1e-10 * scale);
    }
}

static void a_line_is_a_spring_and_an_inertia(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    static const char *const solvers[] = {"exact", "rk4", "euler"};
    for (int k = 0; k < support_ensemble(NETWORKS); k++) {
        support_line_network network;
        points p = {0};
        ms_system *s = support_line_network_next(&seed, &network);
        const double h = 0.05 / network.fastest;
        const int d = 1 + k % 3;
        const ms_options options = support_options_of("scheme=tlm step-size=%.17g delay=%.17g solver=%s", h,
                                                      d == 1 ? 0.0 : d * h, solvers[k / 3 % 3]);
        ms_cosim *cosim = support_cosim(s, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        read_points(cosim, 0, &p);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
            read_points(cosim, n + 1, &p);
        }
        for (int l = 0; l < s->n_lines; l++)
            check_line(s, &p, l, d, h, d == 1 && k / 3 % 3 < 2);
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&s);
    }
}

/* Energy --------------------------------------------------------------------------------------------------- */

static const double gauss_at[GAUSS] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355,
                                       0.4082826787521751,   0.5917173212478249,  0.7627662049581645,
                                       0.8983332387068134,   0.98014492824876812};
static const double gauss_weight[GAUSS] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                                           0.18134189168918100, 0.18134189168918100, 0.15685332293894363,
                                           0.11119051722668724, 0.05061426814518813};

/* Waves of all ends over the macro-steps: at communication points, and integrals of their squares over each. Row d + n is macro-step
 * n; those before the start are constant. */
typedef struct waves {
    double at[2 * STEPS][ENDS], left[2 * STEPS][ENDS], arrived[2 * STEPS][ENDS];
} waves;

/* Macro-step n: what arrives is the line between two waves of d macro-steps before, what leaves follows from it and from v. */
static void follow(const ms_cosim *cosim, int d, int n, double h, waves *w)
{
    const ms_system *s = cosim->system;
    const ms_segment *segment = &cosim->segment[0];
    for (int e = 0; e < 2 * s->n_lines; e++) {
        const int i = s->line[e / 2].subsystem[e % 2], other = e ^ 1;
        const double Z = impedance(s, e, d * h), from = w->at[n][other], to = w->at[n + 1][other];
        w->left[d + n][e] = w->arrived[d + n][e] = 0.0;
        for (int g = 0; g < GAUSS; g++) {
            const double c = from + gauss_at[g] * (to - from),
                         v = segment->samples[g * s->nx + s->x_at[i] + 1];
            w->arrived[d + n][e] += h * gauss_weight[g] * c * c;
            w->left[d + n][e] += h * gauss_weight[g] * (-c + 2.0 * Z * v) * (-c + 2.0 * Z * v);
        }
        w->at[d + n + 1][e] = -to + 2.0 * Z * cosim->y[s->y_at[i] + port_of(s, e)->output];
    }
}

/* What the line holds after n macro-steps, and has lost up to then. */
static double line_energy(const ms_system *s, const waves *w, int d, int n, double h)
{
    double sum = 0.0;
    for (int e = 0; e < 2 * s->n_lines; e++)
        for (int k = n; k < n + d; k++)
            sum += w->left[k][e] / (4.0 * impedance(s, e, d * h));
    return sum;
}

static double line_loss(const ms_system *s, const waves *w, int d, int n, double h)
{
    double sum = 0.0;
    for (int e = 0; e < 2 * s->n_lines; e++)
        for (int k = 0; k < n; k++)
            sum += (w->left[k][e ^ 1] - w->arrived[d + k][e]) / (4.0 * impedance(s, e, d * h));
    return sum;
}

static void energy_drifts_by_what_lines_lose(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int k = 0; k < support_ensemble(NETWORKS); k++) {
        support_line_network network;
        waves w = {0};
        points p = {0};
        ms_system *s = support_line_network_next(&seed, &network);
        const double h = 0.2 / network.fastest;
        const int d = 1 + k % 3;
        const ms_options options = support_options_of("scheme=tlm step-size=%.17g delay=%.17g", h, d * h);
        ms_cosim *cosim = support_cosim(s, &options);
        assert_int_equal(ms_cosim_sample(cosim, GAUSS, gauss_at), MS_OK);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        read_points(cosim, 0, &p);
        for (int e = 0; e < p.ends; e++)
            for (int m = 0; m <= d; m++) {
                w.at[m][e] = -p.force[0][e] + impedance(s, e, d * h) * p.v[0][e];
                w.left[m][e] = m < d ? h * w.at[m][e] * w.at[m][e] : 0.0;
            }
        const double start = support_line_network_energy(&network, cosim->x) + line_energy(s, &w, d, 0, h);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
            ms_cosim_record_segment(cosim, 0, n * h, h);
            follow(cosim, d, n, h, &w);
            const double now = support_line_network_energy(&network, cosim->x) +
                               line_energy(s, &w, d, n + 1, h),
                         lost = line_loss(s, &w, d, n + 1, h);
            support_near(now + lost, start, 1e-12 * (1.0 + start));
        }
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&s);
    }
}

/* By hand -------------------------------------------------------------------------------------------------- */

/* Two free masses and a line: between seams c is a line, and m v' = c_0 + c_1 s - Z v has a closed solution. */
typedef struct by_hand {
    double T, Z, alpha, before[2]; /* what arrives before the first wave does */
    int n;
    double h, sent[2][STEPS + 1]; /* at communication points */
} by_hand;

/* The wave that end e sent at time t. */
static double wave_at(const by_hand *l, int e, double t)
{
    const int k = (int)floor(t / l->h + 1e-9);
    if (t < -1e-12)
        return l->before[1 - e];
    return k >= l->n ? l->sent[e][l->n]
                     : l->sent[e][k] + (t / l->h - k) * (l->sent[e][k + 1] - l->sent[e][k]);
}

static double arriving(const by_hand *l, int e, double t)
{
    return (1.0 - l->alpha) * wave_at(l, 1 - e, t - l->T) + l->alpha * wave_at(l, 1 - e, t - 1.5 * l->T);
}

/* v after h, in parts on each of which c is a line. */
static double advance(const by_hand *l, int e, double m, double t, double v)
{
    enum { PARTS = 20 }; /* seams are at multiples of h/20 */
    const double h = l->h / PARTS, r = l->Z / m, E = exp(-r * h);
    for (int q = 0; q < PARTS; q++) {
        const double inside = 1e-6 * h, a = arriving(l, e, t + q * h + inside),
                     b = arriving(l, e, t + (q + 1) * h - inside);
        const double slope = (b - a) / (h - 2.0 * inside), c = a - slope * inside;
        v = E * v + (1.0 - E) * c / l->Z + slope / l->Z * (h - (1.0 - E) / r);
    }
    return v;
}

static void check_by_hand(double ratio, double alpha, const char *start)
{
    static const char *const text =
        "{\"subsystems\": [{\"name\": \"a\", \"A\": [[0]], \"B\": [[2]], \"C\": [[1]], \"x0\": [3], "
        "\"ports\": "
        "[{\"name\": \"p\", \"input\": 0, \"output\": 0}]}, {\"name\": \"b\", \"A\": [[0]], \"B\": [[-4]], "
        "\"C\": [[1]], "
        "\"x0\": [-1], \"ports\": [{\"name\": \"p\", \"input\": 0, \"output\": 0, \"gain\": -1}]}], "
        "\"lines\": [{\"a\": \"a.p\", \"b\": \"b.p\", \"stiffness\": 5, \"elongation\": 0.3}]}";
    const double mass[2] = {0.5, 0.25}, h = 0.1;
    by_hand l = {.T = ratio * h, .Z = 5.0 * ratio * h, .alpha = alpha, .h = h};
    double v[2] = {3.0, -1.0};
    for (int e = 0; e < 2; e++) {
        const double spring = e == 0 ? 1.5 : -1.5, Zv = l.Z * v[e];
        l.sent[e][0] = start[0] == 's' ? Zv - spring : strcmp(start, "zero-force") == 0 ? Zv : 2.0 * Zv;
        l.before[1 - e] = start[0] == 's'                    ? Zv - spring
                          : strcmp(start, "zero-force") == 0 ? l.Z * v[1 - e]
                                                             : 0.0;
    }
    ms_model *model = support_model_read(text);
    ms_system *s = support_system_of(model);
    const ms_options options = support_options_of(
        "scheme=tlm step-size=%.17g delay=%.17g wave-damping=%g wave-start=%s", h, l.T, alpha, start);
    ms_cosim *cosim = support_cosim(s, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < STEPS; n++) {
        double next[2];
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        for (int e = 0; e < 2; e++)
            next[e] = advance(&l, e, mass[e], n * h, v[e]);
        for (int e = 0; e < 2; e++) {
            v[e] = next[e];
            l.sent[e][n + 1] = 2.0 * l.Z * v[e] - arriving(&l, e, (n + 1) * h - 1e-7 * h);
            support_near(cosim->y[e], v[e], 2e-5);
        }
        l.n = n + 1;
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

static void delays_that_are_no_whole_macro_steps_are_interpolated(void **state)
{
    (void)state;
    static const char *const starts[] = {"spring", "zero-force", "zero-wave"};
    static const double ratios[] = {1.0, 1.3, 2.0, 2.7, 5.0};
    for (int k = 0; k < MS_COUNT(starts); k++)
        for (int r = 0; r < MS_COUNT(ratios); r++)
            for (int damped = 0; damped < 2; damped++)
                check_by_hand(ratios[r], 0.2 * damped, starts[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_spring_and_an_inertia),
        cmocka_unit_test(energy_drifts_by_what_lines_lose),
        cmocka_unit_test(delays_that_are_no_whole_macro_steps_are_interpolated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
