/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Log ---------------------------------------------------------------------------------------------------- */

static const char DISCARD[] = "logStatusDiscard";

void ms_front_say(ms_front *front, int status, const char *text)
{
    if (status >= MS_FMI_ERROR)
        front->log(front, status, "logStatusError", text);
    else if (front->logging)
        front->log(front, status, DISCARD, text);
}

void ms_front_set_logging(ms_front *front, bool on, size_t n, const char *const categories[])
{
    bool meant = n == 0;
    for (size_t k = 0; k < n; k++)
        meant = meant || strcmp(categories[k], DISCARD) == 0;
    if (meant)
        front->logging = on;
}

/* Life --------------------------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *own = malloc(size);
    return own != NULL ? memcpy(own, text, size) : NULL;
}

ms_front *ms_front_create(const ms_front *with, const char *name, const char *resources, const char *token)
{
    ms_error error = {"not enough memory for the FMU"};
    ms_front asked = *with;
    asked.name = copy(name != NULL ? name : "");
    ms_front *front = calloc(1, sizeof *front);
    int status = front != NULL && asked.name != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK)
        status = ms_component_create(resources, token, with->exchange, &asked.component, &error);
    if (status != MS_OK) {
        ms_front_say(&asked, MS_FMI_ERROR, error.text);
        free(asked.name);
        free(front);
        return NULL;
    }
    *front = asked;
    front->mode = MS_MODE_INSTANTIATED;
    return front;
}

void ms_front_destroy(ms_front *front)
{
    if (front == NULL)
        return;
    ms_component_destroy(&front->component);
    free(front->name);
    free(front);
}

bool ms_front_may(ms_front *front, int modes, const char *function)
{
    char text[160];
    if (front != NULL && (front->mode & modes) != 0)
        return true;
    if (front == NULL)
        return false;
    snprintf(text, sizeof text,
             modes != 0 ? "%s must not be called in this mode" : "%s: this FMU has nothing of that kind",
             function);
    ms_front_say(front, MS_FMI_ERROR, text);
    return false;
}

int ms_front_status(ms_front *front, int status)
{
    if (status == MS_OK)
        return MS_FMI_OK;
    const int fmi = status > 0 ? MS_FMI_DISCARD : MS_FMI_ERROR;
    ms_front_say(front, fmi, ms_component_error(front->component)->text);
    return fmi;
}

/* Modes -------------------------------------------------------------------------------------------------- */

int ms_front_enter_initialisation(ms_front *front)
{
    const int status =
        ms_front_status(front, ms_component_enter_initialisation(front->component, front->start_time));
    if (status == MS_FMI_OK)
        front->mode = MS_MODE_INITIALISATION;
    return status;
}

int ms_front_exit_initialisation(ms_front *front)
{
    const int status = ms_front_status(front, ms_component_exit_initialisation(front->component));
    if (status == MS_FMI_OK)
        front->mode = front->exchange ? MS_MODE_EVENT : MS_MODE_STEP;
    return status;
}

int ms_front_terminate(ms_front *front)
{
    front->mode = MS_MODE_TERMINATED;
    return MS_FMI_OK;
}

int ms_front_reset(ms_front *front)
{
    front->mode = MS_MODE_INSTANTIATED;
    front->start_time = 0.0;
    return ms_front_status(front, ms_component_reset(front->component));
}

/* States: the mode, then what the component says ----------------------------------------------------------- */

typedef struct saved {
    int mode;
    unsigned char bytes[];
} saved;

static size_t saved_size(const ms_front *front)
{
    return sizeof(saved) + ms_component_state_size(front->component);
}

static int no_memory(ms_front *front)
{
    ms_front_say(front, MS_FMI_ERROR, "not enough memory for a state");
    return MS_FMI_ERROR;
}

int ms_front_save(ms_front *front, void **state)
{
    saved *to = *state != NULL ? *state : malloc(saved_size(front));
    if (to == NULL)
        return no_memory(front);
    to->mode = front->mode;
    *state = to;
    return ms_front_status(front, ms_component_save(front->component, to->bytes));
}

int ms_front_restore(ms_front *front, const void *state)
{
    const saved *from = state;
    if (from == NULL) {
        ms_front_say(front, MS_FMI_ERROR, "there is no state to go back to");
        return MS_FMI_ERROR;
    }
    const int status = ms_front_status(front, ms_component_restore(front->component, from->bytes));
    if (status == MS_FMI_OK)
        front->mode = from->mode;
    return status;
}

size_t ms_front_serialised_size(const ms_front *front)
{
    return saved_size(front);
}

int ms_front_serialise(ms_front *front, const void *state, size_t size, unsigned char *bytes)
{
    if (state != NULL && size >= saved_size(front)) {
        memcpy(bytes, state, saved_size(front));
        return MS_FMI_OK;
    }
    ms_front_say(front, MS_FMI_ERROR, "there is no room for the state, or no state");
    return MS_FMI_ERROR;
}

int ms_front_deserialise(ms_front *front, const unsigned char *bytes, size_t size, void **state)
{
    if (size != saved_size(front)) {
        ms_front_say(front, MS_FMI_ERROR, "these bytes are no state of this FMU");
        return MS_FMI_ERROR;
    }
    void *to = *state != NULL ? *state : malloc(size);
    if (to == NULL)
        return no_memory(front);
    memcpy(to, bytes, size);
    *state = to;
    return MS_FMI_OK;
}
