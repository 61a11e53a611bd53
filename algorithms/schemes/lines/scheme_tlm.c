/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_tlm.c - `tlm`: transmission lines in place of the springs between two ports that take forces.
 *
 * A lossless line of delay T and impedance Z joins ports 1 and 2 of a line of the system. F_i is the force of the line on the
 * subsystem, v_i its velocity, c_i the wave that arrives at end i, a_i the one that leaves it:
 *
 *     F_1 = c_1 - Z v_1,   c_1(t) = a_2(t - T),   a_2 = -F_2 + Z v_2 = -c_2 + 2 Z v_2,      and 1 and 2 exchanged.
 *
 * c is data of the past: nothing is extrapolated, and macro-steps may be as long as T. -Z v answers inside the subsystem, at every
 * evaluation of its right-hand side (a law of feedback, input_law.h), so that linear subsystems stay linear. Waves are sampled at
 * communication points and are linear between them. Damping alpha: c(t) = (1 - alpha) a(t - T) + alpha a(t - 3/2 T).
 *
 * In place of a spring of stiffness k: T = H and Z = k T, what is not given. For any T, Z and motion
 *
 *     (F_1 - F_2)/2 at t - the same at t - T = k T ((v_2 - v_1)(t) + (v_2 - v_1)(t - T))/2          the spring, by the trapezoidal rule
 *     (F_1 + F_2)/2 at t + the same at t - T = -k T ((v_1 + v_2)(t) - (v_1 + v_2)(t - T))/2       an inertia of k T^2
 *
 * with k = Z/T. Before the first waves arrive, c_1 is -F_2 + Z v_2 of the start with the spring's force (`spring`), Z v_1 of the
 * start so that there is no force (`zero-force`), or 0 (`zero-wave`); the waves sent at the start follow from these.
 *
 * The element of a line, which stands for the spring in other schemes, goes along: its inputs are lines through the velocities
 * (and what else it reads) at both ends of the macro-step, nothing comes back from it. What the coupling residual shows is its
 * force against those of the line.
 *
 * Energy: the line holds 1/(4 Z) int_{t-T}^t (a_1^2 + a_2^2), and interpolation takes 1/(4 Z) int (a(t - T)^2 - c^2) at each end.
 *
 * Order of convergence against the spring: 2 with `spring`, else 1 where the spring is relaxed at the start (its force at the start is
 * lost for good where it is not), T and Z not given. No macro-step was unstable in 6000 random networks of passive subsystems that are solved
 * exactly, with H from 1/100 to 100 over the largest frequency; a line that is sampled is not passive at each moment, so that there is no
 * proof of it here.
 *
 * Capabilities: inputs of degree 1. Velocities of ends do not depend directly on their forces. Every input that is wired belongs to
 * a line or an element: other wires would be held, and spoil the order. Macro-steps are equal, but for the last one.
 *
 * Source: Auslander, J. Basic Eng. 90 (1968) 237-242, for the line; Fritzson, Nakhimovski and others for the plug-in interface of
 * the OMSimulator project, whose start is `zero-force` or `zero-wave`. Chosen here: the spring's force at the start, linear interpolation at
 * all times, and that the newest wave is read where it arrives at the end of a macro-step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "delay_line.h"
#include "execution.h"
#include "options.h"

typedef struct tlm_data {
    int ends, points;     /* 2 n_lines; of the waves */
    double *wave;         /* (points x ends): in the scheme's memory */
    double *ages;         /* (points), and the time since the start: in aux */
    double *arriving;     /* (pieces x 2 x ends) */
    double *u, *u_next;   /* (nu): at the start and end of a macro-step */
    bool *element, *body; /* (n): who is one, and who is none */
} tlm_data;

/* The mathematics ---------------------------------------------------------------------------------------- */

static double delay_of(const ms_variant *variant)
{
    return variant->delay > 0.0 ? variant->delay : variant->step_size;
}

static double impedance_of(const ms_line *line, const ms_variant *variant)
{
    return variant->impedance > 0.0 ? variant->impedance : line->stiffness * delay_of(variant);
}

/* The delays that waves are read with. Returns how many. */
static int delays_of(const ms_variant *variant, double delays[MS_DELAYS_MAX])
{
    delays[0] = delay_of(variant);
    delays[1] = 1.5 * delays[0];
    return variant->wave_damping > 0.0 ? 2 : 1;
}

static int points_of(const ms_variant *variant)
{
    double delays[MS_DELAYS_MAX];
    const int n = delays_of(variant, delays);
    return ms_delay_points(delays[n - 1], variant->step_size);
}

