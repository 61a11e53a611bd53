/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_7.h - what the figures of chapter 7 share: one driven subsystem with all four ways to
 * treat an input that changes. */
#ifndef MS_ANDERSSON2016_7_H
#define MS_ANDERSSON2016_7_H

#include <macrostep/solver.h>
#include "drive.h"
#include "study.h"

enum { MS_MODES = 4 }; /* restart, proceed, correct-1, correct-2: the values of ms_input_change */

extern const char *const ms_mode_names[MS_MODES];  /* as on the command line */
extern const char *const ms_mode_titles[MS_MODES]; /* in pictures */

/* The first reading of Table 7.3: the arguments of `drive` without --input-change. The printed 40 segments are taken as grid points:
 * corrected in x'' there is one Jacobian a segment, and the table prints 39. */
#define MS_PENDULUM_OPEN_LOOP                                                                                \
    "coupled-pendula --case stiff --subsystem left --stop-time 2 --segments 39 --input-shape constant "      \
    "--solver-rtol 1e-6 --solver-atol 1e-6"

typedef struct ms_modes {
    ms_study study;          /* of the mode that is listed among the commands: restart */
    ms_open_loop *open_loop; /* one problem for all modes */
    ms_open_loop_result result[MS_MODES];
} ms_modes;

/* Runs "drive WORDS" with each mode. steps: keeps the micro-steps. Errors: those of the command, and
 * MS_SOLVER_FAILED for a run that does not reach its end. ms_modes_destroy is safe after all of them. */
int ms_modes_run(ms_drawing *drawing, bool steps, const char *words, ms_modes *modes, ms_error *error);
void ms_modes_destroy(ms_modes *modes);

/* The command of this mode, for the list of commands. */
void ms_modes_note(ms_drawing *drawing, const ms_modes *modes, int mode);

#endif
