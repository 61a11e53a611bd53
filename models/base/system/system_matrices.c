/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_matrices.c - the matrices of linear subsystems; those that are equal are stored once. */
#include "system_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Doubles of all blocks together. */
static size_t blocks_size(const ms_subsystem *sub)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    return (nx + ny) * (nx + nu + nw);
}

/* The blocks of a subsystem from `next` on, one behind the other. */
static ms_blocks blocks_at(const ms_subsystem *sub, double *next)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    ms_blocks m = {.A = next};
    m.B = m.A + nx * nx;
    m.C = m.B + nx * nu;
    m.D = m.C + ny * nx;
    m.E = m.D + ny * nu;
    m.F = m.E + nx * nw;
    return m;
}

static uint64_t hash_of(size_t n, const double *v)
{
    uint64_t hash = n, bits;
    for (size_t k = 0; k < n; k++) {
        memcpy(&bits, &v[k], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool same_matrices(const ms_system *system, int i, int k)
{
    const ms_subsystem *a = &system->sub[i], *b = &system->sub[k];
    return a->nx == b->nx && a->nu == b->nu && a->ny == b->ny && a->nw == b->nw &&
           memcmp(system->blocks[i].A, system->blocks[k].A, sizeof(double) * blocks_size(a)) == 0;
}

/* The first subsystem with the matrices of i, or i itself, which is then added to the table: entries are indices
 * plus 1, 0 if empty, mask + 1 of them. */
static int find_equal(const ms_system *system, int i, int *table, size_t mask)
{
    size_t at = (size_t)hash_of(blocks_size(&system->sub[i]), system->blocks[i].A) & mask;
    while (table[at] != 0 && !same_matrices(system, i, table[at] - 1))
        at = (at + 1) & mask;
    if (table[at] == 0)
        table[at] = i + 1;
    return table[at] - 1;
}

/* Names the first entry that is not finite, as of a division by a parameter that is 0. */
static int check(const ms_system *system, int i, ms_error *error)
{
    const ms_subsystem *sub = &system->sub[i];
    const ms_blocks *m = &system->blocks[i];
    const double *const block[] = {m->A, m->B, m->C, m->D, m->E, m->F};
    const int columns[] = {sub->nx, sub->nu, sub->nx, sub->nu, sub->nw, sub->nw};
    for (int b = 0; b < 6; b++) {
        const bool output = b == 2 || b == 3 || b == 5;
        for (int k = 0; k < (output ? sub->ny : sub->nx) * columns[b]; k++) {
            const int row = k / columns[b];
            if (!isfinite(block[b][k]))
                return ms_fail(
                    error, MS_INVALID,
                    "subsystem %s: %s %s is not finite with these parameters: entry (%d, %d) of %c is %g",
                    sub->name, output ? "output" : "the derivative of",
                    output ? sub->y[row].name : sub->x[row].name, row + 1, k % columns[b] + 1, "ABCDEF"[b],
                    block[b][k]);
        }
    }
    return MS_OK;
}

/* The matrices in `given` as those of subsystem i, or the equal ones of an earlier one. `given` is zeroed again. */
static int keep(ms_system *system, int i, double *given, int *table, size_t mask, ms_error *error)
{
    const ms_subsystem *sub = &system->sub[i];
    const size_t size = blocks_size(sub);
    system->blocks[i] = blocks_at(sub, given);
    system->equal_to[i] = find_equal(system, i, table, mask);
    if (system->equal_to[i] == i) {
        double *kept = ms_structure_alloc(&system->structure, size + 1, sizeof *kept);
        MS_TRY_MEMORY_FOR(kept != NULL, error, "the matrices of model %s", system->model->name);
        MS_TRY(check(system, i, error));
        memcpy(kept, given, sizeof *kept * size);
        system->blocks[i] = blocks_at(sub, kept);
    } else {
        system->blocks[i] = system->blocks[system->equal_to[i]];
    }
    memset(given, 0, sizeof *given * size);
    return MS_OK;
}

/* scratch: room for the matrices of any one, zeroed. Returns MS_OK, MS_INVALID or MS_NO_MEMORY. */
static int fill(ms_system *system, double *scratch, int *table, size_t mask, ms_error *error)
{
    int status = MS_OK;
    for (int i = 0; i < system->n && status == MS_OK; i++) {
        const ms_subsystem *sub = &system->sub[i];
        system->equal_to[i] = i;
        if (sub->matrices == NULL)
            continue;
        const ms_blocks given = blocks_at(sub, scratch);
        sub->matrices(ms_subsystem_parameters(system, sub), sub->data, &given);
        status = keep(system, i, scratch, table, mask, error);
    }
    return status;
}

int ms_system_fill_matrices(ms_system *system, ms_error *error)
{
    ms_structure *structure = &system->structure;
    const size_t n = (size_t)system->n;
    size_t size = 0, entries = 2;
    system->linear = true;
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        if (sub->matrices != NULL && blocks_size(sub) > size)
            size = blocks_size(sub);
        system->linear &= sub->stepper != NULL ? sub->stepper->set_states != NULL
                                               : sub->matrices != NULL && !ms_subsystem_jumps(sub);
    }
    while (entries < 2 * n)
        entries *= 2;
    double *scratch = calloc(size + 1, sizeof *scratch);
    int *table = calloc(entries, sizeof *table);
    system->blocks = ms_structure_alloc(structure, n + 1, sizeof *system->blocks);
    system->equal_to = ms_structure_alloc(structure, n + 1, sizeof *system->equal_to);
    const int status = scratch != NULL && table != NULL && system->blocks != NULL && system->equal_to != NULL
                           ? fill(system, scratch, table, entries - 1, error)
                           : ms_fail(error, MS_NO_MEMORY, "not enough memory for the matrices of model %s",
                                     system->model->name);
    MS_FREE(table, scratch);
    return status;
}
