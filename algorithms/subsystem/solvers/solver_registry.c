/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver_registry.h"

#include <stdio.h>
#include <string.h>

#include "model.h"
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

const ms_solver *ms_solver_choose(const char *name, ms_error *error)
{
    const ms_solver *solver = ms_solver_find(name);
    const char *names[MS_COUNT(ms_solvers)];
    int n = 0;
    if (solver != NULL)
        return solver;
    for (; ms_solvers[n] != NULL; n++)
        names[n] = ms_solvers[n]->name;
    ms_fail(error, MS_INVALID, "`solver` %s: unknown; the nearest is %s (macrostep list solvers)", name,
            ms_nearest(name, names, n));
    return NULL;
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
