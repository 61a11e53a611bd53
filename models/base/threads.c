/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "threads.h"

#include <omp.h>

static _Thread_local bool said;

bool ms_threads_several(void)
{
    return said || omp_in_parallel();
}

bool ms_threads_say_several(bool several)
{
    const bool before = said;
    said = several;
    return before;
}
