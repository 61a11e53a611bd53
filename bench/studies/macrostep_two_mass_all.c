/* Stability maps of the two-mass oscillator for all members of the explicit family: one figure for each split and execution,
 * a panel for each kind of outputs and smoothing, a boundary for each extrapolation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "catalogue.h"
#include "figure.h"
#include "macrostep_two_mass.h"
#include "stability.h"
#include "study.h"

enum { OUTPUTS = 3, SMOOTHINGS = 3, INPUTS = 5, PANELS = OUTPUTS * SMOOTHINGS };
enum { MAP = 33, FINE = 129 };

static const char *const outputs[OUTPUTS] = {"inconsistent", "consistent", "corrected"};
static const char *const smoothings[SMOOTHINGS] = {"none", "c0", "c1"};
static const struct {
    const char *name;
    int order;
    const char *derivatives;
} inputs[INPUTS] = {{"constant", 0, "differences"},
                    {"linear", 1, "differences"},
                    {"quadratic", 2, "differences"},
                    {"linear, derivatives", 1, "analytic"},
                    {"quadratic, derivatives", 2, "analytic"}};

/* One member on one split. */
typedef struct member_map {
    double rho[MAP * MAP];
    ms_boundary boundary;
} member_map;

/* The member of a panel (outputs, smoothing) and an extrapolation. */
static int measure(ms_drawing *drawing, const char *split, const char *execution, int panel, int input,
                   member_map *m, ms_error *error)
{
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    double x[MAP], y[MAP], fine_x[FINE], fine_y[FINE];
    fill_axis(MAP, step_range, x);
    fill_axis(MAP, ratio_range, y);
    fill_axis(FINE, step_range, fine_x);
    fill_axis(FINE, ratio_range, fine_y);
    ms_study study;
    int status = ms_study_bind(
        drawing, &study, error,
        "stability two-mass-oscillator --case %s --x step-size=%g:%g:log:%d --y mass_ratio=%g:%g:log:%d "
        "--scheme %s --outputs %s --smooth-coupling %s --extrapolation-order %d --derivatives %s",
        split, step_range[0], step_range[1], FINE, ratio_range[0], ratio_range[1], FINE, execution,
        outputs[panel % OUTPUTS], smoothings[panel / OUTPUTS], inputs[input].order,
        inputs[input].derivatives);
    if (status == MS_OK) {
        const ms_model *model = study.system->model;
        ms_stability plane = {.model = model,
                              .case_name = split,
                              .options = &study.arguments.options,
                              .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, "mass_ratio")}};
        const ms_field field = ms_stability_field(&plane);
        status = ms_region_map(&field, &(ms_raster){MAP, MAP, x, y}, &effort, m->rho, error);
        if (status == MS_OK)
            status = ms_region_trace(&field, &(ms_raster){FINE, FINE, fine_x, fine_y}, MS_REGION_LEVEL, NULL,
                                     &effort, &m->boundary, error);
    }
    ms_study_destroy(&study);
    return status;
}

static double stable_share(const member_map *m)
{
    int stable = 0;
    for (int k = 0; k < MAP * MAP; k++)
        stable += m->rho[k] <= MS_REGION_LEVEL;
    return (double)stable / (MAP * MAP);
}

static void tabulate(ms_drawing *drawing, const member_map *maps)
{
    ms_table *table = ms_drawing_table(
        drawing, "share", "Stable share of the map",
        "outputs|smoothing|constant|linear|quadratic|linear, derivatives|quadratic, derivatives");
    for (int panel = 0; panel < PANELS; panel++) {
        const member_map *m = maps + (size_t)panel * INPUTS;
        ms_table_row(table, json_pack("[s, s, f, f, f, f, f]", outputs[panel % OUTPUTS],
                                      smoothings[panel / OUTPUTS], stable_share(&m[0]), stable_share(&m[1]),
                                      stable_share(&m[2]), stable_share(&m[3]), stable_share(&m[4])));
    }
}

/* Identities of the spectra that do not depend on the map: largest |difference| of two members' rho where both
 * are at most 10. */
static double distance(const member_map *a, const member_map *b)
{
    double largest = 0.0;
    for (int k = 0; k < MAP * MAP; k++)
        if (a->rho[k] <= 10.0 && b->rho[k] <= 10.0)
            largest = fmax(largest, fabs(a->rho[k] - b->rho[k]));
    return largest;
}

static void check(ms_drawing *drawing, const member_map *maps)
{
    double corrected = 0.0;
    int at_small_steps = 0;
    for (int smoothing = 0; smoothing < SMOOTHINGS; smoothing++)
        for (int input = 0; input < 3; input++) { /* order 0 and past values */
            const member_map *row = maps + (size_t)smoothing * OUTPUTS * INPUTS;
            corrected = fmax(corrected, distance(&row[INPUTS + input], &row[2 * INPUTS + input]));
        }
    for (int k = 0; k < PANELS * INPUTS; k++)
        for (int j = 0; j < MAP; j++)
            at_small_steps += !(maps[k].rho[(size_t)j * MAP] <= MS_REGION_LEVEL);
    ms_drawing_check_claim(drawing, "corrected has the spectral radius of consistent for past values",
                           "an identity on linear models",
                           json_pack("{s:f}", "largest difference", corrected), corrected <= 1e-6,
                           "Where both are at most 10; on all %d points of the map.", MAP * MAP);
    ms_drawing_check_claim(drawing, "every member is stable at the smallest step of the map",
                           "D L is nilpotent in every split, and the oscillator is damped",
                           json_pack("{s:i}", "unstable points", at_small_steps), at_small_steps == 0,
                           "At H omega1 = %g, for %d mass ratios and %d members.", step_range[0], MAP,
                           PANELS * INPUTS);
}

