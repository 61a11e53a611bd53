/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive.h - an FMU or an SSP on disk: a ZIP, checked and unpacked into a folder of its own for a while. */
#ifndef MS_FMU_ARCHIVE_H
#define MS_FMU_ARCHIVE_H

#include <stddef.h>

#include "status.h"

typedef struct ms_fmu_archive ms_fmu_archive;

/* Unpacks the archive at `path` into a new folder where TMPDIR says. Names that leave the folder (absolute, "..", backslashes,
 * links), too many or too large entries, broken data and sums are refused, and nothing is left behind. The folder goes with
 * ms_fmu_archive_close and where the process ends by a signal that the command catches. Errors: MS_INVALID, MS_UNSUPPORTED (no
 * libzip), MS_NO_MEMORY. */
int ms_fmu_archive_open(const char *path, ms_fmu_archive **archive, ms_error *error);
void ms_fmu_archive_close(ms_fmu_archive **archive); /* NULL-safe */

/* The folder, an absolute path without a slash at its end. */
const char *ms_fmu_archive_folder(const ms_fmu_archive *archive);

/* The whole file of that name in the archive, followed by a zero, to be freed; NULL: it is not there or there is no memory. */
char *ms_fmu_archive_text(const ms_fmu_archive *archive, const char *name, size_t *size);

/* Packs what stands in `folder` into `path`, entries in the order of their names with one fixed date, so that the same content
 * is the same bytes; written beside and renamed. Errors: MS_INVALID (with the reason), MS_UNSUPPORTED, MS_NO_MEMORY. */
int ms_fmu_archive_write(const char *folder, const char *path, ms_error *error);

#endif
