/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe_exchange.c - the capabilities of an FMU for model exchange at its start: it does not step by itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_probe.h"
#include "fmu_stepping.h"

/* Components at the start, and the values with which they are compared. */
typedef struct trial {
    const ms_fmu *fmu;
    const ms_fmu_description *d;
    ms_fmu_setup setup;
    ms_fmu_at_start *start;
    ms_fmu_abilities *found;
    ms_fmu_component *c;
    double *u0, *x, *seen; /* (nu), (nx), (2 nx + ny) */
    ms_error *error;
} trial;

static void tell(trial *p, ms_fmu_trait trait, const char *words)
{
    snprintf(p->found->why[trait], sizeof p->found->why[trait], "%s", words);
}

static int open(trial *p)
{
    ms_fmu_component_destroy(&p->c);
    MS_TRY(ms_fmu_component_create(p->fmu, &p->setup, &p->c, p->error));
    return ms_fmu_component_initialise(p->c, &p->start->at->u, p->u0) == MS_OK
               ? MS_OK
               : ms_fail(p->error, MS_INVALID, "%s: the FMU does not start: %.300s", ms_fmu_path(p->fmu),
                         ms_fmu_component_said(p->c));
}

/* States, derivatives, outputs. */
static bool look(trial *p, double *values)
{
    const int nx = p->start->at->nx;
    return ms_fmu_get_states(p->c, nx, values) == MS_OK &&
           ms_fmu_get_derivatives(p->c, nx, values + nx) == MS_OK &&
           ms_fmu_read(p->c, &p->start->at->y, values + 2 * nx) == MS_OK;
}

static bool is_as_at_start(trial *p)
{
    const size_t n = (size_t)(2 * p->start->at->nx + p->start->at->ny);
    return look(p, p->seen) && (n == 0 || memcmp(p->seen, p->start->x, n * sizeof *p->seen) == 0);
}

static void try_determinism(trial *p)
{
    p->found->deterministic = open(p) == MS_OK && is_as_at_start(p);
    if (!p->found->deterministic)
        tell(p, MS_FMU_DETERMINISTIC, "two components do not start with the same values");
}

/* A detour to other states, and back. */
static bool goes_back(trial *p, bool by_bytes)
{
    const int nx = p->start->at->nx;
    ms_fmu_state state = NULL;
    for (int i = 0; i < nx; i++)
        p->x[i] = p->start->x[i] + 0.1 * fmax(1.0, fabs(p->start->x[i]));
    bool done = open(p) == MS_OK && ms_fmu_save(p->c, &state) == MS_OK &&
                (!by_bytes || ms_fmu_reserialise(p->c, &state) == MS_OK);
    done = done && ms_fmu_set_states(p->c, nx, p->x) == MS_OK && look(p, p->seen) &&
           ms_fmu_restore(p->c, state) == MS_OK && is_as_at_start(p);
    ms_fmu_free_state(p->c, &state);
    return done;
}

static void try_states(trial *p)
{
    p->found->can.rollback = p->found->can.rollback && goes_back(p, false);
    if (ms_fmu_flags_of(p->fmu)->get_and_set_state && !p->found->can.rollback)
        tell(p, MS_FMU_ROLLBACK, "a restored state does not have its former values, or a call fails");
    p->found->serialisation = p->found->serialisation && goes_back(p, true);
    if (ms_fmu_flags_of(p->fmu)->serialize_state && !p->found->serialisation)
        tell(p, MS_FMU_SERIALISATION,
             "a state that is made from its bytes does not have its former values, or a call fails");
}

/* Of all derivatives by state j: directional ones against central differences. *off: how far they are apart. */
static bool compare_column(trial *p, int j, double *off, double *largest)
{
    const int nx = p->start->at->nx;
    unsigned known = p->d->variables[p->start->at->x_of[j]].value_reference;
    const double one = 1.0, step = 1e-4 * fmax(1.0, fabs(p->start->x[j]));
    double *given = p->seen, *side[2] = {p->seen + nx, p->x};
    bool done =
        ms_fmu_directional_derivative(p->c, nx, p->start->derivative, 1, &known, &one, given) == MS_OK;
    for (int k = 0; k < 2 && done; k++) {
        memcpy(p->x, p->start->x, sizeof *p->x * (size_t)nx);
        p->x[j] += k == 0 ? step : -step;
        done =
            ms_fmu_set_states(p->c, nx, p->x) == MS_OK && ms_fmu_get_derivatives(p->c, nx, side[k]) == MS_OK;
    }
    for (int i = 0; i < nx && done; i++) {
        const double slope = (side[0][i] - side[1][i]) / (2.0 * step);
        *off = fmax(*off, fabs(given[i] - slope));
        *largest = fmax(*largest, fabs(slope));
    }
    return done && ms_fmu_set_states(p->c, nx, p->start->x) == MS_OK;
}

