/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decay_fmu.c - the source of a binary that tests compile (made_fmu.h), and nothing of the project, for the version in FMI (2 or 3),
 * with the faults that are defined:
 *
 *     x' = -k x + u,  y = x      stepped by Euler's method
 *
 * References: 0 x, 1 x', 2 u, 3 y, 4 k; 5 an integer n, 6 a boolean b, 7 a string s. Nothing may be called after an error: it ends
 * the program. CRASH: where BY is done, of what runs in time from 1 s on.
 * JUMPS (3.0): where there is event mode, x becomes x + 1 at each quarter of a second, in the second of two iterations; a mode that is
 * the wrong one ends the program.
 * REFUSES_MODE (3.0): there is none with event mode.
 * CUBIC: x' = -k x - x^3 / CUBIC^2 + u, and x starts at CUBIC: the same problem whatever the unit of x and u is.
 * LIMIT: so often it can be instantiated in a process.
 * CLOCKS: in model exchange x becomes x + 1 at 0.1 n and x + 100 at 0.3 n, which differ by a unit in the last place for some n; at 0.5
 * it announces 0.5 as often as CLOCKS says, and x becomes x + 10000. ASKS: each completed step asks for event mode.
 * ONE: its process has one component, and never another. ANY_NAME: components need not be called fmu. STUCK: x cannot be set. DEAF: x stays.
 * FORMAT: of what it logs, which has a text and a number for it. TOLERANCE: the one that it is to be told. ENVIRONMENT(own): what it gives to the logger. THREAD: where it starts a thread that never ends, OPENED or STEPPED.
 * FORGETS: a state that is restored changes nothing. STRICT: a step begins where the last one has ended, to the bit, or is an error. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONCATENATED(a, b) a##b
#define NAMED(a, b)        CONCATENATED(a, b)
#if FMI == 2
#define NAME(two, three) NAMED(fmi2, two)
typedef int boolean;
typedef int whole;
#define AND_COUNT(name)
#else
#define NAME(two, three) NAMED(fmi3, three)
typedef bool boolean;
typedef long whole;
#define AND_COUNT(name)  , size_t name
#endif

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { NOWHERE, OPENED, INSTANTIATED, INITIALISED, READ, SET, STEPPED, EVALUATED, RESTORED, FREED };
enum { NO_MODES, STEPS, EVENTS_NOW };
enum { X, DX, U, Y, K, VARIABLES };

typedef struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks;

typedef struct component {
    double v[VARIABLES], t;
    long n;
    bool b, lost;
    int tenths, thirds, again; /* CLOCKS: those that have been */
    int mode, due;             /* STEPS or EVENTS_NOW, with event mode; updates of discrete states to come */
    char s[20];
    const callbacks *callbacks;
    void *environment;
    void (*log)(void *, int, const char *, const char *);
} component;

static component *fatal; /* nobody may free it */
static component last;   /* of which the component may be gone */

#ifndef ENVIRONMENT
#define ENVIRONMENT(own) own
#endif

#ifndef FORMAT
#define FORMAT "%s, %d\n"
#endif

static void say(const component *c, int status, const char *text)
{
#if FMI == 2
    c->callbacks->logger(ENVIRONMENT(c->callbacks->environment), "fmu", status, "all", FORMAT, text, 7);
#else
    char line[100];
    snprintf(line, sizeof line, "%s, %d\n", text, 7);
    c->log(ENVIRONMENT(c->environment), status, "all", line);
#endif
}

#ifndef CRASH
#define CRASH NOWHERE
#define BY    (void)0
#endif
#define CRASHES(place, when)                                                                                 \
    if ((place) == CRASH && (when))                                                                          \
    BY

/* A while after what has started it is gone. */
static void *run(void *none)
{
    for (;;)
        usleep(1000);
    return none;
}

static void start_thread(int place)
{
#ifdef THREAD
    pthread_t thread;
    if (place == THREAD && pthread_create(&thread, NULL, run, NULL) == 0)
        pthread_detach(thread);
#endif
}

static void __attribute__((constructor)) opened(void)
{
    start_thread(OPENED);
    CRASHES(OPENED, true);
}

