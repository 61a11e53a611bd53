/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_unpack.h - an FMU as a file: its archive, unpacked, and its description. */
#ifndef MS_FMU_UNPACK_H
#define MS_FMU_UNPACK_H

#include "fmu_archive.h"
#include "fmu_description.h"

/* Opens the archive and reads the description, both to be freed by the caller. Errors: those of ms_fmu_archive_open and
 * ms_fmu_description_read, MS_INVALID where there is no modelDescription.xml. */
int ms_fmu_unpack(const char *path, ms_fmu_archive **archive, ms_fmu_description **description,
                  ms_error *error);

/* The same of one that another process has unpacked into `folder`. */
int ms_fmu_unpacked(const char *folder, const char *path, ms_fmu_archive **archive,
                    ms_fmu_description **description, ms_error *error);

/* The platforms that a binary may be for, as folders of `binaries` are called in 2.0 and 3.0; ends with NULL. */
extern const char *const ms_fmu_platforms[];

/* Has the FMU a folder of that name, as in "binaries/linux64", and something in it? */
bool ms_fmu_has_folder(const ms_fmu_archive *archive, const char *name);

#endif
