/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ticking_fmu.c - the source of a binary that tests compile (made_fmu.h), for model exchange of FMI 2.0, without functions that keep
 * its state, as other tools' are:
 *
 *     x' = -x + u,  y = x,  x becomes x + 1 at each quarter of a second
 *
 * References as those of decay_fmu.c. What is called in a state in which the standard does not allow it ends the program: so do
 * times before the last event, and steps over an event. ENDS: at that time it asks for the end of the simulation, in a completed step
 * or, with AT_EVENT, in an event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR };
enum { INSTANTIATED, INITIALISING, EVENTS, CONTINUOUS, TERMINATED };
enum { X, DX, U, Y, K, VARIABLES };

#ifndef ENDS
#define ENDS 1e9
#endif
#ifndef AT_EVENT
#define AT_EVENT 0
#endif

typedef struct component {
    int state, experiment, due;
    long ticks;
    double v[VARIABLES], t, last; /* last: the event */
} component;

typedef struct event_info {
    int needed, terminate, nominals, changed, defined;
    double next;
} event_info;

static component *in(void *instance, const char *states)
{
    component *c = instance;
    if (strchr(states, "IiECT"[c->state]) == NULL) {
        fprintf(stderr, "called in state %c, allowed in %s\n", "IiECT"[c->state], states);
        abort();
    }
    c->v[DX] = c->v[U] - c->v[X];
    c->v[Y] = c->v[X];
    return c;
}

void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                      const void *callbacks, int visible, int logging)
{
    (void)name, (void)token, (void)resources, (void)callbacks, (void)visible, (void)logging;
    component *c = kind == 0 ? calloc(1, sizeof *c) : NULL;
    if (c != NULL)
        c->v[X] = 1.0;
    return c;
}

int fmi2SetupExperiment(void *instance, int tolerance_defined, double tolerance, double start,
                        int stop_defined, double stop)
{
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    component *c = in(instance, "I");
    c->experiment = 1;
    c->t = start;
    return OK;
}

int fmi2EnterInitializationMode(void *instance)
{
    component *c = in(instance, "I");
    if (!c->experiment)
        abort();
    c->state = INITIALISING;
    return OK;
}

int fmi2ExitInitializationMode(void *instance)
{
    in(instance, "i")->state = EVENTS;
    return OK;
}

int fmi2Terminate(void *instance)
{
    in(instance, "EC")->state = TERMINATED;
    return OK;
}

void fmi2FreeInstance(void *instance)
{
    in(instance, "IT"); /* who initialises has to terminate */
    free(instance);
}

int fmi2GetReal(void *instance, const unsigned *vr, size_t n, double *value)
{
    const component *c = in(instance, "iECT");
    for (size_t k = 0; k < n; k++)
        value[k] = c->v[vr[k]];
    return OK;
}

int fmi2SetReal(void *instance, const unsigned *vr, size_t n, const double *value)
{
    component *c = instance;
    for (size_t k = 0; k < n; k++)
        in(c, vr[k] == U ? "IiEC" : "Ii")->v[vr[k]] = value[k];
    return OK;
}

int fmi2NewDiscreteStates(void *instance, event_info *info)
{
    component *c = in(instance, "E");
    *info = (event_info){0};
    if (c->t >= 0.25 * (double)(c->ticks + 1) - 1e-12) {
        c->ticks++;
        c->v[X] += 1.0;
        info->changed = 1;
    }
    info->terminate = AT_EVENT && c->t >= ENDS;
    info->defined = 1;
    info->next = 0.25 * (double)(c->ticks + 1);
    c->last = c->t;
    return OK;
}

int fmi2EnterEventMode(void *instance)
{
    in(instance, "C")->state = EVENTS;
    return OK;
}

int fmi2EnterContinuousTimeMode(void *instance)
{
    in(instance, "E")->state = CONTINUOUS;
    return OK;
}

int fmi2CompletedIntegratorStep(void *instance, int keep, int *event, int *terminate)
{
    (void)keep;
    *event = 0;
    *terminate = !AT_EVENT && in(instance, "C")->t >= ENDS;
    return OK;
}

int fmi2SetTime(void *instance, double t)
{
    component *c = in(instance, "EC");
    if (t < c->last - 1e-12 || t > 0.25 * (double)(c->ticks + 1) + 1e-9)
        abort();
    c->t = t;
    return OK;
}

int fmi2SetContinuousStates(void *instance, const double *x, size_t n)
{
    memcpy(in(instance, "C")->v, x, n * sizeof *x);
    return OK;
}

int fmi2GetContinuousStates(void *instance, double *x, size_t n)
{
    memcpy(x, in(instance, "iEC")->v, n * sizeof *x);
    return OK;
}

int fmi2GetDerivatives(void *instance, double *dx, size_t n)
{
    memcpy(dx, in(instance, "iEC")->v + DX, n * sizeof *dx);
    return OK;
}

int fmi2GetEventIndicators(void *instance, double *r, size_t n)
{
    (void)r;
    in(instance, "iEC");
    return n == 0 ? OK : ERROR;
}
