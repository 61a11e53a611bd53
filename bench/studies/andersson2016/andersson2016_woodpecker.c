/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), 8.6.2 and 9.3.1: the toy woodpecker. Figs 8.13, 9.12, 9.13. */
#include <math.h>

#include "catalogue.h"
#include "figure.h"
#include "study_integrate.h"

static const char *const names[] = {"woodpecker.x.z", "woodpecker.x.phiS", "woodpecker.x.phiB"};
static const char *const speed = "woodpecker.x.phiBp";

enum { Z, PHI_S, PHI_B, DZ, DPHI_S, DPHI_B };

static double parameter(const ms_integrate_study *study, const char *name)
{
    return study->study.system->p[ms_model_parameter(study->study.system->model, name)];
}

/* (8.16) with l_G^2. */
static double momentum(const ms_integrate_study *study, const double *x)
{
    const double mB = parameter(study, "mB"), lS = parameter(study, "lS"), lG = parameter(study, "lG");
    return mB * lG * x[DZ] + mB * lS * lG * x[DPHI_S] + (parameter(study, "JB") + mB * lG * lG) * x[DPHI_B];
}

/* Largest relative change of the momentum where the sleeve is blocked, and how often that is. */
static double momentum_change(const ms_integrate_study *study, int *blocked)
{
    const ms_integration *run = &study->run;
    const int nx = study->study.system->nx;
    double change = 0.0;
    *blocked = 0;
    for (long n = 0; n < run->events.rows; n++) {
        const double *left = ms_run_series_row(&run->events, n) + 4 + run->n_indicators,
                     *right = left + nx + run->nz;
        if (left[nx] != 1.0 || right[nx] == 1.0)
            continue;
        const double before = momentum(study, left);
        change = fmax(change, fabs(momentum(study, right) - before) / fabs(before));
        ++*blocked;
    }
    return change;
}

static void plot_pair(ms_drawing *drawing, const char *left, const char *right)
{
    const char *const part[2] = {left, right};
    ms_drawing_picture(drawing, 940, 640,
                       "set multiplot layout 2,2\n"
                       "set xlabel 'time t / s'\n");
    for (int k = 0; k < 2; k++)
        ms_drawing_script(drawing,
                          "set ylabel 'angle / rad'\n"
                          "plot part('%s') using 'time':'phiB' with lines lt 3 lw 1.5 title 'bird φ_B', \\\n"
                          "    '' using 'time':'phiS' with lines lt 2 lw 2 title 'sleeve φ_S'\n",
                          part[k]);
    for (int k = 0; k < 2; k++)
        ms_drawing_script(
            drawing,
            "set ylabel 'height z / mm'\n"
            "plot part('%s') using 'time':(1000*column('z')) with lines lt 1 lw 2 title 'sleeve z'\n",
            part[k]);
}

/* Fig. 8.13 ---------------------------------------------------------------------------------------------- */

static int draw_one(ms_drawing *drawing, const char *which, double stop, double published, ms_error *error)
{
    ms_integrate_study study;
    const double tolerance = ms_drawing_published_number(drawing, "tolerance");
    int status = ms_study_integrate(drawing, false, &study, error,
                                    "integrate woodpecker --solver ida --solver-rtol %g --solver-atol "
                                    "%g --stop-time %g --output-points 1000",
                                    tolerance, tolerance, stop);
    if (status == MS_OK) {
        int blocked = 0;
        const double change = momentum_change(&study, &blocked);
        status = ms_study_integrate_curves(&study, names, 3,
                                           ms_drawing_data(drawing, which, "time,z,phiS,phiB"), error);
        ms_drawing_check_number(drawing, ms_drawing_text(drawing, "hits of the bar in %g s", stop), published,
                                ms_study_integrate_events(&study, 4, speed), 0.0,
                                "IDA on the differential-algebraic form, %ld micro-steps, %ld events.",
                                study.run.work.micro_steps, study.run.events.rows);
        ms_study_claim(
            drawing, ms_drawing_text(drawing, "in %g s I- = I+ wherever the sleeve is blocked, (8.16)", stop),
            "momentum",
            json_pack("{s:i, s:o}", "blocked", blocked, "largest relative change", ms_json_real(change)),
            blocked > 0 && change < 1e-12, "With l_G^2 where (8.16) prints l_G.");
    }
    ms_study_integrate_destroy(&study);
    return status;
}

