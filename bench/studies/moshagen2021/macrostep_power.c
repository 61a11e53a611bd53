/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "macrostep_power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cosim.h"
#include "cosim_create.h"
#include "scheme_registry.h"
#include "study.h"

bool ms_power_law_held(const ms_input_law *law, double before, double after)
{
    return law->active && fabs(law->gain * before) >= law->threshold &&
           fabs(law->gain * after) >= law->threshold && before * after > 0.0;
}

static ms_power_kind kind_of(const ms_power_monitor *monitor, const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    int laws = 0;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < cosim->instance[i]->n_laws; k++, laws++) {
            const ms_input_law *law = &cosim->instance[i]->law[k];
            const int j = s->y_at[i] + law->output;
            if (!ms_power_law_held(law, monitor->y[j], cosim->y[j]))
                return MS_POWER_FALLBACK;
        }
    return laws > 0 ? MS_POWER_LAW : MS_POWER_FALLBACK;
}

static int monitor_start(void *self, const ms_cosim *cosim, double t)
{
    ms_power_monitor *w = self;
    w->start = w->before = ms_system_energy(cosim->system, cosim->x);
    w->lowest = w->highest = w->end = 1.0;
    w->left_at = NAN;
    memcpy(w->y, cosim->y, sizeof(double) * (size_t)cosim->system->ny);
    MS_ROW(w->data, t, 1.0, NAN, NAN);
    return 0;
}

static int monitor_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_power_monitor *w = self;
    const ms_power_kind kind = kind_of(w, cosim);
    const double energy = ms_system_energy(cosim->system, cosim->x), change = (energy - w->before) / w->start;
    w->before = energy;
    w->end = energy / w->start;
    ms_widen(&w->lowest, &w->highest, w->end);
    w->steps[kind]++;
    w->largest[kind] = fmax(w->largest[kind], fabs(change));
    *(change > 0.0 ? &w->gain[kind] : &w->loss[kind]) += change;
    memcpy(w->y, cosim->y, sizeof(double) * (size_t)cosim->system->ny);
    MS_ROW(w->data, t + h, w->end, kind == MS_POWER_LAW ? fabs(change) : NAN,
           kind == MS_POWER_LAW ? NAN : fabs(change));
    if (w->upper == 0.0 || (w->end >= w->lower && w->end <= w->upper))
        return 0;
    w->left_at = t + h;
    return 1;
}

int ms_power_run(const ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                 ms_power_monitor *monitor, ms_run_result *result, ms_error *error)
{
    const ms_observer observer = {.self = monitor, .start = monitor_start, .step = monitor_step};
    ms_cosim *cosim = NULL;
    *monitor = (ms_power_monitor){.lower = monitor->lower, .upper = monitor->upper, .data = monitor->data};
    monitor->y = malloc(sizeof *monitor->y * ((size_t)system->ny + 1));
    int status = monitor->y != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a run");
    if (status == MS_OK)
        status = ms_cosim_of_options(system, options, &cosim, error);
    if (status == MS_OK)
        status = ms_run(cosim, &observer, 1, NULL, stop, result, error);
    if (status == MS_OK && stop != NULL && *stop != 0)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    ms_cosim_destroy(&cosim);
    free(monitor->y);
    monitor->y = NULL;
    return status;
}

int ms_power_study(ms_drawing *drawing, ms_power_monitor *monitor, ms_run_result *result, ms_error *error,
                   const char *command)
{
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", command);
    if (status == MS_OK)
        status = ms_power_run(study.system, &study.arguments->options, ms_drawing_stop(drawing), monitor,
                              result, error);
    ms_study_destroy(&study);
    return status;
}

double ms_power_deviation(const ms_power_monitor *monitor)
{
    return fmax(monitor->highest - 1.0, 1.0 - monitor->lowest);
}
