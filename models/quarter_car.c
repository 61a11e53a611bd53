/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quarter-car: chassis and wheel on a step of the road, coupled by position and velocity.
 *
 *     chassis   mc xc'' = kc (xw - xc) + dc (xw' - xc')
 *     wheel     mw xw'' = kw (road - xw) - kc (xw - xc) - dc (xw' - xc')
 *     y = (x, x') of each, the other's input; no feed-through
 *
 * The height of the road [m] is a constant external input of the wheel.
 *
 * No energies are declared: that of the suspension depends on the states of both subsystems.
 *
 * Source: Andersson (2016), 9.3.2, (9.11)-(9.12).
 * Misprint: (9.11b) has + kc (xw - xc) + dc (xw' - xc'), which makes the wheel unstable. Parameter
 * printed_signs is 0 with the signs above (case `physical`) and 1 as printed (case `as-printed`).
 * Not printed, chosen here: zero start values, end 1 s, step 0.001 s. */
#include <math.h>

#include "model.h"

enum { MC, MW, KC, KW, DC, ROAD, PRINTED_SIGNS, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [MC] = {"mc", "kg", "mass of the chassis", 400.0, 0.0, INFINITY, true, false},
    [MW] = {"mw", "kg", "mass of the wheel", 40.0, 0.0, INFINITY, true, false},
    [KC] = {"kc", "N/m", "stiffness of the suspension", 15000.0, 0.0, INFINITY, false, false},
    [KW] = {"kw", "N/m", "stiffness of the tyre", 150000.0, 0.0, INFINITY, false, false},
    [DC] = {"dc", "N s/m", "damping of the suspension", 1000.0, 0.0, INFINITY, false, false},
    [ROAD] = {"road", "m", "height of the road", 0.1, -INFINITY, INFINITY, false, false},
    [PRINTED_SIGNS] = {"printed_signs", "1", "0: physical signs of the coupling forces, 1: as printed", 0.0,
                       0.0, 1.0, false, true},
};

static void chassis_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[1] = 1.0;
    m->A[2] = -p[KC] / p[MC];
    m->A[3] = -p[DC] / p[MC];
    m->B[2] = p[KC] / p[MC];
    m->B[3] = p[DC] / p[MC];
    m->C[0] = m->C[3] = 1.0;
}

static void wheel_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    const double sign = p[PRINTED_SIGNS] != 0.0 ? 1.0 : -1.0;
    m->A[1] = 1.0;
    m->A[2] = (sign * p[KC] - p[KW]) / p[MW];
    m->A[3] = sign * p[DC] / p[MW];
    m->B[2] = -sign * p[KC] / p[MW];
    m->B[3] = -sign * p[DC] / p[MW];
    m->C[0] = m->C[3] = 1.0;
    m->E[1] = p[KW] / p[MW];
}

static void road(double t, const double *p, const void *data, double *w)
{
    (void)t;
    (void)data;
    w[0] = p[ROAD];
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable height[] = {{"road", "m"}};

static const ms_subsystem subsystems[] = {
    {.name = "chassis", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = states, .y = states,
     .matrices = chassis_matrices},
    {.name = "wheel", .nx = 2, .nu = 2, .ny = 2, .nw = 1, .x = states, .u = states, .y = states, .w = height,
     .matrices = wheel_matrices, .external = road, .external_constant = true},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_setting physical[] = {{"printed_signs", 0.0}};
static const ms_setting as_printed[] = {{"printed_signs", 1.0}};

static const ms_case cases[] = {
    {.name = "physical", .summary = "forces on the wheel with their physical signs",
     .source = "(9.11)-(9.12)", .settings = physical, .n_settings = MS_COUNT(physical)},
    {.name = "as-printed", .summary = "forces on the wheel with the printed signs",
     .source = "(9.11b)", .settings = as_printed, .n_settings = MS_COUNT(as_printed)},
};

const ms_model ms_model_quarter_car = {
    .name = "quarter-car",
    .summary = "chassis and wheel on a step of the road",
    .source = "Andersson (2016), 9.3.2, (9.11)-(9.12)",
    .parameters = parameters, .n_parameters = N_PARAMETERS,
    .cases = cases, .n_cases = MS_COUNT(cases),
    .subsystems = subsystems, .n_subsystems = MS_COUNT(subsystems),
    .wires = wires, .n_wires = MS_COUNT(wires),
    .stop_time = 1.0, .step_size = 0.001,
};
