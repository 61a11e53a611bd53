/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.c - runs commands of macrostep with one call after the other refused, allocations and those of refuse.h's other kinds, and
 * judges what came of it.
 *
 *     faults FOLDER MACROSTEP REFUSE.so COMMANDS ALLOWED
 *
 * Each run has a folder of its own, FOLDER/K/cwd, which is empty but for the files of FOLDER/in that stand behind "+" in the
 * command's line, and is compared with two that were refused nothing; lines that these
 * do not agree on (times) are left aside. A run may end with status 0 and the same answer, or with status 1 (2 as well where input
 * could not be read), one more line on standard error, which begins with the program's name, and no file that the answer does not
 * have; where a call did half of what it was asked for, with status 0 and the same answer alone; where SIGINT came, with status 130, no line or
 * "interrupted ..", and no file by another name. Nothing else is well,
 * but what ALLOWED lists: "signal FILE SYMBOL", where the process dies inside of a library; "refused FILE [SYMBOL]" and "fatal FILE
 * [SYMBOL]", where what was refused below that decides, in the second case over life and death.
 *
 * KIND=NAME: calls of that kind alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "faults.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COMMANDS = 100,
    SAMPLE = 800,  /* runs of a command and a kind at most, */
    FIRSTS = 4000, /* and further ones at places that no command before it has come to */
    KEYS = 1 << 20,
    WORKERS = 64
};

static const char *const verdict_words[FAULT_VERDICTS] = {[FAULT_DONE] = "the same answer",
                                                          [FAULT_TOLD] = "status 1 or 2, one line",
                                                          [FAULT_CONFESSED] = "an answer that says so",
                                                          [FAULT_SIGNALLED] = "signal",
                                                          [FAULT_KNOWN] = "in a library, listed",
                                                          [FAULT_TIMED_OUT] = "no end",
                                                          [FAULT_DIFFERS] = "status 0, another answer",
                                                          [FAULT_LEFT] = "files left",
                                                          [FAULT_WORDS_WRONG] =
                                                              "status 1 or 2, but not one line",
                                                          [FAULT_STATUS_WRONG] = "another exit status"};

static fault_runner of;
static fault_command commands[COMMANDS];
static int n_commands;
static fault_allowed_places allowed;

static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static void read_commands(const char *path, const char *word)
{
    char *text = fault_read_file(path);
    for (char *line = strtok(text, "\n"); line != NULL && n_commands < COMMANDS; line = strtok(NULL, "\n"))
        if (line[0] != '#' && (word == NULL || strstr(line, word) != NULL))
            commands[n_commands++].line = line;
}

static void read_allowed(const char *path)
{
    char *text = fault_read_file(path);
    for (char *line = strtok(text, "\n"); line != NULL && allowed.n < FAULT_ALLOWED_MOST;
         line = strtok(NULL, "\n"))
        if (line[0] != '#' && sscanf(line, "%9s %99s %99s", allowed.line[allowed.n].kind,
                                     allowed.line[allowed.n].file, allowed.line[allowed.n].symbol) >= 2)
            allowed.n++;
}

/* Has no command come to that place with such a call before? */
static bool is_new_place(fault_kind kind, unsigned long long key)
{
    static unsigned long long known[KEYS];
    static long n;
    key = key * FAULT_KINDS + kind;
    key += key == 0;
    unsigned long long at = key % KEYS;
    while (known[at] != 0 && known[at] != key)
        at = (at + 1) % KEYS;
    if (known[at] == key || n > KEYS / 2)
        return false;
    known[at] = key;
    n++;
    return true;
}

/* The calls of "first N KEY" lines whose places are new. */
static void read_firsts(fault_command *c, fault_kind kind, const char *report)
{
    long *first = malloc(sizeof *first * FIRSTS), n = 0;
    if (first == NULL)
        give_up("not enough memory");
    for (const char *line = report; line != NULL; line = strchr(line, '\n')) {
        long call;
        unsigned long long key;
        line += *line == '\n';
        if (n < FIRSTS && sscanf(line, "first %ld %llx", &call, &key) == 2 && is_new_place(kind, key))
            first[n++] = call;
    }
    c->first[kind] = first;
    c->firsts[kind] = n;
}

