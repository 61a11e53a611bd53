/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_equal_rows.c - subsystems that are advanced in rows (equal_rows.h) have the bits and the work of those that are advanced each by
 * its instance. */
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "equal_rows.h"
#include "support.h"
#include "unit_test.h"

static const double fractions[] = {0.1, 0.5, 1.0};

/* A run to its end, and where it has come to. */
static ms_cosim *run(const ms_system *system, const char *text, bool sampled, bool rows,
                     ms_run_result *result)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    if (sampled)
        assert_int_equal(ms_cosim_sample_states(cosim, MS_COUNT(fractions), fractions), MS_OK);
    ms_error error = {""};
    struct ms_equal_rows *put_aside = cosim->rows;
    if (!rows)
        cosim->rows = NULL;
    if (ms_run(cosim, NULL, 0, NULL, NULL, result, &error) != MS_OK)
        fail_msg("%s", error.text);
    cosim->rows = put_aside;
    return cosim;
}

static void same(int n, const double *a, const double *b)
{
    assert_true(n == 0 || memcmp(a, b, sizeof *a * (size_t)n) == 0);
}

static void same_segments(const ms_cosim *a, const ms_cosim *b)
{
    const ms_system *s = a->system;
    assert_int_equal(a->n_segments, b->n_segments);
    for (int k = 0; k < a->n_segments; k++) {
        same(s->nx, a->segment[k].start, b->segment[k].start);
        same(s->nu, a->segment[k].u, b->segment[k].u);
        same(a->n_samples * s->nx, a->segment[k].samples, b->segment[k].samples);
    }
}

static void check(const char *model, const char *settings, const char *text, bool sampled)
{
    ms_system *s = support_system(model, settings);
    ms_run_result result, expected;
    ms_cosim *in_rows = run(s, text, sampled, true, &result),
             *alone = run(s, text, sampled, false, &expected);
    assert_int_equal(result.reason, expected.reason);
    assert_int_equal(result.macro_steps, expected.macro_steps);
    if (in_rows->rows == NULL)
        fail_msg("%s: no rows", model);
    same(alone->lin_size, alone->lin, in_rows->lin);
    same(alone->aux_size, alone->aux, in_rows->aux);
    same(s->ny, alone->y_raw, in_rows->y_raw);
    same(s->nu, alone->u_left, in_rows->u_left);
    same_segments(alone, in_rows);
    for (int i = 0; i < s->n; i++) {
        const ms_instance *a = alone->instance[i], *b = in_rows->instance[i];
        same(1, &a->t, &b->t);
        same(1, &a->h, &b->h);
        assert_int_equal(a->work.micro_steps, b->work.micro_steps);
    }
    ms_cosim_destroy(&alone);
    ms_cosim_destroy(&in_rows);
    ms_system_destroy(&s);
}

static void rows_do_not_change_a_run(void **state)
{
    (void)state;
    static const char *const options[] = {
        "extrapolation-order=0",
        "extrapolation-order=1",
        "extrapolation-order=2",
        "extrapolation-order=2 smooth-coupling=c1",
        "extrapolation-order=1 outputs=corrected",
        "extrapolation-order=2 derivatives=analytic outputs=consistent",
        "extrapolation-order=1 step-size=0.07",
        "scheme=gauss-seidel extrapolation-order=0",
        "scheme=gauss-seidel extrapolation-order=1 smooth-coupling=c1",
        "scheme=gauss-seidel extrapolation-order=2 outputs=corrected",
        "extrapolation-order=1 error-controlled=richardson rtol=1e-4",
    };
    static const char *const models[][2] = {
        {"mass-spring-damper", ""}, {"mass-chain", "masses=1"}, {"mass-chain", "masses=7"},
        {"quarter-car", ""},        {"linear-pair", ""},
    };
    for (int m = 0; m < MS_COUNT(models); m++)
        for (int k = 0; k < MS_COUNT(options); k++) {
            char text[256];
            snprintf(text, sizeof text, "solver=exact stop-time=0.5 %s", options[k]);
            check(models[m][0], models[m][1], text, false);
            check(models[m][0], models[m][1], text, true);
        }
}

/* Those of equal matrices that stand side by side. */
static void rows_are_as_long_as_they_can_be(void **state)
{
    (void)state;
    static const int last[] = {1, 8, 9}; /* the ends have one neighbour */
    const ms_options options = support_options("");
    ms_system *s = support_system("mass-chain", "masses=9");
    ms_cosim *cosim = support_cosim(s, &options);
    assert_int_equal(cosim->rows->n, MS_COUNT(last));
    for (int k = 0; k < cosim->rows->n; k++)
        assert_int_equal(cosim->rows->row[k].last, last[k]);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&s);
}

/* Of a part, as ranks have it: the whole asks for the starts of macro-steps. */
static void starts_are_there_where_another_records(void **state)
{
    (void)state;
    const ms_options options = support_options("extrapolation-order=1 stop-time=1");
    ms_system *s = support_system("mass-chain", "masses=5");
    ms_cosim *cosim = support_cosim(s, &options);
    const double h = cosim->variant.step_size;
    double before[10];
    cosim->recorded_elsewhere = true;
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_cosim_step(cosim, 0.0, h), MS_OK);
    memcpy(before, cosim->x, sizeof before);
    assert_int_equal(ms_cosim_step(cosim, h, h), MS_OK);
    for (int i = 0; i < s->n; i++)
        same(2, before + 2 * i, cosim->instance[i]->x_start);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_change_a_run),
        cmocka_unit_test(rows_are_as_long_as_they_can_be),
        cmocka_unit_test(starts_are_there_where_another_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
