/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "long_call.h"

#include <stdatomic.h>
#include <stddef.h>

static const double LONG = 5e8; /* operations: some tenths of a second */

static atomic_int at_work;
static const volatile sig_atomic_t *stopped;
static void (*refused)(void);

void ms_long_call_begin(double operations)
{
    if (operations < LONG)
        return;
    if (refused != NULL && ms_long_call_stopped())
        refused();
    atomic_fetch_add(&at_work, 1);
}

void ms_long_call_end(double operations)
{
    if (operations >= LONG)
        atomic_fetch_sub(&at_work, 1);
}

bool ms_long_call_at_work(void)
{
    return atomic_load(&at_work) > 0;
}

void ms_long_call_refused(const volatile sig_atomic_t *stop, void (*refuse)(void))
{
    stopped = stop;
    refused = stop != NULL ? refuse : NULL;
}

bool ms_long_call_stopped(void)
{
    return stopped != NULL && *stopped != 0;
}
