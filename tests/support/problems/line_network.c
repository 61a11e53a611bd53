/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line_network.h"

#include <math.h>

#include "support.h"

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable velocity[] = {{"v", "m/s"}};

static void body_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const support_line_body *body = data;
    (void)p;
    m->A[1] = 1.0;
    m->A[2] = -body->k / body->m;
    for (int q = 0; q < body->ports; q++)
        m->B[body->ports + q] = body->gain[q] / body->m;
    m->C[1] = 1.0;
}

static void body_start(const double *p, const void *data, double *x)
{
    const support_line_body *body = data;
    (void)p;
    x[0] = body->x;
    x[1] = body->v;
}

static double body_energy(const double *x, const double *p, const void *data)
{
    const support_line_body *body = data;
    (void)p;
    return 0.5 * body->k * x[0] * x[0] + 0.5 * body->m * x[1] * x[1];
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    const support_line_network *of = s->model->data;
    (void)p;
    (void)error;
    s->subsystems = ms_structure_alloc(s, (size_t)(of->bodies + of->lines), sizeof *s->subsystems);
    s->wires = ms_structure_alloc(s, 4 * (size_t)of->lines, sizeof *s->wires);
    s->lines = ms_structure_alloc(s, (size_t)of->lines, sizeof *s->lines);
    for (int i = 0; i < of->bodies; i++) {
        const support_line_body *body = &of->body[i];
        ms_port *ports = ms_structure_alloc(s, (size_t)body->ports, sizeof *ports);
        ms_variable *forces = ms_structure_alloc(s, (size_t)body->ports, sizeof *forces);
        for (int q = 0; q < body->ports; q++) {
            forces[q] = (ms_variable){ms_structure_name(s, "F%d", q), "N"};
            ports[q] = (ms_port){.name = forces[q].name, .input = q, .output = 0, .gain = body->gain[q]};
        }
        s->subsystems[i] = (ms_subsystem){.name = ms_structure_name(s, "body%d", i),
                                          .nx = 2,
                                          .nu = body->ports,
                                          .ny = 1,
                                          .x = states,
                                          .u = forces,
                                          .y = velocity,
                                          .start = body_start,
                                          .matrices = body_matrices,
                                          .energy = body_energy,
                                          .ports = ports,
                                          .n_ports = body->ports,
                                          .data = body};
    }
    s->n_subsystems = of->bodies;
    for (int l = 0; l < of->lines; l++)
        if (ms_structure_add_spring(s, &of->line[l], 0.0, of->elongation[l]) != MS_OK)
            return MS_NO_MEMORY;
    return MS_OK;
}

static double between(unsigned long long *seed, double low, double high)
{
    return low + 0.5 * (high - low) * (1.0 + support_random(seed));
}

static int add_port(support_line_network *network, int i, unsigned long long *seed)
{
    support_line_body *body = &network->body[i];
    body->gain[body->ports] = copysign(between(seed, 0.5, 2.0), support_random(seed));
    return body->ports++;
}

static void add_line(support_line_network *network, int a, int b, unsigned long long *seed)
{
    ms_line *line = &network->line[network->lines];
    *line = (ms_line){.subsystem = {a, b}, .stiffness = between(seed, 1.0, 50.0)};
    for (int k = 0; k < 2; k++)
        line->port[k] = add_port(network, line->subsystem[k], seed);
    network->elongation[network->lines++] = support_random(seed);
}

ms_system *support_line_network_next(unsigned long long *seed, support_line_network *network)
{
    static const ms_case only = {.name = "default", .summary = "random", .source = "none"};
    *network =
        (support_line_network){.bodies = 2 + support_random_below(seed, SUPPORT_LINE_NETWORK_BODIES - 1)};
    network->model = (ms_model){.name = "line-network",
                                .summary = "random",
                                .source = "none",
                                .cases = &only,
                                .n_cases = 1,
                                .stop_time = 10.0,
                                .step_size = 0.01,
                                .build = build,
                                .data = network};
    for (int i = 0; i < network->bodies; i++) {
        network->body[i] = (support_line_body){.m = between(seed, 0.2, 3.0),
                                               .k = i % 2 == 0 ? between(seed, 0.0, 50.0) : 0.0,
                                               .x = support_random(seed),
                                               .v = support_random(seed)};
        if (i > 0)
            add_line(network, support_random_below(seed, i), i, seed);
    }
    if (support_random(seed) > 0.0)
        add_line(network, network->bodies - 1, 0, seed);
    for (int i = 0; i < network->bodies; i++) {
        double k = network->body[i].k;
        for (int l = 0; l < network->lines; l++)
            for (int e = 0; e < 2; e++)
                k += network->line[l].subsystem[e] == i ? 2.0 * network->line[l].stiffness : 0.0;
        network->fastest = fmax(network->fastest, sqrt(k / network->body[i].m));
    }
    return support_system_of(&network->model);
}

double support_line_network_energy(const support_line_network *network, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < network->bodies; i++)
        sum += body_energy(x + 2 * i, NULL, &network->body[i]);
    return sum;
}
