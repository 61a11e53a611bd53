/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_claims.c - the observed order of convergence of every family, with each value of each of its options, against the
 * order that it claims on that system: on models of the catalogue, and on random ones whose wires all lead one way, taken in that
 * order and in others. Errors are maxima over all communication points, so an order that is lost at the start shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "random_system.h"
#include "scheme_check.h"
#include "scheme_families.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

static int compared;

/* What is to be as good as exact beside the macro-steps. */
static ms_options precise(const ms_scheme *scheme, const char *text)
{
    ms_options options = support_options(text);
    support_options_add(&options, "solver-rtol=1e-13 solver-atol=1e-13");
    if (scheme->laws)
        snprintf(options.solver, sizeof options.solver, "%s",
                 support_reference_solver(ms_solvers[0], false)->name);
    if (ms_scheme_knows(scheme, MS_OPTION_EPSILON))
        support_options_add(&options, "epsilon=1e-13 max-iterations=200 step-rule=fixed");
    return options;
}

/* Do macro-steps have a given length, which no option but those that they depend on was chosen for? */
static bool concerns(const ms_options *options)
{
    bool same = options->control.error_controlled != MS_CONTROL_NONE;
    for (int k = 0; k < MS_OPTIONS; k++)
        same = same || (options->given[k] && ms_option_table[k].same_step);
    return !same;
}

static double observed(const ms_system *system, const ms_options *options, int claimed, int finer,
                       const char *text)
{
    double order = NAN;
    ms_error error = {""};
    if (ms_observe_order(system, options, claimed, finer, &order, &error) != MS_OK)
        fail_msg("%s %s: %s", system->model->name, text, error.text);
    return order;
}

static void check(const ms_system *system, const ms_scheme *scheme, const char *text)
{
    const ms_options chosen = support_options(text), options = precise(scheme, text);
    const int claimed = ms_scheme_order_on(system, &options);
    if (claimed == 0 || !system->linear || !concerns(&chosen))
        return;
    const double logarithm = 0.3; /* orders are claimed but for factors of log(1/H) */
    double order = observed(system, &options, claimed, 0, text);
    if (claimed == 1 &&
        fabs(order - claimed) > logarithm) /* where what has order 1 is small beside what has order 2 */
        order = observed(system, &options, claimed, 7, text);
    const bool gave_up = isnan(order) && scheme->retries && chosen.given[MS_OPTION_SOLVER_NONLINEAR];
    if (!gave_up && !(fabs(order - claimed) <= logarithm))
        fail_msg("%s %s has order %.2f, claims %d", system->model->name, text, order, claimed);
    compared += !gave_up;
}

static void every_family_has_the_order_that_it_claims(void **state)
{
    (void)state;
    support_families("", check);
    assert_true(compared > 100);
}

/* One way ------------------------------------------------------------------------------------------------ */

/* Entries of D are of the size of the others, so that an order that feed-through costs shows at long steps. */
static const support_random_shape one_way = {.subsystems = {2, 4},
                                             .states = {1, SUPPORT_RANDOM_SYSTEM_SIZE},
                                             .step = 1.0,
                                             .stiffness = 1.0,
                                             .feed_through = 1.0,
                                             .one_way = true};

enum { ONE_WAY = 8 };

/* A test of a one-way system; random: names of its subsystems in some order. */
typedef void one_way_test(const support_random_system *s, const char *random);

