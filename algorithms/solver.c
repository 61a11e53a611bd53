#include "solver.h"

#include <string.h>

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
