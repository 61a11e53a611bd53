/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_outline.h"

#include "fmu_subsystem.h"

int ms_fmu_outline(const ms_fmu *fmu, const ms_fmu_setup *setup, bool driven, ms_structure *structure,
                   ms_subsystem *sub)
{
    ms_fmu_places *at = ms_structure_alloc(structure, 1, ms_fmu_places_size(fmu));
    if (at == NULL)
        return MS_NO_MEMORY;
    ms_fmu_places_fill(fmu, at);
    return ms_fmu_fill(fmu, setup, at, driven, structure, sub);
}
