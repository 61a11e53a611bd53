/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Consistent values at the start: in an evaluation order, and by one Newton iteration for everything. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include "evaluation_order.h"
#include "initialise.h"
#include "newton_at_once.h"
#include "random_dependency_graph.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { SUBSYSTEMS_MAX = 5, PORTS = 3, SIZE = SUBSYSTEMS_MAX * PORTS };

/* Static and nonlinear ----------------------------------------------------------------------------------- */

/* y_j = c_j + sum_k W_jk sin(u_k). Row sums of |W| below 1 and one wire of gain 1 an input: one solution. */
typedef struct sines {
    int nu, ny;
    double c[PORTS], W[PORTS * PORTS];
} sines;

static int sines_g(const ms_point *at, double *y)
{
    const sines *own = at->data;
    for (int j = 0; j < own->ny; j++) {
        y[j] = own->c[j];
        for (int k = 0; k < own->nu; k++)
            y[j] += own->W[j * own->nu + k] * sin(at->u[k]);
    }
    return 0;
}

typedef struct sample {
    sines data[SUBSYSTEMS_MAX];
    bool feeds[SUBSYSTEMS_MAX][PORTS * PORTS];
    ms_subsystem sub[SUBSYSTEMS_MAX];
    ms_wire wire[SIZE];
    ms_model model;
} sample;

/* Four ways to the same values: in two orders, and by one Newton iteration for all inputs or all outputs. */
enum { REDUCED, TARJAN, INPUTS, OUTPUTS };

static int initialise(const ms_system *system, int way, const double *x, double *u, double *y,
                      ms_initialisation *work, ms_error *error)
{
    if (way >= INPUTS)
        return ms_newton_at_once(system, way == INPUTS ? MS_UNKNOWN_INPUTS : MS_UNKNOWN_OUTPUTS, 0.0, x, u, y,
                                 work, error);
    return ms_initialise(system, way == REDUCED ? MS_INITIALISE_REDUCED : MS_INITIALISE_TARJAN, 0.0, x, u, y,
                         work, error);
}

/* A model with the structure of a random graph. */
static void make_sample(const ms_random_graph_options *request, const ms_dependency_graph *d,
                        unsigned long long *seed, sample *s)
{
    const int nu = request->inputs, ny = request->outputs;
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    memset(s, 0, sizeof *s);
    int wires = 0;
    for (int i = 0; i < request->subsystems; i++) {
        s->data[i].nu = nu;
        s->data[i].ny = ny;
        for (int j = 0; j < ny; j++)
            s->data[i].c[j] = support_random(seed);
        s->sub[i] = (ms_subsystem)SUPPORT_SUBSYSTEM(names[i], 0, nu, ny, .f = support_no_states, .g = sines_g,
                                                    .feed_through = s->feeds[i], .data = &s->data[i]);
    }
    for (int v = 0; v < d->graph.n; v++)
        for (int e = d->graph.at[v]; e < d->graph.at[v + 1]; e++) {
            const int w = d->graph.to[e], i = d->subsystem[v];
            if (v < d->n_inputs) {
                const int at = (w - d->n_inputs - i * ny) * nu + v - i * nu;
                s->feeds[i][at] = true;
                s->data[i].W[at] = 0.9 / nu * support_random(seed);
            } else {
                s->wire[wires++] = (ms_wire){.to = d->subsystem[w],
                                             .input = w % nu,
                                             .from = i,
                                             .output = (v - d->n_inputs) % ny,
                                             .gain = 1.0};
            }
        }
    s->model = (ms_model)SUPPORT_MODEL_OF("sample", s->sub, request->subsystems, s->wire, wires,
                                          .stop_time = 1.0, .step_size = 0.5);
}

/* max |y - g(L y)|, evaluated apart from the library's instances. */
static double defect(const ms_system *system, const double *y)
{
    double u[SIZE], g[PORTS], w[1], worst = 0.0;
    ms_system_couple(system, y, u);
    for (int i = 0; i < system->n; i++) {
        ms_point at = {.u = u + system->u_at[i]};
        assert_int_equal(ms_subsystem_g(system, i, &at, w, g), 0);
        for (int j = 0; j < system->sub[i].ny; j++)
            worst = fmax(worst, fabs(y[system->y_at[i] + j] - g[j]));
    }
    return worst;
}

