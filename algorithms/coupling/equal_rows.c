/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "equal_rows.h"

#include <stdlib.h>

#include "matrix.h"
#include "structure.h"

/* Is its macro-step just x = E x + G c, y = C x + D u? */
static bool is_plain(const ms_instance *instance)
{
    return instance->driven && instance->closed == instance->blocks && instance->n_laws == 0 &&
           instance->hold == NULL && instance->solver->map != NULL;
}

/* Does subsystem i belong to the row of the one before it? Solver data are lent between equal matrices. Subsystems that step one after
 * another have a row each. */
static bool goes_on(const ms_cosim *cosim, int i)
{
    if (i == 0 || cosim->scheme->sequential)
        return false;
    const ms_instance *before = cosim->instance[i - 1], *instance = cosim->instance[i];
    const bool plain = is_plain(instance);
    return plain == is_plain(before) &&
           (!plain || (instance->solver == before->solver && instance->solver_data == before->solver_data));
}

static void begin(const ms_cosim *cosim, int i, ms_equal_row *row)
{
    ms_instance *head = cosim->instance[i];
    const ms_subsystem *sub = head->sub;
    *row = (ms_equal_row){.first = i, .head = head};
    if (!is_plain(head))
        return;
    row->nx = sub->nx;
    row->nu = sub->nu;
    row->ny = sub->ny;
    row->fed = head->feeds_through ? sub->nu : 0;
    row->room = ms_input_size(&head->input);
    row->C = head->blocks->C;
    row->D = head->blocks->D;
    row->x = head->x;
    row->c = head->input.c;
    row->u = cosim->u_left + cosim->system->u_at[i];
    row->y = cosim->y_raw + cosim->system->y_at[i];
}

int ms_equal_rows_create(ms_cosim *cosim)
{
    size_t n = 0, plain = 0;
    for (int i = 0; i < cosim->own; i++) {
        n += !goes_on(cosim, i);
        plain += is_plain(cosim->instance[i]);
    }
    if (!cosim->alike || cosim->reading != MS_READING_LEFT || plain == 0)
        return MS_OK;
    struct ms_equal_rows *rows = ms_structure_alloc(&cosim->memory, 1, sizeof *rows + n * sizeof *rows->row);
    MS_TRY_MEMORY(rows);
    for (int i = 0; i < cosim->own; i++) {
        if (!goes_on(cosim, i))
            begin(cosim, i, &rows->row[rows->n++]);
        rows->row[rows->n - 1].last = i + 1;
        rows->row[rows->n - 1].rows = rows;
    }
    rows->degree = -1;
    rows->nx = cosim->system->nx;
    cosim->rows = rows;
    return MS_OK;
}

/* Observers ------------------------------------------------------------------------------------------------ */

static void forget(struct ms_equal_rows *rows)
{
    MS_FREE(rows->start, rows->row[0].map);
    rows->start = NULL;
    for (int k = 0; k < rows->n; k++) {
        rows->row[k].start = NULL;
        rows->row[k].map = NULL;
    }
}

void ms_equal_rows_destroy(ms_cosim *cosim)
{
    if (cosim->rows != NULL)
        forget(cosim->rows);
}

int ms_equal_rows_observe(ms_cosim *cosim)
{
    struct ms_equal_rows *rows = cosim->rows;
    if (rows == NULL)
        return MS_OK;
    ms_equal_rows_settle(cosim);
    forget(rows);
    const size_t n = (size_t)cosim->n_samples, nx = (size_t)rows->nx;
    rows->start = calloc(nx + 1, sizeof *rows->start);
    ms_row_map *map = calloc((size_t)rows->n * n + 1, sizeof *map);
    rows->row[0].map = map;
    MS_TRY_MEMORY(rows->start != NULL && map != NULL);
    rows->n_samples = (int)n;
    for (int k = 0; k < rows->n; k++) {
        ms_equal_row *row = &rows->row[k];
        row->start = rows->start + cosim->system->x_at[row->first];
        row->map = map + (size_t)k * n;
    }
    return MS_OK;
}

void ms_equal_row_inputs(const ms_equal_row *row, double *u)
{
    const int nu = row->nu;
    const double *c = row->c;
    for (int i = row->first; i < row->last; i++, u += nu, c += row->room)
        for (int j = 0; j < nu; j++) {
            double sum = 0.0;
            for (int k = row->degree; k >= 0; k--) /* Horner's, as ms_input_evaluate */
                sum = sum * 0.0 + c[k * nu + j];
            u[j] = sum;
        }
}

/* Macro-steps ---------------------------------------------------------------------------------------------- */

/* u(h), as ms_input_left has it. */
static inline __attribute__((always_inline)) void left_limits(int n, int degree, double length,
                                                              const double *restrict c, double *restrict u)
{
    for (int i = 0; i < n; i++) {
        double sum = c[degree * n + i];
        for (int k = degree - 1; k >= 0; k--)
            sum = sum * length + c[k * n + i];
        u[i] = sum;
    }
}

/* Those of the row, or numbers that the compiler knows. */
typedef struct shape {
    int nx, nu, ny, fed, degree;
} shape;

