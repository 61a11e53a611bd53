/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_energy_ports.c - the energy ledger where ports have feed-through and subsystems dissipate or are
 * driven from outside, and the accuracy of its quadrature.
 *
 *     strut   s' = u    y = F = -3 s - K s^3 - 0.7 u     energy 3 s^2 / 2 + K s^4 / 4
 *     body    v' = (u - D v + G) / 2    y = v            energy v^2, G: a constant external force */
#include <math.h>
#include <stdio.h>

#include <macrostep/simulation.h>
#include "ledger_run.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { CUBIC, DRAG, FORCE };
static const ms_parameter parameters[] = {
    [CUBIC] = {"K", "N/m3", "hardening", 0.0, 0.0, 10.0, false, false},
    [DRAG] = {"D", "Ns/m", "drag", 0.0, 0.0, 10.0, false, false},
    [FORCE] = {"G", "N", "external force", 0.0, -10.0, 10.0, false, false},
};

static int strut_g(const ms_point *at, double *y)
{
    const double s = at->x[0];
    y[0] = -3.0 * s - at->p[CUBIC] * s * s * s - 0.7 * at->u[0];
    return 0;
}

static double strut_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 1.5 * x[0] * x[0] + 0.25 * p[CUBIC] * pow(x[0], 4.0);
}

static void body_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = -0.5 * p[DRAG];
    m->B[0] = m->E[0] = 0.5;
    m->C[0] = 1.0;
}

static void body_external(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)data;
    w[0] = p[FORCE];
}

static double body_energy(const double *x, const double *p, const void *data)
{
    (void)p, (void)data;
    return x[0] * x[0];
}

static const double strut_start[] = {1.0}, body_start[] = {0.5};
static const ms_port strut_port[] = {{"rod", 0, 0, -1.0}}, body_port[] = {{"foot", 0, 0, 1.0}};
static const ms_subsystem subsystems[] = {
    SUPPORT_SUBSYSTEM("strut", 1, 1, 1, .x0 = strut_start, .f = support_integrate, .g = strut_g,
                      .energy = strut_energy, .ports = strut_port, .n_ports = 1),
    SUPPORT_SUBSYSTEM("body", 1, 1, 1, .nw = 1, .x0 = body_start, .matrices = body_matrices,
                      .external = body_external, .external_constant = true, .energy = body_energy,
                      .ports = body_port, .n_ports = 1)};
static const ms_model model =
    SUPPORT_MODEL("strut-and-body", subsystems, support_ring, .parameters = parameters, .n_parameters = 3,
                  .stop_time = 1.0, .step_size = 0.1);

static ms_system *strut_and_body(double cubic, double drag, double outer)
{
    const ms_setting settings[] = {{"K", cubic}, {"D", drag}, {"G", outer}};
    return support_system_set(&model, settings, 3);
}

/* One macro-step H = 0.4 with u held. Strut: u = 0.5, s = 1 + tau/2, P = (3 s + 2 s^3) u + 0.7 u^2, so that
 * its work is the gain of 3 s^2 / 2 + s^4 / 2 from s = 1 to 1.2 and 0.7 u^2 H, of which the latter is
 * dissipated. Body: the force F = -5.35 that it is given and G = 1 accelerate it by a = -2.175; F does
 * F int v dt, G int v dt, which is supplied. */
static void test_feed_through(void **state)
{
    (void)state;
    ms_system *system = strut_and_body(2.0, 0.0, 1.0);
    ms_simulation simulation = support_ledger_run(system, "step-size=0.4 stop-time=0.4 solver=rk4");
    const double *row = ms_energy_row(&simulation.ledger, 1),
                 *bond = row + ms_energy_bond(&simulation.ledger, 0);
    const double path = 0.5 * 0.4 - 2.175 * 0.08, stored = 1.5 * (1.44 - 1.0) + 0.5 * (2.0736 - 1.0);
    support_near(row[ms_energy_of(0)], 2.0 + stored, 1e-14);
    support_near(bond[MS_ENERGY_WORK], stored + 0.7 * 0.25 * 0.4, 1e-14);
    support_near(bond[MS_ENERGY_WORK + 1], -5.35 * path, 1e-14);
    support_near(support_ledger_sum(&simulation, 1, MS_ENERGY_SUM_DRIFT), stored + 0.07 - 5.35 * path, 1e-14);
    support_near(support_ledger_sum(&simulation, 1, MS_ENERGY_SUM_SUPPLIED), path - 0.07, 1e-14);
    /* With u = L y at the start F = -5 - 0.35, into the strut 5.35 * 0.5. */
    support_near(ms_energy_row(&simulation.ledger, 0)[ms_energy_bond(&simulation.ledger, 0)], 2.675, 1e-15);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* Body with D = 2 under the held force F = -3.35 over H = 4: v = q + (v0 - q) e^-tau with q = F/2, and P = F v. */
static void quadrature_under(const char *solver, double tolerance)
{
    ms_system *system = strut_and_body(0.0, 2.0, 0.0);
    char text[128];
    snprintf(text, sizeof text, "step-size=4 stop-time=4 solver=%s solver-rtol=1e-13 solver-atol=1e-13",
             solver);
    ms_simulation simulation = support_ledger_run(system, text);
    const double F = -3.35, q = F / 2.0, gap = 0.5 - q;
    const double *bond = ms_energy_row(&simulation.ledger, 1) + ms_energy_bond(&simulation.ledger, 0);
    support_near(bond[MS_ENERGY_WORK + 1], F * (4.0 * q - gap * expm1(-4.0)), tolerance);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

static void test_quadrature(void **state)
{
    (void)state;
    quadrature_under("cvode-bdf", 1e-10);
    quadrature_under("gsl-rk8pd", 1e-11);
}

/* All that is supplied is the power of drag, -D v^2, and of the strut's damping; trapezoidal rule on the
 * rows, whose error is H^2/12 int |P''| dt < 1e-5. */
static void test_dissipation(void **state)
{
    (void)state;
    ms_system *system = strut_and_body(1.0, 0.4, 0.0);
    ms_simulation simulation =
        support_ledger_run(system, "step-size=0.001 stop-time=3 extrapolation-order=2 outputs=consistent");
    double lost = 0.0, before = NAN;
    for (long n = 0; n < simulation.ledger.rows; n++) {
        const double v = ms_trajectory_row(&simulation.trajectory, n)[2], power = -(0.4 + 0.7) * v * v;
        lost += n > 0 ? 0.0005 * (power + before) : 0.0;
        before = power;
        support_near(support_ledger_sum(&simulation, n, MS_ENERGY_SUM_SUPPLIED), lost, 1e-5);
    }
    assert_true(lost < -0.5);
    support_near(simulation.ledger.lowest, support_ledger_total(&simulation, simulation.ledger.rows - 1),
                 0.0);
    support_near(simulation.ledger.highest, support_ledger_total(&simulation, 0), 0.0);
    assert_true(fabs(simulation.energy.residual) < 2e-6);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_feed_through), cmocka_unit_test(test_quadrature),
                                       cmocka_unit_test(test_dissipation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
