/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program.h"

#include <stdlib.h>

/* What is known of a node while code is made. */
typedef struct use {
    int uses; /* by operands and results, still to come */
    int at;   /* its register */
} use;

typedef struct making {
    const ms_tree *tree;
    use *use;     /* (nodes) */
    int *free_at; /* registers that are free again */
    int n_free, registers;
    ms_instruction *code;
    int n;
} making;

/* Counts the uses of all that the roots need, from the last node to the first: operands come before. */
static int count_uses(making *m, int n, const int *root)
{
    int length = n;
    for (int k = 0; k < n; k++)
        m->use[root[k]].uses++;
    for (int i = m->tree->n - 1; i >= 0; i--) {
        const ms_node *node = &m->tree->node[i];
        if (m->use[i].uses == 0)
            continue;
        length++;
        for (int k = 0; k < ms_operation_table[node->operation].operands; k++)
            m->use[node->operand[k]].uses++;
    }
    return length;
}

/* One use of the node is over. */
static void release(making *m, int node)
{
    if (--m->use[node].uses == 0)
        m->free_at[m->n_free++] = m->use[node].at;
}

static void emit(making *m, int i)
{
    const ms_node *node = &m->tree->node[i];
    const int operands = ms_operation_table[node->operation].operands;
    int at[3] = {node->operand[0], node->operand[1], node->operand[2]};
    for (int k = 0; k < 3 && operands > 0; k++) /* for operations without a first operand */
        at[k] = m->use[node->operand[k < operands ? k : 0]].at;
    for (int k = 0; k < operands; k++)
        release(m, node->operand[k]);
    m->use[i].at = m->n_free > 0 ? m->free_at[--m->n_free] : m->registers++;
    m->code[m->n++] =
        (ms_instruction){(short)node->operation, (short)m->use[i].at, at[0], at[1], at[2], node->value};
}

static void emit_result(making *m, int node, int k)
{
    m->code[m->n++] = (ms_instruction){.operation = MS_OF_RESULT, .to = (short)m->use[node].at, .a = k};
    release(m, node);
}

/* Everything up to a root, and its result. What was made for an earlier one is there. */
static void emit_up_to(making *m, int *next, int node, int k)
{
    for (; *next <= node; ++*next)
        if (m->use[*next].uses > 0)
            emit(m, *next);
    emit_result(m, node, k);
}

static int make(making *m, int n, const int *root)
{
    int next = 0;
    for (int k = 0; k < n && m->registers <= MS_REGISTERS_MAX; k++)
        emit_up_to(m, &next, root[k], k);
    return m->registers <= MS_REGISTERS_MAX ? MS_OK : MS_INVALID;
}

int ms_program_create(ms_structure *owner, const ms_tree *tree, int n, const int *root, ms_program *program)
{
    making m = {.tree = tree, .use = calloc((size_t)tree->n + 1, sizeof *m.use)};
    const int length = m.use != NULL ? count_uses(&m, n, root) : 0;
    m.free_at = malloc(sizeof *m.free_at * ((size_t)length + 1));
    m.code = ms_structure_alloc(owner, (size_t)length + 1, sizeof *m.code);
    const bool memory = m.use != NULL && m.free_at != NULL && m.code != NULL;
    const int status = memory ? make(&m, n, root) : MS_NO_MEMORY;
    *program = (ms_program){m.n, m.registers, m.code};
    MS_FREE(m.use, m.free_at);
    return status;
}
