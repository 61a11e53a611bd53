/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense_eigenvalues.c - eigenvalues of small matrices, without their vectors: deflation, blocks, balancing,
 * Hessenberg form, Francis's double shifts.
 *
 * Deflation uses the structure of A; each of its steps changes entries by at most a few units in their last place:
 *
 *     row i has no entry off the diagonal    the eigenvalue a_ii, and A without row and column i
 *     row i = c row j                        the eigenvalue 0, and with z = x_i - c x_j in place of x_i, whose
 *                                            successor is 0, A without row and column i, column j plus c times
 *                                            column i
 *
 * and the same for columns. This removes outputs that repeat states, past values that are not read, and past values
 * that are read only in one combination, each with its zero eigenvalue (often defective). The rest is treated block
 * by block if a permutation makes it block triangular: rows that depend on each other form a block, and round-off in
 * one does not affect another, so that eigenvalues that are defective only by the coupling of blocks remain accurate.
 *
 * Balancing: Parlett and Reinsch, Numer. Math. 13 (1969), by powers of 2, with LAPACK's measure of progress. Hessenberg
 * form by Householder reflections, and the QR algorithm with two shifts: Golub and Van Loan, Matrix Computations,
 * 7.4.3 and 7.5; a subdiagonal entry is zero by the criterion of Ahues and Tisseur (LAPACK working note 122), and
 * every tenth step for one eigenvalue takes an exceptional shift. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <macrostep/status.h>
#include "dense.h"

/* Deflation ---------------------------------------------------------------------------------------------- */

/* The rows (ROWS) or columns of A that are left, as lines: entry l of line k is at k step[kind] + l step[!kind]. */
enum { ROWS, COLUMNS, KINDS };

typedef struct structure {
    int n, step[KINDS];
    double *A;
    uint64_t left;                                   /* bit k: row and column k */
    uint64_t lines[KINDS][MS_DENSE_EIGENVALUES_MAX]; /* bit l: entry l is not zero */
    double *value;                                   /* eigenvalue k of the removed ones */
} structure;

static uint64_t bit(int k)
{
    return (uint64_t)1 << (k & (MS_DENSE_EIGENVALUES_MAX - 1)); /* k itself */
}

static double *entry(const structure *s, int kind, int k, int l)
{
    return s->A + k * s->step[kind] + l * s->step[!kind];
}

static void find_structure(structure *s)
{
    const double *a = s->A;
    for (int j = 0; j < s->n; j++)
        s->lines[COLUMNS][j] = 0;
    for (int i = 0; i < s->n; i++) {
        uint64_t row = 0;
        for (int j = 0; j < s->n; j++) {
            const uint64_t other = *a++ != 0.0;
            row |= other << j;
            s->lines[COLUMNS][j] |= other << i;
        }
        s->lines[ROWS][i] = row;
        s->left |= bit(i);
    }
}

/* Where line k is not zero. */
static uint64_t entries_of(const structure *s, int kind, int k)
{
    return s->lines[kind][k] & s->left;
}

static void remove_line(structure *s, int k, double value)
{
    s->left &= ~bit(k);
    s->value[k] = value;
}

/* c with line i = c line j up to round-off, where both have the same structure; else 0. */
static double multiple(const structure *s, int kind, int i, int j)
{
    uint64_t entries = entries_of(s, kind, i);
    const int first = __builtin_ctzll(entries);
    const double c = *entry(s, kind, i, first) / *entry(s, kind, j, first);
    for (; entries != 0; entries &= entries - 1) {
        const int l = __builtin_ctzll(entries);
        const double a = *entry(s, kind, i, l);
        if (!(fabs(a - c * *entry(s, kind, j, l)) <= 16.0 * DBL_EPSILON * fabs(a)))
            return 0.0;
    }
    return c;
}

