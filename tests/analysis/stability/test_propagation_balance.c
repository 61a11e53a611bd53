/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_balance.c - balance correction: the propagation matrix by formula against matrices
 * written down by hand and against the one probed from the engine on random linear systems, its limit H -> 0,
 * its spectrum. The seeds are fixed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "backward_error.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { HATS = 3, STEPS = 4, SOLVERS = 3, SYSTEMS = 40, SIZE = 22 };

static const char *const hats[HATS] = {"box", "triangle", "smooth"};
static const char *const solvers[SOLVERS] = {"exact", "euler", "rk4"};
static const int steps_of[STEPS] = {1, 2, 3, MS_BALANCE_STEPS_MAX};

/* Balance correction of a variant: what its text says, with the hat, so many steps and the error raw or
 * used. */
static ms_options corrected(const char *text, int hat, int steps, bool used)
{
    char more[128];
    ms_options options = support_options(text);
    snprintf(more, sizeof more, "scheme=balance balance-hat=%s balance-steps=%d balance-error=%s", hats[hat],
             steps, used ? "used" : "raw");
    support_options_add(&options, more);
    return options;
}

/* By hand -------------------------------------------------------------------------------------------- */

/* A matrix that is written down. */
typedef struct sheet {
    int n, ny, errors, steps; /* columns; values in a group; where errors begin; how many groups of them */
    double M[SIZE][SIZE];
} sheet;

/* Adds `weight` of what is fed back for output j, the mean of its errors. */
static void fed_back(sheet *s, int row, int j, double weight)
{
    for (int m = 0; m < s->steps; m++)
        s->M[row][s->errors + m * s->ny + j] += weight / s->steps;
}

static void move_errors(sheet *s)
{
    for (int j = s->errors + s->ny; j < s->n; j++)
        s->M[j][j - s->ny] = 1.0;
}

