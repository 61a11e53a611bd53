/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepping.h - a system whose subsystems step themselves (own_stepper.h): each wraps an instance of another system's subsystem
 * with the micro-solver `exact`, and shows nothing of it but what a stepper shows. */
#pragma once

#include <macrostep/instance.h>

typedef struct support_stepping {
    const ms_system *inner; /* linear; outlives the system */
    int only;               /* the one that steps itself; -1: all */
    ms_capabilities can;
    double fails_at;    /* steps that reach this time fail; 0: none does */
    const char *remark; /* OPTIONAL */
    /* What it has seen: */
    int components, steps, saves, restores;
} support_stepping;

/* All capabilities. */
extern const ms_capabilities support_stepping_all;

/* `stepping` outlives the system, and counts. */
ms_system *support_stepping_system(support_stepping *stepping);
