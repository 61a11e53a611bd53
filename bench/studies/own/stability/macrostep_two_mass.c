/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability maps of the two-mass oscillator over step size and mass ratio: three ways to split it, two
 * executions, orders 0 to 2 of the extrapolation from past values. */
#include <math.h>

#include <macrostep/catalogue.h>
#include <macrostep/stability.h>
#include "arguments.h"
#include "figure.h"
#include "macrostep_rho.h"
#include "macrostep_two_mass.h"
#include "study_checks.h"

enum { SPLITS = 3, SCHEMES = 3, ORDERS = 3, PANELS = SPLITS * SCHEMES };
enum { MAP = 61, FINE = 161, SAMPLES = 4 };

static const char *const splits[SPLITS] = {"displacement-displacement", "force-displacement", "force-force"};
static const struct {
    const char *name, *options;
} schemes[SCHEMES] = {{"Jacobi", "--scheme jacobi"},
                      {"Jacobi, consistent", "--scheme jacobi --outputs consistent"},
                      {"Gauss-Seidel", "--scheme gauss-seidel"}};

typedef struct panel {
    double map[ORDERS][MAP * MAP];
    ms_boundary boundary[ORDERS];
    double share[ORDERS];    /* of the map that is stable */
    double critical[ORDERS]; /* at mass ratio 1, up to the largest step size */
    double off;              /* largest |observed growth - rho| at sample points */
    int settled;             /* of ORDERS * SAMPLES */
} panel;

/* Measuring ---------------------------------------------------------------------------------------------- */

static int trace(ms_stability *stability, int order, const ms_effort *effort, panel *p, ms_error *error)
{
    double x[MAP], y[MAP], fine_x[FINE], fine_y[FINE];
    const ms_field field = ms_stability_field(stability);
    const ms_region_grid map = ms_plane_grid(MAP, x, y), fine = ms_plane_grid(FINE, fine_x, fine_y);
    int status = ms_region_map(&field, &map, effort, p->map[order], error);
    for (int k = 0; k < MAP * MAP && status == MS_OK; k++)
        p->share[order] += (p->map[order][k] <= MS_REGION_LEVEL) / (double)(MAP * MAP);
    if (status == MS_OK)
        status = ms_region_trace(&field, &fine, MS_REGION_LEVEL, MS_BOUNDARY_TOLERANCE, NULL, effort,
                                 &p->boundary[order], error);
    return status;
}

/* At mass ratio 1. */
static int observe(const ms_study *study, const volatile sig_atomic_t *stop, panel *p, ms_error *error)
{
    static const double steps[SAMPLES] = {0.05, 0.3, 1.0, 3.0};
    int status = MS_OK;
    for (int k = 0; k < SAMPLES && status == MS_OK; k++) {
        double off = 0.0;
        bool settled = false;
        status = ms_rho_observe(study, steps[k], 8192, stop, &off, &settled, error);
        p->settled += settled;
        p->off = settled ? fmax(p->off, fabs(off)) : p->off;
    }
    return status;
}

static int measure(ms_drawing *drawing, int split, int scheme, int order, panel *p, ms_error *error)
{
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error,
                               "stability two-mass-oscillator --case %s --x step-size=%g:%g:log:%d --y "
                               "mass_ratio=%g:%g:log:%d %s --extrapolation-order %d",
                               splits[split], step_range[0], step_range[1], FINE, ratio_range[0],
                               ratio_range[1], FINE, schemes[scheme].options, order);
    if (status == MS_OK) {
        const ms_model *model = study.system->model;
        ms_stability plane = {.model = model,
                              .case_name = splits[split],
                              .options = &study.arguments->options,
                              .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, "mass_ratio")}};
        ms_stability line = plane;
        line.axis[1] = MS_AXIS_NONE;
        const ms_field along = ms_stability_field(&line);
        ms_critical critical = {0};
        status = trace(&plane, order, &effort, p, error);
        if (status == MS_OK)
            status = ms_region_critical(&along, step_range[1], &effort, &critical, error);
        p->critical[order] = critical.first;
        ms_critical_destroy(&critical);
    }
    if (status == MS_OK)
        status = observe(&study, effort.stop, p, error);
    ms_study_destroy(&study);
    return status;
}

/* Table, checks ------------------------------------------------------------------------------------------ */

static panel *panel_at(panel *panels, int split, int scheme)
{
    return &panels[split * SCHEMES + scheme];
}

