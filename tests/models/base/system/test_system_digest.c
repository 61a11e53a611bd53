/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_system_digest.c - systems that are made alike have the same digest, and no two others. */
#include <macrostep/catalogue.h>
#include <macrostep/series.h>
#include "support.h"
#include "system_digest.h"
#include "unit_test.h"

static ms_digest digest_of(const ms_system *system)
{
    ms_digest digest;
    assert_int_equal(ms_system_digest(system, &digest), MS_OK);
    return digest;
}

static ms_digest digest_with(const char *model, const char *settings)
{
    ms_system *system = support_system(model, settings);
    const ms_digest digest = digest_of(system);
    ms_system_destroy(&system);
    return digest;
}

static void parameters_count_to_the_last_bit(void **state)
{
    (void)state;
    static const char *const settings[] = {NULL, "kc=20000", "kc=15000.000000000002", "mw=41", "road=0.2"};
    for (size_t i = 0; i < MS_COUNT(settings); i++)
        for (size_t k = 0; k < MS_COUNT(settings); k++) {
            const ms_digest a = digest_with("quarter-car", settings[i]),
                            b = digest_with("quarter-car", settings[k]);
            assert_int_equal(ms_digest_same(&a, &b), i == k);
        }
}

static void models_of_the_catalogue_differ(void **state)
{
    (void)state;
    for (int i = 0; ms_catalogue[i] != NULL; i++) {
        ms_system *system = support_system_of(ms_catalogue[i]);
        const ms_digest own = digest_of(system);
        for (int k = 0; k < i; k++) {
            ms_system *other = support_system_of(ms_catalogue[k]);
            const ms_digest others = digest_of(other);
            assert_false(ms_digest_same(&own, &others));
            ms_system_destroy(&other);
        }
        ms_system_destroy(&system);
    }
}

static void rows_of_inputs_count(void **state)
{
    (void)state;
    const char *const name = "*.w.road";
    ms_series *series = NULL;
    ms_system *system = support_system("quarter-car", NULL);
    const ms_digest without = digest_of(system);
    assert_int_equal(ms_series_create(1, &name, 2, &series, NULL), MS_OK);
    series->time[1] = 100.0;
    assert_int_equal(ms_system_bind_inputs(system, series, NULL), MS_OK);
    const ms_digest before = digest_of(system);
    series->value[1] = 1e-300;
    const ms_digest after = digest_of(system);
    assert_false(ms_digest_same(&without, &before));
    assert_false(ms_digest_same(&before, &after));
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_count_to_the_last_bit),
                                       cmocka_unit_test(models_of_the_catalogue_differ),
                                       cmocka_unit_test(rows_of_inputs_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
