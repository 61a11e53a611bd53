/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - expressions as a tree whose equal parts are there once: every node comes behind its operands. */
#pragma once

#include <stddef.h>

#include "names.h"
#include "operations.h"

typedef struct ms_node {
    ms_operation operation;
    int operand[3]; /* nodes; -1: none. For a variable: its group, and its index there */
    double value;   /* of a number */
    unsigned reads; /* bit g: it depends on group g */
} ms_node;

typedef struct ms_tree {
    ms_node *node;
    int n, room;
    int *table; /* (2 room) hash table with open addressing: nodes plus 1, by content */
    int first;  /* equal parts are looked for from this node on */
    bool no_memory;
} ms_tree;

/* All zero is an empty tree. */
void ms_tree_free(ms_tree *tree);

/* The node of an operation on nodes, one that is there where an equal one is, a number where all operands are. -1 without memory
 * (tree->no_memory), and where an operand is -1. */
int ms_tree_operation(ms_tree *tree, ms_operation operation, int a, int b, int c);
int ms_tree_number(ms_tree *tree, double value);
int ms_tree_variable(ms_tree *tree, int group, int index);

/* Names by the alphabet. */
typedef struct ms_indexed_name {
    const char *name;
    int group, variable;
} ms_indexed_name;

typedef struct ms_name_index {
    ms_indexed_name *entry; /* (n) */
    size_t n;
} ms_name_index;

/* Is there memory for it? */
bool ms_name_index_create(const ms_names *names, ms_name_index *index);
void ms_name_index_free(ms_name_index *index);

/* Reads a text into the tree: the node of its value; -1 with the fault, or without memory. */
int ms_tree_parse(ms_tree *tree, const ms_name_index *names, const char *text, char *fault, size_t size);
