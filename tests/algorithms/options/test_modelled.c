/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_modelled.c - formula, limit and claimed order answer for what they model and refuse the rest: options
 * and values that somebody adds later too, of which made-up values stand for here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/options_set.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include <macrostep/stability.h>
#include "support.h"
#include "unit_test.h"

/* The table --------------------------------------------------------------------------------------------- */

static void cover(bool *covered, size_t offset, size_t size)
{
    memset(covered + offset, true, size);
}

/* A member that is no line of the table cannot be looked at by those who refuse what they do not know. Gaps
 * in front of a double are padding (an int that falls into one is not seen). */
static void every_member_of_the_options_is_in_the_table(void **state)
{
    (void)state;
    static bool covered[sizeof(ms_options)];
    for (const ms_option *option = ms_option_table; option->name != NULL; option++)
        cover(covered, option->offset, option->size);
    cover(covered, offsetof(ms_options, num_threads), sizeof(int));
    cover(covered, offsetof(ms_options, work_factor), sizeof(double)); /* ends runs, as max-steps */
    cover(covered, offsetof(ms_options, n_masks), sizeof(int));
    cover(covered, offsetof(ms_options, given), MS_OPTIONS);
    cover(covered, offsetof(ms_options, set_by), MS_OPTIONS);
    size_t gap = 0;
    for (size_t k = 0; k < sizeof covered; k++) {
        gap = covered[k] ? 0 : gap + 1;
        if (gap == sizeof(int) && k % sizeof(double) < sizeof(int))
            fail_msg("byte %zu of ms_options belongs to no line of the table", k);
    }
}

static const ms_modelled *const lists[] = {ms_analytic_propagation_explicit_models,
                                           ms_analytic_propagation_iterated_models,
                                           ms_analytic_propagation_split_models, ms_stability_limit_models};

static void check_list(const ms_modelled *list)
{
    for (; list->option != NULL; list++) {
        char words[256], *rest = words;
        if (ms_option_find(list->option) < 0)
            fail_msg("--%s is no option", list->option);
        snprintf(words, sizeof words, "%s", list->values != NULL ? list->values : "");
        for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
            ms_options options = support_options("");
            ms_error error;
            if (strcmp(word, MS_MODELLED_CHECKED) != 0 &&
                ms_options_set(&options, list->option, word, &error) != MS_OK)
                fail_msg("%s", error.text);
        }
    }
}

static void lists_name_options_and_values_that_there_are(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(lists); k++)
        check_list(lists[k]);
    for (int k = 0; ms_schemes[k] != NULL; k++)
        if (ms_schemes[k]->claims != NULL)
            check_list(ms_schemes[k]->claims);
}

/* Today's families, beside what their tables say of them. */
static void formula_and_limit_answer_for_these_schemes(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        bool formula, limit;
    } answers[] = {{"jacobi", true, true},     {"gauss-seidel", true, false}, {"balance", true, false},
                   {"nepce", true, false},     {"strang", true, false},       {"power", false, false},
                   {"f3ornits", false, false}, {"ifosmondi", true, true},     {"zoh-iterative", true, true},
                   {"ijcsa", true, true},      {"missiles", true, true},      {"semi-implicit", true, true},
                   {"waveform", true, true},   {"multirate", true, false},    {"stabilised", false, false},
                   {"tlm", true, false},       {"robin", true, false}};
    ms_system *system = support_system("lim-oscillator", "case=force-force");
    for (int k = 0; k < MS_COUNT(answers); k++) {
        const ms_options options = support_options_of("scheme=%s", answers[k].scheme);
        ms_analytic_propagation *formula = NULL;
        ms_error error;
        const int status = ms_analytic_propagation_create(system, &options, &formula, &error);
        ms_analytic_propagation_destroy(&formula);
        if ((status == MS_OK) != answers[k].formula)
            fail_msg("formula, %s: %s", answers[k].scheme, status == MS_OK ? "answers" : error.text);
        const int limit = ms_stability_limit_check(&options, &error);
        if ((limit == MS_OK) != answers[k].limit)
            fail_msg("limit, %s: %s", answers[k].scheme, limit == MS_OK ? "answers" : error.text);
    }
    ms_system_destroy(&system);
}

