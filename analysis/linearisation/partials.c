/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "partials.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "variables.h"

/* No other steps are tried for what is off by less: in double, and in single precision. */
static const double GOOD = 1e-6, GOOD_SINGLE = 1e-3;

enum { POINTS = 7 };

/* Work in progress. */
typedef struct task {
    const ms_compression *of;
    ms_differences differences;
    ms_vector_function *function;
    void *self;
    double *v;
    const double *size; /* (columns) */
    long *checks;
    double *value;                    /* (rows): at v */
    double *steps;                    /* (columns): sizes that are tried */
    double *pair[2];                  /* (rows x columns): by h, by 2 h */
    double *M, *E;                    /* (rows x columns): the best so far, and their errors .. */
    double *row_error, *column_error; /* (rows), (columns): with the best so far */
    double *row;                      /* (rows): sizes of rows */
    double longer, round_off, good;   /* all steps are longer by that; of values; as GOOD */
    double *noise;                    /* (rows x columns): .. and their part from round-off of the values */
    double *largest, *scatter; /* (rows), (rows x columns): round-off of the values, as it was seen .. */
    double stride;             /* .. by points that far from each other, in sizes */
    double *response; /* (rows x columns): slopes of variables that were not told, moved by their sizes */
    double *points;   /* (POINTS x rows): values near v */
    bool known, both; /* is there a best one? did both steps of a pair stay within the domain? */
} task;

static size_t entries(const task *t)
{
    return (size_t)t->of->rows * (size_t)t->of->columns;
}

/* The derivatives with steps that are longer by a factor. */
static int differentiate(task *t, double factor, double *M, long *evaluations)
{
    for (int j = 0; j < t->of->columns; j++)
        t->steps[j] = factor * t->longer * t->size[j];
    return ms_compression_differentiate(t->of, t->differences, t->function, t->self, t->v, t->steps, M,
                                        evaluations);
}

static const double share[] = {
    [MS_DIFFERENCES_FORWARD] = 0x1p-26, [MS_DIFFERENCES_CENTRAL] = 6.0554544523933429e-06};

static double length(const task *t, double factor, size_t column)
{
    return share[t->differences] * factor * t->longer * t->size[column];
}

/* How far the pair disagrees in entry k, at least by round-off of the value; INFINITY: one of them is not there. */
static double disagreement(const task *t, size_t k, bool both, double noise)
{
    const double error = both ? fabs(t->pair[1][k] - t->pair[0][k]) + noise : INFINITY;
    return isfinite(error) ? error : INFINITY;
}

/* If shorter steps with a small error estimate contradict a value, its error is at least the difference: longer steps may agree by missing
 * features of the function. Keeps the better value of entry k. The new steps are shorter than those before, or longer. */
static void choose(task *t, size_t k, bool shorter, double error, double noise)
{
    const double M = t->pair[0][k], apart = fabs(M - t->M[k]);
    if (shorter && apart > error)
        t->E[k] += apart;
    if (!shorter && apart > t->E[k])
        error += apart;
    if (!(error < t->E[k]))
        return;
    const bool vanishes = fabs(M) < 0.01 * fabs(t->M[k]);
    t->M[k] = M;
    t->E[k] = error;
    t->noise[k] = vanishes ? INFINITY : noise;
}

/* The values at t->steps. */
static int evaluate(task *t, double *value)
{
    if (t->checks != NULL)
        ++*t->checks;
    return t->function(t->self, t->steps, value);
}

/* Where points lie on a line. They are not equidistant: the rounding of k h may be linear in k. */
static const double place[POINTS] = {0.0, 1.0, 2.1317, 2.8731, 4.3129, 5.1873, 6.7371};

enum { ALL = -1 };

/* Values along a line that begins at v, on which each variable (of a group, or of all) has a pace of its own. */
static int sample(task *t, int group, double factor, double ratio)
{
    const size_t rows = (size_t)t->of->rows;
    int failed = 0;
    memcpy(t->points, t->value, sizeof *t->value * rows);
    for (int k = 1; k < POINTS && failed == 0; k++) {
        for (int j = 0; j < t->of->columns; j++) {
            const double pace =
                group == ALL || t->of->group[j] == group ? 0.5 + 0.5 * fmod(ratio * (j + 1), 1.0) : 0.0;
            t->steps[j] = t->v[j] + place[k] * pace * factor * t->stride * t->size[j];
        }
        failed = evaluate(t, t->points + (size_t)k * rows);
    }
    return failed;
}

