/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals_fmu.c - the source of a binary that tests compile (signals_fmu.h), and nothing of the project, for the version in FMI (2 or 3):
 *
 *     x' = u + n,  y = x,  m = n + 1,  off = not on,  other = 3 - way,  ticks: of quarters of a second
 *     w_i = gain_i v_i                          (w, v, gain: 3.0)
 *
 * What is discrete may be set in event mode alone, where there is one: else, and where one element of an array is asked for, it ends the
 * program. ENDS: from 0.5 s on it asks for the end of the simulation. REFUSES: its initialisation is an error, with these words. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REFUSES
#define REFUSES NULL
#endif

enum { OK, WARNING, DISCARD, ERROR };
enum { X, DX, U, Y, N, ON, WAY, M, OFF, OTHER, V, W, GAIN, TICKS, VARIABLES };
enum { START, EVENT, GOES };

typedef struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks;

typedef struct component {
    double v[VARIABLES], t, array[3][2]; /* array: v, w, gain */
    int mode;
    bool exchange, events; /* events: there is event mode */
    const callbacks *callbacks;
    void *environment;
    void (*log)(void *, int, const char *, const char *);
} component;

static component *of(void *instance)
{
    component *c = instance;
    c->v[DX] = c->v[U] + c->v[N];
    c->v[Y] = c->v[X];
    c->v[M] = c->v[N] + 1.0;
    c->v[OFF] = c->v[ON] == 0.0;
    c->v[OTHER] = 3.0 - c->v[WAY];
    c->v[TICKS] = (int)(4.0 * c->t + 1e-9);
    for (int i = 0; i < 2; i++)
        c->array[1][i] = c->array[2][i] * c->array[0][i];
    return c;
}

/* false: nothing is wrong. */
static bool is_refused(const component *c, const char *text)
{
    if (text != NULL && c->callbacks != NULL)
        c->callbacks->logger(c->callbacks->environment, "fmu", ERROR, "all", "%s", text);
    else if (text != NULL)
        c->log(c->environment, ERROR, "all", text);
    return text != NULL;
}

static component *make(bool exchange, bool events)
{
    component *c = calloc(1, sizeof *c);
    c->v[WAY] = 1.0;
    c->exchange = exchange;
    c->events = exchange || events;
    for (int i = 0; i < 2; i++)
        c->array[2][i] = 1.0;
    return c;
}

static void check_set(const component *c, unsigned reference)
{
    const bool discrete = reference == N || reference == ON || reference == WAY;
    if (discrete && c->events && c->mode == GOES)
        abort();
}

static bool is_over(const component *c)
{
#ifdef ENDS
    return c->t >= 0.5;
#else
    (void)c;
    return false;
#endif
}

static int enter_initialisation(component *c, double t)
{
    c->t = t;
    return is_refused(c, REFUSES) ? ERROR : OK;
}

static void advance(component *c, double h)
{
    c->v[X] += h * (c->v[U] + c->v[N]);
    c->t += h;
}

