/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_step.c - creates and destroys an instance, and advances it by a macro-step. */
#include <macrostep/instance_step.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "instance_parts.h"
#include "micro_done.h"
#include "port_work.h"

/* Laws that hold in every macro-step: u_k = p_k + g y_j (input_law.h) ------------------------------------ */

/* A copy of the matrices, stored in one block of memory. */
static ms_blocks *copy_blocks(const ms_subsystem *sub, const ms_blocks *from)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    const size_t size[] = {nx * nx, nx * nu, ny * nx, ny * nu, nx * nw, ny * nw};
    const double *source[] = {from->A, from->B, from->C, from->D, from->E, from->F};
    ms_blocks *to = calloc(1, sizeof *to + sizeof(double) * ((nx + ny) * (nx + nu + nw) + 1));
    if (to == NULL)
        return NULL;
    double *next = (double *)(to + 1), *place[6];
    for (int k = 0; k < 6; next += size[k], k++) {
        place[k] = next;
        if (size[k] > 0)
            memcpy(next, source[k], sizeof(double) * size[k]);
    }
    *to = (ms_blocks){place[0], place[1], place[2], place[3], place[4], place[5]};
    return to;
}

/* to += gain (column `input` of `column`) (row), with `rows` rows and n columns. */
static void add_outer(int rows, int n, double gain, const double *column, int nu, const double *row,
                      double *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] += gain * column[i * nu] * row[j];
}

static void close_loop(const ms_subsystem *sub, const ms_blocks *m, const ms_input_law *law,
                       const ms_blocks *to)
{
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny, nw = sub->nw, j = law->output;
    const double *b = m->B + law->input, *d = m->D + law->input;
    const double g = law->feedback;
    add_outer(nx, nx, g, b, nu, m->C + j * nx, to->A);
    add_outer(nx, nu, g, b, nu, m->D + j * nu, to->B);
    add_outer(nx, nw, g, b, nu, m->F + j * nw, to->E);
    add_outer(ny, nx, g, d, nu, m->C + j * nx, to->C);
    add_outer(ny, nu, g, d, nu, m->D + j * nu, to->D);
    add_outer(ny, nw, g, d, nu, m->F + j * nw, to->F);
}

/* Gives the instance n laws. For a linear subsystem the matrices with the laws inserted are instance->closed: with b and d the
 * columns of B and D of u_k, and c, d_j, f the rows of C, D, F of y_j,
 *
 *     A + g b c,   B + g b d_j,   E + g b f,   C + g d c,   D + g d d_j,   F + g d f,
 *
 * summed over all laws. Returns MS_OK or MS_NO_MEMORY. */
static int create_feedback(ms_instance *instance, int n, const ms_input_law *laws)
{
    if (n == 0)
        return MS_OK;
    MS_TRY_MEMORY(ms_instance_allow_laws(instance) == MS_OK);
    memcpy(instance->law, laws, sizeof *laws * (size_t)n);
    instance->n_laws = n;
    if (instance->blocks == NULL)
        return MS_OK;
    instance->feedback = copy_blocks(instance->sub, instance->blocks);
    MS_TRY_MEMORY(instance->feedback);
    for (int k = 0; k < n; k++)
        close_loop(instance->sub, instance->blocks, &laws[k], instance->feedback);
    instance->closed = instance->feedback;
    return MS_OK;
}

int ms_instance_solve(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_solver *solver = instance->solver;
    const double rtol = options->rtol, atol = options->atol;
    if (solver->adaptive && !(rtol >= 0.0 && atol >= 0.0 && rtol + atol > 0.0))
        return ms_fail(error, MS_INVALID, "solver %s does not take rtol %.17g and atol %.17g", solver->name,
                       rtol, atol);
    instance->borrows = false;
    const int status = ms_solver_create(instance, options, error);
    return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for subsystem %s and solver %s",
                                            instance->sub->name, solver->name)
                                  : status;
}

