/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_system.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "unit_test.h"

enum {
    BLOCK = SUPPORT_RANDOM_SYSTEM_SIZE * SUPPORT_RANDOM_SYSTEM_SIZE,
    SIGNALS = SUPPORT_RANDOM_SYSTEM_MOST * SUPPORT_RANDOM_SYSTEM_SIZE,
    WIRES = 3 * SIGNALS
};

typedef struct part {
    int nx, nu, ny;
    double A[BLOCK], B[BLOCK], C[BLOCK], D[BLOCK], x0[SUPPORT_RANDOM_SYSTEM_SIZE];
    char name[16];
} part;

typedef struct memory {
    ms_model model;
    ms_case cases[1];
    part part[SUPPORT_RANDOM_SYSTEM_MOST];
    ms_subsystem sub[SUPPORT_RANDOM_SYSTEM_MOST];
    ms_wire wire[WIRES];
} memory;

static void fill(double *M, int rows, int columns, double scale, double share, unsigned long long *seed)
{
    for (int i = 0; i < rows * columns; i++) {
        const double value = scale * support_random(seed);
        M[i] = support_random_below(seed, 1000) < (int)(1000.0 * share) ? 0.0 : value;
    }
}

static void copy_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const part *of = data;
    const size_t nx = (size_t)of->nx, nu = (size_t)of->nu, ny = (size_t)of->ny, size = sizeof(double);
    memcpy(m->A, of->A, size * nx * nx);
    memcpy(m->B, of->B, size * nx * nu);
    memcpy(m->C, of->C, size * ny * nx);
    memcpy(m->D, of->D, size * ny * nu);
}

static int between(const int *bounds, unsigned long long *seed)
{
    return bounds[0] + support_random_below(seed, bounds[1] - bounds[0] + 1);
}

/* ||A h|| in the Frobenius norm; of three, one has only zeros or a zero row. */
static void fill_part(part *p, const support_random_shape *shape, double h, double feed_through,
                      unsigned long long *seed)
{
    const double zeros = shape->one_way ? 0.0 : 0.2;
    double norm = 0.0;
    p->nx = between(shape->states, seed);
    p->nu = 1 + support_random_below(seed, SUPPORT_RANDOM_SYSTEM_SIZE);
    p->ny = 1 + support_random_below(seed, SUPPORT_RANDOM_SYSTEM_SIZE);
    fill(p->A, p->nx, p->nx, 1.0, zeros, seed);
    const int singular = shape->one_way ? 2 : support_random_below(seed, 6);
    for (int j = 0; j < p->nx * (singular == 0 ? p->nx : singular == 1 ? 1 : 0); j++)
        p->A[j] = 0.0;
    for (int j = 0; j < p->nx * p->nx; j++)
        norm = hypot(norm, p->A[j]);
    const double scale = 0.5 * shape->stiffness * (1.0 + support_random(seed)) / h;
    for (int j = 0; j < p->nx * p->nx && norm > 0.0; j++)
        p->A[j] *= scale / norm;
    fill(p->B, p->nx, p->nu, 1.0, zeros, seed);
    fill(p->C, p->ny, p->nx, 1.0, zeros, seed);
    fill(p->D, p->ny, p->nu, feed_through, shape->missing, seed);
    fill(p->x0, p->nx, 1, 1.0, 0.0, seed);
}

/* Of input k of subsystem i, 0 to 3. */
static int fill_wires(memory *m, const support_random_shape *shape, int n, int i, int k, int wires,
                      unsigned long long *seed)
{
    const int feeders = shape->one_way ? i : n, least = shape->one_way;
    for (int w = feeders > 0 ? least + support_random_below(seed, 4 - least) : 0; w > 0; w--) {
        const int from = support_random_below(seed, feeders);
        m->wire[wires++] =
            (ms_wire){i, k, from, support_random_below(seed, m->part[from].ny), support_random(seed)};
    }
    return wires;
}

static void fill_memory(memory *m, const support_random_shape *shape, double h, unsigned long long *seed)
{
    static const ms_variable names[SUPPORT_RANDOM_SYSTEM_SIZE] = {{"a", "1"}, {"b", "1"}, {"c", "1"}};
    const int n = between(shape->subsystems, seed);
    const double feed_through = support_random_below(seed, 3) == 0 ? 0.0 : shape->feed_through;
    int wires = 0;
    for (int i = 0; i < n; i++) {
        part *p = &m->part[i];
        fill_part(p, shape, h, feed_through, seed);
        snprintf(p->name, sizeof p->name, "s%d", i);
        m->sub[i] = (ms_subsystem){.name = p->name,
                                   .nx = p->nx,
                                   .nu = p->nu,
                                   .ny = p->ny,
                                   .x = names,
                                   .u = names,
                                   .y = names,
                                   .x0 = p->x0,
                                   .matrices = copy_matrices,
                                   .data = p};
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m->part[i].nu; k++)
            wires = fill_wires(m, shape, n, i, k, wires, seed);
    m->cases[0] = (ms_case){.name = "random"};
    m->model = (ms_model){.name = "random",
                          .cases = m->cases,
                          .n_cases = 1,
                          .subsystems = m->sub,
                          .n_subsystems = n,
                          .wires = m->wire,
                          .n_wires = wires,
                          .stop_time = 1000.0,
                          .step_size = h};
}

