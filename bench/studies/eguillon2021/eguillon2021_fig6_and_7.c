/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2021), section 5.3: errors over dt_ref, all methods. Figs. 6 and 7.
 *
 * Not printed, chosen: the values of dt_ref; epsilon = 1e-4, that of Fig. 8. What remains as epsilon tends to
 * zero is drawn beside it with Anderson's method and epsilon = 1e-12. */
#include <math.h>

#include "convergence_order.h"
#include "eguillon2021_runs.h"
#include "figure.h"

static const double sizes[] = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
static const double tight_sizes[] = {0.2, 0.1, 0.05, 0.025};

enum { SIZES = MS_COUNT(sizes), TIGHT = MS_COUNT(tight_sizes) };

static const double ORDER_TOLERANCE = 0.1;

typedef struct errors {
    ms_method_run run[MS_CURVES][SIZES]; /* epsilon = 1e-4 */
    ms_method_run tight[MS_METHODS][TIGHT];
    ms_method_run petsc[MS_METHODS][SIZES]; /* without errors; not of the fixed point */
    bool has_petsc;
} errors;

/* The runs of a method over step sizes. */
static void plan(ms_method_run *runs, int n, const double *step_size, ms_method_run as)
{
    for (int k = 0; k < n; k++) {
        runs[k] = as;
        runs[k].step_size = step_size[k];
    }
}

static int measure(ms_drawing *drawing, errors *e, ms_error *error)
{
    const double damping = ms_drawing_published_number(drawing, "damping");
    for (int m = 0; m < MS_CURVES; m++) {
        ms_method_run as = {
            .method = m, .backend = "native", .damping = damping, .epsilon = 1e-4, .errors = true};
        plan(e->run[m], SIZES, sizes, as);
        if (m == MS_ZOH)
            continue;
        as.epsilon = 1e-12;
        plan(e->tight[m], TIGHT, tight_sizes, as);
        as = (ms_method_run){.method = m, .backend = "petsc", .damping = damping, .epsilon = 1e-4};
        plan(e->petsc[m], SIZES, sizes, as);
    }
    e->has_petsc = ms_method_has("petsc");
    int status = ms_method_runs(drawing, MS_CURVES * SIZES, &e->run[0][0], error);
    if (status == MS_OK)
        status = ms_method_runs(drawing, MS_METHODS * TIGHT, &e->tight[0][0], error);
    if (status == MS_OK && e->has_petsc)
        status = ms_method_runs(drawing, (MS_METHODS - 1) * SIZES, &e->petsc[1][0], error);
    return status;
}

/* Data and tables ---------------------------------------------------------------------------------------- */

static ms_convergence_order fit(const ms_method_run *runs, int n, const double *h)
{
    ms_convergence_row rows[SIZES + TIGHT];
    for (int k = 0; k < n; k++)
        rows[k] = (ms_convergence_row){.step_size = h[k], .error = runs[k].error, .floor = 1e-14};
    return ms_convergence_fit(n, rows);
}

static void write_errors(ms_drawing *drawing, const errors *e)
{
    ms_data *data =
        ms_drawing_data(drawing, "", "step_size,fixed_point,newtonls,anderson,ngmres,ngmres_ls,zoh");
    ms_data *tight =
        ms_drawing_data(drawing, "tight", "step_size,fixed_point,newtonls,anderson,ngmres,ngmres_ls");
    for (int k = 0; k < SIZES; k++) {
        ms_data_cell(data, sizes[k]);
        for (int m = 0; m < MS_CURVES; m++)
            ms_data_cell(data, e->run[m][k].error);
    }
    for (int k = 0; k < TIGHT; k++) {
        ms_data_cell(tight, tight_sizes[k]);
        for (int m = 0; m < MS_METHODS; m++)
            ms_data_cell(tight, e->tight[m][k].error);
    }
    ms_table *table =
        ms_drawing_table(drawing, "errors", "Errors, counts and ends",
                         "method|dt_ref / s|end|error|iterations|integrations (native)|integrations (PETSc)");
    for (int m = 0; m < MS_CURVES; m++)
        for (int k = 0; k < SIZES; k++) {
            const ms_method_run *run = &e->run[m][k];
            const bool petsc = e->has_petsc && m != MS_FIXED_POINT && m < MS_METHODS;
            ms_table_add(table, "srsrIIo", ms_method_names[m], sizes[k], ms_reason_name(run->result.reason),
                         run->error, (json_int_t)run->result.iterations,
                         (json_int_t)(run->result.integrations / 2),
                         petsc ? json_integer(e->petsc[m][k].result.integrations / 2) : json_null());
        }
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Ours: the orders that the construction promises. */
static void check_orders(ms_drawing *drawing, const errors *e, bool contracts)
{
    for (int m = contracts ? MS_FIXED_POINT : MS_NEWTONLS; m < MS_METHODS; m++) {
        const ms_convergence_order order = fit(e->tight[m], TIGHT, tight_sizes);
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "%s: order as epsilon tends to zero", ms_method_names[m]), 4.0,
            order.order, ORDER_TOLERANCE,
            "Not a claim of the paper's: cubic Hermite interpolation with exact slopes. Fitted from %g s to "
            "%g s, epsilon = 1e-12.",
            order.first, order.last);
    }
    if (contracts)
        ms_drawing_check_number(drawing, "explicit zero-order hold: order", 1.0,
                                fit(e->run[MS_ZOH], SIZES, sizes).order, ORDER_TOLERANCE,
                                "Not a claim of the paper's.");
}