/* Round-off of a value: little else is left in its sixth divided difference, here over the root of the sum of squares of its weights. */
static double scatter_of(const task *t, int row)
{
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < POINTS; k++) {
        double weight = 1.0;
        for (int m = 0; m < POINTS; m++)
            weight /= m != k ? place[k] - place[m] : 1.0;
        sum += weight * (t->points[k * t->of->rows + row] - t->value[row]);
        squares += weight * weight;
    }
    return isfinite(sum) ? fabs(sum) / sqrt(squares) : 0.0;
}

/* Round-off of the values, and of their terms, which may cancel: what two lines show. Where this is nothing, steps may be below the last
 * digit of a term, and a longer line is tried. */
static void find_largest_scatter(task *t)
{
    static const double factor[] = {1.0, 1.0, 100.0}, ratio[] = {0.618, 0.414, 0.732};
    bool all = false;
    for (int line = 0; line < 3 && !all; line++) {
        const bool failed = sample(t, ALL, factor[line], ratio[line]) != 0;
        all = line > 0;
        for (int i = 0; i < t->of->rows && !failed; i++) {
            if (line < 2 || t->largest[i] == 0.0)
                t->largest[i] = fmax(t->largest[i], scatter_of(t, i));
            all = all && t->largest[i] > 0.0;
        }
    }
}

/* That of each entry of a group: terms in which its variable is not do not change with it, whatever their round-off is. A line may show too
 * little by chance, so that a second one is drawn where the first shows less. */
static void find_group_scatter(task *t, int group)
{
    const int columns = t->of->columns, n = t->of->rows * columns;
    bool less = true;
    for (int line = 0; line < 2 && less; line++) {
        const bool failed = sample(t, group, 1.0, line == 0 ? 0.618 : 0.414) != 0;
        less = false;
        for (int k = 0; k < n && !failed; k++) {
            if (t->of->group[k % columns] != group)
                continue;
            t->scatter[k] = fmax(t->scatter[k], 4.0 * scatter_of(t, k / columns));
            less = less || (t->scatter[k] > 0.0 && t->scatter[k] < t->largest[k / columns]);
        }
    }
}

/* Of all entries that of their rows, or that of their columns' lines as well. */
static void find_scatter(task *t, bool by_groups)
{
    const size_t columns = (size_t)t->of->columns;
    if (!by_groups)
        find_largest_scatter(t);
    memset(t->scatter, 0, sizeof *t->scatter * entries(t));
    for (int group = 0; group < t->of->groups && by_groups; group++)
        find_group_scatter(t, group);
    for (size_t k = 0; k < entries(t); k++) {
        const double largest = t->largest[k / columns], seen = t->scatter[k];
        t->scatter[k] =
            fmax(seen > 0.0 ? fmin(seen, largest) : largest, t->round_off * fabs(t->value[k / columns]));
    }
}

/* Takes the entries of the pair that are better than those before; the sizes were longer by a factor. */
static void take_better(task *t, double factor, bool both)
{
    const size_t columns = (size_t)t->of->columns;
    for (size_t k = 0; k < entries(t); k++) {
        const double noise = 6.0 * t->scatter[k] / length(t, factor, k % columns);
        if (t->of->pattern != NULL && !t->of->pattern[k]) {
            t->M[k] = t->E[k] = t->noise[k] = 0.0;
        } else if (t->known) {
            if (t->row_error[k / columns] > t->good || t->column_error[k % columns] > t->good)
                choose(t, k, factor < 1.0, disagreement(t, k, both, noise), noise);
        } else {
            t->M[k] = t->pair[0][k];
            t->E[k] = disagreement(t, k, both, noise);
            t->noise[k] = noise;
        }
    }
    t->known = true;
}

/* One pair. The first that lies within the domain is counted by *evaluations. */
static int try_pair(task *t, double factor, long *evaluations)
{
    MS_TRY(differentiate(t, factor, t->pair[0], t->known ? t->checks : evaluations));
    int status = differentiate(t, 2.0 * factor, t->pair[1], t->checks);
    t->both = status == MS_OK;
    if (t->both || status == MS_SOLVER_FAILED)
        take_better(t, factor, t->both);
    return status == MS_NO_MEMORY ? status : MS_OK;
}

/* Is entry k told from zero, and do its two differences agree to that part of it? */
static bool is_told(const task *t, size_t k)
{
    return fabs(t->M[k]) > t->noise[k];
}

static bool agrees(const task *t, size_t k, double part)
{
    return !is_told(t, k) || t->E[k] <= part * fabs(t->M[k]);
}

/* Of one row, whose size (largest entry times the size of its variable) goes to t->row. Where no entry can be told from zero it is that of
 * the value. INFINITY: two differences are so far apart that nothing follows for a third, or (unless these steps are the last ones)
 * other steps may tell more. */
