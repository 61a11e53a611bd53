/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Negotiated power on the spring-mass system: what fallback rule and threshold do to the energy over 75 s and
 * to the order, and where there is no solution.
 *
 * Under the law (input_law.h) an output y of this system obeys, with y', y'' at the start of the macro-step,
 *
 *     y(tau)^2 = (y + y' tau)^2 + y y'' tau^2 = (y + y' tau)^2 - (omega y tau)^2,
 *
 * which reaches zero, and with it the end of the solution, at tau = |y| / (|y'| + omega |y|) if y moves
 * towards zero. With the rule `step`, |y| >= theta H |y'|, all macro-steps have a solution if
 * theta >= 1/(1 - omega H). Conversely |y|/|y'| at one end is |y'|/|y| / omega^2 at the other one: with
 * theta >= 1/(omega H) each macro-step has an end that is extrapolated. Both leave thresholds only if
 * omega H < 1/2. */
#include <math.h>
#include <stdio.h>

#include "arguments.h"
#include "figure.h"
#include "macrostep_power.h"
#include "study.h"

enum { RULES = 2, STEPS = 4, THRESHOLDS = 17, PLACES = THRESHOLDS * STEPS, SPREAD = 3 };
enum { ORDERS = 13, HALVINGS = 6 };

static const struct {
    const char *name;
    double least, largest; /* thresholds */
} rules[RULES] = {{"step", 0.25, 4.0}, {"pointwise", 1e-4, 1.0}};

static const double steps[STEPS] = {0.1, 0.2, 0.3, 0.4}; /* H [s], omega = 1/s */
static const double spread[SPREAD] = {0.98, 1.0, 1.02};
static const double order_step = 0.15625, order_end = 5.0; /* the largest H, and the end of the runs [s] */

/* One threshold and H: three runs with step sizes around H, up to the first without solution. */
typedef struct place {
    double h, threshold;
    double deviation[SPREAD]; /* max |E/E(0) - 1| within 75 s */
    double end[SPREAD];       /* E(75 s)/E(0) */
    bool failed;
    char how[640]; /* the first failure */
} place;

typedef struct orders {
    double threshold, order; /* NaN: a run did not end */
    bool failed;
    double finest; /* error of the finest run */
} orders;

typedef struct results {
    place place[RULES][PLACES];
    orders order[RULES][ORDERS];
} results;

static double threshold_at(int rule, int k, int n)
{
    return rules[rule].least * pow(rules[rule].largest / rules[rule].least, (double)k / (n - 1));
}

static const place *place_at(const results *r, int rule, int threshold, int step)
{
    return &r->place[rule][threshold * STEPS + step];
}

/* Measuring ---------------------------------------------------------------------------------------------- */

/* A rule, bound. */
typedef struct task {
    ms_study study;
    place *place;
    orders *order;
    int rule;
} task;

static int measure_place(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error)
{
    const task *t = self;
    place *p = &t->place[k];
    ms_options options = t->study.arguments->options;
    p->threshold = options.fallback_threshold = threshold_at(t->rule, k / STEPS, THRESHOLDS);
    p->h = steps[k % STEPS];
    for (int j = 0; j < SPREAD && !p->failed; j++) {
        ms_power_monitor monitor = {0};
        ms_run_result result;
        options.step_size = spread[j] * p->h;
        const int status = ms_power_run(t->study.system, &options, stop, &monitor, &result, error);
        if (status != MS_OK)
            return status;
        p->failed = result.reason != MS_REASON_END_TIME;
        p->deviation[j] = ms_power_deviation(&monitor);
        p->end[j] = monitor.end;
        if (p->failed)
            snprintf(p->how, sizeof p->how, "%s: %s", ms_reason_name(result.reason), result.message);
    }
    return MS_OK;
}

/* Least-squares slope of log error over log H, largest errors of the states at communication points. */
static int measure_order(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error)
{
    const task *t = self;
    orders *o = &t->order[k];
    const double mean = 0.5 * (HALVINGS - 1);
    double sum = 0.0, squares = 0.0;
    ms_options options = t->study.arguments->options;
    options.stop_time = order_end;
    options.given[MS_OPTION_STOP_TIME] = true;
    o->threshold = options.fallback_threshold = threshold_at(t->rule, k, ORDERS);
    for (int j = 0; j < HALVINGS && !o->failed; j++) {
        ms_simulation run;
        options.step_size = ldexp(order_step, -j);
        const int status = ms_simulation_run(
            t->study.system, &options, &(ms_simulation_options){.errors = true, .stop = stop}, &run, error);
        if (status != MS_OK)
            return status;
        o->failed = run.result.reason != MS_REASON_END_TIME;
        o->finest = run.errors.max;
        sum -= (j - mean) * log2(run.errors.max);
        squares += (j - mean) * (j - mean);
        ms_simulation_destroy(&run);
    }
    o->order = o->failed ? NAN : sum / squares;
    return MS_OK;
}

static int measure(ms_drawing *drawing, int rule, results *r, ms_error *error)
{
    task t = {.place = r->place[rule], .order = r->order[rule], .rule = rule};
    int status = ms_study_bind(drawing, &t.study, error, "run spring-mass " MS_POWER_SCHEME " --step-size %g",
                               rules[rule].name, rules[rule].least, steps[0]);
    if (status == MS_OK)
        status = ms_study_parallel(drawing, PLACES, measure_place, &t, error);
    if (status == MS_OK)
        status = ms_study_parallel(drawing, ORDERS, measure_order, &t, error);
    ms_study_destroy(&t.study);
    return status;
}

/* Data --------------------------------------------------------------------------------------------------- */

static double median(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Rows of one threshold and H: median and range of the deviations; where a run had no solution, that. */
static void write_energies(ms_drawing *drawing, int rule, const results *r)
{
    for (int s = 0; s < STEPS; s++) {
        ms_data *data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-%d", rules[rule].name, s + 1),
                                        "threshold,median,least,largest,failed");
        for (int k = 0; k < THRESHOLDS; k++) {
            const place *p = place_at(r, rule, k, s);
            const double *d = p->deviation;
            if (p->failed)
                MS_ROW(data, p->threshold, NAN, NAN, NAN, 1.0);
            else
                MS_ROW(data, p->threshold, median(d[0], d[1], d[2]), fmin(d[0], fmin(d[1], d[2])),
                       fmax(d[0], fmax(d[1], d[2])), NAN);
        }
    }
}

static void write_orders(ms_drawing *drawing, int rule, const results *r)
{
    ms_data *data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-order", rules[rule].name),
                                    "threshold,order,finest,failed");
    for (int k = 0; k < ORDERS; k++) {
        const orders *o = &r->order[rule][k];
        MS_ROW(data, o->threshold, o->order, o->failed ? NAN : o->finest, o->failed ? 1.0 : NAN);
    }
}

