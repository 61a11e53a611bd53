/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_interface_jacobian.c - co-simulation by interface Jacobians: `ijcsa`, Newton's method on the inputs at the end of a
 * macro-step, and `semi-implicit`, one step of it.
 *
 * The unknowns of a macro-step [T_n, T_n + h] are the inputs u1 at its end. Over it inputs follow the polynomial of degree k
 * (`input-degree`, 0 to 3) through u1 and the k last accepted ones: k = 0 holds u1, k = 1 is the line through u_n and u1. With
 *
 *     R(u1) = u1 - L y(T_n + h; u1) = 0,     (I - L S) du = -R,     S = diag(S_i),   S_i = dy_i/du1_i
 *
 * where S is the sensitivity OF THE MACRO-STEP, not just the feed-through: interface_sensitivities.c computes it in three ways,
 * and reuses S of an earlier iteration or macro-step when valid.
 *
 *     1. predictor: the polynomial of degree k through the last k + 1 inputs, at T_n + h; a sweep of all subsystems gives R;
 *     2. du of Newton's equations, and a sweep with u1 + du;
 *     3. ijcsa: 2. again until |R_i| < epsilon (|u1_i| + 1) for all i (convergence.h). No iteration starts after
 *        max-iterations of them; a macro-step that does not converge is repeated with half its length. The value
 *        stored for u1 is L y, within the tolerance: repeatedly accepted predictions would drift.
 *        semi-implicit: no further iteration.
 *
 * With `update` slow, S is that of an earlier macro-step as long as a sweep makes the residual at least ten times smaller, the
 * degree is the same and the length within a factor of two. Exact sensitivities depend only on the length and are recomputed
 * when it changes, for either `update`.
 *
 * With `error-controlled` predictor-corrector the step and, with `order-control`, the degree are adapted during the run
 * (step_predictor_corrector.c).
 *
 * The start: u_0 = L y; with `start` hold the first macro-steps have the degree min(n + 1, k), n = 0 the first one, with
 * derivatives the inputs before the start are the Taylor polynomials of degree 2 there.
 *
 * On a linear system with exact S one Newton step solves R = 0 for any h and L S: two sweeps per macro-step, and semi-implicit
 * equals ijcsa to round-off.
 *
 * Order of convergence: k + 1; 3 for k = 3 with `start` hold.
 *
 * Capabilities: rollback of every subsystem, inputs of degree k; directional derivatives for those sensitivities; a linear
 * subsystem for exact ones.
 *
 * Source: Sicklinger et al., Int. J. Numer. Meth. Engng 98 (2014) 418-444 (ijcsa); after Schweizer and Lu, Arch. Appl. Mech. 84
 * (2014), and Schweizer, Li and Lu, J. Comput. Nonlinear Dyn. 10 (2015) 051007 (semi-implicit, degrees above 0).
 *
 * Departures: S of nonlinear subsystems, its reuse, and the start are chosen here. */
#include <string.h>

#include <macrostep/cosim_state.h>
#include "interface_jacobian.h"
#include "matrix.h"

/* A sweep that leaves more of the residual than this has slowed down. */
static const double slow = 0.1;

/* All subsystems over the macro-step with inputs z at its end, and the residual. */
static int sweep(ms_cosim *cosim, interface_data *data)
{
    const ms_system *s = cosim->system;
    ms_cosim_restore(cosim, data->before);
    ms_interface_give(cosim, data, 1.0, data->z);
    const int status = ms_execution_advance(cosim, data->t, data->h, NULL);
    cosim->integrations += s->n;
    cosim->sweeps++;
    if (status != MS_OK)
        return status;
    ms_system_couple(s, cosim->y_raw, data->r);
    for (int l = 0; l < s->nu; l++)
        data->r[l] = data->z[l] - data->r[l];
    return MS_OK;
}

/* One Newton step and the sweep that follows. */
static int iterate(ms_cosim *cosim, interface_data *data)
{
    const int nu = cosim->system->nu;
    const double before = ms_convergence_largest(nu, data->r);
    MS_TRY(ms_interface_linearise(cosim, data, data->z));
    ms_matrix_solve(nu, data->M, data->pivots, data->r); /* (I - L S)^-1 r */
    for (int l = 0; l < nu; l++)
        data->z[l] -= data->r[l];
    cosim->iterations++;
    const int swept = sweep(cosim, data);
    if (swept == MS_OK && !(ms_convergence_largest(nu, data->r) <= slow * before))
        data->key->made = 0.0; /* the present S is no longer valid */
    return swept;
}

/* epsilon = 0: returns the subsystems to the smallest residual. */
static int go_to_best(ms_cosim *cosim, interface_data *data)
{
    const size_t bytes = sizeof(double) * (size_t)cosim->system->nu;
    if (memcmp(data->z, data->convergence.best, bytes) == 0)
        return MS_OK;
    memcpy(data->z, data->convergence.best, bytes);
    return sweep(cosim, data);
}

