/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_models.c - every case of every model in the catalogue: its structure and its derivatives. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "coupled.h"
#include "support.h"
#include "unit_test.h"

/* Runs the test for every case of every model. */
static void for_each_case(void (*test)(const ms_system *system))
{
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int i = 0; i < (*model)->n_cases; i++) {
            ms_system *system = support_system_of_case((*model)->name, (*model)->cases[i].name, NULL, 0);
            assert_ptr_equal(system->model, *model);
            assert_string_equal(system->case_name, (*model)->cases[i].name);
            assert_true(system->nx <= SUPPORT_COUPLED_SIZE && system->nu <= SUPPORT_COUPLED_SIZE &&
                        system->ny <= SUPPORT_COUPLED_SIZE);
            test(system);
            ms_system_destroy(&system);
            assert_null(system);
        }
}

static void assert_unique(const char *const *names, int n, const char *where)
{
    for (int i = 0; i < n; i++) {
        if (names[i] == NULL || names[i][0] == '\0') {
            fail_msg("a name of %s is empty", where);
            return;
        }
        for (int j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                fail_msg("%s stands twice in %s", names[i], where);
    }
}

static void test_catalogue(void **state)
{
    (void)state;
    const char *names[SUPPORT_COUPLED_SIZE];
    int n = 0;
    for (; ms_catalogue[n] != NULL; n++) {
        const ms_model *model = ms_catalogue[n];
        names[n] = model->name;
        assert_ptr_equal(ms_catalogue_find(model->name), model);
        assert_non_null(model->summary);
        assert_non_null(model->source);
        assert_true(model->stop_time > 0.0 && model->step_size > 0.0 && model->n_cases > 0);
        assert_true((model->build != NULL) != (model->subsystems != NULL));
        const char *cases[SUPPORT_COUPLED_SIZE], *parameters[SUPPORT_COUPLED_SIZE];
        for (int i = 0; i < model->n_cases; i++) {
            cases[i] = model->cases[i].name;
            assert_int_equal(ms_model_case(model, cases[i]), i);
        }
        assert_unique(cases, model->n_cases, model->name);
        for (int i = 0; i < model->n_parameters; i++) {
            parameters[i] = model->parameters[i].name;
            assert_non_null(model->parameters[i].unit);
            assert_int_equal(ms_model_parameter(model, parameters[i]), i);
        }
        assert_unique(parameters, model->n_parameters, model->name);
    }
    assert_true(n >= 8);
    assert_unique(names, n, "the catalogue");
    assert_null(ms_catalogue_find("no-such-model"));
    assert_int_equal(ms_model_case(ms_catalogue[0], "no-such-case"), -1);
    assert_int_equal(ms_model_parameter(ms_catalogue[0], "no-such-parameter"), -1);
}

static void check_variables(const ms_variable *variables, int n, const char *where)
{
    const char *names[SUPPORT_COUPLED_SIZE];
    for (int i = 0; i < n; i++) {
        names[i] = variables[i].name;
        assert_non_null(variables[i].unit);
    }
    assert_unique(names, n, where);
}

/* Each port has a name of its own and an input of its own. */
static void check_ports(const ms_subsystem *sub)
{
    const char *names[SUPPORT_COUPLED_SIZE];
    bool taken[SUPPORT_COUPLED_SIZE] = {false};
    if (sub->ports == NULL) {
        assert_int_equal(sub->n_ports, 0);
        return;
    }
    assert_true(sub->n_ports > 0);
    for (int k = 0; k < sub->n_ports; k++) {
        const ms_port *port = &sub->ports[k];
        names[k] = port->name;
        assert_in_range(port->input, 0, sub->nu - 1);
        assert_in_range(port->output, 0, sub->ny - 1);
        assert_true(isfinite(port->gain) && port->gain != 0.0 && !taken[port->input]);
        taken[port->input] = true;
    }
    assert_unique(names, sub->n_ports, sub->name);
}

static bool is_wired(const ms_system *system, int input)
{
    return system->row_at[input + 1] > system->row_at[input];
}

/* The only inputs that are not wired: those that the paper feeds from outside. */
static bool is_outside(const ms_system *system, int i, int k)
{
    const char *name = system->model->name;
    return i == 0 && k == 0 && (strcmp(name, "example-5.1.1") == 0 || strcmp(name, "example-5.2.1") == 0);
}

static void check_structure(const ms_system *system)
{
    const char *names[SUPPORT_COUPLED_SIZE];
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        names[i] = sub->name;
        assert_int_equal(ms_system_find(system, sub->name), i);
        const int forms = (sub->matrices != NULL) + (sub->f != NULL) + (sub->residual != NULL);
        assert_true(forms == 1 || (forms == 0 && sub->nx == 0 && sub->g != NULL));
        assert_true((sub->matrices != NULL || sub->ny == 0) != (sub->g != NULL));
        assert_true((sub->residual != NULL) == (sub->algebraic != NULL));
        assert_true(sub->n_indicators == 0 || (sub->indicators != NULL && sub->handle != NULL));
        assert_true(sub->step_event == NULL || sub->handle != NULL);
        check_variables(sub->z, sub->nz, sub->name);
        assert_true((sub->matrices != NULL) == (system->blocks[i].A != NULL));
        assert_true(sub->nw == 0 || sub->external != NULL);
        assert_in_range(sub->input_limit, MS_INPUTS_ANY, MS_INPUTS_LINEAR);
        /* By default a model can be run with the step that it imposes. */
        assert_true(sub->imposed_step == 0.0 || sub->imposed_step == system->step_size);
        assert_true(!sub->uses_du || sub->matrices == NULL);
        check_variables(sub->x, sub->nx, sub->name);
        check_variables(sub->u, sub->nu, sub->name);
        check_variables(sub->y, sub->ny, sub->name);
        check_variables(sub->w, sub->nw, sub->name);
        check_ports(sub);
        for (int k = 0; k < sub->nu; k++)
            assert_true(is_wired(system, system->u_at[i] + k) || is_outside(system, i, k));
    }
    assert_unique(names, system->n, system->model->name);
    assert_int_equal(ms_system_find(system, "no-such-subsystem"), -1);
    for (int k = 0; k < system->structure.n_wires; k++) {
        const ms_wire *wire = &system->structure.wires[k];
        assert_in_range(wire->to, 0, system->n - 1);
        assert_in_range(wire->from, 0, system->n - 1);
        assert_in_range(wire->input, 0, system->sub[wire->to].nu - 1);
        assert_in_range(wire->output, 0, system->sub[wire->from].ny - 1);
        assert_true(isfinite(wire->gain) && wire->gain != 0.0);
    }
    double x[SUPPORT_COUPLED_SIZE];
    ms_system_start(system, x);
    for (int j = 0; j < system->nx; j++)
        assert_true(isfinite(x[j]));
    assert_true(system->stop_time > 0.0 && system->step_size > 0.0);
}

