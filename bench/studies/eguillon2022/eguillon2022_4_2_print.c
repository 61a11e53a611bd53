/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2022), section 4.2: the numbers of Table 1 against the print, in both readings of the
 * output f. */
#include <math.h>

#include "answer.h"
#include "eguillon2022_4_2.h"

/* Quotients ---------------------------------------------------------------------------------------------- */

void ms_factors_include(ms_factors *factors, double measured, double published)
{
    const double factor = measured / published;
    factors->low = factors->n > 0 ? fmin(factors->low, factor) : factor;
    factors->high = factors->n > 0 ? fmax(factors->high, factor) : factor;
    factors->sum += fabs(log(factor));
    factors->n++;
}

json_t *ms_factors_range(const ms_factors *factors)
{
    return json_pack("[o, o]", ms_json_real(factors->low), ms_json_real(factors->high));
}

double ms_factors_typical(const ms_factors *factors)
{
    return factors->n > 0 ? exp(factors->sum / factors->n) : 0.0;
}

ms_factors ms_factors_of_jacobi(ms_drawing *drawing, const ms_left_run jacobi[MS_JACOBI_ROWS],
                                const double divisor[MS_MEASURED])
{
    ms_factors f = {0};
    for (int k = 0; k < MS_JACOBI_ROWS; k++) {
        const ms_left_run print = ms_table1_printed_jacobi(drawing, k);
        for (int j = 0; j < MS_MEASURED; j++)
            ms_factors_include(&f, jacobi[k].rmse[j] / divisor[j], print.rmse[j]);
    }
    return f;
}

/* What the print leaves open beside the case and the reading of f. */
typedef struct reading {
    int scale, smoothed; /* of the rmse; MS_ENHANCED, or MS_ENHANCED_S2 for the rows "enhanced" */
} reading;

enum { OPEN = 4 };
static const reading open_readings[OPEN] = {{MS_OF_RANGE, MS_ENHANCED},
                                            {MS_OF_RANGE, MS_ENHANCED_S2},
                                            {MS_OF_UNIT, MS_ENHANCED},
                                            {MS_OF_UNIT, MS_ENHANCED_S2}};

static const char *smoothed_name(int smoothed)
{
    return smoothed == MS_ENHANCED ? "all" : "S2 only";
}

/* Of one case in one reading: Jacobi's rmse (ten), steps (twelve) and rmse (24) of F3ORNITS. */
typedef struct fit {
    ms_factors jacobi, steps, rmse;
} fit;

static void fit_row(const ms_left_run *run, const ms_left_run *print, const double divisor[MS_MEASURED],
                    fit *f)
{
    ms_factors_include(&f->steps, run->steps, print->steps);
    for (int j = 0; j < MS_MEASURED; j++)
        ms_factors_include(&f->rmse, run->rmse[j] / divisor[j], print->rmse[j]);
}