static component *of(void *instance)
{
    component *c = instance;
    if (c->lost)
        abort();
    c->v[DX] = -c->v[K] * c->v[X] + c->v[U];
#ifdef CUBIC
    c->v[DX] -= c->v[X] * (c->v[X] / CUBIC) * (c->v[X] / CUBIC);
#endif
#ifdef DEAF
    c->v[DX] = 0.0;
#endif
    c->v[Y] = c->v[X];
    return c;
}

static int fails(component *c, int status)
{
    say(c, status, "it is broken");
    c->lost = status >= ERROR;
    fatal = status == FATAL ? c : fatal;
    return status;
}

static bool is_name(const char *name)
{
#ifdef ANY_NAME
    return name[0] != '\0';
#else
    return strcmp(name, "fmu") == 0;
#endif
}

static bool is_tolerated(bool defined, double tolerance)
{
#ifdef TOLERANCE
    return defined && tolerance == TOLERANCE;
#else
    return true;
#endif
}

static void *make(const char *token)
{
#ifdef ONE
    static int made;
    if (made++ > 0)
        abort();
#endif
    component *c = calloc(1, sizeof *c);
    CRASHES(INSTANTIATED, true);
#ifdef LATE
    if (last.callbacks != NULL || last.log != NULL)
        say(&last, ERROR, "of the one before");
#endif
    c->v[X] = c->v[K] = 1.0;
#ifdef CUBIC
    c->v[X] = CUBIC;
#endif
    c->lost = strcmp(token, "right") != 0;
#ifdef LIMIT
    static int so_many;
    c->lost = c->lost || ++so_many > LIMIT;
#endif
    return c;
}

static void *made(component *c)
{
    last = *c;
    if (!c->lost)
        return c;
    say(c, ERROR, "the token is wrong");
    free(c);
    return NULL;
}

#ifdef LATE
static void __attribute__((destructor)) unloaded(void)
{
    if (last.callbacks != NULL || last.log != NULL)
        say(&last, ERROR, "of one that is gone");
}
#endif

#if FMI == 2
void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                      const callbacks *functions, int visible, int logging)
{
    (void)kind, (void)visible, (void)logging;
    if (!is_name(name) || strncmp(resources, "file:///", 8) != 0 || strstr(resources, "/resources") == NULL)
        return NULL;
    component *c = make(token);
    c->callbacks = functions;
    return made(c);
}

int fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double start, int stop_defined,
                        double stop)
{
    (void)stop_defined, (void)stop;
    of(c)->t = start;
    return is_tolerated(tolerance_defined, tolerance) ? OK : fails(c, ERROR);
}

int fmi2EnterInitializationMode(void *c)
{
    of(c);
    return OK;
}
#else
static void *instantiate(const char *name, const char *token, const char *resources, void *environment,
                         void (*log)(void *, int, const char *, const char *))
{
    const size_t n = strlen(resources);
    if (!is_name(name) || resources[0] != '/' || strcmp(resources + n - 11, "/resources/") != 0)
        return NULL;
    component *c = make(token);
    c->environment = environment;
    c->log = log;
    return made(c);
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment,
                                   void (*log)(void *, int, const char *, const char *))
{
    (void)visible, (void)logging;
    return instantiate(name, token, resources, environment, log);
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early, const unsigned *required,
                                  size_t n, void *environment,
                                  void (*log)(void *, int, const char *, const char *), void *update)
{
    (void)visible, (void)logging, (void)required, (void)n, (void)update;
    component *c = instantiate(name, token, resources, environment, log);
    if (c != NULL && event_mode != early)
        abort();
#ifdef JUMPS
    if (c != NULL && event_mode)
        c->mode = STEPS;
#elif defined REFUSES_MODE
    if (c != NULL && event_mode)
        return free(c), NULL;
#else
    if (event_mode)
        abort();
#endif
    return c;
}

int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start,
                                bool stop_defined, double stop)
{
    (void)stop_defined, (void)stop;
    of(c)->t = start;
    return is_tolerated(tolerance_defined, tolerance) ? OK : fails(c, ERROR);
}
#endif

void NAME(FreeInstance, FreeInstance)(void *c)
{
    CRASHES(FREED, true);
    free(c);
}

