/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_references.h - references that the runs of one figure have in common: of its last few systems (model, parameters, start
 * values). What study.c makes runs with; draw functions need not ask. */
#ifndef MS_STUDY_REFERENCES_H
#define MS_STUDY_REFERENCES_H

#include "drawing.h"
#include "shared_reference.h"

/* For runs of the system from start_time on; it stays until the drawing is destroyed or others have taken its place, before which
 * no run may end that reads it: one run at a time. NULL: there is none, and a run has its own (a model of a file, which may end
 * before the drawing; inputs of a file; no memory). */
ms_shared_reference *ms_study_reference_of(ms_drawing *drawing, const ms_system *system, double start_time);

#endif
