/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-5.1.1: three static subsystems, six of whose twelve variables form an algebraic loop.
 *
 *     y[1] = (u2, u1)        y[2] = (d u1 + u2, u1)        y[3] = (u2, u1)
 *     u[2] = y[1]            u[3] = (y2, y1)[2]            u2[1] = y1[3]
 *
 * The input u1[1] is fed from outside by the constant `external`, which enters y2[1] in its place. The loop
 * is u2[1], y1[1], u1[2], y1[2], u2[3], y1[3]; it says y1[3] = d y1[3] + external, so that det(I - D L) =
 * 1 - d. The paper prints d = 1, for which the loop has no solution (case printed: refused); any other value
 * has the same graph.
 *
 * Source: Andersson (2016), Example 5.1.1, (5.6)-(5.7), Figures 5.2-5.4.
 * Not printed, chosen here: d = 0.5 of the first case, external = 1, end 1 s, step 0.1 s. */
#include <math.h>

#include <macrostep/model.h>

enum { D, EXTERNAL, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [D] = {"d", "1", "feed-through from the first input of s2 to its first output", 0.5, -INFINITY, INFINITY,
           false, false},
    [EXTERNAL] = {"external", "1", "input of s1 from outside", 1.0, -INFINITY, INFINITY, false, false},
};

/* y = (u2, u1). */
static void exchange_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[1] = 1.0;
    m->D[2] = 1.0;
}

/* The same, with the external input added to the first one. */
static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    exchange_matrices(p, data, m);
    m->F[1] = 1.0;
}

static void first_external(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)data;
    w[0] = p[EXTERNAL];
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->D[0] = p[D];
    m->D[1] = 1.0;
    m->D[2] = 1.0;
}

static const ms_variable inputs[] = {{"u1", "1"}, {"u2", "1"}}, outputs[] = {{"y1", "1"}, {"y2", "1"}},
                         external[] = {{"w", "1"}};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nu = 2, .ny = 2, .nw = 1, .u = inputs, .y = outputs, .w = external,
     .matrices = first_matrices, .external = first_external, .external_constant = true},
    {.name = "s2", .nu = 2, .ny = 2, .u = inputs, .y = outputs, .matrices = second_matrices},
    {.name = "s3", .nu = 2, .ny = 2, .u = inputs, .y = outputs, .matrices = exchange_matrices},
};

static const ms_wire wires[] = {
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
    {.to = 2, .input = 0, .from = 1, .output = 1, .gain = 1.0},
    {.to = 2, .input = 1, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 2, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "regular", .summary = "d = 0.5", .source = "Example 5.1.1, one number changed"},
    {.name = "printed", .summary = "d = 1: det(I - D L) = 0, refused", .source = "Example 5.1.1",
     MS_SETTINGS({"d", 1.0})},
};

const ms_model ms_model_example_5_1_1 = {
    .name = "example-5.1.1",
    .summary = "three static subsystems with an algebraic loop among half of their variables",
    .source = "Andersson (2016), Example 5.1.1, (5.6)-(5.7)",
    MS_MODEL_LISTS,
    .stop_time = 1.0, .step_size = 0.1,
};
