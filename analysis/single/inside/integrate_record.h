/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate_record.h - what the files of ms_integrate share. Private to these files. */
#pragma once

#include <macrostep/integrate.h>
#include "events.h"

/* Is told of each step while the instance is integrated (ms_monitor), and keeps what happens. */
typedef struct ms_recorder {
    ms_integration *run;
    const ms_integrate_options *request;
    ms_instance *instance;
    double start, stop; /* [s] */
    double scale;       /* 1 + the largest start value */
    long next;          /* output point */
    double *x;          /* (nx) */
    double window;      /* where the events that can be chattering are counted from [s] */
    double shown;       /* progress */
    ms_work dense;      /* of output points */
    int status;         /* MS_OK, or MS_NO_MEMORY */
} ms_recorder;

/* The output point k [s]. */
static inline double ms_recorder_output(const ms_recorder *recorder, long k)
{
    const int n = recorder->run->output_points;
    return k >= n ? recorder->stop : recorder->start + (double)k * ((recorder->stop - recorder->start) / n);
}

/* Prepares tables and hooks; whole: the system of the instance, whose x, z are at the start. Errors:
 * MS_NO_MEMORY. */
int ms_recorder_create(ms_recorder *recorder, ms_integration *run, const ms_integrate_options *request,
                       ms_instance *instance, const ms_system *whole, ms_error *error);
void ms_recorder_destroy(ms_recorder *recorder);

/* Records the output points up to t, the instance's present time, that no micro-step has recorded. */
void ms_recorder_flush(ms_recorder *recorder, double t);

/* Are all states within 1e12 times the scale? Otherwise the run has diverged, and its reason says so. */
bool ms_recorder_stays(ms_recorder *recorder, double t);

/* Has the run been interrupted? Then its reason says so. */
bool ms_recorder_interrupted(ms_recorder *recorder);

/* Compares the trajectory with the reference: errors and energy. Errors: MS_NO_MEMORY. Where there is no
 * reference errors_valid stays false; where it ends early run->message says so. */
int ms_integration_compare(ms_recorder *recorder, bool errors, ms_error *error);
