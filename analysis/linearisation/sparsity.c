/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/sparsity.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "variables.h"

/* Points of the detection: the given one, and others near it. */
enum { POINTS = 3 };

typedef int function(void *self, const double *v, double *value);

/* Detection ---------------------------------------------------------------------------------------------- */

/* In (-1, 1), the same sequence in every run (Steele, Lea, Flood 2014: SplitMix64). */
static double random_value(unsigned long long *seed)
{
    unsigned long long z = *seed += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

/* Marks the rows of column j that differ from the base; all of them where the function refuses. */
static void mark(int rows, int columns, int j, int refused, const double *value, const double *base,
                 bool *pattern)
{
    for (int i = 0; i < rows; i++)
        if (refused != 0 || !(value[i] == base[i]))
            pattern[(size_t)i * (size_t)columns + (size_t)j] = true;
}

/* Replaces each variable that is asked for (NULL: all) at v. memory: 2 rows. Returns false where v itself is
 * outside the domain. */
static bool vary(function *f, ms_variables *of, double *v, int rows, const bool *asked, double *memory,
                 bool *pattern, long *evaluations)
{
    double *base = memory, *value = memory + rows;
    ++*evaluations;
    if (f(of, v, base) != 0)
        return false;
    for (int j = 0; j < of->n; j++) {
        const double here = v[j];
        if (asked != NULL && !asked[j])
            continue;
        v[j] = NAN;
        mark(rows, of->n, j, f(of, v, value), value, base, pattern);
        v[j] = here + 0.01 * (of->size[j] + fabs(here));
        if (f(of, v, value) == 0)
            mark(rows, of->n, j, 0, value, base, pattern);
        v[j] = here;
        *evaluations += 2;
    }
    return true;
}

/* The pattern of one function. */
static int detect(function *f, ms_variables *of, int rows, const bool *asked, bool *pattern,
                  long *evaluations)
{
    const size_t n = (size_t)of->n;
    double *v = calloc(n + 2 * (size_t)rows + 1, sizeof *v);
    unsigned long long seed = 1;
    bool defined = rows == 0;
    MS_TRY_MEMORY(v);
    for (int point = 0; point < POINTS && rows > 0; point++) {
        for (size_t j = 0; j < n; j++)
            v[j] = of->v[j] + (point > 0 ? 0.1 * (of->size[j] + fabs(of->v[j])) * random_value(&seed) : 0.0);
        defined = vary(f, of, v, rows, asked, v + n, pattern, evaluations) || defined;
    }
    free(v);
    return defined ? MS_OK : MS_SOLVER_FAILED;
}

/* dg/du as declared; the other columns of g are detected. */
static int detect_outputs(ms_variables *of, ms_sparsity *s)
{
    const ms_subsystem *sub = of->sub;
    bool *asked = calloc((size_t)s->n + 1, sizeof *asked);
    MS_TRY_MEMORY(asked);
    for (int j = 0; j < s->n; j++)
        asked[j] = sub->feed_through == NULL || j < sub->nx || j >= sub->nx + sub->nu;
    const int status = detect(ms_variables_g, of, s->ny, asked, s->g, &s->evaluations);
    for (int j = 0; j < s->ny; j++)
        for (int k = 0; k < sub->nu && sub->feed_through != NULL; k++)
            s->g[j * s->n + sub->nx + k] = sub->feed_through[j * sub->nu + k];
    free(asked);
    return status;
}

/* Matrices ----------------------------------------------------------------------------------------------- */

static void mark_block(int rows, int columns, const double *M, int n, bool *pattern)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            pattern[i * n + j] = M[i * columns + j] != 0.0;
}

static void mark_matrices(const ms_subsystem *sub, const ms_blocks *m, ms_sparsity *s)
{
    const int nx = sub->nx, nu = sub->nu, nw = sub->nw;
    mark_block(nx, nx, m->A, s->n, s->f);
    mark_block(nx, nu, m->B, s->n, s->f + nx);
    mark_block(nx, nw, m->E, s->n, s->f + nx + nu);
    mark_block(s->ny, nx, m->C, s->n, s->g);
    mark_block(s->ny, nu, m->D, s->n, s->g + nx);
    mark_block(s->ny, nw, m->F, s->n, s->g + nx + nu);
}

/* The structure ------------------------------------------------------------------------------------------ */

