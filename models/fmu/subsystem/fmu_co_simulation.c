/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_co_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_probe.h"
#include "fmu_stepped.h"
#include "fmu_subsystem.h"

/* An instance's own. */
typedef struct worker {
    const ms_fmu_stepped *of;
    ms_fmu_stepping stepping;
    double tolerance, t; /* t: of the start */
    bool starting;       /* no step yet: outputs may be asked for any inputs */
    bool initialised;    /* with these: */
    double *u;           /* (nu) */
    bool told;           /* these are the inputs that it has */
    double *now;         /* (ny + nx) outputs and states of where it is, */
    bool known;          /* where they have been read together */
    bool other_inputs;   /* outputs were asked for others than it had */
    bool no_number;      /* an output was none: `said` has the line, whatever the component said */
    char said[256];      /* if there is no component, or it gives no message */
} worker;

/* The few values of a subsystem. */
static inline void copy(int n, const double *from, double *to)
{
    for (int k = 0; k < n; k++)
        to[k] = from[k];
}

static int failed(worker *w, int status)
{
    if (status == MS_OK)
        return MS_OK;
    if (status == MS_FMU_DISCARD && ms_fmu_component_said(w->stepping.component)[0] == '\0')
        snprintf(w->said, sizeof w->said, "discarded by the FMU");
    return MS_SOLVER_FAILED;
}

static const char *said(const void *self)
{
    const worker *w = self;
    const char *words =
        w->stepping.component != NULL && !w->no_number ? ms_fmu_component_said(w->stepping.component) : "";
    return words[0] != '\0' ? words : w->said[0] != '\0' ? w->said : "the FMU did not say why";
}

static bool ended(const void *self)
{
    const worker *w = self;
    return w->stepping.component != NULL && ms_fmu_component_has_ended(w->stepping.component);
}

/* The start ---------------------------------------------------------------------------------------------- */

static void discard_component(worker *w)
{
    ms_fmu_component_destroy(&w->stepping.component);
    w->initialised = false;
}

static int instantiate(worker *w, ms_error *error)
{
    return ms_fmu_stepped_create(w->of, w->t, w->tolerance, &w->stepping, error);
}

/* A component that has been initialised with these inputs. */
static int initialise(worker *w, const double *u)
{
    const size_t bytes = sizeof *u * (size_t)w->of->at->nu;
    ms_error error = {""};
    if (w->initialised && (bytes == 0 || memcmp(w->u, u, bytes) == 0))
        return MS_OK;
    if (w->initialised)
        discard_component(w);
    const int made = w->stepping.component == NULL ? instantiate(w, &error) : MS_OK;
    if (made != MS_OK) {
        snprintf(w->said, sizeof w->said, "%.250s", error.text);
        return made == MS_NO_MEMORY ? made : MS_SOLVER_FAILED;
    }
    if (bytes > 0)
        memcpy(w->u, u, bytes);
    const int status = ms_fmu_component_initialise(w->stepping.component, &w->of->at->u, u);
    w->initialised = status == MS_OK;
    return failed(w, status);
}

static int start(void *self, double t)
{
    worker *w = self;
    discard_component(w);
    w->said[0] = '\0';
    w->no_number = w->known = w->told = false;
    w->t = t;
    w->starting = true;
    return initialise(w, w->of->u0);
}

/* Evaluation --------------------------------------------------------------------------------------------- */

/* Growth is judged by the run; values that are not numbers have no meaning there. */
static int check_numbers(worker *w, const double *y)
{
    int j = 0;
    while (j < w->of->at->ny && (!isnan(y[j]) || !ms_fmu_output_is_carried(w->of->at, j)))
        j++;
    if (j == w->of->at->ny)
        return MS_OK;
    w->no_number = true;
    snprintf(w->said, sizeof w->said, "its output %.200s is not a number", w->of->output[j].name);
    return MS_SOLVER_FAILED;
}

/* Those that it has are not set again. */
static int set_for_outputs(worker *w, const double *u)
{
    const int nu = w->of->at->nu;
    const size_t bytes = sizeof *u * (size_t)nu;
    if (!w->of->can.reevaluate_outputs || nu == 0)
        return MS_OK;
    w->other_inputs = !w->told || memcmp(w->u, u, bytes) != 0;
    if (!w->other_inputs)
        return MS_OK;
    w->known = false;
    w->told = true;
    memcpy(w->u, u, bytes);
    return ms_fmu_stepping_tell(&w->stepping, u);
}

