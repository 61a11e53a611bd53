/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plate-chain: damping-reaction with n plates in a row; one algebraic loop goes through all subsystems.
 *
 *     body - plate1 - strut2 - plate2 - .. - strutn - platen
 *
 *     body      as in damping-reaction, f_L(t) included        u = (v1, x1)                      y = f1
 *     plate i   xi' = vi,  vi = (fi - f(i+1)) / D_D            u = (fi, f(i+1))                  y = (vi, xi)
 *     strut i   fi = K_SD (x(i-1) - xi)                        u = (v(i-1), x(i-1), vi, xi)      y = fi
 *                    + D_SD (v(i-1) - vi)
 *
 * xi, vi are position [m] and velocity [m/s] of plate i, fi [N] is the force that pushes it from the left; it
 * pushes back with -fi. The last plate has nothing to its right and takes fn alone. Plates are massless, each
 * with a damper D_D to the ground; a strut, a parallel spring and damper, has no states and the values K_SD, D_SD of
 * the body's. With n = 1 this is damping-reaction.
 *
 * Outputs in the order of subsystems are (f1, v1, x1, f2, v2, x2, ..). By feed-through alone v = S f / D_D,
 * f = -S^T (D_SD v + K_SD x) and x = 0, where S (n x n) has 1 on the diagonal and -1 above it; hence D L has
 * the eigenvalue 0 n times, and
 *
 *     +- i sigma_j sqrt(D_SD/D_D),     sigma_j = 2 sin((2j - 1) pi / (4n + 2)),     j = 1 .. n,
 *
 * where sigma_j are the singular values of S (S S^T has -1 next to a diagonal of 2 that ends with 1). So
 *
 *     rho = 2 cos(pi / (2n + 1)) sqrt(D_SD/D_D)
 *
 * is the spectral radius. It grows from sqrt(D_SD/D_D) with one plate towards twice that with many: the loop
 * contracts for any n if D_D >= 4 D_SD and for none if D_D <= D_SD, and the difficulty rho is set by D_D = D_SD (2
 * cos(pi / (2n + 1)) / rho)^2. With the loop solved, v follows from (D_D I + D_SD S S^T) v = K_SD S (x0 - x1, x1 -
 * x2, ..) + D_SD (v_L, 0, 0, ..), where x0 = x_L.
 *
 * No energies are declared: those of the springs depend on the states of two subsystems.
 *
 * Source: made here after section 5 of Eguillon, Lacabanne, Tromeur-Dervout (2021), whose plate it repeats;
 * M_L, K_SD, D_SD, f_L, start, end and step are those of its Table 1. Chosen here: numbers of plates, D_D. */
#include <math.h>

#include <macrostep/model.h>

/* The first four as in damping-reaction, whose subsystems read them. */
enum { M_L, K_SD, D_SD, D_D, PLATES, N_PARAMETERS };
enum { BODY, LAST_PLATE };

extern const ms_model ms_model_damping_reaction;

static const ms_parameter parameters[N_PARAMETERS] = {
    [M_L] = {"m_l", "kg", "mass of the body", 1.0, 0.0, INFINITY, true, false},
    [K_SD] = {"k_sd", "N/m", "stiffness of each spring", 1.0, 0.0, INFINITY, false, false},
    [D_SD] = {"d_sd", "N s/m", "damping of the damper beside each spring", 1.0, 0.0, INFINITY, false, false},
    [D_D] = {"d_d", "N s/m", "damping of the damper that holds each plate", 16.0, 0.0, INFINITY, true, false},
    [PLATES] = {"plates", "1", "number of plates", 3.0, 1.0, 100000.0, false, true},
};

static void plate_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->B[0] = m->D[0] = 1.0 / p[D_D];
    m->B[1] = m->D[1] = -1.0 / p[D_D];
    m->C[1] = 1.0;
}

static void strut_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        m->D[2 * side] = sign * p[D_SD];
        m->D[2 * side + 1] = sign * p[K_SD];
    }
}

static const ms_variable position[] = {{"x_D", "m"}}, motion[] = {{"v_C", "m/s"}, {"x_C", "m"}};
static const ms_variable force[] = {{"f_C", "N"}};
static const ms_variable forces[] = {{"f_left", "N"}, {"f_right", "N"}};
static const ms_variable motions[] = {
    {"v_left", "m/s"}, {"x_left", "m"}, {"v_right", "m/s"}, {"x_right", "m"}};

static const ms_subsystem inner_plate = {.nx = 1, .nu = 2, .ny = 2, .x = position, .u = forces, .y = motion,
                                         .matrices = plate_matrices};
static const ms_subsystem strut = {.nu = 4, .ny = 1, .u = motions, .y = force, .matrices = strut_matrices};

/* Velocity and position of a plate into two inputs of what pushes it, and the force back into the plate. */
static void join(ms_structure *structure, int pusher, int input, int plate, int back)
{
    for (int j = 0; j < 2; j++)
        structure->wires[structure->n_wires++] = (ms_wire){pusher, input + j, plate, j, 1.0};
    structure->wires[structure->n_wires++] = (ms_wire){plate, back, pusher, 0, 1.0};
}

static int build(const double *p, ms_structure *structure, ms_error *error)
{
    const int n = (int)p[PLATES];
    structure->subsystems = ms_structure_alloc(structure, 2 * (size_t)n, sizeof *structure->subsystems);
    structure->wires = ms_structure_alloc(structure, 6 * (size_t)n, sizeof *structure->wires);
    MS_TRY_MEMORY_FOR(structure->subsystems != NULL && structure->wires != NULL, error, "%d plates", n);
    structure->n_subsystems = 2 * n;
    for (int i = 0; i < n; i++) { /* what pushes plate i + 1, and the plate */
        const int left = 2 * i, plate = left + 1;
        ms_subsystem *sub = structure->subsystems;
        sub[left] = i == 0 ? ms_model_damping_reaction.subsystems[BODY] : strut;
        sub[plate] = i < n - 1 ? inner_plate : ms_model_damping_reaction.subsystems[LAST_PLATE];
        if (i > 0)
            sub[left].name = ms_structure_name(structure, "strut%d", i + 1);
        sub[plate].name = ms_structure_name(structure, "plate%d", i + 1);
        MS_TRY_MEMORY_FOR(sub[left].name != NULL && sub[plate].name != NULL, error, "%d plates", n);
        join(structure, left, i == 0 ? 0 : 2, plate, 0);
        if (i > 0)
            join(structure, left, 0, plate - 2, 1);
    }
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "contractive", .summary = "three plates, D_D = 16, spectral radius 0.45",
     .source = "chosen here", MS_SETTINGS({"plates", 3.0}, {"d_d", 16.0})},
    {.name = "non-contractive", .summary = "three plates, D_D = 0.64, spectral radius 2.25",
     .source = "chosen here", MS_SETTINGS({"plates", 3.0}, {"d_d", 0.64})},
    {.name = "ten-plates", .summary = "D_D = 4, spectral radius 0.989: contracts, slowly",
     .source = "chosen here", MS_SETTINGS({"plates", 10.0}, {"d_d", 4.0})},
    {.name = "one-plate", .summary = "D_D = 4: contractive damping-reaction", .source = "section 5, Figure 6",
     MS_SETTINGS({"plates", 1.0}, {"d_d", 4.0})},
};

const ms_model ms_model_plate_chain = {
    .name = "plate-chain",
    .summary = "damping-reaction with any number of plates: one loop through all subsystems",
    .source = "made here of Eguillon, Lacabanne, Tromeur-Dervout (2021), section 5",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 10.0, .step_size = 0.01,
    .build = build,
};
