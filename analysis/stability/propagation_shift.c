/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "propagation_shift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <macrostep/spectrum.h>

/* Shifts from one Ritz value at most, and Ritz values from which they start; eigenvalues next to a shift beyond those that are
 * wanted; columns of its Krylov space beyond twice their number. */
enum { SHIFTS = 12, STARTS = 4, MORE = 4, COLUMNS = 6 };

/* Shifts come closer by this factor at least; more cycles of the space where that is too fast. */
static const double CLOSER = 0.1;
enum { GROWTH = 4 };

/* Ritz values that are closer, in units of their residuals, may belong to the same eigenvalues. */
static const double FAR = 30.0;

/* Of (Psi - s I)^-1, so that differences from s are as accurate. */
static const double TOLERANCE = 1e-8, ROUND_OFF = 1e-14;

typedef struct value {
    double re, im, residual, condition;
} value;

/* Next to which value a shift stands, im >= 0, and how far. */
typedef struct place {
    double re, im, distance;
} place;

typedef struct search {
    const ms_propagation_band *band;
    const ms_arnoldi_map *psi;
    const ms_arnoldi_request *request;
    double *in, *out; /* (n) in the order of the band */
    value *best;      /* (request.k + 1) by descending modulus */
    int *order;       /* of what was found last */
    int n_best, shifts;
    bool close;   /* some of them have converged */
    double shift; /* the last one, if it was real; 0: it was not */
    bool failed;  /* psi has: all else that fails is close to singular */
    long applications;
} search;

/* (Psi - s I)^-1 ------------------------------------------------------------------------------------------- */

static int apply_inverse(void *self, const double *v, double *to)
{
    const search *s = self;
    const ms_band *matrix = s->band->matrix;
    for (int i = 0; i < matrix->n; i++)
        s->in[i] = v[s->band->row[i]];
    ms_band_solve(matrix, s->in, s->out);
    for (int i = 0; i < matrix->n; i++)
        to[s->band->row[i]] = s->out[i];
    return MS_OK;
}

static int apply_psi(void *self, const double *v, double *to)
{
    search *s = self;
    const int status = s->psi->apply(s->psi->self, v, to);
    s->failed = status != MS_OK;
    return status;
}

/* Outside of a value by its distance, on the real axis if that is not farther. A shift that is an eigenvalue is moved. */
static int factor(search *s, const place *at)
{
    int status = MS_SOLVER_FAILED;
    double distance = at->distance;
    const double size = hypot(at->re, at->im);
    if (size == 0.0)
        return MS_NOT_CONVERGED;
    for (int tries = 0; tries < 3 && status == MS_SOLVER_FAILED; tries++, distance *= 2.0) {
        const double outside = 1.0 + distance / size;
        const bool real = at->im <= distance;
        s->shift = real ? copysign(size * outside, at->re) : 0.0;
        status = ms_band_factor(s->band->matrix, real ? s->shift : at->re * outside,
                                real ? 0.0 : at->im * outside);
    }
    s->shifts++;
    return status;
}

/* Eigenvalues next to the shift ---------------------------------------------------------------------------- */

static double modulus(const double *eigenvalue)
{
    return hypot(eigenvalue[0], eigenvalue[1]);
}

