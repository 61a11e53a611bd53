/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rounds.h"

void ms_child_own_path(char path[MS_CHILD_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", path, MS_CHILD_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
}

void ms_child_command_path(char path[MS_CHILD_PATH])
{
    static const char command[] = "/../macrostep";
    ms_child_own_path(path);
    char *slash = strrchr(path, '/');
    const size_t at = slash != NULL ? (size_t)(slash - path) : 0;
    if (at + sizeof command <= MS_CHILD_PATH)
        memcpy(path + at, command, sizeof command);
}

/* Processor time of all children that have ended [s]. */
static double children_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The child's status; -1: it could not be started. */
static int call(const ms_child *child)
{
    extern char **environ;
    posix_spawn_file_actions_t silent;
    pid_t id;
    int status = 0;
    if (posix_spawn_file_actions_init(&silent) != 0)
        return -1;
    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&id, child->words[0], &silent, NULL, (char *const *)child->words, environ) != 0 ||
        waitpid(id, &status, 0) != id)
        status = -1;
    posix_spawn_file_actions_destroy(&silent);
    return status;
}

double ms_child_take(void *self, ms_error *error)
{
    const ms_child *child = self;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", child->threads);
    if (child->threads > 0)
        setenv("OMP_NUM_THREADS", threads, 1);
    const double clock = ms_clock_seconds(CLOCK_MONOTONIC), processor = children_seconds();
    const int status = call(child);
    if (status == 0)
        return child->processor ? children_seconds() - processor : ms_clock_seconds(CLOCK_MONOTONIC) - clock;
    ms_fail(error, MS_IO, "%s %s ends with status %d", child->words[0],
            child->words[1] != NULL ? child->words[1] : "", status == -1 ? -1 : WEXITSTATUS(status));
    return NAN;
}