/* The solver's data, shared with the lender if possible, or none. */
static int create_solver(ms_instance *instance, const ms_instance_parts *parts, ms_error *error)
{
    instance->borrows = parts->unsolved || (parts->lender != NULL && instance->solver->shares);
    if (!instance->borrows)
        return ms_instance_solve(instance, parts->options, error);
    instance->solver_data = parts->unsolved ? NULL : parts->lender->solver_data;
    return MS_OK;
}

/* The capabilities of a subsystem before masks. */
static ms_capabilities capabilities(const ms_instance_parts *parts)
{
    const ms_subsystem *sub = &parts->system->sub[parts->index];
    if (sub->stepper != NULL) {
        ms_capabilities own = {0};
        sub->stepper->capabilities(sub, &own);
        return own;
    }
    const bool limited = sub->input_limit != MS_INPUTS_ANY;
    ms_capabilities can = {.rollback = true,
                           .input_degree = limited ? (int)sub->input_limit - 1 : MS_INPUT_DEGREE,
                           .output_derivatives = ms_subsystem_has_rates(sub) ? 2 : 1,
                           .directional_derivatives = true,
                           .reevaluate_outputs = true,
                           .step = sub->imposed_step};
    if (sub->uses_du || sub->residual != NULL) /* y' would need u'', or x' */
        can.output_derivatives = 0;
    if (parts->solver->multistep && parts->options->input_change != MS_INPUT_RESTART)
        can.rollback = false;
    return can;
}

/* Number of doubles needed by evaluations. */
static size_t evaluation_size(const ms_subsystem *sub)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    return 2 * nu + 3 * nw + 3 * nx + ny + ms_instance_scratch_size(sub) + ms_instance_derivative_size(sub);
}

/* Scratch beginning at `at`, or the scratch of the lender (OPTIONAL). */
static void place_evaluation(ms_instance *i, const ms_subsystem *sub, double *at, const ms_instance *lender)
{
    i->u = lender != NULL ? lender->u : at;
    i->du = i->u + sub->nu;
    i->w = i->du + sub->nu;
    i->dx = i->w + 3 * (size_t)sub->nw;
    i->y = i->dx + 3 * (size_t)sub->nx;
    i->scratch = i->y + sub->ny;
}

/* An instance, followed by room for ends of pieces and states, and for coefficients and evaluations unless they are shared. */
static ms_instance *allocate(const ms_instance_parts *parts)
{
    const ms_subsystem *sub = &parts->system->sub[parts->index];
    const ms_input_room most = {MS_INPUT_PIECES, MS_INPUT_DEGREE};
    const ms_input input = {.n = sub->nu, .pieces = 1, .room = parts->room.pieces > 0 ? parts->room : most};
    const int n_integrals = parts->options->integrals ? sub->ny : 0;
    const size_t n_state = (size_t)(sub->nx + n_integrals),
                 starts = (size_t)input.room.pieces * (1 + n_state);
    const size_t state = n_integrals > 0 ? n_state : 0;
    const size_t coefficients = parts->coefficients == NULL ? (size_t)ms_input_size(&input) : 0;
    const size_t evaluation = parts->lender == NULL ? evaluation_size(sub) : 0;
    ms_instance *i = calloc(1, sizeof *i + sizeof(double) * (starts + state + coefficients + evaluation + 1));
    if (i == NULL)
        return NULL;
    i->n_integrals = n_integrals;
    i->n_state = (int)n_state;
    i->x_start = i->block + input.room.pieces;
    i->state = state > 0 ? i->block + starts : parts->x;
    i->input = input;
    i->input.end = i->block;
    i->input.c = coefficients > 0 ? i->block + starts + state : parts->coefficients;
    place_evaluation(i, sub, i->block + starts + state + coefficients, parts->lender);
    return i;
}

