/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_full_car.c - the body on four wheels: equations written apart, eigenvalues and statics by hand,
 * symmetry. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/linearisation.h>
#include <macrostep/linearisation_jacobian.h>
#include "coupled.h"
#include "matrix.h"
#include "strong_components.h"
#include "support.h"
#include "unit_test.h"

enum { STATES = 14, WHEELS = 4 };
enum { Z, V_Z, PHI, OMEGA_X, THETA, OMEGA_Y };

/* The default values, and the corners in the order of the wheels. */
static const double M = 1200.0, I_X = 500.0, I_Y = 1800.0, A = 1.2, TRACK = 1.5, H = 0.45, M_W = 40.0,
                    K[] = {20000.0, 20000.0, 22000.0, 22000.0}, D = 1500.0, K_T = 200000.0,
                    X[] = {1.2, 1.2, -1.4, -1.4}, Y[] = {0.75, -0.75, 0.75, -0.75};

/* Newton's and Euler's equations of body and wheels; of the struts' forces, f_z alone moves the body. */
static void equations_of_motion(const double *x, const double *road, double a_x, double a_y, double *dx)
{
    double force = 0.0, about_x = M * H * a_y, about_y = -M * H * a_x;
    for (int i = 0; i < WHEELS; i++) {
        const double *wheel = x + 6 + 2 * i;
        const double up = wheel[0] - (x[Z] + Y[i] * x[PHI] - X[i] * x[THETA]);
        const double rate = wheel[1] - (x[V_Z] + Y[i] * x[OMEGA_X] - X[i] * x[OMEGA_Y]);
        const double f = K[i] * up + D * rate;
        force += f;
        about_x += Y[i] * f;
        about_y -= X[i] * f;
        dx[6 + 2 * i] = wheel[1];
        dx[7 + 2 * i] = (K_T * (road[i] - wheel[0]) - f) / M_W;
    }
    dx[Z] = x[V_Z];
    dx[PHI] = x[OMEGA_X];
    dx[THETA] = x[OMEGA_Y];
    dx[V_Z] = force / M;
    dx[OMEGA_X] = about_x / I_X;
    dx[OMEGA_Y] = about_y / I_Y;
}

static ms_linearised *linearise(const ms_system *system)
{
    double x[STATES];
    ms_linearised *l;
    ms_system_start(system, x);
    assert_int_equal(ms_linearised_create(system, 0.0, x, NULL, -1,
                                          &(ms_linearisation_options){MS_PARTIALS_BEST, true}, &l, NULL),
                     MS_OK);
    return l;
}

/* The coupled subsystems have the equations of motion: every column of A and B. */
static void the_split_car_is_the_whole_car(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("full-car", NULL, NULL, 0);
    ms_linearised *l = linearise(system);
    assert_int_equal(l->whole->nx, STATES);
    assert_int_equal(l->whole->nw, 2 + WHEELS);
    for (int j = 0; j < STATES + 2 + WHEELS; j++) {
        double x[STATES] = {0.0}, w[2 + WHEELS] = {0.0}, dx[STATES];
        *(j < STATES ? &x[j] : &w[j - STATES]) = 1.0;
        equations_of_motion(x, w + 2, w[0], w[1], dx);
        for (int i = 0; i < STATES; i++)
            support_near_relative(j < STATES ? l->whole->A[i * STATES + j]
                                             : l->whole->B[i * (2 + WHEELS) + j - STATES],
                                  dx[i], 1e-14, "x'", "full-car");
    }
    ms_linearised_destroy(&l);
    ms_system_destroy(&system);
}

/* t = r x f, with f along the strut: the outputs of a wheel for its own states and inputs. */
static void struts_give_force_and_moment(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("full-car", NULL, NULL, 0);
    double x[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE], y[SUPPORT_COUPLED_SIZE], caster = -tan(0.1),
                                                                                      inclination = tan(0.2);
    support_random_vector(x, system->nx);
    support_random_vector(u, system->nu);
    support_evaluate(system, true, x, u, y);
    for (int i = 0; i < WHEELS; i++) {
        const double *wheel = x + 6 + 2 * i, *corner = u + system->u_at[i + 1], *f = y + system->y_at[i + 1];
        const double f_z = K[i] * (wheel[0] - corner[0]) + D * (wheel[1] - corner[1]);
        support_near_relative(f[0], f_z * caster, 1e-12, "f_x", "full-car");
        support_near_relative(f[1], (Y[i] > 0.0 ? -1.0 : 1.0) * f_z * inclination, 1e-12, "f_y", "full-car");
        support_near_relative(f[2], f_z, 1e-12, "f_z", "full-car");
        support_near_relative(f[3], Y[i] * f[2], 1e-12, "t_x", "full-car");
        support_near_relative(f[4], -X[i] * f[2], 1e-12, "t_y", "full-car");
        support_near_relative(f[5], X[i] * f[1] - Y[i] * f[0], 1e-12, "t_z", "full-car");
    }
    ms_system_destroy(&system);
}

