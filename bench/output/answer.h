/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - a command's answer, as a table, CSV, JSON, or a line of JSON for each row.
 *
 * CSV and tables follow from the JSON value: an array, or the array "rows" of an object, gives the rows;
 * another object is one row. Columns are dotted paths, arrays count from .0. Numbers in CSV and JSON are the
 * shortest decimals that read back to the same double (number.h). */
#pragma once

#include "format.h"
#include "json.h"
#include "output.h"

typedef struct ms_column {
    const char *path, *title;
} ms_column;

typedef struct ms_answer {
    json_t *value;            /* owned */
    json_t *provenance;       /* owned; an object */
    const ms_column *columns; /* of the table of rows, ends with a NULL path; NULL: all */
    const char *rank;         /* path of a number that orders the rows of the table; NULL: as they are */
    ms_markup markup;         /* of the table */
    int digits;               /* of its numbers; 0: six, on pages no more than are known */
    json_t *chosen;           /* owned; {path: title} of the columns that are wanted; NULL: all */
} ms_answer;

/* The columns "NAME,NAME" of --columns as {path: title}: a name is a title of the table, a path, or the end of one path alone, with '-'
 * for blanks and '_'. Errors: MS_INVALID with the paths that there are, MS_NO_MEMORY. */
int ms_answer_choose(const char *names, const ms_column *columns, const json_t *paths, json_t **chosen,
                     ms_error *error);

/* The paths of chosen columns. NULL: no memory. */
json_t *ms_answer_paths(const json_t *chosen);

/* The part of it in answer_table.c; remarks: those of a page are wanted. */
int ms_answer_table(const ms_answer *answer, bool remarks, FILE *file);

/* From now on files have no remarks, or have them again. */
void ms_answer_leave_out_remarks(bool left_out);

/* What a line of a page begins with that is a remark. */
const char *ms_answer_page_remark(ms_markup markup);

/* Lines "# path: value" with all that the value holds; in CSV behind the line of names. */
int ms_answer_remarks(json_t *value, FILE *file);

/* The columns of flat rows that come one after the other: their paths, each new one behind its predecessor in the row that
 * brings it. {json_array(), json_object()} at first. */
typedef struct ms_csv_columns {
    json_t *paths, *known; /* NULL: no memory */
} ms_csv_columns;

void ms_csv_columns_add(ms_csv_columns *columns, json_t *flat_row); /* NULL: no memory for it */

/* Ends with all of them but those that are objects or arrays in other rows. NULL without memory. */
json_t *ms_csv_columns_take(ms_csv_columns *columns);

/* A header, or a row, with its newline. Names of members, notes and messages have semicolons for commas. */
void ms_csv_header(const json_t *columns, FILE *file);
void ms_csv_row(const json_t *columns, const json_t *flat_row, FILE *file);

/* A text as a cell, in quotes where it needs them (RFC 4180). */
void ms_csv_text(const char *text, FILE *file);

/* A number for CSV; empty where it is not finite. */
void ms_csv_number(double value, FILE *file);

/* (n) numbers as a row, with its newline. */
void ms_csv_numbers(int n, const double *value, FILE *file);

/* Writes the answer to a file of that path, by renaming a temporary file. The errors of ms_output_open, and
 * MS_NO_MEMORY. */
int ms_answer_save(const ms_answer *answer, ms_format format, const char *path, ms_error *error);

/* Opens --output (unless output is open), writes, closes, and discards the answer. MS_NO_MEMORY where its
 * value or provenance is NULL, MS_IO; MS_INVALID where --columns names what there is not, after the answer was written with all. */
int ms_answer_finish(ms_answer *answer, const ms_arguments *arguments, ms_output *output, ms_error *error);

/* Frees value and provenance; safe to repeat. */
void ms_answer_discard(ms_answer *answer);
