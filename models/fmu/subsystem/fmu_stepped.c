/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_stepped.h"

#include <math.h>

void ms_fmu_stepped_begin(const ms_fmu_stepped *of, double *value, ms_fmu_stepping *stepping)
{
    *stepping =
        (ms_fmu_stepping){.fmu = of->fmu,
                          .at = of->at,
                          .intermediate = ms_fmu_describe(of->fmu)->fmi == 3 && of->can.input_degree > 0,
                          .length = ms_fmu_flags_of(of->fmu)->variable_step ? 0.0 : of->can.step,
                          .keep = of->keep,
                          .sums = of->sums,
                          .value = value};
}

int ms_fmu_stepped_create(const ms_fmu_stepped *of, double t, double tolerance, ms_fmu_stepping *stepping,
                          ms_error *error)
{
    const ms_fmu_setup setup = {.instance_name = of->name,
                                .start_time = t,
                                .stop_time = INFINITY,
                                .tolerance = tolerance,
                                .n_settings = of->n_settings,
                                .setting = of->setting,
                                .value = of->value,
                                .intermediate_update = stepping->intermediate};
    return ms_fmu_component_create(of->fmu, &setup, &stepping->component, error);
}
