/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "allocations.h"

enum {
    LEG = 3,
    COUNTED = 6,
    SKIPPED = 2
}; /* macro-steps of a leg; those in which allocations count, and before */

__attribute__((format(printf, 3, 4))) static int find(ms_finding *finding, ms_verdict_of_check verdict,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding->verdict = verdict;
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    return MS_OK;
}

/* Macro-steps ---------------------------------------------------------------------------------------------- */

/* What is repeated: legs from a point. */
typedef struct walker {
    ms_cosim *cosim;
    double t, H;
    bool gives_up;
    bool inner;  /* a subsystem keeps its state itself, of which the saved blocks have a number alone */
    size_t size; /* of a point that is compared: the saved blocks, or states alone, and the outputs */
    ms_error why;
} walker;

/* Steps of different lengths from w->t, or as the scheme plans them: histories with h1 != h2, of points that join where time events
 * cut them. The state after each is put into `trace` (may be NULL). */
static int walk(walker *w, double H, double *trace)
{
    static const double factor[LEG] = {1.0, 0.4375, 0.8125};
    ms_cosim *cosim = w->cosim;
    const size_t ny = (size_t)cosim->system->ny, state = w->size - ny;
    for (int n = 0; n < LEG; n++) {
        const ms_scheme *scheme = cosim->scheme;
        const double h = scheme->next_time != NULL ? scheme->next_time(cosim) - w->t : factor[n] * H;
        cosim->share = cosim->variant.at_time_events == MS_TIME_EVENTS_COMMUNICATE ? factor[n] : 1.0;
        const int status = ms_cosim_step(cosim, w->t, h);
        if (status != MS_OK && !(w->gives_up && status == MS_NOT_CONVERGED))
            return ms_fail(&w->why, status, "%s", cosim->error.text);
        w->t += status == MS_OK ? h : 0.0;
        if (trace != NULL) {
            if (w->inner)
                memcpy(trace, cosim->x, sizeof(double) * state);
            else
                ms_cosim_save(cosim, trace);
            memcpy(trace + state, cosim->y, sizeof(double) * ny);
            trace += w->size;
        }
    }
    return MS_OK;
}

static int begin(walker *w, const ms_system *system, const ms_options *options, double H, bool gives_up,
                 ms_error *error)
{
    *w = (walker){.H = H, .gives_up = gives_up, .t = options->start_time};
    const int status = ms_cosim_of_options(system, options, &w->cosim, error);
    for (int i = 0; i < system->n; i++) /* FMUs: for co-simulation, and with events */
        w->inner = w->inner || system->sub[i].stepper != NULL ||
                   (system->sub[i].said != NULL && system->sub[i].nz > 0);
    if (status == MS_OK)
        w->size = (w->inner ? (size_t)system->nx : ms_cosim_state_size(w->cosim)) + (size_t)system->ny;
    return status;
}

static int restart(walker *w)
{
    w->t = w->cosim->options->start_time;
    const int status = ms_cosim_start(w->cosim);
    return status == MS_OK ? MS_OK : ms_fail(&w->why, status, "%s", w->cosim->error.text);
}

static int broken(const walker *w, ms_finding *finding)
{
    return find(finding, MS_CHECK_FAILS, "a macro-step ends with: %.200s", w->why.text);
}

/* Restoring ------------------------------------------------------------------------------------------------ */

typedef struct legs {
    double *saved, *first, *second; /* a point, and two legs from it */
    size_t bytes;
    double t;
} legs;

static const char *const blocks =
    "everything that it remembers from one macro-step to the next must be in scheme_lin and scheme_aux, "
    "which are saved and restored; scheme_data is scratch";

/* From the saved point again. Returns false where the leg has other bits, or failed, as the finding says. */
static bool same_again(walker *w, const legs *l, const char *what, ms_finding *finding)
{
    ms_cosim_restore(w->cosim, l->saved);
    w->t = l->t;
    if (walk(w, w->H, l->second) != MS_OK)
        return broken(w, finding), false;
    if (memcmp(l->first, l->second, l->bytes) == 0)
        return true;
    return find(finding, MS_CHECK_FAILS, "%s differs: %s", what, blocks), false;
}

