/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - the work of a micro-solver for one subsystem, counted from the start of a run. */
#pragma once

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_work {
    long micro_steps, rhs_evaluations, jacobian_evaluations, error_test_failures, events;
    long convergence_failures; /* of the nonlinear equations of a micro-step: CVODE and IDA count them */
    long switches;             /* located switches: no handler is called */
    long slides;               /* how often the solution began to slide */
    long announced, served;    /* time events: those due in the integrated interval, and those handled */
} ms_work;

MS_C_LINKAGE_END
