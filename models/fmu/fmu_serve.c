/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_serve.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu_process.h"
#include "growing.h"

typedef struct buffer {
    char *at;
    size_t size;
} buffer;

typedef struct server {
    ms_fmu_channel channel;
    ms_fmu *fmu;
    ms_fmu_component c;      /* instance NULL: none */
    buffer in, out, states;  /* states: n_states of the component not yet freed */
    size_t n_states, n_work; /* n_work: size of the component's work in doubles */
    buffer list;             /* references of ... */
    ms_fmu_group behind;     /* ... the variables read after a step */
    bool ahead;              /* they have been read ahead as well */
    int failed; /* status of a failed posted call: also that of the following ones up to one that is not posted */
    int last_severity; /* the severity of its logger's message, and the message */
    char line[sizeof((ms_fmu_voice *)0)->said];
} server;

/* The channel -------------------------------------------------------------------------------------------- */

static bool grow(buffer *b, size_t size)
{
    if (size <= b->size)
        return true;
    free(b->at);
    b->at = calloc(size, 1);
    b->size = b->at != NULL ? size : 0;
    return b->at != NULL;
}

/* Sends a reply with what the logger has said since the last one. */
static bool send_reply(server *s, ms_fmu_reply *reply, const void *arrays, size_t size, bool wakes)
{
    const ms_fmu_voice *voice = s->c.voice;
    reply->said = voice != NULL && (voice->severity != s->last_severity || strcmp(voice->said, s->line) != 0);
    reply->answer = size;
    struct iovec part[] = {
        {reply, sizeof *reply}, {s->line, reply->said ? sizeof s->line : 0}, {(void *)arrays, size}};
    if (reply->said) {
        reply->severity = s->last_severity = voice->severity;
        memcpy(s->line, voice->said, sizeof s->line);
    }
    return ms_fmu_send(&s->channel, part, 3, wakes) == MS_FMU_PASSED;
}

/* Life --------------------------------------------------------------------------------------------------- */

static int instantiate(server *s, const ms_fmu_request *r)
{
    const ms_fmu_setup setup = {.instance_name = s->in.at, .intermediate_update = r->flag};
    s->c = (ms_fmu_component){.fmu = s->fmu, .start_time = r->a, .stop_time = r->b, .tolerance = r->c};
    s->c.voice = ms_fmu_voice_take(&s->c);
    s->n_work = ms_fmu_most_values(s->fmu->description) + 1;
    s->c.work = calloc(s->n_work, sizeof *s->c.work);
    s->last_severity = 0;
    s->line[0] = '\0';
    if (s->c.voice == NULL || s->c.work == NULL)
        return MS_FMI_ERROR;
    ms_fmu_away(&s->c); /* for all of its life: one is served at a time */
    return s->fmu->fmi->instantiate(&s->c, &setup);
}

static void forget(server *s)
{
    if (s->c.voice != NULL && s->c.work != NULL)
        (void)ms_fmu_back(&s->c, MS_FMI_OK);
    if (s->c.voice != NULL)
        ms_fmu_voice_give_back(s->c.voice);
    free(s->c.work);
    s->c = (ms_fmu_component){0};
}

/* Also frees states that the program has lost, by an error or by its end. */
static int free_instance(server *s)
{
    ms_fmu_state *state = (ms_fmu_state *)(void *)s->states.at;
    for (; s->n_states > 0; s->n_states--)
        (void)s->fmu->fmi->free_state(&s->c, &state[s->n_states - 1]);
    s->fmu->fmi->free_instance(&s->c);
    forget(s);
    return MS_FMI_OK;
}

/* States ------------------------------------------------------------------------------------------------- */

/* All states are listed here as well: however this process ends, they are freed. */
static bool has_room(server *s)
{
    return ms_grow(&s->states.at, &s->states.size, sizeof(ms_fmu_state) * (s->n_states + 1), 1);
}

static int keep(server *s, ms_fmu_state state, int status)
{
    if (status <= MS_FMI_WARNING)
        ((ms_fmu_state *)(void *)s->states.at)[s->n_states++] = state;
    return status;
}

static int save(server *s, ms_fmu_state *state)
{
    const bool new = *state == NULL;
    if (s->fmu->fmi->save == NULL)
        return MS_FMI_DISCARD;
    if (new && !has_room(s))
        return MS_FMI_ERROR;
    const int status = s->fmu->fmi->save(&s->c, state);
    return new ? keep(s, *state, status) : status;
}

static int copy(server *s, ms_fmu_state state, ms_fmu_state *copied)
{
    *copied = NULL;
    if (s->fmu->fmi->copy == NULL)
        return MS_FMI_DISCARD;
    if (!has_room(s))
        return MS_FMI_ERROR;
    const int status = s->fmu->fmi->copy(&s->c, state, copied);
    return keep(s, *copied, status);
}

