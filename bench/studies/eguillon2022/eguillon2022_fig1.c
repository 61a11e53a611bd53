/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), section 1: when subsystems communicate, and whose data they use.
 * Fig. 1.
 *
 * The printed figure is a sketch of two subsystems. Here: the two masses of 4.2, whose imposed steps of
 * 0.15 s and 0.25 s are not multiples of one another; and, with the clocks that the scheduler gives, three
 * subsystems (model three-clocks) of which one imposes 0.25 s. */
#include <float.h>
#include <math.h>

#include "eguillon2022_log.h"
#include "figure.h"

enum { LEFT, RIGHT };

static const double LEFT_STEP = 0.15, RIGHT_STEP = 0.25; /* [s], imposed */
static const double ROUND_OFF = 1e-10;                   /* of an input, in units of the largest */

#define IMPOSED                                                                                              \
    "run two-masses-springs-dampers --case constant --scheme f3ornits --scheduler asynchronous "             \
    "--stop-time 21 --mask left:step=0.15 --mask right:step=0.25"
#define CLOCKS       "run three-clocks --scheme f3ornits --scheduler asynchronous --step-size 0.05"
#define BUOY_IMPOSES CLOCKS " --mask buoy:step=0.5"

/* Which communications ever served --------------------------------------------------------------------- */

static bool feeds(const ms_system *s, int from, int to)
{
    for (int w = s->row_at[s->u_at[to]]; w < s->row_at[s->u_at[to + 1]]; w++)
        if (ms_output_owner(s, s->wire_output[w]) == from)
            return true;
    return false;
}

/* Communications of subsystem i before the end of the run whose data no step of any reader took. */
static long unused(const ms_run_log *log, int i)
{
    const ms_system *s = log->study.system;
    long n = 0;
    for (long m = 0; m < log->clock[i].steps; m++) {
        bool used = false;
        for (int k = 0; k < s->n && !used; k++)
            for (long r = 0; r < log->clock[k].steps && !used && feeds(s, i, k); r++)
                used = ms_clock_latest(&log->clock[i], ms_clock_time(&log->clock[k], r)) == m;
        n += !used;
    }
    return n;
}

/* Checks ----------------------------------------------------------------------------------------------- */

/* Largest distance of the n-th communication from n H, in units of its round-off. */
static double off_clock(const ms_clock_log *clock, double step)
{
    double off = 0.0;
    for (long n = 1; n <= clock->steps; n++)
        off = fmax(off, fabs(ms_clock_time(clock, n) - (double)n * step) / (DBL_EPSILON * (double)n * step));
    return off;
}

static void check_imposed(ms_drawing *drawing, const ms_run_log *log)
{
    const double off =
        fmax(off_clock(&log->clock[LEFT], LEFT_STEP), off_clock(&log->clock[RIGHT], RIGHT_STEP));
    ms_study_claim(drawing, "imposed steps need not be multiples of one another", "imposed",
                   json_pack("{s:f, s:I, s:I}", "largest distance from n H in units of round-off", off,
                             "steps of 0.15 s", (json_int_t)log->clock[LEFT].steps, "steps of 0.25 s",
                             (json_int_t)log->clock[RIGHT].steps),
                   ms_judge_at_most(drawing, off, 2.0) &&
                       ms_judge_is(drawing, (double)log->clock[LEFT].steps, 140) &&
                       ms_judge_is(drawing, (double)log->clock[RIGHT].steps, 84),
                   "Over 21 s the left mass communicates 140, the right one 84 times, each at the multiples "
                   "of its own step.");
}

