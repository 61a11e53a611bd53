/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_preset.c - masters of other tools as presets: one is its options, to the bit, leaves nothing behind, and is not taken apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include "integers.h"
#include "preset.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 60, STEPS = 24, MOST = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* A preset is its options -------------------------------------------------------------------------------- */

/* A run, or the line of why there is none: a scheme that does not fit, or a step control. */
typedef struct outcome {
    int status;
    ms_run_result result;
    ms_error error;
    double x[MOST], y[MOST];
} outcome;

static outcome outcome_of(const ms_system *system, const ms_options *options)
{
    outcome o = {.status = MS_OK};
    ms_cosim *cosim;
    o.status = ms_cosim_of_options(system, options, &cosim, &o.error);
    if (o.status == MS_OK)
        o.status = ms_run(cosim, NULL, 0, NULL, NULL, &o.result, &o.error);
    if (o.status == MS_OK) {
        memcpy(o.x, cosim->x, sizeof(double) * (size_t)system->nx);
        memcpy(o.y, cosim->y, sizeof(double) * (size_t)system->ny);
    }
    ms_cosim_destroy(&cosim);
    return o;
}

static void refuses_to_run(const char *model, const char *text, const char *part)
{
    ms_system *system = support_system(model, "");
    const ms_options options = support_options(text);
    const outcome o = outcome_of(system, &options);
    if (o.status == MS_OK || strstr(o.error.text, part) == NULL)
        fail_msg("%s, %s: \"%s\" does not say \"%s\"", model, text, o.error.text, part);
    ms_system_destroy(&system);
}

static void same_of_both(const ms_system *system, const ms_options *as, const ms_options *options)
{
    const outcome a = outcome_of(system, as), b = outcome_of(system, options);
    assert_int_equal(a.status, b.status);
    assert_string_equal(a.error.text, b.error.text);
    assert_true(a.result.reason == b.result.reason && a.result.macro_steps == b.result.macro_steps &&
                a.result.integrations == b.result.integrations &&
                a.result.rejected_steps == b.result.rejected_steps);
    assert_memory_equal(a.x, b.x, sizeof a.x);
    assert_memory_equal(a.y, b.y, sizeof a.y);
}

/* "`scheme` jacobi `alpha` 1" as options of the library. */
static void add_command(ms_options *options, const char *command)
{
    char text[512];
    size_t n = 0;
    for (const char *c = command; *c != '\0'; c++) {
        const bool name_ends = c[0] == '`' && c[1] == ' ';
        if (*c != '`' || name_ends)
            text[n++] = name_ends ? '=' : *c;
        c += name_ends;
    }
    text[n] = '\0';
    support_options_add(options, text);
}

static void preset_is_its_options(void **state)
{
    (void)state;
    unsigned long long seed = 91;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        for (int k = 0; ms_preset_at(k) != NULL; k++) {
            char command[256], text[128];
            snprintf(text, sizeof text, "step-size=%.17g stop-time=%.17g max-steps=200", 0.1 * r.h,
                     2.0 * r.h);
            ms_options options = support_options(text);
            add_command(&options, ms_preset_text(ms_preset_at(k), command, sizeof command));
            options.step_size = 0.1 * r.h; /* what is given comes before a default of the preset */
            const ms_options as = support_options_of("as=%s %s", ms_preset_at(k)->name, text),
                             behind = support_options_of("%s as=%s", text, ms_preset_at(k)->name);
            same_of_both(r.system, &as, &options);
            same_of_both(r.system, &behind, &options);
        }
        support_random_system_drop(&r);
    }
}

static void one_preset_after_the_other_leaves_nothing(void **state)
{
    (void)state;
    for (int k = 0; ms_preset_at(k) != NULL; k++)
        for (int j = 0; ms_preset_at(j) != NULL; j++) {
            ms_options twice = support_options_of("step-size=0.5 as=%s", ms_preset_at(k)->name);
            const ms_options once = support_options_of("step-size=0.5 as=%s", ms_preset_at(j)->name),
                             none = support_options("step-size=0.5 as=none");
            support_options_add(&twice, "as=none");
            assert_memory_equal(&twice, &none, sizeof none);
            ms_options_set(&twice, "as", ms_preset_at(k)->name, NULL);
            ms_options_set(&twice, "as", ms_preset_at(j)->name, NULL);
            assert_memory_equal(&twice, &once, sizeof once);
        }
}

static void refuses(const char *first, const char *second, const char *part)
{
    ms_options options = support_options(first);
    const ms_options before = options;
    ms_error error = {0};
    char name[64];
    const size_t length = strcspn(second, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, second);
    assert_int_equal(ms_options_set(&options, name, second + length + 1, &error), MS_INVALID);
    support_says(error.text, part);
    assert_memory_equal(&options, &before, sizeof before);
}

static void what_a_preset_is_made_of_stays(void **state)
{
    (void)state;
    refuses("as=oms-ma", "outputs=corrected", "`outputs` corrected: `as` oms-ma means `outputs` consistent");
    refuses("outputs=corrected", "as=oms-ma", "`outputs`: `as` oms-ma means `outputs` consistent");
    refuses("as=maestro", "scheme=jacobi", "`as` maestro means `scheme` stabilised");
    refuses("as=fmpy", "initial-inputs=zero", "means `initial-inputs` unset");
    refuses("", "as=simulink", "must be none, oms-ma, oms-mav, libcosim, maestro, fmpy or pyfmi");
    refuses_to_run("linear-pair", "as=oms-mav", "has an algebraic loop, for which OMSimulator has no error");
    refuses_to_run("quarter-car", "as=oms-mav mask=*:rollback",
                   "no subsystem can roll back, and at least one must");
    refuses_to_run("quarter-car", "scheme=balance error-controlled=oms mask=wheel:rollback",
                   "wheel cannot roll back and steps after the others");
    refuses_to_run("quarter-car", "as=pyfmi mask=wheel:rollback", "wheel cannot roll back");
    support_refuses("quarter-car", "as=maestro mask=wheel:rollback", "wheel cannot roll back");
    support_refuses("linear-pair", "as=oms-ma mask=*:reevaluate-outputs", "cannot re-evaluate outputs");
    refuses_to_run("quarter-car", "scheme=gauss-seidel error-controlled=oms", "compares held inputs");
    refuses_to_run("quarter-car", "error-controlled=oms extrapolation-order=1", "compares held inputs");
    support_refuses("quarter-car", "scheme=multirate points=common first=slow", "`points` common: requires");
    support_refuses("quarter-car", "scheme=multirate points=common extrapolation-order=1", "`points` common");
    const ms_options tolerance = support_options("as=pyfmi rtol=1e-3");
    assert_true(tolerance.control.rtol == 1e-3 && tolerance.control.atol == 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(preset_is_its_options),
                                       cmocka_unit_test(one_preset_after_the_other_leaves_nothing),
                                       cmocka_unit_test(what_a_preset_is_made_of_stays)};
    return cmocka_run_group_tests_name("test_presets", tests, NULL, NULL);
}
