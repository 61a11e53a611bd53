/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_floor.h"

#include <math.h>
#include <stdio.h>

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

int ms_converge_floor_holds(const ms_converge_study *study, int k, ms_converge_cause cause,
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

int ms_converge_floor_try(const ms_converge_study *study, int k, ms_converge_floor *found, ms_error *error)
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
                             : "take larger steps";
    snprintf(text, size, "epsilon %g limits the error, which changes by %.2g with a smaller one; %s", epsilon,
             study->floor[k].moved, rather);
}

void ms_converge_floor_text(const ms_converge_study *study, int k, char *text, size_t size)
{
    const ms_options *options = &study->options;
    const double moved = study->floor[k].moved;
    if (study->floor[k].cause == MS_CAUSE_ITERATION)
        iteration_text(study, k, text, size);
    else if (study->floor[k].cause == MS_CAUSE_SOLVER)
        snprintf(text, size,
                 "--solver-rtol %g and --solver-atol %g limit the error, which changes by %.2g with "
                 "smaller ones; lower them or take larger steps",
                 options->solver_rtol, options->solver_atol, moved);
    else if (study->floor[k].cause == MS_CAUSE_REFERENCE)
        snprintf(text, size, "the error of the reference is about %.2g; take larger steps", moved);
    else if (study->floor[k].cause == MS_CAUSE_ROUND_OFF)
        snprintf(text, size,
                 "no tolerance changes the error, and round-off may cause %.2g over these "
                 "macro-steps; take larger steps",
                 moved);
}
