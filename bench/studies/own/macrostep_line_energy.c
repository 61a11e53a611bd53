/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy of two bodies and the delay line between them, which is all of it:
 *
 *     line-energy run precice-oscillator --case line --scheme tlm --step-size H --stop-time T
 *
 * time, bodies, line, lost: at up to 501 equally distant communication points. The line holds 1/(4 Z) times the integral of both waves
 * squared over the last delay; lost: what linear interpolation between communication points has taken from them. */

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "cosim_segments.h"
#include "measurement.h"

enum { ROWS = 501, GAUSS = 5 };

static const double gauss_at[GAUSS] = {0.046910077030668, 0.23076534494715845, 0.5, 0.7692346550528415,
                                       0.953089922969332};
static const double gauss_weight[GAUSS] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                           0.23931433524968324, 0.11846344252809454};

/* One line whose delay is the macro-step. */
typedef struct waves {
    double Z, h;
    double sent[2], before[2]; /* at the last communication point, and the one before it */
    double left[2], lost;      /* int a^2 over the last macro-step; energy removed by interpolation so far */
} waves;

static int body_of(const ms_system *s, int end_of_line)
{
    return s->line[0].subsystem[end_of_line];
}

static double velocity(const ms_cosim *cosim, int e)
{
    const ms_system *s = cosim->system;
    return cosim->y[s->y_at[body_of(s, e)] + ms_system_line_port(s, &s->line[0], e)->output];
}

static waves begin(const ms_cosim *cosim, double h)
{
    const ms_system *s = cosim->system;
    waves w = {.Z = s->line[0].stiffness * h, .h = h};
    for (int e = 0; e < 2; e++) {
        const double force = (e == 0 ? 1.0 : -1.0) * cosim->y[s->y_at[s->line[0].element]];
        w.sent[e] = w.before[e] = w.Z * velocity(cosim, e) - force;
        w.left[e] = h * w.sent[e] * w.sent[e];
    }
    return w;
}

/* The macro-step that is recorded: a = -c + 2 Z v inside it, c the line between two waves of the other end. */
static void follow(const ms_cosim *cosim, waves *w)
{
    const ms_system *s = cosim->system;
    double left[2] = {0.0}, arrived[2] = {0.0}, sent[2];
    for (int e = 0; e < 2; e++) {
        const double from = w->before[1 - e], to = w->sent[1 - e];
        const int v_at = s->x_at[body_of(s, e)] + 1;
        for (int g = 0; g < GAUSS; g++) {
            const double c = from + gauss_at[g] * (to - from),
                         a = 2.0 * w->Z * cosim->segment[0].samples[g * s->nx + v_at] - c;
            arrived[e] += w->h * gauss_weight[g] * c * c;
            left[e] += w->h * gauss_weight[g] * a * a;
        }
        sent[e] = 2.0 * w->Z * velocity(cosim, e) - to;
    }
    for (int e = 0; e < 2; e++) {
        w->lost += (w->left[1 - e] - arrived[e]) / (4.0 * w->Z);
        w->before[e] = w->sent[e];
        w->sent[e] = sent[e];
    }
    memcpy(w->left, left, sizeof left);
}

static void note(const ms_cosim *cosim, const waves *w, double t, json_t *answer)
{
    const ms_system *s = cosim->system;
    double bodies = 0.0, line = 0.0;
    for (int e = 0; e < 2; e++) {
        const int i = body_of(s, e);
        bodies += s->sub[i].energy(cosim->x + s->x_at[i], s->p, s->sub[i].data);
        line += w->left[e] / (4.0 * w->Z);
    }
    ms_measured_append(answer, "time", t);
    ms_measured_append(answer, "bodies", bodies);
    ms_measured_append(answer, "line", line);
    ms_measured_append(answer, "lost", w->lost);
}

static int run(ms_cosim *cosim, double h, double end, json_t *answer)
{
    const long count = lround(end / h), every = (count + ROWS - 2) / (ROWS - 1);
    int status = ms_cosim_sample(cosim, GAUSS, gauss_at);
    MS_THEN(status, ms_cosim_start(cosim));
    if (status != MS_OK)
        return status;
    waves w = begin(cosim, h);
    note(cosim, &w, 0.0, answer);
    for (long n = 0; n < count; n++) {
        MS_TRY(ms_cosim_step(cosim, (double)n * h, h));
        ms_cosim_record_segment(cosim, 0, (double)n * h, h);
        follow(cosim, &w);
        if ((n + 1) % every == 0)
            note(cosim, &w, (double)(n + 1) * h, answer);
    }
    return MS_OK;
}

/* One line between two bodies of position and velocity. */
static int check(const ms_system *s, ms_error *error)
{
    bool fits = s->n_lines == 1;
    for (int e = 0; e < 2 && fits; e++)
        fits = s->sub[body_of(s, e)].nx == 2 && s->sub[body_of(s, e)].energy != NULL;
    return fits ? MS_OK
                : ms_fail(error, MS_INVALID,
                          "line-energy: two bodies and one line are expected, not model %s", s->model->name);
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    ms_study study;
    ms_cosim *cosim = NULL;
    int status = ms_study_bind(drawing, &study, error, "%s", words);
    MS_THEN(status, check(study.system, error));
    if (status == MS_OK) {
        const ms_options *options = &study.arguments->options;
        status = ms_cosim_of_options(study.system, options, &cosim, error);
        MS_THEN(status, run(cosim, options->step_size, ms_options_stop_time(options, study.system->stop_time),
                            answer));
    }
    ms_cosim_destroy(&cosim);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_line_energy = {"line-energy", measure, NULL};
