/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.1: regions of coupling stability over one complex eigenvalue lambda of D L.
 * Fig. 6.4.
 *
 * The limit H -> 0 of each scheme (stability.h). Beside the three schemes of the figure: order 2 as printed
 * in (6.30), order 1 from output derivatives (6.42), and smoothing (6.71). */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/options.h>
#include <macrostep/options_set.h>
#include <macrostep/stability.h>
#include "study_checks.h"

enum { CONSTANT, LINEAR, QUADRATIC, PRINTED, ANALYTIC, SMOOTHED, SCHEMES };
enum { MAP = 121, FINE = 1025 };

static const double map_size = 1.5, fine_size = 1.28; /* maps reach from -size to size in both directions */

typedef struct variant {
    const char *name, *part, *options; /* data file; options of the command, "NAME VALUE NAME VALUE" */
} variant;

static const variant variants[SCHEMES] = {
    [CONSTANT] = {"constant", "", "extrapolation-order 0"},
    [LINEAR] = {"linear", "linear", "extrapolation-order 1"},
    [QUADRATIC] = {"quadratic, parabola", "quadratic", "extrapolation-order 2"},
    [PRINTED] = {"quadratic, as printed in (6.30)", "printed", "extrapolation-order 2 as-printed quadratic"},
    [ANALYTIC] = {"linear, from derivatives", "analytic", "extrapolation-order 1 derivatives analytic"},
    [SMOOTHED] = {"linear, smoothed", "smoothed", "extrapolation-order 1 smooth-coupling c0"},
};

/* What is measured of one region. */
typedef struct region {
    ms_options options;
    ms_limit limit, turned; /* turned: x runs along the negative real axis */
    double *map;            /* (MAP x MAP) */
    ms_boundary boundary;
    double left, right; /* of the interval of the real axis around 0 */
    double area;
} region;

static int set_options(const char *text, ms_options *options, ms_error *error)
{
    char name[64], value[64];
    int status = MS_OK, length;
    ms_options_default(options);
    for (; status == MS_OK && sscanf(text, "%63s %63s%n", name, value, &length) == 2; text += length)
        status = ms_options_set(options, name, value, error);
    return status;
}

static void note_command(ms_drawing *drawing, const char *options)
{
    char line[256], name[64], value[64];
    int at =
        snprintf(line, sizeof line,
                 "macrostep stability --x re-lambda=%g:%g:lin:%d --y im-lambda=%g:%g:lin:%d --boundary-only",
                 -fine_size, fine_size, FINE, -fine_size, fine_size, FINE);
    for (int length; sscanf(options, "%63s %63s%n", name, value, &length) == 2; options += length)
        at += snprintf(line + at, sizeof line - (size_t)at, " --%s%c%s", name, name[0] == 'a' ? '=' : ' ',
                       value);
    ms_drawing_note_command(drawing, line);
}

static void fill_axis(int n, double size, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = size * (2.0 * k / (n - 1) - 1.0);
    x[n / 2] = 0.0;
}

/* rho along the real axis, to the right or to the left of 0. */
static int along_axis(void *context, double x, double y, double *value, ms_error *error)
{
    const ms_limit *limit = context;
    ms_field field = ms_stability_limit_field(context);
    void *inner = NULL;
    (void)y;
    int status = field.open(field.self, &inner, error);
    if (status == MS_OK)
        status = field.value(inner, limit->swapped ? 0.0 : x, limit->swapped ? -x : 0.0, value, error);
    field.close(&inner);
    return status;
}

static int measure_interval(ms_limit *limit, double *end, ms_error *error)
{
    ms_critical critical;
    const ms_field field = {.self = limit, .value = along_axis};
    const int status = ms_region_critical(&field, 1.5, NULL, &critical, error);
    *end = critical.first;
    ms_critical_destroy(&critical);
    return status;
}

static double enclosed_area(const ms_boundary *b)
{
    double area = 0.0;
    for (int k = 0; k < b->n; k++)
        for (int i = b->begin[k]; i + 1 < b->begin[k + 1]; i++) {
            const double *p = b->points + 2 * i;
            area += 0.5 * (p[0] * p[3] - p[2] * p[1]);
        }
    return area;
}

