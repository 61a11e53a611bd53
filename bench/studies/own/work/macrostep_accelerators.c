/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps a macro-step over the strength of the coupling, for each accelerator under Jacobi and Gauss-Seidel sweeps, and where
 * each fails.
 *
 * Known beforehand. A Gauss-Seidel sweep of stiff-damper has one unknown, the force, and one eigenvalue -m^2; a Jacobi sweep
 * has three unknowns and the eigenvalues +-i m, 0. Without damper at the left wall m^2 grows as the mass ratio m2/m1 (velocity of
 * a light mass under a held force: H/m1). A stronger coupling damper alone does not do: the right mass follows it within the step.
 * Hence
 *
 *     - the fixed point converges for m^2 < 1, relaxed by 1/2 for m^2 < 3 (|1 - (1 + m^2)/2| < 1, |1/2 + i m/2| < 1): each fails
 *       at the same strength under both sweeps, the relaxed one at three times the other's;
 *     - Aitken with one unknown is exact at its second update: three sweeps, whatever m;
 *     - quasi-Newton methods with one unknown the same, and two sweeps where a column is reused;
 *     - with three unknowns quasi-Newton methods take five sweeps at most where no filter drops a column;
 *     - one factor of relaxation serves no pair +-i m: under Jacobi sweeps Aitken fails where the fixed point converges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "study.h"

enum {
    FIXED_POINT,
    RELAXATION,
    AITKEN,
    UNWEIGHTED,
    ILS,
    IMVJ,
    ANDERSON,
    METHODS,
    SWEEPS = 2,
    STRENGTHS = 25
};

static const struct {
    const char *name, *options, *column;
} methods[METHODS] = {
    {"fixed-point", "fixed-point", "fixed_point"},
    {"relaxation", "relaxation", "relaxation"},
    {"aitken", "aitken", "aitken"},
    {"aitken, weights 1", "aitken --preconditioner constant", "unweighted"},
    {"iqn-ils", "iqn-ils", "iqn_ils"},
    {"iqn-imvj", "iqn-imvj", "iqn_imvj"},
    {"anderson", "anderson", "anderson"},
};
static const char *const sweeps[SWEEPS] = {"jacobi", "gauss-seidel"};
static const double weakest = 1.0, strongest = 1e4; /* m2/m1 */

/* Sweeps a macro-step; NAN: it failed. */
typedef struct results {
    double sweeps[SWEEPS][METHODS][STRENGTHS];
} results;

static double strength(int k)
{
    return weakest * pow(strongest / weakest, (double)k / (STRENGTHS - 1));
}

static int run_point(ms_drawing *drawing, int sweep, int method, int k, results *r, ms_error *error)
{
    ms_study study;
    const int status = ms_study_run(
        drawing, NULL, &study, error,
        "run stiff-damper --set d1=0 --set m1=%.17g --stop-time 0.02 --scheme zoh-iterative --sweep %s "
        "--solver-nonlinear %s --step-rule fixed --epsilon 1e-8 --max-iterations 1000",
        1.0 / strength(k), sweeps[sweep], methods[method].options);
    const ms_run_result *result = &study.simulation.result;
    r->sweeps[sweep][method][k] = status == MS_OK && result->reason == MS_REASON_END_TIME
                                      ? (double)result->sweeps / (double)result->macro_steps
                                      : NAN;
    ms_study_destroy(&study);
    return status;
}

static int run_all(ms_drawing *drawing, results *r, ms_error *error)
{
    int status = MS_OK;
    for (int s = 0; s < SWEEPS; s++)
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < STRENGTHS && status == MS_OK; k++)
                status = run_point(drawing, s, m, k, r, error);
    return status;
}

/* Findings ----------------------------------------------------------------------------------------------- */

/* The first strength that fails, STRENGTHS: none does. */
static int first_failure(const double *of)
{
    int k = 0;
    while (k < STRENGTHS && isfinite(of[k]))
        k++;
    return k;
}

static int count(const double *of)
{
    int n = 0;
    for (int k = 0; k < STRENGTHS; k++)
        n += isfinite(of[k]);
    return n;
}

static double most(const double *of)
{
    double largest = 0.0;
    for (int k = 0; k < STRENGTHS; k++)
        largest = isnan(of[k]) ? INFINITY : fmax(largest, of[k]);
    return largest;
}

static json_t *limits(const results *r, int method)
{
    const int jacobi = first_failure(r->sweeps[0][method]), seidel = first_failure(r->sweeps[1][method]);
    return MS_REALS({"jacobi, fails from m2/m1", jacobi < STRENGTHS ? strength(jacobi) : NAN},
                    {"gauss-seidel, fails from m2/m1", seidel < STRENGTHS ? strength(seidel) : NAN});
}

