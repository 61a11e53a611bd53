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
    double *slopes; /* (nu) as in `component_data` */
} snapshot;

typedef struct component_data {
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
    snapshot kept[MS_COMPONENT_SNAPSHOTS];
    char failure[256]; /* if the component gives no message */
} component_data;

static component_data *component_of(const ms_instance *instance)
{
    return instance->solver_data;
}

static double *token_of(const ms_instance *instance)
{
    return &instance->z[instance->sub->nz + instance->sub->n_indicators];
}

/* The component has failed; its state is unknown. */
static int lost(component_data *data)
{
    data->token = NAN;
    return MS_SOLVER_FAILED;
}

/* MS_OK, or the status of lost(). */
static int done(component_data *data, int status)
{
    data->no_memory = status == MS_NO_MEMORY;
    return status == MS_OK ? MS_OK : lost(data);
}

int ms_instance_failure_status(const ms_instance *instance)
{
    const component_data *data = instance->sub->stepper != NULL ? component_of(instance) : NULL;
    return data != NULL && data->no_memory ? MS_NO_MEMORY : MS_SOLVER_FAILED;
}

static int cannot(component_data *data, const char *why)
{
    snprintf(data->failure, sizeof data->failure, "%s", why);
    return MS_SOLVER_FAILED;
}

const char *ms_instance_failure(const ms_instance *instance)
{
    const component_data *data = instance->sub->stepper != NULL ? component_of(instance) : NULL;
    if (data == NULL && instance->sub->said != NULL)
        return instance->sub->said(instance->sub->data);
    if (data == NULL || data->failure[0] != '\0' || data->stepper->said == NULL)
        return data != NULL ? data->failure : "";
    return data->stepper->said(data->component);
}

bool ms_instance_ended(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    const component_data *data = sub->stepper != NULL ? component_of(instance) : NULL;
    if (instance->ended)
        return true;
    if (data != NULL)
        return data->stepper->ended != NULL && data->stepper->ended(data->component);
    return sub->ended != NULL && sub->ended(sub->data);
}

/* Snapshots ---------------------------------------------------------------------------------------------- */

static void copy_slopes(const ms_instance *instance, const double *from, double *to)
{
    if (instance->sub->nu > 0)
        memcpy(to, from, sizeof *to * (size_t)instance->sub->nu);
}

static snapshot *find(component_data *data, double token)
{
    for (int k = 0; k < MS_COMPONENT_SNAPSHOTS; k++)
        if (data->kept[k].token == token) {
            data->kept[k].asked = ++data->clock;
            return &data->kept[k];
        }
    return NULL;
}

/* A free snapshot, or the least recently used one. */
static snapshot *place(component_data *data)
{
    snapshot *oldest = &data->kept[0];
    for (int k = 0; k < MS_COMPONENT_SNAPSHOTS; k++) {
        if (isnan(data->kept[k].token))
            return &data->kept[k];
        if (data->kept[k].asked < oldest->asked)
            oldest = &data->kept[k];
    }
    return oldest;
}

/* Where it is elsewhere. */
static __attribute__((noinline)) int go_back(ms_instance *instance, double token)
{
    component_data *data = component_of(instance);
    if (data->stepper->set_states != NULL)
        return data->stepper->set_states(data->component, instance->x);
    data->failure[0] = '\0';
    const snapshot *kept = find(data, token);
    if (kept == NULL)
        return cannot(data, "the state to which it must return was not kept");
    if (data->stepper->restore(data->component, kept->state) != MS_OK)
        return lost(data);
    copy_slopes(instance, kept->slopes, data->slopes);
    data->token = token;
    data->t = kept->t;
    data->starting = false;
    return MS_OK;
}

/* Restores the component to the state named by the blocks. */
static inline int go_to_token(ms_instance *instance)
{
    const component_data *data = component_of(instance);
    const double token = *token_of(instance);
    return data->token == token && data->stepper->set_states == NULL ? MS_OK : go_back(instance, token);
}

int ms_instance_component_keep(ms_instance *instance)
{
    component_data *data = component_of(instance);
    if (!data->can.rollback || data->stepper->set_states != NULL || find(data, *token_of(instance)) != NULL)
        return MS_OK;
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    snapshot *kept = place(data);
    kept->token = NAN;
    if (data->stepper->save(data->component, &kept->state) != MS_OK)
        return lost(data);
    copy_slopes(instance, data->slopes, kept->slopes);
    kept->token = data->token;
    kept->t = data->t;
    kept->asked = ++data->clock;
    data->starting = false;
    return MS_OK;
}

/* Evaluation --------------------------------------------------------------------------------------------- */

