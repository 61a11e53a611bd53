/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_extreme.c - eigenvalues of largest modulus by macro-steps alone: against all eigenvalues of the
 * propagation matrix by formula, on random linear systems and on every linear model, and against a chain whose
 * eigenvalues are known in closed form. The seed is fixed. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/catalogue.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "backward_error.h"
#include "propagation_extreme.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 60, WANTED = 5 };

static const double TOLERANCE = 1e-8;

static const char *const members[] = {"",
                                      "extrapolation-order=1",
                                      "scheme=gauss-seidel extrapolation-order=2",
                                      "extrapolation-order=2 outputs=corrected",
                                      "extrapolation-order=1 smooth-coupling=c1 solver=rk4",
                                      "derivatives=analytic extrapolation-order=2 outputs=consistent",
                                      "scheme=balance",
                                      "scheme=ifosmondi",
                                      "scheme=zoh-iterative solver=euler micro-steps=2",
                                      "scheme=power"};
enum { MEMBERS = sizeof members / sizeof *members };

/* As few columns as there can be, so that small matrices take restarts, too. */
static ms_arnoldi_request request_of(int k)
{
    return (ms_arnoldi_request){.k = k, .subspace = 1, .applications = 200000, .tolerance = TOLERANCE};
}

/* Against all eigenvalues -------------------------------------------------------------------------------- */

/* What both say of stability: what is known agrees. */
static void same_verdicts(const char *what, const ms_propagation_extreme *extreme, int n, const double *psi)
{
    ms_spectrum all;
    assert_int_equal(ms_spectrum_create(n, psi, &all, NULL), MS_OK);
    if (extreme->stable >= 0 && fabs(all.radius - 1.0) > 1e-6 && extreme->stable != all.stable)
        fail_msg("%s: stable is %d, the radius %.17g", what, extreme->stable, all.radius);
    if (all.radius < 1.0 - 1e-6)
        assert_int_not_equal(extreme->defective, 1);
    ms_spectrum_destroy(&all);
}

static void check(const char *what, const ms_propagation_extreme *extreme, int n, const double *psi,
                  double round_off)
{
    const ms_arnoldi *found = &extreme->found;
    double *lower = malloc(sizeof *lower * 2 * ((size_t)n + 1)), *upper = lower + n + 1, largest = round_off;
    assert_non_null(lower);
    assert_int_equal(extreme->n, n);
    for (int k = 0; k < found->n; k++)
        largest = fmax(largest, found->residuals[k]);
    support_modulus_bounds(n, psi, largest, lower, upper);
    for (int k = 0; k < found->n; k++) {
        const double modulus = hypot(found->eigenvalues[2 * k], found->eigenvalues[2 * k + 1]);
        if (!(modulus >= lower[k] && modulus <= upper[k]))
            fail_msg("%s: modulus %d of %d is %.17g, not in [%.17g, %.17g]", what, k, found->n, modulus,
                     lower[k], upper[k]);
    }
    same_verdicts(what, extreme, n, psi);
    free(lower);
}

/* Against the formula, where there is one, and the probe. Returns whether the scheme has a matrix at all. */
static bool compare(const char *what, const ms_system *system, const ms_options *options, double h, int k)
{
    const ms_arnoldi_request request = request_of(k);
    ms_propagation_extreme extreme;
    ms_analytic_propagation *formula = NULL;
    ms_error error;
    double *psi;
    int n;
    if (ms_propagation_probe(system, options, h, &n, &psi, &error) != MS_OK)
        return false;
    const int status = ms_propagation_extreme_create(system, options, h, &request, &extreme, &error);
    if (status != MS_OK)
        fail_msg("%s: status %d, %d of %d converged", what, status, extreme.found.converged, extreme.found.n);
    const double round_off = 1e-12 * (1.0 + support_random_system_frobenius((size_t)n, psi));
    check(what, &extreme, n, psi, round_off);
    if (ms_analytic_propagation_create(system, options, &formula, NULL) == MS_OK) {
        double condition;
        assert_int_equal(ms_analytic_propagation_evaluate(formula, h, psi), MS_OK);
        assert_int_equal(ms_analytic_propagation_condition(formula, h, psi, &condition), MS_OK);
        check(what, &extreme, n, psi, round_off * condition);
    }
    ms_analytic_propagation_destroy(&formula);
    ms_propagation_extreme_destroy(&extreme);
    free(psi);
    return true;
}

