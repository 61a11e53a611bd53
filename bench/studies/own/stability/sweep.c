/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All models across all variants of all scheme families: error, and stability predicted and observed.
 *
 * Every model in its first case, with the case's own step size and end. The error of a run is the mean over
 * its states of ||e|| / ||reference|| in L2, which compares models of different units. A variant is unstable
 * by prediction where rho(Psi(H)) > 1 + 1e-8, by observation where its memory grows by that much per
 * macro-step (linear models, external inputs zero) or its run diverges or breaks off (all models). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "drawing.h"
#include "growing.h"
#include "provenance.h"
#include "sweep.h"

enum { FAMILIES_MAX = 32, MODELS_MAX = 64, LABEL_MAX = 96 };

static const double UNSTABLE = 1.0 + 1e-8, SMALLEST = 1e-7;

typedef struct variant {
    char label[LABEL_MAX];
    char group[LABEL_MAX]; /* variants of one order and kind of derivatives stand together */
    int family, at;        /* row within the family, counted with the gaps between groups */
} variant;

/* What one model says of all its variants. */
typedef struct tally {
    int rows, incompatible, predicted, observed, broken, agree, disagree, apart;
} tally;

typedef struct overview {
    ms_drawing *drawing;
    ms_sweep sweep;
    ms_data *errors, *failures, *misfits, *predictions, *observations;
    ms_table *notes;
    variant *variants;
    int n_variants;
    size_t capacity;
    const char *family[FAMILIES_MAX];
    int height[FAMILIES_MAX], n_families; /* height: rows of a family, gaps included */
    tally tally[MODELS_MAX];
    int broken_stable; /* linear runs that broke off although rho <= 1 */
} overview;

/* Variants ----------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *scheme, const char *key)
{
    const char *text = json_string_value(json_object_get(scheme, key));
    return text != NULL ? text : "";
}

/* "past" for order 1 and 2 from past values; and what else tells variants of a family apart. */
static void label_variant(const json_t *scheme, variant *m)
{
    const json_int_t order = json_integer_value(json_object_get(scheme, "extrapolation_order"));
    const bool analytic = strcmp(text_of(scheme, "derivatives"), "analytic") == 0;
    if (json_object_get(scheme, "extrapolation_order") != NULL)
        snprintf(m->group, sizeof m->group, "%d%s", (int)order,
                 order == 0 ? ""
                 : analytic ? " deriv."
                            : " past");
    size_t length = (size_t)snprintf(m->label, sizeof m->label, "%s", m->group);
    for (int k = 2; k < MS_VARIANT_OPTIONS; k++) { /* behind order and derivatives */
        const char *value =
            json_string_value(ms_options_value(scheme, ms_option_table[ms_variant_options[k]].name));
        if (value != NULL && value[0] != '\0' && strcmp(value, "none") != 0 && length + 1 < sizeof m->label)
            length += (size_t)snprintf(m->label + length, sizeof m->label - length, "%s%s",
                                       length > 0 ? " " : "", value);
    }
}

static int family_of(overview *all, const char *name)
{
    for (int k = 0; k < all->n_families; k++)
        if (strcmp(all->family[k], name) == 0)
            return k;
    all->family[all->n_families] = ms_scheme_find(name)->name;
    return all->n_families++;
}

/* The variant of a row, new where no row before had it; NULL: no memory. */
static const variant *member_of(overview *all, const json_t *scheme)
{
    variant m = {.family = family_of(all, text_of(scheme, "scheme"))};
    label_variant(scheme, &m);
    const variant *last = NULL;
    for (int k = 0; k < all->n_variants; k++) {
        if (all->variants[k].family != m.family)
            continue;
        last = &all->variants[k];
        if (strcmp(last->label, m.label) == 0)
            return last;
    }
    const bool gap = last != NULL && strcmp(last->group, m.group) != 0;
    m.at = all->height[m.family] + gap;
    all->height[m.family] = m.at + 1;
    if (!ms_grow(&all->variants, &all->capacity, (size_t)all->n_variants + 1, sizeof m))
        return NULL;
    all->variants[all->n_variants] = m;
    return &all->variants[all->n_variants++];
}

