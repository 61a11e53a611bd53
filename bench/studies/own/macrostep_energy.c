/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy ledger (energy.h) of the spring-mass system and of a chain of three masses and three springs,
 * each a subsystem of its own, the inner ones with two ports: energies, what each bond produces in each
 * macro-step, and what adds up. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim.h>
#include "figure.h"
#include "macrostep_power.h"
#include "study.h"

enum { CONSTANT, LINEAR, BALANCE, SEIDEL, POWER, SCHEMES };
enum { MODELS = 2, STEPS_MAX = 800, BONDS_MAX = 8, OUTPUTS_MAX = 16 };

static const struct {
    const char *name, *options;
} schemes[SCHEMES] = {
    [CONSTANT] = {"constant", "--scheme jacobi --extrapolation-order 0 --solver exact"},
    [LINEAR] = {"linear", "--scheme jacobi " MS_POWER_LINEAR " --solver exact"},
    [BALANCE] = {"linear, balance correction", "--scheme balance " MS_POWER_LINEAR " --solver exact"},
    [SEIDEL] = {"Gauss-Seidel, linear", "--scheme gauss-seidel " MS_POWER_LINEAR " --solver exact"},
    [POWER] =
        {"negotiated power",
         "--scheme power --extrapolation-order 1 --fallback step --fallback-threshold 1.5 " MS_POWER_SOLVER},
};

static const struct {
    const char *name, *key;
    double step; /* [s] */
} models[MODELS] = {{"spring-mass", "pair", 0.2}, {"oscillator-chain", "chain", 0.1}};

/* An observer: which bonds the law has taken. */
typedef struct power_record {
    double y[OUTPUTS_MAX]; /* outputs before the macro-step */
    long steps;
    bool by_law[STEPS_MAX][BONDS_MAX];
} power_record;

/* In units of the energy at the start. */
typedef struct ledger {
    long rows;
    double drift[SCHEMES][STEPS_MAX + 1]; /* at communication points */
    double time[STEPS_MAX + 1];
    double end[SCHEMES], supplied[SCHEMES]; /* E(75 s)/E(0); max |E - E(0) - drift| */
    double largest[MS_POWER_KINDS];         /* |residual| of a bond with negotiated power */
    long count[MS_POWER_KINDS];
    /* spring-mass: largest |residual/E_n - formula| for constant and linear extrapolation */
    double growth[2];
    int bonds;
} ledger;

/* Measuring ---------------------------------------------------------------------------------------------- */

static int power_record_start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    power_record *w = self;
    w->steps = 0;
    if (cosim->system->ny > OUTPUTS_MAX || cosim->system->n_bonds > BONDS_MAX)
        return 1;
    memcpy(w->y, cosim->y, sizeof(double) * (size_t)cosim->system->ny);
    return 0;
}

/* The law of an input, or NULL. */
static const ms_input_law *law_of(const ms_cosim *cosim, int subsystem, int input)
{
    const ms_instance *instance = cosim->instance[subsystem];
    for (int k = 0; k < instance->n_laws; k++)
        if (cosim->system->u_at[subsystem] + instance->law[k].input == input)
            return &instance->law[k];
    return NULL;
}

static int power_record_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    power_record *w = self;
    const ms_system *s = cosim->system;
    if (w->steps == STEPS_MAX)
        return 1;
    for (int b = 0; b < s->n_bonds; b++) {
        bool held = true;
        for (int k = 0; k < 2; k++) {
            const ms_bond *bond = &s->bond[b];
            const ms_input_law *law = law_of(cosim, bond->subsystem[k], bond->input[k]);
            held &= law != NULL && ms_power_law_held(law, w->y[bond->output[k]], cosim->y[bond->output[k]]);
        }
        w->by_law[w->steps][b] = held;
    }
    w->steps++;
    memcpy(w->y, cosim->y, sizeof(double) * (size_t)s->ny);
    return 0;
}

