/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "port_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro_step.h"

/* Gauss-Legendre with four points on [0, 1]: nodes (1 -+ sqrt(3/7 +- 2/7 sqrt(6/5))) / 2, weights
 * (18 -+ sqrt(30)) / 72. */
enum { POINTS = 4 };
static const double node[POINTS] = {0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                                    0.93056815579702629};
static const double weight[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                      0.17392742256872693};

/* A node of the quadrature. */
typedef struct quadrature_node {
    double at, weight; /* position in macro-steps */
    int piece;         /* of the input */
    int place;         /* where the state is sampled */
} quadrature_node;

struct ms_port_work {
    double *work;      /* (n_ports) */
    double *x;         /* (n_state): scratch */
    bool inside;       /* micro-step by micro-step */
    bool known;        /* nodes depend on the ends `end` of the input's pieces only */
    int pieces;        /* of the nodes */
    double h;          /* and of these */
    double *end;       /* the ends (room.pieces) */
    int n_nodes, most; /* n_nodes, and the bound of stretches */
    quadrature_node *node;
    ms_place *place; /* samples and nodes, ascending */
    double *states;  /* (2 most POINTS x n_state): sampled at nodes */
};

/* Life --------------------------------------------------------------------------------------------------- */

/* May the external driving have kinks at known times? */
static bool has_kinks(const ms_instance *instance)
{
    return instance->sub->next_time != NULL || (instance->sub->nw > 0 && instance->system->inputs != NULL);
}

static int allocate(const ms_instance *instance, ms_port_work *work)
{
    const size_t pieces = (size_t)instance->input.room.pieces, n_state = (size_t)instance->n_state;
    const size_t stretches = pieces + (has_kinks(instance) ? MS_PORT_WORK_KINKS : 0),
                 nodes = 2 * POINTS * stretches;
    work->most = (int)stretches;
    work->work = calloc((size_t)instance->sub->n_ports + n_state + pieces + nodes * n_state, sizeof(double));
    work->node = calloc(nodes, sizeof *work->node);
    work->place = calloc(nodes + (size_t)instance->n_samples, sizeof *work->place);
    MS_TRY_MEMORY(work->work != NULL && work->node != NULL && work->place != NULL);
    work->x = work->work + instance->sub->n_ports;
    work->end = work->x + n_state;
    work->states = work->end + pieces;
    return MS_OK;
}

int ms_port_work_create(ms_instance *instance)
{
    ms_port_work_destroy(instance);
    if (instance->sub->n_ports == 0)
        return MS_OK;
    instance->port_work = calloc(1, sizeof *instance->port_work);
    const int status = instance->port_work != NULL ? allocate(instance, instance->port_work) : MS_NO_MEMORY;
    if (status != MS_OK)
        ms_port_work_destroy(instance);
    return status;
}

void ms_port_work_destroy(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    if (work == NULL)
        return;
    instance->place = instance->sample_place;
    instance->n_places = instance->n_samples;
    MS_FREE(work->work, work->node, work->place, work);
    instance->port_work = NULL;
}

double *ms_port_work_values(const ms_instance *instance)
{
    return instance->port_work->work;
}

/* Nodes -------------------------------------------------------------------------------------------------- */

/* Adds the nodes of [from, to], in macro-steps, on a piece. */
static void add_nodes(ms_port_work *work, int piece, double from, double to)
{
    const int panels = to - from > 0.5 ? 2 : 1;
    const double length = (to - from) / panels;
    for (int panel = 0; panel < panels; panel++)
        for (int k = 0; k < POINTS; k++)
            work->node[work->n_nodes++] = (quadrature_node){
                .at = from + length * (node[k] + panel), .weight = length * weight[k], .piece = piece};
}

/* The nodes of a piece, between its kinks; left: how many more stretches are allowed. */
static void divide(const ms_instance *instance, int piece, int *left)
{
    const double h = instance->h, end = instance->input.end[piece] / h;
    double from = ms_input_begin(&instance->input, piece) / h;
    while (*left > 0) {
        const double due = (ms_instance_next_time(instance, instance->t + from * h) - instance->t) / h;
        if (!(due < end) || ms_micro_tiny(instance->t, (end - due) * h))
            break;
        if (due > from) {
            add_nodes(instance->port_work, piece, from, due);
            --*left;
        }
        from = fmax(due, nextafter(from, 1.0));
    }
    add_nodes(instance->port_work, piece, from, end);
}

