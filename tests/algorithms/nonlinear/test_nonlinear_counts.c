/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nonlinear_counts.c - what methods for gamma(z) = 0 cost: evaluations by their formulas, native against
 * PETSc, and no allocation in a native solve. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "nonlinear_samples.h"
#include "structure.h"
#include "support.h"
#include "unit_test.h"

/* The evaluations of an iteration, by the formulas of the methods. */
static void counts_are_those_of_the_formulas(void **state)
{
    (void)state;
    const support_nonlinear_sample s = support_sample_of(6, 0.5, 0.1, 1e-9),
                                   linear = support_sample_of(6, 0.5, 0.0, 1e-6);
    SUPPORT_FOR_ALL_METHODS(m)
    {
        const support_nonlinear_outcome o = support_sample_solve(m, &s, 200);
        if (m->newton) { /* 6 products; the slope (not KINSOL) and lambda = 1 */
            const support_nonlinear_outcome once = support_sample_solve(m, &linear, 200);
            assert_int_equal(once.counts.iterations, 1);
            assert_int_equal(once.counts.evaluations, 6 + m->evaluations);
        } else if (m->evaluations > 0) {
            assert_int_equal(o.counts.evaluations, m->evaluations * o.counts.iterations);
        }
    }
}

static const double damping[] = {4.0, 3.0, 2.0, 1.5, 1.2, 1.0,  0.8,  0.64,
                                 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01};

/* The slope is what KINSOL saves in every iteration of newtonls. */
static void kinsol_saves_the_slope(void **state)
{
    (void)state;
    for (int d = 0; d < MS_COUNT(damping); d++)
        for (int c = 0; c < 2; c++) {
            const support_nonlinear_sample s = support_sample_of_damper(damping[d], 0.3 * c, 1e-4, 0.1);
            const support_nonlinear_outcome own =
                support_sample_solve(ms_nonlinear_find("newtonls", "native"), &s, 50);
            const support_nonlinear_outcome kinsol =
                support_sample_solve(ms_nonlinear_find("newtonls", "kinsol"), &s, 50);
            assert_int_equal(kinsol.counts.iterations, own.counts.iterations);
            assert_int_equal(kinsol.counts.evaluations, own.counts.evaluations - own.counts.iterations);
        }
}

#ifdef MS_HAVE_PETSC
static void compare_with_petsc(const char *name, const support_nonlinear_sample *s, double D)
{
    const support_nonlinear_outcome own = support_sample_solve(ms_nonlinear_find(name, "native"), s, 100);
    const support_nonlinear_outcome petsc = support_sample_solve(ms_nonlinear_find(name, "petsc"), s, 100);
    const bool alike = own.counts.evaluations == petsc.counts.evaluations &&
                       own.counts.iterations == petsc.counts.iterations;
    if (own.status != petsc.status || (own.status == MS_OK && !alike)) /* divergence ends anywhere */
        fail_msg("%s, D = %g, curvature %g, tolerance %g: native %d %ld/%ld, PETSc %d %ld/%ld", name, D,
                 s->curvature, s->tolerance, own.status, own.counts.iterations, own.counts.evaluations,
                 petsc.status, petsc.counts.iterations, petsc.counts.evaluations);
    for (int i = 0; i < s->n && own.status == MS_OK; i++)
        support_near(own.z[i], petsc.z[i], s->tolerance * (fabs(petsc.z[i]) + 1.0));
}

static void native_and_petsc_count_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"newtonls", "anderson", "ngmres", "ngmres-ls"};
    static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8};
    for (int k = 0; k < MS_COUNT(names); k++)
        for (int d = 0; d < MS_COUNT(damping); d++)
            for (int t = 0; t < MS_COUNT(tolerances); t++)
                for (int c = 0; c < 4; c++) {
                    const support_nonlinear_sample s = support_sample_of_damper(
                        damping[d], c % 2 == 0 ? 0.0 : 0.3, tolerances[t], c / 2 == 0 ? 0.01 : 1.0);
                    compare_with_petsc(names[k], &s, damping[d]);
                }
}

static void petsc_is_refused_to_several_threads(void **state)
{
    (void)state;
    const ms_nonlinear_method *petsc = ms_nonlinear_find("anderson", "petsc");
    const ms_nonlinear_options options = {.max_iterations = 10};
    int refused = 0;
#pragma omp parallel num_threads(2) reduction(+ : refused)
    {
        void *workspace;
        ms_error error = {""};
        ms_structure memory = {0};
        const ms_nonlinear_setup setup = {petsc, 3, &options, &memory};
        refused += ms_nonlinear_create(&setup, &workspace, &error) == MS_UNSUPPORTED && workspace == NULL &&
                   strstr(error.text, "thread") != NULL;
        ms_structure_free(&memory);
    }
    assert_int_equal(refused, 2);
}
#endif

static void native_methods_do_not_allocate(void **state)
{
    (void)state;
    static const int sizes[] = {1, 6, 20};
    SUPPORT_FOR_ALL_METHODS(m)
    for (int k = 0; k < MS_COUNT(sizes) && strcmp(m->backend, "native") == 0; k++) {
        const support_nonlinear_sample s = support_sample_of(sizes[k], 0.5, 0.2, 1e-10);
        ms_structure memory = {0};
        void *workspace = support_sample_workspace(m, s.n, 200, &memory);
        ms_allocations_count(true);
        const support_nonlinear_outcome o = support_sample_solve_in(m, workspace, &s);
        const long made = ms_allocations_count(false);
        if (made != 0)
            fail_msg("%s, n = %d: %ld allocations in a solve", m->name, s.n, made);
        support_sample_check(m, &s, &o);
        ms_structure_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_formulas),
        cmocka_unit_test(kinsol_saves_the_slope),
#ifdef MS_HAVE_PETSC
        cmocka_unit_test(native_and_petsc_count_alike),
        cmocka_unit_test(petsc_is_refused_to_several_threads),
#endif
        cmocka_unit_test(native_methods_do_not_allocate),
    };
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
