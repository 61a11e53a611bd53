/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2021), sections 5.1 and 5.2: the force f_L and the displacement of the body, monolithic. Figs. 3 and 5.
 *
 * Not printed, chosen: the values of D_D other than 4, 1, 0.64 and 0.01. */
#include <math.h>
#include <string.h>

#include "figure.h"
#include "matrix.h"
#include "study.h"

enum { BODY, V_L = 0, X_L, X_D, STATES };

/* The force ------------------------------------------------------------------------------------------------ */

enum { FORCE_POINTS = 500, ORDERS = 6 };

static double force(const ms_system *system, double t)
{
    double w = NAN;
    ms_subsystem_external(system, &system->sub[BODY], t, &w);
    return w;
}

/* (29) as it is printed, and with 5/e^-1 for the prefactor. */
static double printed_force(double t)
{
    return t < 2.0 ? 5.0 / exp(-1.0) * exp(1.0 / (0.25 * t * t - 1.0)) : 0.0;
}

/* The central difference of order k around 2 s over h^k; tends to the k-th derivative there. */
static double quotient_at_end(const ms_system *system, int k, double h)
{
    double sum = 0.0, binomial = 1.0;
    for (int j = 0; j <= k; j++) {
        sum += (j % 2 == 0 ? binomial : -binomial) * force(system, 2.0 + (0.5 * k - j) * h);
        binomial *= (double)(k - j) / (j + 1);
    }
    return fabs(sum) / pow(h, k);
}

static void check_force(ms_drawing *drawing, const ms_system *system)
{
    double deviation = 0.0, after = 0.0, largest = 0.0;
    for (int k = 0; k <= FORCE_POINTS; k++) {
        const double t = 10.0 * k / FORCE_POINTS, value = force(system, t);
        deviation = fmax(deviation, fabs(value - printed_force(t)));
        after = fmax(after, t >= 2.0 ? fabs(value) : 0.0);
    }
    for (int k = 0; k <= ORDERS; k++)
        largest = fmax(largest, quotient_at_end(system, k, 1e-3));
    const double start = ms_drawing_published_number(drawing, "start");
    ms_drawing_check_number(drawing, "f_L at the start [N]", start, force(system, 0.0), 0.0, "Exact.");
    ms_drawing_check_number(drawing, "f_L from 2 s on [N]", 0.0, after, 0.0, "Exact.");
    ms_drawing_check_own(drawing, "largest deviation from (29) [N]", "0", json_real(deviation),
                         json_real(1e-13), ms_judge_at_most(drawing, deviation, 1e-13),
                         "Its prefactor 5/e^-1 is read as 5 divided by e^-1.");
    ms_study_claim(
        drawing, "all derivatives of f_L are continuous at 2 s", "smooth", ms_json_real(largest),
        ms_judge_at_most(drawing, largest, 1e-30),
        "Measured: the largest central difference quotient of orders 0 to %d there, from spacing 0.001 s.",
        (int)ORDERS);
}

static int draw_fig3(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    const int status = ms_study_bind(drawing, &study, error, "run damping-reaction --scheme ifosmondi");
    if (status == MS_OK) {
        ms_data *data = ms_drawing_data(drawing, "", "time,force");
        for (int k = 0; k <= FORCE_POINTS; k++) {
            const double t = 10.0 * k / FORCE_POINTS;
            MS_ROW(data, t, force(study.system, t));
        }
        const double start = ms_drawing_published_number(drawing, "start"),
                     until = ms_drawing_published_number(drawing, "end");
        ms_data *published = ms_drawing_data(drawing, "published", "time,force,deviation");
        MS_ROW(published, 0.0, start, force(study.system, 0.0) - start);
        MS_ROW(published, until, 0.0, force(study.system, until));
        check_force(drawing, study.system);
        ms_drawing_remark(drawing, "f_L has all derivatives, but is not analytic at 2 s.");
        ms_drawing_commands_of(drawing, "eguillon2021_fig3.gp", 760, 460);
    }
    ms_study_destroy(&study);
    return status;
}

