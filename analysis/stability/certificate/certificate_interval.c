/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "certificate_parts.h"

enum { EVALUATIONS = 400000, NODES_FEW = 64, PLACES = 3 };

static const double beside = 1e-7;   /* a crossing, of the interval: how close the proof is sought */
static const double closer = 1e-8;   /* how close it is placed, */
static const double farthest = 1e-3; /* and sought; */
static const double beyond = 1e-6;   /* without one instability is sought there */
static const double wide = 2.0;      /* the disc of a panel, at most */

typedef struct march {
    ms_certifier *c;
    ms_certificate *to;
    bool unstable; /* in the middle of the panel that was tried last */
    int nodes;     /* that it took */
} march;

static int append(double begin, double end, int *n, double (**list)[2], ms_error *error)
{
    if (*n > 0 && (*list)[*n - 1][1] == begin) {
        (*list)[*n - 1][1] = end;
        return MS_OK;
    }
    double(*grown)[2] = realloc(*list, ((size_t)*n + 1) * sizeof **list);
    MS_TRY_MEMORY_FOR(grown != NULL, error, "a certificate");
    *list = grown;
    grown[*n][0] = begin;
    grown[(*n)++][1] = end;
    return MS_OK;
}

static int append_unstable(ms_certificate *to, double h, ms_error *error)
{
    double *grown = realloc(to->unstable, ((size_t)to->unstable_count + 1) * sizeof *grown);
    MS_TRY_MEMORY_FOR(grown != NULL, error, "a certificate");
    to->unstable = grown;
    grown[to->unstable_count++] = h;
    return MS_OK;
}

/* Psi at a number. */
static bool at(march *m, double h, long bits)
{
    m->c->plugin->at(h, m->c->h);
    m->to->evaluations++;
    m->to->bits = bits > m->to->bits ? bits : m->to->bits;
    return ms_certifier_evaluate(m->c, bits) == MS_OK;
}

/* Eigenvalues within the unit circle at h: how many; -1 where even the most bits do not tell. */
static int count_inside(march *m, double h, long *bits)
{
    for (*bits = m->c->bits; *bits <= CERTIFIER_BITS_MAX; *bits *= 2) {
        const int count = at(m, h, *bits) ? m->c->plugin->inside(m->c->psi, 1.0, *bits) : -1;
        if (count >= 0)
            return count;
    }
    return -1;
}

/* The functions in the middle, where coordinates are chosen, and at the ends, without 0: how many places. */
static int functions_at_places(march *m, const ms_balls_panel *panel, double place[PLACES], long bits)
{
    const int places = panel->begin > 0.0 ? PLACES : PLACES - 1;
    place[0] = 0.5 * (panel->begin + panel->end);
    place[1] = panel->end;
    place[2] = panel->begin;
    for (int k = 0; k < places; k++) {
        if (!at(m, place[k], bits))
            return 0;
        m->c->plugin->functions(m->c->psi, m->c->values, k, bits);
        if (k == 0 && !ms_certifier_choose_coordinates(m->c, bits))
            return 0;
    }
    return places;
}

/* log2 of about the least modulus of each function on the panel, -INFINITY for one that may be 0. Is the matrix known? */
static bool least_values(march *m, const ms_balls_panel *panel, double least[MS_BALLS_FUNCTIONS], long bits)
{
    double place[PLACES];
    const int places = functions_at_places(m, panel, place, bits);
    for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
        least[k] = INFINITY;
        for (int i = 0; i < places; i++)
            least[k] = fmin(least[k], m->c->plugin->least(m->c->values, k, i) -
                                          ms_certifier_zero_order(m->c, panel, k) * log2(place[i]));
    }
    return places > 0;
}

/* Is none of the functions zero on the panel? */
static ms_balls_proof functions_clear(march *m, ms_balls_panel *panel, long bits)
{
    double least[MS_BALLS_FUNCTIONS];
    if (!least_values(m, panel, least, bits))
        return MS_BALLS_COARSE;
    for (int k = 0; k < MS_BALLS_FUNCTIONS; k++)
        if (isinf(least[k])) /* a value that may be 0 */
            return MS_BALLS_COARSE;
    panel->wide = wide;
    m->to->evaluations += MS_BALLS_SAMPLES + 1;
    if (!ms_certifier_choose_disc(m->c, panel, least) || panel->nodes > CERTIFIER_NODES)
        return MS_BALLS_WIDE;
    m->nodes = panel->nodes;
    for (int k = 0; k < panel->nodes; k++) {
        m->c->plugin->at_node(panel, k, m->c->h, bits);
        m->to->evaluations++;
        if (ms_certifier_evaluate(m->c, bits) != MS_OK)
            return MS_BALLS_COARSE;
        m->c->plugin->functions(m->c->psi, m->c->values, k, bits);
    }
    return m->c->plugin->nonzero(m->c->values, panel, m->c->system->nx, m->c->most, bits);
}

/* Is rho < 1 all over the panel? */
static bool prove(march *m, double begin, double end)
{
    ms_balls_panel panel = {.begin = begin, .end = end, .wide = wide, .nodes = 1};
    long bits;
    const int count = count_inside(m, 0.5 * (begin + end), &bits);
    m->unstable = count >= 0 && count < m->c->n;
    if (count != m->c->n)
        return false;
    for (; bits <= CERTIFIER_BITS_MAX; bits *= 2) {
        const ms_balls_proof verdict = functions_clear(m, &panel, bits);
        if (verdict != MS_BALLS_COARSE)
            m->c->bits = bits;
        if (verdict == MS_BALLS_PROVED)
            m->to->subintervals++;
        if (verdict != MS_BALLS_COARSE)
            return verdict == MS_BALLS_PROVED;
    }
    return false;
}

