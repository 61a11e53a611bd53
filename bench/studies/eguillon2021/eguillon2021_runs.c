/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of damping-reaction by the methods of Eguillon et al. (2021), section 5.3. */
#include "eguillon2021_runs.h"

#include <math.h>
#include <string.h>

#include "arguments.h"
#include "cosim.h"
#include "nonlinear.h"

const char *const ms_method_names[MS_CURVES] = {"fixed-point", "newtonls",  "anderson",
                                                "ngmres",      "ngmres-ls", "zero-order hold"};

bool ms_method_has(const char *backend)
{
    return ms_nonlinear_find(ms_method_names[MS_ANDERSON], backend) != NULL;
}

static int bind(ms_drawing *drawing, ms_method_run *run, ms_error *error)
{
    const char *words =
        run->perturb_start == 0 ? "" : ms_drawing_text(drawing, " --perturb-start %d", run->perturb_start);
    if (run->method == MS_ZOH)
        return ms_study_bind(drawing, &run->study, error,
                             "run damping-reaction --set d_d=%.17g --scheme jacobi --extrapolation-order 0 "
                             "--step-size %.17g%s",
                             run->damping, run->step_size, words);
    return ms_study_bind(drawing, &run->study, error,
                         "run damping-reaction --set d_d=%.17g --scheme ifosmondi --solver-nonlinear %s "
                         "--backend %s --epsilon %.17g --step-size %.17g%s",
                         run->damping, ms_method_names[run->method], run->backend, run->epsilon,
                         run->step_size, words);
}

static int keep_states(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    ms_method_run *run = self;
    memcpy(run->end, cosim->x, sizeof run->end);
    return 0;
}

static bool is_native(const ms_method_run *run)
{
    return strcmp(run->backend, "native") == 0;
}

static int take(ms_method_run *run, const volatile sig_atomic_t *stop, ms_error *error)
{
    const ms_observer observer = {.self = run, .step = keep_states};
    const ms_simulation_options request = {
        .errors = run->errors, .observers = &observer, .n_observers = 1, .stop = stop};
    ms_simulation simulation;
    run->error = NAN;
    const int status =
        ms_simulation_run(run->study.system, &run->study.arguments->options, &request, &simulation, error);
    if (status != MS_OK)
        return status;
    run->result = simulation.result;
    run->reached = simulation.result.reason == MS_REASON_END_TIME;
    if (simulation.errors_valid)
        run->error = simulation.errors.l2_normalized_mean;
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

static int take_native(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error)
{
    ms_method_run *run = (ms_method_run *)self + k;
    return is_native(run) ? take(run, stop, error) : MS_OK;
}

int ms_method_runs(ms_drawing *drawing, int n, ms_method_run *runs, ms_error *error)
{
    int status = MS_OK, bound = 0;
    while (bound < n && status == MS_OK)
        status = bind(drawing, &runs[bound++], error);
    if (status == MS_OK)
        status = ms_study_parallel(drawing, n, take_native, runs, error);
    for (int k = 0; k < n && status == MS_OK; k++) /* PETSc is not thread-safe */
        if (!is_native(&runs[k]))
            status = take(&runs[k], ms_drawing_stop(drawing), error);
    if (status == MS_OK)
        status = ms_study_interrupted(drawing, error);
    for (int k = 0; k < bound; k++)
        ms_study_destroy(&runs[k].study);
    return status;
}
