/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate_circle.c - bounds of the functions of plugin_balls.h over a disc about a panel, which say how many Chebyshev points
 * show that they do not vanish on it. */
#include <math.h>

#include "certificate_parts.h"

enum { NODES_LEAST = 8, NODES_NEVER = 1000000 };

static const double narrower = 0.8, narrowest = 1.25; /* discs that are tried */
static const double reserve = 6.0;       /* bits by which the interpolation is better than it has to be */
static const double round_off = 0x1p-40; /* of the sums of moduli, much more than they have */
static const long circle_bits = 64;

bool ms_certifier_choose_coordinates(ms_certifier *c, long bits)
{
    const int n = c->n;
    for (int e = 0; e < n * n; e++)
        c->moduli[e] = c->plugin->middle(c->psi, e / n, e % n);
    ms_certificate_triangularise(n, c->moduli, c->coordinates, c->terms);
    for (int e = 0; e < n * n; e++)
        c->plugin->set(c->T, e / n, e % n, c->coordinates[e]);
    return c->plugin->invert(c->T, c->inverse, bits) == MS_OK;
}

/* Psi at the value of h, into `to`. */
static bool sample(ms_certifier *c, ms_balls *to)
{
    if (ms_certifier_evaluate(c, circle_bits) != MS_OK)
        return false;
    c->plugin->copy(c->psi, 0, c->n, to, 0);
    return true;
}

/* The terms of the entries of T^-1 Psi T on the circle. */
static bool find_terms(ms_certifier *c, const ms_balls_panel *panel)
{
    c->plugin->at_disc(panel, c->h, circle_bits);
    if (!sample(c, c->disc))
        return false;
    for (int k = 0; k < MS_BALLS_SAMPLES; k++) {
        c->plugin->at_circle(panel, k, c->h, circle_bits);
        if (!sample(c, c->sample[k]))
            return false;
    }
    c->plugin->terms(c->sample, c->disc, c->inverse, c->T, c->terms, circle_bits);
    return true;
}

/* Of the functions over a disc q times as large as that of the terms, q <= 1. */
static void bound(ms_certifier *c, double q)
{
    const int square = c->n * c->n;
    for (int e = 0; e < square; e++) {
        double sum = 0.0, power = 1.0;
        for (int k = 0; k < MS_BALLS_TERMS; k++, power *= q)
            sum += power * c->terms[k * square + e];
        c->moduli[e] = sum * (1.0 + round_off);
    }
    ms_certificate_balance(c->n, c->moduli, c->scale);
    c->plugin->bounds(c->n, c->moduli, c->scale, c->most);
}

double ms_certifier_zero_order(const ms_certifier *c, const ms_balls_panel *panel, int function)
{
    const double nx = c->system->nx;
    if (panel->begin > 0.0 || function == MS_BALLS_MINUS_ONE)
        return 0.0;
    return function == MS_BALLS_ONE ? nx : 0.5 * nx * (nx - 1.0);
}

/* An estimate of how many nodes make the interpolation good enough. */
static int nodes_for(const ms_certifier *c, const ms_balls_panel *panel,
                     const double least[MS_BALLS_FUNCTIONS])
{
    const double rho = panel->wide + sqrt(panel->wide * panel->wide - 1.0),
                 rim = 0.5 * (panel->wide - 1.0) * (panel->end - panel->begin);
    double most = NODES_LEAST;
    for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
        const double above =
            c->plugin->least(c->most, k, 0) - ms_certifier_zero_order(c, panel, k) * log2(rim);
        most = fmax(most, 2.0 + (2.0 + above - log2(rho - 1.0) - least[k] + reserve) / log2(rho));
    }
    return most < NODES_NEVER ? (int)most : NODES_NEVER;
}

bool ms_certifier_choose_disc(ms_certifier *c, ms_balls_panel *panel, const double least[MS_BALLS_FUNCTIONS])
{
    if (!find_terms(c, panel))
        return false;
    ms_balls_panel other = *panel;
    double best = panel->wide;
    panel->nodes = NODES_NEVER;
    for (; other.wide >= narrowest; other.wide *= narrower) {
        bound(c, other.wide / panel->wide);
        other.nodes = nodes_for(c, &other, least);
        if (other.nodes >= panel->nodes)
            break;
        panel->nodes = other.nodes;
        best = other.wide;
    }
    bound(c, best / panel->wide);
    panel->wide = best;
    return true;
}
