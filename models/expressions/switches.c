/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "switches.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "switches_parts.h"

/* Finding them --------------------------------------------------------------------------------------------- */

typedef struct finding {
    ms_tree tree;
    int n, root[SWITCHES_MAX];
    ms_counting counts[SWITCHES_MAX];
    const int *external; /* nodes of the external inputs; NULL: not there yet */
    bool of_states;      /* wanted are those that depend on states or inputs */
    short *decided_by;   /* (nodes) which of them decides a node; -1: none. With of_states */
    int deciding;        /* the node whose functions are noted; -1: none is decided */
} finding;

static bool is_truth(const ms_node *node)
{
    return node->operation == MS_OF_NOT || (node->operation >= MS_OF_LESS && node->operation <= MS_OF_OR);
}

/* Is it constant from switch to switch, as floor(x) - 2 is? It is zero over intervals, and changes where its parts do, which are watched. */
static bool is_step(const ms_tree *tree, int i, int *left)
{
    const ms_node *node = &tree->node[i];
    const ms_operation of = node->operation;
    if (node->reads == 0 || is_truth(node) || of == MS_OF_SIGN || of == MS_OF_FLOOR || of == MS_OF_CEIL ||
        of == MS_OF_TRUNC || of == MS_OF_ROUND || of == MS_OF_RINT)
        return true;
    bool steps = of != MS_OF_VARIABLE && (*left)-- > 0;
    for (int k = 0; k < ms_operation_table[of].operands && steps; k++)
        steps = is_step(tree, node->operand[k], left);
    return steps;
}

/* Notes one that depends on states or inputs, by a function that changes its sign. */
static void note_watched(finding *f, int node, ms_counting counts)
{
    const unsigned moving = 1u << MS_NAMES_STATES | 1u << MS_NAMES_INPUTS | 1u << MS_NAMES_EXTERNAL;
    int left = 200;
    if (node < 0 || (f->tree.node[node].reads & moving) == 0 || is_step(&f->tree, node, &left))
        return;
    if (counts == WHOLE_NUMBERS) {
        const int angle = ms_tree_operation(&f->tree, MS_OF_MULTIPLY,
                                            ms_tree_number(&f->tree, 3.14159265358979323846), node, -1);
        node = ms_tree_operation(&f->tree, MS_OF_SIN, angle, -1, -1);
    }
    int k = 0;
    while (k < f->n && f->root[k] != node)
        k++;
    if (node < 0 || k == MS_WATCHED_MAX)
        return;
    f->root[k] = node;
    f->n = k < f->n ? f->n : k + 1;
    if (f->deciding >= 0)
        f->decided_by[f->deciding] = (short)k;
}

static const unsigned known_ahead = 1u << MS_NAMES_TIME | 1u << MS_NAMES_PARAMETERS | 1u << MS_NAMES_DISCRETE;

/* Notes a switching function where it depends on time, and on what stays between events. */
static void note(finding *f, int node, ms_counting counts)
{
    if (f->of_states) {
        note_watched(f, node, counts);
        return;
    }
    if (node < 0 || f->n == SWITCHES_MAX)
        return;
    const unsigned reads = f->tree.node[node].reads;
    bool new = (reads & 1u << MS_NAMES_TIME) != 0 && (reads & ~known_ahead) == 0;
    for (int k = 0; k < f->n; k++)
        new = new && (f->root[k] != node || f->counts[k] != counts);
    if (!new)
        return;
    f->root[f->n] = node;
    f->counts[f->n++] = counts;
}

/* Both sides of zero, and zero. */
static void note_sign(finding *f, int node)
{
    note(f, node, POSITIVE);
    note(f, node, NOT_NEGATIVE);
}

/* A value that counts as true or false: a comparison has been noted itself. */
static void note_truth(finding *f, int node)
{
    if (!is_truth(&f->tree.node[node]))
        note_sign(f, node);
}

static int combine(finding *f, ms_operation operation, int a, int b)
{
    return ms_tree_operation(&f->tree, operation, a, b, -1);
}

