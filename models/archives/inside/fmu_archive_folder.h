/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive_folder.h - the folder of an archive while it is unpacked, and the names that may be in it. */
#ifndef MS_FMU_ARCHIVE_FOLDER_H
#define MS_FMU_ARCHIVE_FOLDER_H

#include "archives.h"
#include "fmu_archive.h"

/* Without a folder; NULL: there is no memory. */
ms_fmu_archive *ms_archive_new(void);

/* A new folder. Errors: MS_IO, MS_NO_MEMORY; ms_fmu_archive_close frees what there is. */
int ms_archive_make_folder(ms_fmu_archive *archive, const char *path, ms_error *error);

/* What is wrong with the name of an entry ("leaves the folder"), or NULL. A slash at its end is a folder's. */
const char *ms_archive_name_fault(const char *name);

/* Checks all entries of an open ZIP, which as a file has `size` bytes, and then unpacks them into a new folder. Errors: those of
 * ms_fmu_archive_open. */
int ms_archive_unpack(ms_fmu_archive *archive, const ms_plugin_archives *library, void *zip, const char *path,
                      unsigned long long size, ms_error *error);

int ms_archive_no_memory(const char *path, ms_error *error);

#endif
