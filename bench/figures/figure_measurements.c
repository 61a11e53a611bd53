/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_parts.h"

#include <string.h>

#define MS_MEASUREMENT(measurement) extern const ms_measurement measurement;
#include "measurement_list.h"
#undef MS_MEASUREMENT

#define MS_MEASUREMENT(measurement) &measurement,
static const ms_measurement *const list[] = {
#include "measurement_list.h"
};
#undef MS_MEASUREMENT

const ms_measurement *ms_measurement_find(const char *name)
{
    for (int k = 0; k < MS_COUNT(list); k++)
        if (strcmp(list[k]->name, name) == 0)
            return list[k];
    return NULL;
}
