/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparsity.h - which variables the equations of a subsystem, and of the coupled model, depend on.
 *
 * Patterns are by rows; columns are states x, coupling inputs u and external inputs w, one behind the
 * other. The pattern of a linear subsystem are the entries of its matrices that are not zero at its
 * parameter values. That of a nonlinear one is detected: at several points each variable in turn is
 * replaced by not-a-number and by a value nearby, and a component that changes depends on it. Not-a-number
 * goes through every sum, product and smooth function, whatever the coefficients are, so that the pattern
 * holds at other points as well and costs its evaluations once. What is exact about it:
 *
 *     - an entry that is reported may be zero (x - x, 0 x, a domain left with not-a-number: then the whole
 *       column);
 *     - an entry is missed only where not-a-number disappears (fmin and fmax, a comparison, pow(x, 0)) and
 *       the component is constant in the variable near all points that were tried: ms_linearisation_check.
 *
 * A feed_through that a model declares means dg/du instead. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_sparsity {
    int nx, ny, n;    /* n: columns, nx + nu + nw */
    bool detected;    /* else from matrices */
    bool *f, *g;      /* (nx x n), (ny x n): may x', y depend on that variable? */
    long evaluations; /* of f and of g that the detection took */
} ms_sparsity;

/* The pattern of subsystem i, detected around a point whose t, x, u, z (and du) are set. Errors:
 * MS_SOLVER_FAILED (outside the domain at all points), MS_NO_MEMORY. */
int ms_sparsity_create(const ms_system *system, int i, const ms_point *at, ms_sparsity **sparsity);
void ms_sparsity_destroy(ms_sparsity **sparsity); /* NULL-safe */

/* Entries in the pattern: of f, of g. */
int ms_sparsity_entries(const ms_sparsity *sparsity);

/* The pattern of the coupled model's A (nx x nx), from those of its subsystems (n) and the wires: a state
 * reaches what its outputs reach, through any number of feed-throughs. Everything where a subsystem reads
 * u'. Errors: MS_NO_MEMORY. */
int ms_sparsity_couple(const ms_system *system, ms_sparsity *const *parts, bool *A);

MS_C_LINKAGE_END