static void check_idle(ms_drawing *drawing, const ms_run_log *imposed, const ms_run_log *clocks)
{
    json_t *measured = json_array();
    const ms_run_log *const logs[] = {imposed, clocks};
    long apart = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < logs[k]->study.system->n; i++) {
            const ms_clock_log *clock = &logs[k]->clock[i];
            apart += labs(clock->idle - (logs[k]->communications - 1 - clock->steps));
            json_array_append_new(measured, json_pack("{s:s, s:I, s:I}", "subsystem",
                                                      logs[k]->study.system->sub[i].name, "steps",
                                                      (json_int_t)clock->steps, "meetings passed idle",
                                                      (json_int_t)clock->idle));
        }
    const bool idle = ms_judge_is(drawing, (double)apart, 0) &&
                      ms_judge_at_least(drawing, (double)imposed->clock[LEFT].idle, 1) &&
                      ms_judge_at_least(drawing, (double)imposed->clock[RIGHT].idle, 1);
    ms_study_claim(drawing, "subsystems are idle while others go on, and take different numbers of steps",
                   "idle", measured, idle,
                   "A meeting is a time at which anybody communicates: %ld in the run of two masses, %ld in "
                   "that of three clocks.",
                   imposed->communications - 1, clocks->communications - 1);
}

static void check_single(ms_drawing *drawing, const ms_run_log *imposed, const ms_run_log *clocks)
{
    const ms_run_log *const logs[] = {imposed, clocks};
    long steps = 0, integrations = 0;
    long inexact = 0;
    for (int k = 0; k < 2; k++) {
        integrations += logs[k]->study.simulation.result.integrations;
        for (int i = 0; i < logs[k]->study.system->n; i++) {
            steps += logs[k]->clock[i].steps;
            inexact += !logs[k]->clock[i].ends_exactly;
        }
    }
    ms_study_claim(drawing, "nothing is integrated twice", "non_iterative",
                   MS_COUNTS({"integrations", integrations}, {"steps on all clocks", steps}),
                   ms_judge_is(drawing, (double)integrations, (double)steps), "Both runs together.");
    ms_study_check(
        drawing, "every clock reaches the end of the run exactly", NULL,
        MS_COUNTS({"clocks that do not", inexact}), json_string("the same double"),
        ms_judge_is(drawing, (double)inexact, 0),
        "Not in the paper, whose scheduler is a black box (40): here the end is a meeting of all.");
}

static void check_data(ms_drawing *drawing, const ms_run_log *imposed, const ms_run_log *clocks)
{
    const ms_input_match two = ms_run_log_match(imposed);
    const ms_overrun buoy = ms_run_log_overrun(clocks, 1), meter = ms_run_log_overrun(clocks, 2);
    const ms_overrun left = ms_run_log_overrun(imposed, LEFT), right = ms_run_log_overrun(imposed, RIGHT);
    ms_study_claim(drawing, "each step uses its feeder's last communication before it", "latest",
                   json_pack("{s:f, s:I}", "largest difference of an input", two.difference,
                             "inputs compared", (json_int_t)two.steps),
                   ms_judge_at_most(drawing, two.difference, ROUND_OFF),
                   "The arrows of the figure. Inputs of both masses against the estimates from those "
                   "communications, recomputed, in units of the largest input.");
    ms_study_claim(
        drawing, "a variable is used past its estimate only by subsystems that cannot avoid it", "avoid",
        MS_COUNTS({"steps of left, imposed", left.steps}, {"of right, imposed", right.steps},
                  {"of buoy, free", buoy.steps}, {"of meter, imposed", meter.steps}),
        ms_judge_is(drawing, (double)buoy.steps, 0) && ms_judge_at_least(drawing, (double)left.steps, 1) &&
            ms_judge_at_least(drawing, (double)right.steps, 1),
        "Steps that run past the feeder's next communication. The buoy may choose its steps and "
        "has none; imposed steps have no choice.");
}

static int check_effect(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    const int status = ms_run_log_create(drawing, NULL, &log, error, BUOY_IMPOSES);
    if (status == MS_OK) {
        const long idle = unused(&log, 0);
        const ms_clock_log *swell = &log.clock[0];
        ms_study_claim(drawing, "no exchange without effect", "no_effect",
                       MS_COUNTS({"communications of the swell", swell->steps}, {"that nobody used", idle}),
                       ms_judge_is(drawing, (double)idle, 0) &&
                           ms_judge_is(drawing, (double)swell->steps, (double)log.clock[1].steps),
                       "The swell has no inputs. Where the buoy, which it feeds, imposes steps of 0.5 s, it "
                       "communicates then and at no other time.");
    }
    ms_run_log_destroy(&log);
    return status;
}

