/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepped_binaries.h - a system whose subsystems are the binaries of exported FMUs, opened by hand, which step themselves
 * (own_stepper.h). */
#ifndef MS_STEPPED_BINARIES_H
#define MS_STEPPED_BINARIES_H

#include "exported_binary.h"

typedef struct support_binaries {
    const ms_system *inner; /* outlives the system */
    binary *b;              /* (inner->n) */
} support_binaries;

/* Exports and opens all subsystems. */
void support_binaries_open(support_binaries *binaries, const ms_fmu_export *what);
void support_binaries_close(support_binaries *binaries);
/* The same wires between them; `binaries` outlives the system. */
ms_system *support_binaries_system(support_binaries *binaries);

#endif
