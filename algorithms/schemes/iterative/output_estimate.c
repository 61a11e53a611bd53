/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ifosmondi_data.h"

#include <math.h>
#include <string.h>

#include "exponential.h"
#include "matrix.h"
#include "polynomial.h"

/* Forces are interpolated at this many equidistant times of a macro-step; equations are dense, two for an input: 800 MB. */
enum { NODES = 6, INPUTS_MAX = 5000 };

/* The estimate of one subsystem. Exponential integrals are those of [B I]. */
typedef struct local_estimate {
    double *A, *B, *C, *D; /* (nx x nx), (nx x nu), (ny x nx), (ny x nu) */
    double *W;             /* phi_k(A h) [B I], k = 1 .. powers + 1, (nx x (nu + nx)) each */
    double *g, *dg;        /* g at T_n + h and dg/dt there, for x_n and u_n (ny) */
    double *f;             /* f at T_n + h for x_n and u_n (nx) */
    double *free;          /* int_0^h e^{A (h - s)} f(T_n + s, x_n, u_n) ds (nx) */
    bool forced;           /* external inputs vary: f and g depend on time */
    int powers;            /* powers of time: those of inputs, and NODES - 1 of forces */
    double h;              /* of W; NAN: none */
} local_estimate;

struct ms_output_estimate {
    int degree;
    bool equations;
    double t, h;
    const double *u; /* u_n (nu) */
    local_estimate *local;
    double *work, *memory; /* work: of exponentials */
    double *dx, *du, *dv;  /* (nx, nu, nu of the largest subsystem) */
    double *y, *dy;        /* responses to one input (ny) */
    double *M;             /* factors (2 nu x 2 nu) */
    int *pivots;
};

/* Creation ---------------------------------------------------------------------------------------------- */

static const char *misfit(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    if (!instance->can.directional_derivatives)
        return "gives no directional derivatives";
    if (sub->residual != NULL)
        return "is differential-algebraic";
    if (sub->uses_du)
        return "reads derivatives of its inputs";
    return NULL;
}

static bool is_forced(const ms_subsystem *sub)
{
    return sub->nw > 0 && !sub->external_constant;
}

static int powers_of(const ms_subsystem *sub, int degree)
{
    return is_forced(sub) && degree < NODES - 1 ? NODES - 1 : degree;
}

static size_t local_size(const ms_subsystem *sub, int degree)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    return nx * nx + nx * nu + ny * (nx + nu) + (size_t)(powers_of(sub, degree) + 1) * nx * (nu + nx) +
           2 * nx + 2 * ny;
}

/* [B I], e^{A h}, and the memory of exponentials. */
static size_t work_size(const ms_subsystem *sub)
{
    const size_t nx = (size_t)sub->nx, columns = nx + (size_t)sub->nu;
    return nx * columns + nx * nx + ms_exponential_size(sub->nx, (int)columns);
}

static void place(const ms_subsystem *sub, int degree, double *at, local_estimate *local)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    local->A = at;
    local->B = local->A + nx * nx;
    local->C = local->B + nx * nu;
    local->D = local->C + ny * nx;
    local->W = local->D + ny * nu;
    local->forced = is_forced(sub);
    local->powers = powers_of(sub, degree);
    local->f = local->W + (size_t)(local->powers + 1) * nx * (nu + nx);
    local->free = local->f + nx;
    local->g = local->free + nx;
    local->dg = local->g + ny;
    local->h = NAN;
}

static int allocate(ms_cosim *cosim, ms_output_estimate *e)
{
    const ms_system *s = cosim->system;
    size_t work = 0, locals = 0;
    const size_t nu = (size_t)s->nu;
    for (int i = 0; i < s->n; i++) {
        locals += local_size(&s->sub[i], e->degree);
        work = work_size(&s->sub[i]) > work ? work_size(&s->sub[i]) : work;
    }
    const size_t equations = e->equations ? 4 * nu * nu : 0;
    const size_t vectors = (size_t)(s->nx + 2 * s->nu + 2 * s->ny);
    e->local = ms_cosim_alloc(cosim, (size_t)s->n, sizeof *e->local);
    e->work = ms_cosim_alloc(cosim, work + locals + vectors + equations, sizeof(double));
    e->pivots = ms_cosim_alloc(cosim, 2 * nu, sizeof *e->pivots);
    MS_TRY_MEMORY(e->local != NULL && e->work != NULL && e->pivots != NULL);
    double *at = e->work + work;
    for (int i = 0; i < s->n; at += local_size(&s->sub[i], e->degree), i++)
        place(&s->sub[i], e->degree, at, &e->local[i]);
    e->dx = at;
    e->du = e->dx + s->nx;
    e->dv = e->du + s->nu;
    e->y = e->dv + s->nu;
    e->dy = e->y + s->ny;
    e->M = e->dy + s->ny;
    return MS_OK;
}

