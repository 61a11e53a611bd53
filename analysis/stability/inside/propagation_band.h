/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_band.h - Psi(h) of many subsystems as a band matrix, where a macro-step takes a subsystem's memory to near ones
 * only: those within a few wires.
 *
 * Subsystems are put in an order in which near ones have near places (Cuthill, McKee, Proc. 24th Nat. Conf. ACM, 1969); columns
 * of subsystems that have no near one in common are found by one macro-step (Curtis, Powell, Reid, J. Inst. Math. Appl. 13, 1974).
 * A macro-step from random values then shows whether entries are missing. */
#pragma once

#include <signal.h>

#include "band.h"
#include "propagation_map.h"

typedef struct ms_propagation_band {
    ms_band *matrix;
    int *row;         /* (n): the row of Psi that a row of the band matrix is */
    int applications; /* macro-steps that it took */
} ms_propagation_band;

/* Of the map of a system. *stop becomes non-zero to end early; it may be NULL. Errors: MS_UNSUPPORTED (the matrix has no narrow band: more
 * distant subsystems matter, or the order leaves them apart), MS_NO_MEMORY, MS_INTERRUPTED, and those of the map. */
int ms_propagation_band_create(const ms_system *system, ms_propagation_map *map,
                               const volatile sig_atomic_t *stop, ms_propagation_band *band, ms_error *error);
void ms_propagation_band_destroy(ms_propagation_band *band); /* safe to repeat */
