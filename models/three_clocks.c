/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three-clocks: a chain of a slow, a fast and a measuring subsystem that communicate at different times.
 *
 *     swell   x'' = -(2 pi/T)^2 x                        y = x    no inputs (NI)
 *     buoy    x'' = omega^2 (u - x) - 2 zeta omega x'    y = x    inputs and outputs (IO); takes held inputs
 *     meter   q'  = (u - q)/tau                                   no outputs (NO); imposes its step of 0.25 s
 *
 * The swell drives the buoy, whose displacement the meter smoothes [m]; no feed-through, no loop. The swell
 * can take long steps; the buoy, at rest below the first crest, needs short ones until its transient has died
 * out (1/(zeta omega) = 0.4 s); the meter reads at multiples of 0.25 s like a data logger. Synchronous
 * schemes must take the meter's step, and only those that hold inputs fit the buoy; F3ORNITS degrades the
 * buoy's inputs and, with the asynchronous scheduler, lets each have a separate clock.
 *
 * No energies are declared: that of the buoy's spring depends on the swell.
 *
 * Chosen here, all of it: T = 10 s, omega = 8 rad/s, zeta = 0.3, tau = 2 s; start swell x = 1 m, all else
 * zero; end 20 s. The step 0.25 s is the meter's. The topologies NI, NO, IO are those of Eguillon, Lacabanne,
 * Tromeur-Dervout (2022), Figure 2. */
#include <math.h>

#include <macrostep/model.h>

enum { PERIOD, FREQUENCY, DAMPING, SMOOTHING, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [PERIOD] = {"period", "s", "of the swell", 10.0, 0.0, INFINITY, true, false},
    [FREQUENCY] = {"omega", "rad/s", "of the undamped buoy", 8.0, 0.0, INFINITY, false, false},
    [DAMPING] = {"zeta", "1", "damping ratio of the buoy", 0.3, 0.0, INFINITY, false, false},
    [SMOOTHING] = {"tau", "s", "time constant of the meter", 2.0, 0.0, INFINITY, true, false},
};

static void swell_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    const double omega = 2.0 * 3.14159265358979323846 / p[PERIOD];
    m->A[1] = 1.0;
    m->A[2] = -omega * omega;
    m->C[0] = 1.0;
}

static void buoy_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    const double square = p[FREQUENCY] * p[FREQUENCY];
    m->A[1] = 1.0;
    m->A[2] = -square;
    m->A[3] = -2.0 * p[DAMPING] * p[FREQUENCY];
    m->B[1] = square;
    m->C[0] = 1.0;
}

static void meter_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = -1.0 / p[SMOOTHING];
    m->B[0] = 1.0 / p[SMOOTHING];
}

static const ms_variable motion[] = {{"x", "m"}, {"v", "m/s"}}, reading[] = {{"q", "m"}};
static const double crest[] = {1.0, 0.0};

static const ms_subsystem subsystems[] = {
    {.name = "swell", .nx = 2, .ny = 1, .x = motion, .y = motion, .x0 = crest, .matrices = swell_matrices},
    {.name = "buoy", .nx = 2, .nu = 1, .ny = 1, .x = motion, .u = motion, .y = motion,
     .matrices = buoy_matrices, .input_limit = MS_INPUTS_HELD},
    {.name = "meter", .nx = 1, .nu = 1, .x = reading, .u = motion, .matrices = meter_matrices,
     .imposed_step = 0.25},
};

static const ms_wire wires[] = {
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 2, .input = 0, .from = 1, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "a step of 0.25 s is imposed", .source = "chosen here"},
};

const ms_model ms_model_three_clocks = {
    .name = "three-clocks",
    .summary = "a slow, a fast and a measuring subsystem: one takes held inputs, one imposes its step",
    .source = "chosen here; topologies of Eguillon, Lacabanne, Tromeur-Dervout (2022), Figure 2",
    MS_MODEL_LISTS,
    .stop_time = 20.0, .step_size = 0.25,
};
