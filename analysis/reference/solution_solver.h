/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_solver.h - the micro-solver of tight solutions, of references and of subsystems alone. */
#pragma once

#include <macrostep/solver.h>

typedef struct ms_subsystem ms_subsystem;

/* Where the subsystem, or the monolithic form as one, is differential-algebraic that of residuals, where it is linear the exact one,
 * else the one that comes nearest to round-off. */
const ms_solver *ms_solution_solver(const ms_subsystem *subsystem);

/* Those of stiff subsystems that are neither differential-algebraic nor linear: two families, of different order. */
const ms_solver *ms_solution_solver_of_stiff(void);
const ms_solver *ms_solution_second_of_stiff(void);

/* Beside that of ms_solution_solver(), for more nonlinear equations than an implicit method takes. */
const ms_solver *ms_solution_second_of_many(void);
