/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing_parts.h - what a drawing consists of; for the files drawing*.c only. */
#pragma once

#include <stdarg.h>

#include <macrostep/status.h>
#include "drawing.h"
#include "part_file.h"

enum { MS_FIGURE_NAME_MAX = 128 };

/* Numbers in memory until they are written. */
struct ms_data {
    ms_drawing *drawing;
    ms_data *next;
    char *part, *columns;
    int n_columns, filled; /* cells of the row that has begun */
    double *value;         /* (rows x n_columns) */
    size_t rows, capacity;
    size_t *breaks; /* ascending: an empty line comes before row breaks[k] */
    size_t n_breaks, breaks_capacity;
    bool keep_all;
};

struct ms_table {
    ms_drawing *drawing;
    ms_table *next;
    char *part, *title;
    json_t *columns, *rows;
};

enum { MS_KEPT = 2 }; /* kinds of objects, each given once */

typedef struct ms_kept {
    void *object; /* NULL: nothing */
    void (*let_go)(void *object);
} ms_kept;

struct ms_drawing {
    const ms_figure *figure;
    const volatile sig_atomic_t *stop;
    ms_drawing_caller *call;       /* NULL: no other command can be called */
    void *memory;                  /* of the draw function; owned */
    ms_kept kept[MS_KEPT];         /* of ms_drawing_kept */
    char name[MS_FIGURE_NAME_MAX]; /* of the files */
    ms_data *data;                 /* lists in the order of creation */
    ms_table *tables;
    char *script;
    size_t script_length, script_capacity;
    const char *commands_path; /* NULL, or the file with the commands at commands_at */
    size_t commands_at;
    bool plotting;                  /* the script ends in a curve of a `plot` */
    char *graph;                    /* in the DOT language; NULL: none */
    int width, height;              /* of a figure: its proportion */
    const struct ms_canvas *canvas; /* of a call; NULL: that of a figure, as SVG, PDF and PNG */
    double centimetres;             /* height of that of a call [cm] */
    ms_verdict verdict;             /* the largest so far */
    int checks_held;
    int kinds[MS_CHECK_KINDS][MS_VERDICTS]; /* checks by kind and verdict */
    int judged;                             /* values so far that decide a check, ms_judge_within */
    int moved;                              /* which of them a test moves, from 1; 0: none */
    const char *stuck;                      /* the first check that no move has changed; NULL: none */
    json_t *checks, *remarks, *commands;    /* arrays */
    json_t *texts;                          /* of ms_drawing_text, an array */
    json_t *published;                      /* the figure's entry; owned */
    int status;                             /* the first failure, and its line */
    ms_error error;
};

/* A check as it is written down; JSON values are stolen, NULL is null. */
typedef struct ms_check {
    const char *what;
    json_t *published, *measured, *tolerance;
    ms_verdict verdict;
    bool own;                  /* nothing was published: of all checks of our own studies */
    json_t *range, *runs_held; /* of an ensemble; NULL: none */
} ms_check;

/* Appends the check with its note, and weighs its verdict. */
void ms_drawing_add_check(ms_drawing *drawing, const ms_check *check, const char *note, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Of the answer: "reproduced (5 numbers, 2 sentences)"; a pair for each kind, how many hold of how many; what the text does not
 * determine. NULL: no memory. */
json_t *ms_drawing_verdict(const ms_drawing *drawing);
json_t *ms_drawing_held_by_kind(const ms_drawing *drawing);
json_t *ms_drawing_lost(const ms_drawing *drawing);

/* Counts a value that decides a check: is it the one to be moved? Where to: out of the bounds if it is inside, else into them. */
bool ms_judge_moves(ms_drawing *drawing);
double ms_judge_moved(double value, double low, double high);

/* Remembers the first failure. */
void ms_drawing_fail(ms_drawing *drawing, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to an array of the drawing; the value is stolen. */
void ms_drawing_append(ms_drawing *drawing, json_t *array, json_t *value);

/* "FOLDER/NAME-PART.SUFFIX" ("FOLDER/NAME.SUFFIX" for an empty part); owned by the caller, NULL: no
 * memory. */
char *ms_drawing_path(const ms_drawing *drawing, const char *folder, const char *part, const char *suffix);

int ms_drawing_write_data(const ms_drawing *drawing, const char *folder, ms_error *error);
int ms_drawing_write_tables(const ms_drawing *drawing, const char *folder, ms_error *error);
int ms_drawing_write_script(const ms_drawing *drawing, const char *folder, ms_error *error);
/* Translates gnuplot's message about a line of the script in the folder to that line of the user's file. */
void ms_drawing_locate_fault(const ms_drawing *drawing, const char *folder, ms_error *error);
/* Adds the printed numbers of the checks to the graph, with how far what was measured is from them. */
void ms_drawing_mark_graph(ms_drawing *drawing);
int ms_drawing_write_graph(const ms_drawing *drawing, const char *folder, ms_error *error);

/* The rows of a table as objects by column; NULL: no memory. */
json_t *ms_table_rows(const ms_table *table);

/* Of a canvas, and of a figure: what comes before and behind the style in the script. */
void ms_canvas_write_head(const ms_drawing *drawing, FILE *file);
void ms_canvas_write_style(const ms_drawing *drawing, FILE *file);
void ms_canvas_write_tail(const ms_drawing *drawing, FILE *file);
void ms_page_write_head(const ms_drawing *drawing, FILE *file);
void ms_page_write_style(const ms_drawing *drawing, FILE *file);

/* Where the data of a canvas come from. */
json_t *ms_canvas_origin(const ms_drawing *drawing);

void ms_data_end_row(ms_data *data);    /* fails where cells of the row are missing */
void ms_data_destroy(ms_data *data);    /* the whole list */
void ms_table_destroy(ms_table *table); /* the whole list */

/* Figure, title, source and the program's version; NULL: no memory. */
json_t *ms_drawing_origin(const ms_drawing *drawing);

/* Lines "# ..." that say where a file of the figure comes from. */
int ms_drawing_write_origin(const ms_drawing *drawing, FILE *file);

/* pdf_date.c: PDF files that do not depend on when they were made. */

/* Puts spaces over "/CreationDate (..)" in the file, so that no byte moves. Errors: MS_IO, MS_NO_MEMORY. */
int ms_pdf_drop_date(const char *path, ms_error *error);

/* staging.c: a folder beside the files that are to be made: they are made in it, and moved when all of them are whole. */

/* A new folder in `folder`, staging->folder, which goes with ms_part_file_drop. Errors: MS_IO, MS_INVALID (too long). */
int ms_staging_create(const char *folder, ms_part_file *staging, ms_error *error);

/* Its files by name, in order, as "PREFIX/NAME", or "NAME" where the prefix is empty. NULL: no memory. */
json_t *ms_staging_files(const char *staging, const char *prefix);

/* Moves the files from one folder to the other. Errors: MS_IO. */
int ms_staging_move(const char *staging, const char *to, ms_error *error);
