/* SPDX-License-Identifier: GPL-3.0-or-later */
/* van-der-pol: the relaxation oscillator of van der Pol, with a force.
 *
 *     x' = v,   v' = mu ((1 - x^2) v - x) + u,   u = amplitude sin(frequency t)
 *
 * (8.9) calls (x, v) = (x1, x2); (9.1) is the same with the states in the other order, (v, x) = (x1, x2), and
 * the input u. In the time s = sqrt(mu) t without force it is y'' = m (1 - y^2) y' - y with m = sqrt(mu).
 *
 * Source: Andersson (2016), (8.9), section 8.6.1, and (9.1), Examples 9.1.3 and 9.1.4, A.2. */
#include <math.h>

#include <macrostep/model.h>

enum { MU, AMPLITUDE, FREQUENCY };
enum { X, V };

static int van_der_pol_f(const ms_point *at, double *dx)
{
    const double x = at->x[X], v = at->x[V];
    dx[X] = v;
    dx[V] = at->p[MU] * ((1.0 - x * x) * v - x) + at->w[0];
    return 0;
}

static int van_der_pol_jacobian(const ms_point *at, const ms_blocks *m)
{
    const double mu = at->p[MU], x = at->x[X], v = at->x[V];
    if (m->A != NULL) {
        m->A[0] = 0.0;
        m->A[1] = 1.0;
        m->A[2] = -mu * (2.0 * x * v + 1.0);
        m->A[3] = mu * (1.0 - x * x);
    }
    return 0;
}

static void van_der_pol_external(double t, const double *p, const void *data, double *w)
{
    (void)data;
    w[0] = p[AMPLITUDE] * sin(p[FREQUENCY] * t);
}

static const ms_variable states[] = {{"x", "1"}, {"v", "1/s"}}, force[] = {{"u", "1/s^2"}};
static const double start[] = {2.0, -0.6};

static const ms_subsystem subsystems[] = {{.name = "oscillator", .nx = 2, .nw = 1, .x = states, .w = force,
                                           .x0 = start, .f = van_der_pol_f, .jacobian = van_der_pol_jacobian,
                                           .external = van_der_pol_external}};

static const ms_parameter parameters[] = {
    [MU] = {.name = "mu", .unit = "1/s^2", .summary = "stiffness", .value = 2000.0, .max = 1e6},
    [AMPLITUDE] = {.name = "amplitude", .unit = "1/s^2", .summary = "of the force", .min = -1e6, .max = 1e6},
    [FREQUENCY] =
        {.name = "frequency", .unit = "rad/s", .summary = "of the force", .value = 30.0, .max = 1e4},
};

static const ms_case cases[] = {{.name = "stiff", .summary = "mu = 2000", .source = "(8.9), Fig. 8.11"},
                                {.name = "mild", .summary = "mu = 20",
                                 .source = "(9.1), Example 9.1.3, Fig. 9.2", MS_SETTINGS({"mu", 20.0})},
                                {.name = "forced", .summary = "mu = 20, u = 100 sin(30 t)",
                                 .source = "(9.1), Example 9.1.4, Fig. 9.3",
     MS_SETTINGS({"mu", 20.0}, {"amplitude", 100.0})}};

const ms_model ms_model_van_der_pol = {.name = "van-der-pol",
                                       .summary = "van der Pol's oscillator, stiff or mild, free or forced",
                                       .source = "Andersson 2016, (8.9), (9.1)",
                                       MS_LIST(parameters, parameters),
                                       MS_LIST(cases, cases),
                                       MS_LIST(subsystems, subsystems),
                                       .stop_time = 2.0,
                                       .step_size = 0.01};