int ms_output_estimate_create(ms_cosim *cosim, int degree, bool equations, ms_output_estimate **out,
                              ms_error *error)
{
    *out = NULL;
    if (equations && cosim->system->nu > INPUTS_MAX)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "model %s has %d inputs, and `scheme` %s solves dense equations for at most %d of them",
            cosim->system->model->name, cosim->system->nu, cosim->scheme->name, (int)INPUTS_MAX);
    for (int i = 0; i < cosim->system->n; i++) {
        const char *why = misfit(cosim->instance[i]);
        if (why != NULL)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s %s, so that its macro-steps cannot be estimated; use a scheme that "
                           "rolls back, f3ornits or an explicit scheme",
                           cosim->system->sub[i].name, why);
    }
    ms_output_estimate *e = *out = ms_cosim_alloc(cosim, 1, sizeof *e);
    MS_TRY_MEMORY(e);
    e->degree = degree;
    e->equations = equations;
    return allocate(cosim, e);
}

/* Linearisation ----------------------------------------------------------------------------------------- */

/* phi_k(A h) [B I]. */
static int integrate(const ms_output_estimate *e, const ms_subsystem *sub, local_estimate *local)
{
    const int nx = sub->nx, nu = sub->nu, columns = nu + nx;
    double *BI = e->work, *E = BI + nx * columns;
    ms_exponential exponential;
    if (nx == 0)
        return MS_OK;
    memset(BI, 0, sizeof(double) * (size_t)(nx * columns));
    for (int j = 0; j < nx; j++) {
        memcpy(BI + j * columns, local->B + j * nu, sizeof(double) * (size_t)nu);
        BI[j * columns + nu + j] = 1.0;
    }
    ms_exponential_prepare(&exponential, nx, columns, local->A, BI, E + nx * nx);
    return ms_exponential_evaluate(&exponential, e->h, local->powers + 1, E, local->W);
}

/* free += int_0^h e^{A (h - s)} (s/h)^k f ds for one power k. */
static void add_force(const ms_output_estimate *e, const ms_subsystem *sub, local_estimate *local, int k,
                      const double *f)
{
    const int nx = sub->nx, columns = nx + sub->nu;
    double factor = e->h; /* k! h */
    for (int j = 2; j <= k; j++)
        factor *= j;
    for (int j = 0; j < nx; j++)
        local->free[j] += factor * ms_dot(nx, local->W + (k * nx + j) * columns + sub->nu, f);
}

/* The free response, f at nodes from the first to the last time: constant, or interpolated by powers of s/h. */
static int respond_to_forces(ms_cosim *cosim, ms_output_estimate *e, int i, ms_point *at)
{
    const ms_subsystem *sub = &cosim->system->sub[i];
    local_estimate *local = &e->local[i];
    double node[NODES], c[NODES], *part = cosim->instance[i]->dx;
    const int last = local->forced ? NODES - 1 : 0;
    memset(local->free, 0, sizeof(double) * (size_t)sub->nx);
    for (int k = 0; k < NODES; k++)
        node[k] = k / (double)(NODES - 1);
    for (int k = 0; k <= last; k++) {
        at->t = k < last ? e->t + node[k] * e->h : e->t + (last > 0 ? e->h : 0.0);
        if (ms_subsystem_f(cosim->system, i, at, cosim->instance[i]->w, local->f) != 0)
            return MS_SOLVER_FAILED;
        ms_polynomial_lagrange(last + 1, node, k, c);
        for (int power = 0; power <= last; power++) {
            for (int j = 0; j < sub->nx; j++)
                part[j] = c[power] * local->f[j];
            add_force(e, sub, local, power, part);
        }
    }
    return MS_OK;
}

