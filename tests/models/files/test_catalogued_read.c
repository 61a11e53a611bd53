/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_catalogued_read.c - each model of the catalogue, taken apart and put together again in a system file, is what it was, to the bit: its
 * subsystems are asked through the file's functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "support.h"
#include "unit_test.h"

/* Subsystems by name, wires by numbers, in the order of the model. */
static ms_model *put_together(const ms_system *whole)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fprintf(file, "{\"subsystems\": [");
    for (int i = 0; i < whole->n; i++)
        fprintf(file, "%s{\"name\": \"%s\", \"model\": \"%s\", \"subsystem\": \"%s\"}", i > 0 ? ", " : "",
                whole->sub[i].name, whole->model->name, whole->sub[i].name);
    fprintf(file, "], \"wires\": [");
    for (int i = 0; i < whole->nu; i++)
        for (int k = whole->row_at[i]; k < whole->row_at[i + 1]; k++)
            fprintf(file, "%s[%d, %d, %.17g]", k > 0 ? ", " : "", i, whole->wire_output[k],
                    whole->wire_gain[k]);
    fprintf(file, "]}");
    assert_int_equal(fclose(file), 0);
    ms_model *model = support_model_read(text);
    free(text);
    return model;
}

static const char *solver_of(const ms_system *system)
{
    return ms_system_has_residual(system) ? "ida" : system->linear ? "exact" : "rk4";
}

/* Forty macro-steps, or as many as there are up to the end. */
static void check_run(const ms_system *whole, const ms_system *again)
{
    const double h = whole->step_size, end = whole->stop_time < 40.0 * h ? whole->stop_time : 40.0 * h;
    const ms_options options =
        support_options_of("solver=%s step-size=%.17g stop-time=%.17g", solver_of(whole), h, end);
    const size_t bytes = sizeof(double) * (size_t)(whole->nx + 1);
    double *x = calloc(1, bytes), *expected = calloc(1, bytes);
    assert_true(x != NULL && expected != NULL);
    const ms_run_result result = support_run(whole, &options, expected, NULL),
                        repeated = support_run(again, &options, x, NULL); /* some diverge so; then both do */
    assert_true(repeated.reason == result.reason && repeated.end_time == result.end_time &&
                repeated.macro_steps == result.macro_steps);
    if (memcmp(x, expected, bytes) != 0)
        fail_msg("%s, put together again, runs otherwise", whole->model->name);
    const double energy = ms_system_energy(whole, expected);
    assert_memory_equal(&energy, &(double){ms_system_energy(again, x)}, sizeof energy);
    free(x);
    free(expected);
}

/* Jacobians at the start, of those that give them, with inputs that are not those of the start. */
static void check_jacobian(const ms_system *whole, const ms_system *again, int i)
{
    enum { MOST = 1 << 14 };
    static double block[2][4][MOST], x[MOST], u[MOST];
    const ms_system *of[] = {whole, again};
    const ms_subsystem *sub = &whole->sub[i];
    if (sub->jacobian == NULL)
        return;
    assert_true(sub->nx + sub->nu + sub->ny < 128 && whole->nx + whole->nz < MOST);
    memset(block, 0, sizeof block);
    for (int k = 0; k < sub->nu; k++)
        u[k] = 0.25 + 0.5 * k;
    for (int s = 0; s < 2; s++) {
        static double z[MOST];
        const ms_blocks blocks = {block[s][0], block[s][1], block[s][2], block[s][3], NULL, NULL};
        ms_system_start(of[s], x);
        ms_system_start_discrete(of[s], z);
        double scratch[512], w[16];
        ms_point at = {.t = 0.125, .x = x + of[s]->x_at[i], .u = u, .z = z + of[s]->z_at[i]};
        assert_true(sub->nw <= 16);
        assert_int_equal(ms_subsystem_jacobian(of[s], i, &at, w, scratch, &blocks, NULL), 0);
    }
    assert_memory_equal(block[0], block[1], sizeof block[0]);
}

static void test_put_together(void **state)
{
    (void)state;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *whole = support_system_of(*model);
        if (!(*model)->slow) {
            ms_model *parts = put_together(whole);
            ms_system *again = support_system_of(parts);
            assert_true(again->n == whole->n && again->nx == whole->nx && again->nz == whole->nz);
            for (int i = 0; i < whole->n; i++)
                check_jacobian(whole, again, i);
            check_run(whole, again);
            ms_system_destroy(&again);
            ms_model_destroy(&parts);
        }
        ms_system_destroy(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_put_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
