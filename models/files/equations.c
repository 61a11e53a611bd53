/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations.c - the functions of a subsystem given by equations, evaluated or written in C. */
#include "equations.h"

#include <math.h>

#include "equations_source.h"

/* Order of the values of all names. */
#define VALUES_OF(at)                                                                                        \
    {                                                                                                        \
        [MS_NAMES_TIME] = &(at)->t, [MS_NAMES_PARAMETERS] = (at)->p, [MS_NAMES_STATES] = (at)->x,            \
        [MS_NAMES_INPUTS] = (at)->u, [MS_NAMES_EXTERNAL] = (at)->w, [MS_NAMES_DISCRETE] = (at)->z            \
    }

static int evaluate(const ms_expressions *e, const ms_point *at, double *value)
{
    const double *const of[MS_NAME_GROUPS] = VALUES_OF(at);
    return ms_expressions_evaluate(e, of, value);
}

enum { OF_DERIVATIVES, OF_OUTPUTS }; /* as sets of ms_watched */

/* Are the sides of switches prescribed? */
static bool has_sides(const ms_point *at)
{
    return at->sides != NULL && ((const ms_equations_data *)at->data)->watched.functions != NULL;
}

/* 0 where all rows of carried outputs are finite, whatever the status of all of them is. */
static int status_of_outputs(const ms_equations_data *data, int status, int columns, const double *row)
{
    if (status == 0 || row == NULL)
        return 0;
    for (int j = 0; j < data->ny; j++)
        for (int k = 0; k < columns; k++)
            if (data->carried[j] && !isfinite(row[j * columns + k]))
                return status;
    return 0;
}

/* Fills a block if it is wanted and has expressions, on the sides of the point if prescribed and if there is a value there. */
static int differentiate(const ms_expressions *e, int set, int group, const ms_point *at, double *block)
{
    const ms_watched *watched = &((const ms_equations_data *)at->data)->watched;
    const double *const of[MS_NAME_GROUPS] = VALUES_OF(at);
    if (e == NULL || block == NULL)
        return 0;
    if (has_sides(at) &&
        ms_expressions_differentiate_sided(e, watched, set, at->sides, group, of, block) == 0)
        return 0;
    return ms_expressions_differentiate(e, group, of, block);
}

static int jacobian(const ms_point *at, const ms_blocks *m)
{
    const ms_equations_data *data = at->data;
    int status = differentiate(data->derivatives, OF_DERIVATIVES, MS_NAMES_STATES, at, m->A);
    status |= differentiate(data->derivatives, OF_DERIVATIVES, MS_NAMES_INPUTS, at, m->B);
    status |= differentiate(data->derivatives, OF_DERIVATIVES, MS_NAMES_EXTERNAL, at, m->E);
    const struct {
        int group, columns;
        double *block;
    } of[] = {{MS_NAMES_STATES, data->nx, m->C},
              {MS_NAMES_INPUTS, data->nu, m->D},
              {MS_NAMES_EXTERNAL, data->nw, m->F}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        const int own = differentiate(data->outputs, OF_OUTPUTS, of[k].group, at, of[k].block);
        status |= status_of_outputs(data, own, of[k].columns, of[k].block);
    }
    return status;
}

/* Matrices of linear equations, which are constant. A non-finite value is kept; users of the system detect it. */
static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    const ms_point anywhere = {.p = p, .data = data};
    (void)jacobian(&anywhere, m);
}

/* Likewise values. */
static int evaluate_between(const ms_expressions *e, int set, const ms_point *at, double *value)
{
    const ms_watched *watched = &((const ms_equations_data *)at->data)->watched;
    const double *const of[MS_NAME_GROUPS] = VALUES_OF(at);
    if (has_sides(at) && ms_expressions_evaluate_sided(e, watched, set, at->sides, of, value) == 0)
        return 0;
    return ms_expressions_evaluate(e, of, value);
}

static int derivatives(const ms_point *at, double *dx)
{
    return evaluate_between(((const ms_equations_data *)at->data)->derivatives, OF_DERIVATIVES, at, dx);
}

static int outputs(const ms_point *at, double *y)
{
    const ms_equations_data *data = at->data;
    return status_of_outputs(data, evaluate_between(data->outputs, OF_OUTPUTS, at, y), 1, y);
}

/* y' and y'' along x' = f; x'' is that of f. */
static int output_rates(const ms_point *at, const ms_rates *r)
{
    const ms_equations_data *data = at->data;
    const double one = 1.0;
    const double *const of[MS_NAME_GROUPS] = VALUES_OF(at);
    const double *const first[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &one,
                                                 [MS_NAMES_STATES] = r->dx,
                                                 [MS_NAMES_INPUTS] = r->du,
                                                 [MS_NAMES_EXTERNAL] = r->dw};
    const double *const second[MS_NAME_GROUPS] = {
        [MS_NAMES_STATES] = r->ddx, [MS_NAMES_INPUTS] = r->ddu, [MS_NAMES_EXTERNAL] = r->ddw};
    int status = 0;
    if (data->outputs == NULL)
        return 0;
    if (r->ddy == NULL)
        return status_of_outputs(data, ms_expressions_along(data->outputs, of, first, r->dy), 1, r->dy);
    if (data->derivatives != NULL)
        status = ms_expressions_along(data->derivatives, of, first, r->ddx);
    const int own = ms_expressions_along_curve(data->outputs, of, first, second, r->dy, r->ddy);
    return status | status_of_outputs(data, own, 1, r->dy) | status_of_outputs(data, own, 1, r->ddy);
}