/* g and dg/dt at the end, which is not T_n where forces vary; dg/dt by a central difference as an instance takes it. */
static int read_outputs(ms_cosim *cosim, ms_output_estimate *e, int i, ms_point *at)
{
    const ms_subsystem *sub = &cosim->system->sub[i];
    local_estimate *local = &e->local[i];
    const double end = local->forced ? e->t + e->h : e->t, step = ms_central_time_step(cosim->system, end);
    double *w = cosim->instance[i]->w;
    int status = 0;
    memset(local->dg, 0, sizeof(double) * (size_t)sub->ny);
    for (int side = 1; side >= -1 && local->forced && status == 0; side -= 2) {
        at->t = end + side * step;
        status = ms_subsystem_g(cosim->system, i, at, w, local->g);
        for (int j = 0; j < sub->ny && status == 0; j++)
            local->dg[j] += side * local->g[j] / (2.0 * step);
    }
    at->t = end;
    return status == 0 ? ms_subsystem_g(cosim->system, i, at, w, local->g) : status;
}

/* A, B, C, D of subsystem i, and derived matrices. Those of linear subsystems are computed once. */
static int linearise(ms_cosim *cosim, ms_output_estimate *e, int i)
{
    const ms_system *s = cosim->system;
    const ms_subsystem *sub = &s->sub[i];
    ms_instance *instance = cosim->instance[i];
    local_estimate *local = &e->local[i];
    ms_point at = {.t = e->t, .x = instance->x, .u = e->u + s->u_at[i], .z = instance->z};
    int status = 0;
    if (sub->matrices == NULL || local->h != e->h) {
        ms_blocks m = {.A = local->A, .B = local->B, .C = local->C, .D = local->D};
        status = ms_subsystem_jacobian(s, i, &at, instance->w, instance->scratch, &m,
                                       &instance->work.rhs_evaluations);
        instance->work.jacobian_evaluations++;
        cosim->sensitivities += sub->nu;
        local->h = e->h;
        if (status == 0)
            status = integrate(e, sub, local);
    }
    if (status == 0)
        status = respond_to_forces(cosim, e, i, &at);
    if (status == 0)
        status = read_outputs(cosim, e, i, &at);
    return status == 0
               ? MS_OK
               : ms_fail(&cosim->error, MS_SOLVER_FAILED,
                         "the derivatives of subsystem %s are not defined at %.6g s", sub->name, e->t);
}

int ms_output_estimate_begin(ms_cosim *cosim, ms_output_estimate *e, double t, double h, const double *u)
{
    e->t = t;
    e->h = h;
    e->u = u;
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(linearise(cosim, e, i));
    return MS_OK;
}

/* Outputs ----------------------------------------------------------------------------------------------- */

/* dx += int_0^h e^{A (h - s)} B s^k c_k ds for one power k, c_k (nu). */
static void add_power(const ms_output_estimate *e, const ms_subsystem *sub, const local_estimate *local,
                      int k, const double *c, double *dx)
{
    const int nx = sub->nx, columns = nx + sub->nu;
    double factor = e->h; /* k! h^(k+1) */
    for (int j = 1; j <= k; j++)
        factor *= j * e->h;
    for (int j = 0; j < nx; j++)
        dx[j] += factor * ms_dot(sub->nu, local->W + (k * nx + j) * columns, c);
}

/* y += C dx + D du, dy += C (A dx + B du) + D dv. */
static void add_outputs(const ms_subsystem *sub, const local_estimate *local, const double *dx,
                        const double *du, const double *dv, double *rate, double *y, double *dy)
{
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny;
    ms_matrix_add(ny, nx, local->C, dx, y);
    ms_matrix_add(ny, nu, local->D, du, y);
    if (dy == NULL)
        return;
    ms_matrix_multiply(nx, nx, local->A, dx, rate);
    ms_matrix_add(nx, nu, local->B, du, rate);
    ms_matrix_add(ny, nx, local->C, rate, dy);
    ms_matrix_add(ny, nu, local->D, dv, dy);
}

