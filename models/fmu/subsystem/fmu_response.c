/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_response.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fit.h"

/* The allowed deviation from linearity, and the accuracy at which the search for a better scale ends. */
static const double LINEAR = 1e-3, EXACT = 1e-9;

typedef struct map {
    struct map *next;
    double h;
    int degree;
    double matrix[];
} map;

struct ms_fmu_response {
    const ms_fmu_stepped *of;
    ms_fmu_stepping s;
    int nx, nu, ny, rows;
    double t, tolerance;
    double *scale;            /* (nx + nu): size of deviations */
    double *x0;               /* (nx) */
    double *x, *c;            /* (nx), ((MS_FMU_ORDERS + 1) x all inputs): as they are told */
    double *seen, *x1;        /* (nx): as they are then; behind a step */
    double *v;                /* ((MS_FMU_ORDERS + 1) nu + nx) */
    double *base, *out, *sum; /* (rows) each */
    double *outputs;          /* (ny x (nx + nu)) */
    double *memory;
    bool settable; /* its states, at the start */
    bool started, has_outputs, no_memory;
    map *first;
    char said[256];
};

static bool fails(ms_fmu_response *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fails(ms_fmu_response *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->said, sizeof r->said, format, arguments);
    va_end(arguments);
    return false;
}

const char *ms_fmu_response_said(const ms_fmu_response *response)
{
    return response->said;
}

int ms_fmu_response_status(const ms_fmu_response *response)
{
    return response == NULL || response->no_memory ? MS_NO_MEMORY : MS_SOLVER_FAILED;
}

/* Experiments -------------------------------------------------------------------------------------------- */

/* What a variable has of a value that it is given. */
static double as_told(const ms_fmu_response *r, int variable, double value)
{
    return ms_fmu_describe(r->of->fmu)->variables[variable].type == MS_FMU_FLOAT32 ? (double)(float)value
                                                                                   : value;
}

/* Inputs of a step: their start values and, where v is not NULL, its deviations. */
static void tell_inputs(ms_fmu_response *r, const double *v, int degree)
{
    const int all = r->of->at->nu;
    memset(r->c, 0, sizeof *r->c * (size_t)((MS_FMU_ORDERS + 1) * all));
    memcpy(r->c, r->of->u0, sizeof *r->c * (size_t)all);
    for (int k = 0; k <= degree && v != NULL; k++)
        for (int i = 0; i < r->nu; i++)
            r->c[k * all + i] += v[r->nx + k * r->nu + i];
}

/* A component whose states start off theirs by v (nx), and that has been initialised with the inputs in r->c. */
static bool begin(ms_fmu_response *r, const double *v)
{
    const ms_fmu_places *at = r->of->at;
    ms_error error = {""};
    for (int i = 0; i < r->nx; i++)
        r->x[i] = as_told(r, at->x_of[i], r->x0[i] + v[i]);
    const int status = ms_fmu_stepped_create(r->of, r->t, r->tolerance, &r->s, &error);
    r->no_memory = r->no_memory || status == MS_NO_MEMORY;
    if (status != MS_OK)
        return fails(r, "%.250s", error.text);
    if ((r->started && r->settable && ms_fmu_write(r->s.component, &at->x, r->x) != MS_OK) ||
        ms_fmu_component_initialise(r->s.component, &at->u, r->c) != MS_OK)
        return fails(r, "it does not start with other states: %.200s", ms_fmu_component_said(r->s.component));
    if (ms_fmu_read(r->s.component, &at->x, r->started ? r->seen : r->x0) != MS_OK)
        return fails(r, "its states cannot be read: %.200s", ms_fmu_component_said(r->s.component));
    for (int i = 0; i < r->nx && r->started && r->settable; i++)
        if (!(fabs(r->seen[i] - r->x[i]) <= 1e-9 * r->scale[i]))
            return fails(r, "its state %.150s does not start where it is set, but at %.6g",
                         ms_fmu_describe(r->of->fmu)->variables[at->x_of[i]].name, r->seen[i]);
    return true;
}

static bool is_real(const ms_fmu_response *r, int variable)
{
    return ms_fmu_type_is_real(ms_fmu_describe(r->of->fmu)->variables[variable].type);
}

