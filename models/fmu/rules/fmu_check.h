/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check.h - checks a description against the rules of its standard.
 *
 * Elements and attributes by the schema, and their order; names, units, types; causality, variability, initial and start
 * by the standard's tables; derivatives; ModelStructure complete, dependencies only on knowns. Faults that ms_fmu_description_read
 * refuses (types of values, duplicate or invalid names and references) are not checked again.
 *
 * Sources: FMI 2.0.x, 2.2; FMI 3.0.x, 2.4; their XML schemas. */
#pragma once

#include "fmu_description.h"

typedef struct ms_fmu_finding {
    bool error; /* the standard forbids it; else it advises against it */
    long line;  /* in modelDescription.xml */
    char text[300];
} ms_fmu_finding;

/* Maximal number of findings kept; n_errors counts all. */
enum { MS_FMU_FINDINGS = 200 };

typedef struct ms_fmu_findings {
    int n, n_errors;
    ms_fmu_finding *finding; /* (n) by line */
} ms_fmu_findings;

/* Errors: MS_NO_MEMORY. Whatever is returned, ms_fmu_findings_free frees. */
int ms_fmu_check(const ms_fmu_description *description, ms_fmu_findings *findings, ms_error *error);
void ms_fmu_findings_free(ms_fmu_findings *findings);
