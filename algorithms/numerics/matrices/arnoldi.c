/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arnoldi.c - the restarted iteration.
 *
 * Columns 0 .. size-1 of V are orthonormal with M V = V S + v b', v = column `size`; S is in the upper rows of
 * `S`, b in its row `size`, so that Arnoldi's method can continue in place with a column of S and the length of the
 * remainder. */
#include "arnoldi.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <macrostep/status.h>
#include "arnoldi_parts.h"

/* Estimates of residuals must be smaller than the requested residuals by this factor. */
static const double MARGIN = 0.1;

/* A column is spanned by the others where orthogonalising leaves no more than this of it. */
static const double SPANNED = 64.0 * DBL_EPSILON;

/* Columns of V beyond those of S; start vectors that are tried. */
enum { EXTRA = 4, TRIES = 4 };

/* Columns of S: beyond 2 k at least, at first, at most where nothing was said; restarts after which they double. Few
 * are enough, and cost least, where eigenvalues are apart; where they are not, many save more products than they cost. */
enum { ROOM = 6, FIRST = 24, SUBSPACE = 72, PATIENCE = 8 };

typedef struct arnoldi {
    const ms_arnoldi_map *map;
    const ms_arnoldi_request *request;
    ms_arnoldi *answer;
    int n, k, most, size;
    int full;            /* columns at which a restart comes; grows up to `most` */
    double *V;           /* (n x (most + EXTRA)) by columns */
    double *S;           /* ((most + 1) x most) by columns */
    double *again;       /* (most + 1) */
    double *rows;        /* of ms_krylov_rotate */
    double *estimate;    /* (most) of the residual of each Ritz pair */
    int *order, *chosen; /* (most) */
    ms_schur_form *schur;
    double largest; /* |M v| so far */
    uint64_t seed;
    double last; /* modulus of the last one that was asked for, when all had converged; negative: not yet */
} arnoldi;

static double *column(const arnoldi *a, int j)
{
    return a->V + (size_t)j * (size_t)a->n;
}

static double *entry(const arnoldi *a, int i, int j)
{
    return a->S + (size_t)j * (size_t)(a->most + 1) + (size_t)i;
}

/* Uniform in [-1, 1], the same in every call: Knuth's MMIX generator, its upper 53 bits. */
static double next_entry(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ldexp((double)(*seed >> 11), -52) - 1.0;
}

/* A new direction into column `size`; S knows nothing of it. */
static int start_vector(arnoldi *a)
{
    double *v = column(a, a->size), length = 0.0;
    for (int tries = 0; tries < TRIES && !(length > 1e-3); tries++) {
        for (int i = 0; i < a->n; i++)
            v[i] = next_entry(&a->seed);
        ms_krylov_divide(a->n, ms_krylov_norm(a->n, v), v);
        length = ms_krylov_orthogonalise(a->n, a->size, a->V, v, a->again, a->again + a->most);
    }
    ms_krylov_divide(a->n, length, v);
    return length > 0.0 ? MS_OK : MS_SOLVER_FAILED;
}

/* Expansion ------------------------------------------------------------------------------------------------ */

/* to = M v, and its length. */
static int apply(arnoldi *a, const double *v, double *to, double *length)
{
    MS_TRY(a->map->apply(a->map->self, v, to));
    *length = ms_krylov_norm(a->n, to);
    a->largest = fmax(a->largest, *length);
    return isfinite(*length) ? MS_OK : MS_SOLVER_FAILED;
}

/* One more column of S. */
static int expand_once(arnoldi *a)
{
    double *w = column(a, a->size + 1), *h = entry(a, 0, a->size), length;
    int status = apply(a, column(a, a->size), w, &length);
    a->answer->applications++;
    if (status != MS_OK)
        return status;
    a->size++;
    const double left = ms_krylov_orthogonalise(a->n, a->size, a->V, w, h, a->again);
    h[a->size] = 0.0;
    if (a->size == a->n)
        return MS_OK;
    if (left <= SPANNED * a->largest) /* V is invariant: its eigenvalues are exact, others are looked for */
        return start_vector(a);
    h[a->size] = left;
    ms_krylov_divide(a->n, left, w);
    return MS_OK;
}

