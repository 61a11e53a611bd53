/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/convergence_order.h>
#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/options_set.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/stability.h>
#include "macrostep_field.h"
#include "scheme_variants.h"

static const double FLOOR = 50.0; /* times the reference's own error, or round-off */

#define EPSILON "1e-6" /* of families that iterate */

typedef struct search {
    ms_drawing *drawing;
    ms_study study; /* of the bench without a scheme */
    ms_scheme_variants variants;
    const ms_field_bench *bench;
    ms_field_panel *panel;
} search;

/* The best member ---------------------------------------------------------------------------------------- */

static double probe_step(const ms_field_bench *bench, int k)
{
    return bench->largest / pow(MS_FIELD_FACTOR, 1 + k);
}

static ms_work_point point_of(double setting, const ms_simulation *run)
{
    if (!run->errors_valid)
        return (ms_work_point){setting, NAN, NAN, NAN};
    return (ms_work_point){setting, (double)run->result.macro_steps, (double)run->result.integrations,
                           run->errors.l2_normalized_mean};
}

/* Work and error of one run; NaN where it does not reach its end, or the model does not fit. */
static int run_member(search *s, const ms_options *options, ms_field_entry *entry, ms_work_point *point,
                      ms_error *error)
{
    ms_simulation simulation;
    ms_error why = {0};
    *point = (ms_work_point){options->step_size, NAN, NAN, NAN};
    const int status =
        ms_study_repeat(s->drawing, &s->study, options, &ms_simulation_errors, &simulation, &why);
    if (status == MS_NO_MEMORY || status == MS_INTERRUPTED)
        return ms_fail(error, status, "%s", why.text);
    if (status != MS_OK) {
        if (!entry->ran && entry->refusal.text[0] == '\0')
            entry->refusal = why;
        return MS_OK;
    }
    entry->ran = true;
    *point = point_of(options->step_size, &simulation);
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

/* Integrations to the goal on the line through two points; if errors do not fall, only reached errors count. */
static double promise(const ms_work_point p[MS_FIELD_PROBES])
{
    const double slope = log(p[1].error / p[0].error) / log(p[1].evaluations / p[0].evaluations);
    if (slope < 0.0)
        return p[1].evaluations * pow(MS_FIELD_GOAL / p[1].error, 1.0 / slope);
    return p[1].error <= MS_FIELD_GOAL ? p[1].evaluations : INFINITY;
}

static void write_words(const ms_grid *grid, const ms_scheme *scheme, char words[MS_FIELD_WORDS])
{
    int length = snprintf(words, MS_FIELD_WORDS, "--scheme %s%s", scheme->name,
                          ms_scheme_knows(scheme, MS_OPTION_EPSILON) ? " --epsilon " EPSILON : "");
    for (int k = 0; k < grid->n && length < MS_FIELD_WORDS; k++)
        length += snprintf(words + length, (size_t)(MS_FIELD_WORDS - length), " --%s %s", grid->axis[k]->name,
                           ms_axis_value(grid->axis[k], grid->at[k]));
}

static int try_member(search *s, const ms_grid *grid, const ms_options *member, ms_field_entry *entry,
                      ms_error *error)
{
    ms_work_point point[MS_FIELD_PROBES] = {{0}};
    int status = MS_OK;
    for (int k = 0; k < MS_FIELD_PROBES && status == MS_OK; k++) {
        ms_options options = *member;
        options.step_size = probe_step(s->bench, k);
        status = run_member(s, &options, entry, &point[k], error);
    }
    s->panel->members++;
    const double seen = fmin(point[0].error, point[1].error);
    if (status != MS_OK || !isfinite(seen))
        return status;
    const bool both = isfinite(point[0].error) && isfinite(point[1].error);
    const double promised = both ? promise(point) : INFINITY;
    if (!entry->fits || promised < entry->promised || (promised == entry->promised && seen < entry->seen)) {
        entry->fits = true;
        entry->promised = promised;
        entry->seen = seen;
        write_words(grid, entry->scheme, entry->words);
    }
    return MS_OK;
}

static int search_family(search *s, ms_field_entry *entry, ms_error *error)
{
    ms_arguments *arguments = s->study.arguments;
    ms_grid grid;
    int status = ms_scheme_variants_grid(&s->variants, arguments, entry->scheme->name, &grid, error);
    for (bool more = true; more && status == MS_OK; more = ms_grid_advance(&grid)) {
        ms_options options = arguments->options;
        status = ms_options_set(&options, "scheme", entry->scheme->name, error);
        if (status == MS_OK && ms_scheme_knows(entry->scheme, MS_OPTION_EPSILON))
            status = ms_options_set(&options, "epsilon", EPSILON, error);
        for (int k = 0; k < grid.n && status == MS_OK; k++)
            status = ms_arguments_apply(arguments, grid.axis[k], grid.at[k], &options, error);
        if (status == MS_OK && !ms_scheme_variants_skip(arguments, &options))
            status = try_member(s, &grid, &options, entry, error);
    }
    return status;
}

/* Its curve ---------------------------------------------------------------------------------------------- */

/* Iterations end at a relative residual: a smaller error tells of it, and not of the step size. */
static double iteration_floor(const ms_scheme *scheme)
{
    return ms_scheme_knows(scheme, MS_OPTION_EPSILON) ? atof(EPSILON) : 0.0;
}

static int run_point(search *s, ms_field_entry *entry, int k, ms_convergence_row *row, ms_error *error)
{
    ms_study study;
    ms_work_point *point = &entry->curve.point[k];
    const double h = s->bench->largest / pow(MS_FIELD_FACTOR, k);
    char words[512]; /* a run that fails is a point without an error */
    snprintf(words, sizeof words, "run %s %s --step-size %.6g", s->bench->model, entry->words, h);
    const int status = ms_study_run_shown(s->drawing, &ms_simulation_errors, &study, error, NULL, words);
    const ms_simulation *run = &study.simulation;
    *point = point_of(h, run);
    entry->drift[k] = run->errors_valid && run->energy.known ? run->energy.drift : NAN;
    const double own = run->errors.reference_error / fmax(run->errors.reference_scale, DBL_MIN);
    *row =
        (ms_convergence_row){.step_size = h,
                             .error = point->error,
                             .floor = fmax(iteration_floor(entry->scheme), FLOOR * fmax(own, DBL_EPSILON))};
    ms_study_destroy(&study);
    return status;
}

/* The end of the stable interval that begins at 0, up to three times the largest step size. */
static int find_limit(search *s, const ms_study *study, ms_field_entry *entry, ms_error *error)
{
    ms_error why;
    const ms_options *options = &study->arguments->options;
    entry->stable = NAN;
    entry->has_matrix = ms_propagation_exists(study->system, options, &why) == MS_OK;
    if (!entry->has_matrix)
        return MS_OK;
    ms_drawing_note_command(s->drawing,
                            ms_drawing_text(s->drawing, "macrostep stability %s %s --critical --max-step %g",
                                            s->bench->model, entry->words, 3.0 * s->bench->largest));
    ms_stability stability = {.model = study->system->model,
                              .case_name = study->system->case_name,
                              .settings = study->arguments->settings,
                              .n_settings = study->arguments->n_settings,
                              .options = options,
                              .axis = {MS_AXIS_STEP_SIZE, MS_AXIS_NONE},
                              .stop = ms_drawing_stop(s->drawing)};
    const ms_field field = ms_stability_field(&stability);
    ms_critical critical = {0};
    const int status = ms_region_critical(&field, 3.0 * s->bench->largest, NULL, &critical, error);
    entry->stable = critical.first;
    ms_critical_destroy(&critical);
    return status;
}

/* Is the member refused, or does it become less, where no subsystem has the capability? */
static bool needs(const ms_study *study, const char *capability)
{
    ms_options options = study->arguments->options;
    ms_cosim *cosim = NULL;
    ms_error why;
    ms_options_resolve_times(&options, study->system->step_size, study->system->stop_time);
    if (ms_options_set(&options, "mask", capability, &why) != MS_OK)
        return false;
    const bool refused = ms_cosim_of_options(study->system, &options, &cosim, &why) != MS_OK;
    const bool less = !refused && cosim->n_degraded > 0;
    ms_cosim_destroy(&cosim);
    return refused || less;
}

static void list_needs(const ms_study *study, char text[MS_FIELD_NEEDS])
{
    static const struct {
        const char *mask, *name;
    } capabilities[] = {{"*:rollback", "rollback"},
                        {"*:directional-derivatives", "directional derivatives"},
                        {"*:reevaluate-outputs", "outputs again"},
                        {"*:output-derivatives=0", "output derivatives"}};
    int length = 0;
    text[0] = '\0';
    for (int degree = 3; degree >= 0; degree--) { /* the least degree that suffices */
        char mask[32];
        snprintf(mask, sizeof mask, "*:input-degree=%d", degree);
        if (needs(study, mask)) {
            length = snprintf(text, MS_FIELD_NEEDS, "inputs of degree %d", degree + 1);
            break;
        }
    }
    for (int k = 0; k < MS_COUNT(capabilities); k++)
        if (needs(study, capabilities[k].mask) && length < MS_FIELD_NEEDS)
            length += snprintf(text + length, (size_t)(MS_FIELD_NEEDS - length), "%s%s",
                               length > 0 ? ", " : "", capabilities[k].name);
    if (length == 0)
        snprintf(text, MS_FIELD_NEEDS, "nothing");
}

static int measure_entry(search *s, ms_field_entry *entry, ms_error *error)
{
    ms_convergence_row row[MS_SETTINGS];
    ms_study study;
    for (int k = 0; k < MS_SETTINGS; k++)
        MS_TRY(run_point(s, entry, k, &row[k], error));
    entry->order = ms_convergence_fit(MS_SETTINGS, row).order;
    int status = ms_study_bind(s->drawing, &study, error, "run %s %s", s->bench->model, entry->words);
    if (status == MS_OK) {
        const int claimed = ms_scheme_order_on(study.system, &study.arguments->options);
        entry->claimed = claimed > 0 ? claimed : 0;
        list_needs(&study, entry->needs);
        status = find_limit(s, &study, entry, error);
    }
    ms_study_destroy(&study);
    return status;
}

int ms_field_measure(ms_drawing *drawing, const ms_field_bench *bench, ms_field_panel *panel, ms_error *error)
{
    search s = {.drawing = drawing, .bench = bench, .panel = panel};
    int status = ms_study_bind(drawing, &s.study, error, "compare %s --step-size %.6g", bench->model,
                               probe_step(bench, 0));
    ms_drawing_note_command(drawing, ms_drawing_text(drawing, "macrostep compare %s --step-size %.6g",
                                                     bench->model, probe_step(bench, 1)));
    MS_THEN(status, ms_scheme_variants_create(s.study.arguments, &s.variants, error));
    for (int k = 0; ms_schemes[k] != NULL && status == MS_OK; k++) {
        if (k == MS_FIELD_FAMILIES) {
            status = ms_fail(error, MS_INVALID, "there are more families than %d", k);
            break;
        }
        panel->n = k + 1;
        panel->entry[k] = (ms_field_entry){.scheme = ms_schemes[k], .order = NAN, .stable = NAN};
        status = search_family(&s, &panel->entry[k], error);
        if (status == MS_OK && panel->entry[k].fits)
            status = measure_entry(&s, &panel->entry[k], error);
    }
    ms_scheme_variants_destroy(&s.variants);
    ms_study_destroy(&s.study);
    return status;
}
