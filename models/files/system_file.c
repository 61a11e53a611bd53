/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_file.c - a linear system from a JSON file:
 *
 *     {"subsystems": [{"name": "s1", "A": [[..]], "B": [[..]], "C": [[..]], "D": [[..]], "x0": [..]}, ..],
 *      "L": [[..]], "end": 10, "step_size": 0.01}
 *
 * Matrices are lists of rows; A is nx x nx, B nx x nu, C ny x nx, D ny x nu, L (all inputs) x (all outputs)
 * in the order of the subsystems. A matrix without entries may be written [], whatever its shape. With an
 * empty A the subsystem is static and may leave out B and C. May be missing: name (s1, s2, ..), x0 and D
 * (zero), end (10 s), step_size (0.01 s), and a "name" of the whole (the file's name). Instead of L:
 * "wires": [[input, output, gain], ..] with indices that count from 0 over all inputs and all outputs. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "json_read.h"
#include "structure.h"
#include "system.h"
#include "system_file.h"

/* What ms_model_read hands out: the model first, so that a pointer to it is one to the whole. */
typedef struct file_model {
    ms_model model;
    ms_structure structure;
    ms_case only_case;
} file_model;

/* Subsystems --------------------------------------------------------------------------------------------- */

static void matrices(const double *p, const void *data, const ms_blocks *block)
{
    (void)p;
    const ms_json_matrix *m = data; /* A, B, C, D */
    double *const to[] = {block->A, block->B, block->C, block->D};
    for (int i = 0; i < 4; i++)
        if (m[i].value != NULL && m[i].rows * m[i].columns > 0)
            memcpy(to[i], m[i].value, m[i].rows * m[i].columns * sizeof(double));
}

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

static int read_name(ms_structure *owner, const json_t *object, size_t index, ms_json_place *at,
                     ms_error *error)
{
    const json_t *name = json_object_get(object, "name");
    at->name = name == NULL
                   ? ms_structure_name(owner, "s%zu", index + 1)
                   : ms_structure_name(owner, "%s", json_is_string(name) ? json_string_value(name) : "");
    if (at->name == NULL)
        return ms_json_no_memory(at, error);
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (at->name[0] == '\0' || at->name[strspn(at->name, allowed)] != '\0')
        return ms_fail(error, MS_INVALID,
                       "%s: name of subsystem %zu: letters, digits, '-' and '_' are expected", at->path,
                       index + 1);
    return MS_OK;
}

/* A, B, C, D with shapes that fit each other. Sizes come from A (nx), B (nu) and C (ny), and from D where
 * those are empty because there is no state. */
static int read_blocks(ms_structure *owner, const json_t *object, const ms_json_place *at,
                       ms_json_matrix m[4], ms_error *error)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    bool required = true;
    for (int i = 0; i < 4; i++) {
        const int status = ms_json_read_matrix(owner, object, names[i], required, at, &m[i], error);
        if (status != MS_OK)
            return status;
        if (i == 2 || m[0].rows * m[0].columns == 0)
            required = false;
    }
    const size_t nx = m[0].rows * m[0].columns == 0 ? 0 : m[0].rows;
    const size_t nu = m[1].rows > 0 || m[3].rows == 0 ? m[1].columns : m[3].columns;
    const size_t ny = m[2].rows > 0 || m[3].rows == 0 ? m[2].rows : m[3].rows;
    const size_t shape[4][2] = {{nx, nx}, {nx, nu}, {ny, nx}, {ny, nu}};
    if (json_object_get(object, "D") == NULL)
        m[3] = (ms_json_matrix){.rows = ny, .columns = nu};
    for (int i = 0; i < 4; i++) {
        const int status = ms_json_shape(&m[i], names[i], shape[i][0], shape[i][1], at, error);
        if (status != MS_OK)
            return status;
    }
    return MS_OK;
}

