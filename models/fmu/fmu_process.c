/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_process.c - the program's side of FMUs in separate processes: starts, calls and ends processes.
 *
 * They run a separate program (macrostep-fmu, objects/isolated.c) and not a fork of this one, which may have threads holding
 * locks at the time. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np */

#include "fmu_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugin.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): POSIX has no header for it */

enum { POSTED = 8 }; /* calls that await their replies */

struct ms_fmu_process {
    ms_fmu_process *next; /* in the list of idle processes */
    pid_t id;             /* 0: it has ended */
    ms_fmu_channel channel;
    bool used;        /* it has had a component */
    int owed;         /* outstanding replies of posted calls */
    bool asks;        /* a step awaits an answer */
    ms_fmu_call last; /* so far */
    double *ahead;    /* (n_room) values read after the last step, by this group: */
    ms_fmu_group list;
    unsigned *reference; /* (n_room) of it */
    int n_room;
    bool known; /* they are still valid */
};

struct ms_fmu_processes {
    ms_fmu_process *first; /* of the idle processes */
    int n_late;            /* calls that took longer than they may */
    bool stays;            /* one of the late calls was to terminate or to free a component */
};

/* Protects all processes and their data. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Its end ------------------------------------------------------------------------------------------------ */

#define WORDS(name, words, fmi2, fmi3) {words, {fmi2, fmi3}},
static const struct {
    const char *words, *function[2];
} call_of[MS_FMU_CALL_COUNT] = {MS_FMU_CALLS(WORDS)};

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},   {SIGBUS, "SIGBUS"},
                 {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGSYS, "SIGSYS"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].number == number)
            return names[k].name;
    return "another signal";
}

/* Ends it unless it has ended, with all processes that it has started; returns its status as waitpid gives it. */
static int reap(ms_fmu_process *process, bool kills)
{
    int how = 0;
    siginfo_t ended;
    if (kills)
        kill(process->id, SIGKILL);
    while (waitid(P_PID, (id_t)process->id, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    kill(-process->id, SIGKILL); /* before the number can be reused */
    while (waitpid(process->id, &how, 0) < 0 && errno == EINTR)
        continue;
    ms_fmu_channel_close(&process->channel);
    process->id = 0;
    return how;
}

/* Functions for values are called Get and Set followed by the type; other calls have no type. */
static const char *type_of(bool fmi3, ms_fmu_call call, ms_fmu_type type)
{
    if (call != MS_FMU_GET && call != MS_FMU_SET)
        return "";
    if (fmi3)
        return ms_fmu_type_names[type == MS_FMU_ENUMERATION ? MS_FMU_INT64 : type];
    return type == MS_FMU_FLOAT64 ? "Real" : type == MS_FMU_BOOLEAN ? "Boolean" : "Integer";
}

static void tell_late(const ms_fmu *fmu, ms_fmu_process *process, int doing, char *text, size_t size)
{
    const ms_fmu_call call = (ms_fmu_call)(doing % MS_FMU_CALL_COUNT);
    const char *slash = strrchr(fmu->path, '/'), *name = slash != NULL ? slash + 1 : fmu->path;
    const bool fmi3 = fmu->description->fmi == 3;
    const char *function = call_of[call].function[fmi3];
    if (function == NULL)
        snprintf(text, size, "%s took longer than the %.9g s of `call-timeout` while %s", name,
                 fmu->use.call_timeout, call_of[call].words);
    else
        snprintf(text, size, "fmi%d%s%s of %s took longer than the %.9g s of `call-timeout`", fmi3 ? 3 : 2,
                 function, type_of(fmi3, call, (ms_fmu_type)(doing / MS_FMU_CALL_COUNT)), name,
                 fmu->use.call_timeout);
    reap(process, true);
    pthread_mutex_lock(&lock);
    fmu->processes->n_late++;
    fmu->processes->stays = fmu->processes->stays || call == MS_FMU_TERMINATE || call == MS_FMU_FREE;
    pthread_mutex_unlock(&lock);
}

static void tell_end(ms_fmu_process *process, int doing, char *text, size_t size)
{
    const int how = reap(process, true);
    const char *words = call_of[doing % MS_FMU_CALL_COUNT].words;
    if (WIFSIGNALED(how))
        snprintf(text, size, "its process was ended by signal %d (%s) while %s", WTERMSIG(how),
                 signal_name(WTERMSIG(how)), words);
    else
        snprintf(text, size, "it has ended its process, with exit status %d, while %s", WEXITSTATUS(how),
                 words);
}

static void tell(const ms_fmu *fmu, ms_fmu_process *process, int doing, ms_fmu_passage passage, char *text,
                 size_t size)
{
    if (passage == MS_FMU_LATE)
        tell_late(fmu, process, doing, text, size);
    else
        tell_end(process, doing, text, size);
}

/* Does it get time to close its binary? */
static void end(ms_fmu_process *process, bool in_peace)
{
    ms_fmu_request request = {.call = MS_FMU_END};
    ms_fmu_reply reply;
    if (process->id != 0) {
        if (in_peace)
            in_peace =
                ms_fmu_send(&process->channel, &(struct iovec){&request, sizeof request}, 1, true) ==
                    MS_FMU_PASSED &&
                ms_fmu_receive(&process->channel, &(struct iovec){&reply, sizeof reply}, 1) == MS_FMU_PASSED;
        reap(process, !in_peace);
    }
    MS_FREE(process->ahead, process->reference, process);
}

/* Its start ---------------------------------------------------------------------------------------------- */

/* Its standard output is standard error, so that answers stay clean. Signals that a terminal sends to the group reach only the program,
 * whose end ends it too. */
static int set_up(posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes, int memory)
{
    static const int not_its_own[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTOU};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t k = 0; k < sizeof not_its_own / sizeof *not_its_own; k++)
        sigaddset(&blocked, not_its_own[k]);
    int status = posix_spawn_file_actions_adddup2(files, memory, STDERR_FILENO + 1);
    if (status == 0) /* it does not inherit files of the program either */
        status = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 2);
    if (status == 0)
        status = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
    if (status == 0)
        status = posix_spawnattr_setsigmask(attributes, &blocked);
    if (status == 0) /* a process group of its own, including processes that it starts */
        status = posix_spawnattr_setpgroup(attributes, 0);
    return status == 0 ? posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP)
                       : status;
}

