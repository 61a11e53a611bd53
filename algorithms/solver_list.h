/* solver_list.h - all micro-solvers, one line each. A new one is its file and its line here; solver.c
 * includes the list twice (declarations, registry). No include guard. */
MS_SOLVER(ms_solver_exact)
MS_SOLVER(ms_solver_cvode_bdf)
MS_SOLVER(ms_solver_cvode_adams)
MS_SOLVER(ms_solver_arkode_erk)
MS_SOLVER(ms_solver_arkode_dirk)
MS_SOLVER(ms_solver_gsl_rk8pd)
MS_SOLVER(ms_solver_gsl_msadams)
MS_SOLVER(ms_solver_euler)
MS_SOLVER(ms_solver_rk4)
