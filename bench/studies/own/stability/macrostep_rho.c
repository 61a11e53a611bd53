/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectral radius of the propagation matrix over the step size, for all variants of the explicit family on
 * the mass-spring-damper and the quarter car, with the step sizes at which they become unstable. */
#include <math.h>
#include <string.h>

#include <macrostep/propagation.h>
#include <macrostep/stability.h>
#include "arguments.h"
#include "figure.h"
#include "growth.h"
#include "macrostep_rho.h"
#include "study_checks.h"

enum { VARIANTS = INPUTS * OUTPUTS * SMOOTHINGS * EXECUTIONS, POINTS = 201, LARGEST = 200, SIDES = 2 };

const char *const ms_execution_names[EXECUTIONS] = {"jacobi", "gauss-seidel"};
const char *const ms_smoothing_kinds[SMOOTHINGS] = {"none", "c0", "c1"};
const char *const ms_output_names[OUTPUTS] = {"inconsistent", "consistent", "corrected"};
const ms_input_variant ms_input_variants[INPUTS] = {{"constant", "0", 0, "differences"},
                                                    {"linear", "1", 1, "differences"},
                                                    {"quadratic", "2", 2, "differences"},
                                                    {"linear, derivatives", "1d", 1, "analytic"},
                                                    {"quadratic, derivatives", "2d", 2, "analytic"}};

/* Variant (e, s, o, i): execution, smoothing, outputs, input. */
static int member_at(int e, int s, int o, int i)
{
    return ((e * SMOOTHINGS + s) * OUTPUTS + o) * INPUTS + i;
}

typedef struct place {
    int e, s, o, i;
} place;

static place place_of(int variant)
{
    return (place){variant / (INPUTS * OUTPUTS * SMOOTHINGS), variant / (INPUTS * OUTPUTS) % SMOOTHINGS,
                   variant / INPUTS % OUTPUTS, variant % INPUTS};
}

typedef struct subject {
    const char *model;
    double least, largest; /* step sizes of the curves [s] */
    double marked;         /* the paper's step size, or 0 [s] */
    const char *remark;    /* or NULL */
} subject;

typedef struct curves {
    double step[POINTS]; /* [s] */
    double rho[VARIANTS][POINTS];
    double marked[VARIANTS]; /* rho at the marked step size */
    ms_critical critical[VARIANTS];
    double off[VARIANTS][SIDES]; /* observed growth - rho on both sides of the critical step size */
    bool settled[VARIANTS][SIDES];
} curves;

/* Shared ------------------------------------------------------------------------------------------------- */

int ms_rho_measure(const ms_study *study, int n, const double *step, double largest, const ms_effort *effort,
                   double *rho, ms_critical *critical, ms_error *error)
{
    enum { STEPS_MAX = 256 };
    double both[2 * STEPS_MAX] = {0.0}; /* the plane has two equal rows */
    ms_stability stability = {.model = study->system->model,
                              .case_name = study->system->case_name,
                              .options = &study->arguments->options,
                              .axis = {MS_AXIS_STEP_SIZE, MS_AXIS_NONE}};
    const ms_field field = ms_stability_field(&stability);
    const ms_region_grid grid = {n, 2, step, (const double[]){0.0, 1.0}};
    if (n > STEPS_MAX)
        return ms_fail(error, MS_INVALID, "%d step sizes are more than %d", n, STEPS_MAX);
    const int status = ms_region_map(&field, &grid, effort, both, error);
    memcpy(rho, both, sizeof *rho * (size_t)n);
    return status == MS_OK ? ms_region_critical(&field, largest, effort, critical, error) : status;
}

int ms_rho_observe(const ms_study *study, double h, int longest, const volatile sig_atomic_t *stop,
                   double *off, bool *settled, ms_error *error)
{
    const ms_growth_options request = {
        .shortest = 256, .longest = longest, .tolerance = 1e-6, .seed = 1, .stop = stop};
    ms_growth growth;
    study->system->homogeneous = true;
    const int status =
        ms_growth_observe(study->system, &study->arguments->options, h, &request, &growth, error);
    if (status != MS_OK)
        return status;
    *off = growth.factor - ms_propagation_radius(study->system, &study->arguments->options, h, LARGEST);
    *settled = growth.settled;
    return MS_OK;
}