/* Drifts of a run, and the part of the energy that they do not explain. */
static void read_drift(const ms_energy *energy, int scheme, ledger *l)
{
    const int sums = ms_energy_sums(energy), all = ms_energy_of(energy->system->n);
    l->rows = energy->rows;
    for (long n = 0; n < energy->rows; n++) {
        const double *row = ms_energy_row(energy, n);
        l->time[n] = row[0];
        l->drift[scheme][n] = row[sums + MS_ENERGY_SUM_DRIFT] / energy->start;
        l->supplied[scheme] =
            fmax(l->supplied[scheme], fabs(row[all] / energy->start - 1.0 - l->drift[scheme][n]));
    }
    l->end[scheme] = energy->end / energy->start;
}

/* The largest difference between residual/E of a macro-step and its formula. */
static double off_formula(const ms_energy *energy, double growth)
{
    const int sums = ms_energy_sums(energy), all = ms_energy_of(energy->system->n);
    double off = 0.0;
    for (long n = 1; n + 1 < energy->rows; n++) /* the last macro-step may be cut */
        off = fmax(off, fabs(ms_energy_row(energy, n)[sums + MS_ENERGY_SUM_RESIDUAL] /
                                 ms_energy_row(energy, n - 1)[all] -
                             growth));
    return off;
}

/* Energies of the subsystems and residuals of the bonds with negotiated power. */
static void write_power(ms_drawing *drawing, int model, const ms_energy *energy, const power_record *w,
                        ledger *l)
{
    const ms_system *s = energy->system;
    const char *columns = "time";
    for (int k = 0; k <= s->n; k++)
        columns = ms_drawing_text(drawing, "%s,%s", columns, k < s->n ? s->sub[k].name : "all");
    ms_data *energies =
        ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-energies", models[model].key), columns);
    ms_data *residuals = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-residuals", models[model].key),
                                         "time,bond,law,fallback");
    ms_data_keep_all(residuals);
    l->bonds = s->n_bonds;
    for (long n = 0; n < energy->rows; n++) {
        const double *row = ms_energy_row(energy, n);
        ms_data_cell(energies, row[0]);
        for (int k = 0; k <= s->n; k++)
            ms_data_cell(energies, row[ms_energy_of(k)] / energy->start);
        for (int b = 0; b < s->n_bonds && n > 0; b++) {
            const ms_power_kind kind = w->by_law[n - 1][b] ? MS_POWER_LAW : MS_POWER_FALLBACK;
            const double r = fabs(row[ms_energy_bond(energy, b) + MS_ENERGY_RESIDUAL]) / energy->start;
            l->largest[kind] = fmax(l->largest[kind], r);
            l->count[kind]++;
            MS_ROW(residuals, row[0], b + 1, kind == MS_POWER_LAW ? fmax(r, 1e-18) : NAN,
                   kind == MS_POWER_LAW ? NAN : fmax(r, 1e-18));
        }
    }
}

static int measure_scheme(ms_drawing *drawing, int model, int scheme, power_record *w, ledger *l,
                          ms_error *error)
{
    const ms_observer observer = {.self = w, .start = power_record_start, .step = power_record_step};
    const ms_simulation_options request = {.energies = true, .observers = &observer, .n_observers = 1};
    const double h = models[model].step;
    ms_study study;
    int status = ms_study_run(drawing, &request, &study, error, "run %s %s --step-size %g",
                              models[model].name, schemes[scheme].options, h);
    const ms_energy *energy = &study.simulation.ledger;
    if (status == MS_OK &&
        (study.simulation.result.reason != MS_REASON_END_TIME || energy->rows > STEPS_MAX + 1))
        status = ms_fail(error, MS_SOLVER_FAILED, "%s with %s ended early: %s", models[model].name,
                         schemes[scheme].name, study.simulation.result.message);
    if (status == MS_OK) {
        read_drift(energy, scheme, l);
        if (scheme == POWER)
            write_power(drawing, model, energy, w, l);
        if (model == 0 && scheme <= LINEAR)
            l->growth[scheme] = off_formula(energy, scheme == CONSTANT ? h * h : 0.25 * h * h * h * h);
    }
    ms_study_destroy(&study);
    return status;
}

