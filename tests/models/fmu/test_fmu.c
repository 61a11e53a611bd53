/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu.c - FMUs at hand, from fmu_source.c, in both versions: values of all types, steps, states, model exchange; and faults, each
 * of which is one line or one status. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fmu.h"
#include "fmu_archive.h"
#include "support.h"

enum { X, DX, U, Y, K, N, B, S };

/* Making one --------------------------------------------------------------------------------------------- */

static const char two[] =
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"decay\" guid=\"%s\" numberOfEventIndicators=\"0\">\n"
    "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" %s/>\n"
    "<CoSimulation modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" %s/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name=\"x\" valueReference=\"0\" causality=\"local\" initial=\"exact\"><Real "
    "start=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"der(x)\" valueReference=\"1\" causality=\"local\"><Real "
    "derivative=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"u\" valueReference=\"2\" causality=\"input\"><Real "
    "start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\"><Real/></ScalarVariable>\n"
    "<ScalarVariable name=\"k\" valueReference=\"4\" causality=\"parameter\" variability=\"fixed\"><Real "
    "start=\"1\" "
    "min=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"n\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\"><Integer "
    "start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"b\" valueReference=\"6\" causality=\"parameter\" variability=\"fixed\"><Boolean "
    "start=\"false\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"s\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\"><String "
    "start=\"\"/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index=\"4\"/></Outputs><Derivatives><Unknown "
    "index=\"2\"/></Derivatives></ModelStructure>\n"
    "</fmiModelDescription>\n";

static const char three[] =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"decay\" instantiationToken=\"%s\">\n"
    "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUState=\"true\" %s/>\n"
    "<CoSimulation modelIdentifier=\"decay\" canGetAndSetFMUState=\"true\" %s/>\n"
    "<ModelVariables>\n"
    "<Float64 name=\"x\" valueReference=\"0\" causality=\"local\" initial=\"exact\" start=\"1\"/>\n"
    "<Float64 name=\"der(x)\" valueReference=\"1\" causality=\"local\" derivative=\"0\"/>\n"
    "<Float64 name=\"u\" valueReference=\"2\" causality=\"input\" start=\"0\"/>\n"
    "<Float64 name=\"y\" valueReference=\"3\" causality=\"output\"/>\n"
    "<Float64 name=\"k\" valueReference=\"4\" causality=\"parameter\" variability=\"fixed\" start=\"1\" "
    "min=\"0\"/>\n"
    "<Int64 name=\"n\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\" start=\"0\"/>\n"
    "<Boolean name=\"b\" valueReference=\"6\" causality=\"parameter\" variability=\"fixed\" "
    "start=\"false\"/>\n"
    "<String name=\"s\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\"><Start "
    "value=\"\"/></String>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Output valueReference=\"3\"/><ContinuousStateDerivative "
    "valueReference=\"1\"/></ModelStructure>\n"
    "</fmiModelDescription>\n";

/* How it is made: the version, what is defined for the compiler, more flags, the token of the description. */
typedef struct recipe {
    int fmi;
    const char *define, *flags, *token;
    const char *platform; /* the folder of the binary; NULL: of this one */
} recipe;

static void run(const char *format, ...)
{
    char command[2000];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    assert_int_equal(system(command), 0);
}

