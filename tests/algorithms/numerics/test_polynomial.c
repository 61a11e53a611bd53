/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_polynomial.c - weights against GSL's polynomial interpolation and against the conditions that
 * define them. */
#include <float.h>
#include <math.h>

#include <gsl/gsl_poly.h>

#include "polynomial.h"
#include "support.h"
#include "unit_test.h"

enum { TRIALS = 200, POINTS = 5 };

typedef struct trial {
    double h, h1, h2; /* lengths of the step and of the two before, within a factor 1000 of each other */
    double slot[MS_WEIGHT_SLOTS];
} trial;

static trial trial_next(unsigned long long *seed)
{
    trial t = {.h = pow(10.0, 1.5 * support_random(seed) - 1.0),
               .h1 = pow(10.0, 1.5 * support_random(seed) - 1.0),
               .h2 = pow(10.0, 1.5 * support_random(seed) - 1.0)};
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
        t.slot[s] = support_random(seed);
    return t;
}

/* p or a derivative of it at tau; *size: the sum of the magnitudes of its terms, to which round-off is
 * proportional. */
static double at_sized(const ms_weights *p, const trial *t, int derivative, double tau, double *size)
{
    double w[MS_WEIGHT_SLOTS], sum = 0.0;
    ms_weights_at(p, derivative, tau, w);
    *size = DBL_MIN;
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        sum += w[s] * t->slot[s];
        for (int k = derivative; k <= p->degree; k++)
            *size += fabs(p->w[k][s] * t->slot[s]) * pow(k, derivative) * pow(fabs(tau), k - derivative);
    }
    return sum;
}

static void check(const ms_weights *p, const trial *t, int derivative, double tau, double expected)
{
    double size;
    const double value = at_sized(p, t, derivative, tau, &size);
    if (!(fabs(value - expected) <= 64.0 * DBL_EPSILON * (size + fabs(expected))))
        fail_msg("p^(%d)(%g) = %.17g, expected %.17g (h %g, h1 %g, h2 %g)", derivative, tau, value, expected,
                 t->h, t->h1, t->h2);
}

static void check_degree(const ms_weights *p, int degree)
{
    assert_int_equal(p->degree, degree);
    for (int k = degree + 1; k <= MS_WEIGHT_DEGREE; k++)
        for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
            assert_true(p->w[k][s] == 0.0);
}

/* Against Newton's divided differences through n points, at points inside and beyond the step. */
static void check_interpolant(const ms_weights *p, const trial *t, int n, const double *x, const double *y)
{
    double dd[3], taylor[3], work[3];
    assert_int_equal(gsl_poly_dd_init(dd, x, y, (size_t)n), 0);
    for (int i = 0; i < POINTS; i++) {
        const double tau = t->h * (0.5 * i - 0.25);
        gsl_poly_dd_taylor(taylor, tau, dd, x, (size_t)n, work);
        double factorial = 1.0;
        for (int k = 0; k < n; k++) {
            double size;
            const double value = at_sized(p, t, k, tau, &size);
            if (!(fabs(value - factorial * taylor[k]) <= 512.0 * DBL_EPSILON * size))
                fail_msg("p^(%d)(%g) = %.17g, GSL says %.17g", k, tau, value, factorial * taylor[k]);
            factorial *= k + 1;
        }
    }
}

static void past_values_are_extrapolated_by_the_interpolant_on_uneven_grids(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        const double x[] = {0.0, -t.h1, -t.h1 - t.h2};
        for (int order = 0; order <= 2; order++) {
            const ms_weights p = ms_weights_past(order, t.h1, t.h2);
            check_degree(&p, order);
            check_interpolant(&p, &t, order + 1, x, t.slot);
            for (int s = 0; s <= order; s++)
                check(&p, &t, 0, x[s], t.slot[s]);
        }
    }
}

