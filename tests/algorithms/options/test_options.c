/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_options.c - options of a run: defaults, every kind of bad value, options of other families,
 * capability masks. A refusal names the option, the value and what would be right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "nonlinear.h"
#include "support.h"
#include "unit_test.h"

enum { LINE = 512 };

/* Every word of a list "a|b|c" must stand in the line, which is one line. */
static void check_line(const char *what, const char *line, const char *words)
{
    char list[256];
    snprintf(list, sizeof list, "%s", words);
    for (char *word = list; word != NULL && *word != '\0';) {
        char *rest = strchr(word, '|');
        if (rest != NULL)
            *rest++ = '\0';
        support_says(line, word);
        word = rest;
    }
    if (line[0] == '\0' || strchr(line, '\n') != NULL)
        fail_msg("%s: not one line: %s", what, line);
}

static void defaults_are_those_of_the_contract(void **state)
{
    (void)state;
    ms_options o;
    ms_options_default(&o);
    assert_string_equal(o.scheme, "jacobi");
    assert_int_equal(o.extrapolation.order, 0);
    assert_string_equal(ms_option_choice(&o, MS_OPTION_OUTPUTS), "inconsistent");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_DERIVATIVES), "differences");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_SMOOTH_COUPLING), "none");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_START), "derivatives");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_INITIAL_INPUTS), "consistent");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_OUTPUT_DERIVATIVES), "exact");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_INPUT_CHANGE), "restart");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_ERROR_CONTROLLED), "none");
    assert_string_equal(ms_option_choice(&o, MS_OPTION_NORM), "max");
    assert_true(o.solver_rtol == 1e-10 && o.solver_atol == 1e-10);
    assert_int_equal(o.extrapolation.as_printed, 0);

    ms_system *linear = support_system("mass-spring-damper", ""),
              *nonlinear = support_system("double-pendulum", "");
    ms_cosim *cosim = support_cosim(linear, &o);
    assert_string_equal(cosim->options->solver, "exact");
    assert_true(cosim->variant.step_size == linear->step_size &&
                cosim->variant.stop_time == linear->stop_time);
    ms_cosim_destroy(&cosim);
    cosim = support_cosim(nonlinear, &o);
    assert_string_equal(cosim->options->solver, "automatic");
    ms_cosim_destroy(&cosim);
    const ms_options later = support_options("start-time=3");
    cosim = support_cosim(linear, &later);
    assert_true(cosim->variant.stop_time == 3.0 + linear->stop_time);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&linear);
    ms_system_destroy(&nonlinear);
}

static void shorthands_stand_for_what_they_say(void **state)
{
    (void)state;
    ms_options o = support_options("linear-correction smooth-coupling as-printed error-controlled");
    assert_int_equal(o.extrapolation.outputs, MS_OUTPUTS_CORRECTED);
    assert_int_equal(o.extrapolation.smooth_coupling, MS_SMOOTHING_C0);
    assert_int_equal(o.extrapolation.as_printed, MS_PRINTED_QUADRATIC | MS_PRINTED_SMOOTHING);
    assert_int_equal(o.control.error_controlled, MS_CONTROL_RICHARDSON);
    assert_true(o.given[MS_OPTION_OUTPUTS] && !o.given[MS_OPTION_RTOL]);
    o = support_options("as-printed=smoothing");
    assert_int_equal(o.extrapolation.as_printed, MS_PRINTED_SMOOTHING);
    o = support_options("as-printed=smoothing,quadratic");
    assert_int_equal(o.extrapolation.as_printed, MS_PRINTED_QUADRATIC | MS_PRINTED_SMOOTHING);
    o = support_options("outputs=consistent outputs=inconsistent"); /* the last counts */
    assert_int_equal(o.extrapolation.outputs, MS_OUTPUTS_INCONSISTENT);
}

