/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dense_solution.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear_series.h"
#include "long_call.h"

enum { DEGREE = MS_DENSE_DEGREE, POINTS = DEGREE + 1, HALF = POINTS / 2, STIFF = 100 };

/* How many of the case's step sizes a piece may have; where external inputs vary its points are to be no more than half a one apart,
 * for a pulse that they do not see would be lost. */
enum { LONGEST = 32, LONGEST_DRIVEN = 4 };

/* What is known of the polynomials of a state. */
typedef struct state_fit {
    double largest; /* value so far */
    double sample;  /* the largest of the last fit, */
    double last;    /* its last coefficients */
    double noise;   /* in these, so far */
} state_fit;

typedef struct attempt {
    bool grows, finite; /* may the next piece be longer? are there numbers for all states? */
    double missed;      /* by the polynomials */
} attempt;

struct ms_dense_solution {
    ms_solution_pair pair;
    double *saved;           /* the main solution where the piece begins (pair.size) */
    state_fit *state;        /* (nx) */
    bool forced;             /* external inputs vary, or there are breakpoints */
    bool linear;             /* x' = A x + b, whether or not the model is small enough for one matrix */
    ms_linear_series series; /* of linear ones */
    int held_back;           /* pieces that it alone kept from being longer */
    double t, length;        /* start and maximal length of the next piece [s] */
    double resolved;         /* see RESOLVED */
    double largest;          /* value of any state so far */
    double missed;           /* by the polynomials, at most */
    double at[POINTS];       /* where they are fitted, in [0, 1] */
    ms_wide chebyshev[POINTS]
                     [HALF]; /* [k][i]: of the values in point i and opposite in the coefficient of T_k */
    ms_wide power[POINTS][POINTS]; /* [i][k]: of s^i in T_k */
};

/* A polynomial is accurate if the last two coefficients of its Chebyshev series are at most this fraction of the
 * state's largest value so far: the error of exponentials, or a tenth of the tolerance. If they are at most NOISE and
 * do not fall by HARDLY as the piece is halved, they are the solver's noise: at a kink of the solution they fall by
 * 1/2, and otherwise faster, except for oscillations that the points do not resolve. */
static const double RESOLVED = 1e-15, OF_TOLERANCE = 0.1, NOISE = 1e-9, HARDLY = 0.6;

/* Of their limit: by so much polynomials may miss the beginning of their piece. */
static const double LAYER = 1e4;

/* States below this part of the largest one, and below SMALLEST in their units, count as if they had reached it. What that leaves of them is
 * far below round-off of the largest one, which the bound on the error has in it. */
static const double FLOOR = 1e-4, SMALLEST = 1e-9;

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
    double power[POINTS][POINTS] = {{0.0}};
    power[0][0] = power[1][1] = 1.0;
    for (int k = 2; k < POINTS; k++) /* T_k = 2 s T_{k-1} - T_{k-2} */
        for (int i = 0; i <= k; i++)
            power[k][i] = (i > 0 ? 2.0 * power[k - 1][i - 1] : 0.0) - power[k - 2][i];
    for (int k = 0; k < POINTS; k++)
        for (int w = 0; w < MS_WIDE; w++) {
            for (int i = 0; i < HALF; i++)
                s->chebyshev[k][i][w] = (k == 0 ? 1.0 : 2.0) / POINTS * cos(k * acos(point(i)));
            for (int i = 0; i < POINTS; i++)
                s->power[i][k][w] = power[k][i];
        }
}

void ms_dense_solution_start(ms_dense_solution *s, double t)
{
    const ms_system *whole = s->pair.whole;
    ms_solution_pair_start(&s->pair);
    s->t = t;
    s->length = whole->step_size;
    s->missed = s->largest = 0.0;
    s->held_back = 0;
    if (s->linear) /* without memory for it the instance serves as well */
        ms_linear_series_start(&s->series);
    for (int j = 0; j < whole->nx; j++) {
        s->state[j] = (state_fit){.largest = fabs(s->pair.main.x[j])};
        s->largest = fmax(s->largest, s->state[j].largest);
    }
}