/* Merges the samples asked for and the nodes into one ascending list; a node at a sample uses that sample. */
static void merge(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    int s = 0, n = 0;
    for (int k = 0; k < work->n_nodes; k++) {
        while (s < instance->n_samples && instance->sample_place[s].at < work->node[k].at)
            work->place[n++] = instance->sample_place[s++];
        if (s < instance->n_samples && instance->sample_place[s].at == work->node[k].at)
            work->place[n] = instance->sample_place[s++];
        else
            work->place[n] = (ms_place){work->node[k].at, work->states + k * instance->n_state};
        work->node[k].place = n++;
    }
    while (s < instance->n_samples)
        work->place[n++] = instance->sample_place[s++];
    instance->place = work->place;
    instance->n_places = n;
}

/* Are the stored nodes those of this macro-step? */
static bool fits(const ms_instance *instance, const ms_port_work *work)
{
    const ms_input *input = &instance->input;
    if (!work->known || work->pieces != input->pieces)
        return false;
    return input->pieces == 1 ||
           (work->h == instance->h &&
            memcmp(work->end, input->end, sizeof *input->end * (size_t)input->pieces) == 0);
}

static void find_nodes(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    const ms_input *input = &instance->input;
    int left = work->most - input->room.pieces;
    work->n_nodes = 0;
    if (left == 0 && input->pieces == 1)
        add_nodes(work, 0, 0.0, 1.0);
    else
        for (int piece = 0; piece < input->pieces; piece++)
            divide(instance, piece, &left);
    work->known = !has_kinks(instance);
    work->pieces = input->pieces;
    work->h = instance->h;
    memcpy(work->end, input->end, sizeof *input->end * (size_t)input->pieces);
    merge(instance);
}

/* Work --------------------------------------------------------------------------------------------------- */

/* Adds the power entering through the ports at the time t of a node. */
static void add_power(ms_instance *instance, int piece, double t, const double *x, double times)
{
    const ms_subsystem *sub = instance->sub;
    double *y = instance->y, *work = instance->port_work->work;
    const bool known =
        !sub->uses_du && sub->stepper == NULL && ms_micro_outputs(instance, piece, t, x, y) == 0;
    for (int k = 0; k < sub->n_ports; k++) {
        const ms_port *port = &sub->ports[k];
        work[k] += known ? times * (port->gain * y[port->output] * instance->u[port->input]) : NAN;
    }
}

/* Are intervals of smooth P known only micro-step by micro-step? */
static bool looks_inside(const ms_instance *instance)
{
    bool laws = false;
    for (int k = 0; k < instance->n_laws; k++)
        laws = laws || (instance->law[k].active && instance->law[k].threshold > 0.0);
    return !instance->solver->linear_only && instance->sub->stepper == NULL &&
           (instance->events != NULL || laws);
}

void ms_port_work_begin(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    memset(work->work, 0, sizeof *work->work * (size_t)instance->sub->n_ports);
    work->inside = looks_inside(instance);
    if (work->inside) {
        instance->place = instance->sample_place;
        instance->n_places = instance->n_samples;
        work->known = false;
    } else if (!fits(instance, work)) {
        find_nodes(instance);
    }
}

void ms_port_work_end(ms_instance *instance)
{
    const ms_port_work *work = instance->port_work;
    for (int k = 0; k < work->n_nodes && !work->inside; k++) {
        const quadrature_node *of = &work->node[k];
        add_power(instance, of->piece, instance->t + of->at * instance->h, work->place[of->place].x,
                  of->weight * instance->h);
    }
}

void ms_port_work_inside(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                         void *solver)
{
    const ms_port_work *work = instance->port_work;
    for (int k = 0; k < MS_MICRO_GAUSS && work->inside; k++) {
        const double t = from + ms_micro_gauss_nodes[k] * (to - from);
        const bool there = dense(solver, t, work->x) == 0;
        add_power(instance, piece, t, work->x, there ? ms_micro_gauss_weights[k] * (to - from) : NAN);
    }
}