/* Where a node turns, as at the crest of a pulse that is made of it. Does it, as far as is known? */
static bool note_turn(finding *f, int i)
{
    int left = 200;
    const int slope = (f->tree.node[i].reads & ~known_ahead) == 0
                          ? ms_tree_derivative(&f->tree, i, (ms_read_variable){MS_NAMES_TIME, 0}, &left)
                          : -1;
    note(f, slope, KINK);
    return slope >= 0 && (f->tree.node[slope].reads & 1u << MS_NAMES_TIME) != 0;
}

/* The middle of a step, or of a flank, of a function of the node, and how far it reaches. */
static void note_flank(finding *f, int i)
{
    static const double at[] = {0.0, -2.0, 2.0, -9.0, 9.0, -36.0, 36.0};
    for (int k = 0; k < MS_COUNT(at); k++)
        note(f, combine(f, MS_OF_ADD, i, ms_tree_number(&f->tree, at[k])), KINK);
}

/* Of time alone: poles, and the middles of what may be as short as one likes, though it is smooth: pulses and steps of exp, tanh, quotients
 * and high powers. Error control sees those at which steps end. */
static void note_short(finding *f, const ms_node *node)
{
    const int a = node->operand[0], b = node->operand[1];
    switch ((int)node->operation) {
    case MS_OF_DIVIDE:
        note(f, b, POSITIVE);
        (void)note_turn(f, b);
        break;
    case MS_OF_TAN:
        note(f,
             combine(f, MS_OF_ADD,
                     combine(f, MS_OF_DIVIDE, a, ms_tree_number(&f->tree, 3.14159265358979323846)),
                     ms_tree_number(&f->tree, 0.5)),
             WHOLE_NUMBERS);
        break;
    case MS_OF_EXP:
    case MS_OF_EXP2:
        if (note_turn(f, a))
            note_flank(f, a);
        break;
    case MS_OF_ATAN:
    case MS_OF_ERF:
    case MS_OF_ERFC:
    case MS_OF_TANH:
    case MS_OF_COSH:
        note_flank(f, a);
        break;
    case MS_OF_POW:
        if (f->tree.node[b].operation != MS_OF_NUMBER || fabs(f->tree.node[b].value - 4.0) > 4.0)
            (void)note_turn(f, a);
        break;
    default:
        break;
    }
}

/* The switching functions of a node. */
static void note_node(finding *f, int i)
{
    const ms_node node = f->tree.node[i];
    const int a = node.operand[0], b = node.operand[1];
    switch ((int)node.operation) {
    case MS_OF_ABS:
    case MS_OF_CBRT:
        note(f, a, KINK);
        break;
    case MS_OF_ATAN2:
        note(f, a, POSITIVE);
        break;
    case MS_OF_SIGN:
        note_sign(f, a);
        break;
    case MS_OF_NOT:
    case MS_OF_IF:
        note_truth(f, a);
        break;
    case MS_OF_AND:
    case MS_OF_OR:
        note_truth(f, a);
        note_truth(f, b);
        break;
    case MS_OF_FLOOR:
    case MS_OF_TRUNC:
        note(f, a, WHOLE_NUMBERS);
        break;
    case MS_OF_CEIL:
        note(f, combine(f, MS_OF_NEGATIVE, a, -1), WHOLE_NUMBERS);
        break;
    case MS_OF_ROUND:
    case MS_OF_RINT:
        note(f, combine(f, MS_OF_ADD, a, ms_tree_number(&f->tree, 0.5)), WHOLE_NUMBERS);
        break;
    case MS_OF_FMOD:
    case MS_OF_MOD:
        note(f, combine(f, MS_OF_DIVIDE, a, b), WHOLE_NUMBERS);
        break;
    case MS_OF_REMAINDER:
        note(f, combine(f, MS_OF_ADD, combine(f, MS_OF_DIVIDE, a, b), ms_tree_number(&f->tree, 0.5)),
             WHOLE_NUMBERS);
        break;
    case MS_OF_LDEXP:
        note(f, b, WHOLE_NUMBERS);
        break;
    case MS_OF_LOGB:
        note(f, combine(f, MS_OF_LOG2, combine(f, MS_OF_ABS, a, -1), -1), WHOLE_NUMBERS);
        break;
    case MS_OF_COPYSIGN:
        note(f, a, POSITIVE);
        note(f, b, POSITIVE);
        break;
    case MS_OF_LESS:
    case MS_OF_GREATER_EQUAL:
        note(f, combine(f, MS_OF_SUBTRACT, a, b), NOT_NEGATIVE);
        break;
    case MS_OF_MIN:
    case MS_OF_MAX:
    case MS_OF_FDIM:
        note(f, combine(f, MS_OF_SUBTRACT, a, b), KINK);
        break;
    case MS_OF_GREATER:
    case MS_OF_LESS_EQUAL:
        note(f, combine(f, MS_OF_SUBTRACT, a, b), POSITIVE);
        break;
    case MS_OF_EQUAL:
    case MS_OF_UNEQUAL:
        note_sign(f, combine(f, MS_OF_SUBTRACT, a, b));
        break;
    default:
        break;
    }
}

