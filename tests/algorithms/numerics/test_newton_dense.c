/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_newton_dense.c - small systems F(v) = 0: solutions to round-off, what is accepted as one, and why there is none. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "newton_dense.h"
#include "support.h"
#include "unit_test.h"

enum { N = 2 };

typedef struct trial {
    double size;    /* of what jumps */
    double edge;    /* beyond it F is not defined */
    double last[N]; /* evaluated last */
    long matrices;
} trial;

static int solve(const ms_newton_dense_problem *problem, double *v, ms_newton_dense_reason reason)
{
    ms_newton_dense *newton;
    trial *it = problem->user;
    it->matrices = 0;
    assert_int_equal(ms_newton_dense_create(problem, &newton), MS_OK);
    const int status = ms_newton_dense_solve(newton, v);
    assert_int_equal(ms_newton_dense_last_reason(newton), reason);
    assert_int_equal(status, reason == MS_NEWTON_DENSE_SOLVED ? MS_OK : MS_NO_SOLUTION);
    assert_int_equal(ms_newton_dense_iterations(newton), it->matrices);
    ms_newton_dense_destroy(&newton);
    assert_null(newton);
    ms_newton_dense_destroy(&newton);
    return status;
}

/* v1^2 + v2^2 = 25, v1 - v2 = 1, where v1 is below the edge. */
static int circle(void *user, const double *v, double *r)
{
    trial *it = user;
    memcpy(it->last, v, sizeof it->last);
    r[0] = v[0] * v[0] + v[1] * v[1] - 25.0;
    r[1] = v[0] - v[1] - 1.0;
    return v[0] >= it->edge;
}

static int circle_matrix(void *user, const double *v, double *M)
{
    ((trial *)user)->matrices++;
    M[0] = 2.0 * v[0];
    M[1] = 2.0 * v[1];
    M[2] = 1.0;
    M[3] = -1.0;
    return 0;
}

static void solutions_are_those_of_the_equations(void **state)
{
    (void)state;
    trial it = {.edge = INFINITY};
    const ms_newton_dense_problem problem = {2, circle, circle_matrix, &it};
    double v[N] = {10.0, 1.0};
    solve(&problem, v, MS_NEWTON_DENSE_SOLVED);
    support_near_all(N, v, (const double[]){4.0, 3.0}, 8.0 * DBL_EPSILON);
    assert_memory_equal(it.last, v, sizeof v);
    v[0] = v[1] = -1.0;
    solve(&problem, v, MS_NEWTON_DENSE_SOLVED);
    support_near_all(N, v, (const double[]){-3.0, -4.0}, 8.0 * DBL_EPSILON);
}

/* The same in another unit, in which its residuals are small. */
static int small_circle(void *user, const double *v, double *r)
{
    const int status = circle(user, v, r);
    for (int k = 0; k < N; k++)
        r[k] *= ((trial *)user)->size;
    return status;
}

static int small_circle_matrix(void *user, const double *v, double *M)
{
    double r[N];
    circle(user, (const double[]){v[0] + 1.0, v[1]}, r); /* as for differences */
    circle_matrix(user, v, M);
    for (int k = 0; k < N * N; k++)
        M[k] *= ((trial *)user)->size;
    return 0;
}

/* Where Newton's method ends does not hang on units, and a solution that is asked for again stays. */
static void solutions_hold_in_every_unit(void **state)
{
    (void)state;
    trial it = {.edge = INFINITY};
    const ms_newton_dense_problem problem = {2, small_circle, small_circle_matrix, &it};
    for (int k = -12; k <= 6; k++) {
        double v[N] = {10.0, 1.0}, again[N];
        it.size = pow(10.0, k);
        solve(&problem, v, MS_NEWTON_DENSE_SOLVED);
        support_near_all(N, v, (const double[]){4.0, 3.0}, 8.0 * DBL_EPSILON);
        memcpy(again, v, sizeof v);
        solve(&problem, again, MS_NEWTON_DENSE_SOLVED);
        assert_memory_equal(again, v, sizeof v);
        assert_memory_equal(it.last, v, sizeof v);
    }
}

static void there_is_a_reason_where_there_is_no_solution(void **state)
{
    (void)state;
    trial it = {.edge = 0.0};
    const ms_newton_dense_problem problem = {2, circle, circle_matrix, &it};
    double v[N] = {1.0, 1.0};
    solve(&problem, v, MS_NEWTON_DENSE_UNDEFINED);
    v[0] = NAN;
    it.edge = INFINITY;
    solve(&problem, v, MS_NEWTON_DENSE_UNDEFINED);
    v[0] = v[1] = 0.0; /* 2 v1 = 2 v2 = 0 */
    solve(&problem, v, MS_NEWTON_DENSE_SINGULAR);
}

/* F jumps from -size to size at 0, with the slope 1: no residual is smaller, and none larger is met from 0 on. */
static int jump(void *user, const double *v, double *r)
{
    const trial *it = user;
    for (int k = 0; k < N; k++)
        r[k] = k == 0 ? copysign(it->size, v[k]) : v[k];
    return 0;
}

static int unit_matrix(void *user, const double *v, double *M)
{
    (void)v;
    ((trial *)user)->matrices++;
    M[0] = M[3] = 1.0;
    M[1] = M[2] = 0.0;
    return 0;
}

/* max |F| <= 1e-8 (1 + max |v|). */
static void a_residual_of_1e_8_is_a_solution(void **state)
{
    (void)state;
    static const double accepted[] = {1e-12, 0.6e-8, 0.95e-8}, refused[] = {1.05e-8, 1e-7};
    trial it = {0};
    const ms_newton_dense_problem problem = {2, jump, unit_matrix, &it};
    for (int k = 0; k < MS_COUNT(accepted); k++) {
        double v[N] = {0.0, 0.0};
        it.size = accepted[k];
        solve(&problem, v, MS_NEWTON_DENSE_SOLVED);
    }
    for (int k = 0; k < MS_COUNT(refused); k++) {
        double v[N] = {0.0, 0.0};
        it.size = refused[k];
        solve(&problem, v, MS_NEWTON_DENSE_STALLED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_equations),
        cmocka_unit_test(solutions_hold_in_every_unit),
        cmocka_unit_test(there_is_a_reason_where_there_is_no_solution),
        cmocka_unit_test(a_residual_of_1e_8_is_a_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