/* Line i = c line j goes: into the crossing line j, c times the crossing line i. */
static void merge(structure *s, int kind, int i, int j, double c)
{
    for (uint64_t crossing = entries_of(s, !kind, i); crossing != 0; crossing &= crossing - 1) {
        const int l = __builtin_ctzll(crossing);
        *entry(s, kind, l, j) += c * *entry(s, kind, l, i);
        s->lines[kind][l] |= bit(j);
    }
    s->lines[!kind][j] |= s->lines[!kind][i];
    remove_line(s, i, 0.0);
}

/* Line k, against those before it. The larger one stays, so that |c| <= 1. Returns whether one went. */
static bool deflate_line(structure *s, int kind, int k)
{
    const uint64_t own = entries_of(s, kind, k);
    if ((own & ~bit(k)) == 0) {
        remove_line(s, k, own != 0 ? *entry(s, kind, k, k) : 0.0);
        return true;
    }
    for (uint64_t before = s->left & (bit(k) - 1); before != 0; before &= before - 1) {
        const int j = __builtin_ctzll(before);
        const double c = entries_of(s, kind, j) == own ? multiple(s, kind, k, j) : 0.0;
        if (!(fabs(c) >= DBL_MIN && fabs(c) <= 1.0 / DBL_MIN))
            continue;
        if (fabs(c) <= 1.0)
            merge(s, kind, k, j, c);
        else
            merge(s, kind, j, k, 1.0 / c);
        return true;
    }
    return false;
}

/* Takes off what it can. */
static void deflate(structure *s)
{
    find_structure(s);
    for (bool again = true; again;) {
        again = false;
        for (int k = s->n - 1; k >= 0; k--) /* histories come last */
            for (int kind = 0; kind < KINDS && (s->left & bit(k)) != 0; kind++)
                again = deflate_line(s, kind, k) || again;
    }
}

/* Blocks ------------------------------------------------------------------------------------------------- */

/* to[k]: the rows that row k depends on, itself or by way of others (Warshall). */
static void find_dependencies(const structure *s, uint64_t *to)
{
    for (int k = 0; k < s->n; k++)
        to[k] = entries_of(s, ROWS, k);
    for (uint64_t through = s->left; through != 0; through &= through - 1) {
        const int k = __builtin_ctzll(through);
        for (int i = 0; i < s->n; i++)
            to[i] |= (to[i] & bit(k)) != 0 ? to[k] : 0;
    }
}

/* Row k and those among `rest` that depend on it and it on them. */
static uint64_t block_of(uint64_t rest, const uint64_t *to, int k)
{
    uint64_t block = bit(k);
    for (uint64_t others = rest & to[k]; others != 0; others &= others - 1) {
        const int j = __builtin_ctzll(others);
        block |= (to[j] & bit(k)) != 0 ? bit(j) : 0;
    }
    return block;
}

/* Those rows and columns of A. Returns how many. */
static int gather(const structure *s, uint64_t block, double *B)
{
    int size = 0;
    for (uint64_t rows = block; rows != 0; rows &= rows - 1, size++)
        for (uint64_t columns = block; columns != 0; columns &= columns - 1)
            *B++ = *entry(s, ROWS, __builtin_ctzll(rows), __builtin_ctzll(columns));
    return size;
}

/* Hessenberg form ---------------------------------------------------------------------------------------- */

/* Scales row and column k by a power of 2 towards equal sums off the diagonal. Has that made them smaller? */
static bool balance_line(int n, int k, double *A)
{
    double row = 0.0, column = 0.0, factor = 1.0;
    for (int j = 0; j < n; j++) {
        row += fabs(A[k * n + j]);
        column += fabs(A[j * n + k]);
    }
    row -= fabs(A[k * n + k]);
    column -= fabs(A[k * n + k]);
    if (!(row > 0.0 && column > 0.0))
        return false;
    const double before = row + column;
    while (column < 0.5 * row) {
        column *= 2.0;
        row *= 0.5;
        factor *= 2.0;
    }
    while (column >= 2.0 * row) {
        column *= 0.5;
        row *= 2.0;
        factor *= 0.5;
    }
    if (row + column >= 0.95 * before)
        return false;
    for (int j = 0; j < n; j++) {
        A[k * n + j] /= factor;
        A[j * n + k] *= factor;
    }
    return true;
}