static void shuffle(const ms_system *system, unsigned long long *seed, char *names, size_t size)
{
    int order[SUPPORT_RANDOM_SYSTEM_MOST];
    size_t length = 0;
    for (int i = 0; i < system->n; i++) {
        const int at = support_random_below(seed, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < system->n; i++)
        length += (size_t)snprintf(names + length, size - length, "%s%s", i > 0 ? "," : "",
                                   system->sub[order[i]].name);
}

static void on_one_way_systems(one_way_test *test)
{
    unsigned long long seed = 77;
    for (int k = 0; k < ONE_WAY; k++) {
        char names[64];
        support_random_system s = support_random_system_of(&one_way, &seed);
        shuffle(s.system, &seed, names, sizeof names);
        test(&s, names);
        support_random_system_drop(&s);
    }
}

static void check_families(const support_random_system *s, const char *random)
{
    (void)random;
    support_families_on(s->system, "", check);
}

static void every_family_has_it_where_wires_lead_one_way(void **state)
{
    (void)state;
    compared = 0;
    on_one_way_systems(check_families);
    assert_true(compared > 500);
}

static void check_in(const support_random_system *s, const char *order, const char *options)
{
    char text[320];
    snprintf(text, sizeof text, "%s%s%s", options, order[0] != '\0' ? " order=" : "", order);
    check(s->system, ms_scheme_find(support_options(text).scheme), text);
}

/* In the order of the wires, in the opposite one, and in any. */
static void check_in_orders(const support_random_system *s, const char *random, const char *options)
{
    check_in(s, "", options);
    check_in(s, s->reversed, options);
    check_in(s, random, options);
}

static void check_gauss_seidel(const support_random_system *s, const char *random)
{
    static const char *const smooth[] = {"none", "c0", "c1"}, *const start[] = {"derivatives", "hold"},
                             *const derivatives[] = {"differences", "analytic"},
                             *const kind[] = {"exact", "differences"};
    for (int k = 0; k < 3 * 3 * 2 * 2 * 2; k++) {
        char text[200];
        const int order = k % 3, at[] = {k / 3 % 3, k / 9 % 2, k / 18 % 2, k / 36};
        if (at[3] > at[2] || (order == 0 && at[2] > 0)) /* no derivatives are asked for */
            continue;
        snprintf(text, sizeof text,
                 "scheme=gauss-seidel extrapolation-order=%d smooth-coupling=%s start=%s derivatives=%s "
                 "output-derivatives=%s",
                 order, smooth[at[0]], start[at[1]], derivatives[at[2]], kind[at[3]]);
        check_in_orders(s, random, text);
    }
}

static void gauss_seidel_knows_the_direction_of_wires(void **state)
{
    (void)state;
    compared = 0;
    on_one_way_systems(check_gauss_seidel);
    assert_int_equal(compared, ONE_WAY * 3 * (6 + 2 * 18));
}

static void check_others(const support_random_system *s, const char *random)
{
    static const char *const
        options[] = {"scheme=gauss-seidel as-printed extrapolation-order=2",
                     "scheme=gauss-seidel as-printed smooth-coupling=c0",
                     "scheme=gauss-seidel outputs=consistent smooth-coupling=c1",
                     "scheme=gauss-seidel outputs=corrected smooth-coupling=c1",
                     "scheme=ifosmondi sweep=gauss-seidel",
                     "scheme=strang"},
        *const without[] = {"scheme=jacobi as-printed smooth-coupling=c0 extrapolation-order=1",
                            "scheme=missiles output-derivatives=differences",
                            "scheme=semi-implicit input-degree=3 start=hold",
                            "scheme=multirate first=fast extrapolation-order=2 start=hold substeps=s0=2",
                            "scheme=multirate first=slow extrapolation-order=2 start=hold substeps=s0=2",
                            "scheme=multirate first=slow extrapolation-order=2 start=hold substeps=s1=2"};
    for (int k = 0; k < MS_COUNT(options); k++)
        check_in_orders(s, random, options[k]);
    for (int k = 0; k < MS_COUNT(without); k++)
        check_in(s, "", without[k]);
}

static void others_know_it_too(void **state)
{
    (void)state;
    compared = 0;
    on_one_way_systems(check_others);
    assert_true(compared >= ONE_WAY * 3 * 6);
}

/* The literature claims no order for these, as their headers say: with clocks of its own, f3ornits has no one step. */
static const char *const unclaimed[] = {"f3ornits"};

static void families_that_claim_nothing_are_known(void **state)
{
    (void)state;
    for (int k = 0; ms_schemes[k] != NULL; k++) {
        bool known = false;
        for (int n = 0; n < MS_COUNT(unclaimed); n++)
            known = known || strcmp(ms_schemes[k]->name, unclaimed[n]) == 0;
        if (known != (ms_schemes[k]->claims == NULL))
            fail_msg("scheme %s %s", ms_schemes[k]->name,
                     known ? "claims an order" : "claims no order: it needs `claims`, or a reason here");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(families_that_claim_nothing_are_known),
                                       cmocka_unit_test(every_family_has_the_order_that_it_claims),
                                       cmocka_unit_test(every_family_has_it_where_wires_lead_one_way),
                                       cmocka_unit_test(gauss_seidel_knows_the_direction_of_wires),
                                       cmocka_unit_test(others_know_it_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
