/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bonds_refused.c - made-up models: ports that belong together, and ports that are refused. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/system.h>
#include "small_model.h"
#include "unit_test.h"

/* Two subsystems s and m of two inputs and two outputs each: s' = u1 + u2, y1 = y2 = -s and m' = u1 + u2,
 * y1 = y2 = m. */
typedef struct sketch {
    ms_subsystem sub[2];
    ms_port port[2][2];
    ms_wire wire[6];
    int n_wires;
} sketch;

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    (void)data;
    m->B[0] = m->B[1] = 1.0;
    m->C[0] = m->C[1] = -1.0;
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    (void)data;
    m->B[0] = m->B[1] = m->C[0] = m->C[1] = 1.0;
}

/* One bond between port a of s and port b of m over the first inputs and outputs. */
static void draw(sketch *drawn)
{
    static const ms_variable states[] = {{"x", "1"}}, inputs[] = {{"u1", "1"}, {"u2", "1"}},
                             outputs[] = {{"y1", "1"}, {"y2", "1"}};
    *drawn = (sketch){
        .port = {{{"a", 0, 0, -1.0}, {"a2", 1, 0, -1.0}}, {{"b", 0, 0, 1.0}, {"b2", 1, 0, 1.0}}},
        .wire = {{0, 0, 1, 0, 1.0}, {1, 0, 0, 0, 1.0}},
        .n_wires = 2,
    };
    for (int i = 0; i < 2; i++)
        drawn->sub[i] = (ms_subsystem){.name = i == 0 ? "s" : "m",
                                       .nx = 1,
                                       .nu = 2,
                                       .ny = 2,
                                       .x = states,
                                       .u = inputs,
                                       .y = outputs,
                                       .matrices = i == 0 ? first_matrices : second_matrices,
                                       .n_ports = 1};
}

static int bind(const sketch *drawn, ms_system **system, ms_error *error)
{
    ms_subsystem sub[2];
    for (int i = 0; i < 2; i++) {
        sub[i] = drawn->sub[i];
        sub[i].ports = drawn->port[i];
    }
    const ms_model model =
        SUPPORT_MODEL_OF("sketch", sub, 2, drawn->wire, drawn->n_wires, .stop_time = 1.0, .step_size = 0.1);
    return ms_system_create(&model, NULL, NULL, 0, system, error);
}

static void accept(const sketch *drawn, int n_bonds)
{
    ms_system *system;
    ms_error error = {""};
    if (bind(drawn, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(system->n_bonds, n_bonds);
    bool taken[2][2] = {{false}};
    for (int b = 0; b < n_bonds; b++)
        for (int e = 0; e < 2; e++) {
            assert_int_equal(system->bond[b].subsystem[e], e);
            assert_in_range(system->bond[b].port[e], 0, 1);
            assert_false(taken[e][system->bond[b].port[e]]);
            taken[e][system->bond[b].port[e]] = true;
        }
    ms_system_destroy(&system);
}

static void refuse(const sketch *drawn, const char *expected)
{
    ms_system *system;
    ms_error error = {""};
    assert_int_equal(bind(drawn, &system, &error), MS_INVALID);
    assert_null(system);
    if (strstr(error.text, expected) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
}

static void test_refused(void **state)
{
    (void)state;
    sketch drawn;
    draw(&drawn);
    accept(&drawn, 1);
    drawn.port[0][0].gain = -0.5; /* half of y1 goes to m: still opposite */
    drawn.wire[1].gain = 0.5;
    accept(&drawn, 1);

    draw(&drawn); /* the other end has no port, or one of another output or input */
    drawn.sub[1].n_ports = 0;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.sub[0].n_ports = 0;
    refuse(&drawn, "port b of subsystem m");
    draw(&drawn);
    drawn.port[1][0].input = 1;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.port[1][0].output = 1;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.port[0][0].output = 1;
    refuse(&drawn, "port a of subsystem s");

    draw(&drawn); /* signs and sizes */
    drawn.port[1][0].gain = -1.0;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.wire[0].gain = -1.0;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.port[1][0].gain = 2.0;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.port[0][0].gain = drawn.port[1][0].gain = 0.0;
    refuse(&drawn, "port a of subsystem s");
}

static void test_refused_wires(void **state)
{
    (void)state;
    sketch drawn;
    draw(&drawn); /* the second wire of an input, at either end, even from the same output */
    drawn.wire[drawn.n_wires++] = (ms_wire){0, 0, 0, 0, 1.0};
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.wire[drawn.n_wires++] = (ms_wire){1, 0, 0, 0, 1.0};
    refuse(&drawn, "port a of subsystem s");

    draw(&drawn); /* an input without a wire, at either end */
    drawn.wire[0].input = 1;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.wire[1].input = 1;
    refuse(&drawn, "port a of subsystem s");

    draw(&drawn); /* m hears itself instead of s; and both ends in one subsystem */
    drawn.wire[1].from = 1;
    refuse(&drawn, "port a of subsystem s");
    draw(&drawn);
    drawn.sub[0].n_ports = 2;
    drawn.sub[1].n_ports = 0;
    drawn.port[0][1].gain = 1.0;
    drawn.wire[0] = (ms_wire){0, 0, 0, 0, 1.0};
    drawn.wire[1] = (ms_wire){0, 1, 0, 0, 1.0};
    refuse(&drawn, "port a of subsystem s");
}

/* Two bonds over the same two outputs: each port has its own opposite. */
static void test_parallel_bonds(void **state)
{
    (void)state;
    sketch drawn;
    draw(&drawn);
    drawn.sub[0].n_ports = drawn.sub[1].n_ports = 2;
    drawn.wire[drawn.n_wires++] = (ms_wire){0, 1, 1, 0, 1.0};
    drawn.wire[drawn.n_wires++] = (ms_wire){1, 1, 0, 0, 1.0};
    accept(&drawn, 2);
    drawn.port[0][1].gain = 1.0; /* crossed in sign: a with b2, a2 with b */
    drawn.port[1][0].gain = -1.0;
    accept(&drawn, 2);

    drawn.port[0][1] = (ms_port){"a2", 0, 0, -1.0}; /* a second port of the first's input */
    drawn.port[1][0].gain = 1.0;
    refuse(&drawn, "port a2 of subsystem s");
    drawn.port[0][1] = (ms_port){"a2", 1, 0, -1.0}; /* two ports, but one at the other end */
    drawn.sub[1].n_ports = 1;
    refuse(&drawn, "port a2 of subsystem s");

    draw(&drawn); /* the same at the second end */
    drawn.sub[1].n_ports = 2;
    drawn.port[1][1] = (ms_port){"b2", 0, 0, 1.0};
    refuse(&drawn, "port b2 of subsystem m");
    draw(&drawn); /* at the first, where the second end has the same index in m */
    drawn.sub[0].n_ports = drawn.sub[1].n_ports = 2;
    drawn.port[0][1] = (ms_port){"a2", 0, 0, -1.0};
    drawn.port[1][0] = (ms_port){"b", 1, 0, 1.0};
    drawn.port[1][1] = (ms_port){"b2", 0, 0, 1.0};
    refuse(&drawn, "port a2 of subsystem s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_wires),
        cmocka_unit_test(test_parallel_bonds),
    };
    return cmocka_run_group_tests_name("bonds refused", tests, NULL, NULL);
}
