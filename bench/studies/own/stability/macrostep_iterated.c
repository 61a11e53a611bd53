/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of iterated coupling: spectral radii and critical step sizes of ifosmondi and zoh-iterative,
 * iterated until converged, beside those of explicit schemes. */
#include <math.h>
#include <stdlib.h>

#include "analytic_propagation.h"
#include "arguments.h"
#include "figure.h"
#include "macrostep_rho.h"
#include "propagation.h"
#include "study.h"

enum { EXPLICIT = 9, IFOSMONDI = EXPLICIT, IFOSMONDI_DIFFERENCES, ZOH, SCHEMES, MODELS = 4 };
enum { POINTS = 241, PROBES = 7, LARGEST = 200 };

static const struct {
    const char *key, *name, *options;
} schemes[SCHEMES] = {
    {"j0", "Jacobi, order 0", "--extrapolation-order 0"},
    {"j1", "Jacobi, order 1", "--extrapolation-order 1"},
    {"j2", "Jacobi, order 2", "--extrapolation-order 2"},
    {"c0", "Jacobi corrected, order 0", "--extrapolation-order 0 --outputs corrected"},
    {"c1", "Jacobi corrected, order 1", "--extrapolation-order 1 --outputs corrected"},
    {"c2", "Jacobi corrected, order 2", "--extrapolation-order 2 --outputs corrected"},
    {"g0", "Gauss-Seidel, order 0", "--scheme gauss-seidel --extrapolation-order 0"},
    {"g1", "Gauss-Seidel, order 1", "--scheme gauss-seidel --extrapolation-order 1"},
    {"g2", "Gauss-Seidel, order 2", "--scheme gauss-seidel --extrapolation-order 2"},
    [IFOSMONDI] = {"ifosmondi", "ifosmondi, converged", "--scheme ifosmondi"},
    [IFOSMONDI_DIFFERENCES] = {"differences", "ifosmondi, converged, y' by differences",
                               "--scheme ifosmondi --output-derivatives differences"},
    [ZOH] = {"zoh", "zoh-iterative, converged", "--scheme zoh-iterative"},
};

enum { MASS_SPRING_DAMPER, SPRING_MASS, CONTRACTIVE, NON_CONTRACTIVE };

static const struct {
    const char *name, *options, *title;
    double least, largest; /* step sizes [s] */
} models[MODELS] = {
    [MASS_SPRING_DAMPER] = {"mass-spring-damper", "", "mass-spring-damper", 0.02, 20.0},
    [SPRING_MASS] = {"spring-mass", "", "spring-mass", 0.02, 20.0},
    [CONTRACTIVE] = {"damping-reaction", "--case contractive", "damping-reaction, D_D = 4", 0.02, 20.0},
    [NON_CONTRACTIVE] = {"damping-reaction", "--case non-contractive", "damping-reaction, D_D = 0.64", 0.02,
                         20.0},
};

typedef struct results {
    double step[POINTS]; /* [s] */
    double rho[SCHEMES][POINTS];
    double limit[SCHEMES]; /* H -> 0 */
    ms_critical critical[SCHEMES];
    double off; /* largest ||formula - probe||/(1 + ||probe||), Frobenius */
    int probed;
} results;

/* Measuring ---------------------------------------------------------------------------------------------- */

static double frobenius(int n, const double *M)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += M[i] * M[i];
    return sqrt(sum);
}

static int compare_at(const ms_study *study, double h, double *off, ms_error *error)
{
    ms_analytic_propagation *formula;
    double *probe = NULL, *psi = NULL;
    int n = 0;
    int status = ms_analytic_propagation_create(study->system, &study->arguments->options, &formula, error);
    if (status == MS_OK)
        status = ms_propagation_probe(study->system, &study->arguments->options, h, &n, &probe, error);
    if (status == MS_OK) {
        psi = calloc((size_t)(n * n) + 1, sizeof *psi);
        status = psi != NULL ? ms_analytic_propagation_evaluate(formula, h, psi) : MS_NO_MEMORY;
        if (status != MS_OK)
            ms_fail(error, status, "no propagation matrix at H = %g s", h);
    }
    if (status == MS_OK && psi != NULL) {
        const double norm = frobenius(n, probe);
        for (int i = 0; i < n * n; i++)
            psi[i] -= probe[i];
        *off = fmax(*off, frobenius(n, psi) / (1.0 + norm));
    }
    free(probe);
    free(psi);
    ms_analytic_propagation_destroy(&formula);
    return status;
}