static void try_directional(trial *p)
{
    double off = 0.0, largest = 0.0;
    if (!p->found->can.directional_derivatives || p->start->at->nx == 0)
        return;
    bool done = open(p) == MS_OK;
    for (int j = 0; j < p->start->at->nx && done; j++)
        done = compare_column(p, j, &off, &largest);
    p->found->can.directional_derivatives = done && off <= 0.1 * largest + 1e-6;
    if (!done)
        tell(p, MS_FMU_DIRECTIONAL, "directional derivatives are refused");
    else if (!p->found->can.directional_derivatives)
        snprintf(p->found->why[MS_FMU_DIRECTIONAL], sizeof p->found->why[MS_FMU_DIRECTIONAL],
                 "derivatives with respect to states differ from differences by %.3g, the largest being %.3g",
                 off, largest);
}

static int allocate(trial *p)
{
    ms_fmu_at_start *s = p->start;
    s->at = calloc(1, ms_fmu_places_size(p->fmu));
    MS_TRY_MEMORY(s->at);
    ms_fmu_places_fill(p->fmu, s->at);
    s->nx = s->at->nx;
    s->ny = s->at->ny;
    s->x_of = s->at->x_of;
    s->y_of = s->at->y_of;
    const size_t nx = (size_t)s->at->nx, ny = (size_t)s->at->ny, nu = (size_t)s->at->nu;
    s->x = calloc(2 * (2 * nx + ny) + nx + nu + 1, sizeof *s->x);
    s->derivative = calloc(nx + 1, sizeof *s->derivative);
    MS_TRY_MEMORY(s->x != NULL && s->derivative != NULL);
    s->dx = s->x + nx;
    s->y = s->dx + nx;
    p->seen = s->y + ny;
    p->x = p->seen + 2 * nx + ny;
    p->u0 = p->x + nx;
    for (int i = 0; i < p->d->n_derivatives && i < s->at->nx; i++) /* if there are no arrays */
        s->derivative[i] = p->d->variables[p->d->derivatives[i].variable].value_reference;
    ms_fmu_start_inputs(p->fmu, p->setup.n_settings, p->setup.setting, p->setup.value, p->u0);
    return MS_OK;
}

int ms_fmu_probe_start(const ms_fmu *fmu, const ms_fmu_setup *settings, ms_fmu_abilities *found,
                       ms_fmu_at_start *start, ms_error *error)
{
    ms_error why;
    trial p = {.fmu = fmu,
               .d = ms_fmu_describe(fmu),
               .setup = *settings,
               .start = start,
               .found = found,
               .error = error};
    *start = (ms_fmu_at_start){.time = isfinite(p.d->start_time) ? p.d->start_time : 0.0};
    p.setup.start_time = start->time;
    p.setup.tolerance = ms_fmu_default_tolerance(p.d);
    p.setup.stop_time = INFINITY;
    ms_fmu_abilities_declared(p.d, MS_FMU_MODEL_EXCHANGE, found);
    int status = allocate(&p);
    if (status != MS_OK)
        return ms_fail(error, status, "%s: not enough memory for the probe", ms_fmu_path(fmu));
    status = open(&p);
    if (status == MS_OK && !look(&p, start->x))
        status = ms_fail(error, MS_INVALID, "%s: it gives no values at its start: %.300s", ms_fmu_path(fmu),
                         ms_fmu_component_said(p.c));
    p.error = &why;
    if (status == MS_OK) {
        try_determinism(&p);
        try_states(&p);
        try_directional(&p);
    }
    ms_fmu_component_destroy(&p.c);
    return status;
}

void ms_fmu_at_start_free(ms_fmu_at_start *start)
{
    MS_FREE(start->at, start->x, start->derivative);
    *start = (ms_fmu_at_start){0};
}
