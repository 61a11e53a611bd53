/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row of one point: the run's answer, and predicted and observed growth. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include "answer.h"
#include "growth.h"
#include "memory.h"
#include "shared_reference.h"
#include "sweep.h"

enum { SHORTEST = 512, LONGEST = 1 << 18, STEPPED = 256, SEED = 20160317 };

static const double SETTLED = 1e-5, AGREEMENT = 1e-4;

typedef struct prediction {
    double radius, gap;
    ms_dominance dominance;
    bool by_formula;
} prediction;

/* Psi(h) by formula, or otherwise by probing. *psi is owned by the caller. */
static int form_matrix(const ms_system *system, const ms_options *options, double h, int *n, double **psi,
                       bool *by_formula, ms_error *error)
{
    ms_analytic_propagation *formula = NULL;
    ms_error why;
    *psi = NULL;
    int status = ms_analytic_propagation_create(system, options, &formula, &why);
    *by_formula = status == MS_OK;
    if (status == MS_UNSUPPORTED)
        return ms_propagation_probe(system, options, h, n, psi, error);
    if (status != MS_OK)
        return ms_fail(error, status, "%s", why.text);
    *n = ms_analytic_propagation_dimension(formula);
    *psi = malloc(sizeof **psi * ((size_t)*n * (size_t)*n + 1));
    status = *psi != NULL ? ms_analytic_propagation_evaluate(formula, h, *psi) : MS_NO_MEMORY;
    ms_analytic_propagation_destroy(&formula);
    if (status != MS_OK)
        ms_fail(error, status, "no Psi(%g): %s", h, ms_analytic_propagation_reason(status));
    return status;
}

static int predict(const ms_system *system, const ms_options *options, double h, prediction *p,
                   ms_error *error)
{
    double *psi = NULL;
    int n = 0;
    ms_spectrum spectrum = {0};
    int status = form_matrix(system, options, h, &n, &psi, &p->by_formula, error);
    MS_THEN(status, ms_spectrum_create(n, psi, &spectrum, error));
    MS_THEN(status, ms_growth_dominance(n, psi, &spectrum, &p->dominance, &p->gap, error));
    if (status == MS_OK)
        p->radius = spectrum.radius;
    ms_spectrum_destroy(&spectrum);
    free(psi);
    return status;
}

/* Windows long enough to separate the largest eigenvalue from the next one. */
static long shortest_window(double gap)
{
    long n = SHORTEST;
    while (n < MS_GROWTH_POWERS / 4 && (double)n * gap < 1.0)
        n *= 2;
    return n;
}

static void describe(const prediction *p, const ms_growth *growth, bool near, char *note, size_t size)
{
    char standing[128] = "", measured[160] = "";
    if (p->dominance == MS_DOMINANCE_DEFECTIVE)
        snprintf(standing, sizeof standing, "defective dominant eigenvalue");
    else if (p->dominance == MS_DOMINANCE_CLUSTERED)
        snprintf(standing, sizeof standing, "clustered dominant eigenvalues, relative gap %.1e", p->gap);
    if (!near || !growth->settled)
        snprintf(measured, sizeof measured, "growth %s over %ld macro-steps (last change %.1e)",
                 growth->settled ? "settled" : "not settled", growth->steps, growth->change);
    snprintf(note, size, "%s%s%s%s%s", standing, standing[0] != '\0' && measured[0] != '\0' ? "; " : "",
             measured, (standing[0] != '\0' || measured[0] != '\0') && !p->by_formula ? "; " : "",
             p->by_formula ? "" : "predicted by the probe alone");
}

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
}

/* observed, predicted: NaN if unknown. agree: NULL, or an answer. */
static int set_growth(json_t **row, double observed, double predicted, json_t *agree, const char *note,
                      ms_error *error)
{
    ms_json_set(row, "growth_observed", ms_json_real(observed));
    ms_json_set(row, "growth_predicted", ms_json_real(predicted));
    ms_json_set(row, "agree", agree != NULL ? agree : json_null());
    ms_json_set(row, "note", ms_json_text(note));
    return *row != NULL ? MS_OK : no_memory(error);
}

/* Does a failure concern only this row, to be reported in its note? */
static bool ends_row_only(int status)
{
    return status != MS_OK && status != MS_NO_MEMORY && status != MS_INTERRUPTED;
}

