/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coupled_outputs.h - outputs and inputs of a coupled system at given states, as those of a reference: the loop of
 * loop.h without a co-simulation around it. */
#pragma once

#include "loop.h"

/* At least what a solver saves with the state (ms_solver.memory). */
enum { MS_EVALUATIONS_MEMORY = 8 };

/* Instances (n, NULL at first) of all subsystems on states x (nx) and discrete variables z (nz) that are evaluated and never integrated;
 * memory (MS_EVALUATIONS_MEMORY) is shared by them. Errors: those of ms_instance_create; destroy, which frees the array too, is safe after
 * them. */
int ms_evaluations_create(const ms_system *system, double *x, double *z, double *memory,
                          ms_instance **instance, ms_error *error);
void ms_evaluations_destroy(const ms_system *system, ms_instance **instance);

typedef struct ms_coupled_outputs {
    const ms_system *system;
    ms_instance **instance; /* (n) on x and z; they serve evaluations only */
    ms_loop *loop;          /* of these */
    double *x, *z;          /* (nx), (nz): states and discrete variables, for the caller to set */
    double *y, *u;          /* (ny), (nu): zero, then the last solution */
    double *memory;         /* of the solver that the instances were given */
    bool guessed;           /* y is a guess; false: the next solve takes none (ms_loop_start) */
} ms_coupled_outputs;

/* The system outlives it. Errors: those of ms_loop_create; nothing is left to destroy then. */
int ms_coupled_outputs_create(const ms_system *system, ms_coupled_outputs *outputs, ms_error *error);
void ms_coupled_outputs_destroy(ms_coupled_outputs *outputs); /* safe where it was not created: all zero */

/* y = g(t, x, L y, L y') and u = L y for states x (nx) and discrete variables z (nz; NULL: there are none).
 * Errors: MS_NO_SOLUTION, with a line that says why. */
int ms_coupled_outputs_at(ms_coupled_outputs *outputs, double t, const double *x, const double *z,
                          ms_error *error);
