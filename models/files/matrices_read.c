/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrices_read.c - a linear subsystem of a system file: x' = A x + B u + E w, y = C x + D u + F w. */
#include <limits.h>
#include <string.h>

#include "file_model.h"

enum { A, B, C, D, E, F, BLOCKS };
static const char *const block_names[] = {"A", "B", "C", "D", "E", "F"};

enum { CHUNK = 32 };

typedef struct matrices_data {
    ms_file_data common;
    ms_json_matrix m[BLOCKS];
    const ms_expressions *entries; /* NULL: all are numbers */
    size_t *at;                    /* (n) entry of a block times BLOCKS, plus the block */
    int n;
} matrices_data;

/* A non-finite value is kept; users of the system detect it. */
static void fill(const double *p, const void *self, const ms_blocks *block)
{
    const matrices_data *data = self;
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p};
    double *const to[] = {block->A, block->B, block->C, block->D, block->E, block->F};
    double value[CHUNK];
    for (int i = 0; i < BLOCKS; i++)
        if (data->m[i].value != NULL && data->m[i].rows * data->m[i].columns > 0)
            memcpy(to[i], data->m[i].value, data->m[i].rows * data->m[i].columns * sizeof(double));
    for (int first = 0; first < data->n; first += CHUNK) {
        const int n = data->n - first < CHUNK ? data->n - first : CHUNK;
        ms_expressions_evaluate_some(data->entries, first, n, of, value);
        for (int k = 0; k < n; k++)
            to[data->at[first + k] % BLOCKS][data->at[first + k] / BLOCKS] = value[k];
    }
}

/* Shapes ------------------------------------------------------------------------------------------------- */

static size_t entries_of(const ms_json_matrix *m)
{
    return m->rows * m->columns;
}

/* Reads A, B, C, D and checks their shapes. Sizes follow from A (nx), B (nu) and C (ny), and from D if
 * those are empty because there is no state; E and F have a column for each external input. */
static int read_blocks(ms_structure *owner, const json_t *object, const ms_json_place *at, size_t nw,
                       ms_json_matrix m[BLOCKS], ms_error *error)
{
    bool required = true;
    for (int i = 0; i < BLOCKS; i++) {
        MS_TRY(ms_json_read_matrix(owner, object, block_names[i], required, at, &m[i], error));
        if (i == C || entries_of(&m[A]) == 0)
            required = false;
    }
    const size_t nx = entries_of(&m[A]) == 0 ? 0 : m[A].rows;
    const size_t nu = m[B].rows > 0 || m[D].rows == 0 ? m[B].columns : m[D].columns;
    const size_t ny = m[C].rows > 0 || m[D].rows == 0 ? m[C].rows : m[D].rows;
    const size_t shape[BLOCKS][2] = {{nx, nx}, {nx, nu}, {ny, nx}, {ny, nu}, {nx, nw}, {ny, nw}};
    for (int i = D; i < BLOCKS; i++)
        if (json_object_get(object, block_names[i]) == NULL)
            m[i] = (ms_json_matrix){.rows = shape[i][0], .columns = shape[i][1]};
    for (int i = 0; i < BLOCKS; i++)
        MS_TRY(ms_json_shape(&m[i], block_names[i], shape[i][0], shape[i][1], at, error));
    return MS_OK;
}

/* Expressions -------------------------------------------------------------------------------------------- */

static int count_expressions(const ms_json_matrix m[BLOCKS])
{
    int n = 0;
    for (int i = 0; i < BLOCKS; i++)
        for (size_t k = 0; m[i].text != NULL && k < entries_of(&m[i]); k++)
            n += m[i].text[k] != NULL;
    return n;
}