static int measure(ms_drawing *drawing, int model, int scheme, results *r, ms_error *error)
{
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "stability %s %s%s--critical %s", models[model].name,
                               models[model].options, models[model].options[0] != '\0' ? " " : "",
                               schemes[scheme].options);
    if (status == MS_OK)
        status = ms_rho_measure(&study, POINTS, r->step, models[model].largest, &effort, r->rho[scheme],
                                &r->critical[scheme], error);
    if (status == MS_OK)
        r->limit[scheme] = ms_propagation_radius(study.system, &study.arguments->options, 0.0, LARGEST);
    for (int k = 0; scheme >= IFOSMONDI && k < PROBES && status == MS_OK; k++, r->probed++)
        status = compare_at(&study, r->step[k * (POINTS - 1) / (PROBES - 1)], &r->off, error);
    ms_study_destroy(&study);
    return status;
}

/* Table, checks ------------------------------------------------------------------------------------------ */

static const char *critical_text(ms_drawing *drawing, const ms_critical *c, double end)
{
    if (isnan(c->first))
        return ms_drawing_text(drawing, "beyond %g", end);
    const char *text = ms_drawing_text(drawing, "%.4g", c->first);
    for (int k = 0; k < c->n; k++)
        if (c->interval[k][0] > 0.0)
            text = ms_drawing_text(drawing, "%s; again %.4g to %s%.4g", text, c->interval[k][0],
                                   c->interval[k][1] >= end ? "at least " : "", c->interval[k][1]);
    return text;
}

static void tabulate(ms_drawing *drawing, const results *all)
{
    ms_table *table = ms_drawing_table(
        drawing, "critical", "Stable up to H / s",
        "scheme|mass-spring-damper|spring-mass|damping-reaction, D_D = 4|damping-reaction, D_D = 0.64");
    for (int s = 0; s < SCHEMES; s++) {
        json_t *row = json_pack("[s]", schemes[s].name);
        for (int m = 0; m < MODELS; m++)
            json_array_append_new(
                row, json_string(critical_text(drawing, &all[m].critical[s], models[m].largest)));
        ms_table_row(table, row);
    }
}

/* The end of the first interval of stability; infinite where nothing ends it. */
static double first_end(const ms_critical *c)
{
    return isnan(c->first) ? INFINITY : c->first;
}

static void check_formula(ms_drawing *drawing, const results *all)
{
    double off = 0.0, held = 0.0, cubic = 0.0;
    int probed = 0;
    for (int m = 0; m < MODELS; m++) {
        off = fmax(off, all[m].off);
        probed += all[m].probed;
    }
    ms_drawing_check_claim(
        drawing, "iterated until the residual stops falling, a macro-step is the closed form's", "derived",
        json_pack("{s:i, s:f}", "matrices", probed, "largest ||formula - probe||_F / (1 + ||probe||_F)", off),
        off < 1e-10,
        "Probed from the implementation with its own Newton method, residuals below 1e-12 of the largest "
        "entry.");
    const results *r = &all[SPRING_MASS];
    for (int k = 0; k < POINTS; k++) {
        held = fmax(held, fabs(r->rho[ZOH][k] - 1.0 / hypot(1.0, r->step[k])));
        cubic = fmax(cubic, fabs(r->rho[IFOSMONDI][k] - 1.0));
    }
    ms_drawing_check_claim(
        drawing,
        "spring-mass: zoh-iterative is the implicit Euler method, ifosmondi keeps the energy at every step "
        "size",
        "rho = 1/sqrt(1 + (omega H)^2) and rho = 1",
        MS_REALS({"zoh-iterative, largest difference", held}, {"ifosmondi, largest difference", cubic}),
        held < 1e-10 && cubic < 1e-10,
        "Each side integrates the Hermite cubic exactly: x+ = x + H/2 (u + u+) + H^2/12 (u' - u'+), which is "
        "symmetric, with the eigenvalues (p + i H/2)/(p - i H/2), p = 1 - H^2/12, of modulus 1.");
}

