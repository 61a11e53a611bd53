/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions.h - expressions over named variables: read once, evaluated by any number of threads.
 *
 * All expressions of a set are one tree, in which equal parts are there once. From it come
 *
 *     values             a flat program, without allocation and locks
 *     derivatives        of the same program, exact, in forward mode; along a curve the second ones too
 *     switches of time   the times at which a comparison, abs, sign, floor, .. of t alone changes (switches.h)
 *     C                  the same operations in the same order, so the same bits
 *
 * An expression has numbers, names, + - * / ^ ( ), signs, ! && || < <= > >= == !=, a ? b : c, pi, t, and the functions of
 * operations.h. ^ binds before signs and from the right, as in -a^2^3 = -(a^(2^3)). Comparisons are 1 or 0. Both branches of a
 * choice are evaluated, and only the one that is chosen counts.
 *
 * Source of the derivatives: Griewank, Walther, Evaluating Derivatives (2008), ch. 3. */
#pragma once

#include <stdio.h>

#include <macrostep/model.h>
#include "names.h"

/* Which expression is wrong, and why. */
typedef struct ms_expression_fault {
    int index;
    char text[200];
} ms_expression_fault;

typedef struct ms_expressions ms_expressions;

/* n expressions over the names, owned by the structure. together: parts that several have in common are evaluated once; then
 * ms_expressions_evaluate_some does not serve. Errors: MS_INVALID with the fault, MS_NO_MEMORY. */
int ms_expressions_create(ms_structure *owner, const ms_names *names, int n, const char *const *text,
                          bool together, const ms_expressions **e, ms_expression_fault *fault);

/* value (n) from the values of the names; a group without values (NULL) counts as zeros. Returns 0, or 1 where one of them is
 * not finite. */
int ms_expressions_evaluate(const ms_expressions *e, const double *const of[MS_NAME_GROUPS], double *value);

/* The same of n of them from `first` on. */
int ms_expressions_evaluate_some(const ms_expressions *e, int first, int n,
                                 const double *const of[MS_NAME_GROUPS], double *value);

/* Partial derivatives with respect to the names of a group, by rows: M (n x names). Returns 0, or 1 where one is not finite. */
int ms_expressions_differentiate(const ms_expressions *e, int group, const double *const of[MS_NAME_GROUPS],
                                 double *M);

/* Derivatives along a direction, d value_k = sum of partial derivatives times `along` (groups as in `of`, NULL: zero), (n). Where
 * abs, min, max, copysign or fdim bend it is that of the piece ahead. */
int ms_expressions_along(const ms_expressions *e, const double *const of[MS_NAME_GROUPS],
                         const double *const along[MS_NAME_GROUPS], double *derivative);

/* First and second derivatives (n, either may be NULL) on a curve through the values on which they have the derivatives `first` and
 * `second` (groups as in `of`, NULL: zero); on pieces ahead as before. Returns 0, or 1 where one that is wanted is not finite. */
int ms_expressions_along_curve(const ms_expressions *e, const double *const of[MS_NAME_GROUPS],
                               const double *const first[MS_NAME_GROUPS],
                               const double *const second[MS_NAME_GROUPS], double *dvalue, double *ddvalue);

/* How many there are. */
int ms_expressions_count(const ms_expressions *e);

/* Does expression k name the variable? */
bool ms_expressions_read(const ms_expressions *e, int k, int group, int variable);

/* Are all expressions linear in states, inputs and external inputs together, without a constant, and is what multiplies them
 * made of parameters and numbers alone? */
bool ms_expressions_linear(const ms_expressions *e);

/* Statements in C that set TO[k] for all k: values are in t, p[], x[], u[], w[], z[]; intermediate values become constants
 * with names that begin with `prefix`. math.h is all they need. */
void ms_expressions_write(const ms_expressions *e, const char *to, const char *prefix, FILE *file);
