/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nonlinear.c - every method for gamma(z) = 0, of every backend that is here, on the same problems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nonlinear_samples.h"
#include "structure.h"
#include "support.h"
#include "unit_test.h"

static void the_registry_is_complete(void **state)
{
    (void)state;
    char text[64];
    SUPPORT_FOR_ALL_METHODS(m)
    {
        assert_ptr_equal(ms_nonlinear_find(m->name, m->backend), m);
        assert_string_equal(ms_nonlinear_name(ms_nonlinear_index(m->name)), m->name);
        assert_non_null(ms_nonlinear_find(m->name, ms_backend_names[0])); /* what `backend` is by default */
        ms_nonlinear_backends(m->name, text, sizeof text);
        assert_non_null(strstr(text, m->backend));
        assert_true(m->summary[0] != '\0' && m->source[0] != '\0');
        assert_true(m->create != NULL && m->solve != NULL && m->workspace > 0);
    }
    assert_null(ms_nonlinear_find("ngmres", "kinsol"));
    assert_null(ms_nonlinear_find("newton", "native"));
    ms_nonlinear_backends("newton", text, sizeof text);
    assert_string_equal(text, "");
    ms_nonlinear_backends("fixed-point", text, 4);
    assert_string_equal(text, "nat");
    ms_nonlinear_backends("anderson", text, sizeof text);
    assert_memory_equal(text, "native, ", 8); /* and others, as they stand in the list */
}

/* A method for one equation that has ended on n of them? */
static bool leaves_open(const ms_nonlinear_method *m, int n, int status)
{
    return m->domain == MS_DOMAIN_ONE_EQUATION && n > 1 && status == MS_NOT_CONVERGED;
}

/* |(I - J)^-1|_2 <= 1 / |1 - radius| bounds the error by the residual. Above radius 1 a method may be one for
 * contractions only (reach). NGMRES may end there: on this J no least-squares step is of use before n points are stored, and until then
 * it only takes steps downhill, which enlarge the residual, and may restart. */
static void linear_systems_are_solved(void **state)
{
    (void)state;
    static const double radii[] = {0.5, 1.25, 5.0};
    SUPPORT_FOR_ALL_METHODS(m)
    for (int k = 0; k < MS_COUNT(radii); k++)
        for (int n = 1; n <= SUPPORT_SAMPLE_LARGEST; n++) {
            const support_nonlinear_sample s = support_sample_of(n, radii[k], 0.0, 1e-6);
            const support_nonlinear_outcome o = support_sample_solve(m, &s, 200);
            double error = 0.0, size = 0.0;
            if (m->domain == MS_DOMAIN_CONTRACTIONS && radii[k] > 1.0) {
                assert_int_equal(o.status, MS_NOT_CONVERGED);
                continue;
            }
            if (m->domain == MS_DOMAIN_DOWNHILL && radii[k] > 1.0 && o.status == MS_NOT_CONVERGED)
                continue;
            if (leaves_open(m, n, o.status))
                continue;
            support_sample_check(m, &s, &o);
            for (int i = 0; i < n; i++) {
                error += (o.z[i] - s.root[i]) * (o.z[i] - s.root[i]);
                size += o.r[i] * o.r[i];
            }
            assert_true(sqrt(error) <= (1.0 + 1e-9) * sqrt(size) / fabs(1.0 - radii[k]) + 1e-14);
        }
}

static const double D[] = {4.0, 2.25, 1.5, 0.9, 0.64, 0.25, 0.05, 0.01}; /* of the damper, radius 1/sqrt(D) */

/* Eguillon et al. (2021), 5.3, with the tolerance of Fig. 8: above radius 1 methods for contractions fail. */
static void the_damper_is_solved(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int d = 0; d < MS_COUNT(D); d++) {
        const support_nonlinear_sample s = support_sample_of_damper(D[d], 0.0, 1e-4, 0.1);
        const support_nonlinear_outcome o = support_sample_solve(m, &s, 50);
        if (m->domain == MS_DOMAIN_CONTRACTIONS && D[d] < 1.0)
            assert_int_equal(o.status, MS_NOT_CONVERGED);
        else if ((m->domain != MS_DOMAIN_DOWNHILL || D[d] > 1.0) && !leaves_open(m, s.n, o.status))
            support_sample_check(m, &s, &o);
    }
}

