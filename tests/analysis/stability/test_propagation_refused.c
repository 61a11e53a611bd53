/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_refused.c - what a line says where there is no propagation matrix for want of a linear micro-solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propagation.h"
#include "solver_registry.h"
#include "support.h"

/* All that have one are named, as "a, b and c have one", and no other. */
static void the_solvers_that_have_one_are_named(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "");
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
        const ms_options options = support_options_of("solver=%s", (*solver)->name);
        ms_error error = {""};
        const int status = ms_propagation_exists(system, &options, &error);
        assert_int_equal(status == MS_OK, (*solver)->linear_map);
        if (status == MS_OK)
            continue;
        const char *names = strstr(error.text, "; ");
        assert_non_null(names);
        assert_non_null(strstr(names, " have one"));
        for (const ms_solver *const *other = ms_solvers; *other != NULL; other++)
            assert_int_equal(strstr(names, (*other)->name) != NULL, (*other)->linear_map);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solvers_that_have_one_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
