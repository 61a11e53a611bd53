/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - JSON values of numbers, names and rows.
 *
 * Without memory every function that creates a value returns NULL, as does json_pack with "o": a final NULL is
 * reported once, by ms_answer_finish. Values put into others are stolen. */
#pragma once

#include <jansson.h>
#include <stdarg.h>

#include <macrostep/model.h>

/* null where the value is not finite. */
json_t *ms_json_real(double value);

/* A number that reads back identically: JSON has no infinity, so the strings "inf", "-inf" and "nan" represent
 * nonfinite numbers. Anything else is read as NaN. */
json_t *ms_json_exact(double value);
double ms_json_exact_value(const json_t *value);

/* A string; bytes that are not UTF-8 become question marks. */
json_t *ms_json_text(const char *text);

/* (n) numbers; rows of a matrix (rows x columns), whose rows begin `stride` numbers apart. */
json_t *ms_json_of_vector(int n, const double *v);
json_t *ms_json_of_matrix(int rows, int columns, int stride, const double *M);

/* [[re, im], ..]: (n) complex numbers, or points. */
json_t *ms_json_of_pairs(int n, const double *v);

/* The names of (n) variables; with a prefix "PREFIX.NAME". */
json_t *ms_json_names(int n, const ms_variable *variables, const char *prefix);

/* An object of the members "NAME:T NAME:T ..", with a value for each: T is s for a text (as ms_json_text), i for an int, l for a long, I for a
 * json_int_t, f for a number that is finite, r for any (null where it is not), b for a truth, o for JSON (stolen), O the same (borrowed), n for null
 * (without a value). A text or JSON may be NULL where ? (then it is null) or * (then it is left out) stands behind its letter. */
json_t *ms_json_object(const char *members, ...);

/* The next of the values, by its letter. *given: it was not NULL. */
json_t *ms_json_next(char letter, va_list *values, bool *given);

/* The value at a dotted path of members of objects and indices of arrays, "rows.0.name"; borrowed. NULL: none. */
json_t *ms_json_at(const json_t *value, const char *path);

/* Adds to an array or an object. Where the value or the memory is missing the container is freed and becomes
 * NULL, and stays so. */
void ms_json_append(json_t **array, json_t *value);
void ms_json_set(json_t **object, const char *key, json_t *value);
void ms_json_set_as(json_t **object, json_t *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));        /* the key is formatted, however long it becomes */
void ms_json_join(json_t **object, json_t *more); /* the members of an object, or the elements of an array */

/* Path -> scalar for everything inside the value, in order; empty arrays and objects become null. */
json_t *ms_json_flatten(json_t *value);

/* The rows of an answer (borrowed array): the value itself or its "rows"; NULL: there are none. */
json_t *ms_json_rows(const json_t *value);
