/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pulses.c - where smooth pulses of states begin to be felt.
 *
 * A method that steps over exp(-((x - a)/b)^2) sees nothing of it. Of a pulse exp(-q) the function s = sqrt(|q|), with the sign of dq/dx, changes
 * its sign at the crest, and s - l and s + l do on the flanks: so no pulse is too short to be located. Levels l begin where the pulse is round-off
 * of its height, and are so close that up to the one at which error control sees it nothing is lost. */
#include <math.h>

#include "switches_parts.h"

static int combine(ms_tree *tree, ms_operation operation, int a, int b)
{
    return ms_tree_operation(tree, operation, a, b, -1);
}

/* Of an operation whose operands have the derivatives da and db. */
static int chain(ms_tree *tree, int i, int da, int db)
{
    const ms_node node = tree->node[i];
    const int a = node.operand[0], b = node.operand[1];
    switch ((int)node.operation) {
    case MS_OF_ADD:
    case MS_OF_SUBTRACT:
        return combine(tree, node.operation, da, db);
    case MS_OF_MULTIPLY:
        return combine(tree, MS_OF_ADD, combine(tree, MS_OF_MULTIPLY, da, b),
                       combine(tree, MS_OF_MULTIPLY, a, db));
    case MS_OF_DIVIDE:
        return combine(tree, MS_OF_DIVIDE,
                       combine(tree, MS_OF_SUBTRACT, da, combine(tree, MS_OF_MULTIPLY, i, db)), b);
    case MS_OF_POW: /* of a constant exponent */
        return combine(
            tree, MS_OF_MULTIPLY, combine(tree, MS_OF_MULTIPLY, b, da),
            combine(tree, MS_OF_POW, a, combine(tree, MS_OF_SUBTRACT, b, ms_tree_number(tree, 1.0))));
    case MS_OF_NEGATIVE:
        return combine(tree, MS_OF_NEGATIVE, da, -1);
    case MS_OF_ABS:
        return combine(tree, MS_OF_MULTIPLY, combine(tree, MS_OF_COPYSIGN, ms_tree_number(tree, 1.0), a), da);
    case MS_OF_EXP:
        return combine(tree, MS_OF_MULTIPLY, i, da);
    case MS_OF_SIN:
        return combine(tree, MS_OF_MULTIPLY, combine(tree, MS_OF_COS, a, -1), da);
    case MS_OF_COS:
        return combine(tree, MS_OF_NEGATIVE,
                       combine(tree, MS_OF_MULTIPLY, combine(tree, MS_OF_SIN, a, -1), da), -1);
    case MS_OF_COSH:
        return combine(tree, MS_OF_MULTIPLY, combine(tree, MS_OF_SINH, a, -1), da);
    default:
        return -1;
    }
}

static bool reads(const ms_tree *tree, int i, unsigned groups)
{
    return (tree->node[i].reads & groups) != 0;
}

int ms_tree_derivative(ms_tree *tree, int i, ms_read_variable by, int *left)
{
    if (i < 0 || (*left)-- == 0)
        return -1;
    const ms_node node = tree->node[i];
    const int b = node.operand[1];
    if (!reads(tree, i, 1u << by.group))
        return ms_tree_number(tree, 0.0);
    if (node.operation == MS_OF_VARIABLE)
        return ms_tree_number(tree, b == by.variable ? 1.0 : 0.0);
    if (node.operation == MS_OF_POW && reads(tree, b, 1u << by.group))
        return -1;
    const int da = ms_tree_derivative(tree, node.operand[0], by, left);
    const int db =
        ms_operation_table[node.operation].operands > 1 ? ms_tree_derivative(tree, b, by, left) : -1;
    return chain(tree, i, da, db);
}

/* Pulses ---------------------------------------------------------------------------------------------------- */

enum {
    VARIABLES_MAX = 3,
    FLANKS = 8,
    MOVING = 1 << MS_NAMES_STATES | 1 << MS_NAMES_INPUTS | 1 << MS_NAMES_EXTERNAL
};

/* -q where a pulse is exp(q) of its height; of 1/cosh^2 exp(2 q). */
static const double level[FLANKS] = {36.0, 25.0, 20.0, 16.0, 13.0, 10.5, 8.5, 7.0};

static bool moves(const ms_tree *tree, int i)
{
    return reads(tree, i, MOVING);
}

