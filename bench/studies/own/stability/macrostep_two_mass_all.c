/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability maps of the two-mass oscillator for all variants of the explicit family: one figure for each
 * split and execution, a panel for each kind of outputs and smoothing, a boundary for each extrapolation. */
#include <math.h>
#include <stdbool.h>

#include <macrostep/catalogue.h>
#include <macrostep/stability.h>
#include "arguments.h"
#include "figure.h"
#include "macrostep_rho.h"
#include "macrostep_two_mass.h"
#include "study.h"

enum { PANELS = OUTPUTS * SMOOTHINGS };

/* Lines of the map and, among them, of the grid of the boundaries. Islands within ISLAND cells are not
 * resolved. */
enum { MAP = 65, FINE = 257, EVERY = (FINE - 1) / (MAP - 1), ISLAND = 4 };

/* One variant on one split. */
typedef struct variant_map {
    double rho[MAP * MAP];
    ms_boundary boundary;
    bool stable[FINE * FINE]; /* by the boundary */
} variant_map;

/* The variant of a panel (outputs, smoothing) and an extrapolation. */
static int measure(ms_drawing *drawing, const char *split, const char *execution, int panel, int input,
                   variant_map *m, ms_error *error)
{
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    double x[MAP], y[MAP], fine_x[FINE], fine_y[FINE];
    const ms_region_grid map = ms_plane_grid(MAP, x, y), fine = ms_plane_grid(FINE, fine_x, fine_y);
    ms_study study;
    int status = ms_study_bind(
        drawing, &study, error,
        "stability two-mass-oscillator --case %s --x step-size=%g:%g:log:%d --y mass_ratio=%g:%g:log:%d "
        "--scheme %s --outputs %s --smooth-coupling %s --extrapolation-order %d --derivatives %s",
        split, step_range[0], step_range[1], FINE, ratio_range[0], ratio_range[1], FINE, execution,
        ms_output_names[panel % OUTPUTS], ms_smoothing_kinds[panel / OUTPUTS], ms_input_variants[input].order,
        ms_input_variants[input].derivatives);
    if (status == MS_OK) {
        const ms_model *model = study.system->model;
        ms_stability plane = {.model = model,
                              .case_name = split,
                              .options = &study.arguments->options,
                              .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, "mass_ratio")}};
        const ms_field field = ms_stability_field(&plane);
        ms_field_cache cache = {.field = &field, .n = MAP, .x = x, .y = y, .value = m->rho};
        const ms_field known = ms_cached_field(&cache);
        status = ms_region_map(&field, &map, &effort, m->rho, error);
        if (status == MS_OK)
            status = ms_region_trace(&known, &fine, MS_REGION_LEVEL, MS_BOUNDARY_TOLERANCE, NULL, &effort,
                                     &m->boundary, error);
        if (status == MS_OK)
            ms_plane_fill(&m->boundary, FINE, fine_x, fine_y, m->stable);
    }
    ms_study_destroy(&study);
    return status;
}

static double stable_share(const variant_map *m)
{
    int stable = 0;
    for (int k = 0; k < MAP * MAP; k++)
        stable += m->rho[k] <= MS_REGION_LEVEL;
    return (double)stable / (MAP * MAP);
}

static void tabulate(ms_drawing *drawing, const variant_map *maps)
{
    ms_table *table = ms_drawing_table(
        drawing, "share", "Stable share of the map",
        "outputs|smoothing|constant|linear|quadratic|linear, derivatives|quadratic, derivatives");
    for (int panel = 0; panel < PANELS; panel++) {
        const variant_map *m = maps + (size_t)panel * INPUTS;
        ms_table_add(table, "ssrrrrr", ms_output_names[panel % OUTPUTS], ms_smoothing_kinds[panel / OUTPUTS],
                     stable_share(&m[0]), stable_share(&m[1]), stable_share(&m[2]), stable_share(&m[3]),
                     stable_share(&m[4]));
    }
}

/* Identities of the spectra that do not depend on the map: largest |difference| of two variants' rho where
 * both are at most 10. */
static double distance(const variant_map *a, const variant_map *b)
{
    double largest = 0.0;
    for (int k = 0; k < MAP * MAP; k++)
        if (a->rho[k] <= 10.0 && b->rho[k] <= 10.0)
            largest = fmax(largest, fabs(a->rho[k] - b->rho[k]));
    return largest;
}