static void write_drift(ms_drawing *drawing, int model, const ledger *l)
{
    ms_data *data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-drift", models[model].key),
                                    "time,constant,linear,balance,seidel,power");
    for (long n = 1; n < l->rows; n++) {
        ms_data_cell(data, l->time[n]);
        for (int k = 0; k < SCHEMES; k++)
            ms_data_cell(data, fabs(l->drift[k][n]));
    }
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void tabulate(ms_drawing *drawing, const ledger *ledgers)
{
    ms_table *table = ms_drawing_table(
        drawing, "table", "What the coupling has produced after 75 s",
        "model|H / s|scheme|drift / E(0)|E(75 s)/E(0)|largest rest E - E(0) - drift, in E(0)");
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; k < SCHEMES; k++) {
            const ledger *l = &ledgers[m];
            ms_table_add(table, "srsrrr", models[m].name, models[m].step, schemes[k].name,
                         l->drift[k][l->rows - 1], l->end[k], l->supplied[k]);
        }
}

static void check(ms_drawing *drawing, const ledger *ledgers)
{
    static const double round_off = 1e-14, solver = 1e-8;
    for (int m = 0; m < MODELS; m++) {
        const ledger *l = &ledgers[m];
        ms_drawing_check(
            drawing,
            ms_drawing_text(drawing, "%s: a bond with the law at both ends produces nothing", models[m].name),
            json_real(0.0),
            json_pack("{s:i, s:i, s:f, s:i, s:f}", "bonds", l->bonds, "macro-steps of a bond by the law",
                      (int)l->count[MS_POWER_LAW], "largest |residual| / E(0)", l->largest[MS_POWER_LAW],
                      "macro-steps of a bond with an extrapolated end", (int)l->count[MS_POWER_FALLBACK],
                      "their largest |residual| / E(0)", l->largest[MS_POWER_FALLBACK]),
            json_real(round_off),
            ms_verdict_of(l->count[MS_POWER_LAW] > 0 && l->largest[MS_POWER_LAW] <= round_off &&
                          l->largest[MS_POWER_FALLBACK] > round_off),
            "%s: both ends integrate the same power. That balance holds at each boundary of more than two "
            "subsystems too (Moshagen 2021, section 4.1) is true of these macro-steps only.",
            m == 0 ? "One bond" : "Five bonds, four subsystems with two ports");
    }
    double off = 0.0;
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; k < SCHEMES; k++)
            off = fmax(off, ledgers[m].supplied[k] / fmax(1.0, ledgers[m].end[k]));
    ms_drawing_check_claim(drawing, "the drift of the ledger is the change of the energy", "derived",
                           MS_REALS({"largest |E - E(0) - drift| / max(E(0), E(75 s))", off}), off < solver,
                           "All schemes, both models: nothing is damped, so all that changes is what the "
                           "coupling produces. What differs is the error of the micro-solver.");
    ms_drawing_check_claim(
        drawing, "spring-mass: a macro-step produces (omega H)^2 E, or (omega H)^4/4 E", "derived",
        MS_REALS({"constant extrapolation, largest deviation", ledgers[0].growth[CONSTANT]},
                 {"linear extrapolation, largest deviation", ledgers[0].growth[LINEAR]}),
        ledgers[0].growth[CONSTANT] < round_off && ledgers[0].growth[LINEAR] < round_off,
        "Residual of the bond in units of the energy at the start of the macro-step.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1180, 860,
        "set multiplot\n"
        "array keys[2] = ['pair', 'chain']\n"
        "array names[2] = ['spring-mass, H = 0.2 s', 'oscillator-chain, H = 0.1 s']\n"
        "array top[2] = [0.885, 0.375]\n"
        "array springs[3] = [2, 4, 7]\n"
        "array masses[3] = [3, 5, 6]\n"
        "set xlabel 'time t / s'\n"
        "do for [m = 1:2] {\n"
        "    set tmargin at screen top[m]\nset bmargin at screen top[m] - 0.31\n"
        "    set lmargin at screen 0.065\nset rmargin at screen 0.305\n"
        "    unset logscale y\nset format y '%%.6g'\nset xrange [0:20]\nset yrange [0:1.1]\n"
        "    set title names[m] offset 0,-0.6\nset ylabel 'energy / E(0), negotiated power'\n"
        "    set key at screen 0.185,top[m] + 0.113 center top vertical maxrows m + 1 samplen 2\n"
        "    if (m == 1) {\n"
        "        plot part('pair-energies') using 'time':'spring' with lines lt 2 title 'spring', \\\n"
        "            '' using 'time':'mass' with lines lt 3 title 'mass', '' using 'time':'all' with lines "
        "lt 1 title 'all'\n"
        "    } else {\n"
        "        plot for [k = 1:3] part('chain-energies') using 'time':'spring'.k with lines lt springs[k] "
        "lw 1.4 title 'spring '.k, \\\n"
        "            for [k = 1:3] '' using 'time':'mass'.k with lines lt masses[k] lw 1.4 dashtype 2 title "
        "'mass '.k, \\\n"
        "            '' using 'time':'all' with lines lt 1 title 'all'\n"
        "    }\n"
        "    unset title\n"
        "    set lmargin at screen 0.395\nset rmargin at screen 0.635\n"
        "    set logscale y\nset format y powers\nset yrange [5e-19:1e-1]\n"
        "    set ylabel '|residual| / E(0) of a bond in a macro-step'\n"
        "    set key at screen 0.515,top[m] + 0.105 center top vertical maxrows 2\n"
        "    plot part(keys[m].'-residuals') using 'time':'law' with points lt 2 pt 7 ps 0.35 title 'power, "
        "law at both ends', \\\n"
        "        '' using 'time':'fallback' with points lt 3 pt 7 ps 0.35 title 'power, an end "
        "extrapolated'\n"
        "    set lmargin at screen 0.730\nset rmargin at screen 0.985\n"
        "    set xrange [0:75]\nset yrange [1e-7:1e9]\nset ylabel '|accumulated drift| / E(0)'\n"
        "    if (m == 1) { set yrange [1e-6:1e2] }\n"
        "    set key at screen 0.855,top[m] + 0.105 center top vertical maxrows 3 samplen 1.6\n"
        "    plot part(keys[m].'-drift') using 'time':'constant' with lines lt 9 lw 1.8 title 'constant', "
        "\\\n"
        "        '' using 'time':'linear' with lines lt 6 lw 4 title 'linear', \\\n"
        "        '' using 'time':'balance' with lines lt 3 lw 1.4 dashtype 2 title 'linear, with balance', "
        "\\\n"
        "        '' using 'time':'seidel' with lines lt 4 lw 1 title 'Gauss-Seidel', \\\n"
        "        '' using 'time':'power' with lines lt 2 lw 1.4 title 'power'\n"
        "}\n");
}

