/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field on one page: error over work of every family's best member on six models (macrostep_field.h). */
#include <math.h>
#include <stdlib.h>

#include "figure.h"
#include "macrostep_field.h"
#include "study_work.h"

enum { MODELS = 6, COLUMNS = 2, POINTS = MS_FIELD_FAMILIES * MS_SETTINGS };

static const ms_field_bench benches[MODELS] = {
    {"quarter car", "linear", "quarter-car", 0.06, true},
    {"coupled pendula", "nonlinear", "coupled-pendula --solver rk4 --stop-time 2", 0.1, true},
    {"stiff damper", "stiff", "stiff-damper --stop-time 1", 0.02, true},
    {"impact oscillator", "hybrid", "impact-oscillator", 0.05, false},
    {"spring-mass", "energy-conserving", "spring-mass --stop-time 20", 0.6, true},
    {"two masses and a spring", "force-force", "lim-oscillator --case force-force --stop-time 1", 0.02, true},
};

static const double ORDER_TOLERANCE = 0.3, ERROR_MAX = 1.0, SMALL = 1e-6;

/* A point of the front: no other one of the panel has less work and a smaller error. */
typedef struct front_point {
    const ms_field_entry *entry;
    const ms_work_point *at;
} front_point;

typedef struct front {
    int n;
    front_point point[POINTS]; /* work ascends, errors descend */
} front;

typedef struct memory {
    ms_field_panel panel[MODELS];
    front front[MODELS];
} memory;

/* The front ---------------------------------------------------------------------------------------------- */

static int by_work(const void *a, const void *b)
{
    const ms_work_point *one = ((const front_point *)a)->at, *other = ((const front_point *)b)->at;
    const int work = (one->evaluations > other->evaluations) - (one->evaluations < other->evaluations);
    return work != 0 ? work : (one->error > other->error) - (one->error < other->error);
}

static void find_front(const ms_field_panel *panel, front *f)
{
    int n = 0, kept = 0;
    for (int k = 0; k < panel->n; k++)
        for (int j = 0; j < MS_SETTINGS && panel->entry[k].fits; j++)
            if (panel->entry[k].curve.point[j].error <= ERROR_MAX) /* and is a number */
                f->point[n++] = (front_point){&panel->entry[k], &panel->entry[k].curve.point[j]};
    qsort(f->point, (size_t)n, sizeof *f->point, by_work);
    for (int k = 0; k < n; k++)
        if (kept == 0 || f->point[k].at->error < f->point[kept - 1].at->error)
            f->point[kept++] = f->point[k];
    f->n = kept;
}

static bool on_front(const front *f, const ms_field_entry *entry)
{
    for (int k = 0; k < f->n; k++)
        if (f->point[k].entry == entry)
            return true;
    return false;
}

/* Are its inputs those of the end of the macro-step, by iterations or by equations that are solved? */
static bool is_implicit(const ms_field_entry *entry)
{
    return entry->scheme->form == MS_FORM_CONVERGED || entry->scheme->form == MS_FORM_SAMPLED;
}

/* Integrations to an error. */
static double work_at(const ms_work_curve *curve, double error)
{
    double work[MS_SETTINGS], errors[MS_SETTINGS];
    for (int k = 0; k < MS_SETTINGS; k++) {
        work[k] = curve->point[k].evaluations;
        errors[k] = curve->point[k].error;
    }
    return ms_work_at(MS_SETTINGS, work, errors, error);
}

/* Table -------------------------------------------------------------------------------------------------- */

/* The largest step size with an error of at most the goal, else that with the smallest error. */
static int shown_point(const ms_field_entry *entry)
{
    int best = 0;
    for (int k = 0; k < MS_SETTINGS; k++) {
        const double error = entry->curve.point[k].error;
        if (error <= MS_FIELD_GOAL)
            return k;
        if (!(entry->curve.point[best].error <= error))
            best = k;
    }
    return best;
}

static json_t *stable_json(const ms_field_entry *entry)
{
    return !entry->has_matrix     ? json_string("no matrix")
           : isnan(entry->stable) ? json_string("all tried")
                                  : json_real(entry->stable);
}

