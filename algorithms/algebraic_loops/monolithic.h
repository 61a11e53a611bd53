/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic.h - the coupled model as one subsystem without inputs, assembled from the same data.
 *
 * Linear systems (6.4) give x' = (A + B L (I - D L)^-1 C) x + ..., (6.5) of Andersson (2016); nonlinear ones solve the loop
 * y = g(x, L y, L y') at every evaluation of f. Both are x' = f(t, x), (8.1), or F(t, x, x') = 0, (8.2), where a subsystem is
 * differential-algebraic. Singular perturbations, (8.3), are written as (8.1); more equations than unknowns, (8.4), are not taken.
 * No model is written twice. */
#pragma once

#include <macrostep/system.h>
#include "sparse.h"

/* A system of one subsystem with all states in the same order, named "SUB.STATE", and with all external
 * inputs. It is linear where `system` is and has at most 256 states, so that exponentials stay cheap. It
 * refers to `system`, which must outlive it, and is used by one thread at a time. Errors: MS_NO_SOLUTION
 * (det(I - D L) = 0), MS_UNSUPPORTED (outputs that depend on u' where u' is not known from the states, see
 * loop.h; a subsystem that brings its own solver), MS_NO_MEMORY. */
int ms_monolithic_create(const ms_system *system, ms_system **monolithic, ms_error *error);
/* Adds bias (nx) to x' = f from now on; NULL: nothing. It stays the caller's. */
void ms_monolithic_set_bias(const ms_system *monolithic, const double *bias);
/* Frees what only evaluations need, of one that is not linear: from now on x' = f fails. */
void ms_monolithic_release(const ms_system *monolithic);
void ms_monolithic_destroy(ms_system **monolithic); /* NULL-safe */

/* Its matrix A (nx x nx) by rows, in time and memory proportional to its entries. NULL if a subsystem is nonlinear or its outputs
 * depend on u', if there is an algebraic loop, or no memory. */
ms_sparse *ms_monolithic_sparse(const ms_system *system);