static void balance(int n, double *A)
{
    bool better = true;
    while (better) {
        better = false;
        for (int k = 0; k < n; k++)
            better = balance_line(n, k, A) || better;
    }
}

/* v (v[0] = 1) and tau of the reflection I - tau v v' that takes x to a multiple of the first unit vector, which it
 * returns. tau = 0: nothing to do. */
static double reflection(int n, double *v, double *tau)
{
    double square = 0.0;
    for (int i = 1; i < n; i++)
        square += v[i] * v[i];
    *tau = 0.0;
    if (square == 0.0)
        return v[0];
    const double alpha = v[0], beta = -copysign(sqrt(alpha * alpha + square), alpha);
    for (int i = 1; i < n; i++)
        v[i] /= alpha - beta;
    v[0] = 1.0;
    *tau = (beta - alpha) / beta;
    return beta;
}

/* v, w: workspace of n doubles each. */
static void to_hessenberg(int n, double *A, double *v, double *w)
{
    for (int k = 0; k + 2 < n; k++) {
        double tau;
        const int rows = n - k - 1; /* and columns, from first on */
        double *first = A + (k + 1) * n + k + 1;
        for (int i = 0; i < rows; i++) {
            v[i] = first[i * n - 1];
            first[i * n - 1] = w[i] = 0.0;
        }
        first[-1] = reflection(rows, v, &tau);
        if (tau == 0.0)
            continue;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                w[j] += v[i] * first[i * n + j];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                first[i * n + j] -= tau * v[i] * w[j];
        for (int i = 0; i < n; i++) {
            double *row = A + i * n + k + 1, sum = 0.0;
            for (int j = 0; j < rows; j++)
                sum += row[j] * v[j];
            for (int j = 0; j < rows; j++)
                row[j] -= tau * sum * v[j];
        }
    }
}

/* QR algorithm ------------------------------------------------------------------------------------------- */

/* Is H[k][k-1] zero up to round-off? at: H[k][k] */
static bool negligible(int n, const double *at)
{
    const double below = fabs(at[-1]), above = fabs(at[-n]), here = fabs(at[0]);
    const double gap = fabs(at[-n - 1] - at[0]);
    const double outer = fmax(below, above), inner = fmax(here, gap), sum = outer + inner;
    if (below <= DBL_MIN)
        return true;
    return below <= DBL_EPSILON * (here + fabs(at[-n - 1])) &&
           fmin(below, above) * (outer / sum) <=
               fmax(DBL_MIN, DBL_EPSILON * (fmin(here, gap) * (inner / sum)));
}

/* The two shifts of a step: a conjugate pair, or twice the same real one. */
typedef struct shifts {
    double re, im;
} shifts;

/* Eigenvalues of the block [a, b; c, d], of two real ones the one closer to d. */
static shifts block_shifts(double a, double b, double c, double d)
{
    const double scale = fabs(a) + fabs(b) + fabs(c) + fabs(d);
    if (scale == 0.0)
        return (shifts){0.0, 0.0};
    const double mean = 0.5 * (a / scale + d / scale);
    const double square = (a / scale - mean) * (d / scale - mean) - b / scale * (c / scale);
    const double root = sqrt(fabs(square)) * scale;
    if (square >= 0.0)
        return (shifts){mean * scale, root};
    const double larger = mean * scale + root, smaller = mean * scale - root;
    return (shifts){fabs(larger - d) <= fabs(smaller - d) ? larger : smaller, 0.0};
}

