/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stepping.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "structure.h"
#include "support.h"
#include "unit_test.h"

const ms_capabilities support_stepping_all = {.rollback = true,
                                              .input_degree = MS_INPUT_DEGREE,
                                              .output_derivatives = 2,
                                              .directional_derivatives = true,
                                              .reevaluate_outputs = true};

/* What a subsystem knows: ms_subsystem.data. */
typedef struct wrapped {
    support_stepping *of;
    int index;
} wrapped;

/* The inner instance, and inputs and slopes at the end of its last step. */
typedef struct component {
    support_stepping *of;
    ms_instance *instance;
    double *u, *du, *ddu, *x, *z, *memory;
    double t;
} component;

static size_t doubles(const ms_subsystem *sub)
{
    return (size_t)(3 * sub->nu + sub->nx + ms_subsystem_nz(sub)) + 8;
}

static void capabilities(const ms_subsystem *sub, ms_capabilities *can)
{
    *can = ((const wrapped *)sub->data)->of->can;
}

static const char *remark(const ms_subsystem *sub, int k)
{
    return k == 0 ? ((const wrapped *)sub->data)->of->remark : NULL;
}

static int create(const ms_stepper_setup *setup, void **out, ms_error *error)
{
    const wrapped *w = setup->sub->data;
    const ms_system *inner = w->of->inner;
    const ms_subsystem *sub = &inner->sub[w->index];
    component *c = calloc(1, sizeof *c);
    double *memory = calloc(doubles(sub), sizeof *memory);
    if (c == NULL || memory == NULL) {
        free(c);
        free(memory);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a made-up stepper");
    }
    c->of = w->of;
    c->u = memory;
    c->du = c->u + sub->nu;
    c->ddu = c->du + sub->nu;
    c->x = c->ddu + sub->nu;
    c->z = c->x + sub->nx;
    c->memory = c->z + ms_subsystem_nz(sub);
    *out = c;
    const ms_solver_options options = {.rtol = setup->tolerance, .atol = setup->tolerance, .micro_steps = 1};
    w->of->components++;
    return ms_instance_create(&(ms_instance_parts){.system = inner,
                                                   .index = w->index,
                                                   .solver = ms_solver_find("exact"),
                                                   .options = &options,
                                                   .x = c->x,
                                                   .z = c->z,
                                                   .memory = c->memory},
                              &c->instance, error);
}

static void destroy(void **out)
{
    component *c = *out;
    if (c == NULL)
        return;
    ms_instance_destroy(&c->instance);
    free(c->u);
    free(c);
    *out = NULL;
}

static int start(void *self, double t)
{
    component *c = self;
    const ms_system *inner = c->of->inner;
    double *x = calloc((size_t)inner->nx + 1, sizeof *x);
    assert_non_null(x);
    ms_system_start(inner, x);
    memset(c->u, 0, sizeof *c->u * doubles(c->instance->sub));
    memcpy(c->x, x + inner->x_at[c->instance->index], sizeof *x * (size_t)c->instance->sub->nx);
    free(x);
    c->t = t;
    return MS_OK;
}

static int outputs(void *self, const double *u, double *y)
{
    component *c = self;
    memcpy(c->u, u, sizeof *u * (size_t)c->instance->sub->nu);
    return ms_instance_outputs(c->instance, c->t, c->u, NULL, y);
}

static int states(void *self, double *x)
{
    const component *c = self;
    memcpy(x, c->x, sizeof *x * (size_t)c->instance->sub->nx);
    return MS_OK;
}

