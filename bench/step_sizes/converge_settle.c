/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_settle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "zero_stability.h"

/* What holds the error of a row at a floor, found by trying: each tolerance is tightened in turn, and what moves the
 * error by a tenth of it or more is the cause.
 *
 * The micro-solver's tolerances are taken a hundred times smaller, the iteration's epsilon 1e-12 or a hundred times smaller; where such a run does
 * not end, ten times larger, of which a ninth counts. A reference in finer steps is taken in steps of half the length. One that moves the error
 * by half of it ends the search. Other references have no tolerance that could be tightened: theirs is the cause where nothing else is, and
 * their own stated error is a tenth of the row's or more. Round-off is, where nothing else is and the error is within ten times what
 * one rounding of the largest state in each macro-step adds up to.
 */

static const double MOVES = 0.1, IS_HELD = 0.5; /* of the error */
static const double TIGHTER = 0.01, LOOSER = 10.0;
static const double TIGHTEST = 1e-12; /* of epsilon, at first */
static const double ROUNDINGS = 10.0; /* of the largest state in a macro-step */

/* What is changed of a run. */
typedef struct changed {
    ms_options options;
    double epsilon;
    ms_against against;
} changed;

static bool can_change(const ms_converge_study *study, int k, ms_converge_cause cause)
{
    const ms_converge_uncertainty *u = &study->uncertain[k];
    if (cause == MS_CAUSE_ITERATION)
        return study->iteration.iterates && u->epsilon > 0.0;
    return cause == MS_CAUSE_SOLVER ? u->solver > 0.0 : study->against.finer;
}

static changed change(const ms_converge_study *study, int k, ms_converge_cause cause, double factor)
{
    changed c = {study->options, study->uncertain[k].epsilon, study->against};
    if (cause == MS_CAUSE_ITERATION)
        c.epsilon *= factor;
    else if (cause == MS_CAUSE_SOLVER) {
        c.options.solver_rtol *= factor;
        c.options.solver_atol *= factor;
    } else
        c.against.step *= 0.5;
    return c;
}

/* How far the error of row k moves; NaN: no run shows it. */
static int measure(const ms_converge_study *study, int k, ms_converge_cause cause, double factor,
                   double *moved, ms_error *error)
{
    double value = NAN;
    const changed c = change(study, k, cause, factor);
    const int status = ms_converge_study_again(study, k, &c.options, c.epsilon, &c.against, &value, error);
    *moved = isfinite(value) ? fabs(value - study->rows[k].error) : NAN;
    return status;
}

/* What is taken first: an iteration ends with the same iterate over a wide range of epsilon. */
static double first_factor(const ms_converge_study *study, int k, ms_converge_cause cause)
{
    const double epsilon = study->uncertain[k].epsilon;
    return cause == MS_CAUSE_ITERATION && TIGHTEST < TIGHTER * epsilon ? TIGHTEST / epsilon : TIGHTER;
}

/* How far the error of row k moves with less, or what a ninth of that with more says; 0: not at all, or nothing shows it. */
static int tighten(const ms_converge_study *study, int k, ms_converge_cause cause, double *moved,
                   ms_error *error)
{
    const double factors[] = {first_factor(study, k, cause), TIGHTER, LOOSER};
    int status = MS_OK;
    *moved = NAN;
    if (can_change(study, k, cause))
        for (int i = 0; i < MS_COUNT(factors) && status == MS_OK && isnan(*moved); i++) {
            if (i > 0 && (factors[i] == factors[i - 1] || cause == MS_CAUSE_REFERENCE))
                continue;
            status = measure(study, k, cause, factors[i], moved, error);
            *moved /= factors[i] > 1.0 ? factors[i] - 1.0 : 1.0;
        }
    if (isnan(*moved))
        *moved = 0.0;
    return status;
}

static bool is_round_off(const ms_converge_study *study, int k)
{
    return study->rows[k].error <= ROUNDINGS * study->uncertain[k].round_off;
}

