/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmi_instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Log ---------------------------------------------------------------------------------------------------- */

static const char DISCARD[] = "logStatusDiscard";

/* Says a line in the category of its status, discards only where logging is on. */
static void say(ms_fmi_instance *instance, int status, const char *text)
{
    if (status >= MS_FMI_ERROR)
        instance->log(instance, status, "logStatusError", text);
    else if (instance->logging)
        instance->log(instance, status, DISCARD, text);
}

void ms_fmi_set_logging(ms_fmi_instance *instance, bool on, size_t n, const char *const categories[])
{
    bool meant = n == 0;
    for (size_t k = 0; k < n; k++)
        meant = meant || strcmp(categories[k], DISCARD) == 0;
    if (meant)
        instance->logging = on;
}

/* Life --------------------------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *own = malloc(size);
    return own != NULL ? memcpy(own, text, size) : NULL;
}

ms_fmi_instance *ms_fmi_create(const ms_fmi_instance *with, const char *name, const char *resources,
                               const char *token)
{
    ms_error error = {"not enough memory for the FMU"};
    ms_fmi_instance asked = *with;
    asked.name = copy(name != NULL ? name : "");
    ms_fmi_instance *instance = calloc(1, sizeof *instance);
    int status = instance != NULL && asked.name != NULL ? MS_OK : MS_NO_MEMORY;
    MS_THEN(status, ms_component_create(resources, token, with->exchange, &asked.component, &error));
    if (status != MS_OK) {
        say(&asked, MS_FMI_ERROR, error.text);
        free(asked.name);
        free(instance);
        return NULL;
    }
    *instance = asked;
    instance->mode = MS_MODE_INSTANTIATED;
    return instance;
}

void ms_fmi_destroy(ms_fmi_instance *instance)
{
    if (instance == NULL)
        return;
    ms_component_destroy(&instance->component);
    free(instance->name);
    free(instance);
}

bool ms_fmi_may(ms_fmi_instance *instance, int modes, const char *function)
{
    char text[160];
    if (instance != NULL && (instance->mode & modes) != 0)
        return true;
    if (instance == NULL)
        return false;
    snprintf(text, sizeof text,
             modes != 0 ? "%s must not be called in this mode" : "%s: this FMU has nothing of that kind",
             function);
    say(instance, MS_FMI_ERROR, text);
    return false;
}

bool ms_fmi_fits(ms_fmi_instance *instance, int modes, const char *function, size_t n, size_t expected)
{
    if (!ms_fmi_may(instance, modes, function))
        return false;
    if (n != expected)
        say(instance, MS_FMI_ERROR, "another number of values is expected");
    return n == expected;
}

int ms_fmi_status(ms_fmi_instance *instance, int status)
{
    if (status == MS_OK)
        return MS_FMI_OK;
    const int fmi = status > 0 ? MS_FMI_DISCARD : MS_FMI_ERROR;
    say(instance, fmi, ms_component_error(instance->component)->text);
    return fmi;
}

/* Modes -------------------------------------------------------------------------------------------------- */

int ms_fmi_enter_initialisation(ms_fmi_instance *instance)
{
    const int status =
        ms_fmi_status(instance, ms_component_enter_initialisation(instance->component, instance->start_time));
    if (status == MS_FMI_OK)
        instance->mode = MS_MODE_INITIALISATION;
    return status;
}

int ms_fmi_exit_initialisation(ms_fmi_instance *instance)
{
    const int status = ms_fmi_status(instance, ms_component_exit_initialisation(instance->component));
    if (status == MS_FMI_OK)
        instance->mode = instance->exchange ? MS_MODE_EVENT : MS_MODE_STEP;
    return status;
}

int ms_fmi_terminate(ms_fmi_instance *instance)
{
    instance->mode = MS_MODE_TERMINATED;
    return MS_FMI_OK;
}

int ms_fmi_reset(ms_fmi_instance *instance)
{
    instance->mode = MS_MODE_INSTANTIATED;
    instance->start_time = 0.0;
    return ms_fmi_status(instance, ms_component_reset(instance->component));
}

