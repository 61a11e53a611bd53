/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_energy.c - the energy ledger: what coupling schemes produce on the oscillator by hand, the balance of
 * energy for every scheme and micro-solver, step size control, and the ledger's rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include <macrostep/solver_registry.h>
#include "ledger_run.h"
#include "line_network.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

/* The oscillator by hand --------------------------------------------------------------------------------- */

static const struct {
    double m, c, H;
} oscillators[] = {{1.0, 1.0, 0.2}, {2.5, 0.7, 0.3}, {0.1, 4.0, 0.05}, {3.0, 11.0, 0.01}};

/* E grows by `growth`(omega H) in each of 400 macro-steps, and the residual of each is what it grows by. */
static void check_growth(const char *options, double (*growth)(double theta))
{
    for (size_t k = 0; k < sizeof oscillators / sizeof oscillators[0]; k++) {
        char text[200], settings[64];
        const double m = oscillators[k].m, c = oscillators[k].c, H = oscillators[k].H;
        snprintf(settings, sizeof settings, "m=%g c=%g", m, c);
        snprintf(text, sizeof text, "step-size=%g stop-time=%g %s", H, 400.0 * H, options);
        ms_system *system = support_system("spring-mass", settings);
        ms_simulation simulation = support_ledger_run(system, text);
        const double factor = growth(sqrt(c / m) * H);
        assert_int_equal(simulation.ledger.rows, 401);
        support_near(support_ledger_total(&simulation, 0), 0.5 * c, 0.0);
        for (long n = 1; n <= 400; n++) {
            const double before = support_ledger_total(&simulation, n - 1);
            support_near(support_ledger_total(&simulation, n) / before, factor, 4e-15);
            support_near(support_ledger_sum(&simulation, n, MS_ENERGY_SUM_RESIDUAL) / before, factor - 1.0,
                         4e-15);
        }
        support_near(support_ledger_total(&simulation, 400) / pow(factor, 400.0) / (0.5 * c), 1.0,
                     400.0 * 4e-15);
        ms_simulation_destroy(&simulation);
        ms_system_destroy(&system);
    }
}

/* With u held, s1 = s + H v and v1 = v - omega^2 H s, omega^2 = c/m:
 *
 *     E1 = c/2 (s + H v)^2 + m/2 (v - omega^2 H s)^2
 *        = E + H^2 (c v^2 + m omega^4 s^2) / 2 + (c - m omega^2) H s v
 *        = E + omega^2 H^2 (m v^2 + c s^2) / 2 = (1 + (omega H)^2) E. */
static double growth_of_hold(double theta)
{
    return 1.0 + theta * theta;
}

static void test_hold(void **state)
{
    (void)state;
    check_growth("scheme=jacobi extrapolation-order=0", growth_of_hold);
}

/* With value and slope, v + a tau, a = -omega^2 s, for the spring and -c (s + v tau) for the mass: with
 * theta = omega H
 *
 *     s1 = (1 - theta^2/2) s + H v,     v1 = (1 - theta^2/2) v - omega^2 H s,
 *     E1 = (1 - theta^2/2)^2 E + theta^2 E = (1 + theta^4/4) E,     as the products s v cancel as above. */
static double growth_of_hermite(double theta)
{
    return 1.0 + pow(theta, 4.0) / 4.0;
}

static void test_hermite(void **state)
{
    (void)state;
    check_growth("scheme=jacobi extrapolation-order=1 derivatives=analytic outputs=consistent",
                 growth_of_hermite);
}

/* The first step of a hold from (s, v) = (1, 0), m = 2, c = 3, H = 0.1: the spring stands and is given no
 * work, the force on the mass is -3 and its velocity -1.5 tau, W = int 4.5 tau dtau = 0.0225. Then the spring
 * sees v = -0.15, and -F v = -0.45 W; the mass 0.45 W. */
