#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAID_MAX = 4096 };

/* In the child: gnuplot with standard error into the pipe. Where it cannot be started, errno goes into the
 * other pipe. */
static void become_gnuplot(const char *folder, const char *script, int said, int failed)
{
    char program[] = "gnuplot", defaults[] = "-d", name[256];
    char *const words[] = {program, defaults, name, NULL};
    snprintf(name, sizeof name, "%s", script);
    const int null = open("/dev/null", O_RDWR);
    setenv("LC_ALL", "C.UTF-8", 1); /* scripts are UTF-8 whatever the caller's locale is */
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
        dup2(said, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        execvp(words[0], words);
    const int reason = errno;
    const ssize_t written = write(failed, &reason, sizeof reason);
    _exit(written == (ssize_t)sizeof reason ? 127 : 126);
}

/* Reads until the other end is closed; what does not fit is dropped. The text ends with a zero byte. */
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

/* The lines of the text that say something, in one: without gnuplot's echo of the faulty line and its
 * caret. */
static void join_lines(const char *text, char *line, size_t size)
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

/* Has gnuplot drawn something else than was meant, although it has not failed? Columns that do not exist or
 * hold no numbers are warnings to it; a range that it widens is no fault. */
static bool is_faulty(const char *said)
{
    while (*said != '\0') {
        char text[256];
        const size_t length = strcspn(said, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, said);
        said += length + (said[length] == '\n');
        if (strstr(text, ": warning:") != NULL && strstr(text, "adjusting to") == NULL)
            return true;
    }
    return false;
}

/* What became of the child: its status of waitpid, what it said, and why it could not be started (0: it
 * was). */
static int judge(int ended, const char *said, int reason, const char *script,
                 const volatile sig_atomic_t *stop, ms_error *error)
{
    char line[400];
    join_lines(said, line, sizeof line);
    if (stop != NULL && *stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    if (reason == ENOENT)
        return ms_fail(error, MS_IO, "gnuplot is not on PATH; figures need it (Debian: gnuplot-nox)");
    if (reason != 0)
        return ms_fail(error, MS_IO, "gnuplot could not be started: %s", strerror(reason));
    if (WIFSIGNALED(ended))
        return ms_fail(error, MS_IO, "gnuplot %s: ended by signal %d. %s", script, WTERMSIG(ended), line);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return ms_fail(error, MS_IO, "gnuplot %s: %s", script,
                       line[0] != '\0' ? line : "failed without a word");
    if (is_faulty(said))
        return ms_fail(error, MS_IO, "gnuplot %s: %s", script, line);
    return MS_OK;
}

static void close_pipe(const int pipe_ends[2])
{
    for (int k = 0; k < 2; k++)
        if (pipe_ends[k] >= 0)
            close(pipe_ends[k]);
}

int ms_gnuplot_run(const char *folder, const char *script, const volatile sig_atomic_t *stop, ms_error *error)
{
    int said[2] = {-1, -1}, failed[2] = {-1, -1};
    pid_t child = -1;
    if (pipe(said) == 0 && pipe(failed) == 0 && fcntl(failed[1], F_SETFD, FD_CLOEXEC) == 0)
        child = fork();
    if (child == 0)
        become_gnuplot(folder, script, said[1], failed[1]);
    if (child < 0) {
        const int status = ms_fail(error, MS_IO, "gnuplot could not be started: %s", strerror(errno));
        close_pipe(said);
        close_pipe(failed);
        return status;
    }
    close(said[1]);
    close(failed[1]);
    said[1] = failed[1] = -1;

    char text[SAID_MAX];
    int reason = 0, ended = 0;
    ssize_t n;
    while ((n = read(failed[0], &reason, sizeof reason)) < 0 && errno == EINTR)
        ;
    read_all(said[0], text, sizeof text);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    close_pipe(said);
    close_pipe(failed);
    return judge(ended, text, n == (ssize_t)sizeof reason ? reason : 0, script, stop, error);
}
