/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_tlm.c - `tlm`: transmission lines instead of springs between two ports that take forces.
 *
 * A lossless line of delay T and impedance Z joins ports 1 and 2 of a line of the system. F_i is the force of the line on the
 * subsystem, v_i its velocity, c_i the wave that arrives at end i, a_i the one that leaves it:
 *
 *     F_1 = c_1 - Z v_1,   c_1(t) = a_2(t - T),   a_2 = -F_2 + Z v_2 = -c_2 + 2 Z v_2,      and 1 and 2 exchanged.
 *
 * c is known from the past: nothing is extrapolated, and macro-steps may be as long as T. -Z v acts inside the subsystem, at every
 * evaluation of its right-hand side (a law of feedback, input_law.h), so that linear subsystems stay linear. Waves are sampled at
 * communication points and are linear between them. Damping alpha: c(t) = (1 - alpha) a(t - T) + alpha a(t - 3/2 T).
 *
 * To replace a spring of stiffness k, the defaults are T = H and Z = k T. For any T, Z and motion
 *
 *     (F_1 - F_2)/2 at t - the same at t - T = k T ((v_2 - v_1)(t) + (v_2 - v_1)(t - T))/2          the spring, by the trapezoidal rule
 *     (F_1 + F_2)/2 at t + the same at t - T = -k T ((v_1 + v_2)(t) - (v_1 + v_2)(t - T))/2       an inertia of k T^2
 *
 * with k = Z/T. Before the first waves arrive, c_1 is -F_2 + Z v_2 of the start with the spring's force (`spring`), Z v_1 of the
 * start so that there is no force (`zero-force`), or 0 (`zero-wave`); the waves sent at the start follow from these.
 *
 * The element of a line, which is the spring in other schemes, is integrated too: its inputs are linear between the velocities (and other
 * values read) at both ends of the macro-step, its outputs are not used. The coupling residual compares its force with those of the line.
 *
 * Energy: the line holds 1/(4 Z) int_{t-T}^t (a_1^2 + a_2^2), and interpolation takes 1/(4 Z) int (a(t - T)^2 - c^2) at each end.
 *
 * Order of convergence to the spring: 2 with `spring`, otherwise 1 if the spring is relaxed at the start (if not, its initial force is lost
 * permanently), with default T and Z. No macro-step was unstable in 600 random networks of passive subsystems solved exactly, with H from
 * 1/100 to 100 over the largest frequency; a sampled line is not passive at each moment, so that there is no proof.
 *
 * Capabilities: inputs of degree 1. Velocities of ends do not depend directly on their forces. Every connected input belongs to a line or
 * an element: other wires would be held and reduce the order. Macro-steps are equal except the last one.
 *
 * Source: Auslander, J. Basic Eng. 90 (1968) 237-242, for the line; Fritzson, Nakhimovski and others for the plug-in interface of
 * the OMSimulator project, whose start is `zero-force` or `zero-wave`.
 *
 * Departures: the spring's force at the start, linear interpolation at all times, and that the newest wave is used if it arrives at the end
 * of a macro-step. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <macrostep/cosim_start.h>
#include "line_ends.h"

/* Waves that were sent at communication points, and what of them arrives a delay later, linear between the points.
 *
 * Waves of n ends stand newest first, wave[k n + e] that of end e at the k-th last point, with ages[k], what has passed since then,
 * ascending from ages[0] = 0. Before the start waves were constant: between two points of which neither lies behind the start
 * the older one is held. */

/* Two delays, of which the second is there where waves are damped, have at most this many points within a macro-step, and one
 * piece more. */
enum { DELAYS_MAX = 2, DELAY_PIECES = DELAYS_MAX + 1, DELAY_POINTS_MAX = 200000 };

typedef struct delay_line {
    int n, points;
    const double *ages; /* (points) [s] */
    const double *wave; /* (points x n) */
    double since;       /* the start [s] */
} delay_line;

/* What is round-off, of a macro-step or of an age. */
static const double TINY = 1e-9;

/* How many points a delay needs where all macro-steps are `step` long, DELAY_POINTS_MAX at most. */
static int delay_points(double delay, double step)
{
    return (int)fmin(ceil(delay / step - TINY), DELAY_POINTS_MAX) + 1;
}

/* One more border, in its place, unless it is there. Returns how many there are. */
static int insert(double *end, int n, double border, double h)
{
    int k = n;
    for (int i = 0; i < n; i++)
        if (fabs(end[i] - border) <= TINY * h)
            return n;
    for (; k > 0 && end[k - 1] > border; k--)
        end[k] = end[k - 1];
    end[k] = border;
    return n + 1;
}

/* Ends of the pieces of a macro-step of length h, of each of which no point arrives inside: delays [s] (n_delays), end
 * (DELAY_PIECES). Points that arrive by round-off at its ends are there. Returns how many pieces. */