/* Twice without a word about calls, then how many of each chosen kind there are. */
static void measure(fault_command *c, const bool *chosen)
{
    char *report;
    for (int k = 0; k < 2; k++) {
        c->clean[k] = fault_run_command(&of, 0, c->line, FAULT_MEMORY, 0, &report);
        free(report);
    }
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (!chosen[kind])
            continue;
        fault_outcome o = fault_run_command(&of, 0, c->line, (fault_kind)kind, 0, &report);
        const char *count = fault_report_line(report, "count ");
        c->calls[kind] = count != NULL ? strtol(count, NULL, 10) : -1;
        read_firsts(c, (fault_kind)kind, report);
        if (!WIFEXITED(o.status) || WEXITSTATUS(o.status) != 0 || c->calls[kind] < 0 ||
            fault_report_line(report, "cannot") != NULL)
            give_up("macrostep %s: %s: does not work: %s%s", c->line, fault_names[kind], o.err, report);
        fault_outcome_destroy(&o);
        free(report);
    }
}

static uint64_t random_state;

static double random_number(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

/* One in each of equal parts of 1..n, or all. */
static long choose(long n, long most, long k)
{
    return n <= most ? k + 1 : 1 + (long)(((double)k + random_number()) * (double)n / (double)most);
}

/* How many calls of a kind are refused at most: few where EFFORT=short, three times as many where EFFORT=middle. */
static long sample(fault_kind kind, int thrift)
{
    static const long memory[] = {SAMPLE, 72, 24}, other[] = {SAMPLE, 6, 2};
    return kind == FAULT_MEMORY ? memory[thrift] : other[thrift];
}

/* 0: all of them, 1: middle, 2: short. */
static int thrift_of(const char *effort)
{
    return effort == NULL ? 0 : strcmp(effort, "middle") == 0 ? 1 : strcmp(effort, "short") == 0 ? 2 : 0;
}

static void work(int worker, int workers, fault_task *tasks, long n)
{
    for (long i = worker; i < n; i += workers) {
        char *report;
        const fault_command *c = &commands[tasks[i].command];
        fault_outcome o = fault_run_command(&of, worker, c->line, tasks[i].kind, tasks[i].at, &report);
        fault_judge(&tasks[i], c, &o, report, &allowed);
        fault_outcome_destroy(&o);
        free(report);
    }
}

static void make_folders(int workers)
{
    char path[600];
    for (int k = 0; k < workers; k++) {
        snprintf(path, sizeof path, "%s/%d", of.folder, k);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%d/cwd", of.folder, k);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%d/in", of.folder, k);
        if (symlink("../in", path) != 0)
            give_up("%s: %s", path, strerror(errno));
    }
}

static int by_verdict(const void *a, const void *b)
{
    const fault_task *s = a, *t = b;
    const int order = (int)s->verdict - (int)t->verdict, kind = (int)s->kind - (int)t->kind;
    return order != 0                      ? order
           : kind != 0                     ? kind
           : strcmp(s->text, t->text) != 0 ? strcmp(s->text, t->text)
                                           : s->command - t->command;
}

static bool alike(const fault_task *a, const fault_task *b)
{
    return a->verdict == b->verdict && a->kind == b->kind && strcmp(a->text, b->text) == 0;
}

/* Every text of a verdict once, with an example of it. Returns how many runs did not end well. */
static long show(fault_task *tasks, long n)
{
    long count[FAULT_KINDS][FAULT_VERDICTS] = {{0}}, bad = 0;
    qsort(tasks, (size_t)n, sizeof *tasks, by_verdict);
    for (long i = 0, from = 0; i < n; i++) {
        const fault_task *t = &tasks[i];
        count[t->kind][t->verdict]++;
        bad += t->verdict > FAULT_CONFESSED && t->verdict != FAULT_KNOWN;
        if (t->verdict == FAULT_KNOWN)
            allowed.line[t->allowed].seen++;
        if (i + 1 < n && alike(t, &tasks[i + 1]))
            continue;
        if (t->verdict > FAULT_CONFESSED && t->verdict != FAULT_KNOWN)
            printf("%5ld  %s: %s\n       FAULT_KIND=%s FAULT_AT=%ld macrostep %s\n", i + 1 - from,
                   verdict_words[t->verdict], t->text, fault_names[t->kind], t->at,
                   commands[t->command].line);
        from = i + 1;
    }
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        for (int k = 0; k < FAULT_VERDICTS; k++)
            if (count[kind][k] > 0)
                printf("%6ld  %-11s  %s\n", count[kind][k], fault_names[kind], verdict_words[k]);
    return bad;
}