json_t *ms_critical_json(double critical, double end)
{
    return isnan(critical) ? json_sprintf("beyond %g", end) : json_real(critical);
}

/* Measuring ---------------------------------------------------------------------------------------------- */

/* Observed growth 3 % below and above the critical step size. */
static int observe(const ms_study *study, double critical, const volatile sig_atomic_t *stop,
                   double off[SIDES], bool settled[SIDES], ms_error *error)
{
    static const double factor[SIDES] = {0.97, 1.03};
    int status = MS_OK;
    for (int k = 0; k < SIDES && status == MS_OK; k++)
        status = ms_rho_observe(study, factor[k] * critical, 16384, stop, &off[k], &settled[k], error);
    return status;
}

static int measure_variant(ms_drawing *drawing, const subject *on, int variant, curves *c, ms_error *error)
{
    const place at = place_of(variant);
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_study study;
    int status =
        ms_study_bind(drawing, &study, error,
                      "stability %s --critical --scheme %s --extrapolation-order %d --derivatives %s "
                      "--outputs %s --smooth-coupling %s",
                      on->model, ms_execution_names[at.e], ms_input_variants[at.i].order,
                      ms_input_variants[at.i].derivatives, ms_output_names[at.o], ms_smoothing_kinds[at.s]);
    if (status == MS_OK)
        status = ms_rho_measure(&study, POINTS, c->step, on->largest, &effort, c->rho[variant],
                                &c->critical[variant], error);
    if (status == MS_OK && on->marked > 0.0)
        c->marked[variant] =
            ms_propagation_radius(study.system, &study.arguments->options, on->marked, LARGEST);
    if (status == MS_OK && c->critical[variant].first > 0.0 && c->critical[variant].first < on->largest)
        status = observe(&study, c->critical[variant].first, effort.stop, c->off[variant],
                         c->settled[variant], error);
    ms_study_destroy(&study);
    return status;
}

/* Table, checks ------------------------------------------------------------------------------------------ */

/* "0.12 .. 0.15, .." of the intervals after the first. */
static const char *regained(ms_drawing *drawing, const ms_critical *c, double end)
{
    const char *text = "";
    for (int k = 0; k < c->n; k++)
        if (c->interval[k][0] > 0.0)
            text =
                ms_drawing_text(drawing, "%s%s%.4g .. %s%.4g", text, text[0] != '\0' ? ", " : "",
                                c->interval[k][0], c->interval[k][1] >= end ? ">= " : "", c->interval[k][1]);
    return text;
}

static void tabulate(ms_drawing *drawing, const subject *on, const curves *c)
{
    ms_table *table = ms_drawing_table(
        drawing, "critical", "Critical step sizes",
        on->marked > 0.0
            ? "execution|outputs|smoothing|extrapolation|stable up to H / s|stable again at H / s|rho at the "
              "marked H"
            : "execution|outputs|smoothing|extrapolation|stable up to H / s|stable again at H / s");
    for (int m = 0; m < VARIANTS; m++) {
        const place at = place_of(m);
        json_t *row = json_pack("[s, s, s, s, o, s]", ms_execution_names[at.e], ms_output_names[at.o],
                                ms_smoothing_kinds[at.s], ms_input_variants[at.i].name,
                                ms_critical_json(c->critical[m].first, on->largest),
                                regained(drawing, &c->critical[m], on->largest));
        if (on->marked > 0.0)
            json_array_append_new(row, ms_json_real(c->marked[m]));
        ms_table_row(table, row);
    }
}

static double difference(const curves *c, int a, int b)
{
    return ms_largest_difference(POINTS, c->rho[a], c->rho[b]);
}

