/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_moshagen2021.c - figures 5 to 12 of Moshagen (2021): their verdicts, and what their files measure against
 * closed forms. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure_run.h"
#include "json.h"
#include "support.h"
#include "unit_test.h"

/* Verdicts ------------------------------------------------------------------------------------------------ */

static void test_verdicts(void **state)
{
    (void)state;
    support_figure_expect_verdicts("moshagen2021:fig5", 10, 1,
                                   (support_figure_verdict[]){{"the error is not higher", "not-determined"}});
    support_figure_expect_verdicts("moshagen2021:fig6", 5, 0, NULL);
    support_figure_expect_verdicts("moshagen2021:fig7", 4, 1,
                                   (support_figure_verdict[]){{"the error is visible", "not-determined"}});
    /* (13) has two readings, and the fallback of negotiated power as many */
    support_figure_expect_verdicts("moshagen2021:fig8", 4, 1,
                                   (support_figure_verdict[]){{"the motion is damped", "not-determined"}});
    support_figure_expect_verdicts(
        "moshagen2021:fig9", 10, 7,
        (support_figure_verdict[]){{"negotiated power: order", "not-determined"},
                                   {"constant, balance correction: order", "not-determined"},
                                   {"linear, balance correction: order", "not-determined"},
                                   {"correction gains one", "not-determined"},
                                   {"constant, balance correction: reduction", "not-determined"},
                                   {"linear, balance correction: reduction", "not-determined"},
                                   {"(13) read literally", "not-determined"}});
    support_figure_expect_verdicts(
        "moshagen2021:fig10", 2, 1,
        (support_figure_verdict[]){{"negotiated power conserves", "not-determined"}});
    support_figure_expect_verdicts("moshagen2021:fig11", 3, 2,
                                   (support_figure_verdict[]){{"stable for smaller step sizes", "deviates"},
                                                              {"power conserves", "not-determined"}});
    support_figure_expect_verdicts("moshagen2021:fig12", 9, 2,
                                   (support_figure_verdict[]){{"stable for larger H", "not-determined"},
                                                              {"much bigger step sizes", "deviates"}});
    support_figure_expect_verdicts("moshagen2021:fig1", 3, 0, NULL);
    support_figure_expect_verdicts("moshagen2021:cycle", 3, 0, NULL);
    support_figure_expect_verdicts("moshagen2021:powers", 5, 0, NULL);
    /* at zeros there is no solution to inherit stability, and a dissipative boundary loses all of its damping */
    support_figure_expect_verdicts("moshagen2021:gradient", 9, 3,
                                   (support_figure_verdict[]){{"power inherits stability", "deviates"},
                                                              {"explicit and stable", "deviates"},
                                                              {"a bit of the damping", "deviates"}});
}

/* Closed forms -------------------------------------------------------------------------------------------- */

static const double H = 0.2;

static double larger_root(double complex a, double complex b, double complex c, double complex d)
{
    const double complex half = 0.5 * (a + d), root = csqrt(half * half - a * d + b * c);
    return fmax(cabs(half + root), cabs(half - root));
}

/* m = c = 1: w = s - i v follows w' = i w, both inputs in one. With e the error that is fed back a macro-step
 * maps (w, e) linearly. Constant: w+ = (1 + i H) w + i e, e+ = (i H^2 w + i H e)/2; linear:
 * w+ = (1 + i H - H^2/2) w + i e, e+ = -H^3/6 w + i H e/2; with the error `used` e+ is less by e. */
typedef struct balance_map {
    double complex ww, we, ew, ee;
} balance_map;

static balance_map balance(bool linear, bool used)
{
    return (balance_map){.ww = 1.0 + I * H - (linear ? 0.5 * H * H : 0.0),
                         .we = I,
                         .ew = linear ? -H * H * H / 6.0 : 0.5 * I * H * H,
                         .ee = 0.5 * I * H - (used ? 1.0 : 0.0)};
}

