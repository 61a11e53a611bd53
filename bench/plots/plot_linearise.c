/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The poles of a linear system, and the Bode diagram from each input to outputs: G(i w) = C (i w I - A)^-1 B + D. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/spectrum.h>
#include "answer_read.h"
#include "dense.h"
#include "label.h"
#include "panel.h"
#include "plots.h"

enum { FREQUENCIES = 240, STATES_MAX = 200, PAIRS_MAX = 6 };

static const double degrees = 57.29577951308232; /* of a radian */

/* x' = A x + B u, y = C x + D u, by rows. */
typedef struct matrices {
    int nx, nu, ny;
    double *A, *B, *C, *D; /* in one block, owned by A */
    const json_t *of;
} matrices;

static void read_matrix(const json_t *object, const char *key, int rows, int columns, double *to)
{
    const json_t *matrix = json_object_get(object, key);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            to[i * columns + k] =
                json_number_value(json_array_get(json_array_get(matrix, (size_t)i), (size_t)k));
}

/* The coupled model, or the one subsystem that was asked for. */
static const json_t *choose(const json_t *answer)
{
    const json_t *whole = json_object_get(answer, "whole");
    return json_is_object(whole) ? whole : json_array_get(json_object_get(answer, "subsystems"), 0);
}

static bool read_matrices(const json_t *of, matrices *m)
{
    *m = (matrices){.nx = (int)json_array_size(json_object_get(of, "states")),
                    .nu = (int)json_array_size(json_object_get(of, "inputs")),
                    .ny = (int)json_array_size(json_object_get(of, "outputs")),
                    .of = of};
    const size_t nx = (size_t)m->nx, nu = (size_t)m->nu, ny = (size_t)m->ny;
    m->A = calloc(nx * nx + nx * nu + ny * nx + ny * nu + 1, sizeof *m->A);
    if (m->A == NULL)
        return false;
    m->B = m->A + nx * nx;
    m->C = m->B + nx * nu;
    m->D = m->C + ny * nx;
    read_matrix(of, "A", m->nx, m->nx, m->A);
    read_matrix(of, "B", m->nx, m->nu, m->B);
    read_matrix(of, "C", m->ny, m->nx, m->C);
    read_matrix(of, "D", m->ny, m->nu, m->D);
    return true;
}

/* Poles; ends: the smallest and largest modulus that is not zero. */
static void add_poles(ms_drawing *drawing, ms_panel *panel, const matrices *m, double ends[2])
{
    ms_spectrum s;
    ms_error why;
    ms_curve *curve = ms_panel_curve(panel, MS_CURVE_POINTS, NULL);
    if (m->nx == 0 || ms_spectrum_create(m->nx, m->A, &s, &why) != MS_OK)
        return;
    for (int k = 0; k < s.n; k++) {
        const double re = s.eigenvalues[2 * k], im = s.eigenvalues[2 * k + 1], modulus = hypot(re, im);
        ms_curve_point(drawing, curve, re, im);
        ends[0] = modulus > 0.0 ? fmin(ends[0], modulus) : ends[0];
        ends[1] = fmax(ends[1], modulus);
    }
    ms_spectrum_destroy(&s);
}

/* (i w I - A) (xr + i xi) = b as a real system of twice the size; x (2 nx). False where w is an eigenvalue. */
static bool respond(const matrices *m, int input, double w, double *M, int *pivots, double *x)
{
    const int n = m->nx, n2 = 2 * n;
    memset(M, 0, sizeof *M * (size_t)n2 * (size_t)n2);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            M[i * n2 + k] = M[(n + i) * n2 + n + k] = -m->A[i * n + k];
        M[i * n2 + n + i] = -w;
        M[(n + i) * n2 + i] = w;
        x[i] = m->B[i * m->nu + input];
        x[n + i] = 0.0;
    }
    if (ms_dense_factor(n2, M, pivots) != MS_OK)
        return false;
    ms_dense_solve(n2, 1, M, pivots, x);
    return true;
}

