/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_robin.c - `robin`: the macro-step is repeated until bodies and the springs between them agree, with Robin (impedance)
 * conditions at the ends of lines.
 *
 * F is the force of the line's element on a body at one of its ends, v the body's velocity there. In each sweep the body feels
 *
 *     F = c(s) - Z v(s),     c linear from F_n + Z v_n, of the last macro-step's end, to x,
 *
 * with -Z v inside the subsystem, at every evaluation of its right-hand side (input_law.h); then the elements step with inputs that are
 * linear between their values at T_n and at T_n + h, and
 *
 *     x <- F + Z v      of the element's outputs and the body's velocity at T_n + h:     gamma(x) = x - (F + Z v) = 0.
 *
 * A method of nonlinear.h solves that, until |gamma_i| < epsilon (|x_i| + 1) for all ends (epsilon = 0: to round-off), from x = F_n + Z v_n.
 * A macro-step that does not converge is repeated with half its length.
 *
 * Z = 0 would be the plain iteration, which converges to the solution of `ijcsa` and `waveform` of degree 1; any other Z converges to it up
 * to h^2, since v is not linear inside the macro-step. The default is Z = k H/2, half the response of a spring of stiffness k. Between two
 * free masses m that are solved exactly, with kappa = k H^2/m, a sweep multiplies the errors
 *
 *     of plain iteration by -kappa/2 and 0: it diverges from kappa = 2 on
 *     with Z by + and - (1 - (1 - e^-rho)/rho), rho = kappa/2: less than 1 for every H.
 *
 * Order of convergence: 2.
 *
 * Capabilities: rollback of every subsystem, inputs of degree 1, the requirements of tlm on bodies and elements (line_ends.h).
 *
 * Source: the condition of optimised waveform relaxation and domain decomposition (P.-L. Lions 1990; Gander, SIAM J. Numer. Anal. 44
 * (2006) 699-731), here on the ports of a co-simulation; the law is that of tlm without its delay.
 *
 * Departures: the sources have one interface, here each end of a line is an interface to its element. Without a delay and an element the two
 * ends would satisfy c_1 = -F_2 + Z v_2, a rigid joint: the element provides the stiffness. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "iteration.h"
#include "line_ends.h"

typedef struct robin_data {
    ms_line_ends ends;
    ms_iteration iteration;
    double *before; /* the co-simulation at T_n */
    double *first;  /* F + Z v there (ends) */
    double t, h;
} robin_data;

static double impedance_of(const ms_line *line, const ms_variant *variant)
{
    return variant->lines.impedance > 0.0 ? variant->lines.impedance
                                          : 0.5 * line->stiffness * variant->step_size;
}

static int robin_feedback(const ms_system *system, const ms_variant *variant, int i, ms_input_law *law)
{
    return ms_line_feedback(system, variant, i, impedance_of, law);
}

