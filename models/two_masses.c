/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two-masses-springs-dampers: two masses between walls, coupled by force, displacement and velocity; in the
 * middle of the run the behaviour of the right one changes.
 *
 *     left    m1 v1' = -c1 x1 - d1 v1 + f           x1' = v1    y = (x1, v1)    u = f
 *     right   m2 v2' = -c3 x2 - d3 v2 - f + F(t)    x2' = v2    y = f           u = (x1, v1)
 *             f = c2 (x2 - x1) + d2 (v2 - v1)                   [m, m/s, N]
 *
 * The right subsystem holds the coupling spring and damper; its feed-through is D = (-c2, -d2), the left one
 * has none. The change at t_c = 100 s (parameter change):
 *
 *     0 `constant`  nothing
 *     1 `sine`      a force acts on the right mass, F = A sin(2 pi nu (t - t_c)), zero before; continuous
 *     2 `jump`      x2 jumps by J, and c3, d3 take the values c3_after, d3_after
 *
 * The change must come after the start of the run. In `jump` it is a time event, which changes x2 and the discrete
 * variable that c3 and d3 depend on. In `sine`, whose force begins with a kink, it is a breakpoint.
 *
 * No energies are declared: that of the coupling spring depends on the states of both subsystems.
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2022), 4.2, Figure 13. Printed: c1 = c2 = c3 = 1 kN/m,
 * d1 = d3 = 1 kN/(m/s), d2 = 0, m1 = m2 = 1000 kg, start x1 = -1 m and all else zero, end 200 s, that the
 * right mass behaves otherwise after 100 s and that a discontinuity of coupling variables comes of it; steps
 * of 0.01 to 0.4 s, the first and smallest of F3ORNITS 0.01 s.
 * Not printed, chosen here: the change, and the step 0.1 s (one of the printed ones). A = 0.4 kN and nu = 0.3 Hz of
 * `sine`, J = 0.70 m, c3_after = 6.3 kN/m and d3_after = 0.10 kN/(m/s) of `jump` were found by looking at Table 1:
 * agreement with it is consistency, not validation. */
#include <math.h>

#include <macrostep/model.h>

enum {
    CHANGE,
    M1,
    M2,
    C1,
    D1,
    C2,
    D2,
    C3,
    D3,
    X1_START,
    CHANGE_TIME,
    AMPLITUDE,
    FREQUENCY,
    JUMP,
    C3_AFTER,
    D3_AFTER,
    N_PARAMETERS
};
enum { CONSTANT, SINE, JUMPING };
enum { LEFT, RIGHT, N_SUBSYSTEMS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [CHANGE] = {"change", "1", "0: nothing changes, 1: a force acts, 2: a jump and other constants", SINE,
                CONSTANT, JUMPING, false, true},
    [M1] = {"m1", "kg", "left mass", 1000.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "right mass", 1000.0, 0.0, INFINITY, true, false},
    [C1] = {"c1", "N/m", "stiffness at the left wall", 1000.0, 0.0, INFINITY, false, false},
    [D1] = {"d1", "N s/m", "damping at the left wall", 1000.0, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N/m", "stiffness between the masses", 1000.0, 0.0, INFINITY, false, false},
    [D2] = {"d2", "N s/m", "damping between the masses", 0.0, 0.0, INFINITY, false, false},
    [C3] = {"c3", "N/m", "stiffness at the right wall", 1000.0, 0.0, INFINITY, false, false},
    [D3] = {"d3", "N s/m", "damping at the right wall", 1000.0, 0.0, INFINITY, false, false},
    [X1_START] = {"x1_start", "m", "left displacement at the start", -1.0, -INFINITY, INFINITY, false, false},
    [CHANGE_TIME] = {"change_time", "s", "time of the change", 100.0, 0.0, INFINITY, true, false},
    [AMPLITUDE] = {"amplitude", "N", "force on the right mass after the change (1)", 400.0, 0.0, INFINITY,
                   false, false},
    [FREQUENCY] = {"frequency", "Hz", "of that force (1)", 0.3, 0.0, INFINITY, false, false},
    [JUMP] = {"jump", "m", "jump of the right displacement (2)", 0.7, -INFINITY, INFINITY, false, false},
    [C3_AFTER] = {"c3_after", "N/m", "c3 after the change (2)", 6300.0, 0.0, INFINITY, false, false},
    [D3_AFTER] = {"d3_after", "N s/m", "d3 after the change (2)", 100.0, 0.0, INFINITY, false, false},
};

static void left_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[1] = 1.0;
    m->A[2] = -p[C1] / p[M1];
    m->A[3] = -p[D1] / p[M1];
    m->B[1] = 1.0 / p[M1];
    m->C[0] = m->C[3] = 1.0;
}

/* The right subsystem with its wall's spring c3 and damper d3; blocks that are not wanted are NULL. */
static void right_blocks(const double *p, double c3, double d3, const ms_blocks *m)
{
    const double A[] = {0.0, 1.0, -(p[C2] + c3) / p[M2], -(p[D2] + d3) / p[M2]};
    for (int k = 0; k < 4 && m->A != NULL; k++)
        m->A[k] = A[k];
    for (int k = 0; k < 2; k++) {
        const double of_state = p[k == 0 ? C2 : D2];
        if (m->B != NULL)
            m->B[2 + k] = of_state / p[M2];
        if (m->C != NULL)
            m->C[k] = of_state;
        if (m->D != NULL)
            m->D[k] = -of_state;
    }
}

