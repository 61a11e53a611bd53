/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments.h - the command line, read into options of a run and options of the command. */
#pragma once

#include <string.h>

#include <macrostep/options.h>
#include <macrostep/simulation.h>
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "axis.h"
#include "command.h"
#include "distribution.h"
#include "format.h"
#include "model_fmu.h"
#include "pairs.h"
#include "shard.h"

enum { MS_STYLE_PAPER, MS_STYLE_SCREEN };                         /* choices of --style */
enum { MS_VARIANTS_ALL, MS_VARIANTS_DEFAULT };                    /* of --variants */
enum { MS_COMMENTS_YES, MS_COMMENTS_NO };                         /* of --comments */
enum { MS_KEY_AUTO, MS_KEY_INSIDE, MS_KEY_BELOW, MS_KEY_NONE };   /* of --key */
enum { MS_WORK_INTEGRATIONS, MS_WORK_EVALUATIONS, MS_WORK_TIME }; /* of --work */
enum { MS_SAMPLING_SOBOL, MS_SAMPLING_LATIN };                    /* of --sampling */
enum { MS_LABELS_MAX = 64, MS_SOBOL_DIMENSIONS = 40 };

enum { MS_THREADS_MAX = 1024, MS_PERTURB_START_MAX = 1000 };

typedef struct ms_argument_row {
    ms_option option; /* its member is one of ms_arguments; of a text there is ms_arguments.text alone */
    bool repeatable;
    bool result; /* can change the result; others are omitted from the provenance */
} ms_argument_row;

extern const ms_argument_row ms_argument_table[MS_ARGUMENTS];

/* What a command asks of its system beyond the options of a run, decided by names. */
typedef struct ms_outline_check {
    int (*check)(void *self, ms_system *outline, ms_error *error);
    void *self;
} ms_outline_check;

/* Of --reference. */
typedef struct ms_reference_argument {
    ms_against against; /* name NULL: not read yet */
    ms_model *model;    /* of a file */
    ms_series *series;
} ms_reference_argument;

struct ms_arguments {
    const ms_command *command;
    const char *operand; /* a model's name, an ID; NULL: none */
    /* of a command that takes several, the first of which is `operand`; of one that takes files and a model the
     * files */
    char **operands;
    int n_operands;
    const char *text[MS_ARGUMENTS]; /* command options as they were given; NULL: not given */
    /* read as the line of ms_argument_table says; defaults if not given */
    int perturb_start, output_points, segments, max_simulations;
    int num_threads, extreme, max_applications; /* 0: not given */
    double tolerance, relative_tolerance, absolute_tolerance;
    double boundary_tolerance; /* of the points of a boundary, relative */
    double error;              /* that best is to reach */
    double width;              /* of a picture [cm] */
    ms_format format;
    ms_markup markup; /* of tables, by --format as well */
    int digits;       /* of numbers in them; 0: not given */
    int differences, compression, method, input_shape, fmi, units, kind; /* their place among the choices */
    ms_fmu_reading fmus;                                                 /* except the part that `text` has */
    ms_shard shard;                                                      /* of = 0: not given */
    int rank;                         /* of rows: by error, work or Pareto front */
    int work;                         /* MS_WORK_.. */
    int variants;                     /* MS_VARIANTS_.. */
    int sample, seed, sampling;       /* number of draws, 0: not given; their seed; MS_SAMPLING_.. */
    int starts;                       /* of each run, whose start values differ by round-off */
    int style;                        /* MS_STYLE_PAPER or MS_STYLE_SCREEN */
    int comments;                     /* MS_COMMENTS_YES or MS_COMMENTS_NO */
    int key;                          /* MS_KEY_.. */
    double font_size, lines;          /* [pt]; 0: not given */
    const char *label[MS_LABELS_MAX]; /* "MEMBER=TEXT" of --label */
    int n_labels;
    bool resume, repair, boundary_only, critical, certify, test_equation, order_star, matrix, along, sources,
        wide, keep, verbose, quiet, single_file, equations;
    ms_pairs state, parameters, sigma;
    ms_range range[2];    /* --x, --y */
    ms_options options;   /* with the defaults of system_model */
    ms_setting *settings; /* --set, in their order; of a list the first value, of a distribution the median */
    ms_distribution *distributions; /* (n_settings) */
    char **setting_text;            /* owned copies of what was given */
    int n_settings;
    ms_axis *axes; /* lists, in the order of the command line */
    int n_axes;
    /* of a system structure, whose file may say defaults of options; NULL: another model, not read yet */
    ms_model *system_model;
    ms_reference_argument *reference; /* NULL: there is none */
    ms_outline_check
        of_command;    /* called before a binary of the system's file is opened; check NULL: nothing */
    ms_series *inputs; /* of --inputs; NULL: none. ms_arguments_bind binds it to its systems */
    char *line;        /* the command with what can change results, quoted for a shell */
};

