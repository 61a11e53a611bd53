/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_export_structures.c - the .ssp of every model, read back: its components and wires are those of the model. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "catalogue.h"
#include "export_structure.h"
#include "ssp.h"
#include "support.h"

/* The wires of SSP as a matrix L (nu x ny), by the names of inputs and outputs without the "u." before some. */
static void read_wires(const ms_system *s, const ms_ssp *ssp, double *L)
{
    for (int k = 0; k < ssp->n_wires; k++) {
        const ms_ssp_wire *wire = &ssp->wires[k];
        const ms_subsystem *to = &s->sub[wire->to], *from = &s->sub[wire->from];
        const char *input = strncmp(wire->input, "u.", 2) == 0 ? wire->input + 2 : wire->input;
        int i = 0, j = 0;
        while (i < to->nu && strcmp(to->u[i].name, input) != 0)
            i++;
        while (j < from->ny && strcmp(from->y[j].name, wire->output) != 0)
            j++;
        assert_true(i < to->nu && j < from->ny && wire->offset == 0.0);
        L[(s->u_at[wire->to] + i) * s->ny + s->y_at[wire->from] + j] += wire->gain;
    }
}

static void check_structure(const ms_system *s, const char *path)
{
    ms_ssp ssp = {0};
    ms_error error = {0};
    const size_t n = (size_t)(s->nu * s->ny) + 1;
    double *L = calloc(2 * n, sizeof *L);
    assert_non_null(L);
    if (ms_ssp_read(path, &ssp, &error) != MS_OK)
        fail_msg("%s: %s", s->model->name, error.text);
    assert_int_equal(ssp.n_components, s->n);
    for (int i = 0; i < s->n; i++)
        assert_string_equal(ssp.components[i].name, s->sub[i].name);
    assert_true(ssp.stop_time == s->stop_time && ssp.step_size == s->step_size);
    read_wires(s, &ssp, L);
    for (int i = 0; i < s->nu; i++)
        for (int w = s->row_at[i]; w < s->row_at[i + 1]; w++)
            L[n + (size_t)(i * s->ny + s->wire_output[w])] += s->wire_gain[w];
    assert_memory_equal(L, L + n, n * sizeof *L);
    free(L);
    ms_ssp_free(&ssp);
}

/* Writes it with any files as FMUs: what is tried is what stands between them. */
static int write_structure(const ms_system *system, const char *stand_in, const char *path, ms_error *error)
{
    char(*name)[300] = calloc((size_t)system->n, sizeof *name);
    const char **fmu = calloc((size_t)system->n, sizeof *fmu);
    assert_non_null(name);
    assert_non_null(fmu);
    for (int i = 0; i < system->n; i++) {
        snprintf(name[i], sizeof name[i], "%s.%d", stand_in, i);
        fmu[i] = name[i];
        assert_int_equal(symlink(stand_in, name[i]), 0);
    }
    const int status = ms_export_structure(system, fmu, path, error);
    for (int i = 0; i < system->n; i++)
        remove(name[i]);
    free(name);
    free(fmu);
    return status;
}

static bool has_sums(const ms_system *s)
{
    bool any = false;
    for (int i = 0; i < s->nu; i++)
        any = any || s->row_at[i + 1] - s->row_at[i] > 1;
    return any;
}

static void check_system(const ms_system *system)
{
    char stand_in[256], path[300];
    ms_error error = {0};
    support_temporary_file("an FMU", stand_in, sizeof stand_in);
    snprintf(path, sizeof path, "%s.ssp", stand_in);
    const int status = write_structure(system, stand_in, path, &error);
    if (has_sums(system)) {
        assert_int_equal(status, MS_UNSUPPORTED);
        assert_non_null(strstr(error.text, "have one connection"));
        assert_int_not_equal(access(path, F_OK), 0);
    } else {
        if (status != MS_OK)
            fail_msg("%s: %s", system->model->name, error.text);
        check_structure(system, path);
    }
    remove(path);
    remove(stand_in);
}

static void test_models(void **state)
{
    (void)state;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of(*model);
        check_system(system);
        ms_system_destroy(&system);
    }
}

/* An input that is the sum of two outputs. */
static void test_sum(void **state)
{
    (void)state;
    ms_model *model =
        support_model_read("{\"subsystems\": [{\"A\": [[-1]], \"B\": [[1]], \"C\": [[1], [2]]}, "
                           "{\"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}], "
                           "\"wires\": [[0, 2, 1], [1, 0, 1], [1, 1, 0.5]]}");
    ms_system *system = support_system_of(model);
    assert_true(has_sums(system));
    check_system(system);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_sum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
