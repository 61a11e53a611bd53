/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.1, Example 6.1.1: coupling stability with the inconsistent approach. Figs
 * 6.1, 6.3, 6.5, 6.6. */
#include <math.h>

#include "andersson2016_6_1.h"
#include "figure.h"
#include "study_checks.h"

/* On the boundary the limit H -> 0 says nothing on a given H: (6.14) does. step_size: of the drawn run [s]. */
static int check_boundary(ms_drawing *drawing, double step_size, ms_error *error)
{
    const double h = 0.01, radius = ms_pair_psi_radius(0.25, -4.0, h);
    ms_pair_perturbed perturbed;
    const int status =
        ms_pair_perturb(drawing, &ms_extrapolations[CONSTANT], 0.25, -4.0, h, &perturbed, error);
    if (status == MS_OK) {
        ms_drawing_check_own(
            drawing, "rho(DL) = 1, H = 0.01 s: growth per step of the run", "rho(Psi(H)) of (6.14)",
            MS_REALS({"observed", perturbed.observed}, {"(6.14)", radius}), json_real(5e-3),
            fabs(perturbed.observed - radius) <= 5e-3,
            "Not 1: to first order in H it is exp(c H) with c = (15 d1 - d2) / 4 = 1.94 / s.");
        ms_study_undetermined(
            drawing, "rho(DL) = 1: the drawn run", "stable",
            MS_REALS({"growth per step of (6.14)", ms_pair_psi_radius(0.25, -4.0, step_size)}),
            "It grows, as for every H > 0; neither the step size of the print nor its curve is known.");
    }
    ms_drawing_remark(
        drawing,
        "rho(DL) = 1 is stable in the sense of definition 6.1.1, in the limit H -> 0. For H > 0 an "
        "oscillation of the outputs grows like exp(c t), c = (15 d1 - d2) / 4 for d1 d2 = -1, which is at "
        "least 1.94 / s for every such pair whose monolithic model is stable. As it starts with amplitude "
        "O(H), it stays small within 1 s; with H = 0.01 s it would reach the size of y1.");
    return status;
}

static int draw_fig6_1(ms_drawing *drawing, ms_error *error)
{
    static const ms_pair_figure figure = {
        .by_rho = true,
        .step_size = 0.002,
        .low = -0.46,
        .high = 0.08,
        .panel = {{0.9, 1.0, 1, {CONSTANT}}, {1.0, 1.0, 1, {CONSTANT}}, {1.05, 1.0, 1, {CONSTANT}}},
        .readings = 1,
        .reading = {CONSTANT},
        .rho_max = 1.4,
        .growth_max = 1.5,
        .lowest = -3,
        .highest = 2,
    };
    ms_pair_results results = {0};
    int status = ms_pair_draw(drawing, &figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        const bool stable = results.curve[k].rho <= 1.0;
        ms_pair_check(drawing, &figure, &results.curve[k],
                      ms_drawing_text(drawing, "%s for %s", stable ? "stable" : "unstable",
                                      ms_drawing_published_text(drawing, stable ? "stable" : "unstable")),
                      stable);
    }
    return status == MS_OK ? check_boundary(drawing, figure.step_size, error) : status;
}

const ms_figure ms_figure_andersson2016_fig6_1 = {
    "andersson2016:fig6.1", "Linear pair: constant extrapolation, inconsistent, for three feed-throughs",
    "Andersson (2016), Fig. 6.1, section 6.1", .draw = draw_fig6_1};