int ms_sweep_add_growth(ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                        json_t **row, ms_error *error)
{
    ms_error why = {0};
    prediction p = {.radius = NAN};
    ms_growth growth = {.factor = NAN};
    char note[512] = "";
    json_t *agree = NULL;
    system->homogeneous = true;
    int status = ms_propagation_exists(system, options, &why);
    MS_THEN(status, predict(system, options, options->step_size, &p, &why));
    if (status == MS_OK) {
        const ms_growth_options request = {.shortest = shortest_window(p.gap),
                                           .longest = LONGEST,
                                           .tolerance = SETTLED,
                                           .stepped = STEPPED,
                                           .seed = SEED,
                                           .stop = stop};
        status = ms_growth_observe(system, options, options->step_size, &request, &growth, &why);
    }
    if (status == MS_OK) {
        const bool near = fabs(growth.factor - p.radius) <= AGREEMENT * p.radius ||
                          fmax(growth.factor, p.radius) <= MS_GROWTH_ZERO ||
                          (p.radius <= MS_GROWTH_ZERO && growth.factor <= MS_GROWTH_NILPOTENT);
        describe(&p, &growth, near, note, sizeof note);
        if (near || p.dominance == MS_DOMINANCE_SINGLE)
            agree = json_boolean(near);
    } else if (ends_row_only(status)) {
        snprintf(note, sizeof note, "%s", why.text);
    } else {
        return ms_fail(error, status, "%s", why.text);
    }
    if (json_is_null(json_object_get(*row, "spectral_radius")))
        ms_json_set(row, "spectral_radius", ms_json_real(p.radius));
    return set_growth(row, growth.factor, p.radius, agree, note, error);
}

/* The row of a pair that does not fit. */
static int incompatible(const ms_sweep_point *point, const ms_system *system, const char *why, json_t **row,
                        ms_error *error)
{
    *row = ms_run_answer_incompatible(system, &point->options, why);
    return *row != NULL && json_object_del(*row, "wall_seconds") == 0
               ? set_growth(row, NAN, NAN, NULL, "", error)
               : no_memory(error);
}

/* The system of a point. If its parameter values are inconsistent: that of the case, and MS_INVALID. */
static int bind(const ms_sweep_point *point, ms_system **system, ms_error *why)
{
    const int status =
        ms_system_create(point->model, point->case_name, point->settings, point->n_settings, system, why);
    ms_error other;
    if (status == MS_INVALID &&
        ms_system_create(point->model, point->case_name, NULL, 0, system, &other) != MS_OK)
        return ms_fail(why, MS_NO_MEMORY, "%s", other.text);
    return status;
}

struct ms_sweep_reference {
    ms_system *system;
    ms_shared_reference *shared;
    int readers;
    ms_sweep_reference *next;
};

static void destroy_reference(ms_sweep_reference *one)
{
    ms_shared_reference_destroy(&one->shared);
    ms_system_destroy(&one->system);
    free(one);
}

/* Releases the reference, and frees it if no one else reads it. */
static void let_go(ms_sweep_reader *reader)
{
    ms_sweep_reference *held = reader->held, **link = &reader->of->first;
    reader->held = NULL;
    if (held == NULL || --held->readers > 0)
        return;
    while (*link != held)
        link = &(*link)->next;
    *link = held->next;
    destroy_reference(held);
}

void ms_sweep_reader_leave(ms_sweep_reader *reader)
{
    pthread_mutex_lock(&reader->of->lock);
    let_go(reader);
    pthread_mutex_unlock(&reader->of->lock);
}

static bool fits(const ms_sweep_reference *one, const ms_sweep_point *point, const ms_system *system)
{
    return ms_shared_reference_fits(one->shared, system, point->options.start_time);
}

/* A new reference, or NULL if there is none: the row has the reason. */
static ms_sweep_reference *add_reference(ms_sweep_references *references, const ms_sweep_point *point)
{
    ms_sweep_reference *one = calloc(1, sizeof *one);
    ms_error why;
    if (one == NULL)
        return NULL;
    int status = bind(point, &one->system, &why);
    MS_THEN(status, ms_shared_reference_create(one->system, point->options.start_time,
                                               MS_SHARED_REFERENCE_BYTES, &one->shared, &why));
    if (status == MS_NO_MEMORY)
        ms_memory_note(); /* computed separately for a row it may differ in the last bits */
    if (status != MS_OK) {
        destroy_reference(one);
        return NULL;
    }
    one->next = references->first;
    return references->first = one;
}

