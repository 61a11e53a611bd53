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

enum { FAMILIES_MAX = 32, LINES_MAX = 96, MODELS_MAX = 64, LABEL_MAX = 96 };

static const double UNSTABLE = 1.0 + 1e-8, SMALLEST = 1e-7;

typedef struct variant {
    char label[LABEL_MAX];
    char group[LABEL_MAX]; /* variants of one order and kind of derivatives are a line of the picture */
    int family, line;
} variant;

/* What a model says of the variants of a line. */
typedef struct cell {
    int fits, broken;
    double error; /* the least of those that came to their end */
    bool predicted, observed;
} cell;

/* What one model says of all its variants. */
typedef struct tally {
    int rows, incompatible, predicted, observed, broken, agree, disagree, apart;
} tally;

typedef struct overview {
    ms_drawing *drawing;
    ms_sweep sweep;
    ms_data *members, *errors, *failures, *misfits, *predictions, *observations;
    ms_table *notes;
    variant *variants;
    int n_variants;
    size_t capacity;
    const char *family[FAMILIES_MAX];
    int n_families, n_lines;
    char line[LINES_MAX][LABEL_MAX];
    cell cells[LINES_MAX][MODELS_MAX];
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
                 : analytic ? ", derivatives"
                            : ", past values");
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

/* "jacobi, order 1, past values": the line of the picture with that text, a new one below the others where there is none. */
static int line_of(overview *all, const variant *m)
{
    char text[LABEL_MAX];
    snprintf(text, sizeof text, "%.40s%s%.40s", all->family[m->family], m->group[0] != '\0' ? ", order " : "",
             m->group);
    for (int k = 0; k < all->n_lines; k++)
        if (strcmp(all->line[k], text) == 0)
            return k;
    const int line = all->n_lines < LINES_MAX ? all->n_lines++ : LINES_MAX - 1;
    snprintf(all->line[line], LABEL_MAX, "%s", text);
    for (int k = 0; k < MODELS_MAX; k++)
        all->cells[line][k].error = INFINITY;
    return line;
}