/* Is it a sum with a power, at least this one, or up to 2 with a product or abs of what moves? */
static bool bends(const ms_tree *tree, int i, double power, int *left)
{
    const ms_node *node = &tree->node[i];
    const int a = node->operand[0], b = node->operand[1];
    if (!moves(tree, i) || (*left)-- <= 0)
        return false;
    switch ((int)node->operation) {
    case MS_OF_POW:
        return !moves(tree, b) && (tree->node[b].operation != MS_OF_NUMBER || tree->node[b].value >= power ||
                                   bends(tree, a, power, left));
    case MS_OF_MULTIPLY:
        if (moves(tree, a) && moves(tree, b)) /* integer powers are products */
            return power <= 2.0 || (bends(tree, a, power / 2.0, left) && bends(tree, b, power / 2.0, left));
        return bends(tree, a, power, left) || bends(tree, b, power, left);
    case MS_OF_DIVIDE:
        return !moves(tree, b) && bends(tree, a, power, left);
    case MS_OF_ADD:
    case MS_OF_SUBTRACT:
        return bends(tree, a, power, left) || bends(tree, b, power, left);
    case MS_OF_NEGATIVE:
        return bends(tree, a, power, left);
    case MS_OF_ABS:
        return power <= 2.0;
    default:
        return false;
    }
}

/* Some variables that move node i. */
static void find_variables(const ms_tree *tree, int i, ms_read_variable *of, int *n, int *left)
{
    const ms_node *node = &tree->node[i];
    if (!moves(tree, i) || (*left)-- <= 0)
        return;
    if (node->operation != MS_OF_VARIABLE) {
        for (int k = 0; k < ms_operation_table[node->operation].operands; k++)
            find_variables(tree, node->operand[k], of, n, left);
        return;
    }
    for (int k = 0; k < *n; k++)
        if (of[k].group == node->operand[0] && of[k].variable == node->operand[1])
            return;
    if (*n < VARIABLES_MAX)
        of[(*n)++] = (ms_read_variable){node->operand[0], node->operand[1]};
}

/* Adds s - l and s + l for each level. */
static void add_levels(ms_tree *tree, int s, bool root, int *function, int *n)
{
    for (int k = 0; k < FLANKS; k++) {
        const double by = root ? sqrt(level[k]) : level[k];
        function[(*n)++] = combine(tree, MS_OF_SUBTRACT, s, ms_tree_number(tree, by));
        function[(*n)++] = combine(tree, MS_OF_ADD, s, ms_tree_number(tree, by));
    }
}

/* Of exp(q), by each variable. */
static int ends_of(ms_tree *tree, int q, int turning, int function[PULSE_ENDS_MAX])
{
    ms_read_variable by[VARIABLES_MAX] = {{0}};
    int variables = 0, left = 200, n = 0;
    find_variables(tree, turning, by, &variables, &left);
    for (int k = 0; k < variables; k++) {
        left = 200;
        const int slope = ms_tree_derivative(tree, turning, by[k], &left);
        const int size = combine(tree, MS_OF_SQRT, combine(tree, MS_OF_ABS, q, -1), -1);
        const int s = combine(tree, MS_OF_COPYSIGN, size, slope);
        if (s >= 0 && moves(tree, slope))
            add_levels(tree, s, true, function, &n);
    }
    return n;
}

int ms_pulse_ends(ms_tree *tree, int i, int function[PULSE_ENDS_MAX])
{
    const ms_node node = tree->node[i];
    const int a = node.operand[0], b = node.operand[1];
    int left = 200, n = 0;
    if (!moves(tree, i) || node.operation == MS_OF_VARIABLE)
        return 0;
    if (node.operation == MS_OF_EXP && bends(tree, a, 2.0, &left))
        return ends_of(tree, a, a, function);
    if (node.operation == MS_OF_EXP2 && bends(tree, a, 2.0, &left))
        return ends_of(tree, combine(tree, MS_OF_MULTIPLY, a, ms_tree_number(tree, log(2.0))), a, function);
    if (node.operation == MS_OF_COSH)
        add_levels(tree, a, false, function, &n);
    if (tree->node[a].operation == MS_OF_TANH && /* 1 - tanh^2 */
        (node.operation == MS_OF_POW || (node.operation == MS_OF_MULTIPLY && a == b)))
        add_levels(tree, tree->node[a].operand[0], false, function, &n);
    if (node.operation != MS_OF_DIVIDE || moves(tree, a) || !bends(tree, b, 4.0, &left))
        return n;
    const int size = combine(tree, MS_OF_ABS, b, -1);
    return ends_of(tree, combine(tree, MS_OF_LOG, size, -1), b, function);
}
