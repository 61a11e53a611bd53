/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nonlinear_accelerators.c - relaxation, aitken, iqn-ils and iqn-imvj: vectors that preCICE's tests assert, exact properties on affine
 * equations, filters and preconditioners. */
#include <math.h>
#include <string.h>

#include "nonlinear_samples.h"
#include "nonlinear_secants.h"
#include "structure.h"
#include "support.h"
#include "unit_test.h"

enum { EIGHT = 8, KEPT = 4096 };

/* Published vectors -------------------------------------------------------------------------------------- */

/* As in preCICE's test the point does not move between the calls: images and the point are given, whatever z is. */
typedef struct script {
    const double *x, (*image)[EIGHT];
    int calls;
    double z[4][EIGHT]; /* the points that were asked for */
} script;

static int scripted(void *context, const double *z, double *r)
{
    script *s = context;
    memcpy(s->z[s->calls], z, sizeof s->z[0]);
    for (int i = 0; i < EIGHT; i++)
        r[i] = s->x[i] - s->image[s->calls][i];
    s->calls++;
    return MS_OK;
}

static bool never(void *context, const double *z, const double *r)
{
    (void)context;
    (void)z;
    (void)r;
    return false;
}

static const double point[EIGHT] = {1.0, 2.0, 3.0, 4.0, 0.2, 0.2, 0.2, 0.2};
static const double images[][EIGHT] = {{3.5, 2.0, 2.0, 1.0, 0.1, 0.1, 0.1, 0.1},
                                       {10.0, 10.0, 10.0, 10.0, 0.16, 0.16, 0.16, 0.16}};
static const double relaxed[EIGHT] = {2.0, 2.0, 2.6, 2.8, 0.16, 0.16, 0.16, 0.16};

/* The points that come of the first residual, and of the second; two iterations. */
static void follow(const char *name, script *s)
{
    const ms_nonlinear_method *method = ms_nonlinear_find(name, "native");
    const ms_nonlinear_options options = {
        .max_iterations = 2, .relaxation = 0.4, .preconditioner = MS_PRECONDITIONER_CONSTANT};
    double z[EIGHT], r[EIGHT], memory[KEPT] = {0.0};
    const ms_nonlinear_problem problem = {
        .n = EIGHT, .residual = scripted, .converged = never, .context = s, .memory = memory};
    ms_nonlinear_counts counts = {0};
    void *workspace;
    ms_error error;
    ms_structure owner = {0};
    assert_int_equal(
        ms_nonlinear_create(&(ms_nonlinear_setup){method, EIGHT, &options, &owner}, &workspace, &error),
        MS_OK);
    memcpy(z, point, sizeof z);
    for (int i = 0; i < EIGHT; i++)
        r[i] = point[i] - images[0][i];
    assert_int_equal(method->solve(workspace, &problem, z, r, &counts), MS_NOT_CONVERGED);
    assert_int_equal(s->calls, 2);
    ms_structure_free(&owner);
}

static void first_updates_are_those_of_precice(void **state)
{
    (void)state;
    static const char *const names[] = {"relaxation", "aitken", "iqn-ils", "iqn-imvj"};
    for (int k = 0; k < MS_COUNT(names); k++) {
        script s = {.x = point, .image = &images[1]};
        double third[2][EIGHT];
        memcpy(third[0], images[1], sizeof third[0]);
        memcpy(third[1], images[1], sizeof third[1]);
        s.image = (const double(*)[EIGHT])third;
        follow(names[k], &s);
        support_near_all(EIGHT, s.z[0], relaxed, 1e-15);
    }
}

