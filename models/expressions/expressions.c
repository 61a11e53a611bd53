/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expressions.h"

#include <stdlib.h>
#include <string.h>

#include "expressions_parts.h"

/* Creating ------------------------------------------------------------------------------------------------- */

/* A copy that the structure owns; NULL without memory. */
static void *keep(ms_structure *owner, size_t n, size_t size, const void *from)
{
    void *copy = ms_structure_alloc(owner, n + 1, size);
    if (copy != NULL && n > 0)
        memcpy(copy, from, n * size);
    return copy;
}

static int parse(ms_tree *tree, const ms_name_index *names, int n, const char *const *text, bool together,
                 int *root, ms_expression_fault *fault)
{
    for (int k = 0; k < n; k++) {
        if (!together)
            tree->first = tree->n; /* shares nothing with those before */
        fault->index = k;
        root[k] = ms_tree_parse(tree, names, text[k], fault->text, sizeof fault->text);
        if (root[k] < 0)
            return tree->no_memory ? MS_NO_MEMORY : MS_INVALID;
    }
    return MS_OK;
}

static int compare_reads(const void *a, const void *b)
{
    const ms_read_variable *first = a, *second = b;
    return first->group != second->group ? first->group - second->group : first->variable - second->variable;
}

/* What a node reads is added to the list, where it was not visited for that root before. stack: room for all nodes. */
static int collect_reads(const ms_tree *tree, int root, int stamp, int *visited, int *stack,
                         ms_read_variable *list)
{
    int depth = 0, n = 0;
    if (tree->node == NULL)
        return 0;
    stack[depth++] = root;
    visited[root] = stamp;
    while (depth > 0) {
        const ms_node *node = &tree->node[stack[--depth]];
        if (node->operation == MS_OF_VARIABLE)
            list[n++] = (ms_read_variable){node->operand[0], node->operand[1]};
        for (int k = 0; k < ms_operation_table[node->operation].operands; k++)
            if (visited[node->operand[k]] != stamp && tree->node[node->operand[k]].reads != 0) {
                visited[node->operand[k]] = stamp;
                stack[depth++] = node->operand[k];
            }
    }
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, compare_reads);
    return n;
}

/* The variables of each expression, one behind the other; in two passes, for room. */
static int find_reads(ms_structure *owner, const ms_tree *tree, const int *root, ms_expressions *e)
{
    const size_t nodes = (size_t)tree->n + 1;
    int *visited = calloc(2 * nodes, sizeof *visited), *stack = visited != NULL ? visited + nodes : NULL,
        total = 0;
    int *read_at = ms_structure_alloc(owner, (size_t)e->n + 1, sizeof *read_at);
    ms_read_variable *list = malloc(nodes * sizeof *list), *read = NULL;
    if (visited != NULL && read_at != NULL && list != NULL) {
        for (int k = 0; k < e->n; k++)
            read_at[k + 1] = total += collect_reads(tree, root[k], 2 * k + 1, visited, stack, list);
        read = ms_structure_alloc(owner, (size_t)total + 1, sizeof *read);
    }
    for (int k = 0; k < e->n && read != NULL; k++) {
        const int n = collect_reads(tree, root[k], 2 * k + 2, visited, stack, list);
        if (n > 0)
            memcpy(read + read_at[k], list, (size_t)n * sizeof *list);
    }
    MS_FREE(visited, list);
    e->read_at = read_at;
    e->read = read;
    return read != NULL ? MS_OK : MS_NO_MEMORY;
}

/* Where each expression begins. */
static int find_beginnings(ms_structure *owner, ms_expressions *e)
{
    int *begins = ms_structure_alloc(owner, (size_t)e->n + 1, sizeof *begins);
    MS_TRY_MEMORY(begins);
    for (int i = 0; i < e->program.n; i++)
        if (e->program.code[i].operation == MS_OF_RESULT)
            begins[e->program.code[i].a + 1] = i + 1;
    e->begins = begins;
    return MS_OK;
}

/* What the roots are made of. */
static const bool *find_used(ms_structure *owner, const ms_tree *tree, int n, const int *root)
{
    bool *used = ms_structure_alloc(owner, (size_t)tree->n + 1, sizeof *used);
    for (int k = 0; k < n && used != NULL; k++)
        used[root[k]] = true;
    for (int i = tree->n - 1; i >= 0 && used != NULL; i--)
        for (int k = 0; used[i] && k < ms_operation_table[tree->node[i].operation].operands; k++)
            used[tree->node[i].operand[k]] = true;
    return used;
}

