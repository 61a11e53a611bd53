/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability maps of the two-mass oscillator over step size and mass ratio for members of the families that are not extrapolation of
 * outputs alone. What is expected are identities of their propagation matrices:
 *
 *     strang               has the eigenvalues of gauss-seidel with held inputs: a/2 b a/2 is a cyclic permutation of a/2 a/2 b
 *     semi-implicit        is ijcsa where subsystems are linear, and so is waveform with one sample and lines
 *     multirate            with one sub-step is jacobi
 *     nepce                with exact integrals is balance of order 0, raw, with a box
 *     tlm                  is stable at every step (without coupling damper, which a line does not have) */
#include <math.h>

#include <macrostep/catalogue.h>
#include <macrostep/stability.h>
#include "arguments.h"
#include "figure.h"
#include "macrostep_rho.h"
#include "macrostep_two_mass.h"
#include "study_checks.h"

enum { SPLITS = 3, MEMBERS = 7, PAIRS = 5, MAP = 41, FINE = 241 };

static const char *const splits[SPLITS] = {"displacement-displacement", "force-displacement", "force-force"};

static const double shown[] = {
    0.03, 5.0}; /* H omega1 of the picture: beyond, islands of all of them lie over each other */

static const struct {
    const char *name, *options;
} members[MEMBERS] = {{"jacobi, held", "--scheme jacobi"},
                      {"nepce", "--scheme nepce"},
                      {"strang", "--scheme strang"},
                      {"ijcsa, degree 1", "--scheme ijcsa --input-degree 1"},
                      {"ijcsa, degree 3", "--scheme ijcsa --input-degree 3"},
                      {"waveform, m = p = 2", "--scheme waveform --samples 2 --spline-degree 2"},
                      {"missiles", "--scheme missiles"}};

static const struct {
    const char *what, *one, *other;
} pairs[PAIRS] = {
    {"strang and gauss-seidel with held inputs", "--scheme strang", "--scheme gauss-seidel"},
    {"semi-implicit and ijcsa", "--scheme semi-implicit --input-degree 1", "--scheme ijcsa --input-degree 1"},
    {"waveform of lines and ijcsa of degree 1", "--scheme waveform", "--scheme ijcsa --input-degree 1"},
    {"multirate with one sub-step and jacobi, linear", "--scheme multirate --extrapolation-order 1",
     "--scheme jacobi --extrapolation-order 1"},
    {"nepce with exact integrals and balance, raw, box", "--scheme nepce --balance-integral exact",
     "--scheme balance --balance-error raw --balance-hat box"}};

typedef struct member_map {
    double map[MAP * MAP];
    ms_boundary boundary;
    double share, critical; /* of the map that is stable; at mass ratio 1 */
} member_map;

typedef struct measures {
    member_map map[SPLITS][MEMBERS];
    double apart[PAIRS];   /* largest |difference| of the radii over 1 + radius */
    double share_of_lines; /* of the map that is stable under tlm */
    int agreed, compared;  /* points where formula and probe were held against each other */
} measures;

/* Measuring ---------------------------------------------------------------------------------------------- */

/* A scheme on a split: its field over step size and mass ratio. */
typedef struct plane {
    ms_study study;
    ms_setting setting;
    ms_stability stability;
} plane;

static int open_plane(ms_drawing *drawing, plane *p, const char *split, const char *options, const char *more,
                      ms_error *error)
{
    const int status = ms_study_bind(
        drawing, &p->study, error,
        "stability two-mass-oscillator --case %s --x step-size=%g:%g:log:%d --y mass_ratio=%g:%g:log:%d %s%s",
        split, step_range[0], step_range[1], MAP, ratio_range[0], ratio_range[1], MAP, options, more);
    if (status != MS_OK)
        return status;
    const ms_model *model = p->study.system->model;
    p->setting = (ms_setting){"coupling_damping", 0.0};
    p->stability = (ms_stability){.model = model,
                                  .case_name = split,
                                  .settings = &p->setting,
                                  .n_settings = more[0] != '\0',
                                  .options = &p->study.arguments->options,
                                  .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, "mass_ratio")}};
    return MS_OK;
}

static int fill_map(ms_drawing *drawing, plane *p, double *map, ms_error *error)
{
    double x[MAP], y[MAP];
    const ms_region_grid grid = ms_plane_grid(MAP, x, y);
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    const ms_field field = ms_stability_field(&p->stability);
    return ms_region_map(&field, &grid, &effort, map, error);
}

