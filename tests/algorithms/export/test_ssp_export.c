/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ssp_export.c - coupled models as SSP: what is read back has the subsystems and wires of the model, over the catalogue. What stands
 * in for the FMUs is a file with their name alone: SSP hands FMUs on as they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include "folder.h"
#include "signals_fmu.h"
#include "ssp.h"
#include "ssp_export.h"
#include "support.h"
#include "unit_test.h"

/* Exports the system with files in the place of its FMUs; path: where to. */
static int export(const ms_system *system, char *path, size_t size, ms_error *error)
{
    const char **fmu = calloc((size_t)system->n, sizeof *fmu);
    assert_non_null(fmu);
    for (int i = 0; i < system->n; i++) {
        fmu[i] = strdup(support_folder_path("%s.fmu", system->sub[i].name));
        assert_non_null(fmu[i]);
        support_write_file(fmu[i], system->sub[i].name);
    }
    snprintf(path, size, "%s", support_folder_path("a.ssp"));
    const ms_ssp_content content = {.fmu = fmu};
    const int status = ms_ssp_export_write(system, &content, path, error);
    for (int i = 0; i < system->n; i++) {
        unlink(fmu[i]);
        free((char *)fmu[i]);
    }
    free(fmu);
    return status;
}

static ms_ssp read_back(const char *path)
{
    ms_ssp ssp;
    ms_error error = {{0}};
    if (ms_ssp_read(path, &ssp, &error) != MS_OK)
        fail_msg("%s", error.text);
    return ssp;
}

/* Has an input more than one wire? */
static bool sums(const ms_system *system)
{
    for (int k = 0; k < system->nu; k++)
        if (system->row_at[k + 1] - system->row_at[k] > 1)
            return true;
    return false;
}

/* The end of a name behind "u.", which an input has that is called like an output. */
static const char *plain(const char *name)
{
    return strncmp(name, "u.", 2) == 0 ? name + 2 : name;
}

static void compare(const ms_system *system, const ms_ssp *ssp)
{
    int k = 0;
    assert_string_equal(ssp->name, system->model->name);
    assert_int_equal(ssp->n_components, system->n);
    assert_true(ssp->stop_time == system->stop_time && ssp->step_size == system->step_size);
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        assert_string_equal(ssp->components[i].name, sub->name);
        assert_int_equal(ssp->components[i].n_connectors, sub->nu + sub->ny);
        assert_int_equal(access(ssp->components[i].path, R_OK), 0);
        for (int input = system->u_at[i]; input < system->u_at[i + 1]; input++)
            for (int at = system->row_at[input]; at < system->row_at[input + 1]; at++) {
                const ms_ssp_wire *w = &ssp->wires[k++];
                const int output = system->wire_output[at], from = ms_system_owner(system, output);
                assert_int_equal(w->to, i);
                assert_int_equal(w->from, from);
                assert_true(w->gain == system->wire_gain[at] && w->offset == 0.0);
                assert_non_null(strstr(plain(w->input), sub->u[input - system->u_at[i]].name));
                assert_non_null(strstr(w->output, system->sub[from].y[output - system->y_at[from]].name));
            }
    }
    assert_int_equal(ssp->n_wires, k);
}

static void models_are_read_back(void **state)
{
    (void)state;
    int exported = 0;
    for (int k = 0; ms_catalogue[k] != NULL; k++) {
        ms_system *system = support_system(ms_catalogue[k]->name, NULL);
        char path[512];
        ms_error error = {{0}};
        const int status = export(system, path, sizeof path, &error);
        if (sums(system)) {
            assert_int_equal(status, MS_UNSUPPORTED);
            assert_non_null(strstr(error.text, "is the sum of several outputs"));
        } else {
            if (status != MS_OK)
                fail_msg("%s: %s", ms_catalogue[k]->name, error.text);
            ms_ssp ssp = read_back(path);
            compare(system, &ssp);
            ms_ssp_free(&ssp);
            unlink(path);
            exported++;
        }
        ms_system_destroy(&system);
    }
    assert_true(exported > 10);
}

