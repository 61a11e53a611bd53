/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_ends.h - bodies, on which forces F = c - Z v act at the ends of lines, and the elements between them: shared by the schemes of this
 * room. Ends are numbered 2 l and 2 l + 1 of line l. */
#pragma once

#include <macrostep/cosim.h>

typedef struct ms_line_ends {
    int n;                /* 2 n_lines */
    bool *element, *body; /* (subsystems): which are elements, which are bodies */
    double *u, *u_next;   /* (nu): at the start and end of a macro-step */
} ms_line_ends;

/* The impedance of a line [N s/m] as a scheme has it. */
typedef double ms_line_impedance(const ms_line *line, const ms_variant *variant);

/* Laws of feedback of subsystem i, as ms_scheme.feedback: u = F/gain, so that F = c - Z v is u = c/gain - (Z/gain) v. */
int ms_line_feedback(const ms_system *system, const ms_variant *variant, int i, ms_line_impedance *impedance,
                     ms_input_law *law);

/* Lists and scratch, once the system has lines and each subsystem fits its part. Errors: MS_UNSUPPORTED with the reason,
 * MS_NO_MEMORY. */
int ms_line_ends_create(ms_cosim *cosim, ms_line_ends *ends, ms_error *error);

double ms_line_ends_velocity(const ms_cosim *cosim, const double *y, int end);
/* The element's force on the body, from inputs u = L y (nu). */
double ms_line_ends_force(const ms_cosim *cosim, const double *u, int end);

/* Gives the inputs of all bodies this many pieces; the first is of degree 1 and zero. */
void ms_line_ends_clear(const ms_cosim *cosim, const ms_line_ends *ends, int pieces,
                        const double *piece_ends);
/* c = value + slope s on a piece. */
void ms_line_ends_give(const ms_cosim *cosim, int end, int piece, double value, double slope);

/* All bodies, then all elements over a macro-step: their inputs go from L y at its start, cosim->y, to L y at its end. Outputs are in
 * cosim->y_raw. Returns as ms_execution_advance. */
int ms_line_ends_advance(ms_cosim *cosim, const ms_line_ends *ends, double t, double h);
