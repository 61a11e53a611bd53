/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f3ornits_parts.h - shared by the files of the scheme: scheme_f3ornits.c takes steps, f3ornits_schedule.c decides
 * which subsystems communicate when, f3ornits_setup.c checks, allocates and starts. Private to these files.
 *
 * Everything that changes is in the co-simulation's aux block: the following structures are views of it, containing
 * only doubles. */
#pragma once

#include <macrostep/cosim.h>
#include "f3ornits.h"

typedef struct f3_clock {
    double reached;         /* time of the last communication [s] */
    double next;            /* of the coming one */
    double estimate;        /* proposed by the time-stepper */
    double step;            /* length of the last step */
    double proposed_step;   /* length that the time-stepper proposed for it */
    double whole;           /* length of the coming step if no time event cut it */
    double due;             /* the time event that the subsystem has announced; infinite: none */
    double steps;           /* taken so far */
    double known;           /* number of remembered outputs: events may have dropped earlier ones */
    double dropped;         /* by an event in the last step: 1, else 0 */
    double joined;          /* the last step's end took the place of a point (time_events.h): 1, else 0 */
    double t[MS_F3_POINTS]; /* times of the remembered outputs, newest first */
} f3_clock;

typedef struct f3_output {
    double y[MS_F3_POINTS];     /* newest first */
    double c[MS_F3_DEGREE + 1]; /* estimated output, local to the newest time (21) */
    double order;               /* its degree */
    ms_f3_extremes extremes;
} f3_output;

enum { F3_INPUT_DEGREE = 3 };

typedef struct f3_input {
    double c[F3_INPUT_DEGREE + 1]; /* over the step that the subsystem is in, local to its start */
    double left, left_slope;       /* limits at the start of that step */
} f3_input;

typedef struct f3_data {
    double *communication_time; /* the next time at which a subsystem communicates */
    f3_clock *clock;            /* (n) */
    f3_output *output;          /* (ny) */
    f3_input *input;            /* (nu) */
    bool *smooth;               /* (n): are its inputs continued smoothly? */
    int *feeder_at, *feeder; /* feeding subsystem i: feeder[feeder_at[i]] .. feeder[feeder_at[i + 1] - 1] */
    int *reader_at, *reader; /* subsystems that it feeds */
    double *y, *u, *dy;      /* scratch of the start (ny, nu, ny) */
    bool one_step;           /* all subsystems communicate every time (synchronous) */
} f3_data;

enum { F3_HEAD = 1 };

/* Estimates of the clocks -> next times of those that communicate at t (40); sets *communication_time.
 * Returns MS_OK, or MS_STEP_REJECTED if a subsystem proposes a step that hardly advances the time. */
int ms_f3_schedule(const ms_cosim *cosim, const f3_data *data, double t);

/* The inputs of subsystem i for its step from t to its next time. */
void ms_f3_prepare_inputs(const ms_cosim *cosim, const f3_data *data, int i);

/* Operations of the scheme, see ms_scheme. */
void ms_f3_defaults(ms_options *options);
void ms_f3_memory(const ms_cosim *cosim, int *lin, int *aux);
int ms_f3_check_steps(const ms_cosim *cosim, int i, ms_error *error);
int ms_f3_create(ms_cosim *cosim, ms_error *error);
int ms_f3_start(ms_cosim *cosim);
