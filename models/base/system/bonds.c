/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bonds.c - which ports of a system's subsystems belong together. */
#include <stdlib.h>

#include <macrostep/system.h>

/* The only wire of an input, or -1. */
static int single_wire(const ms_system *s, int input)
{
    return s->row_at[input + 1] - s->row_at[input] == 1 ? s->row_at[input] : -1;
}

/* The bond between port k of subsystem i and a port of another subsystem at the other end of its wires.
 * bonded (nu): 1 + the index of the bond to which an input belongs, 0 where it is still free; only free ones
 * are taken. False: there is no such port. */
static bool find_opposite(const ms_system *s, int i, int k, const int *bonded, ms_bond *bond)
{
    const ms_port *port = &s->sub[i].ports[k];
    const int input = s->u_at[i] + port->input, output = s->y_at[i] + port->output;
    const int wire = single_wire(s, input);
    if (wire < 0 || bonded[input] != 0 || port->gain * s->wire_gain[wire] == 0.0)
        return false;
    const int feeder = s->wire_output[wire], j = ms_system_owner(s, feeder);
    if (j == i)
        return false;
    for (int m = 0; m < s->sub[j].n_ports; m++) {
        const ms_port *other = &s->sub[j].ports[m];
        const int back = s->u_at[j] + other->input, back_wire = single_wire(s, back);
        if (back_wire < 0 || bonded[back] != 0 || s->y_at[j] + other->output != feeder ||
            s->wire_output[back_wire] != output)
            continue;
        if (port->gain * s->wire_gain[wire] + other->gain * s->wire_gain[back_wire] != 0.0)
            continue;
        *bond = (ms_bond){{i, j}, {k, m}, {input, back}, {output, feeder}, {port->gain, other->gain}};
        return true;
    }
    return false;
}

/* Is port k of subsystem i the second end of the bond of its input? */
static bool is_second_end(const ms_system *s, int i, int k, const int *bonded)
{
    const int number = bonded[s->u_at[i] + s->sub[i].ports[k].input] - 1;
    return number >= 0 && s->bond[number].subsystem[1] == i && s->bond[number].port[1] == k;
}

/* The bonds of the ports of subsystem i that have none yet. */
static int bond_ports(ms_system *system, int i, int *bonded, ms_error *error)
{
    const ms_subsystem *sub = &system->sub[i];
    for (int k = 0; k < sub->n_ports; k++) {
        ms_bond bond;
        if (is_second_end(system, i, k, bonded))
            continue;
        if (!find_opposite(system, i, k, bonded, &bond)) {
            if (sub->loose_ports)
                continue;
            return ms_fail(error, MS_INVALID,
                           "port %s of subsystem %s has no port at the other end of its wires whose "
                           "power is opposite",
                           sub->ports[k].name, sub->name);
        }
        system->bond[system->n_bonds++] = bond;
        bonded[bond.input[0]] = bonded[bond.input[1]] = system->n_bonds;
    }
    return MS_OK;
}

int ms_system_find_bonds(ms_system *system, ms_error *error)
{
    size_t ports = 0;
    for (int i = 0; i < system->n; i++)
        ports += (size_t)system->sub[i].n_ports;
    system->n_bonds = 0;
    system->bond = ms_structure_alloc(&system->structure, ports / 2 + 1, sizeof *system->bond);
    int *bonded = calloc((size_t)system->nu + 1, sizeof *bonded);
    int status = MS_OK;
    if (system->bond == NULL || bonded == NULL) {
        free(bonded);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for model %s", system->model->name);
    }
    for (int i = 0; i < system->n && status == MS_OK; i++)
        status = bond_ports(system, i, bonded, error);
    free(bonded);
    return status;
}