static void test_first_rows(void **state)
{
    (void)state;
    static const char *const names[] = {"time",
                                        "spring.energy",
                                        "mass.energy",
                                        "energy",
                                        "spring.end.power",
                                        "mass.end.power",
                                        "spring.end.work",
                                        "mass.end.work",
                                        "spring.end-mass.end.residual",
                                        "spring.end-mass.end.drift",
                                        "residual",
                                        "drift",
                                        "supplied"};
    static const double rows[2][13] = {
        {0.0, 1.5, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.1, 1.5, 0.0225, 1.5225, -0.45, 0.45, 0.0, 0.0225, 0.0225, 0.0225, 0.0225, 0.0225, 0.0}};
    ms_system *system = support_system("spring-mass", "m=2 c=3");
    ms_simulation simulation = support_ledger_run(system, "step-size=0.1 stop-time=0.3");
    assert_int_equal(simulation.ledger.columns, 13);
    assert_int_equal(simulation.ledger.rows, 4);
    for (int k = 0; k < 13; k++) {
        char name[160];
        ms_energy_name(&simulation.ledger, k, name, sizeof name);
        assert_string_equal(name, names[k]);
        support_near(ms_energy_row(&simulation.ledger, 0)[k], rows[0][k], 0.0);
        support_near(ms_energy_row(&simulation.ledger, 1)[k], rows[1][k], 1e-15);
    }
    support_near(ms_energy_row(&simulation.ledger, simulation.ledger.rows - 1)[0], 0.3,
                 0.0); /* where the run ended, not 0.2 + 0.1 */
    support_near(simulation.energy.residual, support_ledger_sum(&simulation, 3, MS_ENERGY_SUM_DRIFT), 0.0);
    support_near(simulation.ledger.highest, support_ledger_total(&simulation, 3), 0.0);
    support_near(simulation.ledger.lowest, 1.5, 0.0);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* The balance -------------------------------------------------------------------------------------------- */

/* E - E(0) = drift at all communication points of a conservative run, the bonds add up to the sums, and power
 * is gain y u with the right limits of the trajectory. tolerance: relative to the largest energy. */
static void check_balance(const ms_simulation *simulation, double tolerance, const char *text)
{
    const ms_system *s = simulation->system;
    const ms_energy *ledger = &simulation->ledger;
    assert_int_equal(simulation->result.reason, MS_REASON_END_TIME);
    assert_int_equal(ledger->rows, simulation->trajectory.rows);
    assert_int_equal(ledger->rows, simulation->result.macro_steps + 1);
    for (long n = 0; n < ledger->rows; n++) {
        const double *row = ms_energy_row(ledger, n), *x = ms_trajectory_row(&simulation->trajectory, n) + 1;
        const double *u = x + s->nx, *y = u + s->nu;
        double energy = 0.0, drift = 0.0;
        for (int i = 0; i < s->n; i++)
            energy += row[ms_energy_of(i)];
        for (int b = 0; b < s->n_bonds; b++) {
            const double *bond = row + ms_energy_bond(ledger, b);
            drift += bond[MS_ENERGY_DRIFT];
            for (int k = 0; k < 2; k++) {
                const double power = s->bond[b].gain[k] * y[s->bond[b].output[k]] * u[s->bond[b].input[k]];
                support_near(bond[MS_ENERGY_POWER + k], power, 1e-13 * (1.0 + fabs(power)));
            }
            support_near(bond[MS_ENERGY_RESIDUAL], bond[MS_ENERGY_WORK] + bond[MS_ENERGY_WORK + 1], 0.0);
        }
        const double supplied = row[ms_energy_sums(ledger) + MS_ENERGY_SUM_SUPPLIED];
        if (!(fabs(supplied) <= tolerance * ledger->highest))
            fail_msg("%s: row %ld, energy %.17g has changed by %g more than what the coupling produced", text,
                     n, support_ledger_total(simulation, n), supplied);
        support_near(energy, support_ledger_total(simulation, n), 1e-14 * energy);
        support_near(drift, support_ledger_total(simulation, n) - support_ledger_total(simulation, 0),
                     tolerance * ledger->highest);
    }
}

static void test_explicit_members(void **state)
{
    (void)state;
    ms_system *systems[] = {support_system("spring-mass", "m=2 c=3"),
                            support_system("oscillator-chain", NULL)};
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++)
        for (int i = 0; i < 2; i++) {
            char text[256];
            snprintf(text, sizeof text, "%s step-size=0.05 stop-time=5", variant.text);
            ms_simulation simulation = support_ledger_run(systems[i], text);
            check_balance(&simulation, 1e-13, text);
            ms_simulation_destroy(&simulation);
        }
    ms_system_destroy(&systems[0]);
    ms_system_destroy(&systems[1]);
}