static void agrees_with_sheet(const ms_system *system, const ms_options *options, double h, const sheet *s)
{
    int n;
    double *psi = support_random_system_formula(system, options, h, &n);
    assert_int_equal(n, s->n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (!(fabs(psi[i * n + j] - s->M[i][j]) <= 1e-14 * (1.0 + fabs(s->M[i][j]))))
                fail_msg("%s, %s, %d steps, error %d: (%d, %d) is %.17g, not %.17g", options->solver,
                         hats[options->balance.hat], options->balance.steps, options->balance.error, i, j,
                         psi[i * n + j], s->M[i][j]);
    free(psi);
}

/* One step of a method on each piece, from 0 to h: what int u takes of the hat, and what int int u takes
 * of u = 1 (times h^2) and of the hat (times h). */
typedef struct quadrature {
    double hat, twice, hat_twice;
} quadrature;

static const quadrature by_hand[SOLVERS][HATS] = {
    {{1.0, 0.5, 0.5}, {1.0, 0.5, 0.5}, {1.0, 0.5, 0.5}},
    {{1.0, 0.0, 0.0}, {1.0, 0.25, 0.0}, {0.0, 0.0, 0.0}},
    {{1.0, 0.5, 0.5}, {1.0, 0.5, 0.5}, {1.25, 0.5, 0.625}} /* 4/6 and 2/6 of h phi(h/2) = 15/8 */
};

/* s' = u_s, F = -c s, v' = u_m/m, u_s = v, u_m = F, held outputs. Columns: s, v, F, V, then errors of F
 * and V. */
static void oscillator_is_that_by_hand(void **state)
{
    (void)state;
    const double c = 3.0, m = 2.0, h = 0.375;
    ms_system *system = support_system("spring-mass", "m=2 c=3");
    for (int k = 0; k < SOLVERS * HATS * STEPS * 2; k++) {
        const int solver = k % SOLVERS, hat = k / SOLVERS % HATS, steps = steps_of[k / 9 % STEPS];
        const bool used = k / 36 == 1;
        const quadrature *q = &by_hand[solver][hat];
        ms_options options = corrected("extrapolation-order=0", hat, steps, used);
        snprintf(options.solver, sizeof options.solver, "%s", solvers[solver]);
        sheet s = {.n = 4 + 2 * steps, .ny = 2, .errors = 4, .steps = steps};
        const double gain[2] = {1.0, 1.0 / m}, output[2] = {-c, 1.0};
        for (int i = 0; i < 2; i++) { /* the state, its output and its error; 1 - i is the other */
            s.M[i][i] = 1.0;
            s.M[i][2 + 1 - i] = h * gain[i];
            fed_back(&s, i, 1 - i, q->hat * gain[i]);
            s.M[4 + i][i] = output[i] * h;
            s.M[4 + i][2 + 1 - i] = output[i] * h * h * q->twice * gain[i];
            fed_back(&s, 4 + i, 1 - i, output[i] * h * q->hat_twice * gain[i]);
            s.M[4 + i][2 + i] = -h;
            fed_back(&s, 4 + i, i, used ? -1.0 : 0.0);
            for (int j = 0; j < s.n; j++)
                s.M[2 + i][j] = output[i] * s.M[i][j];
        }
        move_errors(&s);
        agrees_with_sheet(system, &options, h, &s);
    }
    ms_system_destroy(&system);
}

static const char loop[] = "{\"subsystems\": [{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[2]]},"
                           "{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[-0.75]]}],"
                           "\"wires\": [[0, 1, 0.5], [1, 0, 1]]}";
static const double loop_gain[2] = {1.0, -0.75}; /* y_i = gain_i y_{1 - i} */

/* Value and derivatives extrapolated: y^(d)+ = gain (p^(d)(h) + a phi^(d)(h)), e = gain (int p + a) - int
 * p, but of held outputs int phi is what the method does, and 1 elsewhere. Columns: y, y', y'', then
 * errors. In the limit errors are e/h and derivatives h^d y^(d), so that it is the matrix of h = 1. */
static void loop_by_hand(const ms_system *system, const ms_options *options, double hat, bool limit)
{
    static const double end[HATS][3] = {
        {1.0, 0.0, 0.0}, {0.0, -4.0, 0.0}, {0.0, 0.0, 60.0}}; /* h^(d+1) phi^(d)(h) */
    static const double factorial[] = {1.0, 1.0, 2.0, 6.0};
    const int order = options->extrapolation.order, steps = options->balance.steps, e = 2 * (order + 1);
    const double h = limit ? 1.0 : 0.375, used = options->balance.error == MS_BALANCE_USED ? -1.0 : 0.0;
    sheet s = {.n = e + 2 * steps, .ny = 2, .errors = e, .steps = steps};
    for (int i = 0; i < 2; i++) {
        for (int d = 0; d <= order; d++) {
            const double integral = pow(h, d + 1) / factorial[d + 1];
            for (int j = d; j <= order; j++)
                s.M[2 * d + i][2 * j + 1 - i] = loop_gain[i] * pow(h, j - d) / factorial[j - d];
            fed_back(&s, 2 * d + i, 1 - i, loop_gain[i] * end[options->balance.hat][d] / pow(h, d + 1));
            s.M[e + i][2 * d + 1 - i] = loop_gain[i] * integral;
            s.M[e + i][2 * d + i] = -integral;
        }
        fed_back(&s, e + i, 1 - i, loop_gain[i] * hat);
        fed_back(&s, e + i, i, used);
    }
    move_errors(&s);
    agrees_with_sheet(system, options, limit ? 0.0 : h, &s);
}

static void static_loop_is_that_by_hand(void **state)
{
    (void)state;
    ms_model *model = support_model_read(loop);
    ms_system *system = support_system_of(model);
    for (int k = 0; k < SOLVERS * HATS * STEPS * 4; k++) {
        const int solver = k % SOLVERS, hat = k / SOLVERS % HATS, steps = steps_of[k / 9 % STEPS];
        const bool used = k / 36 % 2 == 1, limit = k / 72 == 1;
        ms_options options = corrected("extrapolation-order=0", hat, steps, used);
        snprintf(options.solver, sizeof options.solver, "%s", solvers[solver]);
        loop_by_hand(system, &options, by_hand[solver][hat].hat, limit);
        options = corrected("extrapolation-order=2 derivatives=analytic", hat, steps, used);
        loop_by_hand(system, &options, 1.0, limit);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Against the engine --------------------------------------------------------------------------------- */

static const char *const variations[] = {"",
                                         "solver=euler micro-steps=3",
                                         "output-derivatives=differences",
                                         "solver=rk4",
                                         "as-printed=quadratic",
                                         "solver=rk4 micro-steps=2 output-derivatives=differences",
                                         "as-printed=smoothing"};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* Formulas taken as printed only where the variant has them. */
static bool vary(const support_variant *variant, int variation, ms_options *options)
{
    support_options_add(options, variations[variation]);
    if (options->extrapolation.as_printed & MS_PRINTED_QUADRATIC)
        return variant->order == 2 && !variant->analytic;
    if (options->extrapolation.as_printed & MS_PRINTED_SMOOTHING)
        return variant->smoothing == MS_SMOOTHING_C0 && variant->outputs == MS_OUTPUTS_INCONSISTENT;
    return true;
}

/* Of the columns of a variant: h^j for a derivative of order j, 1/h for an error, else 1. */
static void scales(const support_variant *variant, const ms_options *options, const ms_system *system,
                   double h, int n, double *scale)
{
    const int ny = system->ny, slopes = system->nx + (variant->order + 2) * ny;
    for (int i = 0; i < n; i++)
        scale[i] = i >= n - options->balance.steps * ny ? 1.0 / h : 1.0;
    for (int j = 1; j <= variant->order && variant->analytic; j++)
        for (int i = 0; i < ny; i++)
            scale[system->nx + j * ny + i] = pow(h, j);
    for (int i = 0; i < ny && variant->smoothing == MS_SMOOTHING_C1; i++)
        scale[slopes + i] = h;
}

static void rescale(int n, const double *scale, double *psi)
{
    for (int i = 0; i < n * n; i++)
        psi[i] *= scale[i / n] / scale[i % n];
}

static void close_to(const support_random_system *s, const char *text, const ms_options *options, int n,
                     const double *formula, const double *probe)
{
    const double gap = support_matrix_gap(n, formula, probe), bound = 1e-12 * s->condition;
    if (!(gap <= bound))
        fail_msg(
            "%s solver=%s, hat %s, %d steps, error %d: formula and probe differ by %g, more than %g (h %g)",
            text, options->solver, hats[options->balance.hat], options->balance.steps, options->balance.error,
            gap, bound, s->h);
}

/* In the engine's coordinates, but for the slope of the smooth hat at its end, which the engine gets from
 * powers of tau as 60/h^2 - 180/h^2 + 120/h^2; with errors as e/h and derivatives as h^j y^(j) for all. */
static void agree(const support_random_system *s, const support_variant *variant, const ms_options *options)
{
    int n, probed;
    double *formula = support_random_system_formula(s->system, options, s->h, &n),
           *probe = support_random_system_probe(s->system, options, s->h, &probed),
           *scale = malloc(sizeof *scale * (size_t)n);
    assert_int_equal(n, probed);
    assert_non_null(scale);
    if (options->balance.hat != MS_HAT_SMOOTH || !variant->analytic)
        close_to(s, variant->text, options, n, formula, probe);
    scales(variant, options, s->system, s->h, n, scale);
    rescale(n, scale, formula);
    rescale(n, scale, probe);
    close_to(s, variant->text, options, n, formula, probe);
    free(formula);
    free(probe);
    free(scale);
}

/* The variants of Jacobi times hats, steps and errors, each on every system with one of its variations in
 * turn. */
static void formula_agrees_with_probe(void **state)
{
    (void)state;
    unsigned long long seed = 201;
    int turn = 0;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        support_variant variant;
        for (int m = 0; support_variant_at(m, &variant); m++)
            for (int j = 0; j < 2 * HATS * STEPS && !variant.gauss_seidel; turn++) {
                ms_options options =
                    corrected(variant.text, j % HATS, steps_of[j / HATS % STEPS], j / 12 == 1);
                if (!vary(&variant, turn % VARIATIONS, &options))
                    continue;
                agree(&s, &variant, &options);
                j++;
            }
        support_random_system_drop(&s);
    }
}

/* With errors as e/h and derivatives as h^j y^(j) the matrix of a tiny macro-step is the one of h = 0, up
 * to terms of order ||A h|| and h ||B|| ||C||. */
static void limit_is_that_of_small_steps(void **state)
{
    (void)state;
    unsigned long long seed = 202;
    for (int k = 0; k < support_ensemble(SYSTEMS / 2); k++) {
        support_random_system s = support_random_system_next(&seed);
        const double h = 1e-9 * s.h;
        support_variant variant;
        for (int m = 0; support_variant_at(m, &variant) && !variant.gauss_seidel; m++) {
            const ms_options options =
                corrected(variant.text, (m + k) % HATS, steps_of[(m + k) / 3 % STEPS], (m + k) % 2 == 1);
            int n;
            double *limit = support_random_system_formula(s.system, &options, 0.0, &n),
                   *small = support_random_system_formula(s.system, &options, h, &n),
                   *scale = malloc(sizeof *scale * (size_t)n);
            assert_non_null(scale);
            scales(&variant, &options, s.system, h, n, scale);
            rescale(n, scale, small);
            const double gap = support_matrix_gap(n, small, limit);
            if (!(gap <= 1e-6 * s.condition))
                fail_msg("%s: the matrix of %g is off the limit by %g", variant.text, h, gap);
            free(limit);
            free(small);
            free(scale);
        }
        support_random_system_drop(&s);
    }
}

/* Spectra -------------------------------------------------------------------------------------------- */

/* The largest backward error that eigenvalues of m rows have in n rows, zeros included. */
static double off_spectrum(int n, const double *psi, int m, const double *other)
{
    ms_spectrum spectrum;
    double worst = 0.0;
    assert_int_equal(ms_spectrum_create(m, other, &spectrum, NULL), MS_OK);
    for (int k = 0; k < m; k++) {
        const double *value = spectrum.eigenvalues + 2 * k;
        worst = fmax(worst, support_backward_error(n, psi, value[0], value[1]));
    }
    ms_spectrum_destroy(&spectrum);
    return worst;
}

/* How far the spectrum of held outputs with balance correction, probed, is from that of linear
 * extrapolation from past values with the same micro-solver, in both directions. */
static double off_past_values(const ms_system *system, const ms_options *options, double h)
{
    ms_options past = support_options("extrapolation-order=1");
    const support_variant held = {.order = 0};
    int n, m;
    memcpy(past.solver, options->solver, sizeof past.solver);
    past.micro_steps = options->micro_steps;
    double *psi = support_random_system_probe(system, options, h, &n),
           *other = support_random_system_formula(system, &past, h, &m),
           *scale = malloc(sizeof *scale * (size_t)n);
    assert_non_null(scale);
    scales(&held, options, system, h, n, scale);
    rescale(n, scale, psi);
    const double off = fmax(off_spectrum(n, psi, m, other), off_spectrum(m, other, n, psi));
    free(psi);
    free(other);
    free(scale);
    return off;
}

/* Pure integrators under held outputs: any symmetric hat gives e = h (y+ - y)/2, so that x+ = x + h B L (3
 * y_n - y_{n-1})/2. The oscillator with m = c = 1 then has lambda^2 = lambda - i h (3 lambda - 1)/2 and
 * the conjugates, beside which only zeros are left. With used errors, and with two steps, it is another
 * matrix. */
static void oscillator_has_the_spectrum_of_past_values(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int hat = 0; hat < HATS; hat++)
        for (int k = 0; k < 10; k++) {
            const double h = ldexp(0.005, k);
            const ms_options raw = corrected("extrapolation-order=0", hat, 1, false),
                             used = corrected("extrapolation-order=0", hat, 1, true),
                             two = corrected("extrapolation-order=0", hat, 2, false);
            int n;
            double *psi = support_random_system_formula(system, &raw, h, &n), sum = 0.0;
            assert_int_equal(n, 6);
            /* (1 - 3/2 h i)^2 + 2 h i = 1 - 9/4 h^2 - h i = (p + q i)^2 */
            const double re = 1.0 - 2.25 * h * h, im = -h, p = sqrt(0.5 * (hypot(re, im) + re)),
                         q = im / (2.0 * p);
            for (int sign = -1; sign <= 1; sign += 2)
                assert_true(support_backward_error(n, psi, 0.5 * (1.0 + sign * p),
                                                   0.5 * (-1.5 * h + sign * q)) <= 1e-15);
            for (int i = 0; i < n; i++)
                sum += psi[i * n + i];
            support_near(sum, 2.0, 1e-14); /* of the four: twice the real part of 1 - 3/2 h i */
            assert_true(off_past_values(system, &raw, h) <= 1e-12);
            assert_true(off_past_values(system, &used, h) > 1e-5);
            assert_true(off_past_values(system, &two, h) > 1e-5);
            free(psi);
        }
    ms_system_destroy(&system);
}

/* Held outputs under a box, on any linear system: the input is the constant w_n = y_n + e_n/h, e_{n+1}/h
 * the mean of y over the macro-step less y_n. The running mean X(t) of x over the last h then obeys X' = A
 * X + B L w(t) with w(t) the line through w_{n-1}, w_n, and for its outputs Y = C X + D L w the step from
 * y_n to y_{n+1} is h Y', so that w_{n+1} = Y + h Y': X is linear extrapolation smoothed to be continuous,
 * whose spectrum is that of past values. */
static void box_has_the_spectrum_of_past_values(void **state)
{
    (void)state;
    unsigned long long seed = 203;
    for (int k = 0; k < support_ensemble(SYSTEMS * SOLVERS); k++) {
        support_random_system s = support_random_system_next(&seed);
        ms_options box = corrected("extrapolation-order=0 micro-steps=2", 0, 1, false);
        snprintf(box.solver, sizeof box.solver, "%s", solvers[k % SOLVERS]);
        const double off = off_past_values(s.system, &box, s.h);
        if (!(off <= 1e-12))
            fail_msg("system %d: an eigenvalue has the backward error %g", k, off);
        support_random_system_drop(&s);
    }
}

/* Of damped subsystems and of a static loop, only the box has it; all hats differ. */
static void other_hats_differ(void **state)
{
    (void)state;
    ms_model *model = support_model_read(loop);
    ms_system *fixed = support_system_of(model), *damped = support_system("moshagen-2x2", "a12=-2");
    double radius[HATS];
    for (int hat = 0; hat < HATS; hat++) {
        const ms_options raw = corrected("extrapolation-order=0", hat, 1, false);
        radius[hat] = ms_propagation_radius(damped, &raw, 0.5, SIZE);
        assert_true(hat == 0 || off_past_values(fixed, &raw, 0.5) > 1e-5);
        assert_true(hat == 0 || off_past_values(damped, &raw, 0.5) > 1e-5);
    }
    for (int hat = 0; hat < HATS; hat++)
        assert_true(fabs(radius[hat] - radius[(hat + 1) % HATS]) > 1e-5);
    ms_system_destroy(&fixed);
    ms_system_destroy(&damped);
    ms_model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_is_that_by_hand),
        cmocka_unit_test(static_loop_is_that_by_hand),
        cmocka_unit_test(formula_agrees_with_probe),
        cmocka_unit_test(limit_is_that_of_small_steps),
        cmocka_unit_test(oscillator_has_the_spectrum_of_past_values),
        cmocka_unit_test(box_has_the_spectrum_of_past_values),
        cmocka_unit_test(other_hats_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
