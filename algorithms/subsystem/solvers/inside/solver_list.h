/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_list.h - all micro-solvers, one line each. A new one is its file and its line here;
 * solver_registry.c includes the list twice (declarations, registry). No include guard. */
MS_SOLVER(ms_solver_exact)
MS_SOLVER(ms_solver_cvode_bdf)
MS_SOLVER(ms_solver_cvode_adams)
MS_SOLVER(ms_solver_ida)
MS_SOLVER(ms_solver_arkode_erk)
MS_SOLVER(ms_solver_arkode_dirk)
MS_SOLVER(ms_solver_gsl_rk8pd)
MS_SOLVER(ms_solver_gsl_msadams)
MS_SOLVER(ms_solver_gsl_msbdf)
MS_SOLVER(ms_solver_gsl_rk2)
MS_SOLVER(ms_solver_gsl_rk4)
MS_SOLVER(ms_solver_gsl_rkf45)
MS_SOLVER(ms_solver_gsl_rkck)
MS_SOLVER(ms_solver_gsl_rk1imp)
MS_SOLVER(ms_solver_gsl_rk2imp)
MS_SOLVER(ms_solver_gsl_rk4imp)
MS_SOLVER(ms_solver_gsl_bsimp)
#define MS_RUNGE_KUTTA(name, ...) MS_SOLVER(ms_solver_##name)
#include "runge_kutta_list.h"
#undef MS_RUNGE_KUTTA
MS_SOLVER(ms_solver_trapezoidal)
MS_SOLVER(ms_solver_radau_iia)
MS_SOLVER(ms_solver_radau_iia_13)
MS_SOLVER(ms_solver_lobatto_iiic_12)
MS_SOLVER(ms_solver_generalised_alpha)