/* Is it even in its first operand? */
static bool folds(const ms_tree *tree, const ms_node *node)
{
    const int a = node->operand[0], b = node->operand[1];
    return node->operation == MS_OF_HYPOT || (node->operation == MS_OF_MULTIPLY && a == b) ||
           (node->operation == MS_OF_POW && fmod(tree->node[b].value, 2.0) == 0.0);
}

/* The node whose zero is that of a product with constants, a square, a power or a root; -1: it is another one. */
static int root_of(const ms_tree *tree, const ms_node *node)
{
    const int a = node->operand[0], b = node->operand[1];
    switch ((int)node->operation) {
    case MS_OF_MULTIPLY:
        return a == b || tree->node[b].reads == 0 ? a : tree->node[a].reads == 0 ? b : -1;
    case MS_OF_DIVIDE:
        return tree->node[b].reads == 0 ? a : -1;
    case MS_OF_POW:
        return tree->node[b].operation == MS_OF_NUMBER ? a : -1;
    case MS_OF_HYPOT:
        return tree->node[b].operation == MS_OF_NUMBER && tree->node[b].value == 0.0 ? a : -1;
    case MS_OF_SQRT:
        return a;
    default:
        return -1;
    }
}

/* Where a root or a power is abs in disguise, as (x^2)^0.25 is, or hypot(x, 0): it decides nothing. */
static void note_root(finding *f, int i)
{
    const ms_node *node = &f->tree.node[i];
    const bool power = node->operation == MS_OF_POW && fmod(f->tree.node[node->operand[1]].value, 1.0) != 0.0;
    const bool root = power || node->operation == MS_OF_SQRT || node->operation == MS_OF_HYPOT;
    bool folded = false;
    int inner = i;
    for (int next = i; root && (next = root_of(&f->tree, &f->tree.node[inner])) >= 0; inner = next)
        folded = folded || folds(&f->tree, &f->tree.node[inner]);
    f->deciding = -1;
    if (folded)
        note(f, inner, KINK);
}

/* Of states and inputs: the ends of pulses that may be as short as one likes. They decide nothing. */
static void note_ends(finding *f, int i)
{
    int function[PULSE_ENDS_MAX];
    const int n = ms_pulse_ends(&f->tree, i, function);
    f->deciding = -1;
    for (int k = 0; k < n; k++)
        note_watched(f, function[k], KINK);
}

/* Copies a set into the tree, with external inputs replaced by their expressions. to (n_nodes): the nodes. */
static void copy(finding *f, const ms_expressions *e, int *to)
{
    for (int i = 0; i < e->n_nodes && !f->tree.no_memory; i++) {
        const ms_node *node = &e->node[i];
        int operand[3] = {-1, -1, -1};
        if (node->operation == MS_OF_NUMBER)
            to[i] = ms_tree_number(&f->tree, node->value);
        else if (node->operation == MS_OF_VARIABLE)
            to[i] = node->operand[0] == MS_NAMES_EXTERNAL && f->external != NULL
                        ? f->external[node->operand[1]]
                        : ms_tree_variable(&f->tree, node->operand[0], node->operand[1]);
        else {
            for (int k = 0; k < ms_operation_table[node->operation].operands; k++)
                operand[k] = to[node->operand[k]];
            to[i] = ms_tree_operation(&f->tree, node->operation, operand[0], operand[1], operand[2]);
        }
    }
}