/* Made-up members ---------------------------------------------------------------------------------------- */

static bool formula_answers(const ms_system *system, const ms_options *options)
{
    ms_analytic_propagation *formula = NULL;
    ms_error error = {""};
    const int status = ms_analytic_propagation_create(system, options, &formula, &error);
    ms_analytic_propagation_destroy(&formula);
    assert_true(status == MS_OK || status == MS_UNSUPPORTED);
    assert_true(status == MS_OK || (error.text[0] == '`' && strchr(error.text, '\n') == NULL));
    return status == MS_OK;
}

static bool limit_answers(const ms_options *options)
{
    ms_error error;
    return ms_stability_limit_check(options, &error) == MS_OK;
}

/* Nobody answers for an option with this value. */
static void nobody_knows(const ms_system *system, const ms_options *options, const char *what)
{
    if (formula_answers(system, options))
        fail_msg("the formula answers for %s", what);
    if (limit_answers(options))
        fail_msg("the limit answers for %s", what);
    if (ms_scheme_order_on(NULL, options) != 0)
        fail_msg("order %d is claimed for %s", ms_scheme_order_on(NULL, options), what);
}

/* The value that comes after the last one of the table, as if it had been added. */
static void the_next_value_of_each_option_is_refused(void **state)
{
    (void)state;
    static const char *const options[] = {"derivatives",         "outputs",
                                          "smooth-coupling",     "as-printed",
                                          "extrapolation-order", "output-derivatives"};
    ms_system *system = support_system("linear-pair", "");
    for (int k = 0; k < MS_COUNT(options); k++) {
        ms_options o = support_options("");
        const ms_option *option = &ms_option_table[ms_option_find(options[k])];
        int next = option->kind == MS_KIND_INTEGER ? (int)option->max + 1 : 0;
        while (ms_option_has_choices(option) && ms_option_choice_at(option, next) != NULL)
            next++;
        assert_true(formula_answers(system, &o) && limit_answers(&o) && ms_scheme_order_on(NULL, &o) == 1);
        *(int *)((char *)&o + option->offset) = option->kind == MS_KIND_FLAGS ? 1 << next : next;
        nobody_knows(system, &o, option->name);
    }
    ms_system_destroy(&system);
}

/* An option that no list names stands for one that is new to all of them. */
static void an_option_that_no_list_names_is_refused(void **state)
{
    (void)state;
    static const char *const changed[] = {"calibration=cls", "smooth-subsystems=one", "fallback=pointwise",
                                          "fallback-threshold=2"};
    ms_system *system = support_system("linear-pair", "");
    for (int k = 0; k < MS_COUNT(changed); k++) {
        const ms_options options = support_options(changed[k]);
        nobody_knows(system, &options, changed[k]);
    }
    ms_system_destroy(&system);
}

static void a_scheme_or_micro_solver_that_no_list_names_is_refused(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "");
    ms_options options = support_options("scheme=no-such-scheme");
    nobody_knows(system, &options, "scheme no-such-scheme");
    options = support_options("solver=no-such-solver");
    assert_false(formula_answers(system, &options));
    for (int k = 0; ms_schemes[k] != NULL; k++) { /* as if a family had taken the claims of another */
        ms_error error;
        options = support_options("scheme=no-such-scheme");
        if (ms_schemes[k]->claims != NULL)
            assert_int_equal(ms_modelled_check(ms_schemes[k]->claims, &options, "it", &error),
                             MS_UNSUPPORTED);
    }
    ms_system_destroy(&system);
}

static void what_no_macro_step_depends_on_does_not_matter(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "");
    const ms_options options = support_options("step-size=0.1 stop-time=7 start-time=1 norm=end epsilon=1e-9 "
                                               "solver-rtol=1e-3 solver-atol=1e-3 max-iterations=3");
    assert_true(formula_answers(system, &options));
    assert_true(limit_answers(&options));
    assert_int_equal(ms_scheme_order_on(NULL, &options), 1);
    ms_system_destroy(&system);
}

/* What is answered is true ------------------------------------------------------------------------------- */

