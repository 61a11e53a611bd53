/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_map.c - one macro-step of the engine as a linear map. */
#include "propagation_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "nonlinear.h"

/* Macro-steps after which the step history is full for any start. */
enum { WARM_UP = 4 };

/* Iterations of an iterated scheme per macro-step. On a linear system each reduces the error to that of its linear
 * equations, a factor of about 1e-5. */
enum { ITERATIONS = 50 };

/* The first nonlinear method that solves linear equations even if their iterations fail. */
static int newton(void)
{
    int k = 0;
    while (ms_nonlinear_methods[k + 1] != NULL && !ms_nonlinear_methods[k]->newton)
        k++;
    return ms_nonlinear_index(ms_nonlinear_methods[k]->name);
}

ms_options ms_propagation_options(const ms_system *system, const ms_scheme *scheme, const ms_options *options,
                                  double h)
{
    ms_options steady = *options;
    steady.step_size = h != 0.0 ? h : system->step_size;
    steady.start_time = 0.0;
    steady.stop_time = steady.step_size;
    steady.given[MS_OPTION_STOP_TIME] = true;
    steady.at_time_events = MS_TIME_EVENTS_IGNORE;
    if (steady.execution == MS_EXECUTION_MPI) /* other ranks use the system with its external inputs */
        steady.execution = MS_EXECUTION_SERIAL;
    steady.lines.wave_start = MS_WAVES_SPRING; /* delayed waves are linear between all points */
    if (scheme->retries) {                     /* linear only if the iteration has converged to round-off */
        steady.iteration.epsilon = 0.0;
        steady.iteration.step_rule = MS_STEP_RULE_FIXED;
        steady.iteration.solver_nonlinear = newton();
        steady.iteration.backend = MS_BACKEND_NATIVE;
        for (int k = MS_OPTION_RELAXATION; k <= MS_OPTION_PRECONDITIONER; k++) /* options of another method */
            steady.given[k] = false;
        steady.iteration.max_iterations = ITERATIONS;
    }
    return steady;
}

/* "exact, euler, .. and radau-iia": the micro-solvers whose steps are linear. */
static void list_linear(char *text, size_t size)
{
    const char *name[2] = {"", ""}; /* the last names, not written yet */
    size_t length = 0;
    text[0] = '\0';
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
        if (!(*solver)->linear_map)
            continue;
        if (name[0][0] != '\0')
            length += (size_t)snprintf(text + length, size - length, "%s, ", name[0]);
        name[0] = name[1];
        name[1] = (*solver)->name;
    }
    snprintf(text + length, size - length, "%s and %s", name[0], name[1]);
}

static bool is_nonlinear(const ms_cosim *cosim)
{
    return cosim->scheme->nonlinear || cosim->variant.balance.passivity;
}

static int create(const ms_system *system, const ms_options *options, double h, ms_cosim **cosim,
                  ms_error *error)
{
    *cosim = NULL;
    if (!system->linear) {
        ms_fail(error, MS_UNSUPPORTED, "model %s is nonlinear: only linear models have a propagation matrix",
                system->model->name);
        return MS_UNSUPPORTED;
    }
    if (options->control.error_controlled != MS_CONTROL_NONE) {
        ms_fail(error, MS_UNSUPPORTED,
                "`error-controlled` %s: only equal macro-steps have a propagation matrix",
                ms_option_choice(options, MS_OPTION_ERROR_CONTROLLED));
        return MS_UNSUPPORTED;
    }
    const ms_scheme *scheme = ms_scheme_choose(options->scheme, error);
    if (scheme == NULL)
        return MS_INVALID;
    const ms_options steady = ms_propagation_options(system, scheme, options, h);
    const int status = ms_cosim_of_options(system, &steady, cosim, error);
    if (status != MS_OK || ((*cosim)->solver->linear_map && !is_nonlinear(*cosim)))
        return status;
    if (is_nonlinear(*cosim))
        ms_fail(error, MS_UNSUPPORTED,
                "`scheme` %s%s: its macro-steps are not linear, so there is no propagation matrix",
                options->scheme, (*cosim)->variant.balance.passivity ? " with `passivity` on" : "");
    else {
        char names[256];
        list_linear(names, sizeof names);
        ms_fail(error, MS_UNSUPPORTED,
                "`solver` %s: its steps are not linear, so there is no propagation matrix; %s have one",
                (*cosim)->solver->name, names);
    }
    ms_cosim_destroy(cosim);
    return MS_UNSUPPORTED;
}

