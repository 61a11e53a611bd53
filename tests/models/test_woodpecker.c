/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_woodpecker.c - woodpecker against formulas, printed numbers, conservation laws, and its two forms
 * against each other. */
#include <math.h>
#include <stdio.h>

#include "integration.h"
#include "support.h"
#include "unit_test.h"

enum { Z, PHI_S, PHI_B, DZ, DPHI_S, DPHI_B, LAMBDA_1, LAMBDA_2 };

/* Table A.1. */
static const double mS = 3.0e-4, mB = 4.5e-3, JB = 7.0e-7, lS = 1.0e-2, lG = 1.5e-2, cP = 5.6e-3, g = 9.81,
                    r0 = 2.5e-3, rS = 3.1e-3, hS = 5.8e-3, lB = 2.01e-2, hB = 2.0e-2, JS = 5.0e-9;

/* (8.16), with l_G^2. */
static double momentum(const double *x)
{
    return mB * lG * x[DZ] + mB * lS * lG * x[DPHI_S] + (JB + mB * lG * lG) * x[DPHI_B];
}

/* Kinetic energy of two bodies, the bird's centre at the height z + lS phiS + lG phiB, and potential energy.
 * */
static double woodpecker_energy(const double *x)
{
    const double speed = x[DZ] + lS * x[DPHI_S] + lG * x[DPHI_B],
                 height = x[Z] + lS * x[PHI_S] + lG * x[PHI_B];
    const double kinetic =
        mS * x[DZ] * x[DZ] + mB * speed * speed + JS * x[DPHI_S] * x[DPHI_S] + JB * x[DPHI_B] * x[DPHI_B];
    return 0.5 * kinetic + g * (mS * x[Z] + mB * height) + 0.5 * cP * pow(x[PHI_B] - x[PHI_S], 2.0);
}

/* Events at which phiB' turns. */
static int hits(const ms_integration *run, double until)
{
    int n = 0;
    for (long k = 0; k < run->events.rows; k++) {
        const double *left = support_integration_left(run, k), *right = support_integration_right(run, k);
        n += ms_run_series_row(&run->events, k)[0] <= until && support_integration_crossed(run, k, 4) > 0 &&
             left[DPHI_B] > 0.0 && right[DPHI_B] == -left[DPHI_B];
    }
    return n;
}

/* Energy is kept but where the sleeve is blocked, which keeps the momentum of the bird. */
static void check_events(const ms_integration *run, double tolerance)
{
    const int nx = run->system->nx;
    double after = woodpecker_energy(ms_run_series_row(&run->trajectory, 0) + 2);
    int blocked = 0;
    for (long k = 0; k < run->events.rows; k++) {
        const double *left = support_integration_left(run, k), *right = support_integration_right(run, k);
        support_near(woodpecker_energy(left), after, tolerance);
        after = woodpecker_energy(right);
        if (left[nx] == 1.0 && right[nx] != 1.0) {
            const double corner = (right[nx] == 2.0 ? -1.0 : 1.0) * (rS - r0);
            support_near(hS * left[PHI_S], corner, 1e-15);
            support_near(momentum(right), momentum(left), 1e-17);
            assert_true(right[DZ] == 0.0 && right[DPHI_S] == 0.0);
            assert_true(after < woodpecker_energy(left) + 1e-18);
            blocked++;
        } else {
            support_near(after, woodpecker_energy(left), 1e-17);
            if (right[DPHI_B] != left[DPHI_B])
                support_near(hB * left[PHI_B], lS + lG - lB - r0, 1e-15);
        }
    }
    assert_true(blocked > 10);
}

