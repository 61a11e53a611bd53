/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2022), section 4.2: measurements of Table 1 and Figs 14, 15 for two masses, springs and dampers
 * (models/two_masses.c) over 200 s.
 *
 * x1 and v1, the motion of the left mass, are compared with the monolithic reference. The text says "RMSE (root mean square
 * error)" and gives no formula. Here, as in the answer of `run`, it is the continuous sqrt((1/T) int e^2 dt), by five Gauss
 * points inside each macro-step. The reference is made once on a grid of 0.02 s, interpolated by cubics with values and
 * slopes at its points; the change at 100 s, where v1' may jump, is a point of the grid. `run` itself would integrate it
 * again for the steps of each of a thousand runs. */
#include <math.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/reference.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "f3ornits.h"
#include "measurement.h"
#include "micro_step.h"

enum { X1, V1, MEASURED, ROWS = 10001, KEPT = 8 };

static const double GRID = 0.02; /* [s] */

/* The reference ------------------------------------------------------------------------------------------ */

typedef struct left_mass {
    double *p; /* (parameters) of its system; NULL: none yet */
    double x[ROWS], v[ROWS], range[MEASURED], error;
} left_mass;

typedef struct left_masses {
    left_mass of[KEPT];
    int next; /* whose place is taken */
} left_masses;

static void let_go(void *object)
{
    left_masses *all = object;
    for (int k = 0; k < KEPT; k++)
        free(all->of[k].p);
    free(all);
}

static double range_of(const double *values)
{
    double low, high;
    ms_extremes(ROWS, values, &low, &high);
    return high - low;
}

static int tabulate(const ms_system *system, left_mass *mass, ms_error *error)
{
    ms_reference *reference = NULL;
    int status = ms_reference_create(system, 0, NULL, &reference, error);
    for (long k = 0; k < ROWS && status == MS_OK; k++) {
        const double before = (double)(k - 1) * GRID, now = (double)k * GRID;
        if (k > 0 && ms_reference_step(reference, before, now - before) != MS_OK) {
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference failed at %g s", now);
            break;
        }
        mass->x[k] = ms_reference_state(reference)[X1];
        mass->v[k] = ms_reference_state(reference)[V1];
    }
    if (status == MS_OK) {
        mass->range[X1] = range_of(mass->x);
        mass->range[V1] = range_of(mass->v);
        mass->error = ms_reference_error(reference);
    }
    ms_reference_destroy(&reference);
    return status;
}

/* That of the system, which is one of two masses; owned by the drawing. */
static int find_mass(ms_drawing *drawing, const ms_system *system, const left_mass **found, ms_error *error)
{
    const size_t size = sizeof(double) * (size_t)system->model->n_parameters;
    left_masses *all = ms_drawing_kept(drawing, sizeof(left_masses), let_go);
    for (int k = 0; k < KEPT && all != NULL; k++)
        if (all->of[k].p != NULL && memcmp(all->of[k].p, system->p, size) == 0) {
            *found = &all->of[k];
            return MS_OK;
        }
    left_mass *mass = all != NULL ? &all->of[all->next] : NULL;
    if (mass == NULL || (mass->p = realloc(mass->p, size)) == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a reference");
    memcpy(mass->p, system->p, size);
    all->next = (all->next + 1) % KEPT;
    *found = mass;
    return tabulate(system, mass, error);
}

static void motion_at(const left_mass *mass, double t, double motion[MEASURED])
{
    const long k = (long)fmin(fmax(floor(t / GRID), 0.0), ROWS - 2.0);
    const double z = (t - (double)k * GRID) / GRID, *x = mass->x + k, *v = mass->v + k;
    const double rise = x[1] - x[0], left = GRID * v[0], right = GRID * v[1];
    const double c2 = 3.0 * rise - 2.0 * left - right, c3 = left + right - 2.0 * rise;
    motion[X1] = x[0] + z * (left + z * (c2 + z * c3));
    motion[V1] = (left + z * (2.0 * c2 + z * 3.0 * c3)) / GRID;
}

/* Errors of a run ---------------------------------------------------------------------------------------- */

/* An observer of int e^2 dt inside macro-steps. */
typedef struct integrals {
    const left_mass *mass;
    double e2[MEASURED], elapsed;
} integrals;

static void integrate(integrals *sum, const ms_cosim *cosim, const ms_segment *segment)
{
    for (int k = 0; k < MS_MICRO_GAUSS; k++) {
        const double node = ms_micro_gauss_nodes[k], weight = ms_micro_gauss_weights[k] * segment->h;
        const double *x = segment->samples + ms_cosim_sample_index(cosim, node) * cosim->system->nx;
        double motion[MEASURED];
        motion_at(sum->mass, segment->t + node * segment->h, motion);
        for (int j = 0; j < MEASURED; j++)
            sum->e2[j] += weight * (x[j] - motion[j]) * (x[j] - motion[j]);
    }
    sum->elapsed += segment->h;
}

static int integrate_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    for (int k = 0; k < cosim->n_segments; k++)
        integrate(self, cosim, &cosim->segment[k]);
    return 0;
}

