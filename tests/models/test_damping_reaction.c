/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_damping_reaction.c - damping-reaction and plate-chain: the printed matrices and eigenvalues, the force
 * f_L, and trajectories against an integration of equations whose loop was solved by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/reference.h>
#include "coupled.h"
#include "matrix.h"
#include "support.h"
#include "unit_test.h"

enum { BODY, PLATE };

static const double pi = 3.14159265358979323846, e = 2.71828182845904523536;

/* The values of a system, in the paper's letters. */
typedef struct values {
    double M, K, D, DD;
    int n; /* plates */
} values;

static values values_of(const ms_system *s)
{
    const bool chain = ms_model_parameter(s->model, "plates") >= 0;
    return (values){support_value(s, "m_l"), support_value(s, "k_sd"), support_value(s, "d_sd"),
                    support_value(s, "d_d"), chain ? (int)support_value(s, "plates") : 1};
}

/* Values that let every parameter matter. */
#define UNEQUAL "m_l=1.7 k_sd=2.3 d_sd=0.6 d_d=0.9"

static const char *const single_settings[] = {"", "case=non-contractive", "case=threshold", "case=extreme",
                                              UNEQUAL};
static const char *const chain_settings[] = {"",
                                             "case=non-contractive",
                                             "case=ten-plates",
                                             "case=one-plate",
                                             "plates=2 " UNEQUAL,
                                             "plates=7 " UNEQUAL,
                                             "plates=4 d_d=0.01"};

/* Matrices ----------------------------------------------------------------------------------------------- */

static void assert_block(const char *what, const double *block, const double *expected, int n)
{
    for (int k = 0; k < n; k++)
        support_near_relative(block[k], expected[k], 1e-15, what, "(32)");
}

static void test_matrices(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "case=extreme", UNEQUAL};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("damping-reaction", settings[k]);
        const values p = values_of(system);
        const double M = p.M, K = p.K, D = p.D, DD = p.DD;
        const ms_blocks *body = &system->blocks[BODY], *plate = &system->blocks[PLATE];
        assert_true(system->n == 2 && system->nx == 3 && system->nu == 3 && system->ny == 3 &&
                    system->nw == 1);
        assert_block("A of S1", body->A, (const double[]){-D / M, -K / M, 1.0, 0.0}, 4);
        assert_block("B of S1", body->B, (const double[]){D / M, K / M, 0.0, 0.0}, 4);
        assert_block("C of S1", body->C, (const double[]){D, K}, 2);
        assert_block("D of S1", body->D, (const double[]){-D, -K}, 2);
        assert_block("E of S1", body->E, (const double[]){1.0 / M, 0.0}, 2);
        assert_block("F of S1", body->F, (const double[]){0.0}, 1);
        assert_block("A of S2", plate->A, (const double[]){0.0}, 1);
        assert_block("B of S2", plate->B, (const double[]){1.0 / DD}, 1);
        assert_block("C of S2", plate->C, (const double[]){0.0, 1.0}, 2);
        assert_block("D of S2", plate->D, (const double[]){1.0 / DD, 0.0}, 2);

        /* The upper left block of (33), in the order f_C, v_C, x_C. */
        const double zeros[3] = {0.0}, loop[9] = {0.0, -D, -K, 1.0 / DD, 0.0, 0.0, 0.0, 0.0, 0.0};
        double DL[9];
        support_loop_matrix(system, zeros, zeros, DL);
        assert_block("D L", DL, loop, 9);
        ms_system_destroy(&system);
    }
}

static void test_as_printed(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double damping, radius;
    } printed[] = {{"contractive", 4.0, 0.5},
                   {"non-contractive", 0.64, 1.25},
                   {"threshold", 1.0, 1.0},
                   {"extreme", 0.01, 10.0}};
    const ms_model *model = ms_catalogue_find("damping-reaction");
    assert_string_equal(model->cases[0].name, printed[0].name);
    assert_int_equal(model->n_cases, MS_COUNT(printed));
    for (int k = 0; k < MS_COUNT(printed); k++) {
        ms_system *system = support_system_of_case("damping-reaction", printed[k].name, NULL, 0);
        const values p = values_of(system);
        double x[3];
        assert_true(p.M == 1.0 && p.K == 1.0 && p.D == 1.0 && p.DD == printed[k].damping);
        support_near(sqrt(p.D / p.DD), printed[k].radius, 1e-15);
        assert_true(system->stop_time == 10.0 && system->step_size == 0.01);
        ms_system_start(system, x);
        assert_true(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
        ms_system_destroy(&system);
    }
    ms_system *system = NULL;
    const ms_setting zero = {"d_d", 0.0};
    assert_int_equal(ms_system_create(model, NULL, &zero, 1, &system, NULL), MS_INVALID);
    assert_null(system);
}

