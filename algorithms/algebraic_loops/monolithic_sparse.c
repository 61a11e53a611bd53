/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic_sparse.c - the matrix of a linear model of many subsystems, by rows.
 *
 * Where there is no algebraic loop the outputs have an order in which each comes after those that it depends on,
 *
 *     y_j = C_j x + sum of D_jl g y_k over the wires k -> l of gain g,
 *
 * so that rows of y = G x follow one from the other, and those of A + B L G from them. */
#include <stdlib.h>

#include "monolithic.h"

typedef enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE } visit;

typedef struct assembly {
    const ms_system *system;
    ms_sparse *G; /* rows in the order in which they could be made */
    int *place;   /* (ny) of an output's row in it */
    visit *visited;
    int *stack; /* (ny) */
} assembly;

static int create(assembly *a, const ms_system *s)
{
    const size_t n = (size_t)s->ny + 1;
    *a = (assembly){.system = s};
    a->G = ms_sparse_create(s->ny, s->nx);
    a->place = calloc(n, sizeof *a->place);
    a->visited = calloc(n, sizeof *a->visited);
    a->stack = calloc(n, sizeof *a->stack);
    MS_TRY_MEMORY(a->G != NULL && a->place != NULL && a->visited != NULL && a->stack != NULL);
    return MS_OK;
}

static void destroy(assembly *a)
{
    ms_sparse_destroy(&a->G);
    MS_FREE(a->place, a->visited, a->stack);
}

/* The row of the block (one of C, A) of subsystem i, and that of the other (D, B) through its wires, are added. */
static void add_rows(const assembly *a, int i, const double *direct, const double *through, ms_sparse *to)
{
    const ms_system *s = a->system;
    for (int k = 0; k < s->sub[i].nx; k++)
        if (direct[k] != 0.0)
            ms_sparse_add(to, s->x_at[i] + k, direct[k]);
    for (int l = 0; l < s->sub[i].nu; l++)
        for (int w = s->row_at[s->u_at[i] + l]; through[l] != 0.0 && w < s->row_at[s->u_at[i] + l + 1]; w++)
            ms_sparse_add_row(to, through[l] * s->wire_gain[w], a->G, a->place[s->wire_output[w]]);
}

/* An output on which output j depends and which has no row yet; -1: none. */
static int missing(const assembly *a, int j)
{
    const ms_system *s = a->system;
    const int i = s->owner[j];
    const double *D = s->blocks[i].D + (j - s->y_at[i]) * s->sub[i].nu;
    for (int l = 0; l < s->sub[i].nu; l++)
        for (int w = s->row_at[s->u_at[i] + l]; D[l] != 0.0 && w < s->row_at[s->u_at[i] + l + 1]; w++)
            if (a->visited[s->wire_output[w]] != VISIT_DONE)
                return s->wire_output[w];
    return -1;
}

static void add_output(assembly *a, int j)
{
    const ms_system *s = a->system;
    const int i = s->owner[j], row = j - s->y_at[i];
    add_rows(a, i, s->blocks[i].C + row * s->sub[i].nx, s->blocks[i].D + row * s->sub[i].nu, a->G);
    a->place[j] = ms_sparse_finish_row(a->G);
    a->visited[j] = VISIT_DONE;
}

/* Adds the rows of output j and of those on which it depends. False: they form a loop. */
static bool add_outputs(assembly *a, int j)
{
    int depth = 0;
    for (int next = j; next >= 0 && a->visited[next] != VISIT_DONE;) {
        if (a->visited[next] == VISIT_OPEN)
            return false;
        a->visited[next] = VISIT_OPEN;
        a->stack[depth++] = next;
        while (depth > 0 && (next = missing(a, a->stack[depth - 1])) < 0)
            add_output(a, a->stack[--depth]);
    }
    return true;
}

static ms_sparse *assemble(assembly *a)
{
    const ms_system *s = a->system;
    for (int j = 0; j < s->ny; j++)
        if (!add_outputs(a, j))
            return NULL;
    ms_sparse *A = a->G->no_memory ? NULL : ms_sparse_create(s->nx, s->nx);
    for (int i = 0; i < s->n && A != NULL; i++)
        for (int row = 0; row < s->sub[i].nx; row++) {
            add_rows(a, i, s->blocks[i].A + row * s->sub[i].nx, s->blocks[i].B + row * s->sub[i].nu, A);
            ms_sparse_finish_row(A);
        }
    if (A != NULL && A->no_memory)
        ms_sparse_destroy(&A);
    return A;
}

ms_sparse *ms_monolithic_sparse(const ms_system *system)
{
    assembly a;
    for (int i = 0; i < system->n; i++)
        if (system->sub[i].matrices == NULL || system->sub[i].uses_du)
            return NULL;
    ms_sparse *A = create(&a, system) == MS_OK ? assemble(&a) : NULL;
    destroy(&a);
    return A;
}
