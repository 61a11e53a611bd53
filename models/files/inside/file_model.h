/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_model.h - a model while it is read from a file, and what belongs to it from then on. */
#ifndef MS_FILE_MODEL_H
#define MS_FILE_MODEL_H

#include <jansson.h>

#include <macrostep/model.h>
#include "json_read.h"
#include "model_fmu.h"

typedef struct ms_expressions ms_expressions;
typedef struct ms_names ms_names;
typedef struct ms_catalogued ms_catalogued;
typedef struct ms_file_fmu ms_file_fmu;
typedef struct ms_file_line ms_file_line;

/* A subsystem's name and where it stands. */
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

/* What matrices and equations say in the same way: external inputs; start values (x0: expressions by states, where there
 * are any); energy and ports, for which x, u, y of sub are set. They set the functions of sub. */
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

/* What expressions may use: the file's parameters, and variables as one more group. Is there memory for it? */
void ms_file_name_parameters(const ms_file_model *file, ms_names *names);
bool ms_file_name_group(ms_file_model *file, int group, int n, const ms_variable *variables, ms_names *names);

#endif
