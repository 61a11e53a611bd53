/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moshagen-2x2: x' = A x with A of size 2 x 2, split into two scalar subsystems that exchange their states.
 *
 *     x1' = a11 x1 + a12 u1        y1 = x1        u1 = y2
 *     x2' = a22 x2 + a21 u2        y2 = x2        u2 = y1
 *
 * Subsystems are (5) and (7) without algebraic variables, of the shape (11); u = y is (9), (10). Together they are (1), (3).
 *
 * Source: Moshagen (2021), (14)-(15), Figure 5; Andersson (2016), chapter 3, begins with the same, (3.1)-(3.4).
 * Not printed, chosen here: the matrices of both cases, start (1, 0.5), end 2 s, step 0.1 s. */
#include <math.h>

#include <macrostep/model.h>

enum { A11, A12, A21, A22, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [A11] = {"a11", "1/s", "entry of A", -1.0, -INFINITY, INFINITY, false, false},
    [A12] = {"a12", "1/s", "entry of A", 0.0, -INFINITY, INFINITY, false, false},
    [A21] = {"a21", "1/s", "entry of A", 1.0, -INFINITY, INFINITY, false, false},
    [A22] = {"a22", "1/s", "entry of A", -2.0, -INFINITY, INFINITY, false, false},
};

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = p[A11];
    m->B[0] = p[A12];
    m->C[0] = 1.0;
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = p[A22];
    m->B[0] = p[A21];
    m->C[0] = 1.0;
}

static const ms_variable state[] = {{"x", "1"}}, input[] = {{"u", "1"}}, output[] = {{"y", "1"}};
static const double first_start[] = {1.0}, second_start[] = {0.5};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output, .x0 = first_start,
     .matrices = first_matrices},
    {.name = "s2", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output, .x0 = second_start,
     .matrices = second_matrices},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "one-directional", .summary = "lower triangular A: s1 feeds s2", .source = "Figure 5",
     MS_SETTINGS({"a11", -1.0}, {"a12", 0.0}, {"a21", 1.0}, {"a22", -2.0})},
    {.name = "mutual", .summary = "A with off-diagonal entries only", .source = "Figure 5",
     MS_SETTINGS({"a11", 0.0}, {"a12", 1.0}, {"a21", -1.0}, {"a22", 0.0})},
};

const ms_model ms_model_moshagen_2x2 = {
    .name = "moshagen-2x2",
    .summary = "linear system of two states, split into its components",
    .source = "Moshagen (2021), (14)-(15)",
    MS_MODEL_LISTS,
    .stop_time = 2.0, .step_size = 0.1,
};
