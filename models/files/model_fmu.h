/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_fmu.h - FMUs of a model from a file: how they are read, and which subsystems they are. */
#ifndef MS_MODEL_FMU_H
#define MS_MODEL_FMU_H

#include <macrostep/model.h>
#include "fmu_co_simulation.h"

/* Of a subsystem of a file that is an FMU: where that is, and whether the file gives values to it. Returns false for any other
 * subsystem, and for models that are not from a file. */
typedef struct ms_model_fmu_found {
    const char *path;
    bool model_exchange, set;
    const struct ms_fmu_description *description;
    const struct ms_fmu_map *const *map; /* (inputs) by which their wires are, NULL: by none; NULL: all are */
} ms_model_fmu_found;
bool ms_model_fmu(const ms_model *model, const char *subsystem, ms_model_fmu_found *found);

/* How the FMUs of a file are read; zero: the default. */
typedef struct ms_fmu_reading {
    ms_fmu_use use;
    ms_fmu_probing probing;
    /* Of a file that is an FMU alone: "co-simulation" or "model-exchange" (NULL: model exchange where it has that), and
     * whether its inputs are external ones, which a series may drive. */
    const char *kind;
    bool driven;
    /* Asked before a binary is opened, about a model that is what the file and descriptions say; its errors are those of the reading.
     * NULL: nobody is. */
    int (*check)(const void *self, const ms_model *model, ms_error *error);
    const void *self;
} ms_fmu_reading;

/* ms_model_read (system_file.h) with these choices, which are copied; the text of kind may go after the call. */
int ms_model_read_with(const char *path, const ms_fmu_reading *reading, ms_model **model, ms_error *error);

#endif
