/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_parts.h - data of a figure file while it is drawn.
 *
 * A family holds the results of a run, or of a group: a member for each combination of the items of its lists, each with its values,
 * which are columns. In expressions
 *
 *     NAME                     a value of this member, or the item of a list, where it is a number; a value of the figure
 *     LIST.ITEM                1 where it is this item, else 0
 *     LIST.FIELD               what a field of the item says
 *     FAMILY.VALUE             that of all members, one behind the other; in a group of the family, of those with its items
 *     FAMILY.ITEM.ITEM.VALUE   that of the members with these items: names, or places counted from 1
 *     published.PATH           what was published
 *
 *     answer.PATH              of a member of a run: of the answer of its command; an array gives a column, a text TEXT is 1 at PATH.TEXT
 *
 * and where a run gives its values
 *
 *     trajectory.COLUMN        of what --trajectory writes
 *     reference.COLUMN (states), ledger.COLUMN      of `run`, at its communication points
 *     attempts.COLUMN                               of `run`, the attempts of a step control: time, step_size, estimate, accepted
 *     history.COLUMN, events.COLUMN                 of what --history and --events write */
#pragma once

#include "column.h"
#include "measurement.h"
#include "part_file.h"
#include "passage.h"

/* figure_table.c: columns with names: of a CSV file that a command has written (--trajectory, --history, --events), or row by row. */

typedef struct ms_figure_table {
    char *text; /* owned; names point into it; NULL: they are the caller's */
    int columns;
    const char **name; /* (columns), owned */
    size_t rows, room;
    double *value; /* (rows x columns), owned; NaN: an empty cell, or a text */
} ms_figure_table;

/* Lines that begin with # are passed over. Errors: MS_IO, MS_NO_MEMORY. Freeing is safe after all of them. */
int ms_figure_table_read(const char *path, ms_figure_table *table, ms_error *error);
void ms_figure_table_free(ms_figure_table *table);

/* Without rows; the n names are borrowed. A row has n numbers. Errors: MS_NO_MEMORY. */
int ms_figure_table_begin(int n, const char *const *names, ms_figure_table *table, ms_error *error);
int ms_figure_table_append(ms_figure_table *table, const double *row, ms_error *error);

/* Errors: MS_INVALID (there is no column of that name), MS_NO_MEMORY. */
int ms_figure_table_column(const ms_figure_table *table, const char *name, ms_number_column *column,
                           ms_error *error);

/* figure_expression.c: expressions of figure files: those of expressions.h over columns, row by row, with the reductions of
 * reductions.h. A name is a word with points in it, run.h1.error, or anything between backquotes. */

/* What names are. find: a column for the caller to free; MS_INVALID where there is none of that name, with a line that says which there
 * are. */
typedef struct ms_figure_names {
    void *self;
    int (*find)(void *self, const char *name, ms_number_column *column, ms_error *error);
} ms_figure_names;

/* The value of the expression, for the caller to free. Errors: those of find; MS_INVALID with the expression and what is wrong with
 * it; MS_NO_MEMORY. */
int ms_figure_expression(const char *text, const ms_figure_names *names, ms_number_column *result,
                         ms_error *error);

/* The same of what has to be one number. */
int ms_figure_number(const char *text, const ms_figure_names *names, double *value, ms_error *error);

typedef struct ms_figure_file ms_figure_file;

enum { MS_FIGURE_LISTS = 6, MS_FIGURE_MEMBERS = 20000 };

struct ms_figure_file {
    ms_figure figure;
    char *path, *text, *script; /* owned */
    char *script_path;          /* path of the script's file; owned, NULL: none */
    char *like;                 /* path of the file that it is like; owned, NULL: of none */
    json_t *spec;               /* owned */
};

typedef struct ms_figure_value {
    const char *name; /* borrowed from the file */
    ms_number_column column;
} ms_figure_value;