/* Rows --------------------------------------------------------------------------------------------------- */

static int model_of(const overview *all, const char *name)
{
    for (int k = 0; k < all->sweep.n_models; k++)
        if (strcmp(all->sweep.models[k]->name, name) == 0)
            return k;
    return 0;
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Notes of rows whose growth disagrees, or whose dominant eigenvalues are no single ones. */
static void take_note(overview *all, const json_t *row, const variant *m, tally *t)
{
    const char *note = json_string_value(json_object_get(row, "note"));
    const bool disagrees = json_is_false(json_object_get(row, "agree"));
    const bool apart = strstr(note, "dominant") != NULL;
    t->agree += json_is_true(json_object_get(row, "agree"));
    t->disagree += disagrees;
    t->apart += apart;
    if (disagrees || apart)
        ms_table_add(all->notes, "OssOOs", json_object_get(row, "model"), all->family[m->family], m->label,
                     json_object_get(row, "growth_predicted"), json_object_get(row, "growth_observed"), note);
}

static int take_row(void *self, long k, json_t *row, ms_error *error)
{
    overview *all = self;
    (void)k;
    const variant *m = member_of(all, json_object_get(row, "scheme"));
    const int model = model_of(all, json_string_value(json_object_get(row, "model")));
    const char *reason = json_string_value(json_object_get(row, "reason"));
    MS_TRY_MEMORY_FOR(m != NULL, error, "the members");
    tally *t = &all->tally[model];
    const double predicted = number_of(row, "growth_predicted"), observed = number_of(row, "growth_observed"),
                 size = number_of(json_object_get(row, "errors"), "l2_normalized_mean");
    const bool fits = strcmp(reason, "incompatible") != 0, broken = fits && strcmp(reason, "end-time") != 0;
    const bool by_prediction = predicted > UNSTABLE, by_growth = observed > UNSTABLE;
    const double cell[] = {m->family, model, m->at, fmax(size, SMALLEST), predicted, observed};
    t->rows++;
    t->incompatible += !fits;
    t->predicted += by_prediction;
    t->observed += by_growth || broken;
    t->broken += broken;
    /* rho of an iterated scheme is that of the converged one: where the iteration fails it says nothing, nor where a step control
     * has taken all the work that a row may take */
    all->broken_stable += broken && strcmp(reason, "iteration-failed") != 0 &&
                          strcmp(reason, "work-limit") != 0 && predicted <= UNSTABLE;
    ms_data_row(!fits ? all->misfits : broken ? all->failures : all->errors, cell);
    if (by_prediction)
        ms_data_row(all->predictions, cell);
    if (by_growth || broken)
        ms_data_row(all->observations, cell);
    take_note(all, row, m, t);
    return MS_OK;
}

static int run_sweep(overview *all, ms_error *error)
{
    char *words[] = {"sweep", "--cases", "first", NULL};
    ms_arguments arguments;
    ms_progress progress;
    long rows = 0;
    int status = ms_arguments_read(3, words, &arguments, error);
    MS_THEN(status, ms_sweep_create(&arguments, &all->sweep, error));
    if (status == MS_OK && all->sweep.n_models > MODELS_MAX)
        status = ms_fail(error, MS_INVALID, "%d models are too many for one figure", all->sweep.n_models);
    for (int k = 0; status == MS_OK && ms_schemes[k] != NULL; k++)
        if (k == FAMILIES_MAX)
            status = ms_fail(error, MS_INVALID, "there are more families than %d", k);
    all->sweep.own_step_only = true;
    MS_THEN(status, ms_sweep_count(&all->sweep, &rows, error));
    if (status == MS_OK) {
        const ms_sweep_options request = {
            .rows = rows, .threads = omp_get_max_threads(), .self = all, .deliver = take_row};
        const ms_row_plan plan = {.stop = ms_drawing_stop(all->drawing), .progress = &progress};
        ms_drawing_note_command(all->drawing, arguments.line);
        ms_progress_begin(&progress, "sweep of all models", 1);
        status = ms_sweep_run(&all->sweep, &request, &plan, error);
        ms_progress_end(&progress);
    }
    ms_arguments_destroy(&arguments);
    return status;
}

/* Picture ------------------------------------------------------------------------------------------------ */

/* Points of the picture: a cell, what stands left of it and above it, and around all panels. Names of models are above the
 * first panel of a column, and again where they are out of sight. */
enum {
    CELL_WIDTH = 15,
    CELL_HEIGHT = 13,
    LABELS = 190,
    NAMES = 150,
    HEADING = 16,
    TOP = 40,
    RIGHT = 90,
    GAP = 24
};
enum { COLUMNS = 3, ROWS_IN_SIGHT = 24 };

typedef struct place {
    int left, top; /* of the first cell */
    bool named;
} place;

typedef struct layout {
    place of[FAMILIES_MAX];
    int columns, width, height;
} layout;

/* Panels one below the other, in columns of at most that height where that is possible. */
static layout fill_columns(const overview *all, int limit)
{
    layout l = {.columns = 1};
    const int step = LABELS + all->sweep.n_models * CELL_WIDTH + GAP;
    for (int k = 0, at = TOP, unnamed = ROWS_IN_SIGHT; k < all->n_families; k++) {
        const int cells = all->height[k] * CELL_HEIGHT;
        if (at > TOP && at + NAMES + cells > limit) {
            l.columns++;
            at = TOP;
            unnamed = ROWS_IN_SIGHT;
        }
        const bool named = unnamed >= ROWS_IN_SIGHT;
        unnamed = (named ? 0 : unnamed) + all->height[k];
        l.of[k] = (place){(l.columns - 1) * step + LABELS, at + (named ? NAMES : HEADING), named};
        at = l.of[k].top + cells + GAP;
        l.height = at > l.height ? at : l.height;
    }
    l.width = l.columns * step + RIGHT;
    return l;
}

/* The lowest picture with this number of columns. */
static layout lay_out(const overview *all)
{
    int limit = TOP + NAMES;
    layout l = fill_columns(all, limit);
    while (l.columns > COLUMNS) {
        limit += CELL_HEIGHT;
        l = fill_columns(all, limit);
    }
    return l;
}

/* The label with short words, so that it fits beside its row. */
static void write_label(ms_drawing *drawing, const char *label)
{
    static const char *const words[][2] = {{"inconsistent", "incons."},
                                           {"consistent", "cons."},
                                           {"corrected", "corr."},
                                           {"extrapolation", "extr."},
                                           {"asynchronous", "async."},
                                           {"synchronous", "sync."},
                                           {"damped-amplitude", "damped"},
                                           {"amplitude", "ampl."},
                                           {"magnitude", "magn."},
                                           {"pointwise", "point"},
                                           {"jacobi", "J"},
                                           {"gauss-seidel", "GS"}};
    char rest[LABEL_MAX], *save = rest;
    snprintf(rest, sizeof rest, "%s", label);
    for (char *word = strtok_r(rest, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        const char *shown = word;
        for (int k = 0; k < MS_COUNT(words); k++)
            if (strcmp(word, words[k][0]) == 0)
                shown = words[k][1];
        ms_drawing_script(drawing, "%s%s", word == rest ? "" : " ", shown);
    }
}

static void script_tics(const overview *all, int family)
{
    ms_drawing *drawing = all->drawing;
    int n = 0;
    ms_drawing_script(drawing, "set ytics (");
    for (int k = 0; k < all->n_variants; k++)
        if (all->variants[k].family == family) {
            ms_drawing_script(drawing, "%s'", n++ > 0 ? ", " : "");
            write_label(drawing, all->variants[k].label);
            ms_drawing_script(drawing, "' %d", all->variants[k].at);
        }
    ms_drawing_script(drawing, ")\nset yrange [%d.5:-0.5]\n", all->height[family] - 1);
}

/* What all panels have: the scale of colours, the names of the models, the key in words. */
static void script_begin(const overview *all, const layout *l)
{
    ms_drawing *drawing = all->drawing;
    const int models = all->sweep.n_models;
    ms_drawing_picture(
        drawing, l->width, l->height,
        "set multiplot\nunset key\nset border 0\nset grid noxtics noytics\nset tics scale 0 font ',9'\n"
        "set xrange [-0.5:%d.5]\nset logscale cb\nset cbrange [%g:1]\nset format cb powers\n"
        "set palette defined (0 '#0b3c5d', 0.25 '#3a86a8', 0.5 '#a9d6c9', 0.72 '#fbe7a1', 0.88 '#f29e4c', 1 "
        "'#b3243a')\n"
        "set cblabel 'relative error (mean over states, L_2)'\n"
        "set style fill solid 1.0 noborder\nset label 2 '× predicted: {/:Italic ρ} > 1      ○ observed "
        "growth > 1, or diverged      black: diverged      grey: does not fit' at screen %.6f,%.6f left\n",
        models - 1, SMALLEST, (double)GAP / l->width, 1.0 - 18.0 / l->height);
    ms_drawing_script(
        drawing,
        "unset xtics\nset x2range [-0.5:%d.5]\nof(k, what) = column('family') == k ? column(what) : NaN\n",
        models - 1);
}

static void script_names(const overview *all, bool named)
{
    if (!named) {
        ms_drawing_script(all->drawing, "unset x2tics\n");
        return;
    }
    ms_drawing_script(all->drawing, "set x2tics rotate by 60 left font ',9' (");
    for (int k = 0; k < all->sweep.n_models; k++)
        ms_drawing_script(all->drawing, "%s'%s' %d", k > 0 ? ", " : "", all->sweep.models[k]->name, k);
    ms_drawing_script(all->drawing, ")\n");
}

static void script_cells(ms_drawing *drawing, int family)
{
    ms_drawing_script(
        drawing,
        "plot part('incompatible') using (of(%d,'model')):'row':(0.46):(0.44) with boxxyerror lc rgb "
        "'#ececec', \\\n"
        "    part('broken') using (of(%d,'model')):'row':(0.46):(0.44) with boxxyerror lc rgb '#3d3d3d', \\\n"
        "    part('error') using (of(%d,'model')):'row':(0.46):(0.44):'error' with boxxyerror lc palette, "
        "\\\n"
        "    for [c in '#202020 #ffffff'] part('observed') using (of(%d,'model')):'row' with points pt 6 ps "
        "0.8 lw (c eq '#ffffff' ? 1 : 2.2) lc rgb c, \\\n"
        "    for [c in '#202020 #ffffff'] part('predicted') using (of(%d,'model')):'row' with points pt 2 ps "
        "0.45 lw (c eq '#ffffff' ? 1 : 2.2) lc rgb c\n",
        family, family, family, family, family);
}

/* One panel a family, all with the same scale of colours, which stands right of the last column. */
static void write_script(const overview *all)
{
    ms_drawing *drawing = all->drawing;
    const layout l = lay_out(all);
    const double right = 1.0 - (double)RIGHT / l.width;
    script_begin(all, &l);
    for (int k = 0; k < all->n_families; k++) {
        const place *p = &l.of[k];
        const double left = (double)p->left / l.width, top = 1.0 - (double)p->top / l.height;
        const int bottom = p->top + all->height[k] * CELL_HEIGHT;
        script_tics(all, k);
        script_names(all, p->named);
        ms_drawing_panel(drawing, left, (double)(p->left + all->sweep.n_models * CELL_WIDTH) / l.width, top,
                         1.0 - (double)bottom / l.height, "");
        ms_drawing_script(
            drawing, "set label 1 '%s' at screen %.6f,%.6f left font ',14'\n%s\n", all->family[k],
            (double)(p->left - LABELS + GAP) / l.width, top + 7.0 / l.height,
            k == 0
                ? ms_drawing_text(drawing, "set colorbox user origin screen %.6f,%.6f size screen %.6f,%.6f",
                                  right + 0.1 * RIGHT / l.width, 1.0 - 500.0 / l.height, 16.0 / l.width,
                                  300.0 / l.height)
                : "unset colorbox\nunset label 2");
        script_cells(drawing, k);
    }
}

/* Verdicts ----------------------------------------------------------------------------------------------- */

static void write_checks(const overview *all)
{
    ms_drawing *drawing = all->drawing;
    ms_table *table =
        ms_drawing_table(drawing, "models", "Members by model",
                         "model|members|do not fit|unstable as predicted|unstable as observed|diverged or "
                         "broken off|growth as predicted|otherwise|classed apart");
    int agree = 0, disagree = 0, apart = 0;
    for (int k = 0; k < all->sweep.n_models; k++) {
        const tally *t = &all->tally[k];
        ms_table_add(table, "siiiiiiii", all->sweep.models[k]->name, t->rows, t->incompatible, t->predicted,
                     t->observed, t->broken, t->agree, t->disagree, t->apart);
        agree += t->agree;
        disagree += t->disagree;
        apart += t->apart;
    }
    ms_drawing_check_claim(
        drawing, "members of linear models whose observed growth per macro-step is not rho(Psi)", "none",
        json_integer(disagree), ms_judge_is(drawing, disagree, 0),
        "%d agree within 1e-4; %d have clustered or defective dominant eigenvalues and are listed", agree,
        apart);
    ms_drawing_check_claim(drawing, "runs of linear models that diverge although rho(Psi) <= 1", "none",
                           json_integer(all->broken_stable), ms_judge_is(drawing, all->broken_stable, 0),
                           "a run may also diverge slowly and reach its end with rho > 1");
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    static const char columns[] = "family,model,row,error,growth_predicted,growth_observed";
    overview all = {.drawing = drawing,
                    .errors = ms_drawing_data(drawing, "error", columns),
                    .failures = ms_drawing_data(drawing, "broken", columns),
                    .misfits = ms_drawing_data(drawing, "incompatible", columns),
                    .predictions = ms_drawing_data(drawing, "predicted", columns),
                    .observations = ms_drawing_data(drawing, "observed", columns)};
    ms_data *const data[] = {all.errors, all.failures, all.misfits, all.predictions, all.observations};
    for (int k = 0; k < MS_COUNT(data); k++)
        if (data[k] != NULL)
            ms_data_keep_all(data[k]);
    all.notes = ms_drawing_table(drawing, "notes", "Growth that disagrees, or is classed apart",
                                 "model|scheme|member|predicted|observed|note");
    const int status = run_sweep(&all, error);
    if (status == MS_OK) {
        write_script(&all);
        write_checks(&all);
        ms_drawing_remark(
            drawing,
            "A row is a member: extrapolation order, from past values or from output derivatives, how "
            "outputs are taken, smoothing. Colour is the error (errors below %g in the darkest blue); black "
            "cells diverged or broke off, light grey ones do not fit. A cross marks rho(Psi(H)) > 1, a "
            "circle growth of the memory that was observed, or a run that diverged. Undamped models have rho "
            "slightly above 1 with most explicit members and stay accurate over a short run.",
            SMALLEST);
    }
    ms_sweep_destroy(&all.sweep);
    free(all.variants);
    return status;
}

const ms_figure ms_figure_macrostep_sweep = {
    "macrostep:sweep", "All models across all coupling schemes: errors, predicted and observed stability",
    "study of this project", .draw = draw};