static void test_structure(void **state)
{
    (void)state;
    for_each_case(check_structure);
}

/* A block of the Jacobian at x, u: rows `row` .. of the outputs or the derivatives, columns `first` .. of v. */
typedef struct block {
    bool outputs;
    double *v; /* x or u */
    int first, columns, row, rows;
    const double *M; /* rows x columns */
    const char *what;
} block;

/* The outputs or the derivatives with v[j] at `value`. */
static void evaluate_at(const ms_system *system, double *x, double *u, const block *b, int j, double value,
                        double *f)
{
    const double kept = b->v[b->first + j];
    b->v[b->first + j] = value;
    support_evaluate(system, b->outputs, x, u, f);
    b->v[b->first + j] = kept;
}

/* M[k][j] = d(value k)/d(v[j]), one entry after the other, by differences of order four and but for their round-off. */
static void check_block(const ms_system *system, double *x, double *u, const block *b)
{
    static const int at[] = {-2, -1, 1, 2};
    const double step = 1e-5;
    double f[4][SUPPORT_COUPLED_SIZE];
    for (int j = 0; j < b->columns; j++) {
        for (int l = 0; l < 4; l++)
            evaluate_at(system, x, u, b, j, b->v[b->first + j] + at[l] * step, f[l]);
        for (int k = 0; k < b->rows; k++) {
            const int row = b->row + k;
            const double M = b->M[k * b->columns + j], round_off = 8.0 * DBL_EPSILON * fabs(f[2][row]) / step;
            support_near_relative(M,
                                  (8.0 * (f[2][row] - f[1][row]) - (f[3][row] - f[0][row])) / (12.0 * step),
                                  1e-7 + round_off / (1.0 + 2.0 * fabs(M)), b->what, system->model->name);
        }
    }
}

static void check_jacobian(const ms_system *system)
{
    enum { BLOCK = SUPPORT_COUPLED_SIZE * SUPPORT_COUPLED_SIZE };
    double x[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE], w[SUPPORT_COUPLED_SIZE],
        scratch[4 * SUPPORT_COUPLED_SIZE];
    double A[BLOCK], B[BLOCK], C[BLOCK], D[BLOCK];
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++)
        for (int i = 0; i < system->n; i++) {
            const ms_subsystem *sub = &system->sub[i];
            const int x_at = system->x_at[i], u_at = system->u_at[i], y_at = system->y_at[i];
            if (sub->residual != NULL) /* there is no f */
                continue;
            support_random_point(system, x, u);
            ms_point at = support_point(system, i, x, u);
            const ms_blocks m = {.A = A, .B = B, .C = C, .D = D};
            assert_int_equal(ms_subsystem_jacobian(system, i, &at, w, scratch, &m, NULL), 0);
            check_block(system, x, u, &(block){false, x, x_at, sub->nx, x_at, sub->nx, A, "A"});
            check_block(system, x, u, &(block){false, u, u_at, sub->nu, x_at, sub->nx, B, "B"});
            check_block(system, x, u, &(block){true, x, x_at, sub->nx, y_at, sub->ny, C, "C"});
            check_block(system, x, u, &(block){true, u, u_at, sub->nu, y_at, sub->ny, D, "D"});
            for (int j = 0; j < sub->ny; j++) {
                bool depends = false;
                for (int k = 0; k < sub->nu; k++) {
                    const bool declared = sub->feed_through == NULL || sub->feed_through[j * sub->nu + k];
                    assert_true(declared || D[j * sub->nu + k] == 0.0);
                    depends = depends || (D[j * sub->nu + k] != 0.0 && is_wired(system, u_at + k));
                }
                assert_true(system->feed_through[y_at + j] || !depends);
                assert_true(sub->matrices == NULL || system->feed_through[y_at + j] == depends);
            }
        }
}

