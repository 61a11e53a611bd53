/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dense_solution.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "long_call.h"
#include "matrix.h"
#include "monolithic.h"
#include "solution_pair.h"

/* Of more states than this the matrix is taken by its entries. */
enum { SPARSE_STATES = 64 };

enum { DEGREE = MS_DENSE_DEGREE, POINTS = DEGREE + 1, TERMS = 25, STIFF = 100 };

/* How many of the case's step sizes a piece may have; where external inputs vary its points are to be no more than half a one apart,
 * for a pulse that they do not see would be lost. */
enum { LONGEST = 32, LONGEST_DRIVEN = 4 };

/* What is known of the polynomials of a state. */
typedef struct state_fit {
    double largest; /* value so far */
    double last;    /* coefficients of the last fit */
    double noise;   /* in them, so far */
} state_fit;

typedef struct attempt {
    bool grows, finite; /* may the next piece be longer? are there numbers for all states? */
    double missed;      /* by the polynomials */
} attempt;

struct ms_dense_solution {
    ms_solution_pair pair;
    double *saved;     /* the main solution where the piece begins (pair.size) */
    state_fit *state;  /* (nx) */
    bool forced;       /* external inputs vary, or there are breakpoints */
    bool linear;       /* x' = A x + b, whether or not the model is small enough for one matrix */
    ms_sparse *A;      /* of one of many states; NULL: there are few, or a loop */
    double *constant;  /* (nx) x' at x = 0, where there is no dense matrix */
    double *series;    /* (TERMS, nx) of Taylor's; NULL: it does not serve */
    int held_back;     /* pieces that it alone kept from being longer */
    double t, length;  /* where the next piece begins, how long it may be [s] */
    double resolved;   /* see RESOLVED */
    double largest;    /* value of any state so far */
    double missed;     /* by the polynomials, at most */
    double at[POINTS]; /* where they are fitted, in [0, 1] */
    double chebyshev[POINTS][POINTS]; /* of the value in point i in the coefficient of T_k */
    double power[POINTS][POINTS];     /* of s^i in T_k */
};

/* A polynomial holds where the last two coefficients of its Chebyshev series are no more than this part of the
 * state's largest value so far: what exponentials leave, or a tenth of the tolerance. Where they are no more than
 * NOISE and do not fall by HARDLY as the piece is halved they are the solver's noise: a kink of the solution lets them
 * fall by 1/2, nothing else by less, but for oscillations that the points do not see. */
static const double RESOLVED = 1e-15, OF_TOLERANCE = 0.1, NOISE = 1e-9, HARDLY = 0.6;

/* States below this part of the largest one, and below SMALLEST in their units, count as if they had reached it. */
static const double FLOOR = 1e-8, SMALLEST = 1e-9;

/* Creation ----------------------------------------------------------------------------------------------- */

bool ms_dense_solution_serves(const ms_system *system)
{
    bool smooth = system->inputs == NULL && system->nz == 0;
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        smooth = smooth && sub->residual == NULL && !ms_subsystem_jumps(sub) && sub->n_switches == 0;
    }
    return smooth;
}

static bool is_driven(const ms_system *system)
{
    bool forced = false;
    for (int i = 0; i < system->n; i++)
        forced |= ms_subsystem_has_times(&system->sub[i]) ||
                  (system->sub[i].nw > 0 && !system->sub[i].external_constant);
    return forced;
}

/* The points on [-1, 1], ascending. */
static double point(int i)
{
    return -cos(acos(-1.0) * (i + 0.5) / POINTS);
}

static void fill_transforms(ms_dense_solution *s)
{
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < POINTS; i++)
            s->chebyshev[i][k] = (k == 0 ? 1.0 : 2.0) / POINTS * cos(k * acos(point(i)));
    s->power[0][0] = s->power[1][1] = 1.0;
    for (int k = 2; k < POINTS; k++) /* T_k = 2 s T_{k-1} - T_{k-2} */
        for (int i = 0; i <= k; i++)
            s->power[k][i] = (i > 0 ? 2.0 * s->power[k - 1][i - 1] : 0.0) - s->power[k - 2][i];
}