int ms_propagation_exists(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_cosim *cosim;
    const int status = create(system, options, options->step_size, &cosim, error);
    ms_cosim_destroy(&cosim);
    return status;
}

/* The map ------------------------------------------------------------------------------------------------ */

struct ms_propagation_map {
    ms_system homogeneous;
    ms_cosim *cosim;
    double h, *aux; /* state after the first macro-steps */
};

/* Fills the step history with zeros. */
static int warm_up(ms_propagation_map *map)
{
    ms_cosim *cosim = map->cosim;
    int status = ms_cosim_start(cosim);
    memset(cosim->lin, 0, sizeof(double) * (size_t)cosim->lin_size);
    for (int k = 0; k < WARM_UP && status == MS_OK; k++)
        status = ms_cosim_step(cosim, k * map->h, map->h);
    memcpy(map->aux, cosim->aux, sizeof(double) * (size_t)cosim->aux_size);
    return status;
}

int ms_propagation_map_create(const ms_system *system, const ms_options *options, double h,
                              ms_propagation_map **map, ms_error *error)
{
    ms_propagation_map *m = *map = calloc(1, sizeof *m);
    MS_TRY_MEMORY_FOR(m != NULL, error, "a propagation matrix");
    m->homogeneous = *system;
    m->homogeneous.homogeneous = true;
    m->h = h;
    ms_cosim *cosim = NULL;
    int status = create(&m->homogeneous, options, h, &cosim, error);
    m->cosim = cosim;
    if (status == MS_OK) {
        m->aux = malloc(sizeof *m->aux * ((size_t)cosim->aux_size + 1));
        status = m->aux != NULL ? warm_up(m) : MS_NO_MEMORY;
        if (m->aux == NULL)
            ms_fail(error, status, "not enough memory for a propagation matrix");
        else if (status != MS_OK)
            ms_fail(error, status, "%s", m->cosim->error.text);
    }
    if (status != MS_OK)
        ms_propagation_map_destroy(map);
    return status;
}

void ms_propagation_map_destroy(ms_propagation_map **map)
{
    if (*map == NULL)
        return;
    ms_cosim_destroy(&(*map)->cosim);
    MS_FREE((*map)->aux, *map);
    *map = NULL;
}

int ms_propagation_map_dimension(const ms_propagation_map *map)
{
    return map->cosim->lin_size;
}

/* The residual that equations solved to round-off may leave in an entry, relative to the largest one. */
double ms_propagation_map_left_over(const ms_propagation_map *map)
{
    const ms_scheme_form form = map->cosim->scheme->form;
    return form == MS_FORM_CONVERGED || form == MS_FORM_SAMPLED ? 1e-12 : 0.0;
}

static void scale(int n, int exponent, const double *from, double *to)
{
    if (exponent == 0)
        memcpy(to, from, sizeof *to * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            to[i] = ldexp(from[i], exponent);
}

/* Iterated schemes are given 2^-60 v: the method takes directional derivatives over distances of sqrt(eps)
 * sqrt(1 + |z|), which for linear equations are practically exact if z is much smaller. */
int ms_propagation_map_apply(ms_propagation_map *map, const double *v, double *to, ms_error *error)
{
    ms_cosim *cosim = map->cosim;
    const int n = cosim->lin_size, exponent = cosim->scheme->retries ? -60 : 0;
    scale(n, exponent, v, cosim->lin);
    memcpy(cosim->aux, map->aux, sizeof(double) * (size_t)cosim->aux_size);
    const int status = ms_cosim_step(cosim, WARM_UP * map->h, map->h);
    scale(n, -exponent, cosim->lin, to);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "%s", cosim->error.text);
}

int ms_propagation_map_not_linear(const ms_propagation_map *map, ms_error *error)
{
    return ms_fail(error, MS_UNSUPPORTED,
                   "scheme %s does not update its memory linearly: it has no propagation matrix",
                   map->cosim->scheme->name);
}