int NAME(ExitInitializationMode, ExitInitializationMode)(void *c)
{
    CRASHES(INITIALISED, true);
    if (of(c)->mode == STEPS)
        of(c)->mode = EVENTS_NOW;
    return OK;
}

int NAME(Terminate, Terminate)(void *c)
{
    of(c);
    return OK;
}

int NAME(GetReal, GetFloat64)(void *instance, const unsigned *vr, size_t n, double *value AND_COUNT(m))
{
    component *c = of(instance);
    CRASHES(READ, c->t >= 1.0);
    for (size_t k = 0; k < n; k++) {
        if (vr[k] >= VARIABLES)
            return fails(c, ERROR);
        value[k] = c->v[vr[k]];
    }
    return OK;
}

int NAME(SetReal, SetFloat64)(void *instance, const unsigned *vr, size_t n, const double *value AND_COUNT(m))
{
    component *c = of(instance);
    CRASHES(SET, c->t >= 1.0);
    for (size_t k = 0; k < n; k++) {
#ifdef STUCK
        if (vr[k] == X)
            continue;
#endif
        c->v[vr[k]] = value[k];
    }
    return OK;
}

int NAME(GetInteger, GetInt64)(void *c, const unsigned *vr, size_t n, whole *value AND_COUNT(m))
{
    (void)vr, (void)n;
    *value = (whole)of(c)->n;
    return OK;
}

int NAME(SetInteger, SetInt64)(void *c, const unsigned *vr, size_t n, const whole *value AND_COUNT(m))
{
    (void)vr, (void)n;
    of(c)->n = *value;
    return OK;
}

int NAME(GetBoolean, GetBoolean)(void *c, const unsigned *vr, size_t n, boolean *value AND_COUNT(m))
{
    (void)vr, (void)n;
    *value = of(c)->b;
    return OK;
}

int NAME(SetBoolean, SetBoolean)(void *c, const unsigned *vr, size_t n, const boolean *value AND_COUNT(m))
{
    (void)vr, (void)n;
    of(c)->b = *value;
    return OK;
}

/* Nobody reads it back: soft is taken, anything else is discarded. */
int NAME(SetString, SetString)(void *c, const unsigned *vr, size_t n, const char *const *value AND_COUNT(m))
{
    (void)vr, (void)n;
    return strcmp(*value, "soft") == 0 ? OK : fails(of(c), DISCARD);
}

#ifndef MISSING
int NAME(GetFMUstate, GetFMUState)(void *instance, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(component));
    memcpy(*state, of(instance), sizeof(component));
    return OK;
}
#endif

int NAME(SetFMUstate, SetFMUState)(void *instance, void *state)
{
#ifdef FORGETS
    return OK;
#endif
    CRASHES(RESTORED, true);
    memcpy(of(instance), state, sizeof(component));
    return OK;
}

