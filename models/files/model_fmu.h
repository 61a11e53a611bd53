/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_fmu.h - the FMUs of a model from a file: options for reading them, and the subsystems that they are. */
#pragma once

#include "fmu_co_simulation.h"

/* If the subsystem of a file is an FMU: its path, and whether the file sets values in it. Returns false for other
 * subsystems, and for models not from a file. */
typedef struct ms_model_fmu_found {
    const char *path;
    bool model_exchange, set;
    const struct ms_fmu_description *description;
    /* (inputs) maps of their wires, NULL: none; NULL: no wire is mapped */
    const struct ms_fmu_map *const *map;
} ms_model_fmu_found;
bool ms_model_fmu(const ms_model *model, const char *subsystem, ms_model_fmu_found *found);

/* How the FMUs of a file are read; zero: the default. */
typedef struct ms_fmu_reading {
    ms_fmu_use use;
    ms_fmu_probing probing;
    /* Of a file that is a single FMU, or a system structure: "co-simulation" or "model-exchange" (NULL: as a structure says,
     * else model exchange if supported); and whether the inputs of a single FMU are external ones, which a series may drive. */
    const char *kind;
    bool driven;
    /* Values of parameters of the file at which its subsystems are checked and its FMUs are opened, in place of the defaults; names that it
     * does not have are passed over. Used during the call. */
    const ms_setting *settings;
    int n_settings;
    /* Called before a binary is opened, with the model as described by the file and descriptions, of which systems can be made, whose FMUs
     * have names and start values but no functions; its errors become errors of the reading. NULL: not called. */
    int (*check)(void *self, const ms_model *model, ms_error *error);
    void *self;
} ms_fmu_reading;

/* ms_model_read (system_file.h) with these options, which are copied; the text of kind may be freed after the
 * call. */
int ms_model_read_with(const char *path, const ms_fmu_reading *reading, ms_model **model, ms_error *error);
