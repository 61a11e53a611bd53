/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_model.h - models that a test writes down itself: as many lines as their structure has parts.
 *
 *     static const ms_subsystem parts[] = {
 *         SUPPORT_SUBSYSTEM("source", 1, 1, 1, .f = support_integrate, .g = support_first_state),
 *         SUPPORT_SUBSYSTEM("gain", 0, 1, 1, .matrices = gain_matrices)};
 *     static const ms_model model =
 *         SUPPORT_MODEL("driven", parts, support_ring, .stop_time = 1.0, .step_size = 0.1); */
#pragma once

#include <macrostep/model.h>

/* Names and the unit 1 of up to six variables of each kind: x1, x2, ..; u1, ..; y1, ..; w1, ..; z1, .. */
enum { SUPPORT_VARIABLES = 6 };
extern const ms_variable support_x[SUPPORT_VARIABLES], support_u[SUPPORT_VARIABLES],
    support_y[SUPPORT_VARIABLES], support_w[SUPPORT_VARIABLES], support_z[SUPPORT_VARIABLES];

/* A subsystem with these numbers of states, inputs and outputs, all named as above, and what follows. */
#define SUPPORT_SUBSYSTEM(called, states, inputs, outputs, ...)                                              \
    {                                                                                                        \
        .name = (called), .nx = (states), .nu = (inputs), .ny = (outputs), .x = support_x, .u = support_u,   \
        .y = support_y, .w = support_w, .z = support_z, __VA_ARGS__                                          \
    }

/* A model of n subsystems and a number of wires, with one case, and what follows: its times. */
#define SUPPORT_MODEL_OF(called, parts, n, connections, count, ...)                                          \
    {                                                                                                        \
        .name = (called), .summary = "-", .source = "-", .cases = support_case, .n_cases = 1,                \
        .subsystems = (parts), .n_subsystems = (n), .wires = (connections), .n_wires = (count), __VA_ARGS__  \
    }
/* One of all subsystems and wires of two arrays; one without wires. */
#define SUPPORT_MODEL(called, parts, connections, ...)                                                       \
    SUPPORT_MODEL_OF(called, parts, MS_COUNT(parts), connections, MS_COUNT(connections), __VA_ARGS__)
#define SUPPORT_UNCOUPLED(called, parts, ...)                                                                \
    SUPPORT_MODEL_OF(called, parts, MS_COUNT(parts), NULL, 0, __VA_ARGS__)
extern const ms_case support_case[1];

/* Two subsystems, each of which reads the other's first output. */
extern const ms_wire support_ring[2];
/* Of a subsystem whose outputs read no input. */
extern const bool support_no_feed_through[SUPPORT_VARIABLES * SUPPORT_VARIABLES];
/* 1 and zeros: start values. */
extern const double support_one[SUPPORT_VARIABLES];

/* f of a subsystem without states; x1' = u1; x1' = 1 up to x1 = 0.5, where f ends. */
int support_no_states(const ms_point *at, double *dx);
int support_integrate(const ms_point *at, double *dx);
int support_wall(const ms_point *at, double *dx);
/* The first output, or indicator, is the first state; it is the first input. */
int support_first_state(const ms_point *at, double *y);
int support_pass(const ms_point *at, double *y);
/* A time event, or a breakpoint, at 0.5 s. */
double support_at_half(double t, const double *z, const double *p, const void *data);
