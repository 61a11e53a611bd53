/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - what both versions of FMI have in front of a component: in which mode it is, what may be called there, and how it is said
 * that something went wrong. */
#ifndef MS_FRONT_H
#define MS_FRONT_H

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

typedef struct ms_front ms_front;
struct ms_front {
    ms_component *component;
    int mode;
    bool exchange;
    bool logging; /* more than errors is said */
    double start_time;
    void (*log)(ms_front *front, int status, const char *category, const char *text); /* REQUIRED */
    char *name;                                                                       /* of the instance */
    void *functions, *environment; /* the master's callbacks, in the form of the version */
};

/* Of these bytes, at the head of which the front stands. Errors are said by the log of a front that does not stay: NULL then. */
ms_front *ms_front_create(const ms_front *with, const char *name, const char *resources, const char *token);
void ms_front_destroy(ms_front *front); /* NULL-safe */

/* Says a line in the category of its status, discards only where logging is on. */
void ms_front_say(ms_front *front, int status, const char *text);

/* Logging on or off in these categories; of none: in all. */
void ms_front_set_logging(ms_front *front, bool on, size_t n, const char *const categories[]);

/* May `function` be called now? Otherwise it is said. */
bool ms_front_may(ms_front *front, int modes, const char *function);
/* A status of the house as one of FMI, after its line has been said. */
int ms_front_status(ms_front *front, int status);

/* Modes. */
int ms_front_enter_initialisation(ms_front *front);
int ms_front_exit_initialisation(ms_front *front);
int ms_front_terminate(ms_front *front);
int ms_front_reset(ms_front *front);

/* FMUState: *state NULL is made. */
int ms_front_save(ms_front *front, void **state);
int ms_front_restore(ms_front *front, const void *state);
size_t ms_front_serialised_size(const ms_front *front);
int ms_front_serialise(ms_front *front, const void *state, size_t size, unsigned char *bytes);
int ms_front_deserialise(ms_front *front, const unsigned char *bytes, size_t size, void **state);

#endif