static void test_random_systems(void **state)
{
    (void)state;
    unsigned long long seed = 99;
    int without_loops = 0, with_loops = 0;
    for (int trial = 0; trial < 200; trial++) {
        const ms_random_graph_options request = {.subsystems = 2 + trial % 4,
                                                 .inputs = 1 + trial / 4 % 3,
                                                 .outputs = 1 + trial / 12 % 3,
                                                 .feed_through = 0.2 + 0.2 * (trial % 3),
                                                 .loops = trial % 2 == 0};
        static sample s;
        ms_dependency_graph d;
        ms_evaluation_order order;
        double u[SIZE], y[SIZE], reference[SIZE];
        ms_initialisation work;
        assert_int_equal(ms_random_dependency_graph(&request, &seed, &d), MS_OK);
        make_sample(&request, &d, &seed, &s);
        ms_dependency_graph_destroy(&d);
        ms_system *system = support_system_of(&s.model);
        for (int method = REDUCED; method <= OUTPUTS; method++) {
            memset(u, 0, sizeof u);
            assert_int_equal(initialise(system, method, NULL, u, y, &work, NULL), MS_OK);
            assert_true(defect(system, y) < 1e-14);
            if (method == REDUCED)
                memcpy(reference, y, sizeof y);
            assert_true(support_distance(system->ny, y, reference) < 1e-13);
            if (method > TARJAN)
                continue;
            /* Without loops each evaluation that the order counts takes place, and no other. */
            assert_int_equal(ms_dependency_graph_create(system, &d), MS_OK);
            assert_int_equal(method == REDUCED ? ms_evaluation_order_reduce(&d, &order)
                                               : ms_evaluation_order_create(&d, &order),
                             MS_OK);
            bool loops = false;
            for (int k = 0; k < order.n_groups; k++)
                loops |= order.loop[k];
            without_loops += !loops;
            with_loops += loops;
            assert_true(loops ? work.iterations > 0 && work.evaluations > order.total
                              : work.iterations == 0 && work.evaluations == order.total);
            ms_evaluation_order_destroy(&order);
            ms_dependency_graph_destroy(&d);
        }
        ms_system_destroy(&system);
    }
    assert_true(without_loops > 100 && with_loops > 50);
}

/* Example 5.0.1 ------------------------------------------------------------------------------------------ */

static void test_example_5_0_1(void **state)
{
    (void)state;
    ms_system *system = support_system("example-5.0.1", NULL);
    const double x[] = {1.0, -1.0};
    ms_initialisation work;
    ms_error error;
    for (int method = REDUCED; method <= TARJAN; method++) {
        double u[2] = {0.0}, y[2] = {0.0};
        assert_int_equal(initialise(system, method, x, u, y, &work, NULL), MS_OK);
        assert_true(y[0] == 1.0 && u[1] == 1.0 && y[1] == -1.0 && u[0] == -1.0);
        assert_int_equal(work.evaluations, 2);
        assert_int_equal(work.iterations, 0);
    }
    for (int method = INPUTS; method <= OUTPUTS; method++) {
        double u[2] = {0.0}, y[2] = {0.0};
        assert_int_equal(initialise(system, method, x, u, y, &work, &error), MS_NO_SOLUTION);
        assert_non_null(strstr(error.text, "s2"));
        assert_non_null(strstr(error.text, "not finite"));
        double near_u[2] = {-0.8, 0.8}; /* with a good guess it works */
        assert_int_equal(initialise(system, method, x, near_u, y, &work, &error), MS_OK);
        support_near(y[0], 1.0, 1e-14);
        support_near(y[1], -1.0, 1e-14);
        assert_true(work.iterations > 0);
    }
    ms_system_destroy(&system);
}