static void add_row(ms_table *table, ms_drawing *drawing, int model, int number, const ms_field_entry *entry,
                    const front *f)
{
    const ms_field_bench *bench = &benches[model];
    if (!entry->fits) {
        ms_table_add(table, "sissnnnnsnn", bench->title, number, entry->scheme->name, "no",
                     entry->ran ? "no member runs to its end" : entry->refusal.text);
        return;
    }
    const int k = shown_point(entry);
    const ms_work_point *p = &entry->curve.point[k];
    ms_table_add(
        table, "sissorrosrs", bench->title, number, entry->scheme->name, on_front(f, entry) ? "yes" : "no",
        entry->claimed > 0 ? json_integer(entry->claimed) : json_null(), entry->order,
        ceil(work_at(&entry->curve, MS_FIELD_GOAL)), stable_json(entry), entry->needs, entry->drift[k],
        ms_drawing_text(drawing, "macrostep run %s %s --step-size %.6g", bench->model, entry->words,
                        p->setting));
}

static void tabulate(ms_drawing *drawing, const memory *all)
{
    ms_table *table =
        ms_drawing_table(drawing, "families", "Each family's best member",
                         "model|number|family|on the front|order claimed|order observed|integrations to "
                         "1e-3|largest stable step / s|needs|energy drift|command");
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; k < all->panel[m].n; k++)
            add_row(table, drawing, m, k + 1, &all->panel[m].entry[k], &all->front[m]);
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void check_orders(ms_drawing *drawing, const memory *all)
{
    json_t *apart = json_object();
    int compared = 0, off = 0;
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; k < all->panel[m].n && benches[m].smooth; k++) {
            const ms_field_entry *entry = &all->panel[m].entry[k];
            if (!entry->fits || entry->claimed == 0 || isnan(entry->order))
                continue;
            compared++;
            if (fabs(entry->order - entry->claimed) <= ORDER_TOLERANCE)
                continue;
            off++;
            json_object_set_new(apart,
                                ms_drawing_text(drawing, "%s, %s", benches[m].title, entry->scheme->name),
                                json_sprintf("%.2f, claimed %d", entry->order, entry->claimed));
        }
    json_object_set_new(apart, "compared", json_integer(compared));
    ms_drawing_check(drawing, "order observed and order claimed", json_string("the same"), apart,
                     json_real(ORDER_TOLERANCE),
                     ms_verdict_of(ms_judge_at_least(drawing, compared, 1) && ms_judge_is(drawing, off, 0)),
                     "Smooth models, members that claim an order and show one over the step sizes.");
}

/* Points of order 1 on the front below the goal. */
static void check_low_order(ms_drawing *drawing, const memory *all)
{
    json_t *low = json_object();
    int below = 0;
    for (int m = 0; m < MODELS; m++) {
        const front *f = &all->front[m];
        int here = 0;
        for (int k = 0; k < f->n; k++)
            here += f->point[k].at->error < MS_FIELD_GOAL && f->point[k].entry->claimed == 1;
        below += here;
        json_object_set_new(low, benches[m].title, json_integer(here));
    }
    ms_drawing_check_claim(drawing, "points of order 1 on the front below an error of 1e-3", "none", low,
                           ms_judge_is(drawing, below, 0),
                           "Order 1 costs ten times the work for a tenth of the error.");
}

/* The family that reaches an error with the fewest integrations, or NULL. */
static const ms_field_entry *cheapest(const ms_field_panel *panel, double error, double *work)
{
    const ms_field_entry *best = NULL;
    *work = INFINITY;
    for (int k = 0; k < panel->n; k++) {
        const double at = panel->entry[k].fits ? work_at(&panel->entry[k].curve, error) : NAN;
        if (at < *work) {
            *work = at;
            best = &panel->entry[k];
        }
    }
    return best;
}

