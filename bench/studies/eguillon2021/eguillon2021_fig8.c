/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2021), section 5.3: iterations, integrations and error over the spectral radius. Fig. 8.
 *
 * Not printed, chosen: the values of D_D beside 4, 1, 0.64 and 0.01. Integrations are calls of gamma, iterations those of the
 * method. */
#include <math.h>
#include <stdio.h>

#include "eguillon2021_runs.h"
#include "figure.h"

static const double dampings[] = {4.0, 1.5625, 1.0, 0.64, 0.25, 0.04, 0.01};

enum { DAMPINGS = MS_COUNT(dampings), EXTREME = DAMPINGS - 1, SUBSYSTEMS = 2 };

static const char *const backends[] = {"native", "petsc"};
enum { NATIVE, PETSC, BACKENDS };

/* Where the radius is below 1. */
static bool contracts(int d)
{
    return dampings[d] > 1.0;
}

static double radius(int d)
{
    return sqrt(1.0 / dampings[d]);
}

typedef struct grid {
    ms_method_run run[BACKENDS][MS_METHODS][DAMPINGS];
    ms_method_run newton[BACKENDS][MS_ENSEMBLE]; /* at the extreme, from starts that differ by round-off */
    bool petsc;
} grid;

static long calls(const ms_method_run *run)
{
    return run->result.integrations / SUBSYSTEMS;
}

static int measure_newton(ms_drawing *drawing, grid *g, ms_error *error)
{
    const int used = g->petsc ? BACKENDS : 1;
    for (int b = 0; b < used; b++)
        for (int k = 0; k < MS_ENSEMBLE; k++) {
            g->newton[b][k] = g->run[b][MS_NEWTONLS][EXTREME];
            g->newton[b][k].errors = false;
            g->newton[b][k].perturb_start = k - MS_ENSEMBLE_MIDDLE;
        }
    return ms_method_runs(drawing, used * MS_ENSEMBLE, &g->newton[0][0], error);
}

static int measure(ms_drawing *drawing, grid *g, ms_error *error)
{
    g->petsc = ms_method_has(backends[PETSC]);
    const int used = g->petsc ? BACKENDS : 1;
    for (int b = 0; b < used; b++)
        for (int m = 0; m < MS_METHODS; m++)
            for (int d = 0; d < DAMPINGS; d++)
                g->run[b][m][d] =
                    (ms_method_run){.method = m,
                                    .backend = backends[m == MS_FIXED_POINT ? NATIVE : b],
                                    .damping = dampings[d],
                                    .step_size = ms_drawing_published_number(drawing, "step_size"),
                                    .epsilon = ms_drawing_published_number(drawing, "epsilon"),
                                    .errors = b == NATIVE};
    int status = ms_method_runs(drawing, MS_METHODS * DAMPINGS, &g->run[NATIVE][0][0], error);
    if (status == MS_OK && g->petsc)
        status = ms_method_runs(drawing, (MS_METHODS - 1) * DAMPINGS, &g->run[PETSC][1][0], error);
    return status == MS_OK ? measure_newton(drawing, g, error) : status;
}

/* Data and tables ------------------------------------------------------------------------------------------ */

/* A column for each method: the number, NaN where the run did not end. */
static void write_part(ms_drawing *drawing, const char *part, const grid *g, int backend,
                       double (*number)(const ms_method_run *run))
{
    ms_data *data =
        ms_drawing_data(drawing, part, "radius,damping,fixed_point,newtonls,anderson,ngmres,ngmres_ls");
    for (int d = 0; d < DAMPINGS; d++) {
        ms_data_cell(data, radius(d));
        ms_data_cell(data, dampings[d]);
        for (int m = 0; m < MS_METHODS; m++) {
            const ms_method_run *run = &g->run[m == MS_FIXED_POINT ? NATIVE : backend][m][d];
            ms_data_cell(data, run->reached ? number(run) : NAN);
        }
    }
}

static double number_of_iterations(const ms_method_run *run)
{
    return (double)run->result.iterations;
}

static double number_of_calls(const ms_method_run *run)
{
    return (double)calls(run);
}

static double error_of(const ms_method_run *run)
{
    return run->error;
}

