/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_moshagen2021_5_9.c - figures 5 to 9 of Moshagen (2021): their verdicts, and what they measure against
 * closed forms. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure_run.h"
#include "moshagen2021_5_9.h"
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
    support_figure_expect_verdicts("moshagen2021:fig8", 4, 0, NULL);
    support_figure_expect_verdicts("moshagen2021:fig9", 9, 0, NULL);
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

static double plain_factor(bool linear, double omega)
{
    const double z = omega * H;
    return linear ? 1.0 + pow(z, 4) / 4.0 : 1.0 + z * z;
}

/* Hold the motions of section 2.3 to the formulas. */
static int draw_energies(ms_drawing *drawing, ms_error *error)
{
    static const char *const orders[] = {MS_CONSTANT, MS_LINEAR}, *const errors[] = {"raw", "used"};
    char options[256];
    ms_motion motion;
    for (int linear = 0; linear < 2; linear++) {
        snprintf(options, sizeof options, "%s --set m=0.5 --set c=2", orders[linear]);
        assert_int_equal(ms_motion_measure(drawing, NULL, options, H, 6.0, &motion, error), MS_OK);
        const double factor = plain_factor(linear, 2.0);
        assert_int_equal(motion.steps, 30);
        support_near(motion.least, factor, 1e-13);
        support_near(motion.most, factor, 1e-13);
        support_near(motion.end, pow(factor, 30), 1e-11);
        support_near(motion.produced, motion.end - 1.0, 1e-11);
        support_near(motion.radius, sqrt(factor), 1e-12);
        for (int used = 0; used < 2; used++) {
            snprintf(options, sizeof options, "--scheme balance --balance-error %s %s", errors[used],
                     orders[linear]);
            assert_int_equal(ms_motion_measure(drawing, NULL, options, H, 6.0, &motion, error), MS_OK);
            const balance_map map = balance(linear, used);
            support_near(motion.end, balance_energy(&map, 30), 1e-12);
            support_near(motion.radius, larger_root(map.ww, map.we, map.ew, map.ee), 1e-12);
        }
    }
    return MS_OK;
}

/* Mutual coupling: z = x1 + i x2 follows z' = -i z, and constant extrapolation is the explicit Euler method. */
static int draw_errors(ms_drawing *drawing, ms_error *error)
{
    ms_order_series curves;
    double expected[2] = {0.0, 0.0};
    double complex z = 1.0 + 0.5 * I;
    const double complex start = z;
    assert_int_equal(
        MS_CONVERGE(drawing, &curves, error, "%s", "moshagen-2x2 --case mutual " MS_CONSTANT " " MS_DOPRI5),
        MS_OK);
    for (int n = 1; n <= 10; n++) {
        z *= 1.0 - I * H;
        const double complex e = z - start * cexp(-I * (n * H));
        expected[0] = fmax(expected[0], fabs(creal(e)));
        expected[1] = fmax(expected[1], fabs(cimag(e)));
    }
    support_near(curves.row[FIRST][0].step_size, H, 1e-15);
    support_near(curves.row[FIRST][0].error, expected[0], 1e-11);
    support_near(curves.row[SECOND][0].error, expected[1], 1e-11);
    support_near(curves.row[LARGER][0].error, fmax(expected[0], expected[1]), 1e-11);
    return MS_OK;
}

static void test_energies(void **state)
{
    (void)state;
    support_figure_run(draw_energies);
}

static void test_errors(void **state)
{
    (void)state;
    support_figure_run(draw_errors);
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
