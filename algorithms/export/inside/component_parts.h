/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component_parts.h - what a component consists of; for the files component*.c. */
#pragma once

#include <macrostep/instance.h>
#include "component.h"
#include "export_settings.h"

/* What of the state is neither x nor z nor the solver's. */
typedef struct ms_component_clock {
    double t;          /* [s] */
    double due;        /* the next announced time event, INFINITY: none */
    double degree;     /* the highest derivative of inputs that has been set */
    double moved;      /* not 0: inputs are at the end of a step, their derivatives are those there */
    double step_event; /* not 0: completed_step asked for event mode */
    bool initialised, initialising;
    bool consistent; /* algebraic variables, with the inputs */
} ms_component_clock;

struct ms_component {
    ms_export_settings settings;
    ms_system *base;
    ms_exported exported;
    unsigned first[MS_EXPORTED_GROUPS + 1]; /* of it, whatever the parameters */
    ms_instance *instance;
    ms_component_clock clock; /* it, the parameters and .. */
    double *block;            /* .. this (size) are the state: x, z, the solver's memory, inputs */
    size_t size;
    double *undo;   /* (size) the block where a step began, behind it */
    int nx;         /* number of states, also without a system */
    double *u;      /* (MS_INPUT_DEGREE + 1, nu): inputs, then their derivatives, in the block */
    double *y;      /* (ny) outputs, and behind them .. */
    double *dx, *r; /* (nx), (n_indicators) */
    double *dy[2];  /* (ny) derivatives of outputs */
    double *before; /* (nx + nz) before an event */
    int *crossed;   /* (n_indicators) */
    ms_blocks jacobian;
    double *memory;      /* owns y .. jacobian */
    double *p, *x0;      /* parameters; start values that were set, where .. */
    bool *x0_set;        /* .. they were (nx) */
    bool model_exchange; /* the master integrates it */
    bool stale;          /* parameters were set: the system has to be made anew */
    bool has_y, has_jacobian;
    ms_error error;
};

/* Makes the system of new parameters and start values, and consistent start values, where something was set. */
int ms_component_refresh(ms_component *component);

/* Something that outputs depend on has changed. */
static inline void ms_component_touch(ms_component *component)
{
    component->has_y = component->has_jacobian = false;
}

/* Inputs do not go on from the last step. */
void ms_component_hold_inputs(ms_component *component);

/* The present point of the component. */
ms_point ms_component_point(const ms_component *component);