/* How the first intervals compare. */
static void check_explicit(ms_drawing *drawing, const results *all)
{
    json_t *measured = json_object();
    bool beaten = false;
    for (int m = 0; m < MODELS; m++) {
        int best = 0;
        for (int s = 1; s < EXPLICIT; s++)
            if (first_end(&all[m].critical[s]) > first_end(&all[m].critical[best]))
                best = s;
        const double explicit_end = first_end(&all[m].critical[best]),
                     end = first_end(&all[m].critical[IFOSMONDI]);
        beaten = beaten || explicit_end > end;
        json_object_set_new(measured, models[m].title,
                            json_pack("{s:s, s:o, s:o, s:o}", "best explicit", schemes[best].name,
                                      "up to H / s", ms_json_real(explicit_end), "ifosmondi",
                                      ms_json_real(end), "zoh-iterative",
                                      ms_json_real(first_end(&all[m].critical[ZOH]))));
    }
    ms_drawing_check_claim(
        drawing, "converged ifosmondi is stable for larger macro-steps than every explicit scheme here",
        "supposed", measured, !beaten,
        "Ends of the intervals of stability that begin at 0, up to %g s; null: no end.", models[0].largest);
    json_t *ends = json_object();
    for (int m = 0; m < MODELS; m++)
        json_object_set_new(ends, models[m].title,
                            MS_REALS({"ifosmondi", first_end(&all[m].critical[IFOSMONDI])},
                                     {"zoh-iterative", first_end(&all[m].critical[ZOH])}));
    ms_drawing_check_claim(
        drawing,
        "converging does not make a macro-step stable: neither cubic nor held inputs are at every step size",
        "derived", ends,
        !isnan(all[MASS_SPRING_DAMPER].critical[IFOSMONDI].first) &&
            !isnan(all[NON_CONTRACTIVE].critical[ZOH].first),
        "Ends of the intervals of stability that begin at 0, up to %g s; null: no end.", models[0].largest);
    const results *r = &all[NON_CONTRACTIVE];
    ms_drawing_check_claim(
        drawing,
        "H -> 0: converged schemes are stable whatever the eigenvalues of D L, explicit ones are not",
        "derived",
        MS_REALS({"Jacobi, order 0", r->limit[0]}, {"Jacobi, order 1", r->limit[1]},
                 {"ifosmondi", r->limit[IFOSMONDI]}, {"zoh-iterative", r->limit[ZOH]}),
        fabs(r->limit[IFOSMONDI] - 1.0) < 1e-9 && fabs(r->limit[ZOH] - 1.0) < 1e-9 && r->limit[0] > 1.0,
        "damping-reaction with D_D = 0.64: eigenvalues +- 1.25 i. A fixed-point iteration does not get "
        "there: it converges for less than 1 only.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_curves(ms_drawing *drawing, const results *all)
{
    const char *columns = "model,step";
    for (int s = 0; s < SCHEMES; s++)
        columns = ms_drawing_text(drawing, "%s,%s", columns, schemes[s].key);
    ms_data *data = ms_drawing_data(drawing, "", columns);
    ms_data_keep_all(data);
    for (int m = 0; m < MODELS; m++) {
        for (int k = 0; k < POINTS; k++) {
            ms_data_cell(data, m);
            ms_data_cell(data, all[m].step[k]);
            for (int s = 0; s < SCHEMES; s++)
                ms_data_cell(data, all[m].rho[s][k]);
        }
        ms_data_break(data);
    }
}

/* Explicit schemes by threes, one column each; the iterated ones stand in each column. */
static void plot_group(ms_drawing *drawing, int model, int group, bool keyed)
{
    static const int line[SCHEMES] = {2, 3, 4, 2, 3, 4, 2, 3, 4, 1, 1, 6};
    for (int s = 0; s < SCHEMES; s++) {
        if (s < IFOSMONDI && s / 3 != group)
            continue;
        ms_drawing_curve(drawing,
                         "csv using (column('model')==%d ? column('step') : NaN):'%s' with lines lt %d lw %g "
                         "dashtype %s %s",
                         model, schemes[s].key, line[s], s >= IFOSMONDI ? 3.0 : 1.8,
                         s == IFOSMONDI + 1 ? "'-'" : "1",
                         !keyed          ? "notitle"
                         : s < IFOSMONDI ? ms_drawing_text(drawing, "title 'explicit, order %d'", s % 3)
                                         : ms_drawing_text(drawing, "title \"%s\"", schemes[s].name));
    }
}

static void draw_picture(ms_drawing *drawing)
{
    static const char *const groups[] = {"Jacobi", "Jacobi corrected", "Gauss-Seidel"};
    enum { GROUPS = 3 };
    ms_drawing_picture(drawing, 1180, 1240,
                       "set multiplot\n"
                       "set logscale x\n"
                       "set ytics 0.4,0.2,1.6\n"
                       "set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lt 9 lw 1.5\n");
    for (int panel = 0; panel < MODELS * GROUPS; panel++) {
        const int m = panel / GROUPS, column = panel % GROUPS;
        ms_drawing_panel(drawing, 0.065 + 0.318 * column, 0.355 + 0.318 * column, 0.925 - 0.232 * m,
                         0.755 - 0.232 * m,
                         ms_drawing_text(drawing, "%s: %s", models[m].title, groups[column]));
        ms_drawing_script(
            drawing, "set xrange [%g:%g]\nset yrange [%g:1.6]\nset xlabel '%s'\nset ylabel '%s'\n%s\n",
            models[m].least, models[m].largest, m < 2 ? 0.4 : 0.8, m < MODELS - 1 ? "" : "step size H / s",
            column == 0 ? "spectral radius ρ" : "",
            panel == 0 ? "set key at screen 0.53,0.996 center top vertical maxrows 2" : "unset key");
        plot_group(drawing, m, column, panel == 0);
    }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *all = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int m = 0; m < MODELS && status == MS_OK; m++) {
        ms_fill_axis(POINTS, models[m].least, models[m].largest, all[m].step);
        for (int s = 0; s < SCHEMES && status == MS_OK; s++)
            status = measure(drawing, m, s, &all[m], error);
    }
    if (status == MS_OK) {
        write_curves(drawing, all);
        tabulate(drawing, all);
        check_formula(drawing, all);
        check_explicit(drawing, all);
        draw_picture(drawing);
        ms_drawing_remark(drawing,
                          "Spectral radii of Psi(H) by formula, exact subsystems, exact output derivatives "
                          "where nothing else is said. Stable: rho <= 1 (up to 1e-10). damping-reaction has "
                          "an eigenvalue 1, the common position. With epsilon > 0 an iteration that starts "
                          "within its tolerance ends there, so that small oscillations follow the first "
                          "guess, an explicit scheme, and not these curves. Curves that run along rho = 1 "
                          "lie behind one another there, the iterated ones in front: which, the table says.");
    }
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < SCHEMES; s++)
            ms_critical_destroy(&all[m].critical[s]);
    return status;
}

const ms_figure ms_figure_macrostep_iterated_stability = {
    "macrostep:iterated-stability",
    "Spectral radius over the step size: converged iterations beside explicit schemes",
    "this project; schemes of Eguillon et al. (2021), Andersson (2016), Moshagen (2021)", .draw = draw,
    .memory = MODELS * sizeof(results)};