static int expand(arnoldi *a)
{
    int status = MS_OK;
    while (status == MS_OK && a->size < a->full && a->answer->applications < a->request->applications) {
        if (a->request->stop != NULL && *a->request->stop != 0)
            return MS_INTERRUPTED;
        status = expand_once(a);
    }
    return status;
}

/* Ritz values ---------------------------------------------------------------------------------------------- */

static double modulus(const ms_schur_form *s, int k)
{
    return hypot(s->re[k], s->im[k]);
}

/* Places of the eigenvalues of S into order (size), by descending modulus; pairs stay side by side. */
static void sort(arnoldi *a)
{
    for (int k = 0; k < a->size; k++) {
        int at = k;
        for (; at > 0 && modulus(a->schur, a->order[at - 1]) < modulus(a->schur, k); at--)
            a->order[at] = a->order[at - 1];
        a->order[at] = k;
    }
}

/* The first `wanted` of the order, one more where a pair would be cut. */
static int whole_pairs(const arnoldi *a, int wanted)
{
    const int most = wanted < a->size ? wanted : a->size;
    return most > 0 && most < a->size && a->schur->im[a->order[most - 1]] > 0.0 ? most + 1 : most;
}

/* |b' y| / |y| for each eigenvector y of S; of a pair y is complex. */
static void estimate_residuals(arnoldi *a)
{
    const int n = a->size;
    ms_schur_form_vectors(a->schur);
    for (int k = 0; k < n; k++) {
        const int columns = a->schur->im[k] > 0.0 ? 2 : 1;
        double length = 0.0, residual = 0.0;
        for (int c = 0; c < columns; c++) {
            const double *y = a->schur->right + (size_t)(k + c) * (size_t)n;
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += *entry(a, n, j) * y[j];
            length = hypot(length, ms_krylov_norm(n, y));
            residual = hypot(residual, sum);
        }
        a->estimate[k] = residual / length;
        if (columns == 2)
            a->estimate[k + 1] = a->estimate[k];
        k += columns - 1;
    }
}

static int find_ritz_values(arnoldi *a)
{
    const int status = ms_schur_form_decompose(a->schur, a->size, a->S, a->most + 1);
    if (status != MS_OK)
        return MS_SOLVER_FAILED;
    sort(a);
    estimate_residuals(a);
    return MS_OK;
}

static double floor_of(const arnoldi *a)
{
    return fmax(a->map->round_off * a->largest, a->map->left_over);
}

static bool small(const arnoldi *a, double residual, double size)
{
    return residual <= fmax(a->request->tolerance * size, floor_of(a));
}

static bool converged(const arnoldi *a, int place)
{
    const int k = a->order[place];
    return small(a, a->estimate[k] / MARGIN, modulus(a->schur, k));
}

/* Have all that were asked for, and can the next one not come before them? */
static bool settled(const arnoldi *a)
{
    const int wanted = whole_pairs(a, a->k);
    for (int place = 0; place < wanted; place++)
        if (!converged(a, place))
            return false;
    if (wanted < a->k || wanted == a->size)
        return wanted >= a->k;
    const int last = a->order[wanted - 1], next = a->order[wanted];
    return converged(a, wanted) ||
           modulus(a->schur, next) + a->estimate[next] / MARGIN < modulus(a->schur, last);
}

/* Restart -------------------------------------------------------------------------------------------------- */

/* Keeps the Schur vectors of the first `keep` eigenvalues of the order. */
static void reduce(arnoldi *a, int keep)
{
    const int n = a->size;
    double *b = a->again;
    for (int k = 0; k < n; k++)
        a->chosen[a->order[k]] = k < keep;
    const int head = ms_schur_form_order(a->schur, a->chosen);
    for (int j = 0; j < head; j++) {
        b[j] = 0.0;
        for (int i = 0; i < n; i++)
            b[j] += *entry(a, n, i) * a->schur->Q[(size_t)j * (size_t)n + (size_t)i];
    }
    ms_krylov_rotate(a->n, n, head, a->schur->Q, a->V, a->rows);
    memcpy(column(a, head), column(a, n), sizeof *a->V * (size_t)a->n);
    memset(a->S, 0, sizeof *a->S * (size_t)(a->most + 1) * (size_t)a->most);
    for (int j = 0; j < head; j++) {
        memcpy(entry(a, 0, j), a->schur->T + (size_t)j * (size_t)n, sizeof *a->S * (size_t)head);
        *entry(a, head, j) = b[j];
    }
    a->size = head;
}