/* Writes `path`, the name of a file that is there. */
static void make_fmu(const recipe *r, const char *path)
{
    char folder[256], name[600];
    const char *compiler = getenv("CC"), *slash = strrchr(__FILE__, '/');
    const char *flags = r->flags != NULL ? r->flags : "", *token = r->token != NULL ? r->token : "right";
    const char *platform = r->platform != NULL ? r->platform : r->fmi == 2 ? "linux64" : "x86_64-linux";
    ms_error error = {""};
    support_temporary(folder, sizeof folder);
    assert_non_null(mkdtemp(folder));
    run("mkdir -p %s/binaries/%s && %s -std=c11 -shared -fPIC -w -DFMI=%d %s %.*s/fmu_source.c -o "
        "%s/binaries/%s/decay.so",
        folder, platform, compiler != NULL && compiler[0] != '\0' ? compiler : "cc", r->fmi,
        r->define != NULL ? r->define : "", (int)(slash - __FILE__), __FILE__, folder, platform);
    snprintf(name, sizeof name, "%s/modelDescription.xml", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    if (r->fmi == 2)
        fprintf(file, two, token, flags, flags);
    else
        fprintf(file, three, token, flags, flags);
    fclose(file);
    if (ms_fmu_archive_write(folder, path, &error) != MS_OK)
        fail_msg("%s", error.text);
    run("rm -r %s", folder);
}

static int open_made(const recipe *r, ms_fmu_kind kind, ms_fmu **fmu, ms_error *error)
{
    char path[256];
    support_temporary(path, sizeof path);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    make_fmu(r, path);
    const int status = ms_fmu_open(path, kind, fmu, error);
    remove(path);
    return status;
}

static ms_fmu *open_fmu(const recipe *r, ms_fmu_kind kind)
{
    ms_fmu *fmu;
    ms_error error = {""};
    if (open_made(r, kind, &fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    return fmu;
}

static const ms_fmu_setup plain = {.instance_name = "fmu", .stop_time = INFINITY};

static ms_fmu_component *create(const ms_fmu *fmu, const ms_fmu_setup *setup)
{
    ms_fmu_component *c;
    ms_error error = {""};
    if (ms_fmu_component_create(fmu, setup, &c, &error) != MS_OK)
        fail_msg("%s", error.text);
    return c;
}

static ms_fmu_component *start(const ms_fmu *fmu, double u)
{
    static const unsigned reference = U;
    ms_fmu_component *c = create(fmu, &plain);
    assert_int_equal(ms_fmu_component_initialise(c, 1, &reference, &u), MS_OK);
    return c;
}

static double value_of(ms_fmu_component *c, unsigned reference)
{
    double value = NAN;
    assert_int_equal(ms_fmu_get(c, 1, &reference, &value), MS_OK);
    return value;
}

/* What works --------------------------------------------------------------------------------------------- */

static void steps_and_states(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double reached;
        ms_fmu_state saved = NULL;
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = start(fmu, 2.0);
        assert_int_equal(ms_fmu_step(c, 0.0, 0.5, true, &reached), MS_OK);
        assert_true(reached == 0.5 && value_of(c, Y) == 1.5); /* 1 + (2 - 1) / 2 */
        assert_int_equal(ms_fmu_save(c, &saved), MS_OK);
        assert_int_equal(ms_fmu_step(c, 0.5, 0.5, false, &reached), MS_OK);
        assert_true(value_of(c, Y) == 1.75);
        assert_int_equal(ms_fmu_restore(c, saved), MS_OK);
        assert_true(value_of(c, Y) == 1.5);
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
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi}, MS_FMU_MODEL_EXCHANGE);
        ms_fmu_component *c = start(fmu, 2.0);
        assert_true(ms_fmu_component_events(c)->next_time == INFINITY);
        assert_int_equal(ms_fmu_set_time(c, 1.0), MS_OK);
        assert_int_equal(ms_fmu_set_states(c, 1, &x), MS_OK);
        assert_int_equal(ms_fmu_get_derivatives(c, 1, &dx), MS_OK);
        assert_int_equal(ms_fmu_get_states(c, 1, &again), MS_OK);
        assert_true(dx == -1.0 && again == 3.0);
        assert_int_equal(ms_fmu_completed_step(c, true, &event, &terminate), MS_OK);
        assert_true(!event && !terminate);
        assert_int_equal(ms_fmu_handle_events(c, &events), MS_OK);
        assert_true(!events.terminate && !events.states_changed && events.next_time == INFINITY);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
}

static void settings_of_all_types(void **state)
{
    static const int setting[] = {K, N, B, S, X};
    static const char *const value[] = {"2", "-7", "true", "soft", "0.25"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double number;
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = create(fmu, &(ms_fmu_setup){.instance_name = "fmu",
                                                          .stop_time = INFINITY,
                                                          .n_settings = 5,
                                                          .setting = setting,
                                                          .value = value});
        assert_int_equal(ms_fmu_component_initialise(c, 0, NULL, NULL), MS_OK);
        assert_true(value_of(c, DX) == -0.5);
        assert_int_equal(ms_fmu_get_number(c, N, &number), MS_OK);
        assert_true(number == -7.0);
        assert_int_equal(ms_fmu_get_number(c, B, &number), MS_OK);
        assert_true(number == 1.0);
        assert_int_equal(ms_fmu_get_number(c, S, &number), MS_FMU_DISCARD);
        ms_fmu_component_destroy(&c);
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
        {S, "hard", ": s does not take hard: it is broken, 7"},
        {Y, "1",
         ": y cannot be set: it is continuous output (Float64); parameters, inputs and start values can"},
    };
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi}, MS_FMU_CO_SIMULATION);
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            ms_error error = {""};
            ms_fmu_component *c;
            const ms_fmu_setup setup = {.instance_name = "fmu",
                                        .n_settings = 1,
                                        .setting = &wrong[k].setting,
                                        .value = &wrong[k].value};
            assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, &error), MS_INVALID);
            assert_null(c);
            if (strstr(error.text, wrong[k].line) == NULL)
                fail_msg("%s", error.text);
        }
        ms_fmu_close(&fmu);
    }
}