static int step(void *self, const ms_stepper_step *step)
{
    component *c = self;
    ms_input *input = &c->instance->input;
    c->of->steps++;
    if (c->of->fails_at > 0.0 && step->t + step->h >= c->of->fails_at)
        return MS_SOLVER_FAILED;
    input->pieces = 1;
    input->degree = step->degree;
    input->end[0] = step->h;
    memcpy(ms_input_coefficients(input, 0, 0), step->c,
           sizeof(double) * (size_t)((step->degree + 1) * step->nu));
    const int status = ms_instance_step(c->instance, step->t, step->h);
    c->t = step->t + step->h;
    ms_input_left(input, c->u);
    ms_input_left_derivative(input, 1, c->du);
    ms_input_left_derivative(input, 2, c->ddu);
    return status;
}

static int output_derivatives(void *self, int order, double *dy)
{
    component *c = self;
    return order == 1 ? ms_instance_output_derivative(c->instance, c->t, c->u, c->du, dy)
                      : ms_instance_output_second_derivative(c->instance, c->t, c->u, c->du, c->ddu, dy);
}

static int feed_through(void *self, const double *u, double *D)
{
    component *c = self;
    return ms_instance_feed_through(c->instance, c->t, u, D);
}

static int save(void *self, void **snapshot)
{
    component *c = self;
    const size_t n = doubles(c->instance->sub);
    double *copy = *snapshot != NULL ? *snapshot : calloc(n + 1, sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, c->u, sizeof *copy * n);
    copy[n] = c->t;
    *snapshot = copy;
    c->of->saves++;
    return MS_OK;
}

static int restore(void *self, void *snapshot)
{
    component *c = self;
    const double *copy = snapshot;
    const size_t n = doubles(c->instance->sub);
    memcpy(c->u, copy, sizeof *copy * n);
    c->t = copy[n];
    c->of->restores++;
    return MS_OK;
}

static void release(void *self, void **snapshot)
{
    (void)self;
    free(*snapshot);
    *snapshot = NULL;
}

static const char *said(const void *self)
{
    (void)self;
    return "I do not feel like it";
}

static const ms_own_stepper stepper = {.kind = "a made-up stepper",
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
                                       .said = said};

/* What a stepper shows of a subsystem. */
static void wrap(support_stepping *of, int i, ms_structure *s)
{
    const ms_subsystem *sub = &of->inner->sub[i];
    wrapped *data = ms_structure_alloc(s, 1, sizeof *data);
    bool *feeds = ms_structure_alloc(s, (size_t)(sub->ny * sub->nu) + 1, sizeof *feeds);
    assert_non_null(data);
    assert_non_null(feeds);
    *data = (wrapped){of, i};
    for (int k = 0; k < sub->ny * sub->nu; k++)
        feeds[k] = ms_subsystem_feeds_through(of->inner, i, k / sub->nu, k % sub->nu);
    s->subsystems[i] = (ms_subsystem){.name = sub->name,
                                      .nx = sub->nx,
                                      .nu = sub->nu,
                                      .ny = sub->ny,
                                      .x = sub->x,
                                      .u = sub->u,
                                      .y = sub->y,
                                      .feed_through = feeds,
                                      .stepper = &stepper,
                                      .data = data};
}

/* Parameters stand in the inner system: those of the model are their values there. */
static int build(const double *p, ms_structure *s, ms_error *error)
{
    (void)p, (void)error;
    support_stepping *of = (support_stepping *)s->model->data;
    const ms_system *inner = of->inner;
    support_build_like(inner, s);
    for (int i = 0; i < inner->n; i++)
        if (of->only < 0 || of->only == i)
            wrap(of, i, s);
        else
            s->subsystems[i] = inner->sub[i];
    return MS_OK;
}

ms_system *support_stepping_system(support_stepping *stepping)
{
    ms_model *model = calloc(1, sizeof *model);
    ms_system *system = NULL;
    ms_error error = {""};
    assert_non_null(model);
    *model = *stepping->inner->model;
    model->build = build;
    model->data = stepping;
    if (ms_system_create(model, stepping->inner->case_name, NULL, 0, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    system->model = system->structure.model = stepping->inner->model; /* nobody builds it again */
    free(model);
    return system;
}