static double stable_share(const double *map)
{
    int stable = 0;
    for (int k = 0; k < MAP * MAP; k++)
        stable += map[k] <= MS_REGION_LEVEL;
    return stable / (double)(MAP * MAP);
}

/* Do formula and probe say the same at some points? */
static int compare(plane *p, measures *all, ms_error *error)
{
    static const double steps[] = {0.03, 0.4, 2.0}, ratios[] = {0.05, 1.0, 30.0};
    for (int k = 0; k < MS_COUNT(steps) * MS_COUNT(ratios); k++) {
        bool by_formula = false;
        const int status = ms_stability_check(&p->stability, steps[k % MS_COUNT(steps)],
                                              ratios[k / MS_COUNT(steps)], &by_formula, error);
        if (status != MS_OK && status != MS_DISAGREE)
            return status;
        all->compared++;
        all->agreed += status == MS_OK && by_formula;
    }
    return MS_OK;
}

static int trace(ms_drawing *drawing, plane *p, member_map *m, ms_error *error)
{
    double x[FINE], y[FINE];
    const ms_region_grid grid = ms_plane_grid(FINE, x, y);
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    const ms_field field = ms_stability_field(&p->stability);
    ms_stability line = p->stability;
    ms_critical critical = {0};
    line.axis[1] = MS_AXIS_NONE;
    const ms_field along = ms_stability_field(&line);
    int status = ms_region_trace(&field, &grid, MS_REGION_LEVEL, MS_BOUNDARY_TOLERANCE, NULL, &effort,
                                 &m->boundary, error);
    if (status == MS_OK)
        status = ms_region_critical(&along, step_range[1], &effort, &critical, error);
    m->critical = critical.first;
    m->share = stable_share(m->map);
    ms_critical_destroy(&critical);
    return status;
}

static int measure_member(ms_drawing *drawing, int split, int member, measures *all, ms_error *error)
{
    member_map *m = &all->map[split][member];
    plane p = {0};
    int status = open_plane(drawing, &p, splits[split], members[member].options, "", error);
    if (status == MS_OK)
        status = fill_map(drawing, &p, m->map, error);
    if (status == MS_OK)
        status = trace(drawing, &p, m, error);
    if (status == MS_OK)
        status = compare(&p, all, error);
    ms_study_destroy(&p.study);
    return status;
}

static int measure_pair(ms_drawing *drawing, int pair, measures *all, ms_error *error)
{
    int status = MS_OK;
    for (int split = 0; split < SPLITS && status == MS_OK; split++) {
        static double map[2][MAP * MAP];
        for (int k = 0; k < 2 && status == MS_OK; k++) {
            plane p = {0};
            status = open_plane(drawing, &p, splits[split], k == 0 ? pairs[pair].one : pairs[pair].other, "",
                                error);
            if (status == MS_OK)
                status = fill_map(drawing, &p, map[k], error);
            ms_study_destroy(&p.study);
        }
        for (int k = 0; k < MAP * MAP && status == MS_OK; k++)
            all->apart[pair] = fmax(all->apart[pair], fabs(map[0][k] - map[1][k]) / (1.0 + map[1][k]));
    }
    return status;
}

static int measure_lines(ms_drawing *drawing, measures *all, ms_error *error)
{
    static double map[MAP * MAP];
    plane p = {0};
    int status = open_plane(drawing, &p, "force-force", "--scheme tlm", " --set coupling_damping=0", error);
    if (status == MS_OK)
        status = fill_map(drawing, &p, map, error);
    if (status == MS_OK)
        all->share_of_lines = stable_share(map);
    ms_study_destroy(&p.study);
    return status;
}

/* Table, checks ------------------------------------------------------------------------------------------ */

static void tabulate(ms_drawing *drawing, const measures *all)
{
    ms_table *table =
        ms_drawing_table(drawing, "critical", "Step sizes H omega1 up to which mass ratio 1 is stable",
                         "split|member|critical step size|stable share of the map");
    for (int split = 0; split < SPLITS; split++)
        for (int k = 0; k < MEMBERS; k++)
            ms_table_add(table, "ssor", splits[split], members[k].name,
                         ms_critical_json(all->map[split][k].critical, step_range[1]),
                         all->map[split][k].share);
}

