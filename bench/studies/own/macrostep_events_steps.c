/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How step size control reacts to an event inside a subsystem.
 *
 * Richardson extrapolation compares a macro-step of length H with two halves. Where nothing happens the
 * difference of a scheme of order p is O(H^{p+1}), and H follows tol^{1/(p+1)}. In the macro-step of an
 * event, in which derivative j of the exchanged variables jumps first, the error is O(H^{j+1})
 * (macrostep_events-order.json). One would expect that for j < p it is accepted only with H ~ tol^{1/(j+1)}. But
 *
 *     theta < 1/2    the second half knows of the event and the full step does not: the difference is as
 *                    large as the error, and the step is rejected until the event lies behind it or in
 *     theta > 1/2    the second half, of which both learn at T_{n+1}: the difference sees nothing of an
 *                    event there, and H is what it would have been without one
 *
 * Behind the event it is the history that the controller sees: the secant across the event, which is wrong by
 * O(H^{j-1}), asks for short steps unless it is dropped. */
#include <math.h>

#include <macrostep/cosim.h>
#include "events.h"
#include "figure.h"
#include "study.h"

enum { CASES = 3, TOLERANCES = 5, STARTS = 8, ORDER = 2, KEEP = 0, DROP, KINDS };

#define CONTROLLED                                                                                           \
    " --extrapolation-order 1 --outputs consistent --error-controlled richardson --solver arkode-erk"        \
    " --solver-rtol 1e-12 --solver-atol 1e-12"

static const struct {
    const char *title, *options;
    int jumps, line;
} cases[CASES] = {
    {"impact; spring and damper (j = 0)", "--case impact", 0, 3},
    {"impact; spring, displacements exchanged (j = 1)", "--case impact --set d2=0", 1, 2},
    {"preloaded stop; spring (j = 2)", "--case switch --set d2=0", 2, 4},
};

static const double tolerances[TOLERANCES] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

static const double NEAR = 0.1; /* [s] */

/* One run. */
typedef struct steps {
    ms_data *data; /* takes the attempts; NULL: none */
    double mode;   /* of the oscillator, which changes at the event */
    double before; /* length of the accepted step before the event's, ... */
    double at;     /* ... of the event's own ... */
    double from;   /* ... and its start, */
    double theta;  /* and where in it the event lies, in (0, 1] */
    double least;  /* the shortest accepted step from the event's own on, for NEAR [s] */
    double error;  /* at the end */
    bool met;
    long accepted, rejected;
} steps;

static int start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    steps *s = self;
    s->mode = cosim->instance[0]->z[0];
    return 0;
}

static int attempt(void *self, double t, double h, double estimate, bool accepted)
{
    (void)estimate;
    steps *s = self;
    if (accepted)
        s->accepted++;
    else
        s->rejected++;
    MS_ROW(s->data, t, accepted ? h : NAN, accepted ? NAN : h);
    return 0;
}

static int step(void *self, const ms_cosim *cosim, double t, double h)
{
    steps *s = self;
    const double mode = cosim->instance[0]->z[0];
    if (mode != s->mode && !s->met) {
        s->met = true;
        s->at = h;
        s->from = t;
        s->theta = (cosim->instance[0]->events->last - t) / h;
        s->least = h;
    } else if (!s->met) {
        s->before = fmax(s->before, h);
    } else if (t < s->from + NEAR) {
        s->least = fmin(s->least, h);
    }
    s->mode = mode;
    return 0;
}

static int run(ms_drawing *drawing, int c, int kind, double tolerance, double first, steps *s,
               ms_error *error)
{
    ms_study study;
    const ms_observer observer = {.self = s, .start = start, .step = step, .attempt = attempt};
    const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
    int status =
        ms_study_run(drawing, &request, &study, error,
                     "run impact-oscillator %s" CONTROLLED "%s --rtol %g --atol %g --step-size %g",
                     cases[c].options, kind == DROP ? " --at-events drop" : "", tolerance, tolerance, first);
    s->error = study.simulation.errors.end;
    if (status == MS_OK && (study.simulation.result.reason != MS_REASON_END_TIME || !s->met))
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: the run did not meet its event", cases[c].title);
    ms_study_destroy(&study);
    return status;
}

typedef struct point {
    double at, least, before, error;  /* geometric means over the starts */
    double accepted, rejected, theta; /* means; theta: the smallest */
} point;

