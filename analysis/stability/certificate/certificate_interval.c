/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "certifier.h"

enum { EVALUATIONS = 400000, NODES_LEAST = 8, NODES_FEW = 64, OTHER = 4 };

static const double beside = 1e-7;    /* a crossing, of the interval: how close the proof is sought */
static const double beyond = 1e-6;    /* and instability */
static const double wide = 2.0;       /* the disc of a panel */
static const double reserve = 6.0;    /* bits by which the interpolation is better than it has to be */
static const long disc_bits = 64;     /* of bounds over discs */

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
    if (grown == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a certificate");
    *list = grown;
    grown[*n][0] = begin;
    grown[(*n)++][1] = end;
    return MS_OK;
}

static int append_unstable(ms_certificate *to, double h, ms_error *error)
{
    double *grown = realloc(to->unstable, ((size_t)to->unstable_count + 1) * sizeof *grown);
    if (grown == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a certificate");
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

/* The bound of squares over the disc; scale balances psi, as it is now. */
static double squares_on_disc(march *m, const ms_balls_panel *panel)
{
    ms_certifier *c = m->c;
    for (int i = 0; i < c->n; i++)
        c->scale[i] = 1.0;
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < c->n; i++) {
            double row = 0.0, column = 0.0;
            for (int j = 0; j < c->n; j++) {
                const double r = c->plugin->middle(c->psi, i, j) * c->scale[j] / c->scale[i];
                const double q = c->plugin->middle(c->psi, j, i) * c->scale[i] / c->scale[j];
                row += j != i ? r * r : 0.0;
                column += j != i ? q * q : 0.0;
            }
            if (row > 0.0 && column > 0.0 && isfinite(row / column))
                c->scale[i] = ldexp(c->scale[i], (int)lrint(0.25 * log2(row / column)));
        }
    c->plugin->at_disc(panel, c->h, disc_bits);
    m->to->evaluations++;
    return ms_certifier_evaluate(c, disc_bits) == MS_OK ? c->plugin->squares(c->psi, c->scale)
                                                         : (double)INFINITY;
}

/* log2 of the least of a function at the middle and the ends, the zero at 0 left out. */
static double least_of(march *m, const ms_balls_panel *panel, int function, double order)
{
    const double place[] = {0.5 * (panel->begin + panel->end), panel->end, panel->begin};
    double least = INFINITY;
    for (int k = 0; k < (panel->begin > 0.0 ? 3 : 2); k++)
        least = fmin(least, m->c->plugin->least(m->c->values, function, k) - order * log2(place[k]));
    return least;
}

/* So many nodes make the interpolation good enough; 0: not known. */
static int nodes_for(march *m, const ms_balls_panel *panel, double squares, long bits)
{
    const double rho = wide + sqrt(wide * wide - 1.0), nx = m->c->system->nx;
    const double place[] = {0.5 * (panel->begin + panel->end), panel->end, panel->begin};
    double most = NODES_LEAST;
    for (int k = 0; k < (panel->begin > 0.0 ? 3 : 2); k++) {
        if (!at(m, place[k], bits))
            return 0;
        m->c->plugin->functions(m->c->psi, m->c->values, k, bits);
    }
    for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
        const bool zero = panel->begin == 0.0;
        const double order = !zero                ? 0.0
                             : k == MS_BALLS_ONE   ? nx
                             : k == MS_BALLS_PAIRS ? 0.5 * nx * (nx - 1.0)
                                                   : 0.0;
        const double rim = 0.5 * (wide - 1.0) * (panel->end - panel->begin);
        const double bound = m->c->plugin->most(k, m->c->n, squares) - order * log2(rim);
        most = fmax(most, 2.0 + (2.0 + bound - log2(rho - 1.0) - least_of(m, panel, k, order) + reserve) /
                                    log2(rho));
    }
    return most < 1e6 ? (int)most : 1000000;
}