/* The kinds that KIND names: one, or all. */
static void choose_kinds(const char *name, bool *chosen)
{
    bool any = false;
    for (int k = 0; k < FAULT_KINDS; k++)
        any |= chosen[k] = name == NULL || name[0] == '\0' || strcmp(name, fault_names[k]) == 0;
    if (any)
        return;
    fprintf(stderr, "KIND=%s: unknown; known are", name);
    for (int k = 0; k < FAULT_KINDS; k++)
        fprintf(stderr, " %s", fault_names[k]);
    give_up("");
}

/* The refusals to be tried, in memory that all workers share. */
static long make_tasks(fault_task *tasks, const bool *chosen, int thrift)
{
    long n = 0;
    for (int c = 0; c < n_commands; c++) {
        measure(&commands[c], chosen);
        printf("macrostep %s:", commands[c].line);
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            const long calls = commands[c].calls[kind], most = sample((fault_kind)kind, thrift);
            if (calls > 0)
                printf(" %ld %s", calls, fault_names[kind]);
            for (long k = 0; k < (calls < most ? calls : most); k++)
                tasks[n++] =
                    (fault_task){.command = c, .kind = (fault_kind)kind, .at = choose(calls, most, k)};
            for (long k = 0; k < commands[c].firsts[kind] && calls > most && thrift < 2; k++)
                tasks[n++] =
                    (fault_task){.command = c, .kind = (fault_kind)kind, .at = commands[c].first[kind][k]};
        }
        printf("\n");
    }
    return n;
}

/* Is there a command with more calls of a kind than are refused? */
static bool is_sampled(const bool chosen[FAULT_KINDS], int thrift)
{
    for (int c = 0; c < n_commands; c++)
        for (int kind = 0; kind < FAULT_KINDS; kind++)
            if (chosen[kind] && commands[c].calls[kind] > sample((fault_kind)kind, thrift))
                return true;
    return false;
}

/* What is forgiven and was not met: of a sample that may be chance. */
static void name_idle(const char *path, bool sampled)
{
    for (int k = 0; k < allowed.n; k++) {
        const fault_allowed_place *line = &allowed.line[k];
        if (line->seen != 0)
            continue;
        if (!sampled)
            give_up("%s: nothing needs %s %s %s any more", path, line->kind, line->file, line->symbol);
        printf("not met in this sample: %s %s %s\n", line->kind, line->file, line->symbol);
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        give_up("faults FOLDER MACROSTEP REFUSE.so COMMANDS ALLOWED");
    const char *jobs = getenv("JOBS"), *seed = getenv("SEED"), *effort = getenv("EFFORT"),
               *kind = getenv("KIND");
    const int thrift = thrift_of(effort);
    bool chosen[FAULT_KINDS];
    int workers = jobs != NULL ? atoi(jobs) : 1;
    workers = workers < 1 ? 1 : workers > WORKERS ? WORKERS : workers;
    of = (fault_runner){argv[1], argv[2], argv[3]};
    random_state = seed != NULL && seed[0] != '\0' ? strtoull(seed, NULL, 10) : 1;
    printf("seed %llu\n", (unsigned long long)random_state);
    choose_kinds(kind, chosen);
    for (int k = FAULT_UNLINK; k < FAULT_INTERRUPT && thrift == 2 && (kind == NULL || kind[0] == '\0'); k++)
        chosen[k] = false; /* the short form has no time for them */
    const char *word = getenv("TEST");
    read_commands(argv[4], word != NULL && word[0] != '\0' ? word : NULL);
    read_allowed(argv[5]);
    make_folders(workers);
    fault_task *tasks = mmap(NULL, sizeof *tasks * (SAMPLE + FIRSTS) * COMMANDS * FAULT_KINDS,
                             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tasks == MAP_FAILED)
        give_up("not enough memory");
    const long n = make_tasks(tasks, chosen, thrift);
    fflush(NULL);
    for (int k = 0; k < workers; k++)
        if (fork() == 0) {
            work(k, workers, tasks, n);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    const long bad = show(tasks, n);
    if (thrift == 0 && (kind == NULL || kind[0] == '\0') && (word == NULL || word[0] == '\0'))
        name_idle(argv[5], is_sampled(chosen, thrift));
    printf("%ld commands, %ld refusals: %ld did not end well\n", (long)n_commands, n, bad);
    return bad > 0;
}