static void on_equal_steps_the_parabola_ahead_has_weights_3_minus_3_1(void **state)
{
    (void)state;
    double w[MS_WEIGHT_SLOTS];
    const ms_weights p = ms_weights_past(2, 0.25, 0.25);
    ms_weights_at(&p, 0, 0.25, w);
    assert_true(w[MS_SLOT_Y0] == 3.0 && w[MS_SLOT_Y1] == -3.0 && w[MS_SLOT_Y2] == 1.0);
    const ms_weights line = ms_weights_past(1, 0.25, 0.5);
    ms_weights_at(&line, 0, 0.25, w);
    assert_true(w[MS_SLOT_Y0] == 2.0 && w[MS_SLOT_Y1] == -1.0 && w[MS_SLOT_Y2] == 0.0);
}

/* (6.30): u_n + H (u_n - u_{n-1})/H + H^2/2 (u_n - 2 u_{n-1} + u_{n-2})/H^2. */
static void the_printed_quadratic_is_formula_6_30(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        const double H = t.h1, *u = t.slot;
        const ms_weights p = ms_weights_past_as_printed(H, H);
        check_degree(&p, 2);
        check(&p, &t, 0, 0.0, u[0]);
        check(&p, &t, 0, H, u[0] + (u[0] - u[1]) + 0.5 * (u[0] - 2.0 * u[1] + u[2]));
        check(&p, &t, 1, 0.0, (u[0] - u[1]) / H);
        check(&p, &t, 2, 0.0, (u[0] - 2.0 * u[1] + u[2]) / (H * H));
    }
    double w[MS_WEIGHT_SLOTS];
    const ms_weights p = ms_weights_past_as_printed(0.5, 0.5);
    ms_weights_at(&p, 0, 0.5, w);
    assert_true(w[0] == 2.5 && w[1] == -2.0 && w[2] == 0.5); /* not the parabola's 3, -3, 1 */
}

static void taylor_polynomials_have_the_given_derivatives(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        for (int order = 0; order <= 2; order++) {
            const ms_weights p = ms_weights_derivatives(order);
            check_degree(&p, order);
            for (int k = 0; k <= 2; k++)
                check(&p, &t, k, 0.0, k <= order ? t.slot[k] : 0.0);
        }
    }
}

static void the_newest_value_is_met_and_so_are_the_older_ones(void **state)
{
    (void)state;
    unsigned long long seed = 4;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        const double *v = t.slot, h = t.h;
        for (int derivatives = 0; derivatives <= 1; derivatives++) {
            const ms_weights hold = ms_weights_newest(0, derivatives != 0, h, t.h1);
            check_degree(&hold, 0);
            check(&hold, &t, 0, 0.0, v[MS_SLOT_NEW]);
            const ms_weights line = ms_weights_newest(1, derivatives != 0, h, t.h1);
            check_degree(&line, 1);
            check_interpolant(&line, &t, 2, (const double[]){0.0, h},
                              (const double[]){v[MS_SLOT_Y0], v[MS_SLOT_NEW]});
        }
        const ms_weights parabola = ms_weights_newest(2, false, h, t.h1);
        check_degree(&parabola, 2);
        check_interpolant(&parabola, &t, 3, (const double[]){-t.h1, 0.0, h},
                          (const double[]){v[MS_SLOT_Y1], v[MS_SLOT_Y0], v[MS_SLOT_NEW]});
        const ms_weights tangent = ms_weights_newest(2, true, h, t.h1);
        check_degree(&tangent, 2);
        check(&tangent, &t, 0, 0.0, v[MS_SLOT_Y0]);
        check(&tangent, &t, 1, 0.0, v[MS_SLOT_Y1]);
        check(&tangent, &t, 0, h, v[MS_SLOT_NEW]);
    }
}

/* What can be smoothed: every kind of polynomial. */
static ms_weights kind_at(int k, const trial *t)
{
    const int order = k % 3;
    switch (k / 3) {
    case 0:
        return ms_weights_past(order, t->h1, t->h2);
    case 1:
        return ms_weights_derivatives(order);
    case 2:
        return ms_weights_newest(order, false, t->h, t->h1);
    case 3:
        return ms_weights_newest(order, true, t->h, t->h1);
    default:
        return ms_weights_past_as_printed(t->h1, t->h2);
    }
}

enum { KINDS = 13 };