typedef struct memory {
    ledger of[MODELS];
    power_record record; /* of the newest run */
} memory;

static int draw(ms_drawing *drawing, ms_error *error)
{
    memory *all = ms_drawing_memory(drawing);
    ledger *ledgers = all->of;
    int status = MS_OK;
    for (int m = 0; m < MODELS && status == MS_OK; m++) {
        for (int k = 0; k < SCHEMES && status == MS_OK; k++)
            status = measure_scheme(drawing, m, k, &all->record, &ledgers[m], error);
        if (status == MS_OK)
            write_drift(drawing, m, &ledgers[m]);
    }
    if (status == MS_OK) {
        tabulate(drawing, ledgers);
        check(drawing, ledgers);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Residual: the work through both ends of a bond, added, in one macro-step, each as its own side "
            "sees it; energy that the coupling has produced or lost. Residuals below 1e-18 are drawn there. "
            "In the chain, the nearer to the wall, the thicker the line. Gauss-Seidel keeps the energy near "
            "its start because the errors of a period cancel, not because residuals vanish.");
    }
    return status;
}

const ms_figure ms_figure_macrostep_energy_ledger = {
    "macrostep:energy-ledger",
    "Energy ledger of two undamped models: energies, residuals of the bonds, and drift",
    "this project; schemes and first model of Moshagen (2021), sections 3.2, 4.1", .draw = draw,
    .memory = sizeof(memory)};
