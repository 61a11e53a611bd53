/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions_parts.h"
#include "unit_powers.h"

/* What is known of the unit of a value. */
typedef enum knowledge {
    UNKNOWN, /* nothing, a name without a unit is a factor of it */
    NUMBER,  /* it is a number that counts as 1 or, in sums, as anything */
    OF_TIME, /* the powers are those of t, and numbers may have changed them */
    KNOWN    /* the powers, from units of names */
} knowledge;

typedef struct quantity {
    knowledge of;
    double power[MS_UNIT_BASES];
} quantity;

enum { NAME = 48 };

/* Quantities ----------------------------------------------------------------------------------------------- */

/* From a text; a missing unit, or one outside the SI, is unknown. */
static quantity declared(const char *unit)
{
    int power[MS_UNIT_BASES];
    quantity q = {.of = UNKNOWN};
    if (unit == NULL || strcmp(unit, "1") == 0 || !ms_unit_powers(unit, power))
        return q;
    q.of = KNOWN;
    for (int k = 0; k < MS_UNIT_BASES; k++)
        q.power[k] = k == MS_UNIT_RADIAN ? 0.0 : power[k];
    return q;
}

static bool same(const quantity *a, const quantity *b)
{
    bool are = true;
    for (int k = 0; k < MS_UNIT_BASES; k++)
        are = are && fabs(a->power[k] - b->power[k]) < 1e-9;
    return are;
}

static bool is_one(const quantity *q)
{
    static const quantity one = {.of = NUMBER};
    return same(q, &one);
}

/* a times b to the power of `exponent`. */
static quantity product(const quantity *a, const quantity *b, double exponent)
{
    quantity q = {.of = a->of > b->of ? a->of : b->of};
    if (a->of == UNKNOWN || b->of == UNKNOWN)
        return (quantity){.of = UNKNOWN};
    for (int k = 0; k < MS_UNIT_BASES; k++)
        q.power[k] = a->power[k] + exponent * b->power[k];
    if (q.of == OF_TIME && is_one(&q))
        q.of = NUMBER;
    return q;
}

static quantity power_of(const quantity *q, double exponent)
{
    return product(&(quantity){.of = NUMBER}, q, exponent);
}

/* What both have that are added, compared or chosen from. Returns whether they fit. */
static bool join(const quantity *a, const quantity *b, quantity *q)
{
    const quantity *known = a->of >= b->of ? a : b, *other = known == a ? b : a;
    *q = *known;
    if (known->of == KNOWN && other->of >= OF_TIME)
        return same(a, b) || (other->of == OF_TIME && is_one(known));
    if (known->of == OF_TIME && (other->of == NUMBER || (other->of == OF_TIME && !same(a, b))))
        q->of = UNKNOWN;
    if (known->of == NUMBER)
        q->of = other->of;
    return true;
}

/* The value of a function of a pure number. Returns whether that is one. */
static bool function_of(const quantity *a, quantity *q)
{
    *q = (quantity){.of = a->of == KNOWN ? KNOWN : NUMBER};
    return a->of != KNOWN || is_one(a);
}

static bool power_by(const quantity *a, const quantity *b, const ms_node *exponent, quantity *q)
{
    quantity number;
    if (exponent->operation == MS_OF_NUMBER) {
        *q = power_of(a, exponent->value);
        return true;
    }
    const bool fits = function_of(b, &number);
    *q = a->of == NUMBER ? number : a->of == KNOWN && is_one(a) ? *a : (quantity){.of = UNKNOWN};
    return fits;
}

/* Nodes ---------------------------------------------------------------------------------------------------- */

/* The quantity of an operation on a, b, c. Returns whether their units fit. */
static bool operate(const ms_node *node, const ms_node *second, const quantity *a, const quantity *b,
                    const quantity *c, quantity *q)
{
    static const quantity number = {.of = NUMBER};
    quantity product_of = {.of = UNKNOWN};
    bool fits = true;
    *q = number;
    switch ((int)node->operation) {
    case MS_OF_SIGN:
    case MS_OF_NOT:
    case MS_OF_AND:
    case MS_OF_OR:
        return true;
    case MS_OF_NEGATIVE:
    case MS_OF_ABS:
    case MS_OF_FLOOR:
    case MS_OF_CEIL:
    case MS_OF_ROUND:
    case MS_OF_RINT:
    case MS_OF_TRUNC:
    case MS_OF_COPYSIGN:
        *q = *a;
        return true;
    case MS_OF_SQRT:
        *q = power_of(a, 0.5);
        return true;
    case MS_OF_CBRT:
        *q = power_of(a, 1.0 / 3.0);
        return true;
    case MS_OF_MULTIPLY:
        *q = product(a, b, 1.0);
        return true;
    case MS_OF_DIVIDE:
        *q = product(a, b, -1.0);
        return true;
    case MS_OF_POW:
        return power_by(a, b, second, q);
    case MS_OF_LDEXP:
        fits = function_of(b, q);
        *q = *a;
        return fits;
    case MS_OF_LESS:
    case MS_OF_LESS_EQUAL:
    case MS_OF_GREATER:
    case MS_OF_GREATER_EQUAL:
    case MS_OF_EQUAL:
    case MS_OF_UNEQUAL:
        fits = join(a, b, q);
        *q = number;
        return fits;
    case MS_OF_ATAN2:
        fits = join(a, b, q);
        *q = (quantity){.of = q->of == KNOWN ? KNOWN : NUMBER};
        return fits;
    case MS_OF_IF:
        return join(b, c, q);
    case MS_OF_FMA:
        product_of = product(a, b, 1.0);
        return join(&product_of, c, q);
    default:
        return ms_operation_table[node->operation].operands == 2 ? join(a, b, q) : function_of(a, q);
    }
}

