/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nonlinear_line_search.c - newtonls goes back along its line to where the parabola, and then the cubic, through what it knows is least;
 * ngmres-ls halves what it looks at until there are values. */
#include <math.h>

#include "nonlinear.h"
#include "structure.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = 200 };

/* gamma(z) = sqrt(p(-z)), p(s) = 1 - 2 s + c_2 s^2 + c_3 s^3: gamma' = 1 at 0, so that the line is z = -s, and |gamma|^2 on it p. */
typedef struct track {
    double c_2, c_3;
    int n;
    double z[MOST];
} track;

static int gamma_of(void *context, const double *z, double *r)
{
    track *seen = context;
    assert_true(seen->n < MOST);
    seen->z[seen->n++] = z[0];
    const double s = -z[0];
    r[0] = sqrt(1.0 + s * (-2.0 + s * (seen->c_2 + s * seen->c_3)));
    return isfinite(r[0]) ? MS_OK : MS_NOT_CONVERGED;
}

static bool never(void *context, const double *z, const double *r)
{
    (void)context, (void)z, (void)r;
    return false;
}

/* What that many iterations of the method look at from z = 0. */
static track look(const char *name, const char *backend, int iterations,
                  int (*residual)(void *, const double *, double *), track seen)
{
    const ms_nonlinear_method *method = ms_nonlinear_find(name, backend);
    const ms_nonlinear_options options = {.max_iterations = iterations};
    const ms_nonlinear_problem problem = {.n = 1, .residual = residual, .converged = never, .context = &seen};
    ms_nonlinear_counts counts = {0};
    double z = 0.0, r;
    void *workspace;
    ms_error error;
    assert_int_equal(residual(&(track){.c_2 = seen.c_2, .c_3 = seen.c_3}, &z, &r), MS_OK);
    ms_structure owner = {0};
    assert_int_equal(
        ms_nonlinear_create(&(ms_nonlinear_setup){method, 1, &options, &owner}, &workspace, &error), MS_OK);
    assert_int_equal(method->solve(workspace, &problem, &z, &r, &counts), MS_NOT_CONVERGED);
    ms_structure_free(&owner);
    return seen;
}

/* One iteration from z = 0 looks at these three places, and between them at those of its differences. */
static void check_line(double c_2, double c_3, const double expected[3])
{
    const track seen = look("newtonls", "native", 1, gamma_of, (track){.c_2 = c_2, .c_3 = c_3});
    int found = 0;
    for (int k = 0; k < seen.n && found < 3; k++)
        found += fabs(seen.z[k] - expected[found]) < 1e-5;
    assert_int_equal(found, 3);
    assert_true(fabs(seen.z[seen.n - 1] - expected[2]) < 1e-5); /* and there it stays */
}

/* p(1) = 3 is more than p(0). The parabola with p(0), p'(0), p(1) is least at 1/4, where p is 1.22; the cubic is p itself, whose
 * least value on the way is where p' = -2 + 28 s - 30 s^2 vanishes. */
static void it_goes_where_the_interpolants_are_least(void **state)
{
    (void)state;
    check_line(14.0, -10.0, (const double[]){-1.0, -0.25, -(28.0 - sqrt(28.0 * 28.0 - 240.0)) / 60.0});
}

/* p(1) = 2000: the parabola is least at 1/2001, but it goes no further back than to a tenth, where p = 1.001 is no less than p(0).
 * p itself is least at 0.0652, and it goes back by half at least. */
static void it_goes_back_by_a_tenth_to_a_half(void **state)
{
    (void)state;
    check_line(-200.0, 2201.0, (const double[]){-1.0, -0.1, -0.05});
}

/* gamma(z) = (z - 1)/4 has no value beyond 0.9: x_M = 1/4, x_A is the root, so that there is none for lambda = 1. Half of it has
 * values at both places, z = 1/4 + 3/16 and 1/4 + 3/8, from where the secant step leads to the root again. */
static int quarter_of(void *context, const double *z, double *r)
{
    track *seen = context;
    assert_true(seen->n < MOST);
    seen->z[seen->n++] = z[0];
    r[0] = 0.25 * (z[0] - 1.0);
    return z[0] <= 0.9 ? MS_OK : MS_NOT_CONVERGED;
}

static void ngmres_halves_its_line_until_there_are_values(void **state)
{
    (void)state;
    const double expected[] = {0.25, 1.0, 0.625, 1.0, 0.4375, 0.625, 1.0};
    const track seen = look("ngmres-ls", "native", 1, quarter_of, (track){0});
    assert_int_equal(seen.n, MS_COUNT(expected));
    support_near_all(seen.n, seen.z, expected, 1e-12);
}

/* All that accelerate z - gamma(z), whoever wrote them, look there first. */
static void fixed_point_iterations_begin_with_a_step_downhill(void **state)
{
    (void)state;
    static const char *const backends[] = {"native", "kinsol"};
    for (int k = 0; k < MS_COUNT(backends); k++) {
        const track seen = look("anderson", backends[k], 2, quarter_of, (track){0});
        assert_true(seen.n > 0);
        support_near(seen.z[0], 0.25, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_where_the_interpolants_are_least),
        cmocka_unit_test(it_goes_back_by_a_tenth_to_a_half),
        cmocka_unit_test(fixed_point_iterations_begin_with_a_step_downhill),
        cmocka_unit_test(ngmres_halves_its_line_until_there_are_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
