/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sized_fmu.c - the source of a binary that tests compile (test_fmu_read_sizes.c), for co-simulation of FMI 3.0, with a structural parameter n:
 *
 *     y_i = k_i u_i,  c_i = i + n  (Int8),  i = 1 .. n
 *
 * Value references: n 1, u 2, k 3, y 4, c 5. n is set in configuration mode alone, everything else outside of it: other calls fail. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { OK, ERROR = 3, MOST = 100 };

typedef struct component {
    size_t n;
    bool configures;
    double u[MOST], k[MOST];
} component;

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool events, bool early, const unsigned *required, size_t n,
                                  void *environment, void *log, void *update)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)events, (void)early;
    (void)required, (void)n, (void)environment, (void)log, (void)update;
    component *c = calloc(1, sizeof *c);
    c->n = 2;
    for (int i = 0; i < MOST; i++)
        c->k[i] = 1.0;
    return c;
}

void fmi3FreeInstance(void *c)
{
    free(c);
}

static int enter(component *c, bool configures)
{
    const int status = c->configures != configures ? OK : ERROR;
    c->configures = configures;
    return status;
}

int fmi3EnterConfigurationMode(void *c)
{
    return enter(c, true);
}

int fmi3ExitConfigurationMode(void *c)
{
    return enter(c, false);
}

int fmi3SetUInt64(void *instance, const unsigned *vr, size_t n, const uint64_t *value, size_t n_values)
{
    (void)n;
    component *c = instance;
    c->n = value[0];
    return c->configures && vr[0] == 1 && n_values == 1 ? OK : ERROR;
}

int fmi3SetFloat64(void *instance, const unsigned *vr, size_t n, const double *value, size_t n_values)
{
    component *c = instance;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < c->n; i++)
            (vr[j] == 2 ? c->u : c->k)[i] = *value++;
    return !c->configures && n_values == n * c->n ? OK : ERROR;
}

int fmi3GetFloat64(void *instance, const unsigned *vr, size_t n, double *value, size_t n_values)
{
    (void)vr;
    component *c = instance;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < c->n; i++)
            *value++ = c->k[i] * c->u[i];
    return !c->configures && n_values == n * c->n ? OK : ERROR;
}

int fmi3GetInt8(void *instance, const unsigned *vr, size_t n, int8_t *value, size_t n_values)
{
    (void)vr, (void)n;
    component *c = instance;
    for (size_t i = 0; i < c->n; i++)
        value[i] = (int8_t)(i + 1 + c->n);
    return n_values == c->n ? OK : ERROR;
}

int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start, bool stops,
                                double stop)
{
    (void)tolerance_defined, (void)tolerance, (void)start, (void)stops, (void)stop;
    return ((component *)c)->configures ? ERROR : OK;
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

int fmi3DoStep(void *c, double t, double h, bool keep, bool *event, bool *terminate, bool *early,
               double *reached)
{
    (void)c, (void)keep;
    *event = *terminate = *early = false;
    *reached = t + h;
    return OK;
}