static int delay_pieces(const delay_line *line, int n_delays, const double *delays, double h, double *end)
{
    int n = 0;
    for (int d = 0; d < n_delays; d++)
        for (int k = 0; k < line->points; k++) {
            const double at = delays[d] - line->ages[k];
            if (at > TINY * h && at < h * (1.0 - TINY) && n < DELAY_PIECES - 1)
                n = insert(end, n, at, h);
        }
    end[n] = h;
    return n + 1;
}

/* The point of those two between which the age lies that is the newer one. */
static int find(const delay_line *line, double age)
{
    int k = 0;
    while (k < line->points - 2 && line->ages[k + 1] < age)
        k++;
    return k;
}

/* value[0] + value[1] (s - begin) is what of end e arrives at s after the start of the macro-step, for begin <= s <= end, a piece
 * of delay_pieces. */
static void delay_arriving(const delay_line *line, int e, double delay, double begin, double end,
                           double value[2])
{
    const int k = find(line, delay - 0.5 * (begin + end)), n = line->n;
    const double age = line->ages[k], newer = line->wave[k * n + e], older = line->wave[(k + 1) * n + e];
    const double slope = (newer - older) / (line->ages[k + 1] - age);
    const bool held = age >= line->since * (1.0 - TINY);
    value[0] = held ? older : newer - slope * (delay - begin - age);
    value[1] = held ? 0.0 : slope;
}

/* A macro-step of length h is over: all points are older by h, the oldest goes, and wave[0 .. n-1] is free for the new one. */
static void delay_shift(int n, int points, double h, double *ages, double *wave)
{
    memmove(ages + 1, ages, sizeof *ages * (size_t)(points - 1));
    for (int k = 1; k < points; k++)
        ages[k] += h;
    memmove(wave + n, wave, sizeof *wave * (size_t)(n * (points - 1)));
}

typedef struct tlm_data {
    ms_line_ends ends;
    int points;       /* of the waves */
    double *wave;     /* (points x ends): in the scheme's memory */
    double *ages;     /* (points), and the time since the start: in aux */
    double *arriving; /* (2 x ends) */
} tlm_data;

/* The mathematics ---------------------------------------------------------------------------------------- */

static double delay_of(const ms_variant *variant)
{
    return variant->lines.delay > 0.0 ? variant->lines.delay : variant->step_size;
}

static double impedance_of(const ms_line *line, const ms_variant *variant)
{
    return variant->lines.impedance > 0.0 ? variant->lines.impedance : line->stiffness * delay_of(variant);
}

/* The delays that waves are read with. Returns how many. */
static int delays_of(const ms_variant *variant, double delays[DELAYS_MAX])
{
    delays[0] = delay_of(variant);
    delays[1] = 1.5 * delays[0];
    return variant->lines.wave_damping > 0.0 ? 2 : 1;
}

static int points_of(const ms_variant *variant)
{
    double delays[DELAYS_MAX];
    const int n = delays_of(variant, delays);
    return delay_points(delays[n - 1], variant->step_size);
}