/* Refused while they are set, and the option is left as it was. */
static void bad_values_are_refused_with_name_value_and_range(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *says;
    } bad[] = {{"extrapolation-order", "3", "`extrapolation-order`|3|[0, 2]"},
               {"extrapolation-order", "-1", "`extrapolation-order`|-1|[0, 2]"},
               {"extrapolation-order", "1.5", "`extrapolation-order`|1.5|whole"},
               {"extrapolation-order", "", "`extrapolation-order`"},
               {"extrapolation-order", NULL, "`extrapolation-order`|missing"},
               {"extrapolation-order", "one", "`extrapolation-order`|one|number"},
               {"extrapolation-order", "nan", "`extrapolation-order`|nan|number"},
               {"extrapolation-order", "1e400", "`extrapolation-order`|1e400"},
               {"micro-steps", "0", "`micro-steps`|0|[1, 1000000]"},
               {"derivatives", "exact", "`derivatives`|exact|differences or analytic"},
               {"derivatives", NULL, "`derivatives`|missing"},
               {"outputs", "Corrected", "`outputs`|Corrected|inconsistent, consistent or corrected"},
               {"outputs", "correct", "`outputs`|correct|corrected"},
               {"smooth-coupling", "c2", "`smooth-coupling`|c2|none, c0 or c1"},
               {"as-printed", "quadratic,cubic", "`as-printed`|quadratic,cubic|quadratic or smoothing"},
               {"as-printed", "quadratic,", "`as-printed`|quadratic or smoothing"},
               {"step-size", "0", "`step-size`|0|greater than 0"},
               {"step-size", "-0.1", "`step-size`|-0.1|greater than 0"},
               {"step-size", "0.1s", "`step-size`|0.1s|number"},
               {"rtol", "0", "`rtol`|0|(0, 1]"},
               {"rtol", "2", "`rtol`|2|(0, 1]"},
               {"atol", "-1e-6", "`atol`|-1e-6|greater than 0"},
               {"min-step", "-1", "`min-step`|-1|at least 0"},
               {"solver-atol", "0", "`solver-atol`|0|greater than 0"},
               {"stop-time", "soon", "`stop-time`|soon|number"},
               {"stop-time", "inf", "`stop-time`|inf|finite"},
               {"start-time", "-inf", "`start-time`|-inf|finite"},
               {"step-size", "inf", "`step-size`|inf|number"},
               {"solver-atol", "inf", "`solver-atol`|inf|number"},
               {"start", "cold", "`start`|cold|derivatives or hold"},
               {"linear-correction", "yes", "`linear-correction`|`outputs` corrected"},
               {"scheme", "", "`scheme`"},
               {"extrapolation-ordre", "1", "extrapolation-ordre|`extrapolation-order`"},
               {"", "1", "unknown option"}};
    for (int k = 0; k < MS_COUNT(bad); k++) {
        ms_options o, before;
        ms_error error = {""};
        ms_options_default(&o);
        before = o;
        const int status = ms_options_set(&o, bad[k].name, bad[k].value, &error);
        char what[128];
        snprintf(what, sizeof what, "--%s %s", bad[k].name, bad[k].value != NULL ? bad[k].value : "");
        if (status != MS_INVALID)
            fail_msg("%s is not refused", what);
        check_line(what, error.text, bad[k].says);
        assert_memory_equal(&o, &before, sizeof o);
        assert_int_equal(ms_options_set(&o, bad[k].name, bad[k].value, NULL),
                         MS_INVALID); /* the line is optional */
    }
}

typedef struct refusal {
    const char *options;
    int status;
    const char *says;
} refusal;

static void check_refusals(const char *model, const refusal *list, int n)
{
    ms_system *system = support_system(model, "");
    for (int k = 0; k < n; k++) {
        const ms_options o = support_options(list[k].options);
        char line[LINE];
        const int status = support_refusal(system, &o, line, sizeof line);
        if (status != list[k].status)
            fail_msg("%s %s: status %d instead of %d, %s", model, list[k].options, status, list[k].status,
                     line);
        if (status != MS_OK)
            check_line(list[k].options, line, list[k].says);
    }
    ms_system_destroy(&system);
}

