/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "figure_checks.h"
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

/* Between the two that were published, or outside by no more than the tolerance. */
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

const ms_figure_check_kind ms_figure_check_kinds[] = {
    {"number", {"published", "measured", "tolerance"}, true, give_number},
    {"range", {"published", "measured"}, true, give_range},
    {"claim", {"measured", "holds"}, false, give_claim},
    {"undetermined", {"measured"}, false, give_undetermined},
    {"own", {"expected", "measured", "holds"}, false, give_own},
    {0}};