/* u = F/gain: F = c - Z v is u = c/gain - (Z/gain) v. */
static int tlm_feedback(const ms_system *system, const ms_variant *variant, int i, ms_input_law *law)
{
    int n = 0;
    for (int l = 0; l < system->n_lines; l++)
        for (int k = 0; k < 2 && n < MS_INPUT_LAWS; k++) {
            const ms_line *line = &system->line[l];
            const ms_port *port = ms_system_line_port(system, line, k);
            if (line->subsystem[k] == i)
                law[n++] = (ms_input_law){.active = true,
                                          .feeds_back = true,
                                          .input = port->input,
                                          .output = port->output,
                                          .feedback = -impedance_of(line, variant) / port->gain};
        }
    return n;
}

/* A macro-step ------------------------------------------------------------------------------------------- */

static double velocity(const ms_cosim *cosim, const double *y, int end)
{
    const ms_system *s = cosim->system;
    const ms_line *line = &s->line[end / 2];
    return y[s->y_at[line->subsystem[end % 2]] + ms_system_line_port(s, line, end % 2)->output];
}

/* What arrives at all ends in the piece from begin to end: values, then slopes. */
static void receive(const ms_cosim *cosim, const ms_delay_line *line, double begin, double end, double *c)
{
    const double damping = cosim->variant.wave_damping;
    double delays[MS_DELAYS_MAX];
    const int n = delays_of(&cosim->variant, delays);
    for (int e = 0; e < line->n; e++) {
        double value[MS_DELAYS_MAX][2] = {{0.0}};
        const int other = e % 2 == 0 ? e + 1 : e - 1;
        for (int d = 0; d < n; d++)
            ms_delay_arriving(line, other, delays[d], begin, end, value[d]);
        for (int k = 0; k < 2; k++)
            c[k * line->n + e] = n == 1 ? value[0][k] : (1.0 - damping) * value[0][k] + damping * value[1][k];
    }
}

/* The polynomials c/gain of all ends, in pieces. */
static void prepare(const ms_cosim *cosim, const tlm_data *data, double h)
{
    const ms_system *s = cosim->system;
    const ms_delay_line line = {data->ends, data->points, data->ages, data->wave, data->ages[data->points]};
    double delays[MS_DELAYS_MAX], end[MS_DELAY_PIECES];
    const int n = delays_of(&cosim->variant, delays), pieces = ms_delay_pieces(&line, n, delays, h, end);
    for (int q = 0; q < pieces; q++)
        receive(cosim, &line, q == 0 ? 0.0 : end[q - 1], end[q], data->arriving + 2 * q * data->ends);
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        if (!data->body[i])
            continue;
        input->pieces = pieces;
        input->degree = 1;
        memcpy(input->end, end, sizeof *end * (size_t)pieces);
        memset(input->c, 0, sizeof(double) * (size_t)ms_input_size(input));
    }
    for (int e = 0; e < data->ends; e++) {
        const ms_line *of = &s->line[e / 2];
        const ms_port *port = ms_system_line_port(s, of, e % 2);
        for (int q = 0; q < pieces; q++)
            for (int k = 0; k < 2; k++)
                ms_input_coefficients(&cosim->instance[of->subsystem[e % 2]]->input, q, k)[port->input] =
                    data->arriving[(2 * q + k) * data->ends + e] / port->gain;
    }
}

/* Lines from what elements read at the start of the macro-step to what they read at its end. */
static void prepare_elements(const ms_cosim *cosim, const tlm_data *data, double h)
{
    const ms_system *s = cosim->system;
    ms_system_couple(s, cosim->y, data->u);
    ms_system_couple(s, cosim->y_raw, data->u_next);
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        if (!data->element[i])
            continue;
        input->pieces = 1;
        input->degree = 1;
        input->end[0] = h;
        for (int k = 0; k < input->n; k++) {
            const double u = data->u[s->u_at[i] + k];
            ms_input_coefficients(input, 0, 0)[k] = u;
            ms_input_coefficients(input, 0, 1)[k] = (data->u_next[s->u_at[i] + k] - u) / h;
        }
    }
}

/* a = -c + 2 Z v of all ends at the end of the macro-step, of which c was the last piece. */
static void send(const ms_cosim *cosim, const tlm_data *data, double h)
{
    const ms_system *s = cosim->system;
    ms_delay_shift(data->ends, data->points, h, data->ages, data->wave);
    data->ages[0] = 0.0;
    data->ages[data->points] += h;
    for (int e = 0; e < data->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const int i = line->subsystem[e % 2];
        const ms_port *port = ms_system_line_port(s, line, e % 2);
        const ms_input *input = &cosim->instance[i]->input;
        const int last = input->pieces - 1;
        const double behind = input->end[last] - ms_input_begin(input, last);
        const double c = port->gain * (ms_input_coefficients(input, last, 0)[port->input] +
                                       ms_input_coefficients(input, last, 1)[port->input] * behind);
        data->wave[e] = -c + 2.0 * impedance_of(line, &cosim->variant) * velocity(cosim, cosim->y_raw, e);
    }
}

