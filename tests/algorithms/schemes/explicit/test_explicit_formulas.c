/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_formulas.c - the engine against schemes written down by hand for two coupled scalar systems.
 *
 *     xi' = ai xi + bi ui,   yi = ci xi + di ui,   u1 = y2, u2 = y1        (linear-pair: Andersson 6.24-6.26)
 *
 * Nothing here knows of weights, slots or augmented exponentials: the formulas are those of the paper, and for
 * Gauss-Seidel the same with the newest outputs of those that have stepped, with K1, K2 from A^-1 as printed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "support.h"
#include "unit_test.h"

enum { MACRO_STEPS = 40 };

static const double a[2] = {-1.0, -1.0}, b[2] = {1.0, 3.0}, c[2] = {1.0, -5.0};

typedef struct pair {
    double H, d[2];
    double x[2], y[2], y1[2], y2[2]; /* y at T_n, T_{n-1}, T_{n-2} */
    double dy[2], ddy[2];            /* y', y'' at T_n */
    double u[2], du[2];              /* smoothed inputs and slopes at T_n (6.71) */
    int steps;                       /* done */
} pair;

/* The input of a subsystem: v + s tau + q tau^2 / 2. */
typedef struct parabola {
    double v, s, q;
} parabola;

/* x(H) = e^{aH} x + int_0^H e^{a(H - tau)} b u(tau) dtau. */
static double integrate(const pair *p, int i, parabola u)
{
    const double z = a[i] * p->H, e = exp(z);
    const double K1 = (e - 1.0) / a[i] * b[i];               /* (6.12) without L */
    const double HK2 = (e - 1.0 - z) / (a[i] * a[i]) * b[i]; /* (6.35) times H, without L */
    const double K = (e - 1.0 - z - 0.5 * z * z) / (a[i] * a[i] * a[i]) * b[i];
    return e * p->x[i] + K1 * u.v + HK2 * u.s + K * u.q;
}

static double value(parabola u, double tau)
{
    return u.v + u.s * tau + 0.5 * u.q * tau * tau;
}

static double slope(parabola u, double tau)
{
    return u.s + u.q * tau;
}

/* y = (I - D L)^-1 z. */
static void solve(const double d[2], const double z[2], double y[2])
{
    const double det = 1.0 - d[0] * d[1], z0 = z[0], z1 = z[1];
    y[0] = (z0 + d[0] * z1) / det;
    y[1] = (z1 + d[1] * z0) / det;
}

/* What a scheme does with raw outputs, given the inputs of the step. */
enum { INCONSISTENT, CONSISTENT, CORRECTED };

/* New states and outputs under inputs u of both (Algorithms 3, 4, 5, and 6 where `derivatives`). */
static void finish(pair *p, const double x[2], const parabola u[2], int outputs, int derivatives)
{
    double raw[2], z[2], dz[2], ddz[2], y[2], dx[2];
    for (int i = 0; i < 2; i++) {
        p->x[i] = x[i];
        raw[i] = c[i] * x[i] + p->d[i] * value(u[i], p->H);
        z[i] = raw[i] - p->d[i] * value(u[i], p->H);
    }
    p->steps++;
    memcpy(p->y2, p->y1, sizeof p->y);
    memcpy(p->y1, p->y, sizeof p->y);
    solve(p->d, z, y);
    for (int i = 0; i < 2; i++)
        p->y[i] = outputs == INCONSISTENT ? raw[i] : y[i];
    for (int i = 0; i < 2 && derivatives > 0; i++) { /* f at the inputs as they are in the subsystem */
        dx[i] = a[i] * x[i] + b[i] * (outputs == CONSISTENT ? y[1 - i] : value(u[i], p->H));
        dz[i] = c[i] * dx[i];
    }
    if (derivatives > 0)
        solve(p->d, dz, p->dy);
    for (int i = 0; i < 2 && derivatives > 1; i++) {
        const double du = outputs == CONSISTENT ? p->dy[1 - i] : slope(u[i], p->H);
        ddz[i] = c[i] * (a[i] * dx[i] + b[i] * du);
    }
    if (derivatives > 1)
        solve(p->d, ddz, p->ddy);
    for (int i = 0; i < 2 && derivatives > 0 && outputs == INCONSISTENT; i++) { /* (6.43c) */
        p->dy[i] = dz[i] + p->d[i] * slope(u[i], p->H);
        p->ddy[i] = derivatives > 1 ? ddz[i] + p->d[i] * u[i].q : 0.0;
    }
}

