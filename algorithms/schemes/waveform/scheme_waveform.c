/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_waveform.c - waveform iteration: macro-steps (windows) repeated until the subsystems agree on samples of their outputs
 * inside them.
 *
 * A subsystem provides its outputs at t_j = T_n + j h/m, j = 1 .. m (`samples`, m for each subsystem). Its readers use the
 * interpolating B-spline of degree p (`spline-degree`) through y(T_n) of the last macro-step and these samples: spline.h. With x the
 * samples and H(x) their image under a sweep,
 *
 *     1. x = y(T_n) at all samples;
 *     2. a sweep: all subsystems over the macro-step, from T_n, under the splines through x. `sweep` jacobi takes all of them
 *        with the same x; gauss-seidel takes them in their order, each with the newest samples of those before it: the unknowns
 *        are then the samples read by subsystems that step no later than their owner;
 *     3. a method of nonlinear.h solves x - H(x) = 0, until for each subsystem that is read
 *        |H(x) - x|_2 <= epsilon (|H(x)|_2 + 1) over its samples at T_n + h only; none starts after max-iterations.
 *
 * With `reduced-grid` on, the factors of aitken and the quasi-Newton methods are computed from the samples at T_n + h only and applied
 * to all; the memory of these methods across macro-steps is in aux.
 *
 * A macro-step that does not converge is repeated with half its length.
 *
 * With p = 1 and m samples the converged macro-step equals m macro-steps of length h/m with one sample each, if subsystems are solved
 * exactly. With m = p the spline is the polynomial through all samples. The solution depends neither on the sweep nor on the method.
 *
 * Order of convergence: 1 with p = 0, 2 with p = 1, 4 with p = 2 and 3 (the interpolation error of the symmetric knots is odd about
 * the middle of the macro-step, so that p = 2 attains the order of p = 3); p is at most the least number of samples.
 *
 * Capabilities: rollback of every subsystem, inputs of degree min(p, m). Discrete variables are known only at communication points: a
 * subsystem that has them gives one sample, and so does one that steps itself.
 *
 * Source: Rueth, Uekermann, Mehl, Birken, Monge, Bungartz, Int. J. Numer. Meth. Engng 122 (2021) 5236-5257, and preCICE 3, whose
 * knots and start of a window these are. Departures: preCICE requires |H(x) - x| <= epsilon |H(x)| for each datum, which an output
 * through zero never satisfies, and accepts unconverged macro-steps. epsilon = 0 is ours: to round-off, in all samples
 * (convergence.h). */
#include <string.h>

#include <macrostep/cosim_state.h>
#include "waveform.h"

/* A sweep ----------------------------------------------------------------------------------------------- */

static int sweep_together(ms_cosim *cosim, waveform_data *data)
{
    const int n = cosim->system->n;
    for (int i = 0; i < n; i++)
        ms_waveform_give(cosim, data, i);
    int status = ms_execution_advance(cosim, data->t, data->h, NULL);
    for (int i = 0; i < n && status == MS_OK; i++)
        status = ms_inner_outputs_read(cosim, &data->samples, i, data->values + data->values_at[i]);
    return status;
}

static int sweep_in_sequence(ms_cosim *cosim, waveform_data *data)
{
    int status = MS_OK;
    for (int k = 0; k < cosim->system->n && status == MS_OK; k++) {
        const int i = data->sequence[k];
        ms_waveform_give(cosim, data, i);
        status = ms_execution_advance_one(cosim, i, data->t, data->h, NULL);
        MS_THEN(status, ms_inner_outputs_read(cosim, &data->samples, i, data->values + data->values_at[i]));
    }
    return status;
}