static int draw_fig6_3(ms_drawing *drawing, ms_error *error)
{
    static const ms_pair_figure figure = {
        .step_size = 0.002,
        .low = -0.46,
        .high = 0.08,
        .panel = {{1.0, 0.2, 1, {CONSTANT}},
                  {1.0, 0.2, 1, {LINEAR}},
                  {1.0, 0.2, 2, {PARABOLA, QUADRATIC_AS_PRINTED}}},
        .readings = 4,
        .reading = {CONSTANT, LINEAR, PARABOLA, QUADRATIC_AS_PRINTED},
        .rho_max = 1.4,
        .growth_max = 4.5,
        .lowest = -1,
        .highest = 9,
    };
    ms_pair_results results = {0};
    const int status = ms_pair_draw(drawing, &figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        const bool stable = results.curve[k].extrapolation == &ms_extrapolations[CONSTANT];
        ms_pair_check(drawing, &figure, &results.curve[k],
                      ms_drawing_text(drawing, "%s with %s", stable ? "stable" : "unstable",
                                      ms_drawing_published_text(drawing, stable ? "stable" : "unstable")),
                      stable);
    }
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_3 = {
    "andersson2016:fig6.3",
    "Linear pair: constant, linear and quadratic extrapolation from past values at rho(DL) = 1",
    "Andersson (2016), Fig. 6.3, section 6.1", .draw = draw_fig6_3};

/* The condition that the text states decides on each curve, or ours where it states none (NULL); bounds for both kinds of
 * eigenvalues. */
static int draw_conditions(ms_drawing *drawing, const ms_pair_figure *figure, const char *condition,
                           ms_error *error)
{
    ms_pair_results results = {0};
    const int status = ms_pair_draw(drawing, figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        const bool stable = results.curve[k].predicted <= 1.0;
        ms_pair_check(drawing, figure, &results.curve[k],
                      condition != NULL
                          ? ms_drawing_text(drawing, "%s by %s", stable ? "stable" : "unstable", condition)
                          : NULL,
                      stable);
    }
    ms_table *table = ms_drawing_table(drawing, "bounds", "rho(DL) at which the growth passes 1",
                                       "extrapolation|d1 d2 < 0 (eigenvalues +-i rho)|d1 d2 > 0 (+-rho)");
    for (int k = 0; k < figure->readings; k++) {
        const ms_extrapolation *extrapolation = &ms_extrapolations[figure->reading[k]];
        ms_table_add(table, "srr", extrapolation->name, ms_pair_critical_rho(extrapolation, true),
                     ms_pair_critical_rho(extrapolation, false));
    }
    return status;
}

static int draw_fig6_5(ms_drawing *drawing, ms_error *error)
{
    static const ms_pair_figure figure = {
        .by_rho = true,
        .step_size = 0.01,
        .low = -1.4,
        .high = 1.5,
        .panel = {{0.2, 1.0, 1, {LINEAR}}, {0.35, 1.0, 1, {LINEAR}}, {0.45, 1.0, 1, {LINEAR}}},
        .readings = 1,
        .reading = {LINEAR},
        .rho_max = 0.7,
        .growth_max = 1.7,
        .lowest = -9,
        .highest = 4,
    };
    return draw_conditions(drawing, &figure, "(6.41), |lambda +- sqrt(lambda^2 - lambda)| <= 1", error);
}

const ms_figure ms_figure_andersson2016_fig6_5 = {
    "andersson2016:fig6.5",
    "Linear pair: linear extrapolation from past values, inconsistent, for three feed-throughs",
    "Andersson (2016), Fig. 6.5, section 6.1.1", .draw = draw_fig6_5};

static int draw_fig6_6(ms_drawing *drawing, ms_error *error)
{
    static const ms_pair_figure figure = {
        .step_size = 0.01,
        .low = -1.4,
        .high = 1.5,
        .panel = {{0.15, 1.0, 2, {PARABOLA, QUADRATIC_AS_PRINTED}},
                  {0.22, 1.0, 2, {PARABOLA, QUADRATIC_AS_PRINTED}},
                  {0.3, 1.0, 2, {PARABOLA, QUADRATIC_AS_PRINTED}}},
        .readings = 2,
        .reading = {PARABOLA, QUADRATIC_AS_PRINTED},
        .rho_max = 0.56,
        .growth_max = 2.2,
        .lowest = -9,
        .highest = 9,
    };
    const int status = draw_conditions(drawing, &figure, NULL, error);
    ms_drawing_remark(drawing,
                      "Two readings: the parabola through three past values (weights 3, -3, 1) and (6.30) as "
                      "printed (weights 5/2, -2, 1/2), which has order 2 only. The printed one is stable for "
                      "larger rho(DL); the text gives no bound that would tell which one was run.");
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_6 = {
    "andersson2016:fig6.6",
    "Linear pair: quadratic extrapolation from past values, inconsistent, for three feed-throughs",
    "Andersson (2016), Fig. 6.6, section 6.1.1", .draw = draw_fig6_6};
