/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - files and folders that a benchmark needs while it runs: in TMPDIR, or where there is none in the folder of the
 * system. */
#ifndef MS_SCRATCH_H
#define MS_SCRATCH_H

#include <stdbool.h>

enum { MS_SCRATCH_PATH = 1024 };

/* A new file, open; -1: there is none. The caller closes and unlinks it. */
int ms_scratch_file(char path[MS_SCRATCH_PATH]);

/* A new folder, and with all that is in it no longer. */
bool ms_scratch_folder(char path[MS_SCRATCH_PATH]);
bool ms_scratch_remove(const char *folder);

#endif
