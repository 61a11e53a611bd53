/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_delayed.c - the propagation matrix of the schemes with forces that depend on velocities at the ends of lines.
 *
 * tlm whose delay is the macro-step: v = (x, y, w_0, w_1, ..), w_k the waves that left the ends k macro-steps ago. On a piece of the macro-step,
 * over which the wave arriving at each end is linear from c(begin) to c(end),
 *
 *     x <- E x + G_0 c(begin)/g + G_1 (c(end) - c(begin))/g,     with A - B Z/g C instead of A, and so on for B, C, D,
 *
 * for each subsystem at the end of a line, with E and G_k of step_map.h; c(s H) = (1 - alpha) w(1 - s) + alpha w(3/2 - s) of the
 * other end, w linear between its points. Then y <- C x + D c(H)/g, w_0 <- -c(H) + 2 Z v. Elements follow the line from L y at
 * the start to L y at the end.
 *
 * robin: v = (x, y). The same with one piece, c(0) = F + Z v of y and c(H) unknown, one more column for each end; c(H) = F + Z v of the new y
 * are as many equations, whose solution replaces the columns. */
#include <string.h>

#include <macrostep/system.h>
#include "analytic_propagation_parts.h"
#include "matrix.h"

typedef struct propagation_delayed {
    bool robin;
    double impedance, damping; /* 0: stiffness times h, or half of it */
    int ends, points, pieces;
    int columns;           /* of rows: those of the memory, then the unknown ones */
    double *A, *B, *C, *D; /* of one subsystem, closed */
    double *begin, *end;   /* nu_i rows each */
    double *next;          /* nx_i rows */
    double *rows;          /* of all states and outputs, with the unknown columns; NULL without */
    double *M, *solved;    /* ends x ends, and ends rows */
    int *pivots;
} delayed;

int ms_analytic_propagation_delayed_create(ms_analytic_propagation *f, const ms_variant *v, ms_error *error)
{
    const ms_system *s = f->system;
    if (v->scheme->form != MS_FORM_DELAYED && v->scheme->form != MS_FORM_IMPEDANCE)
        return MS_OK;
    if (s->n_lines == 0)
        return ms_fail(error, MS_UNSUPPORTED, "model %s has no lines, which `scheme` %s needs",
                       s->model->name, v->scheme->name);
    delayed *it = ms_structure_alloc(&f->owned, 1, sizeof *it);
    f->delayed = it;
    MS_TRY_MEMORY(it);
    it->impedance = v->lines.impedance;
    it->damping = v->lines.wave_damping;
    it->robin = v->scheme->form == MS_FORM_IMPEDANCE;
    it->ends = 2 * s->n_lines;
    it->points = it->robin ? 0 : it->damping > 0.0 ? 3 : 2;
    it->pieces = it->damping > 0.0 ? 2 : 1;
    f->degree = 1;
    f->n = s->nx + s->ny + it->points * it->ends;
    it->columns = f->n + (it->robin ? it->ends : 0);
    const size_t n = (size_t)it->columns, nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny,
                 e = (size_t)it->ends;
    const size_t extended = it->robin ? (nx + ny + e) * n + e * e : 0;
    it->A = ms_structure_alloc(&f->owned, (nx + ny) * (nx + nu) + (nx + 1 + 2 * nu) * n + extended,
                               sizeof *it->A);
    it->pivots = ms_structure_alloc(&f->owned, e, sizeof *it->pivots);
    MS_TRY_MEMORY(it->A != NULL && it->pivots != NULL);
    it->B = it->A + nx * nx;
    it->C = it->B + nx * nu;
    it->D = it->C + ny * nx;
    it->begin = it->D + ny * nu;
    it->end = it->begin + nu * n;
    it->next = it->end + nu * n;
    it->rows = it->robin ? it->next + (nx + 1) * n : NULL;
    it->solved = it->next + (nx + 1 + (it->robin ? nx + ny : 0)) * n;
    it->M = it->solved + e * n;
    return MS_OK;
}