/* Exact consistent values and ghosts y(-H), y(-2H) by Taylor's formula. */
static pair start(double H, double d1, double d2, int order)
{
    pair p = {.H = H, .d = {d1, d2}, .x = {1.0, 1.0}};
    double z[2], dx[2];
    for (int i = 0; i < 2; i++)
        z[i] = c[i] * p.x[i];
    solve(p.d, z, p.y);
    for (int i = 0; i < 2; i++)
        z[i] = c[i] * (dx[i] = a[i] * p.x[i] + b[i] * p.y[1 - i]);
    solve(p.d, z, p.dy);
    for (int i = 0; i < 2; i++)
        z[i] = c[i] * (a[i] * dx[i] + b[i] * p.dy[1 - i]);
    solve(p.d, z, p.ddy);
    for (int i = 0; i < 2; i++) {
        const double curve = order > 1 ? p.ddy[i] : 0.0;
        p.y1[i] = p.y[i] - H * p.dy[i] + 0.5 * H * H * curve;
        p.y2[i] = p.y[i] - 2.0 * H * p.dy[i] + 2.0 * H * H * curve;
        p.u[i] = p.y[1 - i];
        p.du[i] = p.dy[1 - i];
    }
    return p;
}

/* Jacobi ------------------------------------------------------------------------------------------------- */

static void jacobi(pair *p, const parabola u[2], int outputs, int derivatives)
{
    const double x[2] = {integrate(p, 0, u[0]), integrate(p, 1, u[1])};
    finish(p, x, u, outputs, derivatives);
}

/* (6.8), (6.19), Algorithm 5 */
static void constant(pair *p, int outputs)
{
    jacobi(p, (const parabola[]){{p->y[1], 0.0, 0.0}, {p->y[0], 0.0, 0.0}}, outputs, 0);
}

/* (6.36), (6.37), (6.47) */
static void linear_past(pair *p, int outputs)
{
    const parabola u[2] = {{p->y[1], (p->y[1] - p->y1[1]) / p->H, 0.0},
                           {p->y[0], (p->y[0] - p->y1[0]) / p->H, 0.0}};
    jacobi(p, u, outputs, 0);
}

/* (6.43), Algorithm 6 */
static void linear_analytic(pair *p, int outputs)
{
    jacobi(p, (const parabola[]){{p->y[1], p->dy[1], 0.0}, {p->y[0], p->dy[0], 0.0}}, outputs, 1);
}

static void quadratic_analytic(pair *p, int outputs)
{
    jacobi(p, (const parabola[]){{p->y[1], p->dy[1], p->ddy[1]}, {p->y[0], p->dy[0], p->ddy[0]}}, outputs, 2);
}

/* The parabola through three points: slope (3 y_n - 4 y_{n-1} + y_{n-2})/2H at T_n. */
static parabola through(const pair *p, int j)
{
    const double H = p->H, curve = (p->y[j] - 2.0 * p->y1[j] + p->y2[j]) / (H * H);
    return (parabola){p->y[j], (3.0 * p->y[j] - 4.0 * p->y1[j] + p->y2[j]) / (2.0 * H), curve};
}

static void quadratic_past(pair *p, int outputs)
{
    jacobi(p, (const parabola[]){through(p, 1), through(p, 0)}, outputs, 0);
}

/* (6.30) */
static void quadratic_printed(pair *p, int outputs)
{
    parabola u[2] = {through(p, 1), through(p, 0)};
    for (int i = 0; i < 2; i++)
        u[i].s = (p->y[1 - i] - p->y1[1 - i]) / p->H;
    jacobi(p, u, outputs, 0);
}

/* (6.71), (6.80), Algorithm 7 (with the division by H that line 18 misses). printed: outputs of (6.73c). */
static void smoothed_as(pair *p, int outputs, bool printed)
{
    const parabola u[2] = {{p->u[0], p->du[0], 0.0}, {p->u[1], p->du[1], 0.0}};
    jacobi(p, u, outputs, 1);
    for (int i = 0; i < 2; i++) {
        p->u[i] = value(u[i], p->H); /* (6.71d) */
        if (printed)
            p->y[i] += p->d[i] * (u[i].v - p->u[i]);
    }
    for (int i = 0; i < 2; i++)
        p->du[i] = (p->y[1 - i] + p->H * p->dy[1 - i] - p->u[i]) / p->H;
}

static void smoothed_derived(pair *p, int outputs)
{
    smoothed_as(p, outputs, false);
}

