/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stepped_binaries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input.h"

/* What a subsystem knows: ms_subsystem.data. */
typedef struct wrapped {
    support_binaries *of;
    int index;
} wrapped;

/* A component of a binary. */
typedef struct stepped {
    binary b;
    const ms_subsystem *inner;
    bool initialising;
} stepped;

/* What the built-in subsystem can do, as far as FMI carries it. */
static void capabilities(const ms_subsystem *sub, ms_capabilities *can)
{
    const wrapped *w = sub->data;
    const ms_subsystem *inner = &w->of->inner->sub[w->index];
    const ms_fmu_description *d = w->of->b[w->index].description;
    const ms_fmu_flags *flags = &d->flags[MS_FMU_CO_SIMULATION];
    const int degree = d->fmi == 2 ? BINARY_DEGREE : 2;
    *can = (ms_capabilities){.rollback = flags->get_and_set_state,
                             .input_degree =
                                 inner->input_limit == MS_INPUTS_ANY ? degree : (int)inner->input_limit - 1,
                             .output_derivatives = flags->max_output_derivative,
                             .directional_derivatives = flags->directional_derivatives && !inner->uses_du,
                             .reevaluate_outputs = true,
                             .step = flags->variable_step ? 0.0 : d->step_size};
}

static int create(const ms_stepper_setup *setup, void **out, ms_error *error)
{
    const wrapped *w = setup->sub->data;
    stepped *s = calloc(1, sizeof *s);
    (void)error;
    assert_non_null(s);
    s->b = w->of->b[w->index];
    s->inner = &w->of->inner->sub[w->index];
    *out = s;
    return MS_OK;
}

static void destroy(void **out)
{
    stepped *s = *out;
    if (s != NULL)
        support_binary_free(&s->b);
    free(s);
    *out = NULL;
}

static int fails(int status)
{
    return status == 0 ? MS_OK : MS_SOLVER_FAILED;
}

static int start(void *self, double t)
{
    stepped *s = self;
    support_binary_free(&s->b);
    assert_true(support_binary_instantiate(&s->b, NULL, false));
    s->initialising = true;
    return fails(support_binary_enter(&s->b, t));
}

static int leave(stepped *s)
{
    const int status = s->initialising ? support_binary_exit(&s->b) : 0;
    s->initialising = false;
    return status;
}

static int outputs(void *self, const double *u, double *y)
{
    stepped *s = self;
    unsigned out[BINARY_INPUTS];
    const int ny = support_binary_outputs(&s->b, out);
    const int status = support_binary_set(&s->b, s->b.n, s->b.reference, u);
    return fails(status == 0 ? support_binary_get(&s->b, ny, out, y) : status);
}

static int states(void *self, double *x)
{
    stepped *s = self;
    unsigned first = 1 + (unsigned)(s->inner->nu + s->inner->ny); /* behind time, inputs and outputs */
    int status = 0;
    for (int k = 0; k < s->inner->nx && status == 0; k++) {
        const unsigned reference = first + (unsigned)k;
        status = support_binary_get(&s->b, 1, &reference, &x[k]);
    }
    return fails(status);
}

static int step(void *self, const ms_stepper_step *step)
{
    stepped *s = self;
    double derivative[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}}, factorial = 1.0;
    for (int k = 0; k <= step->degree; k++) {
        factorial *= k > 0 ? k : 1;
        for (int i = 0; i < step->nu; i++)
            derivative[k][i] = factorial * step->c[k * step->nu + i];
    }
    if (leave(s) != 0 || support_binary_feed(&s->b, step->t, step->degree, derivative) != 0)
        return MS_SOLVER_FAILED;
    return fails(support_binary_step(&s->b, step->t, step->h));
}

static int output_derivatives(void *self, int order, double *dy)
{
    stepped *s = self;
    unsigned out[BINARY_INPUTS];
    const int ny = support_binary_outputs(&s->b, out);
    return fails(support_binary_output_derivatives(&s->b, ny, out, order, dy));
}

static int feed_through(void *self, const double *u, double *D)
{
    stepped *s = self;
    unsigned out[BINARY_INPUTS];
    double column[BINARY_INPUTS];
    const int ny = support_binary_outputs(&s->b, out), nu = s->b.n;
    int status = support_binary_set(&s->b, nu, s->b.reference, u);
    for (int k = 0; k < nu && status == 0; k++) {
        status = support_binary_directional(&s->b, ny, out, 1, &s->b.reference[k], &(double){1.0}, column);
        for (int j = 0; j < ny; j++)
            D[j * nu + k] = column[j];
    }
    return fails(status);
}

static int save(void *self, void **snapshot)
{
    stepped *s = self;
    return fails(leave(s) == 0 ? support_binary_save(&s->b, snapshot) : 3);
}

static int restore(void *self, void *snapshot)
{
    return fails(support_binary_restore(&((stepped *)self)->b, snapshot));
}

static void release(void *self, void **snapshot)
{
    support_binary_forget(&((stepped *)self)->b, snapshot);
}

static const char *said(const void *self)
{
    return ((const stepped *)self)->b.said;
}

static const ms_own_stepper stepper = {.kind = "an exported FMU",
                                       .capabilities = capabilities,
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

/* The system --------------------------------------------------------------------------------------------- */

void support_binaries_open(support_binaries *binaries, const ms_fmu_export *what)
{
    const ms_system *inner = what->system;
    *binaries = (support_binaries){inner, calloc((size_t)inner->n, sizeof(binary))};
    assert_non_null(binaries->b);
    for (int i = 0; i < inner->n; i++) {
        ms_fmu_export one = *what;
        one.subsystem = inner->sub[i].name;
        support_binary_open(&binaries->b[i], &one);
    }
}

void support_binaries_close(support_binaries *binaries)
{
    for (int i = 0; i < binaries->inner->n; i++)
        support_binary_close(&binaries->b[i]);
    free(binaries->b);
}

static void wrap(support_binaries *of, int i, ms_structure *s)
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
                                      .u0 = sub->u0,
                                      .feed_through = feeds,
                                      .imposed_step = sub->imposed_step,
                                      .stepper = &stepper,
                                      .data = data};
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    (void)p, (void)error;
    support_binaries *of = (support_binaries *)s->model->data;
    const ms_system *inner = of->inner;
    s->n_subsystems = inner->n;
    s->n_wires = inner->structure.n_wires;
    s->subsystems = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *s->subsystems);
    s->wires = ms_structure_alloc(s, (size_t)s->n_wires + 1, sizeof *s->wires);
    assert_non_null(s->subsystems);
    assert_non_null(s->wires);
    if (s->n_wires > 0)
        memcpy(s->wires, inner->structure.wires, sizeof *s->wires * (size_t)s->n_wires);
    for (int i = 0; i < inner->n; i++)
        wrap(of, i, s);
    return MS_OK;
}

ms_system *support_binaries_system(support_binaries *binaries)
{
    ms_model *model = calloc(1, sizeof *model);
    ms_system *system = NULL;
    ms_error error = {""};
    assert_non_null(model);
    *model = *binaries->inner->model;
    model->build = build;
    model->data = binaries;
    if (ms_system_create(model, binaries->inner->case_name, NULL, 0, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    system->model = system->structure.model = binaries->inner->model; /* nobody builds it again */
    free(model);
    return system;
}