/* next (nx): scratch. */
static inline __attribute__((always_inline)) void advance(const ms_equal_row *row, shape of,
                                                          double *restrict next)
{
    double *restrict x = row->x, *restrict u = row->u, *restrict y = row->y;
    const double *restrict c = row->c, *const C = row->C, *const D = row->D, *const E = row->E,
                           *const G = row->G, length = row->length;
    const int nx = of.nx, nu = of.nu, room = row->room;
    for (int k = row->last - row->first; k > 0; k--, x += nx, c += room, u += nu, y += of.ny) {
        ms_matrix_two(nx, nx, E, x, (of.degree + 1) * nu, G, c, next); /* x = E x + G c */
        for (int j = 0; j < nx; j++)
            x[j] = next[j];
        left_limits(nu, of.degree, length, c, u);
        ms_matrix_two(of.ny, nx, C, x, of.fed, D, u, y); /* y = C x + D u- */
    }
}

static void advance_any(const ms_equal_row *row)
{
    advance(row, (shape){row->nx, row->nu, row->ny, row->fed, row->degree}, row->head->x_start);
}

/* The most frequent shapes: two states, two outputs, and the given numbers of inputs, of fed inputs and degree. */
#define ADVANCE_TWO(nu, degree, fed)                                                                         \
    static void advance_##nu##degree##fed(const ms_equal_row *row)                                           \
    {                                                                                                        \
        double next[2];                                                                                      \
        advance(row, (shape){2, nu, 2, fed, degree}, next);                                                  \
    }
ADVANCE_TWO(2, 0, 0)
ADVANCE_TWO(2, 0, 2)
ADVANCE_TWO(2, 1, 0)
ADVANCE_TWO(2, 1, 2)
ADVANCE_TWO(2, 2, 0)
ADVANCE_TWO(2, 2, 2)
ADVANCE_TWO(4, 0, 0)
ADVANCE_TWO(4, 1, 0)
ADVANCE_TWO(4, 2, 0)

typedef void advance_row(const ms_equal_row *row);

static advance_row *loop_of(const ms_equal_row *row)
{
    static advance_row *const two[][2] = {
        {advance_200, advance_202}, {advance_210, advance_212}, {advance_220, advance_222}};
    static advance_row *const four[] = {advance_400, advance_410, advance_420};
    if (row->nx != 2 || row->ny != 2 || row->degree >= MS_COUNT(four))
        return advance_any;
    if (row->nu == 2)
        return two[row->degree][row->fed > 0];
    return row->nu == 4 && row->fed == 0 ? four[row->degree] : advance_any;
}

void ms_equal_row_samples(const ms_equal_row *row, const double *start, double *samples)
{
    const struct ms_equal_rows *rows = row->rows;
    const int n = row->last - row->first, nx = row->nx, columns = (row->degree + 1) * row->nu;
    for (int k = 0; k < rows->n_samples; k++, samples += rows->nx) {
        const ms_row_map *map = &row->map[k];
        const double *x = start, *c = row->c;
        double *to = samples;
        for (int i = 0; i < n; i++, x += nx, c += row->room, to += nx)
            ms_matrix_two(nx, nx, map->E, x, columns, map->G, c, to);
    }
}

/* Maps to samples. A solver stores a limited number of maps: false if it has replaced an earlier one by a later one. */
static bool set_sample_maps(const ms_cosim *cosim, ms_equal_row *row)
{
    const struct ms_equal_rows *rows = cosim->rows;
    bool stand = true;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < rows->n_samples && row->start != NULL; k++) {
            ms_row_map map = {NULL, NULL};
            stand &= row->head->solver->map(row->head, cosim->sample_at[k] * rows->h, rows->degree, &map.E,
                                            &map.G);
            stand &= pass == 0 || (map.E == row->map[k].E && map.G == row->map[k].G);
            row->map[k] = map;
        }
    return stand;
}

static void set_maps(const ms_cosim *cosim, ms_equal_row *row)
{
    const struct ms_equal_rows *rows = cosim->rows;
    ms_instance *head = row->head;
    ms_row_map end = {NULL, NULL};
    row->degree = rows->degree;
    row->length = rows->length;
    const bool mapped = is_plain(head) && head->input.pieces == 1 && head->port_work == NULL &&
                        head->n_places == (row->start != NULL ? rows->n_samples : 0) &&
                        head->solver->map(head, rows->h, rows->degree, &row->E, &row->G) &&
                        set_sample_maps(cosim, row) &&
                        head->solver->map(head, rows->h, rows->degree, &end.E, &end.G);
    row->advance = mapped && end.E == row->E ? loop_of(row) : NULL;
}

void ms_equal_rows_set_maps(ms_cosim *cosim, double h)
{
    struct ms_equal_rows *rows = cosim->rows;
    const ms_input *input = &rows->row[0].head->input;
    ms_equal_rows_settle(cosim);
    rows->h = h;
    rows->length = input->end[0];
    rows->degree = input->degree;
    for (int k = 0; k < rows->n; k++)
        set_maps(cosim, &rows->row[k]);
    rows->recorded = rows->start != NULL;
}

void ms_equal_rows_settle(ms_cosim *cosim)
{
    struct ms_equal_rows *rows = cosim->rows;
    if (rows == NULL)
        return;
    for (int k = 0; k < rows->n && rows->steps > 0; k++) {
        const ms_equal_row *row = &rows->row[k];
        for (int i = row->first; i < row->last && row->advance != NULL; i++) {
            cosim->instance[i]->t = rows->t;
            cosim->instance[i]->h = rows->h;
            cosim->instance[i]->work.micro_steps += rows->steps;
        }
    }
    rows->steps = 0;
    rows->degree = -1;
    rows->recorded = false;
}
