/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolated.c - macrostep-fmu KIND FOLDER NAME PROGRAM: one FMU in a process of its own, for the program of that number, which has
 * started it and shares the memory of descriptor 3 with it. Nobody else calls it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fmu_serve.h"

enum { MEMORY = STDERR_FILENO + 1 };

/* Crashes are the program's to report, by the signal. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0";
}
#endif

static long program;

/* Wherever the FMU is: when the program is gone, this is over, with all that the FMU has started. The signal also comes where a
 * thread of the program ends, and to a process that was stopped. */
static void look_for_program(int number)
{
    (void)number;
    if (getppid() != program)
        kill(0, SIGKILL);
}

int main(int argc, char **argv)
{
    const struct sigaction look = {.sa_handler = look_for_program, .sa_flags = SA_RESTART};
    if (argc != 5 || (argv[1][0] != 'c' && argv[1][0] != 'm')) {
        fprintf(stderr, "macrostep-fmu is started by macrostep, for FMUs that are to be isolated\n");
        return 2;
    }
    program = strtol(argv[4], NULL, 10);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* its printed output is not lost if it dies */
    if (sigaction(SIGCONT, &look, NULL) != 0 || prctl(PR_SET_PDEATHSIG, SIGCONT) != 0)
        return EXIT_FAILURE;
    look_for_program(SIGCONT); /* it may have been gone before */
    /* As in the program: a thread of OpenBLAS's own asks for ever where a map for its buffer is refused. */
    if (setenv("OPENBLAS_NUM_THREADS", "1", 1) != 0)
        return EXIT_FAILURE;
    ms_fmu_serve(MEMORY, argv[2], argv[3], argv[1][0] == 'c' ? MS_FMU_CO_SIMULATION : MS_FMU_MODEL_EXCHANGE);
    _exit(EXIT_SUCCESS); /* the FMU is closed; nothing of it is to run here */
}