/* What no run shows: a reference by what it states, and round-off by its size, which a reference at round-off shares. */
static ms_converge_floor stated(const ms_converge_study *study, int k)
{
    const ms_converge_uncertainty *u = &study->uncertain[k];
    const bool reference = u->reference >= MOVES * study->rows[k].error;
    if (is_round_off(study, k) && !(reference && u->reference > ROUNDINGS * u->round_off))
        return (ms_converge_floor){MS_CAUSE_ROUND_OFF, ROUNDINGS * u->round_off};
    return reference ? (ms_converge_floor){MS_CAUSE_REFERENCE, u->reference} : (ms_converge_floor){0};
}

/* Does the same cause hold row k as well? One run at most. The same errors. */
static int floor_holds(const ms_converge_study *study, int k, ms_converge_cause cause,
                       ms_converge_floor *found, ms_error *error)
{
    double moved = 0.0;
    const bool by_run = cause != MS_CAUSE_ROUND_OFF && (cause != MS_CAUSE_REFERENCE || study->against.finer);
    const int status = by_run ? tighten(study, k, cause, &moved, error) : MS_OK;
    *found = by_run ? (ms_converge_floor){cause, moved} : stated(study, k);
    if (found->cause != cause || (by_run && moved < MOVES * study->rows[k].error))
        *found = (ms_converge_floor){0};
    return status;
}

/* The one that is estimated to leave more comes first. */
static void list_causes(const ms_converge_study *study, int k, ms_converge_cause list[3])
{
    const ms_converge_uncertainty *u = &study->uncertain[k];
    const bool solver = fmax(u->solver, study->rows[k].stalling) > u->iteration;
    list[0] = solver ? MS_CAUSE_SOLVER : MS_CAUSE_ITERATION;
    list[1] = solver ? MS_CAUSE_ITERATION : MS_CAUSE_SOLVER;
    list[2] = MS_CAUSE_REFERENCE;
}

/* Tries row k, three runs where all end. *found: MS_CAUSE_NONE where its error moves with none of them and is more than round-off. Errors:
 * MS_INTERRUPTED, MS_NO_MEMORY. */
static int floor_try(const ms_converge_study *study, int k, ms_converge_floor *found, ms_error *error)
{
    const double whole = study->rows[k].error;
    ms_converge_cause cause[3];
    *found = (ms_converge_floor){0};
    list_causes(study, k, cause);
    for (int i = 0; i < MS_COUNT(cause) && found->moved < IS_HELD * whole; i++) {
        double moved;
        MS_TRY(tighten(study, k, cause[i], &moved, error));
        if (moved >= MOVES * whole && moved > found->moved)
            *found = (ms_converge_floor){cause[i], moved};
    }
    if (found->cause == MS_CAUSE_NONE)
        *found = stated(study, k);
    return MS_OK;
}

/* The sentence ------------------------------------------------------------------------------------------- */

static void iteration_text(const ms_converge_study *study, int k, char *text, size_t size)
{
    const double epsilon = study->uncertain[k].epsilon;
    const char *rather = !study->iteration.chosen ? "leave --epsilon out or lower it"
                         : epsilon > 1e-12
                             ? "the iteration did not reach less: take more --max-iterations or "
                               "another --solver-nonlinear"
                             : "use larger steps";
    snprintf(text, size, "epsilon %g limits the error, which changes by %.2g with a smaller one; %s", epsilon,
             study->floor[k].moved, rather);
}

/* The sentence that says so. */
static void floor_text(const ms_converge_study *study, int k, char *text, size_t size)
{
    const ms_options *options = &study->options;
    const double moved = study->floor[k].moved;
    if (study->floor[k].cause == MS_CAUSE_ITERATION)
        iteration_text(study, k, text, size);
    else if (study->floor[k].cause == MS_CAUSE_SOLVER)
        snprintf(text, size,
                 "--solver-rtol %g and --solver-atol %g limit the error, which changes by %.2g with "
                 "smaller ones; lower them or use larger steps",
                 options->solver_rtol, options->solver_atol, moved);
    else if (study->floor[k].cause == MS_CAUSE_REFERENCE)
        snprintf(text, size, "the error of the reference is about %.2g; use larger steps", moved);
    else if (study->floor[k].cause == MS_CAUSE_ROUND_OFF)
        snprintf(text, size,
                 "no tolerance changes the error, and round-off may cause %.2g over these macro-steps; use "
                 "larger steps",
                 moved);
}

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

