/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-5.3.1: five subsystems with feed-through, the test case of Algorithm 2.
 *
 *     x' = -x + (sum of the inputs) / 10 in each
 *     s1:  y1 = x + u3 / 2        y2 = x + u1 / 2        y3 = x + u2 / 2        y4 = x + u4 / 2
 *     s2:  y1 = x + u1 / 2        y2 = x + u2 / 2
 *     s3:  y1 = x + u1 / 2
 *     s4:  y1 = x                 y2 = x + u1 / 2
 *     s5:  y1 = x + u1 / 2        y2 = x + (u2 + u3) / 2
 *
 *     u[1] = (y1[4], y1[4], y1[2], y2[2])        u[4] = (y1[5], y4[1])
 *     u[2] = (y2[1], y3[1])                      u[5] = (y1[3], y2[2], y1[3])
 *     u[3] = (y2[5], y1[1], y2[4])
 *
 * Figure 5.9 is lost. This instance satisfies the text's description:
 *     five models with feed-through
 *     y1[1], y4[1] are not connected to inputs with feed-through (they lead to u2[3], u2[4]): joined first
 *     one strongly connected component, u1[3], y1[3], u3[5], y2[5], whose outputs match no other (y1[5] needs
 *     its solution)
 *     of the other outputs y2[1], y3[1] and y1[2], y2[2] (printed: y1[2] twice) can be joined, and no more
 *     the order after that has the least number of model evaluations
 *
 * Source: Andersson (2016), section 5.3.1, Figures 5.9-5.11.
 * Not printed, chosen here: everything else, x(0) = 1, end 5 s, step 0.1 s. */
#include <macrostep/model.h>

/* The feed-through of a subsystem of one state. */
typedef struct pattern {
    int nu, ny;
    const double *D; /* (ny x nu) */
} pattern;

static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const pattern *own = data;
    m->A[0] = -1.0;
    for (int k = 0; k < own->nu; k++)
        m->B[k] = 0.1;
    for (int j = 0; j < own->ny; j++)
        m->C[j] = 1.0;
    for (int k = 0; k < own->ny * own->nu; k++)
        m->D[k] = own->D[k];
}

static const double D1[] = {0.0, 0.0, 0.5, 0.0,
                            0.5, 0.0, 0.0, 0.0,
                            0.0, 0.5, 0.0, 0.0,
                            0.0, 0.0, 0.0, 0.5};
static const double D2[] = {0.5, 0.0,
                            0.0, 0.5};
static const double D3[] = {0.5, 0.0, 0.0};
static const double D4[] = {0.0, 0.0,
                            0.5, 0.0};
static const double D5[] = {0.5, 0.0, 0.0,
                            0.0, 0.5, 0.5};

static const pattern patterns[] = {{4, 4, D1}, {2, 2, D2}, {3, 1, D3}, {2, 2, D4}, {3, 2, D5}};

static const ms_variable state[] = {{"x", "1"}},
                         inputs[] = {{"u1", "1"}, {"u2", "1"}, {"u3", "1"}, {"u4", "1"}},
                         outputs[] = {{"y1", "1"}, {"y2", "1"}, {"y3", "1"}, {"y4", "1"}};
static const double start[] = {1.0};

#define SUBSYSTEM(label, k, inputs_n, outputs_n)                                                             \
    {.name = (label), .nx = 1, .nu = (inputs_n), .ny = (outputs_n), .x = state, .u = inputs, .y = outputs,   \
     .x0 = start, .matrices = matrices, .data = &patterns[k]}

static const ms_subsystem subsystems[] = {
    SUBSYSTEM("s1", 0, 4, 4), SUBSYSTEM("s2", 1, 2, 2), SUBSYSTEM("s3", 2, 3, 1),
    SUBSYSTEM("s4", 3, 2, 2), SUBSYSTEM("s5", 4, 3, 2),
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 3, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 3, .output = 0, .gain = 1.0},
    {.to = 0, .input = 2, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 3, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 1, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 2, .gain = 1.0},
    {.to = 2, .input = 0, .from = 4, .output = 1, .gain = 1.0},
    {.to = 2, .input = 1, .from = 0, .output = 0, .gain = 1.0},
    {.to = 2, .input = 2, .from = 3, .output = 1, .gain = 1.0},
    {.to = 3, .input = 0, .from = 4, .output = 0, .gain = 1.0},
    {.to = 3, .input = 1, .from = 0, .output = 3, .gain = 1.0},
    {.to = 4, .input = 0, .from = 2, .output = 0, .gain = 1.0},
    {.to = 4, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 4, .input = 2, .from = 2, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {{.name = "default", .source = "section 5.3.1"}};

const ms_model ms_model_example_5_3_1 = {
    .name = "example-5.3.1",
    .summary = "five subsystems with feed-through, the test case of fewer model evaluations",
    .source = "Andersson (2016), section 5.3.1, in words",
    MS_LIST(cases, cases),
    MS_LIST(subsystems, subsystems),
    MS_LIST(wires, wires),
    .stop_time = 5.0, .step_size = 0.1,
};
