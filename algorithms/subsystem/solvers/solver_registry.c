/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/solver_registry.h>

#include <stdio.h>
#include <string.h>

#include <macrostep/model.h>
#include "nearest.h"

#define MS_SOLVER(solver) extern const ms_solver solver;
#include "solver_list.h"
#undef MS_SOLVER

#define MS_SOLVER(solver) &solver,
const ms_solver *const ms_solvers[] = {
#include "solver_list.h"
    NULL};
#undef MS_SOLVER

const ms_solver *ms_solver_find(const char *name)
{
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        if (strcmp((*solver)->name, name) == 0)
            return *solver;
    return NULL;
}

const ms_solver *ms_solver_choose_for(const char *option, const char *name, ms_error *error)
{
    const ms_solver *solver = ms_solver_find(name);
    const char *names[MS_COUNT(ms_solvers)];
    int n = 0;
    if (solver != NULL)
        return solver;
    for (; ms_solvers[n] != NULL; n++)
        names[n] = ms_solvers[n]->name;
    ms_fail(error, MS_INVALID, "`%s` %s: unknown; the nearest is %s (macrostep list solvers)", option, name,
            ms_nearest(name, names, n));
    return NULL;
}

const ms_solver *ms_solver_choose(const char *name, ms_error *error)
{
    return ms_solver_choose_for("solver", name, error);
}

/* The first solver that has a property, or NULL. */
static const ms_solver *first(bool (*has)(const ms_solver *solver))
{
    const ms_solver *const *solver = ms_solvers;
    while (*solver != NULL && !has(*solver))
        solver++;
    return *solver;
}

static bool takes_residuals(const ms_solver *solver)
{
    return solver->residuals;
}

static bool has_fixed_steps(const ms_solver *solver)
{
    return solver->order > 0;
}

static bool chooses_stiff_steps(const ms_solver *solver)
{
    return solver->adaptive && solver->stiff;
}

static bool corrects(const ms_solver *solver)
{
    return solver->corrects;
}

const ms_solver *ms_solver_of_residuals(void)
{
    return first(takes_residuals);
}

const ms_solver *ms_solver_of_nonlinear(void)
{
    return first(chooses_stiff_steps);
}

const ms_solver *ms_solver_of_history(void)
{
    return first(corrects);
}

const ms_solver *ms_solver_of_form(ms_steps_form form)
{
    const ms_solver *const *solver = ms_solvers;
    while (*solver != NULL && (*solver)->form != form)
        solver++;
    return *solver;
}

const ms_solver *ms_solver_for_evaluations(const ms_subsystem *subsystem)
{
    return first(subsystem->residual != NULL ? takes_residuals : has_fixed_steps);
}

void ms_solver_join(ms_solver *all, const ms_solver *one)
{
    if (one->order > 0 && (all->order == 0 || one->order < all->order))
        all->order = one->order;
    if (all->linear_map && !one->linear_map)
        all->name = one->name;
    all->form = all->form == one->form && all->method == one->method ? all->form : MS_STEPS_OTHER;
    all->linear_only = all->linear_only || one->linear_only;
    all->linear_map = all->linear_map && one->linear_map;
    all->adaptive = all->adaptive || one->adaptive;
    all->stiff = all->stiff || one->stiff;
    if (all->library == MS_LIBRARY_OWN)
        all->library = one->library;
    all->multistep = all->multistep || one->multistep;
}

/* Combines the properties of one solver with those so far. */
static void join_next(ms_solver *all, const ms_solver *one)
{
    if (all->name == NULL)
        *all = *one;
    else
        ms_solver_join(all, one);
}

bool ms_solver_together(const ms_solver *solver, const char *of, int n, ms_solver *all)
{
    bool known = true;
    int named = 0;
    *all = (ms_solver){.name = NULL};
    for (const char *word = of; *word != '\0';) {
        const size_t length = strcspn(word, ","), subsystem = strcspn(word, "=,");
        char name[sizeof((ms_error *)0)->text];
        snprintf(name, sizeof name, "%.*s", (int)(subsystem < length ? length - subsystem - 1 : 0),
                 word + subsystem + (subsystem < length));
        const ms_solver *one = ms_solver_find(name);
        if (one != NULL)
            join_next(all, one);
        known = known && one != NULL;
        named++;
        word += length + (word[length] == ',');
    }
    if (solver != NULL && (n == 0 || named < n))
        join_next(all, solver);
    return known;
}

const char *ms_solver_names(bool (*has)(const ms_solver *solver), char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL && length < size; solver++)
        if (has(*solver))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "",
                                       (*solver)->name);
    return text;
}
