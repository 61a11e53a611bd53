/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - what a call of the command costs before its work begins.
 *
 * Processor time, user and system, of calls that do next to nothing, against that of this program where it is
 * told to be `empty`: it ends at once, and is linked to CVODE, GSL, LAPACKE, OpenBLAS and Jansson, which no
 * build of the command goes without. All in turn in every round; shown are medians over the rounds, and of each
 * round's ratios. The aim is a ratio of 2.5. */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "timing.h"

enum { ROUNDS = 51, CALLS = 4, WORDS = 6, PATH_SIZE = 4096 };

/* The first word is the program, which is filled in: this one, then the command. */
static char *calls[CALLS][WORDS] = {{"", "empty"},
                                    {"", "--version"},
                                    {"", "list", "models"},
                                    {"", "run", "linear-pair", "--stop-time", "0.1"}};

/* Processor time of all children that have ended [s]. */
static double children_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* That of one call, without its output; negative where it fails. */
static double call_seconds(char **words, const posix_spawn_file_actions_t *silent)
{
    extern char **environ;
    const double before = children_seconds();
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, words[0], silent, NULL, words, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        return -1.0;
    return children_seconds() - before;
}

static bool time_rounds(double seconds[CALLS][ROUNDS])
{
    bool done = true;
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (int r = 0; r < ROUNDS && done; r++)
        for (int k = 0; k < CALLS && done; k++) {
            seconds[k][r] = call_seconds(calls[k], &silent);
            done = seconds[k][r] >= 0.0;
        }
    posix_spawn_file_actions_destroy(&silent);
    return done;
}

static void show(double seconds[CALLS][ROUNDS])
{
    printf("start of an empty program %6.2f ms\n", 1e3 * ms_median(ROUNDS, seconds[0]));
    for (int k = 1; k < CALLS; k++) {
        double ratio[ROUNDS];
        for (int r = 0; r < ROUNDS; r++)
            ratio[r] = seconds[k][r] / seconds[0][r];
        printf("macrostep");
        for (int w = 1; calls[k][w] != NULL; w++)
            printf(" %s", calls[k][w]);
        printf("  %.2f ms (%.2f)\n", 1e3 * ms_median(ROUNDS, seconds[k]), ms_median(ROUNDS, ratio));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return strcmp(argv[1], "empty") == 0 ? 0 : 1;
    char own[PATH_SIZE], command[PATH_SIZE + 16];
    double seconds[CALLS][ROUNDS];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    if (slash == NULL)
        return 1;
    snprintf(command, sizeof command, "%.*s/../macrostep", (int)(slash - own), own);
    for (int k = 0; k < CALLS; k++)
        calls[k][0] = k == 0 ? own : command;
    if (!time_rounds(seconds)) {
        fprintf(stderr, "start: %s does not run\n", command);
        return 1;
    }
    show(seconds);
    return 0;
}