/* What has been done of [at, end]. */
typedef struct place {
    double at, end, width; /* of the panel that is tried next */
    double least;          /* a panel narrower than this is left */
    double gap;            /* in a gap of this length, which doubles as long as nothing is proved */
    bool told;             /* has this gap a point of instability? */
} place;

static int proved(march *m, place *p, double next, ms_error *error)
{
    const int status = append(p->at, next, &m->to->proved_count, &m->to->proved, error);
    p->width *= m->nodes < NODES_FEW ? 1.5 : 1.0;
    p->at = next;
    p->gap = p->least;
    p->told = false;
    return status;
}

static int not_proved(march *m, place *p, double next, ms_error *error)
{
    int status = MS_OK;
    if (m->unstable && !p->told)
        status = append_unstable(m->to, 0.5 * (p->at + next), error);
    p->told = p->told || m->unstable;
    p->width = 0.5 * fmin(p->width, next - p->at);
    if (status != MS_OK || p->width >= p->least)
        return status;
    const double skip = fmin(p->at + p->gap, p->end);
    status = append(p->at, skip, &m->to->gap_count, &m->to->gap, error);
    p->at = skip;
    p->width = p->gap;
    p->gap *= 2.0;
    return status;
}

static int march_on(march *m, place p, const volatile sig_atomic_t *stop, ms_error *error)
{
    int status = MS_OK;
    while (p.at < p.end && status == MS_OK) {
        if (stop != NULL && *stop != 0)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        m->to->exhausted = m->to->evaluations > EVALUATIONS;
        if (m->to->exhausted)
            return append(p.at, p.end, &m->to->gap_count, &m->to->gap, error);
        const double next = p.end - p.at < 1.25 * p.width ? p.end : p.at + p.width;
        status = prove(m, p.at, next) ? proved(m, &p, next, error) : not_proved(m, &p, next, error);
    }
    return status;
}

/* Is rho at h below (+1) or above (-1) 1? 0: not known. */
static int side_of(march *m, double h)
{
    long bits;
    const int count = h > 0.0 ? count_inside(m, h, &bits) : -1;
    return count < 0 ? 0 : count == m->c->n ? 1 : -1;
}

static int prove_unstable(march *m, double h, ms_error *error)
{
    return side_of(m, h) < 0 ? append_unstable(m->to, h, error) : MS_OK;
}

/* Puts the end of an interval, upper (1) or lower (-1), just behind its crossing: rho > 1 there, and rho < 1 within `closer` of the
 * length before. The search in doubles has it to 1e-10 of the step size, and takes a little more than 1 for stable. Returns
 * whether there is a crossing close by. */
static bool place_crossing(march *m, int upper, double length, double *end)
{
    bool found = false;
    double in = *end, out = *end;
    for (double off = beside * length; off <= farthest * length && !found; off *= 4.0) {
        in = *end - upper * off;
        out = *end + upper * off;
        found = side_of(m, in) > 0 && side_of(m, out) < 0;
    }
    while (found && fabs(out - in) > closer * length) {
        const double middle = 0.5 * (in + out);
        const int side = middle != in && middle != out ? side_of(m, middle) : 0;
        if (side == 0)
            break;
        *(side > 0 ? &in : &out) = middle;
    }
    if (found)
        *end = out;
    return found;
}

/* The end of the interval, and a point where rho > 1 there or a little beyond. */
static int conclude_end(march *m, int upper, double length, double *end, ms_error *error)
{
    const bool found = place_crossing(m, upper, length, end);
    return prove_unstable(m, found ? *end : *end + upper * beyond * length, error);
}

/* The interval without the gaps next to crossings. */
static place begin_at(const march *m, double begin, double end, double least)
{
    const double rate = ms_analytic_propagation_balls_rate(m->c->formula);
    const double width = fmin(end - begin, (begin > 0.0 ? 1.0 : 0.5) / rate);
    return (place){.at = begin, .end = end, .width = width, .least = least, .gap = least};
}

int ms_certifier_interval(ms_certifier *certifier, const double interval[2], double largest,
                          const volatile sig_atomic_t *stop, ms_certificate *to, ms_error *error)
{
    const double length = interval[1] - interval[0];
    double low = interval[0], high = interval[1];
    *to = (ms_certificate){.interval = {low, high}};
    march m = {.c = certifier, .to = to};
    int status = MS_OK;
    if (low > 0.0)
        status = conclude_end(&m, -1, length, &low, error);
    if (status == MS_OK && high < largest)
        status = conclude_end(&m, 1, length, &high, error);
    to->interval[0] = low;
    to->interval[1] = high;
    const double begin = low > 0.0 ? low + beside * length : 0.0,
                 end = high < largest ? high - beside * length : high;
    if (status == MS_OK && low > 0.0)
        status = append(low, begin, &to->gap_count, &to->gap, error);
    MS_THEN(status, march_on(&m, begin_at(&m, begin, end, beside * length), stop, error));
    if (status == MS_OK && end < high)
        status = append(end, high, &to->gap_count, &to->gap, error);
    if (to->unstable_count > 0)
        gsl_sort(to->unstable, 1, (size_t)to->unstable_count);
    if (status != MS_OK)
        ms_certificate_destroy(to);
    return status;
}

bool ms_certificate_holds(const ms_certificate *certificate)
{
    const double *interval = certificate->interval, most = beyond * (interval[1] - interval[0]);
    return certificate->proved_count == 1 && certificate->proved[0][0] - interval[0] <= most &&
           interval[1] - certificate->proved[0][1] <= most;
}

void ms_certificate_destroy(ms_certificate *certificate)
{
    MS_FREE(certificate->proved, certificate->gap, certificate->unstable);
    *certificate = (ms_certificate){0};
}
