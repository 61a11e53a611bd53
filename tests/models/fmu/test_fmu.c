/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu.c - FMUs at hand, from decay_fmu.c, in both versions: values of all types, steps, states, model exchange; and faults, each
 * of which is one line or one status. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "fmu_description_read.h"
#include "made_component.h"
#include "support.h"
#include "unit_test.h"

enum { X, DX, U, Y, K, N, B, S, WAY };

/* Of a variable of any type that is a number. */
static double number_of(const ms_fmu *fmu, ms_fmu_component *c, int variable)
{
    const ms_fmu_variable *v = &ms_fmu_describe(fmu)->variables[variable];
    const ms_fmu_group group = {v->type, 1, 1, &v->value_reference, NULL};
    double number = NAN;
    assert_int_equal(ms_fmu_read(c, &(ms_fmu_values){1, &group}, &number), MS_OK);
    return number;
}

/* What works --------------------------------------------------------------------------------------------- */

static void steps_and_states(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double reached;
        ms_fmu_state saved = NULL;
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = support_start_component(fmu, 2.0);
        assert_int_equal(ms_fmu_step(c, 0.0, 0.5, true, &reached), MS_OK);
        assert_true(reached == 0.5 && support_value_of(c, Y) == 1.5); /* 1 + (2 - 1) / 2 */
        assert_int_equal(ms_fmu_save(c, &saved), MS_OK);
        assert_int_equal(ms_fmu_step(c, 0.5, 0.5, false, &reached), MS_OK);
        assert_true(support_value_of(c, Y) == 1.75);
        assert_int_equal(ms_fmu_restore(c, saved), MS_OK);
        assert_true(support_value_of(c, Y) == 1.5);
        ms_fmu_free_state(c, &saved);
        assert_null(saved);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

static void equations(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        const double x = 3.0;
        double dx, again;
        bool event, terminate;
        ms_fmu_events events;
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi}, MS_FMU_MODEL_EXCHANGE);
        ms_fmu_component *c = support_start_component(fmu, 2.0);
        assert_true(ms_fmu_component_events(c)->next_time == INFINITY);
        assert_int_equal(ms_fmu_set_time(c, 1.0), MS_OK);
        assert_int_equal(ms_fmu_set_states(c, 1, &x), MS_OK);
        assert_int_equal(ms_fmu_get_derivatives(c, 1, &dx), MS_OK);
        assert_int_equal(ms_fmu_get_states(c, 1, &again), MS_OK);
        assert_true(dx == -1.0 && again == 3.0);
        assert_int_equal(ms_fmu_completed_step(c, true, &event, &terminate), MS_OK);
        assert_true(!event && !terminate);
        assert_int_equal(ms_fmu_handle_events(c, NULL, NULL, &events), MS_OK);
        assert_true(!events.terminate && !events.states_changed && events.next_time == INFINITY);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