static int indicators(const ms_point *at, double *r)
{
    return evaluate(((const ms_equations_data *)at->data)->indicators, at, r);
}

/* Outside of their domain there are no switches. */
static int switches(const ms_point *at, double *r)
{
    const ms_equations_data *data = at->data;
    (void)evaluate(data->watched.functions, at, r);
    for (int k = 0; k < ms_expressions_count(data->watched.functions); k++)
        r[k] = isfinite(r[k]) ? r[k] : 1.0;
    return 0;
}

static int switch_rates(const ms_point *at, const ms_rates *r, double *dr)
{
    const double one = 1.0;
    const double *const of[MS_NAME_GROUPS] = VALUES_OF(at);
    const double *const along[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &one,
                                                 [MS_NAMES_STATES] = r->dx,
                                                 [MS_NAMES_INPUTS] = r->du,
                                                 [MS_NAMES_EXTERNAL] = r->dw};
    return ms_expressions_along(((const ms_equations_data *)at->data)->watched.functions, of, along, dr);
}

static int handle(const ms_point *at, const ms_event *event)
{
    const ms_equations_data *data = at->data;
    double value[MS_EVENT_TARGETS_MAX];
    for (int k = 0; k < data->n_events && event->state; k++) {
        const ms_file_event *e = &data->event[k];
        if (event->crossed[k] == 0 || (e->direction != MS_EVENT_BOTH && e->direction != event->crossed[k]))
            continue;
        if (evaluate(e->then, at, value) != 0)
            return 1;
        for (int i = 0; i < e->n; i++) {
            if (e->target[i] < data->nx)
                event->x[e->target[i]] = value[i];
            else
                event->z[e->target[i] - data->nx] = value[i];
        }
    }
    return 0;
}

static bool is_linear(const ms_expressions *e)
{
    return e == NULL || ms_expressions_linear(e);
}

void ms_equations_give_functions(const ms_equations_data *data, ms_subsystem *sub)
{
    sub->f = derivatives;
    sub->g = outputs;
    sub->jacobian = jacobian;
    sub->output_rates = output_rates;
    if (data->n_events > 0) {
        sub->indicators = indicators;
        sub->handle = handle;
    } else if (sub->nz == 0 && is_linear(data->derivatives) && is_linear(data->outputs)) {
        sub->matrices = matrices;
    }
    sub->n_switches = data->watched.functions != NULL ? ms_expressions_count(data->watched.functions) : 0;
    sub->switches = switches;
    sub->switch_rates = switch_rates;
}

/* In C --------------------------------------------------------------------------------------------------- */

bool ms_equations_are(const ms_subsystem *sub)
{
    return sub->f == derivatives;
}

static void mark(const ms_subsystem *sub, int output)
{
    if (ms_equations_are(sub))
        ((const ms_equations_data *)sub->data)->carried[output] = true;
}

void ms_equations_mark_carried(const ms_structure *structure)
{
    for (int i = 0; i < structure->n_subsystems; i++)
        for (int k = 0; k < structure->subsystems[i].n_ports; k++)
            mark(&structure->subsystems[i], structure->subsystems[i].ports[k].output);
    for (int k = 0; k < structure->n_wires; k++)
        mark(&structure->subsystems[structure->wires[k].from], structure->wires[k].output);
}

static void write_function(const ms_subsystem *sub, bool of_outputs, FILE *file)
{
    const ms_equations_data *data = sub->data;
    const ms_expressions *e = of_outputs ? data->outputs : data->derivatives;
    const char *to = of_outputs ? "y" : "dx";
    fprintf(file,
            "\nstatic void %s(double t, const double *p, const double *x, const double *u, double *%s)\n{\n"
            "    (void)t, (void)p, (void)x, (void)u, (void)%s;\n",
            of_outputs ? "outputs" : "derivatives", to, to);
    if (sub->nw > 0) {
        fprintf(file, "    double w[%d];\n", sub->nw);
        ms_expressions_write(data->common.external, "w", "e", file);
    }
    if (e != NULL)
        ms_expressions_write(e, to, "f", file);
    fprintf(file, "%s}\n", sub->nw > 0 ? "    (void)w;\n" : "");
}

void ms_equations_write_source(const ms_subsystem *sub, FILE *file)
{
    write_function(sub, false, file);
    write_function(sub, true, file);
}