/* Every family starts, and stays in the equilibrium. */
static void test_schemes_start(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "scheme=jacobi",        "scheme=jacobi outputs=consistent extrapolation-order=1",
        "scheme=gauss-seidel",  "scheme=balance",
        "scheme=f3ornits",      "scheme=ifosmondi",
        "scheme=zoh-iterative", "scheme=jacobi outputs=corrected extrapolation-order=1 derivatives=analytic"};
    ms_system *system = support_system("example-5.0.1", NULL);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        const ms_options options = support_options(schemes[k]);
        double x[2], y[2];
        support_finish(system, &options, x, y);
        support_near(x[0], 1.0, 1e-9);
        support_near(x[1], -1.0, 1e-9);
        support_near(y[0], 1.0, 1e-9);
        support_near(y[1], -1.0, 1e-9);
    }
    const ms_options zero = support_options("initial-inputs=zero");
    const ms_run_result result = support_run(system, &zero, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
    assert_non_null(strstr(result.message, "subsystem s2"));
    assert_non_null(strstr(result.message, "`initial-inputs` consistent"));
    ms_system_destroy(&system);
    system = support_system("example-5.0.1", "x1=0");
    const ms_options plain = support_options("");
    const ms_run_result singular = support_run(system, &plain, NULL, NULL);
    assert_int_equal(singular.reason, MS_REASON_NO_SOLUTION);
    assert_non_null(strstr(singular.message, "subsystem s2"));
    ms_system_destroy(&system);
}

/* The reference of a start off the equilibrium: x1' = x1 + x2 / x1, x2' = x2 + x1, by RK4 here. */
static void test_reference(void **state)
{
    (void)state;
    ms_system *system = support_system("example-5.0.1", "x1=1.5");
    double x[2] = {1.5, -1.0}, reference[2];
    const int steps = 2000;
    const double h = 1.0 / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][2], at[2] = {x[0], x[1]};
        for (int stage = 0; stage < 4; stage++) {
            k[stage][0] = at[0] + at[1] / at[0];
            k[stage][1] = at[1] + at[0];
            for (int j = 0; j < 2; j++)
                at[j] = x[j] + (stage < 2 ? 0.5 : 1.0) * h * k[stage][j];
        }
        for (int j = 0; j < 2; j++)
            x[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
    support_reference(system, 1.0, reference);
    assert_true(support_distance(2, reference, x) < 1e-8);
    ms_system_destroy(&system);
}

/* The printed numbers of Example 5.1.1, and the regular case by hand: y1[3] = external / (1 - d). */
static void test_example_5_1_1(void **state)
{
    (void)state;
    ms_system *system = support_system("example-5.1.1", "case=printed");
    support_system_refuses(system, "", MS_NO_SOLUTION, "det(I - D L) = 0");
    support_system_refuses(system, "", MS_NO_SOLUTION,
                           "s1.u.u2, s2.u.u1, s3.u.u2, s1.y.y1, s2.y.y1, s3.y.y1 ");
    double u[6] = {0.0}, y[6];
    ms_error error;
    assert_int_equal(ms_initialise(system, MS_INITIALISE_REDUCED, 0.0, NULL, u, y, NULL, &error),
                     MS_NO_SOLUTION);
    assert_non_null(strstr(error.text, "s1.u.u2, s2.u.u1, s3.u.u2, s1.y.y1, s2.y.y1, s3.y.y1 "));
    ms_system_destroy(&system);
    system = support_system("example-5.1.1", "d=-1 external=3");
    const double expected[] = {1.5, 3.0, 1.5, 1.5, 1.5, 1.5};
    for (int method = REDUCED; method <= OUTPUTS; method++) {
        memset(u, 0, sizeof u);
        assert_int_equal(initialise(system, method, NULL, u, y, NULL, &error), MS_OK);
        assert_true(support_distance(6, y, expected) < 1e-14);
    }
    const ms_options options = support_options("");
    support_finish(system, &options, NULL, y);
    assert_true(support_distance(6, y, expected) < 1e-14);
    ms_system_destroy(&system);
}

/* Outputs that read u': the orders have a place for u' = L y', one iteration for everything has none. */
static void test_slopes(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", NULL);
    double x[8], u[8] = {0.0}, y[8];
    const ms_options options = support_options("");
    assert_true(system->nx <= 8 && system->nu <= 8 && system->ny <= 8);
    ms_system_start(system, x);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int method = REDUCED; method <= TARJAN; method++) {
        memset(u, 0, sizeof u);
        assert_int_equal(initialise(system, method, x, u, y, NULL, NULL), MS_OK);
        assert_true(support_distance(system->ny, y, cosim->y) < 1e-14);
    }
    ms_error error;
    assert_int_equal(initialise(system, INPUTS, x, u, y, NULL, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "derivatives of its inputs"));
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems), cmocka_unit_test(test_example_5_0_1),
        cmocka_unit_test(test_schemes_start),  cmocka_unit_test(test_reference),
        cmocka_unit_test(test_example_5_1_1),  cmocka_unit_test(test_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
