/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "growth.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include "map_powers.h"

/* Bound of |log2 ||v|||; macro-steps between checks of `stop`. The level of iterated schemes is as low as in the
 * probe (propagation_probe.c), so that their directional derivatives are practically exact. */
enum { RANGE = 200, RANGE_ITERATED = 20, LEVEL_ITERATED = -60, CHECK = 1024 };

/* Values per window of powers, and macro-steps after which the history of steps is full for any start. */
enum { POINTS = 256, WARM_UP = 8 };

static const double EQUAL = 1e-5, CLOSE = 1e-4, RANK = 1e-9, NEGLIGIBLE = 1e-30, SHARP = 1e-4;

/* Observation -------------------------------------------------------------------------------------------- */

typedef struct observation {
    ms_cosim *cosim;
    double h, t;
    double *weight; /* (n): units of the entries */
    double *share;  /* (n): largest |v_j| / ||v|| in this window */
    double size;    /* log2 ||v|| */
    int level, range;
    long steps; /* taken so far */
    bool vanished;
    ms_map_powers powers; /* of the probed map; n = 0: none */
    bool confirmed;       /* confirmed by all macro-steps */
    bool leaps;           /* powers replace macro-steps */
} observation;

/* log2 of the weighted norm of v. */
static double measure(const observation *o)
{
    const double *v = o->cosim->lin;
    double sum = 0.0;
    for (int j = 0; j < o->cosim->lin_size; j++) {
        const double entry = o->weight[j] * v[j];
        sum += entry * entry;
    }
    return sum == 0.0 ? -INFINITY : 0.5 * log2(sum);
}

static void note_shares(observation *o)
{
    const double *v = o->cosim->lin, inverse = exp2(-o->size);
    for (int j = 0; j < o->cosim->lin_size; j++) {
        const double share = fabs(v[j]) * inverse;
        o->share[j] = share > o->share[j] ? share : o->share[j];
    }
}

static void rescale(observation *o)
{
    const int exponent = (int)(o->size - o->level);
    double *v = o->cosim->lin;
    for (int j = 0; j < o->cosim->lin_size; j++)
        v[j] = ldexp(v[j], -exponent);
    o->size -= exponent;
}

static int take_step(observation *o, ms_error *error)
{
    const double t = o->t + (double)o->steps * o->h;
    const bool confirms = o->powers.n > 0 && o->confirmed && o->steps >= WARM_UP;
    if (confirms)
        memcpy(o->powers.v, o->cosim->lin, sizeof(double) * (size_t)o->powers.n);
    const int status = ms_cosim_step(o->cosim, t, o->h);
    if (status != MS_OK)
        return ms_fail(error, status, "%s", o->cosim->error.text);
    o->steps++;
    if (confirms)
        o->confirmed = ms_map_powers_confirm(&o->powers, o->powers.v, o->cosim->lin);
    return MS_OK;
}

/* One macro-step, or one stride of powers; *increment = the change of log2 ||v||. */
static int advance(observation *o, double *increment, ms_error *error)
{
    MS_TRY(o->leaps ? MS_OK : take_step(o, error));
    if (o->leaps)
        ms_map_powers_apply(&o->powers, o->cosim->lin);
    const double size = measure(o);
    *increment = size - o->size + (o->leaps ? o->powers.exponent : 0.0);
    o->size = size;
    o->vanished = size == -INFINITY;
    if (o->vanished)
        return MS_OK;
    if (!isfinite(size))
        return ms_fail(error, MS_SOLVER_FAILED,
                       "the memory of the scheme is not finite after %ld macro-steps", o->steps);
    note_shares(o);
    if (fabs(size - o->level) > o->range)
        rescale(o);
    return MS_OK;
}

