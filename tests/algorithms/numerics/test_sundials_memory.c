/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sundials_memory.c - vectors and matrices of SUNDIALS where there is no memory for them or their clones. */

#include <macrostep/status.h>
#include "allocations.h"
#include "sundials_memory.h"
#include "unit_test.h"

enum { N = 3, MANY = 100 };

/* 1, 2, 3 times a factor. */
static void fill(N_Vector v, double factor)
{
    for (int i = 0; i < N; i++)
        N_VGetArrayPointer(v)[i] = factor * (i + 1);
}

static void clones_are_vectors_of_their_own(void **state)
{
    (void)state;
    double values[N];
    ms_sundials_memory memory;
    assert_int_equal(ms_sundials_memory_create(&memory, N), MS_OK);
    N_Vector view = ms_sundials_vector(&memory, values), clone = N_VClone(view), second = N_VClone(clone);
    fill(clone, 1.0);
    fill(second, 10.0);
    N_VLinearSum(2.0, clone, 1.0, second, view);
    for (int i = 0; i < N; i++)
        assert_true(values[i] == 12.0 * (i + 1));
    assert_int_equal(N_VGetLength(second), N);
    assert_false(memory.refused);
    N_VDestroy(second);
    N_VDestroy(clone);
    N_VDestroy(view);
    ms_sundials_memory_destroy(&memory);
}

static void a_refused_clone_is_a_vector_and_known(void **state)
{
    (void)state;
    int refusals = 0;
    ms_sundials_memory memory;
    assert_int_equal(ms_sundials_memory_create(&memory, N), MS_OK);
    N_Vector v = ms_sundials_vector(&memory, NULL);
    for (long n = 1; n < MANY; n++) {
        memory.refused = false;
        ms_allocations_refuse(n);
        N_Vector clone = N_VClone(v), second = N_VClone(clone);
        ms_allocations_refuse(0);
        assert_non_null(clone);
        assert_non_null(second);
        fill(clone, 1.0);
        N_VScale(2.0, clone, second);
        refusals += memory.refused;
        N_VDestroy(second);
        N_VDestroy(clone);
    }
    assert_true(refusals >= 4); /* a vector is two objects at least */
    N_VDestroy(v);
    ms_sundials_memory_destroy(&memory);
}

static void vectors_and_matrices_are_there_or_not(void **state)
{
    (void)state;
    int vectors = 0, matrices = 0;
    ms_sundials_memory memory;
    assert_int_equal(ms_sundials_memory_create(&memory, N), MS_OK);
    for (long n = 1; n < MANY; n++) {
        ms_allocations_refuse(n);
        N_Vector v = ms_sundials_vector(&memory, NULL);
        ms_allocations_refuse(n);
        SUNMatrix matrix = ms_sundials_matrix(&memory);
        ms_allocations_refuse(0);
        vectors += v == NULL;
        matrices += matrix == NULL;
        if (v != NULL)
            N_VDestroy(v);
        if (matrix != NULL)
            SUNMatDestroy(matrix);
    }
    assert_in_range(vectors, 2, MANY / 2);
    assert_in_range(matrices, 4, MANY / 2);
    ms_sundials_memory_destroy(&memory);
}

static void the_first_clone_of_a_matrix_takes_no_memory(void **state)
{
    (void)state;
    ms_sundials_memory memory;
    assert_int_equal(ms_sundials_memory_create(&memory, N), MS_OK);
    SUNMatrix matrix = ms_sundials_matrix(&memory);
    SM_ELEMENT_D(matrix, 1, 2) = 7.0;
    ms_allocations_refuse(1);
    SUNMatrix clone = SUNMatClone(matrix);
    ms_allocations_refuse(0);
    assert_non_null(clone);
    assert_int_equal(SUNMatCopy(matrix, clone), 0);
    assert_true(SM_ELEMENT_D(clone, 1, 2) == 7.0);
    SUNMatrix second = SUNMatClone(matrix);
    assert_non_null(second);
    SUNMatDestroy(second);
    SUNMatDestroy(matrix);
    SUNMatDestroy(clone);
    ms_sundials_memory_destroy(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clones_are_vectors_of_their_own),
        cmocka_unit_test(a_refused_clone_is_a_vector_and_known),
        cmocka_unit_test(vectors_and_matrices_are_there_or_not),
        cmocka_unit_test(the_first_clone_of_a_matrix_takes_no_memory),
    };
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