static void agrees_with_all_eigenvalues_of_random_systems(void **state)
{
    (void)state;
    unsigned long long seed = 301;
    int compared = 0;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = k % 3; m < MEMBERS; m += 3) {
            const ms_options options = support_options(members[m]);
            compared += compare(members[m], s.system, &options, s.h, 1 + (k + m) % WANTED);
        }
        support_random_system_drop(&s);
    }
    assert_true(compared >= support_ensemble(SYSTEMS) * MEMBERS / 6);
}

static void agrees_with_all_eigenvalues_of_every_model(void **state)
{
    (void)state;
    int compared = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of(*model);
        for (int m = 0; m < MEMBERS && system->linear; m++) {
            const ms_options options = support_options(members[m]);
            compared += compare((*model)->name, system, &options, system->step_size, 1 + m % WANTED);
        }
        ms_system_destroy(&system);
    }
    assert_true(compared > 50);
}

/* Known eigenvalues -------------------------------------------------------------------------------------- */

/* An inner mass of the chain alone, x' = v, v' = -2 k x - 2 d v, with held inputs: E = e^{Ah} and g = the last column of A^-1 (E - I), in closed
 * form. With inputs 2 cos(theta) (x, v) of a mode it moves by M = E + 2 cos(theta) g (k, d). Writes the modulus of its
 * eigenvalues. */
static void mode(double k, double d, double h, double theta, double modulus[2])
{
    const double w = sqrt(2.0 * k - d * d), e = exp(-d * h), c = e * cos(w * h), s = e * sin(w * h) / w;
    const double E[2][2] = {{c + d * s, s}, {-2.0 * k * s, c - d * s}};
    const double g[2] = {(1.0 - E[0][0]) / (2.0 * k), s}, a = 2.0 * cos(theta);
    const double m00 = E[0][0] + a * g[0] * k, m01 = E[0][1] + a * g[0] * d, m10 = E[1][0] + a * g[1] * k,
                 m11 = E[1][1] + a * g[1] * d;
    const double half = 0.5 * (m00 + m11), square = half * half - (m00 * m11 - m01 * m10);
    if (square < 0.0) {
        modulus[0] = modulus[1] = hypot(half, sqrt(-square));
        return;
    }
    modulus[0] = fabs(half + sqrt(square));
    modulus[1] = fabs(half - sqrt(square));
}

/* Modes sin(theta i), theta = j pi / (N + 1), and as many zeros as outputs are remembered. The longest wave decays slowest, or the
 * shortest grows. Returns whether the four largest took shifts. */
static bool check_chain(int masses, double h)
{
    char setting[32];
    snprintf(setting, sizeof setting, "masses=%d", masses);
    ms_system *system = support_system("mass-chain", setting);
    const ms_options options = support_options("");
    const ms_arnoldi_request request = ms_propagation_extreme_request(4 * masses, 4);
    ms_propagation_extreme extreme;
    double *modulus = malloc(sizeof *modulus * 2 * (size_t)masses);
    assert_non_null(modulus);
    assert_int_equal(ms_propagation_extreme_create(system, &options, h, &request, &extreme, NULL), MS_OK);
    assert_int_equal(extreme.n, 4 * masses);
    for (int j = 0; j < masses; j++)
        mode(10.0, 0.2, h, (j + 1) * acos(-1.0) / (masses + 1), modulus + 2 * j);
    qsort(modulus, 2 * (size_t)masses, sizeof *modulus, support_descending);
    for (int k = 0; k < extreme.found.n; k++) {
        const double *value = extreme.found.eigenvalues + 2 * k;
        support_near(hypot(value[0], value[1]), modulus[k],
                     2.0 * extreme.found.residuals[k] * extreme.found.conditions[k] + 1e-12);
    }
    const int known = modulus[0] < 1.0 ? -1 : 0; /* others may have been missed */
    assert_int_equal(extreme.stable, known);
    const bool shifted = extreme.shifts > 0;
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
    free(modulus);
    return shifted;
}