static void what_does_not_fit_the_model_is_invalid(void **state)
{
    (void)state;
    static const refusal list[] = {
        {"scheme=jacobbi", MS_INVALID, "`scheme`|jacobbi|jacobi"},
        {"solver=exakt", MS_INVALID, "`solver`|exakt|exact"},
        {"sequence=left,right", MS_INVALID, "`sequence`|jacobi"},
        {"scheme=gauss-seidel sequence=left", MS_INVALID, "`sequence`|left|2"},
        {"scheme=gauss-seidel sequence=left,left", MS_INVALID, "`sequence`|left"},
        {"scheme=gauss-seidel sequence=left,middle", MS_INVALID, "`sequence`|middle|left"},
        {"scheme=gauss-seidel sequence=left,right,left", MS_INVALID, "`sequence`|left"},
        {"scheme=gauss-seidel sequence=,", MS_INVALID, "`sequence`"},
        {"stop-time=0", MS_INVALID, "`stop-time`|0"},
        {"stop-time=-1", MS_INVALID, "`stop-time`|-1"},
        {"step-size=11", MS_INVALID, "`step-size`|11|10"},
        {"step-size=1e-18", MS_INVALID, "`step-size`|1e-18"},
        {"start-time=1e9 stop-time=1000000001 step-size=1e-9", MS_INVALID, "`step-size`|1e-09"},
        {"error-controlled min-step=2 max-step=1", MS_INVALID, "`min-step`|2|1"},
        {"as-printed", MS_INVALID, "`as-printed`"},
        {"as-printed=quadratic extrapolation-order=1", MS_INVALID, "`as-printed`"},
        {"as-printed=smoothing smooth-coupling=c0 outputs=corrected", MS_INVALID,
         "`as-printed`|inconsistent"},
        {"as-printed=quadratic extrapolation-order=2 derivatives=analytic", MS_INVALID,
         "`as-printed`|differences"},
        {"input-change=correct-1", MS_UNSUPPORTED, "`input-change`|exact|cvode-bdf"},
        {"input-change=correct-2 solver=gsl-msadams", MS_UNSUPPORTED, "`input-change`|gsl-msadams|cvode-bdf"},
        {"input-change=correct-2 solver=cvode-adams", MS_OK, ""},
        {"step-size=10", MS_OK, ""},
        {"scheme=gauss-seidel sequence=right,left", MS_OK, ""}};
    check_refusals("mass-spring-damper", list, MS_COUNT(list));
}