static int repeat_legs(walker *w, walker *fresh, legs *l, ms_finding *finding)
{
    if (restart(w) != MS_OK || walk(w, w->H, NULL) != MS_OK)
        return broken(w, finding);
    ms_cosim_save(w->cosim, l->saved);
    l->t = w->t;
    if (walk(w, w->H, l->first) != MS_OK)
        return broken(w, finding);
    if (!same_again(w, l, "a macro-step that is taken back and repeated", finding))
        return MS_OK;
    ms_cosim_restore(w->cosim, l->saved);
    w->t = l->t;
    if (walk(w, 0.77 * w->H, NULL) != MS_OK)
        return broken(w, finding);
    if (!same_again(w, l, "after a detour a macro-step that is taken back", finding))
        return MS_OK;
    if (!w->inner && restart(fresh) != MS_OK)
        return broken(fresh, finding);
    if (!w->inner &&
        !same_again(fresh, l, "a macro-step that is restored into another co-simulation", finding))
        return MS_OK;
    if (restart(w) != MS_OK || walk(w, w->H, NULL) != MS_OK || walk(w, w->H, l->second) != MS_OK)
        return broken(w, finding);
    if (memcmp(l->first, l->second, l->bytes) != 0)
        return find(finding, MS_CHECK_FAILS,
                    "a second start differs: start must set everything that step "
                    "reads");
    return find(finding, MS_CHECK_HOLDS, "the same bits again, after a detour, and %s",
                w->inner ? "after a second start" : "in another co-simulation");
}

int ms_check_restore(const ms_system *system, const ms_options *options, double H, bool gives_up,
                     ms_finding *finding, ms_error *error)
{
    walker w, fresh = {0};
    legs l = {0};
    const char *who = NULL;
    int status = begin(&w, system, options, H, gives_up, error);
    if (status == MS_OK && !ms_cosim_can_roll_back(w.cosim, &who))
        find(finding, MS_CHECK_NOT_ASKED, "subsystem %.100s cannot be taken back", who);
    else if (status == MS_OK)
        status = begin(&fresh, system, options, H, gives_up, error);
    if (status == MS_OK && fresh.cosim != NULL) {
        const size_t saved = ms_cosim_state_size(w.cosim);
        l.saved = calloc(saved + 2 * LEG * w.size + 1, sizeof *l.saved);
        l.first = l.saved != NULL ? l.saved + saved : NULL;
        l.second = l.saved != NULL ? l.first + LEG * w.size : NULL;
        l.bytes = sizeof(double) * LEG * w.size;
        status = l.saved != NULL ? repeat_legs(&w, &fresh, &l, finding)
                                 : ms_fail(error, MS_NO_MEMORY, "not enough memory for macro-steps");
    }
    free(l.saved);
    ms_cosim_destroy(&fresh.cosim);
    ms_cosim_destroy(&w.cosim);
    return status;
}

int ms_check_repeat(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                    ms_error *error)
{
    walker w[2] = {{0}};
    double *trace[2] = {NULL, NULL};
    int status = MS_OK;
    find(finding, MS_CHECK_HOLDS, "two co-simulations have the same bits");
    for (int k = 0; k < 2 && status == MS_OK && finding->verdict == MS_CHECK_HOLDS; k++) {
        status = begin(&w[k], system, options, H, true, error);
        trace[k] = status == MS_OK ? calloc(LEG * w[k].size, sizeof *trace[k]) : NULL;
        if (status == MS_OK && trace[k] == NULL)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for macro-steps");
        if (status == MS_OK && (restart(&w[k]) != MS_OK || walk(&w[k], H, trace[k]) != MS_OK))
            broken(&w[k], finding);
    }
    if (status == MS_OK && finding->verdict == MS_CHECK_HOLDS && trace[0] != NULL && trace[1] != NULL &&
        memcmp(trace[0], trace[1], sizeof(double) * LEG * w[0].size) != 0)
        find(finding, MS_CHECK_FAILS,
             "a second co-simulation differs from the first: data of the first one remain, such as a static "
             "variable, or uninitialised memory is read");
    for (int k = 0; k < 2; k++) {
        free(trace[k]);
        ms_cosim_destroy(&w[k].cosim);
    }
    return status;
}