static int read_states(ms_instance *instance)
{
    component_data *data = component_of(instance);
    if (instance->sub->nx > 0 && data->stepper->states(data->component, instance->x) != MS_OK)
        return lost(data);
    return MS_OK;
}

int ms_instance_component_start(ms_instance *instance, double t)
{
    component_data *data = component_of(instance);
    if (data == NULL)
        return MS_OK; /* another process has it */
    for (int k = 0; k < MS_COMPONENT_SNAPSHOTS; k++) {
        data->kept[k].token = NAN;
        if (data->kept[k].state != NULL) /* it belonged to the former component, which may no longer exist */
            data->stepper->release(data->component, &data->kept[k].state);
    }
    data->failure[0] = '\0';
    memset(data->slopes, 0, sizeof *data->slopes * (size_t)instance->sub->nu);
    data->token = *token_of(instance) = ++data->last_token;
    data->starting = true;
    data->t = t;
    if (done(data, data->stepper->start(data->component, t)) != MS_OK)
        return MS_SOLVER_FAILED;
    return read_states(instance);
}

/* The component's inputs at t, or the external ones. */
static const double *told(ms_instance *instance, double t, const double *u)
{
    component_data *data = component_of(instance);
    if (instance->sub->nw == 0)
        return u;
    ms_subsystem_external(instance->system, instance->sub, t, data->w);
    return data->w;
}

int ms_instance_component_outputs(ms_instance *instance, const double *u, double *y)
{
    component_data *data = component_of(instance);
    if (instance->sub->ny == 0)
        return MS_OK;
    if (data == NULL || go_to_token(instance) != MS_OK ||
        data->stepper->outputs(data->component, told(instance, data->t, u), y) != MS_OK)
        return 1;
    return data->starting ? read_states(instance)
                          : MS_OK; /* the values calculated at the start may depend on inputs */
}

/* D by central differences. */
static int differences(ms_instance *instance, const double *u, double *D)
{
    component_data *data = component_of(instance);
    const ms_subsystem *sub = instance->sub;
    const int nu = sub->nu, ny = sub->ny;
    const double *scale = instance->system->u_scale != NULL
                              ? instance->system->u_scale + instance->system->u_at[instance->index]
                              : NULL;
    double *above = data->pair, *below = above + ny, *near = below + ny;
    for (int l = 0; l < nu; l++) {
        if (sub->u_signal != NULL && sub->u_signal[l] != MS_SIGNAL_CONTINUOUS)
            continue;
        const double step = ms_central_step(scale, l, u[l]), up = u[l] + step, down = u[l] - step;
        copy_slopes(instance, u, near);
        near[l] = up;
        int status = data->stepper->outputs(data->component, near, above);
        near[l] = down;
        MS_THEN(status, data->stepper->outputs(data->component, near, below));
        if (status != MS_OK)
            return MS_SOLVER_FAILED;
        for (int j = 0; j < ny; j++)
            D[j * nu + l] = sub->y_signal == NULL || sub->y_signal[j] == MS_SIGNAL_CONTINUOUS
                                ? (above[j] - below[j]) / (up - down)
                                : 0.0;
    }
    return MS_OK;
}

int ms_instance_component_feed_through(ms_instance *instance, const double *u, double *D)
{
    component_data *data = component_of(instance);
    const bool masked = !instance->can.directional_derivatives && !data->starting;
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    memset(D, 0, sizeof *D * (size_t)(instance->sub->ny * instance->sub->nu));
    if (data->can.directional_derivatives && !masked)
        return data->stepper->feed_through(data->component, u, D);
    if (data->starting || instance->can.reevaluate_outputs)
        return differences(instance, u, D);
    return cannot(data, "it gives neither directional derivatives nor outputs for other inputs");
}

/* Those of the component hold under the inputs of its last step, including D u', unless its outputs depend on its states alone. */
int ms_instance_component_output_derivative(ms_instance *instance, const double *u, const double *du,
                                            double *dy)
{
    component_data *data = component_of(instance);
    const int nu = instance->sub->nu, ny = instance->sub->ny;
    if (data->can.output_derivatives < 1)
        return cannot(data, "it gives no output derivatives");
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    if (data->stepper->output_derivatives(data->component, 1, dy) != MS_OK)
        return MS_SOLVER_FAILED;
    double apart = 0.0, *change = data->change;
    for (int l = 0; l < nu; l++) {
        change[l] = (du != NULL ? du[l] : 0.0) - data->slopes[l];
        apart = fmax(apart, fabs(change[l]));
    }
    if (apart == 0.0 || !instance->feeds_through)
        return MS_OK;
    MS_TRY(ms_instance_component_feed_through(instance, u, data->D));
    ms_matrix_add(ny, nu, data->D, change, dy);
    return MS_OK;
}