static void write_table(ms_drawing *drawing, const grid *g)
{
    ms_table *table = ms_drawing_table(
        drawing, "counts", "Native and PETSc side by side",
        "method|D_D|spectral radius|end|iterations|integrations|error|end, PETSc|iterations, "
        "PETSc|integrations, PETSc|largest difference of the states at the end");
    for (int m = 0; m < MS_METHODS; m++)
        for (int d = 0; d < DAMPINGS; d++) {
            const ms_method_run *own = &g->run[NATIVE][m][d], *petsc = &g->run[PETSC][m][d];
            const bool both = g->petsc && m != MS_FIXED_POINT;
            double difference = 0.0;
            for (int j = 0; j < 3; j++)
                difference = fmax(difference, fabs(own->end[j] - petsc->end[j]));
            ms_table_add(table, "srrsIIroooo", ms_method_names[m], dampings[d], radius(d),
                         ms_reason_name(own->result.reason), (json_int_t)own->result.iterations,
                         (json_int_t)calls(own), own->error,
                         both ? json_string(ms_reason_name(petsc->result.reason)) : json_null(),
                         both ? json_integer(petsc->result.iterations) : json_null(),
                         both ? json_integer(calls(petsc)) : json_null(),
                         both && own->reached ? ms_json_real(difference) : json_null());
        }
}

/* Checks --------------------------------------------------------------------------------------------------- */

/* A claim about one value of D_D, collected over the grid. */
typedef struct tally {
    json_t *seen; /* array of [D_D, numbers ..] */
    int holds, of;
} tally;

static void note(tally *t, int d, double one, double other, bool holds)
{
    if (t->seen == NULL)
        t->seen = json_array();
    json_array_append_new(t->seen,
                          json_pack("[f, o, o]", dampings[d], ms_json_real(one), ms_json_real(other)));
    t->holds += holds;
    t->of++;
}

static void conclude(ms_drawing *drawing, const char *what, const char *key, tally *t, bool holds,
                     const char *numbers)
{
    ms_study_claim(drawing, what, key, t->seen, holds, "Holds for %d of %d. Measured: [D_D, %s].", t->holds,
                   t->of, numbers);
}

/* It has to hold for all. */
static void conclude_all(ms_drawing *drawing, const char *what, const char *key, tally *t,
                         const char *numbers)
{
    conclude(drawing, what, key, t, t->holds == t->of, numbers);
}

static void check_convergence(ms_drawing *drawing, const grid *g)
{
    tally fixed = {0}, jfm = {0}, ngmres = {0};
    for (int d = 0; d < DAMPINGS; d++) {
        const bool ended = g->run[NATIVE][MS_FIXED_POINT][d].reached,
                   plain = g->run[NATIVE][MS_NGMRES][d].reached;
        int others = 0;
        for (int m = 0; m < MS_METHODS; m++)
            others += m != MS_FIXED_POINT && m != MS_NGMRES && g->run[NATIVE][m][d].reached;
        note(&fixed, d, radius(d), ended, ended == contracts(d));
        note(&jfm, d, radius(d), others, others == 3);
        note(&ngmres, d, radius(d), plain, plain == (d != EXTREME));
    }
    conclude_all(drawing, "the fixed point ends at the spectral radius 1", "threshold", &fixed,
                 "radius, does it reach the end");
    conclude_all(drawing, "Newton, Anderson and NGMRES with line search pass the threshold", "overpass", &jfm,
                 "radius, how many of the three reach the end");
    conclude_all(drawing, "NGMRES without line search fails at one value only", "ngmres", &ngmres,
                 "radius, does it reach the end");
}

/* Of the runs of a and b that reach the end, those where a's number is above b's. */
static tally compare(const grid *g, int a, int b, double (*number)(const ms_method_run *run), int first,
                     int last)
{
    tally t = {0};
    for (int d = first; d <= last; d++) {
        const ms_method_run *one = &g->run[NATIVE][a][d], *other = &g->run[NATIVE][b][d];
        if (one->reached && other->reached)
            note(&t, d, number(one), number(other), number(one) > number(other));
    }
    return t;
}

