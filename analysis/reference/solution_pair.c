/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solution_pair.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "branching.h"
#include "event_round_off.h"
#include "long_call.h"
#include "monolithic.h"
#include "solution_solver.h"
#include "stiffness.h"

/* Tolerances of nonlinear models. Below them nothing is gained: over 2 s of example-6.3.1 gsl-rk8pd errs by 1e-15 to
 * 4e-14 and over 5 s of double-pendulum, which amplifies errors, by 3e-14 to 6e-13 (steps 0.1 to 0.001), all round-off.
 * CVODE's Adams errs there by up to 2e-13 and 4e-11, and with a tolerance of 3e-15 by 2e-14 and 6e-12. */
static const double ATOL = 1e-14, COMPANION_FACTOR = 10.0;

/* Of the implicit methods, which keep small states to round-off as well: polynomials ask for that. */
static const double IMPLICIT_ATOL = 1e-22;

/* Of differential-algebraic models. Below them nothing is gained: over 2 s of a pendulum of index 1 ida
 * errs by 1e-12 to 2e-11 with 1e-11 to 1e-13, and with 1e-14 its convergence tests fail. */
static const double DAE_RTOL = 1e-11, DAE_ATOL = 1e-12;

/* Of more states the implicit methods' matrices cost too much. */
enum { IMPLICIT_STATES = 128 };

/* The explicit method's micro-steps between looks at stiffness; on the real axis it is stable up to some 5, and where accuracy
 * bounds its steps they are below 1. */
enum { LOOK_AFTER = 200 };
static const double STIFF = 1.5;

/* Of the bound. Of 150 references of problems with closed forms (tests/analysis/reference/test_reference_bound.c) none has an error of
 * more than twice the largest difference, which in the median is 1.4 times it. */
static const double SAFETY = 10.0;

/* Evaluations of f by both: at first, and for each of the model's own macro-steps, or of the run's where these are more. */
static const double EVALUATIONS = 1e6, EVALUATIONS_EACH = 1000.0;

/* Breakpoints of a step whose round-off counts. */
enum { JUMPS_MAX = 1000 };

/* Of a time: breakpoints that are nearer to each other are one up to round-off. */
static const double NEAR = 64.0 * DBL_EPSILON;

/* Micro-steps of an implicit method in one step: it needs few where a step is as long as polynomials hold. */
enum { IMPLICIT_STEPS_MAX = 5000 };

/* Solvers ------------------------------------------------------------------------------------------------ */

static ms_solver_options options_of(const ms_solution_pair *pair, const ms_solver *solver,
                                    const ms_solution *s)
{
    const bool dae = s->system->sub[0].residual != NULL;
    return (ms_solver_options){.rtol = s->factor * (dae ? DAE_RTOL : MS_SOLUTION_RTOL),
                               .atol = s->factor * (dae             ? DAE_ATOL
                                                    : solver->stiff ? IMPLICIT_ATOL
                                                                    : ATOL),
                               .micro_steps = 1,
                               .input_change = MS_INPUT_RESTART,
                               .series = pair->use.changing ? MS_SERIES_ALL : MS_SERIES_NEVER};
}

static int create_instance(const ms_solution_pair *pair, const ms_solver *solver, const ms_solution *s,
                           ms_instance **instance, ms_error *error)
{
    const ms_solver_options options = options_of(pair, solver, s);
    MS_TRY(ms_instance_create(&(ms_instance_parts){.system = s->system,
                                                   .index = 0,
                                                   .solver = solver,
                                                   .options = &options,
                                                   .x = s->x,
                                                   .z = s->z,
                                                   .memory = s->memory,
                                                   .room = {.pieces = 1},
                                                   .unsolved = s->waits},
                              instance, error));
    if (solver->stiff)
        (*instance)->micro_steps_max = IMPLICIT_STEPS_MAX;
    if (ms_events_keep_round_off(*instance) == MS_OK)
        return MS_OK;
    ms_instance_destroy(instance);
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
}

/* Its solver where it waits for that. Returns MS_OK or MS_NO_MEMORY. */
static int solve(const ms_solution_pair *pair, ms_solution *s)
{
    if (!s->waits)
        return MS_OK;
    const ms_solver_options options = options_of(pair, s->instance->solver, s);
    MS_TRY_MEMORY(ms_instance_solve(s->instance, &options, NULL) == MS_OK);
    s->waits = false;
    return MS_OK;
}