/* A step ends at an event, which has been handled then; the event at its end as well. */
static void events_of_co_simulation(void **state)
{
    static const unsigned u = U;
    const double zero = 0.0;
    (void)state;
    for (int declared = 0; declared < 2; declared++) {
        double reached = 0.0;
        ms_fmu_state saved = NULL;
        ms_fmu *fmu = support_open_fmu(
            &(support_decay){.fmi = 3, .define = "-DJUMPS", .flags = declared ? "hasEventMode=\"true\"" : ""},
            MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = support_start_component(fmu, 0.0);
        assert_int_equal(ms_fmu_step(c, 0.0, 0.5, false, &reached), MS_OK);
        assert_true(reached == (declared ? 0.25 : 0.5)); /* 1 - 1/4 + 1, or 1 - 1/2 */
        assert_true(support_value_of(c, Y) == (declared ? 1.75 : 0.5));
        assert_int_equal(ms_fmu_save(c, &saved), MS_OK);
        for (int again = 0; again < 2 && declared; again++) {
            assert_int_equal(ms_fmu_set(c, 1, &u, &zero), MS_OK);
            assert_int_equal(ms_fmu_step(c, 0.25, 0.25, false, &reached), MS_OK);
            assert_true(reached == 0.5 && support_value_of(c, Y) == 1.75 * 0.75 + 1.0);
            assert_int_equal(ms_fmu_restore(c, saved), MS_OK);
        }
        ms_fmu_free_state(c, &saved);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

/* It declares the mode, and refuses to be instantiated with it. */
static void a_mode_that_is_refused_is_none(void **state)
{
    (void)state;
    double reached = 0.0;
    ms_fmu *fmu = support_open_fmu(
        &(support_decay){.fmi = 3, .define = "-DREFUSES_MODE", .flags = "hasEventMode=\"true\""},
        MS_FMU_CO_SIMULATION);
    ms_fmu_component *c = support_start_component(fmu, 0.0);
    assert_string_equal(ms_fmu_component_said(c), "");
    assert_int_equal(ms_fmu_step(c, 0.0, 0.5, false, &reached), MS_OK);
    assert_true(reached == 0.5 && support_value_of(c, Y) == 0.5);
    ms_fmu_component_destroy(&c);
    ms_fmu_close(&fmu);
}

static void settings_of_all_types(void **state)
{
    static const int setting[] = {K, N, B, S, X};
    static const char *const value[] = {"2", "-7", "true", "soft", "0.25"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = support_create_component(fmu, &(ms_fmu_setup){.instance_name = "fmu",
                                                                            .stop_time = INFINITY,
                                                                            .n_settings = 5,
                                                                            .setting = setting,
                                                                            .value = value});
        assert_int_equal(ms_fmu_component_initialise(c, NULL, NULL), MS_OK);
        assert_true(support_value_of(c, DX) == -0.5);
        assert_true(number_of(fmu, c, N) == -7.0);
        assert_true(number_of(fmu, c, B) == 1.0);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

/* By name or by number; the FMU has one number for all of them. */
static void items_of_enumerations(void **state)
{
    static const struct {
        const char *value;
        double number;
    } way[] = {{"fast", 11.0}, {"slow", 2.0}, {"2", 2.0}};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        const int setting = ms_fmu_variable_index(ms_fmu_describe(fmu), "way");
        for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
            ms_fmu_component *c = support_create_component(fmu, &(ms_fmu_setup){.instance_name = "fmu",
                                                                                .n_settings = 1,
                                                                                .setting = &setting,
                                                                                .value = &way[k].value});
            assert_true(number_of(fmu, c, setting) == way[k].number);
            ms_fmu_component_destroy(&c);
        }
        ms_fmu_close(&fmu);
    }
}

/* What is refused ---------------------------------------------------------------------------------------- */

static void settings_refused(void **state)
{
    static const struct {
        int setting;
        const char *value, *line;
    } wrong[] = {
        {K, "-1", ": k: -1 is outside of its range [0, inf]"},
        {K, "soft", ": k: 'soft' is not a value of type Float64"},
        {N, "0.5", ": n: '0.5' is not a value of type Int"},
        {N, "1e300", ": n: '1e300' is not a value of type Int"},
        {B, "2", ": b: '2' is not a value of type Boolean"},
        {WAY, "fastest", ": way: 'fastest' is not a value of type Enumeration"},
        {S, "hard", ": s does not take hard: it is broken, 7"},
        {Y, "1",
         ": y cannot be set: it is continuous output (Float64); parameters, inputs and start values can"},
    };
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            ms_error error = {""};
            ms_fmu_component *c;
            const ms_fmu_setup setup = {.instance_name = "fmu",
                                        .n_settings = 1,
                                        .setting = &wrong[k].setting,
                                        .value = &wrong[k].value};
            assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, &error), MS_INVALID);
            assert_null(c);
            support_says(error.text, wrong[k].line);
        }
        ms_fmu_close(&fmu);
    }
}

