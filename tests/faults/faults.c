/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.c - runs commands of macrostep with one allocation after the other refused, and judges what came of it.
 *
 *     faults FOLDER MACROSTEP REFUSE.so COMMANDS ALLOWED
 *
 * Each run has an empty folder of its own, FOLDER/K/cwd, and is compared with two that were refused nothing; lines that these
 * do not agree on (times) are left aside. A run may end with status 0 and the same answer, or with status 1, one more line
 * on standard error, which begins with the program's name, and no file that the answer does not have. Nothing else is well,
 * but what ALLOWED lists: "signal FILE SYMBOL", where the process dies inside of a library; "refused FILE [SYMBOL]" and "fatal FILE
 * [SYMBOL]", where what was refused below that decides, in the second case over life and death. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw, wait4 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
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
    WORDS = 40,
    ALLOWED = 20,
    SAMPLE = 400,      /* runs of a command at most */
    SAMPLE_SHORT = 24, /* where EFFORT=short */
    SECONDS = 30,      /* of a run at most */
    WORKERS = 64
};

enum verdict { DONE, TOLD, SIGNALLED, KNOWN, TIMED_OUT, DIFFERS, LEFT, WORDS_WRONG, STATUS_WRONG, VERDICTS };

static const char *const verdict_words[VERDICTS] = {[DONE] = "status 0, same answer",
                                                    [TOLD] = "status 1, one line",
                                                    [SIGNALLED] = "signal",
                                                    [KNOWN] = "in a library, listed",
                                                    [TIMED_OUT] = "no end",
                                                    [DIFFERS] = "status 0, another answer",
                                                    [LEFT] = "files left",
                                                    [WORDS_WRONG] = "status 1, but not one line",
                                                    [STATUS_WRONG] = "another exit status"};

typedef struct outcome {
    int status; /* as waitpid has it */
    char *out, *err, *files;
} outcome;

typedef struct command {
    char *line;
    long allocations;
    outcome clean[2];
} command;

typedef struct task {
    int command;
    long at;
    enum verdict verdict;
    int allowed;    /* its line where KNOWN */
    char text[800]; /* what happened, and where */
} task;

static const char *folder, *program, *preload;
static command commands[COMMANDS];
static int n_commands;
static struct {
    char kind[10], file[100], symbol[100]; /* symbol: "" where any will do */
    long seen;
} allowed[ALLOWED];
static int n_allowed;

static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

/* Files -------------------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
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
        char *text = read_file(path);
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

static void be_command(const char *line, const char *cwd, const char *out, const char *err,
                       const char *report, long at)
{
    char *word[WORDS], number[32], *copy = strdup(line);
    int n = 0;
    word[n++] = strdup(program);
    for (char *c = strtok(copy, " "); c != NULL && n < WORDS - 1; c = strtok(NULL, " "))
        word[n++] = c;
    word[n] = NULL;
    snprintf(number, sizeof number, "%ld", at);
    setenv("FAULT_AT", number, 1);
    setenv("FAULT_REPORT", report, 1);
    setenv("LD_PRELOAD", preload, 1);
    setenv("TMPDIR", cwd, 1);
    if (chdir(cwd) != 0 || freopen("/dev/null", "r", stdin) == NULL || freopen(out, "w", stdout) == NULL ||
        freopen(err, "w", stderr) == NULL)
        _exit(126);
    alarm(SECONDS);
    execv(program, word);
    _exit(127);
}

/* Runs a command; *report: the text of refuse.c. */
static outcome run(int worker, const char *line, long at, char **report)
{
    char place[5][600];
    static const char *const names[5] = {"cwd", "out", "err", "report", "in"};
    for (int k = 0; k < 4; k++)
        snprintf(place[k], sizeof place[k], "%s/%d/%s", folder, worker, names[k]);
    unlink(place[3]);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        be_command(line, place[0], place[1], place[2], place[3], at);
    outcome o = {0};
    while (waitpid(child, &o.status, 0) < 0 && errno == EINTR)
        ;
    o.out = read_file(place[1]);
    o.err = read_file(place[2]);
    o.files = read_tree(place[0]);
    *report = read_file(place[3]);
    nftw(place[0], remove_entry, 20, FTW_DEPTH | FTW_PHYS);
    return o;
}

static void outcome_destroy(outcome *o)
{
    free(o->out);
    free(o->err);
    free(o->files);
}