/* Is there a run from which the order can be seen? */
static bool has_run(const ms_converge_study *study)
{
    for (int k = 0; k < study->n; k++)
        if (!isnan(study->rows[k].error))
            return true;
    return false;
}

/* Do runs diverge, or errors rise, or fall at less than half of the rate that is expected? Nonlinear systems that are not zero-stable may
 * keep their errors bounded. */
static bool is_alarming(const ms_converge_study *study)
{
    bool alarming = study->order.order < 0.5 * expected_of(study);
    for (int k = 0; k < study->n; k++) {
        const ms_convergence_row *row = &study->rows[k];
        const bool wanders = isnan(study->order.order) && row->note == MS_CONVERGENCE_PRE_ASYMPTOTIC;
        alarming = alarming || isinf(row->error) || row->note == MS_CONVERGENCE_RISING || wanders;
    }
    return alarming;
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

/* The best rate at which errors fell before row k, at most the expected one; or the expected one. */
static double rate_before(const ms_converge_study *study, int k)
{
    double best = NAN;
    for (int j = 0; j < k; j++)
        if (!isnan(study->rows[j].slope))
            best = fmax(best, study->rows[j].slope);
    return fmin(best, expected_of(study)); /* fmin ignores a NaN */
}

/* The coarsest of the finest rows that may be at a floor; n: none. */
static int first_suspect(const ms_converge_study *study)
{
    int first = study->n;
    for (int k = study->n - 1; k >= 0; k--) {
        const ms_convergence_row *row = &study->rows[k];
        const double rate = rate_before(study, k);
        const bool stalls = isnan(rate) ? row->slope < 0.0 : row->slope < 0.5 * rate;
        if (row->note == MS_CONVERGENCE_FLOOR || (isfinite(row->error) && row->error > 0.0 && stalls))
            first = k;
        else if (isfinite(row->error) && row->error > 0.0)
            break;
    }
    return first;
}

/* The next coarser suspected row: at or before k, not before first; or -1. */
static int suspect(const ms_converge_study *study, int k, int first)
{
    while (k >= first && !(isfinite(study->rows[k].error) && study->rows[k].error > 0.0))
        k--;
    return k >= first ? k : -1;
}

/* Tries the cause of the finer row, then other causes. */
static int try_coarser(ms_converge_study *study, int k, ms_converge_cause cause, bool *tried, ms_error *error)
{
    int status = floor_holds(study, k, cause, &study->floor[k], error);
    if (status != MS_OK || study->floor[k].cause != MS_CAUSE_NONE || *tried)
        return status;
    *tried = true; /* causes change once */
    return floor_try(study, k, &study->floor[k], error);
}

/* From the finest row on; results go to study->floor. */
static int try_rows(ms_converge_study *study, int first, ms_error *error)
{
    bool tried = false;
    int k = suspect(study, study->n - 1, first);
    int status = k >= 0 ? floor_try(study, k, &study->floor[k], error) : MS_OK;
    while (status == MS_OK && k >= 0 && study->floor[k].cause != MS_CAUSE_NONE) {
        const ms_converge_cause cause = study->floor[k].cause;
        k = suspect(study, k - 1, first);
        if (k >= 0)
            status = try_coarser(study, k, cause, &tried, error);
    }
    return status;
}

/* Rows held by a cause are at their floor; other rows are as far above it. */
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
        floor_text(study, k, study->message[k], sizeof study->message[k]);
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

/* Names a method that converges if a row's did not. */
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
    study->n = study->done; /* fewer after an interruption */
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
