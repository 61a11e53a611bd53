/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stepped_solution.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "solution_pair.h"

struct ms_stepped_solution {
    ms_solution_pair pair;
    double fraction[MS_SAMPLES_MAX + 1];
    double reached; /* where the last step ended [s] */
};

/* Of a step: the times at which both solutions meet the same event differ by less. */
static const double NEAR = 1e-6;

int ms_stepped_solution_create(const ms_system *system, int n, const double *fractions, bool uneven,
                               ms_stepped_solution **out, ms_error *error)
{
    ms_stepped_solution *s = calloc(1, sizeof *s);
    *out = s;
    MS_TRY_MEMORY_FOR(s != NULL, error, "the reference solution");
    for (int k = 0; k < n; k++)
        s->fraction[k] = fractions[k];
    const ms_solution_use use = {.changing = uneven, .n = n, .fractions = s->fraction};
    const int status = ms_solution_pair_create(system, &use, &s->pair, error);
    if (status != MS_OK)
        ms_stepped_solution_destroy(out);
    return status;
}

void ms_stepped_solution_destroy(ms_stepped_solution **solution)
{
    if (*solution == NULL)
        return;
    ms_solution_pair_destroy(&(*solution)->pair);
    free(*solution);
    *solution = NULL;
}

void ms_stepped_solution_start(ms_stepped_solution *solution)
{
    ms_solution_pair_start(&solution->pair);
    solution->reached = NAN;
}

/* Events and switches. */
static long events_of(const ms_instance *instance)
{
    return instance->work.events + instance->work.switches;
}

/* An event near the end of a step may have been handled by one solution and lie ahead of the other, so that
 * their difference is the event's jump and no error. Has it been handled near t by the one that is ahead? If
 * the other one does not follow, the difference is seen in the next step. */
static bool an_event_apart(const ms_solution_pair *pair, double t, double h)
{
    const ms_instance *main = pair->main.instance, *companion = pair->companion.instance;
    const long more = events_of(main) - events_of(companion);
    const ms_instance *ahead = more > 0 ? main : companion;
    return more != 0 && fabs(t - ahead->events->last) <= NEAR * h;
}

/* A step begins where the last one ended, though its t differs by round-off: these differences, summed over a run, would be
 * time that the solution never spends. Exponentials use the requested lengths. */
static double begin_of(const ms_stepped_solution *solution, double t)
{
    const bool linear = solution->pair.whole->sub[0].matrices != NULL;
    return !linear && fabs(t - solution->reached) <= 4.0 * DBL_EPSILON * fabs(t) ? solution->reached : t;
}

int ms_stepped_solution_step(ms_stepped_solution *solution, double given, double length)
{
    ms_solution_pair *pair = &solution->pair;
    const double t = begin_of(solution, given), h = t == given ? length : given + length - t;
    pair->run_steps++;
    int status = ms_solution_pair_lead(pair, t, h);
    solution->reached = given + length;
    MS_THEN(status, ms_solution_pair_follow(pair, t, h));
    if (status == MS_OK && !an_event_apart(pair, t + h, h))
        ms_solution_pair_compare(pair);
    return status;
}

const double *ms_stepped_solution_state(const ms_stepped_solution *solution)
{
    return solution->pair.main.x;
}

const double *ms_stepped_solution_samples(const ms_stepped_solution *solution)
{
    return solution->pair.main.instance->samples;
}

const double *ms_stepped_solution_discrete(const ms_stepped_solution *solution)
{
    return solution->pair.main.z;
}

double ms_stepped_solution_error(const ms_stepped_solution *solution)
{
    return ms_solution_pair_error(&solution->pair, 0.0);
}