static int read_expressions(ms_file_model *file, const ms_json_place *at, matrices_data *data,
                            ms_error *error)
{
    ms_structure *owner = &file->structure;
    const int n = count_expressions(data->m);
    ms_expression_text *text = ms_structure_alloc(owner, (size_t)n + 1, sizeof *text);
    data->at = ms_structure_alloc(owner, (size_t)n + 1, sizeof *data->at);
    MS_TRY_MEMORY_OR(text != NULL && data->at != NULL, ms_json_no_memory(at, error));
    for (int i = 0; i < BLOCKS; i++)
        for (size_t k = 0; data->m[i].text != NULL && k < entries_of(&data->m[i]); k++) {
            if (data->m[i].text[k] == NULL)
                continue;
            const size_t columns = data->m[i].columns;
            text[data->n] =
                (ms_expression_text){data->m[i].text[k],
                                     ms_structure_name(owner, "row %zu, column %zu of %s", k / columns + 1,
                                                       k % columns + 1, block_names[i]),
                                     NULL};
            MS_TRY_MEMORY_OR(text[data->n].what != NULL, ms_json_no_memory(at, error));
            data->at[data->n++] = k * BLOCKS + (size_t)i;
        }
    int status = n > 0 ? ms_file_expressions(file, NULL, n, text, false, at, &data->entries, error) : MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        if (ms_expressions_read(data->entries, k, MS_NAMES_TIME, 0))
            status =
                ms_json_fail(at, error, "%s: matrices do not depend on t; external inputs may", text[k].what);
    return status;
}

/* Subsystem ---------------------------------------------------------------------------------------------- */

/* The names prefix1 .. prefixN. */
static const ms_variable *number_variables(ms_structure *owner, const char *prefix, int n)
{
    ms_variable *variables = ms_structure_alloc(owner, (size_t)n + 1, sizeof *variables);
    for (int i = 0; variables != NULL && i < n; i++) {
        variables[i] = (ms_variable){ms_structure_name(owner, "%s%d", prefix, i + 1), "1"};
        if (variables[i].name == NULL)
            return NULL;
    }
    return variables;
}

static int describe(ms_file_model *file, matrices_data *data, const ms_json_place *at, ms_subsystem *sub,
                    ms_error *error)
{
    ms_structure *owner = &file->structure;
    const ms_json_matrix *m = data->m;
    if (m[A].rows > INT_MAX / 4 || m[D].rows > INT_MAX / 4 || m[D].columns > INT_MAX / 4)
        return ms_json_no_memory(at, error);
    sub->nx = (int)m[A].rows;
    sub->nu = (int)m[D].columns;
    sub->ny = (int)m[D].rows;
    sub->x = number_variables(owner, "x", sub->nx);
    sub->u = number_variables(owner, "u", sub->nu);
    sub->y = number_variables(owner, "y", sub->ny);
    sub->matrices = fill;
    sub->data = data;
    return sub->x != NULL && sub->u != NULL && sub->y != NULL ? MS_OK : ms_json_no_memory(at, error);
}

/* Nominal values of states: positive numbers, or none. */
static int read_nominal(ms_structure *owner, const json_t *object, size_t n, const ms_json_place *at,
                        ms_subsystem *sub, ms_error *error)
{
    ms_json_matrix nominal;
    if (json_object_get(object, "nominal") == NULL)
        return MS_OK;
    MS_TRY(ms_json_vector(owner, object, "nominal", n, at, &nominal, error));
    for (size_t k = 0; k < n; k++)
        if (nominal.text != NULL || !(nominal.value[k] > 0.0))
            return ms_json_fail(at, error, "nominal is not a list of positive numbers");
    sub->x_nominal = nominal.value;
    return MS_OK;
}

int ms_file_read_matrices(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                          ms_error *error)
{
    static const char *const members[] = {"name", "A",  "B",       "C",        "D",      "E",
                                          "F",    "x0", "nominal", "external", "energy", "ports"};
    ms_structure *owner = &file->structure;
    matrices_data *data = ms_structure_alloc(owner, 1, sizeof *data);
    ms_json_matrix x0;
    MS_TRY_MEMORY_OR(data != NULL, ms_json_no_memory(at, error));
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), at, error));
    MS_TRY(ms_file_read_external(file, object, at, sub, &data->common, error));
    MS_TRY(read_blocks(owner, object, at, (size_t)sub->nw, data->m, error));
    MS_TRY(ms_json_vector(owner, object, "x0", data->m[A].rows, at, &x0, error));
    MS_TRY(read_nominal(owner, object, data->m[A].rows, at, sub, error));
    MS_TRY(read_expressions(file, at, data, error));
    MS_TRY(describe(file, data, at, sub, error));
    MS_TRY(ms_file_read_start(file, &x0, at, sub, &data->common, error));
    MS_TRY(ms_file_find_switches(file, 0, NULL, at, sub, &data->common, error));
    MS_TRY(ms_file_read_energy(file, object, at, sub, &data->common, error));
    return ms_file_read_ports(file, object, at, sub, error);
}
