/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_outline.h"

#include "fmu_abilities.h"
#include "fmu_subsystem.h"

static void declared(const ms_subsystem *sub, ms_capabilities *can)
{
    *can = ((const ms_fmu_abilities *)sub->data)->can;
}

/* One that is asked for nothing else. */
static const ms_own_stepper outlined = {.kind = "an FMU for co-simulation", .capabilities = declared};

int ms_fmu_outline(const ms_fmu *fmu, ms_fmu_kind kind, const ms_fmu_setup *setup, bool driven,
                   ms_structure *structure, ms_subsystem *sub)
{
    ms_fmu_places *at = ms_structure_alloc(structure, 1, ms_fmu_places_size(fmu));
    ms_fmu_abilities *can = ms_structure_alloc(structure, 1, sizeof *can);
    MS_TRY_MEMORY(at != NULL && can != NULL);
    ms_fmu_places_fill(fmu, at);
    const int status = ms_fmu_fill(fmu, setup, at, driven, structure, sub);
    if (kind != MS_FMU_CO_SIMULATION)
        return status;
    ms_fmu_abilities_declared(ms_fmu_describe(fmu), kind, can);
    sub->stepper = &outlined;
    sub->data = can;
    return status;
}