/* The subsystem that the file's reader makes of offsets is an offset again. */
static void offsets_stay_offsets(void **state)
{
    (void)state;
    ms_model *model =
        support_model_read("{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]},"
                           "{\"name\": \"b\", \"A\": [[-2]], \"B\": [[1]], \"C\": [[1]]}], \"wires\": ["
                           "{\"from\": \"a.y1\", \"to\": \"b.u1\", \"gain\": 3, \"offset\": 0.1}, {\"from\": "
                           "\"b.y1\", \"to\": \"a.u1\"}]}");
    ms_system *system = support_system_of(model);
    assert_int_equal(system->n, 3);
    char path[512];
    ms_error error = {{0}};
    if (export(system, path, sizeof path, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_ssp ssp = read_back(path);
    assert_int_equal(ssp.n_components, 2);
    assert_int_equal(ssp.n_wires, 2);
    assert_true(ssp.wires[1].gain == 3.0 && ssp.wires[1].offset == 0.1);
    assert_true(ssp.wires[0].gain == 1.0 && ssp.wires[0].offset == 0.0);
    ms_ssp_free(&ssp);
    unlink(path);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* An array of an FMU is one connector of SSP 2.0, and wires name its elements; maps are transformations by tables. */
static void arrays_are_connectors(void **state)
{
    (void)state;
    char fmu[256], text[1500], path[512];
    ms_error error = {{0}};
    support_signals_fmu(3, "", fmu, sizeof fmu);
    snprintf(
        text, sizeof text,
        "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"},"
        "{\"name\": \"b\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"}], \"wires\": ["
        "{\"from\": \"a.w[2]\", \"to\": \"b.v[1]\"},"
        "{\"from\": \"a.off\", \"to\": \"b.on\", \"map\": {\"true\": false, \"false\": true}},"
        "{\"from\": \"a.other\", \"to\": \"b.way\", \"map\": {\"slow\": \"fast\", \"fast\": \"slow\"}}]}",
        fmu, fmu);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    if (export(system, path, sizeof path, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_ssp ssp = read_back(path);
    const ms_ssp_connector *v = NULL;
    for (int k = 0; k < ssp.components[1].n_connectors; k++) {
        assert_null(strchr(ssp.components[1].connectors[k].name, '['));
        v = strcmp(ssp.components[1].connectors[k].name, "v") == 0 ? &ssp.components[1].connectors[k] : v;
    }
    assert_true(v != NULL && v->n_dimensions == 1 && v->dimension[0] == 2);
    assert_int_equal(ssp.n_wires, 3);
    for (int k = 0; k < 3; k++) {
        const ms_ssp_wire *wire = &ssp.wires[k];
        if (strcmp(wire->output, "w[2]") == 0)
            assert_true(strcmp(wire->input, "v[1]") == 0 && wire->map == NULL);
        else
            assert_true(wire->map->n == 2 && strcmp(wire->map->source[0], wire->map->target[1]) == 0 &&
                        wire->map->type ==
                            (strcmp(wire->input, "on") == 0 ? MS_SSP_BOOLEAN : MS_SSP_INTEGER));
    }
    ms_ssp_free(&ssp);
    unlink(path);
    unlink(fmu);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* SSP has no transformation between them. */
static void what_a_boolean_becomes_as_a_number_is_not_written(void **state)
{
    (void)state;
    char fmu[256], text[1000], path[512];
    ms_error error = {{0}};
    support_signals_fmu(2, "", fmu, sizeof fmu);
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s\"}, {\"name\": \"b\", \"fmu\": \"%s\"}],"
             "\"wires\": [{\"from\": \"a.off\", \"to\": \"b.n\", \"map\": {\"true\": 3, \"false\": 4}}]}",
             fmu, fmu);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    assert_int_equal(export(system, path, sizeof path, &error), MS_UNSUPPORTED);
    support_says(error.text, "input n of subsystem b maps between a boolean and a number");
    unlink(fmu);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_read_back),
        cmocka_unit_test(offsets_stay_offsets),
        cmocka_unit_test(arrays_are_connectors),
        cmocka_unit_test(what_a_boolean_becomes_as_a_number_is_not_written),
        cmocka_unit_test(support_folder_goes_empty),
    };
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
