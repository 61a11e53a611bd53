/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instance_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

typedef struct snapshot {
    double token, t; /* NaN: none; its time */
    long asked;      /* time of the last use */
    void *state;
    double *slopes; /* (nu) as in `own` */
} snapshot;

typedef struct own {
    const ms_own_stepper *stepper;
    void *component;
    ms_capabilities can;  /* without masks */
    double token;         /* of the component's present state; NaN: it has failed in between */
    double last_token, t; /* t: the component's present time */
    bool starting;        /* no step and no save since the start: outputs can be evaluated for any inputs */
    double *w;            /* (2 x nw): values and slopes of external inputs */
    double *slopes;       /* (nu): time derivatives of the inputs at the end of the last step */
    double *change;       /* (nu) */
    double *D;            /* (ny x nu) */
    double *pair;         /* (2 ny + nu): for differences */
    long clock;           /* for the last use of snapshots */
    bool no_memory;       /* it has failed for lack of memory */
    snapshot kept[MS_OWN_SNAPSHOTS];
    char failure[256]; /* if the component gives no message */
} own;

static own *own_of(const ms_instance *instance)
{
    return instance->solver_data;
}

static double *token_of(const ms_instance *instance)
{
    return &instance->z[instance->sub->nz + instance->sub->n_indicators];
}

/* The component has failed; its state is unknown. */
static int lost(own *o)
{
    o->token = NAN;
    return MS_SOLVER_FAILED;
}

/* MS_OK, or the status of lost(). */
static int done(own *o, int status)
{
    o->no_memory = status == MS_NO_MEMORY;
    return status == MS_OK ? MS_OK : lost(o);
}

int ms_instance_failure_status(const ms_instance *instance)
{
    const own *o = instance->sub->stepper != NULL ? own_of(instance) : NULL;
    return o != NULL && o->no_memory ? MS_NO_MEMORY : MS_SOLVER_FAILED;
}

static int cannot(own *o, const char *why)
{
    snprintf(o->failure, sizeof o->failure, "%s", why);
    return MS_SOLVER_FAILED;
}

const char *ms_instance_failure(const ms_instance *instance)
{
    const own *o = instance->sub->stepper != NULL ? own_of(instance) : NULL;
    if (o == NULL && instance->sub->said != NULL)
        return instance->sub->said(instance->sub->data);
    if (o == NULL || o->failure[0] != '\0' || o->stepper->said == NULL)
        return o != NULL ? o->failure : "";
    return o->stepper->said(o->component);
}

bool ms_instance_ended(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    const own *o = sub->stepper != NULL ? own_of(instance) : NULL;
    if (instance->ended)
        return true;
    if (o != NULL)
        return o->stepper->ended != NULL && o->stepper->ended(o->component);
    return sub->ended != NULL && sub->ended(sub->data);
}

/* Snapshots ---------------------------------------------------------------------------------------------- */

static void copy_slopes(const ms_instance *instance, const double *from, double *to)
{
    if (instance->sub->nu > 0)
        memcpy(to, from, sizeof *to * (size_t)instance->sub->nu);
}

static snapshot *find(own *o, double token)
{
    for (int k = 0; k < MS_OWN_SNAPSHOTS; k++)
        if (o->kept[k].token == token) {
            o->kept[k].asked = ++o->clock;
            return &o->kept[k];
        }
    return NULL;
}

/* A free snapshot, or the least recently used one. */
static snapshot *place(own *o)
{
    snapshot *oldest = &o->kept[0];
    for (int k = 0; k < MS_OWN_SNAPSHOTS; k++) {
        if (isnan(o->kept[k].token))
            return &o->kept[k];
        if (o->kept[k].asked < oldest->asked)
            oldest = &o->kept[k];
    }
    return oldest;
}

/* Restores the component to the state named by the blocks. */
static int go_to_token(ms_instance *instance)
{
    own *o = own_of(instance);
    const double token = *token_of(instance);
    if (o->stepper->set_states != NULL)
        return o->stepper->set_states(o->component, instance->x);
    if (o->token == token)
        return MS_OK;
    o->failure[0] = '\0';
    const snapshot *kept = find(o, token);
    if (kept == NULL)
        return cannot(o, "the state to which it must return was not kept");
    if (o->stepper->restore(o->component, kept->state) != MS_OK)
        return lost(o);
    copy_slopes(instance, kept->slopes, o->slopes);
    o->token = token;
    o->t = kept->t;
    o->starting = false;
    return MS_OK;
}

int ms_own_keep(ms_instance *instance)
{
    own *o = own_of(instance);
    if (!o->can.rollback || o->stepper->set_states != NULL || find(o, *token_of(instance)) != NULL)
        return MS_OK;
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    snapshot *kept = place(o);
    kept->token = NAN;
    if (o->stepper->save(o->component, &kept->state) != MS_OK)
        return lost(o);
    copy_slopes(instance, o->slopes, kept->slopes);
    kept->token = o->token;
    kept->t = o->t;
    kept->asked = ++o->clock;
    o->starting = false;
    return MS_OK;
}