static const char *name_of(const quantity *q, char name[NAME])
{
    return q->of == UNKNOWN ? "?" : ms_unit_name(q->power, name, NAME);
}

/* "m + s", "sin(m)" or "min(m, s)". */
static void describe(const ms_node *node, const quantity *const of[3], ms_expression_fault *fault)
{
    char name[3][NAME] = {"", "", ""};
    const char *unit[3] = {"", "", ""}, *operation = ms_operation_table[node->operation].name;
    const int n = ms_operation_table[node->operation].operands;
    for (int k = 0; k < n && k < 3; k++)
        unit[k] = name_of(of[k], name[k]);
    char text[3 * NAME + 32] = "";
    if (n == 3)
        snprintf(text, sizeof text, "%s(%s, %s, %s)", operation, unit[0], unit[1], unit[2]);
    else if (n == 1)
        snprintf(text, sizeof text, "%s(%s)", operation, unit[0]);
    else if (isalpha((unsigned char)operation[0]))
        snprintf(text, sizeof text, "%s(%s, %s)", operation, unit[0], unit[1]);
    else
        snprintf(text, sizeof text, "%s %s %s", unit[0], operation, unit[1]);
    snprintf(fault->text, sizeof fault->text, "%s: units do not fit", text);
}

static quantity of_variable(const ms_names *names, const ms_node *node)
{
    const int group = node->operand[0];
    if (group == MS_NAMES_TIME) {
        quantity second = {.of = OF_TIME};
        second.power[MS_UNIT_SECOND] = 1.0;
        return second;
    }
    return declared(names->unit[group] != NULL ? names->unit[group][node->operand[1]] : NULL);
}

/* The quantities of all nodes. MS_INVALID: the units of operands do not fit. */
static int find_quantities(const ms_expressions *e, const ms_names *names, quantity *q,
                           ms_expression_fault *fault)
{
    for (int i = 0; i < e->n_nodes; i++) {
        const ms_node *node = &e->node[i];
        static const quantity none = {.of = UNKNOWN};
        const quantity *of[3] = {&none, &none, &none};
        const int n = ms_operation_table[node->operation].operands;
        if (node->operation == MS_OF_VARIABLE)
            q[i] = of_variable(names, node);
        else if (node->operation == MS_OF_NUMBER)
            q[i] = (quantity){.of = NUMBER};
        for (int k = 0; k < n && k < 3; k++)
            of[k] = &q[node->operand[k]];
        if (n == 0 || operate(node, n > 1 ? &e->node[node->operand[1]] : node, of[0], of[1], of[2], &q[i]))
            continue;
        describe(node, of, fault);
        /* Nodes are in the order of the expressions that have them first. */
        while (e->root[fault->index] < i)
            fault->index++;
        return MS_INVALID;
    }
    return MS_OK;
}

/* Is the value of expression k what is expected? t and numbers alone may be anything, but not t itself. */
static int check_value(const ms_expressions *e, int k, const quantity *q, const char *unit,
                       ms_expression_fault *fault)
{
    char name[2][NAME] = {"", ""};
    const quantity expected = declared(unit);
    const bool known = q->of == KNOWN || (q->of == OF_TIME && !is_one(&expected) &&
                                          e->node[e->root[k]].operation == MS_OF_VARIABLE);
    if (!known || expected.of == UNKNOWN || same(q, &expected))
        return MS_OK;
    fault->index = k;
    snprintf(fault->text, sizeof fault->text, "%s where %s is expected: units do not fit",
             name_of(q, name[0]), name_of(&expected, name[1]));
    return MS_INVALID;
}

int ms_expressions_check_units(const ms_expressions *e, const ms_names *names, const char *const *expected,
                               ms_expression_fault *fault)
{
    quantity *q = calloc((size_t)e->n_nodes + 1, sizeof *q);
    *fault = (ms_expression_fault){0};
    int status = q != NULL ? find_quantities(e, names, q, fault) : MS_NO_MEMORY;
    for (int k = 0; k < e->n && status == MS_OK; k++)
        status = check_value(e, k, &q[e->root[k]], expected[k], fault);
    free(q);
    return status;
}