/* There is no such member, the formula refuses it, or formula and probe agree, which counts. */
static void compare(const ms_system *system, const ms_options *options, const char *text, int *compared)
{
    ms_error error = {""};
    if (ms_propagation_exists(system, options, &error) != MS_OK || !formula_answers(system, options))
        return;
    if (ms_propagation_check(system, options, 0.05, &error) != MS_OK)
        fail_msg("%s %s: %s", options->scheme, text, error.text);
    ++*compared;
}

/* Value k of an option as text; false beyond the last. */
static bool value_at(const ms_option *option, int k, char *text, size_t size)
{
    if (strcmp(option->name, "solver") == 0) {
        snprintf(text, size, "%s", ms_solvers[k] != NULL ? ms_solvers[k]->name : "");
        return ms_solvers[k] != NULL;
    }
    if (ms_option_has_choices(option))
        snprintf(text, size, "%s",
                 ms_option_choice_at(option, k) != NULL ? ms_option_choice_at(option, k) : "");
    else if (option->kind == MS_KIND_INTEGER)
        snprintf(text, size, "%d", (int)option->min + k);
    else
        text[0] = '\0';
    return text[0] != '\0' && (ms_option_has_choices(option) || (k < 4 && option->min + k <= option->max));
}

/* All values of an option on top of others; those that do not go together are no member. */
static void walk(const ms_system *system, const char *base, const ms_option *option, int *compared)
{
    char value[64], text[256];
    for (int k = 0; value_at(option, k, value, sizeof value); k++) {
        ms_options options = support_options(base);
        ms_error error;
        snprintf(text, sizeof text, "%s --%s %s", base, option->name, value);
        if (ms_options_set(&options, option->name, value, &error) == MS_OK)
            compare(system, &options, text, compared);
    }
}

/* A value that a list names and the formula does not model would differ here from the engine. */
static void every_value_is_modelled_or_refused(void **state)
{
    (void)state;
    static const char *const bases[] = {
        "",
        "extrapolation-order=1",
        "extrapolation-order=2 derivatives=analytic",
        "extrapolation-order=2 smooth-coupling=c0",
        "extrapolation-order=1 derivatives=analytic outputs=consistent smooth-coupling=c1",
        "scheme=gauss-seidel extrapolation-order=2",
        "scheme=gauss-seidel extrapolation-order=1 derivatives=analytic outputs=corrected",
        "scheme=balance extrapolation-order=1",
        "scheme=balance balance-steps=2 balance-hat=triangle",
        "scheme=ifosmondi",
        "scheme=zoh-iterative",
        "scheme=missiles",
        "scheme=ijcsa input-degree=2",
        "scheme=semi-implicit input-degree=3",
        "scheme=waveform samples=3 spline-degree=2",
        "scheme=multirate substeps=2 extrapolation-order=1"};
    ms_system *systems[] = {support_system("linear-pair", "d1=0.4 d2=0.3"),
                            support_system("mass-spring-damper", "")};
    int compared = 0;
    for (int s = 0; s < MS_COUNT(systems); s++)
        for (int b = 0; b < MS_COUNT(bases); b++)
            for (const ms_option *option = ms_option_table; option->name != NULL; option++)
                if (!option->same_step && strcmp(option->name, "scheme") != 0)
                    walk(systems[s], bases[b], option, &compared);
    assert_true(compared > 500);
    ms_system *lines = support_system("lim-oscillator", "case=force-force");
    for (const ms_option *option = ms_option_table; option->name != NULL; option++)
        if (!option->same_step && strcmp(option->name, "scheme") != 0)
            walk(lines, "scheme=tlm wave-damping=0.1", option, &compared);
    ms_system_destroy(&lines);
    for (int s = 0; s < MS_COUNT(systems); s++)
        ms_system_destroy(&systems[s]);
}