static double row_error(const task *t, size_t row, bool last)
{
    const size_t columns = (size_t)t->of->columns;
    double size = 0.0, off = 0.0;
    bool told = false, agreed = true;
    for (size_t j = 0, k = row * columns; j < columns; j++, k++) {
        size = fmax(size, fabs(t->M[k]) * t->size[j]);
        off = fmax(off, t->E[k] * t->size[j]);
        told = told || is_told(t, k);
        agreed = agreed && agrees(t, k, last ? 0.1 : 1e-3);
    }
    t->row[row] = told ? size : fmax(size, fabs(t->value[row]));
    if (off == 0.0)
        return 0.0;
    return !agreed || (!told && !last) ? INFINITY : off / t->row[row];
}

static bool is_column_told(const task *t, size_t column)
{
    const size_t columns = (size_t)t->of->columns;
    size_t k = column;
    while (k < entries(t) && !is_told(t, k))
        k += columns;
    return k < entries(t);
}

/* Of one column, over its largest entry, rows by their sizes: whatever the size of its variable is. 0 where none is told from zero, and none
 * changes with the variable. */
static double column_error(const task *t, size_t column)
{
    const size_t columns = (size_t)t->of->columns;
    const double *slope = is_column_told(t, column) ? t->M : t->response;
    double size = 0.0, off = 0.0;
    for (size_t i = 0, k = column; i < (size_t)t->of->rows; i++, k += columns) {
        const double weight = t->row[i] > 0.0 ? 1.0 / t->row[i] : 0.0;
        size = fmax(size, fabs(slope[k]) * weight);
        off = fmax(off, t->E[k] * weight);
    }
    return size > 0.0 ? off / size : 0.0;
}

/* Is there an entry in the column that is not told from zero? */
static bool is_column_doubtful(const task *t, size_t column)
{
    const size_t columns = (size_t)t->of->columns;
    size_t k = column;
    while (k < entries(t) && is_told(t, k))
        k += columns;
    return k < entries(t);
}

/* Moves variables with entries that are not told from zero by their sizes: a value that changes then may have hidden its derivative in
 * round-off, one that does not has none. */
static void find_responses(task *t)
{
    const size_t columns = (size_t)t->of->columns;
    for (size_t j = 0; j < columns; j++) {
        memcpy(t->steps, t->v, sizeof *t->v * columns);
        t->steps[j] += t->size[j];
        if (!is_column_doubtful(t, j) || evaluate(t, t->points) != 0)
            continue;
        for (size_t i = 0, k = j; k < entries(t); i++, k += columns) {
            const double slope = fabs(t->points[i] - t->value[i]) / t->size[j];
            t->response[k] = isfinite(slope) ? slope : 0.0;
            if (slope == 0.0 && t->M[k] == 0.0)
                t->E[k] = t->noise[k] = t->scatter[k] = 0.0;
        }
    }
}

/* Errors of all rows and columns into row_error and column_error. Returns the largest. */
static double find_errors(task *t, bool last)
{
    double worst = 0.0;
    for (int i = 0; i < t->of->rows; i++)
        worst = fmax(worst, t->row_error[i] = row_error(t, (size_t)i, last));
    for (int j = 0; j < t->of->columns; j++)
        worst = fmax(worst, t->column_error[j] = column_error(t, (size_t)j));
    return worst;
}

/* The first pair again, its round-off by columns. */
static double look_closer(task *t, double factor)
{
    find_scatter(t, true);
    t->known = false;
    take_better(t, factor, t->both);
    find_responses(t);
    return find_errors(t, false);
}

static int search(task *t, double *error, long *evaluations)
{
    static const double factor[] = {1.0, 1e-3, 1e3, 1e5};
    int status = MS_OK;
    *error = INFINITY;
    for (int k = 0; k < 4 && *error > t->good && status != MS_NO_MEMORY; k++) {
        status = try_pair(t, factor[k], evaluations);
        if (t->known && k == 0)
            find_responses(t);
        if (t->known)
            *error = find_errors(t, k >= 2);
        if (t->known && k == 0 && *error > t->good)
            *error = look_closer(t, factor[0]);
    }
    return status == MS_NO_MEMORY ? status : t->known ? MS_OK : MS_SOLVER_FAILED;
}

