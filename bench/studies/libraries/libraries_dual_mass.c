/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dual-mass oscillator of OMSimulator: what its test suite prints for the end of 10 s, by its master and FMUs that take one step of
 * Euler's method in each macro-step. */

#include "figure.h"
#include "study.h"

enum { X1, V1, X2 };

/* The numbers are those of round-off: 1e5 macro-steps, each of some ten operations on numbers below 1. */
static const double tolerance = 1e-14;

static int draw(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    int status =
        ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                     "run dual-mass-oscillator --as oms-ma --step-size 1e-4 --stop-time 10 --solver euler");
    const ms_trajectory *t = &study.simulation.trajectory;
    if (status == MS_OK)
        status = ms_study_reference(&study, error);
    if (status == MS_OK) {
        const double *x = t->row + (t->rows - 1) * t->columns + 1,
                     *y = study.exact + (t->rows - 1) * study.system->nx;
        ms_table *table =
            ms_drawing_table(drawing, "", "Positions at 10 s", "mass|printed / m|here / m|exact / m");
        ms_table_add(table, "srrr", "1", ms_drawing_published_number(drawing, "x1"), x[X1], y[X1]);
        ms_table_add(table, "srrr", "2", ms_drawing_published_number(drawing, "x2"), x[X2], y[X2]);
        ms_study_number(drawing, "position of mass 1 at 10 s [m]", "x1", x[X1], tolerance,
                        "The exact one is %.12g.", y[X1]);
        ms_study_number(drawing, "position of mass 2 at 10 s [m]", "x2", x[X2], tolerance,
                        "The exact one is %.12g.", y[X2]);
        ms_drawing_remark(drawing,
                          "What is printed is the master's and the FMUs' error as well, both of order 1: a "
                          "program that is judged by these numbers has to make the same ones.");
    }
    ms_study_destroy(&study);
    return status;
}

const ms_figure ms_figure_libraries_dual_mass_oscillator = {
    "libraries:dual-mass-oscillator", "Dual-mass oscillator: what OMSimulator's test suite prints",
    "OMSimulator (test suite, DualMassOscillator)", .draw = draw};