/* For each rule and H: which thresholds had no solution, and what became of the energy at the others. */
static void tabulate(ms_drawing *drawing, const results *r)
{
    ms_table *table =
        ms_drawing_table(drawing, "failures", "Thresholds without a solution, and energies at the others",
                         "fallback|H / s|thresholds|without solution|from|to|least E(75 s)/E(0)|largest E(75 "
                         "s)/E(0)|how the first one ends");
    for (int rule = 0; rule < RULES; rule++)
        for (int s = 0; s < STEPS; s++) {
            double from = NAN, to = NAN, least = NAN, largest = NAN;
            int failed = 0;
            const char *how = "";
            for (int k = 0; k < THRESHOLDS; k++) {
                const place *p = place_at(r, rule, k, s);
                if (p->failed) {
                    how = failed++ == 0 ? p->how : how;
                    ms_widen(&from, &to, p->threshold);
                }
                for (int m = 0; m < SPREAD && !p->failed; m++) {
                    ms_widen(&least, &largest, p->end[m]);
                }
            }
            ms_table_add(table, "sriirrrrs", rules[rule].name, steps[s], THRESHOLDS, failed, from, to, least,
                         largest, how);
        }
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void check_existence(ms_drawing *drawing, const results *r)
{
    int above = 0, failed_above = 0, below = 0, failed_below = 0;
    for (int k = 0; k < PLACES; k++) {
        const place *p = &r->place[0][k];
        const bool all_safe = p->threshold >= 1.0 / (1.0 - spread[SPREAD - 1] * p->h),
                   none_safe = p->threshold < 1.0 / (1.0 - spread[0] * p->h);
        above += all_safe;
        below += none_safe;
        failed_above += all_safe && p->failed;
        failed_below += none_safe && p->failed;
    }
    ms_drawing_check_claim(
        drawing, "rule `step`: with theta >= 1 / (1 - omega H) each macro-step has a solution", "derived",
        MS_COUNTS({"such pairs of theta and H", above}, {"without solution", failed_above},
                  {"pairs with a smaller theta", below}, {"of these without solution", failed_below}),
        above > 0 && failed_above == 0 && failed_below > 0,
        "From y(tau)^2 = (y + y' tau)^2 - (omega y tau)^2 for outputs under the law, which must not reach "
        "zero within H. Where it does, the micro-solver gets stuck, and the run ends as `subsystem-failed`.");
}

static void check_pointwise(ms_drawing *drawing, const results *r)
{
    int failed = 0;
    for (int k = 0; k < PLACES; k++)
        failed += r->place[1][k].failed;
    ms_drawing_check_claim(drawing, "d'Hopital's rule near the zeros makes the inverse computable",
                           "one has to switch to d'Hopital's rule for calculation near denominators' zeros "
                           "(sections 4.2, 6.3.1)",
                           MS_COUNTS({"pairs of threshold and H", PLACES}, {"without solution", failed}),
                           failed == 0,
                           "The rule `pointwise`: u = P'/y' where |y| is below the threshold. The agreed "
                           "power passes zero later than the output; in between both have opposite signs "
                           "beyond the threshold, the law drives y back, and the micro-solver chatters about "
                           "the threshold until it gives up. Other micro-solvers fail as well.");
}

static void check_orders(ms_drawing *drawing, const results *r)
{
    double least = INFINITY, most = 0.0, worst = INFINITY;
    int fitted = 0, without = 0;
    for (int k = 0; k < ORDERS; k++) {
        const orders *step = &r->order[0][k], *point = &r->order[1][k];
        if (!step->failed) {
            ms_widen(&least, &most, step->order);
            fitted++;
        }
        without += point->failed;
        if (!point->failed)
            worst = fmin(worst, point->order);
    }
    ms_drawing_check(
        drawing, "rule `step`: order 2 for each threshold", json_integer(2),
        json_pack("{s:i, s:[f, f]}", "thresholds without failures", fitted, "orders", least, most),
        json_real(0.2), ms_verdict_of(fitted > 0 && least > 1.8 && most < 2.2),
        "Largest error of the states within %g s, fitted over H = %g s to %g s.", order_end, order_step,
        ldexp(order_step, 1 - HALVINGS));
    ms_drawing_check_claim(
        drawing, "rule `pointwise`: order 2 for each threshold",
        "convergence of order 2 (section 6.1), with d'Hopital's rule near zeros",
        json_pack("{s:i, s:i, s:o}", "thresholds", ORDERS, "with runs that fail", without,
                  "lowest order of the others", ms_json_real(isinf(worst) ? NAN : worst)),
        without == 0 && worst > 1.8,
        "A fixed threshold does not shrink with H: its part of the error stays, and the order is lost.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

/* What both columns have; runs without a solution have strips of their own, one row a step size. */
static void draw_common(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1100, 900,
        "set multiplot\n"
        "array rules[2] = ['step', 'pointwise']\n"
        "array names[2] = ['(a) rule “step”', '(b) rule “pointwise”']\n"
        "array labels[2] = ['threshold θ of |y| < θ H |y′|', 'threshold of |y| / (N or m/s)']\n"
        "array steps[4] = [0.1, 0.2, 0.3, 0.4]\n"
        "array types[4] = [2, 3, 4, 5]\n"
        "set logscale x\n"
        "column_at(k) = sprintf('set lmargin at screen %%g; set rmargin at screen %%g; ', 0.105 + 0.48 * (k "
        "- 1), 0.495 + 0.48 * (k - 1)).(k == 1 ? 'set xrange [0.23:4.3]; set xtics (0.25, 0.5, 1, 2, 4); set "
        "format x \"%%.6g\"' : 'set xrange [0.8e-4:1.25]; set xtics autofreq; set format x powers')\n"
        "rows(top, bottom) = sprintf('set tmargin at screen %%g; set bmargin at screen %%g', top, bottom)\n"
        "strip = 'unset logscale y; unset xlabel; set ylabel \"\"; set format x \"\"; set format y "
        "\"%%.6g\"; unset key'\n");
}

static void draw_energies(ms_drawing *drawing)
{
    ms_drawing_script(
        drawing,
        "do for [k = 1:2] {\n"
        "    eval column_at(k)\neval rows(0.90, 0.815)\neval strip\n"
        "    set title names[k] offset 0,-0.6\nset yrange [0.3:4.7]\n"
        "    set ytics ('H = 0.1 s' 1, '0.2 s' 2, '0.3 s' 3, '0.4 s' 4)\n"
        "    plot for [j = 1:4] part(rules[k].sprintf('-%%d', j)) using 'threshold':(column('failed') > 0 ? "
        "j : NaN) \\\n"
        "        with points lt types[j] pt 2 ps 0.7 notitle\n"
        "    unset title\neval column_at(k)\neval rows(0.795, 0.50)\n"
        "    set xlabel labels[k]\nset ylabel k == 1 ? 'largest |E / E(0) - 1| within 75 s' : ''\n"
        "    set logscale y\nset yrange [3e-5:10]\nset ytics autofreq\nset format y powers\n"
        "    if (k == 1) { set key at screen 0.52,0.99 center top vertical maxrows 2 } else { unset key }\n"
        "    if (k == 1) {\n"
        "        do for [j = 1:4] {\n"
        "            set arrow j from first 1.0 / (1.0 - steps[j]), graph 0.02 to first 1.0 / (1.0 - "
        "steps[j]), graph 0.10 \\\n"
        "                head filled size screen 0.007,20 lt types[j] lw 1.6\n"
        "        }\n"
        "    } else { unset arrow }\n"
        "    plot for [j = 1:4] part(rules[k].sprintf('-%%d', j)) using "
        "'threshold':'median':'least':'largest' \\\n"
        "            with yerrorbars lt types[j] lw 1 pt 7 ps 0.45 title sprintf('H = %%g s', steps[j]), \\\n"
        "        NaN with points lt 1 pt 2 ps 0.7 title 'strip above: a run without solution', \\\n"
        "        NaN with vectors filled lt 1 lw 1.6 title 'θ = 1 / (1 - ωH) at the tip'\n"
        "    unset arrow\n"
        "}\n");
}

static void draw_orders(ms_drawing *drawing)
{
    ms_drawing_script(
        drawing,
        "do for [k = 1:2] {\n"
        "    eval column_at(k)\neval rows(0.375, 0.345)\neval strip\n"
        "    set yrange [0:2]\nset ytics ('no solution' 1)\n"
        "    plot part(rules[k].'-order') using 'threshold':(column('failed') > 0 ? 1 : NaN) with points lt "
        "3 pt 2 ps 0.8 notitle\n"
        "    eval column_at(k)\neval rows(0.33, 0.075)\n"
        "    set xlabel labels[k]\nset ylabel k == 1 ? 'observed order' : ''\nset yrange [-0.5:2.5]\n"
        "    set ytics autofreq\n"
        "    if (k == 1) { set key at screen 0.52,0.435 center top vertical maxrows 1 } else { unset key }\n"
        "    plot 2 with lines lt 9 lw 1.2 dashtype 2 title 'order 2', \\\n"
        "        part(rules[k].'-order') using 'threshold':'order' with points lt 2 pt 7 ps 0.7 title 'all "
        "runs end', \\\n"
        "        NaN with points lt 3 pt 2 ps 0.8 title 'strip: a run without solution'\n"
        "}\n");
}

static void draw_picture(ms_drawing *drawing)
{
    draw_common(drawing);
    draw_energies(drawing);
    draw_orders(drawing);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *r = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int rule = 0; rule < RULES && status == MS_OK; rule++)
        status = measure(drawing, rule, r, error);
    if (status == MS_OK) {
        for (int rule = 0; rule < RULES; rule++) {
            write_energies(drawing, rule, r);
            write_orders(drawing, rule, r);
        }
        tabulate(drawing, r);
        check_existence(drawing, r);
        check_orders(drawing, r);
        check_pointwise(drawing, r);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Points are medians, bars ranges over three step sizes: H and 2 %% to both sides; only where all "
            "three runs reach 75 s. Other thresholds and step sizes go into the commands' options. At theta "
            ">= 1/(omega H), 2.5 for H = 0.4 s and 3.3 for H = 0.3 s, each macro-step has an extrapolated "
            "end, so nothing is left of the exchange of power between both. Only with omega H < 1/2 is there "
            "a threshold between both limits. With held power (order 0) y(tau)^2 = y^2 + 2 y y' tau, and a "
            "solution needs theta > 2; the rule `pointwise` then needs about H |y'| < 2 thresholds, because "
            "behind the zero a held power drives the output back.");
    }
    return status;
}

const ms_figure ms_figure_macrostep_power_fallback = {
    "macrostep:power-fallback", "Negotiated power: energy and order over fallback rule and threshold",
    "this project; scheme and model of Moshagen (2021), sections 4.2, 6.3.1", .draw = draw,
    .memory = sizeof(results)};
