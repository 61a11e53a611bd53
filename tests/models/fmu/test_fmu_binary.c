/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_binary.c - binaries of FMUs, from decay_fmu.c: one that is not there, that is of another machine or lacks a function is refused in a line;
 * and what they start may outlive them. */
#include <math.h>
#include <poll.h>
#include <stdio.h>

#include "fmu.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

typedef support_decay recipe;

static int open_made(const recipe *r, ms_fmu_kind kind, ms_fmu **fmu, ms_error *error)
{
    char path[256];
    support_decay_fmu(r, path, sizeof path);
    const int status = ms_fmu_open(path, kind, NULL, fmu, error);
    remove(path);
    return status;
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
        {{.fmi = 2, .platform = "win64"},
         "it has no binary binaries/linux64/decay.so; it has binaries for: win64"},
        {{.fmi = 3, .platform = "linux64"},
         "no binary binaries/x86_64-linux/decay.so; it has binaries for: linux64"},
        {{.fmi = 2,
          .edit = {"CoSimulation modelIdentifier=\"decay\"", "CoSimulation modelIdentifier=\"other\""}},
         "no binary binaries/linux64/other.so; it has binaries for: linux64 (of another name: decay.so)"},
        {{.fmi = 2, .platform = "Linux64"}, "it has binaries for: Linux64"},
        {{.fmi = 2,
          .change =
              "printf '\\267\\0' | dd of=binaries/linux64/decay.so bs=1 seek=18 conv=notrunc status=none"},
         "its binary is for aarch64, and this program for "},
        {{.fmi = 3, .change = "echo text > binaries/x86_64-linux/decay.so"},
         "its binary is no shared object of Linux"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ms_fmu *fmu;
        ms_error error = {""};
        assert_int_equal(open_made(&wrong[k].recipe, MS_FMU_CO_SIMULATION, &fmu, &error), MS_UNSUPPORTED);
        assert_null(fmu);
        support_says(error.text, wrong[k].line);
    }
}

#define CLOCKED(cs, clock)                                                                                   \
    {                                                                                                        \
        .fmi = 3, .edit = {                                                                                  \
            "<CoSimulation ",                                                                                \
            "<CoSimulation " cs,                                                                             \
            "</ModelVariables>",                                                                             \
            "<Clock name=\"tick\" valueReference=\"90\" causality=\"input\" " clock "/></ModelVariables>"    \
        }                                                                                                    \
    }

/* Whoever calls the FMU would have to let them tick, at times that it says; without that nothing fails, and all is wrong. */
static void clocks_are_refused(void **state)
{
    static const recipe periodic = CLOCKED("", "intervalVariability=\"constant\" intervalDecimal=\"0.1\""),
                        events = CLOCKED("hasEventMode=\"true\" ", "intervalVariability=\"countdown\""),
                        triggered = CLOCKED("", "intervalVariability=\"triggered\"");
    static const struct {
        const recipe *recipe;
        ms_fmu_kind kind;
        bool refused;
    } trials[] = {{&periodic, MS_FMU_MODEL_EXCHANGE, true},   {&periodic, MS_FMU_CO_SIMULATION, false},
                  {&events, MS_FMU_CO_SIMULATION, true},      {&events, MS_FMU_MODEL_EXCHANGE, true},
                  {&triggered, MS_FMU_MODEL_EXCHANGE, false}, {&triggered, MS_FMU_CO_SIMULATION, false}};
    (void)state;
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        ms_fmu *fmu;
        ms_error error = {""};
        assert_int_equal(open_made(trials[k].recipe, trials[k].kind, &fmu, &error),
                         trials[k].refused ? MS_UNSUPPORTED : MS_OK);
        if (trials[k].refused)
            support_says(error.text, ": its clock tick is to be made to tick, and clocks are not supported");
        ms_fmu_close(&fmu);
    }
}

/* What it has started may run its code for ever. */
static void threads_may_outlive_it(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        static const char *const thread[] = {"-DTHREAD=OPENED", "-DTHREAD=STEPPED"};
        for (int k = 0; k < MS_COUNT(thread); k++) {
            double reached;
            static const ms_fmu_setup setup = {.instance_name = "fmu", .stop_time = INFINITY};
            ms_error error = {""};
            ms_fmu *fmu;
            ms_fmu_component *c;
            const recipe started = {.fmi = fmi, .define = thread[k]};
            assert_int_equal(open_made(&started, MS_FMU_CO_SIMULATION, &fmu, &error), MS_OK);
            assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, &error), MS_OK);
            assert_int_equal(ms_fmu_component_initialise(c, &(ms_fmu_values){0}, NULL), MS_OK);
            assert_int_equal(ms_fmu_step(c, 0.0, 0.5, true, &reached), MS_OK);
            ms_fmu_component_destroy(&c);
            ms_fmu_close(&fmu);
            poll(NULL, 0, 20); /* for the thread to go on */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(binaries_refused),
                                       cmocka_unit_test(clocks_are_refused),
                                       cmocka_unit_test(threads_may_outlive_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
