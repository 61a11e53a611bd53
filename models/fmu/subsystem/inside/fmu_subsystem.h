/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_subsystem.h - what a subsystem that is an FMU has of its description, whatever its kind. */
#ifndef MS_FMU_SUBSYSTEM_H
#define MS_FMU_SUBSYSTEM_H

#include <macrostep/model.h>
#include "fmu_stepping.h"

/* driven: inputs are external ones, which keep their start values where no series drives them.
 * Sets *sub: names and units of what stands at the places, the inputs' start values as u0, and which outputs feed through.
 * Of the setup its name and settings are read. Errors: MS_NO_MEMORY, without a line. */
int ms_fmu_fill(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_places *at, bool driven,
                ms_structure *structure, ms_subsystem *sub);

#endif