/* Evaluation --------------------------------------------------------------------------------------------- */

static int read_states(ms_instance *instance)
{
    own *o = own_of(instance);
    if (instance->sub->nx > 0 && o->stepper->states(o->component, instance->x) != MS_OK)
        return lost(o);
    return MS_OK;
}

int ms_own_start(ms_instance *instance, double t)
{
    own *o = own_of(instance);
    if (o == NULL)
        return MS_OK; /* another process has it */
    for (int k = 0; k < MS_OWN_SNAPSHOTS; k++) {
        o->kept[k].token = NAN;
        if (o->kept[k].state != NULL) /* it belonged to the former component, which may no longer exist */
            o->stepper->release(o->component, &o->kept[k].state);
    }
    o->failure[0] = '\0';
    memset(o->slopes, 0, sizeof *o->slopes * (size_t)instance->sub->nu);
    o->token = *token_of(instance) = ++o->last_token;
    o->starting = true;
    o->t = t;
    if (done(o, o->stepper->start(o->component, t)) != MS_OK)
        return MS_SOLVER_FAILED;
    return read_states(instance);
}

/* The component's inputs at t, or the external ones. */
static const double *told(ms_instance *instance, double t, const double *u)
{
    own *o = own_of(instance);
    if (instance->sub->nw == 0)
        return u;
    ms_subsystem_external(instance->system, instance->sub, t, o->w);
    return o->w;
}

int ms_own_outputs(ms_instance *instance, const double *u, double *y)
{
    own *o = own_of(instance);
    if (instance->sub->ny == 0)
        return MS_OK;
    if (o == NULL || go_to_token(instance) != MS_OK ||
        o->stepper->outputs(o->component, told(instance, o->t, u), y) != MS_OK)
        return 1;
    return o->starting ? read_states(instance)
                       : MS_OK; /* the values calculated at the start may depend on inputs */
}

/* D by central differences. */
static int differences(ms_instance *instance, const double *u, double *D)
{
    own *o = own_of(instance);
    const ms_subsystem *sub = instance->sub;
    const int nu = sub->nu, ny = sub->ny;
    const double *scale = instance->system->u_scale != NULL
                              ? instance->system->u_scale + instance->system->u_at[instance->index]
                              : NULL;
    double *above = o->pair, *below = above + ny, *near = below + ny;
    for (int l = 0; l < nu; l++) {
        if (sub->u_signal != NULL && sub->u_signal[l] != MS_SIGNAL_CONTINUOUS)
            continue;
        const double step = ms_central_step(scale, l, u[l]), up = u[l] + step, down = u[l] - step;
        copy_slopes(instance, u, near);
        near[l] = up;
        int status = o->stepper->outputs(o->component, near, above);
        near[l] = down;
        MS_THEN(status, o->stepper->outputs(o->component, near, below));
        if (status != MS_OK)
            return MS_SOLVER_FAILED;
        for (int j = 0; j < ny; j++)
            D[j * nu + l] = sub->y_signal == NULL || sub->y_signal[j] == MS_SIGNAL_CONTINUOUS
                                ? (above[j] - below[j]) / (up - down)
                                : 0.0;
    }
    return MS_OK;
}

int ms_own_feed_through(ms_instance *instance, const double *u, double *D)
{
    own *o = own_of(instance);
    const bool masked = !instance->can.directional_derivatives && !o->starting;
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    memset(D, 0, sizeof *D * (size_t)(instance->sub->ny * instance->sub->nu));
    if (o->can.directional_derivatives && !masked)
        return o->stepper->feed_through(o->component, u, D);
    if (o->starting || instance->can.reevaluate_outputs)
        return differences(instance, u, D);
    return cannot(o, "it gives neither directional derivatives nor outputs for other inputs");
}

/* Those of the component hold under the inputs of its last step, including D u', unless its outputs depend on its states alone. */
int ms_own_output_derivative(ms_instance *instance, const double *u, const double *du, double *dy)
{
    own *o = own_of(instance);
    const int nu = instance->sub->nu, ny = instance->sub->ny;
    if (o->can.output_derivatives < 1)
        return cannot(o, "it gives no output derivatives");
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    if (o->stepper->output_derivatives(o->component, 1, dy) != MS_OK)
        return MS_SOLVER_FAILED;
    double apart = 0.0, *change = o->change;
    for (int l = 0; l < nu; l++) {
        change[l] = (du != NULL ? du[l] : 0.0) - o->slopes[l];
        apart = fmax(apart, fabs(change[l]));
    }
    if (apart == 0.0 || !instance->feeds_through)
        return MS_OK;
    MS_TRY(ms_own_feed_through(instance, u, o->D));
    ms_matrix_add(ny, nu, o->D, change, dy);
    return MS_OK;
}

