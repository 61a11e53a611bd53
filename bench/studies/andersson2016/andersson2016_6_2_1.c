/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.2.1, Example 6.2.2: the double pendulum with linear extrapolation, without
 * and with linear correction, H = 0.01 s. Fig. 6.10.
 *
 * Drawn: models/double_pendulum.c, case `damped`, with what Example 6.2.1 leaves open chosen as in Fig.
 * 6.8. */
#include <math.h>

#include "andersson2016_6_2.h"
#include "figure.h"

enum { CASES = 2, READINGS = 2 };

static const struct {
    const char *name, *options;
} readings[READINGS] = {
    {"exact output derivatives", "--derivatives analytic"},
    {"past values", "--derivatives differences"},
};

static const char *const cases[CASES] = {"damped", "as-printed"};

/* Force beyond which a curve leaves the axes [N]. */
static const double drawn_force = 60.0;

static int check_linear(ms_drawing *drawing, int c, int reading, bool corrected, double *end, ms_error *error)
{
    ms_study study;
    double left_at = NAN, unused;
    int status = ms_study_run(
        drawing, &(ms_simulation_options){.trajectory = true, .errors = true}, &study, error,
        "run double-pendulum --case %s --extrapolation-order 1 %s %s --step-size %g%s", cases[c],
        readings[reading].options, corrected ? ms_pendulum_tight : ms_pendulum_loose,
        ms_drawing_published_number(drawing, "step_size"), corrected ? " --linear-correction" : "");
    const char *key = corrected ? "corrected" : "inconsistent";
    const ms_simulation *simulation = &study.simulation;
    if (status == MS_OK) {
        ms_pendulum_motion(&study, drawn_force, &left_at,
                           c == 0 ? ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-%d", key, reading),
                                                    "time,omega1,omega2,fx")
                                  : NULL);
        if (c == 0 && reading == 0 && corrected)
            status = ms_pendulum_reference(&study, 1.0, 1.5,
                                           ms_drawing_data(drawing, "reference", "time,omega1,omega2,rho"),
                                           &unused, error);
        const bool ended = simulation->result.reason == MS_REASON_END_TIME;
        *end = simulation->result.end_time;
        ms_study_claim(drawing,
                       ms_drawing_text(drawing, "%s correction, %s, case %s", corrected ? "with" : "without",
                                       readings[reading].name, cases[c]),
                       key,
                       json_pack("{s:s, s:f, s:o, s:o}", "ends", ms_reason_name(simulation->result.reason),
                                 "at [s]", simulation->result.end_time, "|fx| > 60 N from [s]",
                                 ms_json_real(left_at), "largest error (rad, rad/s)",
                                 ms_json_real(simulation->errors.max)),
                       ended == corrected,
                       corrected ? "What remains is the coupling error of Fig. 6.11."
                                 : "Diverged: a value beyond 1e12 times the start's.");
    }
    ms_study_destroy(&study);
    return status;
}

static int draw_fig6_10(ms_drawing *drawing, ms_error *error)
{
    double end[CASES][READINGS][2];
    for (int c = 0; c < CASES; c++)
        for (int reading = 0; reading < READINGS; reading++)
            for (int corrected = 0; corrected < 2; corrected++) {
                const int status =
                    check_linear(drawing, c, reading, corrected != 0, &end[c][reading][corrected], error);
                if (status != MS_OK)
                    return status;
            }
    ms_drawing_remark(
        drawing,
        "Drawn is the case `damped`; as printed, without the damping term of (6.57), all verdicts are the "
        "same. Algorithm 6 takes output derivatives from the subsystems; beside them stands extrapolation "
        "through past values. Curves end where they leave the axes; f_x is the force on the upper tip.");
    ms_drawing_size(drawing, 960, 760);
    ms_drawing_script(
        drawing,
        "names = 'inconsistent corrected'\n"
        "array titles[2] = [\"without correction\\nbeyond 10^{12} at %.2g s and %.2g s\", \"with linear "
        "correction\\n \"]\n"
        "keep(value, limit) = abs(value) < limit ? value : NaN\n"
        "set multiplot layout 2,2\nset lmargin 9\nset rmargin 3\n"
        "set xlabel 'time t / s'\nset xrange [0:5]\n"
        "set ylabel 'ω_1 / (rad/s)'\nset yrange [-8:8]\n"
        "do for [k = 1:2] {\n"
        "    set title titles[k]\n"
        "    plot part(word(names, k).'-0') using 'time':(keep(column('omega1'), 24)) with lines lt 2 lw 2 "
        "\\\n"
        "        title 'exact derivatives', \\\n"
        "        part(word(names, k).'-1') using 'time':(keep(column('omega1'), 24)) with lines lt 3 lw 1.2 "
        "\\\n"
        "        title 'past values', \\\n"
        "        part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference'\n"
        "}\n"
        "set ylabel 'force f_x / N'\nset yrange [-%g:%g]\n"
        "do for [k = 1:2] {\n"
        "    set title titles[k]\n"
        "    plot part(word(names, k).'-0') using 'time':(keep(column('fx'), 600)) with lines lt 2 lw 2 \\\n"
        "        title 'exact derivatives', \\\n"
        "        part(word(names, k).'-1') using 'time':(keep(column('fx'), 600)) with lines lt 3 lw 1.2 \\\n"
        "        title 'past values'\n"
        "}\n",
        end[0][0][0], end[0][1][0], drawn_force, drawn_force);
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_10 = {
    "andersson2016:fig6.10", "Double pendulum: linear extrapolation without and with linear correction",
    "Andersson (2016), Fig. 6.10, Example 6.2.2", .draw = draw_fig6_10};