/* The picture ------------------------------------------------------------------------------------------ */

/* Steps as boxes in lines, subsystem 0 at the top, and an arrow to the beginning of each step from each
 * communication it uses. */
static void write_timeline(ms_drawing *drawing, const ms_run_log *log, const char *name, double from,
                           double to)
{
    const ms_system *s = log->study.system;
    ms_data *steps = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-steps", name),
                                     "begin,end,line,shade,communication");
    ms_data *uses = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-uses", name),
                                    "communication,line,begin,reader");
    for (int i = 0; i < s->n; i++)
        for (long n = 0; n < log->clock[i].steps; n++) {
            const double begin = ms_clock_time(&log->clock[i], n), end = ms_clock_time(&log->clock[i], n + 1);
            if (end <= from + 1e-9 || begin >= to - 1e-9)
                continue;
            MS_ROW(steps, fmax(begin, from), fmin(end, to), s->n - i, (double)(n % 2),
                   begin < from - 1e-9 ? NAN : begin);
            for (int k = 0; k < s->n && begin >= from - 1e-9; k++) {
                const double used = ms_clock_time(&log->clock[k], ms_clock_latest(&log->clock[k], begin));
                if (feeds(s, k, i) && used >= from - 1e-9)
                    MS_ROW(uses, used, s->n - k, begin, s->n - i);
            }
        }
}

/* Time reached by each clock after each communication. */
static void write_progress(ms_drawing *drawing, const ms_run_log *log, const char *name, const char *columns,
                           double from, double to)
{
    const int n = log->study.system->n;
    long first = -1;
    ms_data *data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-progress", name), columns);
    for (long k = 0; k < log->communications; k++) {
        const double *communication = log->communication + (size_t)k * (size_t)(n + 1);
        if (communication[0] < from - 1e-9 || communication[0] > to + 1e-9)
            continue;
        first = first < 0 ? k : first;
        ms_data_cell(data, (double)(k - first));
        ms_data_cells(data, n, communication + 1);
    }
}

static int draw_fig1(ms_drawing *drawing, ms_error *error)
{
    ms_run_log imposed, clocks = {0};
    int status = ms_run_log_create(drawing, NULL, &imposed, error, IMPOSED);
    MS_THEN(status, ms_run_log_create(drawing, NULL, &clocks, error, CLOCKS));
    if (status == MS_OK) {
        check_imposed(drawing, &imposed);
        check_idle(drawing, &imposed, &clocks);
        check_single(drawing, &imposed, &clocks);
        check_data(drawing, &imposed, &clocks);
        write_timeline(drawing, &imposed, "imposed", 0.0, 1.5);
        write_timeline(drawing, &clocks, "clocks", 4.0, 6.0);
        write_progress(drawing, &imposed, "imposed", "meeting,left,right", 0.0, 1.5);
        write_progress(drawing, &clocks, "clocks", "meeting,swell,buoy,meter", 4.0, 6.0);
        status = check_effect(drawing, error);
    }
    ms_drawing_remark(
        drawing,
        "The printed figure is a sketch of two subsystems, and the stages of the scheduler are not printed: "
        "the rules are ours, and stand in the source of the scheduler. A step is integrated as a whole when "
        "its end is met; until then its subsystem stays at the time that it had reached.");
    ms_drawing_commands_of(drawing, "eguillon2022_fig1.gp", 1060, 760);
    ms_run_log_destroy(&clocks);
    ms_run_log_destroy(&imposed);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig1 = {
    "eguillon2022:fig1", "F3ORNITS: clocks, communications, idle times, and who uses whose data",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 1, section 1", .draw = draw_fig1};