/* The displacement ----------------------------------------------------------------------------------------- */

static const double dampings[] = {4.0, 1.5625, 1.0, 0.64, 0.25, 0.04, 0.01};

enum { DAMPINGS = MS_COUNT(dampings), POINTS = 500, STAGES_MAX = 16, PRINTED_STAGES = 5 };

typedef struct motion {
    double x_L[POINTS + 1];
    double radius;                           /* of D L, (34) */
    int n;                                   /* stages */
    int body[STAGES_MAX], plate[STAGES_MAX]; /* directions, 1 or -1 */
    double reference_error;
} motion;

static void note_stage(motion *m, int body, int plate)
{
    if (m->n > 0 && m->body[m->n - 1] == body && m->plate[m->n - 1] == plate)
        return;
    if (m->n < STAGES_MAX) {
        m->body[m->n] = body;
        m->plate[m->n++] = plate;
    }
}

/* With the loop solved v_C = (K_SD (x_L - x_D) + D_SD v_L) / (D_SD + D_D), its sign that of the numerator; K_SD = D_SD = 1. */
static void follow(void *self, long k, const double *x)
{
    motion *m = self;
    m->x_L[k] = k > 0 ? x[X_L] : 0.0;
    if (k > 0)
        note_stage(m, x[V_L] > 0.0 ? 1 : -1, x[X_L] - x[X_D] + x[V_L] > 0.0 ? 1 : -1);
}

/* The largest modulus of the eigenvalues of D L, by rows of the outputs (f_C, v_C, x_C). */
static int loop_radius(const ms_system *system, double *radius)
{
    double DL[STATES * STATES], lambda[2 * STATES];
    memset(DL, 0, sizeof DL);
    for (int i = 0; i < system->n; i++)
        for (int row = 0; row < system->sub[i].ny; row++)
            for (int l = 0; l < system->sub[i].nu; l++)
                for (int w = system->row_at[system->u_at[i] + l]; w < system->row_at[system->u_at[i] + l + 1];
                     w++)
                    DL[(system->y_at[i] + row) * STATES + system->wire_output[w]] +=
                        system->blocks[i].D[row * system->sub[i].nu + l] * system->wire_gain[w];
    const int status = ms_matrix_eigenvalues(STATES, DL, lambda);
    *radius = 0.0;
    for (int k = 0; k < STATES; k++)
        *radius = fmax(*radius, hypot(lambda[2 * k], lambda[2 * k + 1]));
    return status;
}

static int measure(ms_drawing *drawing, motion *m, ms_error *error)
{
    int status = MS_OK;
    for (int d = 0; d < DAMPINGS && status == MS_OK; d++) {
        ms_study study;
        status = ms_study_bind(drawing, &study, error, "run damping-reaction --set d_d=%g --scheme ifosmondi",
                               dampings[d]);
        MS_THEN(status, ms_study_follow_reference(study.system, POINTS, study.system->stop_time / POINTS,
                                                  follow, &m[d], &m[d].reference_error, error));
        MS_THEN(status, loop_radius(study.system, &m[d].radius));
        ms_study_destroy(&study);
    }
    return status;
}

static void write_motions(ms_drawing *drawing, const motion *m)
{
    ms_data *data = ms_drawing_data(drawing, "", "time,d4,d1p5625,d1,d0p64,d0p25,d0p04,d0p01");
    for (int k = 0; k <= POINTS; k++) {
        ms_data_cell(data, 10.0 * k / POINTS);
        for (int d = 0; d < DAMPINGS; d++)
            ms_data_cell(data, m[d].x_L[k]);
    }
}

/* "+-" for body forward, plate backward. */
static json_t *stages_of(const motion *m)
{
    json_t *stages = json_array();
    for (int k = 0; k < m->n; k++) {
        const char text[] = {m->body[k] > 0 ? '+' : '-', m->plate[k] > 0 ? '+' : '-', '\0'};
        json_array_append_new(stages, json_string(text));
    }
    return stages;
}

