/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing.h - the output of a figure's draw function: data files, a gnuplot script, tables, and checks.
 *
 * Functions without a status record their first failure (memory, a missing published value), which ends the figure
 * after its draw function has returned; calls need not be checked.
 *
 * The script. It may use the definitions that precede it in every .gp file:
 *   csv          name of the data file of part "";  part("x"): name of that of part "x"
 *   linetypes    1 black (references), 2 blue, 3 vermillion, 4 green, 5 orange, 6 purple, 7 sky blue,
 *                8 yellow (Okabe and Ito's palette), 9 grey; `dashtype 2` dashes
 *   curves       `plot` with commas between them, or ms_drawing_curve for each
 *   using        columns by number or by the name in the header: `plot csv using "time":"x1" with lines`
 *   panels       `set multiplot layout 1,2`, then one plot a panel; `unset multiplot` follows by itself
 *   log axes     `set logscale x; set format x powers`
 * Axes get a label with unit ("time t / s"), every curve a title. Keys are above their panel, and above its
 * title, where they cover no curve; `notitle` leaves a curve out. Neighbours whose keys differ in height get
 * the same `set tmargin 5`. Text is enhanced (H_{max}, x^2), in keys too; Greek letters are written as they
 * are (UTF-8). A reference looks best thin and black over the wide line compared with it: `lt 2 lw 3.5`, then `lt 1
 * lw 1`. */
#pragma once

#include <jansson.h>
#include <signal.h>

#include "figure.h"

typedef struct ms_data ms_data;
typedef struct ms_table ms_table;

/* In ascending order of weight: the status of a figure is the largest of the checks that decide it, MS_DRAWN without
 * any, which is not a verdict of a check. A check of our own, without a published value, holds (reproduced) or its
 * expectation is missed; it decides the status of our own studies (IDs "macrostep:..") and is only recorded in a
 * paper's figure. */
typedef enum ms_verdict {
    MS_DRAWN,
    MS_REPRODUCED,
    MS_NOT_DETERMINED,
    MS_EXPECTATION_MISSED,
    MS_DEVIATES,
    MS_VERDICTS
} ms_verdict;

/* "drawn", "reproduced", "not-determined", "expectation-missed", "deviates" */
const char *ms_verdict_name(ms_verdict verdict);

/* What a check compares with: printed numbers; a printed sentence, true or false; a feature of the picture named in a
 * caption, the member "shows" of the published entry; nothing printed (no value, or NULL), as in all checks of our own
 * studies. */
typedef enum ms_check_kind {
    MS_KIND_NUMBER,
    MS_KIND_SENTENCE,
    MS_KIND_SHAPE,
    MS_KIND_OWN,
    MS_CHECK_KINDS
} ms_check_kind;

/* Data files --------------------------------------------------------------------------------------------- */

/* NAME.csv (part "") or NAME-PART.csv with the columns "time,x1,x2". No two data files or tables of a figure
 * may have the same part. */
ms_data *ms_drawing_data(ms_drawing *drawing, const char *part, const char *columns);

/* One row: a number for each column; nonfinite values become empty cells. A NULL data is ignored. */
void ms_data_row(ms_data *data, const double *values);
#define MS_ROW(data, ...) ms_data_row(data, (const double[]){__VA_ARGS__})

/* A row cell by cell. A row that ends before its last cell ends the figure. */
void ms_data_cell(ms_data *data, double value);

/* Ends a curve: gnuplot does not connect what follows (an empty line); two in a row begin the next
 * `index`. */
void ms_data_break(ms_data *data);

/* Curves of more than 2000 rows are thinned when they are written: of each of equal stretches the rows with
 * the extremes of each column are kept. Off for maps and other grids. */
void ms_data_keep_all(ms_data *data);

/* Script ------------------------------------------------------------------------------------------------- */

/* Appends gnuplot commands. Without any, the figure is a table: no pictures are made. */
void ms_drawing_script(ms_drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the commands of a file of the user's, whose lines the faults of gnuplot then name. The path is kept, not copied. */
void ms_drawing_commands(ms_drawing *drawing, const char *path, const char *commands);

/* The same of a file in bench/studies, "eguillon2022_fig11.gp", and the size of the picture. */
void ms_drawing_commands_of(ms_drawing *drawing, const char *name, int width, int height);

/* One more curve, "csv using 'time':'x' with lines title 'a'": the first one after other commands begins a `plot`, which the next
 * command ends. */
void ms_drawing_curve(ms_drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Instead of a script: a graph in the DOT language, drawn by Graphviz as NAME.svg, .pdf and .png, with the
 * text as NAME.dot. Takes over the text; NULL ends the figure for want of memory. */
void ms_drawing_graph(ms_drawing *drawing, char *text);

/* Proportion of the picture, 760 : 460 unless set. Its width on a page is the figure's (figure.h), with type, lines and dashes of
 * the pictures of commands (canvas.h). */
void ms_drawing_size(ms_drawing *drawing, int width, int height);

/* The position of the next panel of a multiplot, as fractions of the picture from the lower left corner, and its
 * title. */
void ms_drawing_panel(ms_drawing *drawing, double left, double right, double top, double bottom,
                      const char *title);

/* Size and commands together. */
void ms_drawing_picture(ms_drawing *drawing, int width, int height, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Tables ------------------------------------------------------------------------------------------------- */

/* A table for answer and report, and a CSV file like that of ms_drawing_data; columns separated by '|'.
 * Titles and columns have names of their own. */
ms_table *ms_drawing_table(ms_drawing *drawing, const char *part, const char *title, const char *columns);

/* One row, an array (stolen): strings, numbers, null; json_pack("[s, i, f]", ...). */
void ms_table_row(ms_table *table, json_t *cells);

/* The same by a letter for each cell, those of ms_json_object: ms_table_add(table, "sir", name, steps, error). */
void ms_table_add(ms_table *table, const char *cells, ...);

/* Checks ------------------------------------------------------------------------------------------------- */

/* Published and measured values: any JSON values (stolen; NULL is null). tolerance: the largest difference that
 * still counts as reproduced, or a sentence. The note gives the reason. In our own studies MS_DEVIATES becomes
 * MS_EXPECTATION_MISSED. */
void ms_drawing_check(ms_drawing *drawing, const char *what, json_t *published, json_t *measured,
                      json_t *tolerance, ms_verdict verdict, const char *note, ...)
    __attribute__((format(printf, 7, 8)));

/* What decides a check: a value as it was measured, within bounds (NaN is not). In C every verdict is made of these, so that a test can
 * move one value after the other out of its bounds, or into them where it is outside, before it is compared
 * (tests/bench/studies/test_study_moved.c): each must change the verdict. */
bool ms_judge_within(ms_drawing *drawing, double value, double low, double high);
bool ms_judge_at_most(ms_drawing *drawing, double value, double most);
bool ms_judge_at_least(ms_drawing *drawing, double value, double least);
bool ms_judge_is(ms_drawing *drawing, double value, double expected);
bool ms_judge_text(ms_drawing *drawing, const char *text, const char *expected);

/* The k-th of them is moved, from 1, before the drawing is filled; 0: none. How many there were. */
void ms_judge_move(ms_drawing *drawing, int k);
int ms_judge_count(const ms_drawing *drawing);

/* A check of a figure file whose verdict has not changed, whatever was measured. The first of them; NULL: none. */
void ms_judge_stuck(ms_drawing *drawing, const char *what);
const char *ms_judge_first_stuck(const ms_drawing *drawing);

/* A number for a check or a table: a whole one as an integer, so that it is printed as one; null where it is not finite. */
json_t *ms_check_value(double value);

/* Reproduced where |measured - published| <= tolerance (absolute). */
void ms_drawing_check_number(ms_drawing *drawing, const char *what, double published, double measured,
                             double tolerance, const char *note, ...) __attribute__((format(printf, 6, 7)));

/* A statement of the paper (in our words) that holds or does not; measured: the numbers that decide
 * (stolen). */
void ms_drawing_check_claim(ms_drawing *drawing, const char *what, const char *published, json_t *measured,
                            bool holds, const char *note, ...) __attribute__((format(printf, 6, 7)));

/* An expectation of our own in a figure of a paper (of two methods of ours, say): recorded, without a say in
 * the figure's status. expected: in words. */
void ms_drawing_check_own(ms_drawing *drawing, const char *what, const char *expected, json_t *measured,
                          json_t *tolerance, bool holds, const char *note, ...)
    __attribute__((format(printf, 7, 8)));

/* Ensembles: quantities that depend on round-off (counts of adaptive solvers, residuals near their floor) are judged over nine
 * runs whose start values are multiplied by 1 + k eps, k = -4..4 (k eps where all are zero); run k + 4 is that of k, and the one
 * in the middle is the model's own. ms_ensemble_words: the words that end the command of each, "" and " --perturb-start -4". */
enum { MS_ENSEMBLE = 9, MS_ENSEMBLE_MIDDLE = MS_ENSEMBLE / 2 };
extern const char *const ms_ensemble_words[MS_ENSEMBLE];

/* With the nine values in ascending order, v_1 to v_9, and a tolerance d >= 0:
 *     MS_DEVIATES        the print p lies outside of [v_1 - d, v_9 + d]
 *     MS_NOT_DETERMINED  it lies inside, but outside of [v_2 - d, v_8 + d]: the least or the largest value
 *                        alone decides. So it is where it lies inside and a run gave no value (NaN).
 *     MS_REPRODUCED      otherwise.
 * *low, *high: v_1 and v_9 (may be NULL; NaN where no run gave a value, which deviates). */
ms_verdict ms_ensemble_verdict(double published, const double value[MS_ENSEMBLE], double tolerance,
                               double *low, double *high);

/* ms_judge_within of each; a test moves all nine at once. */
void ms_judge_nine(ms_drawing *drawing, const double value[MS_ENSEMBLE], double low, double high,
                   bool holds[MS_ENSEMBLE]);

/* A statement: reproduced where it holds in all nine runs, deviates where it holds in none. Where it holds in
 * some, they are the end of the range that decides: not determined. */
ms_verdict ms_ensemble_claim(const bool holds[MS_ENSEMBLE]);

/* ms_drawing_check_number by the first rule. measured is the value of the middle run; "range": [v_1, v_9] is
 * added, also in the note. */
void ms_drawing_check_ensemble(ms_drawing *drawing, const char *what, double published,
                               const double given[MS_ENSEMBLE], double tolerance, const char *note, ...)
    __attribute__((format(printf, 6, 7)));

/* ms_drawing_check_claim by the second: "runs_held": [n, 9] is added to the measured value, and to the note. range
 * (may be NULL): minimum and maximum over the runs of the decisive number. */
void ms_drawing_check_ensemble_claim(ms_drawing *drawing, const char *what, const char *published,
                                     json_t *measured, const bool holds[MS_ENSEMBLE], const double range[2],
                                     const char *note, ...) __attribute__((format(printf, 7, 8)));

/* A paragraph for the report: choices that the paper leaves open, how to read the picture. */
void ms_drawing_remark(ms_drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Published values --------------------------------------------------------------------------------------- */

/* This figure's entry in results/published/PAPER.json; borrowed, NULL: none. */
const json_t *ms_drawing_published_entry(const ms_drawing *drawing);

/* Member KEY (a dotted path, "steps.0") of this figure's entry in results/published/PAPER.json; borrowed. A
 * missing one ends the figure. ms_drawing_published_number gives NaN for what is no number. */
const json_t *ms_drawing_published(ms_drawing *drawing, const char *key);
double ms_drawing_published_number(ms_drawing *drawing, const char *key);
const char *ms_drawing_published_text(ms_drawing *drawing, const char *key); /* "" for what is no text */

/* A text that lives as long as the drawing: names of parts, checks, keys. "" without memory, which ends the
 * figure. */
const char *ms_drawing_text(ms_drawing *drawing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the figure for want of memory. */
void ms_drawing_no_memory(ms_drawing *drawing);

/* What the figure says of its subject, for draw functions that several figures share; NULL: nothing. */
const void *ms_drawing_subject(const ms_drawing *drawing);

/* The figure's `memory` bytes, zero when its draw function begins, freed with the drawing; NULL: it has none. */
void *ms_drawing_memory(const ms_drawing *drawing);

/* What the rooms above share in all computations of one figure: an object of that size, zeroed when it is first asked for. The
 * drawing frees it at its end by let_go, which also tells the kinds apart; there may be two. NULL: no memory. */
void *ms_drawing_kept(ms_drawing *drawing, size_t size, void (*let_go)(void *object));

/* Becomes non-zero when the figure shall end early. */
const volatile sig_atomic_t *ms_drawing_stop(const ms_drawing *drawing);

/* How a figure calls other commands of the program: argv[0] is the command's name; returns its exit status. NULL: it cannot. */
ms_drawing_caller *ms_drawing_calls(const ms_drawing *drawing);
void ms_drawing_call_by(ms_drawing *drawing, ms_drawing_caller *call);

/* What ms_figure_draw does, in parts: an empty drawing of the figure, which its draw function then fills.
 * Errors of ms_drawing_fill: those of the draw function, and the first failure that the drawing remembers. */
int ms_drawing_create(const ms_figure *figure, const volatile sig_atomic_t *stop, ms_drawing **drawing,
                      ms_error *error);
int ms_drawing_fill(ms_drawing *drawing, ms_error *error);
void ms_drawing_destroy(ms_drawing **drawing);                       /* NULL-safe */
void ms_drawing_note_command(ms_drawing *drawing, const char *line); /* for the answer's list of commands */

/* Writes data, tables and script into the folder and lets gnuplot draw there. */
int ms_drawing_write(const ms_drawing *drawing, const char *folder, ms_error *error);

/* The answer of `figure ID`, with "tables" (title -> rows by column), "remarks" and "commands", but without
 * "files". NULL: no memory. */
json_t *ms_drawing_answer(const ms_drawing *drawing);