/* What there is at the end (rows). */
static bool look(ms_fmu_response *r, bool stepped, double *out)
{
    const ms_fmu_places *at = r->of->at;
    int status = ms_fmu_read(r->s.component, &at->x, out);
    out += r->nx;
    MS_THEN(status, ms_fmu_read(r->s.component, &at->y, out));
    for (int j = 0; j < r->ny && status == MS_OK; j++) /* values that jump have no deviations */
        out[j] = is_real(r, at->y_of[j]) ? out[j] : 0.0;
    for (int order = 1; order <= r->of->can.output_derivatives && stepped && status == MS_OK; order++)
        status = ms_fmu_stepping_derivatives(&r->s, order, out + order * r->ny);
    return status == MS_OK || fails(r, "it gives no values: %.200s", ms_fmu_component_said(r->s.component));
}

/* The first step has the deviations v, the others none. */
static bool run(ms_fmu_response *r, const double *v, double h, int degree, int steps, double *out)
{
    tell_inputs(r, v, degree);
    bool done = begin(r, v);
    for (int k = 0; k < steps && done; k++) {
        const ms_stepper_step step = {r->t + k * h, h, r->of->at->nu, degree, r->c};
        if (k > 0)
            tell_inputs(r, NULL, 0);
        done = ms_fmu_stepping_step(&r->s, &step) == MS_OK ||
               fails(r, "a step of %.6g s is not done: %.200s", h, ms_fmu_component_said(r->s.component));
    }
    done = done && look(r, steps > 0, out);
    ms_fmu_component_destroy(&r->s.component);
    return done;
}

/* Its start, and the sizes of deviations. */
static bool start(ms_fmu_response *r)
{
    const ms_fmu_description *d = ms_fmu_describe(r->of->fmu);
    if (r->started)
        return true;
    memset(r->v, 0, sizeof *r->v * (size_t)r->nx);
    if (!run(r, r->v, 0.0, 0, 0, r->base))
        return false;
    for (int j = 0; j < r->nx + r->nu; j++) {
        const bool state = j < r->nx;
        const double nominal = d->variables[state ? r->of->at->x_of[j] : d->inputs[j - r->nx]].nominal;
        r->scale[j] = fmax(nominal > 0.0 ? nominal : 1.0, fabs(state ? r->x0[j] : r->of->u0[j - r->nx]));
    }
    return r->started = true;
}

/* Maps --------------------------------------------------------------------------------------------------- */

static int columns(const ms_fmu_response *r, int degree)
{
    return r->nx + (degree + 1) * r->nu;
}

/* The deviation of column j; 0: inputs that are held have no slopes, and whole numbers stay. */
static double size_of(const ms_fmu_response *r, double h, int j)
{
    const int k = j < r->nx ? 0 : (j - r->nx) / r->nu, i = j < r->nx ? j : r->nx + (j - r->nx) % r->nu;
    const int input = i - r->nx;
    const bool stays = input >= r->of->at->n_continuous &&
                       (k > 0 || !is_real(r, ms_fmu_describe(r->of->fmu)->inputs[input]));
    return stays ? 0.0 : r->scale[i] / pow(h, k);
}

/* What is told of that deviation of column j. */
static double told_size(const ms_fmu_response *r, int j, double size)
{
    const ms_fmu_description *d = ms_fmu_describe(r->of->fmu);
    if (j < r->nx)
        return as_told(r, r->of->at->x_of[j], r->x0[j] + size) - r->x0[j];
    if (j >= r->nx + r->nu)
        return size;
    const double start = r->of->u0[j - r->nx];
    return as_told(r, d->inputs[j - r->nx], start + size) - as_told(r, d->inputs[j - r->nx], start);
}

/* Column by column, with deviations of that part of their size. steps: 0 or 1. */
static bool fill(ms_fmu_response *r, double part, double h, int degree, int steps, double *matrix)
{
    const int n = columns(r, degree);
    memset(r->v, 0, sizeof *r->v * (size_t)n);
    bool done = run(r, r->v, h, degree, steps, r->base);
    for (int j = 0; j < n && done; j++) {
        const double size = told_size(r, j, part * size_of(r, h, j));
        r->v[j] = size;
        done = size == 0.0 || run(r, r->v, h, degree, steps, r->out);
        r->v[j] = 0.0;
        for (int i = 0; i < r->rows && done; i++)
            matrix[i * n + j] = size == 0.0 ? 0.0 : (r->out[i] - r->base[i]) / size;
    }
    return done;
}