static void check_form(const char *model, const char *solver)
{
    char options[160];
    ms_system *system = support_system(model, NULL);
    snprintf(options, sizeof options, "solver=%s solver-rtol=1e-9 solver-atol=1e-11", solver);
    ms_integration run = support_integration(system, options, 500, false);
    assert_int_equal(run.reason, MS_REASON_END_TIME);
    assert_int_equal(hits(&run, 0.16), 2); /* 8.6.2 */
    assert_int_equal(hits(&run, 1.0), 11);
    check_events(&run, 1e-9);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

static void test_woodpecker_hits(void **state)
{
    (void)state;
    check_form("woodpecker-explicit", "cvode-bdf");
    check_form("woodpecker-explicit", "arkode-erk");
    check_form("woodpecker", "ida");
}

/* x' of the explicit form, with multipliers from the first two rows, is a zero of the residual. */
static void test_woodpecker_residual(void **state)
{
    (void)state;
    ms_system *system = support_system("woodpecker", NULL),
              *twin = support_system("woodpecker-explicit", NULL);
    unsigned long long seed = 5;
    for (int k = 0; k < 60; k++) {
        double x[8], dx[8] = {0.0}, r[8], w[1], indicators[4];
        const double z = 1.0 + k % 3, side = z == 2.0 ? 1.0 : -1.0;
        for (int j = 0; j < 6; j++)
            x[j] = support_random(&seed);
        if (z > 1.0)
            x[DZ] = x[DPHI_S] = 0.0;
        ms_point at = {.t = 0.0, .x = x, .z = &z};
        assert_int_equal(ms_subsystem_f(twin, 0, &at, w, dx), 0);
        assert_int_equal(ms_subsystem_indicators(twin, 0, &at, w, indicators), 0);
        const double a = dx[DZ], b = dx[DPHI_S], c = dx[DPHI_B];
        x[LAMBDA_1] = z > 1.0 ? indicators[2] : 0.0;
        x[LAMBDA_2] = z > 1.0 ? -(mS + mB) * g - mB * lG * c : 0.0;
        assert_int_equal(ms_subsystem_residual(system, 0, &at, w, dx, r), 0);
        for (int j = 0; j < 8; j++)
            support_near(r[j], 0.0, 1e-13);
        /* (A.2), (A.1), (A.3), (A.4) as they are printed but for the note on (A.3a) */
        const double f2 = mB * lS * a + (JS + mB * lS * lS) * b + mB * lS * lG * c,
                     f3 = mB * lG * a + mB * lS * lG * b + (JB + mB * lG * lG) * c,
                     moment = z > 1.0 ? side * hS * x[LAMBDA_1] + rS * x[LAMBDA_2] : 0.0;
        support_near((mS + mB) * a + mB * lS * b + mB * lG * c, -(mS + mB) * g - x[LAMBDA_2], 1e-13);
        support_near(f2, cP * (x[PHI_B] - x[PHI_S]) - mB * lS * g - moment, 1e-13);
        support_near(f3, cP * (x[PHI_S] - x[PHI_B]) - mB * lG * g, 1e-13);
        if (z > 1.0)
            support_near(fabs(a) + fabs(b), 0.0, 0.0);
    }
    ms_system_destroy(&twin);
    ms_system_destroy(&system);
}

/* A.1's Modelica form prints the multipliers at its start. */
static void test_woodpecker_start(void **state)
{
    (void)state;
    ms_system *system = support_system("woodpecker", "case=modelica");
    ms_integration run = support_integration(system, "stop-time=0.01", 10, false);
    const double *x = ms_run_series_row(&run.trajectory, 0) + 2;
    assert_string_equal(run.options.solver, "ida");
    support_near(x[LAMBDA_1], -0.6911, 5e-5);
    support_near(x[LAMBDA_2], -0.1416, 5e-5);
    support_near(x[PHI_B], -0.65, 0.0);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

/* Algebraic variables behind an event are those of the motion that follows, not those from before it. */
static void test_woodpecker_multipliers(void **state)
{
    (void)state;
    ms_system *system = support_system("woodpecker", NULL);
    ms_integration run =
        support_integration(system, "solver-rtol=1e-8 solver-atol=1e-10 stop-time=0.2", 0, false);
    double largest = 0.0, off = 0.0, jump = 0.0;
    for (long n = 0; n < run.trajectory.rows; n++)
        largest = fmax(largest, fabs(ms_run_series_row(&run.trajectory, n)[2 + LAMBDA_1]));
    for (long n = 1; n + 1 < run.trajectory.rows; n++) {
        const double *left = ms_run_series_row(&run.trajectory, n - 1),
                     *right = ms_run_series_row(&run.trajectory, n),
                     *next = ms_run_series_row(&run.trajectory, n + 1);
        if (right[1] != MS_ROW_RIGHT || next[1] != MS_ROW_OUTPUT)
            continue;
        off = fmax(off, fabs(right[2 + LAMBDA_1] - next[2 + LAMBDA_1]));
        jump = fmax(jump, fabs(right[2 + LAMBDA_1] - left[2 + LAMBDA_1]));
    }
    assert_true(jump > 0.05 * largest && off < 1e-4 * largest);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

/* Two forms, two solvers, one trajectory; events at the same times. */
static void test_woodpecker_forms(void **state)
{
    (void)state;
    ms_system *system[2] = {support_system("woodpecker", NULL), support_system("woodpecker-explicit", NULL)};
    ms_integration run[2] = {
        support_integration(system[0], "solver=ida solver-rtol=1e-10 solver-atol=1e-12", 499, false),
        support_integration(system[1], "solver=arkode-erk solver-rtol=1e-11 solver-atol=1e-13", 499, false)};
    double times[2][11] = {{NAN}};
    for (int k = 0; k < 2; k++) {
        int n = 0;
        for (long i = 0; i < run[k].events.rows; i++)
            if (support_integration_left(&run[k], i)[DPHI_B] > 0.0 &&
                support_integration_right(&run[k], i)[DPHI_B] < 0.0) {
                assert_in_range(n, 0, 10);
                times[k][n++] = ms_run_series_row(&run[k].events, i)[0];
            }
        assert_int_equal(n, 11);
    }
    for (int n = 0; n < 11; n++)
        support_near(times[0][n], times[1][n], 1e-6);
    double sum = 0.0;
    for (long n[2] = {0, 0}; n[0] < run[0].trajectory.rows && n[1] < run[1].trajectory.rows;) {
        const double *row[2] = {ms_run_series_row(&run[0].trajectory, n[0]),
                                ms_run_series_row(&run[1].trajectory, n[1])};
        if (row[0][1] == MS_ROW_OUTPUT && row[1][1] == MS_ROW_OUTPUT) {
            assert_true(row[0][0] == row[1][0]);
            sum =
                fmax(sum, fabs(row[0][2 + Z] - row[1][2 + Z]) + fabs(row[0][2 + PHI_B] - row[1][2 + PHI_B]));
            n[0]++;
            n[1]++;
        }
        for (int k = 0; k < 2; k++)
            n[k] += row[k][1] != MS_ROW_OUTPUT;
    }
    assert_true(sum < 1e-4);
    for (int k = 0; k < 2; k++) {
        ms_integration_destroy(&run[k]);
        ms_system_destroy(&system[k]);
    }
}

/* Times of the hits within 1 s. */
static void hit_times(const ms_integration *run, double times[11])
{
    int n = 0;
    for (long k = 0; k < run->events.rows; k++)
        if (support_integration_crossed(run, k, 4) > 0 && support_integration_left(run, k)[DPHI_B] > 0.0) {
            assert_in_range(n, 0, 10);
            times[n++] = ms_run_series_row(&run->events, k)[0];
        }
    assert_int_equal(n, 11);
}

/* Events up to that in which a falling lambda1 frees the sleeve as listed, and which it does not free
 * otherwise. */
static long events_before_the_fall(const ms_integration *run)
{
    long k = 0;
    while (k < run->events.rows && !(support_integration_crossed(run, k, 3) < 0 &&
                                     support_integration_left(run, k)[run->system->nx] == 2.0))
        k++;
    assert_true(k < run->events.rows);
    return k;
}

/* A.1's listing frees the sleeve at any change of sign of lambda1 from state 2: nothing differs before the
 * first time that it falls there, hits by some 5e-5 s afterwards. */
static void check_release(const char *model, const char *options)
{
    ms_system *system[2] = {support_system(model, NULL), support_system(model, "release=1")};
    ms_integration run[2];
    double times[2][11] = {{NAN}}, largest = 0.0;
    for (int k = 0; k < 2; k++) {
        run[k] = support_integration(system[k], options, 0, false);
        assert_int_equal(run[k].reason, MS_REASON_END_TIME);
        hit_times(&run[k], times[k]);
        check_events(&run[k], 1e-8);
    }
    const long fall = events_before_the_fall(&run[0]);
    const int nx = system[0]->nx;
    assert_int_equal(events_before_the_fall(&run[1]), fall);
    for (long n = 0; n < fall; n++) {
        assert_true(ms_run_series_row(&run[0].events, n)[0] == ms_run_series_row(&run[1].events, n)[0]);
        assert_memory_equal(support_integration_right(&run[0], n), support_integration_right(&run[1], n),
                            sizeof(double) * (size_t)(nx + 1));
    }
    assert_true(support_integration_right(&run[0], fall)[nx] == 2.0 &&
                support_integration_right(&run[1], fall)[nx] == 1.0);
    for (int n = 0; n < 11; n++)
        largest = fmax(largest, fabs(times[1][n] - times[0][n]));
    support_near(largest, 5e-5, 1e-5);
    for (int k = 0; k < 2; k++) {
        ms_integration_destroy(&run[k]);
        ms_system_destroy(&system[k]);
    }
}

static void test_woodpecker_release(void **state)
{
    (void)state;
    check_release("woodpecker-explicit", "solver=arkode-erk solver-rtol=1e-11 solver-atol=1e-13");
    check_release("woodpecker", "solver=ida solver-rtol=1e-10 solver-atol=1e-12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_woodpecker_residual), cmocka_unit_test(test_woodpecker_start),
        cmocka_unit_test(test_woodpecker_hits),     cmocka_unit_test(test_woodpecker_multipliers),
        cmocka_unit_test(test_woodpecker_forms),    cmocka_unit_test(test_woodpecker_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
