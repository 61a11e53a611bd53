/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory.c - an answer that has lost a member for want of memory is known to have. */

#include "allocations.h"
#include "memory.h"

#include <jansson.h>

#include "unit_test.h"

static json_t *build(void)
{
    json_t *object = json_object();
    json_object_set_new(object, "one", json_real(1.0));
    json_object_set_new(object, "two", json_pack("{s:s, s:[i, i]}", "name", "x", "rows", 1, 2));
    return object;
}

/* Whatever is refused: the object is whole, or that is known. Once known it stays so. */
static void what_is_lost_is_known(void **state)
{
    (void)state;
    json_t *whole = build();
    assert_false(ms_memory_refused());
    bool lost = false;
    for (long n = 60; n >= 1; n--) { /* from where nothing is lost */
        ms_allocations_refuse(n);
        json_t *object = build();
        ms_allocations_refuse(0);
        lost = lost || !json_equal(object, whole);
        assert_true(!lost || ms_memory_refused());
        json_decref(object);
    }
    assert_true(lost);
    json_decref(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lost_is_known),
    };
    ms_allocations_install();
    ms_memory_watch();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