/* G of one pair over frequencies: modulus, and phase without jumps. */
static void add_pair(ms_drawing *drawing, ms_panel *panels, const matrices *m, int input, int output,
                     const double ends[2], double *work, int *pivots)
{
    char from[70], to[70], name[MS_CURVE_NAME_MAX];
    double *x = work + 4 * (size_t)m->nx * (size_t)m->nx, last = NAN;
    const json_t *inputs = json_object_get(m->of, "inputs"), *outputs = json_object_get(m->of, "outputs");
    ms_label_fit(ms_answer_word(json_array_get(inputs, (size_t)input)), sizeof from, from, sizeof from);
    ms_label_fit(ms_answer_word(json_array_get(outputs, (size_t)output)), sizeof to, to, sizeof to);
    snprintf(name, sizeof name, "%s → %s", from, to);
    ms_curve *modulus = ms_panel_curve(&panels[0], MS_CURVE_LINES, name),
             *phase = ms_panel_curve(&panels[1], MS_CURVE_LINES, NULL);
    for (int k = 0; k < FREQUENCIES; k++) {
        const double w = ends[0] * pow(ends[1] / ends[0], k / (FREQUENCIES - 1.0));
        if (!respond(m, input, w, work, pivots, x))
            continue;
        double re = m->D[output * m->nu + input], im = 0.0;
        for (int i = 0; i < m->nx; i++) {
            re += m->C[output * m->nx + i] * x[i];
            im += m->C[output * m->nx + i] * x[m->nx + i];
        }
        double angle = degrees * atan2(im, re);
        if (!isnan(last))
            angle += 360.0 * round((last - angle) / 360.0);
        last = angle;
        ms_curve_point(drawing, modulus, w, hypot(re, im));
        ms_curve_point(drawing, phase, w, angle);
    }
}

static void add_bode(ms_drawing *drawing, ms_panel *panels, const matrices *m, const double poles[2])
{
    const size_t n2 = 2 * (size_t)m->nx;
    double *work = malloc(sizeof *work * (n2 * n2 + n2 + 1));
    int *pivots = malloc(sizeof *pivots * (n2 + 1));
    const double ends[2] = {0.1 * (poles[0] < INFINITY ? poles[0] : 1.0),
                            10.0 * (poles[1] > 0.0 ? poles[1] : 1.0)};
    if (work == NULL || pivots == NULL)
        ms_drawing_no_memory(drawing);
    for (int pair = 0; work != NULL && pivots != NULL && pair < m->nu * m->ny; pair++) {
        if (pair >= PAIRS_MAX)
            panels[0].left_out++;
        else
            add_pair(drawing, panels, m, pair / m->ny, pair % m->ny, ends, work, pivots);
    }
    MS_FREE(work, pivots);
}

int ms_plot_linearise(ms_drawing *drawing, const json_t *answer)
{
    matrices m;
    double poles[2] = {INFINITY, 0.0};
    ms_panel panels[3] = {
        {.part = "poles", .title = "poles", .x = "Re / (1/s)", .y = "Im / (1/s)"},
        {.part = "modulus", .title = "Bode diagram", .y = "modulus", .log_x = true, .log_y = true},
        {.part = "phase", .title = "phase", .x = "ω / (rad/s)", .y = "degrees", .log_x = true}};
    if (!read_matrices(choose(answer), &m)) {
        ms_drawing_no_memory(drawing);
        return MS_OK;
    }
    add_poles(drawing, &panels[0], &m, poles);
    const bool responds = m.nu > 0 && m.ny > 0 && m.nx > 0 && m.nx <= STATES_MAX;
    if (responds)
        add_bode(drawing, panels + 1, &m, poles);
    ms_panels_draw(drawing, responds ? 3 : 1, panels);
    free(m.A);
    return MS_OK;
}