/* What a second step does, against one of a component that starts where the first has ended, relative to the same terms. */
static double memory(ms_fmu_response *r, double h, int degree, const double *terms)
{
    memcpy(r->x1, r->out, sizeof *r->x1 * (size_t)r->nx);
    if (!run(r, r->v, h, degree, 2, r->base))
        return INFINITY;
    memset(r->v, 0, sizeof *r->v * (size_t)columns(r, degree));
    for (int i = 0; i < r->nx; i++)
        r->v[i] = r->x1[i] - r->x0[i];
    r->t += h;
    const bool done = run(r, r->v, h, degree, 1, r->out);
    r->t -= h;
    memset(r->sum, 0, sizeof *r->sum * (size_t)r->rows);
    return done ? ms_fmu_distance(r->rows, r->out, r->base, r->sum, terms) : INFINITY;
}

/* All deviations at once, in one step and in two. INFINITY: it cannot be tried. */
static double deviation(ms_fmu_response *r, double part, const map *m, double *terms)
{
    const int n = columns(r, m->degree);
    for (int j = 0; j < n; j++)
        r->v[j] = (j % 2 == 0 ? 0.618 : -0.618) * part * size_of(r, m->h, j) / (1 + j);
    ms_fmu_promise(r->rows, n, m->matrix, r->v, r->sum, terms);
    if (!run(r, r->v, m->h, m->degree, 1, r->out))
        return INFINITY;
    const double linear = ms_fmu_distance(r->rows, r->out, r->base, r->sum, terms);
    return fmax(linear, memory(r, m->h, m->degree, terms));
}

static bool is_not_linear(ms_fmu_response *r, double h, double off)
{
    return fails(
        r,
        "a step of %.6g s is not a linear map of the states that ModelStructure lists and of inputs: the "
        "effect of several deviations at once, or of further steps, differs by %.2g of it",
        h, off);
}

/* Of deviations of several sizes the first ones that are exact, else the best. */
static bool find(ms_fmu_response *r, map *m, double *terms)
{
    enum { PARTS = 3 };
    const double parts[PARTS] = {1.0, r->of->single ? 0.03 : 1e-3, r->of->single ? 1e-3 : 1e-6};
    double best = INFINITY, off[PARTS] = {INFINITY, INFINITY, INFINITY};
    int chosen = 0;
    r->said[0] = '\0';
    for (int k = 0; k < PARTS && best > EXACT; k++) {
        if (fill(r, parts[k], m->h, m->degree, 1, m->matrix))
            off[k] = deviation(r, parts[k], m, terms);
        if (r->no_memory) /* a refusal says nothing about this part */
            return false;
        if (off[k] < best) {
            best = off[k];
            chosen = k;
        }
    }
    if (isinf(best) && r->said[0] != '\0')
        return false;
    if (!(best <= LINEAR))
        return is_not_linear(r, m->h, best);
    return best <= EXACT || fill(r, parts[chosen], m->h, m->degree, 1, m->matrix);
}

/* Maps from runs ----------------------------------------------------------------------------------------- */

/* Data at the beginning of the steps of a run, states and coefficients of inputs as deviations and a 1 (number x n), and at their
 * ends (number x rows). */
typedef struct record {
    int number, n;
    double *in, *out, *R, *M; /* R, M: room for a fit */
} record;

static bool make_record(ms_fmu_response *r, int degree, record *a)
{
    a->n = columns(r, degree) + 1;
    a->number = 8 * a->n + 40;
    const size_t n = (size_t)a->n, number = (size_t)a->number, rows = (size_t)r->rows;
    a->in = calloc(number * (n + rows) + n * n + rows * n, sizeof *a->in);
    if (a->in == NULL) {
        r->no_memory = true;
        (void)fails(r, "there is not enough memory for its propagation matrix");
        return false;
    }
    a->out = a->in + number * n;
    a->R = a->out + number * rows;
    a->M = a->R + n * n;
    return true;
}

/* A run from the start under inputs that differ from step to step. */
static bool fill_record(ms_fmu_response *r, double h, int degree, unsigned seed, const record *a)
{
    double *in = a->in, *out = a->out;
    memset(r->v, 0, sizeof *r->v * (size_t)(a->n - 1));
    tell_inputs(r, NULL, 0);
    bool done = begin(r, r->v) && look(r, false, r->out);
    for (int k = 0; k < a->number && done; k++, in += a->n, out += r->rows) {
        for (int j = 0; j < a->n - 1; j++) {
            seed = seed * 1664525U + 1013904223U;
            in[j] = j < r->nx ? r->out[j] - r->x0[j] : (seed / 2147483648.0 - 1.0) * size_of(r, h, j);
        }
        in[a->n - 1] = 1.0;
        const ms_stepper_step step = {r->t + k * h, h, r->of->at->nu, degree, r->c};
        tell_inputs(r, in, degree);
        done = ms_fmu_stepping_step(&r->s, &step) == MS_OK ||
               fails(r, "a step of %.6g s is not done: %.200s", h, ms_fmu_component_said(r->s.component));
        done = done && look(r, true, r->out);
        memcpy(out, r->out, sizeof *out * (size_t)r->rows);
    }
    ms_fmu_component_destroy(&r->s.component);
    return done;
}