static int check_solver(const ms_instance_parts *parts, ms_error *error)
{
    const ms_subsystem *sub = &parts->system->sub[parts->index];
    const ms_solver *solver = parts->solver;
    if (sub->stepper != NULL && parts->options->integrals)
        return ms_fail(error, MS_UNSUPPORTED,
                       "integrals of outputs are required, but %s is %s, which gives none; use a scheme "
                       "without a balance correction",
                       sub->name, sub->stepper->kind);
    if (sub->stepper != NULL)
        return MS_OK;
    if (parts->options->input_change > MS_INPUT_PROCEED && !solver->corrects)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`input-change`: solver %s has no predictor that could be corrected; use cvode-bdf",
                       solver->name);
    if (solver->linear_only && sub->matrices == NULL && !(parts->unsolved && sub->nx == 0))
        return ms_fail(
            error, MS_UNSUPPORTED,
            "solver %s needs a linear subsystem, but %s is nonlinear; use cvode-bdf or another solver",
            solver->name, sub->name);
    if (sub->residual != NULL && !solver->residuals)
        return ms_fail(error, MS_UNSUPPORTED,
                       "solver %s needs x' = f, but %s is differential-algebraic; use ida", solver->name,
                       sub->name);
    return MS_OK;
}

int ms_instance_create(const ms_instance_parts *parts, ms_instance **instance, ms_error *error)
{
    const ms_system *system = parts->system;
    const ms_subsystem *sub = &system->sub[parts->index];
    *instance = NULL;
    MS_TRY(check_solver(parts, error));
    ms_instance *i = allocate(parts);
    MS_TRY_MEMORY_FOR(i != NULL, error, "subsystem %s", sub->name);
    i->system = system;
    i->index = parts->index;
    i->sub = sub;
    i->blocks = sub->matrices != NULL ? &system->blocks[parts->index] : NULL;
    i->closed = i->blocks;
    i->solver = sub->stepper != NULL ? &ms_solver_component : parts->solver;
    i->x = parts->x;
    i->z = parts->z;
    i->memory = parts->memory;
    i->hold = parts->hold;
    i->micro_steps_max = MS_MICRO_STEPS_MAX;
    i->can = capabilities(parts);
    for (int j = 0; i->blocks != NULL && j < sub->ny * sub->nu; j++)
        i->feeds_through |= i->blocks->D[j] != 0.0;
    for (int j = 0; sub->stepper != NULL && j < sub->ny * sub->nu; j++)
        i->feeds_through |= ms_subsystem_feeds_through(system, i->index, j / sub->nu, j % sub->nu);
    int status = ms_events_create(i, error);
    if (status == MS_OK && create_feedback(i, parts->n_feedback, parts->feedback) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for subsystem %s", sub->name);
    i->driven =
        i->blocks != NULL && i->events == NULL && sub->nw == 0 && !sub->uses_du && i->n_integrals == 0;
    MS_THEN(status, create_solver(i, parts, error));
    *instance = i;
    if (status != MS_OK)
        ms_instance_destroy(instance);
    return status;
}

void ms_instance_destroy(ms_instance **instance)
{
    if (*instance == NULL)
        return;
    if (!(*instance)->borrows)
        ms_solver_destroy(*instance);
    ms_events_destroy(*instance);
    free((*instance)->feedback);
    ms_instance_watch(*instance, true);
    ms_port_work_destroy(*instance);
    MS_FREE((*instance)->sample_place, (*instance)->law, *instance);
    *instance = NULL;
}

void ms_instance_watch(ms_instance *instance, bool watched)
{
    const int places = instance->n_places;
    ms_port_work *work = instance->port_work;
    if (watched == !instance->unwatched)
        return;
    instance->unwatched = !watched;
    instance->n_places = instance->suspended_places;
    instance->port_work = instance->suspended_work;
    instance->suspended_places = places;
    instance->suspended_work = work;
}

int ms_instance_sample(ms_instance *instance, int n, const double *fractions)
{
    const size_t samples = (size_t)n, n_state = (size_t)instance->n_state;
    ms_place *place = malloc(samples * (sizeof *place + sizeof(double) * (1 + n_state)) + 1);
    MS_TRY_MEMORY(place);
    ms_instance_watch(instance, true);
    ms_port_work_destroy(instance);
    free(instance->sample_place);
    instance->n_samples = instance->n_places = n;
    instance->place = instance->sample_place = place;
    instance->sample_at = (double *)(void *)(place + samples);
    instance->samples = instance->sample_at + samples;
    for (int k = 0; k < n; k++) {
        instance->sample_at[k] = fractions[k];
        place[k] = (ms_place){fractions[k], instance->samples + (size_t)k * n_state};
    }
    return MS_OK;
}

int ms_instance_observe(ms_instance *instance, int n, const double *fractions, bool work)
{
    const int status = ms_instance_sample(instance, n, fractions);
    return status == MS_OK && work ? ms_port_work_create(instance) : status;
}

int ms_instance_start(ms_instance *instance, double t)
{
    return instance->sub->stepper != NULL ? ms_instance_component_start(instance, t) : MS_OK;
}

int ms_instance_keep(ms_instance *instance)
{
    return instance->sub->stepper != NULL ? ms_instance_component_keep(instance) : MS_OK;
}

static inline int step_piece(ms_instance *instance, int piece, double t, double h)
{
    const int n = instance->n_state;
    double *x_start = instance->x_start + piece * n;
    for (int j = 0; j < n; j++)
        x_start[j] = instance->state[j];
    if (instance->events != NULL)
        return ms_events_advance(instance, piece, t, h);
    return instance->solver->advance(instance, piece, t, h);
}

static int step_each_piece(ms_instance *instance, double t)
{
    const ms_input *input = &instance->input;
    int status = MS_OK;
    for (int piece = 0; piece < input->pieces && status == MS_OK; piece++) {
        const double begin = ms_input_begin(input, piece);
        status = step_piece(instance, piece, t + begin, input->end[piece] - begin);
    }
    return status;
}

static inline int step_pieces(ms_instance *instance, double t, double h)
{
    return instance->input.pieces == 1 ? step_piece(instance, 0, t, h) : step_each_piece(instance, t);
}

int ms_instance_make_consistent(ms_instance *instance, double t, double h)
{
    const size_t bytes = sizeof(double) * (size_t)instance->sub->nx;
    if (instance->sub->residual == NULL)
        return MS_OK;
    if (instance->state != instance->x)
        memcpy(instance->state, instance->x, bytes);
    const int status = instance->solver->make_consistent(instance, 0, t, h);
    if (status == MS_OK && instance->state != instance->x)
        memcpy(instance->x, instance->state, bytes);
    return status;
}

/* Integrates x and the integrals, which start from zero. */
static int step_with_integrals(ms_instance *instance, double t, double h)
{
    const size_t nx = (size_t)instance->sub->nx;
    memcpy(instance->state, instance->x, sizeof(double) * nx);
    memset(instance->state + nx, 0, sizeof(double) * (size_t)instance->n_integrals);
    const int status = step_pieces(instance, t, h);
    memcpy(instance->x, instance->state, sizeof(double) * nx);
    return status;
}

/* Out of line, so that steps without an observer stay fast. */
static __attribute__((noinline)) int step_with_work(ms_instance *instance, double t, double h)
{
    ms_port_work_begin(instance);
    const int status =
        instance->n_integrals == 0 ? step_pieces(instance, t, h) : step_with_integrals(instance, t, h);
    if (status == MS_OK)
        ms_port_work_end(instance);
    return status;
}

void ms_instance_hold(const ms_instance *instance)
{
    const ms_input *input = &instance->input;
    for (int piece = 0; piece < input->pieces && instance->hold != NULL; piece++)
        for (int k = 0; k <= input->degree; k++) {
            double *c = ms_input_coefficients(input, piece, k);
            for (int l = 0; l < input->n; l++)
                if (!isnan(instance->hold[l]))
                    c[l] = k == 0 ? instance->hold[l] : 0.0;
        }
}

int ms_instance_step(ms_instance *instance, double t, double h)
{
    instance->t = t;
    instance->h = h;
    if (instance->hold != NULL)
        ms_instance_hold(instance);
    if (instance->events != NULL)
        ms_events_start(instance);
    if (instance->port_work != NULL)
        return step_with_work(instance, t, h);
    return instance->n_integrals == 0 ? step_pieces(instance, t, h) : step_with_integrals(instance, t, h);
}