static int tlm_step(ms_cosim *cosim, double t, double h)
{
    const tlm_data *data = cosim->scheme_data;
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++) {
        cosim->instance[i]->t = t;
        cosim->instance[i]->h = h;
    }
    prepare(cosim, data, h);
    int status = ms_execution_advance_some(cosim, data->body, NULL);
    if (status != MS_OK)
        return status;
    prepare_elements(cosim, data, h);
    status = ms_execution_advance_some(cosim, data->element, NULL);
    if (status != MS_OK)
        return status;
    cosim->integrations += s->n;
    send(cosim, data, h);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)s->ny);
    return MS_OK;
}

/* The start ---------------------------------------------------------------------------------------------- */

/* The waves of the start at age 0, what arrives before them at all other ages; force: the spring's on each end (by its input). */
static void fill(const ms_cosim *cosim, tlm_data *data, const double *u)
{
    const ms_system *s = cosim->system;
    const ms_wave_start start = cosim->variant.wave_start;
    for (int e = 0; e < data->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const ms_port *port = ms_system_line_port(s, line, e % 2);
        const int other = e % 2 == 0 ? e + 1 : e - 1;
        const double Zv = impedance_of(line, &cosim->variant) * velocity(cosim, cosim->y, e),
                     there = impedance_of(line, &cosim->variant) * velocity(cosim, cosim->y, other);
        const double force = port->gain * u[s->u_at[line->subsystem[e % 2]] + port->input];
        const double spring = -force + Zv;
        data->wave[e] = start == MS_WAVES_SPRING ? spring : start == MS_WAVES_ZERO_FORCE ? Zv : 2.0 * Zv;
        for (int k = 1; k < data->points; k++) /* sent by e is what arrives at the other end */
            data->wave[k * data->ends + e] = start == MS_WAVES_SPRING       ? spring
                                             : start == MS_WAVES_ZERO_FORCE ? there
                                                                            : 0.0;
    }
    for (int k = 0; k < data->points; k++)
        data->ages[k] = k * cosim->variant.step_size;
    data->ages[data->points] = start == MS_WAVES_SPRING ? INFINITY : 0.0;
}

static int tlm_start(ms_cosim *cosim)
{
    tlm_data *data = cosim->scheme_data;
    const double t = cosim->variant.start_time;
    const int status = cosim->variant.initial_inputs != MS_INITIAL_CONSISTENT
                           ? ms_cosim_start_inconsistent(cosim, t, data->u, cosim->y)
                           : ms_cosim_start_loop(cosim, t, cosim->y, data->u);
    if (status == MS_OK)
        fill(cosim, data, data->u);
    return status;
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
    return (ms_input_room){.pieces = MS_DELAY_PIECES, .degree = 1};
}

static int check_variant(const ms_cosim *cosim, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const ms_system *s = cosim->system;
    if (s->n_lines == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "model %s %s: `scheme` tlm needs lines, springs without a damper between two ports "
                       "that take forces, "
                       "as lim-oscillator has one in its case force-force",
                       s->model->name,
                       s->n_bonds > 0 ? "has bonds of forces with velocities and no line" : "has no ports");
    if (delay_of(o) < o->step_size * (1.0 - 1e-9))
        return ms_fail(
            error, MS_INVALID,
            "`delay` %g: must be at least the macro-step of %g s, so that no wave has to be extrapolated",
            delay_of(o), o->step_size);
    if (delay_of(o) > 1e5 * o->step_size)
        return ms_fail(error, MS_INVALID, "`delay` %g: must be at most 100000 macro-steps of %g s",
                       delay_of(o), o->step_size);
    if (o->at_time_events == MS_TIME_EVENTS_COMMUNICATE)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`at-time-events` communicate: scheme tlm samples its waves at equal macro-steps");
    return ms_cosim_check_imposed_steps(cosim, error);
}

/* Does the output of an end answer directly to the force of one? */
static bool answers_directly(const ms_instance *instance, int *output)
{
    for (int a = 0; a < instance->n_laws; a++)
        for (int b = 0; b < instance->n_laws; b++)
            if (ms_subsystem_feeds_through(instance->system, instance->index, instance->law[a].output,
                                           instance->law[b].input)) {
                *output = instance->law[a].output;
                return true;
            }
    return false;
}

