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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_balance_closes),
                                       cmocka_unit_test(samples_of_waveforms_are_kinks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
