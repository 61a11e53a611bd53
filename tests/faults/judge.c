/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - whether a run that was refused something has ended well. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf, realpath, strndup, memmem */
#endif
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "faults.h"

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

/* The tree without what clean runs do not leave, each name once: where something may not be removed it stays. */
static char *without_left(const char *files, const fault_command *c)
{
    char *text = strdup("");
    for (const char *at = strchr(files, '\f'); at != NULL; at = strchr(at + 1, '\f')) {
        char *known = entry_of(c->clean[0].files, at + 1, line_length(at + 1)), *longer = NULL,
             *again = entry_of(text, at + 1, line_length(at + 1));
        if (known != NULL && again == NULL &&
            asprintf(&longer, "%s%.*s", text, (int)(1 + strcspn(at + 1, "\f")), at) >= 0) {
            free(text);
            text = longer;
        }
        free(known);
        free(again);
    }
    return text;
}

/* How often a text says that something failed or is not known. */
static int confessions(const char *text)
{
    static const char *const words[] = {"-failed", "no-progress", "no-solution", "underflow", "null",
                                        "nan",     "not found",   "no-start",    "not held"};
    int n = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (const char *at = text; (at = strstr(at, words[k])) != NULL; at++)
            n++;
    return n;
}

/* Is the line about work, or about an error that round-off decides? */
static bool of_work(const char *text, const char *at)
{
    static const char *const words[] = {"_steps",       "iterations",     "sweeps",
                                        "integrations", "evaluations",    "seconds",
                                        "error",        "factorisations", "jacobians"};
    while (at > text && at[-1] != '\n')
        at--;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (memmem(at, line_length(at), words[k], strlen(words[k])) != NULL)
            return true;
    return false;
}

/* The same text but for numbers, which are close to each other, and for lines of work. */
static bool is_close(const char *text, const char *clean)
{
    for (const char *a = text, *b = clean; *a != '\0' || *b != '\0';) {
        char *behind_a, *behind_b;
        const double x = strtod(a, &behind_a), y = strtod(b, &behind_b);
        const bool numbers = behind_a > a && behind_b > b && (*a == ' ') == (*b == ' ');
        if (!numbers && *a != *b)
            return false;
        if (numbers && fabs(x - y) > 1e-8 + 1e-6 * fabs(y) && !of_work(clean, b))
            return false;
        a = numbers ? behind_a : a + 1;
        b = numbers ? behind_b : b + 1;
    }
    return true;
}

/* Does a run with status 0 whose answer is another one say so, or are its numbers the same up to tolerances? A solver that failed may
 * be tried again in another way. */
