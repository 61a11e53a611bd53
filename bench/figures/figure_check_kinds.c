/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "figure_parts.h"
#include "study_checks.h"

static bool is_true(double value)
{
    return value != 0.0 && !isnan(value);
}

static double number_or_nan(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void give_number(ms_drawing *drawing, const ms_filled_check *check)
{
    const double tolerance = number_or_nan(check->tolerance), measured = number_or_nan(check->measured);
    ms_drawing_check_number(drawing, check->what, number_or_nan(check->published), measured, tolerance, "%s",
                            check->note);
    json_decref(check->measured);
    json_decref(check->tolerance);
}

/* Passed if between the two published values, or outside by at most the tolerance. */
static void give_range(ms_drawing *drawing, const ms_filled_check *check)
{
    const double low = number_or_nan(json_array_get(check->published, 0)),
                 high = number_or_nan(json_array_get(check->published, 1)),
                 measured = number_or_nan(check->measured),
                 tolerance = check->tolerance != NULL ? number_or_nan(check->tolerance) : 0.0;
    const bool within = measured >= low - tolerance && measured <= high + tolerance;
    ms_drawing_check(drawing, check->what, json_deep_copy(check->published), check->measured,
                     check->tolerance, ms_verdict_of(within), "%s", check->note);
}

static void give_claim(ms_drawing *drawing, const ms_filled_check *check)
{
    const ms_verdict verdict =
        is_true(check->determined) ? ms_verdict_of(is_true(check->holds)) : MS_NOT_DETERMINED;
    ms_drawing_check(drawing, check->what, json_deep_copy(check->published), check->measured,
                     check->tolerance, verdict, "%s", check->note);
}

static void give_undetermined(ms_drawing *drawing, const ms_filled_check *check)
{
    ms_drawing_check(drawing, check->what, json_deep_copy(check->published), check->measured,
                     check->tolerance, MS_NOT_DETERMINED, "%s", check->note);
}

static void give_own(ms_drawing *drawing, const ms_filled_check *check)
{
    ms_drawing_check_own(drawing, check->what, check->expected, check->measured, check->tolerance,
                         is_true(check->holds), "%s", check->note);
}

/* Judged over nine runs (drawing.h). */
static void give_ensemble(ms_drawing *drawing, const ms_filled_check *check)
{
    double value[MS_ENSEMBLE];
    for (size_t k = 0; k < MS_ENSEMBLE; k++)
        value[k] = number_or_nan(json_array_get(check->runs, k));
    ms_drawing_check_ensemble(drawing, check->what, number_or_nan(check->published), value,
                              number_or_nan(check->tolerance), "%s", check->note);
    json_decref(check->measured);
    json_decref(check->tolerance);
}

static void give_ensemble_claim(ms_drawing *drawing, const ms_filled_check *check)
{
    bool holds[MS_ENSEMBLE];
    double range[2] = {INFINITY, -INFINITY};
    for (size_t k = 0; k < MS_ENSEMBLE; k++)
        holds[k] = is_true(number_or_nan(json_array_get(check->runs, k)));
    for (size_t k = 0; k < json_array_size(check->range); k++) {
        const double value = number_or_nan(json_array_get(check->range, k));
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
    ms_drawing_check_ensemble_claim(drawing, check->what, json_string_value(check->published),
                                    check->measured, holds, check->range != NULL ? range : NULL, "%s",
                                    check->note);
    json_decref(check->tolerance);
}

const ms_figure_check_kind ms_figure_check_kinds[] = {
    {"number", {"published", "measured", "tolerance"}, .of_a_number = true, .give = give_number},
    {"range", {"published", "measured"}, .of_a_number = true, .give = give_range},
    {"claim", {"measured", "holds"}, .give = give_claim},
    {"undetermined", {"measured"}, .give = give_undetermined},
    {"own", {"expected", "measured", "holds"}, .give = give_own},
    {"ensemble", {"published", "runs", "tolerance"}, .of_nine = true, .give = give_ensemble},
    {"ensemble-claim", {"published", "measured", "runs"}, .of_nine = true, .give = give_ensemble_claim},
    {0}};

const char *const ms_figure_remarks[MS_FIGURE_REMARKS] = {"read", "chosen", "remarks"};