static void tokens_refused(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_error error = {""};
        ms_fmu_component *c;
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi, .token = "wrong"}, MS_FMU_CO_SIMULATION);
        assert_int_equal(ms_fmu_component_create(fmu, &support_plain_setup, &c, &error), MS_SOLVER_FAILED);
        assert_non_null(strstr(error.text, ": it cannot be instantiated: the token is wrong, 7"));
        assert_null(strstr(error.text, "needsExecutionTool"));
        ms_fmu_close(&fmu);
    }
}

/* What has no name and no token is right by the schemas of both versions; whether it is the token is the binary's to say. */
static void empty_tokens_are_handed_on(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_error error = {""};
        ms_fmu_component *c;
        const support_decay empty = {
            .fmi = fmi, .token = "", .edit = {"modelName=\"decay\"", "modelName=\"\""}};
        ms_fmu *fmu = support_open_fmu(&empty, MS_FMU_CO_SIMULATION);
        assert_string_equal(ms_fmu_describe(fmu)->model_name, "");
        assert_int_equal(ms_fmu_component_create(fmu, &support_plain_setup, &c, &error), MS_SOLVER_FAILED);
        assert_non_null(strstr(error.text, "the token is wrong"));
        ms_fmu_close(&fmu);
    }
}

/* An FMU that needs a tool is tried, as the tool may be there; where it does not start this is what it may be. */
static void tools_may_be_there(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_error error = {""};
        support_decay needy = {.fmi = fmi, .flags = "needsExecutionTool=\"true\""};
        ms_fmu *fmu = support_open_fmu(&needy, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = support_start_component(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
        needy.token = "wrong";
        fmu = support_open_fmu(&needy, MS_FMU_CO_SIMULATION);
        assert_int_equal(ms_fmu_component_create(fmu, &support_plain_setup, &c, &error), MS_SOLVER_FAILED);
        assert_non_null(strstr(error.text, "7; it needs the tool that has made it (needsExecutionTool)"));
        ms_fmu_close(&fmu);
    }
}

/* What goes wrong later ---------------------------------------------------------------------------------- */

/* Discarded it goes on; after an error it is freed and nothing else, after a fatal one not even that. */
static void discard_error_fatal(void **state)
{
    static const char *const define[] = {"-DFAULT=DISCARD", "-DFAULT=ERROR", "-DFAULT=FATAL"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < 3; k++) {
            double reached, value;
            const unsigned y = Y;
            ms_fmu *fmu =
                support_open_fmu(&(support_decay){.fmi = fmi, .define = define[k]}, MS_FMU_CO_SIMULATION);
            ms_fmu_component *c = support_start_component(fmu, 0.0);
            assert_int_equal(ms_fmu_step(c, 0.0, 1.0, false, &reached), MS_OK);
            assert_int_equal(ms_fmu_step(c, 1.0, 1.0, false, &reached),
                             k == 0 ? MS_FMU_DISCARD : MS_SOLVER_FAILED);
            assert_true(reached == 1.0);
            assert_string_equal(ms_fmu_component_said(c), "it is broken, 7");
            assert_int_equal(ms_fmu_get(c, 1, &y, &value), k == 0 ? MS_OK : MS_SOLVER_FAILED);
            assert_int_equal(ms_fmu_step(c, 0.5, 0.1, false, &reached), k == 0 ? MS_OK : MS_SOLVER_FAILED);
            ms_fmu_component_destroy(&c);
            ms_fmu_close(&fmu);
        }
}

static void event_iterations_end(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu =
            support_open_fmu(&(support_decay){.fmi = fmi, .define = "-DENDLESS"}, MS_FMU_MODEL_EXCHANGE);
        ms_fmu_component *c = support_create_component(fmu, &support_plain_setup);
        assert_int_equal(ms_fmu_component_initialise(c, NULL, NULL), MS_SOLVER_FAILED);
        assert_string_equal(ms_fmu_component_said(c), "its event iteration does not end");
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

/* The logger of a component that is gone is called, and that of one of a binary that is being closed. */
static void loggers_outlive_components(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu =
            support_open_fmu(&(support_decay){.fmi = fmi, .define = "-DLATE"}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = support_start_component(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        c = support_start_component(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
        assert_null(fmu);
    }
}

/* The words are those of who was called. */
static void loggers_get_any_environment(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        static const char *const define[] = {"-D'ENVIRONMENT(own)=(void *)2'", "-D'ENVIRONMENT(own)=NULL'"};
        for (size_t k = 0; k < sizeof define / sizeof *define; k++) {
            ms_error error = {""};
            ms_fmu_component *c;
            const support_decay other = {.fmi = fmi, .define = define[k], .token = "wrong"};
            ms_fmu *fmu = support_open_fmu(&other, MS_FMU_CO_SIMULATION);
            assert_int_equal(ms_fmu_component_create(fmu, &support_plain_setup, &c, &error),
                             MS_SOLVER_FAILED);
            support_says(error.text, ": it cannot be instantiated: the token is wrong, 7");
            ms_fmu_close(&fmu);
        }
    }
}

/* In a process of its own --------------------------------------------------------------------------------- */

static int isolate(void **state)
{
    (void)state;
    support_fmu_use.isolate = true;
    return 0;
}

static int isolate_no_more(void **state)
{
    (void)state;
    support_fmu_use.isolate = false;
    return 0;
}

/* Two components at a time, twice. */
static void start_two(const support_decay *made)
{
    double reached;
    ms_fmu *fmu = support_open_fmu(made, MS_FMU_CO_SIMULATION);
    for (int k = 0; k < 2; k++) {
        ms_fmu_component *one = support_start_component(fmu, 0.0), *two = support_start_component(fmu, 2.0);
        assert_int_equal(ms_fmu_step(one, 0.0, 0.5, false, &reached), MS_OK);
        assert_int_equal(ms_fmu_step(two, 0.0, 0.5, false, &reached), MS_OK);
        assert_true(support_value_of(one, Y) == 0.5 && support_value_of(two, Y) == 1.5);
        ms_fmu_component_destroy(&one);
        ms_fmu_component_destroy(&two);
    }
    ms_fmu_close(&fmu);
}

/* Each component has a process of its own that ends with it, whether or not that is wanted: one FMU says that it needs it, and aborts
 * where its process has had another one before; the other does not say, and makes no second one. */
static void second_components(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        start_two(&(support_decay){
            .fmi = fmi, .define = "-DONE", .flags = "canBeInstantiatedOnlyOncePerProcess=\"true\""});
        start_two(&(support_decay){.fmi = fmi, .define = "-DLIMIT=1"});
    }
}

#define WHEREVER                                                                                             \
    cmocka_unit_test(steps_and_states), cmocka_unit_test(events_of_co_simulation),                           \
        cmocka_unit_test(a_mode_that_is_refused_is_none), cmocka_unit_test(equations),                       \
        cmocka_unit_test(settings_of_all_types), cmocka_unit_test(items_of_enumerations),                    \
        cmocka_unit_test(settings_refused),                                                                  \
                                                                                                             \
        cmocka_unit_test(tokens_refused), cmocka_unit_test(tools_may_be_there),                              \
        cmocka_unit_test(empty_tokens_are_handed_on), cmocka_unit_test(discard_error_fatal),                 \
        cmocka_unit_test(event_iterations_end), cmocka_unit_test(loggers_outlive_components),                \
        cmocka_unit_test(loggers_get_any_environment), cmocka_unit_test(second_components)

int main(void)
{
    const struct CMUnitTest here[] = {WHEREVER};
    const struct CMUnitTest isolated[] = {WHEREVER};
    const int failed = cmocka_run_group_tests(here, NULL, NULL);
    return failed + cmocka_run_group_tests(isolated, isolate, isolate_no_more);
}
