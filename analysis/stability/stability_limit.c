/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_limit.c - the limit H -> 0 for one complex eigenvalue of D L. H = 1 represents any step size:
 * there are no states, and derivatives are scaled by H. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/spectrum.h>
#include <macrostep/stability.h>
#include <macrostep/variant.h>
#include "polynomial.h"

/* The memory: the slots of polynomial.h up to the left limits, and for Gauss-Seidel the raw outputs of the
 * last step. */
enum { RAW = MS_SLOT_NEW, SLOTS = MS_WEIGHT_SLOTS, TWICE = 2 * SLOTS };
enum { WORK = (TWICE + 6) * TWICE + 1 }; /* ms_spectrum_work(TWICE) */

typedef struct memory_map {
    ms_variant variant;
    bool swapped;
    int n;
    int slot[SLOTS];               /* what is remembered */
    double feedback[SLOTS][SLOTS]; /* M = lambda feedback + memory, in slots */
    double memory[SLOTS][SLOTS];
} memory_map;

/* Without states their solvers do not matter, and the initial transient has passed. */
const ms_modelled ms_stability_limit_models[] = {{"scheme", MS_MODELLED_CHECKED},
                                                 {"extrapolation-order", "0 1 2"},
                                                 {"derivatives", "differences analytic"},
                                                 {"outputs", "inconsistent consistent corrected"},
                                                 {"smooth-coupling", "none c0 c1"},
                                                 {"output-derivatives", "exact differences"},
                                                 {"as-printed", "quadratic smoothing"},
                                                 {"error-controlled", "none"},
                                                 {"sequence", NULL},
                                                 {"at-events", NULL},
                                                 {"solver-nonlinear", NULL},
                                                 {"sweep", NULL},
                                                 {"backend", NULL},
                                                 {"rollback", NULL},
                                                 {"input-degree", NULL}, /* consistent outputs in any case */
                                                 {"sensitivities", NULL},
                                                 {"update", NULL},
                                                 {"samples", NULL},
                                                 {"spline-degree", NULL},
                                                 {"sweep", NULL},
                                                 {"start", NULL},
                                                 {"initial-inputs", NULL},
                                                 {"solver", NULL},
                                                 {"input-change", NULL},
                                                 {"micro-steps", NULL},
                                                 {"mask", NULL},
                                                 {NULL, NULL}};

/* Converged iterations give consistent outputs. */
static bool is_iterated(const ms_variant *v)
{
    return v->scheme->form == MS_FORM_CONVERGED || v->scheme->form == MS_FORM_SAMPLED;
}

static bool has_limit(const ms_scheme *scheme)
{
    return scheme->form != MS_FORM_OTHER && scheme->form != MS_FORM_MULTIRATE &&
           scheme->form != MS_FORM_DELAYED && scheme->form != MS_FORM_IMPEDANCE && !scheme->integrals &&
           !scheme->sequential;
}