static int run(ms_drawing *drawing, const ms_study *study, integrals *sum, ms_run_result *result,
               ms_error *error)
{
    const ms_observer observer = {.self = sum, .step = integrate_step};
    ms_cosim *cosim = NULL;
    int status = ms_cosim_of_options(study->system, &study->arguments->options, &cosim, error);
    if (status == MS_OK && ms_cosim_sample(cosim, MS_MICRO_GAUSS, ms_micro_gauss_nodes) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for samples");
    MS_THEN(status, ms_run(cosim, &observer, 1, NULL, ms_drawing_stop(drawing), result, error));
    MS_THEN(status, ms_study_interrupted(drawing, error));
    ms_cosim_destroy(&cosim);
    return status;
}

/* Macro-steps, and rmse in percent of 1 m and 1 m/s, null where the run does not reach its end; the range of the reference
 * [m, m/s] and its own error. */
static int measure_left(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    ms_study study;
    ms_run_result result = {0};
    integrals sum = {0};
    int status = ms_study_bind(drawing, &study, error, "%s", words);
    MS_THEN(status, find_mass(drawing, study.system, &sum.mass, error));
    MS_THEN(status, run(drawing, &study, &sum, &result, error));
    if (status == MS_OK) {
        const double ended = result.reason == MS_REASON_END_TIME ? 1.0 : NAN;
        ms_measured_members(answer,
                            MS_REALS({"steps", ended * (double)result.macro_steps},
                                     {"x1", ended * 100.0 * sqrt(sum.e2[X1] / sum.elapsed)},
                                     {"v1", ended * 100.0 * sqrt(sum.e2[V1] / sum.elapsed)},
                                     {"range_x1", sum.mass->range[X1]}, {"range_v1", sum.mass->range[V1]},
                                     {"reference_error", sum.mass->error}));
    }
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_left_mass = {"left-mass", measure_left, NULL};

/* Damped bounds ------------------------------------------------------------------------------------------ */

/* x1 at communication times, its damped bounds (36), nu = 5 % as printed, and those of (34). */
static void fill_bounds(const ms_study *study, json_t *answer)
{
    static const char *const names[] = {"time", "x1", "damped_max", "damped_min", "max", "min"};
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const int column = ms_study_column(study, "left.y.x");
    const double nu = study->arguments->options.f3ornits.damping;
    ms_f3_extremes e;
    for (long n = 0; n < trajectory->rows; n++) {
        const double *row = ms_trajectory_row(trajectory, n), x = row[column];
        if (n == 0)
            ms_f3_extremes_start(&e, x);
        else
            ms_f3_extremes_update(&e, x, nu, row[0] - ms_trajectory_row(trajectory, n - 1)[0]);
        const double values[] = {row[0], x, e.damped_max, e.damped_min, e.max, e.min};
        for (int k = 0; k < MS_COUNT(names); k++)
            ms_measured_append(answer, names[k], values[k]);
    }
}

static int measure_bounds(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    ms_study study;
    const int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error, "%s", words);
    if (status == MS_OK)
        fill_bounds(&study, answer);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_damped_bounds = {"damped-bounds", measure_bounds, NULL};
