/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_matrices.h - a step of ms_system_create; of use to system.c only. */
#ifndef MS_SYSTEM_MATRICES_H
#define MS_SYSTEM_MATRICES_H

#include <macrostep/status.h>

typedef struct ms_system ms_system;

/* Sets blocks, equal_to and linear of a system that is laid out. Errors: MS_NO_MEMORY. */
int ms_system_fill_matrices(ms_system *system, ms_error *error);

#endif
