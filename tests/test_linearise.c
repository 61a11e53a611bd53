/* test_linearise.c - state space matrices with compressed columns: groups, patterns, values, counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue.h"
#include "compression.h"
#include "coupled.h"
#include "linearisation.h"
#include "linearise.h"
#include "monolithic.h"
#include "support.h"

static const ms_linearisation_options best = {MS_PARTIALS_BEST, true}, central = {MS_PARTIALS_CENTRAL, true},
                                      forward = {MS_PARTIALS_FORWARD, true},
                                      dense = {MS_PARTIALS_CENTRAL, false};

/* Andersson (2016), 9.1.1 -------------------------------------------------------------------------------- */

static int example_9_4_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0];
    dx[1] = at->x[1] + at->x[2];
    dx[2] = at->x[0] + at->x[2];
    return 0;
}

static const ms_variable three[] = {{"x1", "1"}, {"x2", "1"}, {"x3", "1"}};
static const ms_case only_case[] = {{.name = "default"}};
static const ms_subsystem example_9_4[] = {{.name = "ode", .nx = 3, .x = three, .f = example_9_4_f}};

static ms_system *system_of(const ms_subsystem *sub)
{
    static ms_model model;
    model = (ms_model){.name = "test",
                       .summary = "",
                       .source = "",
                       .cases = only_case,
                       .n_cases = 1,
                       .subsystems = sub,
                       .n_subsystems = 1,
                       .stop_time = 1.0,
                       .step_size = 0.1};
    return support_system_of(&model);
}

static ms_linearised *linearise(const ms_system *system, const double *x,
                                const ms_linearisation_options *options)
{
    ms_linearised *l;
    ms_error error = {0};
    if (ms_linearised_create(system, 0.0, x, -1, options, &l, &error) != MS_OK)
        fail_msg("%s: %s", system->model->name, error.text);
    return l;
}

/* "the construction of the Jacobian only need 2 + 1 evaluations" instead of 3 + 1; its pattern is (9.5). */
static void example_of_the_thesis(void **state)
{
    (void)state;
    const double x[] = {0.3, -1.0, 2.0}, A[] = {1, 0, 0, 0, 1, 1, 1, 0, 1};
    ms_system *system = system_of(example_9_4);
    ms_linearised *l = linearise(system, x, &forward);
    for (int k = 0; k < 9; k++) {
        assert_int_equal(l->sparsity[0]->f[k], A[k] != 0.0);
        support_near(l->part[0]->f[k], A[k], 1e-7);
    }
    assert_true(l->sparsity[0]->detected);
    assert_int_equal(l->part[0]->groups, 2);
    assert_int_equal(l->part[0]->bound, 2);
    assert_int_equal(l->part[0]->evaluations, 2 + 1);
    assert_int_equal(l->part[0]->evaluations_dense, 3 + 1);
    assert_int_equal(l->whole->evaluations, 2 + 1);
    ms_linearised_destroy(&l);
    ms_linearised_destroy(&l);
    ms_linearised_destroy(NULL);
    ms_system_destroy(&system);
}

/* Groups ------------------------------------------------------------------------------------------------- */

enum { ROWS = 12, COLUMNS = 15 };

typedef struct product {
    const double *M;
    long calls;
} product;

static int multiply(void *self, const double *v, double *value)
{
    product *p = self;
    p->calls++;
    for (int i = 0; i < ROWS; i++) {
        value[i] = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            value[i] += p->M[i * COLUMNS + j] * v[j];
    }
    return 0;
}

/* Columns of a group share no row; every column with entries is in one; directional derivatives give the
 * matrix itself, differences the matrix to their precision, and calls are counted. */
