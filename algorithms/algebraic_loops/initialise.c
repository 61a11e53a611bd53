/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "initialise.h"

#include <stdlib.h>
#include <string.h>

#include "block_solver.h"
#include "coupled_outputs.h"

typedef struct initialiser {
    const ms_system *system;
    ms_instance **instance; /* (n) with states and discrete variables in memory */
    double *memory;
} initialiser;

static void destroy(initialiser *m)
{
    ms_evaluations_destroy(m->system, m->instance);
    free(m->memory);
}

static int create(const ms_system *s, const double *x, initialiser *m, ms_error *error)
{
    const size_t n = (size_t)s->n, nx = (size_t)s->nx, nz = (size_t)s->nz;
    *m = (initialiser){.system = s,
                       .instance = calloc(n + 1, sizeof(ms_instance *)),
                       .memory = calloc(nx + nz + MS_EVALUATIONS_MEMORY, sizeof(double))};
    MS_TRY_MEMORY(m->instance != NULL && m->memory != NULL);
    if (nx > 0)
        memcpy(m->memory, x, sizeof(double) * nx);
    ms_system_start_discrete(s, m->memory + nx);
    return ms_evaluations_create(s, m->memory, m->memory + nx, m->memory + nx + nz, m->instance, error);
}

static int solve(const initialiser *m, bool reduced, double t, double *u, double *y, ms_initialisation *work,
                 ms_error *error)
{
    const ms_system *s = m->system;
    ms_dependency_graph d = {0};
    ms_evaluation_order order = {0};
    ms_block_solver *block_solver = NULL;
    int status = ms_dependency_graph_create(s, &d);
    MS_THEN(status,
            reduced ? ms_evaluation_order_reduce(&d, &order) : ms_evaluation_order_create(&d, &order));
    MS_THEN(status, ms_block_solver_create(s, m->instance, &order, &block_solver, error));
    if (status == MS_OK) {
        status = ms_block_solver_start(block_solver, t, y, u);
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

int ms_initialise(const ms_system *system, ms_initialise_method method, double t, const double *x, double *u,
                  double *y, ms_initialisation *work, ms_error *error)
{
    initialiser m;
    ms_initialisation spent = {0};
    MS_TRY(ms_system_needs_equations(system, "outputs at given states", error));
    int status = create(system, x, &m, error);
    MS_THEN(status, solve(&m, method == MS_INITIALISE_REDUCED, t, u, y, &spent, error));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to initialise model %s", system->model->name);
    if (work != NULL)
        *work = spent;
    destroy(&m);
    return status;
}
