/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "coupled.h"
#include "support.h"
#include "unit_test.h"

void support_random_vector(double *v, int n)
{
    static unsigned long long seed = 1;
    for (int i = 0; i < n; i++)
        v[i] = 2.0 * support_random(&seed);
}

void support_near_relative(double a, double b, double tolerance, const char *what, const char *where)
{
    if (!(fabs(a - b) <= tolerance * (1.0 + fabs(a) + fabs(b))))
        fail_msg("%s of %s: %.17g, expected %.17g", what, where, a, b);
}

ms_system *support_system_of_case(const char *model, const char *case_name, const ms_setting *settings, int n)
{
    ms_system *system;
    ms_error error;
    const ms_model *found = ms_catalogue_find(model);
    assert_non_null(found);
    if (ms_system_create(found, case_name, settings, n, &system, &error) != MS_OK)
        fail_msg("%s: %s", model, error.text);
    return system;
}

void support_solve(int n, double *M, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i * n + k]) > fabs(M[pivot * n + k]))
                pivot = i;
        assert_true(M[pivot * n + k] != 0.0);
        for (int j = 0; j < n; j++) {
            const double m = M[k * n + j];
            M[k * n + j] = M[pivot * n + j];
            M[pivot * n + j] = m;
        }
        const double swapped = b[k];
        b[k] = b[pivot];
        b[pivot] = swapped;
        for (int i = k + 1; i < n; i++) {
            const double factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++)
                M[i * n + j] -= factor * M[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= M[i * n + j] * b[j];
        b[i] /= M[i * n + i];
    }
}

ms_point support_point(const ms_system *system, int i, const double *x, const double *u)
{
    static const double zeros[SUPPORT_COUPLED_SIZE];
    return (ms_point){.x = x + system->x_at[i], .u = u + system->u_at[i], .du = zeros, .z = zeros};
}

/* Are f and g of all subsystems defined? */
static bool is_defined(const ms_system *system, const double *x, const double *u)
{
    double w[SUPPORT_COUPLED_SIZE], value[SUPPORT_COUPLED_SIZE];
    bool defined = true;
    for (int i = 0; i < system->n && defined; i++) {
        ms_point at = support_point(system, i, x, u);
        defined =
            ms_subsystem_f(system, i, &at, w, value) == 0 && ms_subsystem_g(system, i, &at, w, value) == 0;
    }
    return defined;
}

void support_random_point(const ms_system *system, double *x, double *u)
{
    int tries = 0;
    do {
        assert_true(++tries < 1000);
        support_random_vector(x, system->nx);
        support_random_vector(u, system->nu);
    } while (!is_defined(system, x, u));
}

void support_evaluate(const ms_system *system, bool outputs, const double *x, const double *u, double *value)
{
    double w[SUPPORT_COUPLED_SIZE];
    for (int i = 0; i < system->n; i++) {
        ms_point at = support_point(system, i, x, u);
        const int status = outputs ? ms_subsystem_g(system, i, &at, w, value + system->y_at[i])
                                   : ms_subsystem_f(system, i, &at, w, value + system->x_at[i]);
        assert_int_equal(status, 0);
    }
}

void support_loop_matrix(const ms_system *system, const double *x, const double *u, double *DL)
{
    const int n = system->ny;
    double D[SUPPORT_COUPLED_SIZE * SUPPORT_COUPLED_SIZE], w[SUPPORT_COUPLED_SIZE],
        scratch[4 * SUPPORT_COUPLED_SIZE];
    memset(DL, 0, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < system->n; i++) {
        ms_point at = support_point(system, i, x, u);
        assert_int_equal(ms_subsystem_jacobian(system, i, &at, w, scratch, &(ms_blocks){.D = D}, NULL), 0);
        for (int j = 0; j < system->sub[i].ny; j++)
            for (int k = 0; k < system->sub[i].nu; k++)
                for (int l = system->row_at[system->u_at[i] + k]; l < system->row_at[system->u_at[i] + k + 1];
                     l++)
                    DL[(system->y_at[i] + j) * n + system->wire_output[l]] +=
                        D[j * system->sub[i].nu + k] * system->wire_gain[l];
    }
}

void support_monolithic(const ms_system *system, const double *x, double *dx)
{
    const int n = system->ny;
    double y[SUPPORT_COUPLED_SIZE] = {0}, u[SUPPORT_COUPLED_SIZE], r[SUPPORT_COUPLED_SIZE] = {0},
           J[SUPPORT_COUPLED_SIZE * SUPPORT_COUPLED_SIZE];
    assert_true(n <= SUPPORT_COUPLED_SIZE && system->nu <= SUPPORT_COUPLED_SIZE);
    for (int k = 0; k < 10; k++) {
        ms_system_couple(system, y, u);
        support_evaluate(system, true, x, u, r);
        support_loop_matrix(system, x, u, J);
        for (int i = 0; i < n; i++) {
            r[i] -= y[i]; /* (I - D L) dy = g(x, L y) - y */
            for (int j = 0; j < n; j++)
                J[i * n + j] = (i == j) - J[i * n + j];
        }
        support_solve(n, J, r);
        for (int i = 0; i < n; i++)
            y[i] += r[i];
    }
    ms_system_couple(system, y, u);
    support_evaluate(system, false, x, u, dx);
}

void support_precice_oscillator(double t, double x[4])
{
    const double a = 2.0 * 3.14159265358979323846, b = 3.0 * a;
    x[0] = 0.5 * (cos(a * t) + cos(b * t));
    x[1] = -0.5 * (a * sin(a * t) + b * sin(b * t));
    x[2] = 0.5 * (cos(a * t) - cos(b * t));
    x[3] = -0.5 * (a * sin(a * t) - b * sin(b * t));
}

ms_linearised *support_linearised(const ms_system *system, const double *x,
                                  const ms_linearisation_options *options)
{
    ms_linearised *l;
    ms_error error = {0};
    if (ms_linearised_create(system, 0.0, x, NULL, -1, options, &l, &error) != MS_OK)
        fail_msg("%s: %s", system->model->name, error.text);
    return l;
}