/* F + Z v of all ends, from outputs y. */
static void read_waves(const ms_cosim *cosim, const robin_data *data, const double *y, double *wave)
{
    double *u = data->ends.u;
    ms_system_couple(cosim->system, y, u);
    for (int e = 0; e < data->ends.n; e++)
        wave[e] =
            ms_line_ends_force(cosim, u, e) +
            impedance_of(&cosim->system->line[e / 2], &cosim->variant) * ms_line_ends_velocity(cosim, y, e);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

static int residual(void *context, const double *x, double *r)
{
    ms_cosim *cosim = context;
    robin_data *data = cosim->scheme_data;
    ms_cosim_restore(cosim, data->before);
    ms_line_ends_clear(cosim, &data->ends, 1, &data->h);
    for (int e = 0; e < data->ends.n; e++)
        ms_line_ends_give(cosim, e, 0, data->first[e], (x[e] - data->first[e]) / data->h);
    const int status = ms_line_ends_advance(cosim, &data->ends, data->t, data->h);
    data->iteration.calls++;
    cosim->sweeps++;
    if (status == MS_OK)
        read_waves(cosim, data, cosim->y_raw, r);
    for (int e = 0; e < data->ends.n && status == MS_OK; e++)
        r[e] = x[e] - r[e];
    return status == MS_SOLVER_FAILED ? MS_NOT_CONVERGED : status;
}

static bool converged(void *context, const double *x, const double *r)
{
    const ms_cosim *cosim = context;
    robin_data *data = cosim->scheme_data;
    return ms_convergence_reached(&data->iteration.convergence, x, r);
}

static int robin_step(ms_cosim *cosim, double t, double h)
{
    robin_data *data = cosim->scheme_data;
    ms_iteration *it = &data->iteration;
    const ms_nonlinear_problem problem = {
        .n = it->n, .residual = residual, .converged = converged, .context = cosim, .memory = it->memory};
    ms_cosim_save(cosim, data->before);
    ms_iteration_begin(it);
    data->t = t;
    data->h = h;
    read_waves(cosim, data, cosim->y, data->first);
    memcpy(it->z, data->first, sizeof *it->z * (size_t)it->n);
    return ms_iteration_step(it, cosim, &problem, data->before, t, h);
}

static int robin_start(ms_cosim *cosim)
{
    const robin_data *data = cosim->scheme_data;
    return ms_cosim_start_outputs(cosim, cosim->variant.start_time, data->ends.u);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int memory_of_method(const ms_cosim *cosim)
{
    const ms_nonlinear_options options = ms_iteration_nonlinear_options(&cosim->variant, 0);
    return ms_iteration_kept(ms_iteration_method(&cosim->variant), 2 * cosim->system->n_lines, &options);
}

static void robin_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    *lin = cosim->system->ny;
    *aux = memory_of_method(cosim);
}

static ms_input_room robin_room(const ms_variant *variant)
{
    (void)variant;
    return (ms_input_room){.pieces = 1, .degree = 1};
}

static int allocate(ms_cosim *cosim, robin_data *data)
{
    ms_iteration *it = &data->iteration;
    it->n = data->ends.n;
    it->method = ms_iteration_method(&cosim->variant);
    it->convergence.epsilon = cosim->variant.iteration.epsilon;
    it->kept = memory_of_method(cosim);
    double *memory = ms_cosim_alloc(cosim, ms_iteration_room(it) + (size_t)it->n + ms_cosim_state_size(cosim),
                                    sizeof *memory);
    MS_TRY_MEMORY(memory);
    data->first = ms_iteration_place(it, memory, cosim->scheme_aux);
    data->before = data->first + it->n;
    return MS_OK;
}

/* If iterations are calls, they include the first sweep and, to round-off, the last one. */
static int create_method(ms_cosim *cosim, ms_iteration *it, ms_error *error)
{
    const bool counts_calls = it->method != NULL && it->method->counts_calls;
    it->most =
        cosim->variant.iteration.max_iterations - (counts_calls ? 1 + ms_iteration_is_tightest(it) : 0);
    const ms_nonlinear_options options = ms_iteration_nonlinear_options(&cosim->variant, it->most);
    return ms_iteration_create(it, cosim, &options, error);
}

static int robin_create(ms_cosim *cosim, ms_error *error)
{
    robin_data *data = cosim->scheme_data;
    cosim->reading = MS_READING_LAWS;
    MS_TRY(ms_line_ends_create(cosim, &data->ends, error));
    MS_TRY(allocate(cosim, data));
    return create_method(cosim, &data->iteration, error);
}

static int robin_order(const ms_variant *variant)
{
    (void)variant;
    return 2;
}

static const ms_modelled claims[] = {{"scheme", "robin"},
                                     {"solver-nonlinear", NULL},
                                     {"backend", NULL},
                                     {"start", NULL},
                                     {"initial-inputs", "consistent"},
                                     {"output-derivatives", NULL},
                                     MS_CLAIMS_OF_ANY_SOLVER,
                                     {NULL, NULL}};

const ms_scheme ms_scheme_robin = {
    .name = "robin",
    .summary = "iterated with impedance conditions between bodies and springs",
    .source = "after Lions 1990, Gander 2006",
    .form = MS_FORM_IMPEDANCE,
    .retries = true,
    .rolls_back = true,
    .knows =
        (const ms_option_id[]){MS_OPTION_IMPEDANCE, MS_OPTION_SOLVER_NONLINEAR, MS_OPTION_BACKEND,
                               MS_OPTION_RELAXATION, MS_OPTION_REUSE, MS_OPTION_MAX_COLUMNS, MS_OPTION_FILTER,
                               MS_OPTION_FILTER_LIMIT, MS_OPTION_PRECONDITIONER, MS_OPTION_EPSILON,
                               MS_OPTION_MAX_ITERATIONS, MS_OPTION_STEP_RULE, MS_OPTION_MIN_STEP, MS_OPTIONS},
    .defaults = ms_iteration_defaults,
    .memory = robin_memory,
    .feedback = robin_feedback,
    .room = robin_room,
    .data = sizeof(robin_data),
    .create = robin_create,
    .start = robin_start,
    .step = robin_step,
    .order = robin_order,
    .claims = claims};
