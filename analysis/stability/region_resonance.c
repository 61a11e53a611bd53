/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_resonance.c - instability where eigenvalues meet, in intervals much narrower than the scan.
 *
 * Two weakly damped modes exchange energy if their eigenvalues lambda_a, lambda_b of Psi(x) meet near the unit
 * circle, when the sum or difference of frequencies times x is a multiple of 2 pi. With a phase phi between them that passes 0
 * at a rate r, a coupling kappa and decays s_a, s_b per step, to first order
 *
 *     log(lambda_a/lambda_b)^2 = 4 kappa^2 - (phi + i (s_a - s_b))^2
 *
 * (Bolotin; Yakubovich and Starzhinskii on combination resonances): eigenvalues repel along the radius within |phi| < 2
 * kappa, an interval of x of 4 kappa/|r|. The left side is analytic in x even where the eigenvalues are not, so a parabola
 * through three points near the meeting finds its centre, however narrow it is.
 *
 * Meetings are found as follows: at each point of the scan the logarithms of eigenvalues are extrapolated by their derivatives (by a
 * difference over 1e-7 x) halfway to the neighbouring points. For e^{s x} this is exact for any number of turns between
 * two points of the scan. */
#include <complex.h>
#include <float.h>
#include <stdlib.h>

#include "growing.h"
#include "region_parts.h"

enum { MOST = 20000, LEAST = 500, SMALL = 8, TURNS = 16, ROUNDS = 8, GOLDEN = 24, KEPT = 3 * ROUNDS + 1 };

static const double difference = 1e-7; /* relative to x, over which derivatives are taken */
static const double decayed = 0.5;     /* with a modulus below this a mode is not weakly damped */
static const double overlap = 1.02;    /* factor on the halves of an interval */
static const double turn = 6.283185307179586;

/* Eigenvalues at a point of the scan, without those that have decayed. */
typedef struct followed {
    int all, n;                   /* number of eigenvalues; of those followed */
    double complex *value, *rate; /* lambda, (log lambda)' */
} followed;

/* A meeting of two eigenvalues. */
typedef struct meeting {
    double x, phase_rate; /* abscissa, and rate of the phase difference */
    double complex at;    /* their common value without coupling */
    double turning;       /* rate of their common phase */
    double decay;         /* product of their decays over the macro-step */
    int left;             /* scan point to the left */
    int n;
    ms_scan_point point[KEPT];
    long evaluations;
} meeting;

typedef struct search {
    ms_scan *scan;
    followed *at; /* (scan->n) */
    double complex *memory;
    meeting *found;
    int n;
    size_t size;
} search;

static int eigenvalues_at(const ms_field *field, void *context, double x, int *n, double complex *values,
                          ms_error *error)
{
    double pairs[2 * MS_FIELD_EIGENVALUES_MAX];
    const int status = field->eigenvalues(context, x, 0.0, n, pairs, error);
    for (int k = 0; k < *n; k++)
        values[k] = pairs[2 * k] + I * pairs[2 * k + 1];
    return status;
}

/* Following ---------------------------------------------------------------------------------------------- */

static int nearest(double complex of, int n, const double complex *among, int but)
{
    int best = -1;
    for (int k = 0; k < n; k++)
        if (k != but && (best < 0 || cabs(among[k] - of) < cabs(among[best] - of)))
            best = k;
    return best;
}

static double largest(int n, const double complex *values)
{
    double radius = 0.0;
    for (int k = 0; k < n; k++)
        radius = fmax(radius, hypot(creal(values[k]), cimag(values[k])));
    return radius;
}