/* r = x - H(x) for the methods. A subsystem that cannot be integrated under x leaves it without a value. */
static int residual(void *context, const double *z, double *r)
{
    ms_cosim *cosim = context;
    waveform_data *data = cosim->scheme_data;
    ms_cosim_restore(cosim, data->before);
    for (int k = 0; k < data->iteration.n; k++)
        data->values[data->entry[k]] = z[k];
    const int status = data->sequential ? sweep_in_sequence(cosim, data) : sweep_together(cosim, data);
    data->iteration.calls++;
    cosim->sweeps++;
    cosim->integrations += cosim->system->n;
    for (int k = 0; k < data->iteration.n && status == MS_OK; k++)
        r[k] = z[k] - data->values[data->entry[k]];
    return status == MS_SOLVER_FAILED ? MS_NOT_CONVERGED : status;
}

/* Each datum at the end of the macro-step. */
static bool converged(void *context, const double *z, const double *r)
{
    const ms_cosim *cosim = context;
    waveform_data *data = cosim->scheme_data;
    if (ms_iteration_is_tightest(&data->iteration))
        return ms_convergence_reached(&data->iteration.convergence, z, r);
    bool all = true;
    for (int d = 0; d < data->n_data; d++) {
        double change = 0.0, size = 0.0;
        for (int k = data->end_at[2 * d]; k < data->end_at[2 * d + 1]; k++) {
            change = hypot(change, r[k]);
            size = hypot(size, z[k] - r[k]);
        }
        all = all && change <= data->iteration.convergence.epsilon * (size + 1.0);
    }
    return all;
}

/* A macro-step ------------------------------------------------------------------------------------------ */

static void begin(ms_cosim *cosim, waveform_data *data, double t, double h)
{
    const ms_system *s = cosim->system;
    ms_cosim_save(cosim, data->before);
    ms_iteration_begin(&data->iteration);
    data->t = t;
    data->h = h;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < data->samples.count[i]; j++)
            memcpy(data->values + data->values_at[i] + j * s->sub[i].ny, cosim->y + s->y_at[i],
                   sizeof(double) * (size_t)s->sub[i].ny);
    for (int k = 0; k < data->iteration.n; k++)
        data->iteration.z[k] = data->values[data->entry[k]];
}

static int waveform_step(ms_cosim *cosim, double t, double h)
{
    waveform_data *data = cosim->scheme_data;
    const ms_nonlinear_problem problem = {.n = data->iteration.n,
                                          .residual = residual,
                                          .converged = converged,
                                          .context = cosim,
                                          .memory = data->iteration.memory};
    begin(cosim, data, t, h);
    return ms_iteration_step(&data->iteration, cosim, &problem, data->before, t, h);
}

const ms_scheme ms_scheme_waveform = {
    .name = "waveform",
    .summary = "iterated on samples inside macro-steps, which are read through splines",
    .source = "Rueth et al. 2021; preCICE 3",
    .form = MS_FORM_SAMPLED,
    .retries = true,
    .rolls_back = true,
    .knows = (const ms_option_id[]){MS_OPTION_SAMPLES, MS_OPTION_SPLINE_DEGREE, MS_OPTION_REDUCED_GRID,
                                    MS_OPTION_SWEEP, MS_OPTION_SEQUENCE, MS_OPTION_SOLVER_NONLINEAR,
                                    MS_OPTION_BACKEND, MS_OPTION_RELAXATION, MS_OPTION_REUSE,
                                    MS_OPTION_MAX_COLUMNS, MS_OPTION_FILTER, MS_OPTION_FILTER_LIMIT,
                                    MS_OPTION_PRECONDITIONER, MS_OPTION_EPSILON, MS_OPTION_MAX_ITERATIONS,
                                    MS_OPTION_STEP_RULE, MS_OPTION_MIN_STEP, MS_OPTIONS},
    .defaults = ms_iteration_defaults,
    .memory = ms_waveform_memory,
    .room = ms_waveform_room,
    .create = ms_waveform_create,
    .data = sizeof(waveform_data),
    .start = ms_waveform_start,
    .step = waveform_step,
    .order = ms_waveform_claimed_order,
    .claims = ms_waveform_claims};
