/* SPDX-License-Identifier: GPL-3.0-or-later */
/* built_in.h - subsystems of the catalogue beside their exported FMUs: the same inputs for both, and the same bits of both. */
#pragma once

#include <macrostep/instance.h>
#include "exported.h"
#include "exported_binary.h"

/* A built-in subsystem as a co-simulation has it. */
typedef struct support_built_in {
    const ms_system *system;
    const ms_subsystem *sub;
    ms_instance *instance;
    double *x, *z, *memory; /* of the whole system */
    double *u, *y;          /* (sub->nu), (sub->ny) */
} support_built_in;

support_built_in support_built_in_create(const ms_system *system, int index, const ms_export_solver *solver);
void support_built_in_destroy(support_built_in *is);

/* n zeros, owned by the caller. */
double *support_zeros(int n);

/* An export with that solver to 1e-8. */
ms_fmu_export support_export_of(const ms_system *system, const char *subsystem, int fmi, const char *solver);

/* Every subsystem of the catalogue for both versions; of models with very many the first and the last few. */
typedef void support_try_export(const ms_fmu_export *what, const ms_exported *e);
void support_export_all(support_try_export *one);

/* The value references of a group of variables. */
void support_references(const ms_exported *e, ms_exported_group group, unsigned *reference);

/* Derivatives of all inputs at step n of length h, near where loops are solved from; and they as the inputs of the built-in one. */
void support_choose_inputs(const support_built_in *is, int n, double h,
                           double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS]);
void support_feed_built_in(support_built_in *is, double h, int degree,
                           double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS]);

/* Fails unless the n values of the binary at t have the expected bits; zeros have any sign. */
void support_same_bits(const support_binary *b, const char *what, double t, int n, const double *value,
                       const double *expected);