/* |w|^2 = E / E(0) after n macro-steps from w = 1, without an error. */
static double balance_energy(const balance_map *m, int n)
{
    double complex w = 1.0, e = 0.0;
    for (int k = 0; k < n; k++) {
        const double complex before = w;
        w = m->ww * w + m->we * e;
        e = m->ew * before + m->ee * e;
    }
    return creal(w) * creal(w) + cimag(w) * cimag(w);
}

/* A cell of row k of a figure's table; what is no number fails. */
static double cell(const json_t *answer, const char *title, size_t k, const char *column)
{
    const json_t *rows = json_object_get(json_object_get(answer, "tables"), title),
                 *value = json_object_get(json_array_get(rows, k), column);
    if (!json_is_number(value))
        fail_msg("%s, row %zu: no number %s", title, k, column);
    return json_number_value(value);
}

/* Without balance correction the energy grows by 1 + z^2, or 1 + z^4/4, in every macro-step, z = omega H. */
static void expect_growth(const char *id, bool linear, double end)
{
    static const double steps[] = {0.2, 0.1, 0.05, 0.025};
    static const char title[] = "Energy of the spring-mass system";
    json_t *answer = support_figure_answer(id);
    for (size_t k = 0; k < 4; k++) {
        const double h = steps[k], factor = linear ? 1.0 + pow(h, 4) / 4.0 : 1.0 + h * h;
        support_near(cell(answer, title, k, "H / s"), h, 0.0);
        support_near(cell(answer, title, k, "factor a macro-step, smallest"), factor, 1e-13);
        support_near(cell(answer, title, k, "largest"), factor, 1e-13);
        support_near(cell(answer, title, k, "rho(Psi)^2"), factor, 1e-12);
        support_near(cell(answer, title, k, "E(end) / E(0)") / pow(factor, round(end / h)), 1.0, 1e-11);
    }
    json_decref(answer);
}

/* Rows: constant and linear extrapolation, each without, with `raw` and with `used`. */
static void expect_balance(const json_t *answer)
{
    static const char title[] = "Energy of the spring-mass system, H = 0.2 s";
    for (size_t k = 0; k < 6; k++) {
        const bool linear = k >= 3;
        const balance_map map = balance(linear, k % 3 == 2);
        const double radius = larger_root(map.ww, map.we, map.ew, map.ee);
        if (k % 3 == 0)
            continue;
        support_near(cell(answer, title, k, "factor a macro-step, rho(Psi)^2"), radius * radius, 1e-12);
        support_near(cell(answer, title, k, "E(75 s) / E(0)") / balance_energy(&map, 375), 1.0, 1e-10);
    }
}

static void test_energies(void **state)
{
    (void)state;
    expect_growth("moshagen2021:fig6", false, 20.0);
    expect_growth("moshagen2021:fig7", true, 75.0);
    json_t *answer = support_figure_answer("moshagen2021:fig8");
    expect_balance(answer);
    json_decref(answer);
}

/* Mutual coupling: z = x1 + i x2 follows z' = -i z, and constant extrapolation is the explicit Euler method; its components have
 * rows of their own. */
static void test_errors(void **state)
{
    static const char title[] = "Observed orders of convergence", column[] = "error at the largest H";
    double expected[2] = {0.0, 0.0};
    double complex z = 1.0 + 0.5 * I;
    const double complex start = z;
    (void)state;
    json_t *answer = support_figure_answer("moshagen2021:fig5");
    for (int n = 1; n <= 10; n++) {
        z *= 1.0 - I * H;
        const double complex e = z - start * cexp(-I * (n * H));
        expected[0] = fmax(expected[0], fabs(creal(e)));
        expected[1] = fmax(expected[1], fabs(cimag(e)));
    }
    const size_t mutual = 4;
    support_near(cell(answer, title, mutual, column), expected[0], 1e-11);
    support_near(cell(answer, title, mutual + 1, column), expected[1], 1e-11);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