/* Of the block that ends at `at` = H[high][high]; every tenth step goes elsewhere. */
static shifts choose_shifts(int n, const double *at, int step)
{
    if (step % 10 != 0 || step == 0)
        return block_shifts(at[-n - 1], at[-n], at[-1], at[0]);
    const double size = fabs(at[-1]) + fabs(at[-n - 2]), centre = at[0] + 0.75 * size;
    return block_shifts(centre, -0.4375 * size, size, centre);
}

/* The first column of (H - s1)(H - s2), up to a factor, for an active block that begins at `at` = H[m][m]. */
static void first_column(int n, const double *at, shifts s, double v[3])
{
    const double scale = fabs(at[0] - s.re) + fabs(s.im) + fabs(at[n]), below = at[n] / scale;
    v[0] = below * at[1] + (at[0] - s.re) * ((at[0] - s.re) / scale) + s.im * (s.im / scale);
    v[1] = below * (at[0] + at[n + 1] - 2.0 * s.re);
    v[2] = below * at[2 * n + 1];
    const double sum = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    for (int i = 0; i < 3 && sum > 0.0; i++)
        v[i] /= sum;
}

/* Where the step may begin: two subdiagonal entries in a row are small enough together. v: its first column. */
static int begin_of_step(int n, const double *H, int low, int high, shifts s, double v[3])
{
    for (int m = high - 2;; m--) {
        const double *at = H + m * n + m;
        first_column(n, at, s, v);
        if (m == low || fabs(at[-1]) * (fabs(v[1]) + fabs(v[2])) <=
                            DBL_EPSILON * fabs(v[0]) * (fabs(at[-n - 1]) + fabs(at[0]) + fabs(at[n + 1])))
            return m;
    }
}

/* Which entries a reflection reaches: in its rows up to column high, in its columns those of rows low .. last. */
typedef struct reflected {
    int low, last, high;
} reflected;

/* Rows k .. k + size - 1 of columns k .. high, and the same columns of rows low .. last, times the reflection. */
static inline __attribute__((always_inline)) void reflect(int size, int n, double *H, int k, reflected part,
                                                          double tau, const double *v)
{
    const double v1 = v[1], v2 = size > 2 ? v[2] : 0.0;
    double *row = H + k * n;
    for (int j = k; j <= part.high; j++) {
        const double sum = tau * (row[j] + v1 * row[n + j] + (size > 2 ? v2 * row[2 * n + j] : 0.0));
        row[j] -= sum;
        row[n + j] -= sum * v1;
        if (size > 2)
            row[2 * n + j] -= sum * v2;
    }
    for (int i = part.low; i <= part.last; i++) {
        double *at = H + i * n + k;
        const double sum = tau * (at[0] + v1 * at[1] + (size > 2 ? v2 * at[2] : 0.0));
        at[0] -= sum;
        at[1] -= sum * v1;
        if (size > 2)
            at[2] -= sum * v2;
    }
}

/* One double step on the active block low .. high, of three rows or more: the bulge from m down to the end. */
static void francis_step(int n, double *H, int low, int high, shifts s)
{
    double v[3], tau;
    const int m = begin_of_step(n, H, low, high, s, v);
    for (int k = m; k < high; k++) {
        const int size = high - k > 1 ? 3 : 2;
        double *below = H + k * n + k - 1; /* column k - 1, from row k on */
        for (int i = 0; i < size && k > m; i++)
            v[i] = below[i * n];
        const double head = reflection(size, v, &tau);
        if (k > m) {
            below[0] = head;
            below[n] = 0.0;
            if (size > 2)
                below[2 * n] = 0.0;
        } else if (m > low) {
            below[0] *= 1.0 - tau;
        }
        if (size > 2)
            reflect(3, n, H, k, (reflected){low, k + 3 < high ? k + 3 : high, high}, tau, v);
        else
            reflect(2, n, H, k, (reflected){low, high, high}, tau, v);
    }
}

