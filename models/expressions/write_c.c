/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_c.c - a set of expressions in C, a statement an operation. */
#include <math.h>

#include "expressions_parts.h"

enum { OPERAND_LENGTH = 48 };

static void name_number(double value, char *text)
{
    if (isnan(value))
        snprintf(text, OPERAND_LENGTH, "NAN");
    else if (isinf(value))
        snprintf(text, OPERAND_LENGTH, value > 0.0 ? "INFINITY" : "(-INFINITY)");
    else
        snprintf(text, OPERAND_LENGTH, signbit(value) ? "(double)(%.17g)" : "(double)%.17g", value);
}

/* What a node is called where it is an operand. */
static void name_node(const ms_expressions *e, int i, const char *prefix, char *text)
{
    static const char *const group[MS_NAME_GROUPS] = {"t", "p", "x", "u", "w", "z"};
    const ms_node *node = &e->node[i];
    if (node->operation == MS_OF_NUMBER)
        name_number(node->value, text);
    else if (node->operation == MS_OF_VARIABLE && node->operand[0] == MS_NAMES_TIME)
        snprintf(text, OPERAND_LENGTH, "t");
    else if (node->operation == MS_OF_VARIABLE)
        snprintf(text, OPERAND_LENGTH, "%s[%d]", group[node->operand[0]], node->operand[1]);
    else
        snprintf(text, OPERAND_LENGTH, "%.20s%d", prefix, i);
}

static void write_operation(const ms_expressions *e, int i, const char *prefix, FILE *file)
{
    const ms_node *node = &e->node[i];
    char operand[3][OPERAND_LENGTH] = {""};
    for (int k = 0; k < ms_operation_table[node->operation].operands; k++)
        name_node(e, node->operand[k], prefix, operand[k]);
    fprintf(file, "    const double %s%d = ", prefix, i);
    fprintf(file, ms_operation_table[node->operation].c, operand[0], operand[1], operand[2]);
    fputs(";\n", file);
}

void ms_expressions_write(const ms_expressions *e, const char *to, const char *prefix, FILE *file)
{
    char text[OPERAND_LENGTH];
    for (int i = 0; i < e->n_nodes; i++)
        if (ms_operation_table[e->node[i].operation].operands > 0)
            write_operation(e, i, prefix, file);
    for (int k = 0; k < e->n; k++) {
        name_node(e, e->root[k], prefix, text);
        fprintf(file, "    %s[%d] = %s;\n", to, k, text);
    }
}
