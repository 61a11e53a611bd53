/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_crashes.c - isolated FMUs, from decay_fmu.c, that end their process: an error of the call that they were in. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "made_component.h"
#include "unit_test.h"

/* A component that has begun at 0.75 s, and did a step of half a second; what may crash from 1 s on has not been called. */
static ms_fmu_component *start_late(const ms_fmu *fmu)
{
    static const unsigned reference = SUPPORT_DECAY_U;
    const double u = 0.0;
    double reached;
    ms_fmu_setup late = support_plain_setup;
    late.start_time = 0.75;
    ms_fmu_component *c = support_create_component(fmu, &late);
    assert_int_equal(ms_fmu_component_initialise(
                         c, &(ms_fmu_values){1, &(ms_fmu_group){MS_FMU_FLOAT64, 1, 1, &reference, NULL}}, &u),
                     MS_OK);
    assert_int_equal(ms_fmu_step(c, 0.75, 0.5, false, &reached), MS_OK);
    return c;
}

static void expect_lost(ms_fmu_component *c, int status, const char *words)
{
    double value;
    const unsigned y = SUPPORT_DECAY_Y;
    assert_int_equal(status, MS_SOLVER_FAILED);
    assert_true(ms_fmu_component_is_lost(c));
    if (strstr(ms_fmu_component_said(c), words) == NULL)
        fail_msg("%s", ms_fmu_component_said(c));
    assert_int_equal(ms_fmu_get(c, 1, &y, &value), MS_SOLVER_FAILED); /* and this process is here */
}

/* A crash is an error of the call that it was in, and the next component works. What is set is not waited for. */
static void crashes_are_errors(void **state)
{
    static const struct {
        const char *define, *words;
    } crash[] = {
        {"-DCRASH=STEPPED '-DBY=raise(SIGSEGV)'", "ended by signal 11 (SIGSEGV) while it did a step"},
        {"-DCRASH=STEPPED '-DBY=abort()'", "ended by signal 6 (SIGABRT) while it did a step"},
        {"-DCRASH=STEPPED '-DBY=*(volatile int *)0=0'", "(SIGSEGV) while it did a step"},
        {"-DCRASH=STEPPED '-DBY=exit(3)'", "has ended its process, with exit status 3, while it did a step"},
        {"-DCRASH=STEPPED '-DBY=_exit(0)'", "has ended its process, with exit status 0, while it did a step"},
        {"-DCRASH=SET '-DBY=raise(SIGFPE)'", "ended by signal 8 (SIGFPE) while variables were set"},
    };
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (size_t k = 0; k < sizeof crash / sizeof *crash; k++) {
            static const unsigned u = SUPPORT_DECAY_U;
            const double zero = 0.0;
            double reached = 1.25;
            ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi, .define = crash[k].define},
                                           MS_FMU_CO_SIMULATION);
            for (int again = 0; again < 2; again++) {
                ms_fmu_component *other = support_start_component(fmu, 2.0), *c = start_late(fmu);
                int status = ms_fmu_set(c, 1, &u, &zero);
                if (status == MS_OK)
                    status = ms_fmu_step(c, 1.25, 0.5, false, &reached);
                expect_lost(c, status, crash[k].words);
                assert_true(reached == 1.25);
                ms_fmu_component_destroy(&c);
                assert_int_equal(ms_fmu_step(other, 0.0, 0.5, false, &reached), MS_OK);
                assert_true(support_value_of(other, SUPPORT_DECAY_Y) == 1.5);
                ms_fmu_component_destroy(&other);
            }
            ms_fmu_close(&fmu);
        }
}

static void crashes_at_the_start_are_lines(void **state)
{
    static const char *const define[] = {"-DCRASH=OPENED '-DBY=raise(SIGBUS)'",
                                         "-DCRASH=INSTANTIATED '-DBY=raise(SIGILL)'"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_error error = {""};
        ms_fmu *fmu;
        ms_fmu_component *c;
        assert_int_equal(support_open_made(&(support_decay){.fmi = fmi, .define = define[0]},
                                           MS_FMU_MODEL_EXCHANGE, &fmu, &error),
                         MS_SOLVER_FAILED);
        assert_non_null(strstr(error.text, "ended by signal 7 (SIGBUS) while its binary was opened"));
        fmu = support_open_fmu(&(support_decay){.fmi = fmi, .define = define[1]}, MS_FMU_MODEL_EXCHANGE);
        assert_int_equal(ms_fmu_component_create(fmu, &support_plain_setup, &c, &error), MS_SOLVER_FAILED);
        assert_non_null(
            strstr(error.text, "cannot be instantiated: its process was ended by signal 4 (SIGILL)"));
        ms_fmu_close(&fmu);
    }
}

/* Nobody is left who could be waited for. */
static void nobody_stays(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu *fmu = support_open_fmu(&(support_decay){.fmi = fmi, .define = "-DCRASH=FREED '-DBY=abort()'"},
                                       MS_FMU_CO_SIMULATION);
        ms_fmu_component *one = support_start_component(fmu, 0.0), *two = support_start_component(fmu, 0.0);
        ms_fmu_component_destroy(&one);
        ms_fmu_component_destroy(&two);
        ms_fmu_close(&fmu);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
    }
}

static int isolate(void **state)
{
    (void)state;
    support_fmu_use.isolate = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crashes_are_errors),
                                       cmocka_unit_test(crashes_at_the_start_are_lines),
                                       cmocka_unit_test(nobody_stays)};
    return cmocka_run_group_tests(tests, isolate, NULL);
}