/* Also keeps half of the others; keeps more columns if few have not been enough. */
static int restart(arnoldi *a)
{
    const int wanted = whole_pairs(a, a->k);
    reduce(a, whole_pairs(a, wanted + (a->full - wanted) / 2));
    if (a->answer->restarts % PATIENCE == 0)
        a->full = 2 * a->full < a->most ? 2 * a->full : a->most;
    return MS_OK;
}

/* Has the last look brought nothing that comes before them? */
static bool confirmed(arnoldi *a)
{
    const double before = a->last, now = modulus(a->schur, a->order[a->k - 1]);
    a->last = now;
    return before >= 0.0 && now <= before + fmax(a->request->tolerance * before, floor_of(a));
}

/* Keeps the eigenvalues found, and adds another start vector. */
static int look_again(arnoldi *a)
{
    reduce(a, whole_pairs(a, a->k));
    for (int j = 0; j < a->size; j++)
        *entry(a, a->size, j) = 0.0;
    return start_vector(a);
}

static int iterate(arnoldi *a)
{
    for (;;) {
        int status = expand(a);
        MS_THEN(status, find_ritz_values(a));
        if (status != MS_OK)
            return status;
        a->answer->complete = a->size == a->n;
        const bool found = settled(a);
        if (a->answer->complete || (found && confirmed(a)))
            return MS_OK;
        if (a->answer->applications >= a->request->applications)
            return MS_NOT_CONVERGED;
        a->answer->restarts++;
        MS_TRY(found ? look_again(a) : restart(a));
    }
}

/* The answer ----------------------------------------------------------------------------------------------- */

static double dot(int n, const double *v, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * w[i];
    return sum;
}

/* lambda = v* w / v* v, for complex v = v0 + i v1 and w, or real ones. */
static void rayleigh_quotient(int n, double *const v[2], double *const w[2], bool pair, double lambda[2])
{
    const double size = dot(n, v[0], v[0]) + (pair ? dot(n, v[1], v[1]) : 0.0);
    lambda[0] = (dot(n, v[0], w[0]) + (pair ? dot(n, v[1], w[1]) : 0.0)) / size;
    lambda[1] = pair ? (dot(n, v[0], w[1]) - dot(n, v[1], w[0])) / size : 0.0;
}

/* |M v - lambda v| / |v| for v = V (y + i z); z NULL: real. Of another map lambda is found first. */
static int residual(arnoldi *a, bool other, const double *y, const double *z, double lambda[2], double *value)
{
    double *v[2] = {column(a, a->size), column(a, a->size + 1)},
           *w[2] = {v[1] + a->n, v[1] + 2 * (size_t)a->n};
    double length = 0.0, size = 0.0, ignored;
    for (int c = 0; c < (z != NULL ? 2 : 1); c++) {
        ms_krylov_combine(a->n, a->size, a->V, c == 0 ? y : z, v[c]);
        MS_TRY(apply(a, v[c], w[c], &ignored));
        size = hypot(size, ms_krylov_norm(a->n, v[c]));
    }
    if (other)
        rayleigh_quotient(a->n, v, w, z != NULL, lambda);
    const double re = lambda[0], im = lambda[1];
    for (int i = 0; i < a->n; i++) {
        w[0][i] -= re * v[0][i] - (z != NULL ? im * v[1][i] : 0.0);
        if (z != NULL)
            w[1][i] -= re * v[1][i] + im * v[0][i];
    }
    for (int c = 0; c < (z != NULL ? 2 : 1); c++)
        length = hypot(length, ms_krylov_norm(a->n, w[c]));
    *value = length / size;
    return MS_OK;
}

