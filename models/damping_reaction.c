/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damping-reaction: a body, pushed by a force, with a spring and a damper to a massless plate that a second
 * damper holds. Each side responds directly to the other; one parameter determines whether the fixed point of the
 * coupling contracts.
 *
 *     body    M_L v_L' = f_L(t) + K_SD (x_C - x_L) + D_SD (v_C - v_L),  x_L' = v_L     u = (v_C, x_C)
 *             y = f_C = K_SD (x_L - x_C) + D_SD (v_L - v_C)                            [N]
 *     plate   x_D' = f_C / D_D                                                         u = f_C
 *             y = (v_C, x_C) = (f_C / D_D, x_D)                                        [m/s, m]
 *
 *     f_L(t) = (5/e^-1) exp(1 / ((t/2)^2 - 1)) for |t| < 2 s, else 0                   [N]
 *
 * f_L starts with 5 N and is zero from 2 s on; there it is C-infinity, but not analytic. The paper defines it
 * from 0 s on; it is continued as an even function. Evaluated is 5 exp(-s^2/(1 - s^2)), s = t/2: the same
 * and exact at 0.
 *
 * Outputs in the order of subsystems are (f_C, v_C, x_C): the order of (33), whose upper left block is
 *
 *           ( 0      -D_SD  -K_SD )
 *     D L = ( 1/D_D   0      0    )         with eigenvalues 0, +- i sqrt(D_SD/D_D)  (34)
 *           ( 0       0      0    )
 *
 * so that the fixed point contracts where D_D > D_SD (35). With the loop solved,
 * v_C = (K_SD (x_L - x_D) + D_SD v_L) / (D_SD + D_D).
 *
 * No energies are declared: that of the spring depends on the states of both subsystems.
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2021), section 5, (29)-(34), Table 1: M_L = 1 kg,
 * K_SD = 1 N/m, D_SD = 1 N/(m/s), D_D in [0.01, 4] N/(m/s), start zero, end 10 s; step 0.01 s as in Figure 8.
 * The text names D_D = 4, 1, 0.64 and 0.01, which are the cases; further values appear only in the plots of Figures 5
 * and 8. Misprint: 5.3 gives D_D in N. Chosen here: the range, all D_D > 0. */
#include <math.h>

#include <macrostep/model.h>

enum { M_L, K_SD, D_SD, D_D, N_PARAMETERS }; /* plate-chain has these first, in this order */

static const ms_parameter parameters[N_PARAMETERS] = {
    [M_L] = {"m_l", "kg", "mass of the body", 1.0, 0.0, INFINITY, true, false},
    [K_SD] = {"k_sd", "N/m", "stiffness of the spring of the body", 1.0, 0.0, INFINITY, false, false},
    [D_SD] = {"d_sd", "N s/m", "damping of the damper beside it", 1.0, 0.0, INFINITY, false, false},
    [D_D] = {"d_d", "N s/m", "damping of the damper that holds the plate", 4.0, 0.0, INFINITY, true, false},
};

static void push(double t, const double *p, const void *data, double *w)
{
    (void)p;
    (void)data;
    const double s = 0.5 * t, rest = (1.0 - s) * (1.0 + s); /* 1 - s^2 */
    w[0] = rest > 0.0 ? 5.0 * exp(-s * s / rest) : 0.0;
}

static void body_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = -p[D_SD] / p[M_L];
    m->A[1] = -p[K_SD] / p[M_L];
    m->A[2] = 1.0;
    m->B[0] = p[D_SD] / p[M_L];
    m->B[1] = p[K_SD] / p[M_L];
    m->C[0] = p[D_SD];
    m->C[1] = p[K_SD];
    m->D[0] = -p[D_SD];
    m->D[1] = -p[K_SD];
    m->E[0] = 1.0 / p[M_L];
}

static void plate_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->B[0] = 1.0 / p[D_D];
    m->C[1] = 1.0;
    m->D[0] = 1.0 / p[D_D];
}

static const ms_variable body_states[] = {{"v_L", "m/s"}, {"x_L", "m"}}, plate_states[] = {{"x_D", "m"}};
static const ms_variable motion[] = {{"v_C", "m/s"}, {"x_C", "m"}};
static const ms_variable force[] = {{"f_C", "N"}}, outer_force[] = {{"f_L", "N"}};

static const ms_subsystem subsystems[] = {
    {.name = "body", .nx = 2, .nu = 2, .ny = 1, .nw = 1, .x = body_states, .u = motion, .y = force,
     .w = outer_force, .matrices = body_matrices, .external = push},
    {.name = "plate", .nx = 1, .nu = 1, .ny = 2, .x = plate_states, .u = force, .y = motion,
     .matrices = plate_matrices},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "contractive", .summary = "D_D = 4, spectral radius 0.5", .source = "Figure 6",
     MS_SETTINGS({"d_d", 4.0})},
    {.name = "non-contractive", .summary = "D_D = 0.64, spectral radius 1.25", .source = "Figure 7",
     MS_SETTINGS({"d_d", 0.64})},
    {.name = "threshold", .summary = "D_D = D_SD = 1, spectral radius 1", .source = "5.3, Figure 8",
     MS_SETTINGS({"d_d", 1.0})},
    {.name = "extreme", .summary = "D_D = 0.01, spectral radius 10", .source = "5.3, Figure 8",
     MS_SETTINGS({"d_d", 0.01})},
};

const ms_model ms_model_damping_reaction = {
    .name = "damping-reaction",
    .summary = "a body pushes a damped massless plate: d_d sets whether the loop contracts",
    .source = "Eguillon, Lacabanne, Tromeur-Dervout (2021), section 5, (29)-(32), Table 1",
    MS_MODEL_LISTS,
    .stop_time = 10.0, .step_size = 0.01,
};
