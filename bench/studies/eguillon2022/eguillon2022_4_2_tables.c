/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2022), section 4.2: the rows of Table 1, and how much they depend on what the print
 * leaves open. */
#include <math.h>
#include <string.h>

#include <macrostep/model.h>
#include "eguillon2022_4_2.h"

/* Rows --------------------------------------------------------------------------------------------------- */

static json_t *steps_cell(const ms_left_spread *s)
{
    return json_sprintf("%.0f (%.0f to %.0f)", s->median.steps, s->low.steps, s->high.steps);
}

static json_t *rmse_cell(const ms_left_spread *s, int j)
{
    return json_sprintf("%.3f (%.3f to %.3f)", s->median.rmse[j], s->low.rmse[j], s->high.rmse[j]);
}

static json_t *number(const char *format, double value)
{
    return isfinite(value) ? json_sprintf(format, value) : json_null();
}

static void jacobi_rows(ms_drawing *drawing, ms_table *table, const ms_table1 *of)
{
    for (int k = 0; k < MS_JACOBI_ROWS; k++) {
        const ms_left_run print = ms_table1_printed_jacobi(drawing, k),
                          *come = &of->jacobi[MS_AS_IT_COMES][k], *new = &of->jacobi[MS_NEW_X1][k];
        ms_table_add(table, "sonooooooooo", "NI Jacobi (ZOH)", number("H = %g s", ms_jacobi_steps[k]),
                     number("%.0f", print.steps), number("%.0f", come->steps), number("%.0f", new->steps),
                     number("%.3f", print.rmse[MS_X1]), number("%.3f", come->rmse[MS_X1]),
                     number("%.3f", new->rmse[MS_X1]), number("%.3f", print.rmse[MS_V1]),
                     number("%.3f", come->rmse[MS_V1]), number("%.3f", new->rmse[MS_V1]));
    }
}

static void f3ornits_row(ms_drawing *drawing, ms_table *table, const ms_table1 *of, int n, int c, int s)
{
    ms_left_run print = {NAN, {NAN, NAN}};
    const ms_left_spread *come = &of->row[MS_AS_IT_COMES][n][c][s], *new = &of->row[MS_NEW_X1][n][c][s];
    if (s != MS_ENHANCED_S2)
        print = ms_table1_printed(drawing, n, c, s);
    ms_table_add(table, "sssooooooooo", ms_drawing_text(drawing, "F3ORNITS, %s", ms_normalization_names[n]),
                 ms_calibration_names[c], ms_smoothing_names[s], number("%.0f", print.steps),
                 steps_cell(come), steps_cell(new), number("%.3f", print.rmse[MS_X1]), rmse_cell(come, MS_X1),
                 rmse_cell(new, MS_X1), number("%.3f", print.rmse[MS_V1]), rmse_cell(come, MS_V1),
                 rmse_cell(new, MS_V1));
}

void ms_table1_write_rows(ms_drawing *drawing, const ms_two_masses_case *of, const ms_table1 *measured)
{
    const char *title = ms_drawing_text(
        drawing,
        "Case %s: macro-steps, rmse of x1 and v1 / %% of %s, f as it comes or with the new x1; median "
        "(least to most) of %d tolerances",
        of->name, ms_scale_names[of->scale], MS_TOLERANCES);
    ms_table *table = ms_drawing_table(
        drawing, of->name, title,
        "scheme|step or calibration|smoothness|steps, published|steps, as it comes|steps, new x1|x1, "
        "published|x1, as it comes|x1, new x1|v1, published|v1, as it comes|v1, new x1");
    jacobi_rows(drawing, table, measured);
    for (int n = 0; n < MS_NORMALIZATIONS; n++)
        for (int c = 0; c < MS_CALIBRATIONS; c++)
            for (int s = 0; s < MS_SMOOTHINGS; s++)
                f3ornits_row(drawing, table, measured, n, c, s);
}

/* Sensitivity -------------------------------------------------------------------------------------------- */

typedef struct variation {
    const char *what, *value;
    int of;                     /* case */
    double tolerance, max_step; /* factor of both tolerances; [s] */
} variation;

static const variation variations[] = {
    {"as chosen: 1e-2, 1e-4, 1 s, kN", "sine, 0.4 kN, 0.3 Hz", MS_SINE, 1.0, 1.0},
    {"tolerances", "a quarter", MS_SINE, 0.25, 1.0},
    {"tolerances", "half", MS_SINE, 0.5, 1.0},
    {"tolerances", "twice", MS_SINE, 2.0, 1.0},
    {"tolerances", "four times", MS_SINE, 4.0, 1.0},
    {"largest step", "0.4 s", MS_SINE, 1.0, 0.4},
    {"largest step", "2 s", MS_SINE, 1.0, 2.0},
    {"largest step", "200 s", MS_SINE, 1.0, 200.0},
    {"unit of tol_abs for f", "N", MS_SINE_NEWTON, 1.0, 1.0},
    {"change", "sine, 0.2 kN", MS_SINE_WEAK, 1.0, 1.0},
    {"change", "sine, 0.6 kN", MS_SINE_STRONG, 1.0, 1.0},
    {"change", "sine, 0.2 Hz", MS_SINE_SLOW, 1.0, 1.0},
    {"change", "sine, 0.4 Hz", MS_SINE_FAST, 1.0, 1.0},
    {"change", "sine, all communicate at it", MS_SINE_MET, 1.0, 1.0},
    {"change", "jump", MS_JUMP, 1.0, 1.0},
    {"change", "jump, all communicate at it", MS_JUMP_MET, 1.0, 1.0},
    {"change", "none", MS_CONSTANT, 1.0, 1.0},
};

