/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sundials_memory.h - vectors and matrices of SUNDIALS whose clones never fail. N_VClone and SUNMatClone (6.4.1)
 * write into the result of the clone operation before checking it for NULL. Here a spare vector replaces clones for
 * which there is no memory, and `refused` is set: a solver that may hold it is not used. */
#pragma once

#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <sundials/sundials_context.h>
#include <sunmatrix/sunmatrix_dense.h>

/* Stays where it is as long as there are vectors of it. */
typedef struct ms_sundials_memory {
    SUNContext context;
    int n;
    N_Vector spare; /* (n) */
    bool refused;   /* a clone was */
} ms_sundials_memory;

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both, once all vectors are gone, and destroys the context. */
int ms_sundials_memory_create(ms_sundials_memory *memory, int n);
void ms_sundials_memory_destroy(ms_sundials_memory *memory);

/* A vector (n) of numbers of its own, or (not NULL) of those at `values`; NULL: no memory. To be destroyed by N_VDestroy. */
N_Vector ms_sundials_vector(ms_sundials_memory *memory, double *values);

/* A dense matrix (n x n) with its first clone allocated in advance; NULL: no memory. Freed by SUNMatDestroy, and
 * the clone by its owner. */
SUNMatrix ms_sundials_matrix(const ms_sundials_memory *memory);