static void smoothed_printed(pair *p, int outputs)
{
    smoothed_as(p, outputs, true);
}

/* Gauss-Seidel ------------------------------------------------------------------------------------------- */

/* Subsystem 1 steps first under `first`; subsystem 2 then under an input that ends at the newest raw y1. */
static void seidel(pair *p, parabola first, parabola (*newest)(const pair *, double), int outputs,
                   int derivatives)
{
    const double x1 = integrate(p, 0, first), raw = c[0] * x1 + p->d[0] * value(first, p->H);
    const parabola u[2] = {first, newest(p, raw)};
    const double x[2] = {x1, integrate(p, 1, u[1])};
    finish(p, x, u, outputs, derivatives);
}

static parabola newest_held(const pair *p, double y)
{
    (void)p;
    return (parabola){y, 0.0, 0.0};
}

static parabola newest_line(const pair *p, double y)
{
    return (parabola){p->y[0], (y - p->y[0]) / p->H, 0.0};
}

static parabola newest_parabola(const pair *p, double y)
{
    const double H = p->H;
    return (parabola){p->y[0], (y - p->y1[0]) / (2.0 * H), (y - 2.0 * p->y[0] + p->y1[0]) / (H * H)};
}

static parabola newest_tangent(const pair *p, double y)
{
    const double H = p->H;
    return (parabola){p->y[0], p->dy[0], 2.0 * (y - p->y[0] - H * p->dy[0]) / (H * H)};
}

static void seidel_constant(pair *p, int outputs)
{
    seidel(p, (parabola){p->y[1], 0.0, 0.0}, newest_held, outputs, 0);
}

static void seidel_linear_past(pair *p, int outputs)
{
    seidel(p, (parabola){p->y[1], (p->y[1] - p->y1[1]) / p->H, 0.0}, newest_line, outputs, 0);
}

static void seidel_linear_analytic(pair *p, int outputs)
{
    seidel(p, (parabola){p->y[1], p->dy[1], 0.0}, newest_line, outputs, 1);
}

static void seidel_quadratic_past(pair *p, int outputs)
{
    seidel(p, through(p, 1), newest_parabola, outputs, 0);
}

static void seidel_quadratic_analytic(pair *p, int outputs)
{
    seidel(p, (parabola){p->y[1], p->dy[1], p->ddy[1]}, newest_tangent, outputs, 2);
}

/* Without past values at the start (--start hold), as many as there are by now. */
static void quadratic_from_hold(pair *p, int outputs)
{
    void (*const stage[])(pair *, int) = {constant, linear_past, quadratic_past};
    stage[p->steps < 2 ? p->steps : 2](p, outputs);
}

static void analytic_from_hold(pair *p, int outputs)
{
    if (p->steps > 0)
        quadratic_analytic(p, outputs);
    else
        jacobi(p, (const parabola[]){{p->y[1], 0.0, 0.0}, {p->y[0], 0.0, 0.0}}, outputs, 2);
}

static void seidel_quadratic_from_hold(pair *p, int outputs)
{
    if (p->steps == 0)
        seidel(p, (parabola){p->y[1], 0.0, 0.0}, newest_line, outputs, 0);
    else if (p->steps == 1)
        seidel(p, (parabola){p->y[1], (p->y[1] - p->y1[1]) / p->H, 0.0}, newest_parabola, outputs, 0);
    else
        seidel_quadratic_past(p, outputs);
}

/* Comparison --------------------------------------------------------------------------------------------- */

typedef struct formula {
    const char *options;
    int order;
    void (*step)(pair *p, int outputs);
} formula;