/* Places by descending modulus; pairs stay side by side. */
static void sort(int n, const double *eigenvalues, int *order)
{
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 && modulus(eigenvalues + 2 * order[at - 1]) < modulus(eigenvalues + 2 * k); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* The largest of n > 0 values, and its distance from the next one, which is not its conjugate. Leaves their order. */
static place next_place(int n, const double *eigenvalues, int *order)
{
    sort(n, eigenvalues, order);
    const double *first = eigenvalues + 2 * order[0];
    place at = {first[0], fabs(first[1]), 1e-3 * modulus(first)};
    for (int k = n - 1; k > 0; k--) {
        const double *next = eigenvalues + 2 * order[k];
        const double distance = hypot(first[0] - next[0], at.im - fabs(next[1]));
        if (distance > 4.0 * DBL_EPSILON * modulus(first))
            at.distance = distance;
    }
    return at;
}

/* Where the modulus is largest on the curve that the three largest values lie on, if it has a maximum: log |lambda| as a parabola
 * over arg lambda. Else the place stays. */
static void move_along(int n, const double *eigenvalues, const int *order, place *at)
{
    double x[3], y[3];
    int found = 0;
    for (int k = 0; k < n && found < 3; k++) {
        const double *v = eigenvalues + 2 * order[k];
        if (v[1] < 0.0)
            continue;
        x[found] = atan2(v[1], v[0]);
        y[found++] = log(modulus(v) / modulus(eigenvalues + 2 * order[0]));
    }
    if (found < 3)
        return;
    const double a = (y[1] - y[0]) / (x[1] - x[0]), b = (y[2] - y[1]) / (x[2] - x[1]),
                 c = (b - a) / (x[2] - x[0]);
    const double move = 0.5 * (x[1] - x[0]) - 0.5 * a / c;
    if (!(c < 0.0) || !(fabs(move) < 1.0))
        return;
    const double size = hypot(at->re, at->im) * exp(-c * move * move), angle = x[0] + move;
    at->re = size * cos(angle);
    at->im = fabs(size * sin(angle));
}

/* Are the k largest none of the two most distant eigenvalues, pairs counting once? On a curve these are its ends. */
static bool surrounded(const ms_arnoldi *a, const int *order, int k)
{
    int inner = a->n;
    for (int ends = 0; ends < 2 && inner > 0; ends++)
        inner -= a->eigenvalues[2 * inner - 1] < 0.0 ? 2 : 1;
    for (int j = 0; j < k && j < a->n; j++)
        if (order[j] >= inner)
            return false;
    return true;
}

/* Into the best, unless it is there. */
static void add(search *s, const value *v)
{
    int at = s->n_best;
    for (int k = 0; k < s->n_best; k++) {
        const value *w = s->best + k;
        const double same =
            2.0 * (v->residual * v->condition + w->residual * w->condition) + 4.0 * DBL_EPSILON;
        if (hypot(v->re - w->re, v->im - w->im) <= same)
            return;
    }
    for (; at > 0 && hypot(s->best[at - 1].re, s->best[at - 1].im) < hypot(v->re, v->im); at--)
        s->best[at] = s->best[at - 1];
    s->best[at] = *v;
    const int most = s->request->k + 1;
    s->n_best = s->n_best < most ? s->n_best + 1 : most;
}

static void keep(search *s, const ms_arnoldi *a)
{
    for (int k = 0; k < a->n; k++)
        add(s, &(value){a->eigenvalues[2 * k], a->eigenvalues[2 * k + 1], a->residuals[k], a->conditions[k]});
}

/* Runs at most that many cycles of the Krylov space, and no more applications than the request has left. */
static int next_to_shift(search *s, long cycles, ms_arnoldi *found)
{
    const int k = s->request->k + MORE, columns = 2 * k + COLUMNS;
    const long left = s->request->applications - s->applications;
    ms_arnoldi_map psi = *s->psi;
    psi.apply = apply_psi;
    psi.self = s;
    const ms_arnoldi_map inverse = {
        .n = psi.n, .apply = apply_inverse, .self = s, .round_off = ROUND_OFF, .of = &psi};
    const ms_arnoldi_request request = {.k = k,
                                        .subspace = columns,
                                        .applications = cycles * columns < left ? cycles * columns : left,
                                        .tolerance = TOLERANCE,
                                        .stop = s->request->stop};
    const int status = ms_arnoldi_create(&inverse, &request, found);
    s->applications += found->applications;
    return status;
}

/* Before anything has converged s + 1 / nu says more than Rayleigh quotients, which for such vectors may be far outside of the spectrum. */
static void take_back(double shift, ms_arnoldi *found)
{
    for (int k = 0; k < found->n; k++) {
        const double *nu = found->inner + 2 * k, square = nu[0] * nu[0] + nu[1] * nu[1];
        const double im = -nu[1] / square;
        found->eigenvalues[2 * k] = shift + nu[0] / square;
        found->eigenvalues[2 * k + 1] = nu[1] > 0.0 ? fabs(im) : -fabs(im);
    }
}

/* One shift; at says where to place the next one. */
static int look(search *s, place *at, long cycles)
{
    ms_arnoldi found = {0};
    MS_TRY(factor(s, at));
    int status = next_to_shift(s, cycles, &found);
    if (status != MS_OK && status != MS_NOT_CONVERGED)
        return status;
    if (s->shift != 0.0 && found.converged == 0)
        take_back(s->shift, &found);
    *at = next_place(found.n, found.eigenvalues, s->order);
    s->close = found.converged > 0;
    if (status == MS_OK && surrounded(&found, s->order, s->request->k))
        keep(s, &found);
    else if (status == MS_OK) {
        move_along(found.n, found.eigenvalues, s->order, at);
        status = MS_NOT_CONVERGED;
    }
    ms_arnoldi_destroy(&found);
    return status;
}

/* From a Ritz value to the largest eigenvalues in its surroundings: each shift is closer to them than the last one was. The space grows while
 * the largest value moves by more than a shift was away. */
static int climb(search *s, place at)
{
    int status = MS_NOT_CONVERGED;
    long cycles = 1;
    for (int k = 0; k < SHIFTS && status == MS_NOT_CONVERGED && s->applications < s->request->applications;
         k++) {
        const place before = at;
        status = look(s, &at, cycles);
        const double moved = hypot(at.re - before.re, at.im - before.im);
        at.distance = fmin(at.distance, CLOSER * fmax(moved, before.distance));
        cycles *= (moved > before.distance && k > 0) || s->close ? GROWTH : 1;
    }
    return status;
}

/* And again where a shift as far away as the first one sees larger values: they may have been the largest close by only. */
static int climb_twice(search *s, place at)
{
    MS_TRY(climb(s, at));
    const double far = at.distance, largest = hypot(s->best[0].re, s->best[0].im);
    at = (place){s->best[0].re, fabs(s->best[0].im), far};
    if (s->applications >= s->request->applications)
        return MS_NOT_CONVERGED;
    const int status = look(s, &at, 1);
    if (status != MS_NOT_CONVERGED)
        return status;
    return hypot(at.re, at.im) > largest ? climb(s, at) : MS_OK;
}

/* The whole ------------------------------------------------------------------------------------------------ */

static bool apart(const double *a, const double *b, double distance)
{
    return hypot(a[0] - b[0], fabs(a[1]) - fabs(b[1])) > distance;
}

/* Climbs from the largest Ritz value, then from others that are far from it and, given their residuals, may be as large. */
static int climb_all(search *s, const ms_arnoldi *start, const ms_spectrum *ritz)
{
    double off = 0.0;
    int climbed[STARTS] = {0}, n = 1;
    for (int k = 0; k < start->n; k++)
        off = fmax(off, start->residuals[k]);
    MS_TRY(climb_twice(s, next_place(ritz->n, ritz->eigenvalues, s->order)));
    for (int k = 1; k < ritz->n && n < STARTS; k++) {
        const double *at = ritz->eigenvalues + 2 * k;
        const value *last = s->best + (s->n_best < s->request->k ? s->n_best : s->request->k) - 1;
        bool other = modulus(at) + off > hypot(last->re, last->im);
        for (int j = 0; j < n; j++)
            other = other && apart(at, ritz->eigenvalues + 2 * climbed[j], FAR * off);
        if (!other)
            continue;
        climbed[n++] = k;
        const int status = climb(s, (place){at[0], fabs(at[1]), off});
        if (status != MS_OK && status != MS_NOT_CONVERGED)
            return status;
    }
    return MS_OK;
}

static void answer(const search *s, ms_arnoldi *found)
{
    const int wanted = s->n_best < s->request->k ? s->n_best : s->request->k;
    found->n = wanted < s->n_best && s->best[wanted - 1].im > 0.0 ? wanted + 1 : wanted;
    found->converged = found->n;
    for (int k = 0; k < found->n; k++) {
        found->eigenvalues[2 * k] = s->best[k].re;
        found->eigenvalues[2 * k + 1] = s->best[k].im;
        found->residuals[k] = s->best[k].residual;
        found->conditions[k] = s->best[k].condition;
    }
}

int ms_propagation_shift(const ms_propagation_band *band, const ms_arnoldi_map *psi,
                         const ms_arnoldi_request *request, ms_arnoldi *found, int *shifts)
{
    const size_t n = (size_t)psi->n, k = (size_t)request->k;
    search s = {.band = band, .psi = psi, .request = request, .applications = found->applications};
    ms_spectrum ritz = {0};
    s.in = malloc(sizeof *s.in * (2 * n + 1));
    s.best = malloc(sizeof *s.best * (k + 2));
    s.order = calloc(k + MORE + 1 + (size_t)found->size, sizeof *s.order);
    int status = MS_NO_MEMORY;
    if (s.in != NULL && s.best != NULL && s.order != NULL) {
        s.out = s.in + n;
        status = MS_OK;
    }
    MS_THEN(status, ms_spectrum_create(found->size, found->projection, &ritz, NULL));
    MS_THEN(status, climb_all(&s, found, &ritz));
    if (status == MS_OK)
        answer(&s, found);
    else if (status == MS_SOLVER_FAILED && !s.failed)
        status = MS_NOT_CONVERGED;
    found->applications = s.applications;
    *shifts = s.shifts;
    ms_spectrum_destroy(&ritz);
    MS_FREE(s.in, s.best, s.order);
    return status;
}