static void groups_find_random_matrices(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        double M[ROWS * COLUMNS], found[ROWS * COLUMNS], v[COLUMNS];
        bool pattern[ROWS * COLUMNS];
        const double fill = 0.02 * (trial % 50);
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            pattern[k] = fabs(support_random(&seed)) < fill;
            M[k] = pattern[k] ? support_random(&seed) : 0.0;
        }
        for (int j = 0; j < COLUMNS; j++)
            v[j] = 10.0 * support_random(&seed);
        ms_compression *c;
        assert_int_equal(ms_compression_create(ROWS, COLUMNS, pattern, &c), MS_OK);
        assert_true(c->groups >= c->bound && c->groups <= COLUMNS);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                for (int k = 0; k < j && pattern[i * COLUMNS + j]; k++)
                    assert_true(!pattern[i * COLUMNS + k] || c->group[k] != c->group[j]);
        for (int j = 0; j < COLUMNS; j++) {
            bool any = false;
            for (int i = 0; i < ROWS; i++)
                any = any || pattern[i * COLUMNS + j];
            assert_int_equal(any, c->group[j] >= 0 && c->group[j] < c->groups);
        }
        product p = {M, 0};
        long evaluations = 0;
        assert_int_equal(ms_compression_collect(c, multiply, &p, found, &evaluations), MS_OK);
        assert_memory_equal(found, M, sizeof M);
        assert_int_equal(evaluations, p.calls);
        for (int kind = 0; kind < 2; kind++) {
            assert_int_equal(
                ms_compression_differentiate(c, (ms_differences)kind, multiply, &p, v, found, &evaluations),
                MS_OK);
            for (int k = 0; k < ROWS * COLUMNS; k++)
                support_near(found[k], M[k], kind == MS_DIFFERENCES_CENTRAL ? 1e-8 : 1e-5);
        }
        assert_int_equal(evaluations, p.calls);
        ms_compression_destroy(&c);
    }
}