/* Both stand at the same x, y at each of MACRO_STEPS communication points. */
static void compare(const formula *f, int outputs, double H, double d1, double d2)
{
    static const char *const names[] = {"inconsistent", "consistent", "corrected"};
    char text[256], settings[64];
    snprintf(settings, sizeof settings, "d1=%.17g d2=%.17g", d1, d2);
    snprintf(text, sizeof text, "%s outputs=%s step-size=%.17g stop-time=%.17g", f->options, names[outputs],
             H, MACRO_STEPS * H);
    ms_system *system = support_system("linear-pair", settings);
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    pair p = start(H, d1, d2, f->order);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    double size = 1.0;
    for (int n = 0; n < MACRO_STEPS; n++) {
        f->step(&p, outputs);
        assert_int_equal(ms_cosim_step(cosim, n * H, H), MS_OK);
        for (int i = 0; i < 2; i++) {
            size = fmax(size, fmax(fabs(p.x[i]), fabs(p.y[i])));
            const double off = fmax(fabs(cosim->x[i] - p.x[i]), fabs(cosim->y[i] - p.y[i]));
            if (!(off <= 1e-12 * (n + 1) * size))
                fail_msg("%s (%s), step %d: x%d = %.17g, y%d = %.17g; by hand %.17g, %.17g", text, settings,
                         n + 1, i + 1, cosim->x[i], i + 1, cosim->y[i], p.x[i], p.y[i]);
        }
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void compare_all(const formula *f, int n, unsigned outputs)
{
    for (int k = 0; k < n; k++)
        for (int o = INCONSISTENT; o <= CORRECTED; o++)
            if (outputs & (1U << o)) {
                compare(&f[k], o, 0.25, 0.3, -0.2);
                compare(&f[k], o, 0.1, -0.6, 0.9);
                compare(&f[k], o, 0.15, 0.4, 0.0); /* feed-through, but no loop */
                compare(&f[k], o, 0.2, 0.0, 0.0);
            }
}

#define ALL_OUTPUTS 7U

static void jacobi_without_smoothing_is_the_papers_formulas(void **state)
{
    (void)state;
    static const formula formulas[] = {{"extrapolation-order=0", 0, constant},
                                       {"extrapolation-order=1", 1, linear_past},
                                       {"extrapolation-order=1 derivatives=analytic", 1, linear_analytic},
                                       {"extrapolation-order=2", 2, quadratic_past},
                                       {"extrapolation-order=2 derivatives=analytic", 2, quadratic_analytic}};
    compare_all(formulas, MS_COUNT(formulas), ALL_OUTPUTS);
}

/* Without a value, --as-printed takes what is printed otherwise in the chosen member, and nothing else. */
static void the_quadratic_as_printed_is_6_30_and_nothing_else_changes(void **state)
{
    (void)state;
    static const formula formulas[] = {{"extrapolation-order=2 as-printed=quadratic", 2, quadratic_printed},
                                       {"extrapolation-order=2 as-printed", 2, quadratic_printed}};
    compare_all(formulas, MS_COUNT(formulas), ALL_OUTPUTS);
}

static void smoothing_is_6_71_and_algorithm_7_or_as_printed_6_73c(void **state)
{
    (void)state;
#define SMOOTHED "extrapolation-order=1 derivatives=analytic smooth-coupling=c0"
    static const formula derived = {SMOOTHED, 1, smoothed_derived};
    static const formula printed[] = {{SMOOTHED " as-printed=smoothing", 1, smoothed_printed},
                                      {SMOOTHED " as-printed", 1, smoothed_printed}};
    compare_all(&derived, 1, ALL_OUTPUTS);
    compare_all(printed, MS_COUNT(printed), 1U << INCONSISTENT);
}

static void gauss_seidel_is_its_definition(void **state)
{
    (void)state;
    static const formula formulas[] = {
        {"scheme=gauss-seidel extrapolation-order=0", 0, seidel_constant},
        {"scheme=gauss-seidel extrapolation-order=1", 1, seidel_linear_past},
        {"scheme=gauss-seidel extrapolation-order=1 derivatives=analytic", 1, seidel_linear_analytic},
        {"scheme=gauss-seidel extrapolation-order=2", 2, seidel_quadratic_past},
        {"scheme=gauss-seidel extrapolation-order=2 derivatives=analytic", 2, seidel_quadratic_analytic}};
    compare_all(formulas, MS_COUNT(formulas), ALL_OUTPUTS);
}

static void a_start_by_hold_gains_an_order_a_step(void **state)
{
    (void)state;
    static const formula formulas[] = {
        {"extrapolation-order=2 start=hold", 2, quadratic_from_hold},
        {"extrapolation-order=2 start=hold derivatives=analytic", 2, analytic_from_hold},
        {"scheme=gauss-seidel extrapolation-order=2 start=hold", 2, seidel_quadratic_from_hold}};
    compare_all(formulas, MS_COUNT(formulas), ALL_OUTPUTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobi_without_smoothing_is_the_papers_formulas),
        cmocka_unit_test(the_quadratic_as_printed_is_6_30_and_nothing_else_changes),
        cmocka_unit_test(smoothing_is_6_71_and_algorithm_7_or_as_printed_6_73c),
        cmocka_unit_test(gauss_seidel_is_its_definition),
        cmocka_unit_test(a_start_by_hold_gains_an_order_a_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
