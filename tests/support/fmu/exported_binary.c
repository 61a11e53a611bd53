/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw */
#include "exported_binary.h"

#include <dlfcn.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_description_read.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

support_function *support_binary_find(const support_binary *b, const char *name)
{
    char whole[80];
    support_function *f;
    snprintf(whole, sizeof whole, "fmi%d%s", b->fmi, name);
    void *object = dlsym(b->object, whole);
    assert_non_null(object);
    memcpy(&f, &object, sizeof f);
    return f;
}

/* The function of that name as one of that type. */
#define CALL(b, name, ...) ((int (*)(__VA_ARGS__))support_binary_find(b, name))

/* Life --------------------------------------------------------------------------------------------------- */

void support_binary_load(support_binary *b, int fmi, const char *folder)
{
    char path[5000];
    ms_error error = {0};
    *b = (support_binary){.fmi = fmi};
    snprintf(b->folder, sizeof b->folder, "%s", folder);
    snprintf(path, sizeof path, "%s/modelDescription.xml", b->folder);
    char *text = support_read_file(path, NULL);
    if (ms_fmu_description_read(path, text, strlen(text), &b->description, &error) != MS_OK)
        fail_msg("%s", error.text);
    free(text);
    b->identifier = b->description->flags[MS_FMU_CO_SIMULATION].model_identifier;
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", b->folder, b->fmi == 2 ? "linux64" : "x86_64-linux",
             b->identifier);
    b->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (b->object == NULL)
        fail_msg("%s", dlerror());
    b->n = support_binary_inputs(b, b->reference);
}

void support_binary_open(support_binary *b, const ms_fmu_export *what)
{
    char folder[4000];
    ms_fmu_exported made;
    ms_error error = {0};
    support_folder_new(folder, sizeof folder);
    if (ms_fmu_export_folder(what, folder, &made, &error) != MS_OK)
        fail_msg("%s", error.text);
    support_binary_load(b, what->fmi, folder);
    assert_string_equal(made.identifier, b->identifier);
    b->own = true;
}

void support_binary_compile(support_binary *b)
{
    char path[5000], command[20000];
    snprintf(path, sizeof path, "%s/compiled.so", b->folder);
    snprintf(command, sizeof command,
             "cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -shared -fPIC '%s'/sources/*.c -Wl,-z,defs "
             "-lm -o '%s'",
             b->folder, path);
    assert_int_equal(system(command), 0);
    dlclose(b->object);
    b->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (b->object == NULL)
        fail_msg("%s", dlerror());
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

void support_binary_close(support_binary *b)
{
    support_binary_free(b);
    ms_fmu_description_free(&b->description);
    dlclose(b->object);
    if (b->own)
        nftw(b->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void hear_2(void *self, const char *instance, int status, const char *category, const char *format,
                   ...)
{
    support_binary *b = self;
    va_list arguments;
    (void)instance, (void)status, (void)category;
    va_start(arguments, format);
    vsnprintf(b->said, sizeof b->said, format, arguments);
    va_end(arguments);
}

static void hear_3(void *self, int status, const char *category, const char *text)
{
    support_binary *b = self;
    (void)status, (void)category;
    snprintf(b->said, sizeof b->said, "%s", text);
}

static void update(void *self, double t, bool may_set, bool may_get, bool finished, bool can_return,
                   bool *returns, double *when)
{
    support_binary *b = self;
    const double s = t - b->t;
    (void)may_get, (void)finished, (void)can_return, (void)when;
    *returns = false;
    assert_true(may_set);
    for (int i = 0; i < b->n; i++) {
        double u = 0.0; /* sum_k input[k] s^k / k! */
        for (int k = SUPPORT_BINARY_DEGREE; k >= 0; k--)
            u = b->input[k][i] + u * s / (k + 1);
        assert_int_equal(support_binary_set(b, 1, &b->reference[i], &u), 0);
    }
}

bool support_binary_instantiate(support_binary *b, const char *token, bool exchange)
{
    char resources[5000];
    b->callbacks = (support_callbacks_2){hear_2, calloc, free, NULL, b};
    const char *guid = token != NULL ? token : b->description->token;
    snprintf(resources, sizeof resources, "%s%s/resources%s", b->fmi == 2 ? "file://" : "", b->folder,
             b->fmi == 2 ? "" : "/");
    if (b->fmi == 2)
        b->c = ((void *(*)(const char *, int, const char *, const char *, const support_callbacks_2 *, int,
                           int))support_binary_find(b, "Instantiate"))("a", exchange ? 0 : 1, guid, resources,
                                                                       &b->callbacks, 0, 1);
    else if (exchange)
        b->c = ((void *(*)(const char *, const char *, const char *, bool, bool, void *,
                           void (*)(void *, int, const char *,
                                    const char *)))support_binary_find(b, "InstantiateModelExchange"))(
            "a", guid, resources, false, true, b, hear_3);
    else
        b->c = ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool, const unsigned *,
                           size_t, void *, void (*)(void *, int, const char *, const char *),
                           void (*)(void *, double, bool, bool, bool, bool, bool *,
                                    double *)))support_binary_find(b, "InstantiateCoSimulation"))(
            "a", guid, resources, false, true, false, false, b->reference, (size_t)b->n, b, hear_3, update);
    return b->c != NULL;
}

