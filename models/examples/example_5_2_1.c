/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-5.2.1: two static subsystems whose evaluation order is not unique.
 *
 *     y1[1] = u1[1]        y[2] = (u2, u1)        u1[2] = u2[2] = y1[1]
 *
 * The input u1[1] is fed from outside by the constant `external`, which enters y1[1] in its place.
 *
 * Source: Andersson (2016), Example 5.2.1, (5.9)-(5.12), Figure 5.6.
 * Not printed, chosen here: external = 1, end 1 s, step 0.1 s. */
#include <math.h>

#include <macrostep/model.h>

enum { EXTERNAL, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [EXTERNAL] = {"external", "1", "input of s1 from outside", 1.0, -INFINITY, INFINITY, false, false},
};

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[0] = 1.0;
    m->F[0] = 1.0;
}

static void first_external(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)data;
    w[0] = p[EXTERNAL];
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[1] = 1.0;
    m->D[2] = 1.0;
}

static const ms_variable inputs[] = {{"u1", "1"}, {"u2", "1"}}, outputs[] = {{"y1", "1"}, {"y2", "1"}},
                         external[] = {{"w", "1"}};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nu = 1, .ny = 1, .nw = 1, .u = inputs, .y = outputs, .w = external,
     .matrices = first_matrices, .external = first_external, .external_constant = true},
    {.name = "s2", .nu = 2, .ny = 2, .u = inputs, .y = outputs, .matrices = second_matrices},
};

static const ms_wire wires[] = {
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {{.name = "default", .source = "Example 5.2.1"}};

const ms_model ms_model_example_5_2_1 = {
    .name = "example-5.2.1",
    .summary = "two static subsystems whose evaluation order is not unique",
    .source = "Andersson (2016), Example 5.2.1, (5.9)-(5.10)",
    MS_MODEL_LISTS,
    .stop_time = 1.0, .step_size = 0.1,
};