/* The spectral radius at point k; and eigenvalues with rates, if there are any. */
static int follow(void *job, void *context, int k, ms_error *error)
{
    search *s = job;
    followed *f = &s->at[k];
    const ms_field *field = s->scan->field;
    ms_scan_point *p = &s->scan->point[k];
    const double dx = difference * p->x;
    double complex here[MS_FIELD_EIGENVALUES_MAX], ahead[MS_FIELD_EIGENVALUES_MAX];
    int n = 0, m = 0;
    int status = p->x > 0.0 ? eigenvalues_at(field, context, p->x, &n, here, error) : MS_OK;
    if (status == MS_OK && n == 0)
        return field->value(context, p->x, 0.0, &p->value, error);
    p->value = largest(n, here);
    MS_THEN(status, eigenvalues_at(field, context, p->x + dx, &m, ahead, error));
    f->all = n;
    f->value = s->memory + (size_t)k * 2 * MS_FIELD_EIGENVALUES_MAX;
    f->rate = f->value + MS_FIELD_EIGENVALUES_MAX;
    for (int i = 0; i < n && n == m; i++) {
        if (!(cabs(here[i]) > decayed))
            continue;
        f->value[f->n] = here[i];
        f->rate[f->n++] = clog(ahead[nearest(here[i], n, ahead, -1)] / here[i]) / dx;
    }
    return status;
}

/* Meetings ----------------------------------------------------------------------------------------------- */

static int append(search *s, const meeting *m, ms_error *error)
{
    MS_TRY_MEMORY_FOR(ms_grow(&s->found, &s->size, (size_t)s->n + 1, sizeof *m), error, "%d resonances",
                      s->n + 1);
    s->found[s->n++] = *m;
    return MS_OK;
}

/* Eigenvalues i and j of point k, extrapolated by a step `ahead`: notes their meeting, if it is within range and
 * is the upper one of two complex conjugate meetings. */
static int note(search *s, int k, int i, int j, double ahead, ms_error *error)
{
    const followed *f = &s->at[k];
    const double complex a = clog(f->value[i]) + ahead * f->rate[i],
                         b = clog(f->value[j]) + ahead * f->rate[j];
    const double phase = carg(cexp(a)) + 0.5 * remainder(cimag(b) - cimag(a), turn);
    const double x = s->scan->point[k].x + ahead, end = s->scan->point[s->scan->n - 1].x;
    const double angle = remainder(phase, turn);
    const bool lower = angle < -1e-6 && angle > 1e-6 - 0.5 * turn;
    if (fmin(creal(a), creal(b)) < log(decayed) || lower || !(x > 0.0) || x > end)
        return MS_OK;
    s->scan->crossings += 1.0;
    const meeting m = {.x = x,
                       .phase_rate = cimag(f->rate[i] - f->rate[j]),
                       .at = cexp(0.5 * creal(a + b) + I * phase),
                       .turning = 0.5 * cimag(f->rate[i] + f->rate[j]),
                       .decay = fabs(creal(a) * creal(b)),
                       .left = ahead < 0.0 || k + 1 == s->scan->n ? k - 1 : k};
    return append(s, &m, error);
}

/* Notes where the phase difference of eigenvalues i and j of point k is a multiple of 2 pi, from `from` to `to` of
 * the step. */
static int meet(search *s, int k, int i, int j, double from, double to, ms_error *error)
{
    const followed *f = &s->at[k];
    const double phase = carg(f->value[i]) - carg(f->value[j]), rate = cimag(f->rate[i] - f->rate[j]);
    if (!(fabs(rate) * (to - from) > 1e-9))
        return MS_OK;
    const double ends[] = {(phase + rate * from) / turn, (phase + rate * to) / turn};
    const double first = ceil(fmin(ends[0], ends[1])), last = floor(fmax(ends[0], ends[1]));
    int status = MS_OK;
    for (double turns = first; turns <= last && turns < first + TURNS && status == MS_OK; turns++)
        status = note(s, k, i, j, (turns * turn - phase) / rate, error);
    if (last - first >= TURNS)
        s->scan->crossings += last - first + 1.0 - TURNS;
    return status;
}

static int meet_all(search *s, ms_error *error)
{
    const ms_scan_point *p = s->scan->point;
    int status = MS_OK;
    for (int k = 1; k < s->scan->n; k++) {
        const double from = 0.5 * overlap * (p[k - 1].x - p[k].x);
        const double to = k + 1 < s->scan->n ? 0.5 * overlap * (p[k + 1].x - p[k].x) : 0.0;
        for (int i = 0; i < s->at[k].n; i++)
            for (int j = i + 1; j < s->at[k].n && status == MS_OK; j++)
                status = meet(s, k, i, j, from, to, error);
    }
    return status;
}