static void c0_smoothing_starts_at_the_left_limit_and_reaches_p_of_H(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        for (int k = 0; k < KINDS; k++) {
            const ms_weights p = kind_at(k, &t), q = ms_weights_smooth_c0(p, t.h);
            double size;
            check_degree(&q, p.degree > 1 ? p.degree : 1);
            check(&q, &t, 0, 0.0, t.slot[MS_SLOT_LEFT]);
            check(&q, &t, 0, t.h, at_sized(&p, &t, 0, t.h, &size));
            /* in between the jump fades linearly */
            const double jump = t.slot[MS_SLOT_LEFT] - at_sized(&p, &t, 0, 0.0, &size);
            check(&q, &t, 0, 0.25 * t.h, at_sized(&p, &t, 0, 0.25 * t.h, &size) + 0.75 * jump);
        }
    }
}

static void c1_smoothing_fulfils_the_four_conditions_of_hermite(void **state)
{
    (void)state;
    unsigned long long seed = 6;
    for (int i = 0; i < TRIALS; i++) {
        const trial t = trial_next(&seed);
        for (int k = 0; k < KINDS; k++) {
            const ms_weights p = kind_at(k, &t), q = ms_weights_smooth_c1(p, t.h);
            double size;
            check_degree(&q, 3);
            check(&q, &t, 0, 0.0, t.slot[MS_SLOT_LEFT]);
            check(&q, &t, 1, 0.0, t.slot[MS_SLOT_LEFT_SLOPE]);
            check(&q, &t, 0, t.h, at_sized(&p, &t, 0, t.h, &size));
            check(&q, &t, 1, t.h, at_sized(&p, &t, 1, t.h, &size));
        }
    }
}

static void smoothing_leaves_alone_what_is_smooth(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    for (int i = 0; i < TRIALS; i++) {
        trial t = trial_next(&seed);
        const ms_weights p = ms_weights_past(2, t.h1, t.h2);
        double size;
        t.slot[MS_SLOT_LEFT] = at_sized(&p, &t, 0, 0.0, &size);
        t.slot[MS_SLOT_LEFT_SLOPE] = at_sized(&p, &t, 1, 0.0, &size);
        const ms_weights c0 = ms_weights_smooth_c0(p, t.h), c1 = ms_weights_smooth_c1(p, t.h);
        for (int k = 0; k < POINTS; k++) {
            const double tau = 0.25 * k * t.h, expected = at_sized(&p, &t, 0, tau, &size);
            check(&c0, &t, 0, tau, expected);
            check(&c1, &t, 0, tau, expected);
        }
    }
}

static void constants_are_reproduced_by_every_kind(void **state)
{
    (void)state;
    unsigned long long seed = 8;
    for (int i = 0; i < TRIALS; i++) {
        trial t = trial_next(&seed);
        for (int k = 0; k < KINDS; k++) {
            const bool slopes = k / 3 == 1 || k / 3 == 3; /* slots hold derivatives */
            for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
                t.slot[s] = 1.0;
            t.slot[MS_SLOT_LEFT_SLOPE] = 0.0;
            if (slopes)
                t.slot[MS_SLOT_Y1] = t.slot[MS_SLOT_Y2] = 0.0;
            const ms_weights p = kind_at(k, &t), c0 = ms_weights_smooth_c0(p, t.h),
                             c1 = ms_weights_smooth_c1(p, t.h);
            for (int j = 0; j < POINTS; j++) {
                check(&p, &t, 0, 0.25 * j * t.h, 1.0);
                check(&c0, &t, 0, 0.25 * j * t.h, 1.0);
                check(&c1, &t, 0, 0.25 * j * t.h, 1.0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(past_values_are_extrapolated_by_the_interpolant_on_uneven_grids),
        cmocka_unit_test(on_equal_steps_the_parabola_ahead_has_weights_3_minus_3_1),
        cmocka_unit_test(the_printed_quadratic_is_formula_6_30),
        cmocka_unit_test(taylor_polynomials_have_the_given_derivatives),
        cmocka_unit_test(the_newest_value_is_met_and_so_are_the_older_ones),
        cmocka_unit_test(c0_smoothing_starts_at_the_left_limit_and_reaches_p_of_H),
        cmocka_unit_test(c1_smoothing_fulfils_the_four_conditions_of_hermite),
        cmocka_unit_test(smoothing_leaves_alone_what_is_smooth),
        cmocka_unit_test(constants_are_reproduced_by_every_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