static fit fit_of(ms_drawing *drawing, const ms_table1_cases *cases, int c, int r, const reading *of)
{
    const ms_table1 *table = &cases->of[c];
    fit f = {0};
    double divisor[MS_MEASURED];
    for (int j = 0; j < MS_MEASURED; j++)
        divisor[j] = ms_scale_of(ms_two_masses_cases[c].scale, of->scale, table->range[j]);
    f.jacobi = ms_factors_of_jacobi(drawing, table->jacobi[r], divisor);
    for (int n = 0; n < MS_NORMALIZATIONS; n++)
        for (int q = 0; q < MS_CALIBRATIONS; q++)
            for (int s = MS_DISABLED; s <= MS_ENHANCED; s++) {
                const ms_left_run print = ms_table1_printed(drawing, n, q, s);
                const int row = s == MS_DISABLED ? MS_DISABLED : of->smoothed;
                fit_row(&table->row[r][n][q][row].median, &print, divisor, &f);
            }
    return f;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Quotients measured / printed of all cases and open readings in one reading of f. */
typedef struct quotients {
    json_t *measured; /* ranges by reading */
    double low, high;
} quotients;

static void include(quotients *q, const char *name, const ms_factors *factors)
{
    json_object_set_new(q->measured, name, ms_factors_range(factors));
    q->low = fmin(q->low, factors->low);
    q->high = fmax(q->high, factors->high);
}

/* Where all quotients lie on the same side of 1 by more than a factor 1.5, nothing that was tried comes near
 * the print. */
static void check_quotients(ms_drawing *drawing, const char *what, int r, const quotients *q,
                            const char *open, const char *note)
{
    ms_drawing_check(drawing, ms_drawing_text(drawing, "%s; %s", what, ms_reading_names[r]),
                     json_pack("[f, f]", 1.0, 1.0), q->measured, json_string(open),
                     q->low > 1.5 || q->high < 1.0 / 1.5 ? MS_DEVIATES : MS_NOT_DETERMINED, "%s", note);
}

static void include_case(ms_drawing *drawing, const ms_table1_cases *cases, int c, int r, quotients q[3])
{
    for (int k = 0; k < OPEN; k++) {
        const fit f = fit_of(drawing, cases, c, r, &open_readings[k]);
        const char *name = ms_two_masses_cases[c].name, *scale = ms_scale_names[open_readings[k].scale],
                   *smoothed = smoothed_name(open_readings[k].smoothed);
        include(&q[0], ms_drawing_text(drawing, "%s, of %s", name, scale), &f.jacobi);
        include(&q[1], ms_drawing_text(drawing, "%s, smooth: %s", name, smoothed), &f.steps);
        include(&q[2], ms_drawing_text(drawing, "%s, of %s, smooth: %s", name, scale, smoothed), &f.rmse);
    }
}

void ms_table1_check_numbers(ms_drawing *drawing, const ms_table1_cases *cases, int r)
{
    static const char change[] = "undecided: the change after 100 s, the reading of f and what the rmse is a "
                                 "percentage of are not printed";
    static const char tolerances[] =
        "undecided: change, communication at it, reading of f, tolerances, largest step, whose inputs are "
        "smooth and what the rmse is a percentage of are not printed";
    quotients q[3];
    for (int k = 0; k < 3; k++)
        q[k] = (quotients){json_object(), INFINITY, 0.0};
    for (int c = 0; c < MS_CASES; c++)
        include_case(drawing, cases, c, r, q);
    check_quotients(drawing, "NI Jacobi: rmse of all five steps, measured over printed", r, &q[0], change,
                    "Least and largest of ten quotients.");
    check_quotients(
        drawing, "F3ORNITS: macro-steps of the twelve rows, measured over printed", r, &q[1], tolerances,
        "Least and largest quotient of medians. What is not printed was chosen so that these numbers come "
        "near where f is taken as it comes, and nothing was chosen anew for the other reading.");
    check_quotients(drawing, "F3ORNITS: rmse of the twelve rows, measured over printed", r, &q[2], tolerances,
                    "Least and largest quotient of medians of x1 and v1. In the case jump the one macro-step "
                    "that runs over the jump dominates; in the case jump-met all communicate at it, its time "
                    "being known (next_time), and no macro-step runs over it.");
}

/* Which reading ------------------------------------------------------------------------------------------ */

static void write_reading(ms_table *table, int c, int r, const reading *of, const fit *f)
{
    ms_table_add(table, "ssssoooo", ms_two_masses_cases[c].name, ms_reading_names[r],
                 ms_scale_names[of->scale], smoothed_name(of->smoothed),
                 json_sprintf("%.2f", ms_factors_typical(&f->jacobi)),
                 json_sprintf("%.2f", ms_factors_typical(&f->steps)),
                 json_sprintf("%.2f", ms_factors_typical(&f->rmse)),
                 json_sprintf("%.2f to %.2f", f->rmse.low, f->rmse.high));
}

/* The remark on a case: the readings in which Jacobi and F3ORNITS come nearest. */
static void remark_on_case(ms_drawing *drawing, const ms_table1_cases *cases, int c)
{
    fit best = {0};
    const reading *of = &open_readings[0];
    double least = INFINITY;
    int f = 0;
    for (int r = 0; r < MS_READINGS; r++)
        for (int k = 0; k < OPEN; k++) {
            const fit here = fit_of(drawing, cases, c, r, &open_readings[k]);
            const double distance = ms_factors_typical(&here.jacobi) * ms_factors_typical(&here.steps) *
                                    ms_factors_typical(&here.rmse);
            if (distance < least) {
                least = distance;
                best = here;
                of = &open_readings[k];
                f = r;
            }
        }
    ms_drawing_remark(
        drawing,
        "The reading of the case %s in which it comes nearest: %s, rmse of %s, smooth inputs of %s. Then the "
        "rmse of Jacobi differ from the print by a factor of typically %.2f (measured over printed %.2f to "
        "%.2f), the steps of F3ORNITS by %.2f (%.2f to %.2f), its rmse by %.2f (%.2f to %.2f).",
        ms_two_masses_cases[c].name, ms_reading_names[f], ms_scale_names[of->scale],
        smoothed_name(of->smoothed), ms_factors_typical(&best.jacobi), best.jacobi.low, best.jacobi.high,
        ms_factors_typical(&best.steps), best.steps.low, best.steps.high, ms_factors_typical(&best.rmse),
        best.rmse.low, best.rmse.high);
}

void ms_table1_compare_readings(ms_drawing *drawing, const ms_table1_cases *cases)
{
    ms_table *table =
        ms_drawing_table(drawing, "readings", "Readings: typical factor between measured and printed numbers",
                         "case|output f|rmse of|smooth inputs|rmse of Jacobi|steps of F3ORNITS|rmse of "
                         "F3ORNITS|rmse, measured over printed");
    for (int c = 0; c < MS_CASES; c++)
        for (int r = 0; r < MS_READINGS; r++)
            for (int k = 0; k < OPEN; k++) {
                const fit f = fit_of(drawing, cases, c, r, &open_readings[k]);
                write_reading(table, c, r, &open_readings[k], &f);
            }
    ms_drawing_remark(
        drawing,
        "f is an output with feed-through. As it comes at the end of a macro-step it was computed with the "
        "x1 held or extrapolated over that step; with the new x1 (--outputs consistent) it is computed again "
        "from what S1 has just sent. The text does not say which. Typical is the exponential of the mean "
        "absolute logarithm; the cases were found by looking at the same rows.");
    for (int c = 0; c < MS_CASES; c++)
        remark_on_case(drawing, cases, c);
}
