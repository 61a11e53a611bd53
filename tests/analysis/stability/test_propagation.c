/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation.c - the propagation matrix by formula against the one probed from the engine, on random
 * linear systems; runs against powers of it; equal spectra of different variants. The seed is fixed. */
#include <errno.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "backward_error.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum {
    SYSTEMS = 1000,
    ALL_MEMBERS = 40,
    VARIANTS = 90,
    ROTATION = VARIANTS,
    SIZE = 8 * SUPPORT_RANDOM_SYSTEM_TOTAL
};

/* What a variant can be varied by; NULL: the reversed sequence of Gauss-Seidel. */
static const char *const variations[] = {"",
                                         "output-derivatives=differences",
                                         "solver=rk4",
                                         "solver=euler micro-steps=3",
                                         "start=hold",
                                         "solver=rk4 micro-steps=2 output-derivatives=differences",
                                         "as-printed=quadratic",
                                         "as-printed=smoothing",
                                         "as-printed=quadratic,smoothing",
                                         NULL};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* Options of a variant with a variation; false where they do not go together. */
static bool vary(const support_variant *variant, int variation, const support_random_system *s,
                 ms_options *options)
{
    const char *text = variations[variation];
    *options = support_options(variant->text);
    if (text == NULL) {
        char order[96];
        snprintf(order, sizeof order, "sequence=%s", s->reversed);
        if (variant->gauss_seidel)
            support_options_add(options, order);
        return variant->gauss_seidel;
    }
    support_options_add(options, text);
    const bool quadratic = variant->order == 2 && !variant->analytic;
    const bool smoothing =
        variant->smoothing == MS_SMOOTHING_C0 && variant->outputs == MS_OUTPUTS_INCONSISTENT;
    return options->extrapolation.as_printed == 0 ||
           (quadratic && (options->extrapolation.as_printed & MS_PRINTED_QUADRATIC)) ||
           (smoothing && (options->extrapolation.as_printed & MS_PRINTED_SMOOTHING));
}

static void agree(const support_random_system *s, const char *text, int variation, const ms_options *options)
{
    const double gap = support_formula_gap(s->system, options, s->h), bound = 1e-12 * s->condition;
    if (!(gap <= bound))
        fail_msg("%s, variant %d: formula and probe differ by %g, more than %g (h %g)", text, variation, gap,
                 bound, s->h);
}

static void formula_agrees_with_probe_for_every_variant(void **state)
{
    (void)state;
    unsigned long long seed = 101;
    for (int k = 0; k < support_ensemble(ALL_MEMBERS); k++) {
        support_random_system s = support_random_system_next(&seed);
        support_variant variant;
        ms_options options;
        for (int m = 0; support_variant_at(m, &variant); m++)
            for (int v = 0; v < VARIATIONS; v++)
                if (vary(&variant, v, &s, &options))
                    agree(&s, variant.text, v, &options);
        support_random_system_drop(&s);
    }
}

static void formula_agrees_with_probe_on_many_systems(void **state)
{
    (void)state;
    unsigned long long seed = 102;
    int next = 0;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int done = 0; done < ROTATION; next++) {
            support_variant variant;
            ms_options options;
            if (!support_variant_at(next % VARIANTS, &variant) ||
                !vary(&variant, next / 7 % VARIATIONS, &s, &options))
                continue;
            agree(&s, variant.text, next / 7 % VARIATIONS, &options);
            done++;
        }
        support_random_system_drop(&s);
    }
}

static void multiply(int n, const double *M, const double *v, double *to)
{
    for (int i = 0; i < n; i++) {
        to[i] = 0.0;
        for (int j = 0; j < n; j++)
            to[i] += M[i * n + j] * v[j];
    }
}

/* A run from the start values and Psi^k v, v its memory at the start, stay together as far as round-off
 * grows: b+ = |Psi| b + cond(I - D L) (1e-13 |Psi| |v| + 1e-14 (1 + 1/h^2) ||Psi|| max |v|), the last
 * because zeros of Psi are noise in the engine, which in slopes is divided by powers of h. */