int ms_expressions_of_tree(ms_structure *owner, const ms_tree *tree, int n, const int *root,
                           const int n_names[MS_NAME_GROUPS], bool together, ms_expressions *e)
{
    e->n = n;
    if (e->n_names != n_names)
        memcpy(e->n_names, n_names, sizeof e->n_names);
    e->n_nodes = tree->n;
    e->node = keep(owner, (size_t)tree->n, sizeof *tree->node, tree->node);
    e->root = keep(owner, (size_t)e->n, sizeof *root, root);
    e->is_used = find_used(owner, tree, n, root);
    MS_TRY_MEMORY(e->node != NULL && e->root != NULL && e->is_used != NULL);
    int status = ms_program_create(owner, tree, e->n, root, &e->program);
    if (status == MS_OK && !together)
        status = find_beginnings(owner, e);
    return status == MS_OK ? find_reads(owner, tree, root, e) : status;
}

static int create(ms_structure *owner, const ms_name_index *names, const char *const *text, bool together,
                  ms_expressions *e, ms_expression_fault *fault)
{
    ms_tree tree = {0};
    int *root = calloc((size_t)e->n + 1, sizeof *root);
    int status = root != NULL ? parse(&tree, names, e->n, text, together, root, fault) : MS_NO_MEMORY;
    if (status == MS_OK) {
        status = ms_expressions_of_tree(owner, &tree, e->n, root, e->n_names, together, e);
        if (status == MS_INVALID && together)
            status = create(owner, names, text, false, e, fault);
    }
    free(root);
    ms_tree_free(&tree);
    return status;
}

int ms_expressions_create(ms_structure *owner, const ms_names *names, int n, const char *const *text,
                          bool together, const ms_expressions **out, ms_expression_fault *fault)
{
    ms_expressions *e = ms_structure_alloc(owner, 1, sizeof *e);
    ms_name_index index;
    *out = e;
    if (e == NULL || !ms_name_index_create(names, &index))
        return MS_NO_MEMORY;
    e->n = n;
    for (int group = 0; group < MS_NAME_GROUPS; group++)
        e->n_names[group] = group == MS_NAMES_TIME ? 1 : names->n[group];
    const int status = create(owner, &index, text, together, e, fault);
    ms_name_index_free(&index);
    return status;
}

/* What they are --------------------------------------------------------------------------------------------- */

int ms_expressions_count(const ms_expressions *e)
{
    return e->n;
}

bool ms_expressions_read(const ms_expressions *e, int k, int group, int variable)
{
    const ms_read_variable of = {group, variable};
    const size_t n = (size_t)(e->read_at[k + 1] - e->read_at[k]);
    return n > 0 && bsearch(&of, e->read + e->read_at[k], n, sizeof of, compare_reads) != NULL;
}

/* How a node depends on states and inputs. */
typedef enum kind { FACTOR, LINEAR, OTHER } kind;

static bool is_zero(const ms_node *node)
{
    return node->operation == MS_OF_NUMBER && node->value == 0.0;
}

/* Its own kind from those of its operands (0 counts as linear wherever that is wanted). */
static kind kind_of(const ms_expressions *e, const ms_node *node, const kind *known)
{
    const unsigned moving = 1u << MS_NAMES_STATES | 1u << MS_NAMES_INPUTS | 1u << MS_NAMES_EXTERNAL;
    if ((node->reads & ~(1u << MS_NAMES_PARAMETERS)) == 0)
        return FACTOR;
    if (node->operation == MS_OF_VARIABLE)
        return (node->reads & ~moving) == 0 ? LINEAR : OTHER;
    const int *operand = node->operand, n = ms_operation_table[node->operation].operands;
    bool linear[3] = {false}, factor[3] = {false};
    for (int k = 0; k < n; k++) {
        linear[k] = known[operand[k]] == LINEAR || is_zero(&e->node[operand[k]]);
        factor[k] = known[operand[k]] == FACTOR;
    }
    switch ((int)node->operation) {
    case MS_OF_NEGATIVE:
        return linear[0] ? LINEAR : OTHER;
    case MS_OF_ADD:
    case MS_OF_SUBTRACT:
        return linear[0] && linear[1] ? LINEAR : OTHER;
    case MS_OF_MULTIPLY:
        return (linear[0] && factor[1]) || (factor[0] && linear[1]) ? LINEAR : OTHER;
    case MS_OF_DIVIDE:
        return linear[0] && factor[1] ? LINEAR : OTHER;
    case MS_OF_IF:
        return factor[0] && linear[1] && linear[2] ? LINEAR : OTHER;
    default:
        return OTHER;
    }
}

bool ms_expressions_linear(const ms_expressions *e)
{
    kind *known = malloc(sizeof *known * ((size_t)e->n_nodes + 1));
    bool linear = known != NULL;
    for (int i = 0; i < e->n_nodes && known != NULL; i++)
        known[i] = kind_of(e, &e->node[i], known);
    for (int k = 0; k < e->n && linear; k++)
        linear = known[e->root[k]] == LINEAR || is_zero(&e->node[e->root[k]]);
    free(known);
    return linear;
}
