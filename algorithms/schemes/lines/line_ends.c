/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line_ends.h"

#include <string.h>

#include <macrostep/execution.h>

static const ms_port *port_of(const ms_system *system, int end)
{
    return ms_system_line_port(system, &system->line[end / 2], end % 2);
}

int ms_line_feedback(const ms_system *system, const ms_variant *variant, int i, ms_line_impedance *impedance,
                     ms_input_law *law)
{
    int n = 0;
    for (int e = 0; e < 2 * system->n_lines && n < MS_INPUT_LAWS; e++) {
        const ms_line *line = &system->line[e / 2];
        const ms_port *port = port_of(system, e);
        if (line->subsystem[e % 2] == i)
            law[n++] = (ms_input_law){.active = true,
                                      .feeds_back = true,
                                      .input = port->input,
                                      .output = port->output,
                                      .feedback = -impedance(line, variant) / port->gain};
    }
    return n;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Is there a wire at input k of the subsystem that is no line's? */
static bool is_held(const ms_instance *instance, int k)
{
    const ms_system *s = instance->system;
    const int row = s->u_at[instance->index] + k;
    bool lined = false;
    for (int a = 0; a < instance->n_laws; a++)
        lined = lined || instance->law[a].input == k;
    return !lined && s->row_at[row + 1] > s->row_at[row];
}

/* The output of an end that depends directly on the force of one, or -1. */
static int answers_directly(const ms_instance *instance)
{
    for (int a = 0; a < instance->n_laws; a++)
        for (int b = 0; b < instance->n_laws; b++)
            if (ms_subsystem_feeds_through(instance->system, instance->index, instance->law[a].output,
                                           instance->law[b].input))
                return instance->law[a].output;
    return -1;
}

static int check_body(const ms_instance *instance, const char *scheme, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const int output = answers_directly(instance);
    for (int k = 0; k < sub->nu; k++)
        if (is_held(instance, k))
            return ms_fail(error, MS_UNSUPPORTED,
                           "input %s of subsystem %s belongs to no line (or the subsystem has more than %d): "
                           "`scheme` %s "
                           "would have to hold it",
                           sub->u[k].name, sub->name, (int)MS_INPUT_LAWS, scheme);
    if (instance->n_laws > 0 && (sub->stepper != NULL || sub->uses_du))
        return ms_fail(
            error, MS_UNSUPPORTED,
            "subsystem %s %s: at the end of a line the force depends on the velocity inside a step",
            sub->name, sub->stepper != NULL ? "brings its own solver" : "reads slopes of its inputs");
    if (output >= 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "output %s of subsystem %s depends directly on the force of a line, which `scheme` "
                       "%s computes from it",
                       sub->y[output].name, sub->name, scheme);
    return MS_OK;
}

/* An element reads outputs of bodies. */
static int check_element(const ms_system *s, const ms_line_ends *ends, int i, const char *scheme,
                         ms_error *error)
{
    for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++)
        if (ends->element[ms_system_owner(s, s->wire_output[w])])
            return ms_fail(error, MS_UNSUPPORTED,
                           "line %s reads the output of another line: `scheme` %s needs lines between bodies",
                           s->sub[i].name, scheme);
    return MS_OK;
}

static int check(const ms_cosim *cosim, const ms_line_ends *ends, ms_error *error)
{
    const ms_system *s = cosim->system;
    const char *scheme = cosim->scheme->name;
    int status = MS_OK;
    if (s->n_lines == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "model %s %s: `scheme` %s needs lines, springs without a damper between two ports "
                       "that take forces, such as lim-oscillator in its case force-force",
                       s->model->name,
                       s->n_bonds > 0 ? "has bonds of forces with velocities and no line" : "has no ports",
                       scheme);
    for (int i = 0; i < s->n && status == MS_OK; i++) {
        const ms_instance *instance = cosim->instance[i];
        if (instance->can.input_degree < 1)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s takes inputs of degree %d at most and scheme %s gives degree 1",
                           instance->sub->name, instance->can.input_degree, scheme);
        status =
            ends->element[i] ? check_element(s, ends, i, scheme, error) : check_body(instance, scheme, error);
    }
    return status;
}