int ms_partials_estimate(const ms_compression *compression, ms_differences differences,
                         ms_vector_function *function, void *self, double *v, const double *size, double *M,
                         double *error, long *evaluations, long *checks)
{
    const size_t rows = (size_t)compression->rows, columns = (size_t)compression->columns;
    double *memory = calloc(6 * rows * columns + (4 + POINTS) * rows + 2 * columns + 1, sizeof *memory);
    task t = {.of = compression,
              .differences = differences,
              .function = function,
              .self = self,
              .v = v,
              .size = size,
              .checks = checks,
              .longer = 1.0,
              .stride = share[MS_DIFFERENCES_CENTRAL] * (compression->single ? MS_CENTRAL_SINGLE : 1.0),
              .round_off = DBL_EPSILON,
              .good = GOOD,
              .M = M};
    if (compression->single) {
        t.longer = differences == MS_DIFFERENCES_CENTRAL ? MS_CENTRAL_SINGLE : 0x1p14;
        t.round_off = FLT_EPSILON;
        t.good = GOOD_SINGLE;
    }
    *error = INFINITY;
    MS_TRY_MEMORY(memory);
    t.pair[0] = memory;
    t.pair[1] = t.pair[0] + rows * columns;
    t.E = t.pair[1] + rows * columns;
    t.noise = t.E + rows * columns;
    t.value = t.noise + rows * columns;
    t.row = t.value + rows;
    t.steps = t.row + rows;
    t.column_error = t.steps + columns;
    t.row_error = t.column_error + columns;
    t.response = t.row_error + rows;
    t.scatter = t.response + rows * columns;
    t.largest = t.scatter + rows * columns;
    t.points = t.largest + rows;
    int status = MS_OK;
    if (compression->groups == 0) {
        memset(M, 0, sizeof *M * rows * columns);
        *error = 0.0;
    } else {
        if (function(self, v, t.value) != 0)
            memset(t.value, 0, sizeof *t.value * rows);
        if (checks != NULL)
            ++*checks;
        find_scatter(&t, false);
        status = search(&t, error, evaluations);
    }
    free(memory);
    return status;
}

void ms_partials_explain(double error, char *text, size_t size)
{
    text[0] = '\0';
    if (isinf(error))
        snprintf(text, size,
                 "partial derivatives are differences, and two step sizes do not agree; nominal values, or "
                 "directional derivatives, would help");
    else if (error > MS_PARTIALS_ERROR_LARGE)
        snprintf(text, size,
                 "partial derivatives are differences with errors of up to %.2g of the largest of their row; "
                 "nominal values, or directional derivatives, would help",
                 error);
}

/* Blocks of a subsystem ---------------------------------------------------------------------------------- */

/* Columns of M (rows x n) into two blocks side by side. */
static void split(const double *M, int rows, int n, int first, double *left, int second, double *right)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < first + second; j++)
            *(j < first ? &left[i * first + j] : &right[i * second + j - first]) = M[i * n + j];
}

/* Of f or g, all but the columns of external inputs. */
static int differentiate_rows(ms_variables *of, ms_vector_function *function, int rows, bool *pattern,
                              double *M, double *error)
{
    const int n = of->n, last = of->sub->nx + of->sub->nu;
    ms_compression *c = NULL;
    double off = 0.0;
    for (int k = 0; k < rows * n; k++)
        pattern[k] = k % n < last;
    int status = ms_compression_create(rows, n, pattern, &c);
    if (status == MS_OK)
        c->single = of->sub->single;
    MS_THEN(status, ms_partials_estimate(c, MS_DIFFERENCES_CENTRAL, function, of, of->v, of->size, M, &off,
                                         NULL, NULL));
    ms_compression_destroy(&c);
    *error = fmax(*error, off);
    return status;
}

int ms_partials_blocks(const ms_system *system, int i, const ms_point *at, const ms_blocks *m, double *error)
{
    const ms_subsystem *sub = &system->sub[i];
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny, n = nx + nu + sub->nw, most = nx > ny ? nx : ny;
    double *M = calloc((size_t)most * (size_t)n + 1, sizeof *M);
    bool *pattern = calloc((size_t)most * (size_t)n + 1, sizeof *pattern);
    ms_variables *of = NULL;
    *error = 0.0;
    int status = M != NULL && pattern != NULL ? ms_variables_create(system, i, at, &of) : MS_NO_MEMORY;
    MS_THEN(status, differentiate_rows(of, ms_variables_f, nx, pattern, M, error));
    if (status == MS_OK) {
        split(M, nx, n, nx, m->A, nu, m->B);
        status = differentiate_rows(of, ms_variables_g, ny, pattern, M, error);
    }
    if (status == MS_OK)
        split(M, ny, n, nx, m->C, nu, m->D);
    ms_variables_destroy(&of);
    MS_FREE(pattern, M);
    return status;
}