static int tlm_feedback(const ms_system *system, const ms_variant *variant, int i, ms_input_law *law)
{
    return ms_line_feedback(system, variant, i, impedance_of, law);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

/* What arrives at all ends in the piece from begin to end: values, then slopes. */
static void receive(const ms_cosim *cosim, const delay_line *line, double begin, double end, double *c)
{
    const double damping = cosim->variant.lines.wave_damping;
    double delays[DELAYS_MAX];
    const int n = delays_of(&cosim->variant, delays);
    for (int e = 0; e < line->n; e++) {
        double value[DELAYS_MAX][2] = {{0.0}};
        const int other = e % 2 == 0 ? e + 1 : e - 1;
        for (int d = 0; d < n; d++)
            delay_arriving(line, other, delays[d], begin, end, value[d]);
        for (int k = 0; k < 2; k++)
            c[k * line->n + e] = n == 1 ? value[0][k] : (1.0 - damping) * value[0][k] + damping * value[1][k];
    }
}

/* Waves arriving at all ends, in pieces. */
static void prepare(const ms_cosim *cosim, const tlm_data *data, double h)
{
    const int ends = data->ends.n;
    const delay_line line = {ends, data->points, data->ages, data->wave, data->ages[data->points]};
    double delays[DELAYS_MAX], end[DELAY_PIECES];
    const int n = delays_of(&cosim->variant, delays), pieces = delay_pieces(&line, n, delays, h, end);
    ms_line_ends_clear(cosim, &data->ends, pieces, end);
    for (int q = 0; q < pieces; q++) {
        receive(cosim, &line, q == 0 ? 0.0 : end[q - 1], end[q], data->arriving);
        for (int e = 0; e < ends; e++)
            ms_line_ends_give(cosim, e, q, data->arriving[e], data->arriving[ends + e]);
    }
}

/* a = -F + Z v of all ends at the end of the macro-step. */
static void send(const ms_cosim *cosim, const tlm_data *data, double h)
{
    delay_shift(data->ends.n, data->points, h, data->ages, data->wave);
    data->ages[0] = 0.0;
    data->ages[data->points] += h;
    for (int e = 0; e < data->ends.n; e++)
        data->wave[e] = impedance_of(&cosim->system->line[e / 2], &cosim->variant) *
                            ms_line_ends_velocity(cosim, cosim->y_raw, e) -
                        ms_line_ends_force(cosim, cosim->u_left, e);
}

static int tlm_step(ms_cosim *cosim, double t, double h)
{
    const tlm_data *data = cosim->scheme_data;
    prepare(cosim, data, h);
    MS_TRY(ms_line_ends_advance(cosim, &data->ends, t, h));
    send(cosim, data, h);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    return MS_OK;
}

/* The start ---------------------------------------------------------------------------------------------- */

/* The waves of the start at age 0, waves arriving before them at all other ages; u: inputs at the start (nu). */
static void fill(const ms_cosim *cosim, tlm_data *data, const double *u)
{
    const ms_wave_start start = cosim->variant.lines.wave_start;
    const int ends = data->ends.n;
    for (int e = 0; e < ends; e++) {
        const double Z = impedance_of(&cosim->system->line[e / 2], &cosim->variant);
        const double here = Z * ms_line_ends_velocity(cosim, cosim->y, e),
                     there = Z * ms_line_ends_velocity(cosim, cosim->y, e % 2 == 0 ? e + 1 : e - 1);
        const double spring = here - ms_line_ends_force(cosim, u, e);
        const double now[] = {spring, here, 2.0 * here}, before[] = {spring, there, 0.0};
        data->wave[e] = now[start];
        for (int k = 1; k < data->points; k++) /* the wave sent by e arrives at the other end */
            data->wave[k * ends + e] = before[start];
    }
    for (int k = 0; k < data->points; k++)
        data->ages[k] = k * cosim->variant.step_size;
    data->ages[data->points] = start == MS_WAVES_SPRING ? INFINITY : 0.0;
}

static int tlm_start(ms_cosim *cosim)
{
    tlm_data *data = cosim->scheme_data;
    MS_TRY(ms_cosim_start_outputs(cosim, cosim->variant.start_time, data->ends.u));
    fill(cosim, data, data->ends.u);
    return MS_OK;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void tlm_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const int points = points_of(&cosim->variant);
    *lin = cosim->system->ny + 2 * cosim->system->n_lines * points;
    *aux = points + 1;
}

static ms_input_room tlm_room(const ms_variant *variant)
{
    (void)variant;
    return (ms_input_room){.pieces = DELAY_PIECES, .degree = 1};
}

static int check_variant(const ms_cosim *cosim, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const double delay = delay_of(o);
    if (delay < o->step_size * (1.0 - 1e-9))
        return ms_fail(
            error, MS_INVALID,
            "`delay` %g: must be at least the macro-step of %g s, so that no wave has to be extrapolated",
            delay, o->step_size);
    if (delay > 1e5 * o->step_size)
        return ms_fail(error, MS_INVALID, "`delay` %g: must be at most 100000 macro-steps of %g s", delay,
                       o->step_size);
    if (o->at_time_events == MS_TIME_EVENTS_COMMUNICATE)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`at-time-events` communicate: scheme tlm samples its waves at equal macro-steps");
    return MS_OK;
}

static int tlm_create(ms_cosim *cosim, ms_error *error)
{
    tlm_data *data = cosim->scheme_data;
    data->arriving = ms_cosim_alloc(cosim, 4 * (size_t)cosim->system->n_lines, sizeof(double));
    MS_TRY_MEMORY(data->arriving);
    data->points = points_of(&cosim->variant);
    data->wave = cosim->y + cosim->system->ny;
    data->ages = cosim->scheme_aux;
    cosim->reading = MS_READING_LAWS;
    const int status = ms_line_ends_create(cosim, &data->ends, error);
    return status == MS_OK ? check_variant(cosim, error) : status;
}

static int tlm_order(const ms_variant *variant)
{
    return variant->lines.wave_start == MS_WAVES_SPRING ? 2 : 1;
}

static const ms_modelled claims[] = {{"scheme", "tlm"},
                                     {"wave-start", "spring zero-force zero-wave"},
                                     {"start", NULL},
                                     {"initial-inputs", "consistent"},
                                     {"output-derivatives", NULL},
                                     MS_CLAIMS_OF_ANY_SOLVER,
                                     {NULL, NULL}};

const ms_scheme ms_scheme_tlm = {.name = "tlm",
                                 .summary = "delay lines in place of springs between ports that take forces",
                                 .source = "Auslander 1968",
                                 .form = MS_FORM_DELAYED,
                                 .knows = (const ms_option_id[]){MS_OPTION_DELAY, MS_OPTION_IMPEDANCE,
                                                                 MS_OPTION_WAVE_DAMPING, MS_OPTION_WAVE_START,
                                                                 MS_OPTIONS},
                                 .memory = tlm_memory,
                                 .feedback = tlm_feedback,
                                 .room = tlm_room,
                                 .data = sizeof(tlm_data),
                                 .create = tlm_create,
                                 .start = tlm_start,
                                 .step = tlm_step,
                                 .order = tlm_order,
                                 .claims = claims};