int ms_sparsity_create(const ms_system *system, int i, const ms_point *at, ms_sparsity **sparsity)
{
    const ms_subsystem *sub = &system->sub[i];
    const int n = sub->nx + sub->nu + sub->nw;
    ms_variables *variables = NULL;
    ms_sparsity *s = calloc(1, sizeof *s);
    bool *pattern = calloc((size_t)(sub->nx + sub->ny) * (size_t)n + 1, sizeof *pattern);
    int status = s != NULL && pattern != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        *s = (ms_sparsity){.nx = sub->nx,
                           .ny = sub->ny,
                           .n = n,
                           .detected = sub->matrices == NULL,
                           .f = pattern,
                           .g = pattern + (size_t)sub->nx * (size_t)n};
        pattern = NULL;
        if (s->detected)
            status = ms_variables_create(system, i, at, &variables);
        else
            mark_matrices(sub, &system->blocks[i], s);
    }
    if (status == MS_OK && variables != NULL) {
        status = detect(ms_variables_f, variables, s->nx, NULL, s->f, &s->evaluations);
        MS_THEN(status, detect_outputs(variables, s));
    }
    ms_variables_destroy(&variables);
    free(pattern);
    *sparsity = s;
    if (status != MS_OK)
        ms_sparsity_destroy(sparsity);
    return status;
}

void ms_sparsity_destroy(ms_sparsity **sparsity)
{
    if (sparsity == NULL || *sparsity == NULL)
        return;
    free((*sparsity)->f); /* and g behind it */
    free(*sparsity);
    *sparsity = NULL;
}

int ms_sparsity_entries(const ms_sparsity *sparsity)
{
    int entries = 0;
    for (size_t k = 0; k < (size_t)(sparsity->nx + sparsity->ny) * (size_t)sparsity->n; k++)
        entries += sparsity->f[k];
    return entries;
}

/* Coupled models ----------------------------------------------------------------------------------------- */

/* One state's way through the model: outputs that it reaches are queued once, and inputs wired to them reach
 * derivatives and further outputs. */
typedef struct walk {
    const ms_system *system;
    ms_sparsity *const *parts;
    int *first, *next; /* readers of each output: wires by output (ny + 1), (wires): the input of each */
    int *owner;        /* (nu): the subsystem of each input */
    int *seen, *queue; /* (ny): the state that came by last, plus 1; outputs still to be followed */
    int length;
} walk;

static void reach_outputs(walk *k, int i, int column, int state)
{
    const ms_sparsity *part = k->parts[i];
    for (int j = 0; j < part->ny; j++) {
        const int output = k->system->y_at[i] + j;
        if (part->g[j * part->n + column] && k->seen[output] != state + 1) {
            k->seen[output] = state + 1;
            k->queue[k->length++] = output;
        }
    }
}

static void reach_derivatives(const walk *k, int i, int column, int state, bool *A)
{
    const ms_sparsity *part = k->parts[i];
    for (int row = 0; row < part->nx; row++)
        if (part->f[row * part->n + column])
            A[(size_t)(k->system->x_at[i] + row) * (size_t)k->system->nx + (size_t)state] = true;
}

static void follow(walk *k, int i, int column, int state, bool *A)
{
    const ms_system *s = k->system;
    k->length = 0;
    reach_derivatives(k, i, column, state, A);
    reach_outputs(k, i, column, state);
    for (int at = 0; at < k->length; at++)
        for (int wire = k->first[k->queue[at]]; wire < k->first[k->queue[at] + 1]; wire++) {
            const int input = k->next[wire], reader = k->owner[input];
            const int through = s->sub[reader].nx + input - s->u_at[reader];
            reach_derivatives(k, reader, through, state, A);
            reach_outputs(k, reader, through, state);
        }
}

/* Wires sorted by output. */
static void sort_wires(walk *k)
{
    const ms_system *s = k->system;
    const int wires = s->row_at[s->nu];
    for (int w = 0; w < wires; w++)
        k->first[s->wire_output[w] + 1]++;
    for (int j = 0; j < s->ny; j++)
        k->first[j + 1] += k->first[j];
    for (int i = 0; i < s->n; i++)
        for (int u = s->u_at[i]; u < s->u_at[i + 1]; u++) {
            k->owner[u] = i;
            for (int w = s->row_at[u]; w < s->row_at[u + 1]; w++) /* queue counts what is filled */
                k->next[k->first[s->wire_output[w]] + k->queue[s->wire_output[w]]++] = u;
        }
}

int ms_sparsity_couple(const ms_system *system, ms_sparsity *const *parts, bool *A)
{
    const ms_system *s = system;
    const size_t nx = (size_t)s->nx, ny = (size_t)s->ny, nu = (size_t)s->nu, wires = (size_t)s->row_at[s->nu];
    const bool uses_du = ms_system_reads_slopes(s);
    memset(A, uses_du, nx * nx * sizeof *A);
    if (uses_du)
        return MS_OK;
    int *memory = calloc(3 * ny + wires + nu + 2, sizeof *memory);
    MS_TRY_MEMORY(memory);
    walk k = {.system = s, .parts = parts, .first = memory, .next = memory + ny + 1};
    k.owner = k.next + wires;
    k.seen = k.owner + nu;
    k.queue = k.seen + ny;
    sort_wires(&k);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].nx; j++)
            follow(&k, i, j, s->x_at[i] + j, A);
    free(memory);
    return MS_OK;
}