/* The set, and in external (e->n; NULL: not wanted) the nodes of its expressions. */
static void take_set(finding *f, const ms_expressions *e, int *external)
{
    int *to = malloc(sizeof *to * ((size_t)e->n_nodes + 1));
    if (to == NULL) {
        f->tree.no_memory = true;
        return;
    }
    copy(f, e, to);
    for (int k = 0; k < e->n && external != NULL && !f->tree.no_memory; k++)
        external[k] = to[e->root[k]];
    free(to);
}

/* The names, besides time, on which the switching functions depend. */
static void find_depends(const ms_tree *tree, ms_switches *s)
{
    for (int i = 0; i < tree->n; i++) {
        const ms_node *node = &tree->node[i];
        const bool counts = node->operation == MS_OF_VARIABLE && (node->operand[0] == MS_NAMES_PARAMETERS ||
                                                                  node->operand[0] == MS_NAMES_DISCRETE);
        if (counts && s->n_depends++ < DEPENDS_MAX)
            s->depends[s->n_depends - 1] = (ms_read_variable){node->operand[0], node->operand[1]};
    }
}

/* The switching functions of all that is there by now. */
static int note_all(finding *f)
{
    const int nodes = f->tree.n;
    for (int i = 0; i < nodes && !f->tree.no_memory; i++)
        if (f->tree.node[i].reads != 0) {
            const ms_node node = f->tree.node[i];
            f->deciding = i;
            note_node(f, i);
            note_root(f, i);
            if (!f->of_states)
                note_short(f, &node);
        }
    for (int i = 0; i < nodes && f->of_states && !f->tree.no_memory; i++)
        note_ends(f, i);
    return f->tree.no_memory ? MS_NO_MEMORY : MS_OK;
}

/* |a| + |b| of a switching function a - b or a + b, else 0. size (n): nodes. */
static void size_terms(finding *f, int *size)
{
    for (int k = 0; k < f->n; k++) {
        const ms_node node = f->tree.node[f->root[k]];
        const bool has_terms = node.operation == MS_OF_SUBTRACT || node.operation == MS_OF_ADD;
        size[k] = has_terms ? combine(f, MS_OF_ADD, combine(f, MS_OF_ABS, node.operand[0], -1),
                                      combine(f, MS_OF_ABS, node.operand[1], -1))
                            : ms_tree_number(&f->tree, 0.0);
    }
}

static int keep(ms_structure *owner, finding *f, const ms_switches **switches)
{
    static _Atomic unsigned made;
    ms_switches *s = ms_structure_alloc(owner, 1, sizeof *s);
    ms_counting *counts = ms_structure_alloc(owner, (size_t)f->n, sizeof *counts);
    int *size = ms_structure_alloc(owner, (size_t)f->n, sizeof *size);
    MS_TRY_MEMORY(s != NULL && counts != NULL && size != NULL);
    memcpy(counts, f->counts, sizeof *counts * (size_t)f->n);
    *s = (ms_switches){.id = atomic_fetch_add(&made, 1u) + 1u, .n = f->n, .counts = counts};
    find_depends(&f->tree, s);
    size_terms(f, size);
    int status =
        f->tree.no_memory ? MS_NO_MEMORY : ms_program_create(owner, &f->tree, f->n, f->root, &s->program);
    MS_THEN(status, ms_program_create(owner, &f->tree, f->n, size, &s->terms));
    if (status == MS_OK)
        *switches = s;
    return status == MS_INVALID ? MS_OK : status; /* too many registers: error control has to do */
}