static int read_subsystem(file_model *file, json_t *object, size_t index, const char *path, ms_subsystem *sub,
                          ms_error *error)
{
    static const char *const members[] = {"name", "A", "B", "C", "D", "x0"};
    ms_structure *owner = &file->structure;
    ms_json_place at = {path, NULL};
    if (!json_is_object(object))
        return ms_fail(error, MS_INVALID, "%s: subsystem %zu is not an object with A, B, C", path, index + 1);
    ms_json_matrix *m = ms_structure_alloc(owner, 4, sizeof *m);
    if (m == NULL)
        return ms_json_no_memory(&at, error);
    int status = read_name(owner, object, index, &at, error);
    if (status == MS_OK)
        status = ms_json_members(object, members, MS_COUNT(members), &at, error);
    if (status == MS_OK)
        status = read_blocks(owner, object, &at, m, error);
    if (status == MS_OK)
        status = ms_json_vector(owner, object, "x0", m[0].rows, &at, &sub->x0, error);
    if (status != MS_OK)
        return status;
    if (m[0].rows > INT_MAX / 4 || m[3].rows > INT_MAX / 4 || m[3].columns > INT_MAX / 4)
        return ms_json_no_memory(&at, error);
    sub->name = at.name;
    sub->nx = (int)m[0].rows;
    sub->nu = (int)m[3].columns;
    sub->ny = (int)m[3].rows;
    sub->x = number_variables(owner, "x", sub->nx);
    sub->u = number_variables(owner, "u", sub->nu);
    sub->y = number_variables(owner, "y", sub->ny);
    sub->matrices = matrices;
    sub->data = m;
    return sub->x != NULL && sub->u != NULL && sub->y != NULL ? MS_OK : ms_json_no_memory(&at, error);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *first = a, *const *second = b;
    return strcmp(*first, *second);
}

