/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_map.h - v -> Psi(h) v by one macro-step of the engine, for those that make the matrix of it and
 * those that never do. */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/system.h>

typedef struct ms_propagation_map ms_propagation_map;

/* As ms_propagation_probe says. The system is kept, not copied. Errors: its own, except MS_NOT_CONVERGED. */
int ms_propagation_map_create(const ms_system *system, const ms_options *options, double h,
                              ms_propagation_map **map, ms_error *error);
void ms_propagation_map_destroy(ms_propagation_map **map); /* NULL-safe */
int ms_propagation_map_dimension(const ms_propagation_map *map);

/* to = Psi v (n each). Allocates nothing. Errors: MS_SOLVER_FAILED, MS_NOT_CONVERGED (an iteration that
 * stagnates above 1e-12). */
int ms_propagation_map_apply(ms_propagation_map *map, const double *v, double *to, ms_error *error);

/* The residual that may remain in an entry besides round-off, relative to the largest one of v. */
double ms_propagation_map_left_over(const ms_propagation_map *map);

/* The line of a scheme whose macro-steps have turned out not to be linear. Returns MS_UNSUPPORTED. */
int ms_propagation_map_not_linear(const ms_propagation_map *map, ms_error *error);
