/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp.h - systems of System Structure and Parameterization (SSP 1.0, and its part of 2.0): FMUs, wires, parameters.
 *
 * Read is: components that are FMUs, systems within systems (flattened), references to signal dictionaries, connections of all but strings, of arrays and their elements, with linear
 * and mapping transformations and conversion of units, those of FMUs where connectors have none, parameter bindings with their mappings, in the file
 * or next to it, of components and of systems, whose parameters and inputs pass their values on along connections, start and stop time,
 * options of a run in an annotation of this project, and the step size as it or the Open Simulation Platform annotate it. Everything else is ignored
 * if it has no effect (geometry, annotations, enumerations) and otherwise refused by name. */
#pragma once

#include <jansson.h>

#include <macrostep/model.h>
#include "fmu_archive.h"
#include "unit_powers.h"

typedef enum ms_ssp_kind { MS_SSP_INPUT, MS_SSP_OUTPUT, MS_SSP_PARAMETER, MS_SSP_KINDS } ms_ssp_kind;
typedef enum ms_ssp_implementation {
    MS_SSP_ANY,
    MS_SSP_CO_SIMULATION,
    MS_SSP_MODEL_EXCHANGE,
    MS_SSP_IMPLEMENTATIONS
} ms_ssp_implementation;
typedef enum ms_ssp_type {
    MS_SSP_REAL,
    MS_SSP_INTEGER,
    MS_SSP_BOOLEAN,
    MS_SSP_STRING,
    MS_SSP_ENUMERATION,
    MS_SSP_TYPES
} ms_ssp_type;

typedef struct ms_ssp_unit {
    const char *name;
    ms_unit is;
} ms_ssp_unit;

typedef struct ms_ssp_connector {
    const char *name;
    ms_ssp_kind kind;
    ms_ssp_type type;
    const char *unit;     /* NULL: not said */
    int n_dimensions;     /* of an array (SSP 2.0) */
    const int *dimension; /* (n_dimensions); 0: not said */
    long line;
} ms_ssp_connector;

typedef struct ms_ssp_setting {
    const char *name; /* of the variable */
    ms_ssp_type type;
    double number;    /* MS_SSP_REAL, in the unit of the connector where both are said */
    const char *text; /* all others, as written there */
    struct ms_ssp_setting *next;
} ms_ssp_setting;

typedef struct ms_ssp_component {
    const char *title;  /* as it stands there; of nested systems "SYSTEM-NAME" */
    const char *name;   /* as a subsystem */
    const char *source; /* as it stands there: relative to the .ssd */
    const char *path;   /* of the FMU */
    ms_ssp_implementation implementation;
    int n_connectors;
    ms_ssp_connector *connectors;                 /* inputs, outputs, parameters */
    ms_ssp_setting *settings;                     /* the first one */
    bool described;                               /* its FMU has been asked for its description: */
    const struct ms_fmu_description *description; /* NULL: it has none that can be read */
    long line;
} ms_ssp_component;

/* Pairs of values and their images, as texts; booleans are true and false. */
typedef struct ms_ssp_map {
    ms_ssp_type type; /* of both */
    int n;
    const char **source, **target; /* (n) */
} ms_ssp_map;

/* input = gain * output + offset, all units converted; or by the map. */
typedef struct ms_ssp_wire {
    int from, to;               /* components */
    const char *output, *input; /* connectors, or elements of arrays, "T[2]" */
    double gain, offset;
    const ms_ssp_map *map; /* NULL: none */
    long line;
} ms_ssp_wire;

typedef struct ms_ssp {
    const char *path, *name;
    double start_time;           /* 0 where it is not said */
    long experiment_line;        /* where it is */
    double stop_time, step_size; /* NaN: not said */
    int n_units, n_components, n_wires, n_options;
    ms_default *
        options; /* of a run, with the names of the command's: `step-size` is one of them, its value is also given above */
    ms_ssp_unit *units;
    ms_ssp_component *components;
    ms_ssp_wire *wires;
    ms_structure memory;     /* owns all of the above */
    ms_fmu_archive *archive; /* of an .ssp; NULL: of an .ssd */
} ms_ssp;

/* Reads SystemStructure.ssd of the archive if the path ends in .ssp, otherwise the path as an .ssd. Errors: MS_IO, MS_INVALID
 * (file, line, and what would be right), MS_UNSUPPORTED (what is outside of the subset, by name; no libzip, no Expat),
 * MS_NO_MEMORY. In any case ms_ssp_free frees it, together with the FMUs of an .ssp. */
int ms_ssp_read(const char *path, ms_ssp *ssp, ms_error *error);
void ms_ssp_free(ms_ssp *ssp);

/* The same as the JSON of a system file (models/files); NULL: there is no memory. */
json_t *ms_ssp_json(const ms_ssp *ssp);

/* Writes it as an .ssd of SSP 1.0, of 2.0 if a connector is an array, in a canonical form: reading it back and writing it again gives the same bytes.
 * Units that connectors have must be among the units, settings of parameters need no connector; of the options name and value are written. Errors:
 * MS_IO. */
int ms_ssp_write(const ms_ssp *ssp, const char *path, ms_error *error);