/* The map of steps, or of outputs at their ends, by its columns but that of the 1. */
static bool fit(ms_fmu_response *r, const record *a, int rows, const double *out, double *matrix)
{
    const int lacking = ms_fmu_fit(a->number, a->n, r->nx, a->in, rows, out, a->R, a->M);
    if (lacking >= 0 && lacking < r->nx)
        return fails(r,
                     "its state %.100s cannot be set at the start (initial exact or approx), and inputs do "
                     "not reach it",
                     ms_fmu_describe(r->of->fmu)->variables[r->of->at->x_of[lacking]].name);
    if (lacking >= 0)
        return fails(
            r,
            "its states cannot be set at the start (initial exact or approx), and are no more than inputs");
    for (int i = 0; i < rows; i++)
        memcpy(matrix + i * (a->n - 1), a->M + i * a->n, sizeof *matrix * (size_t)(a->n - 1));
    return true;
}

/* Deviation of the steps of another run from the fit, relative to their terms. */
static double misfit(ms_fmu_response *r, const record *a, double *terms)
{
    double worst = 0.0;
    memset(r->base, 0, sizeof *r->base * (size_t)r->rows);
    for (int k = 0; k < a->number; k++) {
        memcpy(r->out, a->out + k * r->rows, sizeof *r->out * (size_t)r->rows);
        ms_fmu_promise(r->rows, a->n, a->M, a->in + k * a->n, r->sum, terms);
        for (int i = 0; i < r->rows; i++) /* but of the 1 */
            terms[i] -= fabs(a->M[i * a->n + a->n - 1]);
        worst = fmax(worst, ms_fmu_distance(r->rows, r->out, r->base, r->sum, terms));
    }
    return worst;
}

/* States cannot be set: the map is that which runs under many inputs have in common, and another run shows whether it is one. */
static bool identify(ms_fmu_response *r, const map *m, double *matrix, double *terms)
{
    record a = {0};
    bool done = make_record(r, m->degree, &a) && fill_record(r, m->h, m->degree, 1U, &a) &&
                fit(r, &a, r->rows, a.out, matrix) && fill_record(r, m->h, m->degree, 2U, &a);
    const double off = done ? misfit(r, &a, terms) : 0.0;
    free(a.in);
    return done && (off <= LINEAR || is_not_linear(r, m->h, off));
}

/* Outputs at the ends of steps in which inputs are held, from states and inputs there. */
static bool identify_outputs(ms_fmu_response *r)
{
    record a = {0};
    const double declared = ms_fmu_describe(r->of->fmu)->step_size, h = r->of->can.step > 0.0
                                                                            ? r->of->can.step
                                                                        : declared > 0.0 ? declared
                                                                                         : 0.01;
    bool done = make_record(r, 0, &a) && fill_record(r, h, 0, 1U, &a);
    for (int k = 0; k < a.number && done; k++) {
        const double *end = a.out + k * r->rows;
        for (int i = 0; i < r->nx; i++)
            a.in[k * a.n + i] = end[i] - r->x0[i];
        memmove(a.out + k * r->ny, end + r->nx, sizeof *end * (size_t)r->ny);
    }
    done = done && fit(r, &a, r->ny, a.out, r->outputs);
    free(a.in);
    return done;
}

/* Output derivatives minus the part D u' of slopes at the end of the step, which the engine adds with the actual slopes. */
static bool take_slopes_away(ms_fmu_response *r, map *m)
{
    const int n = columns(r, m->degree), nd = r->nx + r->nu;
    const double *outputs = r->of->can.output_derivatives > 0 ? ms_fmu_response_outputs(r) : NULL;
    if (outputs == NULL)
        return r->of->can.output_derivatives == 0;
    for (int j = 0; j < r->ny; j++)
        for (int k = 1; k <= m->degree; k++)
            for (int i = 0; i < r->nu; i++)
                m->matrix[(r->nx + r->ny + j) * n + r->nx + k * r->nu + i] -=
                    outputs[j * nd + r->nx + i] * k * pow(m->h, k - 1);
    return true;
}

