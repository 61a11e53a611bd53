/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interface_setup.c - the interface-Jacobian schemes before their first macro-step: checks, memory, and the past values that
 * they start from. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include "control_options.h"
#include "cosim_capabilities.h"
#include "interface_jacobian.h"

/* Memory ------------------------------------------------------------------------------------------------ */

static bool is_controlled(const ms_variant *o)
{
    return ms_control_options_of(o->control.error_controlled)->of_predictions;
}

/* The highest that inputs may have. */
static int degree_of(const ms_variant *o)
{
    return is_controlled(o) && o->control.order == MS_ORDER_CONTROL_ON ? INTERFACE_DEGREE_MAX
                                                                       : o->iteration.input_degree;
}

static int nodes_of(const ms_variant *o)
{
    return degree_of(o) + 1;
}

static int sensitivities_of(const ms_system *s)
{
    int size = 0;
    for (int i = 0; i < s->n; i++)
        size += s->sub[i].ny * s->sub[i].nu;
    return size;
}

/* Outputs, then inputs at the last communication points. */
void ms_interface_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const ms_system *s = cosim->system;
    *lin = s->ny + nodes_of(&cosim->variant) * s->nu;
    *aux = HISTORY_SIZE + KEY_SIZE + sensitivities_of(s);
}

ms_input_room ms_interface_room(const ms_variant *o)
{
    return (ms_input_room){.pieces = 1, .degree = degree_of(o)};
}

static int allocate(ms_cosim *cosim, interface_data *data)
{
    const ms_system *s = cosim->system;
    const size_t nu = (size_t)s->nu, ny = (size_t)s->ny, S = (size_t)sensitivities_of(s);
    const size_t work = data->sensitivities == MS_SENSITIVITY_DIRECTIONAL ? ms_interface_work(s) : 0;
    data->before = ms_cosim_alloc(
        cosim, ms_cosim_state_size(cosim) + (5 + nu) * nu + ny + KEY_SIZE + 2 * S + work, sizeof(double));
    data->pivots = ms_cosim_alloc(cosim, nu + (size_t)s->n + 1, sizeof *data->pivots);
    data->which = ms_cosim_alloc(cosim, (size_t)s->n, sizeof *data->which);
    MS_TRY_MEMORY(data->before != NULL && data->pivots != NULL && data->which != NULL);
    data->z = data->before + ms_cosim_state_size(cosim);
    data->r = data->z + nu;
    data->delta = data->r + nu;
    data->zero = data->delta + nu;
    data->convergence.best = data->zero + nu;
    data->base = data->convergence.best + nu;
    data->key = (interface_key *)(void *)(data->base + ny);
    data->S = data->base + ny + KEY_SIZE;
    data->factored = data->S + S;
    data->M = data->factored + S;
    data->work = data->M + nu * nu;
    data->S_at = data->pivots + nu;
    return MS_OK;
}

static void place(ms_cosim *cosim, interface_data *data)
{
    const ms_system *s = cosim->system;
    data->past = cosim->scheme_lin + s->ny;
    data->history = (interface_history *)(void *)cosim->scheme_aux;
    data->kept = cosim->scheme_aux + HISTORY_SIZE;
    for (int i = 0; i < s->n; i++)
        data->S_at[i + 1] = data->S_at[i] + s->sub[i].ny * s->sub[i].nu;
    data->convergence.n = s->nu;
    data->convergence.epsilon = cosim->variant.iteration.epsilon;
}

/* Checks ------------------------------------------------------------------------------------------------ */

static bool is_linear(const ms_cosim *cosim, const char **who)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (cosim->system->sub[i].matrices == NULL) {
            *who = cosim->system->sub[i].name;
            return false;
        }
    return true;
}

/* Why a subsystem gives no derivatives, or NULL. */
static const char *no_derivatives(const ms_instance *instance)
{
    if (!instance->can.directional_derivatives)
        return "gives no directional derivatives";
    if (instance->sub->stepper != NULL)
        return "brings its own solver, which shows no derivatives of states";
    if (instance->sub->residual != NULL)
        return "is differential-algebraic and has no x' = f";
    return instance->sub->uses_du ? "reads derivatives of its inputs" : NULL;
}

static int check_derivatives(const ms_cosim *cosim, ms_error *error)
{
    for (int i = 0; i < cosim->system->n; i++) {
        const char *why = no_derivatives(cosim->instance[i]);
        if (why != NULL)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s %s, and `sensitivities` directional needs them; use differences",
                           cosim->system->sub[i].name, why);
    }
    return MS_OK;
}

/* The default: exact if all subsystems are linear, otherwise directional if all give derivatives. */
static int choose_sensitivities(ms_cosim *cosim, ms_error *error)
{
    const char *who = "";
    const bool linear = is_linear(cosim, &who);
    if (!cosim->options->given[MS_OPTION_SENSITIVITIES] && !linear) {
        const bool differentiable = check_derivatives(cosim, NULL) == MS_OK;
        cosim->variant.iteration.sensitivities =
            differentiable ? MS_SENSITIVITY_DIRECTIONAL : MS_SENSITIVITY_DIFFERENCES;
        cosim->options->iteration.sensitivities = (int)cosim->variant.iteration.sensitivities;
    }
    if (cosim->variant.iteration.sensitivities == MS_SENSITIVITY_EXACT && !linear)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s is nonlinear, so that `sensitivities` exact are not known; use "
                       "directional or differences",
                       who);
    return cosim->variant.iteration.sensitivities == MS_SENSITIVITY_DIRECTIONAL
               ? check_derivatives(cosim, error)
               : MS_OK;
}