typedef struct ms_figure_member {
    size_t item[MS_FIGURE_LISTS]; /* place in each list of the family */
    size_t n;
    ms_figure_value *value; /* (n), owned */
    json_t *answer;         /* of its command; owned, NULL: none */
} ms_figure_member;

typedef struct ms_figure_family {
    const char *name;
    json_t *spec;
    const struct ms_figure_family *of; /* of a group; NULL: a run */
    int n_lists;
    const char *list[MS_FIGURE_LISTS];    /* names .. */
    const json_t *items[MS_FIGURE_LISTS]; /* .. and arrays or objects */
    size_t n;
    ms_figure_member *member; /* (n), owned */
} ms_figure_family;

typedef struct ms_figure_work {
    const ms_figure_file *file;
    ms_drawing *drawing;
    const json_t *published; /* borrowed; NULL: nothing */
    bool dry;                /* nothing is run or drawn: all that is named is looked up */
    int n;
    ms_figure_family *family; /* (n), owned: runs, then groups */
    ms_figure_member whole;   /* values of the figure */
    ms_part_file systems;     /* the folder of its systems; none where it has none */
} ms_figure_work;

enum { MS_FIGURE_SOURCES = 7 };

/* What a command has given. */
typedef struct ms_figure_source {
    json_t *answer;                           /* owned */
    ms_study *study;                          /* of `run`; NULL: another command */
    ms_figure_table table[MS_FIGURE_SOURCES]; /* files of other commands; of `run` its attempts */
} ms_figure_source;

/* The context of an expression: a member of a family (NULL: none), and for a run the result of its command (NULL: none). */
typedef struct ms_figure_scope {
    const ms_figure_work *work;
    const ms_figure_family *family;
    const ms_figure_member *member;
    ms_figure_source *source;
    bool shown; /* is a command filled in as the answer lists it? */
    int moved;  /* direction in which measured values are moved, from 1; 0: unchanged */
} ms_figure_scope;

/* Moves of all names alike, and of the names of a group apart from all others; the last one is of numbers alone, to what was published. */
enum {
    MS_FIGURE_ALIKE = 4,
    MS_FIGURE_APART = 4,
    MS_FIGURE_GROUPS = 8,
    MS_FIGURE_MOVES = MS_FIGURE_ALIKE + MS_FIGURE_APART * MS_FIGURE_GROUPS,
    MS_FIGURE_AS_PUBLISHED
};

/* The names of the scope. */
ms_figure_names ms_figure_names_of(ms_figure_scope *scope);

/* Has the member the items of the scope's own one, of the lists that both go over? */
bool ms_figure_scope_fits(const ms_figure_scope *scope, const ms_figure_family *family,
                          const ms_figure_member *member);

/* A number of the answer, or a column; a column of the trajectory and the other sources. In a dry work: NaN. */
int ms_figure_source_find(const ms_figure_scope *scope, const char *name, ms_number_column *column,
                          ms_error *error);
bool ms_figure_source_has(const char *name); /* does the name begin like one of these? */

/* A text of the answer, answer.reason, or a published one; NULL: there is none of that name. */
const char *ms_figure_answer_text(const ms_figure_scope *scope, const char *name);

/* Runs one member's command. Errors: those of the command. */
int ms_figure_source_run(const ms_figure_scope *scope, const char *command, const char *shown,
                         ms_figure_source *source, ms_error *error);
void ms_figure_source_free(ms_figure_source *source);

/* The name of an item, which is also how it is called in texts; the name lies in the buffer or in the file. */
enum { MS_FIGURE_ITEM = 64 };
const char *ms_figure_item_name(const json_t *items, size_t k, char name[MS_FIGURE_ITEM]);
size_t ms_figure_items(const json_t *items);

/* What LIST.FIELD says of the member's item; *says is NULL where its item has no such field. False: no item of the list has one. */
bool ms_figure_field(const ms_figure_family *family, const ms_figure_member *member, const char *name,
                     const json_t **says);