static void claims_know_the_start_and_the_micro_solver(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int order;
    } claims[] = {{"extrapolation-order=2", 3},
                  {"extrapolation-order=2 start=hold", 2},
                  {"extrapolation-order=1 start=hold", 2},
                  {"scheme=balance extrapolation-order=2 start=hold", 2},
                  {"extrapolation-order=1 initial-inputs=zero", 0},
                  {"extrapolation-order=2 solver=euler", 1},
                  {"extrapolation-order=2 solver=rk4", 3},
                  {"scheme=ifosmondi start=hold", 4},
                  {"scheme=ifosmondi initial-inputs=zero", 0},
                  {"scheme=zoh-iterative", 1},
                  {"scheme=missiles", 3},
                  {"scheme=stabilised max-iterations=3", 1},
                  {"as=oms-ma", 1},
                  {"as=libcosim", 0},
                  {"scheme=ifosmondi rollback=estimated", 3},
                  {"scheme=zoh-iterative rollback=estimated", 1},
                  {"scheme=ijcsa", 2},
                  {"scheme=ijcsa input-degree=3 update=slow", 4},
                  {"scheme=semi-implicit input-degree=3 start=hold", 3},
                  {"scheme=semi-implicit input-degree=2 start=hold", 3},
                  {"scheme=semi-implicit initial-inputs=zero", 0},
                  {"scheme=multirate substeps=4 first=fast", 1},
                  {"scheme=multirate substeps=4 points=common", 1},
                  {"scheme=multirate extrapolation-order=2", 3},
                  {"scheme=multirate extrapolation-order=2 start=hold points=macro", 2},
                  {"scheme=waveform", 2},
                  {"scheme=waveform spline-degree=3 start=hold", 2},
                  {"scheme=waveform samples=3 spline-degree=2 sweep=gauss-seidel", 4},
                  {"scheme=waveform samples=left=3,right=3 spline-degree=2", 0},
                  {"scheme=power extrapolation-order=1", 2},
                  {"scheme=power extrapolation-order=1 fallback=pointwise", 0},
                  {"scheme=tlm", 2},
                  {"scheme=tlm wave-start=zero-wave", 1},
                  {"scheme=tlm delay=0.02", 0},
                  {"scheme=robin solver-nonlinear=iqn-ils", 2},
                  {"scheme=robin impedance=3", 0},
                  {"scheme=f3ornits", 0}};
    for (int k = 0; k < MS_COUNT(claims); k++) {
        const ms_options options = support_options(claims[k].options);
        const int order = ms_scheme_order_on(NULL, &options);
        if (order != claims[k].order)
            fail_msg("%s: order %d is claimed, it is %d", claims[k].options, order, claims[k].order);
    }
}

/* The line against an option that a family does not have names all of its own in full, or says that there are none. */
static void a_family_that_lacks_an_option_names_those_it_has(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "");
    for (int k = 0; ms_schemes[k] != NULL; k++) {
        const ms_scheme *scheme = ms_schemes[k];
        const ms_options options =
            support_options_of("scheme=%s %s", scheme->name,
                               ms_scheme_knows(scheme, MS_OPTION_SAMPLES) ? "alpha=0.5" : "samples=2");
        char line[1024], name[64];
        assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_INVALID);
        const char *has = strstr(line, "; it has ");
        if (has == NULL)
            fail_msg("%s", line);
        for (const ms_option_id *own = scheme->knows; *own != MS_OPTIONS; own++) {
            snprintf(name, sizeof name, " `%s`", ms_option_table[*own].name);
            support_says(has, name);
        }
        assert_true(scheme->knows[0] != MS_OPTIONS || strcmp(has, "; it has none of its own") == 0);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_of_the_options_is_in_the_table),
        cmocka_unit_test(lists_name_options_and_values_that_there_are),
        cmocka_unit_test(formula_and_limit_answer_for_these_schemes),
        cmocka_unit_test(the_next_value_of_each_option_is_refused),
        cmocka_unit_test(an_option_that_no_list_names_is_refused),
        cmocka_unit_test(a_scheme_or_micro_solver_that_no_list_names_is_refused),
        cmocka_unit_test(what_no_macro_step_depends_on_does_not_matter),
        cmocka_unit_test(every_value_is_modelled_or_refused),
        cmocka_unit_test(claims_know_the_start_and_the_micro_solver),
        cmocka_unit_test(a_family_that_lacks_an_option_names_those_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
