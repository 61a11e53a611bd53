/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of spectral radii: over the step size, and of the growth that the implementation shows.
 *
 *     stability-line N LEAST LARGEST MARKED stability MODEL ..     N radii from LEAST to LARGEST in equal ratios (N 0: none),
 *         the radius at MARKED (0: none), the critical step size up to LARGEST (null: there is none), and as a text the
 *         stable intervals behind the first
 *     growth LONGEST H stability MODEL ..      the growth of a random memory without inputs from outside in at most LONGEST
 *         macro-steps H, less the radius, and whether it settled to 1e-6
 *     stability-probe H RATIO stability MODEL ..     do formula and probe say the same at H and that mass ratio? */
#include <math.h>
#include <stdlib.h>

#include <macrostep/propagation.h>
#include "arguments.h"
#include "growth.h"
#include "macrostep_stability.h"

enum { LARGEST = 200, STEPS_MAX = 256 };

ms_stability ms_stability_of(const ms_study *study, const char *name)
{
    const ms_model *model = study->system->model;
    return (ms_stability){
        .model = model,
        .case_name = study->system->case_name,
        .settings = study->arguments->settings,
        .n_settings = study->arguments->n_settings,
        .options = &study->arguments->options,
        .axis = {MS_AXIS_STEP_SIZE, name != NULL ? ms_model_parameter(model, name) : MS_AXIS_NONE}};
}

void ms_fill_axis(int n, double least, double largest, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = least * pow(largest / least, (double)k / (n - 1));
}

/* "0.12 .. 0.15, .." of the intervals behind the first. */
static json_t *regained(ms_drawing *drawing, const ms_critical *c, double end)
{
    const char *text = "";
    for (int k = 0; k < c->n; k++)
        if (c->interval[k][0] > 0.0)
            text =
                ms_drawing_text(drawing, "%s%s%.4g .. %s%.4g", text, text[0] != '\0' ? ", " : "",
                                c->interval[k][0], c->interval[k][1] >= end ? ">= " : "", c->interval[k][1]);
    return json_string(text);
}

static int measure_curve(const ms_field *field, int n, const double range[2], const ms_effort *effort,
                         json_t *answer, ms_error *error)
{
    double step[STEPS_MAX], both[2 * STEPS_MAX]; /* the plane has two equal rows */
    if (n > STEPS_MAX)
        return ms_fail(error, MS_INVALID, "%d step sizes are more than %d", n, STEPS_MAX);
    ms_fill_axis(n, range[0], range[1], step);
    const ms_region_grid grid = {n, 2, step, (const double[]){0.0, 1.0}};
    const int status = ms_region_map(field, &grid, effort, both, error);
    json_object_set_new(answer, "step", ms_json_of_vector(n, step));
    json_object_set_new(answer, "rho", ms_json_of_vector(n, both));
    return status;
}

static int measure_line(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[4]; /* how many, from, to, marked */
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_critical critical = {0};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 4, number));
    if (status == MS_OK) {
        ms_stability stability = ms_stability_of(&study, NULL);
        const ms_field field = ms_stability_field(&stability);
        if (number[0] > 0.0)
            status = measure_curve(&field, (int)number[0], number + 1, &effort, answer, error);
        MS_THEN(status, ms_region_critical(&field, number[2], &effort, &critical, error));
    }
    if (status == MS_OK && number[3] > 0.0)
        json_object_set_new(
            answer, "marked",
            ms_json_real(ms_propagation_radius(study.system, &study.arguments->options, number[3], LARGEST)));
    if (status == MS_OK) {
        json_object_set_new(answer, "critical", ms_json_real(critical.first));
        json_object_set_new(answer, "regained", regained(drawing, &critical, number[2]));
    }
    ms_critical_destroy(&critical);
    ms_study_destroy(&study);
    return status;
}

static int measure_growth(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2]; /* longest, H */
    ms_growth growth;
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 2, number));
    if (status == MS_OK) {
        const ms_growth_options request = {.shortest = 256,
                                           .longest = (int)number[0],
                                           .tolerance = 1e-6,
                                           .seed = 1,
                                           .stop = ms_drawing_stop(drawing)};
        const ms_options *options = &study.arguments->options;
        study.system->homogeneous = true;
        status = ms_growth_observe(study.system, options, number[1], &request, &growth, error);
        if (status == MS_OK) {
            const double radius = ms_propagation_radius(study.system, options, number[1], LARGEST);
            json_object_set_new(answer, "off", ms_json_real(growth.factor - radius));
            json_object_set_new(answer, "settled", json_boolean(growth.settled));
        }
    }
    ms_study_destroy(&study);
    return status;
}

static int measure_probe(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double at[2];
    bool by_formula = false;
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 2, at));
    if (status == MS_OK) {
        ms_stability stability = ms_stability_of(&study, "mass_ratio");
        status = ms_stability_check(&stability, at[0], at[1], &by_formula, error);
    }
    json_object_set_new(answer, "agrees", json_boolean(status == MS_OK && by_formula));
    ms_study_destroy(&study);
    return status == MS_DISAGREE ? MS_OK : status;
}

const ms_measurement ms_measurement_stability_line = {"stability-line", measure_line};
const ms_measurement ms_measurement_growth = {"growth", measure_growth};
const ms_measurement ms_measurement_stability_probe = {"stability-probe", measure_probe};