/* The weighted mean of n increments (growth.h), and the entries' units for the next window. */
static int observe_window(observation *o, long n, const volatile sig_atomic_t *stop, double *slope,
                          ms_error *error)
{
    double sum = 0.0, weights = 0.0, increment = 0.0;
    memset(o->share, 0, sizeof *o->share * (size_t)o->cosim->lin_size);
    o->size = measure(o);
    for (long k = 0; k < n && !o->vanished; k++) {
        MS_TRY(advance(o, &increment, error));
        if (stop != NULL && k % CHECK == 0 && *stop != 0)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        const double s = ((double)k + 0.5) / (double)n, w = exp(-1.0 / (s * (1.0 - s)));
        sum += w * increment;
        weights += w;
    }
    *slope = sum / weights;
    for (int j = 0; j < o->cosim->lin_size; j++)
        o->weight[j] = 1.0 / fmax(o->share[j], NEGLIGIBLE);
    return MS_OK;
}

/* The window [n, 2n): *factor per macro-step. */
static int observe_factor(observation *o, long n, const volatile sig_atomic_t *stop, double *factor,
                          ms_error *error)
{
    double slope = 0.0;
    while (o->leaps && o->powers.stride * POINTS < n)
        ms_map_powers_square(&o->powers);
    const long stride = o->leaps ? o->powers.stride : 1;
    const int status = observe_window(o, n / stride, stop, &slope, error);
    *factor = o->vanished ? 0.0 : exp2(slope / (double)stride);
    return status;
}

/* Windows from n on until the factor has settled. */
static int observe(observation *o, const ms_growth_options *request, long n, ms_growth *growth,
                   ms_error *error)
{
    const long begin = o->leaps && request->shortest > n ? request->shortest : n;
    const long longest = o->leaps ? MS_GROWTH_POWERS : request->longest;
    const double enough = o->leaps ? SHARP * request->tolerance : request->tolerance;
    int within = 0, sharp = 0, status = MS_OK;
    for (bool done = false; status == MS_OK && n <= longest && !done; n *= 2) {
        double factor;
        status = observe_factor(o, n, request->stop, &factor, error);
        growth->change = growth->steps > 0 ? fabs(factor / growth->factor - 1.0) : INFINITY;
        if (growth->steps > 0 && fmax(factor, growth->factor) <= MS_GROWTH_ZERO)
            growth->change = 0.0;
        const bool counts = n >= begin;
        within = growth->change <= request->tolerance && counts ? within + 1 : 0;
        sharp = growth->change <= enough && counts ? sharp + 1 : 0;
        growth->factor = factor;
        growth->steps = n;
        growth->settled = within >= 2 || o->vanished;
        done = growth->settled && (sharp >= 2 || o->vanished);
    }
    return status;
}

/* The probed map, if there is one and powers are wanted. */
static int find_powers(observation *o, const ms_system *system, const ms_options *options, ms_error *error)
{
    double *psi = NULL;
    int n = 0;
    ms_error why;
    const int status = ms_propagation_probe(system, options, o->h, &n, &psi, &why);
    if (status == MS_NO_MEMORY)
        return ms_fail(error, status, "%s", why.text);
    if (status != MS_OK || n != o->cosim->lin_size) {
        free(psi);
        return MS_OK;
    }
    o->confirmed = true;
    return ms_map_powers_create(n, psi, &o->powers) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for a matrix of %d rows", n);
}

/* The transients, which determine the units of the entries; then the windows. */
static int observe_all(observation *o, const ms_growth_options *request, ms_growth *growth, ms_error *error)
{
    double slope = 0.0;
    const bool tries = o->powers.n > 0;
    const long all_stepped =
        request->shortest < request->longest / 4 ? request->shortest : request->longest / 4;
    long n = tries ? request->stepped : all_stepped;
    int status = observe_window(o, n, request->stop, &slope, error);
    o->leaps = growth->powers = tries && o->confirmed;
    if (status == MS_OK && tries && !o->confirmed) {
        n = all_stepped;
        status = observe_window(o, n, request->stop, &slope, error);
    }
    return status == MS_OK ? observe(o, request, n, growth, error) : status;
}

/* Uniform in [-1, 1]: Knuth's MMIX generator, its upper 53 bits. */
static double random_entry(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ldexp((double)(*seed >> 11), -52) - 1.0;
}