/* What the paper says of two that go downhill: NGMRES with a line search solves all, NGMRES fails at radius 10. Where
 * between 1.25 and 10 it fails is not said. */
static void the_damper_is_solved_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double solved, fails; /* down to this D, and below that one */
    } published[] = {{"ngmres", 0.64, 0.02}, {"ngmres-ls", 0.0, 0.0}};
    for (int k = 0; k < MS_COUNT(published); k++)
        for (int b = 0; ms_backend_names[b] != NULL; b++) {
            const ms_nonlinear_method *m = ms_nonlinear_find(published[k].name, ms_backend_names[b]);
            for (int d = 0; m != NULL && d < MS_COUNT(D); d++) {
                const support_nonlinear_sample s = support_sample_of_damper(D[d], 0.0, 1e-4, 0.1);
                const support_nonlinear_outcome o = support_sample_solve(m, &s, 50);
                if (D[d] < published[k].fails)
                    assert_int_equal(o.status, MS_NOT_CONVERGED);
                else if (D[d] >= published[k].solved)
                    support_sample_check(m, &s, &o);
            }
        }
}

static void mildly_nonlinear_systems_are_solved(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int n = 1; n <= SUPPORT_SAMPLE_LARGEST; n++) {
        const support_nonlinear_sample s = support_sample_of(n, 0.5, 0.2, 1e-10);
        const support_nonlinear_outcome o = support_sample_solve(m, &s, 300);
        if (leaves_open(m, n, o.status))
            continue;
        support_sample_check(m, &s, &o);
        for (int i = 0; i < n; i++)
            support_near(o.z[i], s.root[i], 1e-8);
    }
}

static void a_guess_that_is_the_solution_costs_nothing(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int max_iterations = 0; max_iterations < 10; max_iterations += 9) {
        support_nonlinear_sample s = support_sample_of(6, 0.5, 0.2, 1e-6);
        memcpy(s.guess, s.root, sizeof s.guess);
        const support_nonlinear_outcome o = support_sample_solve(m, &s, max_iterations);
        support_sample_check(m, &s, &o);
        assert_int_equal(o.counts.evaluations, 0);
        assert_int_equal(o.counts.iterations, 0);
        assert_memory_equal(o.z, s.guess, sizeof o.z);
    }
}

static void without_a_solution_it_ends(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int n = 1; n <= 6; n += 5) {
        support_nonlinear_sample s = support_sample_of(n, 0.5, 0.0, 1e-6);
        s.kind = SUPPORT_SAMPLE_NO_ROOT;
        support_nonlinear_outcome o = support_sample_solve(m, &s, 50);
        assert_int_equal(o.status, MS_NOT_CONVERGED);
        assert_true(o.calls <= 50 * 60);
        s.kind = SUPPORT_SAMPLE_CONSTANT;
        s.tolerance = 0.0; /* a relative one is met far away */
        o = support_sample_solve(m, &s, 50);
        assert_int_equal(o.status, MS_NOT_CONVERGED);
        assert_true(o.calls <= 50 * 60);
    }
}

static void max_iterations_is_honoured(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int limit = 0; limit < 8; limit++) {
        support_nonlinear_sample s = support_sample_of(3, 0.5, 0.0, 1e-12);
        s.kind = SUPPORT_SAMPLE_DOUBLE_ROOT;
        for (int i = 0; i < 3; i++)
            s.guess[i] = s.root[i] + 0.1 + 0.05 * i;
        const support_nonlinear_outcome o = support_sample_solve(m, &s, limit);
        assert_int_equal(o.status, MS_NOT_CONVERGED);
        assert_int_equal(o.counts.iterations, limit);
        assert_int_equal(o.calls_unasked, 0); /* none is begun that is not finished */
        if (limit == 0)
            assert_int_equal(o.calls, 0);
    }
}

