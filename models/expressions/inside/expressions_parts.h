/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions_parts.h - the inside of a set of expressions. */
#pragma once

#include "expressions.h"
#include "program.h"

/* A variable that an expression names. */
typedef struct ms_read_variable {
    int group, variable;
} ms_read_variable;

struct ms_expressions {
    int n, n_names[MS_NAME_GROUPS];
    const ms_node *node; /* (n_nodes) */
    int n_nodes;
    const int *root;     /* (n) the node of each */
    const bool *is_used; /* (n_nodes) */
    ms_program program;
    const int *begins;            /* (n + 1) where each begins in the program; NULL: they are together */
    const int *read_at;           /* (n + 1) */
    const ms_read_variable *read; /* those of expression k: read_at[k] .. read_at[k + 1] - 1, ascending */
};

/* The set of nodes root (n) of a tree, which is copied; n_names as in a set. together as in ms_expressions_create. Errors: MS_NO_MEMORY,
 * MS_INVALID (more is in common than there are registers). */
int ms_expressions_of_tree(ms_structure *owner, const ms_tree *tree, int n, const int *root,
                           const int n_names[MS_NAME_GROUPS], bool together, ms_expressions *e);