/* Typical factors from the print, of one variation in one reading or of the nearest of several. */
typedef struct distance {
    double jacobi, steps, rmse;
    const char *nearest; /* variation of the least jacobi */
} distance;

typedef struct distances {
    distance of[MS_READINGS];
} distances;

/* The rows extrapolation, disabled: cells of the table, and their distance. */
static int vary(ms_drawing *drawing, const ms_left_mass *mass, const variation *v, int r, json_t *cells,
                distance *d, ms_error *error)
{
    const ms_two_masses_case *of = &ms_two_masses_cases[v->of];
    ms_left_run jacobi[MS_JACOBI_ROWS];
    ms_factors steps = {0}, rmse = {0};
    int status = ms_jacobi_measure(drawing, of, mass, r, jacobi, error);
    for (int n = 0; n < MS_NORMALIZATIONS && status == MS_OK; n++) {
        const ms_left_run print = ms_table1_printed(drawing, n, MS_EXTRAPOLATED, MS_DISABLED);
        ms_left_row row = ms_left_row_of(of, r, n, MS_EXTRAPOLATED, MS_DISABLED);
        ms_left_spread spread;
        row.rtol *= v->tolerance;
        row.atol *= v->tolerance;
        row.max_step = v->max_step;
        status = ms_left_row_measure(drawing, of, mass, &row, &spread, error);
        ms_factors_include(&steps, spread.median.steps, print.steps);
        for (int j = 0; j < MS_MEASURED; j++)
            ms_factors_include(&rmse, spread.median.rmse[j], print.rmse[j]);
        json_array_append_new(cells, json_sprintf("%.0f; %.3f; %.3f", spread.median.steps,
                                                  spread.median.rmse[MS_X1], spread.median.rmse[MS_V1]));
    }
    if (status != MS_OK)
        return status;
    const ms_factors of_jacobi = ms_factors_of_jacobi(drawing, jacobi, (const double[MS_MEASURED]){1.0, 1.0});
    *d = (distance){ms_factors_typical(&of_jacobi), ms_factors_typical(&steps), ms_factors_typical(&rmse),
                    v->value};
    json_array_append_new(cells, number("%.2f", d->steps));
    json_array_append_new(cells, number("%.2f", d->rmse));
    json_array_append_new(cells, number("%.2f", d->jacobi));
    return MS_OK;
}

/* All variations in both readings. */
static int write_variations(ms_drawing *drawing, ms_table *table, const ms_left_mass mass[MS_VARIANTS],
                            distances *d, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < MS_COUNT(variations); k++)
        for (int r = 0; r < MS_READINGS && status == MS_OK; r++) {
            const variation *v = &variations[k];
            json_t *cells = json_pack("[s, s, s]", v->what, v->value, ms_reading_names[r]);
            status = vary(drawing, &mass[v->of], v, r, cells, &d[k].of[r], error);
            if (status == MS_OK)
                ms_table_row(table, cells);
            else
                json_decref(cells);
        }
    return status;
}

static void remark_on_readings(ms_drawing *drawing, const distances *d)
{
    distance least[MS_READINGS] = {{.jacobi = INFINITY}, {.jacobi = INFINITY}};
    int steps = 0, rmse = 0, jacobi = 0, changes = 0;
    for (int k = 0; k < MS_COUNT(variations); k++) {
        steps += d[k].of[MS_NEW_X1].steps < d[k].of[MS_AS_IT_COMES].steps;
        rmse += d[k].of[MS_NEW_X1].rmse < d[k].of[MS_AS_IT_COMES].rmse;
        if (k == 0 || strcmp(variations[k].what, "change") == 0) { /* in the others they are the same */
            jacobi += d[k].of[MS_NEW_X1].jacobi < d[k].of[MS_AS_IT_COMES].jacobi;
            changes++;
        }
        for (int r = 0; r < MS_READINGS; r++)
            if (d[k].of[r].jacobi < least[r].jacobi)
                least[r] = d[k].of[r];
    }
    ms_drawing_remark(
        drawing,
        "How much of this is due to what was chosen, the last table shows. The rows of Jacobi alone do not "
        "decide: they are nearer to the print with the new x1 for %d of %d changes of the right mass, at "
        "best by a factor of %.2f as f comes (%s) and of %.2f with the new x1 (%s). Of F3ORNITS the steps "
        "are nearer with the new x1 in %d of %d lines, the rmse in %d.",
        jacobi, changes, least[MS_AS_IT_COMES].jacobi, least[MS_AS_IT_COMES].nearest, least[MS_NEW_X1].jacobi,
        least[MS_NEW_X1].nearest, steps, MS_COUNT(variations), rmse);
}

int ms_table1_write_sensitivity(ms_drawing *drawing, ms_error *error)
{
    ms_table *table = ms_drawing_table(
        drawing, "sensitivity",
        "Sensitivity: medians of macro-steps; rmse of x1; of v1 / %, extrapolation, disabled; typical "
        "factors from the print",
        "what|value|output f|magnitude|amplitude|damped amplitude|steps off by|rmse off by|Jacobi off by");
    ms_left_mass mass[MS_VARIANTS] = {{0}};
    distances d[MS_COUNT(variations)];
    int status = MS_OK;
    for (int c = 0; c < MS_VARIANTS && status == MS_OK; c++)
        status = ms_left_mass_create(drawing, &ms_two_masses_cases[c], &mass[c], error);
    if (status == MS_OK)
        status = write_variations(drawing, table, mass, d, error);
    if (status == MS_OK)
        remark_on_readings(drawing, d);
    for (int c = 0; c < MS_VARIANTS; c++)
        ms_left_mass_destroy(&mass[c]);
    return status;
}