static void check_identities(ms_drawing *drawing, const curves *c)
{
    enum { INCONSISTENT_OUTPUTS, CONSISTENT_OUTPUTS, CORRECTED_OUTPUTS };
    const double smoothed =
        difference(c, member_at(0, 1, INCONSISTENT_OUTPUTS, 3), member_at(0, 0, INCONSISTENT_OUTPUTS, 1));
    const double corrected =
        difference(c, member_at(0, 1, CORRECTED_OUTPUTS, 3), member_at(0, 0, CONSISTENT_OUTPUTS, 1));
    double equal = 0.0;
    for (int i = 0; i < 3; i++)
        equal = fmax(equal, difference(c, member_at(0, 0, CORRECTED_OUTPUTS, i),
                                       member_at(0, 0, CONSISTENT_OUTPUTS, i)));
    ms_drawing_check_claim(
        drawing, "smoothing has the spectral radius of linear extrapolation from past values",
        "equal, as derived from (6.71)", MS_REALS({"largest difference", smoothed}), smoothed < 1e-6,
        "Jacobi, order 1 from derivatives with C0 smoothing against order 1 from differences.");
    ms_drawing_check_claim(
        drawing, "smoothing with correction has that of the consistent scheme with linear extrapolation",
        "equal, as derived from (6.80)", MS_REALS({"largest difference", corrected}), corrected < 1e-6,
        "Jacobi.");
    ms_drawing_check_claim(drawing,
                           "corrected outputs have that of consistent ones, extrapolating past values",
                           "equal, as derived from (6.55)", MS_REALS({"largest difference", equal}),
                           equal < 1e-6, "Jacobi, orders 0, 1, 2.");
}