/* A run of half a second, 50 macro-steps; no power of the chain of two masses crosses zero before 0.33 s. */
static ms_simulation check_short_run(const ms_system *system, const char *text, double tolerance)
{
    char all[256];
    snprintf(all, sizeof all, "%s step-size=0.01 stop-time=0.5", text);
    ms_simulation simulation = support_ledger_run(system, all);
    check_balance(&simulation, tolerance, all);
    return simulation;
}

/* Each scheme family. Where inputs follow from a negotiated power both sides agree on it at all times: the
 * coupling then produces nothing, and states and balance are as good as the micro-solver. */
static void test_schemes(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    support_line_network network;
    ms_system *chain = support_system("oscillator-chain", "masses=2 m_odd=2 c_even=3"),
              *lines = support_line_network_next(&seed, &network);
    for (int k = 0; ms_schemes[k] != NULL; k++) {
        char text[64];
        snprintf(text, sizeof text, "scheme=%s", ms_schemes[k]->name);
        const ms_system *system = ms_schemes[k]->feedback != NULL ? lines : chain;
        ms_simulation simulation = check_short_run(system, text, ms_schemes[k]->nonlinear ? 1e-7 : 1e-12);
        for (long n = 0; ms_schemes[k]->laws && n <= 30; n++)
            support_near(support_ledger_sum(&simulation, n, MS_ENERGY_SUM_RESIDUAL), 0.0, 1e-15);
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&chain);
    ms_system_destroy(&lines);
}

/* Each micro-solver: constant inputs are integrated exactly by all, polynomial ones by all but those of low order to the
 * tolerance of 1e-10. */
static void test_solvers(void **state)
{
    (void)state;
    ms_system *system = support_system("oscillator-chain", "masses=2 m_odd=2 c_even=3");
    for (int k = 0; ms_solvers[k] != NULL; k++) {
        const bool low = ms_solvers[k]->order > 0 && ms_solvers[k]->order < 4;
        for (int order = 0; order <= (low ? 0 : 2); order++) {
            char text[96];
            snprintf(text, sizeof text, "solver=%s extrapolation-order=%d", ms_solvers[k]->name, order);
            const double tolerance = support_solver_slope(ms_solvers[k]) > 0.5 ? 1e-7 : 1e-5;
            ms_simulation simulation = check_short_run(system, text, order == 0 ? 1e-13 : tolerance);
            ms_simulation_destroy(&simulation);
        }
    }
    ms_system_destroy(&system);
}