static void check(ms_drawing *drawing, const results *r)
{
    static const char expected[] = "expected from the eigenvalues";
    const double(*jacobi)[STRENGTHS] = r->sweeps[0], (*seidel)[STRENGTHS] = r->sweeps[1];
    const int plain = first_failure(jacobi[FIXED_POINT]), half = first_failure(jacobi[RELAXATION]);
    ms_drawing_check_claim(drawing, "the fixed point fails at the same strength under both sweeps", expected,
                           limits(r, FIXED_POINT), abs(plain - first_failure(seidel[FIXED_POINT])) <= 1,
                           "m = 1, to one step of the grid: just below the limit the sweeps allowed suffice "
                           "for one and not for the other, which takes twice as many.");
    ms_drawing_check_claim(drawing, "relaxed by 1/2 as well", expected, limits(r, RELAXATION),
                           abs(half - first_failure(seidel[RELAXATION])) <= 1,
                           "m^2 = 3, to one step of the grid.");
    ms_drawing_check_number(drawing, "its limit over that of the fixed point", 3.0,
                            strength(half) / strength(plain), 1.5,
                            "Either limit is known to one step of the grid, a factor 1.47.");
    ms_drawing_check_claim(drawing, "Aitken takes three sweeps at most under Gauss-Seidel, at all strengths",
                           expected, MS_REALS({"most sweeps a macro-step", most(seidel[AITKEN])}),
                           most(seidel[AITKEN]) <= 3.0, "One unknown.");
    ms_drawing_check_claim(drawing, "quasi-Newton methods, too", expected,
                           MS_REALS({"iqn-ils", most(seidel[ILS])}, {"iqn-imvj", most(seidel[IMVJ])}),
                           fmax(most(seidel[ILS]), most(seidel[IMVJ])) <= 3.0, "One unknown.");
    ms_drawing_check_claim(drawing, "and five at most under Jacobi", expected,
                           MS_REALS({"iqn-ils", most(jacobi[ILS])}, {"iqn-imvj", most(jacobi[IMVJ])}),
                           fmax(most(jacobi[ILS]), most(jacobi[IMVJ])) <= 5.0,
                           "Three unknowns; the filter qr3 may drop columns, then it is more.");
    ms_drawing_check_claim(drawing, "Aitken fails under Jacobi where the fixed point converges", expected,
                           limits(r, AITKEN), first_failure(jacobi[AITKEN]) < plain,
                           "The eigenvalues of the sweep are a pair. With weights that follow the residuals "
                           "Aitken converges at %d of %d strengths here, within the 20 macro-steps.",
                           count(jacobi[AITKEN]), STRENGTHS);
    ms_drawing_check_claim(drawing, "so it does with weights 1", expected, limits(r, UNWEIGHTED),
                           first_failure(jacobi[UNWEIGHTED]) < plain, "It converges at %d of %d strengths.",
                           count(jacobi[UNWEIGHTED]), STRENGTHS);
}

static void write_all(ms_drawing *drawing, const results *r)
{
    ms_table *table = ms_drawing_table(drawing, "table", "Sweeps a macro-step, and where each method fails",
                                       "sweep|method|at m2/m1 = 1|fails from m2/m1|converges at|of");
    for (int s = 0; s < SWEEPS; s++) {
        ms_data *data =
            ms_drawing_data(drawing, sweeps[s],
                            "strength,fixed_point,relaxation,aitken,unweighted,iqn_ils,iqn_imvj,anderson");
        ms_data_keep_all(data);
        for (int k = 0; k < STRENGTHS; k++) {
            ms_data_cell(data, strength(k));
            for (int m = 0; m < METHODS; m++)
                ms_data_cell(data, r->sweeps[s][m][k]);
        }
        for (int m = 0; m < METHODS; m++) {
            const int first = first_failure(r->sweeps[s][m]);
            ms_table_add(table, "ssrrii", sweeps[s], methods[m].name, r->sweeps[s][m][0],
                         first < STRENGTHS ? strength(first) : NAN, count(r->sweeps[s][m]), STRENGTHS);
        }
    }
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1000, 460,
        "set multiplot layout 1,2\nset logscale xy\nset xrange [0.8:1.3e4]\nset yrange [1.5:1200]\n"
        "set xlabel 'mass ratio m2/m1'\nset format x '10^{%%T}'\n"
        "set ytics (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)\n");
    for (int s = 0; s < SWEEPS; s++) {
        ms_drawing_script(drawing, "set title '(%c) %s sweeps'\nset ylabel 'sweeps a macro-step'\n", 'a' + s,
                          s == 0 ? "Jacobi" : "Gauss-Seidel");
        for (int m = 0; m < METHODS; m++)
            ms_drawing_curve(
                drawing, "part('%s') using 'strength':'%s' with linespoints lt %d pt %d ps 0.6%s title '%s'",
                sweeps[s], methods[m].column, m + 1, m + 4, m % 2 == 1 ? " dt 2" : "", methods[m].name);
    }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *r = ms_drawing_memory(drawing);
    const int status = run_all(drawing, r, error);
    if (status == MS_OK) {
        write_all(drawing, r);
        check(drawing, r);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Held inputs, macro-steps of 0.001 s, 20 of them, epsilon 1e-8. A curve has no point where the "
            "run ended as iteration-failed after 1000 sweeps of a macro-step. An iteration of anderson is "
            "one sweep, and each macro-step has three more (first call, guess, last call).");
    }
    return status;
}

const ms_figure ms_figure_macrostep_accelerators = {
    "macrostep:accelerators",
    "Sweeps a macro-step over the strength of the coupling, for each accelerator and sweep",
    "this project; schemes as in preCICE, model as in maestro's example", .draw = draw,
    .memory = sizeof(results)};
