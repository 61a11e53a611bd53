/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_tlm.c - delay lines instead of a spring: energy including losses of the line, the inertia of a line, and errors over the
 * macro-step for its three starts. Expected values follow from the header of scheme_tlm.c:
 *
 *   energy     bodies, waves on their way, and what interpolation has taken from waves add up to what there was at the start
 *   inertia    masses with equal motion (F_1 = F_2 = F) feel F = -Z v i tan(w T/2) without sampling of waves: m w^2 + Z w tan(w T/2) =
 *              k_wall, which is w_0 (1 - k T^2/(4 m)) for short T, Z = k T. Interpolation moves this part by (w H)^2/12 of itself
 *   starts     the spring's force is of order 2; without it 1 where the spring is relaxed, and nothing where it is not */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/spectrum.h>
#include "arguments.h"
#include "cosim_segments.h"
#include "drawing.h"
#include "study.h"
#include "study_orders.h"

enum { STEPS = 3, ROWS = 501, GAUSS = 5, DELAYS = 2, TIMES = 7, MEMBERS = 4, HALVINGS = 7 };

static const double steps[STEPS] = {0.02, 0.01, 0.005};
static const double end = 5.0; /* [s] */
static const int delays[DELAYS] = {1, 4};

/* Starts: spring, zero-force and zero-wave with the relaxed spring of lim-oscillator, zero-force with one under tension. */
static const struct {
    const char *command, *title;
    double coarsest; /* [s] */
    int order;       /* -1: the error stays */
} members[MEMBERS] = {
    {"converge lim-oscillator --case force-force --scheme tlm --stop-time 0.96", "spring", 0.008, 2},
    {"converge lim-oscillator --case force-force --scheme tlm --wave-start zero-force --stop-time 0.96",
     "zero-force", 0.008, 1},
    {"converge lim-oscillator --case force-force --scheme tlm --wave-start zero-wave --stop-time 0.96",
     "zero-wave", 0.008, 1},
    {"converge lim-oscillator --case force-force --set x2=50 --scheme tlm --wave-start zero-force "
     "--stop-time 0.96",
     "zero-force, tense", 0.008, -1}};

typedef struct ledger {
    int n;
    double time[ROWS], bodies[ROWS], line[ROWS], lost[ROWS];
} ledger;

typedef struct measures {
    ledger ledger[STEPS];
    double delay[DELAYS][TIMES], shift[DELAYS][TIMES], exact[DELAYS][TIMES]; /* 1 - w/w_0 */
    ms_order_series series[MEMBERS];
} measures;

/* Energy ------------------------------------------------------------------------------------------------- */

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

static void note(const ms_cosim *cosim, const waves *w, double t, ledger *l)
{
    const ms_system *s = cosim->system;
    l->time[l->n] = t;
    for (int e = 0; e < 2; e++) {
        const int i = body_of(s, e);
        l->bodies[l->n] += s->sub[i].energy(cosim->x + s->x_at[i], s->p, s->sub[i].data);
        l->line[l->n] += w->left[e] / (4.0 * w->Z);
    }
    l->lost[l->n++] = w->lost;
}

static int run_ledger(ms_cosim *cosim, double h, ledger *l)
{
    const long count = lround(end / h), every = (count + ROWS - 2) / (ROWS - 1);
    int status = ms_cosim_sample(cosim, GAUSS, gauss_at);
    MS_THEN(status, ms_cosim_start(cosim));
    if (status != MS_OK)
        return status;
    waves w = begin(cosim, h);
    note(cosim, &w, 0.0, l);
    for (long n = 0; n < count && status == MS_OK; n++) {
        status = ms_cosim_step(cosim, (double)n * h, h);
        if (status != MS_OK)
            break;
        ms_cosim_record_segment(cosim, 0, (double)n * h, h);
        follow(cosim, &w);
        if ((n + 1) % every == 0)
            note(cosim, &w, (double)(n + 1) * h, l);
    }
    return status;
}

static int measure_energy(ms_drawing *drawing, measures *all, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < STEPS && status == MS_OK; k++) {
        ms_study study;
        ms_cosim *cosim = NULL;
        status = ms_study_bind(
            drawing, &study, error,
            "run precice-oscillator --case line --scheme tlm --step-size %g --stop-time %g", steps[k], end);
        MS_THEN(status, ms_cosim_of_options(study.system, &study.arguments->options, &cosim, error));
        MS_THEN(status, run_ledger(cosim, steps[k], &all->ledger[k]));
        ms_cosim_destroy(&cosim);
        ms_study_destroy(&study);
    }
    return status;
}

/* Inertia ------------------------------------------------------------------------------------------------ */