static int outputs(void *self, const double *u, double *y)
{
    worker *w = self;
    const ms_fmu_places *at = w->of->at;
    int status = MS_OK;
    if (w->starting)
        status = initialise(w, u);
    else
        status = set_for_outputs(w, u);
    if (status == MS_OK && w->known)
        copy(at->ny, w->now, y);
    else if (status == MS_OK)
        status = ms_fmu_read(w->stepping.component, &at->y, y);
    return status == MS_OK ? check_numbers(w, y) : failed(w, status);
}

/* Outputs are asked for next: where they will be those of the inputs that it has, both come by one call. */
static int states(void *self, double *x)
{
    worker *w = self;
    const ms_fmu_places *at = w->of->at;
    if (w->starting || w->other_inputs)
        return failed(w, ms_fmu_read(w->stepping.component, &at->x, x));
    const int status = ms_fmu_read(w->stepping.component, &at->all, w->now);
    w->known = status == MS_OK;
    copy(at->nx, w->now + at->ny, x);
    return failed(w, status);
}

static int output_derivatives(void *self, int order, double *dy)
{
    worker *w = self;
    return failed(w, ms_fmu_stepping_derivatives(&w->stepping, order, dy));
}

static int feed_through(void *self, const double *u, double *D)
{
    worker *w = self;
    const int status = w->starting ? initialise(w, u) : MS_OK;
    return failed(w, status == MS_OK ? ms_fmu_stepping_feed_through(&w->stepping, D) : status);
}

/* Steps and snapshots ------------------------------------------------------------------------------------ */

/* The first one begins from an initialisation with its own inputs. */
static int step(void *self, const ms_stepper_step *step_of)
{
    worker *w = self;
    int status = w->starting ? initialise(w, step_of->c) : MS_OK;
    w->starting = w->no_number = w->known = false;
    w->told = step_of->degree == 0 && step_of->nu == w->of->at->nu;
    if (w->told)
        copy(step_of->nu, step_of->c, w->u);
    MS_THEN(status, ms_fmu_stepping_step(&w->stepping, step_of));
    return failed(w, status);
}

/* Where it was. */
typedef struct place {
    ms_fmu_state state;
    double end; /* of ms_fmu_stepping */
} place;

static int save(void *self, void **snapshot)
{
    worker *w = self;
    place *at = *snapshot != NULL ? *snapshot : calloc(1, sizeof *at);
    *snapshot = at;
    w->starting = false;
    if (at == NULL) {
        snprintf(w->said, sizeof w->said, "not enough memory to keep its state");
        return MS_NO_MEMORY;
    }
    at->end = w->stepping.end;
    return failed(w, ms_fmu_save(w->stepping.component, &at->state));
}

static int restore(void *self, void *snapshot)
{
    worker *w = self;
    const place *at = snapshot;
    w->known = w->told = false;
    w->stepping.end = at->end;
    return failed(w, ms_fmu_restore(w->stepping.component, at->state));
}

static void release(void *self, void **snapshot)
{
    worker *w = self;
    place *at = *snapshot;
    ms_fmu_free_state(w->stepping.component, &at->state);
    free(at);
    *snapshot = NULL;
}

/* Life --------------------------------------------------------------------------------------------------- */

static void capabilities(const ms_subsystem *sub, ms_capabilities *can)
{
    *can = ((const ms_fmu_stepped *)sub->data)->can;
}

static const char *remark(const ms_subsystem *sub, int k)
{
    return ((const ms_fmu_stepped *)sub->data)->remark[k];
}

static int create(const ms_stepper_setup *setup, void **component, ms_error *error)
{
    const ms_fmu_stepped *of = setup->sub->data;
    const ms_fmu_places *at = of->at;
    worker *w = calloc(1, sizeof *w);
    *component = w;
    MS_TRY_MEMORY_FOR(w != NULL, error, "subsystem %s", of->name);
    w->of = of;
    w->tolerance = setup->tolerance;
    double *value = calloc((size_t)((MS_FMU_ORDERS + 2) * at->nu + 2 * at->ny + at->nx) + 1, sizeof *value);
    ms_fmu_stepped_begin(of, value, &w->stepping);
    MS_TRY_MEMORY_FOR(w->stepping.value != NULL, error, "subsystem %s", of->name);
    w->u = w->stepping.value + (MS_FMU_ORDERS + 1) * at->nu + at->ny;
    w->now = w->u + at->nu;
    return instantiate(w, error); /* so that one that does not come to be is refused before it runs */
}

