/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "iteration.h"

#include <string.h>

#include <macrostep/cosim_state.h>
#include <macrostep/options.h>

/* Options ------------------------------------------------------------------------------------------------ */

static const ms_nonlinear_method *find_method(int name, int backend)
{
    return ms_nonlinear_find(ms_nonlinear_name(name), ms_backend_names[backend]);
}

const ms_nonlinear_method *ms_iteration_method(const ms_variant *o)
{
    return find_method(o->iteration.solver_nonlinear, (int)o->iteration.backend);
}

void ms_iteration_defaults(ms_options *o)
{
    const ms_nonlinear_method *method = find_method(o->iteration.solver_nonlinear, o->iteration.backend);
    if (method == NULL)
        return;
    if (!o->given[MS_OPTION_RELAXATION] && (method->takes & MS_TAKES_RELAXATION) != 0)
        o->iteration.relaxation = method->relaxation;
    if (!o->given[MS_OPTION_REUSE] && (method->takes & MS_TAKES_REUSE) != 0)
        o->iteration.reuse = method->reuse;
    if (!o->given[MS_OPTION_MAX_COLUMNS] && (method->takes & MS_TAKES_MAX_COLUMNS) != 0)
        o->iteration.max_columns = method->max_columns;
}

ms_nonlinear_options ms_iteration_nonlinear_options(const ms_variant *o, int most)
{
    return (ms_nonlinear_options){.max_iterations = most > 0 ? most : 0,
                                  .relaxation = o->iteration.relaxation,
                                  .reuse = o->iteration.reuse,
                                  .max_columns = o->iteration.max_columns,
                                  .filter = o->iteration.filter,
                                  .preconditioner = o->iteration.preconditioner,
                                  .filter_limit = o->iteration.filter_limit};
}

/* Setup -------------------------------------------------------------------------------------------------- */

int ms_iteration_kept(const ms_nonlinear_method *method, int n, const ms_nonlinear_options *options)
{
    return method != NULL && method->memory != NULL ? (int)method->memory(n, options) : 0;
}

size_t ms_iteration_room(const ms_iteration *it)
{
    return 3 * (size_t)it->n + (size_t)it->kept;
}

double *ms_iteration_place(ms_iteration *it, double *at, double *accepted)
{
    it->z = at;
    it->r = it->z + it->n;
    it->convergence.n = it->n;
    it->convergence.best = it->r + it->n;
    it->memory = it->convergence.best + it->n;
    it->accepted = accepted;
    return it->memory + it->kept;
}

/* An option that was given and that the method does not take. */
static int check_options(const ms_nonlinear_method *method, const ms_options *o, ms_error *error)
{
    static const struct {
        ms_option_id option;
        unsigned taken;
    } own[] = {
        {MS_OPTION_RELAXATION, MS_TAKES_RELAXATION},     {MS_OPTION_REUSE, MS_TAKES_REUSE},
        {MS_OPTION_MAX_COLUMNS, MS_TAKES_MAX_COLUMNS},   {MS_OPTION_FILTER, MS_TAKES_FILTER},
        {MS_OPTION_FILTER_LIMIT, MS_TAKES_FILTER_LIMIT}, {MS_OPTION_PRECONDITIONER, MS_TAKES_PRECONDITIONER}};
    char names[256];
    for (int k = 0; k < MS_COUNT(own); k++)
        if (ms_option_asked(o, own[k].option) && (method->takes & own[k].taken) == 0)
            return ms_fail(error, MS_INVALID,
                           "`%s`: `solver-nonlinear` %s does not have this option; these do: %s",
                           ms_option_table[own[k].option].name, method->name,
                           ms_nonlinear_names(own[k].taken, names, sizeof names));
    return MS_OK;
}