static void check_growth(ms_drawing *drawing, const subject *on, const curves *c)
{
    int runs = 0, settled = 0, agree = 0;
    double largest = 0.0;
    for (int m = 0; m < VARIANTS; m++)
        for (int k = 0; k < SIDES; k++) {
            if (!(c->critical[m].first > 0.0 && c->critical[m].first < on->largest))
                continue;
            runs++;
            settled += c->settled[m][k];
            if (c->settled[m][k]) {
                agree += fabs(c->off[m][k]) < 1e-4;
                largest = fmax(largest, fabs(c->off[m][k]));
            }
        }
    ms_drawing_check_claim(
        drawing, "observed growth agrees with the spectral radius on both sides of each critical step size",
        "within 1e-4",
        json_pack("{s:i, s:i, s:i, s:f}", "runs", runs, "settled", settled, "agree", agree,
                  "largest difference", largest),
        agree == settled && settled > 0,
        "Runs of the implementation from a random memory, at 0.97 and 1.03 times the critical step size; "
        "growth settles to 1e-6 within 32768 macro-steps, or does not count.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_curves(ms_drawing *drawing, const curves *c)
{
    const char *columns = "step";
    for (int m = 0; m < VARIANTS; m++) {
        const place p = place_of(m);
        columns = ms_drawing_text(drawing, "%s,%s-%s-%s-%s", columns, ms_execution_names[p.e],
                                  ms_smoothing_kinds[p.s], ms_output_names[p.o], ms_input_variants[p.i].key);
    }
    ms_data *data = ms_drawing_data(drawing, "", columns);
    ms_data_keep_all(data);
    for (int k = 0; k < POINTS; k++) {
        ms_data_cell(data, c->step[k]);
        for (int m = 0; m < VARIANTS; m++)
            ms_data_cell(data, c->rho[m][k]);
    }
}

static void draw_picture(ms_drawing *drawing, const subject *on)
{
    ms_drawing_picture(drawing, 1180, 1800,
                       "set multiplot\n"
                       "set logscale x\n"
                       "set xrange [%g:%g]\n"
                       "set yrange [0.6:1.6]\n"
                       "set ytics 0.6,0.2,1.6\n"
                       "set mytics 2\n"
                       "set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lt 9 lw 1.5\n",
                       on->least, on->largest);
    if (on->marked > 0.0)
        ms_drawing_script(
            drawing, "set arrow 2 from first %g,graph 0 to first %g,graph 1 nohead lt 9 lw 1.5 dashtype 3\n",
            on->marked, on->marked);
    ms_drawing_script(
        drawing,
        "array outputs[3] = ['inconsistent', 'consistent', 'corrected']\n"
        "array smoothings[3] = ['none', 'c0', 'c1']\n"
        "array labels[3] = ['no smoothing', 'C^0 smoothing', 'C^1 smoothing']\n"
        "array names[5] = ['constant', 'linear', 'quadratic', 'linear, derivatives', 'quadratic, "
        "derivatives']\n"
        "array keys[5] = ['0', '1', '2', '1d', '2d']\n"
        "array types[5] = [1, 2, 3, 4, 5]\n"
        "member(e, r, c, k) = e . '-' . smoothings[r] . '-' . outputs[c] . '-' . keys[k]\n"
        "array executions[2] = ['jacobi', 'gauss-seidel']\n"
        "array coupled[2] = ['Jacobi', 'Gauss-Seidel']\n"
        "do for [panel = 0:17] {\n"
        "    e = panel / 9 + 1\n"
        "    row_at = panel %% 9 / 3 + 1\n"
        "    column_at = panel %% 3 + 1\n"
        "    set lmargin at screen 0.068 + 0.316 * (panel %% 3)\n"
        "    set rmargin at screen 0.354 + 0.316 * (panel %% 3)\n"
        "    set tmargin at screen 0.955 - 0.156 * (panel / 3)\n"
        "    set bmargin at screen 0.825 - 0.156 * (panel / 3)\n"
        "    set title coupled[e] . ': ' . outputs[column_at] . ', ' . labels[row_at] offset 0,-0.6\n"
        "    set format x panel > 14 ? '%%.6g' : ''\n"
        "    set xlabel panel > 14 ? 'step size H / s' : ''\n"
        "    set ylabel column_at == 1 ? 'spectral radius ρ' : ''\n"
        "    if (panel == 0) { set key at screen 0.52,0.998 center top vertical maxrows 2 } else { unset key "
        "}\n"
        "    plot for [k = 1:5] csv using 'step':(column(member(executions[e], row_at, column_at, k))) \\\n"
        "            with lines lt types[k] lw (k == 1 ? 3 : 2) title names[k]\n"
        "}\n");
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    const subject *on = ms_drawing_subject(drawing);
    curves *c = ms_drawing_memory(drawing);
    int status = MS_OK;
    if (on->remark != NULL)
        ms_drawing_remark(drawing, "%s", on->remark);
    ms_fill_axis(POINTS, on->least, on->largest, c->step);
    for (int m = 0; m < VARIANTS && status == MS_OK; m++)
        status = measure_variant(drawing, on, m, c, error);
    if (status == MS_OK) {
        write_curves(drawing, c);
        tabulate(drawing, on, c);
        check_identities(drawing, c);
        check_growth(drawing, on, c);
        draw_picture(drawing, on);
        ms_drawing_remark(
            drawing,
            "Spectral radii of Psi(H) by formula, exact subsystems. Stable: rho <= 1. Gauss-Seidel takes the "
            "subsystems in the order of the model. Intervals of regained stability up to H = %g s. Without "
            "feed-through inconsistent and corrected outputs are the same, and so are their panels.",
            on->largest);
    }
    for (int m = 0; m < VARIANTS; m++)
        ms_critical_destroy(&c->critical[m]);
    return status;
}

static const subject mass_spring_damper = {
    "mass-spring-damper", 0.02, 1.0, 0.085,
    "The dotted line marks H = 0.085 s, the step size of Andersson's Figs 6.17 and 6.18."};
static const subject quarter_car = {"quarter-car", 0.01, 0.5, 0.0, NULL};

const ms_figure ms_figure_macrostep_rho_mass_spring_damper = {
    "macrostep:rho-mass-spring-damper",
    "Spectral radius over the step size for all explicit schemes: mass-spring-damper",
    "this project; model of Andersson (2016), 6.4.1",
    .draw = draw,
    .memory = sizeof(curves),
    .subject = &mass_spring_damper};

const ms_figure ms_figure_macrostep_rho_quarter_car = {
    "macrostep:rho-quarter-car",
    "Spectral radius over the step size for all explicit schemes: quarter car",
    "this project; model of Andersson (2016), 9.3.2",
    .draw = draw,
    .memory = sizeof(curves),
    .subject = &quarter_car};