/* Lines -------------------------------------------------------------------------------------------------- */

static double impedance(const delayed *it, const ms_line *line, double h)
{
    return it->impedance > 0.0 ? it->impedance : (it->robin ? 0.5 : 1.0) * line->stiffness * h;
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

/* row += factor (F + Z v) of end e, of outputs in the memory. */
static void add_known(const ms_analytic_propagation *f, int e, double h, double factor, double *row)
{
    const ms_system *s = f->system;
    const ms_line *line = &s->line[e / 2];
    const ms_port *port = ms_system_line_port(s, line, e % 2);
    const int i = line->subsystem[e % 2], wire = s->row_at[s->u_at[i] + port->input]; /* its only one */
    row[s->nx + s->wire_output[wire]] += factor * port->gain * s->wire_gain[wire];
    row[s->nx + s->y_at[i] + port->output] += factor * impedance(f->delayed, line, h);
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
            propagation_add(nx, b, C, it->A + r * nx);
            propagation_add(nu, b, D, it->B + r * nu);
        }
        for (int r = 0; r < ny; r++) {
            const double d = g * m->D[r * nu + port->input];
            propagation_add(nx, d, C, it->C + r * nx);
            propagation_add(nu, d, D, it->D + r * nu);
        }
    }
}

/* The states of subsystem i over a piece of length h, whose inputs go from `begin` to `end`. */
static int advance(ms_analytic_propagation *f, int i, double h, double *x)
{
    const ms_system *s = f->system;
    delayed *it = f->delayed;
    const int n = f->delayed->columns, nx = s->sub[i].nx, nu = s->sub[i].nu;
    const size_t bytes = sizeof(double) * (size_t)nx * (size_t)n;
    const ms_step_map map = {.nx = nx, .nu = nu, .degree = 1, .A = it->A, .B = it->B, .E = f->E, .G = f->G};
    if (h == 0.0)
        return MS_OK;
    MS_TRY(ms_step_map_fill(&map, h, f->method, f->micro_steps, f->map_work));
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
    const int n = f->delayed->columns, nx = f->system->sub[i].nx, nu = f->system->sub[i].nu,
              ny = f->system->sub[i].ny;
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, f->delayed->C, x, y);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, f->delayed->D, f->delayed->end, y);
}

/* What arrives at the ends of subsystem i, over their gains. */
static void receive(const ms_analytic_propagation *f, int i, double at, double h, double *rows)
{
    const ms_system *s = f->system;
    const int n = f->delayed->columns;
    memset(rows, 0, sizeof(double) * (size_t)s->sub[i].nu * (size_t)n);
    for (int e = 0; e < f->delayed->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const ms_port *port = ms_system_line_port(s, line, e % 2);
        double *row = propagation_row(rows, port->input, n);
        if (line->subsystem[e % 2] != i)
            continue;
        if (!f->delayed->robin)
            add_arriving(f, e, at, 1.0 / port->gain, row);
        else if (at > 0.0)
            row[f->n + e] += 1.0 / port->gain;
        else
            add_known(f, e, h, 1.0 / port->gain, row);
    }
}

static int step_body(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->delayed->columns, pieces = f->delayed->pieces;
    double *x = propagation_row(psi, s->x_at[i], n);
    int status = MS_OK;
    close_loops(f, i, h);
    for (int q = 0; q < pieces && status == MS_OK; q++) {
        receive(f, i, (double)q / pieces, h, f->delayed->begin);
        receive(f, i, (q + 1.0) / pieces, h, f->delayed->end);
        status = advance(f, i, h / pieces, x);
    }
    outputs(f, i, x, propagation_row(psi, s->nx + s->y_at[i], n));
    return status;
}