void support_binary_free(support_binary *b)
{
    if (b->c != NULL)
        ((void (*)(void *))support_binary_find(b, "FreeInstance"))(b->c);
    b->c = NULL;
}

int support_binary_enter(support_binary *b, double t)
{
    if (b->fmi == 3)
        return CALL(b, "EnterInitializationMode", void *, bool, double, double, bool,
                    double)(b->c, false, 0.0, t, false, 0.0);
    const int status =
        CALL(b, "SetupExperiment", void *, int, double, double, int, double)(b->c, 0, 0.0, t, 0, 0.0);
    return status == 0 ? CALL(b, "EnterInitializationMode", void *)(b->c) : status;
}

int support_binary_exit(support_binary *b)
{
    return CALL(b, "ExitInitializationMode", void *)(b->c);
}

int support_binary_start(support_binary *b, double t, const double *u)
{
    int status = support_binary_enter(b, t);
    if (status == 0 && u != NULL)
        status = support_binary_set(b, b->n, b->reference, u);
    return status == 0 ? support_binary_exit(b) : status;
}

/* Values ------------------------------------------------------------------------------------------------- */

int support_binary_inputs(const support_binary *b, unsigned *reference)
{
    const ms_fmu_description *d = b->description;
    assert_true(d->n_inputs <= SUPPORT_BINARY_INPUTS);
    for (int k = 0; k < d->n_inputs; k++)
        reference[k] = d->variables[d->inputs[k]].value_reference;
    return d->n_inputs;
}

int support_binary_outputs(const support_binary *b, unsigned *reference)
{
    const ms_fmu_description *d = b->description;
    assert_true(d->n_outputs <= SUPPORT_BINARY_INPUTS);
    for (int k = 0; k < d->n_outputs; k++)
        reference[k] = d->variables[d->outputs[k].variable].value_reference;
    return d->n_outputs;
}

unsigned support_binary_named(const support_binary *b, const char *name)
{
    const int k = ms_fmu_variable_index(b->description, name);
    if (k < 0)
        fail_msg("%s has no variable %s", b->identifier, name);
    return b->description->variables[k].value_reference;
}

int support_binary_get(support_binary *b, int n, const unsigned *reference, double *value)
{
    const size_t m = (size_t)n;
    return b->fmi == 2
               ? CALL(b, "GetReal", void *, const unsigned *, size_t, double *)(b->c, reference, m, value)
               : CALL(b, "GetFloat64", void *, const unsigned *, size_t, double *, size_t)(b->c, reference, m,
                                                                                           value, m);
}

int support_binary_set(support_binary *b, int n, const unsigned *reference, const double *value)
{
    const size_t m = (size_t)n;
    return b->fmi == 2 ? CALL(b, "SetReal", void *, const unsigned *, size_t, const double *)(b->c, reference,
                                                                                              m, value)
                       : CALL(b, "SetFloat64", void *, const unsigned *, size_t, const double *,
                              size_t)(b->c, reference, m, value, m);
}

int support_binary_feed(support_binary *b, double t, int degree,
                        double derivative[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS])
{
    int order[SUPPORT_BINARY_INPUTS];
    int status = support_binary_set(b, b->n, b->reference, derivative[0]);
    memset(b->input, 0, sizeof b->input);
    b->t = t;
    for (int k = 0; k <= degree; k++)
        memcpy(b->input[k], derivative[k], sizeof b->input[k]);
    for (int k = 1; k <= degree && b->fmi == 2 && status == 0; k++) {
        for (int i = 0; i < b->n; i++)
            order[i] = k;
        status = CALL(b, "SetRealInputDerivatives", void *, const unsigned *, size_t, const int *,
                      const double *)(b->c, b->reference, (size_t)b->n, order, derivative[k]);
    }
    return status;
}

int support_binary_step(support_binary *b, double t, double h)
{
    bool event, terminate, early;
    double last;
    return b->fmi == 2 ? CALL(b, "DoStep", void *, double, double, int)(b->c, t, h, 1)
                       : CALL(b, "DoStep", void *, double, double, bool, bool *, bool *, bool *,
                              double *)(b->c, t, h, true, &event, &terminate, &early, &last);
}