int ms_instance_component_output_second_derivative(ms_instance *instance, double *ddy)
{
    component_data *data = component_of(instance);
    if (data->can.output_derivatives < 2)
        return cannot(data, "it gives no second output derivatives");
    return go_to_token(instance) == MS_OK ? data->stepper->output_derivatives(data->component, 2, ddy)
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
    component_data *data = component_of(instance);
    const int nw = instance->sub->nw;
    const double to = t0 + h - 2.0 * ms_series_jump(t0 + h);
    const bool linear = instance->can.input_degree > 0 && to > t0;
    double *slope = data->w + nw;
    if (linear)
        memcpy(slope, told(instance, to, NULL), sizeof *slope * (size_t)nw);
    told(instance, t0, NULL);
    for (int l = 0; l < nw && linear; l++)
        slope[l] = instance->sub->w_held != NULL && instance->sub->w_held[l]
                       ? 0.0
                       : (slope[l] - data->w[l]) / (to - t0);
    return (ms_stepper_step){t0, h, nw, linear ? 1 : 0, data->w};
}

/* Within a step the states are unknown. */
static void forget_samples(ms_instance *instance)
{
    for (int k = 0; k < instance->n_samples * instance->n_state; k++)
        instance->samples[k] = NAN;
}

/* The few inputs of a component. */
static inline void clear(int n, double *slopes)
{
    for (int l = 0; l < n; l++)
        slopes[l] = 0.0;
}

static int component_advance(ms_instance *instance, int piece, double t0, double h)
{
    component_data *data = component_of(instance);
    const ms_input *input = &instance->input;
    const ms_stepper_step step = instance->sub->nw > 0
                                     ? external_step(instance, t0, h)
                                     : (ms_stepper_step){t0, h, input->n, degree_of(input, piece),
                                                         ms_input_coefficients(input, piece, 0)};
    data->failure[0] = '\0';
    forget_samples(instance);
    if (step.degree > data->can.input_degree)
        return cannot(data, "it does not take inputs of that degree");
    if (go_to_token(instance) != MS_OK)
        return MS_SOLVER_FAILED;
    data->starting = false;
    if (done(data, data->stepper->step(data->component, &step)) != MS_OK)
        return MS_SOLVER_FAILED;
    data->token = *token_of(instance) = ++data->last_token;
    data->t = t0 + h;
    if (input->degree == 0)
        clear(input->n, data->slopes);
    else if (data->can.output_derivatives > 0 && data->stepper->set_states == NULL)
        ms_input_evaluate(input, piece, 1, input->end[piece], data->slopes);
    instance->work.micro_steps++;
    if (instance->monitor.micro_step != NULL)
        instance->monitor.micro_step(instance->monitor.self, t0, t0 + h, 0);
    return read_states(instance);
}

/* Life --------------------------------------------------------------------------------------------------- */

static int component_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const size_t nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    component_data *data = component_of(instance);
    data->stepper = sub->stepper;
    data->can = instance->can;
    data->token = NAN;
    data->pair =
        calloc(2 * ny + (MS_COMPONENT_SNAPSHOTS + 3) * nu + ny * nu + 2 * nw + 1, sizeof *data->pair);
    MS_TRY_MEMORY(data->pair);
    data->change = data->pair + 2 * ny + nu;
    data->D = data->change + nu;
    data->slopes = data->D + ny * nu;
    data->w = data->slopes + (MS_COMPONENT_SNAPSHOTS + 1) * nu;
    for (int k = 0; k < MS_COMPONENT_SNAPSHOTS; k++)
        data->kept[k] = (snapshot){.token = NAN, .slopes = data->slopes + (size_t)(k + 1) * nu};
    const ms_stepper_setup setup = {
        .sub = sub, .p = ms_subsystem_parameters(instance->system, sub), .tolerance = options->rtol};
    return data->stepper->create(&setup, &data->component, error);
}

static void component_destroy(ms_instance *instance)
{
    component_data *data = component_of(instance);
    for (int k = 0; k < MS_COMPONENT_SNAPSHOTS; k++)
        if (data->kept[k].state != NULL)
            data->stepper->release(data->component, &data->kept[k].state);
    data->stepper->destroy(&data->component);
    free(data->pair);
}

const ms_solver ms_solver_component = {.name = "own",
                                       .summary = "that of the subsystem",
                                       .source = "the subsystem",
                                       .events = true,
                                       .data = sizeof(component_data),
                                       .create = component_create,
                                       .destroy = component_destroy,
                                       .advance = component_advance};
