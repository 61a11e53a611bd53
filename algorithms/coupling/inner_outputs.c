/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inner_outputs.h"

#include <string.h>

static int check(const ms_instance *instance, const char *option, ms_error *error)
{
    const char *name = instance->sub->name;
    if (ms_subsystem_nz(instance->sub) > 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s has discrete variables, which are not known inside a macro-step; use "
                       "`%s` %s=1",
                       name, option, name);
    if (instance->sub->stepper != NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s takes its steps itself and has no outputs inside them; use `%s` %s=1",
                       name, option, name);
    return MS_OK;
}

/* At 1/m, 2/m, .. inside a macro-step; its end is known. */
static int sample(ms_cosim *cosim, int m)
{
    double fraction[MS_INNER_MAX];
    for (int j = 1; j < m; j++)
        fraction[j - 1] = (double)j / m;
    return ms_cosim_sample_states(cosim, m - 1, fraction);
}

int ms_inner_outputs_create(ms_cosim *cosim, const char *option, const char *text, ms_inner_outputs *outputs,
                            ms_error *error)
{
    const ms_system *s = cosim->system;
    int status = ms_variant_counts(s, option, text, MS_INNER_MAX, outputs->count, error);
    bool taken[MS_INNER_MAX + 1] = {false};
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (outputs->count[i] > 1) {
            status = check(cosim->instance[i], option, error);
            taken[outputs->count[i]] = true;
        }
    for (int m = 2; m <= MS_INNER_MAX && status == MS_OK; m++)
        if (taken[m] && sample(cosim, m) != MS_OK)
            status =
                ms_fail(error, MS_NO_MEMORY, "not enough memory for outputs at %d times of a macro-step", m);
    return status;
}

void ms_inner_outputs_start(const ms_cosim *cosim, ms_inner_outputs *outputs)
{
    for (int i = 0; i < cosim->system->n; i++)
        for (int j = 1, m = outputs->count[i]; j < m; j++)
            outputs->index[m * (MS_INNER_MAX + 1) + j] = ms_cosim_sample_index(cosim, (double)j / m);
}

/* The piece that a time after T_n lies on; that of a seam ends there. */
static int piece_at(const ms_input *input, double after)
{
    int piece = 0;
    while (piece < input->pieces - 1 && after > input->end[piece])
        piece++;
    return piece;
}

int ms_inner_outputs_read(ms_cosim *cosim, const ms_inner_outputs *outputs, int i, double *values)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    const int ny = s->sub[i].ny, m = outputs->count[i];
    for (int j = 1; j < m; j++, values += ny) {
        const int k = outputs->index[m * (MS_INNER_MAX + 1) + j];
        const int piece = piece_at(&instance->input, instance->sample_at[k] * instance->h);
        if (ms_instance_sample_outputs(instance, k, piece, values) != 0)
            return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                           "the outputs of subsystem %s are not defined at %.6g s", instance->sub->name,
                           ms_instance_sample_time(instance, k));
    }
    if (ny > 0)
        memcpy(values, cosim->y_raw + s->y_at[i], sizeof *values * (size_t)ny);
    return MS_OK;
}
