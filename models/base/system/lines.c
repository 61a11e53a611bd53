/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - springs between two ports that take forces, and what means them in schemes that know nothing of lines. */

#include <macrostep/system.h>

/* The element ---------------------------------------------------------------------------------------------- */

/* Of a spring and a damper: s' = v_b - v_a, F = stiffness s + damping s'. */
typedef struct spring {
    double stiffness, damping, elongation;
} spring;

static const ms_variable elongations[] = {{"s", "m"}};
static const ms_variable velocities[] = {{"v_a", "m/s"}, {"v_b", "m/s"}};
static const ms_variable forces[] = {{"F", "N"}};

static void spring_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const spring *s = data;
    m->B[0] = -1.0;
    m->B[1] = 1.0;
    m->C[0] = s->stiffness;
    m->D[0] = -s->damping;
    m->D[1] = s->damping;
}

static void spring_start(const double *p, const void *data, double *x)
{
    (void)p;
    x[0] = ((const spring *)data)->elongation;
}

static double spring_energy(const double *x, const double *p, const void *data)
{
    (void)p;
    return 0.5 * ((const spring *)data)->stiffness * x[0] * x[0];
}

int ms_structure_add_spring(ms_structure *s, const ms_line *line, double damping, double elongation)
{
    static const char *const names[] = {"a", "b"};
    const bool behind = s->n_subsystems > 0 && s->subsystems[s->n_subsystems - 1].gives_offsets;
    const int element = s->n_subsystems - behind; /* what gives offsets stays the last */
    spring *data = ms_structure_alloc(s, 1, sizeof *data);
    ms_port *ports = ms_structure_alloc(s, 2, sizeof *ports);
    const bool is_line = damping == 0.0;
    const char *name = is_line ? ms_structure_name(s, "line%d", s->n_lines + 1) : "spring";
    MS_TRY_MEMORY(data != NULL && ports != NULL && name != NULL);
    *data = (spring){line->stiffness, damping, elongation};
    for (int w = 0; w < s->n_wires && behind; w++)
        s->wires[w].from += s->wires[w].from == element;
    if (behind)
        s->subsystems[element + 1] = s->subsystems[element];
    for (int k = 0; k < 2; k++) {
        const int i = line->subsystem[k];
        const ms_port *port = &s->subsystems[i].ports[line->port[k]];
        const double gain = (k == 0 ? 1.0 : -1.0) / port->gain; /* F pulls a forward and b back */
        ports[k] = (ms_port){.name = names[k], .input = k, .output = 0, .gain = -port->gain * gain};
        s->wires[s->n_wires++] = (ms_wire){i, port->input, element, 0, gain};
        s->wires[s->n_wires++] = (ms_wire){element, k, i, port->output, 1.0};
    }
    s->n_subsystems++;
    s->subsystems[element] = (ms_subsystem){.name = name,
                                            .nx = 1,
                                            .nu = 2,
                                            .ny = 1,
                                            .x = elongations,
                                            .u = velocities,
                                            .y = forces,
                                            .start = spring_start,
                                            .matrices = spring_matrices,
                                            .energy = spring_energy,
                                            .ports = ports,
                                            .n_ports = 2,
                                            .data = data};
    if (is_line) {
        s->lines[s->n_lines] = *line;
        s->lines[s->n_lines++].element = element;
    }
    return MS_OK;
}

/* Where a system is bound ---------------------------------------------------------------------------------- */

/* Does its element give the force of that end, and no other one? */
static bool is_joined(const ms_system *s, const ms_line *line, int end)
{
    const int input = s->u_at[line->subsystem[end]] + ms_system_line_port(s, line, end)->input;
    return s->row_at[input + 1] - s->row_at[input] == 1 &&
           ms_system_owner(s, s->wire_output[s->row_at[input]]) == line->element;
}

int ms_system_find_lines(ms_system *system, ms_error *error)
{
    system->line = system->structure.lines;
    system->n_lines = system->structure.n_lines;
    for (int l = 0; l < system->n_lines; l++) {
        const ms_line *line = &system->line[l];
        const char *name = system->sub[line->element].name;
        if (!(line->stiffness > 0.0) || !isfinite(line->stiffness))
            return ms_fail(error, MS_INVALID,
                           "line %s of model %s: its stiffness is %g, and must be greater than 0", name,
                           system->model->name, line->stiffness);
        for (int k = 0; k < 2; k++)
            if (!is_joined(system, line, k))
                return ms_fail(
                    error, MS_INVALID,
                    "line %s of model %s: another wire ends at the input of port %s of subsystem %s, "
                    "or another line does; each end needs one of its own",
                    name, system->model->name, ms_system_line_port(system, line, k)->name,
                    system->sub[line->subsystem[k]].name);
    }
    return MS_OK;
}
