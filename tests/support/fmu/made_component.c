/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made_component.h"

#include <math.h>
#include <stdio.h>

#include "unit_test.h"

ms_fmu_use support_fmu_use;

int support_open_made(const support_decay *r, ms_fmu_kind kind, ms_fmu **fmu, ms_error *error)
{
    char path[256];
    support_decay_fmu(r, path, sizeof path);
    const int status = ms_fmu_open(path, kind, &support_fmu_use, fmu, error);
    remove(path);
    return status;
}

ms_fmu *support_open_fmu(const support_decay *r, ms_fmu_kind kind)
{
    ms_fmu *fmu;
    ms_error error = {""};
    if (support_open_made(r, kind, &fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    return fmu;
}

const ms_fmu_setup support_plain_setup = {.instance_name = "fmu", .stop_time = INFINITY};

ms_fmu_component *support_create_component(const ms_fmu *fmu, const ms_fmu_setup *setup)
{
    ms_fmu_component *c;
    ms_error error = {""};
    if (ms_fmu_component_create(fmu, setup, &c, &error) != MS_OK)
        fail_msg("%s", error.text);
    return c;
}

ms_fmu_component *support_start_component(const ms_fmu *fmu, double u)
{
    static const unsigned reference = SUPPORT_DECAY_U;
    ms_fmu_component *c = support_create_component(fmu, &support_plain_setup);
    assert_int_equal(ms_fmu_component_initialise(
                         c, &(ms_fmu_values){1, &(ms_fmu_group){MS_FMU_FLOAT64, 1, 1, &reference, NULL}}, &u),
                     MS_OK);
    return c;
}

double support_value_of(ms_fmu_component *c, unsigned reference)
{
    double value = NAN;
    assert_int_equal(ms_fmu_get(c, 1, &reference, &value), MS_OK);
    return value;
}