static int by_imaginary_part(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (first[1] > second[1]) - (first[1] < second[1]);
}

/* Eigenvalues of D L: 0 n times, +- i sigma_j sqrt(D_SD/D_D), sigma_j = 2 sin((2j - 1) pi / (4n + 2)). */
static void check_loop(const char *model, const char *settings)
{
    ms_system *system = support_system(model, settings);
    const values p = values_of(system);
    const int n = p.n, ny = 3 * n;
    const double zeros[SUPPORT_COUPLED_SIZE] = {0.0}, scale = sqrt(p.D / p.DD);
    double DL[SUPPORT_COUPLED_SIZE * SUPPORT_COUPLED_SIZE], lambda[2 * SUPPORT_COUPLED_SIZE],
        expected[SUPPORT_COUPLED_SIZE] = {0.0};
    assert_true(system->ny == ny && system->nx == n + 2 && system->n == 2 * n);
    support_loop_matrix(system, zeros, zeros, DL);
    assert_int_equal(ms_matrix_eigenvalues(ny, DL, lambda), MS_OK);
    qsort(lambda, (size_t)ny, 2 * sizeof(double), by_imaginary_part);
    for (int j = 1; j <= n; j++) {
        const double sigma = 2.0 * sin((2 * j - 1) * pi / (4 * n + 2));
        expected[n - j] = -scale * sigma;
        expected[2 * n - 1 + j] = scale * sigma;
    }
    for (int k = 0; k < ny; k++) {
        support_near(lambda[2 * k], 0.0, 1e-12 * (1.0 + scale));
        support_near(lambda[2 * k + 1], expected[k], 1e-12 * (1.0 + scale));
    }
    support_near(lambda[2 * ny - 1], 2.0 * cos(pi / (2 * n + 1)) * scale, 1e-12 * (1.0 + scale));
    if (n == 1)
        support_near(lambda[2 * ny - 1], scale, 1e-12 * scale);
    ms_system_destroy(&system);
}

static void test_loop(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(single_settings); k++)
        check_loop("damping-reaction", single_settings[k]);
    for (int k = 0; k < MS_COUNT(chain_settings); k++)
        check_loop("plate-chain", chain_settings[k]);
}

/* The force f_L ------------------------------------------------------------------------------------------ */

static double push_at(const ms_system *system, double t)
{
    double w;
    assert_int_equal(system->sub[BODY].nw, 1);
    ms_subsystem_external(system, &system->sub[BODY], t, &w);
    return w;
}

static void test_force(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", NULL);
    assert_true(push_at(system, 0.0) == 5.0);
    support_near(push_at(system, 1.0), 5.0 * exp(-1.0 / 3.0), 1e-15); /* 1/((1/2)^2 - 1) = -4/3 */
    support_near(push_at(system, sqrt(2.0)), 5.0 / e, 1e-14);
    support_near(push_at(system, sqrt(3.0)), 5.0 / (e * e * e), 1e-14);
    for (int k = 0; k < 200; k++) { /* as printed */
        const double t = 0.01 * k;
        support_near(push_at(system, t), 5.0 / exp(-1.0) * exp(1.0 / (pow(t / 2.0, 2.0) - 1.0)), 1e-13);
        assert_true(push_at(system, -t) == push_at(system, t));
        assert_true(push_at(system, t + 0.01) < push_at(system, t));
    }
    static const double after[] = {2.0, 2.0 + 1e-15, 2.001, 3.0, 10.0, 1e300};
    for (int k = 0; k < MS_COUNT(after); k++)
        assert_true(push_at(system, after[k]) == 0.0 && push_at(system, -after[k]) == 0.0);
    assert_true(push_at(system, nextafter(2.0, 0.0)) == 0.0); /* exp(-1/2e-16) underflows, and is finite */
    ms_system_destroy(&system);
}

/* Central differences of order k at 2 s over h^k tend to the k-th derivative there: all of them to zero. */
static void test_force_smooth(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", NULL);
    for (int k = 0; k <= 8; k++) {
        double last = INFINITY, h = 0.02;
        for (int halving = 0; halving < 5; halving++, h *= 0.5) {
            double sum = 0.0, binomial = 1.0;
            for (int j = 0; j <= k; j++) {
                sum += (j % 2 == 0 ? binomial : -binomial) * push_at(system, 2.0 + (0.5 * k - j) * h);
                binomial *= (double)(k - j) / (j + 1);
            }
            const double quotient = fabs(sum) / pow(h, k);
            assert_true(quotient < last || quotient == 0.0);
            last = quotient;
        }
        assert_true(last < 1e-30);
    }
    ms_system_destroy(&system);
}

