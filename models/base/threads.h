/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.h - whether the calling thread is one of several that do the same kind of work, each for itself. What would start
 * threads of its own, or uses a library that one thread alone may use, asks. */
#pragma once

#include <stdbool.h>

/* It is, within a parallel region of OpenMP or because the caller has said so. */
bool ms_threads_several(void);

/* It is from now on, or no longer. Returns what was said before. */
bool ms_threads_say_several(bool several);