static void powers_are_a_run(void **state)
{
    (void)state;
    enum { STEPS = 8 };
    unsigned long long seed = 103;
    for (int k = 0; k < 3 * VARIANTS; k++) {
        support_random_system s = support_random_system_next(&seed);
        support_variant variant;
        assert_true(support_variant_at(k % VARIANTS, &variant));
        ms_options options = support_options(variant.text);
        options.step_size = s.h;
        int n;
        double v[SIZE], next[SIZE], bound[SIZE] = {0},
                                    *psi = support_random_system_formula(s.system, &options, s.h, &n);
        const double norm = support_random_system_frobenius((size_t)n, psi);
        ms_cosim *cosim = support_cosim(s.system, &options);
        assert_int_equal(cosim->lin_size, n);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        memcpy(v, cosim->lin, sizeof(double) * (size_t)n);
        for (int step = 0; step < STEPS; step++) {
            double largest = 0.0;
            multiply(n, psi, v, next);
            for (int i = 0; i < n; i++) {
                bound[i] += 1e-13 * s.condition * fabs(v[i]);
                largest = fmax(largest, fabs(v[i]));
            }
            memcpy(v, next, sizeof(double) * (size_t)n);
            for (int i = 0; i < n; i++) {
                next[i] = 1e-14 * (1.0 + 1.0 / (s.h * s.h)) * s.condition * norm * largest;
                for (int j = 0; j < n; j++)
                    next[i] += fabs(psi[i * n + j]) * bound[j];
            }
            memcpy(bound, next, sizeof(double) * (size_t)n);
            assert_int_equal(ms_cosim_step(cosim, step * s.h, s.h), MS_OK);
        }
        for (int i = 0; i < n; i++)
            if (!(fabs(v[i] - cosim->lin[i]) <= bound[i] + 1e-15))
                fail_msg("%s: %.17g instead of %.17g, off by more than %g", variant.text, v[i], cosim->lin[i],
                         bound[i]);
        ms_cosim_destroy(&cosim);
        free(psi);
        support_random_system_drop(&s);
    }
}

/* Identities of spectra ------------------------------------------------------------------------------- */

/* Deflation of zero eigenvalues. psi = U S V' with r singular values that are not zero (above n eps ||psi||)
 * maps everything into its range, which the first r columns of U span; there it acts as the r x r matrix
 * S V' U, and beyond it all eigenvalues are 0. Repeated until none vanishes, this leaves psi without its
 * nilpotent part, whose round-off would show as eigenvalues of eps^(1/k) for a Jordan block of k rows: what
 * is left has the non-zero eigenvalues of a matrix that is psi up to n eps ||psi|| a pass. psi is balanced
 * first, which scales by powers of two only, and overwritten by the r x r matrix. */
static int deflate(int n, double *psi)
{
    const size_t entries = (size_t)(n * n);
    double *U = malloc(sizeof *U * (2 * entries + 2 * (size_t)n + 1));
    assert_non_null(U);
    double *V = U + entries, *values = V + entries, *super = values + n, zero = 0.0;
    lapack_int low, high;
    assert_int_equal(LAPACKE_dgebal(LAPACK_ROW_MAJOR, 'S', n, psi, n, &low, &high, values), 0);
    for (int rank = -1; n > 0; n = rank) {
        assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', n, n, psi, n, values, U, n, V, n, super),
                         0);
        if (rank < 0)
            zero = n * DBL_EPSILON * values[0];
        for (rank = 0; rank < n && values[rank] > zero; rank++)
            ;
        for (int i = 0; i < rank; i++)
            for (int j = 0; j < rank; j++) {
                psi[i * rank + j] = 0.0;
                for (int k = 0; k < n; k++)
                    psi[i * rank + j] += values[i] * V[i * n + k] * U[k * n + j];
            }
        if (rank == n)
            break;
    }
    free(U);
    return n;
}

/* How many eigenvalues were looked at, the least modulus of them, and how many systems show as many
 * non-zero eigenvalues in one variant as in the other. */
typedef struct tally {
    int eigenvalues, equally_many;
    double least;
} tally;

/* Every non-zero eigenvalue of the variant `of` is one of psi (n x n), up to a backward error of 1e-12.
 * Returns how many there are. */
static int holds_eigenvalues(int n, const double *psi, const support_random_system *s, const char *of,
                             tally *t)
{
    const ms_options options = support_options(of);
    ms_spectrum spectrum;
    int m;
    double *other = support_random_system_formula(s->system, &options, s->h, &m);
    m = deflate(m, other);
    assert_int_equal(ms_spectrum_create(m, other, &spectrum, NULL), MS_OK);
    for (int k = 0; k < m; k++) {
        const double re = spectrum.eigenvalues[2 * k], im = spectrum.eigenvalues[2 * k + 1];
        const double error = support_backward_error(n, psi, re, im);
        if (!(error <= 1e-12))
            fail_msg("%s: %.17g + %.17g i has the backward error %g", of, re, im, error);
        t->least = fmin(t->least, hypot(re, im));
        t->eigenvalues++;
    }
    ms_spectrum_destroy(&spectrum);
    free(other);
    return m;
}

/* No eigenvalue is left out. Whether the smallest are zero is a matter of round-off where cond(I - D L) is
 * large, so that a few systems may seem to have one more in one variant than in the other. */
static void same_spectrum(const char *one, const char *other)
{
    enum { COMPARED = 100 };
    unsigned long long seed = 104;
    tally t = {.least = INFINITY};
    for (int k = 0; k < COMPARED; k++) {
        support_random_system s = support_random_system_next(&seed);
        const ms_options left = support_options(one), right = support_options(other);
        int n, m;
        double *a = support_random_system_probe(s.system, &left, s.h, &n),
               *b = support_random_system_probe(s.system, &right, s.h, &m);
        t.equally_many += holds_eigenvalues(n, a, &s, other, &t) == holds_eigenvalues(m, b, &s, one, &t);
        free(a);
        free(b);
        support_random_system_drop(&s);
    }
    assert_true(t.equally_many >= 0.98 * COMPARED);
    assert_true(t.eigenvalues >= 5 * COMPARED);
    assert_true(t.least < 1e-2);
}

