/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifosmondi_setup.c - the iterated schemes before their first macro-step: checks, unknowns, memory. */

#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include "ifosmondi.h"
#include "ifosmondi_data.h"

static bool is_smooth(const ms_cosim *cosim)
{
    return cosim->scheme->slopes;
}

/* Data are the values at each subsystem, then the slopes. */
static ms_nonlinear_options method_options(const ms_cosim *cosim, const int *datum, int most)
{
    ms_nonlinear_options options = ms_iteration_nonlinear_options(&cosim->variant, most);
    options.n_data = 2 * cosim->system->n;
    options.datum = datum;
    return options;
}

/* Doubles that the method keeps for n unknowns. */
static int kept(const ms_cosim *cosim, int n)
{
    const ms_nonlinear_options options = method_options(cosim, NULL, 0);
    return cosim->scheme->at_once ? 0 : ms_iteration_kept(ms_iteration_method(&cosim->variant), n, &options);
}

/* Outputs, then inputs and, for ifosmondi, their slopes; the number of steps, and the memory of the method for the
 * largest number of unknowns. */
void ms_ifosmondi_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const int full = (is_smooth(cosim) ? 2 : 1) * cosim->system->nu;
    *lin = cosim->system->ny + full;
    *aux = 1 + kept(cosim, full);
}

/* Without rollback? */
bool ms_ifosmondi_is_estimated(const ms_variant *o)
{
    return o->scheme->at_once || o->iteration.rollback == MS_ROLLBACK_ESTIMATED;
}

static int check_subsystem(const ms_instance *instance, const ms_variant *o, bool smooth, ms_error *error)
{
    const char *name = instance->sub->name;
    const bool estimated = ms_ifosmondi_is_estimated(o);
    if (smooth && instance->can.input_degree < HERMITE_DEGREE)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s takes inputs of degree %d at most and `scheme` %s gives degree 3; "
                       "zoh-iterative holds them",
                       name, instance->can.input_degree, o->scheme->name);
    if (smooth && !estimated && instance->can.output_derivatives < 1 &&
        o->initial.output_derivatives == MS_YDOT_EXACT)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s gives no output derivatives, which `scheme` %s needs; use "
                       "`output-derivatives` differences",
                       name, o->scheme->name);
    return MS_OK;
}

int ms_ifosmondi_iterations_left(const ms_nonlinear_method *method, int max_iterations, bool last_call)
{
    return max_iterations - (method->counts_calls ? (method->from_start ? 1 : 2) + last_call : 0);
}

static int choose_method(ifosmondi_data *data, ms_cosim *cosim, ms_error *error)
{
    ms_iteration *it = &data->iteration;
    it->method = ms_iteration_method(&cosim->variant);
    if (it->method != NULL)
        it->most = ms_ifosmondi_iterations_left(it->method, cosim->variant.iteration.max_iterations,
                                                ms_iteration_is_tightest(it));
    const ms_nonlinear_options options = method_options(cosim, data->datum, it->most);
    return ms_iteration_create(it, cosim, &options, error);
}

/* Do only subsystems that are earlier in the order feed input l of subsystem i? */
static bool is_fed(const ms_system *s, const int *rank, int i, int l)
{
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        if (rank[ms_system_owner(s, s->wire_output[w])] >= rank[i])
            return false;
    return true;
}

static int order_subsystems(const ms_cosim *cosim, ifosmondi_data *data, int *memory, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    if (o->iteration.sweep == MS_SWEEP_JACOBI)
        return cosim->options->given[MS_OPTION_SEQUENCE]
                   ? ms_fail(error, MS_INVALID, "`sequence`: requires `sweep` gauss-seidel")
                   : MS_OK;
    if (ms_ifosmondi_is_estimated(o))
        return ms_fail(
            error, MS_INVALID,
            "`sweep` gauss-seidel: with `rollback` estimated all subsystems are estimated at once; use "
            "jacobi");
    data->sequence = memory;
    data->rank = memory + s->n;
    const int status = ms_variant_sequence(s, cosim->options, data->sequence, data->rank, error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++)
            data->fed[l] = is_fed(s, data->rank, i, l);
    return status;
}

/* The unknown values of inputs, then the slopes, and the group of each. */
static void list_unknowns(const ms_cosim *cosim, ifosmondi_data *data)
{
    const ms_system *s = cosim->system;
    for (int part = 0; part < (data->smooth ? 2 : 1); part++)
        for (int i = 0; i < s->n; i++)
            for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++)
                if (!data->fed[l]) {
                    data->unknown[data->iteration.n] = part * s->nu + l;
                    data->datum[data->iteration.n++] = part * s->n + i;
                }
}

static int choose_unknowns(ms_cosim *cosim, ifosmondi_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t full = (size_t)data->full;
    data->unknown = ms_cosim_alloc(cosim, 2 * full + 2 * (size_t)s->n, sizeof *data->unknown);
    data->fed = ms_cosim_alloc(cosim, (size_t)s->nu, sizeof *data->fed);
    MS_TRY_MEMORY(data->unknown != NULL && data->fed != NULL);
    data->datum = data->unknown + full;
    MS_TRY(order_subsystems(cosim, data, data->datum + full, error));
    list_unknowns(cosim, data);
    return MS_OK;
}

static int allocate(ms_cosim *cosim, ifosmondi_data *data)
{
    ms_iteration *it = &data->iteration;
    const size_t full = (size_t)data->full, ny = (size_t)cosim->system->ny;
    it->kept = kept(cosim, it->n);
    double *memory = ms_cosim_alloc(
        cosim, ms_iteration_room(it) + 2 * full + 2 * ny + ms_cosim_state_size(cosim), sizeof *memory);
    MS_TRY_MEMORY(memory);
    data->steps = cosim->scheme_aux;
    data->given = ms_iteration_place(it, memory, cosim->scheme_aux + 1);
    data->image = data->given + full;
    data->dy = data->image + full;
    data->estimated = data->dy + ny;
    data->before = data->estimated + ny;
    data->left = cosim->scheme_lin + ny;
    return MS_OK;
}

int ms_ifosmondi_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    ifosmondi_data *data = cosim->scheme_data;
    data->smooth = is_smooth(cosim);
    data->full = (data->smooth ? 2 : 1) * s->nu;
    data->iteration.convergence.epsilon = cosim->variant.iteration.epsilon;
    for (int i = 0; i < s->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], &cosim->variant, data->smooth, error));
    MS_TRY(choose_unknowns(cosim, data, error));
    if (ms_ifosmondi_is_estimated(&cosim->variant))
        MS_TRY(ms_output_estimate_create(cosim, data->smooth ? HERMITE_DEGREE : 0, cosim->scheme->at_once,
                                         &data->estimate, error));
    if (!cosim->scheme->at_once)
        MS_TRY(choose_method(data, cosim, error));
    return allocate(cosim, data);
}