static void knows_the_eigenvalues_of_a_chain(void **state)
{
    (void)state;
    assert_false(check_chain(150, 0.01));
    assert_false(check_chain(150, 0.3));
    assert_false(check_chain(150, 0.5));
}

/* Gaps of 3e-7 and 1e-7, with so few products. */
static void knows_the_eigenvalues_of_a_long_chain(void **state)
{
    (void)state;
    assert_true(check_chain(10000, 0.01));
    assert_true(check_chain(10000, 0.5));
}

/* Endings ------------------------------------------------------------------------------------------------ */

static void names_what_has_not_converged(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=500");
    const ms_options options = support_options("");
    ms_arnoldi_request request = ms_propagation_extreme_request(2000, 2);
    ms_propagation_extreme extreme;
    ms_error error;
    request.applications = 100;
    assert_int_equal(ms_propagation_extreme_create(system, &options, 0.01, &request, &extreme, &error),
                     MS_NOT_CONVERGED);
    assert_true(extreme.found.converged < extreme.found.n);
    assert_int_equal(extreme.found.applications, 100);
    assert_int_equal(extreme.stable, -1);
    assert_int_equal(extreme.defective, -1);
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
}

static const char jordan[] = /* free masses: 1 is an eigenvalue with one eigenvector too few */
    "{\"subsystems\": [{\"A\": [[0, 1], [0, 0]], \"B\": [[0], [1]], \"C\": [[1, 0]]},"
    " {\"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}], \"wires\": [[1, 0, 1]]}";
static const char static_only[] = /* D L has the eigenvalues +-0.5 */
    "{\"subsystems\": [{\"A\": [], \"D\": [[0.5]]}, {\"A\": [], \"D\": [[0.5]]}], \"wires\": [[0, 1, 1], [1, "
    "0, 1]]}";

