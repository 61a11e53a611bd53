/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - a command in an empty folder of its own, and what it leaves there. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw, wait4 */
#endif
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

enum { WORDS = 40 };

const char *const fault_names[FAULT_KINDS] = FAULT_NAMES;

/* Files -------------------------------------------------------------------------------------------------- */

char *fault_read_file(const char *path)
{
    size_t used = 0, size = 4096;
    char *text = malloc(size);
    FILE *file = fopen(path, "rb");
    for (size_t n = 1; file != NULL && n > 0; used += n) {
        char *more = size - used < 2048 ? realloc(text, size *= 2) : text;
        if (more == NULL)
            abort();
        text = more;
        n = fread(text + used, 1, size - used - 1, file);
    }
    if (file != NULL)
        fclose(file);
    for (size_t k = 0; k < used; k++)
        if (text[k] == '\0' || text[k] == '\f') /* these end a text, and a file in a tree of them */
            text[k] = '?';
    text[used] = '\0';
    return text;
}

static FILE *tree; /* that the walk below writes */

static int write_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    if (at->level == 0)
        return 0;
    fprintf(tree, "\f%s\n", path + at->base);
    const size_t length = strlen(path);
    const bool log =
        length > 4 && strcmp(path + length - 4, ".log") == 0; /* how far a sweep has come, and when */
    if (type == FTW_F && !log) {
        char *text = fault_read_file(path);
        fprintf(tree, "%s\n", text);
        free(text);
    }
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type;
    return at->level > 0 ? remove(path) : 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All that lies in a folder, as text: "\fNAME\nCONTENT" in ascending order. */
static char *read_tree(const char *path)
{
    char *text = NULL, *item[1000] = {0}, *sorted;
    size_t size = 0, n = 0;
    tree = open_memstream(&text, &size);
    nftw(path, write_entry, 20, FTW_PHYS);
    fclose(tree);
    for (char *c = strtok(text, "\f"); c != NULL && n < 1000; c = strtok(NULL, "\f"))
        item[n++] = c;
    qsort(item, n, sizeof *item, by_text);
    tree = open_memstream(&sorted, &size);
    for (size_t k = 0; k < n; k++)
        fprintf(tree, "\f%s", item[k]);
    fclose(tree);
    free(text);
    return sorted;
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* Copies a file of `in` into the folder that the command begins in. */
static void lay_out(const char *name, const char *in, const char *cwd)
{
    char from[1200], to[1200];
    snprintf(from, sizeof from, "%s/%s", in, name);
    snprintf(to, sizeof to, "%s/%s", cwd, name);
    char *text = fault_read_file(from);
    FILE *file = fopen(to, "w");
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0)
        _exit(126);
    free(text);
}

static void be_command(const fault_runner *of, const char *line, const char *cwd, const char *out,
                       const char *err, const char *report, const char *in, fault_kind kind, long at)
{
    char *word[WORDS], number[32], *copy = strdup(line);
    int n = 0;
    word[n++] = strdup(of->program);
    bool laid_out = false; /* what stands behind "+" */
    for (char *c = strtok(copy, " "); c != NULL && n < WORDS - 1; c = strtok(NULL, " ")) {
        if (strcmp(c, "+") == 0)
            laid_out = true;
        else if (laid_out)
            lay_out(c, in, cwd);
        else
            word[n++] = c;
    }
    word[n] = NULL;
    snprintf(number, sizeof number, "%ld", at);
    setenv("FAULT_KIND", fault_names[kind], 1);
    setenv("FAULT_AT", number, 1);
    setenv("FAULT_REPORT", report, 1);
    setenv("LD_PRELOAD", of->preload, 1);
    setenv("TMPDIR", cwd, 1);
    if (chdir(cwd) != 0 || freopen("/dev/null", "r", stdin) == NULL || freopen(out, "w", stdout) == NULL ||
        freopen(err, "w", stderr) == NULL)
        _exit(126);
    alarm(FAULT_SECONDS);
    execv(of->program, word);
    _exit(127);
}

static fault_outcome run_once(const fault_runner *of, int worker, const char *line, fault_kind kind, long at,
                              char **report)
{
    char place[5][600];
    static const char *const names[5] = {"cwd", "out", "err", "report", "in"};
    for (int k = 0; k < 5; k++)
        snprintf(place[k], sizeof place[k], "%s/%d/%s", of->folder, worker, names[k]);
    unlink(place[3]);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        be_command(of, line, place[0], place[1], place[2], place[3], place[4], kind, at);
    fault_outcome o = {0};
    while (waitpid(child, &o.status, 0) < 0 && errno == EINTR)
        ;
    o.out = fault_read_file(place[1]);
    o.err = fault_read_file(place[2]);
    o.files = read_tree(place[0]);
    *report = fault_read_file(place[3]);
    nftw(place[0], remove_entry, 20, FTW_DEPTH | FTW_PHYS);
    return o;
}

/* The filter of calls compares 32 bits of addresses: where the C library lies across a multiple of 4 GiB, which one run in some
 * thousand has to do with, another run has another place. */
fault_outcome fault_run_command(const fault_runner *of, int worker, const char *line, fault_kind kind,
                                long at, char **report)
{
    enum { TRIES = 3 };
    fault_outcome o = run_once(of, worker, line, kind, at, report);
    for (int k = 1; k < TRIES && fault_report_line(*report, "cannot") != NULL; k++) {
        fault_outcome_destroy(&o);
        free(*report);
        o = run_once(of, worker, line, kind, at, report);
    }
    return o;
}

void fault_outcome_destroy(fault_outcome *o)
{
    free(o->out);
    free(o->err);
    free(o->files);
}
