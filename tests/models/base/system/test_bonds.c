/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bonds.c - power ports of the catalogue: which belong together, and what flows through them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include "coupled.h"
#include "monolithic.h"
#include "support.h"
#include "unit_test.h"

enum { NAME_SIZE = 128 };

/* Every case of every model that has bonds. */
static void for_each_case(void (*test)(const ms_system *system))
{
    int tested = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int i = 0; i < (*model)->n_cases; i++) {
            ms_system *system = support_system_of_case((*model)->name, (*model)->cases[i].name, NULL, 0);
            if (system->n_bonds > 0) {
                test(system);
                tested++;
            }
            ms_system_destroy(&system);
        }
    assert_true(tested >= 4);
}

static const ms_port *port_of(const ms_system *system, const ms_bond *bond, int end)
{
    return &system->sub[bond->subsystem[end]].ports[bond->port[end]];
}

/* "SUB.PORT SUB.PORT", the ends as the bond has them or exchanged. */
static void name_of(const ms_system *system, const ms_bond *bond, bool exchanged, char text[NAME_SIZE])
{
    const int first = exchanged ? 1 : 0;
    snprintf(text, NAME_SIZE, "%s.%s %s.%s", system->sub[bond->subsystem[first]].name,
             port_of(system, bond, first)->name, system->sub[bond->subsystem[1 - first]].name,
             port_of(system, bond, 1 - first)->name);
}

static bool has_bond(const ms_system *system, const char *name)
{
    int found = 0;
    for (int b = 0; b < system->n_bonds; b++) {
        char text[2][NAME_SIZE];
        name_of(system, &system->bond[b], false, text[0]);
        name_of(system, &system->bond[b], true, text[1]);
        found += strcmp(name, text[0]) == 0 || strcmp(name, text[1]) == 0;
    }
    return found == 1;
}

/* Structure ---------------------------------------------------------------------------------------------- */

/* n bonds, and the first of the names, as many as both have, are among them. */
static void assert_bonds(const char *model, const char *settings, int n, int n_names,
                         const char *const *names)
{
    ms_system *system = support_system(model, settings);
    assert_int_equal(system->n_bonds, n);
    for (int b = 0; b < n && b < n_names; b++)
        if (!has_bond(system, names[b]))
            fail_msg("%s: there is no bond %s", model, names[b]);
    ms_system_destroy(&system);
}

static void test_named_bonds(void **state)
{
    (void)state;
    static const char *const pair[] = {"spring.end mass.end"};
    static const char *const chain[] = {
        "spring1.right mass1.left", "mass1.right spring2.left", "spring2.right mass2.left",
        "mass2.right spring3.left", "spring3.right mass3.left",
    };
    assert_bonds("spring-mass", "", 1, 1, pair);
    for (int masses = 1; masses <= 3; masses++) {
        char settings[32];
        snprintf(settings, sizeof settings, "masses=%d", masses);
        assert_bonds("oscillator-chain", settings, 2 * masses - 1, 5, chain);
    }
    assert_bonds("oscillator-chain", "masses=2000", 3999, 5, chain);
    assert_bonds("quarter-car", "", 0, 0, NULL);
}

/* Every port is an end of one bond, and the bond repeats what the ports say. */
static void check_ends(const ms_system *system)
{
    int ports = 0;
    for (int i = 0; i < system->n; i++)
        ports += system->sub[i].n_ports;
    assert_int_equal(ports, 2 * system->n_bonds);
    for (int b = 0; b < system->n_bonds; b++) {
        const ms_bond *bond = &system->bond[b];
        char name[NAME_SIZE];
        name_of(system, bond, false, name);
        assert_true(has_bond(system, name)); /* and only once */
        assert_true(bond->subsystem[0] < bond->subsystem[1]);
        for (int e = 0; e < 2; e++) {
            const int i = bond->subsystem[e], input = bond->input[e];
            assert_in_range(bond->port[e], 0, system->sub[i].n_ports - 1);
            assert_int_equal(input, system->u_at[i] + port_of(system, bond, e)->input);
            assert_int_equal(bond->output[e], system->y_at[i] + port_of(system, bond, e)->output);
            assert_true(bond->gain[e] == port_of(system, bond, e)->gain);
            assert_int_equal(system->row_at[input + 1] - system->row_at[input], 1);
            assert_int_equal(system->wire_output[system->row_at[input]], bond->output[1 - e]);
        }
    }
}

