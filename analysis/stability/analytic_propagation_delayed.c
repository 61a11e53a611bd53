/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_delayed.c - the propagation matrix of scheme tlm whose delay is the macro-step: v = (x, y, w_0, w_1, ..),
 * w_k the waves that left the ends k macro-steps ago. On a piece of the macro-step, over which what arrives at each end goes from
 * c(begin) to c(end) in a line,
 *
 *     x <- E x + G_0 c(begin)/g + G_1 (c(end) - c(begin))/g,     A - B Z/g C in place of A, and so on for B, C, D,
 *
 * for each subsystem at the end of a line, with E and G_k of step_map.h; c(s H) = (1 - alpha) w(1 - s) + alpha w(3/2 - s) of the
 * other end, w linear between its points. Then y <- C x + D c(H)/g, w_0 <- -c(H) + 2 Z v. Elements follow the line from L y at
 * the start to L y at the end. */
#include <stdlib.h>
#include <string.h>

#include "analytic_propagation.h"
#include "system.h"

typedef struct propagation_delayed {
    double impedance, damping; /* 0: stiffness times h */
    int ends, points, pieces;
    double *A, *B, *C, *D; /* of one subsystem, closed */
    double *begin, *end;   /* nu_i rows each */
    double *next;          /* nx_i rows */
    double *memory;
} delayed;

int ms_analytic_propagation_delayed_create(ms_analytic_propagation *f, const ms_variant *v, ms_error *error)
{
    const ms_system *s = f->system;
    if (v->scheme->form != MS_FORM_DELAYED)
        return MS_OK;
    if (s->n_lines == 0)
        return ms_fail(error, MS_UNSUPPORTED, "model %s has no lines, which `scheme` %s needs",
                       s->model->name, v->scheme->name);
    delayed *it = calloc(1, sizeof *it);
    f->delayed = it;
    if (it == NULL)
        return MS_NO_MEMORY;
    it->impedance = v->impedance;
    it->damping = v->wave_damping;
    it->ends = 2 * s->n_lines;
    it->points = it->damping > 0.0 ? 3 : 2;
    it->pieces = it->damping > 0.0 ? 2 : 1;
    f->degree = 1;
    f->n = s->nx + s->ny + it->points * it->ends;
    const size_t n = (size_t)f->n, nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny;
    it->memory = malloc(sizeof *it->memory * ((nx + ny) * (nx + nu) + (nx + 2 * nu) * n + 1));
    if (it->memory == NULL)
        return MS_NO_MEMORY;
    it->A = it->memory;
    it->B = it->A + nx * nx;
    it->C = it->B + nx * nu;
    it->D = it->C + ny * nx;
    it->begin = it->D + ny * nu;
    it->end = it->begin + nu * n;
    it->next = it->end + nu * n;
    return MS_OK;
}

void ms_analytic_propagation_delayed_destroy(ms_analytic_propagation *f)
{
    if (f->delayed == NULL)
        return;
    free(f->delayed->memory);
    free(f->delayed);
    f->delayed = NULL;
}

/* Lines -------------------------------------------------------------------------------------------------- */

static double impedance(const delayed *it, const ms_line *line, double h)
{
    return it->impedance > 0.0 ? it->impedance : line->stiffness * h;
}

static int wave_column(const ms_analytic_propagation *f, int e, int point)
{
    return f->system->nx + f->system->ny + point * f->delayed->ends + e;
}

/* row += factor w of end e that left `age` macro-steps ago. */
static void add_wave(const ms_analytic_propagation *f, int e, double age, double factor, double *row)
{
    const int k = (int)age;
    const double behind = age - k;
    row[wave_column(f, e, k)] += factor * (1.0 - behind);
    if (behind > 0.0)
        row[wave_column(f, e, k + 1)] += factor * behind;
}

/* row += factor c of end e at s macro-steps after the start of the macro-step. */
static void add_arriving(const ms_analytic_propagation *f, int e, double s, double factor, double *row)
{
    const double damping = f->delayed->damping;
    const int other = e % 2 == 0 ? e + 1 : e - 1;
    add_wave(f, other, 1.0 - s, factor * (1.0 - damping), row);
    if (damping > 0.0)
        add_wave(f, other, 1.5 - s, factor * damping, row);
}

/* Subsystems --------------------------------------------------------------------------------------------- */

static void copy(int count, const double *from, double *to)
{
    if (count > 0)
        memcpy(to, from, sizeof *to * (size_t)count);
}

/* A, B, C, D of subsystem i with its velocities in its forces. */
static void close_loops(const ms_analytic_propagation *f, int i, double h)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    const int nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    delayed *it = f->delayed;
    copy(nx * nx, m->A, it->A);
    copy(nx * nu, m->B, it->B);
    copy(ny * nx, m->C, it->C);
    copy(ny * nu, m->D, it->D);
    for (int e = 0; e < it->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const ms_port *port = ms_system_line_port(s, line, e % 2);
        if (line->subsystem[e % 2] != i)
            continue;
        const double g = -impedance(it, line, h) / port->gain;
        const double *C = m->C + port->output * nx, *D = m->D + port->output * nu;
        for (int r = 0; r < nx; r++) {
            const double b = g * m->B[r * nu + port->input];
            ms_analytic_propagation_add_product(1, 1, nx, b, (const double[]){1.0}, C, it->A + r * nx);
            ms_analytic_propagation_add_product(1, 1, nu, b, (const double[]){1.0}, D, it->B + r * nu);
        }
        for (int r = 0; r < ny; r++) {
            const double d = g * m->D[r * nu + port->input];
            ms_analytic_propagation_add_product(1, 1, nx, d, (const double[]){1.0}, C, it->C + r * nx);
            ms_analytic_propagation_add_product(1, 1, nu, d, (const double[]){1.0}, D, it->D + r * nu);
        }
    }
}

