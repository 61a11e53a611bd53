/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_read.h - names, numbers and matrices out of a JSON object, with error lines that name what is wrong; for the
 * files of this room. */
#pragma once

#include <jansson.h>

#include <macrostep/model.h>

/* A matrix by rows; without entries value may be NULL. */
typedef struct ms_json_matrix {
    size_t rows, columns;
    double *value;
    const char **text; /* (rows x columns) expressions, NULL where an entry is a number; NULL where all are */
} ms_json_matrix;

/* What a member belongs to, for the error lines: a subsystem of the file, or the file (name NULL). */
typedef struct ms_json_place {
    const char *path, *name;
    const char
        *text; /* the whole file, in which the line of subsystem `index` is looked up; NULL: of no line */
    size_t index;
    /* of each subsystem, if they are not in a JSON text; NULL: looked up in the text */
    const long *line;
} ms_json_place;

/* MS_INVALID with "PATH: line N: subsystem NAME: " before the message. */
int ms_json_fail(const ms_json_place *at, ms_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int ms_json_no_memory(const ms_json_place *at, ms_error *error);

/* Are all members of the object among the n names? MS_OK or MS_INVALID. */
int ms_json_members(json_t *object, const char *const *names, int n, const ms_json_place *at,
                    ms_error *error);

/* The matrix that is a member of the object; a missing one is 0 x 0, or an error where it is
 * required. Memory comes from owner.
 * Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_json_read_matrix(ms_structure *owner, const json_t *object, const char *name, bool required,
                        const ms_json_place *at, ms_json_matrix *m, ms_error *error);

/* Has the matrix that shape? Matrices without entries are the same, whatever their shape, and get the
 * expected one. MS_OK or MS_INVALID. */
int ms_json_shape(ms_json_matrix *m, const char *name, size_t rows, size_t columns, const ms_json_place *at,
                  ms_error *error);

/* The list of n numbers or expressions that is a member of the object; a missing one has no value. Errors: as for a matrix. */
int ms_json_vector(ms_structure *owner, const json_t *object, const char *name, size_t n,
                   const ms_json_place *at, ms_json_matrix *vector, ms_error *error);

/* A number that is a member of the object, and which has to be positive; a missing one leaves *value as it is. MS_OK
 * or MS_INVALID. */
int ms_json_number(const json_t *object, const char *name, const ms_json_place *at, double *value,
                   ms_error *error);
int ms_json_positive(const json_t *object, const char *name, const ms_json_place *at, double *value,
                     ms_error *error);

/* A string that is a member of the object, which belongs to the owner; a missing one leaves *text as it is. Errors: as for a
 * matrix. */
int ms_json_string(ms_structure *owner, const json_t *object, const char *name, const ms_json_place *at,
                   const char **text, ms_error *error);
