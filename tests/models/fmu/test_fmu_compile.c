/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_compile.c - FMUs that bring sources in place of a binary: compiled when that is asked for, here and in a process of their own,
 * they do what the exported binary does; and what does not compile is one line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "built_in.h"
#include "fmu.h"
#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

enum { NX = 2, STEPS = 20 };

static char whole[300],
    bare[300]; /* the exported FMU, and the same without its binary or otherwise changed */

/* The wheel of the quarter car, packed as it is, and again after `change` was done in its folder. */
static void make(int fmi, const char *change)
{
    char folder[256];
    ms_system *system = support_system("quarter-car", "");
    ms_fmu_exported made;
    ms_error error = {""};
    support_folder_new(folder, sizeof folder);
    ms_fmu_export what = support_export_of(system, "wheel", fmi, "exact");
    what.sources = true;
    int status = ms_fmu_export_folder(&what, folder, &made, &error);
    snprintf(whole, sizeof whole, "%s.fmu", folder);
    snprintf(bare, sizeof bare, "%s-bare.fmu", folder);
    if (status == MS_OK)
        status = ms_fmu_archive_write(folder, whole, &error);
    if (status == MS_OK) {
        support_shell("cd %s && rm -r binaries && %s", folder, change);
        status = ms_fmu_archive_write(folder, bare, &error);
    }
    if (status != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", folder);
    ms_system_destroy(&system);
}

static void remove_made(void)
{
    remove(whole);
    remove(bare);
}

static const ms_fmu_use compiling = {.compile_sources = true};

/* States after each of some steps under a ramp. */
static void step(const char *path, const ms_fmu_use *use, double x[STEPS][NX])
{
    static const ms_fmu_setup setup = {.instance_name = "wheel", .stop_time = INFINITY};
    const double h = 0.01;
    double u[] = {0.1, -0.2}, reached;
    unsigned input[2], state[NX];
    ms_fmu *fmu;
    ms_fmu_component *c;
    ms_error error = {""};
    if (ms_fmu_open(path, MS_FMU_CO_SIMULATION, use, &fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    assert_true(d->n_inputs == 2 && d->n_derivatives == NX);
    for (int k = 0; k < 2; k++) {
        input[k] = d->variables[d->inputs[k]].value_reference;
        state[k] = d->variables[d->variables[d->derivatives[k].variable].derivative_of].value_reference;
    }
    assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, &error), MS_OK);
    assert_int_equal(ms_fmu_component_initialise(
                         c, &(ms_fmu_values){1, &(ms_fmu_group){MS_FMU_FLOAT64, 2, 2, input, NULL}}, u),
                     MS_OK);
    for (int n = 0; n < STEPS; n++) {
        u[0] = 0.1 + 0.3 * n * h;
        assert_int_equal(ms_fmu_set(c, 2, input, u), MS_OK);
        assert_int_equal(ms_fmu_step(c, n * h, h, true, &reached), MS_OK);
        assert_int_equal(ms_fmu_get(c, NX, state, x[n]), MS_OK);
    }
    ms_fmu_component_destroy(&c);
    ms_fmu_close(&fmu);
}

static void compiled_it_is_the_same(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double exported[STEPS][NX], compiled[STEPS][NX], isolated[STEPS][NX];
        make(fmi, "true");
        step(whole, NULL, exported);
        step(bare, &compiling, compiled);
        step(bare, &(ms_fmu_use){.compile_sources = true, .isolate = true}, isolated);
        support_near_all(STEPS * NX, compiled[0], exported[0], 1e-12);
        assert_memory_equal(compiled, isolated, sizeof compiled);
        assert_true(fabs(compiled[STEPS - 1][0]) > 1e-3);
        remove_made();
    }
}

static void refuses(int fmi, const char *change, const ms_fmu_use *use, const char *words)
{
    ms_error error = {""};
    ms_fmu *fmu;
    make(fmi, change);
    const int status = ms_fmu_open(bare, MS_FMU_CO_SIMULATION, use, &fmu, &error);
    remove_made();
    assert_true(status == MS_UNSUPPORTED || status == MS_INVALID);
    assert_null(fmu);
    support_says(error.text, words);
    assert_null(strchr(error.text, '\n'));
}

/* What the description defines is defined, and what it calls optional is left out. */
static void definitions_are_those_of_the_description(void **state)
{
    (void)state;
    double compiled[STEPS][NX], exported[STEPS][NX];
    make(3, "sed -i 's|</SourceFileSet>|<PreprocessorDefinition name=\"GIVEN\"/><PreprocessorDefinition "
            "name=\"THREE\" "
            "value=\"3\" optional=\"false\"/><PreprocessorDefinition name=\"MORE\" optional=\"true\"/>&|' "
            "sources/buildDescription.xml && printf '\\n#if !defined GIVEN || THREE != 3 || defined "
            "MORE\\n#error definitions\\n"
            "#endif\\n' >> sources/fmi3.c");
    step(bare, &compiling, compiled);
    step(whole, NULL, exported);
    support_near_all(STEPS * NX, compiled[0], exported[0], 1e-12);
    remove_made();
}

