/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_integrate.h - integrations inside figures, each given by the command line that repeats it.
 *
 *     status = ms_study_integrate(drawing, true, &study, error, "integrate bell --solver %s", name);
 *     ... study.run.work.micro_steps ...
 *     ms_study_integrate_destroy(&study); */
#ifndef MS_STUDY_INTEGRATE_H
#define MS_STUDY_INTEGRATE_H

#include "integrate.h"
#include "study.h"

typedef struct ms_integrate_study {
    ms_study study;
    ms_integration run; /* with its history */
} ms_integrate_study;

/* As ms_study_run, for "integrate MODEL [OPTION ..]" without lists; errors: against the reference. Destroying
 * is safe after all errors. */
int ms_study_integrate(ms_drawing *drawing, bool errors, ms_integrate_study *study, ms_error *error,
                       const char *command, ...) __attribute__((format(printf, 5, 6)));
void ms_study_integrate_destroy(ms_integrate_study *study);

/* Appends the trajectory, events included: time and the columns of those names. Errors: MS_INVALID (a name that is
 * none, too many). */
int ms_study_integrate_curves(const ms_integrate_study *study, const char *const *names, int n, ms_data *data,
                              ms_error *error);

/* Events at which indicator k (from 1) rose, or fell (-k), and the state in that column changed its value. */
int ms_study_integrate_events(const ms_integrate_study *study, int indicator, const char *state);

#endif