/* Memory, masks -------------------------------------------------------------------------------------------- */

static int count_steps(walker *w, long *made)
{
    int status = restart(w);
    for (int n = 0; n < SKIPPED + COUNTED && status == MS_OK; n++) {
        const ms_cosim *cosim = w->cosim;
        const double h = cosim->scheme->next_time != NULL ? cosim->scheme->next_time(cosim) - w->t
                                                          : (n % 4 == 3 ? 0.5 * w->H : w->H);
        ms_allocations_count(true);
        status = ms_cosim_step(w->cosim, w->t, h);
        const long now = ms_allocations_count(false);
        *made += n >= SKIPPED ? now : 0;
        w->t += status == MS_OK ? h : 0.0;
        status = status == MS_NOT_CONVERGED && cosim->scheme->retries ? MS_OK : status;
        if (status != MS_OK)
            ms_fail(&w->why, status, "%s", cosim->error.text);
    }
    return status;
}

int ms_check_allocations(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                         ms_error *error)
{
    walker w;
    long made = 0;
    const int status = begin(&w, system, options, H, true, error);
    if (status == MS_OK && count_steps(&w, &made) != MS_OK)
        broken(&w, finding);
    else if (status == MS_OK && made > 0)
        find(finding, MS_CHECK_FAILS,
             "%ld allocations in %d macro-steps: memory must be allocated in create, by ms_cosim_alloc", made,
             COUNTED);
    else if (status == MS_OK)
        find(finding, MS_CHECK_HOLDS, "none in %d macro-steps", COUNTED);
    ms_cosim_destroy(&w.cosim);
    return status;
}

/* Refused in a line, or steps. */
static int try_mask(const ms_system *system, const ms_options *options, const char *mask, double H,
                    int *refused, ms_finding *finding)
{
    ms_options masked = *options;
    ms_error why = {""};
    walker w = {0};
    int status = ms_options_set(&masked, "mask", mask, &why);
    MS_THEN(status, begin(&w, system, &masked, H, true, &why));
    if (status == MS_NO_MEMORY)
        return MS_NO_MEMORY;
    *refused += status != MS_OK;
    if (status != MS_OK && why.text[0] == '\0')
        find(finding, MS_CHECK_FAILS, "with --mask '%s' it is refused without a message", mask);
    else if (status == MS_OK && (restart(&w) != MS_OK || walk(&w, H, NULL) != MS_OK))
        find(finding, MS_CHECK_FAILS,
             "with --mask '%s' a macro-step ends with: %.160s; its needs must list what it requires", mask,
             w.why.text);
    ms_cosim_destroy(&w.cosim);
    return MS_OK;
}

int ms_check_masks(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                   ms_error *error)
{
    static const char *const masks[] = {"*:rollback", "*:directional-derivatives", "*:reevaluate-outputs",
                                        "*:input-degree=0", "*:output-derivatives=0"};
    enum { TRIED = sizeof masks / sizeof masks[0] };
    int refused = 0;
    finding->verdict = MS_CHECK_HOLDS;
    for (int k = 0; k < TRIED && finding->verdict == MS_CHECK_HOLDS; k++)
        MS_TRY_MEMORY_FOR(try_mask(system, options, masks[k], H, &refused, finding) == MS_OK, error,
                          "macro-steps");
    return finding->verdict != MS_CHECK_HOLDS
               ? MS_OK
               : find(finding, MS_CHECK_HOLDS,
                      "of %d missing capabilities %d are refused, and it works without the others",
                      (int)TRIED, refused);
}

/* Orders --------------------------------------------------------------------------------------------------- */

