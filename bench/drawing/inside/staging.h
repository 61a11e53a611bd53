/* SPDX-License-Identifier: GPL-3.0-or-later */
/* staging.h - a folder beside the files that are to be made: they are made in it, and moved when all of them are whole. */
#ifndef MS_STAGING_H
#define MS_STAGING_H

#include <jansson.h>

#include <macrostep/status.h>
#include "part_file.h"

/* A new folder in `folder`, staging->folder, which goes with ms_part_file_drop. Errors: MS_IO, MS_INVALID (too long). */
int ms_staging_create(const char *folder, ms_part_file *staging, ms_error *error);

/* Its files by name, in order, as "PREFIX/NAME", or "NAME" where the prefix is empty. NULL: no memory. */
json_t *ms_staging_files(const char *staging, const char *prefix);

/* Moves the files from one folder to the other. Errors: MS_IO. */
int ms_staging_move(const char *staging, const char *to, ms_error *error);
#endif
