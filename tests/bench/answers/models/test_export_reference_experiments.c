/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_export_reference_experiments.c - what `export` puts into an FMU beside the model: the experiment's inputs, given to the binary, lead to the
 * experiment's result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/series_read.h>
#include "command_answer.h"
#include "exported_binary.h"
#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

static ms_series *read_extra(const ms_fmu_archive *archive, const char *name)
{
    char path[5000];
    ms_series *series = NULL;
    ms_error error = {0};
    snprintf(path, sizeof path, "%s/extra/org.fmi-standard.fmi-ls-ref/%s", ms_fmu_archive_folder(archive),
             name);
    if (ms_series_read(path, &series, &error) != MS_OK)
        fail_msg("%s", error.text);
    return series;
}

/* The largest |difference| / (1 + |expected|) of all columns of a row. */
static double miss(support_binary *b, const ms_series *expected, long row)
{
    double largest = 0.0;
    for (int k = 0; k < expected->columns; k++) {
        const unsigned reference = support_binary_named(b, expected->name[k]);
        const double should = expected->value[row * expected->columns + k];
        double value = NAN;
        assert_int_equal(support_binary_get(b, 1, &reference, &value), 0);
        largest = fmax(largest, fabs(value - should) / (1.0 + fabs(should)));
    }
    return largest;
}

static void check_fmu(const char *file, int fmi, double tolerance)
{
    ms_fmu_archive *archive = NULL;
    ms_error error = {0};
    support_binary b;
    double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}};
    if (ms_fmu_archive_open(file, &archive, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_series *expected = read_extra(archive, "reference.csv"), *stimuli = read_extra(archive, "stimuli.csv");
    support_binary_load(&b, fmi, ms_fmu_archive_folder(archive));
    assert_int_equal(stimuli->columns, b.n);
    assert_int_equal(stimuli->rows, expected->rows);
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, stimuli->value), 0);
    assert_true(miss(&b, expected, 0) < 1e-14);
    for (long n = 0; n + 1 < expected->rows; n++) {
        const double h = stimuli->time[n + 1] - stimuli->time[n];
        const double *from = stimuli->value + n * b.n, *to = from + b.n;
        for (int i = 0; i < b.n; i++) {
            u[0][i] = from[i];
            u[1][i] = (to[i] - from[i]) / h;
        }
        assert_int_equal(support_binary_feed(&b, stimuli->time[n], 1, u), 0);
        assert_int_equal(support_binary_step(&b, stimuli->time[n], h), 0);
        if (!(miss(&b, expected, n + 1) < tolerance))
            fail_msg("%s, FMI %d: %g at %g", file, fmi, miss(&b, expected, n + 1), stimuli->time[n + 1]);
    }
    support_binary_close(&b);
    ms_series_destroy(&expected);
    ms_series_destroy(&stimuli);
    ms_fmu_archive_close(&archive);
}

/* Micro-solvers that are exact up to round-off, and up to their tolerance. */
static void test_experiments(void **state)
{
    (void)state;
    static const struct {
        const char *model, *solver;
        double tolerance;
    } of[] = {{"quarter-car", "exact", 1e-10}, {"double-pendulum", "gsl-rk8pd", 1e-6}};
    char folder[256];
    for (int m = 0; m < 2; m++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            support_folder_new(folder, sizeof folder);
            json_t *answer = support_answer_of("export %s --solver %s --fmi %d --directory %s", of[m].model,
                                               of[m].solver, fmi, folder);
            for (size_t k = 0; k < 2; k++) {
                const char *file = json_string_value(
                    json_object_get(json_array_get(json_object_get(answer, "rows"), k), "file"));
                assert_non_null(file);
                check_fmu(file, fmi, of[m].tolerance);
            }
            json_decref(answer);
            support_shell("rm -r '%s'", folder);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_experiments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
