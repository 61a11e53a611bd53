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
    double *work;       /* (n_ports) */
    double *sum, *size; /* (n_ports): int P dt over a micro-step, and int |P| dt */
    double *coarse;     /* (n_ports): the sum with half as many panels */
    double *moved;      /* (n_ports): int |P| dt since the macro-step began */
    double *x;          /* (n_state): scratch */
    double rate;        /* 1/s: of the fastest motion of a linear subsystem, about */
    bool inside;        /* micro-step by micro-step */
    bool known;         /* nodes depend on the ends `end` of the input's pieces only */
    int pieces;         /* of the nodes */
    double h;           /* and of these */
    double *end;        /* the ends (room.pieces) */
    int n_nodes, most;  /* n_nodes, and the bound of stretches */
    int room;           /* for nodes */
    bool lost;          /* no memory for nodes */
    quadrature_node *node;
    ms_place *place; /* samples and nodes, ascending */
    double *states;  /* (room x n_state): sampled at nodes */
};

/* The largest length of a panel, in units of 1/rate: the error is about 1e-12 of its work. Then the largest number of panels of a stretch,
 * and the number of trials after which a micro-step accepts the result. */
static const double REACH = 0.5;
enum { STRETCH_PANELS = 128, TRIALS = 200 };

/* Life --------------------------------------------------------------------------------------------------- */

/* May the external driving have kinks at known times? */
static bool has_kinks(const ms_instance *instance)
{
    return instance->sub->next_time != NULL || (instance->sub->nw > 0 && instance->system->inputs != NULL);
}

static bool grow(void **array, size_t bytes)
{
    void *longer = realloc(*array, bytes);
    if (longer != NULL)
        *array = longer;
    return longer != NULL;
}

/* Room for nodes. If there is no memory the room remains. */
static int make_room(const ms_instance *instance, ms_port_work *work, int nodes)
{
    const size_t n = (size_t)nodes, places = n + (size_t)instance->n_samples,
                 values = n * (size_t)instance->n_state + 1;
    if (nodes <= work->room)
        return MS_OK;
    MS_TRY_MEMORY(grow((void **)&work->node, n * sizeof *work->node) &&
                  grow((void **)&work->place, places * sizeof *work->place) &&
                  grow((void **)&work->states, values * sizeof *work->states));
    work->room = nodes;
    return MS_OK;
}

/* The square root of the largest row of |A||A|: of an undamped oscillator it is the angular frequency. */
static double rate_of(const ms_instance *instance)
{
    const int n = instance->sub->nx;
    const double *A = instance->sub->matrices != NULL ? instance->system->blocks[instance->index].A : NULL;
    double most = 0.0;
    for (int i = 0; i < n && A != NULL; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n && A[i * n + j] != 0.0; k++)
                row += fabs(A[i * n + j] * A[j * n + k]);
        most = fmax(most, row);
    }
    return sqrt(most);
}

static int allocate(const ms_instance *instance, ms_port_work *work)
{
    const size_t pieces = (size_t)instance->input.room.pieces, n_state = (size_t)instance->n_state,
                 ports = (size_t)instance->sub->n_ports;
    work->most = (int)pieces + (has_kinks(instance) ? MS_PORT_WORK_KINKS : 0);
    work->work = calloc(5 * ports + n_state + pieces, sizeof(double));
    MS_TRY_MEMORY(work->work != NULL);
    work->sum = work->work + ports;
    work->size = work->sum + ports;
    work->coarse = work->size + ports;
    work->moved = work->coarse + ports;
    work->x = work->moved + ports;
    work->end = work->x + n_state;
    work->rate = rate_of(instance);
    return make_room(instance, work, 2 * POINTS * work->most);
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
    MS_FREE(work->work, work->node, work->place, work->states, work);
    instance->port_work = NULL;
}

double *ms_port_work_values(const ms_instance *instance)
{
    return instance->port_work->work;
}

/* Nodes -------------------------------------------------------------------------------------------------- */

/* Adds the nodes of [from, to], in macro-steps, on a piece. */
static void add_nodes(const ms_instance *instance, int piece, double from, double to)
{
    ms_port_work *work = instance->port_work;
    const double least = to - from > 0.5 ? 2.0 : 1.0,
                 needed = fmin(ceil((to - from) * instance->h * work->rate / REACH), STRETCH_PANELS);
    const int panels = (int)fmax(least, needed);
    const double length = (to - from) / panels;
    work->lost = work->lost || make_room(instance, work, work->n_nodes + panels * POINTS) != MS_OK;
    if (work->lost)
        return;
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
            add_nodes(instance, piece, from, due);
            --*left;
        }
        from = fmax(due, nextafter(from, 1.0));
    }
    add_nodes(instance, piece, from, end);
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
    return (input->pieces == 1 && (work->rate == 0.0 || work->h == instance->h)) ||
           (work->h == instance->h &&
            memcmp(work->end, input->end, sizeof *input->end * (size_t)input->pieces) == 0);
}

