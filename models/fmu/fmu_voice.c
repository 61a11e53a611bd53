/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_voice.c - the logger of a component, and messages about FMI status codes. */
#include <pthread.h>
#include <stdlib.h>

#include "fmu_parts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ms_fmu_voice *all; /* of open FMUs, and of those whose binary has stayed; under the lock */

void ms_fmu_voices_lock(void)
{
    pthread_mutex_lock(&lock);
}

void ms_fmu_voices_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* Returned loggers are reused before a new one is made. */
ms_fmu_voice *ms_fmu_voice_take(ms_fmu_component *c)
{
    ms_fmu_voices *voices = c->fmu->voices;
    pthread_mutex_lock(&lock);
    c->fmi = c->fmu->fmi;
    ms_fmu_voice *v = voices->first;
    while (v != NULL && v->used)
        v = v->next;
    if (v == NULL && (v = calloc(1, sizeof *v)) != NULL) {
        v->next = voices->first;
        voices->first = v;
        v->next_of_all = all;
        all = v;
    }
    if (v != NULL) {
        v->used = true;
        v->severity = 0;
        v->said[0] = '\0';
        v->component = c;
    }
    pthread_mutex_unlock(&lock);
    return v;
}

void ms_fmu_voice_give_back(ms_fmu_voice *voice)
{
    pthread_mutex_lock(&lock);
    voice->component = NULL;
    voice->used = false;
    pthread_mutex_unlock(&lock);
}

ms_fmu_voice *ms_fmu_voice_by(const void *environment)
{
    const ms_fmu_calls *calls = ms_fmu_calls_of_thread;
    ms_fmu_voice *of_call = calls != NULL && atomic_load(&calls->n) > 0 ? atomic_load(&calls->voice) : NULL;
    if (environment == of_call)
        return of_call;
    pthread_mutex_lock(&lock);
    ms_fmu_voice *v = all;
    while (v != NULL && v != environment)
        v = v->next_of_all;
    pthread_mutex_unlock(&lock);
    return v != NULL ? v : of_call;
}

void ms_fmu_voices_free(ms_fmu_voices *voices, bool gone)
{
    pthread_mutex_lock(&lock);
    while (gone && voices != NULL && voices->first != NULL) {
        ms_fmu_voice *v = voices->first, **at = &all;
        while (*at != v)
            at = &(*at)->next_of_all;
        *at = v->next_of_all;
        voices->first = v->next;
        free(v);
    }
    pthread_mutex_unlock(&lock);
    free(voices);
}

void ms_fmu_voice_say(ms_fmu_voice *voice, int status, const char *text)
{
    size_t n = 0;
    pthread_mutex_lock(&lock);
    if (voice->used && status >= voice->severity) {
        voice->severity = status;
        for (; text[n] != '\0' && n + 1 < sizeof voice->said; n++)
            voice->said[n] = (unsigned char)text[n] < ' ' || text[n] == 127 ? ' ' : text[n];
        while (n > 0 && voice->said[n - 1] == ' ')
            n--;
        voice->said[n] = '\0';
    }
    pthread_mutex_unlock(&lock);
}

void ms_fmu_voice_clear(ms_fmu_voice *voice)
{
    pthread_mutex_lock(&lock);
    voice->severity = 0;
    voice->said[0] = '\0';
    pthread_mutex_unlock(&lock);
}

int ms_fmu_status_other(ms_fmu_component *component, int status)
{
    if (status == MS_FMI_WARNING)
        return MS_OK;
    if (status == MS_FMI_DISCARD)
        return MS_FMU_DISCARD;
    if (status == MS_FMI_END)
        return ms_fmu_end(component);
    component->stage = status == MS_FMI_FATAL ? MS_FMU_FATAL : MS_FMU_LOST;
    if (component->voice->said[0] == '\0')
        ms_fmu_voice_say(component->voice, status, "the FMU did not say why");
    if (status == MS_FMI_FATAL)
        atomic_store(&component->fmu->voices->fatal, true);
    return MS_SOLVER_FAILED;
}

int ms_fmu_end(ms_fmu_component *component)
{
    ms_fmu_voice_say(component->voice, MS_FMI_ERROR, "it asks for the end of the simulation");
    ms_fmu_status(component, MS_FMU_CALL_OF(component, terminate));
    component->stage = component->stage == MS_FMU_FATAL ? MS_FMU_FATAL : MS_FMU_LOST;
    component->ended = true;
    return MS_SOLVER_FAILED;
}