/* A tridiagonal matrix takes three groups, whatever its size. */
static void bands_take_their_width(void **state)
{
    (void)state;
    enum { N = 50 };
    static bool pattern[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            pattern[i * N + j] = abs(i - j) <= 1;
    ms_compression *c;
    assert_int_equal(ms_compression_create(N, N, pattern, &c), MS_OK);
    assert_int_equal(c->groups, 3);
    assert_int_equal(c->bound, 3);
    ms_compression_destroy(&c);
    assert_int_equal(ms_compression_create(N, N, NULL, &c), MS_OK);
    assert_int_equal(c->groups, N);
    ms_compression_destroy(&c);
}

/* Patterns ----------------------------------------------------------------------------------------------- */

/* x1' = min(x1, 5) + 0 x2: not-a-number disappears in fmin, and 0 x2 is structure. x2' = x3 - x3.
 * x3' = sqrt(x1) is undefined for x1 < 0. */
static int awkward_f(const ms_point *at, double *dx)
{
    if (!(at->x[0] >= 0.0))
        return 1;
    dx[0] = fmin(at->x[1], 5.0) + 0.0 * at->x[2];
    dx[1] = at->x[2] - at->x[2];
    dx[2] = sqrt(at->x[0]);
    return 0;
}

static const ms_subsystem awkward[] = {{.name = "awkward", .nx = 3, .x = three, .f = awkward_f}};

static void patterns_are_detected(void **state)
{
    (void)state;
    /* x1 leaves the domain with not-a-number: its column is full */
    const bool expected[] = {true, true, true, true, false, true, true, false, false};
    const double x[] = {1.0, 2.0, 3.0};
    ms_system *system = system_of(awkward);
    ms_linearised *l = linearise(system, x, &central);
    assert_memory_equal(l->sparsity[0]->f, expected, sizeof expected);
    support_near(l->part[0]->f[1], 1.0, 1e-8);
    support_near(l->part[0]->f[6], 0.5, 1e-8);
    double off;
    const ms_point at = {.t = 0.0, .x = x};
    assert_int_equal(ms_linearisation_check(system, 0, &at, l->part[0], &off), MS_OK);
    assert_true(off < 1e-8);

    /* without an entry the matrix is wrong, and the check says so */
    ms_linearisation *part;
    l->sparsity[0]->f[1] = false;
    assert_int_equal(ms_linearisation_create(system, 0, &at, l->sparsity[0], &central, &part), MS_OK);
    assert_int_equal(ms_linearisation_check(system, 0, &at, part, &off), MS_OK);
    assert_true(off > 0.1);
    ms_linearisation_destroy(&part);
    ms_linearised_destroy(&l);

    /* outside the domain everywhere */
    const double outside[] = {-100.0, 0.0, 0.0};
    ms_error error;
    assert_int_equal(ms_linearised_create(system, 0.0, outside, -1, &central, &l, &error), MS_SOLVER_FAILED);
    assert_null(l);
    assert_non_null(strstr(error.text, "awkward"));
    ms_system_destroy(&system);
}

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
    ms_point at = {
        .x = l->x + system->x_at[i], .u = l->u + system->u_at[i], .du = l->du + system->u_at[i],
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
    assert_int_equal(ms_linearise_monolithic(system, 0.0, l->x, A, NULL), MS_OK);
    for (int k = 0; k < nx * nx; k++) {
        test_near(c->A[k], A[k], 1e-6, "A", system->model->name);
        test_near(c->A_differences[k], A[k], 1e-6, "A by differences", system->model->name);
        test_near(differences->whole->A[k], A[k], 1e-6, "A of differences", system->model->name);
        assert_true(c->structure[k] || A[k] == 0.0);
    }
    assert_true(c->groups >= c->bound && c->evaluations <= c->evaluations_dense);
    for (int j = 0; j < nx && c->assembled; j++) { /* L C is du/dx with the loop solved */
        const double h = 1e-5 * fmax(1.0, fabs(l->x[j]));
        memcpy(x, l->x, sizeof(double) * (size_t)nx);
        x[j] += h;
        assert_int_equal(ms_linearise_inputs(system, 0.0, x, up, NULL, NULL), MS_OK);
        x[j] -= 2.0 * h;
        assert_int_equal(ms_linearise_inputs(system, 0.0, x, down, NULL, NULL), MS_OK);
        for (int k = 0; k < system->ny; k++)
            x[k] = c->C[k * nx + j];
        ms_system_couple(system, x, LC);
        for (int k = 0; k < nu; k++)
            test_near((up[k] - down[k]) / (2.0 * h), LC[k], 2e-5, "L C", system->model->name);
    }
}

/* B of a linear coupled model is what the monolithic one has for its external inputs; D = C_w by
 * superposition: (I - D L) D_w = F. */
static void same_external(const ms_system *system, const ms_linearised *l)
{
    ms_system *whole;
    const ms_coupled *c = l->whole;
    const double zero[TEST_SIZE] = {0};
    static double DL[MEMORY];
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    assert_true(whole->linear);
    for (int k = 0; k < c->nx * c->nw; k++)
        test_near(c->B[k], whole->blocks[0].E[k], 1e-12, "B", system->model->name);
    ms_monolithic_destroy(&whole);
    test_loop_matrix(system, zero, zero, DL);
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].ny; j++)
            for (int k = 0; k < c->nw; k++) {
                const int row = system->y_at[i] + j, own = k - system->w_at[i], nw = system->sub[i].nw;
                double sum = c->D[row * c->nw + k];
                for (int q = 0; q < c->ny; q++)
                    sum -= DL[row * c->ny + q] * c->D[q * c->nw + k];
                test_near(sum, own >= 0 && own < nw ? system->blocks[i].F[j * nw + own] : 0.0, 1e-12, "D",
                          system->model->name);
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
    assert_int_equal(ms_linearised_create(system, 0.0, x, -1, &best, &l, &error), expected);
    assert_null(l);
    assert_true(error.text[0] != '\0');
    return true;
}

static void all_models_agree(void **state)
{
    (void)state;
    int linearised = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int k = 0; k < (*model)->n_cases; k++) {
            ms_system *system;
            static double x[MEMORY];
            assert_int_equal(ms_system_create(*model, (*model)->cases[k].name, NULL, 0, &system, NULL),
                             MS_OK);
            ms_system_start(system, x);
            if (is_refused(system, x)) {
                ms_system_destroy(&system);
                continue;
            }
            linearised++;
            ms_linearised *l = linearise(system, x, &best), *differences = linearise(system, x, &central),
                          *slow = linearise(system, x, &dense);
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
            ms_linearised_destroy(&l);
            ms_linearised_destroy(&differences);
            ms_linearised_destroy(&slow);
            ms_system_destroy(&system);
        }
    assert_true(linearised > 30);
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
        ms_linearised *l = linearise(system, x, &forward);
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
        cmocka_unit_test(example_of_the_thesis),  cmocka_unit_test(groups_find_random_matrices),
        cmocka_unit_test(bands_take_their_width), cmocka_unit_test(patterns_are_detected),
        cmocka_unit_test(all_models_agree),       cmocka_unit_test(chains_take_six_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
