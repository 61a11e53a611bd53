/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check_parts.h - the parts of the checker. */
#pragma once

#include "description_parts.h"
#include "fmu_check.h"

typedef struct ms_fmu_checker {
    const ms_description_read *d;
    const ms_fmu_description *description; /* of d */
    ms_fmu_findings *findings;
    int *alias_of;       /* (n_variables) the first variable with the same value: type and value reference */
    bool *state;         /* (n_variables) is it a continuous state, or an alias of one? */
    bool *derivative;    /* (n_variables) is it the derivative of a state, the first of its aliases? */
    unsigned char *mark; /* (n_variables) scratch */
} ms_fmu_checker;

void ms_fmu_found(ms_fmu_checker *c, bool error, long line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Elements and attributes: those of the schema, in its order. */
void ms_fmu_check_schema(ms_fmu_checker *c);

/* Kinds, flags, experiment, dates; units, types, categories. */
void ms_fmu_check_head(ms_fmu_checker *c);

void ms_fmu_check_variables(ms_fmu_checker *c);
void ms_fmu_check_structure(ms_fmu_checker *c);

bool ms_fmu_is_float(ms_fmu_type type);

/* Is it a name by the convention `structured`? */
bool ms_fmu_is_structured(const char *name);

/* Is it a word of the list, which has blanks between words? */
bool ms_fmu_is_listed(const char *list, const char *word);
