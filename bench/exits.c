/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* syscall */

#include "exits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"
#include "fmu.h"
#include "part_file.h"

static bool ended;    /* the call has come to its end */
static pid_t process; /* that of the program, which has others for a moment */

void ms_exits_blame(const char *before, const char *behind)
{
    const char *fmu = ms_fmu_called();
    const char *const part[] = {before, fmu != NULL ? fmu : "an FMU", behind,
                                "; with --isolate only the run ends, and says where\n"};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        const ssize_t written = write(fileno(ms_standard_error()), part[k], strlen(part[k]));
        (void)written;
    }
}

/* An FMU may call exit, and so does OpenMP without a thread: such an end is a failure, not an answer. */
static void end_of_program(void)
{
    if (getpid() != process)
        return; /* a process that an FMU has started */
    ms_part_files_remove();
    if (ended)
        return;
    ms_exits_blame("macrostep: the program was ended by a call of exit() in ", " or in a library");
    _exit(MS_EXIT_BROKEN);
}

/* Is that a place in the program itself? The linker has set its ends. */
static bool is_own(const char *place)
{
    extern const char __executable_start[], etext[];
    return place >= __executable_start && place < etext;
}

static _Noreturn void end_from(const char *caller, int status)
{
    if (!is_own(caller) && getpid() == process)
        end_of_program();
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Both end a process directly. The dynamic linker gives these instead of the C library's to FMUs and
 * libraries, so that only the kernel does so. */
void _exit(int status)
{
    end_from(__builtin_return_address(0), status);
}

void _Exit(int status)
{
    end_from(__builtin_return_address(0), status);
}

void ms_exits_watch(void)
{
    process = getpid();
    (void)atexit(end_of_program);
    (void)at_quick_exit(end_of_program);
}

void ms_exits_allow(void)
{
    ended = true;
}