static void check(ms_drawing *drawing, const measures *all)
{
    int small = 0;
    for (int k = 0; k < SPLITS * MEMBERS; k++)
        small += !(all->map[k / MEMBERS][k % MEMBERS].critical <= 0.0); /* NaN: for all steps */
    ms_drawing_check(drawing, "every member on every split is stable for small steps",
                     json_integer(SPLITS * MEMBERS), json_integer(small), json_integer(0),
                     ms_verdict_of(small == SPLITS * MEMBERS),
                     "At mass ratio 1; D L is nilpotent in all splits, and all is damped.");
    for (int k = 0; k < PAIRS; k++)
        ms_drawing_check(drawing, pairs[k].what, json_string("the same spectral radius"),
                         MS_REALS({"largest relative difference", all->apart[k]}), json_real(1e-6),
                         ms_verdict_of(all->apart[k] <= 1e-6), "On the whole map of each split.");
    ms_drawing_check(drawing, "tlm is stable, force/force without coupling damper", json_string("everywhere"),
                     MS_REALS({"stable share of the map", all->share_of_lines}), json_real(0.0),
                     ms_verdict_of(all->share_of_lines == 1.0),
                     "A line of the delay H in place of the spring.");
    ms_drawing_check(drawing, "formula and probe of the propagation matrix", json_integer(all->compared),
                     json_integer(all->agreed), json_integer(0), ms_verdict_of(all->agreed == all->compared),
                     "Nine points of the map for each member on each split.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static int write_data(ms_drawing *drawing, const measures *all, ms_error *error)
{
    int status = MS_OK;
    ms_data *islands = ms_drawing_data(drawing, "islands", "member,step,ratio");
    for (int split = 0; split < SPLITS; split++) {
        ms_data *curves =
            ms_drawing_data(drawing, ms_drawing_text(drawing, "boundary-%d", split + 1), "member,step,ratio");
        ms_data_keep_all(curves);
        for (int k = 0; k < MEMBERS && status == MS_OK; k++)
            status = ms_plane_write(&all->map[split][k].boundary, k, FINE, 3, curves, islands, error);
    }
    return status;
}

static void draw_picture(ms_drawing *drawing)
{
    static const char *const titles[SPLITS] = {"displacement / displacement", "force / displacement",
                                               "force / force"};
    ms_drawing_picture(
        drawing, 1320, 560,
        "set multiplot\nset logscale xy\nset format xy powers\nset xrange [%g:%g]\nset yrange [%g:%g]\n"
        "set xlabel 'step size H ω_1'\nset ylabel 'mass ratio m_2 / m_1'\n",
        shown[0], shown[1], ratio_range[0], ratio_range[1]);
    for (int split = 0; split < SPLITS; split++) {
        ms_drawing_panel(drawing, 0.06 + 0.325 * split, 0.33 + 0.325 * split, 0.84, 0.12, titles[split]);
        ms_drawing_script(drawing, "%s\n",
                          split == 0 ? "set key at screen 0.52,0.985 center top vertical maxrows 2"
                                     : "unset key\nset ylabel ''");
        for (int k = 0; k < MEMBERS; k++)
            ms_drawing_curve(drawing,
                             "part('boundary-%d') using (column('member')==%d ? column('step') : "
                             "NaN):'ratio' with lines lt "
                             "%d lw 2 dashtype %d title '%s'",
                             split + 1, k, k + 1, k % 2 + 1, members[k].name);
    }
}

static int measure(ms_drawing *drawing, measures *all, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < SPLITS * MEMBERS && status == MS_OK; k++)
        status = measure_member(drawing, k / MEMBERS, k % MEMBERS, all, error);
    for (int k = 0; k < PAIRS && status == MS_OK; k++)
        status = measure_pair(drawing, k, all, error);
    return status == MS_OK ? measure_lines(drawing, all, error) : status;
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    measures *all = ms_drawing_memory(drawing);
    int status = measure(drawing, all, error);
    if (status == MS_OK)
        status = write_data(drawing, all, error);
    if (status == MS_OK) {
        tabulate(drawing, all);
        check(drawing, all);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Two equal natural frequencies, coupling stiffness kappa = 1, all three damping ratios 0.05, "
            "exact subsystems. Curves: rho = 1; each member is stable to the left of its first curve, and "
            "again where a further one has been crossed. Beyond 5 the data has more of them. tlm, which "
            "needs a spring without a damper, has no curve: it is stable on the whole map.");
    }
    for (int k = 0; k < SPLITS * MEMBERS; k++)
        ms_boundary_destroy(&all->map[k / MEMBERS][k % MEMBERS].boundary);
    return status;
}

const ms_figure ms_figure_macrostep_two_mass_members = {
    "macrostep:two-mass-members",
    "Stability of the two-mass oscillator for members of all families with a propagation matrix",
    "this project; test model of Schweizer, Li and Lu (2015)", .draw = draw, .memory = sizeof(measures)};