void ms_dense_solution_start(ms_dense_solution *s, double t)
{
    const ms_system *whole = s->pair.whole;
    ms_solution_pair_start(&s->pair);
    s->t = t;
    s->length = whole->step_size;
    s->missed = s->largest = 0.0;
    s->held_back = 0;
    if (s->series == NULL && s->linear) /* without memory for it the instance serves as well */
        s->series = malloc(sizeof *s->series * TERMS * (size_t)(whole->nx + 1));
    for (int j = 0; j < whole->nx; j++) {
        s->state[j] = (state_fit){.largest = fabs(s->pair.main.x[j])};
        s->largest = fmax(s->largest, s->state[j].largest);
    }
}

/* x' at x = 0. Is it known? */
static bool fill_constant(ms_dense_solution *s)
{
    const ms_system *whole = s->pair.whole;
    s->constant = calloc((size_t)whole->nx + 1, sizeof *s->constant);
    double *rest = calloc((size_t)whole->nx + 1, sizeof *rest);
    ms_point at = {.x = rest, .z = s->pair.main.z};
    const bool known = s->constant != NULL && rest != NULL &&
                       ms_subsystem_f(whole, 0, &at, s->pair.main.instance->w, s->constant) == 0;
    free(rest);
    return known;
}

int ms_dense_solution_create(const ms_system *system, ms_dense_solution **out, ms_error *error)
{
    ms_dense_solution *s = calloc(1, sizeof *s);
    *out = s;
    if (s == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    s->forced = is_driven(system);
    for (int i = 0; i < POINTS; i++)
        s->at[i] = 0.5 + 0.5 * point(i);
    const ms_solution_use use = {
        .changing = s->forced, .series = !s->forced, .n = POINTS, .fractions = s->at};
    int status = ms_solution_pair_create(system, &use, &s->pair, error);
    if (status == MS_OK) {
        s->saved = malloc(sizeof *s->saved * (s->pair.size + 1));
        s->state = malloc(sizeof *s->state * (size_t)(system->nx + 1));
        if (s->saved == NULL || s->state == NULL)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    }
    if (status != MS_OK) {
        ms_dense_solution_destroy(out);
        return status;
    }
    if (system->linear && system->nx > SPARSE_STATES)
        s->A = ms_monolithic_sparse(system);
    const bool dense = s->pair.whole->linear && s->A == NULL;
    s->linear = system->linear && !s->forced && (dense || fill_constant(s));
    s->resolved = s->linear ? RESOLVED : OF_TOLERANCE * MS_SOLUTION_RTOL;
    fill_transforms(s);
    ms_dense_solution_start(s, 0.0);
    return MS_OK;
}

void ms_dense_solution_destroy(ms_dense_solution **out)
{
    if (*out == NULL)
        return;
    ms_solution_pair_destroy(&(*out)->pair);
    free((*out)->series);
    free((*out)->constant);
    ms_sparse_destroy(&(*out)->A);
    free((*out)->saved);
    free((*out)->state);
    free(*out);
    *out = NULL;
}

size_t ms_dense_piece_size(const ms_system *system)
{
    return sizeof(ms_dense_piece) + sizeof(double) * POINTS * (size_t)system->nx;
}

/* Polynomials -------------------------------------------------------------------------------------------- */

/* The coefficients of state j, and of its Chebyshev series the last two and the two before (absolute values). */
static void fit(const ms_dense_solution *s, int j, double *c, double *last, double *before)
{
    const int nx = s->pair.whole->nx;
    const double *sample = s->pair.main.instance->samples + j, middle = sample[POINTS / 2 * nx];
    double a[POINTS] = {0.0}; /* of what differs from the middle: less round-off */
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < POINTS; k++)
            a[k] += s->chebyshev[i][k] * (sample[i * nx] - middle);
    for (int i = 0; i < POINTS; i++)
        c[i] = i == 0 ? middle : 0.0;
    for (int k = DEGREE; k >= 0; k--)
        for (int i = k % 2; i <= k; i += 2)
            c[i] += s->power[k][i] * a[k];
    *last = fmax(fabs(a[DEGREE]), fabs(a[DEGREE - 1]));
    *before = fmax(fabs(a[DEGREE - 2]), fabs(a[DEGREE - 3]));
}

