/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_model.h - a model while it is read from a file, and what belongs to it from then on. */
#pragma once

#include "expressions.h"
#include "fmu_experiment.h"
#include "json_read.h"
#include "model_fmu.h"

typedef struct ms_expressions ms_expressions;
typedef struct ms_names ms_names;
typedef struct ms_catalogued ms_catalogued;
typedef struct ms_file_fmu ms_file_fmu;
typedef struct ms_file_line ms_file_line;

/* A subsystem's name and index. */
typedef struct ms_file_name {
    const char *name;
    int index;
} ms_file_name;

/* What ms_model_read hands out: the model first, so that a pointer to it is one to the whole. */
typedef struct ms_file_model {
    ms_model model;
    ms_structure structure;    /* owns what the model points to */
    ms_catalogued *catalogued; /* the first of the subsystems that come from the catalogue */
    ms_file_fmu *fmus;         /* the first of the subsystems that are FMUs */
    ms_fmu_reading reading;    /* of FMUs, while they are */
    bool is_fmu;               /* an FMU alone */
    bool passes_over;          /* settings that an FMU has no variable for, as SSP does */
    ms_file_line *lines;       /* (n_lines) */
    int n_lines;
    int first_start; /* wires from this one on are start values of inputs */
    ms_case only_case;
    const double *p;             /* of ms_file_parameters; NULL: not asked yet */
    const char **parameter_name; /* (model.n_parameters) */
    const char **parameter_unit; /* (model.n_parameters) */
    ms_error units;              /* the first place where units do not fit; empty: they do */
    ms_file_name *sorted;        /* (n_sorted) subsystems of the file by name */
    int n_sorted;
} ms_file_model;

/* Names of subsystems and variables are no longer. */
enum { MS_FILE_NAME_MAX = 100 };

/* A name that expressions may use: a letter or '_', then letters, digits, '_'; none that means something already. */
int ms_file_check_name(const char *name, const char *what, const ms_json_place *at, ms_error *error);

/* The members of the file; each sets its part of the model. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_file_read_parameters(ms_file_model *file, json_t *root, const ms_json_place *at, ms_error *error);
int ms_file_read_wires(ms_file_model *file, const json_t *root, const ms_json_place *at, ms_error *error);

/* One subsystem whose name is read, by its matrices, its equations, from the catalogue, or as an FMU. */
int ms_file_read_matrices(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                          ms_error *error);
int ms_file_read_equations(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                           ms_error *error);
int ms_file_read_catalogued(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                            ms_error *error);
int ms_file_read_fmu(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                     ms_error *error);

/* The first member of what a subsystem of matrices or equations carries as its data. */
typedef struct ms_file_data {
    const ms_expressions *external, *energy, *start; /* NULL: none */
    const struct ms_switches *switches;              /* NULL: none */
} ms_file_data;

/* Members common to matrices and equations: external inputs; start values (x0: expressions by states, if
 * any); energy and ports, for which x, u, y of sub are set. They set the functions of sub. */
int ms_file_read_external(ms_file_model *file, const json_t *object, const ms_json_place *at,
                          ms_subsystem *sub, ms_file_data *data, ms_error *error);
int ms_file_read_start(ms_file_model *file, const ms_json_matrix *x0, const ms_json_place *at,
                       ms_subsystem *sub, ms_file_data *data, ms_error *error);
int ms_file_read_energy(ms_file_model *file, const json_t *object, const ms_json_place *at, ms_subsystem *sub,
                        ms_file_data *data, ms_error *error);
int ms_file_read_ports(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                       ms_error *error);

/* The times at which n sets of expressions (NULL: none), and external inputs, switch: breakpoints of sub. */
int ms_file_find_switches(ms_file_model *file, int n, const ms_expressions *const *sets,
                          const ms_json_place *at, ms_subsystem *sub, ms_file_data *data, ms_error *error);

/* The names of variables; NULL: not enough memory. */
const char **ms_file_names(ms_file_model *file, int n, const ms_variable *variables);

/* The values of the file's parameters while it is read: the defaults, and settings of the reading over them. NULL: no memory. */
const double *ms_file_parameters(ms_file_model *file);