static int solve(ms_cosim *cosim, interface_data *data)
{
    ms_convergence *c = &data->convergence;
    int status = MS_OK, iterations = 0;
    while (status == MS_OK && !ms_convergence_reached(c, data->z, data->r)) {
        const bool finite = isfinite(ms_convergence_largest(c->n, data->r));
        if (iterations++ == cosim->variant.iteration.max_iterations || !finite)
            status = MS_NOT_CONVERGED;
        else
            status = iterate(cosim, data);
    }
    if (c->epsilon == 0.0 && status == MS_NOT_CONVERGED && ms_convergence_at_round_off(c))
        status = MS_OK;
    return status == MS_OK && c->epsilon == 0.0 ? go_to_best(cosim, data) : status;
}

/* u1 = L y: the remaining residual is not extrapolated again. */
static void take_outputs(const ms_cosim *cosim, interface_data *data)
{
    for (int l = 0; l < cosim->system->nu; l++)
        data->z[l] -= data->r[l];
}

/* The line of a macro-step that has no solution here. */
static int failed(ms_cosim *cosim, const interface_data *data, int status)
{
    const char *name = cosim->scheme->name;
    if (status == MS_NO_SOLUTION)
        return ms_fail(&cosim->error, data->once ? MS_NO_SOLUTION : MS_NOT_CONVERGED,
                       "%s: I - L S is singular on the macro-step of %.3g s at %.6g s", name, data->h,
                       data->t);
    if (status == MS_NOT_CONVERGED)
        return ms_fail(&cosim->error, status,
                       "%s did not converge on the macro-step of %.3g s at %.6g s in `max-iterations` %d",
                       name, data->h, data->t, cosim->variant.iteration.max_iterations);
    return status;
}

static int begin(ms_cosim *cosim, interface_data *data, double t, double h)
{
    const bool tightest = data->convergence.epsilon == 0.0;
    ms_cosim_save(cosim, data->before);
    ms_interface_recall(cosim, data);
    data->t = t;
    data->h = h;
    ms_interface_weigh(data, h);
    ms_interface_predict(cosim, data, ms_interface_predicted_degree(data), data->z);
    double scale = tightest ? ms_convergence_largest(cosim->lin_size, cosim->lin) : 0.0;
    const int status = sweep(cosim, data);
    for (int l = 0; l < cosim->system->nu && tightest; l++)
        scale = fmax(scale, fabs(data->z[l] - data->r[l]));
    ms_convergence_begin(&data->convergence, scale);
    return status;
}

static int interface_step(ms_cosim *cosim, double t, double h)
{
    interface_data *data = cosim->scheme_data;
    int status = begin(cosim, data, t, h);
    if (status == MS_OK && cosim->system->nu > 0)
        status = data->once ? iterate(cosim, data) : solve(cosim, data);
    if (status != MS_OK) {
        ms_cosim_restore(cosim, data->before);
        return failed(cosim, data, status);
    }
    if (!data->once)
        take_outputs(cosim, data);
    if (data->controlled)
        ms_interface_compare(cosim, data, data->z);
    ms_interface_remember(cosim, data, data->z);
    ms_interface_keep(cosim, data);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    return MS_OK;
}

#define INTERFACE_OPTIONS MS_OPTION_INPUT_DEGREE, MS_OPTION_SENSITIVITIES, MS_OPTION_UPDATE

/* What both schemes have. */
#define INTERFACE_JACOBIAN                                                                                   \
    .form = MS_FORM_CONVERGED, .through_past = true, .rolls_back = true, .memory = ms_interface_memory,      \
    .room = ms_interface_room, .create = ms_interface_create, .data = sizeof(interface_data),                \
    .start = ms_interface_start, .step = interface_step, .order = ms_interface_claimed_order,                \
    .claims = ms_interface_claims

const ms_scheme ms_scheme_ijcsa = {
    .name = "ijcsa",
    .summary = "Newton's method on the inputs at the end, with the sensitivities of the macro-step",
    .source = "Sicklinger et al. 2014",
    .retries = true,
    .knows = (const ms_option_id[]){INTERFACE_OPTIONS, MS_OPTION_EPSILON, MS_OPTION_MAX_ITERATIONS,
                                    MS_OPTION_STEP_RULE, MS_OPTION_MIN_STEP, MS_OPTIONS},
    INTERFACE_JACOBIAN};

const ms_scheme ms_scheme_semi_implicit = {
    .name = "semi-implicit",
    .summary = "predictor, and one Newton step with the sensitivities of the macro-step",
    .source = "after Schweizer, Lu 2014; Schweizer, Li, Lu 2015",
    .predicts = true,
    .knows = (const ms_option_id[]){INTERFACE_OPTIONS, MS_OPTION_ERROR_CONTROLLED, MS_OPTION_ORDER_CONTROL,
                                    MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTION_MIN_STEP, MS_OPTION_MAX_STEP,
                                    MS_OPTIONS},
    INTERFACE_JACOBIAN};