static void test_ends(void **state)
{
    (void)state;
    for_each_case(check_ends);
}

static void check_permuted(const ms_system *system)
{
    int order[SUPPORT_COUPLED_SIZE];
    for (int k = 0; k < 3; k++) { /* reversed; odd before even; turned by one */
        const int n = system->n;
        for (int i = 0; i < n; i++)
            order[i] = k == 0   ? n - 1 - i
                       : k == 1 ? (2 * i + 1 < n ? 2 * i + 1 : 2 * (i - n / 2))
                                : (i + 1) % n;
        ms_system *permuted = support_permuted(system, order);
        assert_int_equal(permuted->n_bonds, system->n_bonds);
        check_ends(permuted);
        for (int b = 0; b < system->n_bonds; b++) {
            char name[NAME_SIZE];
            name_of(system, &system->bond[b], false, name);
            assert_true(has_bond(permuted, name));
        }
        ms_system_destroy(&permuted);
    }
}

static void test_permuted(void **state)
{
    (void)state;
    for_each_case(check_permuted);
}

/* Power -------------------------------------------------------------------------------------------------- */

/* Whatever the outputs are, the powers of both ends are opposite where u = L y; and so for those of random
 * states. */
static void check_opposite(const ms_system *system)
{
    double x[SUPPORT_COUPLED_SIZE], y[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE] = {0};
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(x, system->nx);
        support_random_vector(y, system->ny);
        if (n % 2 == 0)
            support_evaluate(system, true, x, u, y);
        ms_system_couple(system, y, u);
        for (int b = 0; b < system->n_bonds; b++) {
            const ms_bond *bond = &system->bond[b];
            double power[2];
            for (int e = 0; e < 2; e++)
                power[e] = bond->gain[e] * y[bond->output[e]] * u[bond->input[e]];
            assert_true(n % 2 == 0 ||
                        power[0] != 0.0); /* of a static subsystem without inputs there is none */
            support_near(power[0] + power[1], 0.0, 1e-15 * (1.0 + fabs(power[0])));
        }
    }
}

static void test_opposite(void **state)
{
    (void)state;
    for_each_case(check_opposite);
}

/* dE/dt = E'(x) f(x, u) of subsystem i, by central differences of the energy, exact where it is quadratic. */
static double energy_rate(const ms_system *system, int i, const double *x, const double *u)
{
    const ms_subsystem *sub = &system->sub[i];
    double at[SUPPORT_COUPLED_SIZE], dx[SUPPORT_COUPLED_SIZE], rate = 0.0;
    support_evaluate(system, false, x, u, dx);
    memcpy(at, x, sizeof(double) * (size_t)system->nx);
    for (int j = system->x_at[i]; j < system->x_at[i + 1]; j++) {
        at[j] = x[j] + 0.5;
        const double above = sub->energy(at + system->x_at[i], system->p, sub->data);
        at[j] = x[j] - 0.5;
        const double below = sub->energy(at + system->x_at[i], system->p, sub->data);
        at[j] = x[j];
        rate += (above - below) * dx[j];
    }
    return rate;
}

/* What the ports let in is what the subsystem stores, for any inputs: these models neither dissipate nor have
 * other sources. */
static void check_balance(const char *model, const char *settings)
{
    ms_system *system = support_system(model, settings);
    double x[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE], y[SUPPORT_COUPLED_SIZE];
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(x, system->nx);
        support_random_vector(u, system->nu);
        support_evaluate(system, true, x, u, y);
        for (int i = 0; i < system->n; i++) {
            const ms_subsystem *sub = &system->sub[i];
            double power = 0.0;
            for (int k = 0; k < sub->n_ports; k++)
                power += sub->ports[k].gain * y[system->y_at[i] + sub->ports[k].output] *
                         u[system->u_at[i] + sub->ports[k].input];
            assert_true(sub->n_ports > 0 && power != 0.0);
            support_near_relative(energy_rate(system, i, x, u), power, 1e-13, sub->name, model);
        }
    }
    ms_system_destroy(&system);
}