/* What expressions may use: the file's parameters, and variables as one more group. Is there memory for it? */
void ms_file_name_parameters(const ms_file_model *file, ms_names *names);
bool ms_file_name_group(ms_file_model *file, int group, int n, const ms_variable *variables, ms_names *names);

/* catalogued_read.c: subsystems of a file that are taken from the catalogue. */

/* Puts each of them, bound to the parameters p of the file, into its place in the structure, which owns what they need. Errors:
 * MS_INVALID (a parameter of theirs is out of its range), MS_NO_MEMORY. */
int ms_catalogued_bind(const ms_catalogued *list, const double *p, ms_structure *structure, ms_error *error);

/* lines_read.c: the lines of a system file. */

/* Those of the file, whose subsystems are read. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_file_read_lines(ms_file_model *file, const json_t *root, const ms_json_place *at, ms_error *error);

/* Adds them to the structure, in which there is room for as many subsystems and four times as many wires more. Errors: MS_INVALID
 * (a value that is not finite), MS_NO_MEMORY. */
int ms_file_bind_lines(const ms_file_model *file, const double *p, ms_structure *structure, ms_error *error);

/* wire_signals.c: what a wire of a system file carries: whether that fits its input, and what its map makes of it. */

/* Of output or input k; signal NULL: of all. */
ms_signal ms_file_signal(const ms_signal *signal, int k);

/* Does what the wire carries fit what the input takes? Reals take whole numbers; all others take their own kind, as it is. MS_OK or
 * MS_INVALID. */
int ms_file_check_signals(const ms_file_model *file, const ms_wire *wire, double offset,
                          const ms_json_place *at, ms_error *error);

/* A map, {"VALUE": value, ..} of whole numbers, true and false, and names of items, for the wire, whose ends are variables of FMUs of these
 * types. Errors: MS_INVALID with the line, MS_NO_MEMORY. */
int ms_file_map_wire(ms_file_model *file, const json_t *map, const ms_wire *wire, double offset,
                     const ms_json_place *at, ms_error *error);

/* expressions_read.c: expressions among the members of a system file. */

/* An expression and what it is, for the line that says what is wrong with it ("derivative of v"). */
typedef struct ms_expression_text {
    const char *text, *what;
    const char *unit; /* that its value is to have; NULL: any */
} ms_expression_text;

/* A string is one, and so is a number; anything else is NULL, as is a lack of memory. */
const char *ms_expression_of(ms_structure *owner, const json_t *value);

/* n expressions over the names, which belong to the file (NULL: its parameters alone); together as in ms_expressions_create. The first one
 * whose units do not fit is kept in file->units. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_file_expressions(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                        bool together, const ms_json_place *at, const ms_expressions **e, ms_error *error);

/* fmu_read.c: subsystems of a file that are FMUs. */

struct ms_fmu_map;

/* Checks what is set in them, opens their binaries and tries them, at the values of ms_file_parameters: everything else that descriptions
 * decide has been checked before. Errors: MS_INVALID with file and line, MS_IO, MS_NO_MEMORY. */
int ms_file_fmus_start(ms_file_model *file, ms_error *error);

/* Puts each of them that every system has one of its own of, bound to the parameters p of the file, into its place in the structure, which
 * owns what they need; before its binary is opened, its outline. Errors: those of ms_fmu_component_create, MS_INVALID with file and line. */
int ms_file_fmus_bind(const ms_file_fmu *list, const double *p, ms_structure *structure, ms_error *error);

/* Is this subsystem an FMU that has the start value of that input from an expression? */
bool ms_file_fmu_varies(const ms_file_fmu *list, int subsystem, int input);

/* The description of this subsystem, if it is an FMU; else NULL. */
const struct ms_fmu_description *ms_file_fmu_description(const ms_file_model *file, int subsystem);

/* What a wire carries to that input of an FMU is mapped. The map belongs to the file. Returns MS_OK or MS_NO_MEMORY. */
int ms_file_fmu_map(ms_file_model *file, int subsystem, int input, const struct ms_fmu_map *map);
bool ms_file_fmu_is_mapped(const ms_file_model *file, int subsystem, int input);

/* The run that the first of them has alone. */
void ms_file_fmu_experiment(const ms_file_fmu *list, ms_fmu_experiment *experiment);