static int step_element(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    delayed *it = f->delayed;
    const int n = f->delayed->columns, first = s->u_at[i], nu = s->sub[i].nu;
    double *x = propagation_row(psi, s->x_at[i], n);
    memset(it->begin, 0, sizeof(double) * (size_t)nu * (size_t)n);
    memset(it->end, 0, sizeof(double) * (size_t)nu * (size_t)n);
    for (int l = 0; l < nu; l++)
        for (int w = s->row_at[first + l]; w < s->row_at[first + l + 1]; w++) {
            const int output = s->nx + s->wire_output[w];
            propagation_row(it->begin, l, n)[output] += s->wire_gain[w];
            propagation_add(n, s->wire_gain[w], propagation_row(psi, output, n),
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
    const int n = f->delayed->columns;
    for (int e = 0; e < f->delayed->ends; e++) {
        const ms_line *line = &s->line[e / 2];
        const int i = line->subsystem[e % 2],
                  v = s->nx + s->y_at[i] + ms_system_line_port(s, line, e % 2)->output;
        double *newest = propagation_row(psi, wave_column(f, e, 0), n);
        add_arriving(f, e, 1.0, -1.0, newest);
        propagation_add(n, 2.0 * impedance(f->delayed, line, h), propagation_row(psi, v, n), newest);
        for (int k = 1; k < f->delayed->points; k++)
            propagation_row(psi, wave_column(f, e, k), n)[wave_column(f, e, k - 1)] = 1.0;
    }
}

/* All bodies, then all elements. */
static int step_all(ms_analytic_propagation *f, double h, double *rows)
{
    const ms_system *s = f->system;
    const int n = f->delayed->columns;
    int status = MS_OK;
    memset(rows, 0, sizeof(double) * (size_t)(s->nx + s->ny) * (size_t)n);
    for (int j = 0; j < s->nx; j++)
        propagation_row(rows, j, n)[j] = 1.0;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (!is_element(s, i))
            status = step_body(f, i, h, rows);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (is_element(s, i))
            status = step_element(f, i, h, rows);
    return status;
}

/* Row e of F + Z v of the new outputs, over all columns. */
static void read_wave(const ms_analytic_propagation *f, int e, double h, double *row)
{
    const ms_system *s = f->system;
    const int n = f->delayed->columns;
    double *known = f->delayed->next; /* free by now */
    memset(known, 0, sizeof(double) * (size_t)n);
    memset(row, 0, sizeof(double) * (size_t)n);
    add_known(f, e, h, 1.0, known);
    for (int j = 0; j < s->ny; j++)
        propagation_add(n, known[s->nx + j], propagation_row(f->delayed->rows, s->nx + j, n), row);
}

/* Eliminates the unknown columns by c(H) = F + Z v, and updates the others. */
static int eliminate(const ms_analytic_propagation *f, double h, double *psi)
{
    delayed *it = f->delayed;
    const int n = f->n, ends = it->ends, columns = it->columns;
    for (int e = 0; e < ends; e++) {
        double *row = propagation_row(it->solved, e, columns);
        read_wave(f, e, h, row);
        for (int k = 0; k < ends; k++)
            it->M[e * ends + k] = (e == k) - row[n + k];
    }
    if (ms_matrix_factor(ends, it->M, it->pivots) != MS_OK)
        return MS_NO_SOLUTION;
    for (int j = 0; j < n; j++) { /* it->next holds a column */
        for (int e = 0; e < ends; e++)
            it->next[e] = propagation_row(it->solved, e, columns)[j];
        ms_matrix_solve(ends, it->M, it->pivots, it->next);
        for (int i = 0; i < n; i++) {
            const double *row = propagation_row(it->rows, i, columns);
            double sum = row[j];
            for (int e = 0; e < ends; e++)
                sum += row[n + e] * it->next[e];
            propagation_row(psi, i, n)[j] = sum;
        }
    }
    return MS_OK;
}

int ms_analytic_propagation_delayed_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const int n = f->n;
    if (f->delayed->robin) {
        const int status = step_all(f, h, f->delayed->rows);
        return status == MS_OK ? eliminate(f, h, psi) : status;
    }
    memset(psi, 0, sizeof(double) * (size_t)n * (size_t)n);
    const int status = step_all(f, h, psi);
    send(f, h, psi);
    return status;
}
