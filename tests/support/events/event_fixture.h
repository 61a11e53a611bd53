/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_fixture.h - what the tests of events share: a log of events, options, and CVODE's own root
 * finding. */
#pragma once

#include <macrostep/solver_registry.h>
#include "event_models.h"
#include "solver_fixture.h"

#define SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)                                                          \
    for (const ms_solver *const *at_##solver = ms_solvers, *solver; (solver = *at_##solver) != NULL;         \
         at_##solver++)                                                                                      \
        if (solver->events)

/* Options for a solver, and what a solution over some seconds with events on the way may miss with them. */
const ms_solver_options *support_event_options(const ms_solver *solver);
double support_event_tolerance(const ms_solver *solver);

/* Times of events, as the monitor sees them. */
enum { SUPPORT_EVENT_LOG = 64 };
typedef struct support_event_log {
    int n;
    double t[SUPPORT_EVENT_LOG];
    bool falling_only;
} support_event_log;
void support_event_monitor(support_solver_fixture *fixture, support_event_log *log);

support_solver_fixture *support_event_fixture(int subsystem, const ms_solver *solver);

/* Macro-steps of length h from 0. */
void support_fixture_run(support_solver_fixture *fixture, int steps, double h);

/* Fails unless |value - expected| <= tolerance (1 + |expected|). */
void support_event_near(const ms_solver *solver, const char *what, double value, double expected,
                        double tolerance);

/* Times up to `end` at which CVODE's own root finding sees the indicator of SUPPORT_ANGLE change its sign. */
int support_event_roots(double end, double *roots);