int ms_iteration_create(ms_iteration *it, ms_cosim *cosim, const ms_nonlinear_options *options,
                        ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const char *name = ms_nonlinear_name(o->iteration.solver_nonlinear);
    if (it->method != NULL) {
        const ms_nonlinear_setup setup = {it->method, it->n, options, &cosim->memory};
        const int status = check_options(it->method, cosim->options, error);
        return status != MS_OK || it->n == 0 ? status : ms_nonlinear_create(&setup, &it->workspace, error);
    }
    char backends[128];
    ms_nonlinear_backends(name, backends, sizeof backends);
    return ms_fail(error, MS_UNSUPPORTED, "`backend` %s: does not have %s here; use %s",
                   ms_backend_names[o->iteration.backend], name, backends);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

bool ms_iteration_is_tightest(const ms_iteration *it)
{
    return it->convergence.epsilon == 0.0;
}

void ms_iteration_begin(ms_iteration *it)
{
    it->calls = 0;
    memcpy(it->memory, it->accepted, sizeof(double) * (size_t)it->kept);
}

void ms_iteration_accept(ms_iteration *it)
{
    memcpy(it->accepted, it->memory, sizeof(double) * (size_t)it->kept);
}

int ms_iteration_solve(ms_iteration *it, const ms_nonlinear_problem *problem, ms_nonlinear_counts *counts)
{
    const bool tightest = ms_iteration_is_tightest(it);
    if (it->n == 0 || (!tightest && problem->converged(problem->context, it->z, it->r)))
        return MS_OK;
    if (it->most < 0)
        return MS_NOT_CONVERGED;
    const int status = it->method->solve(it->workspace, problem, it->z, it->r, counts);
    if (!tightest || (status != MS_OK && status != MS_NOT_CONVERGED) ||
        !ms_convergence_at_round_off(&it->convergence))
        return status;
    memcpy(it->z, it->convergence.best, sizeof(double) * (size_t)it->n);
    return MS_OK;
}

long ms_iteration_count(const ms_iteration *it, const ms_nonlinear_counts *counts, long calls)
{
    return it->method->counts_calls ? calls : counts->iterations;
}

/* The first sweep; its size determines the round-off level. */
static int guess(ms_iteration *it, ms_cosim *cosim, const ms_nonlinear_problem *problem)
{
    const bool tightest = ms_iteration_is_tightest(it);
    double scale = tightest ? ms_convergence_largest(cosim->lin_size, cosim->lin) : 0.0;
    const int status = problem->residual(problem->context, it->z, it->r);
    for (int k = 0; k < it->n && status == MS_OK && tightest; k++)
        scale = fmax(scale, fabs(it->z[k] - it->r[k]));
    ms_convergence_begin(&it->convergence, scale);
    return status;
}

static int run(ms_iteration *it, ms_cosim *cosim, const ms_nonlinear_problem *problem)
{
    ms_nonlinear_counts counts = {0};
    int status = guess(it, cosim, problem);
    if (status != MS_OK || it->n == 0)
        return status;
    status = ms_iteration_solve(it, problem, &counts);
    const bool elsewhere = ms_iteration_is_tightest(it) || (it->calls > 1 && !it->method->counts_calls);
    if (status == MS_OK && elsewhere)
        status =
            problem->residual(problem->context, it->z, it->r); /* the subsystems must end at the solution */
    cosim->iterations += ms_iteration_count(it, &counts, it->calls);
    return status;
}

int ms_iteration_step(ms_iteration *it, ms_cosim *cosim, const ms_nonlinear_problem *problem,
                      const double *before, double t, double h)
{
    const int status = run(it, cosim, problem);
    if (status == MS_OK) {
        memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
        ms_iteration_accept(it);
    } else if (status == MS_NOT_CONVERGED || status == MS_SOLVER_FAILED)
        ms_cosim_restore(cosim, before);
    if (status != MS_NOT_CONVERGED)
        return status;
    return ms_fail(&cosim->error, status,
                   "%s did not converge on the macro-step of %.3g s at %.6g s in `max-iterations` %d",
                   it->method->name, h, t, cosim->variant.iteration.max_iterations);
}
