/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "newton_at_once.h"

#include <math.h>
#include <stdlib.h>

#include "newton_dense.h"

typedef struct at_once {
    const ms_system *system;
    bool inputs; /* are unknown, or outputs */
    double t, *memory;
    const double *x;
    double *z, *y, *u; /* z (nz): as at the start */
    double *D;         /* ny x nu, of all subsystems */
    double *block, *w, *scratch;
    long evaluations;
    int failed; /* the subsystem whose outputs were not defined or not finite last; -1 */
} at_once;

static int create(const ms_system *s, at_once *m)
{
    size_t block = 0, scratch = 0;
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        block += (size_t)(sub->ny * sub->nu);
        scratch += (size_t)(3 * sub->nx + sub->nu + 2 * sub->ny);
    }
    m->memory = calloc((size_t)(s->nz + s->nw + s->ny * s->nu) + block + scratch + 1, sizeof(double));
    MS_TRY_MEMORY(m->memory);
    m->z = m->memory;
    m->w = m->z + s->nz;
    m->D = m->w + s->nw;
    m->block = m->D + s->ny * s->nu;
    m->scratch = m->block + block;
    ms_system_start_discrete(s, m->z);
    return MS_OK;
}

static ms_point point(const at_once *m, int i, const double *u)
{
    const ms_system *s = m->system;
    return (ms_point){.t = m->t, .x = m->x + s->x_at[i], .u = u + s->u_at[i], .z = m->z + s->z_at[i]};
}

/* g(x, u) into y. */
static int evaluate(at_once *m, const double *u, double *y)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        ms_point at = point(m, i, u);
        m->evaluations++;
        m->failed = i;
        if (ms_subsystem_g(s, i, &at, m->w, y + s->y_at[i]) != 0)
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
    at_once *m = user;
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

static int feed_through(at_once *m, const double *u)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        const int nu = s->sub[i].nu;
        ms_point at = point(m, i, u);
        if (ms_subsystem_jacobian(s, i, &at, m->w, m->scratch, &(ms_blocks){.D = m->block}, NULL) != 0)
            return 1;
        for (int j = 0; j < s->sub[i].ny; j++)
            for (int k = 0; k < nu; k++)
                m->D[(s->y_at[i] + j) * s->nu + s->u_at[i] + k] = m->block[j * nu + k];
    }
    return 0;
}

/* I - L D for inputs, I - D L for outputs. */
static int matrix(void *user, const double *v, double *M)
{
    at_once *m = user;
    const ms_system *s = m->system;
    const int n = m->inputs ? s->nu : s->ny;
    if (!m->inputs)
        ms_system_couple(s, v, m->u);
    if (feed_through(m, m->inputs ? v : m->u) != 0)
        return 1;
    for (int k = 0; k < n * n; k++)
        M[k] = k % (n + 1) == 0;
    for (int input = 0; input < s->nu; input++)
        for (int wire = s->row_at[input]; wire < s->row_at[input + 1]; wire++) {
            const int output = s->wire_output[wire];
            for (int k = 0; k < n && m->inputs; k++)
                M[input * n + k] -= s->wire_gain[wire] * m->D[output * s->nu + k];
            for (int k = 0; k < n && !m->inputs; k++)
                M[k * n + output] -= m->D[k * s->nu + input] * s->wire_gain[wire];
        }
    return 0;
}

static int explain(const at_once *m, ms_newton_dense_reason reason, ms_error *error)
{
    const char *unknowns = m->inputs ? "inputs" : "outputs", *model = m->system->model->name;
    if (reason == MS_NEWTON_DENSE_UNDEFINED)
        return ms_fail(error, MS_NO_SOLUTION,
                       "Newton's method for all %s of model %s has not begun: the outputs of subsystem %s "
                       "are not defined or not finite at the starting values",
                       unknowns, model, m->failed >= 0 ? m->system->sub[m->failed].name : "?");
    return ms_fail(error, MS_NO_SOLUTION, "Newton's method for all %s of model %s %s", unknowns, model,
                   reason == MS_NEWTON_DENSE_SINGULAR ? "met a singular matrix"
                                                      : "found no solution from its starting values");
}

/* The starting outputs are those at the starting inputs, where they are defined. */
static int solve(at_once *m, ms_newton_dense *newton, ms_error *error)
{
    if (!m->inputs && evaluate(m, m->u, m->y) != 0)
        return explain(m, MS_NEWTON_DENSE_UNDEFINED, error);
    if (newton != NULL && ms_newton_dense_solve(newton, m->inputs ? m->u : m->y) != MS_OK)
        return explain(m, ms_newton_dense_last_reason(newton), error);
    if (m->inputs && evaluate(m, m->u, m->y) != 0)
        return ms_fail(error, MS_NO_SOLUTION, "the outputs of model %s are not finite",
                       m->system->model->name);
    if (!m->inputs)
        ms_system_couple(m->system, m->y, m->u);
    return MS_OK;
}

static int check(const ms_system *s, ms_error *error)
{
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].uses_du)
            return ms_fail(error, MS_UNSUPPORTED,
                           "outputs of subsystem %s depend on derivatives of its inputs; only an evaluation "
                           "order has a place for them",
                           s->sub[i].name);
    return MS_OK;
}

int ms_newton_at_once(const ms_system *system, ms_unknowns unknowns, double t, const double *x, double *u,
                      double *y, ms_initialisation *work, ms_error *error)
{
    at_once m = {.system = system,
                 .inputs = unknowns == MS_UNKNOWN_INPUTS,
                 .t = t,
                 .x = x,
                 .y = y,
                 .u = u,
                 .failed = -1};
    const ms_newton_dense_problem problem = {m.inputs ? system->nu : system->ny, residual, matrix, &m};
    ms_newton_dense *newton = NULL;
    int status = check(system, error);
    MS_THEN(status, create(system, &m));
    if (status == MS_OK && problem.n > 0)
        status = ms_newton_dense_create(&problem, &newton);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to initialise model %s", system->model->name);
    MS_THEN(status, solve(&m, newton, error));
    if (work != NULL)
        *work = (ms_initialisation){m.evaluations, newton != NULL ? ms_newton_dense_iterations(newton) : 0};
    ms_newton_dense_destroy(&newton);
    free(m.memory);
    return status;
}