static int create_main(const ms_solution_pair *pair, const ms_solver *solver, ms_instance **instance,
                       ms_error *error)
{
    const int status = create_instance(pair, solver, &pair->main, instance, error);
    if (status != MS_OK || ms_instance_sample(*instance, pair->use.n, pair->use.fractions) == MS_OK)
        return status;
    ms_instance_destroy(instance);
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
}

/* May implicit methods take it? */
static bool is_small(const ms_solution_pair *pair)
{
    return pair->whole->nx <= IMPLICIT_STATES;
}

/* Replaces the solver by another one, which continues from the present point. */
static int replace(ms_solution *s, ms_instance *by)
{
    by->work = s->instance->work;
    s->at_rest = s->instance;
    s->instance = by;
    s->memory[0] = 0.0;
    return MS_OK;
}

static int turn_stiff(ms_solution_pair *pair)
{
    ms_instance *main = NULL, *companion = NULL;
    pair->companion.factor = 1.0;
    int status = create_main(pair, ms_solution_solver_of_stiff(), &main, NULL);
    MS_THEN(status, create_instance(pair, ms_solution_second_of_stiff(), &pair->companion, &companion, NULL));
    if (status != MS_OK) {
        ms_instance_destroy(&main);
        return MS_NO_MEMORY;
    }
    pair->turns = pair->explicit = false;
    replace(&pair->main, main);
    return replace(&pair->companion, companion);
}