/* The largest error of a run with macro-steps of length H up to `end`; NaN: it gave up. *floor: below which it means nothing. */
static int error_of(const ms_system *system, const ms_options *options, double end, double H, double *largest,
                    double *floor, ms_error *error)
{
    ms_options timed = *options;
    ms_simulation run = {0};
    char text[32];
    snprintf(text, sizeof text, "%.17g", end);
    int status = ms_options_set(&timed, "stop-time", text, error);
    snprintf(text, sizeof text, "%.17g", H);
    MS_THEN(status, ms_options_set(&timed, "step-size", text, error));
    MS_THEN(status, ms_simulation_run(system, &timed, &(ms_simulation_options){.errors = true}, &run, error));
    *largest = status == MS_OK && run.errors_valid ? run.errors.max : (double)NAN;
    *floor = 50.0 * run.errors.reference_error + 1e-13 * (1.0 + run.errors.reference_scale);
    ms_simulation_destroy(&run);
    return status;
}

int ms_observe_order(const ms_system *system, const ms_options *options, int claimed, int finer,
                     double *order, ms_error *error)
{
    double e[3], floor = 0.0;
    const double end =
        system->step_size; /* nothing crosses zero so soon, where negotiated power loses its order */
    for (int k = 0; k < 3; k++) {
        const double H = ldexp(end, (claimed < 6 ? claimed - 6 - k : -k) - finer);
        MS_TRY(error_of(system, options, end, H, &e[k], &floor, error));
    }
    if (e[2] <= floor)
        return ms_fail(error, MS_INVALID, "the error %g is at the floor %g", e[2], floor);
    *order = 2.0 * log2(e[1] / e[2]) - log2(e[0] / e[1]);
    return MS_OK;
}

/* Settings that make everything but the macro-steps practically exact. */
static int set_precise(const ms_scheme *scheme, ms_options *options, ms_error *error)
{
    static const char *const always[][2] = {{"solver-rtol", "1e-13"}, {"solver-atol", "1e-13"}};
    static const char *const iterated[][2] = {
        {"epsilon", "1e-13"}, {"max-iterations", "400"}, {"step-rule", "fixed"}};
    int status = MS_OK;
    for (int k = 0; k < 2 && status == MS_OK; k++)
        status = ms_options_set(options, always[k][0], always[k][1], error);
    if (status == MS_OK && scheme->laws)
        status = ms_options_set(options, "solver", "gsl-rk8pd", error);
    for (int k = 0; k < 3 && status == MS_OK && ms_scheme_knows(scheme, MS_OPTION_EPSILON); k++)
        status = ms_options_set(options, iterated[k][0], iterated[k][1], error);
    return status;
}

int ms_check_order(const ms_system *system, const ms_options *options, ms_finding *finding, ms_error *error)
{
    const double logarithm = 0.3; /* orders are claimed up to factors of log(1/H) */
    ms_options precise = *options;
    double order = NAN;
    int status = set_precise(ms_scheme_find(options->scheme), &precise, error);
    const int claimed = status == MS_OK ? ms_scheme_order_on(system, &precise) : 0;
    if (claimed < 0)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the claimed order");
    if (status != MS_OK || claimed == 0 || !system->linear)
        return status != MS_OK
                   ? status
                   : find(finding, MS_CHECK_NOT_ASKED, system->linear ? "none is claimed" : "not linear");
    for (int finer = 0; finer <= 7 && status == MS_OK && !(order >= claimed - logarithm); finer += 7)
        status = ms_observe_order(system, &precise, claimed, finer, &order, error);
    if (status != MS_OK && status != MS_NO_MEMORY && status != MS_INTERRUPTED)
        return find(finding, MS_CHECK_NOT_ASKED, "%.300s", error->text);
    if (status != MS_OK)
        return status;
    if (isnan(order))
        return find(finding, MS_CHECK_NOT_ASKED, "a run does not reach its end");
    if (order < claimed - logarithm)
        return find(finding, MS_CHECK_FAILS, "observed %.2f, but order, or claims, says %d", order, claimed);
    return find(finding, MS_CHECK_HOLDS,
                order > claimed + logarithm ? "observed %.2f, more than the claimed %d"
                                            : "observed %.2f, claimed %d",
                order, claimed);
}