static double largest_sample(const ms_dense_solution *s, int j)
{
    double largest = fmax(s->state[j].largest, fmax(FLOOR * s->largest, SMALLEST));
    for (int i = 0; i < POINTS; i++)
        largest = fmax(largest, fabs(s->pair.main.instance->samples[i * s->pair.whole->nx + j]));
    return largest;
}

/* What round-off of the time changes in state j: of its way over the last step the part that it is of h. Where nothing is stiff or driven the
 * explicit method's tolerance is larger. */
static double time_noise(const ms_dense_solution *s, int j, double h)
{
    const double *sample = s->pair.main.instance->samples + j;
    double way = 0.0;
    if (s->pair.main.at_rest == NULL && !s->forced)
        return 0.0;
    for (int i = 1; i < POINTS; i++)
        way += fabs(sample[i * s->pair.whole->nx] - sample[(i - 1) * s->pair.whole->nx]);
    return way * DBL_EPSILON * fabs(s->t) / h;
}

/* Fits all states to the samples of the last step, h long. Do all polynomials hold? again: the step before was longer. */
static bool fit_all(ms_dense_solution *s, double h, bool again, ms_dense_piece *piece, attempt *of)
{
    *of = (attempt){.grows = true, .finite = true};
    bool hold = true;
    for (int j = 0; j < s->pair.whole->nx; j++) {
        state_fit *state = &s->state[j];
        double last, before;
        fit(s, j, piece->c + j * POINTS, &last, &before);
        const double limit =
            fmax(fmax(s->resolved * largest_sample(s, j), 2.0 * state->noise), time_noise(s, j, h));
        const bool small = last <= NOISE * state->largest || last <= DBL_EPSILON * s->largest;
        const bool noise = again && small && last > HARDLY * state->last;
        hold = hold && (last <= limit || noise);
        of->grows = of->grows && before <= limit;
        of->missed =
            fmax(of->missed, last <= limit ? last : DEGREE * last); /* at a kink they fall like 1/k^2 */
        state->last = last;
        of->finite = of->finite && isfinite(last);
    }
    return hold && of->finite;
}

/* The fits are taken: what they leave beyond their limit is noise. */
static void take_fits(ms_dense_solution *s)
{
    for (int j = 0; j < s->pair.whole->nx; j++) {
        state_fit *state = &s->state[j];
        state->largest = largest_sample(s, j);
        s->largest = fmax(s->largest, state->largest);
        if (state->last > fmax(s->resolved * state->largest, 2.0 * state->noise))
            state->noise = state->last;
    }
}

void ms_dense_piece_evaluate(const ms_dense_piece *piece, int nx, int n, const double *t, double *x)
{
    double s[MS_DENSE_TIMES] = {0.0};
    for (int p = 0; p < n; p++)
        s[p] = (t[p] - piece->middle) * piece->scale;
    for (int j = 0; j < nx; j++) {
        const double *c = piece->c + j * POINTS;
        double v[MS_DENSE_TIMES] = {c[DEGREE], c[DEGREE], c[DEGREE], c[DEGREE]};
        for (int k = DEGREE - 1; k >= 0; k--)
            for (int p = 0; p < MS_DENSE_TIMES; p++)
                v[p] = v[p] * s[p] + c[k];
        for (int p = 0; p < n; p++)
            x[p * nx + j] = v[p];
    }
}

/* Taylor's series of linear systems ---------------------------------------------------------------------- */