int ms_line_ends_create(ms_cosim *cosim, ms_line_ends *ends, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t n = (size_t)s->n, nu = (size_t)s->nu;
    ends->n = 2 * s->n_lines;
    ends->element = ms_cosim_alloc(cosim, 2 * n, sizeof *ends->element);
    ends->u = ms_cosim_alloc(cosim, 2 * nu, sizeof *ends->u);
    MS_TRY_MEMORY(ends->element != NULL && ends->u != NULL);
    ends->body = ends->element + n;
    ends->u_next = ends->u + nu;
    for (int l = 0; l < s->n_lines; l++)
        ends->element[s->line[l].element] = true;
    for (int i = 0; i < s->n; i++)
        ends->body[i] = !ends->element[i];
    return check(cosim, ends, error);
}

/* Ends --------------------------------------------------------------------------------------------------- */

static int body_of(const ms_system *s, int end)
{
    return s->line[end / 2].subsystem[end % 2];
}

double ms_line_ends_velocity(const ms_cosim *cosim, const double *y, int end)
{
    const ms_system *s = cosim->system;
    return y[s->y_at[body_of(s, end)] + port_of(s, end)->output];
}

double ms_line_ends_force(const ms_cosim *cosim, const double *u, int end)
{
    const ms_system *s = cosim->system;
    const ms_port *port = port_of(s, end);
    return port->gain * u[s->u_at[body_of(s, end)] + port->input];
}

/* A macro-step ------------------------------------------------------------------------------------------- */

void ms_line_ends_clear(const ms_cosim *cosim, const ms_line_ends *ends, int pieces, const double *piece_ends)
{
    for (int i = 0; i < cosim->system->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        if (!ends->body[i])
            continue;
        input->pieces = pieces;
        input->degree = 1;
        memcpy(input->end, piece_ends, sizeof *piece_ends * (size_t)pieces);
        memset(input->c, 0, sizeof(double) * (size_t)ms_input_size(input));
    }
}

void ms_line_ends_give(const ms_cosim *cosim, int end, int piece, double value, double slope)
{
    const ms_port *port = port_of(cosim->system, end);
    const ms_input *input = &cosim->instance[body_of(cosim->system, end)]->input;
    ms_input_coefficients(input, piece, 0)[port->input] = value / port->gain;
    ms_input_coefficients(input, piece, 1)[port->input] = slope / port->gain;
}

/* Inputs linear from the values that elements read at the start of the macro-step to those at its end. */
static void prepare_elements(const ms_cosim *cosim, const ms_line_ends *ends, double h)
{
    const ms_system *s = cosim->system;
    ms_system_couple(s, cosim->y, ends->u);
    ms_system_couple(s, cosim->y_raw, ends->u_next);
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        if (!ends->element[i])
            continue;
        ms_input_set_single(input, 1, h);
        for (int k = 0; k < input->n; k++) {
            const double u = ends->u[s->u_at[i] + k];
            ms_input_coefficients(input, 0, 0)[k] = u;
            ms_input_coefficients(input, 0, 1)[k] = (ends->u_next[s->u_at[i] + k] - u) / h;
        }
    }
}

int ms_line_ends_advance(ms_cosim *cosim, const ms_line_ends *ends, double t, double h)
{
    for (int i = 0; i < cosim->system->n; i++) {
        cosim->instance[i]->t = t;
        cosim->instance[i]->h = h;
    }
    MS_TRY(ms_execution_advance_some(cosim, ends->body, NULL));
    prepare_elements(cosim, ends, h);
    int status = ms_execution_advance_some(cosim, ends->element, NULL);
    cosim->integrations += cosim->system->n;
    return status;
}
