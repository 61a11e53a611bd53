/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_errors.h"

#include "memory.h"

#include <stdlib.h>

#include <macrostep/error_norms.h>
#include <macrostep/reference.h>

static void name_of(const void *of, int column, char *name, size_t size)
{
    ms_trajectory_name(of, column, name, size);
}

static const char *unit_of(const void *of, int column)
{
    return ms_trajectory_unit(of, column);
}

ms_series_table ms_trajectory_table(const ms_trajectory *trajectory)
{
    return (ms_series_table){trajectory->columns, trajectory->rows, trajectory->row,
                             trajectory,          name_of,          unit_of};
}

/* Row by row, as far as the reference goes and is of use; returns the rows. */
static long fill(const ms_trajectory *trajectory, ms_reference *reference, double *row)
{
    const int nx = trajectory->nx;
    long n = 0, known = 0;
    for (double before = 0.0; n < trajectory->rows; n++) {
        const double *at = ms_trajectory_row(trajectory, n), t = at[0];
        const int status = n > 0 && t > before ? ms_reference_step(reference, before, t - before) : MS_OK;
        if (status == MS_NO_MEMORY)
            ms_memory_note();
        if (status != MS_OK)
            break;
        const double *x = ms_reference_state(reference);
        double *to = row + (size_t)n * (size_t)(nx + 1);
        to[0] = before = t;
        for (int i = 0; i < nx; i++)
            to[1 + i] = at[1 + i] - x[i];
        if (n == 0 || ms_reference_usable(ms_reference_error(reference), ms_reference_largest(reference)))
            known = n + 1;
    }
    return known;
}

int ms_run_errors_compute(const ms_trajectory *trajectory, ms_run_errors *errors, ms_error *error)
{
    ms_reference *reference = NULL;
    ms_error none;
    *errors = (ms_run_errors){0};
    const ms_reference_reading reading = {.uneven_steps = true};
    if (trajectory->nx == 0 || trajectory->rows == 0)
        return MS_OK;
    const int status = ms_reference_create_reading(trajectory->system, &reading, &reference, &none);
    if (status != MS_OK)
        return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for the errors") : MS_OK;
    errors->row = calloc((size_t)trajectory->rows * (size_t)(trajectory->nx + 1), sizeof *errors->row);
    if (errors->row != NULL) {
        errors->table = ms_trajectory_table(trajectory);
        errors->table.columns = trajectory->nx + 1;
        errors->table.rows = fill(trajectory, reference, errors->row);
        errors->table.row = errors->row;
    }
    ms_reference_destroy(&reference);
    return errors->row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the errors");
}

void ms_run_errors_free(ms_run_errors *errors)
{
    free(errors->row);
    *errors = (ms_run_errors){0};
}
