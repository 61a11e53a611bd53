/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate_parts.h"

enum { CLOSER = 12, FARTHER = 200 };

/* MS_HAVE_ARB comes from the Makefile. */
static int open_balls(const ms_plugin_balls **balls, ms_error *error)
{
#ifdef MS_HAVE_ARB
    const ms_plugin *plugin;
    const int status = ms_plugin_open("balls", "`certify`", &plugin, error);
    *balls = (const ms_plugin_balls *)(const void *)plugin;
    return status;
#else
    *balls = NULL;
    return ms_fail(error, MS_UNSUPPORTED,
                   "`certify`: macrostep was built without Arb; install libflint-arb-dev and libflint-dev "
                   "(from FLINT 3 on libflint-dev alone), and build again");
#endif
}

/* Does nothing lead from coordinate j to those that are kept, or to it? */
static bool is_idle(const ms_certifier *c, int j)
{
    bool row = true, column = true;
    for (int i = 0; i < c->n; i++) {
        row = row && c->plugin->is_zero(c->whole, j, c->index[i]);
        column = column && c->plugin->is_zero(c->whole, c->index[i], j);
    }
    return row || column;
}

/* Removes, one after the other, entries that are not read, or always 0. An entry that is exactly 0 in balls over a disc is 0
 * there, and since it is entire in H everywhere. States are kept. */
static void keep(ms_certifier *c)
{
    const ms_balls_panel panel = {.begin = 0.5, .end = 1.0, .wide = 1.5, .nodes = 1};
    c->plugin->at_disc(&panel, c->h, CERTIFIER_BITS);
    const int status = ms_analytic_propagation_balls_evaluate(c->formula, c->h, CERTIFIER_BITS, c->whole);
    bool changes = status == MS_OK;
    while (changes) {
        changes = false;
        for (int k = c->n - 1; k >= c->system->nx; k--) {
            if (!is_idle(c, c->index[k]))
                continue;
            memmove(&c->index[k], &c->index[k + 1], sizeof *c->index * (size_t)(c->n - k - 1));
            c->n--;
            changes = true;
        }
    }
}

/* After n is known: matrices, and places in the memory of scale. */
static bool make_balls(ms_certifier *c)
{
    const size_t square = (size_t)c->n * (size_t)c->n;
    ms_balls **const square_ones[] = {&c->psi, &c->T, &c->inverse, &c->disc};
    bool enough = c->plugin->create(MS_BALLS_FUNCTIONS, CERTIFIER_NODES, &c->values) == MS_OK &&
                  c->plugin->create(MS_BALLS_FUNCTIONS, 1, &c->most) == MS_OK;
    for (int k = 0; k < MS_COUNT(square_ones) && enough; k++)
        enough = c->plugin->create(c->n, c->n, square_ones[k]) == MS_OK;
    for (int k = 0; k < MS_BALLS_SAMPLES && enough; k++)
        enough = c->plugin->create(c->n, c->n, &c->sample[k]) == MS_OK;
    c->moduli = c->scale + c->n;
    c->coordinates = c->moduli + square;
    c->terms = c->coordinates + square;
    return enough;
}

static int make(ms_certifier *c, const ms_options *options, ms_error *error)
{
    MS_TRY(ms_analytic_propagation_balls_create(c->plugin, c->system, options, &c->formula, error));
    c->n = ms_analytic_propagation_balls_dimension(c->formula);
    const size_t n = (size_t)c->n;
    c->scale = calloc(n + (2 + MS_BALLS_TERMS) * n * n + 1, sizeof *c->scale);
    c->index = calloc((size_t)c->n + 1, sizeof *c->index);
    bool enough = c->scale != NULL && c->index != NULL && c->plugin->create(1, 1, &c->h) == MS_OK &&
                  c->plugin->create(c->n, c->n, &c->whole) == MS_OK;
    for (int j = 0; j < c->n && enough; j++)
        c->index[j] = j;
    if (enough)
        keep(c);
    if (!enough || !make_balls(c))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a certificate of %d rows", c->n);
    return MS_OK;
}

int ms_certifier_create(const ms_system *system, const ms_options *options, ms_certifier **out,
                        ms_error *error)
{
    const ms_plugin_balls *plugin;
    *out = NULL;
    if (!system->linear)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`certify`: model %s is nonlinear; certificates exist only for linear models",
                       system->model->name);
    MS_TRY(open_balls(&plugin, error));
    ms_certifier *c = calloc(1, sizeof *c);
    *out = c;
    MS_TRY_MEMORY_FOR(c != NULL, error, "a certificate");
    *c = (ms_certifier){.plugin = plugin, .system = system, .bits = CERTIFIER_BITS};
    int status = make(c, options, error);
    if (status != MS_OK)
        ms_certifier_destroy(out);
    return status;
}

void ms_certifier_destroy(ms_certifier **out)
{
    ms_certifier *c = *out;
    if (c == NULL)
        return;
    ms_analytic_propagation_balls_destroy(&c->formula);
    ms_balls **const matrices[] = {&c->h,    &c->whole, &c->psi,     &c->values,
                                   &c->most, &c->T,     &c->inverse, &c->disc};
    for (int k = 0; k < MS_COUNT(matrices); k++)
        c->plugin->destroy(matrices[k]);
    for (int k = 0; k < MS_BALLS_SAMPLES; k++)
        c->plugin->destroy(&c->sample[k]);
    MS_FREE(c->index, c->scale, c);
    *out = NULL;
}

int ms_certifier_evaluate(ms_certifier *c, long bits)
{
    MS_TRY(ms_analytic_propagation_balls_evaluate(c->formula, c->h, bits, c->whole));
    c->plugin->select(c->whole, c->index, c->psi);
    return MS_OK;
}

/* One radius ------------------------------------------------------------------------------------------------ */

/* Is rho below (+1) or above (-1) this radius? 0: not known. */
static int compare(ms_certifier *c, double radius, long bits)
{
    const int count = c->plugin->inside(c->psi, radius, bits);
    return count < 0 ? 0 : count == c->n ? 1 : -1;
}

/* The closest of estimate (1 + side 16^k 2^-46), and above of estimate 2 16^k, that is proved to lie on its side. */
static double bound(ms_certifier *c, double estimate, int side, long bits)
{
    for (int k = 0; k < CLOSER; k++) {
        const double radius = estimate * (1.0 + side * ldexp(1.0, 4 * k - 46));
        if (compare(c, radius, bits) == side)
            return radius;
    }
    for (int k = 0; k < FARTHER && side > 0; k++)
        if (compare(c, ldexp(estimate, 4 * k + 1), bits) == side)
            return ldexp(estimate, 4 * k + 1);
    return side > 0 ? (double)INFINITY : 0.0;
}

int ms_certifier_radius(ms_certifier *c, double h, double estimate, double bounds[2], long *bits,
                        ms_error *error)
{
    int status = MS_OK;
    bool close = false;
    c->plugin->at(h, c->h);
    for (*bits = CERTIFIER_BITS; status == MS_OK && !close; *bits *= 2) {
        status = ms_certifier_evaluate(c, *bits);
        if (status != MS_OK)
            break;
        for (int k = 0; k < 2; k++)
            bounds[k] = bound(c, fmax(estimate, 0x1p-60), 2 * k - 1, *bits);
        close = bounds[1] - bounds[0] <= 0x1p-40 * estimate;
        if (close || 2 * *bits > CERTIFIER_BITS_MAX)
            return MS_OK;
    }
    return ms_fail(error, MS_INVALID, "the propagation matrix at the step size %g s is not finite in balls",
                   h);
}