/* Judgement ---------------------------------------------------------------------------------------------- */

static size_t line_length(const char *text)
{
    return strcspn(text, "\n");
}

static bool same_line(const char *a, const char *b)
{
    return line_length(a) == line_length(b) && strncmp(a, b, line_length(a)) == 0;
}

static const char *next_line(const char *text)
{
    text += line_length(text);
    return *text == '\n' ? text + 1 : text;
}

/* Does a text say what two clean ones say where they agree? */
static bool agrees(const char *text, const char *clean, const char *other)
{
    while (*text != '\0' && *clean != '\0' && *other != '\0') {
        if (same_line(clean, other) && !same_line(text, clean))
            return false;
        text = next_line(text), clean = next_line(clean), other = next_line(other);
    }
    return *text == *clean;
}

/* The part of a tree that a file is, as text of its own. */
static char *entry_of(const char *files, const char *name, size_t length)
{
    for (const char *c = strchr(files, '\f'); c != NULL; c = strchr(c + 1, '\f'))
        if (strncmp(c + 1, name, length) == 0 && c[1 + length] == '\n')
            return strndup(c, 1 + strcspn(c + 1, "\f"));
    return NULL;
}

/* Does a text begin as two clean ones do where these agree? */
static bool begins(const char *text, const char *clean, const char *other)
{
    while (*text != '\0' && *clean != '\0' && *other != '\0') {
        if (same_line(clean, other) && !same_line(text, clean))
            return false;
        text = next_line(text), clean = next_line(clean), other = next_line(other);
        if (strcmp(text, "\n") == 0) /* what ends a file in a tree */
            return true;
    }
    return *text == '\0';
}

/* The files of a sweep hold the rows that are done, at every moment, for --resume to go on in. */
static bool grows(const command *c)
{
    return strncmp(c->line, "sweep ", 6) == 0;
}

/* The first name of a tree that is not, as it is, in that of a clean run; NULL: there is none. */
static char *stranger(const char *files, const command *c)
{
    char *name = NULL;
    for (const char *at = strchr(files, '\f'); at != NULL && name == NULL; at = strchr(at + 1, '\f')) {
        const size_t length = line_length(at + 1);
        char *mine = strndup(at, 1 + strcspn(at + 1, "\f"));
        char *clean = entry_of(c->clean[0].files, at + 1, length),
             *other = entry_of(c->clean[1].files, at + 1, length);
        if (clean == NULL || other == NULL ||
            !(grows(c) ? begins(mine, clean, other) : agrees(mine, clean, other)))
            name = strndup(at + 1, length);
        free(mine);
        free(clean);
        free(other);
    }
    return name;
}

/* The line of a text that a clean one does not have, if it is one line alone; NULL otherwise. */
static const char *one_more_line(const char *text, const char *clean)
{
    const char *more = NULL;
    int n = 0;
    for (; *text != '\0'; text = next_line(text)) {
        bool known = false;
        for (const char *c = clean; *c != '\0' && !known; c = next_line(c))
            known = same_line(c, text);
        if (!known)
            more = text, n++;
    }
    return n == 1 ? more : NULL;
}

static const char *base(const char *path)
{
    return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
}