/* x_new - x of the second call: here the point has moved, and the change is the same. */
static void the_second_update_of_aitken_is_that_of_precice(void **state)
{
    (void)state;
    static const double second[EIGHT] = {1.2689851805508461,  2.2390979382674185,  3.2092106959839914,
                                         4.1793234537005644,  0.19880451030866292, 0.19880451030866292,
                                         0.19880451030866292, 0.19880451030866292};
    const double factor = 0.02988724228342734;
    double both[2][EIGHT];
    script s = {.x = point, .image = (const double(*)[EIGHT])both};
    memcpy(both[0], images[1], sizeof both[0]);
    memcpy(both[1], images[1], sizeof both[1]);
    follow("aitken", &s);
    for (int i = 0; i < EIGHT; i++) {
        support_near(s.z[1][i] - s.z[0][i], second[i] - point[i], 1e-14);
        support_near((s.z[1][i] - s.z[0][i]) / (images[1][i] - point[i]), factor, 1e-14);
    }
}

/* Exact properties --------------------------------------------------------------------------------------- */

static support_nonlinear_outcome solved(const char *name, const ms_nonlinear_options *options,
                                        const support_nonlinear_sample *s, double *memory)
{
    const ms_nonlinear_method *method = ms_nonlinear_find(name, "native");
    support_nonlinear_sample own = *s;
    support_nonlinear_outcome o = {.status = MS_OK};
    const ms_nonlinear_problem problem = {.n = s->n,
                                          .residual = support_sample_residual,
                                          .converged = support_sample_converged,
                                          .context = &own,
                                          .memory = memory};
    void *workspace;
    ms_error error;
    ms_structure owner = {0};
    assert_int_equal(
        ms_nonlinear_create(&(ms_nonlinear_setup){method, s->n, options, &owner}, &workspace, &error), MS_OK);
    assert_true(method->memory == NULL || method->memory(s->n, options) <= KEPT);
    memcpy(o.z, s->guess, sizeof o.z);
    support_sample_residual(&own, o.z, o.r);
    o.status = method->solve(workspace, &problem, o.z, o.r, &o.counts);
    ms_structure_free(&owner);
    return o;
}

/* One equation: the guess, a relaxed point, the root, whatever the slope. */
static void aitken_is_exact_at_the_second_update(void **state)
{
    (void)state;
    static const double slopes[] = {-30.0, -2.0, -0.5, 0.3, 0.9, 1.5, 40.0};
    for (int k = 0; k < MS_COUNT(slopes); k++) {
        const ms_nonlinear_options options = {.max_iterations = 2, .relaxation = 0.5};
        support_nonlinear_sample s = support_sample_of(1, 0.5, 0.0, 1e-12);
        double memory[KEPT] = {0.0};
        s.J[0] = slopes[k];
        const support_nonlinear_outcome o = solved("aitken", &options, &s, memory);
        assert_int_equal(o.status, MS_OK);
        assert_int_equal(o.counts.evaluations, 2); /* and the guess: three sweeps */
        support_near(o.z[0], s.root[0], 1e-12);
    }
}

/* n unknowns: the guess, a relaxed point, n secants, of any contraction factor and without filter. */
static void quasi_newton_is_exact_after_n_secants(void **state)
{
    (void)state;
    static const char *const names[] = {"iqn-ils", "iqn-imvj"};
    static const double radii[] = {0.3, 0.9, 1.4};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < MS_COUNT(radii); k++)
            for (int n = 1; n <= 6; n++) {
                const ms_nonlinear_options options = {.max_iterations = n + 1};
                const support_nonlinear_sample s = support_sample_of(n, radii[k], 0.0, 1e-9);
                double memory[KEPT] = {0.0};
                const support_nonlinear_outcome o = solved(names[m], &options, &s, memory);
                if (o.status != MS_OK || o.counts.evaluations > n + 1)
                    fail_msg("%s, n %d, radius %g: status %d", names[m], n, radii[k], o.status);
                support_near_all(n, o.z, s.root, 1e-7);
            }
}

/* M (by columns) takes differences of r = (I - J) e to those of z - r = J e: M (I - J) = J. */
static void check_jacobian(const support_nonlinear_sample *s, const double *M)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            double sum = M[i + j * s->n];
            for (int k = 0; k < s->n; k++)
                sum -= M[i + k * s->n] * s->J[k * s->n + j];
            support_near(sum, s->J[i * s->n + j], 1e-5);
        }
}

