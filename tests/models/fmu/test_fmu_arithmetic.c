/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_arithmetic.c - an FMU that changes how the processor calculates, where it is opened, made, set, read or stepped, has
 * changed nothing for us. */
#define _GNU_SOURCE /* fegetexcept */

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmu.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

/* Rounding of doubles and of long doubles, numbers below the normal ones, and exceptions, as they are at the program's start. */
static void expect_untouched(void)
{
    volatile double one = 1.0, three = 3.0, least = DBL_MIN;
    volatile long double long_one = 1.0L, long_three = 3.0L;
    assert_int_equal(fegetexcept(), 0);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(one / three == 1.0 / 3.0);
    assert_true(least / three > 0.0);
    assert_true(long_one / long_three == 1.0L / 3.0L);
}

static void run(const char *define)
{
    static const unsigned u = 2, y = 3;
    static const ms_fmu_setup setup = {.instance_name = "fmu", .start_time = 0.75, .stop_time = INFINITY};
    const double zero = 0.0;
    char path[256];
    double value, reached;
    ms_fmu *fmu;
    ms_fmu_component *c;
    ms_error error = {""};
    support_decay_fmu(&(support_decay){.fmi = 2, .define = define}, path, sizeof path);
    assert_int_equal(ms_fmu_open(path, MS_FMU_CO_SIMULATION, NULL, &fmu, &error), MS_OK);
    expect_untouched();
    assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, &error), MS_OK);
    expect_untouched();
    assert_int_equal(ms_fmu_component_initialise(c, NULL, NULL), MS_OK);
    expect_untouched();
    for (double t = 0.75; t < 2.0; t += 0.5) {
        assert_int_equal(ms_fmu_set(c, 1, &u, &zero), MS_OK);
        expect_untouched();
        assert_int_equal(ms_fmu_step(c, t, 0.5, false, &reached), MS_OK);
        expect_untouched();
        assert_int_equal(ms_fmu_get(c, 1, &y, &value), MS_OK);
        expect_untouched();
    }
    ms_fmu_component_destroy(&c);
    expect_untouched();
    ms_fmu_close(&fmu);
    expect_untouched();
    remove(path);
}

static void what_fmus_change_is_as_it_was(void **state)
{
    static const char *const place[] = {"OPENED", "INSTANTIATED", "SET", "READ", "STEPPED", "FREED"};
    static const char *const change[] = {"fesetround(FE_UPWARD)", "feenableexcept(FE_DIVBYZERO|FE_INVALID)",
#ifdef __x86_64__
                                         "__builtin_ia32_ldmxcsr(0x9fc0)", /* small numbers are zero */
#endif
                                         "fesetenv(FE_NOMASK_ENV)"};
    (void)state;
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        char define[200];
        snprintf(define, sizeof define, "-D_GNU_SOURCE -include fenv.h -DCRASH=%s '-DBY=%s'", place[k],
                 change[k % (sizeof change / sizeof *change)]);
        run(define);
    }
    for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
        char define[200];
        snprintf(define, sizeof define, "-D_GNU_SOURCE -include fenv.h -DCRASH=STEPPED '-DBY=%s'", change[k]);
        run(define);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_fmus_change_is_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
