/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_evaluate_sides.c - expressions on the side of their switches: a little beyond a switch they have the value and the slope that the piece
 * before it would have there. */
#include <math.h>

#include "expressions.h"
#include "structure.h"
#include "support.h"
#include "switches.h"
#include "unit_test.h"

static const char *const state_names[] = {"x"};
static const ms_names names = {.n = {[MS_NAMES_STATES] = 1}, .name = {[MS_NAMES_STATES] = state_names}};

/* Each bends or jumps at x = at; before is what it is for smaller x, and behind for larger, as value and slope at `at`. */
static const struct {
    const char *text;
    double at, before[2], behind[2];
} pieces[] = {
    {"abs(x - 1)", 1.0, {0.0, -1.0}, {0.0, 1.0}},
    {"sign(x - 1)", 1.0, {-1.0, 0.0}, {1.0, 0.0}},
    {"x < 2 ? 3*x : 5 - x", 2.0, {6.0, 3.0}, {3.0, -1.0}},
    {"x >= 2 ? 3*x : 5 - x", 2.0, {3.0, -1.0}, {6.0, 3.0}},
    {"x - 2 ? 7 : 1", 2.0, {7.0, 0.0}, {7.0, 0.0}},
    {"min(x, 2)", 2.0, {2.0, 1.0}, {2.0, 0.0}},
    {"max(x, 2)", 2.0, {2.0, 0.0}, {2.0, 1.0}},
    {"fdim(x, 2)", 2.0, {0.0, 0.0}, {0.0, 1.0}},
    {"x == 2", 2.0, {0.0, 0.0}, {0.0, 0.0}},
    {"x != 2", 2.0, {1.0, 0.0}, {1.0, 0.0}},
    {"!(x - 2)", 2.0, {0.0, 0.0}, {0.0, 0.0}},
    {"floor(x)", 3.0, {2.0, 0.0}, {3.0, 0.0}},
    {"floor(x)", -3.0, {-4.0, 0.0}, {-3.0, 0.0}},
    {"ceil(x)", 3.0, {3.0, 0.0}, {4.0, 0.0}},
    {"ceil(x)", -2.0, {-2.0, 0.0}, {-1.0, 0.0}},
    {"round(x)", 2.5, {2.0, 0.0}, {3.0, 0.0}},
    {"rint(x)", 3.5, {3.0, 0.0}, {4.0, 0.0}},
    {"trunc(x)", 3.0, {2.0, 0.0}, {3.0, 0.0}},
    {"trunc(x)", -3.0, {-3.0, 0.0}, {-2.0, 0.0}},
    {"trunc(x)", 0.0, {0.0, 0.0}, {0.0, 0.0}},
    {"fmod(x, 2)", 4.0, {2.0, 1.0}, {0.0, 1.0}},
    {"fmod(7, x)", 3.5, {0.0, -2.0}, {3.5, -1.0}},
    {"mod(x, 2)", -4.0, {2.0, 1.0}, {0.0, 1.0}},
    {"mod(7, x)", 3.5, {0.0, -2.0}, {3.5, -1.0}},
    {"remainder(x, 2)", 3.0, {1.0, 1.0}, {-1.0, 1.0}},
    {"ldexp(3, x)", 2.0, {6.0, 0.0}, {12.0, 0.0}},
    {"ldexp(x, x)", 2.0, {4.0, 2.0}, {8.0, 4.0}},
    {"atan2(x, -1)", 0.0, {-3.14159265358979323846, -1.0}, {3.14159265358979323846, -1.0}},
};

/* Value and slope at x, on the sides (one each) that the functions have at `side_at`. */
static void on_side(const char *text, double side_at, double x, double *value)
{
    ms_structure owner = {0};
    const ms_expressions *e;
    ms_expression_fault fault;
    ms_watched watched;
    double sides[MS_WATCHED_MAX], *point = &side_at;
    const double *of[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = point};
    assert_int_equal(ms_expressions_create(&owner, &names, 1, &text, true, &e, &fault), MS_OK);
    const ms_expressions *const sets[MS_WATCHED_SETS] = {e};
    assert_int_equal(ms_switches_watched(&owner, sets, &watched), MS_OK);
    assert_non_null(watched.functions);
    (void)ms_expressions_evaluate(watched.functions, of, sides);
    of[MS_NAMES_STATES] = &x;
    assert_int_equal(ms_expressions_evaluate_sided(e, &watched, 0, sides, of, &value[0]), 0);
    assert_int_equal(
        ms_expressions_differentiate_sided(e, &watched, 0, sides, MS_NAMES_STATES, of, &value[1]), 0);
    ms_structure_free(&owner);
}

static void a_piece_goes_on_beyond_its_switch(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(pieces); k++)
        for (int side = -1; side <= 1; side += 2)
            for (int where = -1; where <= 1; where++) {
                const double at = pieces[k].at, dx = 1e-6 * where;
                const double *right = side < 0 ? pieces[k].before : pieces[k].behind;
                double value[2];
                if (where == 0)
                    continue;
                on_side(pieces[k].text, at + 1e-3 * side, at + dx, value);
                if (!(fabs(value[0] - right[0] - dx * right[1]) <= 1e-10 &&
                      fabs(value[1] - right[1]) <= 1e-10))
                    fail_msg("%s at %g from side %d: %.17g, slope %.17g", pieces[k].text, at + dx, side,
                             value[0], value[1]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_piece_goes_on_beyond_its_switch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