static int check_unique(file_model *file, const char *path, ms_error *error)
{
    const int n = file->structure.n_subsystems;
    const char **names = ms_structure_alloc(&file->structure, (size_t)n, sizeof *names);
    if (names == NULL)
        return ms_json_no_memory(&(ms_json_place){path, NULL}, error);
    for (int i = 0; i < n; i++)
        names[i] = file->structure.subsystems[i].name;
    qsort(names, (size_t)n, sizeof *names, compare_names);
    for (int i = 1; i < n; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return ms_fail(error, MS_INVALID, "%s: two subsystems have the name %s", path, names[i]);
    return MS_OK;
}

static int read_subsystems(file_model *file, const json_t *root, const char *path, ms_error *error)
{
    const json_t *list = json_object_get(root, "subsystems");
    const size_t n = json_array_size(list);
    if (n == 0 || n > INT_MAX / 4)
        return ms_fail(error, MS_INVALID, "%s: subsystems is not a list of at least one subsystem", path);
    ms_structure *s = &file->structure;
    s->subsystems = ms_structure_alloc(s, n, sizeof *s->subsystems);
    if (s->subsystems == NULL)
        return ms_json_no_memory(&(ms_json_place){path, NULL}, error);
    s->n_subsystems = (int)n;
    for (size_t i = 0; i < n; i++) {
        const int status = read_subsystem(file, json_array_get(list, i), i, path, &s->subsystems[i], error);
        if (status != MS_OK)
            return status;
    }
    return check_unique(file, path, error);
}

/* Wires -------------------------------------------------------------------------------------------------- */

/* Where the input or output with a number over all subsystems belongs; first[i] is that of subsystem i. */
static int owner_of(const int *first, int n, int number)
{
    int low = 0, high = n; /* first[low] <= number < first[high] */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

typedef struct numbering {
    int n;
    int *first_u, *first_y; /* (n + 1) */
} numbering;

static int number_all(file_model *file, const ms_json_place *at, numbering *all, ms_error *error)
{
    const ms_structure *s = &file->structure;
    const size_t n = (size_t)s->n_subsystems;
    all->n = s->n_subsystems;
    all->first_u = ms_structure_alloc(&file->structure, n + 1, sizeof *all->first_u);
    all->first_y = ms_structure_alloc(&file->structure, n + 1, sizeof *all->first_y);
    if (all->first_u == NULL || all->first_y == NULL)
        return ms_json_no_memory(at, error);
    for (size_t i = 0; i < n; i++) {
        const ms_subsystem *sub = &s->subsystems[i];
        if (sub->nu > INT_MAX - all->first_u[i] || sub->ny > INT_MAX - all->first_y[i])
            return ms_json_no_memory(at, error);
        all->first_u[i + 1] = all->first_u[i] + sub->nu;
        all->first_y[i + 1] = all->first_y[i] + sub->ny;
    }
    return MS_OK;
}

static void add_wire(ms_structure *s, const numbering *all, int input, int output, double gain)
{
    const int to = owner_of(all->first_u, all->n, input), from = owner_of(all->first_y, all->n, output);
    s->wires[s->n_wires++] = (ms_wire){to, input - all->first_u[to], from, output - all->first_y[from], gain};
}

static int wires_from_matrix(file_model *file, const json_t *root, const numbering *all,
                             const ms_json_place *at, ms_error *error)
{
    ms_structure *s = &file->structure;
    const size_t nu = (size_t)all->first_u[all->n], ny = (size_t)all->first_y[all->n];
    ms_json_matrix L;
    int status = ms_json_read_matrix(s, root, "L", true, at, &L, error);
    if (status == MS_OK)
        status = ms_json_shape(&L, "L", nu, ny, at, error);
    if (status != MS_OK)
        return status;
    size_t count = 0;
    for (size_t k = 0; k < nu * ny; k++)
        count += L.value[k] != 0.0;
    s->wires = count <= INT_MAX ? ms_structure_alloc(s, count, sizeof *s->wires) : NULL;
    if (s->wires == NULL)
        return ms_json_no_memory(at, error);
    for (size_t k = 0; k < nu * ny; k++)
        if (L.value[k] != 0.0)
            add_wire(s, all, (int)(k / ny), (int)(k % ny), L.value[k]);
    return MS_OK;
}

static int wires_from_list(file_model *file, const json_t *list, const numbering *all,
                           const ms_json_place *at, ms_error *error)
{
    ms_structure *s = &file->structure;
    const size_t n = json_array_size(list);
    const int nu = all->first_u[all->n], ny = all->first_y[all->n];
    s->wires = json_is_array(list) && n <= INT_MAX ? ms_structure_alloc(s, n, sizeof *s->wires) : NULL;
    if (s->wires == NULL)
        return json_is_array(list) ? ms_json_no_memory(at, error)
                                   : ms_fail(error, MS_INVALID, "%s: wires is not a list", at->path);
    for (size_t i = 0; i < n; i++) {
        const json_t *wire = json_array_get(list, i);
        const json_t *input = json_array_get(wire, 0), *output = json_array_get(wire, 1),
                     *gain = json_array_get(wire, 2);
        if (json_array_size(wire) != 3 || !json_is_integer(input) || !json_is_integer(output) ||
            !json_is_number(gain))
            return ms_fail(error, MS_INVALID, "%s: wires[%zu] is not of the form [input, output, gain]",
                           at->path, i);
        const json_int_t to = json_integer_value(input), from = json_integer_value(output);
        if (to < 0 || to >= nu)
            return ms_fail(error, MS_INVALID,
                           "%s: wires[%zu]: there is no input %" JSON_INTEGER_FORMAT
                           " among %d, counted from 0",
                           at->path, i, to, nu);
        if (from < 0 || from >= ny)
            return ms_fail(error, MS_INVALID,
                           "%s: wires[%zu]: there is no output %" JSON_INTEGER_FORMAT
                           " among %d, counted from 0",
                           at->path, i, from, ny);
        add_wire(s, all, (int)to, (int)from, json_number_value(gain));
    }
    return MS_OK;
}

static int read_wires(file_model *file, const json_t *root, const ms_json_place *at, ms_error *error)
{
    const json_t *list = json_object_get(root, "wires");
    const bool dense = json_object_get(root, "L") != NULL;
    if (list != NULL && dense)
        return ms_fail(error, MS_INVALID, "%s: L and wires both say the coupling; one of them is expected",
                       at->path);
    numbering all;
    const int status = number_all(file, at, &all, error);
    if (status != MS_OK)
        return status;
    if (list == NULL && !dense)
        return ms_fail(error, MS_INVALID, "%s: matrix L is missing: %d x %d, or wires, is expected", at->path,
                       all.first_u[all.n], all.first_y[all.n]);
    return list != NULL ? wires_from_list(file, list, &all, at, error)
                        : wires_from_matrix(file, root, &all, at, error);
}

/* Files -------------------------------------------------------------------------------------------------- */

static int load(const char *path, json_t **root, ms_error *error)
{
    json_error_t why;
    errno = 0;
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    *root = json_loadf(stream, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    const int failed = ferror(stream) ? errno : 0;
    fclose(stream);
    if (failed != 0) {
        json_decref(*root);
        *root = NULL;
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(failed));
    }
    if (*root == NULL)
        return ms_fail(error, MS_INVALID, "%s: line %d, column %d: %s", path, why.line, why.column, why.text);
    return MS_OK;
}

/* The name that the file gives, or the file's name without folder and ending. */
static const char *model_name(ms_structure *owner, const json_t *name, const char *path)
{
    const char *given = json_string_value(name);
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const int length = dot != NULL && dot != file ? (int)(dot - file) : (int)strlen(file);
    return given != NULL ? ms_structure_name(owner, "%s", given)
                         : ms_structure_name(owner, "%.*s", length, file);
}

static int read_model(file_model *file, json_t *root, const char *path, ms_error *error)
{
    static const char *const members[] = {"name", "subsystems", "L", "wires", "end", "step_size"};
    const ms_json_place at = {path, NULL};
    ms_model *model = &file->model;
    const json_t *name = json_object_get(root, "name");
    if (!json_is_object(root))
        return ms_fail(error, MS_INVALID, "%s: an object with subsystems and L is expected", path);
    if (name != NULL && !json_is_string(name))
        return ms_fail(error, MS_INVALID, "%s: name is not a string", path);
    file->only_case = (ms_case){.name = "default", .summary = "as in the file", .source = path};
    *model = (ms_model){.summary = "linear system from a file",
                        .cases = &file->only_case,
                        .n_cases = 1,
                        .stop_time = 10.0,
                        .step_size = 0.01};
    model->name = model_name(&file->structure, name, path);
    model->source = file->only_case.source = ms_structure_name(&file->structure, "%s", path);
    if (model->name == NULL || model->source == NULL)
        return ms_json_no_memory(&at, error);
    int status = ms_json_members(root, members, MS_COUNT(members), &at, error);
    if (status == MS_OK)
        status = read_subsystems(file, root, path, error);
    if (status == MS_OK)
        status = read_wires(file, root, &at, error);
    if (status == MS_OK)
        status = ms_json_positive(root, "end", &at, &model->stop_time, error);
    if (status == MS_OK)
        status = ms_json_positive(root, "step_size", &at, &model->step_size, error);
    model->subsystems = file->structure.subsystems;
    model->n_subsystems = file->structure.n_subsystems;
    model->wires = file->structure.wires;
    model->n_wires = file->structure.n_wires;
    return status;
}

int ms_model_read(const char *path, ms_model **model, ms_error *error)
{
    *model = NULL;
    json_t *root = NULL;
    file_model *file = calloc(1, sizeof *file);
    if (file == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    ms_model *read = &file->model;
    int status = load(path, &root, error);
    if (status == MS_OK)
        status = read_model(file, root, path, error);
    json_decref(root);
    if (status == MS_OK)
        *model = read;
    else
        ms_model_destroy(&read);
    return status;
}

void ms_model_destroy(ms_model **model)
{
    if (model == NULL || *model == NULL)
        return;
    file_model *file = (file_model *)*model;
    ms_structure_free(&file->structure);
    free(file);
    *model = NULL;
}