static int measure(const variant *m, const volatile sig_atomic_t *stop, region *r, ms_error *error)
{
    double coarse[MAP], fine[FINE];
    const ms_effort effort = {.threads = 1, .stop = stop};
    fill_axis(MAP, map_size, coarse);
    fill_axis(FINE, fine_size, fine);
    int status = set_options(m->options, &r->options, error);
    r->limit = (ms_limit){&r->options, false};
    r->turned = (ms_limit){&r->options, true};
    r->map = calloc(MAP * MAP, sizeof *r->map);
    if (status == MS_OK && r->map == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a map of stability");
    const ms_field field = ms_stability_limit_field(&r->limit);
    if (status == MS_OK)
        status = ms_region_map(&field, &(ms_region_grid){MAP, MAP, coarse, coarse}, &effort, r->map, error);
    if (status == MS_OK)
        status = ms_region_trace(&field, &(ms_region_grid){FINE, FINE, fine, fine}, MS_REGION_LEVEL,
                                 MS_BOUNDARY_TOLERANCE, NULL, &effort, &r->boundary, error);
    if (status == MS_OK)
        status = measure_interval(&r->limit, &r->right, error);
    if (status == MS_OK)
        status = measure_interval(&r->turned, &r->left, error);
    r->left = -r->left;
    r->area = enclosed_area(&r->boundary);
    return status;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Largest | |lambda| - 1 | on the boundary. */
static double from_circle(const region *r)
{
    double largest = 0.0;
    for (int i = 0; i < r->boundary.begin[r->boundary.n]; i++)
        largest = fmax(largest, fabs(hypot(r->boundary.points[2 * i], r->boundary.points[2 * i + 1]) - 1.0));
    return largest;
}

/* (6.41): the larger of |lambda +- sqrt(lambda^2 - lambda)|. */
static double condition_641(double re, double im)
{
    const double complex lambda = re + im * I, root = csqrt(lambda * lambda - lambda);
    return fmax(cabs(lambda + root), cabs(lambda - root));
}

/* Largest difference of the spectral radius from (6.41) on the map. Double eigenvalues (lambda = 0, 1) are
 * known to half the digits only. */
static double from_641(const region *r)
{
    double x[MAP], largest = 0.0;
    fill_axis(MAP, map_size, x);
    for (int j = 0; j < MAP; j++)
        for (int i = 0; i < MAP; i++)
            largest = fmax(largest, fabs(r->map[j * MAP + i] - condition_641(x[i], x[j])));
    return largest;
}

/* Points of the map that are stable in the inner region and not in the outer one. */
static int outside(const region *inner, const region *outer)
{
    int n = 0;
    for (int k = 0; k < MAP * MAP; k++)
        n += inner->map[k] <= MS_REGION_LEVEL && !(outer->map[k] <= MS_REGION_LEVEL);
    return n;
}

static void check_discs(ms_drawing *drawing, const region *r)
{
    static const struct {
        int scheme;
        const char *what, *published;
    } discs[] = {
        {CONSTANT, "constant extrapolation is stable exactly in the unit disc", "rho(DL) <= 1 (Table 6.1)"},
        {ANALYTIC, "linear extrapolation from output derivatives is stable exactly in the unit disc",
         "rho(DL) <= 1 (Table 6.1)"}};
    for (int k = 0; k < 2; k++) {
        const double largest = from_circle(&r[discs[k].scheme]);
        ms_drawing_check_claim(
            drawing, discs[k].what, discs[k].published,
            json_pack("{s:f, s:f, s:i}", "largest distance of the boundary from the circle", largest,
                      "area / pi", r[discs[k].scheme].area / acos(-1.0), "curves",
                      r[discs[k].scheme].boundary.n),
            largest < 1e-6 && r[discs[k].scheme].boundary.n == 1,
            k == 0 ? "One curve."
                   : "On the circle itself the limit is defective, so that < is needed there.");
    }
}

static void check_linear(ms_drawing *drawing, const region *r)
{
    const double difference = from_641(&r[LINEAR]),
                 smoothed = ms_largest_difference(MAP * MAP, r[SMOOTHED].map, r[LINEAR].map);
    ms_drawing_check_claim(drawing,
                           "linear extrapolation from past values: the spectral radius is that of (6.41)",
                           "|lambda +- sqrt(lambda^2 - lambda)| <= 1 (6.41)",
                           MS_REALS({"largest difference on the map", difference}), difference < 1e-7,
                           "At %d x %d points, the formula evaluated by itself.", MAP, MAP);
    ms_drawing_check_number(drawing, "linear: left end of the stable interval of real lambda", -1.0 / 3.0,
                            r[LINEAR].left, 1e-8, "From (6.41) with the eigenvalue -1.");
    ms_drawing_check_number(drawing, "linear: right end of the stable interval of real lambda", 1.0,
                            r[LINEAR].right, 1e-6,
                            "From (6.41); lambda = 1 itself is excluded, I - DL is singular there.");
    ms_drawing_check_claim(
        drawing, "linear extrapolation with smoothing has the region of linear extrapolation",
        "smoothing as derived from (6.71)", MS_REALS({"largest difference on the map", smoothed}),
        smoothed < 1e-7, "The spectra agree except for eigenvalues 0; the paper's (6.77) drops a term.");
}

static void check_shrinking(ms_drawing *drawing, const region *r)
{
    const int lost[] = {outside(&r[LINEAR], &r[CONSTANT]), outside(&r[QUADRATIC], &r[LINEAR]),
                        outside(&r[PRINTED], &r[LINEAR])};
    const bool smaller = r[LINEAR].area < r[CONSTANT].area && r[QUADRATIC].area < r[LINEAR].area &&
                         r[PRINTED].area < r[LINEAR].area;
    ms_study_claim(
        drawing, "a higher order of extrapolation from past values has a smaller region", "claim",
        json_pack("{s:f, s:f, s:f, s:f, s:i}", "area, constant", r[CONSTANT].area, "linear", r[LINEAR].area,
                  "quadratic", r[QUADRATIC].area, "quadratic as printed", r[PRINTED].area,
                  "points of the map outside the lower order's region", lost[0] + lost[1] + lost[2]),
        smaller && lost[0] + lost[1] + lost[2] == 0, "With either reading of the quadratic extrapolation.");
    ms_drawing_check_number(drawing, "quadratic, parabola: left end of the stable interval of real lambda",
                            -1.0 / 7.0, r[QUADRATIC].left, 1e-8,
                            "From z^3 = lambda (3 z^2 - 3 z + 1) at z = -1.");
    ms_drawing_check_number(drawing, "quadratic as printed: left end of the stable interval of real lambda",
                            -1.0 / 5.0, r[PRINTED].left, 1e-8,
                            "From z^3 = lambda (5 z^2 - 4 z + 1) / 2 at z = -1.");
    ms_drawing_check_number(drawing, "quadratic, parabola: right end of the stable interval of real lambda",
                            0.5, r[QUADRATIC].right, 1e-8,
                            "From z^3 = lambda (3 z^2 - 3 z + 1) at z = (1 + i sqrt(3)) / 2.");
}

/* Data, picture ------------------------------------------------------------------------------------------ */

static void write_data(ms_drawing *drawing, const region *r)
{
    double x[MAP];
    ms_data *map =
        ms_drawing_data(drawing, "map", "re,im,constant,linear,quadratic,printed,analytic,smoothed");
    ms_data_keep_all(map);
    for (int s = 0; s < SCHEMES; s++) {
        const ms_boundary *b = &r[s].boundary;
        ms_data *boundary = ms_drawing_data(drawing, variants[s].part, "re,im");
        ms_data_keep_all(boundary);
        for (int k = 0; k < b->n; k++) {
            for (int i = b->begin[k]; i < b->begin[k + 1]; i++)
                ms_data_row(boundary, b->points + 2 * i);
            ms_data_break(boundary);
        }
    }
    fill_axis(MAP, map_size, x);
    for (int j = 0; j < MAP; j++)
        for (int i = 0; i < MAP; i++) {
            ms_data_cell(map, x[i]);
            ms_data_cell(map, x[j]);
            for (int s = 0; s < SCHEMES; s++)
                ms_data_cell(map, r[s].map[j * MAP + i]);
        }
    ms_table *table = ms_drawing_table(drawing, "regions", "Regions of coupling stability",
                                       "scheme|real lambda from|to|area / pi|evaluations of the boundary");
    for (int s = 0; s < SCHEMES; s++)
        ms_table_add(table, "srrrI", variants[s].name, r[s].left, r[s].right, r[s].area / acos(-1.0),
                     (json_int_t)r[s].boundary.evaluations);
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1180, 600,
        "set multiplot\n"
        "set style fill solid 1 noborder\n"
        "set xlabel 'Re λ'\n"
        "set ylabel 'Im λ'\n"
        "set lmargin at screen 0.06\n"
        "set rmargin at screen 0.42\n"
        "set bmargin at screen 0.11\n"
        "set tmargin at screen 0.818\n"
        "set xrange [-1.2:1.2]\n"
        "set yrange [-1.2:1.2]\n"
        "set xtics 0.5\n"
        "set ytics 0.5\n"
        "set key at screen 0.24,0.985 center top vertical maxrows 3\n"
        "plot csv using 're':'im' with lines lt 1 lw 2.5 title 'constant', \\\n"
        "    part('analytic') using 're':'im' with lines lt 8 lw 2.5 dashtype 2 title 'linear, derivatives', "
        "\\\n"
        "    part('linear') using 're':'im' with lines lt 2 lw 2.5 title 'linear', \\\n"
        "    part('smoothed') using 're':'im' with lines lt 5 lw 2.5 dashtype 2 title 'linear, smoothed', "
        "\\\n"
        "    part('quadratic') using 're':'im' with lines lt 3 lw 2.5 title 'quadratic, parabola', \\\n"
        "    part('printed') using 're':'im' with lines lt 4 lw 2.5 title 'quadratic, as printed'\n"
        "unset key\n"
        "set palette defined (0 '#08306b', 0.5 '#4292c6', 0.98 '#c6dbef', 1 '#deebf7', 1.001 '#fee8c8', 2 "
        "'#b30000')\n"
        "set cbrange [0:2]\n"
        "set xrange [-1.5:1.5]\n"
        "set yrange [-1.5:1.5]\n"
        "set xtics 1\n"
        "set ytics 1\n"
        "array names[6] = ['constant', 'linear', 'quadratic, parabola', 'quadratic, as printed', 'linear, "
        "derivatives', 'linear, smoothed']\n"
        "array columns[6] = ['constant', 'linear', 'quadratic', 'printed', 'analytic', 'smoothed']\n"
        "do for [k = 1:6] {\n"
        "    column_at = (k - 1) %% 3\n"
        "    row_at = (k - 1) / 3\n"
        "    set lmargin at screen 0.485 + 0.152 * column_at\n"
        "    set rmargin at screen 0.625 + 0.152 * column_at\n"
        "    set bmargin at screen 0.543 - 0.433 * row_at\n"
        "    set tmargin at screen 0.818 - 0.433 * row_at\n"
        "    set format x row_at == 1 ? '%%.6g' : ''\n"
        "    set format y column_at == 0 ? '%%.6g' : ''\n"
        "    set xlabel row_at == 1 ? 'Re λ' : ''\n"
        "    set ylabel column_at == 0 ? 'Im λ' : ''\n"
        "    if (k == 6) {\n"
        "        set colorbox user origin 0.94,0.11 size 0.012,0.708\n"
        "        set label 1 'ρ' at screen 0.946,0.85 center\n"
        "    } else {\n"
        "        unset colorbox\n"
        "    }\n"
        "    set title names[k]\n"
        "    plot part('map') using 're':'im':columns[k] with image, \\\n"
        "        (k == 1 ? csv : part(columns[k])) using 're':'im' with lines lt 1 lw 1.5\n"
        "}\n");
}

static int draw_fig6_4(ms_drawing *drawing, ms_error *error)
{
    region r[SCHEMES] = {0};
    int status = MS_OK;
    for (int s = 0; s < SCHEMES && status == MS_OK; s++) {
        note_command(drawing, variants[s].options);
        status = measure(&variants[s], ms_drawing_stop(drawing), &r[s], error);
    }
    if (status == MS_OK) {
        write_data(drawing, r);
        check_discs(drawing, r);
        check_linear(drawing, r);
        check_shrinking(drawing, r);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing, "Inconsistent approach, limit H -> 0, one eigenvalue lambda of D L; the stable side of "
                     "each curve holds 0. The figure of the paper is lost in the text, so that its claims "
                     "and formulas are compared. The paper draws constant, linear and quadratic "
                     "extrapolation by finite differences; quadratic has two readings, the parabola through "
                     "three values and (6.30) as printed. The boundary of the linear scheme ends in a cusp "
                     "at lambda = 1, which is thinner than any raster. Consistent and linearly corrected "
                     "outputs are stable everywhere but at lambda = 1, where the loop has no solution.");
    }
    for (int s = 0; s < SCHEMES; s++) {
        free(r[s].map);
        ms_boundary_destroy(&r[s].boundary);
    }
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_4 = {
    "andersson2016:fig6.4",
    "Regions of coupling stability over the eigenvalues of DL, for each order of extrapolation",
    "Andersson (2016), Fig. 6.4, section 6.1.1", .draw = draw_fig6_4};
