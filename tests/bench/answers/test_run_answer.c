/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_run_answer.c - the answer of a pair that does not fit has no spectral radius, and asks nobody whether memory lacked for one: errno may be
 * ENOMEM from before, where the C library has found memory elsewhere. */
#include <errno.h>

#include "run_answer.h"
#include "support.h"
#include "unit_test.h"

static void a_misfit_after_enomem(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const ms_options options = support_options("");
    errno = ENOMEM;
    json_t *answer = ms_run_answer_incompatible(system, &options, "it does not fit");
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "message")), "it does not fit");
    assert_true(json_is_null(json_object_get(answer, "spectral_radius")));
    json_decref(answer);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_misfit_after_enomem)};
    return cmocka_run_group_tests_name("answers of runs", tests, NULL, NULL);
}
