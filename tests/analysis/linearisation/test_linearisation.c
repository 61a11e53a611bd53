/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_linearisation.c - state space matrices of all models, subsystems and coupled: values, bits, counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/linearisation.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/series.h>
#include "coupled.h"
#include "monolithic.h"
#include "support.h"
#include "unit_test.h"

static const ms_linearisation_options best = {MS_PARTIALS_BEST, true}, central = {MS_PARTIALS_CENTRAL, true},
                                      forward = {MS_PARTIALS_FORWARD, true},
                                      dense = {MS_PARTIALS_CENTRAL, false};

/* Values ------------------------------------------------------------------------------------------------- */

/* Blocks side by side: columns from `first` on of M (rows x n). */
static void same_block(const ms_linearisation *l, const double *M, int rows, int first, int columns,
                       const double *block, double tolerance, const char *name)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const double a = M[i * l->n + first + j], b = block[i * columns + j];
            if (!(fabs(a - b) <= tolerance * (1.0 + fabs(b))))
                fail_msg("%s: (%d, %d) is %.17g and not %.17g", name, i, j, a, b);
        }
}

static void same_blocks(const ms_linearisation *l, const ms_blocks *m, double tolerance, const char *name)
{
    same_block(l, l->f, l->nx, 0, l->nx, m->A, tolerance, name);
    same_block(l, l->f, l->nx, l->nx, l->nu, m->B, tolerance, name);
    same_block(l, l->g, l->ny, 0, l->nx, m->C, tolerance, name);
    same_block(l, l->g, l->ny, l->nx, l->nu, m->D, tolerance, name);
}

enum { MEMORY = 4096 };

/* Subsystem i against its matrices or Jacobian, and the differences of ms_subsystem_jacobian. */
static void same_subsystem(const ms_system *system, int i, const ms_linearised *l,
                           const ms_linearised *differences)
{
    const ms_subsystem *sub = &system->sub[i];
    static double A[MEMORY], B[MEMORY], C[MEMORY], D[MEMORY], scratch[MEMORY];
    double w[16];
    const ms_blocks m = {.A = A, .B = B, .C = C, .D = D};
    ms_point at = {.x = l->x + system->x_at[i],
                   .u = l->u + system->u_at[i],
                   .du = l->du + system->u_at[i],
                   .z = l->z + system->z_at[i]};
    assert_int_equal(ms_subsystem_jacobian(system, i, &at, w, scratch, &m, NULL), MS_OK);
    same_blocks(l->part[i], &m, 0.0, sub->name);
    same_blocks(differences->part[i], &m, 1e-7, sub->name);
    if (sub->matrices == NULL) { /* the same steps give the same bits, however many go together */
        ms_subsystem *bare = (ms_subsystem *)sub;
        const ms_subsystem whole = *sub;
        bare->jacobian = NULL;
        assert_int_equal(ms_subsystem_jacobian(system, i, &at, w, scratch, &m, NULL), MS_OK);
        *bare = whole;
        same_blocks(differences->part[i], &m, 0.0, sub->name);
    }
    double off;
    assert_int_equal(ms_linearisation_check(system, i, &at, l->part[i], &off), MS_OK);
    assert_true(off < 1e-6);
    for (int k = 0; k < 2; k++) {
        const ms_linearisation *part = (k == 0 ? l : differences)->part[i];
        assert_true(part->evaluations <= part->evaluations_dense);
        assert_true(part->groups >= part->bound);
    }
}