static void check_backends(ms_drawing *drawing, const errors *e)
{
    int same = 0, of = 0;
    json_t *differ = json_array();
    if (!e->has_petsc) {
        json_decref(differ);
        ms_drawing_remark(drawing, "PETSc is not built in here: only the native methods are drawn.");
        return;
    }
    for (int m = 1; m < MS_METHODS; m++)
        for (int k = 0; k < SIZES; k++, of++) {
            const ms_method_run *own = &e->run[m][k], *petsc = &e->petsc[m][k];
            if (own->result.integrations == petsc->result.integrations)
                same++;
            else
                json_array_append_new(differ, json_pack("[s, f, I, I]", ms_method_names[m], sizes[k],
                                                        (json_int_t)(own->result.integrations / 2),
                                                        (json_int_t)(petsc->result.integrations / 2)));
        }
    ms_drawing_check(drawing, "native and PETSc take the same integrations", json_string("the same numbers"),
                     differ, NULL, ms_verdict_of(same == of),
                     "Ours, not the paper's. %d of %d runs agree. Measured: those that do not, [method, "
                     "dt_ref, native, PETSc].",
                     same, of);
}

static void check_accuracy(ms_drawing *drawing, const errors *e)
{
    int holds = 0, of = 0;
    json_t *seen = json_array();
    for (int m = 1; m < MS_METHODS; m++)
        for (int k = 0; k < SIZES; k++) {
            const double own = e->run[m][k].error, fixed = e->run[MS_FIXED_POINT][k].error;
            of++;
            holds += own < fixed;
            if (!(own < fixed))
                json_array_append_new(seen, json_pack("[s, f, o, o]", ms_method_names[m], sizes[k],
                                                      ms_json_real(own), ms_json_real(fixed)));
        }
    ms_study_claim(
        drawing, "Jacobian-free methods are more accurate than the fixed point", "more_accurate", seen,
        holds == of,
        "Holds for %d of %d. Measured: where it does not, [method, dt_ref, error, error of the fixed point].",
        holds, of);
}

static void check_ends(ms_drawing *drawing, const errors *e)
{
    int ended = 0;
    for (int m = 0; m < MS_CURVES; m++)
        for (int k = 0; k < SIZES; k++)
            ended += e->run[m][k].reached;
    ms_study_claim(drawing, "all methods reach the end", "all_end",
                   json_pack("[i, i]", ended, MS_CURVES * SIZES), ended == MS_CURVES * SIZES,
                   "Measured: runs that end, of all.");
}

/* Is it the reason of every run of the method with dt_ref <= largest? seen: reasons over dt_ref. */
static bool all_end_for(const errors *e, int method, ms_reason reason, double largest, json_t *seen)
{
    bool all = true;
    for (int k = 0; k < SIZES; k++) {
        const ms_reason found = e->run[method][k].result.reason;
        json_array_append_new(seen, json_pack("[f, s, o]", sizes[k], ms_reason_name(found),
                                              ms_json_real(e->run[method][k].error)));
        all = all && (sizes[k] > largest || found == reason);
    }
    return all;
}

static void check_failures(ms_drawing *drawing, const errors *e)
{
    json_t *fixed = json_array(), *held = json_array();
    const bool fails = all_end_for(e, MS_FIXED_POINT, MS_REASON_ITERATION_FAILED, INFINITY, fixed);
    const bool diverges = all_end_for(e, MS_ZOH, MS_REASON_DIVERGED, 0.05, held);
    ms_study_claim(
        drawing, "the fixed point fails", "fixed_point", fixed, fails,
        "It does not converge however small the macro-step becomes. Measured: [dt_ref, end, error].");
    ms_study_claim(drawing, "explicit zero-order hold diverges", "zoh", held, diverges,
                   "Judged for dt_ref <= 0.05 s. With larger ones errors grow too, by 1.25 a macro-step, but "
                   "the end comes before they reach the bound of a divergence; exact subsystems never fail. "
                   "Measured: [dt_ref, end, error].");
}