/* A v, by the matrix or, of a large system with loops, from its subsystems: x' = A x + b. Returns what f returns. */
static int multiply(const ms_dense_solution *s, double t, const double *v, double *Av)
{
    const ms_system *whole = s->pair.whole;
    if (s->A != NULL) {
        ms_sparse_multiply(s->A, v, Av);
        return 0;
    }
    if (whole->linear) {
        ms_matrix_multiply(whole->nx, whole->nx, whole->blocks[0].A, v, Av);
        return 0;
    }
    ms_point at = {.t = t, .x = v, .z = s->pair.main.z};
    const int status = ms_subsystem_f(whole, 0, &at, s->pair.main.instance->w, Av);
    for (int j = 0; j < whole->nx; j++)
        Av[j] -= s->constant[j];
    return status;
}

/* v += b. */
static void add_constant(const ms_dense_solution *s, double t, double *v)
{
    const ms_system *whole = s->pair.whole;
    const int nw = whole->sub[0].nw;
    for (int j = 0; j < whole->nx && s->constant != NULL; j++)
        v[j] += s->constant[j];
    if (s->constant == NULL && nw > 0) {
        double *w = s->pair.main.instance->w;
        ms_subsystem_external(whole, &whole->sub[0], t, w);
        ms_matrix_add(whole->nx, nw, whole->blocks[0].E, w, v);
    }
}

/* x' = A x + b: terms c_k h^k of the series of x at t, c_k+1 = (A c_k + [k = 0] b)/(k + 1). Returns what f returns. */
static int fill_series(const ms_dense_solution *s, const double *x, double t, double h)
{
    const int nx = s->pair.whole->nx;
    int status = 0;
    memcpy(s->series, x, sizeof(double) * (size_t)nx);
    for (int k = 0; k + 1 < TERMS && status == 0; k++) {
        double *next = s->series + (size_t)(k + 1) * (size_t)nx;
        status = multiply(s, t, next - nx, next);
        if (k == 0)
            add_constant(s, t, next);
        for (int j = 0; j < nx; j++)
            next[j] *= h / (k + 1);
    }
    return status;
}

/* Its sum at a fraction of h. */
static void sum_series(const ms_dense_solution *s, double fraction, double *x)
{
    const int nx = s->pair.whole->nx;
    const double *term = s->series + (TERMS - 1) * nx;
    memcpy(x, term, sizeof(double) * (size_t)nx);
    for (int k = TERMS - 2; k >= 0; k--) {
        term -= nx;
        for (int j = 0; j < nx; j++)
            x[j] = x[j] * fraction + term[j];
    }
}

static inline double larger(double a, double b)
{
    return a < b ? b : a;
}

/* Are the last two terms below round-off of the largest one, in each state? */
static bool series_holds(const ms_dense_solution *s)
{
    const int nx = s->pair.whole->nx;
    const double *last = s->series + (TERMS - 1) * nx;
    for (int j = 0; j < nx; j++) {
        double largest = FLOOR * s->largest;
        for (int k = 0; k < TERMS; k++)
            largest = larger(largest, fabs(s->series[(size_t)k * (size_t)nx + (size_t)j]));
        if (!(larger(fabs(last[j]), fabs(last[j - nx])) <= 0.1 * DBL_EPSILON * largest && largest < INFINITY))
            return false;
    }
    return true;
}

/* A step of length h, with samples where the instance has them. Does the series hold over it? */
static bool step_series(const ms_dense_solution *s, const ms_solution *of, double t, double h)
{
    const ms_instance *instance = of->instance;
    if (fill_series(s, of->x, t, h) != 0 || !series_holds(s))
        return false;
    for (int k = 0; k < instance->n_samples; k++)
        sum_series(s, instance->sample_at[k], instance->samples + k * s->pair.whole->nx);
    sum_series(s, 1.0, of->x);
    return true;
}

/* Pieces ------------------------------------------------------------------------------------------------- */

