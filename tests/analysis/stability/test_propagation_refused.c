/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_refused.c - what a line says where there is no propagation matrix for want of a linear micro-solver, or of a
 * scheme that is as linear as it says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "propagation_extreme.h"
#include "support.h"
#include "unit_test.h"

/* Is it a word of the text, and no part of one? */
static bool names_it(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name))
        if (at[-1] == ' ' && strchr(" ,", at[length]) != NULL)
            return true;
    return false;
}

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
            assert_int_equal(names_it(names, (*other)->name), (*other)->linear_map);
    }
    ms_system_destroy(&system);
}

/* Jacobi's macro-steps, behind which the velocity of the chassis is positive. */
static int step_crookedly(ms_cosim *cosim, double t, double h)
{
    const int status = ms_scheme_find("jacobi")->step(cosim, t, h);
    cosim->x[1] = fabs(cosim->x[1]);
    return status;
}

static void a_scheme_that_is_not_linear_is_found_out(void **state)
{
    (void)state;
    static ms_scheme crooked;
    ms_system *system = support_system("quarter-car", "");
    crooked = *ms_scheme_find("jacobi");
    crooked.name = "crooked";
    crooked.step = step_crookedly;
    assert_int_equal(ms_scheme_add(&crooked, NULL), MS_OK);
    for (int k = 0; k < 2; k++) {
        static const char *const line =
            "scheme crooked does not update its memory linearly: it has no propagation matrix";
        const char *name = k == 0 ? "crooked" : "jacobi";
        const ms_options options = support_options_of("scheme=%s", name);
        ms_propagation_extreme extreme;
        ms_error error = {""};
        double *psi;
        int n;
        const int expected = k == 0 ? MS_UNSUPPORTED : MS_OK;
        assert_int_equal(ms_propagation_probe(system, &options, 0.01, &n, &psi, &error), expected);
        assert_string_equal(k == 0 ? error.text : line, line);
        assert_true((psi == NULL) == (k == 0));
        free(psi);
        error.text[0] = '\0';
        const ms_arnoldi_request request = ms_propagation_extreme_request(system->nx + system->ny, 1);
        const int status = ms_propagation_extreme_create(system, &options, 0.01, &request, &extreme, &error);
        assert_int_equal(status, expected);
        assert_string_equal(k == 0 ? error.text : line, line);
        if (status == MS_OK)
            ms_propagation_extreme_destroy(&extreme);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solvers_that_have_one_are_named),
        cmocka_unit_test(a_scheme_that_is_not_linear_is_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