int ms_fmi_enter(ms_fmi_instance *instance, int from, const char *function, int to)
{
    if (!ms_fmi_may(instance, from, function))
        return MS_FMI_ERROR;
    instance->mode = to;
    return MS_FMI_OK;
}

/* Model exchange ----------------------------------------------------------------------------------------- */

int ms_fmi_set_time(ms_fmi_instance *instance, const char *function, double t)
{
    return ms_fmi_may(instance, MS_MODE_EXCHANGE, function)
               ? ms_fmi_status(instance, ms_component_set_time(instance->component, t))
               : MS_FMI_ERROR;
}

int ms_fmi_set_states(ms_fmi_instance *instance, const char *function, const double *x, size_t n)
{
    return ms_fmi_fits(instance, MS_MODE_EXCHANGE, function, n,
                       (size_t)ms_component_n_states(instance->component))
               ? ms_fmi_status(instance, ms_component_set_states(instance->component, x))
               : MS_FMI_ERROR;
}

int ms_fmi_get_all(ms_fmi_instance *instance, const char *function, int count(const ms_component *),
                   int get(ms_component *, double *), double *value, size_t n)
{
    return ms_fmi_fits(instance, MS_MODE_READ, function, n, (size_t)count(instance->component))
               ? ms_fmi_status(instance, get(instance->component, value))
               : MS_FMI_ERROR;
}

int ms_fmi_nominals(double *nominal, size_t n)
{
    for (size_t k = 0; k < n; k++)
        nominal[k] = 1.0;
    return MS_FMI_OK;
}

/* States: the mode, then what the component says ----------------------------------------------------------- */

typedef struct saved {
    int mode;
    unsigned char bytes[];
} saved;

static size_t saved_size(const ms_fmi_instance *instance)
{
    return sizeof(saved) + ms_component_state_size(instance->component);
}

static int no_memory(ms_fmi_instance *instance)
{
    say(instance, MS_FMI_ERROR, "not enough memory for a state");
    return MS_FMI_ERROR;
}

int ms_fmi_save(ms_fmi_instance *instance, void **state)
{
    saved *to = *state != NULL ? *state : malloc(saved_size(instance));
    MS_TRY_MEMORY_OR(to != NULL, no_memory(instance));
    to->mode = instance->mode;
    *state = to;
    return ms_fmi_status(instance, ms_component_save(instance->component, to->bytes));
}

int ms_fmi_restore(ms_fmi_instance *instance, const void *state)
{
    const saved *from = state;
    if (from == NULL) {
        say(instance, MS_FMI_ERROR, "there is no state to go back to");
        return MS_FMI_ERROR;
    }
    const int status = ms_fmi_status(instance, ms_component_restore(instance->component, from->bytes));
    if (status == MS_FMI_OK)
        instance->mode = from->mode;
    return status;
}

int ms_fmi_free_state(void **state)
{
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return MS_FMI_OK;
}

size_t ms_fmi_serialised_size(const ms_fmi_instance *instance)
{
    return saved_size(instance);
}

int ms_fmi_serialise(ms_fmi_instance *instance, const void *state, size_t size, unsigned char *bytes)
{
    if (state != NULL && size >= saved_size(instance)) {
        memcpy(bytes, state, saved_size(instance));
        return MS_FMI_OK;
    }
    say(instance, MS_FMI_ERROR, "there is no room for the state, or no state");
    return MS_FMI_ERROR;
}

int ms_fmi_deserialise(ms_fmi_instance *instance, const unsigned char *bytes, size_t size, void **state)
{
    if (size != saved_size(instance)) {
        say(instance, MS_FMI_ERROR, "these bytes are not a state of this FMU");
        return MS_FMI_ERROR;
    }
    void *to = *state != NULL ? *state : malloc(size);
    MS_TRY_MEMORY_OR(to != NULL, no_memory(instance));
    memcpy(to, bytes, size);
    *state = to;
    return MS_FMI_OK;
}
