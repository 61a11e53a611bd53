/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON values of numbers, names and rows; without memory they are NULL, whichever allocation fails. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "unit_test.h"

/* Is the value that text? Both are freed. */
static void same(json_t *value, const char *text)
{
    json_t *expected = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(expected);
    assert_true(json_equal(value, expected));
    json_decref(value);
    json_decref(expected);
}

static void numbers_that_are_none_are_null(void **state)
{
    (void)state;
    same(ms_json_real(0.5), "0.5");
    same(ms_json_real(NAN), "null");
    same(ms_json_of_vector(3, (const double[]){1.5, INFINITY, -2.5}), "[1.5, null, -2.5]");
    same(ms_json_of_vector(0, NULL), "[]");
}

static void matrices_stand_by_rows(void **state)
{
    static const double M[] = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5};
    (void)state;
    same(ms_json_of_matrix(2, 3, 3, M), "[[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]]");
    same(ms_json_of_matrix(2, 2, 3, M + 1), "[[2.5, 3.5], [5.5, 6.5]]"); /* a block */
    same(ms_json_of_matrix(0, 3, 3, M), "[]");
    same(ms_json_of_pairs(3, M), "[[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]]");
}

static void a_path_leads_through_objects_and_arrays(void **state)
{
    (void)state;
    json_t *value = json_loads("{\"rows\": [{\"n\": 1}, {\"n\": 2, \"held\": [3, 4]}], \"n\": 5}", 0, NULL);
    char name[80];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(json_integer_value(ms_json_at(value, "n")), 5);
    assert_int_equal(json_integer_value(ms_json_at(value, "rows.0.n")), 1);
    assert_int_equal(json_integer_value(ms_json_at(value, "rows.1.held.1")), 4);
    assert_ptr_equal(ms_json_at(value, ""), value);
    assert_null(ms_json_at(value, "rows.2"));
    assert_null(ms_json_at(value, "n.0"));
    assert_null(ms_json_at(value, name)); /* longer than any */
    assert_null(ms_json_at(NULL, "n"));
    json_decref(value);
}

static void names_may_have_a_prefix(void **state)
{
    static const ms_variable variables[] = {{.name = "x"}, {.name = "v"}};
    (void)state;
    same(ms_json_names(2, variables, NULL), "[\"x\", \"v\"]");
    same(ms_json_names(2, variables, "mass"), "[\"mass.x\", \"mass.v\"]");
}

static void what_is_missing_takes_the_rest_with_it(void **state)
{
    json_t *array = json_array(), *object = json_object();
    (void)state;
    ms_json_append(&array, json_integer(1));
    ms_json_append(&array, NULL);
    assert_null(array);
    ms_json_append(&array, json_integer(2)); /* freed */
    assert_null(array);
    ms_json_set(&object, "a", json_integer(1));
    ms_json_join(&object, json_pack("{s:i}", "b", 2));
    same(json_incref(object), "{\"a\": 1, \"b\": 2}");
    ms_json_join(&object, NULL);
    assert_null(object);
    array = json_pack("[i]", 1);
    ms_json_join(&array, json_pack("[i, i]", 2, 3));
    same(array, "[1, 2, 3]");
}

static void members_are_named_in_one_text(void **state)
{
    json_t *kept = json_string("kept"), *none = NULL;
    const char *no_text = NULL;
    (void)state;
    same(ms_json_object("a:s b:i c:l d:I e:f f:r g:r h:b i:n j:o k:O", "x", -1, 2L, (json_int_t)3, 0.5, 1.5,
                        (double)INFINITY, true, json_integer(4), kept),
         "{\"a\": \"x\", \"b\": -1, \"c\": 2, \"d\": 3, \"e\": 0.5, \"f\": 1.5, \"g\": null, \"h\": true, "
         "\"i\": null, \"j\": 4, \"k\": \"kept\"}");
    assert_int_equal(kept->refcount, 1);
    same(ms_json_object("a:s? b:s* c:o? d:O* e:s*", no_text, no_text, none, none, "there"),
         "{\"a\": null, \"c\": null, \"e\": \"there\"}");
    assert_null(ms_json_object("a:s b:O c:i", no_text, kept, 1)); /* and what was given is released */
    assert_null(ms_json_object("a:O b:o", kept, none));
    assert_int_equal(kept->refcount, 1);
    json_decref(kept);
}

/* Allocations -------------------------------------------------------------------------------------------- */

static long allowed, alive;

static void *allocate(size_t size)
{
    if (allowed-- <= 0)
        return NULL;
    alive++;
    return malloc(size);
}

static void release(void *block)
{
    alive -= block != NULL;
    free(block);
}

static json_t *make_all(void)
{
    static const double M[] = {1, 2, 3, 4, 5, 6};
    static const ms_variable variables[] = {{.name = "x"}, {.name = "v"}};
    json_t *all = json_object();
    ms_json_set(&all, "matrix", ms_json_of_matrix(2, 3, 3, M));
    ms_json_set(&all, "names", ms_json_names(2, variables, NULL));
    ms_json_join(&all, ms_json_object("text:s", "t"));
    return all;
}

static void without_memory_there_is_nothing(void **state)
{
    json_t *value = NULL;
    int failures = 0;
    (void)state;
    json_set_alloc_funcs(allocate, release);
    for (long most = 0; value == NULL && most < 1000; most++) {
        allowed = most;
        value = make_all();
        failures += value == NULL;
        if (value == NULL)
            assert_int_equal(alive, 0);
    }
    assert_true(failures > 20);
    assert_int_equal(json_array_size(json_object_get(value, "matrix")), 2);
    assert_int_equal(json_object_size(value), 3);
    json_decref(value);
    json_set_alloc_funcs(malloc, free);
    assert_int_equal(alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_none_are_null),
        cmocka_unit_test(matrices_stand_by_rows),
        cmocka_unit_test(a_path_leads_through_objects_and_arrays),
        cmocka_unit_test(names_may_have_a_prefix),
        cmocka_unit_test(what_is_missing_takes_the_rest_with_it),
        cmocka_unit_test(members_are_named_in_one_text),
        cmocka_unit_test(without_memory_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