static void test_balance(void **state)
{
    (void)state;
    check_balance("spring-mass", "m=0.7 c=2.9");
    check_balance("oscillator-chain", "masses=1");
    check_balance("oscillator-chain", "masses=5 m_odd=0.7 m_even=1.9 c_odd=2.3 c_even=0.3");
    check_balance("oscillator-chain", "case=alternating");
}

/* States x (nx) of the monolithic model at its stop time by CVODE; returns the number of its steps. */
static long integrate(const ms_system *whole, double tolerance, double *x)
{
    char text[128];
    snprintf(text, sizeof text, "solver=cvode-bdf solver-rtol=%g solver-atol=%g step-size=%g", tolerance,
             tolerance, whole->stop_time);
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(whole, &options);
    ms_run_result result;
    assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, NULL), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    memcpy(x, cosim->x, sizeof(double) * (size_t)whole->nx);
    const long steps = cosim->instance[0]->work.micro_steps;
    ms_cosim_destroy(&cosim);
    return steps;
}

/* Has it a damper, or is it driven? */
static bool loses(const ms_system *system)
{
    bool any = system->nw > 0;
    for (int k = 0; k < system->model->n_parameters; k++) {
        const ms_parameter *of = &system->model->parameters[k];
        any = any || ((strncmp(of->unit, "N s", 3) == 0 || strstr(of->name, "damping") != NULL) &&
                      system->p[k] != 0.0);
    }
    return any;
}

/* The coupled model keeps its energy where nothing takes or gives it, and all of it is declared: to round-off with matrix exponentials, and with CVODE to its tolerance.
 * An error of tolerance (|x| + 1) in a step changes x^2 by the fraction 4 tolerance, where |x| is near 1. */
static void check_conserved(const ms_system *system)
{
    double start[SUPPORT_COUPLED_SIZE], x[SUPPORT_COUPLED_SIZE];
    ms_system_start(system, start);
    const double energy = ms_system_energy(system, start);
    if (loses(system) || isnan(energy))
        return;
    assert_true(energy > 0.0);
    support_reference(system, system->stop_time, x);
    support_near(ms_system_energy(system, x) / energy, 1.0, 1e-11);
    support_reference(system, 0.7 * system->stop_time,
                      x); /* at its end precice-oscillator is where it began */
    assert_true(support_distance(system->nx, x, start) > 0.01);

    ms_system *whole;
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    static const double tolerances[] = {1e-6, 1e-8, 1e-10};
    for (int k = 0; k < MS_COUNT(tolerances); k++) {
        const long steps = integrate(whole, tolerances[k], x);
        assert_true(steps > 75);
        support_near(ms_system_energy(system, x) / energy, 1.0, 4.0 * (double)steps * tolerances[k]);
    }
    ms_monolithic_destroy(&whole);
}

static void test_conserved(void **state)
{
    (void)state;
    for_each_case(check_conserved);
}

/* A chain of one mass, moving as spring-mass does. */
static void test_single_mass(void **state)
{
    (void)state;
    ms_system *chain = support_system("oscillator-chain", "masses=1 m_odd=0.7 c_odd=2.9 v0=0");
    ms_system *pair = support_system("spring-mass", "m=0.7 c=2.9");
    assert_int_equal(chain->nx, pair->nx);
    const ms_options options = support_options("step-size=0.125 extrapolation-order=1 stop-time=10");
    double x[2], expected[2];
    support_finish(chain, &options, x, NULL);
    support_finish(pair, &options, expected, NULL);
    assert_true(x[0] == expected[0] && x[1] == expected[1]);
    ms_system_destroy(&chain);
    ms_system_destroy(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_bonds), cmocka_unit_test(test_ends),    cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_opposite),    cmocka_unit_test(test_balance), cmocka_unit_test(test_conserved),
        cmocka_unit_test(test_single_mass),
    };
    return cmocka_run_group_tests_name("bonds", tests, NULL, NULL);
}