/* The coupled model against Jacobian and differences of the monolithic one. */
static void same_whole(const ms_system *system, const ms_linearised *l, const ms_linearised *differences)
{
    static double A[MEMORY], up[MEMORY], down[MEMORY], x[MEMORY], LC[MEMORY];
    const ms_coupled *c = l->whole;
    const int nx = c->nx, nu = system->nu;
    assert_int_equal(ms_linearisation_monolithic(system, 0.0, l->x, A, NULL), MS_OK);
    for (int k = 0; k < nx * nx; k++) {
        support_near_relative(c->A[k], A[k], 1e-6, "A", system->model->name);
        support_near_relative(c->A_differences[k], A[k], 1e-6, "A by differences", system->model->name);
        support_near_relative(differences->whole->A[k], A[k], 1e-6, "A of differences", system->model->name);
        assert_true(c->structure[k] || A[k] == 0.0);
    }
    assert_true(c->groups >= c->bound && c->evaluations <= c->evaluations_dense);
    for (int j = 0; j < nx && c->assembled; j++) { /* L C is du/dx with the loop solved */
        const double h = 1e-5 * fmax(1.0, fabs(l->x[j]));
        memcpy(x, l->x, sizeof(double) * (size_t)nx);
        x[j] += h;
        assert_int_equal(ms_linearisation_inputs(system, 0.0, x, NULL, up, NULL, NULL), MS_OK);
        x[j] -= 2.0 * h;
        assert_int_equal(ms_linearisation_inputs(system, 0.0, x, NULL, down, NULL, NULL), MS_OK);
        for (int k = 0; k < system->ny; k++)
            x[k] = c->C[k * nx + j];
        ms_system_couple(system, x, LC);
        for (int k = 0; k < nu; k++)
            support_near_relative((up[k] - down[k]) / (2.0 * h), LC[k], 2e-5, "L C", system->model->name);
    }
}

/* B of a linear coupled model is what the monolithic one has for its external inputs; D = C_w by
 * superposition: (I - D L) D_w = F. */
static void same_external(const ms_system *system, const ms_linearised *l)
{
    ms_system *whole;
    const ms_coupled *c = l->whole;
    const double zero[SUPPORT_COUPLED_SIZE] = {0};
    static double DL[MEMORY];
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    assert_true(whole->linear);
    for (int k = 0; k < c->nx * c->nw; k++)
        support_near_relative(c->B[k], whole->blocks[0].E[k], 1e-12, "B", system->model->name);
    ms_monolithic_destroy(&whole);
    support_loop_matrix(system, zero, zero, DL);
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].ny; j++)
            for (int k = 0; k < c->nw; k++) {
                const int row = system->y_at[i] + j, own = k - system->w_at[i], nw = system->sub[i].nw;
                double sum = c->D[row * c->nw + k];
                for (int q = 0; q < c->ny; q++)
                    sum -= DL[row * c->ny + q] * c->D[q * c->nw + k];
                support_near_relative(sum, own >= 0 && own < nw ? system->blocks[i].F[j * nw + own] : 0.0,
                                      1e-12, "D", system->model->name);
            }
}

