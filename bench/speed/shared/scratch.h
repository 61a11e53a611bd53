/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a folder that a benchmark needs while it runs: in TMPDIR, or else in /tmp. */
#ifndef MS_SCRATCH_H
#define MS_SCRATCH_H

#include <stdbool.h>

enum { MS_SCRATCH_PATH = 1024 };

/* A new folder, and with all that is in it no longer. */
bool ms_scratch_folder(char path[MS_SCRATCH_PATH]);
bool ms_scratch_remove(const char *folder);

#endif
