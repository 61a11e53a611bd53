/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), 9.3.4: where the time of a co-simulation (9.9), (9.10) goes, and what a second thread saves. Table 9.7.
 *
 * The race car is commercial; the full car has as many subsystems, coupled in the same way. Its subsystems
 * are cheap: rk4 with M micro-steps in each macro-step makes them as expensive as wanted. The micro-solver of each
 * instance is timed; everything else (evaluation of outputs, exchange, the scheme) is overhead. Times are those of
 * the fastest of several runs, in parts of that of a serial run. */
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <unistd.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "figure.h"
#include "study.h"

enum { SUBSYSTEMS = 5, CHASSIS = 0, THREADS = 2, ROUNDS = 5 };

/* Micro-steps in a macro-step, and the end of the run [s]. */
static const struct {
    int micro_steps;
    double stop_time;
} weights[] = {{1, 10.0}, {10, 5.0}, {100, 2.0}, {1000, 0.3}};

enum { WEIGHTS = MS_COUNT(weights) };

/* Clocks ------------------------------------------------------------------------------------------------- */

/* The micro-solver of a co-simulation with a clock around it; one co-simulation at a time, each subsystem
 * on one thread. */
static struct {
    ms_solver solver;
    int (*advance)(ms_instance *instance, int piece, double t0, double h);
    double seconds[SUBSYSTEMS];
} timed;

static int timed_advance(ms_instance *instance, int piece, double t0, double h)
{
    const double begin = ms_wall_seconds();
    const int status = timed.advance(instance, piece, t0, h);
    timed.seconds[instance->index] += ms_wall_seconds() - begin;
    return status;
}