/* Is none of the functions zero on the panel? */
static ms_balls_verdict functions_clear(march *m, ms_balls_panel *panel, double squares, long bits)
{
    const int nodes = nodes_for(m, panel, squares, bits);
    if (nodes > CERTIFIER_NODES)
        return isfinite(squares) && nodes == 1000000 ? MS_BALLS_COARSE : MS_BALLS_WIDE;
    panel->nodes = m->nodes = nodes;
    for (int k = 0; k < nodes; k++) {
        m->c->plugin->at_node(panel, k, m->c->h, bits);
        m->to->evaluations++;
        if (ms_certifier_evaluate(m->c, bits) != MS_OK)
            return MS_BALLS_COARSE;
        m->c->plugin->functions(m->c->psi, m->c->values, k, bits);
    }
    m->to->bits = bits > m->to->bits ? bits : m->to->bits;
    return nodes > 0 ? m->c->plugin->nonzero(m->c->values, panel, m->c->n, m->c->system->nx, squares, bits)
                     : MS_BALLS_COARSE;
}

static bool prove(march *m, double begin, double end)
{
    ms_balls_panel panel = {.begin = begin, .end = end, .wide = wide, .nodes = 1};
    long bits;
    const int count = count_inside(m, 0.5 * (begin + end), &bits);
    m->unstable = count >= 0 && count < m->c->n;
    if (count != m->c->n)
        return false;
    const double squares = squares_on_disc(m, &panel);
    for (; bits <= CERTIFIER_BITS_MAX; bits *= 2) {
        const ms_balls_verdict verdict = functions_clear(m, &panel, squares, bits);
        if (verdict != MS_BALLS_COARSE)
            m->c->bits = bits;
        if (verdict == MS_BALLS_PROVED)
            m->to->subintervals++;
        if (verdict != MS_BALLS_COARSE)
            return verdict == MS_BALLS_PROVED;
    }
    return false;
}

/* From begin to end; what is not proved above `floor` is left, in gaps that double as long as nothing is. */
static int march_on(march *m, double begin, double end, double floor_of, const volatile sig_atomic_t *stop,
                    ms_error *error)
{
    const double rate = ms_analytic_propagation_balls_rate(m->c->formula);
    double width = fmin(end - begin, (begin > 0.0 ? 1.0 : 0.5) / rate), gap = floor_of;
    int status = MS_OK;
    bool told = false; /* has this gap a point of instability? */
    while (begin < end && status == MS_OK) {
        if (stop != NULL && *stop != 0)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        m->to->exhausted = m->to->evaluations > EVALUATIONS;
        if (m->to->exhausted)
            return append(begin, end, &m->to->gap_count, &m->to->gap, error);
        const double next = end - begin < 1.25 * width ? end : begin + width;
        if (prove(m, begin, next)) {
            status = append(begin, next, &m->to->proved_count, &m->to->proved, error);
            begin = next;
            width *= m->nodes < NODES_FEW ? 1.5 : 1.0;
            gap = floor_of;
            told = false;
            continue;
        }
        if (m->unstable && !told)
            status = append_unstable(m->to, 0.5 * (begin + next), error);
        told = told || m->unstable;
        width = 0.5 * fmin(width, next - begin);
        if (width >= floor_of)
            continue;
        const double skip = fmin(begin + gap, end);
        if (status == MS_OK)
            status = append(begin, skip, &m->to->gap_count, &m->to->gap, error);
        begin = skip;
        width = gap;
        gap *= 2.0;
    }
    return status;
}

static int prove_unstable(march *m, double h, ms_error *error)
{
    long bits;
    const int count = count_inside(m, h, &bits);
    return count >= 0 && count < m->c->n ? append_unstable(m->to, h, error) : MS_OK;
}

int ms_certifier_interval(ms_certifier *certifier, const double interval[2], double largest,
                          const volatile sig_atomic_t *stop, ms_certificate *to, ms_error *error)
{
    const double low = interval[0], high = interval[1], length = high - low;
    *to = (ms_certificate){.interval = {low, high}};
    march m = {.c = certifier, .to = to};
    const double begin = low > 0.0 ? low + beside * length : 0.0,
                 end = high < largest ? high - beside * length : high;
    int status = MS_OK;
    if (low > 0.0)
        status = prove_unstable(&m, low - beyond * length, error);
    if (status == MS_OK && low > 0.0)
        status = append(low, begin, &to->gap_count, &to->gap, error);
    if (status == MS_OK)
        status = march_on(&m, begin, end, beside * length, stop, error);
    if (status == MS_OK && end < high)
        status = append(end, high, &to->gap_count, &to->gap, error);
    if (status == MS_OK && high < largest)
        status = prove_unstable(&m, high + beyond * length, error);
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
    free(certificate->proved);
    free(certificate->gap);
    free(certificate->unstable);
    *certificate = (ms_certificate){0};
}