/* Both half steps of an accepted step count, and rejected ones do not. */
static void test_step_control(void **state)
{
    (void)state;
    ms_system *system = support_system("oscillator-chain", NULL);
    ms_simulation simulation =
        support_ledger_run(system, "error-controlled=richardson extrapolation-order=1 rtol=1e-3 step-size=2 "
                                   "stop-time=20");
    assert_true(simulation.result.rejected_steps > 0);
    check_balance(&simulation, 1e-12, "richardson");
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* drift(10) / (E(0) 10 omega^(k+1) H^k) tends to: 1 for a hold, k = 1, and 1/4 for value and slope, k = 3, as
 * above. For the parabola through past values u_ext - u = -u''' tau (tau + H) (tau + 2H) / 6, with the
 * integral -3/8 H^4 u'''; from v''' = omega^4 s and F''' = m omega^4 v each macro-step changes both states by
 * -3/8 (omega H)^4 of themselves, hence E by -3/4 (omega H)^4 E: k = 3. */
static void test_order(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double constant;
        int power;
    } schemes[] = {{"extrapolation-order=0", 1.0, 1},
                   {"extrapolation-order=1 derivatives=analytic outputs=consistent", 0.25, 3},
                   {"extrapolation-order=2", -0.75, 3}};
    const double omega = sqrt(3.0 / 2.0);
    ms_system *system = support_system("spring-mass", "m=2 c=3");
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
        double distance[2];
        for (int i = 0; i < 2; i++) {
            char text[160];
            const double H = i == 0 ? 0.01 : 0.005;
            snprintf(text, sizeof text, "%s stop-time=10 step-size=%g", schemes[k].options, H);
            ms_simulation simulation = support_ledger_run(system, text);
            const double scale = 1.5 * 10.0 * pow(omega, schemes[k].power + 1) * pow(H, schemes[k].power);
            distance[i] = fabs(simulation.energy.residual / scale - schemes[k].constant);
            ms_simulation_destroy(&simulation);
        }
        if (!(distance[0] < 0.1 && distance[1] < 0.75 * distance[0]))
            fail_msg("%s: %g, %g from %g", schemes[k].options, distance[0], distance[1], schemes[k].constant);
    }
    ms_system_destroy(&system);
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* A run that diverges has a row for each macro-step but the last, all finite; without a series only the last
 * row is kept, with the same sums. */
static void test_divergence(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", NULL);
    ms_simulation simulation = support_ledger_run(system, "step-size=3 stop-time=300"), brief;
    assert_int_equal(simulation.result.reason, MS_REASON_DIVERGED);
    assert_int_equal(simulation.ledger.rows, simulation.result.macro_steps);
    for (long n = 0; n < simulation.ledger.rows; n++)
        for (int k = 0; k < simulation.ledger.columns; k++)
            assert_true(isfinite(ms_energy_row(&simulation.ledger, n)[k]));
    support_near(simulation.energy.end / simulation.energy.start,
                 pow(10.0, (double)(simulation.ledger.rows - 1)),
                 1e-13 * pow(10.0, (double)(simulation.ledger.rows - 1)));
    const ms_options options = support_options("step-size=3 stop-time=300");
    ms_error error = {""};
    const ms_simulation_options request = {.errors = true};
    assert_int_equal(ms_simulation_run(system, &options, &request, &brief, &error), MS_OK);
    assert_int_equal(brief.ledger.rows, 1);
    assert_true(brief.energy.residual == simulation.energy.residual &&
                brief.energy.end == simulation.energy.end);
    assert_true(brief.ledger.highest == simulation.ledger.highest);
    ms_simulation_destroy(&brief);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* Every model of the catalogue: energies where all declare them, a residual where there are bonds. */
static void test_catalogue(void **state)
{
    (void)state;
    for (int k = 0; ms_catalogue[k] != NULL; k++) {
        ms_system *system = support_system_of(ms_catalogue[k]);
        char text[96], name[160];
        snprintf(text, sizeof text, "stop-time=%g", 3.0 * system->step_size);
        ms_simulation simulation = support_ledger_run(system, text);
        assert_int_equal(simulation.energy.known, ms_energy_declared(system));
        assert_int_equal(simulation.energy.known,
                         !isnan(ms_system_energy(system, simulation.trajectory.row + 1)));
        assert_int_equal(simulation.ledger.rows, simulation.energy.known ? 4 : 0);
        assert_int_equal(simulation.energy.known && !isnan(simulation.energy.residual),
                         simulation.energy.known && system->n_bonds > 0);
        for (int c = 0; simulation.energy.known && c < simulation.ledger.columns; c++) {
            ms_energy_name(&simulation.ledger, c, name, sizeof name);
            assert_true(name[0] != '\0' && strlen(name) < sizeof name - 1);
        }
        ms_simulation_destroy(&simulation);
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hold),         cmocka_unit_test(test_hermite),
        cmocka_unit_test(test_first_rows),   cmocka_unit_test(test_explicit_members),
        cmocka_unit_test(test_schemes),      cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_step_control), cmocka_unit_test(test_order),
        cmocka_unit_test(test_divergence),   cmocka_unit_test(test_catalogue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
