/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurement.h - measurements in C for a figure file, if no command of the program gives them:
 *
 *     "command": "left-mass run two-masses-springs-dampers --step-size 0.1", "values": {"steps": "answer.steps"}
 *
 * The measurement gets the words after its name, which are numbers followed by a command, runs it by study.h and fills
 * the answer. It is listed in bench/figures/inside/measurement_list.h. */
#pragma once

#include <stdlib.h>

#include "study.h"

typedef struct ms_measurement {
    const char *name;
    /* answer: an empty object. Errors: those of ms_study_run. */
    int (*measure)(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error);
    const char *model; /* OPTIONAL: the only one that it takes */
} ms_measurement;

/* The n numbers before the command, 0 for one that is missing; returns the command. */
static inline const char *ms_measurement_numbers(const char *words, int n, double *number)
{
    for (int k = 0; k < n; k++) {
        char *end;
        number[k] = strtod(words, &end);
        words = end + (*end == ' ');
    }
    return words;
}

/* A member of answers for which memory lacked. */
#define MS_MEASURED_IN_PART "in part"

/* Appends the number to the answer's list of that name. */
static inline void ms_measured_append(json_t *answer, const char *name, double value)
{
    if (json_object_get(answer, name) == NULL)
        json_object_set_new(answer, name, json_array());
    if (json_array_append_new(json_object_get(answer, name), ms_json_real(value)) != 0)
        json_object_set_new(answer, MS_MEASURED_IN_PART, json_true());
}

/* Takes the members of the object, MS_REALS({"steps", n}, ..), which is given away. */
static inline void ms_measured_members(json_t *answer, json_t *members)
{
    if (json_object_update(answer, members) != 0)
        json_object_set_new(answer, MS_MEASURED_IN_PART, json_true());
    json_decref(members);
}
