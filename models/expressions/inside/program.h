/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h - nodes of a tree as a flat program on registers, which are used again when their value is no longer needed. */
#pragma once

#include <macrostep/model.h>
#include "tree.h"

/* A program has no more registers: without parts in common an expression needs half of its number of characters. */
enum { MS_REGISTERS_MAX = MS_EXPRESSION_LENGTH_MAX / 2 + 200 };

/* Value of `operation` other than those of nodes: value[a] = register `to`. */
enum { MS_OF_RESULT = MS_OPERATIONS };

typedef struct ms_instruction {
    short operation;
    short to; /* register of the value */
    int a, b,
        c; /* registers of the operands; of a variable its group and which it is, of a result which it is */
    double value; /* of a number */
} ms_instruction;

typedef struct ms_program {
    int n, registers;
    const ms_instruction *code; /* (n) */
} ms_program;

/* A program, owned by the structure, that evaluates nodes root (n) of the tree, the value of root[k] as result k; in the order of
 * the results where they have nothing in common. Errors: MS_NO_MEMORY, MS_INVALID (more registers than there are). */
int ms_program_create(ms_structure *owner, const ms_tree *tree, int n, const int *root, ms_program *program);

/* All results. Returns 0, or 1 where one is not finite. */
int ms_program_evaluate(const ms_program *program, const double *const of[MS_NAME_GROUPS], double *value);