static void binaries_refused(void **state)
{
    static const struct {
        recipe recipe;
        const char *line;
    } wrong[] = {
        {{.fmi = 2, .define = "-DMISSING"}, "has no function fmi2GetFMUstate, which its flags promise"},
        {{.fmi = 3, .define = "-DMISSING"}, "has no function fmi3GetFMUState, which its flags promise"},
        {{.fmi = 2, .flags = "providesDirectionalDerivative=\"true\""},
         "no function fmi2GetDirectionalDerivative"},
        {{.fmi = 3, .flags = "needsExecutionTool=\"true\""}, "it needs the tool that has made it"},
        {{.fmi = 2, .platform = "win64"},
         "it has no binary binaries/linux64/decay.so; it has binaries for: win64"},
        {{.fmi = 3, .platform = "linux64"},
         "no binary binaries/x86_64-linux/decay.so; it has binaries for: linux64"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ms_fmu *fmu;
        ms_error error = {""};
        assert_int_equal(open_made(&wrong[k].recipe, MS_FMU_CO_SIMULATION, &fmu, &error), MS_UNSUPPORTED);
        assert_null(fmu);
        if (strstr(error.text, wrong[k].line) == NULL)
            fail_msg("%s", error.text);
    }
}

static void tokens_and_second_components_refused(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_error error = {""};
        ms_fmu_component *c, *first;
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi, .token = "wrong"}, MS_FMU_CO_SIMULATION);
        assert_int_equal(ms_fmu_component_create(fmu, &plain, &c, &error), MS_SOLVER_FAILED);
        assert_non_null(strstr(error.text, ": it cannot be instantiated: the token is wrong, 7"));
        ms_fmu_close(&fmu);
        const recipe once = {.fmi = fmi, .flags = "canBeInstantiatedOnlyOncePerProcess=\"true\""};
        fmu = open_fmu(&once, MS_FMU_CO_SIMULATION);
        ms_fmu *other = open_fmu(&once, MS_FMU_CO_SIMULATION);
        first = create(fmu, &plain);
        assert_int_equal(ms_fmu_component_create(fmu, &plain, &c, &error), MS_INVALID);
        assert_non_null(strstr(error.text, "canBeInstantiatedOnlyOncePerProcess"));
        assert_int_equal(ms_fmu_component_create(other, &plain, &c, &error), MS_INVALID); /* the same one */
        ms_fmu_component_destroy(&first);
        c = create(other, &plain);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&other);
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
            ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi, .define = define[k]}, MS_FMU_CO_SIMULATION);
            ms_fmu_component *c = start(fmu, 0.0);
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
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi, .define = "-DENDLESS"}, MS_FMU_MODEL_EXCHANGE);
        ms_fmu_component *c = create(fmu, &plain);
        assert_int_equal(ms_fmu_component_initialise(c, 0, NULL, NULL), MS_SOLVER_FAILED);
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
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi, .define = "-DLATE"}, MS_FMU_CO_SIMULATION);
        ms_fmu_component *c = start(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        c = start(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
        assert_null(fmu);
    }
}

static void banners_stay_out_of_standard_output(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        char path[256], text[100] = "";
        support_temporary_file("", path, sizeof path);
        ms_fmu *fmu = open_fmu(&(recipe){.fmi = fmi, .define = "-DBANNER"}, MS_FMU_CO_SIMULATION);
        fflush(stdout);
        const int own = dup(STDOUT_FILENO);
        assert_non_null(freopen(path, "w", stdout));
        printf("before ");
        ms_fmu_component *c = start(fmu, 0.0);
        ms_fmu_component_destroy(&c);
        printf("behind");
        fflush(stdout);
        dup2(own, STDOUT_FILENO);
        close(own);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(text, sizeof text, file));
        fclose(file);
        remove(path);
        assert_string_equal(text, "before behind");
        ms_fmu_close(&fmu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_states),           cmocka_unit_test(equations),
        cmocka_unit_test(settings_of_all_types),      cmocka_unit_test(settings_refused),
        cmocka_unit_test(binaries_refused),           cmocka_unit_test(tokens_and_second_components_refused),
        cmocka_unit_test(discard_error_fatal),        cmocka_unit_test(event_iterations_end),
        cmocka_unit_test(loggers_outlive_components), cmocka_unit_test(banners_stay_out_of_standard_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
