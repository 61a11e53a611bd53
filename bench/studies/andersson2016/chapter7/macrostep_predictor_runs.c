/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Driven subsystems from many random starts. */
#include "macrostep_predictor.h"
#include "measurement.h"

#include <math.h>

const double ms_start_tolerances[TOLERANCES] = {1e-4, 1e-6, 1e-8};

const ms_start_problem ms_start_problems[PROBLEMS] = {
    {"mass, linear",
     "mass-spring-damper --subsystem right --stop-time 2 --segments 19 --input-shape linear",
     {"x1", "v1", "x2", "v2"},
     {1.0, 5.0, 1.0, 5.0},
     2},
    {"mass, constant",
     "mass-spring-damper --subsystem right --stop-time 2 --segments 19 --input-shape constant",
     {"x1", "v1", "x2", "v2"},
     {1.0, 5.0, 1.0, 5.0},
     0},
    {"mass, interpolated",
     "mass-spring-damper --subsystem right --stop-time 2 --segments 19 --input-shape interpolated",
     {"x1", "v1", "x2", "v2"},
     {1.0, 5.0, 1.0, 5.0},
     0},
    {"pendulum, constant",
     "coupled-pendula --case stiff --subsystem left --stop-time 2 --segments 39 --input-shape constant",
     {"theta1", "omega1", "theta2", "omega2"},
     {0.8, 2.0, 0.8, 2.0},
     3},
};

/* Runs ------------------------------------------------------------------------------------------------- */

/* Uniform in [-1, 1], a function of its arguments alone: Steele, Lea and Flood's mixer (SplitMix64, 2014). */
static double uniform(int problem, int start, int k)
{
    unsigned long long z =
        0x9e3779b97f4a7c15ULL * (unsigned long long)(1 + k + STATES * (start + STARTS * problem));
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return ldexp((double)((z ^ (z >> 31)) >> 11), -52) - 1.0;
}

/* The runs of a problem with the tolerances from first to last. */
typedef struct start_runs {
    int problem, first, last;
    ms_study study;
    ms_drive_call call;
    results *all;
} start_runs;

static void run_modes(const ms_open_loop *open_loop, const start_runs *runs, outcome of[TOLERANCES][MS_MODES])
{
    for (int k = runs->first; k <= runs->last; k++)
        for (int m = 0; m < MS_MODES; m++) {
            ms_options options;
            ms_open_loop_result result;
            ms_options_default(&options);
            options.solver_rtol = ms_start_tolerances[k];
            options.solver_atol = 1e-2 * ms_start_tolerances[k];
            options.input_change = m;
            if (ms_open_loop_run(open_loop, &options, NULL, &result, NULL) != MS_OK)
                continue;
            if (result.reason == MS_REASON_END_TIME)
                of[k][m] = (outcome){(double)result.work.micro_steps, (double)result.work.rhs_evaluations,
                                     result.own_largest.max, (double)result.work.jacobian_evaluations,
                                     (double)result.work.error_test_failures};
            ms_open_loop_result_destroy(&result);
        }
}

static int run_start(void *self, int start, const volatile sig_atomic_t *stop, ms_error *error)
{
    (void)stop, (void)error;
    const start_runs *runs = self;
    const ms_start_problem *problem = &ms_start_problems[runs->problem];
    const ms_system *of = runs->study.system;
    outcome(*to)[MS_MODES] = runs->all->of[runs->problem][start];
    ms_setting settings[STATES];
    ms_system *system = NULL;
    ms_open_loop *open_loop = NULL;
    for (int k = 0; k < TOLERANCES; k++)
        for (int m = 0; m < MS_MODES; m++)
            to[k][m] = (outcome){NAN, NAN, NAN, NAN, NAN};
    for (int k = 0; k < STATES; k++)
        settings[k] =
            (ms_setting){problem->parameter[k], problem->span[k] * uniform(runs->problem, start, k)};
    if (ms_system_create(of->model, of->case_name, settings, STATES, &system, NULL) == MS_OK &&
        ms_drive_create(&runs->call, system, &open_loop, NULL) == MS_OK)
        run_modes(open_loop, runs, to);
    ms_open_loop_destroy(&open_loop);
    ms_system_destroy(&system);
    return MS_OK;
}

int ms_starts_run(ms_drawing *drawing, int problem, int first, int last, results *all, ms_error *error)
{
    start_runs runs = {.problem = problem, .first = first, .last = last, .all = all};
    int status = ms_study_bind(drawing, &runs.study, error,
                               "drive %s --input-change correct-2 --solver-rtol 1e-6 --solver-atol 1e-8",
                               ms_start_problems[problem].command);
    MS_THEN(status, ms_drive_read(runs.study.arguments, runs.study.system, &runs.call, error));
    MS_THEN(status, ms_study_parallel(drawing, STARTS, run_start, &runs, error));
    ms_study_destroy(&runs.study);
    return status;
}

/* What figure files get of them, "random-starts PROBLEM FIRST LAST": a row for each start, tolerance and mode ------------- */

static void give_row(json_t *answer, int tolerance, int mode, const outcome *o)
{
    static const char *const names[] = {"tolerance", "mode",           "steps", "fevals",
                                        "jacobians", "error_failures", "own"};
    const double row[] = {tolerance, mode, o->steps, o->evaluations, o->jacobians, o->failures, o->error};
    for (int k = 0; k < MS_COUNT(names); k++)
        ms_measured_append(answer, names[k], row[k]);
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[3]; /* problem, first and last tolerance */
    (void)ms_measurement_numbers(words, MS_COUNT(number), number);
    const int problem = (int)number[0], first = (int)number[1], last = (int)number[2];
    results *all = calloc(1, sizeof *all);
    MS_TRY_MEMORY_FOR(all != NULL, error, "a figure");
    const int status = ms_starts_run(drawing, problem, first, last, all, error);
    for (int s = 0; s < STARTS && status == MS_OK; s++)
        for (int k = first; k <= last; k++)
            for (int m = 0; m < MS_MODES; m++)
                give_row(answer, k, m, &all->of[problem][s][k][m]);
    free(all);
    return status;
}

const ms_measurement ms_measurement_random_starts = {"random-starts", measure, NULL};