/* Its Jacobian has been completed in the first macro-step: from then on one update solves any problem of the same J. */
static void the_jacobian_of_imvj_becomes_exact(void **state)
{
    (void)state;
    for (int n = 1; n <= 6; n++) {
        const ms_nonlinear_options options = {.max_iterations = 50};
        support_nonlinear_sample s = support_sample_of(n, 0.8, 0.0, 1e-7);
        double memory[KEPT] = {0.0}; /* which ends with the matrix */
        assert_int_equal(solved("iqn-imvj", &options, &s, memory).status, MS_OK);
        for (int i = 0; i < n; i++)
            s.guess[i] = s.root[i] + 0.1 * (i + 1);
        check_jacobian(&s, memory + ms_nonlinear_find("iqn-imvj", "native")->memory(n, &options) - n * n);
        const support_nonlinear_outcome o = solved("iqn-imvj", &options, &s, memory);
        assert_int_equal(o.status, MS_OK);
        assert_int_equal(o.counts.evaluations, 1);
    }
}

/* Columns of the macro-step before serve the first iteration whatever `reuse` says; without memory it is relaxed. */
static void columns_are_reused(void **state)
{
    (void)state;
    for (int reuse = 0; reuse < 2; reuse++) {
        const ms_nonlinear_options options = {.max_iterations = 50, .reuse = reuse};
        support_nonlinear_sample s = support_sample_of(3, 0.8, 0.0, 1e-7);
        double memory[KEPT] = {0.0};
        assert_int_equal(solved("iqn-ils", &options, &s, memory).status, MS_OK);
        s.guess[0] += 0.3;
        s.guess[2] -= 0.2;
        assert_int_equal(solved("iqn-ils", &options, &s, memory).counts.evaluations, 1);
    }
}

/* Filters ------------------------------------------------------------------------------------------------ */

