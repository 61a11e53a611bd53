/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolated.c - macrostep-fmu KIND FOLDER NAME: one FMU in a process of its own, for the program that has started it and is at the
 * other end of descriptor 3. Nobody else calls it. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fmu_serve.h"

enum { SOCKET = STDERR_FILENO + 1 };

/* Crashes are the program's to report, by the signal. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0";
}
#endif

/* Wherever the FMU is: when the program is gone, this is over. */
static void *watch(void *unused)
{
    struct pollfd other = {.fd = SOCKET};
    (void)unused;
    while (poll(&other, 1, -1) < 0)
        continue;
    _exit(EXIT_FAILURE);
}

/* What the FMU starts does not keep the program waiting. */
static void leave_socket(void)
{
    close(SOCKET);
}

int main(int argc, char **argv)
{
    pthread_t watcher;
    if (argc != 4 || (argv[1][0] != 'c' && argv[1][0] != 'm')) {
        fprintf(stderr, "macrostep-fmu is started by macrostep, for FMUs that are to be isolated\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what it has printed is not lost where it dies */
    if (fcntl(SOCKET, F_SETFD, FD_CLOEXEC) != 0 || pthread_atfork(NULL, NULL, leave_socket) != 0)
        return EXIT_FAILURE;
    if (pthread_create(&watcher, NULL, watch, NULL) != 0)
        return EXIT_FAILURE;
    ms_fmu_serve(SOCKET, argv[2], argv[3], argv[1][0] == 'c' ? MS_FMU_CO_SIMULATION : MS_FMU_MODEL_EXCHANGE);
    _exit(EXIT_SUCCESS); /* the FMU is closed; nothing of it is to run here */
}
