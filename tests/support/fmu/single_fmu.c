/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single_fmu.c - the source of a binary that tests compile (test_fmu_read_single.c), for both kinds of FMI 3.0, whose variables are all of type Float32, and
 * which computes with them:
 *
 *     x' = -x - CUBE x^3 + u,  y = x,  x(0) = 2,  u = 2 + 8 CUBE at the start
 *
 * Co-simulation takes ten steps of the midpoint rule in each of its own. Value references: x 0, x' 1, u 2, y 3. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef CUBE
#define CUBE 0.0F
#endif

enum { OK, ERROR = 3 };

typedef struct component {
    float x, u;
} component;

static float slope(float x, float u)
{
    return -x - CUBE * x * x * x + u;
}

static void *create(void)
{
    component *c = calloc(1, sizeof *c);
    if (c != NULL)
        *c = (component){2.0F, 2.0F + 8.0F * CUBE};
    return c;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment, void *log)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return create();
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const unsigned *required, size_t n,
                                  void *environment, void *log, void *update)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)events, (void)early;
    (void)required, (void)n, (void)environment, (void)log, (void)update;
    return create();
}

void fmi3FreeInstance(void *c)
{
    free(c);
}

int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start, bool stops,
                                double stop)
{
    (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stops, (void)stop;
    return OK;
}

int fmi3ExitInitializationMode(void *c)
{
    (void)c;
    return OK;
}

int fmi3Terminate(void *c)
{
    (void)c;
    return OK;
}

int fmi3GetFloat32(void *instance, const unsigned *vr, size_t n, float *value, size_t n_values)
{
    const component *c = instance;
    for (size_t k = 0; k < n; k++)
        value[k] = vr[k] == 1 ? slope(c->x, c->u) : vr[k] == 2 ? c->u : c->x;
    return n_values == n ? OK : ERROR;
}

int fmi3SetFloat32(void *instance, const unsigned *vr, size_t n, const float *value, size_t n_values)
{
    component *c = instance;
    for (size_t k = 0; k < n; k++)
        *(vr[k] == 2 ? &c->u : &c->x) = value[k];
    return n_values == n ? OK : ERROR;
}

int fmi3DoStep(void *instance, double t, double h, bool keep, bool *event, bool *terminate, bool *early,
               double *reached)
{
    component *c = instance;
    const float part = (float)h / 10.0F;
    (void)keep;
    for (int k = 0; k < 10; k++)
        c->x += part * slope(c->x + 0.5F * part * slope(c->x, c->u), c->u);
    *event = *terminate = *early = false;
    *reached = t + h;
    return OK;
}

int fmi3SetTime(void *c, double t)
{
    (void)c, (void)t;
    return OK;
}

int fmi3SetContinuousStates(void *instance, const double *x, size_t n)
{
    ((component *)instance)->x = (float)x[0];
    return n == 1 ? OK : ERROR;
}

int fmi3GetContinuousStates(void *instance, double *x, size_t n)
{
    x[0] = ((component *)instance)->x;
    return n == 1 ? OK : ERROR;
}

int fmi3GetContinuousStateDerivatives(void *instance, double *dx, size_t n)
{
    const component *c = instance;
    dx[0] = slope(c->x, c->u);
    return n == 1 ? OK : ERROR;
}

int fmi3GetEventIndicators(void *c, double *r, size_t n)
{
    (void)c, (void)r, (void)n;
    return OK;
}

int fmi3EnterEventMode(void *c)
{
    (void)c;
    return OK;
}

int fmi3EnterContinuousTimeMode(void *c)
{
    (void)c;
    return OK;
}

int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals, bool *states,
                             bool *defined, double *next)
{
    (void)c, (void)next;
    *again = *terminate = *nominals = *states = *defined = false;
    return OK;
}

int fmi3CompletedIntegratorStep(void *c, bool keep, bool *event, bool *terminate)
{
    (void)c, (void)keep;
    *event = *terminate = false;
    return OK;
}