static void test_jacobian(void **state)
{
    (void)state;
    for_each_case(check_jacobian);
}

/* Differences stand in for a Jacobian that the model does not give, block by block. */
static void test_jacobian_by_differences(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("double-pendulum", NULL, NULL, 0);
    const double x[] = {0.3, -1.2}, u[] = {2.0, -0.7};
    double A[2][4], B[2][4], C[2][4], D[2][4], w[1], scratch[8];
    for (int i = 0; i < system->n; i++) {
        ms_point at = {.x = x, .u = u};
        long evaluations = 0;
        ms_subsystem *sub = &system->structure.subsystems[i];
        for (int k = 0; k < 2; k++) {
            const ms_blocks m = {.A = A[k], .B = B[k], .C = C[k], .D = D[k]};
            assert_int_equal(ms_subsystem_jacobian(system, i, &at, w, scratch, &m, &evaluations), 0);
            assert_int_equal(evaluations, k == 0 ? 0 : 16);
            sub->jacobian = NULL;
        }
        for (int k = 0; k < 4; k++) {
            support_near_relative(A[0][k], A[1][k], 1e-8, "A", sub->name);
            support_near_relative(B[0][k], B[1][k], 1e-8, "B", sub->name);
            support_near_relative(C[0][k], C[1][k], 1e-8, "C", sub->name);
            support_near_relative(D[0][k], D[1][k], 1e-8, "D", sub->name);
        }
        evaluations = 0;
        assert_int_equal(
            ms_subsystem_jacobian(system, i, &at, w, scratch, &(ms_blocks){.C = C[1]}, &evaluations), 0);
        assert_int_equal(evaluations, 4);
    }
    ms_system_destroy(&system);
}

static void check_permuted(const ms_system *system)
{
    int order[SUPPORT_COUPLED_SIZE];
    double x[SUPPORT_COUPLED_SIZE], y[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE],
        dx[SUPPORT_COUPLED_SIZE];
    double xr[SUPPORT_COUPLED_SIZE], yr[SUPPORT_COUPLED_SIZE], ur[SUPPORT_COUPLED_SIZE],
        dxr[SUPPORT_COUPLED_SIZE];
    for (int i = 0; i < system->n; i++)
        order[i] = system->n - 1 - i;
    ms_system *reversed = support_permuted(system, order);
    assert_string_equal(reversed->case_name, system->case_name);
    assert_int_equal(reversed->nx, system->nx);
    assert_true(reversed->linear == system->linear && reversed->step_size == system->step_size);
    ms_system_start(system, x);
    ms_system_start(reversed, xr);
    support_random_vector(y, system->ny);
    for (int i = 0; i < system->n; i++) {
        const int r = system->n - 1 - i;
        assert_string_equal(reversed->sub[r].name, system->sub[i].name);
        for (int j = 0; j < system->sub[i].nx; j++)
            assert_true(xr[reversed->x_at[r] + j] == x[system->x_at[i] + j]);
        for (int j = 0; j < system->sub[i].ny; j++) {
            yr[reversed->y_at[r] + j] = y[system->y_at[i] + j];
            assert_true(reversed->feed_through[reversed->y_at[r] + j] ==
                        system->feed_through[system->y_at[i] + j]);
        }
    }
    ms_system_couple(system, y, u);
    ms_system_couple(reversed, yr, ur);
    const bool explicit = system->sub[0].residual == NULL;
    if (explicit) {
        support_evaluate(system, false, x, u, dx);
        support_evaluate(reversed, false, xr, ur, dxr);
    }
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].nx && explicit; j++)
            assert_true(dxr[reversed->x_at[system->n - 1 - i] + j] == dx[system->x_at[i] + j]);
    const double energy = ms_system_energy(system, x), other = ms_system_energy(reversed, xr);
    assert_true(isnan(energy) == isnan(other));
    if (!isnan(energy)) /* sums of three or more depend on their order */
        support_near_relative(other, energy, 1e-15, "energy", system->model->name);
    ms_system_destroy(&reversed);
}

static void test_permuted(void **state)
{
    (void)state;
    for_each_case(check_permuted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue), cmocka_unit_test(test_structure),
        cmocka_unit_test(test_jacobian),  cmocka_unit_test(test_jacobian_by_differences),
        cmocka_unit_test(test_permuted),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