/* Trajectories ------------------------------------------------------------------------------------------- */

/* f_L by (29). */
static double printed_force(double t)
{
    return t < 2.0 ? 5.0 / exp(-1.0) * exp(1.0 / (pow(t / 2.0, 2.0) - 1.0)) : 0.0;
}

/* x = (v_L, x_L, x_1 .. x_n); velocities of the plates from the balance of forces on each of them:
 *
 *     D_D v_i = K (x_(i-1) - x_i) + D (v_(i-1) - v_i) - [K (x_i - x_(i+1)) + D (v_i - v_(i+1))]
 *
 * without [..] for the last. */
static void chain_by_hand(const values *p, double t, const double *x, double *dx)
{
    enum { MOST = 10 };
    const int n = p->n;
    double M[MOST * MOST] = {0.0}, v[MOST];
    assert_true(n <= MOST);
    for (int i = 0; i < n; i++) {
        const bool last = i == n - 1;
        M[i * n + i] = p->DD + (last ? 1.0 : 2.0) * p->D;
        v[i] = p->K * (x[1 + i] - x[2 + i]) + (i == 0 ? p->D * x[0] : 0.0);
        if (i > 0)
            M[i * n + i - 1] = -p->D;
        if (!last) {
            M[i * n + i + 1] = -p->D;
            v[i] -= p->K * (x[2 + i] - x[3 + i]);
        }
    }
    support_solve(n, M, v);
    dx[0] = (printed_force(t) + p->K * (x[2] - x[1]) + p->D * (v[0] - x[0])) / p->M;
    dx[1] = x[0];
    memcpy(dx + 2, v, sizeof(double) * (size_t)n);
}

/* The three equations of damping-reaction, v_C = (K (x_L - x_D) + D v_L) / (D + D_D), f_C = D_D v_C. */
static void single_by_hand(const values *p, double t, const double *x, double *dx)
{
    const double v_C = (p->K * (x[1] - x[2]) + p->D * x[0]) / (p->D + p->DD);
    dx[0] = (printed_force(t) - p->DD * v_C) / p->M;
    dx[1] = x[0];
    dx[2] = v_C;
}

/* The classical Runge-Kutta method of order 4 from 0 to t, from rest. */
static void integrate(const values *p, void (*f)(const values *, double, const double *, double *), double t,
                      int steps, double *x)
{
    const int nx = p->n + 2;
    const double h = t / steps, node[] = {0.0, 0.5, 0.5, 1.0},
                 weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double at[SUPPORT_COUPLED_SIZE] = {0.0}, k[SUPPORT_COUPLED_SIZE], next[SUPPORT_COUPLED_SIZE];
    memset(x, 0, sizeof(double) * (size_t)nx);
    for (int n = 0; n < steps; n++) {
        memcpy(next, x, sizeof(double) * (size_t)nx);
        memset(k, 0, sizeof k);
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < nx; j++)
                at[j] = x[j] + node[stage] * h * k[j];
            f(p, (n + node[stage]) * h, at, k);
            for (int j = 0; j < nx; j++)
                next[j] += weight[stage] * h * k[j];
        }
        memcpy(x, next, sizeof(double) * (size_t)nx);
    }
}

static void check_trajectory(const char *model, const char *settings, bool chain)
{
    static const double times[] = {0.7, 2.0, 10.0};
    ms_system *system = support_system(model, settings);
    const values p = values_of(system);
    for (int k = 0; k < MS_COUNT(times); k++) {
        double x[SUPPORT_COUPLED_SIZE], expected[SUPPORT_COUPLED_SIZE];
        support_reference(system, times[k], x);
        integrate(&p, chain ? chain_by_hand : single_by_hand, times[k], 4000, expected);
        for (int j = 0; j < p.n + 2; j++)
            support_near(x[j], expected[j], 1e-10 * (1.0 + fabs(expected[j])));
        assert_true(expected[1] > 0.1);
    }
    ms_system_destroy(&system);
}

static void test_trajectories(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(single_settings); k++)
        check_trajectory("damping-reaction", single_settings[k], false);
    for (int k = 0; k < MS_COUNT(chain_settings); k++)
        check_trajectory("plate-chain", chain_settings[k], true);
}

/* M_L v_L' = f_L - f_1 and D_D (x_1 + .. + x_n)' = f_1 add up to f_L, whose integral the trapezoidal rule
 * has to round-off because all derivatives of odd order vanish at both ends. */