const json_t *ms_figure_item(const json_t *items, size_t k);

/* The text with all {..} filled in: {LIST} is the name of the item, in a command its text, {LIST.FIELD} one of its fields; {WORD} one of the file's
 * words, {WORD.LIST} its text for the item; {folder} the file's folder; {system.NAME} the file of one of its systems;
 * {EXPRESSION} or {EXPRESSION:%.3g} a number, {{ and }} are braces. *filled lives as long as the drawing. */
int ms_figure_text(ms_figure_scope *scope, const char *text, bool command, const char **filled,
                   ms_error *error);

/* An expression, in which {LIST} is filled in first, with its place for what is wrong. */
int ms_figure_column(ms_figure_scope *scope, const json_t *text, const ms_passage *at,
                     ms_number_column *column, ms_error *error);
int ms_figure_one(ms_figure_scope *scope, const json_t *text, const ms_passage *at, double *value,
                  ms_error *error);

/* The family of that name, or NULL; or an error if there is none. */
const ms_figure_family *ms_figure_family_find(const ms_figure_work *work, const char *name, size_t length);
int ms_figure_family_get(const ms_figure_work *work, const json_t *name, const ms_passage *at,
                         const ms_figure_family **family, ms_error *error);

/* Are there any rows with its items in the source of the group? Always for a run. */
bool ms_figure_member_has_rows(const ms_figure_family *family, const ms_figure_member *member);

/* Files of its systems, in a folder that goes with the work. Errors: MS_INVALID, MS_IO. */
int ms_figure_systems_make(ms_figure_work *work, ms_error *error);

/* Runs, groups, and values of the figure. */
int ms_figure_families_make(ms_figure_work *work, ms_error *error);
void ms_figure_families_free(ms_figure_work *work);

/* Data files and tables; variables of the script; checks and remarks. */
int ms_figure_data_make(ms_figure_work *work, ms_error *error);
int ms_figure_script_make(ms_figure_work *work, ms_error *error);
int ms_figure_checks_make(ms_figure_work *work, ms_error *error);

/* The file as a place. */
static inline ms_passage ms_figure_whole(const ms_figure_work *work)
{
    return (ms_passage){.file = work->file->path, .text = work->file->text};
}

/* figure_checks.c: the kinds of checks that a figure file may have, and what each must say. */

/* A check, filled in. */
typedef struct ms_filled_check {
    const char *what, *note, *expected;
    const json_t *published;
    json_t *made;                 /* what was published, where it is measured; owned by the caller */
    json_t *measured, *tolerance; /* given away */
    json_t *runs, *range; /* of nine runs what each says; numbers whose ends are told; owned by the caller */
    double holds, determined; /* not 0: so it is */
} ms_filled_check;

enum { MS_FIGURE_CHECK_NEEDS = 4 };

typedef struct ms_figure_check_kind {
    const char *name;
    const char *needs[MS_FIGURE_CHECK_NEEDS]; /* members; NULL: no more */
    bool of_a_number;                         /* what is measured is one number */
    bool of_nine;                             /* "runs" are nine numbers */
    void (*give)(ms_drawing *drawing, const ms_filled_check *check);
} ms_figure_check_kind;

extern const ms_figure_check_kind ms_figure_check_kinds[]; /* ends with a NULL name */

/* Members whose texts are remarks of the report. */
enum { MS_FIGURE_REMARKS = 3 };
extern const char *const ms_figure_remarks[MS_FIGURE_REMARKS];

/* figure_members.c: the members that a figure file may have, and must. */

/* Are there all that there must be, none that is unknown, and each of its type? Errors: MS_INVALID. */
int ms_figure_members_check(const ms_passage *file, json_t *spec, ms_error *error);

/* figure_measurements.c: measurements in C by their names. */

/* NULL: there is none of that name. */
const ms_measurement *ms_measurement_find(const char *name);