/* The variant of a row, new where no row before had it; NULL: no memory. */
static const variant *member_of(overview *all, const json_t *scheme)
{
    variant m = {.family = family_of(all, text_of(scheme, "scheme"))};
    label_variant(scheme, &m);
    for (int k = 0; k < all->n_variants; k++)
        if (all->variants[k].family == m.family && strcmp(all->variants[k].label, m.label) == 0)
            return &all->variants[k];
    m.line = line_of(all, &m);
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
    const double member[] = {m->line, (double)(m - all->variants), model, size, predicted, observed, broken};
    cell *c = &all->cells[m->line][model];
    c->fits += fits;
    c->broken += broken;
    c->error = fits && !broken ? fmin(c->error, size) : c->error;
    c->predicted = c->predicted || by_prediction;
    c->observed = c->observed || by_growth || broken;
    t->rows++;
    t->incompatible += !fits;
    t->predicted += by_prediction;
    t->observed += by_growth || broken;
    t->broken += broken;
    /* rho of an iterated scheme is that of the converged one: where the iteration fails it says nothing, nor where a step control
     * has taken all the work that a row may take */
    all->broken_stable += broken && strcmp(reason, "iteration-failed") != 0 &&
                          strcmp(reason, "work-limit") != 0 && predicted <= UNSTABLE;
    if (fits)
        ms_data_row(all->members, member);
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

/* The parts of the picture from the cells. */
static void write_cells(const overview *all)
{
    for (int line = 0; line < all->n_lines; line++)
        for (int model = 0; model < all->sweep.n_models; model++) {
            const cell *c = &all->cells[line][model];
            const double at[] = {line, model, fmax(c->error, SMALLEST)};
            ms_data_row(c->fits == 0 ? all->misfits : c->fits == c->broken ? all->failures : all->errors, at);
            if (c->predicted)
                ms_data_row(all->predictions, at);
            if (c->observed)
                ms_data_row(all->observations, at);
        }
}

/* Points of the picture: a cell, and what stands around all of them. */
enum { CELL = 16, LABELS = 244, NAMES = 218, BELOW = 78, RIGHT = 22 };

static void script_names(const overview *all)
{
    ms_drawing *drawing = all->drawing;
    ms_drawing_script(drawing, "set ytics (");
    for (int k = 0; k < all->n_lines; k++)
        ms_drawing_script(drawing, "%s'%s' %d", k > 0 ? ", " : "", all->line[k], k);
    ms_drawing_script(drawing, ")\nset x2tics rotate by 90 left (");
    for (int k = 0; k < all->sweep.n_models; k++)
        ms_drawing_script(drawing, "%s'%s' %d", k > 0 ? ", " : "", all->sweep.models[k]->name, k);
    ms_drawing_script(drawing, ")\n");
}

/* One table of cells; the scale of colours and what signs mean stand below it. */
static void write_script(const overview *all)
{
    ms_drawing *drawing = all->drawing;
    const int models = all->sweep.n_models, lines = all->n_lines, width = LABELS + models * CELL + RIGHT,
              height = NAMES + lines * CELL + BELOW;
    ms_drawing_picture(
        drawing, width, height,
        "unset key\nset border 0\nset grid noxtics noytics\nset tics scale 0\nunset xtics\nset logscale cb\n"
        "set cbrange [%g:1]\nset format cb powers\nset x2range [-0.5:%d.5]\nset xrange [-0.5:%d.5]\n"
        "set yrange [%d.5:-0.5]\nset style fill solid 1.0 noborder\n"
        "set palette defined (0 '#0b3c5d', 0.25 '#3a86a8', 0.5 '#a9d6c9', 0.72 '#fbe7a1', 0.88 '#f29e4c', 1 "
        "'#b3243a')\n"
        "set colorbox horizontal user origin screen %.6f,%.6f size screen %.6f,%.6f\n"
        "set label 1 'least relative error of a cell' at screen %.6f,%.6f left\n"
        "set label 2 '× {/:Italic ρ} > 1, ○ growth seen (of a variant at least); black: all diverged; "
        "grey: none fits; white: error unknown' at screen %.6f,%.6f left\n",
        SMALLEST, models - 1, models - 1, lines - 1, (double)LABELS / width, 40.0 / height,
        (double)(models * CELL) / width, 8.0 / height, 8.0 / width, 42.0 / height, 8.0 / width,
        66.0 / height);
    script_names(all);
    ms_drawing_panel(drawing, (double)LABELS / width, 1.0 - (double)RIGHT / width,
                     1.0 - (double)NAMES / height, (double)BELOW / height, "");
    ms_drawing_script(
        drawing,
        "plot part('incompatible') using 'model':'line':(0.46):(0.44) with boxxyerror lc rgb '#ececec', \\\n"
        "    part('broken') using 'model':'line':(0.46):(0.44) with boxxyerror lc rgb '#3d3d3d', \\\n"
        "    part('error') using 'model':'line':(0.46):(0.44):'error' with boxxyerror lc palette, \\\n"
        "    for [c in '#202020 #ffffff'] part('observed') using 'model':'line' with points pt 6 ps 0.6 lw "
        "(c eq '#ffffff' ? 0.7 : 1.6) lc rgb c, \\\n"
        "    for [c in '#202020 #ffffff'] part('predicted') using 'model':'line' with points pt 2 ps 0.35 lw "
        "(c eq '#ffffff' ? 0.7 : 1.6) lc rgb c\n");
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
    static const char columns[] = "line,model,error";
    overview *all = calloc(1, sizeof *all);
    if (all == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    all->drawing = drawing;
    all->members = ms_drawing_data(drawing, "members",
                                   "line,member,model,error,growth_predicted,growth_observed,broken");
    all->errors = ms_drawing_data(drawing, "error", columns);
    all->failures = ms_drawing_data(drawing, "broken", columns);
    all->misfits = ms_drawing_data(drawing, "incompatible", columns);
    all->predictions = ms_drawing_data(drawing, "predicted", columns);
    all->observations = ms_drawing_data(drawing, "observed", columns);
    ms_data *const data[] = {all->members, all->errors,      all->failures,
                             all->misfits, all->predictions, all->observations};
    for (int k = 0; k < MS_COUNT(data); k++)
        if (data[k] != NULL)
            ms_data_keep_all(data[k]);
    all->notes = ms_drawing_table(drawing, "notes", "Growth that disagrees, or is classed apart",
                                  "model|scheme|member|predicted|observed|note");
    const int status = run_sweep(all, error);
    if (status == MS_OK) {
        write_cells(all);
        write_script(all);
        write_checks(all);
        ms_drawing_remark(
            drawing,
            "A line is a scheme with its extrapolation order, from past values or from output derivatives; its "
            "variants differ in how outputs are taken, smoothing, accelerators and the like. "
            "Colour is the least error of those that came to their end (below %g in the darkest blue); black "
            "cells diverged or broke off with each, light grey ones fit none, and of white ones no error is known. A cross marks rho(Psi(H)) > 1 of "
            "one at least, a circle growth of the memory that was observed, or a run that diverged. The data "
            "has all members. Undamped models have rho slightly above 1 with most explicit members and stay "
            "accurate over a short run.",
            SMALLEST);
    }
    ms_sweep_destroy(&all->sweep);
    MS_FREE(all->variants, all);
    return status;
}

const ms_figure ms_figure_macrostep_sweep = {
    "macrostep:sweep", "All models across all coupling schemes: errors, predicted and observed stability",
    "study of this project", .draw = draw};
