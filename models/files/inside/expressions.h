/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions.h - expressions of a system file: read once, evaluated by any number of threads.
 *
 * Each thread that evaluates at the same time as others has parsers of its own, made when they are first needed. */
#ifndef MS_EXPRESSIONS_H
#define MS_EXPRESSIONS_H

#include <stdio.h>

#include "file_model.h"

/* The names that an expression may use, by where their values stand. Time is always there, as t. */
enum {
    MS_NAMES_TIME,
    MS_NAMES_PARAMETERS,
    MS_NAMES_STATES,
    MS_NAMES_INPUTS,
    MS_NAMES_EXTERNAL,
    MS_NAMES_DISCRETE,
    MS_NAME_GROUPS
};

typedef struct ms_names {
    int n[MS_NAME_GROUPS];
    const char *const *name[MS_NAME_GROUPS];
} ms_names;

/* An expression and what it is, for the line that says what is wrong with it ("derivative of v"). */
typedef struct ms_expression_text {
    const char *text, *what;
} ms_expression_text;

/* A string is one, and so is a number; anything else is NULL, as is a lack of memory. */
const char *ms_expression_of(ms_structure *owner, const json_t *value);

/* n expressions over the names, which belong to the file. Errors: MS_INVALID, MS_UNSUPPORTED (muParser is not
 * there), MS_NO_MEMORY. */
int ms_expressions_create(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                          const ms_json_place *at, const ms_expressions **e, ms_error *error);
void ms_expressions_destroy(ms_expressions **list); /* it, and all behind it */

/* Does expression k name the variable? */
bool ms_expressions_read(const ms_expressions *e, int k, int group, int variable);

/* The text of expression k, and whose name the first `length` characters are: false: nobody's. */
const char *ms_expressions_text(const ms_expressions *e, int k);
bool ms_expressions_find(const ms_expressions *e, const char *name, int length, int *group, int *variable);

/* Expression k in C, where values stand in t, p[], x[], u[], w[], z[], and sign() is a function. NULL file: it is tried. false: there is
 * something that has none. */
bool ms_expressions_write(const ms_expressions *e, int k, FILE *file);

/* value (n) from the values of the names; a group without values (NULL) counts as zeros. Returns 0, or 1 where one of them is
 * not finite. */
int ms_expressions_evaluate(const ms_expressions *e, const double *const of[MS_NAME_GROUPS], double *value);

/* The same of n of them from `first` on. */
int ms_expressions_evaluate_some(const ms_expressions *e, int first, int n,
                                 const double *const of[MS_NAME_GROUPS], double *value);

#endif
