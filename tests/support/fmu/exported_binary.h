/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exported_binary.h - the binary of an exported FMU, opened by hand and in one form for both versions, apart from what the project
 * imports FMUs with. Statuses are those of FMI: 0 done, 2 discarded, 3 an error. */
#pragma once

#include "fmu_description.h"
#include "fmu_export.h"

enum { SUPPORT_BINARY_INPUTS = 64, SUPPORT_BINARY_DEGREE = 4 };

typedef struct support_callbacks_2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} support_callbacks_2;

typedef struct support_binary {
    int fmi;
    char folder[4000];
    const char *identifier; /* the description's */
    bool own;               /* the folder goes with it */
    ms_fmu_description *description;
    void *object, *c;
    char said[600];                /* the last line of its logger */
    support_callbacks_2 callbacks; /* they outlive the component */
    /* 3.0: what the intermediate update sets, by the value references of all inputs: derivatives at `t`. */
    int n;
    unsigned reference[SUPPORT_BINARY_INPUTS];
    double t, input[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS];
} support_binary;

/* A function of the standard, by its name without fmi2 or fmi3; to be called as what it is. */
typedef void support_function(void);
support_function *support_binary_find(const support_binary *b, const char *name);

/* One that is unpacked already, and stays. */
void support_binary_load(support_binary *b, int fmi, const char *folder);
/* Exports into a new folder, reads the description, opens the binary. */
void support_binary_open(support_binary *b, const ms_fmu_export *what);
/* Its binary from now on: the sources that it brings, compiled as C11 with nothing but libm. */
void support_binary_compile(support_binary *b);
void support_binary_close(support_binary *b); /* and removes the folder */

/* NULL token: that of the description. Returns whether there is a component. */
bool support_binary_instantiate(support_binary *b, const char *token, bool exchange);
void support_binary_free(support_binary *b);
/* Enters and exits initialisation; both, with inputs (n) set between them. */
int support_binary_enter(support_binary *b, double t);
int support_binary_exit(support_binary *b);
int support_binary_start(support_binary *b, double t, const double *u);

/* References of the inputs, outputs or derivatives in their order; a variable's by its name. */
int support_binary_inputs(const support_binary *b, unsigned *reference);
int support_binary_outputs(const support_binary *b, unsigned *reference);
unsigned support_binary_named(const support_binary *b, const char *name);

int support_binary_get(support_binary *b, int n, const unsigned *reference, double *value);
int support_binary_set(support_binary *b, int n, const unsigned *reference, const double *value);
/* Inputs over the coming step: derivatives [k][i] up to the degree at t. 3.0: by the intermediate update. */
int support_binary_feed(support_binary *b, double t, int degree,
                        double derivative[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS]);
int support_binary_step(support_binary *b, double t, double h);
int support_binary_output_derivatives(support_binary *b, int n, const unsigned *reference, int order,
                                      double *value);
int support_binary_directional(support_binary *b, int n, const unsigned *unknown, int m,
                               const unsigned *known, const double *seed, double *value);

int support_binary_save(support_binary *b, void **state);
int support_binary_restore(support_binary *b, void *state);
void support_binary_forget(support_binary *b, void **state);
size_t support_binary_serialise(support_binary *b, void *state, unsigned char *bytes, size_t room);
int support_binary_deserialise(support_binary *b, const unsigned char *bytes, size_t size, void **state);

int support_binary_set_point(support_binary *b, double t, int nx, const double *x);
int support_binary_derivatives(support_binary *b, int nx, double *dx);
int support_binary_indicators(support_binary *b, int n, double *r);
int support_binary_states(support_binary *b, int nx, double *x);
/* Enters event mode (unless it is there), handles, goes back. */
int support_binary_events(support_binary *b, bool enter, double *next);
