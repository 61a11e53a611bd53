/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of Psi_tau = z - gamma_tau(z), (25) of Eguillon et al. (2021), from the real callback, in the second macro-step; in the
 * first one the input is a parabola:
 *
 *     callback-jacobian H LIMIT OF_PAIR run damping-reaction --scheme ifosmondi ..
 *
 * entry, J (36 each, by rows); lambda: its eigenvalues by ascending imaginary part, as texts 1 .. 6; pair: the largest distance of those
 * OF_PAIR that tend to each of +- i LIMIT from it; zero: the largest modulus of the others; radius.
 *
 * Psi_tau is affine, so that its columns are Psi(e_k) - Psi(0). With f_L zero and the subsystems at rest
 * Psi(0) = 0, and no column suffers from cancellation. Unknowns in the order of inputs: z = (v_C, x_C, f_C,
 * v_C', x_C', f_C'). */

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "ifosmondi.h"
#include "matrix.h"
#include "measurement.h"

enum { UNKNOWNS = 6 };

typedef struct spectrum {
    double J[UNKNOWNS * UNKNOWNS];
    double lambda[UNKNOWNS][2]; /* by ascending imaginary part */
    double pair, zero, radius;
} spectrum;

/* The Jacobian at the present point of the co-simulation, for macro-steps of length h. */
static int jacobian(ms_cosim *cosim, double t, double h, double *J)
{
    double state[64], z[UNKNOWNS] = {0.0}, r0[UNKNOWNS], r[UNKNOWNS];
    if (ms_cosim_state_size(cosim) > MS_COUNT(state))
        return MS_INVALID;
    ms_cosim_save(cosim, state);
    int status = ms_ifosmondi_begin(cosim, t, h, r);
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    MS_THEN(status, problem.residual(problem.context, z, r0));
    for (int k = 0; k < UNKNOWNS && status == MS_OK; k++) {
        z[k] = 1.0;
        status = problem.residual(problem.context, z, r);
        for (int i = 0; i < UNKNOWNS; i++)
            J[i * UNKNOWNS + k] = z[i] - (r[i] - r0[i]);
        z[k] = 0.0;
    }
    ms_cosim_restore(cosim, state);
    return status;
}

static int by_imaginary_part(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (first[1] > second[1]) - (first[1] < second[1]);
}

/* of_pair: how many eigenvalues tend to each of +- i limit. */
static int analyse(spectrum *s, double limit, int of_pair)
{
    double M[UNKNOWNS * UNKNOWNS];
    memcpy(M, s->J, sizeof M);
    MS_TRY(ms_matrix_eigenvalues(UNKNOWNS, M, &s->lambda[0][0]));
    qsort(s->lambda, UNKNOWNS, sizeof s->lambda[0], by_imaginary_part);
    for (int k = 0; k < UNKNOWNS; k++) {
        const double re = s->lambda[k][0], im = s->lambda[k][1];
        s->radius = fmax(s->radius, hypot(re, im));
        if (k < of_pair || k >= UNKNOWNS - of_pair)
            s->pair = fmax(s->pair, hypot(re, fabs(im) - limit));
        else
            s->zero = fmax(s->zero, hypot(re, im));
    }
    return MS_OK;
}

static int compute(const ms_study *study, const double number[3], spectrum *s, ms_error *error)
{
    ms_cosim *cosim = NULL;
    if (strcmp(study->arguments->options.scheme, "ifosmondi") != 0)
        return ms_fail(error, MS_INVALID, "callback-jacobian: --scheme ifosmondi is expected");
    study->system->homogeneous = true;
    int status = ms_cosim_of_options(study->system, &study->arguments->options, &cosim, error);
    MS_THEN(status, ms_cosim_start(cosim));
    MS_THEN(status, ms_cosim_step(cosim, 0.0, 1.0));
    MS_THEN(status, jacobian(cosim, 1.0, number[0], s->J));
    MS_THEN(status, analyse(s, number[1], (int)number[2]));
    if (status > MS_OK || (status != MS_OK && cosim != NULL))
        status =
            ms_fail(error, MS_SOLVER_FAILED, "the callback has no value, or its Jacobian no eigenvalues");
    ms_cosim_destroy(&cosim);
    return status;
}

static void give(const spectrum *s, json_t *answer)
{
    json_t *lambda = json_object();
    for (int k = 0; k < UNKNOWNS * UNKNOWNS; k++)
        ms_measured_append(answer, "entry", k);
    for (int k = 0; k < UNKNOWNS; k++) {
        const char key[] = {(char)('1' + k), '\0'};
        json_object_set_new(lambda, key, json_sprintf("%.6g %+.6gi", s->lambda[k][0], s->lambda[k][1]));
    }
    ms_measured_members(answer, MS_REALS({"pair", s->pair}, {"zero", s->zero}, {"radius", s->radius}));
    json_object_set_new(answer, "J", ms_json_of_vector(UNKNOWNS * UNKNOWNS, s->J));
    json_object_set_new(answer, "lambda", lambda);
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[3];
    spectrum s = {.radius = 0.0};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 3, number));
    MS_THEN(status, compute(&study, number, &s, error));
    if (status == MS_OK)
        give(&s, answer);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_callback_jacobian = {"callback-jacobian", measure, "damping-reaction"};
