/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component.h - an exported subsystem behind the functions of an FMU, for any version of FMI: used by the binaries of exported
 * FMUs.
 *
 * It uses the engine's components (instance.h), in the same order as for a built-in subsystem, so that its results
 * have the same bits. A state (FMUState) is one flat block.
 *
 * Functions that return int give MS_OK, MS_STEP_REJECTED (this cannot be computed here; another step may), or a negative status,
 * with the message in ms_component_error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/status.h>

typedef struct ms_component ms_component;

/* From the folder of the resources; token: from the description. Errors: MS_INVALID (the token differs from that of the resources,
 * or as ms_export_settings_read), MS_UNSUPPORTED (no model exchange), MS_NO_MEMORY. */
int ms_component_create(const char *resources, const char *token, bool model_exchange,
                        ms_component **component, ms_error *error);
void ms_component_destroy(ms_component **component); /* NULL-safe */
const ms_error *ms_component_error(const ms_component *component);

/* Parameters, start values and inputs as they were at first; before its initialisation. */
int ms_component_reset(ms_component *component);
/* Between them inputs and outputs can be set and read. */
int ms_component_enter_initialisation(ms_component *component, double t);
int ms_component_exit_initialisation(ms_component *component);

/* Variables by value reference. Over a step inputs are held unless their derivatives are set before it; up to then their derivatives
 * are those at the end of the step before, which derivatives of outputs depend on. */
int ms_component_get(ms_component *component, size_t n, const unsigned *reference, double *value);
int ms_component_set(ms_component *component, size_t n, const unsigned *reference, const double *value);
int ms_component_directional_derivative(ms_component *component, size_t n_unknowns, const unsigned *unknown,
                                        size_t n_knowns, const unsigned *known, const double *seed,
                                        double *sensitivity);

/* Co-simulation. The derivative of that order (1 .. 4) of an input at the start of the coming step. */
int ms_component_set_input_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                       const int *order, const double *value);
/* Sets all inputs in the middle and at the end of the next step of length h: in between they are the parabola through these and
 * the present values; a straight line if these are collinear. */
int ms_component_fit_inputs(ms_component *component, double h, const double *middle, const double *end);
int ms_component_get_output_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                        const int *order, double *value);
int ms_component_step(ms_component *component, double t, double h);
/* What the inputs take between communication points: 0 held values, 1 straight lines, more. */
int ms_component_input_degree(const ms_component *component);
double ms_component_time(const ms_component *component);

/* Model exchange. x, dx (nx); r (n_indicators). */
int ms_component_n_states(const ms_component *component);
int ms_component_n_indicators(const ms_component *component);
int ms_component_n_inputs(const ms_component *component);
unsigned ms_component_first_input(const ms_component *component); /* its value reference */
int ms_component_set_time(ms_component *component, double t);
int ms_component_set_states(ms_component *component, const double *x);
int ms_component_get_states(ms_component *component, double *x);
int ms_component_derivatives(ms_component *component, double *dx);
int ms_component_indicators(ms_component *component, double *r);
/* After each micro-step: *event: it asks for event mode. */
int ms_component_completed_step(ms_component *component, bool *event);
/* Handles events at this time: indicators that have crossed zero since the last call, an announced time, a step event.
 * *next_time: the next announced time; INFINITY: none. */
int ms_component_handle_events(ms_component *component, bool *states_changed, double *next_time);

/* The state: this many bytes, copied. It includes parameters. */
size_t ms_component_state_size(const ms_component *component);
int ms_component_save(ms_component *component, void *state);
int ms_component_restore(ms_component *component, const void *state);
