/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/digest.h>
#include "options_digest.h"
#include "support.h"
#include "unit_test.h"

static ms_digest of_options(const char *text)
{
    const ms_options options = support_options(text);
    ms_digest digest;
    ms_options_digest(&options, &digest);
    return digest;
}

static void options_count_by_value(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "step-size=0.25",
                                        "scheme=gauss-seidel",
                                        "scheme=gauss-seidel sequence=a,b",
                                        "extrapolation-order=1",
                                        "solver=rk4",
                                        "stop-time=3",
                                        "mask=a:rollback",
                                        "mask=b:rollback"};
    for (size_t i = 0; i < MS_COUNT(texts); i++)
        for (size_t k = 0; k < MS_COUNT(texts); k++) {
            const ms_digest a = of_options(texts[i]), b = of_options(texts[k]);
            assert_int_equal(ms_digest_same(&a, &b), i == k);
        }
    const ms_digest given = of_options("extrapolation-order=0"), none = of_options("");
    assert_true(ms_digest_same(&given, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_count_by_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
