/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drive.h - the options of `macrostep drive`, for the command and for the studies that repeat it. */
#pragma once

#include <jansson.h>

#include "arguments.h"
#include "open_loop.h"

/* Which problem is meant. Lives as long as the arguments. */
typedef struct ms_drive_call {
    int subsystem, segments;
    ms_open_loop_inputs inputs;
    double start_time, stop_time; /* [s] */
} ms_drive_call;

/* Errors: MS_INVALID (no or an unknown subsystem, a list). */
int ms_drive_read(const ms_arguments *arguments, const ms_system *system, ms_drive_call *call,
                  ms_error *error);

/* The problem itself: ms_open_loop_create, interrupted by signals. */
int ms_drive_create(const ms_drive_call *call, const ms_system *system, ms_open_loop **open_loop,
                    ms_error *error);

/* The answer as bench/README.md prints it ("One subsystem alone"). NULL without memory. */
json_t *ms_drive_answer(const ms_open_loop *open_loop, const ms_options *options,
                        const ms_open_loop_result *result);
