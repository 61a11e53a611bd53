/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exported.h - a subsystem, or the whole coupled model, as an FMU shows it: which variables there are, in which order, with
 * which value references. What writes the description and what answers calls both read this.
 *
 * Value references count from 0 through the groups below, in the order of the subsystem's own variables. */
#pragma once

#include <macrostep/system.h>

enum { MS_EXPORTED_NAME = 256 };

typedef enum ms_exported_group {
    MS_EXPORTED_TIME,       /* one */
    MS_EXPORTED_INPUT,      /* (nu) */
    MS_EXPORTED_OUTPUT,     /* (ny) */
    MS_EXPORTED_STATE,      /* (nx); of a whole model they are its outputs */
    MS_EXPORTED_DERIVATIVE, /* (nx); of a differential-algebraic subsystem none */
    MS_EXPORTED_DISCRETE,   /* (nz) */
    MS_EXPORTED_INDICATOR,  /* (n_indicators) */
    MS_EXPORTED_PARAMETER,  /* of the model; sizes among them stay as they are */
    MS_EXPORTED_GROUPS
} ms_exported_group;

typedef struct ms_exported {
    const ms_system *base;   /* the model with its parameter values */
    ms_system *whole;        /* its monolithic form; NULL: a subsystem is exported */
    const ms_system *system; /* that of the two which has .. */
    int index;               /* .. what is exported */
    const ms_subsystem *sub;
    unsigned first[MS_EXPORTED_GROUPS + 1]; /* value reference of the first of each group */
} ms_exported;

/* Errors: MS_INVALID, with the nearest name. */
int ms_exported_find_subsystem(const ms_system *base, const char *name, int *index, ms_error *error);

/* subsystem NULL: the whole model. The system outlives it. Errors: MS_INVALID (no such subsystem, with the nearest name), MS_UNSUPPORTED (it brings its own solver), those of
 * ms_monolithic_create. */
int ms_exported_create(const ms_system *base, const char *subsystem, ms_exported *exported, ms_error *error);
void ms_exported_destroy(ms_exported *exported); /* safe where it is zeroed */

/* Group and index within it of a value reference. Returns false if the reference is unknown. */
bool ms_exported_find(const ms_exported *exported, unsigned reference, ms_exported_group *group, int *k);

static inline int ms_exported_count(const ms_exported *exported, ms_exported_group group)
{
    return (int)(exported->first[group + 1] - exported->first[group]);
}

/* The name of variable k of a group, as the structured naming convention of FMI has it: inputs and outputs as they are called,
 * "u.NAME" for an input that has the name of an output, "x.NAME" and "der(x.NAME)" for states, "z.NAME", "p.NAME", "time", or "independent.time" where that is wired; those of a whole
 * model "SUB.NAME". What is no identifier is in single quotes. Returns name. */
const char *ms_exported_name(const ms_exported *exported, ms_exported_group group, int k,
                             char name[MS_EXPORTED_NAME]);

/* Unit of that variable without a derivative's "/s"; "1" if it has none. */
const char *ms_exported_unit(const ms_exported *exported, ms_exported_group group, int k);

/* What forbids model exchange, as the end of a sentence; NULL: nothing. */
const char *ms_exported_no_model_exchange(const ms_exported *exported);

/* Is parameter k a size, which the variables depend on? */
bool ms_exported_is_size(const ms_exported *exported, int k);

/* No two variables have the same name. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_exported_check_names(const ms_exported *exported, ms_error *error);

/* Name of the FMU and of its contents: MODEL_SUBSYSTEM or MODEL_whole, a C identifier that is unique among the subsystems. Returns name. */
const char *ms_exported_identifier(const ms_exported *exported, char name[MS_EXPORTED_NAME]);
