/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_run.h - what the ranks of one program compare before a run. */
#ifndef MS_RANK_RUN_H
#define MS_RANK_RUN_H

#include <macrostep/c_linkage.h>
#include <macrostep/digest.h>

MS_C_LINKAGE_BEGIN

/* What decides the answer of a run beside the system, as each process has read it: the program (its version), options, and the FMUs
 * that the system names. All ranks have the same. */
typedef struct ms_rank_run {
    char program[64];
    ms_digest options, files;
} ms_rank_run;

MS_C_LINKAGE_END

#endif
