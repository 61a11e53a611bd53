/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "initialise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block_solver.h"
#include "solver_registry.h"

typedef struct initialiser {
    const ms_system *system;
    ms_instance **instance; /* (n) with states and discrete variables in memory */
    double *memory, *solver_memory;
    int *owner;  /* (ny) */
    double *D;   /* ny_i x nu_i of each subsystem, one behind the other */
    int *D_at;   /* (n) */
    bool inputs; /* of the global methods: for u, or for y */
    double t, *y, *u;
    long evaluations;
    int failed; /* the subsystem whose outputs were not defined or not finite last; -1 */
} initialiser;

static void destroy(initialiser *m)
{
    for (int i = 0; m->instance != NULL && i < m->system->n; i++)
        ms_instance_destroy(&m->instance[i]);
    free(m->instance);
    free(m->memory);
    free(m->solver_memory);
    free(m->owner);
}

/* The instances serve evaluations only, so any solver that takes the subsystem does. */
static const ms_solver *solver_of(const ms_subsystem *sub)
{
    return ms_solver_find(sub->residual != NULL          ? "ida"
                          : ms_subsystem_has_events(sub) ? "cvode-bdf"
                                                         : "euler");
}

static int create(const ms_system *s, double t, const double *x, initialiser *m, ms_error *error)
{
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 1};
    const size_t n = (size_t)s->n, nx = (size_t)s->nx, nz = (size_t)s->nz, ny = (size_t)s->ny;
    size_t size = 0, solver_size = 1;
    for (int i = 0; i < s->n; i++) {
        const ms_solver *solver = solver_of(&s->sub[i]);
        if (solver != NULL && (size_t)solver->memory > solver_size)
            solver_size = (size_t)solver->memory;
        size += (size_t)(s->sub[i].ny * s->sub[i].nu);
    }
    *m = (initialiser){.system = s,
                       .instance = calloc(n + 1, sizeof(ms_instance *)),
                       .memory = calloc(nx + nz + size + 1, sizeof(double)),
                       .solver_memory = calloc(solver_size, sizeof(double)),
                       .owner = calloc(ny + n + 1, sizeof(int)),
                       .t = t,
                       .failed = -1};
    if (m->instance == NULL || m->memory == NULL || m->solver_memory == NULL || m->owner == NULL)
        return MS_NO_MEMORY;
    m->D = m->memory + nx + nz;
    m->D_at = m->owner + ny;
    if (nx > 0)
        memcpy(m->memory, x, sizeof(double) * nx);
    ms_system_start_discrete(s, m->memory + nx);
    int status = MS_OK;
    for (int i = 0, at = 0; i < s->n && status == MS_OK; i++) {
        m->D_at[i] = at;
        at += s->sub[i].ny * s->sub[i].nu;
        for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++)
            m->owner[j] = i;
        const ms_solver *solver = solver_of(&s->sub[i]);
        status = solver != NULL
                     ? ms_instance_create(&(ms_instance_parts){.system = s,
                                                               .index = i,
                                                               .solver = solver,
                                                               .options = &options,
                                                               .x = m->memory + s->x_at[i],
                                                               .z = m->memory + nx + s->z_at[i],
                                                               .memory = m->solver_memory},
                                          &m->instance[i], error)
                     : ms_fail(error, MS_UNSUPPORTED, "no solver takes subsystem %s", s->sub[i].name);
    }
    return status;
}

/* In an evaluation order ------------------------------------------------------------------------------- */

static int solve_in_order(initialiser *m, bool reduced, ms_initialisation *work, ms_error *error)
{
    const ms_system *s = m->system;
    ms_dependency_graph d = {0};
    ms_evaluation_order order = {0};
    ms_block_solver *block_solver = NULL;
    int status = ms_dependency_graph_create(s, &d);
    if (status == MS_OK)
        status = reduced ? ms_evaluation_order_reduce(&d, &order) : ms_evaluation_order_create(&d, &order);
    if (status == MS_OK)
        status = ms_block_solver_create(s, m->instance, &order, &block_solver, error);
    if (status == MS_OK) {
        status = ms_block_solver_start(block_solver, m->t, m->y, m->u);
        *work = (ms_initialisation){ms_block_solver_evaluations(block_solver),
                                    ms_block_solver_iterations(block_solver)};
        if (status != MS_OK) {
            char reason[400];
            ms_block_solver_explain(block_solver, reason, sizeof reason);
            ms_fail(error, status, "u = L g(x, u) of model %s was not solved: %s", s->model->name, reason);
        }
    }
    ms_block_solver_destroy(&block_solver);
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    return status;
}

/* All at once -------------------------------------------------------------------------------------------- */

/* g(x, u) into y. */
static int evaluate(initialiser *m, const double *u, double *y)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        m->evaluations++;
        m->failed = i;
        if (ms_instance_outputs(m->instance[i], m->t, u + s->u_at[i], NULL, y + s->y_at[i]) != 0)
            return 1;
        for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++)
            if (!isfinite(y[j]))
                return 1;
    }
    m->failed = -1;
    return 0;
}

static int residual(void *user, const double *v, double *r)
{
    initialiser *m = user;
    const ms_system *s = m->system;
    const int n = m->inputs ? s->nu : s->ny;
    if (m->inputs) {
        if (evaluate(m, v, m->y) != 0)
            return 1;
        ms_system_couple(s, m->y, r);
    } else {
        ms_system_couple(s, v, m->u);
        if (evaluate(m, m->u, r) != 0)
            return 1;
    }
    for (int k = 0; k < n; k++)
        r[k] = v[k] - r[k];
    return 0;
}