static void check_line_search(ms_drawing *drawing, const grid *g)
{
    static const int others[] = {MS_NEWTONLS, MS_ANDERSON, MS_NGMRES};
    tally cost = {0};
    for (int d = 0; d < DAMPINGS; d++) {
        double most = 0.0;
        for (int k = 0; k < 3; k++)
            if (g->run[NATIVE][others[k]][d].reached)
                most = fmax(most, number_of_calls(&g->run[NATIVE][others[k]][d]));
        note(&cost, d, number_of_calls(&g->run[NATIVE][MS_NGMRES_LS][d]), most,
             number_of_calls(&g->run[NATIVE][MS_NGMRES_LS][d]) > most);
    }
    conclude_all(drawing, "NGMRES with line search costs most integrations", "line_search_cost", &cost,
                 "its integrations, the most of the others");
    tally accurate = compare(g, MS_NEWTONLS, MS_NGMRES_LS, error_of, DAMPINGS - 2, EXTREME);
    conclude_all(drawing, "for high radii NGMRES with line search is the more accurate one",
                 "line_search_accurate", &accurate, "error of newtonls, of ngmres-ls");
}

static void check_newton_and_anderson(ms_drawing *drawing, const grid *g)
{
    static const int both[] = {MS_NEWTONLS, MS_ANDERSON};
    tally accurate = compare(g, MS_ANDERSON, MS_NEWTONLS, error_of, 0, EXTREME);
    tally cost = compare(g, MS_NEWTONLS, MS_ANDERSON, number_of_calls, 0, EXTREME);
    conclude_all(drawing, "Newton is always more accurate than Anderson", "newton_accurate", &accurate,
                 "error of anderson, of newtonls");
    conclude_all(drawing, "Newton always takes more integrations than Anderson", "newton_cost", &cost,
                 "integrations of newtonls, of anderson");
    const double most = ms_drawing_published_number(drawing, "extreme_error");
    for (int k = 0; k < 2; k++) {
        const double error = g->run[NATIVE][both[k]][EXTREME].error;
        ms_drawing_check(drawing,
                         ms_drawing_text(drawing, "%s: the error at the spectral radius 10 is below 0.001 %%",
                                         ms_method_names[both[k]]),
                         json_real(most), ms_json_real(error), json_string("below"),
                         ms_verdict_of(error < most),
                         "Which iterate satisfies (27) first decides the error; rule (27) bounds the "
                         "residual, not the error, component by component.");
    }
    tally larger = {0};
    for (int k = 0; k < 2; k++)
        for (int d = EXTREME - 1; d < EXTREME; d++)
            note(&larger, EXTREME, g->run[NATIVE][both[k]][EXTREME].error, g->run[NATIVE][both[k]][d].error,
                 g->run[NATIVE][both[k]][EXTREME].error > g->run[NATIVE][both[k]][d].error);
    conclude_all(drawing, "Newton and Anderson have larger errors at the spectral radius 10", "extreme",
                 &larger, "error there, at the radius 5; newtonls, then anderson");
}

/* Over the Jacobian-free methods and all D_D where the fixed point reaches the end. */
static void check_against_fixed_point(ms_drawing *drawing, const grid *g)
{
    tally accurate = {0}, iterations = {0}, cost = {0};
    for (int m = 1; m < MS_METHODS; m++)
        for (int d = 0; d < DAMPINGS; d++) {
            const ms_method_run *own = &g->run[NATIVE][m][d], *fixed = &g->run[NATIVE][MS_FIXED_POINT][d];
            if (!own->reached || !fixed->reached)
                continue;
            note(&accurate, d, own->error, fixed->error, own->error < fixed->error);
            note(&iterations, d, number_of_iterations(own), number_of_iterations(fixed),
                 own->result.iterations < fixed->result.iterations);
            note(&cost, d, number_of_calls(own), number_of_calls(fixed), calls(own) <= calls(fixed));
        }
    conclude_all(drawing, "Jacobian-free methods are more accurate than the fixed point", "jfm_accurate",
                 &accurate, "error, of the fixed point; all methods");
    conclude_all(drawing, "Jacobian-free methods take fewer iterations than the fixed point",
                 "jfm_iterations", &iterations, "iterations, of the fixed point; all methods");
    conclude(drawing, "Jacobian-free methods mostly take no more integrations than the fixed point",
             "jfm_cost", &cost, 2 * cost.holds > cost.of, "integrations, of the fixed point; all methods");
}

/* Least and most integrations of Newton's method at the extreme. */
static void newton_range(const grid *g, int backend, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = 0.0;
    for (int k = 0; k < MS_ENSEMBLE; k++) {
        const double n = number_of_calls(&g->newton[backend][k]);
        ms_widen(&ends[0], &ends[1], n);
    }
}

