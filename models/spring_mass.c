/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spring-mass: an undamped oscillator, split into spring and mass.
 *
 *     spring   s' = u         y = F = -c s       energy c s^2 / 2
 *     mass     v' = u / m     y = v              energy m v^2 / 2
 *     u_spring = v, u_mass = F
 *
 * Source: Moshagen (2021), (16), (17), Table 3, Figures 6-8, 10, 11.
 * Misprint: Table 3 has the force with the wrong sign, x2' = -F/m with F = -c x.
 * Not printed, chosen here: m = c = 1, start s = 1 m, v = 0. */
#include <math.h>

#include <macrostep/model.h>

enum { M, C, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M] = {"m", "kg", "mass", 1.0, 0.0, INFINITY, true, false},
    [C] = {"c", "N/m", "stiffness of the spring", 1.0, 0.0, INFINITY, true, false},
};

static void spring_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->B[0] = 1.0;
    m->C[0] = -p[C];
}

static double spring_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * p[C] * x[0] * x[0];
}

static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->B[0] = 1.0 / p[M];
    m->C[0] = 1.0;
}

static double mass_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * p[M] * x[0] * x[0];
}

static const ms_variable position[] = {{"s", "m"}}, velocity[] = {{"v", "m/s"}}, force[] = {{"F", "N"}};
static const double spring_start[] = {1.0};

/* The force of the spring on the mass: its power into the mass is F v, into the spring -F v. */
static const ms_port spring_port[] = {{.name = "end", .input = 0, .output = 0, .gain = -1.0}};
static const ms_port mass_port[] = {{.name = "end", .input = 0, .output = 0, .gain = 1.0}};

static const ms_subsystem subsystems[] = {
    {.name = "spring", .nx = 1, .nu = 1, .ny = 1, .x = position, .u = velocity, .y = force,
     .x0 = spring_start, .matrices = spring_matrices, .energy = spring_energy,
     .ports = spring_port, .n_ports = 1},
    {.name = "mass", .nx = 1, .nu = 1, .ny = 1, .x = velocity, .u = force, .y = velocity,
     .matrices = mass_matrices, .energy = mass_energy, .ports = mass_port, .n_ports = 1},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "m = c = 1, H = 0.2", .source = "Figures 6, 7, 8, 10"},
};

const ms_model ms_model_spring_mass = {
    .name = "spring-mass",
    .summary = "undamped oscillator split into spring and mass, with energies",
    .source = "Moshagen (2021), (16), (17), Table 3",
    MS_MODEL_LISTS,
    .stop_time = 75.0, .step_size = 0.2,
};
