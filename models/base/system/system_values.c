/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_values.c - start values of states, inputs from outputs, energy; subsystems by kind. */
#include <float.h>
#include <string.h>

#include <macrostep/system.h>

static void perturb(int n, double share, double *x)
{
    bool rests = true;
    for (int j = 0; j < n; j++)
        rests = rests && x[j] == 0.0;
    for (int j = 0; j < n; j++)
        x[j] = rests ? share : x[j] * (1.0 + share);
}

void ms_system_start(const ms_system *system, double *x)
{
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        double *x_sub = x + system->x_at[i];
        const double *p = ms_subsystem_parameters(system, sub);
        for (int j = 0; j < sub->nx; j++)
            x_sub[j] = sub->x0_parameter != NULL && sub->x0_parameter[j] >= 0 ? p[sub->x0_parameter[j]]
                       : sub->x0 != NULL                                      ? sub->x0[j]
                                                                              : 0.0;
        if (sub->start != NULL)
            sub->start(p, sub->data, x_sub);
    }
    if (system->start_eps != 0)
        perturb(system->nx, system->start_eps * DBL_EPSILON, x);
}

void ms_system_start_discrete(const ms_system *system, double *z)
{
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        double *z_sub = z + system->z_at[i];
        for (int j = 0; j < sub->nz; j++)
            z_sub[j] = sub->z0 != NULL ? sub->z0[j] : 0.0;
        for (int j = sub->nz; j < ms_subsystem_nz(sub); j++)
            z_sub[j] = 0.0;
        if (ms_subsystem_announces(sub))
            *ms_subsystem_served(sub, z_sub) = -DBL_MAX;
    }
}

void ms_system_add_feed_through(const ms_system *system, int i, double factor, const double *D, int stride,
                                const int *place, int n, double *M)
{
    const ms_subsystem *sub = &system->sub[i];
    const int *row_at = system->row_at + system->u_at[i];
    for (int j = 0; j < sub->ny; j++) {
        const int output = system->y_at[i] + j, row = place != NULL ? place[output] : output;
        for (int l = 0; l < sub->nu && row >= 0; l++)
            for (int w = row_at[l]; w < row_at[l + 1]; w++) {
                const int from = system->wire_output[w], column = place != NULL ? place[from] : from;
                if (column >= 0)
                    M[(size_t)row * (size_t)n + (size_t)column] +=
                        factor * (D[j * stride + l] * system->wire_gain[w]);
            }
    }
}

void ms_system_couple(const ms_system *system, const double *y, double *u)
{
    for (int l = 0; l < system->nu; l++)
        u[l] = ms_system_coupled(system, l, y);
}

void ms_system_forget_jumps(const ms_system *system, const double *y, double *other)
{
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].ny && system->sub[i].y_signal != NULL; j++)
            if (system->sub[i].y_signal[j] != MS_SIGNAL_CONTINUOUS)
                other[system->y_at[i] + j] = y[system->y_at[i] + j];
}

double ms_system_coupling_residual(const ms_system *system, const double *u, const double *y)
{
    const int *row_at = system->row_at, *output = system->wire_output, nu = system->nu;
    const double *gain = system->wire_gain;
    double largest = 0.0;
    for (int i = 0, k = row_at[0]; i < nu; i++) {
        const int end = row_at[i + 1];
        double sum = 0.0;
        if (k < end) /* mostly there is one */
            sum = gain[k] * y[output[k]];
        for (k++; k < end; k++)
            sum += gain[k] * y[output[k]];
        const double residual = fabs(u[i] - sum);
        largest = residual > largest ? residual : largest;
        k = end;
    }
    return largest;
}

double ms_system_energy(const ms_system *system, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < ms_system_shown(system); i++) {
        const ms_subsystem *sub = &system->sub[i];
        if (sub->energy == NULL)
            return NAN;
        sum += sub->energy(x + system->x_at[i], ms_subsystem_parameters(system, sub), sub->data);
    }
    return sum;
}

bool ms_system_reads_slopes(const ms_system *system)
{
    bool any = false;
    for (int i = 0; i < system->n; i++)
        any = any || system->sub[i].uses_du;
    return any;
}

bool ms_system_has_residual(const ms_system *system)
{
    for (int i = 0; i < system->n; i++)
        if (system->sub[i].residual != NULL)
            return true;
    return false;
}

const ms_subsystem *ms_system_own_stepper(const ms_system *system)
{
    for (int i = 0; i < system->n; i++)
        if (system->sub[i].stepper != NULL)
            return &system->sub[i];
    return NULL;
}

int ms_system_needs_equations(const ms_system *system, const char *what, ms_error *error)
{
    const ms_subsystem *sub = ms_system_own_stepper(system);
    if (sub == NULL)
        return MS_OK;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "%s needs the equations of all subsystems, but %s is %s, which has its own solver and shows none",
        what, sub->name, sub->stepper->kind);
}

/* Does the held value at input l change: is one of its wires not an offset? */
static bool changes(const ms_system *system, int l)
{
    bool any = false;
    for (int w = system->row_at[l]; w < system->row_at[l + 1] && system->u_held[l]; w++)
        any = any || !system->sub[ms_system_owner(system, system->wire_output[w])].gives_offsets;
    return any;
}

int ms_system_needs_smooth_wires(const ms_system *system, const char *what, ms_error *error)
{
    const int end = system->u_held != NULL ? system->nu : 0;
    int l = 0;
    while (l < end && !changes(system, l))
        l++;
    if (l == end)
        return MS_OK;
    const int i = ms_owner_of(system->u_at, system->n, l), k = l - system->u_at[i];
    const ms_subsystem *sub = &system->sub[i];
    const ms_signal takes = sub->u_signal != NULL ? sub->u_signal[k] : MS_SIGNAL_CONTINUOUS;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "%s needs partial derivatives with respect to all inputs, but the wire to %s of %s carries values "
        "that jump (%s)",
        what, sub->u[k].name, sub->name,
        takes == MS_SIGNAL_CONTINUOUS ? "its output is discrete" : ms_signal_names[takes]);
}

int ms_system_needs_partials(const ms_system *system, const char *what, ms_error *error)
{
    const int status = ms_system_needs_equations(system, what, error);
    return status == MS_OK ? ms_system_needs_smooth_wires(system, what, error) : status;
}

int ms_system_find(const ms_system *system, const char *name)
{
    for (int i = 0; i < ms_system_shown(system); i++)
        if (strcmp(system->sub[i].name, name) == 0)
            return i;
    return -1;
}
