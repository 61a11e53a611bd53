/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearise_answer.h - the answer of `linearise`, for programs and for readers. */
#pragma once

#include <jansson.h>

#include <macrostep/linearisation.h>
#include <macrostep/linearisation_jacobian.h>

/* Every matrix, by rows, with structure and counts; rows of 0 and 1 are structures. only: the one
 * subsystem that was wanted, or -1. NULL without memory. */
json_t *ms_linearise_answer(const ms_linearised *linearised, const ms_linearisation_point *linearised_at,
                            int only);

/* The same as tables: one of counts, and one for each of the matrices side by side, whose columns are
 * named after their variables; matrices of more than 12 columns, and those of more than 12 subsystems, are
 * left to the formats for programs. NULL without memory. */
json_t *ms_linearise_table(const ms_linearised *linearised, const ms_linearisation_point *linearised_at,
                           int only);

/* Adds to the answer how partial derivatives of a nonlinear system were computed: "partials",
 * "partials_error" (null for directional derivatives, or if unknown), and a "message" if they are not
 * reliable. */
void ms_partials_say(json_t **answer, const ms_system *system, double error);