static void check_reliable(ms_drawing *drawing, const errors *e)
{
    const double bound = ms_drawing_published_number(drawing, "error"),
                 from = ms_drawing_published_number(drawing, "step_size");
    double above = 0.0, below = 0.0;
    for (int m = MS_NEWTONLS; m < MS_METHODS; m++)
        for (int k = 0; k < SIZES; k++) {
            double *worst = sizes[k] >= from ? &above : &below;
            const double error = e->run[m][k].error;
            *worst = fmax(*worst, isfinite(error) ? error : INFINITY);
        }
    ms_study_claim(
        drawing, "Jacobian-free methods keep the error below 1 %", "reliable",
        MS_REALS({"largest, dt_ref from 0.1 s to 0.5 s", above}, {"largest, dt_ref below 0.1 s", below}),
        fmax(above, below) < bound, "On both sides of 0.1 s, as one expects <= where >= is printed.");
}

/* Drawing ------------------------------------------------------------------------------------------------ */

static const char script[] = "set logscale xy\n"
                             "set format y powers\n"
                             "set xlabel 'dt_{ref} / s'\n"
                             "set ylabel 'mean of the relative errors of the states'\n"
                             "set xrange [0.008:0.7]\n"
                             "set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)\n"
                             "set key vertical maxrows 3\n";

static void draw_curves(ms_drawing *drawing, bool contracts)
{
    ms_drawing_picture(drawing, 820, 560, "%sset yrange [1e-10:%s]\n", script, contracts ? "1" : "1e-2");
    ms_drawing_script(
        drawing,
        "plot csv using 'step_size':'newtonls' with linespoints lt 2 title 'NewtonLS', \\\n"
        "    '' using 'step_size':'anderson' with linespoints lt 3 title 'Anderson', \\\n"
        "    '' using 'step_size':'ngmres' with linespoints lt 4 title 'NGMRES', \\\n"
        "    '' using 'step_size':'ngmres_ls' with linespoints lt 6 dashtype 2 title 'NGMRES, line search', "
        "\\\n"
        "%s    part('tight') using 'step_size':'anderson' with linespoints lt 9 title 'ε = 10^{-12}', \\\n"
        "    (x > 0.02 && x < 0.15 ? 3e-3*x**4 : 1/0) with lines lt 1 lw 1 dashtype 3 title 'order 4'\n",
        contracts
            ? "    '' using 'step_size':'fixed_point' with linespoints lt 5 title 'fixed point', \\\n"
              "    '' using 'step_size':'zoh' with linespoints lt 1 title 'explicit zero-order hold', \\\n"
            : "");
}

/* Does the fixed point contract? The subjects of Figs 6 and 7. */
static const bool contractive = true, expansive = false;

static int draw(ms_drawing *drawing, ms_error *error)
{
    const bool contracts = *(const bool *)ms_drawing_subject(drawing);
    errors *e = ms_drawing_memory(drawing);
    const int status = measure(drawing, e, error);
    if (status == MS_OK) {
        write_errors(drawing, e);
        if (contracts) {
            check_ends(drawing, e);
            check_accuracy(drawing, e);
        } else {
            check_failures(drawing, e);
            check_reliable(drawing, e);
        }
        check_orders(drawing, e, contracts);
        check_backends(drawing, e);
        ms_drawing_remark(
            drawing,
            "Not printed: the values of dt_ref, and epsilon; taken is 1e-4, as for Figure 8. It, not dt_ref, "
            "bounds the errors of the curves from below; in grey what remains with 1e-12.");
        draw_curves(drawing, contracts);
    }
    return status;
}

const ms_figure ms_figure_eguillon2021_fig6 = {
    "eguillon2021:fig6",
    "Errors over the step size where the fixed point contracts, all methods",
    "Eguillon et al. (2021), Fig. 6, section 5.3",
    .draw = draw,
    .alone = true,
    .memory = sizeof(errors),
    .subject = &contractive};

const ms_figure ms_figure_eguillon2021_fig7 = {
    "eguillon2021:fig7",
    "Errors over the step size where the fixed point does not contract, all methods",
    "Eguillon et al. (2021), Fig. 7, section 5.3",
    .draw = draw,
    .alone = true,
    .memory = sizeof(errors),
    .subject = &expansive};
