/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-equation: Dahlquist's test equation z' = lambda z, z complex, in two copies that share lambda by weights: each copy keeps the part
 * 1 - w and takes the part w from the other one.
 *
 *     z1' = lambda ((1 - w) z1 + w u1)        y1 = z1        u1 = y2        lambda = re + i im
 *     z2' = lambda ((1 - w) z2 + w u2)        y2 = z2        u2 = y1
 *
 * The mean of both is z' = lambda z, their difference decays with (1 - 2 w) lambda. With H = 1 the plane of re and im is that of
 * H lambda. Of Jacobi's scheme and held inputs both have a closed form: with e = exp((1 - w) H lambda) the factors of a macro-step are
 * e + (e - 1) w / (1 - w) and e - (e - 1) w / (1 - w).
 *
 * Source: the equation is Dahlquist's (1963). Chosen here: the copies, w = 1/4, z(0) = (1, 1/2), end 20 s, step 1 s. */
#include <math.h>

#include <macrostep/model.h>

enum { RE, IM, W, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [RE] = {"re", "1/s", "real part of lambda", -0.5, -INFINITY, INFINITY, false, false},
    [IM] = {"im", "1/s", "imaginary part of lambda", 1.0, -INFINITY, INFINITY, false, false},
    [W] = {"w", "1", "weight of the coupling", 0.25, -INFINITY, INFINITY, false, false},
};

/* M (2 x 2, by rows): multiplication by factor lambda. */
static void multiply_by(double factor, const double *p, double *M)
{
    M[0] = M[3] = factor * p[RE];
    M[2] = factor * p[IM];
    M[1] = -M[2];
}

static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    multiply_by(1.0 - p[W], p, m->A);
    multiply_by(p[W], p, m->B);
    m->C[0] = m->C[3] = 1.0;
}

static const ms_variable state[] = {{"zr", "1"}, {"zi", "1"}}, input[] = {{"ur", "1"}, {"ui", "1"}},
                         output[] = {{"yr", "1"}, {"yi", "1"}};
static const double first_start[] = {1.0, 0.0}, second_start[] = {0.5, 0.0};

#define COPY(label, start)                                                                                    \
    {.name = label, .nx = 2, .nu = 2, .ny = 2, .x = state, .u = input, .y = output, .x0 = start, .matrices = matrices}
static const ms_subsystem subsystems[] = {COPY("first", first_start), COPY("second", second_start)};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "a quarter of lambda goes through the coupling"}};

const ms_model ms_model_test_equation = {
    .name = "test-equation",
    .summary = "z' = lambda z in two coupled copies: stability regions in the plane of H lambda",
    .source = "Dahlquist (1963); the copies are made here",
    MS_MODEL_LISTS,
    .stop_time = 20.0,
    .step_size = 1.0,
};
