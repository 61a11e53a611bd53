/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/compression.h>

#include <string.h>

#include <macrostep/status.h>

static bool has_entry(const ms_compression *c, int i, int j)
{
    return c->pattern == NULL || c->pattern[(size_t)i * (size_t)c->columns + (size_t)j];
}

/* Entries of row i. */
static int count_row(const ms_compression *c, int i)
{
    int count = 0;
    for (int j = 0; j < c->columns; j++)
        count += has_entry(c, i, j);
    return count;
}

static bool is_empty(const ms_compression *c, int j)
{
    for (int i = 0; i < c->rows; i++)
        if (has_entry(c, i, j))
            return false;
    return true;
}

/* Takes column j into the group if no row of it is taken yet. */
static bool join(const ms_compression *c, int j, int group, int *taken)
{
    for (int i = 0; i < c->rows; i++)
        if (taken[i] == group + 1 && has_entry(c, i, j))
            return false;
    for (int i = 0; i < c->rows; i++)
        if (has_entry(c, i, j))
            taken[i] = group + 1;
    return true;
}

/* taken (rows, zero): 1 + the last group that has an entry in that row. */
static void fill_groups(ms_compression *c, int *taken)
{
    enum { LEFT = -2 };
    int left = 0;
    for (int j = 0; j < c->columns; j++) {
        c->group[j] = c->rows == 0 || is_empty(c, j) ? -1 : LEFT;
        left += c->group[j] == LEFT;
    }
    for (; left > 0; c->groups++)
        for (int j = 0; j < c->columns; j++)
            if (c->group[j] == LEFT && join(c, j, c->groups, taken)) {
                c->group[j] = c->groups;
                left--;
            }
}

int ms_compression_create(int rows, int columns, const bool *pattern, ms_compression **compression)
{
    ms_compression *c = calloc(1, sizeof *c);
    int *taken = calloc((size_t)rows + 1, sizeof *taken);
    int *group = calloc((size_t)columns + 1, sizeof *group);
    *compression = c;
    if (c == NULL || taken == NULL || group == NULL) {
        MS_FREE(c, taken, group);
        *compression = NULL;
        return MS_NO_MEMORY;
    }
    *c = (ms_compression){.rows = rows, .columns = columns, .pattern = pattern, .group = group};
    fill_groups(c, taken);
    for (int i = 0; i < rows; i++) {
        const int entries = count_row(c, i);
        c->bound = entries > c->bound ? entries : c->bound;
    }
    free(taken);
    return MS_OK;
}

void ms_compression_destroy(ms_compression **compression)
{
    if (compression == NULL || *compression == NULL)
        return;
    MS_FREE((*compression)->group, *compression);
    *compression = NULL;
}

long ms_compression_cost(const ms_compression *compression, ms_differences differences)
{
    const long groups = compression->groups;
    return differences == MS_DIFFERENCES_CENTRAL ? 2 * groups : groups + (groups > 0);
}

/* Differences -------------------------------------------------------------------------------------------- */

static double step_of(ms_differences differences, double size)
{
    static const double share[] = {[MS_DIFFERENCES_FORWARD] = 1.4901161193847656e-08,  /* 2^-26 */
                                   [MS_DIFFERENCES_CENTRAL] = 6.0554544523933429e-06}; /* 2^(-52/3) */
    return share[differences] * size;
}

/* v with the variables of the group moved by sign steps. */
static void move_group(const ms_compression *c, int group, ms_differences differences, double sign,
                       const double *from, const double *size, double *v)
{
    for (int j = 0; j < c->columns; j++)
        v[j] = c->group[j] == group ? from[j] + sign * step_of(differences, size[j]) : from[j];
}

/* Entries of the group's columns: the difference of the values over the distance of the points. */
static void scatter(const ms_compression *c, int group, const double *up, const double *down,
                    const double *above, const double *below, double *M)
{
    for (int j = 0; j < c->columns; j++)
        for (int i = 0; i < c->rows && c->group[j] == group; i++)
            if (has_entry(c, i, j))
                M[(size_t)i * (size_t)c->columns + (size_t)j] = (above[i] - below[i]) / (up[j] - down[j]);
}

int ms_compression_differentiate(const ms_compression *compression, ms_differences differences,
                                 ms_vector_function *function, void *self, double *v, const double *size,
                                 double *M, long *evaluations)
{
    const ms_compression *c = compression;
    const size_t rows = (size_t)c->rows, columns = (size_t)c->columns;
    double *memory = calloc(2 * rows + 2 * columns + 1, sizeof *memory);
    MS_TRY_MEMORY(memory);
    double *above = memory, *below = above + rows, *up = below + rows, *down = up + columns;
    memset(M, 0, sizeof *M * rows * columns);
    memcpy(down, v, sizeof *v * columns);
    int failed = 0;
    if (differences == MS_DIFFERENCES_FORWARD && c->groups > 0)
        failed = function(self, v, below);
    for (int group = 0; group < c->groups && failed == 0; group++) {
        move_group(c, group, differences, 1.0, v, size, up);
        failed = function(self, up, above);
        if (differences == MS_DIFFERENCES_CENTRAL && failed == 0) {
            move_group(c, group, differences, -1.0, v, size, down);
            failed = function(self, down, below);
        }
        if (failed == 0)
            scatter(c, group, up, down, above, below, M);
    }
    if (evaluations != NULL)
        *evaluations += ms_compression_cost(c, differences);
    free(memory);
    return failed == 0 ? MS_OK : MS_SOLVER_FAILED;
}

int ms_compression_collect(const ms_compression *compression, ms_vector_function *directional, void *self,
                           double *M, long *evaluations)
{
    const ms_compression *c = compression;
    const size_t rows = (size_t)c->rows, columns = (size_t)c->columns;
    double *value = calloc(rows + columns + 1, sizeof *value);
    MS_TRY_MEMORY(value);
    double *seed = value + rows;
    memset(M, 0, sizeof *M * rows * columns);
    int failed = 0;
    for (int group = 0; group < c->groups && failed == 0; group++) {
        for (int j = 0; j < c->columns; j++)
            seed[j] = c->group[j] == group ? 1.0 : 0.0;
        failed = directional(self, seed, value);
        for (int j = 0; j < c->columns && failed == 0; j++)
            for (int i = 0; i < c->rows && c->group[j] == group; i++)
                if (has_entry(c, i, j))
                    M[(size_t)i * columns + (size_t)j] = value[i];
    }
    if (evaluations != NULL)
        *evaluations += c->groups;
    free(value);
    return failed == 0 ? MS_OK : MS_SOLVER_FAILED;
}