static void judges_defective_and_static_systems(void **state)
{
    (void)state;
    const ms_options options = support_options("");
    const ms_arnoldi_request request = request_of(3);
    ms_propagation_extreme extreme;
    ms_model *model = support_model_read(jordan);
    ms_system *system = support_system_of(model);
    assert_int_equal(ms_propagation_extreme_create(system, &options, 0.1, &request, &extreme, NULL), MS_OK);
    support_near(hypot(extreme.found.eigenvalues[0], extreme.found.eigenvalues[1]), 1.0, 1e-6);
    assert_int_equal(extreme.defective, 1);
    assert_int_equal(extreme.stable, 0);
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    model = support_model_read(static_only);
    system = support_system_of(model);
    assert_int_equal(ms_propagation_extreme_create(system, &options, 0.1, &request, &extreme, NULL), MS_OK);
    for (int k = 0; k < 2; k++) /* +-0.5 */
        support_near(fabs(extreme.found.eigenvalues[2 * k]), 0.5, 1e-12);
    support_near(extreme.found.eigenvalues[0] + extreme.found.eigenvalues[2], 0.0, 1e-12);
    assert_int_equal(extreme.stable, 1);
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* 80 integrators, alone: of 80 eigenvalues 1 two were asked for, and the others may be defective. */
static void knows_what_it_does_not_know(void **state)
{
    (void)state;
    char text[8192] = "{\"subsystems\": [{\"A\": [[0]], \"B\": [[1]], \"C\": [[0]]}";
    for (int i = 1; i < 80; i++)
        strcat(text, ", {\"A\": [[0]], \"B\": [[1]], \"C\": [[0]]}");
    strcat(text, "], \"wires\": []}");
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options("");
    const ms_arnoldi_request request = request_of(2);
    ms_propagation_extreme extreme;
    assert_int_equal(ms_propagation_extreme_create(system, &options, 0.1, &request, &extreme, NULL), MS_OK);
    for (int k = 0; k < 2; k++)
        support_near(extreme.found.eigenvalues[2 * k], 1.0, 1e-12);
    assert_int_equal(extreme.stable, -1);
    assert_int_equal(extreme.defective, -1);
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Masses x'' = -2 x - d x' + left (x of the left one) + right (x of the right one). */
static int verdict_of_chain(int masses, double d, double left, double right, double h, int k)
{
    char text[32768] = "{\"subsystems\": [";
    for (int i = 0; i < masses; i++)
        sprintf(text + strlen(text),
                "%s{\"A\": [[0, 1], [-2, %g]], \"B\": [[0, 0], [%.17g, %.17g]], \"C\": [[1, 0]]}",
                i > 0 ? ", " : "", -d, left, right);
    strcat(text, "], \"wires\": [");
    for (int i = 0; i + 1 < masses; i++)
        sprintf(text + strlen(text), "%s[%d, %d, 1], [%d, %d, 1]", i > 0 ? ", " : "", 2 * (i + 1), i,
                2 * i + 1, i + 1);
    strcat(text, "]}");
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options("");
    const ms_arnoldi_request request = ms_propagation_extreme_request(3 * masses, k);
    ms_propagation_extreme extreme;
    const int status = ms_propagation_extreme_create(system, &options, h, &request, &extreme, NULL);
    assert_true(status == MS_OK || status == MS_NOT_CONVERGED);
    const int stable = extreme.stable;
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return stable;
}

/* The radii follow from modes sin(j pi i / (N + 1)) (left / right)^(i / 2), each of two states. They are 0.99979 and 0.9957, where residuals
 * of 1e-9 see 1.0046 and 1.012 since conditions are up to 12.5^24; and 1.0002, of a real eigenvalue inside of an arc of others that converge first. */
static void does_not_judge_beyond_what_it_knows(void **state)
{
    (void)state;
    assert_int_not_equal(verdict_of_chain(50, 0.05, 2.5, 0.2, 0.01, 5), 0);
    assert_int_not_equal(verdict_of_chain(46, 0.3606, sqrt(12.5), sqrt(0.08), 0.02539, 1), 0);
    assert_int_not_equal(verdict_of_chain(170, 0.01682, 1.000489, 1.000489, 0.01614, 5), 1);
}

static void refuses_what_is_not_linear(void **state)
{
    (void)state;
    const ms_arnoldi_request request = request_of(2);
    ms_propagation_extreme extreme;
    ms_error error;
    ms_system *system = support_system("double-pendulum", NULL),
              *linear = support_system("quarter-car", NULL);
    ms_options options = support_options("");
    assert_int_equal(ms_propagation_extreme_create(system, &options, 0.01, &request, &extreme, &error),
                     MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "nonlinear"));
    options = support_options("solver=cvode-bdf");
    assert_int_equal(ms_propagation_extreme_create(linear, &options, 0.01, &request, &extreme, &error),
                     MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cvode-bdf"));
    ms_system_destroy(&system);
    ms_system_destroy(&linear);
}

/* The same bits for any number of threads. */
static void does_not_depend_on_threads(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=100");
    const ms_options serial = support_options(""), parallel = support_options("execution=parallel");
    const ms_arnoldi_request request = ms_propagation_extreme_request(400, 3);
    ms_propagation_extreme a, b;
    assert_int_equal(ms_propagation_extreme_create(system, &serial, 0.5, &request, &a, NULL), MS_OK);
    assert_int_equal(ms_propagation_extreme_create(system, &parallel, 0.5, &request, &b, NULL), MS_OK);
    assert_int_equal(a.found.n, b.found.n);
    assert_memory_equal(a.found.eigenvalues, b.found.eigenvalues, sizeof(double) * 2 * (size_t)a.found.n);
    assert_memory_equal(a.found.residuals, b.found.residuals, sizeof(double) * (size_t)a.found.n);
    ms_propagation_extreme_destroy(&a);
    ms_propagation_extreme_destroy(&b);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_eigenvalues_of_random_systems),
        cmocka_unit_test(agrees_with_all_eigenvalues_of_every_model),
        cmocka_unit_test(knows_the_eigenvalues_of_a_chain),
        cmocka_unit_test(knows_the_eigenvalues_of_a_long_chain),
        cmocka_unit_test(names_what_has_not_converged),
        cmocka_unit_test(judges_defective_and_static_systems),
        cmocka_unit_test(knows_what_it_does_not_know),
        cmocka_unit_test(does_not_judge_beyond_what_it_knows),
        cmocka_unit_test(refuses_what_is_not_linear),
        cmocka_unit_test(does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
