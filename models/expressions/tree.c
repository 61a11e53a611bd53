/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ms_tree_free(ms_tree *tree)
{
    free(tree->node);
    free(tree->table);
    *tree = (ms_tree){0};
}

static size_t hash_of(const ms_node *node)
{
    uint64_t bits, hash = (uint64_t)node->operation;
    memcpy(&bits, &node->value, sizeof bits);
    for (int k = 0; k < 3; k++)
        hash = (hash ^ (uint64_t)(node->operand[k] + 1)) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return (size_t)(hash ^ (hash >> 32));
}

static bool same(const ms_node *a, const ms_node *b)
{
    return a->operation == b->operation && memcmp(a->operand, b->operand, sizeof a->operand) == 0 &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* Where the table has the node, or room for it. */
static int *find(const ms_tree *tree, const ms_node *node)
{
    const size_t mask = 2 * (size_t)tree->room - 1;
    size_t at = hash_of(node) & mask;
    while (tree->table[at] != 0 &&
           (tree->table[at] <= tree->first || !same(&tree->node[tree->table[at] - 1], node)))
        at = (at + 1) & mask;
    return &tree->table[at];
}

/* Twice the room; the table is filled anew. */
static bool grow(ms_tree *tree)
{
    const int room = tree->room > 0 ? 2 * tree->room : 64;
    ms_node *node = realloc(tree->node, sizeof *node * (size_t)room);
    if (node != NULL)
        tree->node = node;
    int *table = node != NULL ? calloc(2 * (size_t)room, sizeof *table) : NULL;
    if (table == NULL)
        return false;
    free(tree->table);
    tree->table = table;
    tree->room = room;
    for (int k = tree->first; k < tree->n; k++)
        *find(tree, &tree->node[k]) = k + 1;
    return true;
}

static int add(ms_tree *tree, const ms_node *node)
{
    if (tree->n == tree->room && !grow(tree)) {
        tree->no_memory = true;
        return -1;
    }
    int *at = find(tree, node);
    if (*at == 0) {
        tree->node[tree->n] = *node;
        *at = ++tree->n;
    }
    return *at - 1;
}

int ms_tree_number(ms_tree *tree, double value)
{
    return add(tree, &(ms_node){.operation = MS_OF_NUMBER, .operand = {-1, -1, -1}, .value = value});
}

int ms_tree_variable(ms_tree *tree, int group, int index)
{
    return add(tree,
               &(ms_node){.operation = MS_OF_VARIABLE, .operand = {group, index, -1}, .reads = 1u << group});
}

int ms_tree_operation(ms_tree *tree, ms_operation operation, int a, int b, int c)
{
    const int operand[] = {a, b, c}, n = ms_operation_table[operation].operands;
    ms_node node = {.operation = operation, .operand = {-1, -1, -1}};
    double value[3] = {0.0};
    bool number = true;
    for (int k = 0; k < n && k < 3; k++) {
        if (operand[k] < 0)
            return -1;
        const ms_node *of = &tree->node[operand[k]];
        node.operand[k] = operand[k];
        node.reads |= of->reads;
        value[k] = of->value;
        number = number && of->operation == MS_OF_NUMBER;
    }
    return number ? ms_tree_number(tree, ms_operation_value(operation, value[0], value[1], value[2]))
                  : add(tree, &node);
}
