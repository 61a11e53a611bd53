/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive.h - an FMU or an SSP on disk: a ZIP, checked and unpacked into a folder of its own for a while. */
#pragma once

#include <stddef.h>

#include <macrostep/status.h>

typedef struct ms_fmu_archive ms_fmu_archive;

/* What an archive may hold, all entries together; above MS_FMU_ARCHIVE_SMALL bytes no more than MS_FMU_ARCHIVE_RATIO times its own
 * size. */
enum { MS_FMU_ARCHIVE_ENTRIES = 50000, MS_FMU_ARCHIVE_RATIO = 200, MS_FMU_ARCHIVE_SMALL = 64 << 20 };
#define MS_FMU_ARCHIVE_BYTES 4000000000ULL
/* A name in an archive, and how many folders it goes down. */
enum { MS_FMU_ARCHIVE_NAME = 1000, MS_FMU_ARCHIVE_DEPTH = 32 };

/* Unpacks the archive at `path` into a new folder where TMPDIR says. Names that leave the folder (absolute, "..", backslashes,
 * links), too many or too large entries, broken data and sums are refused, and nothing is left behind. The folder goes with
 * ms_fmu_archive_close, with ms_part_files_remove, or with the next process that unpacks one. Errors: MS_IO (the file is not there, no place for the folder),
 * MS_INVALID, MS_UNSUPPORTED (no libzip), MS_NO_MEMORY. */
int ms_fmu_archive_open(const char *path, ms_fmu_archive **archive, ms_error *error);
/* A folder that another process has unpacked, and removes. Errors: MS_NO_MEMORY. */
int ms_fmu_archive_borrow(const char *folder, ms_fmu_archive **archive, ms_error *error);
void ms_fmu_archive_close(ms_fmu_archive **archive); /* NULL-safe */

/* The folder, an absolute path without a slash at its end. */
const char *ms_fmu_archive_folder(const ms_fmu_archive *archive);

/* The path of a file that is to be made under that name, in folders that are there then; it goes with the archive. NULL: errno says why,
 * also of memory. */
const char *ms_fmu_archive_add(ms_fmu_archive *archive, const char *name);

/* The whole file of that name in the archive, followed by a zero, to be freed; NULL with errno: ENOMEM, or it is not there. */
char *ms_fmu_archive_text(const ms_fmu_archive *archive, const char *name, size_t *size);

/* The same of an archive that is not unpacked: *text (to be freed), with a zero behind its *size bytes; NULL: there is no such file. Errors:
 * MS_IO, MS_INVALID, MS_UNSUPPORTED (no libzip), MS_NO_MEMORY. */
int ms_fmu_archive_peek(const char *path, const char *name, char **text, size_t *size, ms_error *error);

/* Packs what is in `folder` into `path`, entries in the order of their names with one fixed date, so that the same content
 * gives the same bytes; a temporary file is renamed. Errors: MS_IO (with the reason), MS_INVALID (a name that
 * ms_fmu_archive_open would refuse, or nothing to pack), MS_UNSUPPORTED, MS_NO_MEMORY. */
int ms_fmu_archive_write(const char *folder, const char *path, ms_error *error);
