/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_outline.h - a subsystem that is an FMU, from its description only: names, units, start values and steps, without its binary. */
#pragma once

#include <macrostep/model.h>
#include "fmu.h"

/* Sets *sub, whose only functions are those that describe the capabilities of that kind. Name and settings of the setup are used.
 * driven: its inputs are external ones. Errors: MS_NO_MEMORY, without a message. */
int ms_fmu_outline(const ms_fmu *fmu, ms_fmu_kind kind, const ms_fmu_setup *setup, bool driven,
                   ms_structure *structure, ms_subsystem *sub);
