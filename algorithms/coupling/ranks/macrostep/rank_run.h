/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_run.h - the ranks of one program compare their runs before they start. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/digest.h>

MS_C_LINKAGE_BEGIN

/* Everything besides the system that determines the answer of a run, as read by each process: the program (its version), options, and the FMUs
 * that the system names. It is the same on all ranks. */
typedef struct ms_rank_run {
    char program[64];
    ms_digest options, files;
} ms_rank_run;

MS_C_LINKAGE_END
