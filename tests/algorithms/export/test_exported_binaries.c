/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_binaries.c - every subsystem of every model, exported for both versions of FMI: its description keeps the rules of
 * the standard, its states are saved and restored, its parameters set; what is wrong is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "built_in.h"
#include "fmu_check.h"
#include "support.h"
#include "unit_test.h"

enum { BYTES = 1 << 20 };

/* Rules of the standard ---------------------------------------------------------------------------------- */

static void check_description(const ms_fmu_export *what, const ms_exported *e)
{
    support_binary b;
    ms_fmu_findings findings = {0};
    support_binary_open(&b, what);
    assert_int_equal(ms_fmu_check(b.description, &findings, NULL), MS_OK);
    for (int k = 0; k < findings.n; k++)
        fail_msg("%s, FMI %d, line %ld: %s", b.identifier, what->fmi, findings.finding[k].line,
                 findings.finding[k].text);
    ms_fmu_findings_free(&findings);
    assert_int_equal(b.description->n_inputs, e->sub->nu);
    assert_int_equal(b.description->n_outputs, e->whole != NULL ? e->sub->nx : e->sub->ny);
    assert_int_equal(b.description->n_event_indicators, e->sub->n_indicators);
    assert_int_equal(b.description->flags[MS_FMU_MODEL_EXCHANGE].present,
                     e->sub->residual == NULL && !e->sub->uses_du);
    assert_true(b.description->flags[MS_FMU_CO_SIMULATION].present);
    support_binary_close(&b);
}

static void test_descriptions(void **state)
{
    (void)state;
    support_export_all(check_description);
}

/* States ------------------------------------------------------------------------------------------------- */

static void check_states(const ms_fmu_export *what, const ms_exported *e)
{
    support_binary b;
    void *saved = NULL, *other = NULL;
    const int n = (int)e->first[MS_EXPORTED_PARAMETER] > 64 ? 64 : (int)e->first[MS_EXPORTED_PARAMETER];
    unsigned all[SUPPORT_BINARY_INPUTS];
    double first[SUPPORT_BINARY_INPUTS], again[SUPPORT_BINARY_INPUTS], u[SUPPORT_BINARY_INPUTS] = {0};
    const double h = what->system->step_size;
    unsigned char *bytes = calloc(1, BYTES);
    for (int k = 0; k < n; k++)
        all[k] = (unsigned)k;
    support_binary_open(&b, what);
    for (int k = 0; k < e->sub->nu; k++)
        u[k] = e->sub->u0 != NULL ? e->sub->u0[k] : 0.0;
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, u), 0);
    if (support_binary_step(&b, 0.0, h) == 0 && support_binary_save(&b, &saved) == 0 &&
        support_binary_step(&b, h, h) == 0 && /* example-5.0.1 has no output at an input of zero */
        support_binary_get(&b, n, all, first) == 0) {
        assert_int_equal(support_binary_restore(&b, saved), 0);
        assert_int_equal(support_binary_step(&b, h, h), 0);
        assert_int_equal(support_binary_get(&b, n, all, again), 0);
        support_same_bits(&b, "variable", 2.0 * h, n, again, first);
        const size_t size = support_binary_serialise(&b, saved, bytes, BYTES);
        support_binary_forget(&b, &saved);
        assert_null(saved);
        support_binary_free(&b); /* another component goes on from the bytes */
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_start(&b, 0.0, u), 0);
        assert_int_equal(support_binary_deserialise(&b, bytes, size - 1, &other), 3);
        assert_int_equal(support_binary_deserialise(&b, bytes, size, &other), 0);
        assert_int_equal(support_binary_restore(&b, other), 0);
        assert_int_equal(support_binary_step(&b, h, h), 0);
        assert_int_equal(support_binary_get(&b, n, all, again), 0);
        support_same_bits(&b, "variable from bytes", 2.0 * h, n, again, first);
        support_binary_forget(&b, &other);
    }
    support_binary_forget(&b, &saved);
    free(bytes);
    support_binary_close(&b);
}

static void test_states(void **state)
{
    (void)state;
    support_export_all(check_states);
}

/* The rest ----------------------------------------------------------------------------------------------- */

/* A parameter that is set gives what the model with that parameter gives. */
static void test_parameters(void **state)
{
    (void)state;
    ms_system *as_it_is = support_system("quarter-car", NULL),
              *system = support_system("quarter-car", "kc=20000");
    ms_fmu_export what = support_export_of(as_it_is, "chassis", 2, "exact");
    for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
        support_built_in is =
            support_built_in_create(system, ms_system_find(system, "chassis"), &what.solver);
        double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0.1, 0.2}}, x[2];
        support_binary b;
        support_binary_open(&b, &what);
        const unsigned kc = support_binary_named(&b, "p.kc"),
                       names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){20000.0}), 0);
        assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
        assert_int_equal(support_binary_feed(&b, 0.0, 0, u), 0);
        support_feed_built_in(&is, 0.01, 0, u);
        assert_int_equal(ms_instance_step(is.instance, 0.0, 0.01), MS_OK);
        assert_int_equal(support_binary_step(&b, 0.0, 0.01), 0);
        assert_int_equal(support_binary_get(&b, 2, names, x), 0);
        support_same_bits(&b, "state", 0.01, 2, x, is.instance->x);
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){15000.0}), 3);
        assert_non_null(strstr(b.said, "fixed"));
        support_binary_free(&b);
        assert_true(support_binary_instantiate(&b, NULL, false)); /* a value out of its range */
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){-1.0}), 0);
        assert_int_equal(support_binary_start(&b, 0.0, u[0]), 3);
        assert_non_null(strstr(b.said, "its range is"));
        support_binary_close(&b);
        support_built_in_destroy(&is);
    }
    ms_system_destroy(&as_it_is);
    ms_system_destroy(&system);
}

/* What is wrong is refused and said. */
static void test_refusals(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    ms_fmu_export what = support_export_of(system, "chassis", 2, "exact");
    for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
        support_binary b;
        double value = 1.0;
        support_binary_open(&b, &what);
        assert_false(support_binary_instantiate(&b, "{no}", false));
        assert_non_null(strstr(b.said, "the token (guid) is {no}"));
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_step(&b, 0.0, 0.1), 3);
        assert_non_null(strstr(b.said, "must not be called in this mode"));
        assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
        assert_int_equal(support_binary_step(&b, 0.0, -0.1), 3);
        assert_non_null(strstr(b.said, "not positive"));
        assert_int_equal(support_binary_get(&b, 1, &(unsigned){1000}, &value), 3);
        assert_non_null(strstr(b.said, "value reference 1000 is no variable"));
        value = NAN;
        assert_int_equal(support_binary_set(&b, 1, b.reference, &value), 2);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_descriptions), cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_parameters), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