static void masks_take_capabilities_away_with_the_reason(void **state)
{
    (void)state;
    static const refusal list[] = {
        {"mask=left:input-degree=0 extrapolation-order=1", MS_UNSUPPORTED,
         "left|degree 0|1|`extrapolation-order`"},
        {"mask=*:input-degree=0 smooth-coupling=c0", MS_UNSUPPORTED, "left|degree|`smooth-coupling`"},
        {"mask=right:input-degree=2 smooth-coupling=c1", MS_UNSUPPORTED, "right|2|3"},
        {"mask=right:input-degree=3 smooth-coupling=c1 extrapolation-order=2", MS_OK, ""},
        {"mask=*:input-degree=0", MS_OK, ""},
        {"mask=right:output-derivatives=0 extrapolation-order=1 derivatives=analytic", MS_UNSUPPORTED,
         "right|derivatives|0|1"},
        {"mask=right:output-derivatives=1 extrapolation-order=2 derivatives=analytic", MS_UNSUPPORTED,
         "right|1|2"},
        {"mask=right:output-derivatives=1 extrapolation-order=1 derivatives=analytic", MS_OK, ""},
        {"mask=right:output-derivatives=0 extrapolation-order=1 derivatives=analytic output-derivatives=mixed",
         MS_OK, ""},
        {"mask=right:output-derivatives=1 extrapolation-order=2 derivatives=analytic output-derivatives=mixed",
         MS_UNSUPPORTED, "right|needs 2"},
        {"mask=right:output-derivatives=0 extrapolation-order=2", MS_OK, ""},
        {"mask=*:output-derivatives=0 extrapolation-order=1 derivatives=analytic "
         "output-derivatives=differences",
         MS_OK, ""},
        {"mask=right:directional-derivatives outputs=corrected", MS_UNSUPPORTED,
         "right|directional|corrected"},
        {"mask=right:directional-derivatives outputs=consistent", MS_OK, ""},
        {"mask=left:reevaluate-outputs outputs=consistent", MS_UNSUPPORTED, "left|re-evaluate|consistent"},
        {"mask=left:reevaluate-outputs outputs=corrected", MS_OK, ""},
        {"mask=left:step=0.05", MS_UNSUPPORTED, "left|0.05|`step-size`"},
        {"mask=left:step=0.05 step-size=0.05", MS_OK, ""},
        {"mask=left:step=0.05 step-size=0.05 error-controlled", MS_UNSUPPORTED, "left|0.05"},
        {"mask=left:rollback", MS_OK, ""},
        {"mask=left:input-degree=0 mask=left:input-degree=4 extrapolation-order=1", MS_UNSUPPORTED, "left"},
        {"mask=left", MS_INVALID, "`mask`|left|SUBSYSTEM:CAPABILITY"},
        {"mask=middle:rollback", MS_INVALID, "`mask`|middle|left"},
        {"mask=left:rollbak", MS_INVALID, "`mask`|rollbak|rollback"},
        {"mask=left:rollbak=1", MS_INVALID, "`mask`|rollbak|rollback"},
        {"mask=left:rollback=1", MS_INVALID, "`mask`|rollback|value"},
        {"mask=left:input-degree", MS_INVALID, "`mask`|input-degree|[0, 4]"},
        {"mask=left:input-degree=5", MS_INVALID, "`mask`|input-degree=5|[0, 4]"},
        {"mask=left:input-degree=1.5", MS_INVALID, "`mask`|input-degree=1.5|[0, 4]"},
        {"mask=left:output-derivatives=-1", MS_INVALID, "`mask`|[0, 2]"},
        {"mask=left:step=0", MS_INVALID, "`mask`|step=0"},
        {"mask=left:step=nan", MS_INVALID, "`mask`|step=nan"}};
    check_refusals("mass-spring-damper", list, MS_COUNT(list));
}

static void nonlinear_models_refuse_what_needs_matrices(void **state)
{
    (void)state;
    static const refusal list[] = {
        {"solver=exact", MS_UNSUPPORTED, "exact|linear|top"},
        {"extrapolation-order=2 derivatives=analytic", MS_UNSUPPORTED, "top|derivatives"},
        {"extrapolation-order=1 derivatives=analytic outputs=corrected", MS_OK, ""},
        {"extrapolation-order=2", MS_OK, ""}};
    check_refusals("double-pendulum", list, MS_COUNT(list));
}

static void a_singular_loop_is_refused_as_such(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "d1=2 d2=0.5");
    const ms_options o = support_options("");
    char line[LINE];
    assert_true(support_refusal(system, &o, line, sizeof line) < 0);
    check_line("d1 d2 = 1", line, "det(I - D L)|linear-pair");
    ms_system_destroy(&system);
}

static void masks_have_an_end(void **state)
{
    (void)state;
    ms_options o;
    ms_error error = {""};
    char longest[128];
    ms_options_default(&o);
    memset(longest, 'x', sizeof longest);
    longest[64] = '\0';
    assert_int_equal(ms_options_set(&o, "mask", longest, &error), MS_INVALID);
    longest[63] = '\0';
    assert_int_equal(ms_options_set(&o, "mask", longest, &error), MS_OK);
    for (int k = 1; k < MS_MASKS_MAX; k++)
        assert_int_equal(ms_options_set(&o, "mask", "*:rollback", &error), MS_OK);
    assert_int_equal(ms_options_set(&o, "mask", "*:rollback", &error), MS_INVALID);
    check_line("`mask`", error.text, "`mask`|64");
    assert_int_equal(o.n_masks, MS_MASKS_MAX);
}

