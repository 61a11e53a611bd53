/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi_instance.h - an instance of an exported FMU, for both versions of FMI: its mode, which functions may be called in that
 * mode, and how errors are logged. */
#pragma once

#include "component.h"

#define MS_FMI_EXPORT __attribute__((visibility("default")))

/* Of fmi2Status and fmi3Status. */
enum { MS_FMI_OK, MS_FMI_WARNING, MS_FMI_DISCARD, MS_FMI_ERROR, MS_FMI_FATAL };

/* Bits, so that a function can say in which it may be called. */
enum {
    MS_MODE_INSTANTIATED = 1,
    MS_MODE_INITIALISATION = 2,
    MS_MODE_EVENT = 4,
    MS_MODE_CONTINUOUS = 8,
    MS_MODE_STEP = 16,
    MS_MODE_TERMINATED = 32,
    MS_MODE_EXCHANGE = MS_MODE_EVENT | MS_MODE_CONTINUOUS,
    MS_MODE_RUNNING = MS_MODE_EXCHANGE | MS_MODE_STEP,
    MS_MODE_VALUES = MS_MODE_INITIALISATION | MS_MODE_RUNNING,
    MS_MODE_READ = MS_MODE_VALUES | MS_MODE_TERMINATED,
    MS_MODE_SET = MS_MODE_INSTANTIATED | MS_MODE_VALUES,
    MS_MODE_ANY = 63
};

typedef struct ms_fmi_instance ms_fmi_instance;
struct ms_fmi_instance {
    ms_component *component;
    int mode;
    bool exchange;
    bool logging; /* more than errors is said */
    double start_time;
    void (*log)(ms_fmi_instance *instance, int status, const char *category, const char *text); /* REQUIRED */
    char *name;                    /* of the instance */
    void *functions, *environment; /* the master's callbacks, in the form of the version */
};

/* An instance with the logger and callbacks of `with`. NULL: it could not be made; the logger of `with` has said why. */
ms_fmi_instance *ms_fmi_create(const ms_fmi_instance *with, const char *name, const char *resources,
                               const char *token);
void ms_fmi_destroy(ms_fmi_instance *instance); /* NULL-safe */

/* Logging on or off in these categories; of none: in all. */
void ms_fmi_set_logging(ms_fmi_instance *instance, bool on, size_t n, const char *const categories[]);

/* May `function` be called now? Otherwise it is said. */
bool ms_fmi_may(ms_fmi_instance *instance, int modes, const char *function);
/* The same, and are there as many values as are expected? */
bool ms_fmi_fits(ms_fmi_instance *instance, int modes, const char *function, size_t n, size_t expected);
/* A status of the house as one of FMI, after its line has been said. */
int ms_fmi_status(ms_fmi_instance *instance, int status);

/* What both versions do in a function of theirs, which is named for the line. */
int ms_fmi_enter(ms_fmi_instance *instance, int from, const char *function, int to); /* another mode */
int ms_fmi_set_time(ms_fmi_instance *instance, const char *function, double t);
int ms_fmi_set_states(ms_fmi_instance *instance, const char *function, const double *x, size_t n);
/* All n values of a kind: `count` of them are expected. */
int ms_fmi_get_all(ms_fmi_instance *instance, const char *function, int count(const ms_component *),
                   int get(ms_component *, double *), double *value, size_t n);
int ms_fmi_nominals(double *nominal, size_t n);

/* Modes. */
int ms_fmi_enter_initialisation(ms_fmi_instance *instance);
int ms_fmi_exit_initialisation(ms_fmi_instance *instance);
int ms_fmi_terminate(ms_fmi_instance *instance);
int ms_fmi_reset(ms_fmi_instance *instance);

/* FMUState: *state NULL is made. */
int ms_fmi_save(ms_fmi_instance *instance, void **state);
int ms_fmi_restore(ms_fmi_instance *instance, const void *state);
int ms_fmi_free_state(void **state);
size_t ms_fmi_serialised_size(const ms_fmi_instance *instance);
int ms_fmi_serialise(ms_fmi_instance *instance, const void *state, size_t size, unsigned char *bytes);
int ms_fmi_deserialise(ms_fmi_instance *instance, const unsigned char *bytes, size_t size, void **state);
