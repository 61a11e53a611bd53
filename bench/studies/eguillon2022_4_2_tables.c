/* Eguillon et al. (2022), section 4.2: the rows of Table 1, and how much they depend on what the print
 * leaves open. */
#include <math.h>
#include <stdio.h>

#include "eguillon2022_4_2.h"
#include "model.h"

/* Rows --------------------------------------------------------------------------------------------------- */

static json_t *steps_cell(const ms_left_spread *s)
{
    char text[64];
    snprintf(text, sizeof text, "%.0f (%.0f to %.0f)", s->median.steps, s->low.steps, s->high.steps);
    return json_string(text);
}

static json_t *rmse_cell(const ms_left_spread *s, int j)
{
    char text[64];
    snprintf(text, sizeof text, "%.3f (%.3f to %.3f)", s->median.rmse[j], s->low.rmse[j], s->high.rmse[j]);
    return json_string(text);
}

static json_t *number(const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    return isfinite(value) ? json_string(text) : json_null();
}

static void jacobi_rows(ms_drawing *drawing, ms_table *table, const ms_table1 *of)
{
    for (int r = 0; r < MS_JACOBI_READINGS; r++)
        for (int k = 0; k < MS_JACOBI_ROWS; k++) {
            const ms_left_run print = ms_table1_printed_jacobi(drawing, k), *run = &of->jacobi[r][k];
            ms_table_row(table,
                         json_pack("[s, o, s, o, o, o, o, o, o]", "NI Jacobi (ZOH)",
                                   number("H = %g s", ms_jacobi_steps[k]), ms_reading_names[r],
                                   number("%.0f", print.steps), number("%.0f", run->steps),
                                   number("%.3f", print.rmse[MS_X1]), number("%.3f", run->rmse[MS_X1]),
                                   number("%.3f", print.rmse[MS_V1]), number("%.3f", run->rmse[MS_V1])));
        }
}

static void f3ornits_row(ms_drawing *drawing, ms_table *table, const ms_table1 *of, int n, int c, int s)
{
    char name[64];
    ms_left_run print = {NAN, {NAN, NAN}};
    const ms_left_spread *spread = &of->row[n][c][s];
    if (s != MS_ENHANCED_S2)
        print = ms_table1_printed(drawing, n, c, s);
    snprintf(name, sizeof name, "F3ORNITS, %s", ms_normalization_names[n]);
    ms_table_row(table, json_pack("[s, s, s, o, o, o, o, o, o]", name, ms_calibration_names[c],
                                  ms_smoothing_names[s], number("%.0f", print.steps), steps_cell(spread),
                                  number("%.3f", print.rmse[MS_X1]), rmse_cell(spread, MS_X1),
                                  number("%.3f", print.rmse[MS_V1]), rmse_cell(spread, MS_V1)));
}

void ms_table1_write_rows(ms_drawing *drawing, const ms_two_masses_case *of, const ms_table1 *measured)
{
    char title[160];
    snprintf(title, sizeof title,
             "Case %s: macro-steps, rmse of x1 and v1 / %%; median (least to most) of %d tolerances",
             of->name, MS_TOLERANCES);
    ms_table *table =
        ms_drawing_table(drawing, of->name, title,
                         "scheme|step or calibration|output or smoothness|steps, published|steps|"
                         "x1, published|x1|v1, published|v1");
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
    {"as chosen", "sine, 1e-2, 1e-4, 1 s, kN", MS_SINE, 1.0, 1.0},
    {"tolerances", "a quarter", MS_SINE, 0.25, 1.0},
    {"tolerances", "half", MS_SINE, 0.5, 1.0},
    {"tolerances", "twice", MS_SINE, 2.0, 1.0},
    {"tolerances", "four times", MS_SINE, 4.0, 1.0},
    {"largest step", "0.4 s", MS_SINE, 1.0, 0.4},
    {"largest step", "2 s", MS_SINE, 1.0, 2.0},
    {"largest step", "200 s", MS_SINE, 1.0, 200.0},
    {"unit of tol_abs for f", "N", MS_SINE_NEWTON, 1.0, 1.0},
    {"change", "jump", MS_JUMP, 1.0, 1.0},
    {"change", "none", MS_CONSTANT, 1.0, 1.0},
};

static json_t *vary(ms_drawing *drawing, const ms_left_mass *mass, const variation *v, int normalization,
                    ms_error *error)
{
    const ms_two_masses_case *of = &ms_two_masses_cases[v->of];
    ms_left_row row = ms_left_row_of(of, normalization, MS_EXTRAPOLATED, MS_DISABLED);
    ms_left_spread spread;
    char text[96];
    row.rtol *= v->tolerance;
    row.atol *= v->tolerance;
    row.max_step = v->max_step;
    if (ms_left_row_measure(drawing, of, mass, &row, &spread, error) != MS_OK)
        return NULL;
    snprintf(text, sizeof text, "%.0f; %.3f; %.3f", spread.median.steps, spread.median.rmse[MS_X1],
             spread.median.rmse[MS_V1]);
    return json_string(text);
}

int ms_table1_write_sensitivity(ms_drawing *drawing, ms_error *error)
{
    ms_table *table = ms_drawing_table(
        drawing, "sensitivity",
        "Sensitivity: medians of macro-steps; rmse of x1; of v1 / %, extrapolation, disabled",
        "what|value|magnitude|amplitude|damped amplitude");
    ms_left_mass mass[MS_VARIANTS] = {{0}};
    int status = MS_OK;
    for (int c = 0; c < MS_VARIANTS && status == MS_OK; c++)
        status = ms_left_mass_create(drawing, &ms_two_masses_cases[c], &mass[c], error);
    for (int k = 0; k < MS_COUNT(variations) && status == MS_OK; k++) {
        const variation *v = &variations[k];
        json_t *cells = json_pack("[s, s]", v->what, v->value);
        for (int n = 0; n < MS_NORMALIZATIONS && status == MS_OK; n++) {
            json_t *cell = vary(drawing, &mass[v->of], v, n, error);
            status = cell == NULL || json_array_append_new(cells, cell) != 0 ? MS_SOLVER_FAILED : MS_OK;
        }
        ms_table_row(table, cells);
    }
    for (int c = 0; c < MS_VARIANTS; c++)
        ms_left_mass_destroy(&mass[c]);
    return status;
}