/* A table of options over another structure, as the commands have one. */
static void other_structures_are_read_by_the_same_table(void **state)
{
    (void)state;
    struct other {
        double tolerance;
        bool quiet;
        const char *path;
    } values = {0};
    const ms_option tolerance = {"tolerance", MS_KIND_REAL,         .min = 0,
                                 .max = 1,    .min_excluded = true, .max_excluded = true},
                    quiet = {"quiet", MS_KIND_FLAG, .offset = offsetof(struct other, quiet)},
                    path = {"path", MS_KIND_TEXT, .summary = "of a file"};
    ms_error error;
    assert_int_equal(ms_option_read(&tolerance, "0.5", &values, &error), MS_OK);
    assert_true(values.tolerance == 0.5);
    static const char *const wrong[] = {"0", "1", "1e400", "nan", "0.5x", "0x0.8p0", "", " "};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(ms_option_read(&tolerance, wrong[k], &values, &error), MS_INVALID);
        assert_non_null(strstr(error.text, "must be a finite number in (0, 1)"));
        assert_true(values.tolerance == 0.5);
    }
    assert_int_equal(ms_option_read(&quiet, "yes", &values, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "`quiet`: takes no value"));
    assert_false(values.quiet);
    assert_int_equal(ms_option_read(&quiet, NULL, &values, &error), MS_OK);
    assert_true(values.quiet);
    assert_int_equal(ms_option_read(&path, "a", &values, &error), MS_OK); /* its owner keeps it */
    assert_null(values.path);
}

/* What is left open comes from the case; an end that was given is no length. */
static void times_are_resolved_from_the_case(void **state)
{
    (void)state;
    ms_options o;
    ms_error error;
    ms_options_default(&o);
    o.start_time = 2.0;
    ms_options_resolve_times(&o, 0.25, 10.0);
    assert_true(o.step_size == 0.25 && o.stop_time == 12.0);
    assert_true(o.max_steps == 1000.0 * 40.0);
    o.start_time = 0.1; /* 0.1 + 1 - 0.1 is no 1 */
    assert_true(ms_options_length(&o, 1.0) == 1.0 && ms_options_stop_time(&o, 1.0) == 1.1);
    o.start_time = 2.0;
    assert_int_equal(ms_options_set(&o, "stop-time", "0", &error), MS_OK);
    ms_options_resolve_times(&o, 0.5, 10.0);
    assert_true(o.step_size == 0.25 && o.stop_time == 0.0 && ms_options_length(&o, 10.0) == -2.0);
    assert_int_equal(ms_options_set(&o, "max-steps", "7", &error), MS_OK);
    ms_options_resolve_times(&o, 0.5, 10.0);
    assert_true(o.max_steps == 7.0);
}

/* A run and those who only say what it would be fill in the same. */
static void what_is_left_open_is_filled_in_once(void **state)
{
    static const struct {
        const char *model, *options, *solver;
    } cases[] = {
        {"mass-spring-damper", "scheme=jacobi start-time=1", "exact"},
        {"spring-mass", "scheme=power extrapolation-order=0", "automatic"}, /* laws are no polynomials */
        {"double-pendulum", "scheme=jacobi", "automatic"},
        {"mass-spring-damper", "scheme=jacobi solver=rk4 step-size=0.25 stop-time=2", "rk4"}};
    (void)state;
    for (int k = 0; k < MS_COUNT(cases); k++) {
        ms_system *system = support_system(cases[k].model, "");
        ms_options o = support_options(cases[k].options);
        const ms_scheme *scheme = ms_scheme_find(o.scheme);
        ms_cosim *cosim = support_cosim(system, &o);
        assert_string_equal(ms_cosim_solver(system, scheme, &o), cases[k].solver);
        ms_cosim_resolve(system, scheme, &o);
        const ms_options *run = cosim->options;
        assert_string_equal(o.solver, cases[k].solver);
        assert_string_equal(run->solver, cases[k].solver);
        assert_true(o.step_size == (o.given[MS_OPTION_STEP_SIZE] ? 0.25 : system->step_size));
        assert_true(o.stop_time == (o.given[MS_OPTION_STOP_TIME] ? 2.0 : o.start_time + system->stop_time));
        assert_true(o.step_size == run->step_size && o.stop_time == run->stop_time &&
                    o.max_steps == run->max_steps);
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&system);
    }
}