/* log z = 0 from 4: a whole Newton step leads to z < 0, where gamma has no value. */
static void points_without_a_value_do_no_harm(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    for (int k = 0; k < 2; k++) {
        support_nonlinear_sample s = support_sample_of(2, 0.5, 0.0, 1e-8);
        s.kind = k == 0 ? SUPPORT_SAMPLE_LOGARITHM : SUPPORT_SAMPLE_NOT_FINITE;
        s.guess[0] = 4.0;
        s.guess[1] = 2.9;
        const support_nonlinear_outcome o = support_sample_solve(m, &s, 50);
        if (o.status == MS_OK || m->newton) {
            support_sample_check(m, &s, &o);
            support_near(o.z[0], 1.0, 2e-8);
        } else {
            assert_true(o.status == MS_NOT_CONVERGED || (o.status == MS_STEP_REJECTED && k == 0));
        }
        s.guess[0] = 1e-300; /* -690: everything downhill is far away, or nowhere */
        assert_true(support_sample_solve(m, &s, 5).status >= MS_OK);
    }
}

static void without_any_value_it_returns_the_status(void **state)
{
    (void)state;
    static const int statuses[] = {MS_STEP_REJECTED, MS_INTERRUPTED, MS_SOLVER_FAILED, MS_NO_MEMORY};
    SUPPORT_FOR_ALL_METHODS(m)
    for (int k = 0; k < MS_COUNT(statuses); k++)
        for (int at = 1; at <= 8; at++) {
            support_nonlinear_sample s = support_sample_of(6, 0.5, 0.2, 1e-13);
            s.status = statuses[k];
            s.fails_at = at;
            const support_nonlinear_outcome o = support_sample_solve(m, &s, 100);
            assert_int_equal(o.status, statuses[k]);
            if (statuses[k] != MS_STEP_REJECTED)
                assert_int_equal(o.calls, at);
        }
}

static void a_guess_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    {
        support_nonlinear_sample s = support_sample_of(2, 0.5, 0.0, 1e-8);
        s.kind = SUPPORT_SAMPLE_NOT_FINITE;
        s.guess[1] = -1.0;
        const support_nonlinear_outcome o = support_sample_solve(m, &s, 50);
        assert_int_equal(o.status, MS_NOT_CONVERGED);
        assert_int_equal(o.calls, 0);
    }
}

static void check_same(const support_nonlinear_outcome *a, const support_nonlinear_outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->counts.iterations, b->counts.iterations);
    assert_int_equal(a->counts.evaluations, b->counts.evaluations);
    assert_memory_equal(a->z, b->z, sizeof a->z);
    assert_memory_equal(a->r, b->r, sizeof a->r);
}

static void solved_twice_it_has_the_same_bits(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_METHODS(m)
    {
        const support_nonlinear_sample s = support_sample_of(6, 0.5, 0.2, 1e-10);
        support_nonlinear_sample other = support_sample_of(6, 1.25, 0.0, 1e-3), broken = s;
        broken.fails_at = 3;
        broken.status = MS_SOLVER_FAILED;
        ms_structure memory = {0};
        void *workspace = support_sample_workspace(m, 6, 100, &memory);
        const support_nonlinear_outcome first = support_sample_solve_in(m, workspace, &s);
        (void)support_sample_solve_in(m, workspace, &other);
        const support_nonlinear_outcome second = support_sample_solve_in(m, workspace, &s);
        assert_int_equal(support_sample_solve_in(m, workspace, &broken).status, MS_SOLVER_FAILED);
        other.kind = SUPPORT_SAMPLE_NOT_FINITE;
        other.guess[0] = 5.0;
        (void)support_sample_solve_in(m, workspace, &other);
        const support_nonlinear_outcome third = support_sample_solve_in(m, workspace, &s);
        check_same(&first, &second);
        check_same(&first, &third);
        ms_structure_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_registry_is_complete),
        cmocka_unit_test(linear_systems_are_solved),
        cmocka_unit_test(the_damper_is_solved),
        cmocka_unit_test(the_damper_is_solved_as_published),
        cmocka_unit_test(mildly_nonlinear_systems_are_solved),
        cmocka_unit_test(a_guess_that_is_the_solution_costs_nothing),
        cmocka_unit_test(without_a_solution_it_ends),
        cmocka_unit_test(max_iterations_is_honoured),
        cmocka_unit_test(points_without_a_value_do_no_harm),
        cmocka_unit_test(without_any_value_it_returns_the_status),
        cmocka_unit_test(a_guess_that_is_not_finite_is_refused),
        cmocka_unit_test(solved_twice_it_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
