/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pictures must not depend on the caller's settings of gnuplot and Graphviz: terminals, fonts, paths. */
static void forget_settings(void)
{
    static const char *const names[] = {"GNUTERM",          "GDFONTPATH",     "GNUPLOT_FONTPATH",
                                        "GNUPLOT_LIB",      "GNUPLOT_PS_DIR", "GNUPLOT_DEFAULT_GDFONT",
                                        "GNUPLOT_PFBTOTTF", "GNUHELP",        "FIT_LOG",
                                        "FIT_SCRIPT",       "DOTFONTPATH",    "GV_FILE_PATH"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
}

/* A program at work ends with this one, however this one ends: dot may lay out a large graph for hours. */
static void end_with(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(126);
}

/* In the child: the program with standard error into the pipe. Where it cannot be started, errno goes into
 * the other pipe. */
static void become(const ms_process *process, pid_t parent, int said, int failed)
{
    enum { WORDS_MAX = 8, LENGTH = 512 };
    static char text[WORDS_MAX][LENGTH];
    char *words[WORDS_MAX + 1] = {NULL};
    for (int k = 0; k < WORDS_MAX && process->words[k] != NULL; k++) {
        snprintf(text[k], sizeof text[k], "%s", process->words[k]);
        words[k] = text[k];
    }
    end_with(parent);
    const int null = open("/dev/null", O_RDWR);
    forget_settings();
    setenv("LC_ALL", "C.UTF-8", 1); /* texts are UTF-8 whatever the caller's locale is, */
    setenv("TZ", "UTC0", 1);        /* and dates in files as long as everywhere */
    if (null >= 0 && dup2(process->input >= 0 ? process->input : null, STDIN_FILENO) >= 0 &&
        dup2(process->output >= 0 ? process->output : null, STDOUT_FILENO) >= 0 &&
        dup2(said, STDERR_FILENO) >= 0 && (process->folder == NULL || chdir(process->folder) == 0))
        execvp(words[0] != NULL ? words[0] : "", words);
    const int reason = errno;
    const ssize_t written = write(failed, &reason, sizeof reason);
    _exit(written == (ssize_t)sizeof reason ? 127 : 126);
}

/* Reads until the other end is closed; text that does not fit is dropped. The text ends with a zero byte. */
static void read_all(int descriptor, char *text, size_t size)
{
    size_t used = 0;
    for (;;) {
        char chunk[512] = "";
        const ssize_t n = read(descriptor, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        const size_t room = size - 1 - used, got = n > 0 ? (size_t)n : 0;
        memcpy(text + used, chunk, got < room ? got : room);
        used += got < room ? got : room;
    }
    text[used] = '\0';
}

void ms_process_join(const char *text, char *line, size_t size)
{
    size_t used = 0;
    line[0] = '\0';
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        const size_t blank = strspn(text, " \t^");
        if (blank < length && used + length - blank + 3 < size) {
            if (used > 0)
                line[used++] = ' ';
            memcpy(line + used, text + blank, length - blank);
            used += length - blank;
            line[used] = '\0';
        }
        text += length + (text[length] == '\n');
    }
}

/* What became of the child: its status of waitpid, what it said, and why it could not be started (0: it
 * was). */
static int end_status(const ms_process *process, const char *what, int ended, const char *said, int reason,
                      const volatile sig_atomic_t *stop, ms_error *error)
{
    const char *program = process->words[0];
    char line[400];
    ms_process_join(said, line, sizeof line);
    if (stop != NULL && *stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    if (reason == ENOENT)
        return ms_fail(error, MS_IO, "%s is not on PATH; %s (Debian: %s)", program, process->use,
                       process->package);
    if (reason != 0)
        return ms_fail(error, MS_IO, "%s could not be started: %s", program, strerror(reason));
    if (WIFSIGNALED(ended))
        return ms_fail(error, MS_IO, "%s %s: ended by signal %d. %s", program, what, WTERMSIG(ended), line);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return ms_fail(error, MS_IO, "%s %s: %s", program, what,
                       line[0] != '\0' ? line : "failed without a word");
    return MS_OK;
}

static void close_pipe(const int pipe_ends[2])
{
    for (int k = 0; k < 2; k++)
        if (pipe_ends[k] >= 0)
            close(pipe_ends[k]);
}

/* A child that runs the program; no other child gets the ends of its pipes, or they would never be seen closed. */
static pid_t start(const ms_process *process, int said[2], int failed[2])
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const pid_t parent = getpid();
    pid_t child = -1;
    pthread_mutex_lock(&lock);
    bool whole = pipe(said) == 0 && pipe(failed) == 0;
    for (int k = 0; k < 2 && whole; k++)
        whole = fcntl(said[k], F_SETFD, FD_CLOEXEC) == 0 && fcntl(failed[k], F_SETFD, FD_CLOEXEC) == 0;
    if (whole)
        child = fork();
    if (child == 0)
        become(process, parent, said[1], failed[1]);
    pthread_mutex_unlock(&lock);
    return child;
}

int ms_process_run(const ms_process *process, const char *what, const volatile sig_atomic_t *stop, char *text,
                   ms_error *error)
{
    int said[2] = {-1, -1}, failed[2] = {-1, -1};
    text[0] = '\0';
    const pid_t child = start(process, said, failed);
    if (child < 0) {
        const int status =
            ms_fail(error, MS_IO, "%s could not be started: %s", process->words[0], strerror(errno));
        close_pipe(said);
        close_pipe(failed);
        return status;
    }
    close(said[1]);
    close(failed[1]);
    said[1] = failed[1] = -1;

    int reason = 0, ended = 0;
    ssize_t n;
    while ((n = read(failed[0], &reason, sizeof reason)) < 0 && errno == EINTR)
        ;
    read_all(said[0], text, MS_PROCESS_SAID_MAX);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    close_pipe(said);
    close_pipe(failed);
    return end_status(process, what, ended, text, n == (ssize_t)sizeof reason ? reason : 0, stop, error);
}