/* Eigenvalues -------------------------------------------------------------------------------------------- */

/* (mass s^2 + d s + k)(m_w s^2 + d s + k + k_t) - (d s + k)^2, relative to its largest term; mass 0: the
 * wheel alone. */
static double off_quarter_car(double complex s, double mass, double k)
{
    const double complex strut = D * s + k, wheel = M_W * s * s + D * s + k + K_T;
    if (mass == 0.0)
        return cabs(wheel) / (M_W * cabs(s * s) + K_T);
    const double complex value = (mass * s * s + strut) * wheel - strut * strut;
    return cabs(value) / ((mass * cabs(s * s) + cabs(strut)) * (M_W * cabs(s * s) + K_T));
}

/* Equal axles at equal distances: heave, roll and pitch are quarter cars, and the diagonals have no body. */
static void modes_are_quarter_cars(void **state)
{
    (void)state;
    const double masses[] = {M / 4.0, I_X / (TRACK * TRACK), I_Y / (4.0 * A * A), 0.0};
    const ms_setting settings[] = {{"b", A}, {"k_rear", K[0]}};
    ms_system *system = support_system_of_case("full-car", NULL, settings, 2);
    double matrix[STATES * STATES], values[2 * STATES];
    int found[] = {0, 0, 0, 0};
    assert_int_equal(ms_linearisation_monolithic(system, 0.0, (const double[STATES]){0}, matrix, NULL),
                     MS_OK);
    assert_int_equal(ms_matrix_eigenvalues(STATES, matrix, values), MS_OK);
    for (int k = 0; k < STATES; k++) {
        const double complex s = values[2 * k] + I * values[2 * k + 1];
        int modes = 0;
        for (int mode = 0; mode < 4; mode++)
            if (off_quarter_car(s, masses[mode], K[0]) < 1e-10) {
                found[mode]++;
                modes++;
            }
        assert_int_equal(modes, 1);
    }
    for (int mode = 0; mode < 4; mode++)
        assert_int_equal(found[mode], mode < 3 ? 4 : 2);
    /* heave of the body on springs in series, undamped, lies near 1 Hz */
    const double series = 4.0 * K[0] * K_T / (K[0] + K_T);
    const double frequency = sqrt(series / M) / (2.0 * 3.14159265358979323846);
    assert_true(frequency > 1.0 && frequency < 1.5);
    ms_system_destroy(&system);
}

/* Statics ------------------------------------------------------------------------------------------------ */

/* Rest under constant external inputs: A x = -B w. Strut and tyre are springs in series. */
static void rest_balances_the_loads(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("full-car", NULL, NULL, 0);
    ms_linearised *l = linearise(system);
    double rest[2 + WHEELS][STATES], k_z = 0.0, k_x = 0.0, k_y = 0.0, k_xx = 0.0;
    for (int j = 0; j < 2 + WHEELS; j++) {
        double matrix[STATES * STATES];
        memcpy(matrix, l->whole->A, sizeof matrix);
        for (int i = 0; i < STATES; i++)
            rest[j][i] = -l->whole->B[i * (2 + WHEELS) + j];
        support_solve(STATES, matrix, rest[j]);
    }
    for (int i = 0; i < WHEELS; i++) {
        const double k = K[i] * K_T / (K[i] + K_T);
        k_z += k;
        k_x += k * X[i];
        k_xx += k * X[i] * X[i];
        k_y += k * Y[i] * Y[i];
    }
    /* a_y: roll alone; a_x: pitch and heave, k_z z - k_x theta = 0, k_xx theta - k_x z = -m h a_x */
    support_near_relative(rest[1][PHI], M * H / k_y, 1e-12, "roll", "full-car");
    support_near_relative(rest[1][Z], 0.0, 1e-12, "heave", "full-car");
    support_near_relative(rest[1][THETA], 0.0, 1e-12, "pitch", "full-car");
    const double theta = -M * H / (k_xx - k_x * k_x / k_z);
    support_near_relative(rest[0][THETA], theta, 1e-12, "pitch", "full-car");
    support_near_relative(rest[0][Z], k_x * theta / k_z, 1e-12, "heave", "full-car");
    support_near_relative(rest[0][PHI], 0.0, 1e-12, "roll", "full-car");
    /* a road that is 1 m higher lifts everything by 1 m and loads nothing */
    for (int i = 0; i < STATES; i++) {
        double sum = 0.0;
        for (int wheel = 0; wheel < WHEELS; wheel++)
            sum += rest[2 + wheel][i];
        support_near_relative(sum, i == Z || (i >= 6 && i % 2 == 0) ? 1.0 : 0.0, 1e-11, "lift", "full-car");
    }
    ms_linearised_destroy(&l);
    ms_system_destroy(&system);
}

