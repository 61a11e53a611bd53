/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurement.h - what a figure file has measured in C, where no command of the program gives it:
 *
 *     "command": "left-mass run two-masses-springs-dampers --step-size 0.1", "values": {"steps": "answer.steps"}
 *
 * The measurement NAME gets the words behind its name, runs what it needs by study.h and fills the answer. Its line
 * stands in bench/figures/inside/measurement_list.h. */
#ifndef MS_MEASUREMENT_H
#define MS_MEASUREMENT_H

#include "study.h"

typedef struct ms_measurement {
    const char *name;
    /* answer: an empty object. Errors: those of ms_study_run. */
    int (*measure)(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error);
} ms_measurement;

#endif