int ms_dense_solution_create(const ms_system *system, ms_dense_solution **out, ms_error *error)
{
    ms_dense_solution *s = calloc(1, sizeof *s);
    *out = s;
    MS_TRY_MEMORY_FOR(s != NULL, error, "the reference solution");
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
    s->linear = system->linear && !s->forced && ms_linear_series_create(system, &s->pair, &s->series);
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
    ms_linear_series_destroy(&(*out)->series);
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

/* Polynomials of MS_WIDE states. */
typedef struct fits {
    ms_wide c[POINTS];
    ms_wide a[POINTS];       /* of their Chebyshev series */
    double largest[MS_WIDE]; /* samples (absolute value) */
} fits;

/* Those of states j .. j + MS_WIDE - 1. The series is of what differs from the middle: less round-off. T_k is even or odd as k is, so
 * that points opposite each other are taken together. */
static void fit(const ms_dense_solution *s, int j, fits *of)
{
    ms_wide sample[POINTS];
    ms_wide_gather(POINTS, s->pair.whole->nx, s->pair.main.instance->samples, j, sample);
    for (int w = 0; w < MS_WIDE; w++) {
        of->largest[w] = 0.0;
        for (int i = 0; i < POINTS; i++)
            of->largest[w] = ms_larger(of->largest[w], fabs(sample[i][w]));
    }
    const ms_wide middle = sample[HALF];
    ms_wide both[2][HALF]; /* sums and differences of opposite points */
    for (int i = 0; i < HALF; i++) {
        const ms_wide before = sample[i] - middle, behind = sample[DEGREE - i] - middle;
        both[0][i] = before + behind;
        both[1][i] = before - behind;
    }
    for (int k = 0; k < POINTS; k++) {
        ms_wide sum = {0.0};
        for (int i = 0; i < HALF; i++)
            sum += s->chebyshev[k][i] * both[k % 2][i];
        of->a[k] = sum;
    }
    for (int i = 0; i < POINTS; i++) {
        ms_wide sum = i == 0 ? middle : (ms_wide){0.0};
        for (int k = DEGREE - (DEGREE - i) % 2; k >= i; k -= 2)
            sum += s->power[i][k] * of->a[k];
        of->c[i] = sum;
    }
}

/* What its limits are relative to: the largest value so far of state j, or what counts as it. */
static double scale_of(const ms_dense_solution *s, int j, double largest)
{
    return ms_larger(ms_larger(s->state[j].largest, ms_larger(FLOOR * s->largest, SMALLEST)), largest);
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

/* Does the polynomial of state j, number w of the fits, hold? again: the step before was longer. */
static bool judge(ms_dense_solution *s, int j, double h, bool again, const fits *f, int w, attempt *of)
{
    state_fit *state = &s->state[j];
    const double last = ms_larger(fabs(f->a[DEGREE][w]), fabs(f->a[DEGREE - 1][w])),
                 before = ms_larger(fabs(f->a[DEGREE - 2][w]), fabs(f->a[DEGREE - 3][w]));
    const double limit = ms_larger(ms_larger(s->resolved * scale_of(s, j, f->largest[w]), 2.0 * state->noise),
                                   time_noise(s, j, h));
    const bool small = last <= NOISE * state->largest || last <= DBL_EPSILON * s->largest;
    const bool noise = again && small && last > HARDLY * state->last;
    of->grows = of->grows && before <= limit;
    of->missed =
        ms_larger(of->missed, last <= limit ? last : DEGREE * last); /* at a kink they fall like 1/k^2 */
    state->last = last;
    state->sample = f->largest[w];
    of->finite = of->finite && isfinite(last);
    return last <= limit || noise;
}

/* Does the polynomial, h long, begin where state j did, up to round-off of the time? What settles before the first sample is in none of
 * them. */
static bool begins(const ms_dense_solution *s, int j, double h, const fits *f, int w)
{
    double value = 0.0, slope = 0.0;
    for (int i = DEGREE; i >= 0; i--) {
        value = f->c[i][w] - value;
        slope = i * f->c[i][w] - slope;
    }
    const double limit = ms_larger(s->resolved * scale_of(s, j, f->largest[w]), 2.0 * s->state[j].noise);
    const double of_time = 4.0 * DBL_EPSILON * fabs(s->t) * fabs(slope) * 2.0 / h;
    return !(fabs(value - s->saved[j]) > LAYER * limit + of_time);
}

/* Fits all states to the samples of the last step, h long. Do all polynomials hold? */
static bool fit_all(ms_dense_solution *s, double h, bool again, ms_dense_piece *piece, attempt *of)
{
    *of = (attempt){.grows = true, .finite = true};
    bool hold = true;
    fits f;
    for (int j = 0; j < s->pair.whole->nx; j += MS_WIDE) {
        fit(s, j, &f);
        for (int w = 0; w < MS_WIDE && j + w < s->pair.whole->nx; w++) {
            for (int i = 0; i < POINTS; i++)
                piece->c[(size_t)(j + w) * POINTS + (size_t)i] = f.c[i][w];
            hold &= judge(s, j + w, h, again, &f, w, of) && begins(s, j + w, h, &f, w);
        }
    }
    return hold && of->finite;
}

/* Accepts the fits: the excess over their limit is noise. */
static void take_fits(ms_dense_solution *s)
{
    for (int j = 0; j < s->pair.whole->nx; j++) {
        state_fit *state = &s->state[j];
        state->largest = scale_of(s, j, state->sample);
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

/* Pieces ------------------------------------------------------------------------------------------------- */

static bool step_series(ms_dense_solution *s, const ms_solution *of, double t, double h)
{
    return ms_linear_series_step(&s->series, of, t, h, FLOOR * s->largest);
}

/* Of the main solution. MS_NOT_CONVERGED: the step is too long for the series. */
static int lead(ms_dense_solution *s, double t, double h)
{
    if (ms_long_call_stopped())
        return MS_SPENT;
    if (s->series.term != NULL)
        return step_series(s, &s->pair.main, t, h) ? MS_OK : MS_NOT_CONVERGED;
    return ms_solution_pair_lead(&s->pair, t, h);
}

/* Advances the companion: with exponentials if the first solution uses the series. */
static int follow(ms_dense_solution *s, double t, double h)
{
    if (s->series.term == NULL || s->pair.whole->linear)
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
    ms_linear_series_leave(&s->series);
    return ms_solution_pair_leave_series(&s->pair);
}

/* The length of a piece that ends at a number of double precision; that of exponentials stays, for they are kept. */
static double length_of(const ms_dense_solution *s, double h)
{
    const bool keeps = s->series.term == NULL && s->pair.whole->linear;
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
        return status == MS_NO_MEMORY || status == MS_SPENT || status == MS_DISAGREE ? status
                                                                                     : MS_SOLVER_FAILED;
    s->t = piece->end;
    ms_solution_pair_compare(&s->pair);
    s->missed = fmax(s->missed, of.missed);
    piece->error = ms_solution_pair_error(&s->pair, s->missed);
    return MS_OK;
}