/* Of the Ritz values that were asked for. */
static int measure(arnoldi *a)
{
    ms_arnoldi *answer = a->answer;
    const ms_schur_form *s = a->schur;
    const bool other = a->map->of != NULL;
    if (other) { /* products and their round-off are its own from now on */
        a->map = a->map->of;
        a->largest = 0.0;
    }
    answer->n = whole_pairs(a, a->k);
    for (int k = 0; k < answer->n; k++) {
        const int at = a->order[k];
        const double *y = s->right + (size_t)at * (size_t)a->size;
        double *lambda = answer->eigenvalues + 2 * k;
        lambda[0] = answer->inner[2 * k] = s->re[at];
        lambda[1] = answer->inner[2 * k + 1] = s->im[at];
        if (s->im[at] < 0.0) {
            lambda[0] = lambda[-2];
            lambda[1] = -lambda[-1];
            answer->residuals[k] = answer->residuals[k - 1];
        } else {
            MS_TRY(
                residual(a, other, y, s->im[at] > 0.0 ? y + a->size : NULL, lambda, &answer->residuals[k]));
        }
        if (lambda[1] < 0.0 && s->im[at] > 0.0)
            lambda[1] = -lambda[1]; /* of the conjugate vector */
        answer->converged += small(a, answer->residuals[k], hypot(lambda[0], lambda[1]));
    }
    return MS_OK;
}

static int finish(arnoldi *a)
{
    const size_t size = (size_t)a->size;
    a->answer->size = a->size;
    for (int j = 0; j < a->size; j++)
        memcpy(a->answer->projection + (size_t)j * size, entry(a, 0, j), sizeof *a->S * size);
    MS_TRY(measure(a));
    ms_schur_form_conditions(a->schur);
    for (int k = 0; k < a->answer->n; k++)
        a->answer->conditions[k] = 1.0 / a->schur->inverse[a->order[k]];
    return a->answer->converged == a->answer->n && a->answer->n >= a->k ? MS_OK : MS_NOT_CONVERGED;
}

static int allocate(arnoldi *a)
{
    const size_t n = (size_t)a->n, most = (size_t)a->most, k = (size_t)a->k + 2;
    MS_TRY_MEMORY(ms_schur_form_create(a->most, a->schur) == MS_OK);
    a->V = malloc(sizeof *a->V * (n * (most + EXTRA) + 1));
    a->S = calloc((most + 1) * most + 3 * most + 2 + most * MS_KRYLOV_ROWS, sizeof *a->S);
    a->order = malloc(sizeof *a->order * (2 * most + 1));
    a->answer->eigenvalues = malloc(sizeof *a->V * (6 * k + most * most));
    MS_TRY_MEMORY(a->V != NULL && a->S != NULL && a->order != NULL && a->answer->eigenvalues != NULL);
    a->again = a->S + (most + 1) * most;
    a->estimate = a->again + 2 * most + 1;
    a->rows = a->estimate + most + 1;
    a->chosen = a->order + most;
    a->answer->inner = a->answer->eigenvalues + 2 * k;
    a->answer->residuals = a->answer->inner + 2 * k;
    a->answer->conditions = a->answer->residuals + k;
    a->answer->projection = a->answer->conditions + k;
    return MS_OK;
}

static void release(arnoldi *a)
{
    ms_schur_form_destroy(a->schur);
    MS_FREE(a->V, a->S, a->order);
}

static int run(arnoldi *a)
{
    if (a->k == 0)
        return MS_OK;
    a->last = -1.0;
    int status = start_vector(a);
    MS_THEN(status, iterate(a));
    if (status != MS_OK && status != MS_NOT_CONVERGED)
        return status;
    const int measured = finish(a);
    return measured != MS_OK ? measured : status;
}

int ms_arnoldi_create(const ms_arnoldi_map *map, const ms_arnoldi_request *request, ms_arnoldi *answer)
{
    const int n = map->n, k = request->k < n ? request->k : n;
    const int least = 2 * k + ROOM, first = least > FIRST ? least : FIRST;
    const int asked = request->subspace > 0 ? request->subspace : SUBSPACE,
              most = asked > least ? asked : least;
    ms_schur_form schur = {0};
    arnoldi a = {.schur = &schur,
                 .map = map,
                 .request = request,
                 .answer = answer,
                 .n = n,
                 .k = k,
                 .most = most < n ? most : n};
    a.full = first < a.most ? first : a.most;
    *answer = (ms_arnoldi){.subspace = a.most};
    int status = allocate(&a);
    MS_THEN(status, run(&a));
    release(&a);
    if (status != MS_OK && status != MS_NOT_CONVERGED)
        ms_arnoldi_destroy(answer);
    return status;
}

void ms_arnoldi_destroy(ms_arnoldi *answer)
{
    free(answer->eigenvalues);
    *answer = (ms_arnoldi){0};
}
