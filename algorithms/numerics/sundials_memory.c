/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sundials_memory.h"

#include <macrostep/status.h>

/* Contents that begin as SUNDIALS' own do, so that its operations work on them. */
typedef struct vector_content {
    struct _N_VectorContent_Serial serial; /* owns no numbers: they come after it, or are the caller's */
    ms_sundials_memory *memory;
    double values[];
} vector_content;

typedef struct matrix_content {
    struct _SUNMatrixContent_Dense dense;
    SUNMatrix clone; /* NULL: given away */
} matrix_content;

/* Vectors ------------------------------------------------------------------------------------------------ */

/* A vector with the operations of another one; NULL: no memory. */
static N_Vector vector_like(N_Vector other, ms_sundials_memory *memory, double *values)
{
    const size_t own = values == NULL ? (size_t)memory->n : 0;
    N_Vector v = N_VNewEmpty(memory->context);
    vector_content *content = v != NULL ? malloc(sizeof *content + sizeof(double) * own) : NULL;
    if (content == NULL || N_VCopyOps(other, v) != 0) {
        free(content);
        N_VFreeEmpty(v);
        return NULL;
    }
    content->serial =
        (struct _N_VectorContent_Serial){memory->n, SUNFALSE, own > 0 ? content->values : values};
    content->memory = memory;
    v->content = content;
    v->ops->nvdestroy = N_VDestroy_Serial;
    return v;
}

static N_Vector clone_vector(N_Vector v)
{
    ms_sundials_memory *memory = ((vector_content *)v->content)->memory;
    N_Vector clone = vector_like(v, memory, NULL);
    if (clone == NULL) {
        memory->refused = true;
        clone = memory->spare;
    }
    return clone;
}

static void keep(N_Vector v)
{
    (void)v;
}

N_Vector ms_sundials_vector(ms_sundials_memory *memory, double *values)
{
    return vector_like(memory->spare, memory, values);
}

int ms_sundials_memory_create(ms_sundials_memory *memory, int n)
{
    *memory = (ms_sundials_memory){.n = n};
    if (SUNContext_Create(NULL, &memory->context) != 0) {
        memory->context = NULL;
        return MS_NO_MEMORY;
    }
    N_Vector serial = N_VNewEmpty_Serial(n, memory->context);
    memory->spare = serial != NULL ? vector_like(serial, memory, NULL) : NULL;
    if (serial != NULL)
        N_VDestroy(serial);
    MS_TRY_MEMORY(memory->spare);
    memory->spare->ops->nvclone = clone_vector;
    memory->spare->ops->nvdestroy = keep;
    return MS_OK;
}

void ms_sundials_memory_destroy(ms_sundials_memory *memory)
{
    if (memory->spare != NULL)
        N_VDestroy_Serial(memory->spare);
    if (memory->context != NULL)
        SUNContext_Free(&memory->context);
    *memory = (ms_sundials_memory){0};
}

/* Matrices ----------------------------------------------------------------------------------------------- */

static SUNMatrix clone_matrix(SUNMatrix matrix)
{
    matrix_content *content = matrix->content;
    SUNMatrix clone = content->clone;
    content->clone = NULL;
    return clone != NULL ? clone : SUNMatClone_Dense(matrix);
}

static void destroy_matrix(SUNMatrix matrix)
{
    const matrix_content *content = matrix->content;
    if (content->clone != NULL)
        SUNMatDestroy_Dense(content->clone);
    SUNMatDestroy_Dense(matrix);
}

SUNMatrix ms_sundials_matrix(const ms_sundials_memory *memory)
{
    SUNMatrix matrix = SUNDenseMatrix(memory->n, memory->n, memory->context);
    SUNMatrix clone = matrix != NULL ? SUNMatClone_Dense(matrix) : NULL;
    matrix_content *content = clone != NULL ? malloc(sizeof *content) : NULL;
    if (content == NULL) {
        if (clone != NULL)
            SUNMatDestroy(clone);
        if (matrix != NULL)
            SUNMatDestroy(matrix);
        return NULL;
    }
    content->dense = *(struct _SUNMatrixContent_Dense *)matrix->content;
    content->clone = clone;
    free(matrix->content);
    matrix->content = content;
    matrix->ops->clone = clone_matrix;
    matrix->ops->destroy = destroy_matrix;
    return matrix;
}
