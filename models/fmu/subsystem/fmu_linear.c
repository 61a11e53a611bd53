/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_linear.c - small deviations of an FMU for co-simulation from its start, as a subsystem that is nothing but its states: those of
 * the FMU; its outputs, where they are those of its last step; and its output derivatives. Steps are products with the matrix that
 * experiments with the FMU have given (fmu_response.h). */
#include <stdlib.h>
#include <string.h>

#include "fmu_response.h"

/* ms_subsystem.data */
typedef struct deviations {
    const ms_fmu_stepped *of;
    int n;            /* states */
    bool remembers;   /* outputs are those of the last step */
    int row_of_order; /* the state that the first output derivative is */
} deviations;

typedef struct worker {
    const deviations *of;
    int nu;
    double tolerance;
    ms_fmu_response *response;
    double *x, *next; /* (n) */
} worker;

static void capabilities(const ms_subsystem *sub, ms_capabilities *can)
{
    *can = ((const deviations *)sub->data)->of->can;
}

static int create(const ms_stepper_setup *setup, void **component, ms_error *error)
{
    const deviations *of = setup->sub->data;
    worker *w = calloc(1, sizeof *w + 2 * sizeof *w->x * (size_t)(of->n + 1));
    *component = w;
    MS_TRY_MEMORY_FOR(w != NULL, error, "subsystem %s", setup->sub->name);
    *w = (worker){.of = of, .nu = setup->sub->nu, .tolerance = setup->tolerance};
    w->x = (double *)(void *)(w + 1);
    w->next = w->x + of->n;
    return MS_OK;
}

static void destroy(void **component)
{
    worker *w = *component;
    if (w != NULL)
        ms_fmu_response_destroy(&w->response);
    free(w);
    *component = NULL;
}

static int start(void *self, double t)
{
    worker *w = self;
    memset(w->x, 0, sizeof *w->x * (size_t)w->of->n);
    if (w->response == NULL)
        w->response = ms_fmu_response_create(w->of->of, w->nu, t, w->tolerance);
    return w->response != NULL && ms_fmu_response_outputs(w->response) != NULL
               ? MS_OK
               : ms_fmu_response_status(w->response);
}

static int states(void *self, double *x)
{
    const worker *w = self;
    memcpy(x, w->x, sizeof *x * (size_t)w->of->n);
    return MS_OK;
}

static int set_states(void *self, const double *x)
{
    worker *w = self;
    memcpy(w->x, x, sizeof *x * (size_t)w->of->n);
    return MS_OK;
}

/* += M v of rows (n) whose entries are `apart` from one row to the next. */
static void add(int rows, int n, const double *M, int apart, const double *v, double *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            to[i] += M[i * apart + j] * v[j];
}

static int outputs(void *self, const double *u, double *y)
{
    worker *w = self;
    const int nx = w->of->of->at->nx, ny = w->of->of->at->ny, n = nx + w->nu;
    if (w->of->remembers) {
        memcpy(y, w->x + nx, sizeof *y * (size_t)ny);
        return MS_OK;
    }
    const double *CD = ms_fmu_response_outputs(w->response);
    if (CD == NULL)
        return MS_SOLVER_FAILED;
    memset(y, 0, sizeof *y * (size_t)ny);
    add(ny, nx, CD, n, w->x, y);
    add(ny, w->nu, CD + nx, n, u, y);
    return MS_OK;
}

static int feed_through(void *self, const double *u, double *D)
{
    worker *w = self;
    const int nx = w->of->of->at->nx, n = nx + w->nu;
    const double *CD = ms_fmu_response_outputs(w->response);
    (void)u;
    for (int j = 0; CD != NULL && j < w->of->of->at->ny; j++)
        memcpy(D + j * w->nu, CD + j * n + nx, sizeof *D * (size_t)w->nu);
    return CD != NULL ? MS_OK : MS_SOLVER_FAILED;
}

static int output_derivatives(void *self, int order, double *dy)
{
    const worker *w = self;
    const int ny = w->of->of->at->ny;
    memcpy(dy, w->x + w->of->row_of_order + (order - 1) * ny, sizeof *dy * (size_t)ny);
    return MS_OK;
}

