/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_unpack.h - an FMU as a file: its unpacked archive and its description. */
#pragma once

#include <dirent.h>

#include "fmu_archive.h"
#include "fmu_description.h"

/* Opens the archive and reads the description, both to be freed by the caller. Errors: those of ms_fmu_archive_open and
 * ms_fmu_description_read, MS_INVALID if there is no modelDescription.xml. */
int ms_fmu_unpack(const char *path, ms_fmu_archive **archive, ms_fmu_description **description,
                  ms_error *error);

/* The same for an FMU that another process has unpacked into `folder`. */
int ms_fmu_unpacked(const char *folder, const char *path, ms_fmu_archive **archive,
                    ms_fmu_description **description, ms_error *error);

/* What stands in a folder of it, as "binaries" or "binaries/linux64", in the order of names, those with a point at their beginning left out: how many,
 * with *entry to be freed by ms_fmu_list_free; 0: nothing, or no such folder. */
int ms_fmu_list(const ms_fmu_archive *archive, const char *folder, struct dirent ***entry);
void ms_fmu_list_free(struct dirent ***entry, int n);

/* Is there something in it? */
bool ms_fmu_has_folder(const ms_fmu_archive *archive, const char *folder);