static const double wall =
    39.478417604357434; /* 4 pi^2 N/m; the middle spring has four times that, masses are 1 kg */

/* m w^2 + Z w tan(w T/2) = k_wall, by halving. */
static double in_phase(double T)
{
    const double Z = 4.0 * wall * T;
    double low = 0.0, high = sqrt(wall);
    for (int k = 0; k < 80; k++) {
        const double w = 0.5 * (low + high);
        if (w * w + Z * w * tan(0.5 * w * T) < wall)
            low = w;
        else
            high = w;
    }
    return low;
}

/* The angle of the eigenvalue next to exp(i w h), over h. */
static double frequency(const ms_spectrum *spectrum, double w, double h)
{
    double nearest = INFINITY, found = NAN;
    for (int k = 0; k < spectrum->n; k++) {
        const double re = spectrum->eigenvalues[2 * k], im = spectrum->eigenvalues[2 * k + 1];
        const double off = hypot(re - cos(w * h), im - sin(w * h));
        if (off < nearest) {
            nearest = off;
            found = atan2(im, re) / h;
        }
    }
    return found;
}

static int measure_frequency(ms_drawing *drawing, double h, double T, double *found, ms_error *error)
{
    ms_study study;
    ms_spectrum spectrum = {0};
    double *psi = NULL;
    int n = 0,
        status = ms_study_bind(
            drawing, &study, error,
            "spectral precice-oscillator --case line --scheme tlm --step-size %.17g --delay %.17g", h, T);
    MS_THEN(status, ms_propagation_probe(study.system, &study.arguments->options, h, &n, &psi, error));
    MS_THEN(status, ms_spectrum_create(n, psi, &spectrum, error));
    if (status == MS_OK)
        *found = frequency(&spectrum, in_phase(T), h);
    ms_spectrum_destroy(&spectrum);
    free(psi);
    ms_study_destroy(&study);
    return status;
}

static int measure_inertia(ms_drawing *drawing, measures *all, ms_error *error)
{
    int status = MS_OK;
    for (int d = 0; d < DELAYS; d++)
        for (int k = 0; k < TIMES && status == MS_OK; k++) {
            const double T = 0.064 / (1 << k);
            double w = NAN;
            status = measure_frequency(drawing, T / delays[d], T, &w, error);
            all->delay[d][k] = T;
            all->shift[d][k] = 1.0 - w / sqrt(wall);
            all->exact[d][k] = 1.0 - in_phase(T) / sqrt(wall);
        }
    return status;
}

/* Expectations ------------------------------------------------------------------------------------------- */

static void check_energy(ms_drawing *drawing, const measures *all)
{
    double open = 0.0, taken[STEPS];
    for (int k = 0; k < STEPS; k++) {
        const ledger *l = &all->ledger[k];
        const double start = l->bodies[0] + l->line[0];
        for (int n = 0; n < l->n; n++)
            open = fmax(open, fabs((l->bodies[n] + l->line[n] + l->lost[n]) / start - 1.0));
        taken[k] = l->lost[l->n - 1] / start;
    }
    ms_drawing_check(drawing, "energy of bodies and line, with the line's loss booked", json_string("stays"),
                     MS_REALS({"largest change over that at the start", open}), json_real(1e-12),
                     ms_verdict_of(ms_judge_at_most(drawing, open, 1e-12)),
                     "Velocities of the exact solution inside macro-steps, integrated by five Gauss points.");
    for (int k = 1; k < STEPS; k++)
        ms_drawing_check(
            drawing,
            ms_drawing_text(drawing, "the loss after %g s falls from H = %g to %g s by", end, steps[k - 1],
                            steps[k]),
            json_string("a factor of 4 to 8"),
            MS_REALS({"larger", taken[k - 1]}, {"smaller", taken[k]}, {"factor", taken[k - 1] / taken[k]}),
            json_string("-"), ms_verdict_of(ms_judge_within(drawing, taken[k - 1] / taken[k], 4.0, 8.0)),
            "What leaves an end is a line but for 2 Z times the curvature of v, of size H^2 Z = k H^3: of "
            "first order it comes and goes with the motion as H^2, of second order it adds up as H^3.");
}

