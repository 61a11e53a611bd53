/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-5.2.2: outputs that lead to no feed-through are one group.
 *
 *     x1' = -x1 + u1             y1 = x1                    u1 = -y3
 *     x2' = -x2                  y2 = (x2 + u1, x2 + u2)    u2 = (y1, y3)
 *     x3' = -x3 + u1 + u2        y3 = x3                    u3 = y2
 *
 * Figure 5.7 is lost. This instance satisfies the text's description:
 *     three connected models, of which only the second has multiple outputs
 *     its outputs are connected to inputs without feed-through, those of the third: y3 = x3
 *     grouping them leads to the least number of model evaluations: one for each model. (There is something
 *     to gain because both depend on inputs, fed by different models; Tarjan's order reads one output before
 *     it sets the other input.)
 *
 * Source: Andersson (2016), Example 5.2.2, Figures 5.7, 5.8.
 * Not printed, chosen here: everything above, x(0) = (1, 0.5, 0.25), end 5 s, step 0.1 s. */
#include <macrostep/model.h>

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->B[0] = 1.0;
    m->C[0] = 1.0;
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->C[0] = m->C[1] = 1.0;
    m->D[0] = m->D[3] = 1.0;
}

static void third_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->B[0] = m->B[1] = 1.0;
    m->C[0] = 1.0;
}

static const ms_variable state[] = {{"x", "1"}}, inputs[] = {{"u1", "1"}, {"u2", "1"}},
                         outputs[] = {{"y1", "1"}, {"y2", "1"}};
static const double first_start[] = {1.0}, second_start[] = {0.5}, third_start[] = {0.25};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = inputs, .y = outputs, .x0 = first_start,
     .matrices = first_matrices},
    {.name = "s2", .nx = 1, .nu = 2, .ny = 2, .x = state, .u = inputs, .y = outputs, .x0 = second_start,
     .matrices = second_matrices},
    {.name = "s3", .nx = 1, .nu = 2, .ny = 1, .x = state, .u = inputs, .y = outputs, .x0 = third_start,
     .matrices = third_matrices},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 2, .output = 0, .gain = -1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 2, .output = 0, .gain = 1.0},
    {.to = 2, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 2, .input = 1, .from = 1, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {{.name = "default", .source = "Example 5.2.2"}};

const ms_model ms_model_example_5_2_2 = {
    .name = "example-5.2.2",
    .summary = "three subsystems; outputs that lead to no feed-through are one group",
    .source = "Andersson (2016), Example 5.2.2, in words",
    MS_LIST(cases, cases),
    MS_LIST(subsystems, subsystems),
    MS_LIST(wires, wires),
    .stop_time = 5.0, .step_size = 0.1,
};