/* Of the main solution. MS_NOT_CONVERGED: the step is too long for the series. */
static int lead(ms_dense_solution *s, double t, double h)
{
    if (ms_long_call_stopped())
        return MS_SPENT;
    if (s->series != NULL)
        return step_series(s, &s->pair.main, t, h) ? MS_OK : MS_NOT_CONVERGED;
    return ms_solution_pair_lead(&s->pair, t, h);
}

/* Of the companion: where there are exponentials they are another way than the series. */
static int follow(ms_dense_solution *s, double t, double h)
{
    if (s->series == NULL || s->pair.whole->linear)
        return ms_solution_pair_follow(&s->pair, t, h);
    const bool holds = step_series(s, &s->pair.companion, t, 0.5 * h) &&
                       step_series(s, &s->pair.companion, t + 0.5 * h, 0.5 * h);
    ms_solution_pair_perturb(&s->pair);
    return holds ? MS_OK : MS_SOLVER_FAILED;
}

/* The system is stiff if the series keeps pieces short that polynomials would take longer: then exponentials
 * serve. */
static int check_series(ms_dense_solution *s, bool held_back)
{
    if (!held_back || ++s->held_back < STIFF || !s->pair.whole->linear)
        return MS_OK;
    free(s->series);
    s->series = NULL;
    return ms_solution_pair_leave_series(&s->pair);
}

/* The length of a piece that ends at a number of double precision; that of exponentials stays, for they are kept. */
static double length_of(const ms_dense_solution *s, double h)
{
    const bool keeps = s->series == NULL && s->pair.whole->linear;
    return keeps ? h : s->t + h - s->t;
}

/* Takes the main solution to the end of a piece whose polynomials hold. */
static int advance(ms_dense_solution *s, ms_dense_piece *piece, attempt *of)
{
    const double smallest = 4.0 * DBL_EPSILON * fmax(fabs(s->t), 1e-3 * s->pair.whole->step_size);
    const size_t bytes = sizeof(double) * s->pair.size;
    const double knot = s->forced ? ms_instance_next_time(s->pair.main.instance, s->t) : INFINITY;
    double h = fmin(s->length, knot - s->t);
    bool again = false, held_back = false;
    memcpy(s->saved, s->pair.main.x, bytes);
    for (;; h *= 0.5, again = !held_back) {
        h = length_of(s, h);
        const int status = lead(s, s->t, h);
        if (status == MS_OK && (fit_all(s, h, again, piece, of) || (h < 2.0 * smallest && of->finite)))
            break;
        if (status == MS_NO_MEMORY || status == MS_SPENT)
            return status;
        if (h < 2.0 * smallest)
            return MS_SOLVER_FAILED;
        held_back = status == MS_NOT_CONVERGED;
        memcpy(s->pair.main.x, s->saved, bytes);
    }
    take_fits(s);
    const bool to_knot = h == knot - s->t;
    piece->begin = s->t;
    piece->end = to_knot ? knot : s->t + h;
    piece->middle = s->t + 0.5 * h;
    piece->scale = 2.0 / h;
    const int longest = s->forced ? LONGEST_DRIVEN : LONGEST;
    if (!to_knot) /* else it was as long as it could be */
        s->length = of->grows ? fmin(2.0 * h, longest * s->pair.whole->step_size) : h;
    return check_series(s, held_back && of->grows);
}

int ms_dense_solution_next(ms_dense_solution *s, ms_dense_piece *piece)
{
    attempt of;
    piece->c = (double *)(piece + 1);
    int status = advance(s, piece, &of);
    MS_THEN(status, follow(s, s->t, piece->end - s->t));
    if (status != MS_OK)
        return status == MS_NO_MEMORY || status == MS_SPENT ? status : MS_SOLVER_FAILED;
    s->t = piece->end;
    ms_solution_pair_compare(&s->pair);
    s->missed = fmax(s->missed, of.missed);
    piece->error = ms_solution_pair_error(&s->pair, s->missed);
    return MS_OK;
}
