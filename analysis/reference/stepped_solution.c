/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stepped_solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "instance_step.h"
#include "solution_pair.h"

struct ms_stepped_solution {
    ms_solution_pair pair;
    double error;
};

/* Of a step: the times at which both solutions meet the same event differ by less. */
static const double NEAR = 1e-6;

int ms_stepped_solution_create(const ms_system *system, int n, const double *fractions, bool uneven,
                               ms_stepped_solution **out, ms_error *error)
{
    ms_stepped_solution *s = calloc(1, sizeof *s);
    *out = s;
    if (s == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    int status = ms_solution_pair_create(system, uneven, &s->pair, error);
    if (status == MS_OK && ms_instance_sample(s->pair.main.instance, n, fractions) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
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
    solution->error = 0.0;
}

/* An event near the end of a step may have been handled by one solution and lie ahead of the other, so that
 * their difference is the event's jump and no error. Has it been handled near t by the one that is ahead? If
 * the other one does not follow, the difference is seen in the next step. */
static bool an_event_apart(const ms_solution_pair *pair, double t, double h)
{
    const ms_instance *main = pair->main.instance, *companion = pair->companion.instance;
    const ms_instance *ahead = main->work.events > companion->work.events ? main : companion;
    return main->work.events != companion->work.events && fabs(t - ahead->events->last) <= NEAR * h;
}

int ms_stepped_solution_step(ms_stepped_solution *solution, double t, double h)
{
    const ms_solution_pair *pair = &solution->pair;
    int status = ms_solution_step(&pair->main, t, h);
    if (status == MS_OK)
        status = ms_solution_step(&pair->companion, t, 0.5 * h);
    if (status == MS_OK)
        status = ms_solution_step(&pair->companion, t + 0.5 * h, 0.5 * h);
    if (status == MS_OK && !an_event_apart(pair, t + h, h))
        solution->error = fmax(solution->error, ms_solution_pair_difference(pair));
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
    return solution->error;
}
