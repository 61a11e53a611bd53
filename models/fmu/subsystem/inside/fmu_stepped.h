/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_stepped.h - an FMU for co-simulation as a subsystem knows it, and as one of small deviations does. */
#pragma once

#include <macrostep/model.h>
#include "fmu_stepping.h"

/* ms_subsystem.data. */
typedef struct ms_fmu_stepped {
    const ms_fmu *fmu;
    const ms_fmu_places *at;
    const ms_variable *output; /* (at->ny) */
    const double *u0;          /* (at->nu) */
    const char *name;
    int n_settings;
    const int *setting;
    const char *const *value;
    ms_capabilities can;
    bool keep, sums;     /* as in ms_fmu_abilities */
    bool single;         /* some variables are of single precision */
    const char **remark; /* NULL behind the last */
} ms_fmu_stepped;

/* Prepares the creation of a component. value: for ms_fmu_stepping, zero except for known members. */
void ms_fmu_stepped_begin(const ms_fmu_stepped *of, double *value, ms_fmu_stepping *stepping);
/* Creates it, with settings applied. Errors: those of ms_fmu_component_create. */
int ms_fmu_stepped_create(const ms_fmu_stepped *of, double t, double tolerance, ms_fmu_stepping *stepping,
                          ms_error *error);

/* ms_own_stepper.linearise of such a subsystem. */
int ms_fmu_linearise(const ms_subsystem *sub, ms_structure *structure, ms_subsystem *linear, ms_error *error);