static int draw_fig8_13(ms_drawing *drawing, ms_error *error)
{
    int status = draw_one(drawing, "short", ms_drawing_published_number(drawing, "stop_times.0"),
                          ms_drawing_published_number(drawing, "hits.0"), error);
    if (status == MS_OK)
        status = draw_one(drawing, "long", ms_drawing_published_number(drawing, "stop_times.1"),
                          ms_drawing_published_number(drawing, "hits.1"), error);
    ms_drawing_remark(
        drawing,
        "The blocked states have the constraint z'' + r_S φ_S'' = 0 of the Modelica form, of index 1, for "
        "which consistent multipliers can be computed behind each event; the printed z' + r_S φ_S' = 0 has "
        "index 2. Both hold, as z' = φ_S' = 0 there. The sleeve is freed where λ_1 rises through zero; the "
        "listing frees it at any change of sign (`--set release=1`), and hits move by up to 5e-5 s.");
    plot_pair(drawing, "short", "long");
    return status;
}

const ms_figure ms_figure_andersson2016_fig8_13 = {
    "andersson2016:fig8.13", "The woodpecker with IDA, 0.16 s and 1.0 s",
    "Andersson (2016), Fig. 8.13, section 8.6.2", .draw = draw_fig8_13};

/* Fig. 9.12 ---------------------------------------------------------------------------------------------- */

static const char *const form_solver[2][2] = {{"woodpecker-explicit", "cvode-bdf"}, {"woodpecker", "ida"}};

static int integrate_form(ms_drawing *drawing, int form, bool errors, ms_integrate_study *study,
                          ms_error *error)
{
    const double tolerance = ms_drawing_published_number(drawing, "tolerance");
    return ms_study_integrate(
        drawing, errors, study, error,
        "integrate %s --case modelica --solver %s --solver-rtol %g --solver-atol %g --output-points 1000",
        form_solver[form][0], form_solver[form][1], tolerance, tolerance);
}