/* x' (nx) of the coupled model at the place of l, with external input k larger by h. */
static void motion_with_input(const ms_linearised *l, int k, double h, double *dx)
{
    enum { INPUTS_MAX = 64 };
    const ms_system *like = l->system;
    char text[INPUTS_MAX][128];
    const char *names[INPUTS_MAX];
    double value[INPUTS_MAX] = {0.0};
    ms_system *system, *whole;
    ms_series *series;
    assert_true(like->nw <= INPUTS_MAX);
    for (int i = 0, j = 0; i < like->n; i++) {
        if (like->sub[i].nw > 0)
            ms_subsystem_external(like, &like->sub[i], 0.0, value + like->w_at[i]);
        for (int q = 0; q < like->sub[i].nw; q++, j++) {
            snprintf(text[j], sizeof text[j], "%s.w.%s", like->sub[i].name, like->sub[i].w[q].name);
            names[j] = text[j];
        }
    }
    value[k] += h;
    assert_int_equal(ms_series_create(like->nw, names, 2, &series, NULL), MS_OK);
    series->time[1] = 1.0;
    for (int row = 0; row < 2; row++)
        memcpy(series->value + row * like->nw, value, sizeof(double) * (size_t)like->nw);
    assert_int_equal(ms_system_create(like->model, like->case_name, NULL, 0, &system, NULL), MS_OK);
    assert_int_equal(ms_system_bind_inputs(system, series, NULL), MS_OK);
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    ms_point at = {.x = l->x, .z = l->z};
    assert_int_equal(ms_subsystem_f(whole, 0, &at, value, dx), 0);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

/* B of any coupled model against differences of the monolithic x'. */
static void same_response_to_inputs(const ms_linearised *l)
{
    static double up[MEMORY], down[MEMORY];
    const ms_coupled *c = l->whole;
    const double h = 1e-5;
    for (int k = 0; k < c->nw; k++) {
        motion_with_input(l, k, h, up);
        motion_with_input(l, k, -h, down);
        for (int j = 0; j < c->nx; j++)
            support_near_relative(c->B[j * c->nw + k], (up[j] - down[j]) / (2.0 * h), 1e-6, "B",
                                  l->system->model->name);
    }
}

/* What has no monolithic form, no x' or no solution of its loop is refused. */
static int expected_status(const ms_system *system)
{
    ms_system *whole = NULL;
    const int status = ms_monolithic_create(system, &whole, NULL);
    ms_monolithic_destroy(&whole);
    for (int i = 0; i < system->n; i++)
        if (system->sub[i].residual != NULL)
            return MS_UNSUPPORTED;
    return status;
}

static bool is_refused(const ms_system *system, const double *x)
{
    const int expected = expected_status(system);
    ms_linearised *l = NULL;
    ms_error error = {0};
    if (expected == MS_OK)
        return false;
    assert_int_equal(ms_linearised_create(system, 0.0, x, NULL, -1, &best, &l, &error), expected);
    assert_null(l);
    assert_true(error.text[0] != '\0');
    return true;
}

/* A law that bends within 1e-6 is one that no differences see: it gets a width. */
static const ms_setting wide = {"damper_smoothing", 1.0};

static bool has_bend(const ms_model *model)
{
    return ms_model_parameter(model, wide.parameter) >= 0;
}

static void all_models_agree(void **state)
{
    (void)state;
    int linearised = 0, nonlinear = 0; /* with external inputs */
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int k = 0; k < (*model)->n_cases; k++) {
            ms_system *system;
            static double x[MEMORY];
            assert_int_equal(
                ms_system_create(*model, (*model)->cases[k].name, &wide, has_bend(*model), &system, NULL),
                MS_OK);
            assert_true(system->nx * system->nx <= MEMORY && system->ny * system->ny <= MEMORY);
            ms_system_start(system, x);
            if (is_refused(system, x)) {
                ms_system_destroy(&system);
                continue;
            }
            linearised++;
            ms_linearised *l = support_linearised(system, x, &best),
                          *differences = support_linearised(system, x, &central),
                          *slow = support_linearised(system, x, &dense);
            for (int i = 0; i < system->n; i++) {
                same_subsystem(system, i, l, differences);
                const size_t n = (size_t)(l->part[i]->nx + l->part[i]->ny) * (size_t)l->part[i]->n;
                const double *M = differences->part[i]->f;
                for (size_t e = 0; e < n; e++)
                    assert_true(M[e] == slow->part[i]->f[e]);
                assert_int_equal(slow->part[i]->evaluations, slow->part[i]->evaluations_dense);
                assert_int_equal(slow->part[i]->evaluations_dense, differences->part[i]->evaluations_dense);
            }
            same_whole(system, l, differences);
            if (system->linear)
                same_external(system, l);
            if (l->whole->assembled) {
                same_response_to_inputs(l);
                nonlinear += !system->linear && system->nw > 0;
            }
            ms_linearised_destroy(&l);
            ms_linearised_destroy(&differences);
            ms_linearised_destroy(&slow);
            ms_system_destroy(&system);
        }
    assert_true(linearised > 30 && nonlinear > 3);
}

/* Chains ------------------------------------------------------------------------------------------------- */

/* xi' takes vi; vi' takes position and velocity of a mass and of its two neighbours: six entries, and six
 * groups of any chain from three masses on. */
static void chains_take_six_groups(void **state)
{
    (void)state;
    for (int masses = 3; masses <= 71; masses += 17) {
        ms_system *system = support_system_with("mass-chain", &(ms_setting){"masses", masses}, 1);
        double *x = calloc((size_t)system->nx, sizeof *x);
        ms_linearised *l = support_linearised(system, x, &forward);
        assert_int_equal(l->whole->groups, 6);
        assert_int_equal(l->whole->bound, 6);
        assert_int_equal(l->whole->evaluations, 7);
        assert_int_equal(l->whole->evaluations_dense, 2 * masses + 1);
        ms_linearised_destroy(&l);
        free(x);
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models_agree),
        cmocka_unit_test(chains_take_six_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