static void tabulate(ms_drawing *drawing, panel *panels)
{
    ms_table *table =
        ms_drawing_table(drawing, "critical", "Step sizes H omega1 up to which mass ratio 1 is stable",
                         "split|scheme|constant|linear|quadratic|stable share of the map, constant|linear "
                         "share|quadratic share");
    for (int k = 0; k < PANELS; k++) {
        const panel *p = &panels[k];
        ms_table_add(table, "ssooorrr", splits[k / SCHEMES], schemes[k % SCHEMES].name,
                     ms_critical_json(p->critical[0], step_range[1]),
                     ms_critical_json(p->critical[1], step_range[1]),
                     ms_critical_json(p->critical[2], step_range[1]), p->share[0], p->share[1], p->share[2]);
    }
}

/* Largest difference of the radii, relative to 1 + radius. */
static double map_difference(const panel *a, const panel *b)
{
    double largest = 0.0;
    for (int order = 0; order < ORDERS; order++)
        for (int k = 0; k < MAP * MAP; k++)
            largest =
                fmax(largest, fabs(a->map[order][k] - b->map[order][k]) / (1.0 + fabs(b->map[order][k])));
    return largest;
}

static void check(ms_drawing *drawing, panel *panels)
{
    double off = 0.0;
    int settled = 0, small = 0;
    const double same = map_difference(panel_at(panels, 0, 0), panel_at(panels, 0, 1));
    const double forces = map_difference(panel_at(panels, 2, 2), panel_at(panels, 2, 1));
    for (int k = 0; k < PANELS; k++) {
        off = fmax(off, panels[k].off);
        settled += panels[k].settled;
        for (int order = 0; order < ORDERS; order++)
            small += !(panels[k].critical[order] <= 0.0); /* NaN: for all steps */
    }
    ms_drawing_check_claim(drawing, "every split and scheme is stable for small steps",
                           "D L is nilpotent in all splits",
                           MS_COUNTS({"stable", small}, {"of", PANELS * ORDERS}), small == PANELS * ORDERS,
                           "At mass ratio 1, all three damping ratios 0.05.");
    ms_drawing_check_claim(
        drawing, "without feed-through consistent outputs change nothing", "displacement/displacement",
        MS_REALS({"largest relative difference of the radius", same}), same < 1e-6, "All orders.");
    ms_drawing_check_claim(
        drawing, "force/force: Gauss-Seidel with the element last is the consistent Jacobi scheme",
        "the same values of the force are extrapolated",
        MS_REALS({"largest relative difference of the radius", forces}), forces < 1e-6, "All orders.");
    ms_drawing_check_claim(drawing, "observed growth agrees with the spectral radius", "within 1e-4",
                           json_pack("{s:i, s:i, s:f}", "runs", PANELS * ORDERS * SAMPLES, "settled", settled,
                                     "largest difference", off),
                           off < 1e-4 && settled > 0,
                           "Runs from a random memory at mass ratio 1 and four step sizes.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_data(ms_drawing *drawing, const panel *panels)
{
    double x[MAP], y[MAP];
    ms_plane_grid(MAP, x, y);
    for (int k = 0; k < PANELS; k++) {
        ms_data *map =
            ms_drawing_data(drawing, ms_drawing_text(drawing, "map-%d-%d", k / SCHEMES + 1, k % SCHEMES + 1),
                            "step,ratio,constant,linear,quadratic");
        ms_data_keep_all(map);
        for (int i = 0; i < MAP * MAP; i++) {
            const panel *p = &panels[k];
            MS_ROW(map, x[i % MAP], y[i / MAP], p->map[0][i], p->map[1][i], p->map[2][i]);
        }
    }
    for (int k = 0; k < PANELS; k++) {
        ms_data *data = ms_drawing_data(
            drawing, ms_drawing_text(drawing, "boundary-%d-%d", k / SCHEMES + 1, k % SCHEMES + 1),
            "order,step,ratio");
        ms_data_keep_all(data);
        for (int order = 0; order < ORDERS; order++)
            for (int j = 0; j < panels[k].boundary[order].n; j++) {
                const ms_boundary *b = &panels[k].boundary[order];
                for (int i = b->begin[j]; i < b->begin[j + 1]; i++)
                    MS_ROW(data, order, b->points[2 * i], b->points[2 * i + 1]);
                ms_data_break(data);
            }
    }
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1180, 1060,
        "set multiplot\n"
        "array splits[3] = ['displacement / displacement', 'force / displacement', 'force / force']\n"
        "array schemes[3] = ['Jacobi', 'Jacobi, consistent', 'Gauss-Seidel']\n"
        "set xrange [log10(%g):log10(%g)]\n" /* images need even grids: logarithms on even axes */
        "set yrange [log10(%g):log10(%g)]\n"
        "set xtics 1\n"
        "set ytics 1\n"
        "set format y '10^{%%g}'\n"
        "unset colorbox\n"
        "set palette defined (0 '#ffffff', 1 '#e3e9f1', 2 '#c4d2e3', 3 '#9fb6d0')\n"
        "set cbrange [0:3]\n"
        "stable(rho) = rho <= 1 ? 1 : 0\n"
        "do for [panel = 0:8] {\n"
        "    row_at = panel / 3 + 1\n"
        "    column_at = panel %% 3 + 1\n"
        "    set lmargin at screen 0.072 + 0.316 * (panel %% 3)\n"
        "    set rmargin at screen 0.352 + 0.316 * (panel %% 3)\n"
        "    set tmargin at screen 0.925 - 0.300 * (panel / 3)\n"
        "    set bmargin at screen 0.672 - 0.300 * (panel / 3)\n"
        "    set title splits[row_at] . ': ' . schemes[column_at] offset 0,-0.6\n"
        "    set format x row_at == 3 ? '10^{%%g}' : ''\n"
        "    set xlabel row_at == 3 ? 'step size H ω_1' : ''\n"
        "    set ylabel column_at == 1 ? 'mass ratio m_2 / m_1' : ''\n"
        "    if (row_at == 1 && column_at == 1) {\n"
        "        set key at screen 0.52,0.999 center top vertical maxrows 2\n"
        "    } else {\n"
        "        unset key\n"
        "    }\n"
        "    file = part(sprintf('boundary-%%d-%%d', row_at, column_at))\n"
        "    map = part(sprintf('map-%%d-%%d', row_at, column_at))\n"
        "    plot map using (log10($1)):(log10($2)):(stable($3) + stable($4) + stable($5)) \\\n"
        "            with image notitle, \\\n"
        "        file using ($1 == 0 ? log10($2) : NaN):(log10($3)) with lines lt 1 lw 2.5 title 'ρ = 1: "
        "constant', \\\n"
        "        NaN with boxes fillcolor rgb '#9fb6d0' fillstyle solid 1 border lt 9 title 'stable: all "
        "three', \\\n"
        "        file using ($1 == 1 ? log10($2) : NaN):(log10($3)) with lines lt 2 lw 2.5 title 'linear', "
        "\\\n"
        "        NaN with boxes fillcolor rgb '#c4d2e3' fillstyle solid 1 border lt 9 title 'two of them', "
        "\\\n"
        "        file using ($1 == 2 ? log10($2) : NaN):(log10($3)) with lines lt 3 lw 2.5 title "
        "'quadratic', \\\n"
        "        NaN with boxes fillcolor rgb '#e3e9f1' fillstyle solid 1 border lt 9 title 'one', \\\n"
        "        NaN with lines lc rgb '#ffffff' title ' ', \\\n"
        "        NaN with boxes fillcolor rgb '#ffffff' fillstyle solid 1 border lt 9 title 'none'\n"
        "}\n",
        step_range[0], step_range[1], ratio_range[0], ratio_range[1]);
}

static int draw_two_mass(ms_drawing *drawing, ms_error *error)
{
    panel *panels = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int k = 0; k < PANELS && status == MS_OK; k++)
        for (int order = 0; order < ORDERS && status == MS_OK; order++)
            status = measure(drawing, k / SCHEMES, k % SCHEMES, order, &panels[k], error);
    if (status == MS_OK) {
        write_data(drawing, panels);
        tabulate(drawing, panels);
        check(drawing, panels);
        draw_picture(drawing);
        ms_drawing_remark(drawing, "Two equal natural frequencies, coupling stiffness kappa = 1, all three "
                                   "damping ratios 0.05, exact subsystems. Curves: rho = 1 for each order of "
                                   "the extrapolation from past values; the shade counts the orders that are "
                                   "stable. Gauss-Seidel takes left mass, right mass, coupling element.");
    }
    for (int k = 0; k < PANELS; k++)
        for (int order = 0; order < ORDERS; order++)
            ms_boundary_destroy(&panels[k].boundary[order]);
    return status;
}

const ms_figure ms_figure_macrostep_two_mass_maps = {
    "macrostep:two-mass-maps",
    "Stability of the two-mass oscillator over step size and mass ratio, by split and scheme",
    "this project; test model of Schweizer, Li and Lu (2015)", .draw = draw_two_mass,
    .memory = PANELS * sizeof(panel)};