static int free_state(server *s, ms_fmu_state *state)
{
    ms_fmu_state *all = (ms_fmu_state *)(void *)s->states.at;
    for (size_t k = 0; k < s->n_states; k++)
        if (all[k] == *state) {
            all[k] = all[--s->n_states];
            return s->fmu->fmi->free_state(&s->c, state);
        }
    return MS_FMI_DISCARD;
}

/* Steps -------------------------------------------------------------------------------------------------- */

static bool serve(server *s, ms_fmu_call last);

/* Asks the program at an internal time of a step; it may make calls. */
static void ask(void *self, double t, bool may_set, bool may_get)
{
    server *s = self;
    ms_fmu_reply question = {.asks = true, .first = may_set, .second = may_get, .value = t};
    if (!send_reply(s, &question, NULL, 0, true) || !serve(s, MS_FMU_GO_ON))
        _Exit(EXIT_FAILURE);
}

static int step(server *s, const ms_fmu_request *r, ms_fmu_reply *reply)
{
    s->c.intermediate = r->n != 0 ? ask : NULL;
    s->c.self = s;
    const int status = s->fmu->fmi->step(&s->c, r->a, r->b, r->flag, &reply->value);
    if (status <= MS_FMI_WARNING && r->answer > 0 &&
        r->answer == sizeof(double) * (size_t)s->behind.n_values) {
        ms_fmu_channel_note(&s->channel, MS_FMU_DOING(MS_FMU_GET, s->behind.type));
        s->ahead = s->fmu->fmi->get(&s->c, &s->behind, (double *)(void *)s->out.at) <= MS_FMI_WARNING;
    }
    return status;
}

/* Variables read after a step are likely to be read after the next one. */
static int get(server *s, const ms_fmu_request *r)
{
    ms_fmu_group group = {
        .type = r->type, .n = r->n, .n_values = r->m, .reference = (const unsigned *)(const void *)s->in.at};
    if (r->flag) {
        s->behind = group;
        s->behind.n_values = grow(&s->list, r->size) ? r->m : 0;
        s->behind.reference = (const unsigned *)(const void *)s->list.at;
        if (s->behind.n_values > 0)
            memcpy(s->list.at, group.reference, r->size);
    }
    return s->fmu->fmi->get(&s->c, &group, (double *)(void *)s->out.at);
}

/* Calls -------------------------------------------------------------------------------------------------- */

#define TRY(function, ...) (fmi->function != NULL ? fmi->function(c, __VA_ARGS__) : MS_FMI_DISCARD)

/* The numbers of 4 bytes that follow n doubles. */
static const unsigned *behind(const double *value, int n)
{
    return (const unsigned *)(const void *)(value + n);
}

/* Arrays of a configured FMU may be longer than in its description. */
static bool has_work(server *s, int n)
{
    if ((size_t)n <= s->n_work)
        return true;
    double *more = realloc(s->c.work, sizeof *more * (size_t)n);
    if (more == NULL)
        return false;
    s->c.work = more;
    s->n_work = (size_t)n;
    return true;
}

/* Carries out calls with arrays. */
static int carry(server *s, const ms_fmu_request *r)
{
    ms_fmu_component *c = &s->c;
    const ms_fmi *fmi = s->fmu->fmi;
    const double *value = (const double *)(const void *)s->in.at;
    const unsigned *number = (const unsigned *)(const void *)s->in.at;
    double *out = (double *)(void *)s->out.at;
    if ((r->call == MS_FMU_GET || r->call == MS_FMU_SET) && !has_work(s, r->m))
        return MS_FMI_ERROR;
    switch (r->call) {
    case MS_FMU_GET:
        return get(s, r);
    case MS_FMU_SET:
        return fmi->set(
            c,
            &(ms_fmu_group){.type = r->type, .n = r->n, .n_values = r->m, .reference = behind(value, r->m)},
            value);
    case MS_FMU_DIRECTIONAL:
        number = behind(value, r->m);
        return TRY(directional, r->n, number, r->m, number + r->n, value, out);
    case MS_FMU_SET_INPUT_DERIVATIVES:
        number = behind(value, r->n);
        return TRY(set_input_derivatives, r->n, number, (const int *)(number + r->n), value);
    case MS_FMU_GET_OUTPUT_DERIVATIVES:
        return TRY(get_output_derivatives, r->n, number, (const int *)(number + r->n), out);
    case MS_FMU_SET_STATES:
        return TRY(set_states, r->n, value);
    case MS_FMU_GET_STATES:
        return TRY(get_states, r->n, out);
    case MS_FMU_GET_DERIVATIVES:
        return TRY(get_derivatives, r->n, out);
    case MS_FMU_GET_INDICATORS:
        return TRY(get_indicators, r->n, out);
    default:
        return MS_FMI_DISCARD;
    }
}