int ms_growth_observe(const ms_system *system, const ms_options *options, double h,
                      const ms_growth_options *request, ms_growth *growth, ms_error *error)
{
    *growth = (ms_growth){.factor = NAN, .change = INFINITY};
    if (!system->linear || !system->homogeneous)
        return ms_fail(error, MS_UNSUPPORTED,
                       "growth is observed on linear systems whose external inputs are zero");
    const ms_scheme *scheme = ms_scheme_choose(options->scheme, error);
    if (scheme == NULL)
        return MS_INVALID;
    const ms_options steady = ms_propagation_options(system, scheme, options, h);
    observation o = {.h = h, .range = RANGE};
    int status = ms_cosim_of_options(system, &steady, &o.cosim, error);
    if (status != MS_OK)
        return status;
    const size_t n = (size_t)o.cosim->lin_size;
    o.weight = calloc(2 * n + 1, sizeof *o.weight);
    if (o.weight == NULL) {
        ms_cosim_destroy(&o.cosim);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %zu entries", n);
    }
    o.share = o.weight + n;
    if (o.cosim->scheme->retries) {
        o.level = LEVEL_ITERATED;
        o.range = RANGE_ITERATED;
    }
    if (ms_cosim_start(o.cosim) != MS_OK)
        status = ms_fail(error, MS_NO_SOLUTION, "%s", o.cosim->error.text);
    unsigned long long seed = request->seed;
    for (size_t j = 0; j < n && status == MS_OK; j++) {
        o.cosim->lin[j] = ldexp(random_entry(&seed), o.level);
        o.weight[j] = 1.0;
    }
    if (status == MS_OK && request->stepped > 0)
        status = find_powers(&o, system, options, error);
    MS_THEN(status, observe_all(&o, request, growth, error));
    ms_map_powers_destroy(&o.powers);
    free(o.weight);
    ms_cosim_destroy(&o.cosim);
    return status;
}

/* Dominant eigenvalues ----------------------------------------------------------------------------------- */

/* The eigenvalues that equal the first one within EQUAL: their number and mean; and the next modulus. */
static int collect_equal(const ms_spectrum *spectrum, double *mean, double *next)
{
    const double *l = spectrum->eigenvalues, near = EQUAL * spectrum->radius;
    int count = 0;
    mean[0] = mean[1] = *next = 0.0;
    for (int k = 0; k < spectrum->n; k++) {
        const double re = l[2 * k], im = l[2 * k + 1];
        if (hypot(re - l[0], im - l[1]) <= near) {
            mean[0] += re;
            mean[1] += im;
            count++;
        } else if (hypot(re - l[0], im + l[1]) > near) { /* nor a conjugate */
            *next = fmax(*next, hypot(re, im));
        }
    }
    mean[0] /= count;
    mean[1] /= count;
    return count;
}

/* Number of singular values of Psi - lambda I of at most RANK times the largest: the geometric multiplicity of
 * lambda. */
static int geometric_multiplicity(int n, const double *psi, const double *lambda, int *multiplicity,
                                  ms_error *error)
{
    double *sigma = malloc(sizeof *sigma * ((size_t)n + 1));
    int status =
        sigma != NULL ? ms_spectrum_singular_values(n, psi, lambda[0], lambda[1], sigma) : MS_NO_MEMORY;
    if (status != MS_OK)
        ms_fail(error, status, "singular values of a matrix of dimension %d not found", n);
    *multiplicity = 0;
    for (int k = 0; k < n && status == MS_OK; k++)
        *multiplicity += sigma[k] <= RANK * sigma[0];
    free(sigma);
    return status;
}

int ms_growth_dominance(int n, const double *psi, const ms_spectrum *spectrum, ms_dominance *dominance,
                        double *gap, ms_error *error)
{
    double mean[2], next;
    *dominance = MS_DOMINANCE_SINGLE;
    *gap = 1.0;
    if (n == 0 || spectrum->radius == 0.0)
        return MS_OK;
    const int algebraic = collect_equal(spectrum, mean, &next);
    *gap = 1.0 - next / spectrum->radius;
    if (*gap < CLOSE)
        *dominance = MS_DOMINANCE_CLUSTERED;
    if (algebraic < 2)
        return MS_OK;
    int geometric = algebraic;
    const int status = geometric_multiplicity(n, psi, mean, &geometric, error);
    if (status == MS_OK && geometric < algebraic)
        *dominance = MS_DOMINANCE_DEFECTIVE;
    return status;
}