/* Shortens "PATH(SYMBOL+0x1) < .." to the first places outside libc, by the names of their files in full. */
static void write_places(const char *line, int most, char *text, size_t size)
{
    char *copy = strndup(line, line_length(line)), *rest = NULL;
    size_t used = 0;
    text[0] = '\0';
    for (char *place = strtok_r(copy, " <", &rest); place != NULL && most > 0 && used < size;
         place = strtok_r(NULL, " <", &rest)) {
        char *paren = strchr(place, '('), full[4096];
        if (paren == NULL)
            continue;
        *paren = '\0';
        const char *file = realpath(place, full) != NULL ? base(full) : base(place);
        if (strncmp(file, "libc.so", 7) == 0)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s(%s", used > 0 ? " " : "", file, paren + 1);
        most--;
    }
    free(copy);
}

static const char *report_line(const char *report, const char *word)
{
    for (; *report != '\0'; report = next_line(report))
        if (strncmp(report, word, strlen(word)) == 0)
            return report + strlen(word);
    return NULL;
}

/* The line of that kind with one of the places "FILE(SYMBOL+0x1) .."; -1: none. */
static int known_place(const char *kind, const char *places)
{
    char place[220];
    for (int k = 0; k < n_allowed; k++) {
        const char *symbol = allowed[k].symbol;
        snprintf(place, sizeof place, "%s(%s%s", allowed[k].file, symbol, symbol[0] != '\0' ? "+" : "");
        if (strcmp(allowed[k].kind, kind) == 0 && strstr(places, place) != NULL)
            return k;
    }
    return -1;
}

/* What is listed of where it was refused. */
static void forgive(task *t, const char *refused)
{
    char places[2000];
    write_places(refused, 20, places, sizeof places);
    int known = known_place("fatal", places);
    if (known < 0 && t->verdict != SIGNALLED)
        known = known_place("refused", places);
    if (known < 0 || t->verdict == LEFT || (t->verdict < DIFFERS && t->verdict != SIGNALLED))
        return;
    t->allowed = known;
    t->verdict = KNOWN;
}

static void judge_exit(task *t, const command *c, const outcome *o, char *what, size_t size)
{
    const char *more = one_more_line(o->err, c->clean[0].err);
    char *strange = stranger(o->files, c);
    const int status = WEXITSTATUS(o->status);
    snprintf(what, size, "%.*s", more != NULL ? (int)line_length(more) : 200, more != NULL ? more : o->err);
    if (status == WEXITSTATUS(c->clean[0].status) && agrees(o->out, c->clean[0].out, c->clean[1].out) &&
        agrees(o->files, c->clean[0].files, c->clean[1].files))
        t->verdict = DONE;
    else if (status == 0)
        t->verdict = DIFFERS;
    else if (status != 1)
        t->verdict = STATUS_WRONG;
    else if (strange != NULL) {
        t->verdict = LEFT;
        snprintf(what, size, "%s", strange);
    } else
        t->verdict = more != NULL && strncmp(more, "macrostep: ", 11) == 0 && line_length(more) > 11
                         ? TOLD
                         : WORDS_WRONG;
    free(strange);
}

static void judge(task *t, const outcome *o, const char *report)
{
    const command *c = &commands[t->command];
    const char *died = report_line(report, "signal "), *refused = report_line(report, "refused ");
    char place[400] = "", what[400] = "";
    if (WIFSIGNALED(o->status)) {
        const int number = WTERMSIG(o->status);
        write_places(died != NULL ? died : "", 2, place, sizeof place);
        t->allowed = known_place("signal", place);
        t->verdict = number == SIGALRM ? TIMED_OUT : t->allowed >= 0 ? KNOWN : SIGNALLED;
        snprintf(what, sizeof what, "%s in %s", strsignal(number), place);
    } else
        judge_exit(t, c, o, what, sizeof what);
    write_places(refused != NULL ? refused : "", 4, place, sizeof place);
    forgive(t, refused != NULL ? refused : "");
    snprintf(t->text, sizeof t->text, "%s | refused in %s", what, place);
    for (char *at = t->text; *at != '\0'; at++)
        *at = (char)(*at == '\n' ? '~' : *at);
}

/* All of them ------------------------------------------------------------------------------------------- */

static void read_commands(const char *path, const char *word)
{
    char *text = read_file(path);
    for (char *line = strtok(text, "\n"); line != NULL && n_commands < COMMANDS; line = strtok(NULL, "\n"))
        if (line[0] != '#' && (word == NULL || strstr(line, word) != NULL))
            commands[n_commands++].line = line;
}

static void read_allowed(const char *path)
{
    char *text = read_file(path);
    for (char *line = strtok(text, "\n"); line != NULL && n_allowed < ALLOWED; line = strtok(NULL, "\n"))
        if (line[0] != '#' && sscanf(line, "%9s %99s %99s", allowed[n_allowed].kind, allowed[n_allowed].file,
                                     allowed[n_allowed].symbol) >= 2)
            n_allowed++;
}

static void measure(command *c)
{
    char *report;
    for (int k = 0; k < 2; k++) {
        c->clean[k] = run(0, c->line, 0, &report);
        const char *count = report_line(report, "count ");
        c->allocations = count != NULL ? strtol(count, NULL, 10) : 0;
        if (!WIFEXITED(c->clean[k].status) || WEXITSTATUS(c->clean[k].status) != 0 || c->allocations == 0)
            give_up("macrostep %s: does not work: %s%s", c->line, c->clean[k].err, report);
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

static void work(int worker, int workers, task *tasks, long n)
{
    for (long i = worker; i < n; i += workers) {
        char *report;
        outcome o = run(worker, commands[tasks[i].command].line, tasks[i].at, &report);
        judge(&tasks[i], &o, report);
        outcome_destroy(&o);
        free(report);
    }
}

static void make_folders(int workers)
{
    char path[600];
    for (int k = 0; k < workers; k++) {
        snprintf(path, sizeof path, "%s/%d", folder, k);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%d/cwd", folder, k);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%d/in", folder, k);
        if (symlink("../in", path) != 0)
            give_up("%s: %s", path, strerror(errno));
    }
}

static int by_verdict(const void *a, const void *b)
{
    const task *s = a, *t = b;
    const int order = (int)s->verdict - (int)t->verdict;
    return order != 0                      ? order
           : strcmp(s->text, t->text) != 0 ? strcmp(s->text, t->text)
                                           : s->command - t->command;
}

/* Every text of a verdict once, with an example of it. Returns how many runs did not end well. */
static long show(task *tasks, long n)
{
    long count[VERDICTS] = {0}, bad = 0;
    qsort(tasks, (size_t)n, sizeof *tasks, by_verdict);
    for (long i = 0, from = 0; i < n; i++) {
        const task *t = &tasks[i];
        count[t->verdict]++;
        bad += t->verdict != DONE && t->verdict != TOLD && t->verdict != KNOWN;
        if (t->verdict == KNOWN)
            allowed[t->allowed].seen++;
        if (i + 1 < n && tasks[i + 1].verdict == t->verdict && strcmp(tasks[i + 1].text, t->text) == 0)
            continue;
        if (t->verdict > TOLD && t->verdict != KNOWN)
            printf("%5ld  %s: %s\n       FAULT_AT=%ld macrostep %s\n", i + 1 - from,
                   verdict_words[t->verdict], t->text, t->at, commands[t->command].line);
        from = i + 1;
    }
    for (int k = 0; k < VERDICTS; k++)
        printf("%6ld  %s\n", count[k], verdict_words[k]);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        give_up("faults FOLDER MACROSTEP REFUSE.so COMMANDS ALLOWED");
    const char *jobs = getenv("JOBS"), *seed = getenv("SEED"), *effort = getenv("EFFORT");
    const bool brief = effort != NULL && strcmp(effort, "short") == 0;
    const long most = brief ? SAMPLE_SHORT : SAMPLE;
    int workers = jobs != NULL ? atoi(jobs) : 1;
    workers = workers < 1 ? 1 : workers > WORKERS ? WORKERS : workers;
    folder = argv[1], program = argv[2], preload = argv[3];
    random_state = seed != NULL && seed[0] != '\0' ? strtoull(seed, NULL, 10) : 1;
    printf("seed %llu, at most %ld refusals of a command\n", (unsigned long long)random_state, most);
    const char *word = getenv("TEST");
    read_commands(argv[4], word != NULL && word[0] != '\0' ? word : NULL);
    read_allowed(argv[5]);
    make_folders(workers);
    task *tasks = mmap(NULL, sizeof *tasks * (size_t)most * COMMANDS, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tasks == MAP_FAILED)
        give_up("not enough memory");
    long n = 0;
    for (int c = 0; c < n_commands; c++) {
        measure(&commands[c]);
        printf("%7ld allocations  macrostep %s\n", commands[c].allocations, commands[c].line);
        for (long k = 0; k < (commands[c].allocations < most ? commands[c].allocations : most); k++)
            tasks[n++] = (task){.command = c, .at = choose(commands[c].allocations, most, k)};
    }
    fflush(NULL);
    for (int k = 0; k < workers; k++)
        if (fork() == 0) {
            work(k, workers, tasks, n);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    const long bad = show(tasks, n);
    for (int k = 0; k < n_allowed; k++)
        if (!brief && word == NULL && allowed[k].seen == 0)
            give_up("%s: nothing needs %s %s %s any more", argv[5], allowed[k].kind, allowed[k].file,
                    allowed[k].symbol);
    printf("%ld commands, %ld refusals: %ld did not end well\n", (long)n_commands, n, bad);
    return bad > 0;
}