static int carry_out(server *s, const ms_fmu_request *r, ms_fmu_reply *reply)
{
    ms_fmu_component *c = &s->c;
    const ms_fmi *fmi = s->fmu->fmi;
    switch (r->call) {
    case MS_FMU_INSTANTIATE:
        return instantiate(s, r);
    case MS_FMU_FREE:
        return free_instance(s);
    case MS_FMU_CONFIGURE:
        return TRY(configure, r->flag);
    case MS_FMU_ENTER_INITIALISATION:
        return fmi->enter_initialisation(c);
    case MS_FMU_EXIT_INITIALISATION:
        return fmi->exit_initialisation(c);
    case MS_FMU_TERMINATE:
        return fmi->terminate(c);
    case MS_FMU_SET_TEXT:
        return TRY(set_text, r->reference, s->in.at);
    case MS_FMU_SAVE:
        return save(s, &reply->state);
    case MS_FMU_RESTORE:
        return TRY(restore, r->state);
    case MS_FMU_FREE_STATE:
        return free_state(s, &reply->state);
    case MS_FMU_COPY_STATE:
        return copy(s, r->state, &reply->state);
    case MS_FMU_STEP:
        return step(s, r, reply);
    case MS_FMU_SET_TIME:
        return TRY(set_time, r->a);
    case MS_FMU_COMPLETED_STEP:
        return TRY(completed_step, r->flag, &reply->first, &reply->second);
    case MS_FMU_ENTER_EVENT_MODE:
        return fmi->enter_event_mode(c);
    case MS_FMU_UPDATE_DISCRETE:
        return TRY(update_discrete, &reply->update);
    case MS_FMU_ENTER_CONTINUOUS:
        return fmi->enter_continuous(c);
    default:
        return carry(s, r);
    }
}

/* After a failed posted call only calls that free memory are carried out. */
static int carry_in_turn(server *s, const ms_fmu_request *r, ms_fmu_reply *reply)
{
    int status = s->failed;
    if (r->call == MS_FMU_FREE_STATE)
        return carry_out(s, r, reply);
    s->failed = MS_FMI_OK;
    if (status == MS_FMI_OK || r->call == MS_FMU_FREE)
        status = carry_out(s, r, reply);
    if (r->posted && status > MS_FMI_WARNING)
        s->failed = status;
    return status;
}

/* Carries out calls up to one of that kind. False: the program has ended, or there is no memory. */
static bool serve(server *s, ms_fmu_call last)
{
    ms_fmu_request request;
    while (ms_fmu_receive(&s->channel, &(struct iovec){&request, sizeof request}, 1) == MS_FMU_PASSED) {
        if (request.call == last)
            return true;
        if (!grow(&s->in, request.size) || !grow(&s->out, request.answer) ||
            ms_fmu_receive(&s->channel, &(struct iovec){s->in.at, request.size}, 1) != MS_FMU_PASSED)
            return false;
        ms_fmu_reply reply = {.state = request.state, .value = request.a};
        s->ahead = request.call != MS_FMU_STEP;
        ms_fmu_channel_note(&s->channel, MS_FMU_DOING(request.call, request.type));
        reply.status = carry_in_turn(s, &request, &reply);
        if (ms_fmu_is_copy)
            ms_fmu_end_copy();
        if (!send_reply(s, &reply, s->out.at, reply.status <= MS_FMI_WARNING && s->ahead ? request.answer : 0,
                        !request.posted))
            return false;
        if (request.call == MS_FMU_INSTANTIATE && s->c.instance == NULL)
            forget(s);
    }
    return false;
}

void ms_fmu_serve(int memory, const char *folder, const char *path, ms_fmu_kind kind)
{
    ms_error line = {""};
    server s = {.fmu = NULL};
    if (!ms_fmu_channel_open(&s.channel, memory))
        return;
    close(memory);
    ms_fmu_reply hello = {.status = ms_fmu_open_unpacked(folder, path, kind, &s.fmu, &line),
                          .answer = MS_FMU_CALL_COUNT};
    struct iovec part[] = {{&hello, sizeof hello}, {line.text, sizeof line.text}};
    if (ms_fmu_send(&s.channel, part, 2, true) == MS_FMU_PASSED && hello.status == MS_OK)
        (void)serve(&s, MS_FMU_END);
    free(s.in.at);
    free(s.out.at);
    free(s.states.at);
    free(s.list.at);
    ms_fmu_close(&s.fmu);
    (void)ms_fmu_send(&s.channel, part, 1, true); /* the program may be waiting for it */
}