/* Rows of the response are its states, except for outputs that it does not store. */
static int step(void *self, const ms_stepper_step *of)
{
    worker *w = self;
    const int nx = w->of->of->at->nx, skipped = w->of->remembers ? 0 : w->of->of->at->ny;
    const int degree = w->nu > 0 ? of->degree : 0, inputs = (degree + 1) * w->nu, n = nx + inputs;
    const double *M = ms_fmu_response_step(w->response, of->h, degree);
    if (M == NULL)
        return ms_fmu_response_status(w->response);
    memset(w->next, 0, sizeof *w->next * (size_t)w->of->n);
    const double *behind = M + (nx + skipped) * n;
    add(nx, nx, M, n, w->x, w->next);
    add(nx, inputs, M + nx, n, of->c, w->next);
    add(w->of->n - nx, nx, behind, n, w->x, w->next + nx);
    add(w->of->n - nx, inputs, behind + nx, n, of->c, w->next + nx);
    memcpy(w->x, w->next, sizeof *w->x * (size_t)w->of->n);
    return MS_OK;
}

static const char *said(const void *self)
{
    const worker *w = self;
    return w->response != NULL ? ms_fmu_response_said(w->response) : "not enough memory";
}

static const ms_own_stepper stepper = {.kind = "an FMU for co-simulation",
                                       .capabilities = capabilities,
                                       .create = create,
                                       .destroy = destroy,
                                       .start = start,
                                       .outputs = outputs,
                                       .states = states,
                                       .step = step,
                                       .output_derivatives = output_derivatives,
                                       .feed_through = feed_through,
                                       .set_states = set_states,
                                       .said = said};

/* The subsystem ------------------------------------------------------------------------------------------ */

/* All states have to be such that they can be read. */
static int check(const ms_fmu_stepped *of, ms_error *error)
{
    const ms_fmu_description *d = ms_fmu_describe(of->fmu);
    int n = 0;
    for (int k = 0; k < d->n_derivatives; k++)
        n += d->variables[d->derivatives[k].variable].size;
    if (of->at->nx == n)
        return MS_OK;
    return ms_fail(error, MS_UNSUPPORTED,
                   "subsystem %s, an FMU for co-simulation, has a propagation matrix only if its states are "
                   "reals that its derivatives name; some are not",
                   of->name);
}

/* Names of its states: the FMU's, "last NAME", "NAME'". */
static ms_variable *name_states(const ms_fmu_stepped *of, const ms_subsystem *sub, const deviations *d,
                                ms_structure *structure)
{
    ms_variable *x = ms_structure_alloc(structure, (size_t)d->n + 1, sizeof *x);
    for (int k = 0; k < d->n && x != NULL; k++) {
        if (k < sub->nx) {
            x[k] = sub->x[k];
            continue;
        }
        const int form = (k - sub->nx) / of->at->ny + (d->remembers ? 0 : 1);
        const char *output = sub->y[(k - sub->nx) % of->at->ny].name;
        const char *name = form == 0   ? ms_structure_name(structure, "last %s", output)
                           : form == 1 ? ms_structure_name(structure, "%s'", output)
                                       : ms_structure_name(structure, "%s''", output);
        if (name == NULL)
            return NULL;
        x[k] = (ms_variable){name, "1"};
    }
    return x;
}

int ms_fmu_linearise(const ms_subsystem *sub, ms_structure *structure, ms_subsystem *linear, ms_error *error)
{
    const ms_fmu_stepped *of = sub->data;
    const int ny = of->at->ny, status = check(of, error);
    deviations *d = status == MS_OK ? ms_structure_alloc(structure, 1, sizeof *d) : NULL;
    if (d == NULL)
        return status == MS_OK ? MS_NO_MEMORY : status;
    *d = (deviations){.of = of, .remembers = !of->can.reevaluate_outputs};
    d->row_of_order = sub->nx + (d->remembers ? ny : 0);
    d->n = d->row_of_order + of->can.output_derivatives * ny;
    *linear = (ms_subsystem){.name = sub->name,
                             .nx = d->n,
                             .nu = sub->nu,
                             .ny = ny,
                             .x = name_states(of, sub, d, structure),
                             .u = sub->u,
                             .y = sub->y,
                             .feed_through = sub->feed_through,
                             .stepper = &stepper,
                             .data = d};
    return linear->x != NULL ? MS_OK : MS_NO_MEMORY;
}