int ms_own_output_second_derivative(ms_instance *instance, double *ddy)
{
    own *o = own_of(instance);
    if (o->can.output_derivatives < 2)
        return cannot(o, "it gives no second output derivatives");
    return go_to_token(instance) == MS_OK ? o->stepper->output_derivatives(o->component, 2, ddy)
                                          : MS_SOLVER_FAILED;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* The degree after dropping leading coefficients that are all zero. */
static int degree_of(const ms_input *input, int piece)
{
    int degree = input->degree;
    for (; degree > 0; degree--) {
        const double *c = ms_input_coefficients(input, piece, degree);
        for (int l = 0; l < input->n; l++)
            if (c[l] != 0.0)
                return degree;
    }
    return degree;
}

/* External inputs over a step: linear if the component accepts that. A jump at the end belongs to the next step. */
static ms_stepper_step external_step(ms_instance *instance, double t0, double h)
{
    own *o = own_of(instance);
    const int nw = instance->sub->nw;
    const double to = t0 + h - 2.0 * ms_series_jump(t0 + h);
    const bool linear = instance->can.input_degree > 0 && to > t0;
    double *slope = o->w + nw;
    if (linear)
        memcpy(slope, told(instance, to, NULL), sizeof *slope * (size_t)nw);
    told(instance, t0, NULL);
    for (int l = 0; l < nw && linear; l++)
        slope[l] = instance->sub->w_held != NULL && instance->sub->w_held[l]
                       ? 0.0
                       : (slope[l] - o->w[l]) / (to - t0);
    return (ms_stepper_step){t0, h, nw, linear ? 1 : 0, o->w};
}

/* Within a step the states are unknown. */
static void forget_samples(ms_instance *instance)
{
    for (int k = 0; k < instance->n_samples * instance->n_state; k++)
        instance->samples[k] = NAN;
}

static int own_advance(ms_instance *instance, int piece, double t0, double h)
{
    own *o = own_of(instance);
    const ms_input *input = &instance->input;
    const ms_stepper_step step = instance->sub->nw > 0
                                     ? external_step(instance, t0, h)
                                     : (ms_stepper_step){t0, h, input->n, degree_of(input, piece),
                                                         ms_input_coefficients(input, piece, 0)};
    o->failure[0] = '\0';
    forget_samples(instance);
    if (step.degree > o->can.input_degree)
        return cannot(o, "it does not take inputs of that degree");
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    o->starting = false;
    if (done(o, o->stepper->step(o->component, &step)) != MS_OK)
        return MS_SOLVER_FAILED;
    o->token = *token_of(instance) = ++o->last_token;
    o->t = t0 + h;
    if (o->can.output_derivatives > 0 && o->stepper->set_states == NULL)
        ms_input_evaluate(input, piece, 1, input->end[piece], o->slopes);
    instance->work.micro_steps++;
    if (instance->monitor.micro_step != NULL)
        instance->monitor.micro_step(instance->monitor.self, t0, t0 + h, 0);
    return read_states(instance);
}

/* Life --------------------------------------------------------------------------------------------------- */

static int own_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const size_t nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    own *o = own_of(instance);
    o->stepper = sub->stepper;
    o->can = instance->can;
    o->token = NAN;
    o->pair = calloc(2 * ny + (MS_OWN_SNAPSHOTS + 3) * nu + ny * nu + 2 * nw + 1, sizeof *o->pair);
    MS_TRY_MEMORY(o->pair);
    o->change = o->pair + 2 * ny + nu;
    o->D = o->change + nu;
    o->slopes = o->D + ny * nu;
    o->w = o->slopes + (MS_OWN_SNAPSHOTS + 1) * nu;
    for (int k = 0; k < MS_OWN_SNAPSHOTS; k++)
        o->kept[k] = (snapshot){.token = NAN, .slopes = o->slopes + (size_t)(k + 1) * nu};
    const ms_stepper_setup setup = {
        .sub = sub, .p = ms_subsystem_parameters(instance->system, sub), .tolerance = options->rtol};
    return o->stepper->create(&setup, &o->component, error);
}

static void own_destroy(ms_instance *instance)
{
    own *o = own_of(instance);
    for (int k = 0; k < MS_OWN_SNAPSHOTS; k++)
        if (o->kept[k].state != NULL)
            o->stepper->release(o->component, &o->kept[k].state);
    o->stepper->destroy(&o->component);
    free(o->pair);
}

const ms_solver ms_solver_own = {.name = "own",
                                 .summary = "that of the subsystem",
                                 .source = "the subsystem",
                                 .events = true,
                                 .data = sizeof(own),
                                 .create = own_create,
                                 .destroy = own_destroy,
                                 .advance = own_advance};