static void check_inertia(ms_drawing *drawing, const measures *all)
{
    double apart = 0.0, slope[DELAYS];
    for (int d = 0; d < DELAYS; d++) {
        for (int k = 0; k < TIMES; k++) {
            const double sampled = pow(sqrt(wall) * all->delay[d][k] / delays[d], 2.0) / 12.0;
            apart = fmax(apart, fabs(all->shift[d][k] / all->exact[d][k] - 1.0) - sampled);
        }
        slope[d] = ms_observed_order(all->shift[d][TIMES - 2], all->shift[d][TIMES - 1],
                                     all->delay[d][TIMES - 2], all->delay[d][TIMES - 1]);
    }
    ms_drawing_check(drawing, "masses that move alike are slower by what m w^2 + Z w tan(w T/2) = k says",
                     json_string("the same shift of their frequency, but for (w H)^2/12 of it"),
                     MS_REALS({"largest relative difference beyond that", apart}), json_real(1e-3),
                     ms_verdict_of(ms_judge_at_most(drawing, apart, 1e-3)),
                     "T = H and T = 4 H; the eigenvalue of the propagation matrix next to exp(i w H).");
    ms_drawing_check(drawing, "the shift over the delay", json_string("T^2"),
                     MS_REALS({"exponent, T = H", slope[0]}, {"exponent, T = 4 H", slope[1]}),
                     json_real(0.02),
                     ms_verdict_of(ms_judge_within(drawing, slope[0], 1.98, 2.02) &&
                                   ms_judge_within(drawing, slope[1], 1.98, 2.02)),
                     "An inertia of k T^2 between two masses of m.");
}

static void check_starts(ms_drawing *drawing, const measures *all)
{
    for (int k = 0; k < MEMBERS; k++) {
        const ms_convergence_row *row = all->series[k].row[MS_SERIES_END];
        const double order = ms_observed_order(row[HALVINGS - 2].error, row[HALVINGS - 1].error,
                                               row[HALVINGS - 2].step_size, row[HALVINGS - 1].step_size);
        const bool holds = ms_judge_within(drawing, order - fmax(members[k].order, 0.0), -0.1, 0.1);
        ms_drawing_check(
            drawing, ms_drawing_text(drawing, "start %s", members[k].title),
            members[k].order < 0 ? json_string("the error stays") : json_integer(members[k].order),
            MS_REALS({"order between the two shortest steps", order}, {"error", row[HALVINGS - 1].error}),
            json_real(0.1), ms_verdict_of(holds), "%s",
            members[k].order < 0
                ? "The spring's force at the start is lost for good: the line keeps changes alone."
                : "Errors at 0.96 s.");
    }
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_data(ms_drawing *drawing, const measures *all)
{
    ms_data *energy = ms_drawing_data(drawing, "", "step,time,energy,booked");
    ms_data *inertia = ms_drawing_data(drawing, "inertia", "curve,delay,shift,exact,inertia");
    ms_data *errors = ms_drawing_data(drawing, "starts", "curve,step,error");
    for (int k = 0; k < STEPS; k++) {
        const ledger *l = &all->ledger[k];
        const double start = l->bodies[0] + l->line[0];
        for (int n = 0; n < l->n; n++)
            MS_ROW(energy, k, l->time[n], (l->bodies[n] + l->line[n]) / start,
                   (l->bodies[n] + l->line[n] + l->lost[n]) / start);
        ms_data_break(energy);
    }
    for (int d = 0; d < DELAYS; d++) {
        for (int k = 0; k < TIMES; k++)
            MS_ROW(inertia, d, all->delay[d][k], all->shift[d][k], all->exact[d][k],
                   wall * all->delay[d][k] * all->delay[d][k]);
        ms_data_break(inertia);
    }
    for (int c = 0; c < MEMBERS; c++)
        ms_order_curve(errors, 1, (const double[]){c}, &all->series[c], MS_SERIES_END);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    measures *all = ms_drawing_memory(drawing);
    MS_TRY(measure_energy(drawing, all, error));
    MS_TRY(measure_inertia(drawing, all, error));
    for (int k = 0; k < MEMBERS; k++)
        MS_TRY(ms_order_measure(drawing, HALVINGS, members[k].coarsest, &all->series[k], error, "%s",
                                members[k].command));
    write_data(drawing, all);
    check_energy(drawing, all);
    check_inertia(drawing, all);
    check_starts(drawing, all);
    ms_drawing_commands_of(drawing, "macrostep_tlm.gp", 1320, 520);
    ms_drawing_remark(
        drawing,
        "Left and in the middle model precice-oscillator in its case `line`, two masses of 1 kg, k = 16 π^2 "
        "N/m between them and k/4 to the walls, nothing damped. The line holds 1/(4 Z) times the integral of "
        "both waves squared over the last delay; it loses what linear interpolation between communication "
        "points takes from them. Right lim-oscillator, whose spring is relaxed at the start, but for the "
        "last curve, where the right mass starts at 50 m.");
    return MS_OK;
}

const ms_figure ms_figure_macrostep_tlm = {
    "macrostep:tlm", "Delay lines: energy with the line's loss booked, inertia, starts",
    "this project; models precice-oscillator and lim-oscillator", .draw = draw, .memory = sizeof(measures)};
