/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a folder that a benchmark needs while it runs: in TMPDIR, or else in /tmp. */
#pragma once

#include <stdbool.h>

enum { MS_SCRATCH_PATH = 1024 };

/* A new folder, and with all that is in it no longer. */
bool ms_scratch_folder(char path[MS_SCRATCH_PATH]);
bool ms_scratch_remove(const char *folder);