int ms_solution_pair_leave_series(ms_solution_pair *pair)
{
    ms_instance *companion = NULL;
    if (!is_small(pair))
        return MS_OK;
    pair->companion.factor = 1.0;
    MS_TRY_MEMORY(create_instance(pair, ms_solution_solver_of_stiff(), &pair->companion, &companion, NULL) ==
                  MS_OK);
    return replace(&pair->companion, companion);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void place(const ms_system *whole, double *block, ms_solution *s)
{
    s->x = block;
    s->z = s->x + whole->nx;
    s->memory = s->z + whole->nz;
}

static bool by_series(const ms_solution_pair *pair)
{
    return pair->whole->sub[0].matrices != NULL && pair->use.series;
}

/* The companion's solver; that of the first one where no other fits. */
static const ms_solver *second_solver(const ms_solution_pair *pair, const ms_solver *first)
{
    if (by_series(pair))
        return first;
    if (is_small(pair))
        return ms_solution_solver_of_stiff();
    return pair->whole->sub[0].f != NULL ? ms_solution_second_of_many() : first;
}

static int create_both(const ms_system *system, ms_solution_pair *pair, ms_error *error)
{
    const ms_solver *solver = ms_solution_solver(&pair->whole->sub[0]), *second = second_solver(pair, solver);
    pair->main.factor = 1.0;
    pair->companion.factor = second != solver ? 1.0 : COMPANION_FACTOR;
    pair->main.waits = system->linear && pair->use.series;
    pair->companion.waits = pair->main.waits && pair->whole->sub[0].matrices == NULL;
    int status = create_main(pair, solver, &pair->main.instance, error);
    MS_THEN(status, create_instance(pair, second, &pair->companion, &pair->companion.instance, error));
    pair->apart = second != solver || by_series(pair);
    return status;
}

/* The companion's model: that of the first one, or its state-space form where that has a residual. */
static int create_form(ms_solution_pair *pair)
{
    pair->main.system = pair->companion.system = pair->whole;
    if (pair->whole->sub[0].residual == NULL || !is_small(pair))
        return MS_OK;
    MS_TRY(ms_state_space_form_create(pair->whole, &pair->form));
    pair->companion.system = ms_state_space_form_system(pair->form);
    return MS_OK;
}

static int create_block(ms_solution_pair *pair)
{
    const ms_system *whole = pair->whole;
    const int memory = ms_solver_memory(ms_solution_solver(&whole->sub[0]), whole->nx) + 1;
    pair->size = (size_t)(whole->nx + whole->nz + memory);
    pair->block = calloc(3 * pair->size + 5 * (size_t)whole->nx, sizeof *pair->block);
    MS_TRY_MEMORY(pair->block);
    place(whole, pair->block, &pair->main);
    place(whole, pair->block + pair->size, &pair->companion);
    pair->largest_of = pair->block + 3 * pair->size + 4 * whole->nx;
    return create_form(pair);
}

int ms_solution_pair_create(const ms_system *system, const ms_solution_use *use, ms_solution_pair *pair,
                            ms_error *error)
{
    *pair = (ms_solution_pair){.use = *use};
    int status = ms_monolithic_create(system, &pair->whole, error);
    if (status != MS_OK)
        return status;
    if (create_block(pair) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    MS_THEN(status, create_both(system, pair, error));
    if (status == MS_OK)
        ms_solution_pair_start(pair);
    else
        ms_solution_pair_destroy(pair);
    return status;
}

static void destroy(ms_solution *s)
{
    ms_instance_destroy(&s->instance);
    ms_instance_destroy(&s->at_rest);
}

void ms_solution_pair_destroy(ms_solution_pair *pair)
{
    destroy(&pair->main);
    destroy(&pair->companion);
    ms_state_space_form_destroy(&pair->form);
    ms_monolithic_destroy(&pair->whole);
    free(pair->block);
    *pair = (ms_solution_pair){0};
}

static void start(const ms_system *whole, ms_solution *s)
{
    if (s->at_rest != NULL) {
        ms_instance_destroy(&s->instance);
        s->instance = s->at_rest;
        s->at_rest = NULL;
    }
    ms_system_start(whole, s->x);
    ms_system_start_discrete(whole, s->z);
    s->instance->work = (ms_work){0};
    if (s->system->sub[0].residual == NULL)
        return;
    s->instance->input.end[0] = whole->step_size; /* where it fails the first step does, too */
    ms_instance_make_consistent(s->instance, 0.0, whole->step_size);
}

/* Both begin on the same branch of the algebraic equations. */
static void start_form(ms_solution_pair *pair)
{
    memcpy(pair->companion.x, pair->main.x, sizeof(double) * (size_t)pair->whole->nx);
    ms_state_space_form_start(pair->form, pair->main.x);
}

void ms_solution_pair_start(ms_solution_pair *pair)
{
    const ms_subsystem *sub = &pair->whole->sub[0];
    memset(pair->block, 0, sizeof(double) * 2 * pair->size);
    start(pair->whole, &pair->main);
    start(pair->whole, &pair->companion);
    if (pair->form != NULL)
        start_form(pair);
    pair->explicit = is_small(pair) && sub->f != NULL;
    pair->turns = false;
    pair->span = pair->difference = pair->largest = 0.0;
    pair->steps = pair->run_steps = 0;
    pair->looked = false;
    while (ms_events_take_met(pair->main.instance, &(double){0.0}) != NULL)
        ;
    for (int j = 0; j < pair->whole->nx; j++)
        pair->largest_of[j] = fabs(pair->main.x[j]);
    pair->begin = NAN;
    pair->noise = 1;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* Is there no more work to be done up to time t? */
static bool is_spent(const ms_solution_pair *pair, double t)
{
    const double done =
        (double)(pair->main.instance->work.rhs_evaluations + pair->companion.instance->work.rhs_evaluations);
    const double steps = fmax((t - pair->begin) / pair->whole->step_size, (double)pair->run_steps);
    return done > EVALUATIONS + EVALUATIONS_EACH * steps;
}

/* After a step of the explicit method: has its stability bounded its micro-steps? Returns MS_OK or MS_NO_MEMORY. */
static int check_difference(ms_solution_pair *pair, double t, double h, long steps)
{
    pair->span += h;
    pair->steps += steps;
    if (pair->steps < LOOK_AFTER)
        return MS_OK;
    const double rate = STIFF * (double)pair->steps / pair->span;
    pair->span = 0.0;
    pair->steps = 0;
    return ms_stiffness_exceeds(pair->main.instance, t, rate, &pair->turns);
}

static int lead_explicitly(ms_solution_pair *pair, double t, double h)
{
    const size_t bytes = sizeof(double) * pair->size;
    double *saved = pair->block + 2 * pair->size;
    const long before = pair->main.instance->work.micro_steps;
    memcpy(saved, pair->main.x, bytes);
    int status = ms_solution_step(&pair->main, t, h);
    const long steps = pair->main.instance->work.micro_steps - before;
    if (status == MS_OK)
        return check_difference(pair, t + h, h, steps);
    if (steps < pair->main.instance->micro_steps_max)
        return status;
    memcpy(pair->main.x, saved, bytes);
    status = turn_stiff(pair);
    return status == MS_OK ? ms_solution_step(&pair->main, t, h) : status;
}

int ms_solution_pair_lead(ms_solution_pair *pair, double t, double h)
{
    if (isnan(pair->begin))
        pair->begin = t;
    if (is_spent(pair, t) || ms_long_call_stopped())
        return MS_SPENT;
    int status = solve(pair, &pair->main);
    if (status == MS_OK && pair->turns)
        status = turn_stiff(pair);
    if (status != MS_OK)
        return status;
    return pair->explicit ? lead_explicitly(pair, t, h) : ms_solution_step(&pair->main, t, h);
}

/* Up or down by the highest bit of a linear congruential sequence (Knuth, The Art of Computer Programming 2, 3.3.4). */
void ms_solution_pair_perturb(ms_solution_pair *pair)
{
    for (int j = 0; j < pair->whole->nx; j++) {
        pair->noise = pair->noise * 6364136223846793005U + 1442695040888963407U;
        pair->companion.x[j] *= pair->noise >> 63 != 0 ? 1.0 + DBL_EPSILON : 1.0 - DBL_EPSILON;
    }
}

/* x' at t and x, with the companion's discrete variables. */
static int slope_at(ms_solution_pair *pair, double t, const double *x, double *dx)
{
    ms_point at = {.t = t, .x = x, .z = pair->companion.z};
    return ms_subsystem_f(pair->companion.system, 0, &at, pair->companion.instance->w, dx);
}

/* By the jump of x' at t, and by its change since the previous breakpoint, as along a steep ramp: the time of the kink is
 * known only up to round-off. The value after one is kept for the next. */
static void move_by_jump(ms_solution_pair *pair, double t, bool first)
{
    const int nx = pair->whole->nx;
    double *before = pair->block + 3 * pair->size, *behind = before + nx;
    double *x = pair->companion.x;
    const double off = ms_subsystem_time_round_off(pair->whole, 0, t, pair->companion.z);
    if (slope_at(pair, t - 2.0 * off, x, before) != 0)
        return;
    for (int j = 0; j < nx && !first; j++)
        x[j] += off * fabs(before[j] - behind[j]);
    if (slope_at(pair, t + 2.0 * off, x, behind) != 0)
        return;
    for (int j = 0; j < nx; j++)
        x[j] += off * fabs(behind[j] - before[j]);
}

/* Breakpoints that are one up to round-off, though between them x' may be large, as the ends of a pulse of a few numbers of double
 * precision: a method that meets one of these takes it for all. */
static void move_by_pulse(ms_solution_pair *pair, double from, double to)
{
    const int nx = pair->whole->nx;
    double *within = pair->block + 3 * pair->size, *behind = within + nx, *most = behind + nx,
           *x = pair->companion.x;
    if (!(to - from <= NEAR * fabs(from)) || slope_at(pair, to, x, behind) != 0)
        return;
    memset(most, 0, sizeof *most * (size_t)nx);
    double t = from;
    while (t < to) {
        const bool known = slope_at(pair, t, x, within) == 0;
        for (int j = 0; known && j < nx; j++)
            most[j] = fmax(most[j], fabs(within[j] - behind[j]));
        t = nextafter(t, to);
    }
    for (int j = 0; j < nx; j++)
        x[j] += (to - from) * most[j];
}

/* All breakpoints of a step; an equation that has more of them than this has lost its accuracy otherwise. */
static void move_by_jumps(ms_solution_pair *pair, double t, double h)
{
    const ms_subsystem *sub = &pair->companion.system->sub[0];
    if (sub->next_time == NULL || ms_subsystem_announces(sub))
        return;
    double due = ms_subsystem_next_time(pair->whole, 0, t, pair->companion.z);
    for (int k = 0; k < JUMPS_MAX && due <= t + h; k++) {
        move_by_jump(pair, due, k == 0);
        const double before = due;
        due = ms_subsystem_next_time(pair->whole, 0, due, pair->companion.z);
        move_by_pulse(pair, before, due);
    }
}

/* The change of x' at t by round-off of the states x. */
static int round_off_at(ms_solution_pair *pair, double t, const double *x, double *change)
{
    const int nx = pair->whole->nx;
    double *near = pair->block + 3 * pair->size, *moved = near + nx;
    if (slope_at(pair, t, x, change) != 0)
        return 1;
    for (int j = 0; j < nx; j++)
        moved[j] = x[j] * (j % 2 == 0 ? 1.0 + DBL_EPSILON : 1.0 - DBL_EPSILON);
    const int status = slope_at(pair, t, moved, near);
    for (int j = 0; j < nx; j++)
        change[j] = fabs(near[j] - change[j]);
    return status;
}

/* Of a stiff model x' is a small difference of large terms, whose round-off both methods make alike: it is as large as that change, at the
 * beginning of a step or at its end, which the first one has reached. Over the step the companion's x' has it. NULL: it has nothing. */
static const double *bias_of(ms_solution_pair *pair, double t, double h)
{
    const int nx = pair->whole->nx;
    double *bias = pair->block + 3 * pair->size + 2 * nx, *end = bias + nx;
    if (pair->explicit || pair->whole->sub[0].f == NULL ||
        round_off_at(pair, t, pair->companion.x, bias) != 0 ||
        round_off_at(pair, t + h, pair->main.x, end) != 0)
        return NULL;
    for (int j = 0; j < nx; j++)
        bias[j] = fmin(bias[j], end[j]);
    return bias;
}

/* Looked for where both begin, and where the first one has met switches: who finds one such point at the end of a step stays there. */
static bool branches(ms_solution_pair *pair, double t)
{
    ms_instance *main = pair->main.instance;
    const bool looks = !pair->whole->linear && pair->whole->sub[0].f != NULL && is_small(pair);
    bool found = looks && !pair->looked && ms_solution_branches(main, t, pair->companion.x, pair->largest_of);
    double met;
    pair->looked = true;
    for (const double *x = ms_events_take_met(main, &met); x != NULL; x = ms_events_take_met(main, &met))
        found = found || (looks && ms_solution_branches(main, met, x, pair->largest_of));
    return found;
}

int ms_solution_pair_follow(ms_solution_pair *pair, double t, double h)
{
    const int parts = pair->apart ? 1 : 2;
    int status = branches(pair, t) ? MS_DISAGREE : solve(pair, &pair->companion);
    ms_monolithic_set_bias(pair->whole, bias_of(pair, t, h));
    for (int k = 0; k < parts && status == MS_OK; k++)
        status = ms_solution_step(&pair->companion, t + k * (h / parts), h / parts);
    ms_monolithic_set_bias(pair->whole, NULL);
    if (status != MS_OK || pair->companion.system->sub[0].residual != NULL)
        return status; /* moved, states of a residual would not be consistent */
    move_by_jumps(pair, t, h);
    ms_events_add_round_off(pair->main.instance, pair->companion.x);
    ms_events_add_round_off(pair->companion.instance, pair->companion.x);
    ms_solution_pair_perturb(pair);
    if (pair->form != NULL &&
        ms_state_space_form_complete(pair->form, t + h, pair->companion.x, pair->companion.z) != 0)
        return MS_SOLVER_FAILED;
    return MS_OK;
}

void ms_solution_pair_compare(ms_solution_pair *pair)
{
    for (int j = 0; j < pair->whole->nx; j++) {
        pair->difference = fmax(pair->difference, fabs(pair->main.x[j] - pair->companion.x[j]));
        pair->largest_of[j] = fmax(pair->largest_of[j], fabs(pair->main.x[j]));
        pair->largest = fmax(pair->largest, pair->largest_of[j]);
    }
}

/* A difference that is smaller than round-off of the values is so by chance, unless there is no error at all. */
double ms_solution_pair_error(const ms_solution_pair *pair, double missed)
{
    const bool exact = pair->difference == 0.0 && missed == 0.0;
    return exact ? 0.0 : SAFETY * (pair->difference + DBL_EPSILON * pair->largest) + missed;
}