static void destroy(void **component)
{
    worker *w = *component;
    if (w == NULL)
        return;
    discard_component(w);
    MS_FREE(w->stepping.value, w);
    *component = NULL;
}

/* Start values; a series replaces the values that it drives. */
static void external(double t, const double *p, const void *data, double *w)
{
    const ms_fmu_stepped *m = data;
    (void)t, (void)p;
    memcpy(w, m->u0, sizeof *w * (size_t)m->at->nu);
}

static const ms_own_stepper stepper = {.kind = "an FMU for co-simulation",
                                       .capabilities = capabilities,
                                       .remark = remark,
                                       .create = create,
                                       .destroy = destroy,
                                       .start = start,
                                       .outputs = outputs,
                                       .states = states,
                                       .step = step,
                                       .output_derivatives = output_derivatives,
                                       .feed_through = feed_through,
                                       .save = save,
                                       .restore = restore,
                                       .release = release,
                                       .linearise = ms_fmu_linearise,
                                       .said = said,
                                       .ended = ended};

/* The subsystem ------------------------------------------------------------------------------------------ */

/* What the probe leaves of the flags, and sentences about it. */
static int probe(ms_fmu_stepped *m, ms_fmu_probing probing, ms_structure *structure, ms_error *error)
{
    const ms_fmu_setup settings = {
        .instance_name = m->name, .n_settings = m->n_settings, .setting = m->setting, .value = m->value};
    ms_fmu_abilities found;
    m->remark = ms_structure_alloc(structure, MS_FMU_DEGRADING + 1, sizeof *m->remark);
    MS_TRY_MEMORY(m->remark);
    ms_fmu_abilities_declared(ms_fmu_describe(m->fmu), MS_FMU_CO_SIMULATION, &found);
    m->can = found.can;
    m->keep = found.keep;
    if (probing == MS_FMU_PROBE_OFF)
        return MS_OK;
    MS_TRY(ms_fmu_probe_run(m->fmu, &settings, MS_FMU_PROBE_STEPS, &found, error));
    m->sums = found.sums;
    if (probing == MS_FMU_PROBE_ON) {
        m->can = found.can;
        m->keep = found.keep;
    }
    for (int k = 0, n = 0; k < MS_FMU_DEGRADING; k++)
        if (found.why[k][0] != '\0' &&
            (m->remark[n++] = ms_structure_name(structure, "%s", found.why[k])) == NULL)
            return MS_NO_MEMORY;
    return MS_OK;
}

int ms_fmu_co_simulation(const ms_fmu *fmu, const ms_fmu_choice *choice, ms_structure *structure,
                         ms_subsystem *sub, ms_error *error)
{
    const size_t n = (size_t)choice->n_settings;
    ms_fmu_stepped *m = ms_structure_alloc(structure, 1, sizeof *m);
    int *setting = ms_structure_alloc(structure, n + 1, sizeof *setting);
    const char **value = ms_structure_alloc(structure, n + 1, sizeof *value);
    ms_fmu_places *at = ms_structure_alloc(structure, 1, ms_fmu_places_size(fmu));
    int status = m != NULL && setting != NULL && value != NULL && at != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        ms_fmu_places_fill(fmu, at);
        ms_fmu_places_wire(at, &choice->wiring);
    }
    if (status == MS_OK && n > 0) {
        memcpy(setting, choice->setting, n * sizeof *setting);
        memcpy(value, choice->value, n * sizeof *value);
    }
    if (status == MS_OK) {
        *m = (ms_fmu_stepped){.fmu = fmu,
                              .at = at,
                              .name = choice->name,
                              .n_settings = choice->n_settings,
                              .setting = setting,
                              .value = value};
        const ms_fmu_setup setup = {
            .instance_name = m->name, .n_settings = m->n_settings, .setting = setting, .value = value};
        status = ms_fmu_fill(fmu, &setup, at, choice->wiring.driven, structure, sub);
        sub->stepper = &stepper;
        sub->external = sub->nw > 0 ? external : NULL;
        sub->data = m;
        m->output = sub->y;
        m->u0 = sub->u0;
        m->single = sub->single;
    }
    MS_THEN(status, probe(m, choice->probing, structure, error));
    if (status == MS_OK && choice->wiring.driven)
        m->can.directional_derivatives = false; /* by inputs, of which it has none */
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for subsystem %s", choice->name);
    return status;
}