static bool is_as_cheap(const ms_method_run *own, const ms_method_run *easy)
{
    return number_of_calls(own) <= 1.05 * number_of_calls(easy);
}

/* Integrations over the radius, each method where it reaches the end: within 5 % of those at D_D = 4. */
static void check_constant_cost(ms_drawing *drawing, const grid *g)
{
    tally cost = {0}, hard = {0};
    const ms_method_run *newton = &g->run[NATIVE][MS_NEWTONLS][0];
    for (int m = 1; m < MS_METHODS; m++)
        for (int d = 1; d < DAMPINGS; d++) {
            const ms_method_run *own = &g->run[NATIVE][m][d], *easy = &g->run[NATIVE][m][0];
            if (!own->reached)
                continue;
            note(&cost, d, number_of_calls(own), number_of_calls(easy), is_as_cheap(own, easy));
            if (dampings[d] < 1.0)
                note(&hard, d, (double)own->result.rejected_steps,
                     number_of_calls(own) / number_of_calls(easy),
                     own->result.rejected_steps == 0 && calls(own) <= 2 * calls(easy));
        }
    bool holds[MS_ENSEMBLE];
    double ends[2];
    newton_range(g, NATIVE, ends);
    const int others = cost.holds - is_as_cheap(&g->run[NATIVE][MS_NEWTONLS][EXTREME], newton);
    for (int k = 0; k < MS_ENSEMBLE; k++)
        holds[k] = others + is_as_cheap(&g->newton[NATIVE][k], newton) == cost.of;
    ms_drawing_check_ensemble_claim(
        drawing, "the number of integrations does not grow with the spectral radius",
        ms_drawing_published_text(drawing, "constant_cost"), cost.seen, holds, ends,
        "Holds for %d of %d. Measured: [D_D, integrations, those at D_D = 4]; all methods that end; 5 %% "
        "more still count as equal. The count of newtonls at D_D = %g hangs on round-off; its range is "
        "given.",
        cost.holds, cost.of, dampings[EXTREME]);
    conclude_all(drawing, "no extra difficulty without contraction", "no_difficulty", &hard,
                 "rejected steps, integrations over those at D_D = 4; all methods that end; up to twice as "
                 "many count");
}

/* Why counts differ at the spectral radius 10, or hang on round-off there. */
static const char *const reasons[MS_METHODS] = {
    [MS_NEWTONLS] = " A Newton step leaves what the differences in place of products with the Jacobian let "
                    "stand. That grows with the spectral radius and lies at the bound of (27) for the radius "
                    "10, so that round-off decides which macro-steps take a second iteration: there the "
                    "ranges over nine starts must meet. With epsilon = 2e-4 none does.",
    [MS_ANDERSON] = " They differ in the first macro-step alone, which takes more than three iterations: "
                    "PETSc solves the least-squares problem by normal equations, which lose half of the "
                    "digits, the native method by orthogonal factors.",
    [MS_NGMRES] = " PETSc solves normal equations.",
    [MS_NGMRES_LS] = " PETSc solves normal equations.",
};

static bool same_counts(const ms_method_run *own, const ms_method_run *petsc)
{
    return own->reached == petsc->reached && calls(own) == calls(petsc) &&
           own->result.iterations == petsc->result.iterations;
}

/* Do they? The text says what they are. */
static bool newton_ranges_meet(const grid *g, char *text, size_t size)
{
    double own[2], petsc[2];
    newton_range(g, NATIVE, own);
    newton_range(g, PETSC, petsc);
    snprintf(text, size, " At %g, over %d starts that differ by round-off: %.0f to %.0f, PETSc %.0f to %.0f.",
             dampings[EXTREME], (int)MS_ENSEMBLE, own[0], own[1], petsc[0], petsc[1]);
    return own[0] <= petsc[1] && petsc[0] <= own[1];
}