void support_random_system_loop(const ms_system *s, double *DL)
{
    memset(DL, 0, sizeof *DL * (size_t)(s->ny * s->ny));
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].ny; j++)
            for (int l = 0; l < s->sub[i].nu; l++)
                for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
                    DL[(s->y_at[i] + j) * s->ny + s->wire_output[w]] +=
                        s->blocks[i].D[j * s->sub[i].nu + l] * s->wire_gain[w];
}

/* The ratio of the extreme singular values of I - D L. */
static double loop_condition(const ms_system *s)
{
    double M[SIGNALS * SIGNALS], values[SIGNALS], super[SIGNALS];
    support_random_system_loop(s, M);
    for (int j = 0; j < s->ny * s->ny; j++)
        M[j] = (j % (s->ny + 1) == 0) - M[j];
    assert_int_equal(
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', s->ny, s->ny, M, s->ny, values, NULL, 1, NULL, 1, super),
        0);
    return values[0] / values[s->ny - 1];
}

support_random_system support_random_system_of(const support_random_shape *shape, unsigned long long *seed)
{
    support_random_system s = {0};
    memory *m = calloc(1, sizeof *m);
    assert_non_null(m);
    s.memory = m;
    for (bool usable = false; !usable;) {
        s.h = exp(shape->spread * support_random(seed)) * shape->step;
        fill_memory(m, shape, s.h, seed);
        s.system = support_system_of(&m->model);
        s.condition = loop_condition(s.system);
        usable = s.condition <= 1e3;
        if (!usable)
            ms_system_destroy(&s.system);
    }
    for (int i = s.system->n - 1; i >= 0; i--) {
        const size_t length = strlen(s.reversed);
        snprintf(s.reversed + length, sizeof s.reversed - length, "%s%s", length > 0 ? "," : "",
                 s.system->sub[i].name);
    }
    return s;
}

support_random_system support_random_system_next(unsigned long long *seed)
{
    static const support_random_shape shape = {.subsystems = {2, SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS},
                                               .states = {0, SUPPORT_RANDOM_SYSTEM_SIZE},
                                               .step = 0.1, /* 0.008 to 1.2 */
                                               .spread = 2.5,
                                               .stiffness = 5.0,
                                               .feed_through = 1.5,
                                               .missing = 0.3};
    return support_random_system_of(&shape, seed);
}

void support_random_system_drop(support_random_system *s)
{
    ms_system_destroy(&s->system);
    free(s->memory);
}

double support_random_system_frobenius(size_t n, const double *M)
{
    double sum = 0.0;
    for (size_t i = 0; i < n * n; i++)
        sum += M[i] * M[i];
    return sqrt(sum);
}

double *support_random_system_formula(const ms_system *system, const ms_options *options, double h, int *n)
{
    ms_analytic_propagation *formula;
    ms_error error = {""};
    if (ms_analytic_propagation_create(system, options, &formula, &error) != MS_OK)
        fail_msg("%s", error.text);
    *n = ms_analytic_propagation_dimension(formula);
    double *psi = malloc(sizeof *psi * (size_t)(*n * *n));
    assert_non_null(psi);
    assert_int_equal(ms_analytic_propagation_evaluate(formula, h, psi), MS_OK);
    ms_analytic_propagation_destroy(&formula);
    return psi;
}

double *support_random_system_probe(const ms_system *system, const ms_options *options, double h, int *n)
{
    double *psi;
    ms_error error = {""};
    if (ms_propagation_probe(system, options, h, n, &psi, &error) != MS_OK)
        fail_msg("%s", error.text);
    return psi;
}

double support_matrix_gap(int n, const double *M, const double *reference)
{
    double difference = 0.0;
    for (int i = 0; i < n * n; i++)
        difference += (M[i] - reference[i]) * (M[i] - reference[i]);
    return sqrt(difference) / (1.0 + support_random_system_frobenius((size_t)n, reference));
}

double support_formula_gap(const ms_system *system, const ms_options *options, double h)
{
    int n, probed;
    double *formula = support_random_system_formula(system, options, h, &n),
           *probe = support_random_system_probe(system, options, h, &probed);
    assert_int_equal(n, probed);
    const double gap = support_matrix_gap(n, formula, probe);
    free(formula);
    free(probe);
    return gap;
}