void ms_output_estimate_outputs(ms_cosim *cosim, const ms_output_estimate *e, double *dy)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        const local_estimate *local = &e->local[i];
        const ms_input *input = &cosim->instance[i]->input;
        const double *u = e->u + s->u_at[i];
        double *slopes = dy != NULL ? dy + s->y_at[i] : NULL, *y = cosim->y_raw + s->y_at[i];
        for (int l = 0; l < sub->nu; l++)
            e->du[l] = ms_input_coefficients(input, 0, 0)[l] - u[l];
        memcpy(e->dx, local->free, sizeof(double) * (size_t)sub->nx);
        add_power(e, sub, local, 0, e->du, e->dx);
        for (int k = 1; k <= input->degree; k++)
            add_power(e, sub, local, k, ms_input_coefficients(input, 0, k), e->dx);
        ms_input_left(input, e->du);
        for (int l = 0; l < sub->nu; l++)
            e->du[l] -= u[l];
        ms_input_left_derivative(input, 1, e->dv);
        memcpy(y, local->g, sizeof(double) * (size_t)sub->ny);
        if (slopes != NULL) {
            memcpy(slopes, local->dg, sizeof(double) * (size_t)sub->ny);
            ms_matrix_add(sub->ny, sub->nx, local->C, local->f, slopes);
        }
        add_outputs(sub, local, e->dx, e->du, e->dv, cosim->instance[i]->dx, y, slopes);
    }
}

/* Equations --------------------------------------------------------------------------------------------- */

/* Responses e->y, e->dy of subsystem i to its input l only, with value u or slope v = 1 at the end. */
static void respond(const ms_cosim *cosim, ms_output_estimate *e, int i, int l, bool slope, bool first)
{
    const ms_subsystem *sub = &cosim->system->sub[i];
    double c[HERMITE_DEGREE + 1];
    if (first)
        ms_hermite_parabola(0.0, slope ? 0.0 : 1.0, slope ? 1.0 : 0.0, e->h, c);
    else
        ms_hermite_cubic(0.0, 0.0, slope ? 0.0 : 1.0, slope ? 1.0 : 0.0, e->h, c);
    memset(e->dx, 0, sizeof(double) * (size_t)sub->nx);
    memset(e->y, 0, sizeof(double) * (size_t)sub->ny);
    memset(e->dy, 0, sizeof(double) * (size_t)sub->ny);
    for (int k = 1; k <= HERMITE_DEGREE; k++) {
        memset(e->du, 0, sizeof(double) * (size_t)sub->nu);
        e->du[l] = c[k];
        add_power(e, sub, &e->local[i], k, e->du, e->dx);
    }
    memset(e->du, 0, sizeof(double) * (size_t)sub->nu);
    memset(e->dv, 0, sizeof(double) * (size_t)sub->nu);
    e->du[l] = slope ? 0.0 : 1.0;
    e->dv[l] = slope ? 1.0 : 0.0;
    add_outputs(sub, &e->local[i], e->dx, e->du, e->dv, cosim->instance[i]->dx, e->y, e->dy);
}

/* -L times the responses of subsystem i into a column of M. */
static void subtract(const ms_cosim *cosim, ms_output_estimate *e, int i, int column)
{
    const ms_system *s = cosim->system;
    const size_t n = 2 * (size_t)s->nu;
    for (int l = 0; l < s->nu; l++)
        for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
            const int j = s->wire_output[w] - s->y_at[i];
            if (j < 0 || j >= s->sub[i].ny)
                continue;
            e->M[(size_t)l * n + (size_t)column] -= s->wire_gain[w] * e->y[j];
            e->M[(size_t)(s->nu + l) * n + (size_t)column] -= s->wire_gain[w] * e->dy[j];
        }
}

int ms_output_estimate_factor(const ms_cosim *cosim, ms_output_estimate *e, bool first)
{
    const ms_system *s = cosim->system;
    const int n = 2 * s->nu;
    memset(e->M, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int k = 0; k < n; k++)
        e->M[(size_t)k * (size_t)n + (size_t)k] = 1.0;
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < s->sub[i].nu; l++)
            for (int slope = 0; slope < 2; slope++) {
                respond(cosim, e, i, l, slope != 0, first);
                subtract(cosim, e, i, slope * s->nu + s->u_at[i] + l);
            }
    return ms_matrix_factor(n, e->M, e->pivots);
}

void ms_output_estimate_solve(const ms_cosim *cosim, const ms_output_estimate *e, double *r)
{
    ms_matrix_solve(2 * cosim->system->nu, e->M, e->pivots, r);
}