/* After an error as well. */
int NAME(FreeFMUstate, FreeFMUState)(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

/* Co-simulation. FAULT: the status of a step that begins at 1 or later. */
static int step(component *c, double t, double h)
{
    CRASHES(STEPPED, t >= 1.0);
    start_thread(STEPPED);
#ifdef STRICT
    if (t != c->t)
        return fails(c, 3);
#endif
#ifdef FAULT
    if (t >= 1.0)
        return fails(c, FAULT);
#endif
    c->v[X] += h * c->v[DX];
    c->t = t + h;
    of(c);
    return OK;
}

#if FMI == 2
int fmi2DoStep(void *c, double t, double h, int keep)
{
    (void)keep;
    return step(of(c), t, h);
}

int fmi2GetRealStatus(void *c, int kind, double *value)
{
    *value = of(c)->t;
    return kind == 2 ? OK : DISCARD;
}
#else
int fmi3DoStep(void *c, double t, double h, bool keep, bool *event, bool *terminate, bool *early,
               double *reached)
{
    (void)keep;
    component *of_it = of(c);
    const double next = ((int)(t * 4.0 + 1e-9) + 1) * 0.25;
    *event = *terminate = *early = false;
    if (of_it->mode == EVENTS_NOW || of_it->due > 0)
        abort();
    if (of_it->mode == STEPS && next <= t + h) {
        *event = true;
        *early = next < t + h;
        h = next - t;
        of_it->due = 2;
    }
    const int status = step(of_it, t, h);
    *reached = of_it->t;
    return status;
}

int fmi3EnterStepMode(void *instance)
{
    component *c = of(instance);
    if (c->mode != EVENTS_NOW || c->due > 0)
        abort();
    c->mode = STEPS;
    return OK;
}
#endif

/* Model exchange. ENDLESS: its event iteration. */
#ifdef CLOCKS
/* What is due at t. Returns the next time that is announced. */
static double tick(component *c, bool *changed)
{
    const double x = c->v[X];
    if (c->tenths == 5 && c->again < CLOCKS && c->t == 0.5) {
        c->v[X] += 10000.0;
        c->again++;
    }
    for (; (c->thirds + 1) * 0.3 <= c->t; c->thirds++)
        c->v[X] += 100.0;
    for (; (c->tenths + 1) * 0.1 <= c->t; c->tenths++)
        c->v[X] += 1.0;
    *changed = c->v[X] != x;
    if (c->tenths == 5 && c->again < CLOCKS && c->t == 0.5)
        return 0.5;
    const double tenth = (c->tenths + 1) * 0.1, third = (c->thirds + 1) * 0.3;
    return tenth < third ? tenth : third;
}
#endif

#if FMI == 2
typedef struct event_info {
    int needed, terminate, nominals, changed, defined;
    double next;
} event_info;

int fmi2NewDiscreteStates(void *c, event_info *info)
{
    *info = (event_info){0};
#ifdef ENDLESS
    info->needed = 1;
#endif
    of(c);
#ifdef CLOCKS
    bool changed;
    info->next = tick(of(c), &changed);
    info->changed = changed;
    info->defined = 1;
#endif
    return OK;
}
#else
int fmi3UpdateDiscreteStates(void *c, bool *needed, bool *terminate, bool *nominals, bool *changed,
                             bool *defined, double *next)
{
    *needed = *terminate = *nominals = *changed = *defined = false;
    *next = 0.0;
#ifdef ENDLESS
    *needed = true;
#endif
    component *of_it = of(c);
    if (of_it->mode == STEPS)
        abort();
    if (of_it->due > 0 && --of_it->due == 0)
        of_it->v[X] += 1.0;
    *needed = *needed || of_it->due > 0;
#ifdef CLOCKS
    *next = tick(of_it, changed);
    *defined = true;
#endif
    return OK;
}
#endif

int NAME(EnterEventMode, EnterEventMode)(void *c)
{
    if (of(c)->mode == EVENTS_NOW)
        abort();
    of(c)->mode = of(c)->mode == STEPS ? EVENTS_NOW : NO_MODES;
    return OK;
}

int NAME(EnterContinuousTimeMode, EnterContinuousTimeMode)(void *c)
{
    of(c);
    return OK;
}

int NAME(CompletedIntegratorStep, CompletedIntegratorStep)(void *c, boolean keep, boolean *event,
                                                           boolean *terminate)
{
    (void)keep;
    of(c);
    *event = *terminate = false;
#ifdef ASKS
    *event = true;
#endif
    return OK;
}

int NAME(SetTime, SetTime)(void *c, double t)
{
    of(c)->t = t;
    return OK;
}

int NAME(SetContinuousStates, SetContinuousStates)(void *c, const double *x, size_t n)
{
    memcpy(of(c)->v, x, n * sizeof *x);
    return OK;
}

int NAME(GetContinuousStates, GetContinuousStates)(void *c, double *x, size_t n)
{
    memcpy(x, of(c)->v, n * sizeof *x);
    return OK;
}

int NAME(GetDerivatives, GetContinuousStateDerivatives)(void *c, double *dx, size_t n)
{
    CRASHES(EVALUATED, ((component *)c)->t >= 1.0);
    memcpy(dx, of(c)->v + DX, n * sizeof *dx);
    return OK;
}

int NAME(GetEventIndicators, GetEventIndicators)(void *c, double *r, size_t n)
{
    (void)r;
    of(c);
    return n == 0 ? OK : ERROR;
}