/* Eigenvalues of the block [at[0], at[1]; at[n], at[n + 1]]. */
static void split_pair(int n, const double *at, double re[2], double im[2])
{
    const double half = 0.5 * (at[0] - at[n + 1]), product = at[1] * at[n], square = half * half + product;
    const double root = sqrt(fabs(square));
    im[0] = im[1] = 0.0;
    if (square < 0.0) {
        re[0] = re[1] = at[n + 1] + half;
        im[0] = root;
        im[1] = -root;
    } else {
        const double larger = half + copysign(root, half);
        re[0] = at[n + 1] + larger;
        re[1] = larger != 0.0 ? at[n + 1] - product / larger : at[n + 1];
    }
}

/* Of a Hessenberg matrix, in at most this many steps. Returns MS_OK or MS_NOT_CONVERGED. */
static int qr_algorithm(int n, int steps, double *H, double *re, double *im)
{
    for (int high = n - 1, step = 0; high >= 0;) {
        int low = high;
        while (low > 0 && !negligible(n, H + low * n + low))
            low--;
        if (low > 0)
            H[low * n + low - 1] = 0.0;
        if (low >= high - 1) {
            if (low == high) {
                re[high] = H[high * n + high];
                im[high] = 0.0;
            } else {
                split_pair(n, H + low * n + low, re + low, im + low);
            }
            high = low - 1;
            step = 0;
            continue;
        }
        if (steps-- <= 0)
            return MS_NOT_CONVERGED;
        francis_step(n, H, low, high, choose_shifts(n, H + high * n + high, step++));
    }
    return MS_OK;
}

/* All together ------------------------------------------------------------------------------------------- */

/* The exponent of the largest entry where squares may overflow or vanish, else 0. Returns MS_OK or MS_SOLVER_FAILED
 * (not finite). */
static int find_exponent(int n, const double *a, int *exponent)
{
    double sum = 0.0, largest = 0.0, difference = 0.0;
    *exponent = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(a[i]);
    if (sum == 0.0 || (sum < 0x1p300 && sum > 0x1p-300))
        return MS_OK;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(a[i]));
        difference += a[i] - a[i];
    }
    frexp(largest, exponent);
    return difference == 0.0 ? MS_OK : MS_SOLVER_FAILED;
}

static void scale(int n, int exponent, double *a)
{
    for (int i = 0; i < n && exponent != 0; i++)
        a[i] = ldexp(a[i], exponent);
}

/* Of a block that is not block triangular. */
static int block_eigenvalues(int n, int steps, double *B, double *re, double *im)
{
    balance(n, B);
    to_hessenberg(n, B, im, re);
    return qr_algorithm(n, steps, B, re, im);
}

int ms_dense_eigenvalues(int n, int steps, double *A, double *re, double *im)
{
    double value[MS_DENSE_EIGENVALUES_MAX], B[MS_DENSE_EIGENVALUES_MAX * MS_DENSE_EIGENVALUES_MAX];
    uint64_t to[MS_DENSE_EIGENVALUES_MAX];
    structure s = {.n = n, .step = {n, 1}, .A = A, .value = value};
    int exponent, found = 0, status = MS_OK;
    if (find_exponent(n * n, A, &exponent) != MS_OK)
        return MS_SOLVER_FAILED;
    scale(n * n, -exponent, A);
    deflate(&s);
    for (int k = 0; k < n; k++)
        if ((s.left & bit(k)) == 0) {
            re[found] = value[k];
            im[found++] = 0.0;
        }
    find_dependencies(&s, to);
    for (uint64_t rest = s.left; rest != 0 && status == MS_OK;) {
        const uint64_t block = block_of(rest, to, __builtin_ctzll(rest));
        const int size = gather(&s, block, B);
        status = block_eigenvalues(size, steps, B, re + found, im + found);
        found += size;
        rest &= ~block;
    }
    if (status != MS_OK)
        return status;
    scale(n, exponent, re);
    scale(n, exponent, im);
    return MS_OK;
}