static void find_nodes(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    const ms_input *input = &instance->input;
    int left = work->most - input->room.pieces;
    work->n_nodes = 0;
    work->lost = false;
    if (left == 0 && input->pieces == 1)
        add_nodes(instance, 0, 0.0, 1.0);
    else
        for (int piece = 0; piece < input->pieces; piece++)
            divide(instance, piece, &left);
    work->known = !has_kinks(instance);
    work->pieces = input->pieces;
    work->h = instance->h;
    memcpy(work->end, input->end, sizeof *input->end * (size_t)input->pieces);
    if (work->lost)
        work->n_nodes = 0;
    merge(instance);
}

/* Work --------------------------------------------------------------------------------------------------- */

/* Adds the power entering through the ports at the time t of a node to `sum`, and its magnitude to `size` (NULL: nowhere). */
static void add_power(ms_instance *instance, int piece, double t, const double *x, double times, double *sum,
                      double *size)
{
    const ms_subsystem *sub = instance->sub;
    double *y = instance->y;
    const bool known =
        !sub->uses_du && sub->stepper == NULL && ms_micro_outputs(instance, piece, t, x, y) == 0;
    for (int k = 0; k < sub->n_ports; k++) {
        const ms_port *port = &sub->ports[k];
        const double power =
            known ? times * (port->gain * y[port->output] * instance->u[port->input]) : (double)NAN;
        sum[k] += power;
        if (size != NULL)
            size[k] += fabs(power);
    }
}

/* Is the state known micro-step by micro-step? exact gives it at any time. */
static bool looks_inside(const ms_instance *instance)
{
    return !instance->solver->linear_only && instance->sub->stepper == NULL;
}

void ms_port_work_begin(ms_instance *instance)
{
    ms_port_work *work = instance->port_work;
    memset(work->work, 0, sizeof *work->work * (size_t)instance->sub->n_ports);
    memset(work->moved, 0, sizeof *work->moved * (size_t)instance->sub->n_ports);
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
                  of->weight * instance->h, work->work, NULL);
    }
    for (int k = 0; k < instance->sub->n_ports && work->lost; k++)
        work->work[k] = NAN;
}

/* Adds to work->sum and work->size over equal panels of one length. */
static void add_up(ms_instance *instance, int piece, double from, double length, int panels,
                   ms_micro_dense *dense, void *solver)
{
    const ms_port_work *work = instance->port_work;
    memset(work->sum, 0, 2 * sizeof *work->sum * (size_t)instance->sub->n_ports);
    for (int k = 0; k < MS_MICRO_GAUSS * panels; k++) {
        const int panel = k / MS_MICRO_GAUSS;
        const double t = from + length * (panel + ms_micro_gauss_nodes[k % MS_MICRO_GAUSS]);
        const bool there = dense(solver, t, work->x) == 0;
        add_power(instance, piece, t, work->x,
                  there ? ms_micro_gauss_weights[k % MS_MICRO_GAUSS] * length : NAN, work->sum, work->size);
    }
}

/* Do the sums of one panel and of its halves agree? NaN does. */
static bool agree(const ms_port_work *work, int n_ports)
{
    for (int k = 0; k < n_ports; k++)
        if (fabs(work->sum[k] - work->coarse[k]) > 1e-11 * (work->size[k] + work->moved[k]))
            return false;
    return true;
}

void ms_port_work_inside(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                         void *solver)
{
    const ms_port_work *work = instance->port_work;
    const int n = work->inside ? instance->sub->n_ports : 0;
    double length = to - from, begin = from;
    for (int trial = 0; begin < to && n > 0; trial++) {
        const bool last = length >= to - begin;
        length = last ? to - begin : length;
        add_up(instance, piece, begin, length, 1, dense, solver);
        memcpy(work->coarse, work->sum, sizeof *work->sum * (size_t)n);
        add_up(instance, piece, begin, 0.5 * length, 2, dense, solver);
        const bool accepted = trial >= TRIALS || agree(work, n);
        for (int k = 0; k < n && accepted; k++) {
            work->work[k] += work->sum[k];
            work->moved[k] += work->size[k];
        }
        if (accepted)
            begin = last ? to : begin + length;
        length *= accepted ? 2.0 : 0.5;
    }
}