static bool is_honest(const fault_outcome *o, const fault_outcome *clean)
{
    return confessions(o->out) + confessions(o->files) + confessions(o->err) >
               confessions(clean->out) + confessions(clean->files) + confessions(clean->err) ||
           (is_close(o->out, clean->out) && is_close(o->files, clean->files));
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
static bool grows(const fault_command *c)
{
    return strncmp(c->line, "sweep ", 6) == 0;
}

/* The first name of a tree that is not, as it is, in that of a clean run; NULL: there is none. What was interrupted answers as far as it has come. */
static char *stranger(const char *files, const fault_command *c, fault_kind kind)
{
    char *name = NULL;
    for (const char *at = strchr(files, '\f'); at != NULL && name == NULL; at = strchr(at + 1, '\f')) {
        const size_t length = line_length(at + 1);
        char *mine = strndup(at, 1 + strcspn(at + 1, "\f"));
        char *clean = entry_of(c->clean[0].files, at + 1, length),
             *other = entry_of(c->clean[1].files, at + 1, length);
        if (clean == NULL || other == NULL ||
            !(kind == FAULT_INTERRUPT ||
              (grows(c) ? begins(mine, clean, other) : agrees(mine, clean, other))))
            name = strndup(at + 1, length);
        free(mine);
        free(clean);
        free(other);
    }
    return name;
}

/* How many lines of a text a clean one does not have; *more: the last of them. */
static int more_lines(const char *text, const char *clean, const char **more)
{
    int n = 0;
    for (; *text != '\0'; text = next_line(text)) {
        bool known = false;
        for (const char *c = clean; *c != '\0' && !known; c = next_line(c))
            known = same_line(c, text);
        if (!known)
            *more = text, n++;
    }
    return n;
}

/* That line if it is one alone; NULL otherwise. */
static const char *one_more_line(const char *text, const char *clean)
{
    const char *more = NULL;
    return more_lines(text, clean, &more) == 1 ? more : NULL;
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

const char *fault_report_line(const char *report, const char *word)
{
    for (; *report != '\0'; report = next_line(report))
        if (strncmp(report, word, strlen(word)) == 0)
            return report + strlen(word);
    return NULL;
}

/* The line of that kind with one of the places "FILE(SYMBOL+0x1) .."; -1: none. */
static int known_place(const fault_allowed_places *allowed, const char *kind, const char *places)
{
    char place[220];
    for (int k = 0; k < allowed->n; k++) {
        const char *symbol = allowed->line[k].symbol;
        snprintf(place, sizeof place, "%s(%s%s", allowed->line[k].file, symbol, symbol[0] != '\0' ? "+" : "");
        if (strcmp(allowed->line[k].kind, kind) == 0 && strstr(places, place) != NULL)
            return k;
    }
    return -1;
}

/* What is listed of where it was refused. */
static void forgive(fault_task *t, const char *refused, const fault_allowed_places *allowed)
{
    char places[2000];
    write_places(refused, 20, places, sizeof places);
    int known = known_place(allowed, "fatal", places);
    if (known < 0 && t->verdict != FAULT_SIGNALLED)
        known = known_place(allowed, "refused", places);
    if (known < 0 || t->verdict == FAULT_LEFT ||
        (t->verdict < FAULT_DIFFERS && t->verdict != FAULT_SIGNALLED))
        return;
    t->allowed = known;
    t->verdict = FAULT_KNOWN;
}

static bool holds(const char *line, const char *words)
{
    return memmem(line, line_length(line), words, strlen(words)) != NULL;
}

/* A line about memory says what it was for, and how much where the command asked itself (bench/refused.c); none gives as its reason
 * that all is well. */
static bool names_cause(const fault_task *t, const char *refused, const char *line)
{
    static const char bare[] = "macrostep: not enough memory";
    const bool own = t->kind == FAULT_MEMORY && refused != NULL && holds(refused, "(__wrap_");
    const char *rest = strncmp(line, bare, sizeof bare - 1) == 0 ? line + sizeof bare - 1 : NULL;
    const bool names_nothing =
        rest != NULL && (*rest == '\0' || *rest == '\n' || strncmp(rest, " (", 2) == 0);
    return !names_nothing && !holds(line, ": Success") && (!own || holds(line, " requested)"));
}

/* May a run in which such a call was refused end with that status, which is not 0? Input that cannot be read is bad input, too;
 * what is done by halves goes on. */
static bool may_end(fault_kind kind, int status)
{
    if (kind == FAULT_SHORT_READ || kind == FAULT_SHORT_WRITE)
        return false;
    if (kind == FAULT_INTERRUPT)
        return status == 130;
    return status == 1 ||
           (status == 2 && (kind == FAULT_OPEN || kind == FAULT_READ || kind == FAULT_LIBRARY));
}

static bool has_stranger(const fault_outcome *o, const fault_command *c)
{
    char *strange = stranger(o->files, c, FAULT_INTERRUPT);
    const bool has = strange != NULL;
    free(strange);
    return has;
}

/* Does the answer name a file that stayed because it could not be removed? */
static bool names_left(const fault_outcome *o, const fault_command *c)
{
    char *left = stranger(o->files, c, FAULT_UNLINK);
    const bool named = left != NULL && strstr(o->out, left) != NULL;
    free(left);
    return named;
}

/* Are these words those of a run that ended early? One that has answered so far says so there. */
static bool words_fit(fault_kind kind, const fault_outcome *o, const char *clean)
{
    const char *more = NULL;
    const int n = more_lines(o->err, clean, &more);
    if (kind == FAULT_INTERRUPT)
        return n == 0 || (n == 1 && strncmp(more, "macrostep: interrupted", 22) == 0);
    return n == 1 && strncmp(more, "macrostep: ", 11) == 0 && line_length(more) > 11;
}

static void judge_exit(fault_task *t, const fault_command *c, const fault_outcome *o, const char *report,
                       char *what, size_t size)
{
    const char *more = one_more_line(o->err, c->clean[0].err);
    char *files = t->kind == FAULT_UNLINK ? without_left(o->files, c) : strdup(o->files),
         *strange = stranger(files, c, t->kind);
    const int status = WEXITSTATUS(o->status);
    snprintf(what, size, "%.*s", more != NULL ? (int)line_length(more) : 200, more != NULL ? more : o->err);
    if (status == WEXITSTATUS(c->clean[0].status) && agrees(o->out, c->clean[0].out, c->clean[1].out) &&
        agrees(files, c->clean[0].files, c->clean[1].files))
        t->verdict = FAULT_DONE;
    else if (status == 0)
        t->verdict = (t->kind == FAULT_NUMERICS && is_honest(o, &c->clean[0])) ||
                             (t->kind == FAULT_UNLINK && names_left(o, c))
                         ? FAULT_CONFESSED
                         : FAULT_DIFFERS;
    else if (!may_end(t->kind, status))
        t->verdict = FAULT_STATUS_WRONG;
    else if (strange != NULL) {
        t->verdict = FAULT_LEFT;
        snprintf(what, size, "%s", strange);
    } else
        t->verdict = words_fit(t->kind, o, c->clean[0].err) ? FAULT_TOLD : FAULT_WORDS_WRONG;
    if (t->verdict == FAULT_TOLD && more != NULL &&
        !names_cause(t, fault_report_line(report, "refused "), more))
        t->verdict = FAULT_WORDS_WRONG;
    free(strange);
    free(files);
}

/* What differs from run to run: the worker's folder. */
static void make_alike(char *text)
{
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\n')
            *at = '~';
        if (strncmp(at, "/cwd", 4) == 0 && at > text)
            at[-1] = '.';
    }
}

void fault_judge(fault_task *t, const fault_command *c, const fault_outcome *o, const char *report,
                 const fault_allowed_places *allowed)
{
    const char *died = fault_report_line(report, "signal "), *refused = fault_report_line(report, "refused ");
    char place[400] = "", what[500] = "";
    if (WIFSIGNALED(o->status)) {
        const int number = WTERMSIG(o->status);
        write_places(died != NULL ? died : "", 2, place, sizeof place);
        t->allowed = known_place(allowed, "signal", place);
        t->verdict = number == SIGALRM                                                       ? FAULT_TIMED_OUT
                     : number == SIGINT && t->kind == FAULT_INTERRUPT && !has_stranger(o, c) ? FAULT_TOLD
                     : t->allowed >= 0                                                       ? FAULT_KNOWN
                                       : FAULT_SIGNALLED;
        const char *more = t->verdict == FAULT_SIGNALLED ? one_more_line(o->err, c->clean[0].err) : NULL;
        snprintf(what, sizeof what, "%s in %s%s%.*s", strsignal(number), place,
                 more != NULL ? ", saying " : "", more != NULL ? (int)line_length(more) : 0,
                 more != NULL ? more : "");
    } else
        judge_exit(t, c, o, report, what, sizeof what);
    write_places(refused != NULL ? refused : "", 4, place, sizeof place);
    forgive(t, refused != NULL ? refused : "", allowed);
    snprintf(t->text, sizeof t->text, "%s | refused in %s", what, place);
    make_alike(t->text);
}