/* How many of the five stages of Table 2 the motion begins with. */
static int stages_as_printed(const motion *m)
{
    static const int body[] = {1, -1, -1, 1, 1}, plate[] = {1, 1, -1, -1, 1};
    int k = 0;
    while (k < PRINTED_STAGES && k < m->n && m->body[k] == body[k] && m->plate[k] == plate[k])
        k++;
    return k;
}

/* NaN where none is printed for that damping. */
static double printed_radius(ms_drawing *drawing, int d)
{
    const json_t *printed = ms_drawing_published(drawing, "dampings"),
                 *radii = ms_drawing_published(drawing, "radii");
    for (size_t k = 0; k < json_array_size(printed); k++)
        if (json_number_value(json_array_get(printed, k)) == dampings[d])
            return json_number_value(json_array_get(radii, k));
    return NAN;
}

static void check_motions(ms_drawing *drawing, const motion *m)
{
    json_t *others = json_object();
    double worst = 0.0;
    int same = 0;
    for (int d = 0; d < DAMPINGS; d++) {
        const double radius = printed_radius(drawing, d);
        if (!isnan(radius))
            ms_drawing_check_number(
                drawing, ms_drawing_text(drawing, "D_D = %g: spectral radius of D L", dampings[d]), radius,
                m[d].radius, 1e-12, "The largest modulus of its eigenvalues, (34).");
        json_object_set_new(others, ms_drawing_text(drawing, "%g", dampings[d]), stages_of(&m[d]));
        same += stages_as_printed(&m[d]) == PRINTED_STAGES;
        worst = fmax(worst, m[d].reference_error);
    }
    ms_study_claim(drawing, "stages of the movement, D_D = 4", "stages", stages_of(&m[0]),
                   ms_judge_is(drawing, stages_as_printed(&m[0]), PRINTED_STAGES),
                   "Directions of body and plate, + front and - back.");
    ms_study_claim(
        drawing, "stages of the movement, other values of D_D", "stages_vary", others,
        ms_judge_is(drawing, same, DAMPINGS),
        "Slightly would be: at other times. The stages of Table 2 stand at the beginning for %d of %d values of "
        "D_D; with the others stages are missing.",
        same, (int)DAMPINGS);
    ms_drawing_remark(
        drawing, "The monolithic solution is known to %.1e. Not printed, chosen: D_D = 1.5625, 0.25, 0.04.",
        worst);
}

static int draw_fig5(ms_drawing *drawing, ms_error *error)
{
    motion *m = ms_drawing_memory(drawing);
    MS_TRY(measure(drawing, m, error));
    write_motions(drawing, m);
    check_motions(drawing, m);
    ms_drawing_script(drawing, "array radii[%d]\narray dampings[%d]\n", (int)DAMPINGS, (int)DAMPINGS);
    for (int d = 0; d < DAMPINGS; d++) {
        const double printed = printed_radius(drawing, d);
        ms_drawing_script(drawing, "radii[%d] = '%.3g%s'; dampings[%d] = '%g'\n", d + 1, m[d].radius,
                          isnan(printed) ? ""
                                         : ms_drawing_text(drawing, ", published %g (%+.0g)", printed,
                                                           m[d].radius - printed),
                          d + 1, dampings[d]);
    }
    ms_drawing_commands_of(drawing, "eguillon2021_fig5.gp", 860, 520);
    return MS_OK;
}

const ms_figure ms_figure_eguillon2021_fig3 = {"eguillon2021:fig3", "The force that pushes the body",
                                               "Eguillon et al. (2021), Fig. 3, (29), section 5.1",
                                               .draw = draw_fig3};

const ms_figure ms_figure_eguillon2021_fig5 = {
    "eguillon2021:fig5", "Displacement of the body for several dampings of the plate, monolithic",
    "Eguillon et al. (2021), Fig. 5, section 5.2", .draw = draw_fig5, .memory = DAMPINGS * sizeof(motion)};
