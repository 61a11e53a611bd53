/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controlled-car: a car whose speed is controlled from its position.
 *
 *     car         m v' = F + w(t), x' = v        y = x [m]          u = F
 *     controller  y = F_p(t)       t < 10 s      u = x; y = F [N]
 *                 y = k (v_t - u') t >= 10 s
 *
 * The controller has no states. It computes the speed as the time derivative u' of its input polynomial: zero if the
 * input is held. Then the force stays at k v_t and the car's speed grows without bound; with polynomials that follow
 * the position it stays near v_t. In the monolithic model u' = v, and from 10 s on
 *
 *     m v' = k (v_t - v) + w(t)
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2022), 4.1, Figures 9-12. Printed: m = 1000 kg, the target 16
 * m/s, control from 10 s on, that the preset force begins the run and that a random perturbation is added to
 * the force. The controller is printed as x' = v, 0 = x - u, the same equation for v.
 * Not printed, chosen here: start at rest, end 60 s, step 0.1 s;
 *   gain          k = 1000 N/(m/s), a time constant m/k of 1 s
 *   preset force  a trapezoid, 2 kN with ramps of 2 s, which brings the car to 16 m/s in 10 s. Before 0 s its
 *                 line goes on downwards, so that derivatives at the start are those of the run
 *   perturbation  random values in [-200, 200] N, value k at k 0.5 s. Joined by half cosines (`perturbed`),
 *                 the force is continuous together with its derivative; held until the next one
 *                 (`stepwise`), its jumps are breakpoints, where micro-solvers stop. Value k is a hash of
 *                 seed and k (the output function of SplitMix64: Steele, Lea, Flood 2014), the same in every
 *                 run.
 *
 * Neither energies nor ports are declared: the flow of the force is the speed, but the position is exchanged. */
#include <math.h>
#include <stdint.h>

#include <macrostep/model.h>

enum { M, GAIN, TARGET, PRESET_FORCE, PRESET_RAMP, PERTURBATION, SEED, HELD, N_PARAMETERS };

static const double PRESET_END = 10.0, NOISE_INTERVAL = 0.5; /* [s] */

static const ms_parameter parameters[N_PARAMETERS] = {
    [M] = {"m", "kg", "mass of the car", 1000.0, 0.0, INFINITY, true, false},
    [GAIN] = {"gain", "N s/m", "gain of the controller", 1000.0, 0.0, INFINITY, false, false},
    [TARGET] = {"target", "m/s", "target speed", 16.0, -INFINITY, INFINITY, false, false},
    [PRESET_FORCE] = {"preset_force", "N", "force between the ramps, before 10 s", 2000.0, 0.0, INFINITY,
                      false, false},
    [PRESET_RAMP] = {"preset_ramp", "s", "duration of each ramp of the preset force", 2.0, 0.0, 5.0, true,
                     false},
    [PERTURBATION] = {"perturbation", "N", "bound of the random force", 200.0, 0.0, INFINITY, false, false},
    [SEED] = {"seed", "1", "of the random force", 1.0, 0.0, 4294967295.0, false, true},
    [HELD] = {"held", "1", "its values are 0: joined, 1: held", 0.0, 0.0, 1.0, false, true},
};

/* Random value k of a seed, uniform in [-1, 1). */
static double random_value(uint64_t seed, uint64_t k)
{
    uint64_t z = ((seed << 32) | k) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

static void perturbation(double t, const double *p, const void *data, double *w)
{
    (void)data;
    const double at = t / NOISE_INTERVAL, left = floor(at), period = 4294967296.0;
    const uint64_t seed = (uint64_t)p[SEED], k = (uint64_t)(left - period * floor(left / period));
    const double from = random_value(seed, k), to = random_value(seed, (k + 1) & UINT32_MAX);
    const double rise = p[HELD] != 0.0 ? 0.0 : 0.5 * (1.0 - cos(3.14159265358979323846 * (at - left)));
    w[0] = p[PERTURBATION] * (from + (to - from) * rise);
}

static double next_jump(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)data;
    return p[HELD] != 0.0 ? NOISE_INTERVAL * (floor(t / NOISE_INTERVAL) + 1.0) : INFINITY;
}

static void car_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[1] = 1.0;
    m->B[1] = m->E[1] = 1.0 / p[M];
    m->C[0] = 1.0;
}

static int controller_g(const ms_point *at, double *y)
{
    const double *p = at->p, slope = p[PRESET_FORCE] / p[PRESET_RAMP];
    if (at->t < PRESET_END)
        y[0] = fmin(p[PRESET_FORCE], slope * fmin(at->t, PRESET_END - at->t));
    else
        y[0] = p[GAIN] * (p[TARGET] - at->du[0]);
    return 0;
}

static int controller_jacobian(const ms_point *at, const ms_blocks *m)
{
    (void)at;
    (void)m; /* neither states nor dg/du */
    return 0;
}

static const ms_variable car_states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable position[] = {{"x", "m"}}, force[] = {{"F", "N"}}, wind[] = {{"w", "N"}};
static const bool no_feed_through[] = {false};

static const ms_subsystem subsystems[] = {
    {.name = "car", .nx = 2, .nu = 1, .ny = 1, .nw = 1, .x = car_states, .u = force, .y = position, .w = wind,
     .matrices = car_matrices, .external = perturbation, .next_time = next_jump},
    {.name = "controller", .nu = 1, .ny = 1, .u = position, .y = force, .g = controller_g,
     .jacobian = controller_jacobian, .feed_through = no_feed_through, .uses_du = true},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "perturbed", .summary = "with the random force", .source = "4.1, Figures 9-12"},
    {.name = "unperturbed", .summary = "without it: the speed has a closed form", .source = "chosen here",
     MS_SETTINGS({"perturbation", 0.0})},
    {.name = "stepwise", .summary = "with the random force, piecewise constant", .source = "chosen here",
     MS_SETTINGS({"held", 1.0})},
};

const ms_model ms_model_controlled_car = {
    .name = "controlled-car",
    .summary = "the controller takes the speed from the slope of its input",
    .source = "Eguillon, Lacabanne, Tromeur-Dervout (2022), 4.1",
    MS_MODEL_LISTS,
    .stop_time = 60.0, .step_size = 0.1,
};