static int spawn(const char *program, char *const *arguments, int memory, pid_t *id)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int status = posix_spawn_file_actions_init(&files);
    if (status != 0)
        return status;
    status = posix_spawnattr_init(&attributes);
    if (status == 0) {
        status = set_up(&files, &attributes, memory);
        if (status == 0)
            status = posix_spawn(id, program, &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return status;
}

/* Waits for the first reply: whether it has opened the binary. */
static int hear(const ms_fmu *fmu, ms_fmu_process *process, ms_error *error)
{
    char why[200];
    ms_error line = {""};
    ms_fmu_reply reply;
    struct iovec part[] = {{&reply, sizeof reply}, {line.text, sizeof line.text}};
    const ms_fmu_passage passage = ms_fmu_receive(&process->channel, part, 2);
    if (passage == MS_FMU_PASSED && reply.answer == MS_FMU_CALL_COUNT)
        return reply.status == MS_OK ? MS_OK : ms_fail(error, reply.status, "%s", line.text);
    tell(fmu, process, MS_FMU_OPEN, passage, why, sizeof why);
    return ms_fail(error, MS_SOLVER_FAILED, "%s: %s", fmu->path, why);
}

static int start(const ms_fmu *fmu, ms_fmu_process *process, ms_error *error)
{
    char kind[MS_FMU_KINDS][2] = {[MS_FMU_CO_SIMULATION] = "c", [MS_FMU_MODEL_EXCHANGE] = "m"};
    char name[] = "macrostep-fmu";
    char program[PATH_MAX], self[16];
    char *const arguments[] = {
        name, kind[fmu->kind], (char *)ms_fmu_archive_folder(fmu->archive), (char *)fmu->path, self, NULL};
    if (ms_plugin_find(name, program, error) != MS_OK)
        return MS_UNSUPPORTED;
    const int memory = ms_fmu_channel_create(&process->channel);
    if (memory < 0)
        return ms_fail(error, MS_IO, "%s: there is no memory to share with its process: %s", fmu->path,
                       strerror(errno));
    snprintf(self, sizeof self, "%ld", (long)getpid());
    const int status = spawn(program, arguments, memory, &process->id);
    close(memory);
    process->channel.process = process->id;
    process->channel.patience = fmu->use.call_timeout;
    if (status == 0)
        return hear(fmu, process, error);
    process->id = 0;
    ms_fmu_channel_close(&process->channel);
    return ms_fail(error, MS_IO, "%s: its process does not start: %s: %s", fmu->path, program,
                   strerror(status));
}

/* Number of values of outputs and states. */
static int room_for(const ms_fmu_description *d)
{
    int n = 1;
    for (int k = 0; k < d->n_outputs; k++)
        n += d->variables[d->outputs[k].variable].size;
    for (int k = 0; k < d->n_derivatives; k++)
        n += d->variables[d->derivatives[k].variable].size;
    return n;
}

static int create(const ms_fmu *fmu, ms_fmu_process **process, ms_error *error)
{
    ms_fmu_process *p = *process = calloc(1, sizeof *p);
    if (p != NULL)
        p->n_room = room_for(fmu->description);
    if (p == NULL || (p->ahead = calloc((size_t)p->n_room, sizeof *p->ahead)) == NULL ||
        (p->reference = calloc((size_t)p->n_room, sizeof *p->reference)) == NULL) {
        if (p != NULL)
            free(p->ahead);
        free(p);
        *process = NULL;
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for its process", fmu->path);
    }
    const int status = start(fmu, p, error);
    if (status != MS_OK) {
        end(p, false);
        *process = NULL;
    }
    return status;
}

/* Those that wait ---------------------------------------------------------------------------------------- */

int ms_fmu_processes_start(ms_fmu *fmu, ms_error *error)
{
    fmu->processes = calloc(1, sizeof *fmu->processes);
    if (fmu->processes == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for its process", fmu->path);
    return create(fmu, &fmu->processes->first, error);
}

void ms_fmu_processes_end(ms_fmu *fmu)
{
    ms_fmu_process *first = fmu->processes != NULL ? fmu->processes->first : NULL;
    while (first != NULL) {
        ms_fmu_process *next = first->next;
        end(first, true);
        first = next;
    }
    free(fmu->processes);
    fmu->processes = NULL;
}

ms_fmu_process *ms_fmu_process_take(ms_fmu_component *c)
{
    ms_error error = {""};
    pthread_mutex_lock(&lock);
    ms_fmu_process *process = c->fmu->processes->first;
    if (process != NULL)
        c->fmu->processes->first = process->next;
    pthread_mutex_unlock(&lock);
    if (process == NULL && create(c->fmu, &process, &error) != MS_OK)
        ms_fmu_voice_say(c->voice, MS_FMI_FATAL, error.text);
    return process;
}

int ms_fmu_late_calls(const ms_fmu *fmu)
{
    pthread_mutex_lock(&lock);
    const int n = fmu->processes != NULL ? fmu->processes->n_late : 0;
    pthread_mutex_unlock(&lock);
    return n;
}

bool ms_fmu_process_stays(const ms_fmu_component *c)
{
    if (c->process == NULL)
        return false;
    pthread_mutex_lock(&lock);
    const bool stays = c->fmu->processes->stays;
    pthread_mutex_unlock(&lock);
    return stays;
}

bool ms_fmu_process_renew(ms_fmu_component *c)
{
    ms_error error = {""};
    if (c->process == NULL || !c->process->used)
        return false;
    end(c->process, c->process->id != 0);
    return create(c->fmu, &c->process, &error) == MS_OK;
}

void ms_fmu_process_give_back(ms_fmu_component *c)
{
    ms_fmu_process *process = c->process;
    c->process = NULL;
    if (process == NULL)
        return;
    const bool lost = process->id == 0 || c->stage >= MS_FMU_LOST;
    if (lost || ms_fmu_flags_of(c->fmu)->only_once_per_process) {
        end(process, !lost);
        return;
    }
    process->list.n_values = 0; /* those of the next component may differ, at the same address */
    process->known = false;
    process->used = true;
    pthread_mutex_lock(&lock);
    process->next = c->fmu->processes->first;
    c->fmu->processes->first = process;
    pthread_mutex_unlock(&lock);
}

/* Calls -------------------------------------------------------------------------------------------------- */

static size_t size_of(const struct iovec *part, int n)
{
    size_t size = 0;
    for (int k = 0; k < n; k++)
        size += part[k].iov_len;
    return size;
}

/* Reports the call during which it died, also if that was posted. */
static int died(ms_fmu_component *c, ms_fmu_call call, ms_fmu_passage passage)
{
    char text[300];
    const int doing = ms_fmu_channel_doing(&c->process->channel);
    const bool known = doing >= 0 && doing < MS_FMU_DOING(0, MS_FMU_TYPES);
    tell(c->fmu, c->process, known ? doing : (int)call, passage, text, sizeof text);
    ms_fmu_voice_say(c->voice, MS_FMI_FATAL, text);
    return MS_FMI_FATAL;
}

/* Receives a reply without its arrays; notes messages of its logger. */
static ms_fmu_passage hear_reply(ms_fmu_component *c, ms_fmu_reply *reply)
{
    char said[sizeof c->voice->said] = "";
    ms_fmu_channel *channel = &c->process->channel;
    ms_fmu_passage passage = ms_fmu_receive(channel, &(struct iovec){reply, sizeof *reply}, 1);
    if (passage != MS_FMU_PASSED || !reply->said)
        return passage;
    passage = ms_fmu_receive(channel, &(struct iovec){said, sizeof said}, 1);
    said[sizeof said - 1] = '\0';
    if (passage == MS_FMU_PASSED)
        ms_fmu_voice_say(c->voice, reply->severity, said);
    return passage;
}

static ms_fmu_passage send_request(const ms_fmu_component *c, ms_fmu_request *request, const struct iovec *in,
                                   int n_in)
{
    enum { PARTS = 4 };
    struct iovec part[PARTS] = {{request, sizeof *request}};
    request->size = size_of(in, n_in);
    for (int k = 0; k < n_in; k++)
        part[k + 1] = in[k];
    return ms_fmu_send(&c->process->channel, part, 1 + n_in, !request->posted);
}

/* A question within a step is answered by calls; this call is not one of them. */
static ms_fmu_passage answer(ms_fmu_component *c, const ms_fmu_reply *question)
{
    ms_fmu_request request = {.call = MS_FMU_GO_ON};
    c->process->asks = true;
    if (c->intermediate != NULL)
        c->intermediate(c->self, question->value, question->first, question->second);
    c->process->asks = false;
    return c->process->id != 0 ? send_request(c, &request, NULL, 0) : MS_FMU_GONE;
}

/* Receives outstanding replies of posted calls. */
static ms_fmu_passage hear_posted(ms_fmu_component *c)
{
    ms_fmu_passage passage = MS_FMU_PASSED;
    ms_fmu_reply reply;
    for (; c->process->owed > 0 && passage == MS_FMU_PASSED; c->process->owed--)
        passage = hear_reply(c, &reply);
    return passage;
}

int ms_fmu_process_call(ms_fmu_component *c, ms_fmu_request *request, struct iovec *in, int n_in,
                        ms_fmu_reply *reply, struct iovec *out, int n_out)
{
    if (c->process->id == 0)
        return MS_FMI_FATAL;
    c->process->known = false;
    c->process->last = request->call;
    request->answer = size_of(out, n_out);
    const ms_fmu_passage sent = send_request(c, request, in, n_in);
    ms_fmu_passage passage = hear_posted(c);
    passage = passage == MS_FMU_PASSED ? sent : passage;
    if (passage == MS_FMU_PASSED)
        passage = hear_reply(c, reply);
    while (passage == MS_FMU_PASSED && reply->asks) {
        passage = answer(c, reply);
        if (passage == MS_FMU_PASSED)
            passage = hear_reply(c, reply);
    }
    if (passage == MS_FMU_PASSED && reply->answer > 0)
        passage = ms_fmu_receive(&c->process->channel, out, n_out);
    if (passage != MS_FMU_PASSED)
        return c->process->id != 0 ? died(c, request->call, passage) : MS_FMI_FATAL;
    return reply->status;
}

int ms_fmu_process_post(ms_fmu_component *c, ms_fmu_request *request, struct iovec *in, int n_in)
{
    ms_fmu_process *p = c->process;
    ms_fmu_reply reply;
    request->posted = c->stage == MS_FMU_INITIALISED && !p->asks && p->owed < POSTED && p->id != 0;
    if (!request->posted)
        return ms_fmu_process_call(c, request, in, n_in, &reply, NULL, 0);
    p->owed++;
    p->known = false;
    p->last = request->call;
    (void)send_request(c, request, in, n_in); /* the next call notices if the process has ended */
    return MS_FMI_OK;
}

static bool is_same(const ms_fmu_group *g, const ms_fmu_group *h)
{
    return g->type == h->type && g->n == h->n && g->n_values == h->n_values &&
           memcmp(g->reference, h->reference, sizeof *g->reference * (size_t)g->n) == 0;
}

int ms_fmu_process_get(ms_fmu_component *c, const ms_fmu_group *g, double *value)
{
    ms_fmu_process *p = c->process;
    ms_fmu_reply reply;
    const size_t bytes = sizeof *g->reference * (size_t)g->n;
    if (p->known && is_same(g, &p->list)) {
        memcpy(value, p->ahead, sizeof *value * (size_t)g->n_values);
        return MS_FMI_OK;
    }
    ms_fmu_request request = {.call = MS_FMU_GET, .type = g->type, .n = g->n, .m = g->n_values};
    request.flag = p->last == MS_FMU_STEP && !p->asks && g->n <= p->n_room && g->n_values <= p->n_room;
    if (request.flag) {
        memcpy(p->reference, g->reference, bytes);
        p->list =
            (ms_fmu_group){.type = g->type, .n = g->n, .n_values = g->n_values, .reference = p->reference};
    }
    return ms_fmu_process_call(c, &request, &(struct iovec){(void *)g->reference, bytes}, 1, &reply,
                               &(struct iovec){value, sizeof *value * (size_t)g->n_values}, 1);
}

int ms_fmu_process_step(ms_fmu_component *c, ms_fmu_request *request, ms_fmu_reply *reply)
{
    ms_fmu_process *p = c->process;
    struct iovec ahead = {p->ahead, sizeof *p->ahead * (size_t)p->list.n_values};
    const int status = ms_fmu_process_call(c, request, NULL, 0, reply, &ahead, p->list.n_values > 0);
    p->known = status <= MS_FMI_WARNING && reply->answer > 0;
    p->last = MS_FMU_STEP; /* whatever call it has asked for */
    return status;
}
