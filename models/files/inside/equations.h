/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations.h - what a subsystem by equations carries as its data, and its functions. */
#pragma once

#include "file_model.h"
#include "switches.h"

enum { MS_EVENT_BOTH = 0, MS_EVENT_RISE = 1, MS_EVENT_FALL = -1 }; /* directions */

typedef struct ms_file_event {
    int direction;
    int n;                      /* what changes, ... */
    int *target;                /* ... (n) a state, or nx plus a discrete variable */
    const ms_expressions *then; /* (n) */
} ms_file_event;

enum { MS_EVENT_TARGETS_MAX = 64 };

typedef struct ms_equations_data {
    ms_file_data common;
    const ms_expressions *derivatives, *outputs, *indicators;
    ms_watched watched;
    const ms_file_event *event; /* (n_indicators of the subsystem) */
    int nx, n_events;
    int ny, nu, nw;
    bool *carried; /* (ny) outputs that wires or ports carry, which are numbers */
} ms_equations_data;

/* Notes which outputs are carried, of all subsystems by equations: the others need not be finite. */
void ms_equations_mark_carried(const ms_structure *structure);

/* The functions of a subsystem whose equations are read, with matrices where they are linear. */
void ms_equations_give_functions(const ms_equations_data *data, ms_subsystem *sub);