int support_binary_output_derivatives(support_binary *b, int n, const unsigned *reference, int order,
                                      double *value)
{
    int orders[SUPPORT_BINARY_INPUTS];
    const size_t m = (size_t)n;
    for (int i = 0; i < n; i++)
        orders[i] = order;
    return b->fmi == 2 ? CALL(b, "GetRealOutputDerivatives", void *, const unsigned *, size_t, const int *,
                              double *)(b->c, reference, m, orders, value)
                       : CALL(b, "GetOutputDerivatives", void *, const unsigned *, size_t, const int *,
                              double *, size_t)(b->c, reference, m, orders, value, m);
}

int support_binary_directional(support_binary *b, int n, const unsigned *unknown, int m,
                               const unsigned *known, const double *seed, double *value)
{
    const size_t rows = (size_t)n, columns = (size_t)m;
    return b->fmi == 2
               ? CALL(b, "GetDirectionalDerivative", void *, const unsigned *, size_t, const unsigned *,
                      size_t, const double *, double *)(b->c, unknown, rows, known, columns, seed, value)
               : CALL(b, "GetDirectionalDerivative", void *, const unsigned *, size_t, const unsigned *,
                      size_t, const double *, size_t, double *,
                      size_t)(b->c, unknown, rows, known, columns, seed, columns, value, rows);
}

/* States ------------------------------------------------------------------------------------------------- */

int support_binary_save(support_binary *b, void **state)
{
    return CALL(b, b->fmi == 2 ? "GetFMUstate" : "GetFMUState", void *, void **)(b->c, state);
}

int support_binary_restore(support_binary *b, void *state)
{
    return CALL(b, b->fmi == 2 ? "SetFMUstate" : "SetFMUState", void *, void *)(b->c, state);
}

void support_binary_forget(support_binary *b, void **state)
{
    CALL(b, b->fmi == 2 ? "FreeFMUstate" : "FreeFMUState", void *, void **)(b->c, state);
}

size_t support_binary_serialise(support_binary *b, void *state, unsigned char *bytes, size_t room)
{
    size_t size = 0;
    const bool two = b->fmi == 2;
    assert_int_equal(CALL(b, two ? "SerializedFMUstateSize" : "SerializedFMUStateSize", void *, void *,
                          size_t *)(b->c, state, &size),
                     0);
    assert_true(size <= room);
    assert_int_equal(CALL(b, two ? "SerializeFMUstate" : "SerializeFMUState", void *, void *, unsigned char *,
                          size_t)(b->c, state, bytes, size),
                     0);
    return size;
}

int support_binary_deserialise(support_binary *b, const unsigned char *bytes, size_t size, void **state)
{
    return CALL(b, b->fmi == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState", void *, const unsigned char *,
                size_t, void **)(b->c, bytes, size, state);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

int support_binary_set_point(support_binary *b, double t, int nx, const double *x)
{
    const int status = CALL(b, "SetTime", void *, double)(b->c, t);
    return nx == 0 || status != 0
               ? status
               : CALL(b, "SetContinuousStates", void *, const double *, size_t)(b->c, x, (size_t)nx);
}

int support_binary_derivatives(support_binary *b, int nx, double *dx)
{
    return CALL(b, b->fmi == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives", void *, double *,
                size_t)(b->c, dx, (size_t)nx);
}

int support_binary_indicators(support_binary *b, int n, double *r)
{
    return CALL(b, "GetEventIndicators", void *, double *, size_t)(b->c, r, (size_t)n);
}

int support_binary_states(support_binary *b, int nx, double *x)
{
    return CALL(b, "GetContinuousStates", void *, double *, size_t)(b->c, x, (size_t)nx);
}

typedef struct event_info_2 {
    int needed, terminate, nominals, states, defined;
    double next;
} event_info_2;

int support_binary_events(support_binary *b, bool enter, double *next)
{
    event_info_2 info = {0};
    bool needed, terminate, nominals, states, defined = false;
    int status = enter ? CALL(b, "EnterEventMode", void *)(b->c) : 0;
    if (status == 0 && b->fmi == 2) {
        status = CALL(b, "NewDiscreteStates", void *, event_info_2 *)(b->c, &info);
        *next = info.defined ? info.next : INFINITY;
    } else if (status == 0) {
        status = CALL(b, "UpdateDiscreteStates", void *, bool *, bool *, bool *, bool *, bool *,
                      double *)(b->c, &needed, &terminate, &nominals, &states, &defined, next);
        *next = defined ? *next : INFINITY;
    }
    return status == 0 ? CALL(b, "EnterContinuousTimeMode", void *)(b->c) : status;
}