/* The smallest errors of a panel are not compared: with the same step sizes more work reaches smaller errors. */
static void check_cheapest(ms_drawing *drawing, const memory *all)
{
    json_t *who = json_object();
    int implicit = 0, smooth = 0;
    for (int m = 0; m < MODELS; m++) {
        double work;
        const ms_field_entry *best = cheapest(&all->panel[m], SMALL, &work);
        if (!benches[m].smooth)
            continue;
        smooth++;
        implicit += best != NULL && is_implicit(best);
        json_object_set_new(who, benches[m].title,
                            best != NULL ? json_sprintf("%s, %.0f integrations, order %.1f",
                                                        best->scheme->name, work, best->order)
                                         : json_string("none reaches it"));
    }
    ms_drawing_check_claim(drawing, "the cheapest family at an error of 1e-6 is iterated or implicit",
                           "on each smooth model", who, ms_judge_is(drawing, implicit, smooth),
                           "%d of %d; missiles, whose equations for the inputs are solved once, is counted. "
                           "Where balance is cheapest the error that it feeds back gains an order, as an "
                           "iteration does, and no macro-step is repeated for it.",
                           implicit, smooth);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_curve(ms_data *data, int model, int family, const ms_work_curve *curve)
{
    for (int k = 0; k < MS_SETTINGS; k++) {
        const ms_work_point *p = &curve->point[k];
        if (p->error <= ERROR_MAX) /* and is a number */
            MS_ROW(data, model, family, p->setting, p->steps, p->evaluations, p->error);
    }
    ms_data_break(data);
}

static void write_data(ms_drawing *drawing, const memory *all)
{
    ms_data *data = ms_drawing_data(drawing, "", "model,family,step,macro_steps,integrations,error");
    ms_data *fronts = ms_drawing_data(drawing, "front", "model,integrations,error");
    for (int m = 0; m < MODELS; m++) {
        for (int k = 0; k < all->panel[m].n; k++) {
            const ms_field_entry *entry = &all->panel[m].entry[k];
            if (!entry->fits)
                continue;
            write_curve(data, m, k + 1, &entry->curve);
        }
        for (int k = 0; k < all->front[m].n; k++)
            MS_ROW(fronts, m, all->front[m].point[k].at->evaluations, all->front[m].point[k].at->error);
        ms_data_break(fronts);
    }
}

/* The decades that the points of a panel fill. */
typedef struct decades {
    double from, to;
} decades;

static decades decades_of(const ms_field_panel *panel, bool of_errors)
{
    decades d = {INFINITY, of_errors ? ERROR_MAX : 0.0};
    for (int k = 0; k < panel->n; k++)
        for (int j = 0; j < MS_SETTINGS && panel->entry[k].fits; j++) {
            const ms_work_point *p = &panel->entry[k].curve.point[j];
            if (p->error <= ERROR_MAX)
                ms_widen(&d.from, &d.to, of_errors ? p->error : p->evaluations);
        }
    return (decades){pow(10.0, floor(log10(d.from))), pow(10.0, ceil(log10(d.to)))};
}

/* The end of a curve, and the height of its number next to the panel, as a fraction of it. */
typedef struct curve_end {
    int number;
    const ms_work_point *at;
    double height;
} curve_end;

static int by_height(const void *a, const void *b)
{
    const curve_end *one = a, *other = b;
    return (one->height > other->height) - (one->height < other->height);
}

static int find_ends(const ms_field_panel *panel, decades errors, curve_end *end)
{
    int n = 0;
    for (int k = 0; k < panel->n; k++)
        for (int j = MS_SETTINGS - 1; j >= 0 && panel->entry[k].fits; j--) {
            const ms_work_point *p = &panel->entry[k].curve.point[j];
            if (!(p->error <= ERROR_MAX))
                continue;
            end[n++] = (curve_end){k + 1, p, log(p->error / errors.from) / log(errors.to / errors.from)};
            break;
        }
    qsort(end, (size_t)n, sizeof *end, by_height);
    return n;
}

/* Numbers of the families next to the panel, at least one line of text apart, each connected to the end of its curve. */
static void label_ends(ms_drawing *drawing, const ms_field_panel *panel, decades errors)
{
    static const double GAP = 0.061;
    curve_end end[MS_FIELD_FAMILIES];
    const int n = find_ends(panel, errors, end);
    for (int k = 1; k < n; k++)
        end[k].height = fmax(end[k].height, end[k - 1].height + GAP);
    for (int k = n - 1; k >= 0; k--)
        end[k].height = fmin(end[k].height, k == n - 1 ? 1.0 : end[k + 1].height - GAP);
    ms_drawing_script(drawing, "unset label\nunset arrow\n");
    for (int k = 0; k < n; k++)
        ms_drawing_script(drawing,
                          "set arrow from first %.6g, first %.6g to graph 1.03, graph %.4f nohead lc rgb "
                          "'#b0b0b0' lw 0.7 back\n"
                          "set label '%d' at graph 1.04, graph %.4f left\n",
                          end[k].at->evaluations, end[k].at->error, end[k].height, end[k].number,
                          end[k].height);
}

/* Colours of eight lines, and two kinds of points: with the numbers no family depends on its colour. */
static void plot_panel(ms_drawing *drawing, int model, const ms_field_panel *panel)
{
    static const int points[] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14, 1, 2, 3};
    ms_drawing_curve(drawing,
                     "part('front') using (column('model')==%d ? column('integrations') : NaN):'error' with "
                     "steps lc rgb '#d8d8d8' lw 6 title 'Pareto front'",
                     model);
    for (int k = 0; k < panel->n; k++)
        ms_drawing_curve(drawing,
                         "csv using (column('model')==%d && column('family')==%d ? column('integrations') : "
                         "NaN):'error' with linespoints lt %d lw 1.4 pt %d ps 0.7 title '%d  %s'",
                         model, k + 1, 1 + k % 7, points[k % MS_COUNT(points)], k + 1,
                         panel->entry[k].scheme->name);
}