static int draw_fig9_12(ms_drawing *drawing, ms_error *error)
{
    ms_integrate_study study;
    int status = integrate_form(drawing, 0, true, &study, error);
    if (status == MS_OK) {
        status = ms_study_integrate_curves(&study, names, 3, ms_drawing_data(drawing, "", "time,z,phiS,phiB"),
                                           error);
        ms_study_undetermined(
            drawing, "hits, events and error", "shows",
            json_pack("{s:i, s:I, s:o, s:o}", "hits in 1 s", ms_study_integrate_events(&study, 4, speed),
                      "events", (json_int_t)study.run.events.rows, "root mean square error of φ_B",
                      ms_json_real(study.run.error[PHI_B].rms), "of z", ms_json_real(study.run.error[Z].rms)),
            "The text prints no number, and not the end: 1 s is taken, with the Modelica form's start values "
            "and CVODE on the explicit form.");
    }
    ms_study_integrate_destroy(&study);
    ms_drawing_picture(drawing, 900, 400,
                       "set multiplot layout 1,2\n"
                       "set xlabel 'time t / s'\n"
                       "set ylabel 'angle / rad'\n"
                       "plot csv using 'time':'phiB' with lines lt 3 lw 1.5 title 'bird φ_B', \\\n"
                       "    '' using 'time':'phiS' with lines lt 2 lw 2 title 'sleeve φ_S'\n"
                       "set ylabel 'height z / mm'\n"
                       "plot csv using 'time':(1000*column('z')) with lines lt 1 lw 2 title 'sleeve z'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_12 = {"andersson2016:fig9.12", "The woodpecker with CVODE",
                                                   "Andersson (2016), Fig. 9.12, section 9.3.1",
                                                   .draw = draw_fig9_12};

/* Fig. 9.13 ---------------------------------------------------------------------------------------------- */

/* Row n of those at output points, or NULL behind the last one. */
static const double *output_row(const ms_run_series *rows, long *n)
{
    while (*n < rows->rows && ms_run_series_row(rows, *n)[1] != MS_ROW_OUTPUT)
        ++*n;
    return *n < rows->rows ? ms_run_series_row(rows, (*n)++) : NULL;
}

/* Errors of the two forms over time against a third run. */
static void tabulate(ms_drawing *drawing, const ms_integrate_study of[2], const ms_integrate_study *reference,
                     double rms[2])
{
    ms_data *data = ms_drawing_data(drawing, "", "time,phiB_explicit,phiB_dae,z_explicit,z_dae");
    long at[3] = {0, 0, 0}, points = 0;
    for (const double *exact; (exact = output_row(&reference->run.trajectory, &at[2])) != NULL; points++) {
        double values[5] = {exact[0]};
        for (int k = 0; k < 2; k++) {
            const double *row = output_row(&of[k].run.trajectory, &at[k]);
            values[1 + k] = row != NULL ? fabs(row[2 + PHI_B] - exact[2 + PHI_B]) : NAN;
            values[3 + k] = row != NULL ? fabs(row[2 + Z] - exact[2 + Z]) : NAN;
            rms[k] += values[1 + k] * values[1 + k];
        }
        ms_data_row(data, values);
    }
    for (int k = 0; k < 2; k++)
        rms[k] = sqrt(rms[k] / (double)points);
}

static int draw_fig9_13(ms_drawing *drawing, ms_error *error)
{
    ms_integrate_study of[2] = {0}, reference = {0};
    double rms[2] = {0.0, 0.0};
    const double tight = ms_drawing_published_number(drawing, "reference_tolerance");
    int status = ms_study_integrate(drawing, true, &reference, error,
                                    "integrate woodpecker-explicit --case modelica --solver arkode-dirk "
                                    "--solver-rtol %g --solver-atol %g --output-points 1000",
                                    tight, tight);
    for (int k = 0; k < 2 && status == MS_OK; k++)
        status = integrate_form(drawing, k, false, &of[k], error);
    if (status == MS_OK) {
        tabulate(drawing, of, &reference, rms);
        ms_study_undetermined(
            drawing, "root mean square error of φ_B of two implementations", "shows",
            MS_REALS({"explicit form, CVODE", rms[0]}, {"differential-algebraic form, IDA", rms[1]},
                     {"the reference against one at 1e-13", reference.run.error[PHI_B].rms}),
            "The thesis compares what two tools make of one Modelica model; here the two are forms of the "
            "equations that share neither solver nor right-hand side. Its reference is Radau5 at 1e-10, here "
            "ARKODE's diagonally implicit method of order 5 at the same tolerances.");
        ms_drawing_check_claim(
            drawing, "both implementations agree within their tolerances", "own check",
            json_pack("[f, f]", rms[0], rms[1]),
            fmax(rms[0], rms[1]) < 1e-3 && reference.run.error[PHI_B].rms < 0.1 * fmin(rms[0], rms[1]),
            "Local tolerances of 1e-6, and a hundred events that pass errors on: below 1e-3 rad passes.");
    }
    for (int k = 0; k < 2; k++)
        ms_study_integrate_destroy(&of[k]);
    ms_study_integrate_destroy(&reference);
    ms_drawing_picture(
        drawing, 900, 420,
        "set multiplot layout 1,2\n"
        "set xlabel 'time t / s'\n"
        "set logscale y; set format y powers\n"
        "set ylabel 'error of φ_B / rad'\n"
        "plot csv using 'time':'phiB_explicit' with lines lt 2 lw 1.5 title 'explicit, CVODE', \\\n"
        "    '' using 'time':'phiB_dae' with lines lt 3 lw 1.5 title 'DAE, IDA'\n"
        "set ylabel 'error of z / m'\n"
        "plot csv using 'time':'z_explicit' with lines lt 2 lw 1.5 title 'explicit, CVODE', \\\n"
        "    '' using 'time':'z_dae' with lines lt 3 lw 1.5 title 'DAE, IDA'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_13 = {
    "andersson2016:fig9.13", "The woodpecker: errors of two implementations",
    "Andersson (2016), Fig. 9.13, section 9.3.1", .draw = draw_fig9_13};