/* Motion ------------------------------------------------------------------------------------------------- */

/* The largest of each state at communication points, in a run of the case. */
static void largest_states(const char *case_name, double *largest)
{
    const ms_options options = support_options("");
    ms_system *system = support_system_of_case("full-car", case_name, NULL, 0);
    ms_cosim *cosim = support_cosim(system, &options);
    memset(largest, 0, sizeof *largest * STATES);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < 200; n++) {
        assert_int_equal(ms_cosim_step(cosim, n * 0.005, 0.005), MS_OK);
        for (int i = 0; i < STATES; i++)
            largest[i] = fmax(largest[i], fabs(cosim->x[i]));
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* A road that is the same on both sides does not make the body roll; a bump on one side makes half of the
 * heave and pitch of one on both. */
static void symmetric_roads_do_not_roll(void **state)
{
    (void)state;
    double both[STATES], left[STATES];
    largest_states("bump", both);
    largest_states("one-sided", left);
    assert_true(both[PHI] < 1e-15 && both[OMEGA_X] < 1e-14);
    assert_true(both[Z] > 0.01 && both[THETA] > 0.01 && left[PHI] > 0.01);
    for (int i = 0; i < 6; i++)
        if (i != PHI && i != OMEGA_X)
            support_near_relative(left[i], 0.5 * both[i], 1e-12, "half", "full-car");
}

/* f_x, f_y and t_z go into the guide: struts that stand upright give the same bits of the body's motion. */
static void guided_components_change_nothing(void **state)
{
    (void)state;
    const ms_options options = support_options("stop-time=0.5");
    const ms_setting upright[] = {{"caster", 0.0}, {"inclination", 0.0}};
    ms_system *leaning = support_system_of_case("full-car", "one-sided", NULL, 0),
              *straight = support_system_of_case("full-car", "one-sided", upright, 2);
    double a[STATES], b[STATES], y[SUPPORT_COUPLED_SIZE];
    support_finish(leaning, &options, a, y);
    assert_true(y[leaning->y_at[1]] != 0.0);
    support_finish(straight, &options, b, y);
    assert_true(y[leaning->y_at[1]] == 0.0);
    assert_memory_equal(a, b, sizeof a);
    ms_system_destroy(&leaning);
    ms_system_destroy(&straight);
}

/* Each loop of the eight turns by 3 pi/2, to one side and then to the other: the integral of a_y over the
 * speed. */
static void the_course_is_an_eight(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("full-car", "eight", NULL, 0);
    const double speed = 3.0, acceleration = 0.24, length = 150.0, turn = 1.5 * 3.14159265358979323846;
    for (int loop = 0; loop < 2; loop++) {
        enum { N = 2000 };
        double t[2], sum = 0.0, w[2];
        for (int k = 0; k < 2; k++) /* where the loop begins and ends: speed t + acceleration t^2 / 2 = s */
            t[k] = (sqrt(speed * speed + acceleration * length * (loop + k)) - speed) / acceleration;
        for (int k = 0; k < N; k++) {
            const double at = t[0] + (k + 0.5) * (t[1] - t[0]) / N;
            ms_subsystem_external(system, &system->sub[0], at, w);
            assert_true(w[0] == acceleration);
            sum += w[1] / (speed + acceleration * at) * (t[1] - t[0]) / N;
        }
        support_near(sum, loop == 0 ? turn : -turn, 1e-5);
    }
    assert_true(system->stop_time == 25.0 && system->step_size == 0.01);
    ms_system_destroy(&system);
}

/* Wheels feed through from every input to every output, the chassis from none; the chassis goes first. */
static void there_is_no_loop(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("full-car", NULL, NULL, 0);
    ms_digraph graph;
    int component[1 + WHEELS], count;
    assert_int_equal(ms_digraph_of_subsystems(system, &graph), MS_OK);
    assert_int_equal(ms_strong_components(&graph, component, &count), MS_OK);
    assert_int_equal(count, 1 + WHEELS);
    assert_int_equal(component[0], 0);
    for (int i = 0; i <= WHEELS; i++)
        for (int j = 0; j < system->sub[i].ny; j++)
            for (int k = 0; k < system->sub[i].nu; k++)
                assert_int_equal(ms_subsystem_feeds_through(system, i, j, k), i > 0);
    ms_digraph_destroy(&graph);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_split_car_is_the_whole_car), cmocka_unit_test(struts_give_force_and_moment),
        cmocka_unit_test(modes_are_quarter_cars),         cmocka_unit_test(rest_balances_the_loads),
        cmocka_unit_test(symmetric_roads_do_not_roll),    cmocka_unit_test(guided_components_change_nothing),
        cmocka_unit_test(the_course_is_an_eight),         cmocka_unit_test(there_is_no_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
