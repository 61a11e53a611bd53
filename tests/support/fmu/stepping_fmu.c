/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepping_fmu.c - the source of a binary that tests compile (made_fmu.h), for co-simulation of FMI 2.0:
 *
 *     x' = -k x + u,  y = x      solved exactly over each step
 *
 * References as those of decay_fmu.c; the value of reference 9 is not a number. PRINTS: it prints, through a buffer and past it, where it is loaded, made, stepped, freed and
 * unloaded. CLOSES: a step closes descriptors from that one on, up to UP_TO. LIBRARIES: it brings functions of the names of libraries that the program has, and calls them in each step.
 * BREAKS: steps from 0.5 s on are errors, and a component that goes before its states ends the program.
 * EXITS: a step ends the program by that function as if all were well. FAILS: its initialisation does, with that status and without a word. GRID: it takes steps of that length alone, from its multiples on.
 * PENDING: a step is done when its status has been asked for so often. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL, NOT_YET };
enum { X, DX, U, Y, K, VARIABLES, UNDEFINED = 9 };

#ifndef GRID
#define GRID 0.0
#endif

typedef struct component {
    double v[VARIABLES];
    int states; /* of it that are kept */
    int asked;
    double h; /* of the step that goes on */
} component;

#ifdef LIBRARIES
/* Who is called for somebody else, and who calls somebody else, ends the program. */
enum { OWN = 0x5eed };
#define NAMES(X)                                                                                             \
    X(CVode)                                                                                                 \
    X(N_VNew_Serial)                                                                                         \
    X(dgeev_) X(cblas_ddot) X(gsl_vector_alloc) X(json_loads) X(ms_run) X(zip_open) X(XML_ParserCreate)
#define BRINGS(name)                                                                                         \
    long name(long asked);                                                                                   \
    long name(long asked)                                                                                    \
    {                                                                                                        \
        if (asked != OWN)                                                                                    \
            abort();                                                                                         \
        return 2L * OWN;                                                                                     \
    }
#define CALLS(name)                                                                                          \
    if (name(OWN) != 2L * OWN)                                                                               \
        abort();
#else
#define NAMES(X)
#endif
NAMES(BRINGS)

static void prints(const char *where)
{
#ifdef PRINTS
    const ssize_t written = write(STDOUT_FILENO, "at once\n", 8);
    printf("printed where it is %s, %d\n", where, (int)written);
#else
    (void)where;
#endif
}

static void closes(void)
{
#ifdef CLOSES
    for (int k = CLOSES; k <= UP_TO; k++)
        close(k);
#endif
}

static void __attribute__((constructor)) load(void)
{
    prints("loaded");
}

static void __attribute__((destructor)) unload(void)
{
    prints("unloaded");
}

void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                      const void *callbacks, int visible, int logging)
{
    (void)name, (void)token, (void)resources, (void)callbacks, (void)visible, (void)logging;
    component *c = kind == 1 ? calloc(1, sizeof *c) : NULL;
    prints("made");
    if (c != NULL)
        c->v[X] = c->v[K] = 1.0;
    return c;
}

void fmi2FreeInstance(void *instance)
{
    prints("freed");
#ifdef BREAKS
    if (((component *)instance)->states > 0)
        abort();
#endif
    free(instance);
}

int fmi2SetupExperiment(void *instance, int tolerance_defined, double tolerance, double start,
                        int stop_defined, double stop)
{
    (void)instance, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
    return OK;
}

int fmi2EnterInitializationMode(void *instance)
{
    (void)instance;
    return OK;
}

int fmi2ExitInitializationMode(void *instance)
{
    (void)instance;
#ifdef FAILS
    return FAILS;
#endif
    return OK;
}

int fmi2Terminate(void *instance)
{
    (void)instance;
    return OK;
}

int fmi2GetReal(void *instance, const unsigned *vr, size_t n, double *value)
{
    component *c = instance;
    c->v[DX] = c->v[U] - c->v[K] * c->v[X];
    c->v[Y] = c->v[X];
    for (size_t k = 0; k < n; k++)
        value[k] = vr[k] == UNDEFINED ? NAN : c->v[vr[k]];
    return OK;
}

int fmi2SetReal(void *instance, const unsigned *vr, size_t n, const double *value)
{
    component *c = instance;
    for (size_t k = 0; k < n; k++)
        c->v[vr[k]] = value[k];
    return OK;
}

int fmi2GetFMUstate(void *instance, void **state)
{
    if (*state == NULL) {
        ((component *)instance)->states++;
        *state = malloc(sizeof(component));
    }
    if (*state != NULL)
        memcpy(*state, instance, sizeof(component));
    return *state != NULL ? OK : ERROR;
}

int fmi2SetFMUstate(void *instance, void *state)
{
    memcpy(((component *)instance)->v, ((component *)state)->v, sizeof((component *)state)->v);
    return OK;
}

int fmi2FreeFMUstate(void *instance, void **state)
{
    ((component *)instance)->states--;
    free(*state);
    *state = NULL;
    return OK;
}

int fmi2DoStep(void *instance, double t, double h, int keep)
{
    component *c = instance;
    const double end = c->v[U] / c->v[K];
    (void)keep;
    const double grid = GRID;
    if (grid > 0.0 && (fabs(h / grid - 1.0) > 1e-9 || fabs(t / grid - round(t / grid)) > 1e-7))
        return ERROR;
    prints("stepped");
    closes();
#ifdef BREAKS
    if (t >= 0.5)
        return ERROR;
#endif
#ifdef EXITS
    EXITS(0);
#endif
    NAMES(CALLS)
#ifdef PENDING
    c->h = h;
    c->asked = 0;
    return NOT_YET;
#endif
    c->v[X] = end + (c->v[X] - end) * exp(-c->v[K] * h);
    return OK;
}

#ifdef PENDING
int fmi2GetStatus(void *instance, int kind, int *status)
{
    component *c = instance;
    const double end = c->v[U] / c->v[K];
    *status = NOT_YET;
    if (kind != 0 || ++c->asked < PENDING)
        return kind == 0 ? OK : ERROR;
    c->v[X] = end + (c->v[X] - end) * exp(-c->v[K] * c->h);
    *status = OK;
    return OK;
}
#endif