/* The least damped first. */
static int compare(const void *a, const void *b)
{
    const meeting *l = a, *r = b;
    return l->decay != r->decay ? (l->decay > r->decay ? 1 : -1) : (l->x > r->x) - (l->x < r->x);
}

/* Looking into ------------------------------------------------------------------------------------------- */

/* At x: the spectral radius, which is stored, and Re log(a/b)^2 of the two eigenvalues nearest to the meeting. */
static int measure(const search *s, void *context, meeting *m, double x, double *radius, double *apart,
                   ms_error *error)
{
    double complex values[MS_FIELD_EIGENVALUES_MAX];
    int n = 0;
    const int status = eigenvalues_at(s->scan->field, context, x, &n, values, error);
    *radius = n > 0 ? largest(n, values) : NAN;
    *apart = NAN;
    m->evaluations++;
    m->n = m->n < KEPT ? m->n : KEPT - 1; /* the last entry is always the latest */
    m->point[m->n++] = (ms_scan_point){x, *radius};
    if (n < 2)
        return status;
    const double complex at = m->at * cexp(I * m->turning * (x - m->x));
    const int a = nearest(at, n, values, -1), b = nearest(at, n, values, a);
    const double complex distance = clog(values[a] / values[b]);
    *apart = creal(distance * distance);
    return status;
}

/* Are the scan points on both sides of a meeting both stable or both unstable? */
static bool agree(const search *s, const meeting *m)
{
    const ms_scan_point *p = s->scan->point + m->left;
    return ms_scan_stable(p[0].value) == ms_scan_stable(p[1].value);
}

static bool differs(const search *s, const meeting *m, double radius)
{
    return agree(s, m) && ms_scan_stable(radius) != ms_scan_stable(s->scan->point[m->left].value);
}

/* Golden-section search for the largest radius within `reach` of x. */
static int climb(const search *s, void *context, meeting *m, double x, double reach, ms_error *error)
{
    const double ratio = 0.5 * (sqrt(5.0) - 1.0);
    double a = x - reach, b = x + reach, at[2] = {b - ratio * (b - a), a + ratio * (b - a)}, radius[2], apart;
    int status = measure(s, context, m, at[0], &radius[0], &apart, error), next = 1;
    for (int k = 0; k < GOLDEN && status == MS_OK; k++) {
        status = measure(s, context, m, at[next], &radius[next], &apart, error);
        if (status != MS_OK || differs(s, m, radius[0]) || differs(s, m, radius[1]))
            return status;
        next = radius[0] < radius[1];
        *(next == 0 ? &b : &a) = at[1 - next];
        at[1 - next] = at[next];
        radius[1 - next] = radius[next];
        at[next] = next == 0 ? b - ratio * (b - a) : a + ratio * (b - a);
    }
    return status;
}

/* The parabola through three points around the centre of a meeting. */
typedef struct parabola {
    double x, step; /* its points: x - step, x, x + step */
    double shift;   /* of its vertex, relative to x */
    double top;     /* 4 kappa^2 and the square of the difference of decays */
    bool exists, found;
} parabola;

static int fit(const search *s, void *context, meeting *m, parabola *p, ms_error *error)
{
    double side[3], radius;
    p->exists = p->found = false;
    for (int k = 0; k < 3; k++) {
        const int status = measure(s, context, m, p->x + (k - 1) * p->step, &radius, &side[k], error);
        p->found = status == MS_OK && differs(s, m, radius);
        if (status != MS_OK || p->found)
            return status;
    }
    const double bend = side[0] - 2.0 * side[1] + side[2], slope = 0.5 * (side[2] - side[0]);
    p->exists = bend < 0.0 && isfinite(slope / bend);
    p->shift = -p->step * slope / bend;
    p->top = side[1] - 0.5 * slope * slope / bend;
    return MS_OK;
}

/* Half of the maximal repulsion of the eigenvalues, squared. */
static double gain_of(const parabola *p)
{
    return 0.25 * fmax(p->top, 0.0);
}

