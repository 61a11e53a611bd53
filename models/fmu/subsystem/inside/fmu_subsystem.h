/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_subsystem.h - the members of a subsystem taken from an FMU's description, for both kinds. */
#pragma once

#include <macrostep/model.h>
#include "fmu_stepping.h"

/* driven: inputs are external ones, which keep their start values unless a series drives them.
 * Sets *sub: names and units of the variables at the places, the inputs' start values as u0, and which outputs feed through.
 * Name and settings of the setup are read. Errors: MS_NO_MEMORY, without a message. */
int ms_fmu_fill(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_places *at, bool driven,
                ms_structure *structure, ms_subsystem *sub);