static int check_body(const ms_instance *instance, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const ms_system *s = instance->system;
    int output = 0;
    for (int k = 0; k < sub->nu; k++) {
        bool lined = false;
        for (int a = 0; a < instance->n_laws; a++)
            lined = lined || instance->law[a].input == k;
        if (!lined && s->row_at[s->u_at[instance->index] + k + 1] > s->row_at[s->u_at[instance->index] + k])
            return ms_fail(
                error, MS_UNSUPPORTED,
                "input %s of subsystem %s belongs to no line (or the subsystem has more than %d): `scheme` "
                "tlm would have to hold it",
                sub->u[k].name, sub->name, (int)MS_INPUT_LAWS);
    }
    if (instance->n_laws > 0 && (sub->stepper != NULL || sub->uses_du))
        return ms_fail(
            error, MS_UNSUPPORTED,
            "subsystem %s %s: at the end of a line the force answers to the velocity inside a step",
            sub->name, sub->stepper != NULL ? "brings its own solver" : "reads slopes of its inputs");
    if (answers_directly(instance, &output))
        return ms_fail(error, MS_UNSUPPORTED,
                       "output %s of subsystem %s answers directly to the force of a line, which `scheme` "
                       "tlm takes from it",
                       sub->y[output].name, sub->name);
    return MS_OK;
}

/* An element reads what bodies give. */
static int check_element(const ms_cosim *cosim, const tlm_data *data, int i, ms_error *error)
{
    const ms_system *s = cosim->system;
    for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++)
        if (data->element[ms_system_owner(s, s->wire_output[w])])
            return ms_fail(error, MS_UNSUPPORTED,
                           "line %s reads what another line gives: `scheme` tlm takes lines between bodies",
                           s->sub[i].name);
    return MS_OK;
}

static int check_subsystems(const ms_cosim *cosim, const tlm_data *data, ms_error *error)
{
    int status = MS_OK;
    for (int i = 0; i < cosim->system->n && status == MS_OK; i++) {
        const ms_instance *instance = cosim->instance[i];
        if (instance->can.input_degree < 1)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s takes inputs of degree %d at most and scheme tlm gives degree 1",
                           instance->sub->name, instance->can.input_degree);
        status = data->element[i] ? check_element(cosim, data, i, error) : check_body(instance, error);
    }
    return status;
}

static int allocate(ms_cosim *cosim, tlm_data *data)
{
    const ms_system *s = cosim->system;
    data->ends = 2 * s->n_lines;
    data->points = points_of(&cosim->variant);
    data->wave = cosim->y + s->ny;
    data->ages = cosim->scheme_aux;
    data->element = calloc(2 * (size_t)s->n + 1, sizeof *data->element);
    data->arriving =
        calloc(2 * MS_DELAY_PIECES * (size_t)data->ends + 2 * (size_t)s->nu + 1, sizeof *data->arriving);
    if (data->element == NULL || data->arriving == NULL)
        return MS_NO_MEMORY;
    data->body = data->element + s->n;
    data->u = data->arriving + 2 * MS_DELAY_PIECES * data->ends;
    data->u_next = data->u + s->nu;
    for (int l = 0; l < s->n_lines; l++)
        data->element[s->line[l].element] = true;
    for (int i = 0; i < s->n; i++)
        data->body[i] = !data->element[i];
    return MS_OK;
}

static int tlm_create(ms_cosim *cosim, ms_error *error)
{
    const int status = check_variant(cosim, error);
    if (status != MS_OK)
        return status;
    tlm_data *data = calloc(1, sizeof *data);
    cosim->scheme_data = data;
    if (data == NULL || allocate(cosim, data) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme tlm");
    cosim->reading = MS_READING_LAWS;
    return check_subsystems(cosim, data, error);
}

static void tlm_destroy(ms_cosim *cosim)
{
    tlm_data *data = cosim->scheme_data;
    if (data == NULL)
        return;
    free(data->element);
    free(data->arriving);
    free(data);
    cosim->scheme_data = NULL;
}

static int tlm_order(const ms_variant *variant)
{
    return variant->wave_start == MS_WAVES_SPRING ? 2 : 1;
}

static const ms_modelled claims[] = {{"scheme", "tlm"},
                                     {"wave-start", "spring zero-force zero-wave"},
                                     {"start", NULL},
                                     {"initial-inputs", "consistent"},
                                     {"output-derivatives", NULL},
                                     {"solver", NULL},
                                     {"input-change", "restart proceed correct-1 correct-2"},
                                     {"micro-steps", NULL},
                                     {"mask", NULL},
                                     {NULL, NULL}};

const ms_scheme ms_scheme_tlm = {
    .name = "tlm",
    .summary = "delay lines in place of springs between ports that take forces",
    .source = "Auslander 1968",
    .form = MS_FORM_DELAYED,
    .options = (const char *const[]){"delay", "impedance", "wave-damping", "wave-start", NULL},
    .memory = tlm_memory,
    .feedback = tlm_feedback,
    .room = tlm_room,
    .create = tlm_create,
    .destroy = tlm_destroy,
    .start = tlm_start,
    .step = tlm_step,
    .order = tlm_order,
    .claims = claims};