/* I - L D for inputs, I - D L for outputs. */
static int matrix(void *user, const double *v, double *M)
{
    initialiser *m = user;
    const ms_system *s = m->system;
    const int n = m->inputs ? s->nu : s->ny;
    if (!m->inputs)
        ms_system_couple(s, v, m->u);
    const double *u = m->inputs ? v : m->u;
    for (int i = 0; i < s->n; i++)
        if (ms_instance_feed_through(m->instance[i], m->t, u + s->u_at[i], m->D + m->D_at[i]) != MS_OK)
            return 1;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            M[k * n + l] = k == l;
    for (int input = 0; input < s->nu; input++)
        for (int wire = s->row_at[input]; wire < s->row_at[input + 1]; wire++) {
            const int output = s->wire_output[wire], i = m->owner[output];
            for (int l = 0; l < s->sub[i].nu && m->inputs; l++)
                M[input * n + s->u_at[i] + l] -=
                    s->wire_gain[wire] * m->D[m->D_at[i] + (output - s->y_at[i]) * s->sub[i].nu + l];
        }
    for (int i = 0; i < s->n && !m->inputs; i++)
        for (int j = 0; j < s->sub[i].ny; j++)
            for (int l = 0; l < s->sub[i].nu; l++)
                for (int wire = s->row_at[s->u_at[i] + l]; wire < s->row_at[s->u_at[i] + l + 1]; wire++)
                    M[(s->y_at[i] + j) * n + s->wire_output[wire]] -=
                        m->D[m->D_at[i] + j * s->sub[i].nu + l] * s->wire_gain[wire];
    return 0;
}

static int explain(const initialiser *m, const ms_newton_dense *newton, ms_error *error)
{
    const ms_system *s = m->system;
    const char *unknowns = m->inputs ? "inputs" : "outputs";
    switch (ms_newton_dense_last_reason(newton)) {
    case MS_NEWTON_DENSE_UNDEFINED:
        return ms_fail(
            error, MS_NO_SOLUTION,
            "Newton's method for all %s of model %s has not begun: the outputs of subsystem %s are "
            "not defined or not finite at the starting values",
            unknowns, s->model->name, m->failed >= 0 ? s->sub[m->failed].name : "?");
    case MS_NEWTON_DENSE_SINGULAR:
        return ms_fail(error, MS_NO_SOLUTION, "Newton's method for all %s of model %s met a singular matrix",
                       unknowns, s->model->name);
    case MS_NEWTON_DENSE_SOLVED:
    case MS_NEWTON_DENSE_STALLED:
    default:
        return ms_fail(error, MS_NO_SOLUTION,
                       "Newton's method for all %s of model %s found no solution from its starting values",
                       unknowns, s->model->name);
    }
}

/* The starting outputs are those at the starting inputs, where they are defined. */
static int solve_at_once(initialiser *m, ms_initialisation *work, ms_error *error)
{
    const ms_system *s = m->system;
    const ms_newton_dense_problem problem = {m->inputs ? s->nu : s->ny, residual, matrix, m};
    ms_newton_dense *newton = NULL;
    int status = MS_OK;
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].uses_du)
            status =
                ms_fail(error, MS_UNSUPPORTED,
                        "outputs of subsystem %s depend on derivatives of its inputs; only an evaluation "
                        "order has a place for them",
                        s->sub[i].name);
    if (status == MS_OK && problem.n > 0)
        status = ms_newton_dense_create(&problem, &newton);
    if (status == MS_OK && problem.n > 0) {
        if (!m->inputs && evaluate(m, m->u, m->y) != 0)
            status = ms_fail(error, MS_NO_SOLUTION,
                             "Newton's method for all outputs of model %s has not begun: the outputs of "
                             "subsystem %s are not defined or not finite at the starting values",
                             s->model->name, s->sub[m->failed].name);
        else if (ms_newton_dense_solve(newton, m->inputs ? m->u : m->y) != MS_OK)
            status = explain(m, newton, error);
    }
    if (status == MS_OK && m->inputs && evaluate(m, m->u, m->y) != 0)
        status = ms_fail(error, MS_NO_SOLUTION, "the outputs of model %s are not finite", s->model->name);
    if (status == MS_OK && !m->inputs)
        ms_system_couple(s, m->y, m->u);
    *work = (ms_initialisation){m->evaluations, newton != NULL ? ms_newton_dense_iterations(newton) : 0};
    ms_newton_dense_destroy(&newton);
    return status;
}

int ms_initialise(const ms_system *system, ms_initialise_method method, double t, const double *x, double *u,
                  double *y, ms_initialisation *work, ms_error *error)
{
    initialiser m;
    ms_initialisation spent = {0};
    int status = create(system, t, x, &m, error);
    m.y = y;
    m.u = u;
    m.inputs = method == MS_INITIALISE_INPUTS;
    if (status == MS_OK)
        status = method == MS_INITIALISE_REDUCED || method == MS_INITIALISE_TARJAN
                     ? solve_in_order(&m, method == MS_INITIALISE_REDUCED, &spent, error)
                     : solve_at_once(&m, &spent, error);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to initialise model %s", system->model->name);
    if (work != NULL)
        *work = spent;
    destroy(&m);
    return status;
}
