/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive_parts.h - what the files of archives share. */
#pragma once

#include "fmu_archive.h"
#include "plugin_archives.h"

/* archives.c: the plug-in that reads ZIP and XML. */

/* Opens it for the file at `path`, which the line names. Errors: MS_UNSUPPORTED. */
int ms_archives_open(const char *path, const ms_plugin_archives **library, ms_error *error);

/* Is it valid UTF-8 (no surrogates, nothing longer than it need be, nothing above U+10FFFF) without control characters? */
bool ms_archives_is_text(const char *text);

/* The folder of an archive while it is unpacked, and the names that may be in it. */

/* Without a folder; NULL: there is no memory. */
ms_fmu_archive *ms_archive_new(void);

/* Creates a new folder. Errors: MS_IO, MS_NO_MEMORY; ms_fmu_archive_close frees it in any case. */
int ms_archive_make_folder(ms_fmu_archive *archive, const char *path, ms_error *error);

/* An entry by its name as folders have it: some tools write backslashes for slashes, or ./ at the beginning ("" is the folder itself). */
typedef struct ms_archive_entry {
    ms_plugin_entry entry;
    char name[MS_FMU_ARCHIVE_NAME + 2];
} ms_archive_entry;
bool ms_archive_find_entry(const ms_plugin_archives *library, void *zip, long long k, ms_archive_entry *entry,
                           char why[MS_PLUGIN_WHY]);

/* What is wrong with the name of an entry ("leaves the folder"), or NULL. A slash at its end is a folder's. */
const char *ms_archive_name_fault(const char *name);

/* Checks all entries of an open ZIP, which as a file has `size` bytes, and then unpacks them into a new folder. Errors: those of
 * ms_fmu_archive_open. */
int ms_archive_unpack(ms_fmu_archive *archive, const ms_plugin_archives *library, void *zip, const char *path,
                      unsigned long long size, ms_error *error);

int ms_archive_no_memory(const char *path, ms_error *error);