static void test_impulse(void **state)
{
    (void)state;
    double impulse = 0.0;
    for (int k = 0; k <= 400; k++)
        impulse += 0.005 * (k == 0 ? 0.5 : 1.0) * printed_force(0.005 * k);
    for (int n = 1; n <= 8; n++) {
        ms_setting settings[] = {{"plates", n}, {"d_d", 0.4}, {"m_l", 1.3}};
        ms_system *system = support_system_of_case("plate-chain", NULL, settings, MS_COUNT(settings));
        double x[SUPPORT_COUPLED_SIZE], sum = 0.0;
        support_reference(system, 6.0, x);
        for (int i = 0; i < n; i++)
            sum += x[2 + i];
        support_near(1.3 * x[0] + 0.4 * sum, impulse, 1e-11);
        ms_system_destroy(&system);
    }
}

/* Table 2: the directions of body and plate, one stage after the other. */
static void test_stages(void **state)
{
    (void)state;
    static const int stages[][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    ms_system *system = support_system("damping-reaction", NULL);
    const values p = values_of(system);
    ms_reference *reference;
    int stage = 0;
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    for (int k = 0; k < 400; k++) {
        double dx[3];
        assert_int_equal(ms_reference_step(reference, 0.025 * k, 0.025), MS_OK);
        single_by_hand(&p, 0.025 * (k + 1), ms_reference_state(reference), dx);
        const int body = dx[1] > 0.0 ? 1 : -1, plate = dx[2] > 0.0 ? 1 : -1;
        if (stage + 1 < MS_COUNT(stages) && body == stages[stage + 1][0] && plate == stages[stage + 1][1])
            stage++;
        assert_true(body == stages[stage][0] && plate == stages[stage][1]);
    }
    assert_int_equal(stage, MS_COUNT(stages) - 1);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* One plate ---------------------------------------------------------------------------------------------- */

static void assert_same(const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++)
        assert_true(a[k] == b[k]);
}

/* The same bits: blocks, wires, force and a run. */
static void test_one_plate(void **state)
{
    (void)state;
    static const char *const settings[][2] = {{"", "case=one-plate"}, {UNEQUAL, "plates=1 " UNEQUAL}};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *single = support_system("damping-reaction", settings[k][0]);
        ms_system *chain = support_system("plate-chain", settings[k][1]);
        assert_true(chain->n == 2 && chain->nx == 3 && chain->nu == 3 && chain->ny == 3 && chain->nw == 1);
        for (int i = 0; i < 2; i++) {
            const int nx = single->sub[i].nx, nu = single->sub[i].nu, ny = single->sub[i].ny;
            const ms_blocks *a = &single->blocks[i], *b = &chain->blocks[i];
            assert_true(chain->sub[i].nx == nx && chain->sub[i].nu == nu && chain->sub[i].ny == ny);
            assert_same(a->A, b->A, nx * nx);
            assert_same(a->B, b->B, nx * nu);
            assert_same(a->C, b->C, ny * nx);
            assert_same(a->D, b->D, ny * nu);
            assert_same(a->E, b->E, nx * single->sub[i].nw);
        }
        double y[3], u[2][3], x[2][3];
        support_random_vector(y, 3);
        ms_system_couple(single, y, u[0]);
        ms_system_couple(chain, y, u[1]);
        assert_same(u[0], u[1], 3);
        for (int j = -8; j < 24; j++)
            assert_true(push_at(single, 0.125 * j) == push_at(chain, 0.125 * j));
        const ms_options options = support_options("outputs=consistent extrapolation-order=1 step-size=0.02");
        support_finish(single, &options, x[0], NULL);
        support_finish(chain, &options, x[1], NULL);
        assert_same(x[0], x[1], 3);
        ms_system_destroy(&chain);
        ms_system_destroy(&single);
    }
}

/* The chain's first parameters are read by subsystems of damping-reaction. */
static void test_parameters(void **state)
{
    (void)state;
    const ms_model *single = ms_catalogue_find("damping-reaction"), *chain = ms_catalogue_find("plate-chain");
    assert_int_equal(chain->n_parameters, single->n_parameters + 1);
    for (int k = 0; k < single->n_parameters; k++)
        assert_string_equal(chain->parameters[k].name, single->parameters[k].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),     cmocka_unit_test(test_as_printed),
        cmocka_unit_test(test_loop),         cmocka_unit_test(test_force),
        cmocka_unit_test(test_force_smooth), cmocka_unit_test(test_trajectories),
        cmocka_unit_test(test_impulse),      cmocka_unit_test(test_stages),
        cmocka_unit_test(test_one_plate),    cmocka_unit_test(test_parameters)};
    return cmocka_run_group_tests_name("damping reaction", tests, NULL, NULL);
}