/* Nodes of the map that the curves put on another side than their radius. */
static int count_other_side(const variant_map *m)
{
    int n = 0;
    for (int j = 0; j < MAP; j++)
        for (int i = 0; i < MAP; i++)
            n += m->stable[j * EVERY * FINE + i * EVERY] != (m->rho[j * MAP + i] <= MS_REGION_LEVEL);
    return n;
}

static void check(ms_drawing *drawing, const variant_map *maps)
{
    double corrected = 0.0;
    int at_small_steps = 0, other_side = 0;
    for (int smoothing = 0; smoothing < SMOOTHINGS; smoothing++)
        for (int input = 0; input < 3; input++) { /* order 0 and past values */
            const variant_map *row = maps + (size_t)smoothing * OUTPUTS * INPUTS;
            corrected = fmax(corrected, distance(&row[INPUTS + input], &row[2 * INPUTS + input]));
        }
    for (int k = 0; k < PANELS * INPUTS; k++)
        other_side += count_other_side(&maps[k]);
    for (int k = 0; k < PANELS * INPUTS; k++)
        for (int j = 0; j < MAP; j++)
            at_small_steps += !(maps[k].rho[(size_t)j * MAP] <= MS_REGION_LEVEL);
    ms_drawing_check_claim(drawing, "corrected has the spectral radius of consistent for past values",
                           "an identity on linear models", MS_REALS({"largest difference", corrected}),
                           corrected <= 1e-6, "Where both are at most 10; on all %d points of the map.",
                           MAP * MAP);
    ms_drawing_check_claim(drawing, "every member is stable at the smallest step of the map",
                           "D L is nilpotent in every split, and the oscillator is damped",
                           MS_COUNTS({"unstable points", at_small_steps}), at_small_steps == 0,
                           "At H omega1 = %g, for %d mass ratios and %d members.", step_range[0], MAP,
                           PANELS * INPUTS);
    ms_drawing_check_claim(
        drawing, "the curves enclose what the map finds stable", "no node on another side",
        MS_COUNTS({"nodes on another side", other_side}, {"nodes", PANELS * INPUTS * MAP * MAP}),
        other_side == 0, "Sides follow from the places where curves cross the rows of the grid.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

/* The number of stable extrapolations at every node, by rows from the smallest mass ratio. */
static void write_shade(const variant_map *maps, ms_data *data)
{
    ms_data_keep_all(data);
    for (int node = 0; node < FINE * FINE; node++) {
        int count = 0;
        for (int input = 0; input < INPUTS; input++)
            count += maps[input].stable[node];
        MS_ROW(data, count);
    }
}

/* Curves and islands of a panel. Both may be empty: a point outside the frame keeps gnuplot from warning. */
static int write_panel(ms_drawing *drawing, const variant_map *maps, int panel, ms_error *error)
{
    int status = MS_OK;
    ms_data *curves =
        ms_drawing_data(drawing, ms_drawing_text(drawing, "boundary-%d", panel), "input,step,ratio");
    ms_data *islands =
        ms_drawing_data(drawing, ms_drawing_text(drawing, "islands-%d", panel), "input,step,ratio");
    write_shade(maps, ms_drawing_data(drawing, ms_drawing_text(drawing, "stable-%d", panel), "stable"));
    ms_data_keep_all(curves);
    ms_data_keep_all(islands);
    for (int input = 0; input < INPUTS; input++) {
        const double outside[] = {input, 10.0 * step_range[1], ratio_range[0]};
        if (status == MS_OK)
            status = ms_plane_write(&maps[input].boundary, input, FINE, ISLAND, curves, islands, error);
        ms_data_row(curves, outside);
        ms_data_break(curves);
        ms_data_row(islands, outside);
    }
    return status;
}

/* What a panel says: where all are stable, and which extrapolations have no boundary. */
static void write_note(ms_drawing *drawing, const variant_map *maps, int panel)
{
    int corner = 0;
    for (int input = 0; input < INPUTS; input++)
        corner += maps[input].stable[(FINE - 1) * FINE];
    ms_drawing_script(drawing, "notes[%d] = \"%s", panel + 1, corner == INPUTS ? "all five stable" : "");
    for (int input = 0; input < INPUTS; input++)
        if (maps[input].boundary.n == 0)
            ms_drawing_script(drawing, "\\n%s %s: no curve", ms_input_variants[input].name,
                              maps[input].stable[0] ? "stable everywhere" : "nowhere stable");
    ms_drawing_script(drawing, "\"\n");
}

/* Axes are logarithms on even scales: images need even grids. */
static void draw_axes(ms_drawing *drawing)
{
    ms_drawing_script(drawing,
                      "set xrange [log10(%g):log10(%g)]\n"
                      "set yrange [log10(%g):log10(%g)]\n"
                      "set xtics 1\n"
                      "set ytics 1\n"
                      "do for [d = -2:1] {\n"
                      "    do for [m = 2:9] {\n"
                      "        set xtics add ('' d + log10(m) 1)\n"
                      "        set ytics add ('' d + log10(m) 1)\n"
                      "    }\n"
                      "}\n"
                      "nodes = %d\n"
                      "across(k) = log10(%g) + log10(%g) * (int(k) %% nodes) / (nodes - 1)\n"
                      "up(k) = log10(%g) + log10(%g) * (int(k) / nodes) / (nodes - 1)\n",
                      step_range[0], step_range[1], ratio_range[0], ratio_range[1], FINE, step_range[0],
                      step_range[1] / step_range[0], ratio_range[0], ratio_range[1] / ratio_range[0]);
}

static void draw_picture(ms_drawing *drawing, const variant_map *maps, const char *title)
{
    ms_drawing_picture(drawing, 1180, 1130, "set multiplot\narray notes[%d]\n", PANELS);
    for (int panel = 0; panel < PANELS; panel++)
        write_note(drawing, maps + (size_t)panel * INPUTS, panel);
    draw_axes(drawing);
    ms_drawing_script(
        drawing,
        "array outputs[3] = ['inconsistent', 'consistent', 'corrected']\n"
        "array smoothings[3] = ['no smoothing', 'C^0 smoothing', 'C^1 smoothing']\n"
        "array names[5] = ['constant', 'linear', 'quadratic', 'linear, derivatives', 'quadratic, "
        "derivatives']\n"
        "set dashtype 11 (8,8)\n"
        "set dashtype 12 (4,4)\n"
        "array dashes[5] = [1, 1, 1, 11, 12]\n"
        "array widths[5] = [2.8, 2.2, 1.2, 2, 2.2]\n"
        "set palette maxcolors 6 defined (0 '#ffffff', 1 '#a8bcd4')\n"
        "set cbrange [-0.5:5.5]\n"
        "set style fill solid 1 noborder\n"
        "unset grid\n"
        "set tics out\n"
        "set colorbox horizontal user origin 0.62,0.022 size 0.33,0.014\n"
        "set cbtics 1 scale 0 offset 0,0.4\n"
        "set label 1 '%s' at screen 0.5,0.984 center font ',16'\n"
        "set label 2 'stable extrapolations of five:' at screen 0.605,0.029 right\n"
        "set label 3 'dots: islands within %d cells of the grid, %d × %d' at screen 0.065,0.029\n"
        "do for [panel = 0:8] {\n"
        "    row_at = panel / 3 + 1\n"
        "    column_at = panel %% 3 + 1\n"
        "    set lmargin at screen 0.068 + 0.316 * (panel %% 3)\n"
        "    set rmargin at screen 0.348 + 0.316 * (panel %% 3)\n"
        "    set tmargin at screen 0.905 - 0.280 * (panel / 3)\n"
        "    set bmargin at screen 0.662 - 0.280 * (panel / 3)\n"
        "    set title outputs[column_at] . ', ' . smoothings[row_at] offset 0,-0.6\n"
        "    set format x row_at == 3 ? '10^{%%g}' : ''\n"
        "    set format y column_at == 1 ? '10^{%%g}' : ''\n"
        "    set xlabel row_at == 3 ? 'step size H ω_1' : ''\n"
        "    set ylabel column_at == 1 ? 'mass ratio m_2 / m_1' : ''\n"
        "    set label 4 notes[panel + 1] at graph 0.03, graph 0.94 front\n"
        "    if (row_at == 1 && column_at == 1) {\n"
        "        set key at screen 0.5,0.966 center top vertical maxrows 1 samplen 3.5 width -2\n"
        "    } else {\n"
        "        unset key\n"
        "        unset colorbox\n"
        "        unset label 1\n"
        "        unset label 2\n"
        "        unset label 3\n"
        "    }\n"
        "    boundary = part(sprintf('boundary-%%d', panel))\n"
        "    islands = part(sprintf('islands-%%d', panel))\n"
        "    plot part(sprintf('stable-%%d', panel)) using (across($0)):(up($0)):1 with image notitle, \\\n"
        "        for [k = 1:5] boundary using ($1 == k - 1 ? log10($2) : NaN):(log10($3)) with lines lt k "
        "\\\n"
        "            dashtype dashes[k] lw widths[k] title names[k], \\\n"
        "        for [k = 1:5] islands using ($1 == k - 1 ? log10($2) : NaN):(log10($3)) with points lt k "
        "\\\n"
        "            pt 7 ps 0.35 notitle\n"
        "}\n",
        title, ISLAND, FINE, FINE);
}

static void remark(ms_drawing *drawing)
{
    ms_drawing_remark(
        drawing,
        "Each curve separates stable from unstable, rho = 1; on its darker side one extrapolation more is "
        "stable, and at small steps all are. Lines get narrower in the order of the key and the last two are "
        "dashed, so that curves that coincide show side by side. Boundaries are traced on a grid of %d x "
        "%d lines in equal ratios (%d a decade of the step size, %d a decade of the mass ratio) and placed "
        "between them by at most two secant steps; the search starts from every %dth line, so that smaller "
        "islands may be missed. Closed curves within %d cells are drawn as dots, their shape is not "
        "resolved; NAME-islands-*.csv has their middles. NAME-stable-*.csv: the number of stable "
        "extrapolations, row by row from the smallest mass ratio, %d step sizes a row. Other parameters are "
        "the model's defaults; the step size is in units of 1/omega1. Gauss-Seidel takes left mass, right "
        "mass, coupling element.",
        FINE, FINE, (FINE - 1) / 3, (FINE - 1) / 4, EVERY, ISLAND, FINE);
}

/* One figure. */
typedef struct two_mass_subject {
    const char *split, *execution, *title;
} two_mass_subject;

static int draw(ms_drawing *drawing, ms_error *error)
{
    const two_mass_subject *subject = ms_drawing_subject(drawing);
    variant_map *maps = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int k = 0; k < PANELS * INPUTS && status == MS_OK; k++)
        status =
            measure(drawing, subject->split, subject->execution, k / INPUTS, k % INPUTS, &maps[k], error);
    for (int k = 0; k < PANELS && status == MS_OK; k++)
        status = write_panel(drawing, maps + (size_t)k * INPUTS, k, error);
    if (status == MS_OK) {
        tabulate(drawing, maps);
        check(drawing, maps);
        draw_picture(drawing, maps, subject->title);
        remark(drawing);
    }
    for (int k = 0; k < PANELS * INPUTS; k++)
        ms_boundary_destroy(&maps[k].boundary);
    return status;
}

#define TWO_MASS(name, key, split, execution, title_of_picture)                                              \
    const ms_figure ms_figure_macrostep_two_mass_##name = {                                                  \
        "macrostep:two-mass-" key,                                                                           \
        "Stability of the two-mass oscillator, all members: " split ", " execution,                          \
        "this project; test model of Schweizer, Li and Lu (2015)",                                           \
        .draw = draw,                                                                                        \
        .memory = PANELS * INPUTS * sizeof(variant_map),                                                     \
        .subject = &(const two_mass_subject){split, execution, title_of_picture}};

TWO_MASS(dd_jacobi, "dd-jacobi", "displacement-displacement", "jacobi",
         "Two-mass oscillator split displacement / displacement, Jacobi")
TWO_MASS(dd_gauss_seidel, "dd-gauss-seidel", "displacement-displacement", "gauss-seidel",
         "Two-mass oscillator split displacement / displacement, Gauss-Seidel")
TWO_MASS(fd_jacobi, "fd-jacobi", "force-displacement", "jacobi",
         "Two-mass oscillator split force / displacement, Jacobi")
TWO_MASS(fd_gauss_seidel, "fd-gauss-seidel", "force-displacement", "gauss-seidel",
         "Two-mass oscillator split force / displacement, Gauss-Seidel")
TWO_MASS(ff_jacobi, "ff-jacobi", "force-force", "jacobi", "Two-mass oscillator split force / force, Jacobi")
TWO_MASS(ff_gauss_seidel, "ff-gauss-seidel", "force-force", "gauss-seidel",
         "Two-mass oscillator split force / force, Gauss-Seidel")