static void smoothing_has_the_spectrum_of_past_values(void **state)
{
    (void)state;
    same_spectrum("extrapolation-order=1 derivatives=analytic smooth-coupling=c0", "extrapolation-order=1");
}

static void smoothing_with_correction_has_the_spectrum_of_consistent(void **state)
{
    (void)state;
    same_spectrum("extrapolation-order=1 derivatives=analytic smooth-coupling=c0 outputs=corrected",
                  "extrapolation-order=1 outputs=consistent");
}

static void corrected_has_the_spectrum_of_consistent(void **state)
{
    (void)state;
    same_spectrum("outputs=corrected", "outputs=consistent");
    same_spectrum("extrapolation-order=1 outputs=corrected", "extrapolation-order=1 outputs=consistent");
    same_spectrum("extrapolation-order=2 outputs=corrected", "extrapolation-order=2 outputs=consistent");
}

/* The rest -------------------------------------------------------------------------------------------- */

static void bound_again_it_is_the_formula_of_the_other(void **state)
{
    (void)state;
    ms_system *one = support_system("linear-pair", "d1=0.5 d2=0.25"),
              *other = support_system("linear-pair", "");
    ms_system *chain = support_system("mass-spring-damper", "");
    const ms_options options = support_options("outputs=consistent extrapolation-order=1");
    ms_analytic_propagation *formula;
    int n;
    double psi[64], *expected = support_random_system_formula(other, &options, 0.1, &n);
    assert_int_equal(ms_analytic_propagation_create(one, &options, &formula, NULL), MS_OK);
    assert_int_equal(ms_analytic_propagation_bind(formula, other, NULL), MS_OK);
    assert_int_equal(ms_analytic_propagation_evaluate(formula, 0.1, psi), MS_OK);
    assert_memory_equal(psi, expected, sizeof(double) * (size_t)(n * n));
    assert_int_equal(ms_analytic_propagation_bind(formula, chain, NULL), MS_INVALID);
    ms_analytic_propagation_destroy(&formula);
    free(expected);
    ms_system_destroy(&one);
    ms_system_destroy(&other);
    ms_system_destroy(&chain);
}

static void variants_without_propagation_are_refused(void **state)
{
    (void)state;
    ms_system *linear = support_system("mass-spring-damper", ""),
              *pendulum = support_system("double-pendulum", "");
    const ms_options plain = support_options(""), adaptive = support_options("solver=cvode-bdf"),
                     controlled = support_options("error-controlled=richardson");
    ms_error error;
    assert_int_equal(ms_propagation_exists(linear, &plain, &error), MS_OK);
    assert_int_equal(ms_propagation_exists(linear, &adaptive, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cvode-bdf"));
    assert_int_equal(ms_propagation_exists(linear, &controlled, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "error-controlled"));
    assert_int_equal(ms_propagation_exists(pendulum, &plain, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "nonlinear"));
    errno = ENOMEM; /* of what went before */
    assert_true(isnan(ms_propagation_radius(pendulum, &plain, 0.1, 200)));
    assert_int_equal(errno, 0);
    assert_true(isnan(ms_propagation_radius(linear, &controlled, 0.1, 200)));
    assert_true(isnan(ms_propagation_radius(linear, &plain, 0.1, 3)));
    assert_true(ms_propagation_radius(linear, &plain, 0.01, 200) > 0.5);
    ms_system_destroy(&linear);
    ms_system_destroy(&pendulum);
}

/* The caller's system with its external inputs is left alone, and they do not reach the matrix. */
static void external_inputs_do_not_matter(void **state)
{
    (void)state;
    ms_system *car = support_system("quarter-car", "");
    const ms_options options = support_options("extrapolation-order=1");
    int n, probed;
    double *formula = support_random_system_formula(car, &options, 0.001, &n),
           *probe = support_random_system_probe(car, &options, 0.001, &probed);
    assert_false(car->homogeneous);
    assert_int_equal(n, probed);
    for (int i = 0; i < n * n; i++)
        assert_true(fabs(formula[i] - probe[i]) <= 1e-12 * (1.0 + fabs(probe[i])));
    free(formula);
    free(probe);
    ms_system_destroy(&car);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_agrees_with_probe_for_every_variant),
        cmocka_unit_test(formula_agrees_with_probe_on_many_systems),
        cmocka_unit_test(powers_are_a_run),
        cmocka_unit_test(smoothing_has_the_spectrum_of_past_values),
        cmocka_unit_test(smoothing_with_correction_has_the_spectrum_of_consistent),
        cmocka_unit_test(corrected_has_the_spectrum_of_consistent),
        cmocka_unit_test(bound_again_it_is_the_formula_of_the_other),
        cmocka_unit_test(variants_without_propagation_are_refused),
        cmocka_unit_test(external_inputs_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