/* A method that is registered can be asked for, by its name and no other. */
static void nonlinear_methods_are_the_choices(void **state)
{
    (void)state;
    const ms_option *option = &ms_option_table[MS_OPTION_SOLVER_NONLINEAR];
    int distinct = 0;
    for (const ms_nonlinear_method *const *m = ms_nonlinear_methods; *m != NULL; m++) {
        ms_options o;
        ms_options_default(&o);
        assert_int_equal(ms_options_set(&o, option->name, (*m)->name, NULL), MS_OK);
        assert_string_equal(ms_option_choice(&o, MS_OPTION_SOLVER_NONLINEAR), (*m)->name);
        assert_int_equal(o.iteration.solver_nonlinear, ms_nonlinear_index((*m)->name));
        distinct += strcmp((*m)->backend, "native") == 0;
    }
    assert_non_null(ms_option_choice_at(option, distinct - 1));
    assert_null(ms_option_choice_at(option, distinct));
    assert_int_equal(ms_nonlinear_index("newton"), -1);
}

static const char *summary(ms_option_id option)
{
    return ms_option_table[option].summary;
}

/* A method's own value of an option is the common one, or stands behind its name: "iqn-ils, iqn-imvj: 0.1". */
static void check_own_value(ms_option_id option, const char *method, double own, double common)
{
    char value[32];
    const char *defaults = strrchr(summary(option), '('), *name = strstr(defaults, method);
    snprintf(value, sizeof value, "%s: %g", method, own);
    if (own != common && (name == NULL || strstr(name, strchr(value, ':')) == NULL))
        fail_msg("%s of %s is %g: %s", ms_option_table[option].name, method, own, summary(option));
    if (own == common && name != NULL)
        fail_msg("%s of %s is nothing special: %s", ms_option_table[option].name, method, summary(option));
}

/* What help says of methods and solvers is what their tables have. */
static void summaries_name_what_the_tables_have(void **state)
{
    (void)state;
    ms_options usual;
    ms_options_default(&usual);
    for (int k = 0; ms_nonlinear_methods[k] != NULL; k++) {
        const ms_nonlinear_method *m = ms_nonlinear_methods[k];
        if ((m->takes & MS_TAKES_RELAXATION) != 0)
            check_own_value(MS_OPTION_RELAXATION, m->name, m->relaxation, usual.iteration.relaxation);
        if ((m->takes & MS_TAKES_REUSE) != 0)
            check_own_value(MS_OPTION_REUSE, m->name, m->reuse, usual.iteration.reuse);
        if ((m->takes & MS_TAKES_MAX_COLUMNS) != 0)
            check_own_value(MS_OPTION_MAX_COLUMNS, m->name, m->max_columns, usual.iteration.max_columns);
    }
    for (int k = 0; ms_solvers[k] != NULL; k++)
        if (ms_solvers[k]->corrects != (strstr(summary(MS_OPTION_INPUT_CHANGE), ms_solvers[k]->name) != NULL))
            fail_msg("%s: %s", ms_solvers[k]->name, summary(MS_OPTION_INPUT_CHANGE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nonlinear_methods_are_the_choices),
                                       cmocka_unit_test(defaults_are_those_of_the_contract),
                                       cmocka_unit_test(shorthands_stand_for_what_they_say),
                                       cmocka_unit_test(bad_values_are_refused_with_name_value_and_range),
                                       cmocka_unit_test(what_does_not_fit_the_model_is_invalid),
                                       cmocka_unit_test(masks_take_capabilities_away_with_the_reason),
                                       cmocka_unit_test(nonlinear_models_refuse_what_needs_matrices),
                                       cmocka_unit_test(a_singular_loop_is_refused_as_such),
                                       cmocka_unit_test(masks_have_an_end),
                                       cmocka_unit_test(other_structures_are_read_by_the_same_table),
                                       cmocka_unit_test(times_are_resolved_from_the_case),
                                       cmocka_unit_test(what_is_left_open_is_filled_in_once),
                                       cmocka_unit_test(summaries_name_what_the_tables_have)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