int ms_switches_create(ms_structure *owner, int n, const ms_expressions *const *sets,
                       const ms_expressions *external, const ms_switches **switches)
{
    finding *f = calloc(1, sizeof *f);
    int *inputs = calloc(external != NULL ? (size_t)external->n + 1 : 1, sizeof *inputs), status = MS_OK;
    *switches = NULL;
    if (f == NULL || inputs == NULL)
        status = MS_NO_MEMORY;
    if (status == MS_OK && external != NULL) {
        take_set(f, external, inputs);
        f->external = inputs;
    }
    for (int k = 0; k < n && status == MS_OK; k++)
        if (sets[k] != NULL && !f->tree.no_memory)
            take_set(f, sets[k], NULL);
    MS_THEN(status, note_all(f));
    if (status == MS_OK && f->n > 0)
        status = keep(owner, f, switches);
    if (f != NULL)
        ms_tree_free(&f->tree);
    MS_FREE(f, inputs);
    return status;
}

/* For each instruction of a set, whose nodes are to[] in the tree: instructions follow the order of nodes, except results. */
static const short *keep_decisions(ms_structure *owner, const finding *f, const ms_expressions *e,
                                   const int *to)
{
    short *decided_by = ms_structure_alloc(owner, (size_t)e->program.n + 1, sizeof *decided_by);
    int node = 0;
    for (int i = 0; i < e->program.n && decided_by != NULL; i++) {
        const ms_instruction *at = &e->program.code[i];
        decided_by[i] = -1;
        if (at->operation == MS_OF_RESULT)
            continue;
        while (!e->is_used[node])
            node++;
        decided_by[i] = f->decided_by[to[node++]];
    }
    return decided_by;
}

static int watch(ms_structure *owner, finding *f, const ms_expressions *const *sets, int *const *to,
                 ms_watched *watched)
{
    const ms_expressions *any = sets[0] != NULL ? sets[0] : sets[1] != NULL ? sets[1] : sets[2];
    for (int k = 0; k < MS_WATCHED_SETS && !f->tree.no_memory; k++)
        if (sets[k] != NULL)
            copy(f, sets[k], to[k]);
    f->decided_by = malloc(sizeof *f->decided_by * ((size_t)f->tree.n + 1));
    for (int i = 0; i < f->tree.n && f->decided_by != NULL; i++)
        f->decided_by[i] = -1;
    int status = f->decided_by != NULL ? note_all(f) : MS_NO_MEMORY;
    if (status != MS_OK || f->n == 0)
        return status;
    ms_expressions *e = ms_structure_alloc(owner, 1, sizeof *e);
    status = e != NULL ? ms_expressions_of_tree(owner, &f->tree, f->n, f->root, any->n_names, true, e)
                       : MS_NO_MEMORY;
    for (int k = 0; k < MS_WATCHED_SETS && status == MS_OK; k++)
        if (sets[k] != NULL && (watched->decided_by[k] = keep_decisions(owner, f, sets[k], to[k])) == NULL)
            status = MS_NO_MEMORY;
    if (status == MS_OK)
        watched->functions = e;
    return status == MS_INVALID ? MS_OK : status; /* too many registers: error control has to do */
}

int ms_switches_watched(ms_structure *owner, const ms_expressions *const sets[MS_WATCHED_SETS],
                        ms_watched *watched)
{
    finding *f = calloc(1, sizeof *f);
    int *to[MS_WATCHED_SETS] = {NULL}, status = f != NULL ? MS_OK : MS_NO_MEMORY;
    *watched = (ms_watched){0};
    for (int k = 0; k < MS_WATCHED_SETS && status == MS_OK; k++) {
        to[k] = calloc(sets[k] != NULL ? (size_t)sets[k]->n_nodes + 1 : 1, sizeof *to[k]);
        status = to[k] != NULL ? MS_OK : MS_NO_MEMORY;
    }
    if (status == MS_OK) {
        f->of_states = true;
        status = watch(owner, f, sets, to, watched);
    }
    for (int k = 0; k < MS_WATCHED_SETS; k++)
        free(to[k]);
    if (f != NULL) {
        ms_tree_free(&f->tree);
        free(f->decided_by);
    }
    free(f);
    return status;
}