const double *ms_fmu_response_step(ms_fmu_response *response, double h, int degree)
{
    ms_fmu_response *r = response;
    for (const map *m = r->first; m != NULL; m = m->next)
        if (m->h == h && m->degree == degree)
            return m->matrix;
    const size_t size = (size_t)r->rows * (size_t)columns(r, degree);
    map *m = start(r) ? calloc(1, sizeof *m + (size + (size_t)r->rows + 1) * sizeof *m->matrix) : NULL;
    if (m == NULL) {
        r->no_memory = r->no_memory || r->started;
        if (r->started)
            fails(r, "there is not enough memory for its propagation matrix");
        return NULL;
    }
    m->h = h;
    m->degree = degree;
    double *terms = m->matrix + size;
    if (!(r->settable ? find(r, m, terms) : identify(r, m, m->matrix, terms)) || !take_slopes_away(r, m)) {
        free(m);
        return NULL;
    }
    m->next = r->first;
    r->first = m;
    return m->matrix;
}

/* From small deviations where large ones say something else: no solver is between states and outputs, whose tolerance would hide them. */
const double *ms_fmu_response_outputs(ms_fmu_response *response)
{
    ms_fmu_response *r = response;
    const size_t n = (size_t)columns(r, 0), size = (size_t)r->rows * n, first = (size_t)r->nx * n;
    if (!r->has_outputs && !r->settable)
        r->has_outputs = start(r) && identify_outputs(r);
    if (r->has_outputs || !r->settable)
        return r->has_outputs ? r->outputs : NULL;
    double *large = start(r) ? calloc(2 * size + 1, sizeof *large) : NULL;
    r->no_memory = r->no_memory || (r->started && large == NULL);
    r->has_outputs =
        large != NULL && fill(r, 1.0, 1.0, 0, 0, large) && fill(r, 1e-4, 1.0, 0, 0, large + size);
    for (size_t k = 0; k < (size_t)r->ny * n && r->has_outputs; k++) {
        const double by_large = large[first + k], by_small = large[size + first + k];
        r->outputs[k] = fabs(by_large - by_small) <= 1e-6 * fabs(by_large) ? by_large : by_small;
    }
    free(large);
    return r->has_outputs ? r->outputs : NULL;
}

/* Life --------------------------------------------------------------------------------------------------- */

ms_fmu_response *ms_fmu_response_create(const ms_fmu_stepped *of, int nu, double t, double tolerance)
{
    const ms_fmu_places *at = of->at;
    const size_t nx = (size_t)at->nx, ny = (size_t)at->ny, all = (size_t)at->nu, n = nx + (size_t)nu,
                 rows = nx + ny + (size_t)of->can.output_derivatives * ny, orders = MS_FMU_ORDERS + 1;
    ms_fmu_response *r = calloc(1, sizeof *r);
    double *next = calloc(n + 5 * nx + 3 * orders * all + 3 * rows + ny * n + ny + 1, sizeof *next);
    if (r == NULL || next == NULL) {
        MS_FREE(r, next);
        return NULL;
    }
    *r = (ms_fmu_response){.of = of,
                           .nx = at->nx,
                           .nu = nu,
                           .ny = at->ny,
                           .rows = (int)rows,
                           .t = t,
                           .tolerance = tolerance,
                           .memory = next};
    double **const parts[] = {&r->scale, &r->x0,   &r->x,   &r->seen, &r->x1,     &r->c,
                              &r->v,     &r->base, &r->out, &r->sum,  &r->outputs};
    const size_t sizes[] = {n,    nx,   nx,   nx,    nx, orders * all, nx + orders * (size_t)nu,
                            rows, rows, rows, ny * n};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *parts[k] = next;
        next += sizes[k];
    }
    ms_fmu_stepped_begin(of, next, &r->s);
    r->settable = true;
    for (int i = 0; i < at->nx; i++) {
        const ms_fmu_initial initial = ms_fmu_describe(of->fmu)->variables[at->x_of[i]].initial;
        r->settable = r->settable && (initial == MS_FMU_EXACT || initial == MS_FMU_APPROX);
    }
    return r;
}

void ms_fmu_response_destroy(ms_fmu_response **response)
{
    ms_fmu_response *r = *response;
    if (r == NULL)
        return;
    for (map *m = r->first, *next; m != NULL; m = next) {
        next = m->next;
        free(m);
    }
    ms_fmu_component_destroy(&r->s.component);
    MS_FREE(r->memory, r);
    *response = NULL;
}