/* Sources may leave the standard's headers to who compiles them, and have a prefix before their functions. */
static void headers_and_prefixes_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "sed -i 's/\\bfmi2\\([A-Z]\\)/quarter_car_wheel_fmi2\\1/g' sources/fmi2.c && printf '\n#define "
        "FMI2_FUNCTION_PREFIX "
        "other_\n#include \"fmi2Functions.h\"\nfmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, "
        "fmi2Real h, fmi2Boolean "
        "keep)\n{ return fmi2Fatal; }\n' >> sources/fmi2.c",
        "printf '\n#undef FMI3_OVERRIDE_FUNCTION_PREFIX\n#define FMI3_FUNCTION_PREFIX other_\n"
        "#include \"fmi3Functions.h\"\nfmi3Status fmi3Reset(fmi3Instance c)\n{ return fmi3Fatal; }\n' >> "
        "sources/fmi3.c"};
    for (int k = 0; k < MS_COUNT(changes); k++) {
        double compiled[STEPS][NX], exported[STEPS][NX];
        make(k == 0 ? 2 : 3, changes[k]);
        step(bare, &compiling, compiled);
        step(whole, NULL, exported);
        support_near_all(STEPS * NX, compiled[0], exported[0], 1e-12);
        remove_made();
    }
}

static void unasked_it_is_refused(void **state)
{
    (void)state;
    refuses(2, "true", NULL, "has binaries for: none; its sources are compiled with `compile-sources`");
    refuses(3, "mkdir -p binaries/x86_64-windows && touch binaries/x86_64-windows/a.dll", NULL,
            "for: x86_64-windows; its sources are compiled with");
}

/* Of one kind alone: the line says for which. */
static void another_kind_is_refused(void **state)
{
    (void)state;
    static const char *const line = "it is not for co-simulation; it is for model-exchange";
    refuses(2, "sed -i '/<CoSimulation/,/<.CoSimulation>/d' modelDescription.xml", NULL, line);
    refuses(3, "sed -i '/<CoSimulation/d' modelDescription.xml", NULL, line);
}

static void what_does_not_compile_is_a_line(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        char change[200];
        snprintf(change, sizeof change,
                 "printf '\\n#warning first\\n  int broken = \"%%s\\n' >> sources/fmi%d.c", fmi);
        char words[200];
        snprintf(words, sizeof words, ": its sources do not compile: sources/fmi%d.c:", fmi);
        refuses(fmi, change, &compiling, words);
        refuses(fmi, change, &compiling, "error: ");
    }
    refuses(3, "sed -i 's/language=\"C11\"/language=\"C++17\"/' sources/buildDescription.xml", &compiling,
            "its sources are in C++17; only C is compiled");
    refuses(3,
            "sed -i 's/SourceFile name=\"fmi3.c\"/SourceFile name=\"..\\/..\\/fmi3.c\"/' "
            "sources/buildDescription.xml",
            &compiling, "its sources need ../../fmi3.c, which is outside of it");
    refuses(
        3, "rm sources/buildDescription.xml", &compiling,
        "it has binaries for: none; it does not say how to compile its sources (sources/buildDescription.xml)");
    refuses(3, "sed -i 's/<BuildConfiguration/& platform=\"x86_64-windows\"/' sources/buildDescription.xml",
            &compiling, "none of its sources are for it");
    refuses(3, "sed -i 's/<BuildConfiguration/<Build/' sources/buildDescription.xml", &compiling, "line");
    refuses(2, "sed -i '/<File /d; /SourceFiles>/d' modelDescription.xml", &compiling,
            "it does not say which of its sources to compile (SourceFiles)");
    refuses(2, "rm sources/fmi2.c", &compiling, "sources/fmi2.c must be compiled, but does not exist");
    refuses(2, "rm -r sources; mkdir -p binaries/win64; touch binaries/win64/a.dll", &compiling,
            "it has binaries for: win64; it has no sources");
    refuses(2, "sed -i 's/<File name=\"fmi2.c\"/<File name=\"\\/etc\\/passwd\"/' modelDescription.xml",
            &compiling, "its sources need /etc/passwd, which is outside of it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_it_is_the_same),
                                       cmocka_unit_test(definitions_are_those_of_the_description),
                                       cmocka_unit_test(headers_and_prefixes_are_those_of_the_standard),
                                       cmocka_unit_test(unasked_it_is_refused),
                                       cmocka_unit_test(another_kind_is_refused),
                                       cmocka_unit_test(what_does_not_compile_is_a_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
