/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_random.c - properties of the explicit family on random linear systems of 2 to 5 subsystems:
 * with and without feed-through, singular A, static subsystems, unconnected inputs, inputs of several
 * wires. The seed is fixed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

enum { SYSTEMS = 200, SUBSYSTEMS = 5, SIZE = 3, STATES = SUBSYSTEMS * SIZE, TEXT = 16384 };

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < TEXT - length);
}

/* "name": [[..], ..] with entries in [-scale, scale], a share of which is zero. */
static void append_matrix(char *text, const char *name, int rows, int columns, double scale, double share,
                          unsigned long long *seed)
{
    append(text, ", \"%s\": [", name);
    for (int i = 0; i < rows && columns > 0; i++) {
        append(text, "%s[", i > 0 ? ", " : "");
        for (int j = 0; j < columns; j++) {
            const bool zero = 0.5 * (support_random(seed) + 1.0) < share;
            append(text, "%s%.17g", j > 0 ? ", " : "", zero ? 0.0 : scale * support_random(seed));
        }
        append(text, "]");
    }
    append(text, "]");
}

/* A system as the text of a JSON file. */
static void write_system(char *text, unsigned long long *seed)
{
    const int n = 2 + support_random_below(seed, SUBSYSTEMS - 1);
    const double feed_through = support_random_below(seed, 3) == 0 ? 0.0 : 0.4; /* a third has none */
    const double singular =
        support_random_below(seed, 3) == 0 ? 1.0 : 0.3; /* a third consists of integrators */
    int nu = 0, ny = 0;
    text[0] = '\0';
    append(text, "{\"subsystems\": [");
    for (int i = 0; i < n; i++) {
        const int x = support_random_below(seed, SIZE + 1), u = 1 + support_random_below(seed, SIZE),
                  y = 1 + support_random_below(seed, SIZE);
        append(text, "%s{\"name\": \"s%d\"", i > 0 ? ", " : "", i);
        append_matrix(text, "A", x, x, 1.0, singular, seed);
        append_matrix(text, "B", x, u, 1.0, 0.2, seed);
        append_matrix(text, "C", x > 0 ? y : 0, x, 1.0, 0.2, seed);
        append_matrix(text, "D", y, u, feed_through, 0.3, seed);
        append(text, ", \"x0\": [");
        for (int j = 0; j < x; j++)
            append(text, "%s%.17g", j > 0 ? ", " : "", support_random(seed));
        append(text, "]}");
        nu += u;
        ny += y;
    }
    append(text, "]");
    append_matrix(text, "L", nu, ny, 0.8, 0.75, seed);
    append(text, ", \"end\": 1, \"step_size\": 0.0625}");
}

typedef struct random_system {
    ms_model *model;
    ms_system *system;
} random_system;

/* The next random system; a loop without a solution is no error, but does not count. */
static random_system random_system_next(unsigned long long *seed)
{
    random_system s = {0};
    char line[256];
    char *text = malloc(TEXT);
    assert_non_null(text);
    for (bool usable = false; !usable;) {
        write_system(text, seed);
        s.model = support_model_read(text);
        s.system = support_system_of(s.model);
        const ms_options options = support_options("");
        usable = support_refusal(s.system, &options, line, sizeof line) == MS_OK;
        if (!usable) {
            assert_non_null(strstr(line, "det(I - D L)"));
            ms_system_destroy(&s.system);
            ms_model_destroy(&s.model);
        }
    }
    free(text);
    return s;
}

static void random_system_drop(random_system *s)
{
    ms_system_destroy(&s->system);
    ms_model_destroy(&s->model);
}

/* Final states and outputs of a variant with given outputs; both within SUBSYSTEMS * SIZE. */
static void final(const ms_system *system, const char *text, const char *more, double *x, double *y)
{
    ms_options options = support_options(text);
    support_options_add(&options, more);
    support_finish(system, &options, x, y);
}

static void every_variant_steps_and_corrected_is_consistent(void **state)
{
    (void)state;
    unsigned long long seed = 31;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        random_system s = random_system_next(&seed);
        support_variant variant;
        for (int k = 0; support_variant_at(k, &variant); k++) {
            double x[STATES], y[STATES], x_corrected[STATES], y_corrected[STATES];
            final(s.system, variant.text, "stop-time=0.5", x, y);
            for (int j = 0; j < s.system->nx; j++)
                assert_true(isfinite(x[j]));
            if (variant.outputs != MS_OUTPUTS_CONSISTENT || variant.analytic)
                continue;
            final(s.system, variant.text, "stop-time=0.5 outputs=corrected", x_corrected, y_corrected);
            const double off = fmax(support_distance(s.system->nx, x_corrected, x),
                                    support_distance(s.system->ny, y_corrected, y));
            if (!(off <= 1e-10))
                fail_msg("system %d, %s: corrected is off by %g", n, variant.text, off);
        }
        random_system_drop(&s);
    }
}

static void variants_converge_to_the_monolithic_solution(void **state)
{
    (void)state;
    unsigned long long seed = 32;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        random_system s = random_system_next(&seed);
        double reference[STATES], x[STATES];
        support_variant variant;
        support_reference(s.system, 1.0, reference);
        for (int k = n % 7; support_variant_at(k, &variant); k += 7) {
            if (variant.outputs == MS_OUTPUTS_INCONSISTENT)
                continue;
            double error[2];
            for (int fine = 0; fine < 2; fine++) {
                final(s.system, variant.text, fine ? "step-size=0.00390625" : "step-size=0.015625", x, NULL);
                error[fine] = support_distance(s.system->nx, x, reference);
            }
            /* a quarter of the step: at least 2.5 times less, where neither is round-off */
            if (!(error[1] <= fmax(0.4 * error[0], 1e-12) && error[1] < 0.1))
                fail_msg("system %d, %s: error %g after %g", n, variant.text, error[1], error[0]);
        }
        random_system_drop(&s);
    }
}

static void subsystems_stand_in_any_order(void **state)
{
    (void)state;
    unsigned long long seed = 33;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        random_system s = random_system_next(&seed);
        const int count = s.system->n;
        int order[SUBSYSTEMS];
        for (int i = 0; i < count; i++)
            order[i] = count - 1 - i;
        ms_system *reversed = support_permuted(s.system, order);
        support_variant variant;
        for (int k = 0; support_variant_at(k, &variant) && !variant.gauss_seidel; k += 2) {
            double x[STATES], x_reversed[STATES];
            final(s.system, variant.text, "stop-time=0.25", x, NULL);
            final(reversed, variant.text, "stop-time=0.25", x_reversed, NULL);
            for (int i = 0; i < count; i++) {
                const int at = s.system->x_at[i], there = reversed->x_at[count - 1 - i];
                if (!(support_distance(s.system->sub[i].nx, x + at, x_reversed + there) <= 1e-10))
                    fail_msg("system %d, %s: the order of subsystems matters", n, variant.text);
            }
        }
        ms_system_destroy(&reversed);
        random_system_drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_steps_and_corrected_is_consistent),
                                       cmocka_unit_test(variants_converge_to_the_monolithic_solution),
                                       cmocka_unit_test(subsystems_stand_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
