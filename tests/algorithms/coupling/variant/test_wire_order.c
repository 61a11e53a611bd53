/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_wire_order.c - which wires run forward, and how feed-through runs through an order of subsystems: three in a chain, whose
 * second one passes its input on where d is not 0, and a wire back with the gain g into an input that acts by b. */
#include <stdio.h>

#include "support.h"
#include "unit_test.h"
#include "wire_order.h"

static const char chain[] =
    "{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[%g]], \"C\": [[1]], \"D\": [[0]], \"x0\": "
    "[1]},"
    "{\"name\": \"b\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[%g]], \"D\": [[%g]]},"
    "{\"name\": \"c\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[%g]]}],"
    "\"wires\": [{\"from\": \"a.y1\", \"to\": \"b.u1\"}, {\"from\": \"b.y1\", \"to\": \"c.u1\"},"
    "{\"from\": \"c.y1\", \"to\": \"a.u1\", \"gain\": %g}], \"end\": 1, \"step_size\": 0.1}";

typedef struct parts {
    double b, c, d, dc, gain; /* B of a, C and D of b, D of c, gain of the wire back */
} parts;

static bool forward(const parts *p, const int *rank, bool *straight, bool *chained)
{
    char text[1024];
    snprintf(text, sizeof text, chain, p->b, p->c, p->d, p->dc, p->gain);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const bool runs = ms_wires_run_forward(system, rank);
    *straight = ms_feed_through_runs_straight(system, rank);
    *chained = ms_feed_through_is_chained(system);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return runs;
}

static void wires_that_are_felt_decide(void **state)
{
    (void)state;
    static const struct {
        parts of;
        int rank[3];
        bool forward, straight, chained;
    } cases[] = {
        {{0, 1, 0, 0, 1}, {0, 1, 2}, true, true, false},   /* the wire back acts on nothing */
        {{1, 1, 0, 0, 0}, {0, 1, 2}, true, true, false},   /* .. has no gain */
        {{1, 1, 0, 0, 1}, {0, 1, 2}, false, true, false},  /* a ring */
        {{0, 1, 0, 0, 1}, {2, 1, 0}, false, true, false},  /* the other way round */
        {{0, 0, 0, 0, 1}, {0, 2, 1}, true, true, false},   /* b gives nothing */
        {{0, 1, 2, 0, 1}, {0, 1, 2}, true, true, false},   /* a before b before c */
        {{0, 1, 2, 0, 1}, {2, 1, 0}, false, true, false},  /* c before b before a */
        {{0, 1, 2, 0, 1}, {1, 0, 2}, false, false, false}, /* b before a before c */
        {{0, 1, 2, 0, 1}, {0, 2, 1}, false, false, false}, /* a before c before b */
        {{0, 1, 2, 3, 1}, {0, 1, 2}, true, true, false},   /* c passes on as well, to where it is not felt */
        {{1, 1, 2, 3, 1}, {0, 1, 2}, false, false, true}}; /* .. and is */
    for (int k = 0; k < MS_COUNT(cases); k++) {
        bool straight, chained;
        const bool runs = forward(&cases[k].of, cases[k].rank, &straight, &chained);
        if (runs != cases[k].forward || straight != cases[k].straight || chained != cases[k].chained)
            fail_msg("case %d: forward %d, straight %d, chained %d", k, runs, straight, chained);
    }
}

/* A subsystem that reads its own output, with the gain g. */
static bool turns_back(double gain)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]},"
             "{\"name\": \"b\", \"A\": [[-1]], \"B\": [[1, 1]], \"C\": [[1]]}],"
             "\"wires\": [{\"from\": \"a.y1\", \"to\": \"b.u1\"}, {\"from\": \"b.y1\", \"to\": \"a.u1\"},"
             "{\"from\": \"b.y1\", \"to\": \"b.u2\", \"gain\": %g}]}",
             gain);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const bool turns = ms_wires_turn_back(system);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return turns;
}

static void wires_to_oneself_are_found(void **state)
{
    (void)state;
    assert_true(turns_back(0.5));
    assert_false(turns_back(0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wires_that_are_felt_decide),
                                       cmocka_unit_test(wires_to_oneself_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