/* Ours, not the paper's. Counts agree exactly, but for those reasons. */
static void check_backends(ms_drawing *drawing, const grid *g)
{
    if (!g->petsc) {
        ms_drawing_remark(drawing, "PETSc is not built in here: only the native methods are drawn.");
        return;
    }
    for (int m = 1; m < MS_METHODS; m++) {
        tally t = {0};
        char ranges[160] = "";
        for (int d = 0; d < DAMPINGS; d++) {
            const ms_method_run *own = &g->run[NATIVE][m][d], *petsc = &g->run[PETSC][m][d];
            const bool judged_by_range = m == MS_NEWTONLS && d == EXTREME;
            note(&t, d, number_of_calls(own), number_of_calls(petsc),
                 judged_by_range ? newton_ranges_meet(g, ranges, sizeof ranges) : same_counts(own, petsc));
        }
        ms_drawing_check_own(
            drawing,
            ms_drawing_text(drawing, "%s: native and PETSc take the same integrations", ms_method_names[m]),
            "the same numbers", t.seen, NULL, t.holds == t.of,
            "Same for %d of %d values of D_D. Measured: [D_D, native, PETSc].%s%s", t.holds, t.of, ranges,
            t.holds == t.of && m != MS_NEWTONLS ? "" : reasons[m]);
    }
}

static const char script[] =
    "set multiplot layout 1,3\n"
    "set logscale xy\n"
    "set xlabel 'spectral radius (D_{SD}/D_D)^{1/2}'\n"
    "set xrange [0.4:12]\n"
    "set xtics (0.5, 1, 2, 5, 10)\n"
    "set key at screen 0.5,0.98 center top vertical maxrows 2\n"
    "set tmargin 5\n"
    "set format y powers\n"
    "array columns[5] = ['fixed_point', 'newtonls', 'anderson', 'ngmres', 'ngmres_ls']\n"
    "array names[5] = ['fixed point', 'NewtonLS', 'Anderson', 'NGMRES', 'NGMRES, line search']\n"
    "array colours[5] = [1, 2, 3, 4, 6]\n"
    "array marks[5] = [7, 5, 9, 13, 4]\narray dashes[5] = [1, 1, 1, 1, 2]\n"
    "set arrow from 1, graph 0 to 1, graph 1 nohead lt 9 dashtype 2\n";

static const char curves[] = "with linespoints lt colours[m] pt marks[m] dashtype dashes[m]";

/* curves; of PETSc: in the key, and its points; curves; curves */
static const char panels[] =
    "set ylabel 'iterations'\n"
    "plot for [m = 1:5] part('iterations') using 'radius':columns[m] %s title names[m]%s\n"
    "unset key\n"
    "set ylabel 'integrations (calls of γ)'\n"
    "plot for [m = 1:5] part('integrations') using 'radius':columns[m] %s%s\n"
    "set ylabel 'mean of the relative errors of the states'\n"
    "plot for [m = 1:5] part('errors') using 'radius':columns[m] %s\n";

static int draw_fig8(ms_drawing *drawing, ms_error *error)
{
    grid *g = ms_drawing_memory(drawing);
    const int status = measure(drawing, g, error);
    if (status == MS_OK) {
        write_part(drawing, "iterations", g, NATIVE, number_of_iterations);
        write_part(drawing, "integrations", g, NATIVE, number_of_calls);
        write_part(drawing, "errors", g, NATIVE, error_of);
        if (g->petsc)
            write_part(drawing, "integrations-petsc", g, PETSC, number_of_calls);
        write_table(drawing, g);
        check_convergence(drawing, g);
        check_line_search(drawing, g);
        check_newton_and_anderson(drawing, g);
        check_against_fixed_point(drawing, g);
        check_constant_cost(drawing, g);
        check_backends(drawing, g);
        ms_drawing_remark(drawing, "Chosen, as the paper prints only some: D_D = 1.5625, 0.25 and 0.04 "
                                   "beside 4, 1, 0.64 and 0.01. Integrations count calls of gamma, the first "
                                   "and the last one included; the fixed point takes at most 50 an attempt.");
        ms_drawing_picture(drawing, 1260, 520, "%s", script);
        ms_drawing_script(drawing, panels, curves,
                          g->petsc ? ", \\\n    keyentry with points lt 1 pt 6 ps 1.6 title 'PETSc'" : "",
                          curves,
                          g->petsc ? ", \\\n    for [m = 2:5] part('integrations-petsc') using "
                                     "'radius':columns[m] with points lt 1 pt 6 ps 1.6"
                                   : "",
                          curves);
    }
    return status;
}

const ms_figure ms_figure_eguillon2021_fig8 = {
    "eguillon2021:fig8",
    "Iterations, integrations and error over the spectral radius of the fixed point",
    "Eguillon et al. (2021), Fig. 8, section 5.3",
    .draw = draw_fig8,
    .memory = sizeof(grid),
    .alone = true};
