/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_settle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "converge_floor.h"
#include "zero_stability.h"

/* Rows of a propagation matrix whose eigenvalues are found without a thought, and where errors look as if they mattered. */
enum { SMALL = 64, LARGE = 400 };

bool ms_converge_study_claims(const ms_converge_study *study)
{
    return study->system->nu > 0 && study->expected_order > 0 && !ms_zero_stability_lost(study->radius);
}

static double expected_of(const ms_converge_study *study)
{
    return ms_converge_study_claims(study) ? (double)study->expected_order : NAN;
}

static void fit(ms_converge_study *study)
{
    study->order = ms_convergence_fit_expected(study->n, study->rows, expected_of(study));
}

/* Zero-stability ----------------------------------------------------------------------------------------- */

/* Is there a run that shows what the scheme does? */
static bool has_run(const ms_converge_study *study)
{
    for (int k = 0; k < study->n; k++)
        if (!isnan(study->rows[k].error))
            return true;
    return false;
}

static bool is_alarming(const ms_converge_study *study)
{
    for (int k = 0; k < study->n; k++)
        if (isinf(study->rows[k].error) || study->rows[k].note == MS_CONVERGENCE_RISING)
            return true;
    return false;
}

static int find_radius(ms_converge_study *study, ms_error *error)
{
    const bool alarming = is_alarming(study);
    if (!has_run(study) || (!study->system->linear && !alarming))
        return MS_OK;
    return ms_zero_stability_radius(study->system, &study->options, alarming ? LARGE : SMALL, &study->radius,
                                    error);
}

static void give_up(ms_converge_study *study)
{
    study->order = (ms_convergence_order){NAN, NAN, NAN};
    for (int k = 0; k < study->n; k++)
        if (study->rows[k].note != MS_CONVERGENCE_FAILED)
            study->rows[k].note = MS_CONVERGENCE_UNSTABLE;
}

/* Floors ------------------------------------------------------------------------------------------------- */

/* The rate at which errors fell at best before row k, no more than what is expected, or that alone. */
static double rate_before(const ms_converge_study *study, int k)
{
    double best = NAN;
    for (int j = 0; j < k; j++)
        if (!isnan(study->rows[j].slope))
            best = fmax(best, study->rows[j].slope);
    return fmin(best, expected_of(study)); /* a NaN leaves the other one */
}

/* The coarsest of the finest rows that may be at a floor; n: none is. */
static int first_suspect(const ms_converge_study *study)
{
    int first = study->n;
    for (int k = study->n - 1; k >= 0; k--) {
        const ms_convergence_row *row = &study->rows[k];
        const bool stalls = row->slope < 0.5 * rate_before(study, k);
        if (row->note == MS_CONVERGENCE_FLOOR || (isfinite(row->error) && row->error > 0.0 && stalls))
            first = k;
        else if (isfinite(row->error) && row->error > 0.0)
            break;
    }
    return first;
}

/* The next coarser row from k on that is suspected: at or before k, not before first; or -1. */
static int suspect(const ms_converge_study *study, int k, int first)
{
    while (k >= first && !(isfinite(study->rows[k].error) && study->rows[k].error > 0.0))
        k--;
    return k >= first ? k : -1;
}

/* The cause of the finer row, or another one that is found. */
static int try_coarser(ms_converge_study *study, int k, ms_converge_cause cause, bool *tried, ms_error *error)
{
    int status = ms_converge_floor_holds(study, k, cause, &study->floor[k], error);
    if (status != MS_OK || study->floor[k].cause != MS_CAUSE_NONE || *tried)
        return status;
    *tried = true; /* causes change once */
    return ms_converge_floor_try(study, k, &study->floor[k], error);
}

/* From the finest row on; what is found is in study->floor. */
static int try_rows(ms_converge_study *study, int first, ms_error *error)
{
    bool tried = false;
    int k = suspect(study, study->n - 1, first);
    int status = k >= 0 ? ms_converge_floor_try(study, k, &study->floor[k], error) : MS_OK;
    while (status == MS_OK && k >= 0 && study->floor[k].cause != MS_CAUSE_NONE) {
        const ms_converge_cause cause = study->floor[k].cause;
        k = suspect(study, k - 1, first);
        if (k >= 0)
            status = try_coarser(study, k, cause, &tried, error);
    }
    return status;
}

/* Rows that something holds are at their floor, and others as far above it as they are. */
static void set_floors(ms_converge_study *study)
{
    double floor = 0.0;
    for (int k = study->n - 1; k >= 0; k--) {
        ms_convergence_row *row = &study->rows[k];
        const bool held = study->floor[k].cause != MS_CAUSE_NONE;
        if (held)
            floor = fmax(floor, fmin(study->floor[k].moved, row->error));
        row->floor = held ? row->error : fmin(floor, 0.999 * row->error);
        row->doubtful = row->stalling = 0.0;
    }
}

/* Notes and messages of rows that are at a floor. */
static void explain_floors(ms_converge_study *study)
{
    ms_converge_floor finer = {0};
    for (int k = study->n - 1; k >= 0; k--) {
        if (study->floor[k].cause != MS_CAUSE_NONE)
            finer = study->floor[k];
        if (study->rows[k].note != MS_CONVERGENCE_FLOOR)
            continue;
        study->floor[k] = finer; /* a row near it, whose slope is spoilt, too */
        ms_converge_floor_text(study, k, study->message[k], sizeof study->message[k]);
        if (finer.cause == MS_CAUSE_ROUND_OFF)
            study->rows[k].note = MS_CONVERGENCE_ROUND_OFF;
    }
}

static int find_floors(ms_converge_study *study, ms_error *error)
{
    const int first = first_suspect(study);
    if (first == study->n)
        return MS_OK;
    MS_TRY(try_rows(study, first, error));
    set_floors(study);
    fit(study);
    explain_floors(study);
    return MS_OK;
}

/* Which method converges where a row's did not. */
static void name_methods(ms_converge_study *study)
{
    const ms_converge_iteration *iteration = &study->iteration;
    for (int k = 0; k < study->n; k++) {
        char *text = study->message[k];
        const size_t used = strlen(text);
        if (iteration->method[0] != '\0' && strncmp(text, "iteration-failed", 16) == 0)
            snprintf(text + used, sizeof study->message[k] - used,
                     "; --solver-nonlinear %s converges with steps of %g s", iteration->method,
                     iteration->step_size);
    }
}

int ms_converge_study_settle(ms_converge_study *study, bool try_floors, ms_error *error)
{
    study->n = study->done; /* an interruption leaves fewer */
    fit(study);
    name_methods(study);
    int status = try_floors ? find_radius(study, error) : MS_OK;
    if (status != MS_OK)
        return status;
    if (ms_zero_stability_lost(study->radius))
        give_up(study);
    else if (try_floors)
        status = find_floors(study, error);
    return status;
}
