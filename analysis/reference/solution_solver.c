/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solution_solver.h"

#include <macrostep/model.h>
#include <macrostep/solver_registry.h>

/* Prince and Dormand's method of order 8, by measurement (solution_pair.c has the numbers). */
static const char nearest_to_round_off[] = "gsl-rk8pd";

const ms_solver *ms_solution_solver_of_stiff(void)
{
    return ms_solver_find("radau-iia-13");
}

const ms_solver *ms_solution_second_of_stiff(void)
{
    return ms_solver_find("lobatto-iiic-12");
}

const ms_solver *ms_solution_second_of_many(void)
{
    return ms_solver_find("arkode-erk");
}

const ms_solver *ms_solution_solver(const ms_subsystem *subsystem)
{
    if (subsystem->residual != NULL)
        return ms_solver_of_residuals();
    return subsystem->matrices != NULL ? ms_solver_of_form(MS_STEPS_EXACT)
                                       : ms_solver_find(nearest_to_round_off);
}