static int check_subsystem(const ms_instance *instance, const ms_variant *o, ms_error *error)
{
    const char *lower = degree_of(o) > o->iteration.input_degree ? "`input-degree` with `order-control` off"
                                                                 : "`input-degree`";
    MS_TRY(ms_cosim_check_degree(instance, degree_of(o), lower, error));
    return o->iteration.input_degree > 0 && !is_controlled(o) ? ms_cosim_check_start(instance, o, error)
                                                              : MS_OK;
}

/* Newton's equations are dense: 800 MB. */
enum { INPUTS_MAX = 10000 };

static int check_size(const ms_cosim *cosim, ms_error *error)
{
    if (cosim->system->nu <= INPUTS_MAX)
        return MS_OK;
    return ms_fail(error, MS_UNSUPPORTED,
                   "model %s has %d inputs, and `scheme` %s solves dense equations for at most %d of them",
                   cosim->system->model->name, cosim->system->nu, cosim->scheme->name, (int)INPUTS_MAX);
}

static int check_control(const ms_cosim *cosim, ms_error *error)
{
    const ms_options *o = cosim->options;
    if (ms_option_asked(o, MS_OPTION_ORDER_CONTROL) && !is_controlled(&cosim->variant))
        return ms_fail(error, MS_INVALID,
                       "`order-control`: requires `error-controlled` predictor-corrector; the degree of "
                       "this run is fixed");
    if (ms_option_asked(o, MS_OPTION_INPUT_DEGREE) &&
        degree_of(&cosim->variant) != cosim->variant.iteration.input_degree)
        return ms_fail(
            error, MS_INVALID,
            "`input-degree`: `order-control` chooses the degree here; with `order-control` off it is fixed");
    return MS_OK;
}

int ms_interface_create(ms_cosim *cosim, ms_error *error)
{
    interface_data *data = cosim->scheme_data;
    MS_TRY(check_size(cosim, error));
    MS_TRY(check_control(cosim, error));
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], &cosim->variant, error));
    MS_TRY(choose_sensitivities(cosim, error));
    data->once = !cosim->scheme->retries;
    data->controlled = is_controlled(&cosim->variant);
    data->sensitivities = cosim->variant.iteration.sensitivities;
    data->update = cosim->variant.iteration.update;
    data->nodes = nodes_of(&cosim->variant);
    MS_TRY(allocate(cosim, data));
    place(cosim, data);
    return MS_OK;
}

/* The start --------------------------------------------------------------------------------------------- */

/* Inputs before the start from derivatives there: u(-a) = u - a u' + a^2 u''/2. */
static void extend_back(const ms_cosim *cosim, interface_data *data, const double *du, const double *ddu)
{
    const int nu = cosim->system->nu;
    for (int j = 1; j < data->nodes; j++) {
        const double back = -data->history->age[j];
        for (int l = 0; l < nu; l++)
            data->past[j * nu + l] = data->past[l] + back * (du[l] + 0.5 * back * ddu[l]);
    }
}

int ms_interface_start(ms_cosim *cosim)
{
    interface_data *data = cosim->scheme_data;
    const ms_variant *o = &cosim->variant;
    const bool hold = o->initial.history == MS_START_HOLD || data->controlled;
    const bool derivatives = !hold && o->initial.inputs == MS_INITIAL_CONSISTENT && data->nodes > 1;
    *data->history = (interface_history){.known = hold ? 1.0 : data->nodes,
                                         .degree = data->controlled ? 0.0 : o->iteration.input_degree};
    for (int j = 0; j < data->nodes; j++)
        data->history->age[j] = j * o->step_size;
    memset(data->zero, 0, sizeof(double) * (size_t)cosim->system->nu);
    MS_TRY(ms_cosim_start_inputs(cosim, o->start_time, data->past));
    if (derivatives) {
        MS_TRY(
            ms_cosim_start_derivatives(cosim, o->start_time, data->past, 2, data->base, data->z, data->base));
        ms_system_couple(cosim->system, data->base, data->r);
    }
    extend_back(cosim, data, derivatives ? data->z : data->zero, derivatives ? data->r : data->zero);
    return MS_OK;
}

/* Orders ------------------------------------------------------------------------------------------------ */

int ms_interface_claimed_order(const ms_variant *o)
{
    const int order = o->iteration.input_degree + 1;
    const bool hold = o->initial.history == MS_START_HOLD; /* the line of the first macro-step leaves h^3 */
    return hold && order > 3 ? 3 : order;
}

/* Sensitivities that are off make iterations, or a Newton step, less good, and no order less. */
const ms_modelled ms_interface_claims[] = {
    {"scheme", "ijcsa semi-implicit"}, {"input-degree", "0 1 2 3"},
    {"sensitivities", NULL},           {"update", "always slow"},
    {"start", "derivatives hold"},     {"initial-inputs", "consistent"},
    {"output-derivatives", NULL},      {"error-controlled", "none richardson pyfmi"},
    MS_CLAIMS_OF_ANY_SOLVER,           {NULL, NULL}};
