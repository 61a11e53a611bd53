/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_fmu.h - subsystems of a file that are FMUs. */
#ifndef MS_FILE_FMU_H
#define MS_FILE_FMU_H

#include "file_model.h"
#include "fmu_experiment.h"

struct ms_fmu_map;

/* Opens their binaries and tries them, at the defaults of the file's parameters: everything that descriptions decide has been checked
 * before. Errors: MS_INVALID with file and line, MS_IO, MS_NO_MEMORY. */
int ms_file_fmus_start(ms_file_model *file, ms_error *error);

/* Puts each of them that every system has one of its own of, bound to the parameters p of the file, into its place in the structure, which
 * owns what they need. Errors: those of ms_fmu_component_create. */
int ms_file_fmus_bind(const ms_file_fmu *list, const double *p, ms_structure *structure, ms_error *error);

/* Is this subsystem an FMU that has the start value of that input from an expression? */
bool ms_file_fmu_varies(const ms_file_fmu *list, int subsystem, int input);

/* The description of this subsystem, if it is an FMU; else NULL. */
const struct ms_fmu_description *ms_file_fmu_description(const ms_file_fmu *list, int subsystem);

/* What a wire carries to that input of an FMU is mapped. The map belongs to the file. Returns MS_OK or MS_NO_MEMORY. */
int ms_file_fmu_map(ms_file_model *file, int subsystem, int input, const struct ms_fmu_map *map);
bool ms_file_fmu_is_mapped(const ms_file_model *file, int subsystem, int input);

/* The run that the first of them has alone. */
void ms_file_fmu_experiment(const ms_file_fmu *list, ms_fmu_experiment *experiment);

#endif