/* The variant given by the options, if its limit is known. */
static int choose_variant(const ms_options *options, ms_variant *variant, ms_error *error)
{
    static const char *const what = "the limit H -> 0 over lambda";
    if (ms_variant_of_options(options, variant, error) != MS_OK)
        return MS_UNSUPPORTED;
    const ms_scheme *scheme = variant->scheme;
    if (scheme->sequential)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`scheme` %s: its limit H -> 0 depends on which subsystems feed which, not on the "
                       "eigenvalues of D L alone; use a model instead of re-lambda and im-lambda",
                       scheme->name);
    if (options->control.error_controlled != MS_CONTROL_NONE)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` %s: stability needs macro-steps of equal length",
                       ms_option_choice(options, MS_OPTION_ERROR_CONTROLLED));
    if (!has_limit(scheme)) {
        char names[256];
        return ms_fail(error, MS_UNSUPPORTED, "`scheme` %s: %s knows %s here", scheme->name, what,
                       ms_scheme_names(has_limit, names, sizeof names));
    }
    return ms_modelled_check(ms_stability_limit_models, options, what, error);
}

int ms_stability_limit_check(const ms_options *options, ms_error *error)
{
    ms_variant variant;
    return choose_variant(options, &variant, error);
}

static ms_weights extrapolation(const ms_variant *o)
{
    const bool printed =
        o->extrapolation.order == 2 && (o->extrapolation.as_printed & MS_PRINTED_QUADRATIC) != 0;
    ms_weights p = o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC
                       ? ms_weights_derivatives(o->extrapolation.order)
                   : printed ? ms_weights_past_as_printed(1.0, 1.0)
                             : ms_weights_past(o->extrapolation.order, 1.0, 1.0);
    if (o->extrapolation.smooth_coupling == MS_SMOOTHING_C0)
        p = ms_weights_smooth_c0(p, 1.0);
    return o->extrapolation.smooth_coupling == MS_SMOOTHING_C1 ? ms_weights_smooth_c1(p, 1.0) : p;
}

static void keep(memory_map *l, int slot)
{
    l->slot[l->n++] = slot;
}

static void add(double factor, const double *row, double *sum)
{
    for (int s = 0; s < SLOTS; s++)
        sum[s] += factor * row[s];
}

/* y_{n+1} = lambda p(1), or as printed in (6.73c) lambda p(0); the rest of the memory follows. */
static void fill(memory_map *l)
{
    const ms_variant *o = &l->variant;
    const ms_weights p = extrapolation(o);
    const int order = o->extrapolation.order;
    const bool analytic = order > 0 && o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC;
    const bool differences = analytic && o->initial.output_derivatives == MS_YDOT_DIFFERENCES;
    const bool printed = o->extrapolation.smooth_coupling == MS_SMOOTHING_C0 &&
                         (o->extrapolation.as_printed & MS_PRINTED_SMOOTHING) != 0;
    double at_end[3][SLOTS] = {{0.0}}, at_start[SLOTS] = {0.0};
    for (int k = 0; k < 3; k++)
        ms_weights_at(&p, k, 1.0, at_end[k]);
    ms_weights_at(&p, 0, 0.0, at_start);
    const double *raw = printed ? at_start : at_end[0];

    for (int s = 0; s <= order; s++)
        keep(l, MS_SLOT_Y0 + s);
    add(1.0, raw, l->feedback[MS_SLOT_Y0]);
    for (int s = 1; s <= order && !analytic; s++)
        l->memory[MS_SLOT_Y0 + s][MS_SLOT_Y0 + s - 1] = 1.0;
    for (int s = 1; s <= order && analytic && !differences; s++)
        add(1.0, at_end[s], l->feedback[MS_SLOT_Y0 + s]);
    if (differences) { /* y' = raw_{n+1} - raw_n, y'' = y'_{n+1} - y'_n */
        keep(l, RAW);
        add(1.0, raw, l->feedback[RAW]);
        for (int s = 1; s <= order; s++) {
            add(1.0, raw, l->feedback[MS_SLOT_Y0 + s]);
            l->memory[MS_SLOT_Y0 + s][RAW] = -1.0;
        }
        if (order > 1)
            l->memory[MS_SLOT_Y2][MS_SLOT_Y1] = -1.0;
    }
    if (o->extrapolation.smooth_coupling != MS_SMOOTHING_NONE) {
        keep(l, MS_SLOT_LEFT);
        add(1.0, at_end[0], l->memory[MS_SLOT_LEFT]);
    }
    if (o->extrapolation.smooth_coupling == MS_SMOOTHING_C1) {
        keep(l, MS_SLOT_LEFT_SLOPE);
        add(1.0, at_end[1], l->memory[MS_SLOT_LEFT_SLOPE]);
    }
}

static int limit_open(void *self, void **context, ms_error *error)
{
    const ms_limit *limit = self;
    ms_variant variant;
    MS_TRY(choose_variant(limit->options, &variant, error));
    memory_map *l = calloc(1, sizeof *l);
    MS_TRY_MEMORY_FOR(l != NULL, error, "the limit of a scheme");
    l->variant = variant;
    l->swapped = limit->swapped;
    *context = l;
    fill(l);
    return MS_OK;
}

static void limit_close(void **context)
{
    free(*context);
    *context = NULL;
}

/* M = lambda feedback + memory = X + i Y has the eigenvalues, up to conjugation, of the real matrix
 * [X, -Y; Y, X]. */
static int limit_value(void *context, double x, double y, double *value, ms_error *error)
{
    const memory_map *l = context;
    const double re = l->swapped ? y : x, im = l->swapped ? x : y;
    const int n = l->n, twice = im != 0.0 ? 2 * n : n;
    double M[TWICE * TWICE], work[WORK];
    (void)error;
    if (l->variant.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT ||
        is_iterated(&l->variant)) { /* (1 - lambda) y = 0 */
        *value = re == 1.0 && im == 0.0 ? NAN : 0.0;
        return MS_OK;
    }
    for (int i = 0; i < twice; i++)
        for (int j = 0; j < twice; j++) {
            const int to = l->slot[i % n], from = l->slot[j % n];
            const double feedback = l->feedback[to][from];
            if (i / n == j / n)
                M[i * twice + j] = re * feedback + l->memory[to][from];
            else
                M[i * twice + j] = (i < n ? -im : im) * feedback;
        }
    *value = ms_spectrum_radius(twice, M, work);
    return MS_OK;
}

ms_field ms_stability_limit_field(ms_limit *limit)
{
    return (ms_field){.self = limit, .open = limit_open, .close = limit_close, .value = limit_value};
}