/* Three columns of four entries, newest first: a, b, and a + b with 1e-3 of a third direction. Norms 1, 2, about sqrt 5. */
static int left_of(int filter, double limit)
{
    enum { N = 4, COLUMNS = 4 };
    const ms_nonlinear_options options = {
        .filter = filter, .filter_limit = limit, .preconditioner = MS_PRECONDITIONER_CONSTANT};
    const double v[3][N] = {{1.0, 2.0, 1e-3, 0.0}, {0.0, 2.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                 zero[N] = {0.0};
    ms_structure owner = {0};
    ms_nonlinear_weights weights;
    ms_nonlinear_secants secants;
    double memory[KEPT] = {0.0}, scales[8] = {0.0}, c[COLUMNS];
    assert_int_equal(ms_nonlinear_weights_create(&weights, &(ms_nonlinear_setup){NULL, N, &options, &owner}),
                     MS_OK);
    assert_int_equal(
        ms_nonlinear_secants_create(&secants, &(ms_nonlinear_setup){NULL, N, &options, &owner}, COLUMNS),
        MS_OK);
    ms_nonlinear_weights_begin(&weights, scales);
    ms_nonlinear_secants_begin(&secants, memory);
    for (int k = 0; k < 3; k++)
        assert_true(ms_nonlinear_secants_add(&secants, 1.0, v[k], zero, v[k], zero));
    assert_false(ms_nonlinear_secants_add(&secants, 1.0, v[0], v[0], v[1], zero)); /* r has not changed */
    const int left = ms_nonlinear_secants_factor(&secants, &weights);
    support_near(secants.V[0], 1.0, 0.0); /* the newest stays */
    const double *spanned = v[left > 1 ? 1 : 2];
    ms_nonlinear_secants_coordinates(&secants, &weights, spanned, c);
    for (int i = 0; i < N; i++) { /* V c = V V^+ v = v for v in their span */
        double sum = 0.0;
        for (int j = 0; j < left; j++)
            sum += secants.V[i + j * N] * c[j];
        support_near(sum, spanned[i], 1e-12);
    }
    ms_structure_free(&owner);
    return left;
}

/* R_33 = 1e-3, |R|_F = sqrt(1 + 4 + 5), |v_3| = sqrt 5. */
static void filters_drop_what_is_nearly_dependent(void **state)
{
    (void)state;
    assert_int_equal(left_of(MS_FILTER_NONE, 0.5), 3);
    assert_int_equal(left_of(MS_FILTER_QR1, 1.05e-3 / sqrt(10.0)), 2);
    assert_int_equal(left_of(MS_FILTER_QR1, 0.95e-3 / sqrt(10.0)), 3);
    assert_int_equal(left_of(MS_FILTER_QR1_ABSOLUTE, 1.05e-3), 2);
    assert_int_equal(left_of(MS_FILTER_QR1_ABSOLUTE, 0.95e-3), 3);
    for (int filter = MS_FILTER_QR2; filter <= MS_FILTER_QR3; filter++) {
        assert_int_equal(left_of(filter, 1.05e-3 / sqrt(5.0)), 2);
        assert_int_equal(left_of(filter, 0.95e-3 / sqrt(5.0)), 3);
        assert_int_equal(left_of(filter, 2.0), 1); /* what stands alone depends on nothing */
    }
}

/* Preconditioners ---------------------------------------------------------------------------------------- */

/* Two data, (3, 4) and 12: |r| = 13. Twice in the first macro-step, then once in the second with a datum 100 times as large. */
static void preconditioners_have_their_weights(void **state)
{
    (void)state;
    static const int datum[3] = {0, 0, 1};
    static const double z[3] = {3.0, 4.0, 12.0}, r[3] = {3.0, 4.0, 12.0}, half[3] = {1.5, 2.0, 6.0};
    static const double image[3] = {6.0, 8.0, 2.0}, none[3] = {3.0, 4.0, 0.0};
    static const struct {
        int kind;
        double first[2], second[2], third[2];
    } expected[] = {
        {MS_PRECONDITIONER_CONSTANT, {1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}},
        {MS_PRECONDITIONER_VALUE, {0.1, 0.5}, {0.1, 0.5}, {1.0 / 5.0, 1.0 / 12.0}},
        {MS_PRECONDITIONER_RESIDUAL, {0.2, 1.0 / 12.0}, {0.4, 1.0 / 6.0}, {0.2, 1.0 / 6.0}},
        {MS_PRECONDITIONER_RESIDUAL_SUM, {2.6, 13.0 / 12.0}, {1.3, 13.0 / 24.0}, {1.3, 13.0 / 24.0}}};
    for (int k = 0; k < MS_COUNT(expected); k++) {
        const ms_nonlinear_options options = {
            .preconditioner = expected[k].kind, .n_data = 2, .datum = datum};
        const bool values = expected[k].kind == MS_PRECONDITIONER_VALUE;
        double memory[8] = {0.0}, from[3], other[3];
        ms_structure owner = {0};
        ms_nonlinear_weights w;
        for (int i = 0; i < 3; i++) { /* z - r is `image`, then z */
            from[i] = image[i] + r[i];
            other[i] = z[i] + none[i];
        }
        assert_int_equal(ms_nonlinear_weights_create(&w, &(ms_nonlinear_setup){NULL, 3, &options, &owner}),
                         MS_OK);
        ms_nonlinear_weights_begin(&w, memory);
        ms_nonlinear_weights_update(&w, from, r);
        support_near(ms_nonlinear_weight(&w, 1), expected[k].first[0], 1e-15);
        support_near(ms_nonlinear_weight(&w, 2), expected[k].first[1], 1e-15);
        ms_nonlinear_weights_update(&w, values ? other : from, half);
        support_near(ms_nonlinear_weight(&w, 0), expected[k].second[0], 1e-15);
        support_near(ms_nonlinear_weight(&w, 2), expected[k].second[1], 1e-15);
        ms_nonlinear_weights_end(&w);
        ms_nonlinear_weights_begin(&w, memory);
        ms_nonlinear_weights_update(&w, other,
                                    none); /* a datum of norm 0 keeps its weight; no factor of 10 */
        support_near(ms_nonlinear_weight(&w, 0), expected[k].third[0], 1e-15);
        support_near(ms_nonlinear_weight(&w, 2), expected[k].third[1], 1e-15);
        ms_structure_free(&owner);
    }
}

/* Who says nothing of data has one: (3, 4, 12). */
static void without_data_all_unknowns_are_one(void **state)
{
    (void)state;
    static const double r[3] = {3.0, 4.0, 12.0}, nothing[3] = {0.0, 0.0, 0.0};
    static const struct {
        int kind;
        double weight;
    } expected[] = {{MS_PRECONDITIONER_VALUE, 1.0 / 13.0},
                    {MS_PRECONDITIONER_RESIDUAL, 1.0 / 13.0},
                    {MS_PRECONDITIONER_RESIDUAL_SUM, 1.0}};
    for (int k = 0; k < MS_COUNT(expected); k++) {
        const ms_nonlinear_options options = {.preconditioner = expected[k].kind};
        double memory[4] = {0.0, 0.0, 7.0, 7.0};
        ms_structure owner = {0};
        ms_nonlinear_weights w;
        assert_int_equal(ms_nonlinear_weights_memory(&options), 2);
        assert_int_equal(ms_nonlinear_weights_create(&w, &(ms_nonlinear_setup){NULL, 3, &options, &owner}),
                         MS_OK);
        ms_nonlinear_weights_begin(&w, memory);
        ms_nonlinear_weights_update(&w, nothing, r); /* z - r has the same norm */
        for (int i = 0; i < 3; i++)
            support_near(ms_nonlinear_weight(&w, i), expected[k].weight, 1e-15);
        assert_true(memory[2] == 7.0 && memory[3] == 7.0);
        ms_structure_free(&owner);
    }
}

/* Later macro-steps replace the sums only beyond a factor of 10. */
static void sums_are_replaced_beyond_a_threshold(void **state)
{
    (void)state;
    static const int datum[2] = {0, 1};
    const ms_nonlinear_options options = {
        .preconditioner = MS_PRECONDITIONER_RESIDUAL_SUM, .n_data = 2, .datum = datum};
    double memory[4] = {0.0};
    ms_structure owner = {0};
    ms_nonlinear_weights w;
    assert_int_equal(ms_nonlinear_weights_create(&w, &(ms_nonlinear_setup){NULL, 2, &options, &owner}),
                     MS_OK);
    ms_nonlinear_weights_begin(&w, memory);
    ms_nonlinear_weights_update(&w, (double[]){0.0, 0.0}, (double[]){3.0, 4.0});
    ms_nonlinear_weights_end(&w);
    ms_nonlinear_weights_begin(&w, memory);
    ms_nonlinear_weights_update(&w, (double[]){0.0, 0.0}, (double[]){0.07, sqrt(1.0 - 0.0049)});
    support_near(ms_nonlinear_weight(&w, 0), 1.0 / 0.6, 1e-14); /* 0.07 : 0.6 is not beyond it, */
    ms_nonlinear_weights_begin(&w, memory);
    ms_nonlinear_weights_update(&w, (double[]){0.0, 0.0}, (double[]){0.05, sqrt(1.0 - 0.0025)});
    support_near(ms_nonlinear_weight(&w, 0), 1.0 / 0.05, 1e-12); /* 0.05 : 0.6 is */
    ms_structure_free(&owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_updates_are_those_of_precice),
        cmocka_unit_test(the_second_update_of_aitken_is_that_of_precice),
        cmocka_unit_test(aitken_is_exact_at_the_second_update),
        cmocka_unit_test(quasi_newton_is_exact_after_n_secants),
        cmocka_unit_test(the_jacobian_of_imvj_becomes_exact),
        cmocka_unit_test(columns_are_reused),
        cmocka_unit_test(filters_drop_what_is_nearly_dependent),
        cmocka_unit_test(preconditioners_have_their_weights),
        cmocka_unit_test(without_data_all_unknowns_are_one),
        cmocka_unit_test(sums_are_replaced_beyond_a_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