#define BOTH(version)                                                                                        \
    void version##FreeInstance(void *i)                                                                      \
    {                                                                                                        \
        free(i);                                                                                             \
    }                                                                                                        \
    int version##Terminate(void *i)                                                                          \
    {                                                                                                        \
        (void)i;                                                                                             \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##ExitInitializationMode(void *i)                                                             \
    {                                                                                                        \
        component *c = i;                                                                                    \
        c->mode = c->events ? EVENT : GOES;                                                                  \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##EnterEventMode(void *i)                                                                     \
    {                                                                                                        \
        component *c = i;                                                                                    \
        if (c->mode != GOES || !c->events)                                                                   \
            abort();                                                                                         \
        c->mode = EVENT;                                                                                     \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##EnterContinuousTimeMode(void *i)                                                            \
    {                                                                                                        \
        ((component *)i)->mode = GOES;                                                                       \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##SetTime(void *i, double t)                                                                  \
    {                                                                                                        \
        ((component *)i)->t = t;                                                                             \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##SetContinuousStates(void *i, const double *x, size_t n)                                     \
    {                                                                                                        \
        (void)n;                                                                                             \
        ((component *)i)->v[X] = x[0];                                                                       \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##GetContinuousStates(void *i, double *x, size_t n)                                           \
    {                                                                                                        \
        (void)n;                                                                                             \
        x[0] = of(i)->v[X];                                                                                  \
        return OK;                                                                                           \
    }                                                                                                        \
    int version##GetEventIndicators(void *i, double *r, size_t n)                                            \
    {                                                                                                        \
        (void)i, (void)r, (void)n;                                                                           \
        return OK;                                                                                           \
    }

#if FMI == 2
BOTH(fmi2)

void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                      const callbacks *functions, int visible, int logging)
{
    component *c = make(kind == 0, false);
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    c->callbacks = functions;
    return c;
}

int fmi2SetupExperiment(void *i, int defined, double tolerance, double start, int stops, double stop)
{
    (void)defined, (void)tolerance, (void)stops, (void)stop;
    ((component *)i)->t = start;
    return OK;
}

int fmi2EnterInitializationMode(void *i)
{
    return enter_initialisation(i, ((component *)i)->t);
}

#define VALUES(type, c_type)                                                                                 \
    int fmi2Get##type(void *i, const unsigned *vr, size_t n, c_type *value)                                  \
    {                                                                                                        \
        for (size_t k = 0; k < n; k++)                                                                       \
            value[k] = (c_type)of(i)->v[vr[k]];                                                              \
        return OK;                                                                                           \
    }                                                                                                        \
    int fmi2Set##type(void *i, const unsigned *vr, size_t n, const c_type *value)                            \
    {                                                                                                        \
        for (size_t k = 0; k < n; k++) {                                                                     \
            check_set(i, vr[k]);                                                                             \
            ((component *)i)->v[vr[k]] = value[k];                                                           \
        }                                                                                                    \
        return OK;                                                                                           \
    }
VALUES(Real, double)
VALUES(Integer, int)
VALUES(Boolean, int)

int fmi2GetDerivatives(void *i, double *dx, size_t n)
{
    (void)n;
    dx[0] = of(i)->v[DX];
    return OK;
}

typedef struct event_info {
    int again, terminate, nominals, states, defined;
    double next;
} event_info;

int fmi2NewDiscreteStates(void *i, event_info *info)
{
    *info = (event_info){.terminate = is_over(i)};
    return ((component *)i)->mode == EVENT ? OK : ERROR;
}

int fmi2CompletedIntegratorStep(void *i, int keep, int *event, int *end)
{
    (void)keep;
    *event = 0;
    *end = is_over(i);
    return OK;
}

int fmi2DoStep(void *i, double t, double h, int keep)
{
    component *c = i;
    (void)keep;
    if (c->exchange || c->t > t + 1e-9 || c->t < t - 1e-9)
        abort();
    if (is_over(c))
        return DISCARD;
    advance(c, h);
    return OK;
}

int fmi2GetBooleanStatus(void *i, int kind, int *value)
{
    *value = kind == 3 && is_over(i);
    return OK;
}

int fmi2GetRealStatus(void *i, int kind, double *value)
{
    (void)kind;
    *value = ((component *)i)->t;
    return OK;
}

#define STATE(name) fmi2##name##FMUstate
#else
BOTH(fmi3)

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment,
                                   void (*log)(void *, int, const char *, const char *))
{
    component *c = make(true, true);
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    c->environment = environment;
    c->log = log;
    return c;
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const unsigned *required, size_t n,
                                  void *environment, void (*log)(void *, int, const char *, const char *),
                                  void *update)
{
    component *c = make(false, events);
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)early, (void)required;
    (void)n, (void)update;
    c->environment = environment;
    c->log = log;
    return c;
}

int fmi3EnterInitializationMode(void *i, bool defined, double tolerance, double start, bool stops,
                                double stop)
{
    (void)defined, (void)tolerance, (void)stops, (void)stop;
    return enter_initialisation(i, start);
}

int fmi3EnterStepMode(void *i)
{
    return fmi3EnterContinuousTimeMode(i);
}

int fmi3GetFloat64(void *i, const unsigned *vr, size_t n, double *value, size_t n_values)
{
    size_t at = 0;
    for (size_t k = 0; k < n; k++)
        if (vr[k] < V) {
            value[at++] = of(i)->v[vr[k]];
        } else {
            if (at + 2 > n_values)
                abort();
            memcpy(value + at, of(i)->array[vr[k] - V], 2 * sizeof *value);
            at += 2;
        }
    if (at != n_values)
        abort();
    return OK;
}

int fmi3SetFloat64(void *i, const unsigned *vr, size_t n, const double *value, size_t n_values)
{
    size_t at = 0;
    for (size_t k = 0; k < n; k++)
        if (vr[k] < V) {
            ((component *)i)->v[vr[k]] = value[at++];
        } else {
            if (at + 2 > n_values)
                abort();
            memcpy(((component *)i)->array[vr[k] - V], value + at, 2 * sizeof *value);
            at += 2;
        }
    if (at != n_values)
        abort();
    return OK;
}

#define VALUES(type, c_type)                                                                                 \
    int fmi3Get##type(void *i, const unsigned *vr, size_t n, c_type *value, size_t n_values)                 \
    {                                                                                                        \
        (void)n_values;                                                                                      \
        for (size_t k = 0; k < n; k++)                                                                       \
            value[k] = (c_type)of(i)->v[vr[k]];                                                              \
        return OK;                                                                                           \
    }                                                                                                        \
    int fmi3Set##type(void *i, const unsigned *vr, size_t n, const c_type *value, size_t n_values)           \
    {                                                                                                        \
        (void)n_values;                                                                                      \
        for (size_t k = 0; k < n; k++) {                                                                     \
            check_set(i, vr[k]);                                                                             \
            ((component *)i)->v[vr[k]] = (double)value[k];                                                   \
        }                                                                                                    \
        return OK;                                                                                           \
    }
VALUES(Int8, int8_t)
VALUES(Int64, int64_t)
VALUES(Boolean, bool)

int fmi3GetContinuousStateDerivatives(void *i, double *dx, size_t n)
{
    (void)n;
    dx[0] = of(i)->v[DX];
    return OK;
}

int fmi3UpdateDiscreteStates(void *i, bool *again, bool *end, bool *nominals, bool *states, bool *defined,
                             double *next)
{
    (void)next;
    *again = *nominals = *states = *defined = false;
    *end = is_over(i);
    return ((component *)i)->mode == EVENT ? OK : ERROR;
}

int fmi3CompletedIntegratorStep(void *i, bool keep, bool *event, bool *end)
{
    (void)keep;
    *event = false;
    *end = is_over(i);
    return OK;
}

int fmi3DoStep(void *i, double t, double h, bool keep, bool *event, bool *end, bool *early, double *reached)
{
    component *c = i;
    (void)keep;
    if (c->exchange || c->mode != GOES || c->t > t + 1e-9 || c->t < t - 1e-9)
        abort();
    *event = *early = false;
    *end = is_over(c);
    if (!*end)
        advance(c, h);
    *reached = c->t;
    return OK;
}

#define STATE(name) fmi3##name##FMUState
#endif

int STATE(Get)(void *i, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(component));
    memcpy(*state, i, sizeof(component));
    return OK;
}

int STATE(Set)(void *i, void *state)
{
    memcpy(i, state, sizeof(component));
    return OK;
}

int STATE(Free)(void *i, void **state)
{
    (void)i;
    free(*state);
    *state = NULL;
    return OK;
}
