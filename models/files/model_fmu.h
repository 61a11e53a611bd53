/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_fmu.h - which subsystems of a model from a file are FMUs. */
#ifndef MS_MODEL_FMU_H
#define MS_MODEL_FMU_H

#include <macrostep/model.h>

/* Of a subsystem of a file that is an FMU: where that is, and whether the file gives values to it. Returns false for any other
 * subsystem, and for models that are not from a file. */
typedef struct ms_model_fmu_found {
    const char *path;
    bool model_exchange, set;
} ms_model_fmu_found;
bool ms_model_fmu(const ms_model *model, const char *subsystem, ms_model_fmu_found *found);

/* From now on the inputs of a file that is an FMU alone are external ones, which a series may drive, or no longer. To be called before
 * there is a second thread. */
void ms_model_fmu_driven(bool driven);

/* From now on a file that is an FMU alone is taken for that kind, "co-simulation" or "model-exchange", or (NULL) for model exchange where it has
 * that. The text has to stay. To be called before there is a second thread. */
void ms_model_fmu_kind(const char *kind);

#endif
