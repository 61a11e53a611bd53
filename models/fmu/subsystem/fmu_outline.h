/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_outline.h - a subsystem that is an FMU, as far as its description goes: names, units, start values and steps, without its binary. */
#ifndef MS_FMU_OUTLINE_H
#define MS_FMU_OUTLINE_H

#include <macrostep/model.h>
#include "fmu.h"

/* Sets *sub, which has no functions then but, of that kind, those that say what it can do. Of the setup its name and settings count.
 * driven: its inputs are external ones. Errors: MS_NO_MEMORY, without a line. */
int ms_fmu_outline(const ms_fmu *fmu, ms_fmu_kind kind, const ms_fmu_setup *setup, bool driven,
                   ms_structure *structure, ms_subsystem *sub);

#endif