static void right_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    right_blocks(p, p[C3], p[D3], m);
}

static void forced_matrices(const double *p, const void *data, const ms_blocks *m)
{
    right_matrices(p, data, m);
    m->E[1] = 1.0 / p[M2];
}

static void sine(double t, const double *p, const void *data, double *w)
{
    (void)data;
    const double after = t - p[CHANGE_TIME];
    w[0] = after > 0.0 ? p[AMPLITUDE] * sin(2.0 * 3.14159265358979323846 * p[FREQUENCY] * after) : 0.0;
}

static double next_change(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)data;
    return t < p[CHANGE_TIME] ? p[CHANGE_TIME] : INFINITY;
}

static bool has_changed(const ms_point *at)
{
    return at->z[0] != 0.0;
}

static int jump(const ms_point *at, const ms_event *event)
{
    event->x[0] = at->x[0] + at->p[JUMP];
    event->z[0] = 1.0;
    return 0;
}

static double coupling_force(const ms_point *at)
{
    return at->p[C2] * (at->x[0] - at->u[0]) + at->p[D2] * (at->x[1] - at->u[1]);
}

static int jumping_f(const ms_point *at, double *dx)
{
    const double *p = at->p, c3 = p[has_changed(at) ? C3_AFTER : C3], d3 = p[has_changed(at) ? D3_AFTER : D3];
    dx[0] = at->x[1];
    dx[1] = -(c3 * at->x[0] + d3 * at->x[1] + coupling_force(at)) / p[M2];
    return 0;
}

static int jumping_g(const ms_point *at, double *y)
{
    y[0] = coupling_force(at);
    return 0;
}

static int jumping_jacobian(const ms_point *at, const ms_blocks *m)
{
    right_blocks(at->p, at->p[has_changed(at) ? C3_AFTER : C3], at->p[has_changed(at) ? D3_AFTER : D3], m);
    return 0;
}

static const ms_variable motion[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable force[] = {{"f", "N"}}, outer_force[] = {{"F", "N"}}, changed[] = {{"changed", "1"}};

static const ms_subsystem left = {.name = "left", .nx = 2, .nu = 1, .ny = 2, .x = motion, .u = force,
                                  .y = motion, .x0_parameter = (const int[]){X1_START, -1},
                                  .matrices = left_matrices};

static const ms_subsystem rights[] = {
    [CONSTANT] = {.name = "right", .nx = 2, .nu = 2, .ny = 1, .x = motion, .u = motion, .y = force,
                  .matrices = right_matrices},
    [SINE] = {.name = "right", .nx = 2, .nu = 2, .ny = 1, .nw = 1, .x = motion, .u = motion, .y = force,
              .w = outer_force, .matrices = forced_matrices, .external = sine, .next_time = next_change},
    [JUMPING] = {.name = "right", .nx = 2, .nu = 2, .ny = 1, .nz = 1, .x = motion, .u = motion, .y = force,
                 .z = changed, .f = jumping_f, .g = jumping_g, .jacobian = jumping_jacobian,
                 .next_time = next_change, .handle = jump},
};

static const ms_wire wires[] = {
    {.to = LEFT, .input = 0, .from = RIGHT, .output = 0, .gain = 1.0},
    {.to = RIGHT, .input = 0, .from = LEFT, .output = 0, .gain = 1.0},
    {.to = RIGHT, .input = 1, .from = LEFT, .output = 1, .gain = 1.0},
};

static int build(const double *p, ms_structure *s, ms_error *error)
{
    s->n_subsystems = N_SUBSYSTEMS;
    s->n_wires = MS_COUNT(wires);
    MS_TRY(ms_structure_make_room(s, N_SUBSYSTEMS, MS_COUNT(wires), 0, "the two masses", error));
    s->subsystems[LEFT] = left;
    s->subsystems[RIGHT] = rights[(int)p[CHANGE]];
    for (int k = 0; k < MS_COUNT(wires); k++)
        s->wires[k] = wires[k];
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "sine", .summary = "a force of 0.4 kN at 0.3 Hz acts on the right mass from 100 s on",
     .source = "Figure 13, Table 1; the change is chosen", MS_SETTINGS({"change", SINE})},
    {.name = "jump", .summary = "at 100 s x2 jumps by 0.70 m, c3 becomes 6.3 kN/m and d3 0.10 kN/(m/s)",
     .source = "Figure 13, Table 1; the change is chosen", MS_SETTINGS({"change", JUMPING})},
    {.name = "constant", .summary = "nothing changes", .source = "Figure 13 before 100 s",
     MS_SETTINGS({"change", CONSTANT})},
};

const ms_model ms_model_two_masses = {
    .name = "two-masses-springs-dampers",
    .summary = "coupled by force, displacement, velocity; changes after 100 s",
    .source = "Eguillon, Lacabanne, Tromeur-Dervout (2022), 4.2, Figure 13",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 200.0, .step_size = 0.1,
    .build = build,
};