extern const ms_arguments ms_arguments_default; /* of a call without options */

/* Reads argv, argv[0] being the command's name, and the file of --inputs. Schemes that are named are there, also those in lists.
 * Errors: MS_INVALID with a line that names the option, the value and what would be right; MS_IO, MS_NO_MEMORY. */
int ms_arguments_read(int argc, char **argv, ms_arguments *arguments, ms_error *error);
/* The same, with the command's own check of its system. */
int ms_arguments_read_with(int argc, char **argv, const ms_outline_check *of_command, ms_arguments *arguments,
                           ms_error *error);
void ms_arguments_destroy(ms_arguments *arguments);

/* An ms_respell: `step-size` becomes --step-size, and `output_points` --output-points; words in backquotes that
 * are no option of macrostep stay. */
void ms_arguments_respell(char *line);

/* MS_INVALID where a file that is written is one that is read, or another one that is written, by whatever
 * path. ms_arguments_read calls it. */
int ms_arguments_check_files(const ms_arguments *arguments, ms_error *error);

/* Opens each shared object of the list "FILE.so,FILE.so" (--load); NULL: none. */
int ms_arguments_load(const char *list, ms_error *error);

/* Does the word end so, and is it longer than that? */
static inline bool ms_arguments_ends_with(const char *word, const char *ending)
{
    const size_t length = strlen(word), n = strlen(ending);
    return length > n && strcmp(word + length - n, ending) == 0;
}

/* --directory, or results. */
const char *ms_arguments_directory(const ms_arguments *arguments);

/* What is behind the `=` of that --set. */
static inline const char *ms_arguments_setting_text(const ms_arguments *arguments, int setting)
{
    return arguments->setting_text[setting] + strlen(arguments->setting_text[setting]) + 1;
}

/* The list of values given to the option; NULL: none, or a single value. */
const ms_axis *ms_arguments_list(const ms_arguments *arguments, ms_option_id option);

/* --num-threads; without it the number that OpenMP takes. */
int ms_arguments_threads(const ms_arguments *arguments);

/* The options with what the model's file says, if the command and its schemes take them. Errors: MS_INVALID with file, line, option, and
 * the valid values. */
int ms_arguments_apply_defaults(const ms_arguments *arguments, const ms_model *model, ms_options *options,
                                ms_error *error);

/* Reads the system of a .ssd or .ssp, and takes the options in its file as defaults, if the
 * command and its schemes take them. ms_arguments_read calls it. Errors: those of ms_model_read; MS_INVALID with file, line, option,
 * and what would be right. */
int ms_arguments_read_defaults(ms_arguments *arguments, ms_error *error);

/* A model from a file whose units fit, unless --units off. Errors: those of ms_model_read and ms_model_check_units. */
int ms_arguments_read_system(const ms_arguments *arguments, const char *path, ms_model **model,
                             ms_error *error);

/* The model of the operand or of --system; *owned, where it is not the arguments' own, is to be freed by the caller. */
int ms_arguments_model(const ms_arguments *arguments, const ms_model **model, ms_model **owned,
                       ms_error *error);

/* Reads what --reference names, unless there is none or it is read. outline: the system that it is for, whose names it is to have; NULL:
 * not known yet. ms_arguments_model reads that of a system's file. Errors: those of ms_arguments_read_system and ms_against_check. */
int ms_arguments_read_reference(const ms_arguments *arguments, const ms_system *outline, ms_error *error);

/* The model with --case, --set and --inputs; it must not outlive the arguments. */
int ms_arguments_bind(const ms_arguments *arguments, const ms_model *model, ms_system **system,
                      ms_error *error);

/* MS_INVALID where a list was given; the line says which commands take lists. ms_arguments_read calls it for those that do not. */
int ms_arguments_refuse_lists(const ms_arguments *arguments, ms_error *error);

/* Puts value k of the axis into the options or the settings. */
int ms_arguments_apply(ms_arguments *arguments, const ms_axis *axis, int k, ms_options *options,
                       ms_error *error);
