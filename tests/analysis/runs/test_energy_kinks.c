/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_energy_kinks.c - the balance of the ledger where schemes give inputs of several pieces, and sub-steps: what the energy of a
 * conservative model has changed by is what the coupling has produced, whatever the options. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ledger_run.h"
#include "support.h"
#include "unit_test.h"

/* A model of three subsystems. */
typedef struct tried {
    const char *model, *settings;
    const char *sub[3];
    bool linear;
} tried;

static const tried models[] = {
    {"coupled-pendula", NULL, {"left", "right", "spring"}, false},
    {"oscillator-chain", "masses=2 m_odd=2 c_even=3", {"spring1", "mass1", "mass2"}, true}};

static int put(char *text, const char *format, const char *const *sub, const int *of)
{
    return sprintf(text, format, sub[0], of[0], sub[1], of[1], sub[2], of[2]);
}

/* Options of one scheme, drawn. */
static void draw(const tried *of, unsigned long long *seed, char *text)
{
    enum { WAVEFORM, MULTIRATE, COMMON, F3ORNITS, STRANG, BALANCE, CONTROLLED, SCHEMES };
    const int drawn[] = {1 + support_random_below(seed, 8), 1 + support_random_below(seed, 8),
                         1 + support_random_below(seed, 8)},
              order = support_random_below(seed, 3);
    static const char counts[] = "%s=%d,%s=%d,%s=%d ";
    switch (support_random_below(seed, SCHEMES)) {
    case WAVEFORM:
        text += sprintf(text, "scheme=waveform epsilon=1e-6 spline-degree=%d samples=", order);
        text += put(text, counts, of->sub, drawn);
        break;
    case MULTIRATE:
        text += sprintf(text, "scheme=multirate extrapolation-order=%d substeps=", order);
        text += put(text, counts, of->sub, drawn);
        break;
    case COMMON:
        text += sprintf(text, "scheme=multirate points=common substeps=");
        text += put(text, counts, of->sub, drawn);
        break;
    case F3ORNITS:
        text += sprintf(text, "scheme=f3ornits smooth-coupling=%s ", order == 0 ? "none" : "c1");
        break;
    case STRANG:
        text += sprintf(text, "scheme=strang ");
        break;
    case BALANCE:
        text += sprintf(text, "scheme=balance extrapolation-order=%d ", order);
        break;
    default:
        text += sprintf(text, "error-controlled=richardson rtol=1e-3 extrapolation-order=%d ", order);
    }
    sprintf(text, "stop-time=0.7 step-size=%g %s", 0.05 + 0.03 * support_random(seed),
            of->linear && support_random(seed) > 0.0
                ? "solver=exact"
                : "solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-13");
}

static void the_balance_closes(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    const int n = support_ensemble(120);
    for (int k = 0; k < n; k++) {
        const tried *of = &models[k % (int)MS_COUNT(models)];
        char text[256];
        draw(of, &seed, text);
        ms_system *system = support_system(of->model, of->settings);
        ms_simulation simulation = support_ledger_run(system, text);
        assert_int_equal(simulation.result.reason, MS_REASON_END_TIME);
        const double supplied =
            support_ledger_sum(&simulation, simulation.ledger.rows - 1, MS_ENERGY_SUM_SUPPLIED);
        if (!(fabs(supplied) <= 3e-11 * simulation.ledger.highest))
            fail_msg("%s %s: energy has changed by %g more than what the coupling produced, %g", of->model,
                     text, supplied, simulation.energy.residual);
        ms_simulation_destroy(&simulation);
        ms_system_destroy(&system);
    }
}

/* On pendula, with any number of samples. */
static void samples_of_waveforms_are_kinks(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", NULL);
    for (int samples = 1; samples <= 8; samples++) {
        char text[160];
        snprintf(
            text, sizeof text,
            "scheme=waveform samples=%d spline-degree=1 epsilon=1e-10 solver=gsl-rk8pd solver-rtol=1e-12 "
            "solver-atol=1e-13",
            samples);
        ms_simulation simulation = support_ledger_run(system, text);
        const double change = simulation.energy.end - simulation.energy.start;
        assert_true(fabs(change) > 1e-7);
        support_near(simulation.energy.residual, change, 1e-12);
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&system);
}

static void balance_of(ms_system *system, const char *text, double tolerance)
{
    ms_simulation simulation = support_ledger_run(system, text);
    const double change = simulation.energy.end - simulation.energy.start;
    assert_true(fabs(change) > 1e-6);
    if (!(fabs(simulation.energy.residual - change) <= tolerance * fmax(simulation.energy.end, 1.0)))
        fail_msg("%s: energy has changed by %.15g, not by %.15g", text, change, simulation.energy.residual);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* A mass on a spring of its own, 100 rad/s, which turns up to eight times in a macro-step. */
static void fast_motions_in_a_macro_step_are_resolved(void **state)
{
    (void)state;
    static const char text[] =
        "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"F\"], \"states\": {\"x\": {\"derivative\": \"v\", "
        "\"start\": 0.01}, \"v\": {\"derivative\": \"F - 10000*x\"}}, \"outputs\": {\"v\": \"v\"}, \"energy\": \"0.5*v^2 "
        "+ 5000*x^2\", \"ports\": [{\"name\": \"end\", \"input\": \"F\", \"output\": \"v\"}]}, {\"name\": \"s\", "
        "\"inputs\": [\"v\"], \"states\": {\"q\": {\"derivative\": \"v\"}}, \"outputs\": {\"F\": \"-q\"}, \"energy\": "
        "\"0.5*q^2\", \"ports\": [{\"name\": \"end\", \"input\": \"v\", \"output\": \"F\", \"gain\": -1}]}], "
        "\"wires\": [{\"from\": \"a.v\", \"to\": \"s.v\"}, {\"from\": \"s.F\", \"to\": \"a.F\"}]}";
    static const char *const solvers[] = {"exact", "gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-14"};
    for (int k = 0; k < MS_COUNT(solvers); k++)
        for (int h = 1; h <= 50; h += 7) {
            ms_model *model = support_model_read(text);
            char options[128];
            snprintf(options, sizeof options, "stop-time=2 step-size=%g solver=%s", 0.01 * h, solvers[k]);
            balance_of(support_system_of(model), options, 1e-11);
            ms_model_destroy(&model);
        }
}

/* Pendula whose bobs meet: the force of the spring between them turns about in a hundredth of a macro-step. */
static void sharp_turns_of_power_are_resolved(void **state)
{
    (void)state;
    balance_of(support_system("coupled-pendula", NULL),
               "step-size=0.3 stop-time=3 extrapolation-order=1 smooth-coupling=c0 solver=gsl-rk8pd "
               "solver-rtol=1e-12 solver-atol=1e-13",
               1e-9);
    balance_of(support_system("coupled-pendula", NULL), "step-size=0.02 stop-time=3", 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_balance_closes),
                                       cmocka_unit_test(samples_of_waveforms_are_kinks),
                                       cmocka_unit_test(fast_motions_in_a_macro_step_are_resolved),
                                       cmocka_unit_test(sharp_turns_of_power_are_resolved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