/* Over first steps that differ: where a step happens to begin before the event is chance. */
static int run_tolerance(ms_drawing *drawing, int c, int kind, double tolerance, point *p, ms_error *error)
{
    int status = MS_OK;
    *p = (point){.theta = 1.0};
    for (int k = 0; k < STARTS && status == MS_OK; k++) {
        steps s = {0};
        status = run(drawing, c, kind, tolerance, 1e-3 * (1.0 + 0.125 * k), &s, error);
        p->at += log(s.at) / STARTS;
        p->least += log(s.least) / STARTS;
        p->before += log(s.before) / STARTS;
        p->error += log(s.error) / STARTS;
        p->accepted += (double)s.accepted / STARTS;
        p->rejected += (double)s.rejected / STARTS;
        p->theta = fmin(p->theta, s.theta);
    }
    p->at = exp(p->at);
    p->least = exp(p->least);
    p->before = exp(p->before);
    p->error = exp(p->error);
    return status;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* The least-squares slope of log H_e over log tol. */
static double slope(const point all[TOLERANCES])
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < TOLERANCES; k++) {
        const double a = log(tolerances[k]), b = log(all[k].at);
        x += a / TOLERANCES;
        y += b / TOLERANCES;
        xx += a * a / TOLERANCES;
        xy += a * b / TOLERANCES;
    }
    return (xy - x * y) / (xx - x * x);
}

static void check_length(ms_drawing *drawing, point all[CASES][KINDS][TOLERANCES])
{
    double off = 0.0;
    json_t *measured = json_object();
    for (int c = 0; c < CASES; c++) {
        const double expected = 1.0 / (1 + (cases[c].jumps < ORDER ? cases[c].jumps : ORDER)),
                     found = slope(all[c][KEEP]);
        json_object_set_new(measured, cases[c].title, json_sprintf("%.2f (%.2f)", found, expected));
        off = fmax(off, fabs(found - expected));
    }
    ms_drawing_check(drawing, "the macro-step with the event is as short as tol^{1/(j + 1)}",
                     json_string("expected from the local error"), measured,
                     json_string("slopes 0.15 off at most"), ms_verdict_of(off <= 0.15),
                     "Slopes of log H_e over log tol from 1e-3 to 1e-7, history kept, expected ones in "
                     "brackets; for j = 2 the order of the scheme decides. The full step and the second half "
                     "learn of an event in the second half at the same time, so that their difference does "
                     "not see it: such a step is accepted at any length.");
}

/* Jumps at small tolerances are met in second halves, and nowhere else. */
static void check_blindness(ms_drawing *drawing, point all[CASES][KINDS][TOLERANCES])
{
    double least = 1.0;
    json_t *measured = json_object();
    for (int k = 0; k < TOLERANCES; k++) {
        const double theta = fmin(all[0][KEEP][k].theta, all[0][DROP][k].theta);
        json_object_set_new(measured, ms_drawing_text(drawing, "%.0e", tolerances[k]), ms_json_real(theta));
        if (tolerances[k] < 5e-5)
            least = fmin(least, theta);
    }
    ms_drawing_check(drawing,
                     "a jump is accepted where it lies in the second half of a macro-step, and nowhere else",
                     json_string("expected: theta > 1/2"), measured,
                     json_string("theta > 1/2 with tol from 1e-5 on"), ms_verdict_of(least > 0.5),
                     "%s. The smallest theta of the accepted macro-steps with the event, %d runs with the "
                     "history kept or dropped at each tolerance.",
                     cases[0].title, (int)(KINDS * STARTS));
}