static void write_data(ms_drawing *drawing, const member_map *maps)
{
    for (int panel = 0; panel < PANELS; panel++) {
        char part[32];
        snprintf(part, sizeof part, "boundary-%d", panel);
        ms_data *data = ms_drawing_data(drawing, part, "input,step,ratio");
        ms_data_keep_all(data);
        for (int input = 0; input < INPUTS; input++) {
            const ms_boundary *b = &maps[panel * INPUTS + input].boundary;
            for (int curve = 0; curve < b->n; curve++) {
                for (int i = b->begin[curve]; i < b->begin[curve + 1]; i++)
                    ms_data_row(data, (const double[]){input, b->points[2 * i], b->points[2 * i + 1]});
                ms_data_break(data);
            }
        }
        /* A curve may be empty: a point outside the frame keeps gnuplot from warning. */
        for (int input = 0; input < INPUTS; input++) {
            ms_data_row(data, (const double[]){input, 10.0 * step_range[1], ratio_range[0]});
            ms_data_break(data);
        }
    }
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_size(drawing, 1180, 1060);
    ms_drawing_script(drawing,
                      "set multiplot\n"
                      "array outputs[3] = ['inconsistent', 'consistent', 'corrected']\n"
                      "array smoothings[3] = ['no smoothing', 'C^0 smoothing', 'C^1 smoothing']\n"
                      "array names[5] = ['constant', 'linear', 'quadratic', 'linear, derivatives', "
                      "'quadratic, derivatives']\n"
                      "array types[5] = [1, 2, 3, 4, 5]\n"
                      "set logscale xy\n"
                      "set xrange [%g:%g]\n"
                      "set yrange [%g:%g]\n"
                      "set format y powers\n"
                      "do for [panel = 0:8] {\n"
                      "    row_at = panel / 3 + 1\n"
                      "    column_at = panel %% 3 + 1\n"
                      "    set lmargin at screen 0.072 + 0.316 * (panel %% 3)\n"
                      "    set rmargin at screen 0.352 + 0.316 * (panel %% 3)\n"
                      "    set tmargin at screen 0.925 - 0.300 * (panel / 3)\n"
                      "    set bmargin at screen 0.672 - 0.300 * (panel / 3)\n"
                      "    set title outputs[column_at] . ', ' . smoothings[row_at] offset 0,-0.6\n"
                      "    set format x row_at == 3 ? powers : ''\n"
                      "    set xlabel row_at == 3 ? 'step size H ω_1' : ''\n"
                      "    set ylabel column_at == 1 ? 'mass ratio m_2 / m_1' : ''\n"
                      "    if (row_at == 1 && column_at == 1) {\n"
                      "        set key at screen 0.52,0.992 center top vertical maxrows 1\n"
                      "    } else {\n"
                      "        unset key\n"
                      "    }\n"
                      "    file = part(sprintf('boundary-%%d', panel))\n"
                      "    plot for [k = 1:5] file using ($1 == k - 1 ? $2 : NaN):3 with lines lt types[k] "
                      "lw 2 title names[k]\n"
                      "}\n",
                      step_range[0], step_range[1], ratio_range[0], ratio_range[1]);
}

static int draw(ms_drawing *drawing, const char *split, const char *execution, ms_error *error)
{
    member_map *maps = calloc((size_t)PANELS * INPUTS, sizeof *maps);
    if (maps == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for maps of stability");
    int status = MS_OK;
    for (int k = 0; k < PANELS * INPUTS && status == MS_OK; k++)
        status = measure(drawing, split, execution, k / INPUTS, k % INPUTS, &maps[k], error);
    if (status == MS_OK) {
        write_data(drawing, maps);
        tabulate(drawing, maps);
        check(drawing, maps);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Each curve separates stable from unstable; at small steps all members are stable. Other "
            "parameters are the model's defaults; the step size is in units of 1/omega1.");
    }
    for (int k = 0; k < PANELS * INPUTS; k++)
        ms_boundary_destroy(&maps[k].boundary);
    free(maps);
    return status;
}

#define TWO_MASS(name, key, split, execution)                                                                \
    static int draw_##name(ms_drawing *drawing, ms_error *error)                                             \
    {                                                                                                        \
        return draw(drawing, split, execution, error);                                                       \
    }                                                                                                        \
    const ms_figure ms_figure_macrostep_two_mass_##name = {                                                  \
        .id = "macrostep:two-mass-" key,                                                                     \
        .title = "Stability of the two-mass oscillator, all members: " split ", " execution,                 \
        .source = "this project; test model of Schweizer, Li and Lu (2015)",                                 \
        .draw = draw_##name};

TWO_MASS(dd_jacobi, "dd-jacobi", "displacement-displacement", "jacobi")
TWO_MASS(dd_gauss_seidel, "dd-gauss-seidel", "displacement-displacement", "gauss-seidel")
TWO_MASS(fd_jacobi, "fd-jacobi", "force-displacement", "jacobi")
TWO_MASS(fd_gauss_seidel, "fd-gauss-seidel", "force-displacement", "gauss-seidel")
TWO_MASS(ff_jacobi, "ff-jacobi", "force-force", "jacobi")
TWO_MASS(ff_gauss_seidel, "ff-gauss-seidel", "force-force", "gauss-seidel")
