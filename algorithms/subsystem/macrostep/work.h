/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - what a micro-solver has done for one subsystem, counted from the start of a run. */
#ifndef MS_WORK_H
#define MS_WORK_H

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_work {
    long micro_steps, rhs_evaluations, jacobian_evaluations, error_test_failures, events;
    long switches;          /* that were located: nothing is handled there */
    long slides;            /* times that the solution began to slide along one */
    long announced, served; /* time events: those that were due in what was integrated, and those handled */
} ms_work;

MS_C_LINKAGE_END

#endif