/* The reference of the point, possibly held by the thread's last row or another thread; NULL: the row computes its
 * own. */
static ms_shared_reference *reference_of(const ms_sweep_point *point, const ms_system *system,
                                         ms_sweep_reader *reader)
{
    ms_sweep_references *references = reader->of;
    if (reader->held != NULL && fits(reader->held, point, system))
        return reader->held->shared;
    pthread_mutex_lock(&references->lock);
    let_go(reader);
    ms_sweep_reference *one = references->first;
    while (one != NULL && !fits(one, point, system))
        one = one->next;
    if (one == NULL && point->options.errors == MS_AGAINST_REFERENCE)
        one = add_reference(references, point);
    if (one != NULL)
        one->readers++;
    reader->held = one;
    pthread_mutex_unlock(&references->lock);
    return one != NULL ? one->shared : NULL;
}

static int run_row(const ms_sweep_point *point, ms_system *system, const volatile sig_atomic_t *stop,
                   ms_sweep_reader *reader, json_t **row, ms_error *error)
{
    const ms_simulation_options request = {
        .errors = true,
        .reference = reader->against == NULL ? reference_of(point, system, reader) : NULL,
        .against = reader->against,
        .stop = stop};
    ms_error why = {0};
    ms_simulation simulation = {0};
    int status = ms_simulation_run(system, &point->options, &request, &simulation, &why);
    /* A file with a singular loop ends the sweep; among a model's cases and parameter values one may be singular. */
    const bool misfit = status == MS_NO_SOLUTION && ms_catalogue_find(point->model->name) == point->model;
    if (status == MS_INVALID || status == MS_UNSUPPORTED || misfit)
        return incompatible(point, system, why.text, row, error);
    if (status != MS_OK)
        return ms_fail(error, status, "%s", why.text);
    *row = ms_run_answer(&simulation);
    if (*row == NULL || json_object_del(*row, "wall_seconds") != 0)
        status = no_memory(error);
    else if (simulation.result.reason == MS_REASON_INTERRUPTED)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    else
        status = ms_sweep_add_growth(system, simulation.options, stop, row, error);
    ms_simulation_destroy(&simulation);
    return status;
}

int ms_sweep_row(const ms_sweep_point *point, const volatile sig_atomic_t *stop, ms_sweep_reader *reader,
                 json_t **row, ms_error *error)
{
    ms_system *system = NULL;
    ms_error why = {0};
    *row = NULL;
    int status = bind(point, &system, &why);
    if (status == MS_OK)
        status = run_row(point, system, stop, reader, row, error);
    else if (status == MS_INVALID)
        status = incompatible(point, system, why.text, row, error);
    else
        ms_fail(error, status, "%s", why.text);
    ms_system_destroy(&system);
    if (status != MS_OK) {
        json_decref(*row);
        *row = NULL;
    }
    return status;
}

/* The resolved options of a run, if there is one. */
static ms_sweep_point resolve(const ms_sweep_point *point, const ms_system *system)
{
    ms_sweep_point resolved = *point;
    ms_cosim *cosim = NULL;
    ms_error why;
    if (ms_cosim_of_options(system, &point->options, &cosim, &why) == MS_OK)
        resolved.options = *cosim->options;
    ms_cosim_destroy(&cosim);
    return resolved;
}

int ms_sweep_shape(const ms_sweep_point *point, bool resolved, json_t **row, ms_error *error)
{
    ms_system *system = NULL;
    ms_error why = {0};
    *row = NULL;
    int status = bind(point, &system, &why);
    const ms_sweep_point of_run = resolved && status == MS_OK ? resolve(point, system) : *point;
    if (status == MS_OK || status == MS_INVALID)
        status = incompatible(&of_run, system, "", row, error);
    else
        ms_fail(error, status, "%s", why.text);
    if (status == MS_OK)
        ms_json_set(row, "energy", ms_json_object("start:n end:n drift:n residual:n"));
    if (status == MS_OK && *row == NULL)
        status = no_memory(error);
    ms_system_destroy(&system);
    return status;
}