/* The states of subsystem i over a piece of length h, whose inputs go from `begin` to `end`. */
static int advance(ms_analytic_propagation *f, int i, double h, double *x)
{
    const ms_system *s = f->system;
    delayed *it = f->delayed;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu;
    const size_t bytes = sizeof(double) * (size_t)nx * (size_t)n;
    const ms_step_map map = {.nx = nx, .nu = nu, .degree = 1, .A = it->A, .B = it->B, .E = f->E, .G = f->G};
    if (h == 0.0)
        return MS_OK;
    const int status = f->method == EXACT
                           ? ms_step_map_exact(&map, h, f->map_work)
                           : ms_step_map_runge_kutta(&map, h, f->method, f->micro_steps, f->map_work);
    if (status != MS_OK)
        return status;
    memset(it->next, 0, bytes);
    ms_analytic_propagation_add_product(nx, nx, n, 1.0, f->E, x, it->next);
    ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G, it->begin, it->next);
    ms_analytic_propagation_add_product(nx, nu, n, -1.0, f->G + nx * nu, it->begin, it->next);
    ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G + nx * nu, it->end, it->next);
    memcpy(x, it->next, bytes);
    return MS_OK;
}

static void outputs(const ms_analytic_propagation *f, int i, const double *x, double *y)
{
    const int n = f->n, nx = f->system->sub[i].nx, nu = f->system->sub[i].nu, ny = f->system->sub[i].ny;
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, f->delayed->C, x, y);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, f->delayed->D, f->delayed->end, y);
}

/* What arrives at the ends of subsystem i, over their gains. */
static void receive(const ms_analytic_propagation *f, int i, double at, double *rows)
{
    const ms_system *s = f->system;
    const int n = f->n;
    memset(rows, 0, sizeof(double) * (size_t)s->sub[i].nu * (size_t)n);
    for (int e = 0; e < f->delayed->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const ms_port *port = ms_system_line_port(s, line, e % 2);
        if (line->subsystem[e % 2] == i)
            add_arriving(f, e, at, 1.0 / port->gain, propagation_row(rows, port->input, n));
    }
}

static int step_body(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n, pieces = f->delayed->pieces;
    double *x = propagation_row(psi, s->x_at[i], n);
    int status = MS_OK;
    close_loops(f, i, h);
    for (int q = 0; q < pieces && status == MS_OK; q++) {
        receive(f, i, (double)q / pieces, f->delayed->begin);
        receive(f, i, (q + 1.0) / pieces, f->delayed->end);
        status = advance(f, i, h / pieces, x);
    }
    outputs(f, i, x, propagation_row(psi, s->nx + s->y_at[i], n));
    return status;
}

static int step_element(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    delayed *it = f->delayed;
    const int n = f->n, first = s->u_at[i], nu = s->sub[i].nu;
    double *x = propagation_row(psi, s->x_at[i], n);
    memset(it->begin, 0, sizeof(double) * (size_t)nu * (size_t)n);
    memset(it->end, 0, sizeof(double) * (size_t)nu * (size_t)n);
    for (int l = 0; l < nu; l++)
        for (int w = s->row_at[first + l]; w < s->row_at[first + l + 1]; w++) {
            const int output = s->nx + s->wire_output[w];
            propagation_row(it->begin, l, n)[output] += s->wire_gain[w];
            ms_analytic_propagation_add_product(1, 1, n, s->wire_gain[w], (const double[]){1.0},
                                                propagation_row(psi, output, n),
                                                propagation_row(it->end, l, n));
        }
    close_loops(f, i, h);
    const int status = advance(f, i, h, x);
    outputs(f, i, x, propagation_row(psi, s->nx + s->y_at[i], n));
    return status;
}

/* Macro-step --------------------------------------------------------------------------------------------- */

static bool is_element(const ms_system *s, int i)
{
    for (int l = 0; l < s->n_lines; l++)
        if (s->line[l].element == i)
            return true;
    return false;
}

static void send(const ms_analytic_propagation *f, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n;
    for (int e = 0; e < f->delayed->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const int i = line->subsystem[e % 2],
                  v = s->nx + s->y_at[i] + ms_system_line_port(s, line, e % 2)->output;
        double *newest = propagation_row(psi, wave_column(f, e, 0), n);
        add_arriving(f, e, 1.0, -1.0, newest);
        ms_analytic_propagation_add_product(1, 1, n, 2.0 * impedance(f->delayed, line, h),
                                            (const double[]){1.0}, propagation_row(psi, v, n), newest);
        for (int k = 1; k < f->delayed->points; k++)
            propagation_row(psi, wave_column(f, e, k), n)[wave_column(f, e, k - 1)] = 1.0;
    }
}

int ms_analytic_propagation_delayed_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n;
    int status = MS_OK;
    memset(psi, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int j = 0; j < s->nx; j++)
        propagation_row(psi, j, n)[j] = 1.0;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (!is_element(s, i))
            status = step_body(f, i, h, psi);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (is_element(s, i))
            status = step_element(f, i, h, psi);
    send(f, h, psi);
    return status;
}