static void put_clocks(ms_cosim *cosim)
{
    timed.solver = *cosim->solver;
    timed.advance = timed.solver.advance;
    timed.solver.advance = timed_advance;
    for (int i = 0; i < SUBSYSTEMS; i++)
        cosim->instance[i]->solver = &timed.solver;
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* Times of the fastest of several runs of one weight: other users of the processors can only increase them. */
typedef struct timing {
    double serial;            /* a run on one thread [s] */
    double share[SUBSYSTEMS]; /* of its time in each micro-solver */
    double overhead;
    double threads; /* the time with two threads, in parts of the serial one; NaN: one processor */
    double bound;   /* the least that two threads can reach with these shares */
    bool same_bits;
} timing;

/* The overhead, plus the larger of two loads when subsystems are assigned to the smaller load, the longest first. */
static double least_time(const double *share, double overhead)
{
    double sorted[SUBSYSTEMS], load[THREADS] = {0.0};
    memcpy(sorted, share, sizeof sorted);
    gsl_sort(sorted, 1, SUBSYSTEMS);
    for (int i = SUBSYSTEMS - 1; i >= 0; i--)
        load[load[1] < load[0]] += sorted[i];
    return overhead + fmax(load[0], load[1]);
}

static int create(ms_drawing *drawing, int weight, const char *execution, ms_study *study, ms_cosim **cosim,
                  ms_error *error)
{
    *cosim = NULL;
    MS_TRY(ms_study_bind(drawing, study, error,
                         "run full-car --case eight --solver rk4 --micro-steps %d --stop-time %g %s",
                         weights[weight].micro_steps, weights[weight].stop_time, execution));
    return ms_cosim_of_options(study->system, &study->arguments->options, cosim, error);
}

static double run(ms_cosim *cosim)
{
    ms_run_result result;
    ms_run(cosim, NULL, 0, NULL, NULL, &result, NULL);
    return result.wall_seconds;
}

/* The fastest run on one thread, on two, and of the one with clocks. */
static void time_rounds(ms_cosim *serial, ms_cosim *clocked, ms_cosim *threads, timing *t)
{
    double together = INFINITY, fastest = INFINITY;
    t->serial = INFINITY;
    for (int r = 0; r < ROUNDS; r++) {
        t->serial = fmin(t->serial, run(serial));
        memset(timed.seconds, 0, sizeof timed.seconds);
        const double whole = run(clocked);
        for (int i = 0; i < SUBSYSTEMS && whole < fastest; i++)
            t->share[i] = timed.seconds[i] / whole;
        fastest = fmin(fastest, whole);
        if (threads != NULL)
            together = fmin(together, run(threads));
    }
    t->threads = threads != NULL ? together / t->serial : NAN;
    t->overhead = 1.0;
    for (int i = 0; i < SUBSYSTEMS; i++)
        t->overhead -= t->share[i];
    t->bound = least_time(t->share, t->overhead);
    t->same_bits =
        threads == NULL || memcmp(serial->lin, threads->lin, sizeof(double) * (size_t)serial->lin_size) == 0;
}

static int measure(ms_drawing *drawing, int weight, timing *t, ms_error *error)
{
    ms_study alone = {0}, clocked = {0}, together = {0};
    ms_cosim *serial = NULL, *monitored = NULL, *threads = NULL;
    int status = create(drawing, weight, "--execution serial", &alone, &serial, error);
    MS_THEN(status, create(drawing, weight, "--execution serial", &clocked, &monitored, error));
    if (status == MS_OK && sysconf(_SC_NPROCESSORS_ONLN) >= THREADS)
        status = create(drawing, weight, "--execution parallel --num-threads 2", &together, &threads, error);
    if (status == MS_OK) {
        put_clocks(monitored);
        time_rounds(serial, monitored, threads, t);
    }
    ms_cosim_destroy(&serial);
    ms_cosim_destroy(&monitored);
    ms_cosim_destroy(&threads);
    ms_study_destroy(&alone);
    ms_study_destroy(&clocked);
    ms_study_destroy(&together);
    return status;
}

/* Table -------------------------------------------------------------------------------------------------- */

static double wheels(const timing *t)
{
    double sum = 0.0;
    for (int i = 0; i < SUBSYSTEMS; i++)
        sum += i != CHASSIS ? t->share[i] : 0.0;
    return sum / (SUBSYSTEMS - 1);
}

static json_t *rounded(double value)
{
    return ms_json_real(isfinite(value) ? round(1000.0 * value) / 1000.0 : value);
}

static void tabulate(ms_drawing *drawing, const timing *measured, double printed_bound)
{
    ms_table *table = ms_drawing_table(drawing, "", "Normalised elapsed time, by model",
                                       "model|micro-steps|total|chassis|wheels (each)|overhead|two "
                                       "threads|least for two threads|macro-step / us");
    ms_table_add(table, "snrrrroon", "race car (published)", ms_drawing_published_number(drawing, "total"),
                 ms_drawing_published_number(drawing, "chassis"),
                 ms_drawing_published_number(drawing, "wheel"),
                 ms_drawing_published_number(drawing, "overhead"),
                 rounded(1.0 - ms_drawing_published_number(drawing, "reduction")), rounded(printed_bound));
    for (int k = 0; k < WEIGHTS; k++) {
        const timing *t = &measured[k];
        const double steps = weights[k].stop_time / 0.01;
        ms_table_add(table, "siroooooo", "full car", weights[k].micro_steps, 1.0, rounded(t->share[CHASSIS]),
                     rounded(wheels(t)), rounded(t->overhead), rounded(t->threads), rounded(t->bound),
                     rounded(1e6 * t->serial / steps));
    }
}

static json_t *shares_json(double chassis, double wheel, double overhead)
{
    return ms_json_object("chassis:o wheels (each):o overhead:o", rounded(chassis), rounded(wheel),
                          rounded(overhead));
}

static void compare(ms_drawing *drawing, const timing *measured)
{
    const double chassis = ms_drawing_published_number(drawing, "chassis"),
                 wheel = ms_drawing_published_number(drawing, "wheel"),
                 overhead = ms_drawing_published_number(drawing, "overhead"),
                 reduction = ms_drawing_published_number(drawing, "reduction");
    const timing *heavy = &measured[WEIGHTS - 1];
    int apart = 0;
    for (int k = 0; k < WEIGHTS; k++)
        apart += !measured[k].same_bits;
    ms_drawing_check(drawing, "time by model", shares_json(chassis, wheel, overhead),
                     shares_json(heavy->share[CHASSIS], wheels(heavy), heavy->overhead), NULL,
                     MS_NOT_DETERMINED,
                     "The models of the table are commercial. What the full car's parts take depends on "
                     "machine and micro-solver; measured with %d micro-steps of rk4 in a macro-step.",
                     weights[WEIGHTS - 1].micro_steps);
    ms_drawing_check(
        drawing, "time that two threads save", rounded(reduction), rounded(1.0 - heavy->threads), NULL,
        MS_NOT_DETERMINED,
        "With the printed shares two cores can save 47 %% at most. Another model on another machine; empty where this one has a single processor. Others "
        "who use the processors at the same time show in it.");
    ms_drawing_check_own(drawing, "threads change no bit of the result", "the same simulation",
                         MS_COUNTS({"weights", WEIGHTS}, {"that differ", apart}), NULL,
                         ms_judge_is(drawing, apart, 0),
                         "States and memory of the scheme at the end, all weights.");
}

static int draw_table9_7(ms_drawing *drawing, ms_error *error)
{
    timing measured[WEIGHTS];
    for (int k = 0; k < WEIGHTS; k++)
        MS_TRY(measure(drawing, k, &measured[k], error));
    const double chassis = ms_drawing_published_number(drawing, "chassis"),
                 wheel = ms_drawing_published_number(drawing, "wheel");
    const double printed[SUBSYSTEMS] = {chassis, wheel, wheel, wheel, wheel};
    const double bound = least_time(printed, ms_drawing_published_number(drawing, "overhead"));
    tabulate(drawing, measured, bound);
    compare(drawing, measured);
    ms_drawing_remark(
        drawing,
        "All times are measured in the run that made this table, the fastest of %d each, and differ from "
        "machine to machine. The fewer micro-steps, the more of a macro-step is exchange and the start and "
        "end of parallel work; with many, the chassis, about half of the work, is what two threads wait for.",
        ROUNDS);
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_table9_7 = {
    "andersson2016:table9.7", "Full car: elapsed time by model, and with two threads",
    "Andersson (2016), Table 9.7, section 9.3.4, with a car of our own", .draw = draw_table9_7,
    .alone = true};
