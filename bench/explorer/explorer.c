/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explorer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/options_set.h>
#include <macrostep/propagation.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "dense.h"

#define MODELS(_)                                                                                            \
    _(test_equation)                                                                                         \
    _(linear_pair)                                                                                           \
    _(moshagen_2x2)                                                                                          \
    _(spring_mass)                                                                                           \
    _(two_mass_oscillator)                                                                                   \
    _(mass_spring_damper)                                                                                    \
    _(stiff_damper)                                                                                          \
    _(quarter_car)
#define DECLARE(model) extern const ms_model ms_model_##model;
#define LIST(model)    &ms_model_##model,

MODELS(DECLARE)
const ms_model *const ms_explorer_models[] = {MODELS(LIST) NULL};
const char *const ms_explorer_schemes[] = {"jacobi", "gauss-seidel", "balance", "nepce", "strang", NULL};

struct ms_explorer {
    ms_error said; /* the buffer */
    const ms_model *model;
    double *values; /* (n_parameters) */
    ms_setting *settings;
    ms_options options;
    double *rows; /* (n_rows x (1 + nx)) */
    int n_rows;
};

ms_explorer *ms_explorer_open(void)
{
    return calloc(1, sizeof(ms_explorer));
}

static void forget_model(ms_explorer *e)
{
    free(e->values);
    free(e->settings);
    e->values = NULL;
    e->settings = NULL;
    e->model = NULL;
}

void ms_explorer_close(ms_explorer *e)
{
    if (e == NULL)
        return;
    forget_model(e);
    free(e->rows);
    free(e);
}

char *ms_explorer_text(ms_explorer *e)
{
    return e->said.text;
}

double *ms_explorer_values(ms_explorer *e)
{
    return e->values;
}

const double *ms_explorer_rows(const ms_explorer *e)
{
    return e->rows;
}

/* A model and its values ---------------------------------------------------------------------------------- */

static void take_first_case(ms_explorer *e)
{
    const ms_case *first = &e->model->cases[0];
    for (int k = 0; k < e->model->n_parameters; k++)
        e->values[k] = e->model->parameters[k].value;
    for (int k = 0; k < first->n_settings; k++)
        e->values[ms_model_parameter(e->model, first->settings[k].parameter)] = first->settings[k].value;
}

int ms_explorer_model(ms_explorer *e)
{
    int k = 0;
    while (ms_explorer_models[k] != NULL && strcmp(ms_explorer_models[k]->name, e->said.text) != 0)
        k++;
    const ms_model *model = ms_explorer_models[k];
    if (model == NULL)
        return ms_fail(&e->said, -1, "this page does not have this model");
    forget_model(e);
    e->values = calloc((size_t)model->n_parameters + 1, sizeof *e->values);
    e->settings = calloc((size_t)model->n_parameters + 1, sizeof *e->settings);
    if (e->values == NULL || e->settings == NULL)
        return ms_fail(&e->said, -1, "not enough memory for a model");
    e->model = model;
    take_first_case(e);
    ms_options_default(&e->options);
    return model->n_parameters;
}

int ms_explorer_option(ms_explorer *e)
{
    char name[MS_EXPLORER_TEXT];
    snprintf(name, sizeof name, "%s", e->said.text);
    char *equals = strchr(name, '=');
    if (equals == NULL)
        return ms_fail(&e->said, -1, "an option is NAME=VALUE");
    *equals = '\0';
    return ms_options_set(&e->options, name, equals + 1, &e->said) == MS_OK ? 0 : -1;
}

static int make_system(ms_explorer *e, ms_system **system)
{
    *system = NULL;
    if (e->model == NULL) {
        ms_fail(&e->said, MS_INVALID, "there is no model yet");
        return MS_INVALID;
    }
    for (int k = 0; k < e->model->n_parameters; k++)
        e->settings[k] = (ms_setting){e->model->parameters[k].name, e->values[k]};
    return ms_system_create(e->model, NULL, e->settings, e->model->n_parameters, system, &e->said);
}

/* rho ----------------------------------------------------------------------------------------------------- */

double ms_explorer_radius(ms_explorer *e, double h)
{
    ms_system *system;
    double radius = NAN;
    int status = make_system(e, &system);
    if (status == MS_OK) {
        ms_options options = e->options;
        ms_cosim_resolve(system, NULL, &options);
        status = ms_propagation_exists(system, &options, &e->said);
        if (status == MS_OK)
            radius = ms_propagation_radius(system, &options, h, MS_DENSE_EIGENVALUES_MAX);
    }
    ms_system_destroy(&system);
    return radius;
}

/* A run --------------------------------------------------------------------------------------------------- */

static void keep_row(ms_explorer *e, const ms_cosim *cosim, double t)
{
    const size_t nx = (size_t)cosim->system->nx;
    double *row = e->rows + (size_t)e->n_rows++ * (1 + nx);
    row[0] = t;
    memcpy(row + 1, ms_run_states(cosim), nx * sizeof *row);
}

static int keep_start(void *self, const ms_cosim *cosim, double t)
{
    keep_row(self, cosim, t);
    return 0;
}

/* A last step of round-off is one more. */
static int keep_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_explorer *e = self;
    if (e->n_rows > MS_EXPLORER_STEPS + 1)
        return 1;
    keep_row(e, cosim, t + h);
    return 0;
}

static int set_number(ms_explorer *e, ms_options *options, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    return ms_options_set(options, name, text, &e->said);
}

static int run(ms_explorer *e, const ms_system *system, const ms_options *options)
{
    ms_cosim *cosim = NULL;
    ms_run_result result;
    const ms_observer observer = {.self = e, .start = keep_start, .step = keep_step};
    MS_TRY(ms_cosim_of_options(system, options, &cosim, &e->said));
    const int status = ms_run(cosim, &observer, 1, NULL, NULL, &result, &e->said);
    if (status == MS_OK)
        snprintf(e->said.text, sizeof e->said.text, "%s", result.message);
    ms_cosim_destroy(&cosim);
    return status;
}

int ms_explorer_run(ms_explorer *e, double h, double end)
{
    ms_system *system;
    ms_options options = e->options;
    free(e->rows);
    e->rows = NULL;
    e->n_rows = 0;
    int status = make_system(e, &system);
    MS_THEN(status, set_number(e, &options, "step-size", h));
    MS_THEN(status, set_number(e, &options, "stop-time", fmin(end, MS_EXPLORER_STEPS * h)));
    if (status == MS_OK) {
        e->rows = calloc((MS_EXPLORER_STEPS + 2) * (size_t)(1 + system->nx), sizeof *e->rows);
        status = e->rows != NULL ? run(e, system, &options)
                                 : ms_fail(&e->said, MS_NO_MEMORY, "not enough memory for a run");
    }
    ms_system_destroy(&system);
    return status == MS_OK ? e->n_rows : -1;
}