static void draw_picture(ms_drawing *drawing, const memory *all)
{
    ms_drawing_picture(drawing, 1000, 1290,
                       "set multiplot\nset logscale xy\nset format xy powers\nset bars 0\n"
                       "set key at screen 0.05,0.115 left top vertical maxrows 5 samplen 2 width -2\n");
    for (int m = 0; m < MODELS; m++) {
        const int row = m / COLUMNS, column = m % COLUMNS;
        const decades errors = decades_of(&all->panel[m], true), work = decades_of(&all->panel[m], false);
        ms_drawing_panel(drawing, 0.1 + 0.48 * column, 0.44 + 0.48 * column, 0.97 - 0.285 * row,
                         0.736 - 0.285 * row,
                         ms_drawing_text(drawing, "(%c) %s: %s", 'a' + m, benches[m].kind, benches[m].title));
        ms_drawing_script(drawing,
                          "set xlabel '%s'\nset ylabel '%s'\nset xrange [%g:%g]\nset "
                          "yrange [%g:%g]\n%s",
                          row == 2 ? "integrations of subsystems" : "",
                          column == 0 ? "mean relative L_2 error" : "", work.from, work.to, errors.from,
                          errors.to, m == 1 ? "unset key\n" : "");
        label_ends(drawing, &all->panel[m], errors);
        plot_panel(drawing, m, &all->panel[m]);
    }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    memory *all = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int m = 0; m < MODELS && status == MS_OK; m++) {
        status = ms_field_measure(drawing, &benches[m], &all->panel[m], error);
        find_front(&all->panel[m], &all->front[m]);
    }
    if (status != MS_OK)
        return status;
    write_data(drawing, all);
    tabulate(drawing, all);
    check_orders(drawing, all);
    check_low_order(drawing, all);
    check_cheapest(drawing, all);
    draw_picture(drawing, all);
    ms_drawing_remark(
        drawing,
        "Best: of all members that `compare` tries, the one with the fewest integrations to an error of 1e-3 "
        "on the line through two runs; it is then run with %d step sizes, one over the next %g. The error is "
        "the mean over the states of |e|_L2 over |reference|_L2; an integration is one subsystem over one "
        "macro-step, repeated ones included; sensitivities are not among them. Integrations to 1e-3 lie "
        "between points on double logarithmic scales. Energy drift, relative to E(0), is that of the command "
        "in the last column: the largest step with an error of at most 1e-3, or the smallest error where "
        "none is. Needs were found by taking each capability from all subsystems. The front ends with the "
        "work of the smallest step size: its last points are of those who work most there. f3ornits chooses "
        "its steps by its tolerances, here the default ones. Numbers in the picture are those of the "
        "families in the key.",
        MS_SETTINGS, MS_FIELD_FACTOR);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_field = {
    "macrostep:field", "The field on one page: error over work of each family's best member on six models",
    "this project; all families of coupling schemes", .draw = draw, .memory = sizeof(memory)};
