/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_linear.c - propagation matrices of systems of FMUs for co-simulation whose steps are known: x + h f(x, u), whatever the equations
 * behind f would give; and what an FMU lacks that has none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include <macrostep/system_file.h>
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static const char *const variable_step[] = {
    "canHandleVariableCommunicationStepSize=\"true\"",
    "canHandleVariableCommunicationStepSize=\"true\" canBeInstantiatedOnlyOncePerProcess=\"true\""};

/* Two of them, a' = f(a, -b) and b' = f(b, a), as the system pair.json beside made.fmu. */
static void make_pair(const support_decay *how)
{
    char path[256];
    support_decay_fmu(how, path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("made.fmu"));
    support_folder_write(
        "pair.json",
        "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"made.fmu\", \"kind\": \"co-simulation\"},"
        "{\"name\": \"b\", \"fmu\": \"made.fmu\", \"kind\": \"co-simulation\"}],"
        "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"},"
        "{\"from\": \"b.y\", \"to\": \"a.u\", \"gain\": -1}], \"end\": 1}");
}

static ms_system *read_pair(ms_model **model)
{
    ms_error error = {""};
    if (ms_model_read(support_folder_path("pair.json"), model, &error) != MS_OK)
        fail_msg("%s", error.text);
    return support_system_of(*model);
}

/* Its radius at steps of h; NaN: there is none, and a line. */
static double radius(double h, char *line, size_t size)
{
    double x[2], found = NAN, *psi = NULL;
    int n;
    ms_model *model;
    ms_error error = {""};
    ms_system *system = read_pair(&model), *linear = NULL;
    const ms_options options = support_options("");
    const ms_linearisation_point at_start = {0};
    int status = ms_linearisation_point_state(system, &at_start, NULL, x, NULL, &error);
    if (status == MS_OK)
        status = ms_linearisation_system(system, 0.0, x, &linear, &error);
    if (status == MS_OK)
        status = ms_propagation_probe(linear, &options, h, &n, &psi, &error);
    if (status == MS_OK)
        found = ms_propagation_radius(linear, &options, h, 100);
    snprintf(line, size, "%s", error.text);
    free(psi);
    ms_system_destroy(&linear);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return found;
}

/* (a, b) <- ((1 + h A) a - h b, (1 + h A) b + h a), A = df/dx: eigenvalues 1 + h A +- i h. */
static void check(const support_decay *how, double A, double allowed)
{
    char line[512];
    make_pair(how);
    for (int k = 1; k <= 3; k++) {
        const double h = 0.25 * k;
        const double found = radius(h, line, sizeof line);
        if (isnan(found))
            fail_msg("%s", line);
        support_near(found, hypot(1.0 + h * A, h), allowed);
    }
}

static void steps_of_its_own_solver_are_known(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        check(&(support_decay){.fmi = fmi, .flags = variable_step[0], .define = "-DANY_NAME"}, -1.0, 1e-12);
        check(&(support_decay){.fmi = fmi, .flags = variable_step[1], .define = "-DANY_NAME -DONE"}, -1.0,
              1e-12);
        /* -x - x^3 near x = 1 */
        check(&(support_decay){.fmi = fmi, .flags = variable_step[0], .define = "-DANY_NAME -DCUBIC=1.0"},
              -4.0, 1e-5);
    }
}

/* One whose state follows from something else at the start. */
static support_decay calculated(int fmi)
{
    support_decay how = {.fmi = fmi, .flags = variable_step[0], .define = "-DANY_NAME"};
    how.edit[0] = fmi == 2 ? "causality=\"local\" initial=\"exact\"><Real start=\"1\"/>"
                           : "causality=\"local\" initial=\"exact\" start=\"1\"/>";
    how.edit[1] = fmi == 2 ? "causality=\"local\" initial=\"calculated\"><Real/>"
                           : "causality=\"local\" initial=\"calculated\"/>";
    return how;
}

static void inputs_reach_states_that_cannot_be_set(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        const support_decay how = calculated(fmi);
        check(&how, -1.0, 1e-9);
    }
}

/* Why there is none. */
static void refused(const support_decay *how, const char *why)
{
    char line[512];
    make_pair(how);
    const double found = radius(0.25, line, sizeof line);
    if (!isnan(found) || strstr(line, why) == NULL)
        fail_msg("'%s' is not in: %g %s", why, found, line);
}

static void what_is_needed_is_said(void **state)
{
    (void)state;
    support_decay deaf = calculated(2);
    deaf.define = "-DANY_NAME -DDEAF";
    refused(&deaf,
            "its state x cannot be set at the start (initial exact or approx), and inputs do not reach it");
    support_decay cubic = calculated(2);
    cubic.define = "-DANY_NAME -DCUBIC=1.0";
    refused(&cubic, "is not a linear map of the states that ModelStructure lists and of inputs");
    const support_decay unlisted = {.fmi = 3,
                                    .flags = variable_step[0],
                                    .define = "-DANY_NAME",
                                    .edit = {"<ContinuousStateDerivative valueReference=\"1\"/>", ""}};
    refused(&unlisted,
            "a step of 0.25 s is not a linear map of the states that ModelStructure lists and of inputs");
    const support_decay stuck = {.fmi = 2, .flags = variable_step[0], .define = "-DANY_NAME -DSTUCK"};
    refused(&stuck, "its state x does not start where it is set, but at 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_its_own_solver_are_known),
        cmocka_unit_test(inputs_reach_states_that_cannot_be_set),
        cmocka_unit_test(what_is_needed_is_said),
    };
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