static void check_history(ms_drawing *drawing, point all[CASES][KINDS][TOLERANCES])
{
    bool spares = true;
    json_t *measured = json_object();
    for (int c = 0; c < CASES; c++) {
        double kept = 0.0, dropped = 0.0;
        for (int k = 0; k < TOLERANCES; k++) {
            kept += all[c][KEEP][k].rejected / TOLERANCES;
            dropped += all[c][DROP][k].rejected / TOLERANCES;
        }
        json_object_set_new(measured, cases[c].title,
                            json_sprintf("rejected steps %.1f kept, %.1f dropped", kept, dropped));
        spares &= cases[c].jumps > 1 || dropped < 0.8 * kept;
    }
    ms_drawing_check(drawing, "dropping the history spares the short steps behind an event",
                     json_string("supposed"), measured,
                     json_string("a fifth fewer rejected steps, where j < 2"), ms_verdict_of(spares),
                     "Means over all tolerances and starts. At tol = 1e-7 and j = 0 the shortest step from "
                     "the event on is %.1e s with the history kept and %.1e s without; the error at the end "
                     "is %.1e and %.1e: what was missed in the event's own macro-step stays.",
                     all[0][KEEP][TOLERANCES - 1].least, all[0][DROP][TOLERANCES - 1].least,
                     all[0][KEEP][TOLERANCES - 1].error, all[0][DROP][TOLERANCES - 1].error);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static int draw_attempts(ms_drawing *drawing, int c, int kind, ms_error *error)
{
    steps s = {.data = ms_drawing_data(drawing,
                                       ms_drawing_text(drawing, "%s%d", kind == DROP ? "dropped" : "kept", c),
                                       "time,accepted,rejected")};
    return run(drawing, c, kind, 1e-5, 1e-3, &s, error);
}

static void tabulate(ms_drawing *drawing, point all[CASES][KINDS][TOLERANCES])
{
    ms_data *data = ms_drawing_data(drawing, "", "case,dropped,tolerance,at,least,before,error");
    ms_table *table =
        ms_drawing_table(drawing, "steps", "Macro-steps around the event",
                         "case|history|tolerance|the event's own / s|shortest from it on / s|longest before "
                         "it / s|accepted|rejected|smallest theta|error at the end");
    for (int c = 0; c < CASES; c++)
        for (int kind = 0; kind < KINDS; kind++) {
            for (int k = 0; k < TOLERANCES; k++) {
                const point *p = &all[c][kind][k];
                MS_ROW(data, c, kind, tolerances[k], p->at, p->least, p->before, p->error);
                ms_table_add(table, "ssrrrrrrrr", cases[c].title, kind == DROP ? "dropped" : "kept",
                             tolerances[k], p->at, p->least, p->before, p->accepted, p->rejected, p->theta,
                             p->error);
            }
            ms_data_break(data);
        }
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(drawing, 1000, 820,
                       "set multiplot layout 2,2\nset tmargin 6\nset logscale y\nset format y powers\n"
                       "set xlabel 'time t / s'\nset ylabel 'macro-step H / s'\nset yrange [1e-5:1]\n"
                       "set key maxrows 2\n");
    for (int c = 0; c < CASES; c++)
        ms_drawing_script(
            drawing,
            "set title '%s'\nplot part('kept%d') using 'time':'accepted' with points lt %d pt 7 ps 0.7 title "
            "'accepted', '' using 'time':'rejected' with points lt 1 pt 2 ps 0.7 title 'rejected', "
            "part('dropped%d') using 'time':'accepted' with points lt 5 pt 6 ps 1.1 title 'accepted, "
            "dropped', '' using 'time':'rejected' with points lt 5 pt 1 ps 0.8 title 'rejected, dropped'\n",
            cases[c].title, c, cases[c].line, c);
    ms_drawing_script(
        drawing, "set logscale x\nset format x powers\nset xlabel 'tolerance'\nset ylabel 'shortest "
                 "macro-step from the event on / s'\nset title 'behind the event'\nset xrange [5e-8:2e-3]\n");
    for (int c = 0; c < CASES; c++)
        for (int kind = 0; kind < KINDS; kind++)
            ms_drawing_curve(drawing,
                             "csv using (column('case')==%d && column('dropped')==%d ? column('tolerance') : "
                             "NaN):'least' with linespoints lt %d pt %d dashtype %s ps 0.8 title 'j = %d%s'",
                             c, kind, cases[c].line, kind == DROP ? 6 : 7, kind == DROP ? "'-'" : "1",
                             cases[c].jumps, kind == DROP ? ", dropped" : "");
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    point all[CASES][KINDS][TOLERANCES];
    int status = MS_OK;
    for (int c = 0; c < CASES && status == MS_OK; c++)
        for (int kind = 0; kind < KINDS && status == MS_OK; kind++) {
            for (int k = 0; k < TOLERANCES && status == MS_OK; k++)
                status = run_tolerance(drawing, c, kind, tolerances[k], &all[c][kind][k], error);
            if (status == MS_OK)
                status = draw_attempts(drawing, c, kind, error);
        }
    if (status != MS_OK)
        return status;
    tabulate(drawing, all);
    check_length(drawing, all);
    check_blindness(drawing, all);
    check_history(drawing, all);
    draw_picture(drawing);
    ms_drawing_remark(drawing,
                      "Model impact-oscillator, Jacobi of order 1 with past values and consistent outputs, "
                      "Richardson control, rtol = atol = tol; attempts at tol = 1e-5; means over %d runs "
                      "that begin with steps from 1e-3 s to 1.875e-3 s. Accepted steps are pairs of halves. "
                      "theta: where the event lies in its macro-step.",
                      (int)STARTS);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_events_steps = {"macrostep:events-steps",
                                                    "Step size control around an event inside a subsystem",
                                                    "this project; model impact-oscillator", .draw = draw};