/* Approaches the centre of the meeting; and samples around it, where the repulsion may outweigh the decay. */
static int look_into(void *job, void *context, int index, ms_error *error)
{
    search *s = job;
    meeting *m = &s->found[index];
    const ms_scan_point *around = s->scan->point + m->left;
    const double rate = fabs(m->phase_rate), least = 8.0 * DBL_EPSILON * m->x;
    parabola p = {.x = m->x, .step = fmin(0.02 / rate, 0.1 * (around[1].x - around[0].x))};
    for (int round = 0; round < ROUNDS; round++) {
        const int status = fit(s, context, m, &p, error);
        if (status != MS_OK || !p.exists || p.found)
            return status;
        const double half = sqrt(fabs(p.top)) / rate; /* of the interval in which they repel */
        const double unsure = 1e-3 * rate * p.step * rate * p.step;
        const bool there = fabs(p.shift) <= p.step, fine = p.step <= 4.0 * half || p.step <= least;
        p.x += fmax(-4.0 * p.step, fmin(p.shift, 4.0 * p.step));
        if (there && (fine || gain_of(&p) + unsure < 0.1 * m->decay))
            break;
        if (there)
            p.step = fmax(fmax(0.05 * p.step, half), least);
    }
    return gain_of(&p) > 0.1 * m->decay ? climb(s, context, m, p.x, 4.0 * sqrt(gain_of(&p)) / rate, error)
                                        : MS_OK;
}

/* All together ------------------------------------------------------------------------------------------- */

/* Keeps all points of a meeting if one is on another side than the scan points around it. */
static int keep(const search *s, const meeting *m, ms_error *error)
{
    bool fresh = !agree(s, m);
    int status = MS_OK;
    for (int k = 0; k < m->n; k++)
        fresh = fresh || differs(s, m, m->point[k].value);
    for (int k = 0; k < m->n && fresh && status == MS_OK; k++)
        status = ms_scan_add(s->scan, m->point[k].x, m->point[k].value, error);
    s->scan->evaluations += m->evaluations;
    return status;
}

static int create(search *s, ms_error *error)
{
    const size_t n = (size_t)s->scan->n;
    s->at = calloc(n, sizeof *s->at);
    s->memory = calloc(n * 2 * MS_FIELD_EIGENVALUES_MAX, sizeof *s->memory);
    return s->at != NULL && s->memory != NULL
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for eigenvalues of %d step sizes",
                         s->scan->n);
}

/* For larger matrices fewer meetings are examined, since each costs the cube of the size. */
static int most_of(const search *s)
{
    int widest = SMALL;
    for (int k = 0; k < s->scan->n; k++)
        widest = s->at[k].all > widest ? s->at[k].all : widest;
    const double part = (double)SMALL / widest;
    return (int)fmax(LEAST, MOST * part * part * part);
}

/* Those to be examined come first. */
static int find_meetings(search *s, ms_error *error)
{
    const int status = meet_all(s, error), most = most_of(s);
    if (s->n > 0)
        qsort(s->found, (size_t)s->n, sizeof *s->found, compare);
    s->n = s->n < most ? s->n : most;
    s->scan->looked_into = s->n;
    return status;
}

int ms_scan_resonances(ms_scan *scan, const ms_thread_pool *pool, ms_error *error)
{
    search s = {.scan = scan};
    int status = create(&s, error);
    MS_THEN(status, ms_thread_pool_work(pool, scan->n, 16, follow, &s, error));
    for (int k = 0; k < scan->n && status == MS_OK; k++) {
        scan->evaluations += s.at[k].all > 0 ? 2 : 1;
        scan->follows = scan->follows || s.at[k].all > 0;
    }
    ms_scan_begin(scan);
    MS_THEN(status, find_meetings(&s, error));
    MS_THEN(status, ms_thread_pool_work(pool, s.n, 4, look_into, &s, error));
    for (int k = 0; k < s.n && status == MS_OK; k++)
        status = keep(&s, &s.found[k], error);
    MS_FREE(s.at, s.memory, s.found);
    return status;
}
