#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loop_engine.h"
#include "matrix.h"

static bool has_feed_through(const ms_system *system, int i)
{
    for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
        if (system->feed_through[j])
            return true;
    return false;
}

/* The subsystem of output j. */
static int owner(const ms_system *system, int j)
{
    int i = 0;
    while (j >= system->y_at[i + 1])
        i++;
    return i;
}

/* May output j of subsystem i depend on inputs, or on their derivatives? */
static bool is_unknown(const ms_system *system, int i, int j)
{
    return system->feed_through[j] || system->sub[i].uses_du;
}

/* The matrix I - D L among the unknowns. L has at most a few wires an input. */
static void assemble(ms_loop *loop)
{
    const ms_system *s = loop->system;
    memset(loop->factors, 0, sizeof(double) * (size_t)loop->n * (size_t)loop->n);
    for (int k = 0; k < loop->n; k++)
        loop->factors[k * loop->n + k] = 1.0;
    for (int i = 0; i < s->n; i++) {
        if (loop->D[i] == NULL)
            continue;
        const int nu = s->sub[i].nu;
        for (int j = 0; j < s->sub[i].ny; j++) {
            const int row = loop->position[s->y_at[i] + j];
            if (row < 0)
                continue;
            for (int l = 0; l < nu; l++) {
                const int input = s->u_at[i] + l;
                for (int w = s->row_at[input]; w < s->row_at[input + 1]; w++) {
                    const int column = loop->position[s->wire_output[w]];
                    if (column >= 0)
                        loop->factors[row * loop->n + column] -= loop->D[i][j * nu + l] * s->wire_gain[w];
                }
            }
        }
    }
}

void ms_loop_feed_through(const ms_loop *loop, double sign, const double *u, double *y)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++) {
        if (loop->D[i] == NULL)
            continue;
        const int nu = s->sub[i].nu;
        for (int j = 0; j < s->sub[i].ny; j++) {
            double sum = 0.0;
            for (int l = 0; l < nu; l++)
                sum += loop->D[i][j * nu + l] * u[s->u_at[i] + l];
            y[s->y_at[i] + j] += sign * sum;
        }
    }
}

void ms_loop_solve(const ms_loop *loop, double *y)
{
    if (loop->n == 0)
        return;
    /* Known outputs reach the unknown ones through D L: with the unknowns set to zero,
     * r = z + D L y_known. */
    for (int j = 0; j < loop->system->ny; j++)
        loop->y[j] = loop->position[j] < 0 ? y[j] : 0.0;
    ms_system_couple(loop->system, loop->y, loop->u);
    for (int k = 0; k < loop->n; k++)
        loop->y[loop->unknown[k]] = y[loop->unknown[k]];
    ms_loop_feed_through(loop, 1.0, loop->u, loop->y);
    for (int k = 0; k < loop->n; k++)
        loop->r[k] = loop->y[loop->unknown[k]];
    ms_matrix_solve(loop->n, loop->factors, loop->pivots, loop->r);
    for (int k = 0; k < loop->n; k++)
        y[loop->unknown[k]] = loop->r[k];
}

/* I - D L at the current states and inputs u, not factored. */
static int feed_through_matrix(ms_loop *loop, double t, const double *u)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++)
        if (loop->D[i] != NULL &&
            ms_instance_feed_through(loop->instance[i], t, u + s->u_at[i], loop->D[i]) != MS_OK)
            return MS_NO_SOLUTION;
    assemble(loop);
    return MS_OK;
}

int ms_loop_linearise(ms_loop *loop, double t, const double *u)
{
    if (loop->constant || loop->n == 0)
        return MS_OK;
    const int status = feed_through_matrix(loop, t, u);
    return status == MS_OK ? ms_matrix_factor(loop->n, loop->factors, loop->pivots) : status;
}

/* y = g(t, x, u, u') of all subsystems. */
static int outputs(ms_loop *loop, double t, const double *u, double *y)
{
    if (loop->slope != NULL && ms_loop_slopes(loop, t, u) != MS_OK)
        return 1;
    for (int i = 0; i < loop->system->n; i++) {
        const double *du = loop->slope != NULL ? loop->slope + loop->system->u_at[i] : NULL;
        if (ms_instance_outputs(loop->instance[i], t, u + loop->system->u_at[i], du,
                                y + loop->system->y_at[i]) != 0)
            return 1;
    }
    return 0;
}

/* The matrix of Newton's method by central differences: the way through u' has no partial derivatives of
 * its own. */
static int difference_matrix(ms_loop *loop, double t, const double *y)
{
    const ms_system *s = loop->system;
    const double cube_root = 6.0554544523933429e-06; /* of the round-off unit 2^-52 */
    memcpy(loop->near, y, sizeof(double) * (size_t)s->ny);
    for (int l = 0; l < loop->n; l++) {
        double *v = &loop->near[loop->unknown[l]];
        const double value = *v, step = cube_root * fmax(1.0, fabs(value));
        for (int side = 0; side < 2; side++) {
            *v = side == 0 ? value + step : value - step;
            ms_system_couple(s, loop->near, loop->u_near);
            if (outputs(loop, t, loop->u_near, loop->pair + side * s->ny) != 0)
                return MS_NO_SOLUTION;
        }
        const double width = (value + step) - (value - step);
        *v = value;
        for (int k = 0; k < loop->n; k++) {
            const int j = loop->unknown[k];
            loop->factors[k * loop->n + l] = (k == l) - (loop->pair[j] - loop->pair[s->ny + j]) / width;
        }
    }
    return MS_OK;
}

/* I - dg(x, L y)/dy among the unknowns at y, u = L y, not factored. */
static int newton_matrix(ms_loop *loop, double t, const double *y, const double *u)
{
    return loop->slope != NULL ? difference_matrix(loop, t, y) : feed_through_matrix(loop, t, u);
}

/* KINSOL's residual y - g(x, L y) for the unknown outputs; the known ones stand in loop->y. */
static int residual(N_Vector unknowns, N_Vector value, void *user)
{
    ms_loop *loop = user;
    const double *v = N_VGetArrayPointer(unknowns);
    double *r = N_VGetArrayPointer(value);
    for (int k = 0; k < loop->n; k++)
        loop->y[loop->unknown[k]] = v[k];
    ms_system_couple(loop->system, loop->y, loop->u);
    if (outputs(loop, loop->t, loop->u, loop->y) != 0)
        return 1;
    for (int k = 0; k < loop->n; k++)
        r[k] = v[k] - loop->y[loop->unknown[k]];
    return 0;
}

static int jacobian(N_Vector unknowns, N_Vector value, SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2)
{
    (void)value, (void)w1, (void)w2;
    ms_loop *loop = user;
    const double *v = N_VGetArrayPointer(unknowns);
    for (int k = 0; k < loop->n; k++)
        loop->y[loop->unknown[k]] = v[k];
    ms_system_couple(loop->system, loop->y, loop->u);
    if (newton_matrix(loop, loop->t, loop->y, loop->u) != MS_OK)
        return 1;
    for (int i = 0; i < loop->n; i++)
        for (int j = 0; j < loop->n; j++)
            SM_ELEMENT_D(matrix, i, j) = loop->factors[i * loop->n + j];
    return 0;
}

/* Newton steps on top of KINSOL's solution until the residual stops falling, so that two ways to the same
 * solution agree to round-off and not to a tolerance. loop->y, loop->u: the solution so far. */
static int polish(ms_loop *loop, double *y)
{
    double best = INFINITY, norm = INFINITY, size = 0.0;
    for (int pass = 0; pass < 8; pass++) {
        ms_system_couple(loop->system, y, loop->du);
        if (outputs(loop, loop->t, loop->du, loop->y) != 0)
            return MS_NO_SOLUTION;
        norm = size = 0.0;
        for (int k = 0; k < loop->n; k++) {
            const int j = loop->unknown[k];
            loop->r[k] = loop->y[j] - y[j];
            norm = fmax(norm, fabs(loop->r[k]));
            size = fmax(size, fabs(y[j]));
        }
        if (!(norm < best) || norm <= 1e-16 * size)
            break;
        best = norm;
        if (newton_matrix(loop, loop->t, y, loop->du) != MS_OK ||
            ms_matrix_factor(loop->n, loop->factors, loop->pivots) != MS_OK)
            return MS_NO_SOLUTION;
        ms_matrix_solve(loop->n, loop->factors, loop->pivots, loop->r);
        for (int k = 0; k < loop->n; k++)
            y[loop->unknown[k]] += loop->r[k];
    }
    return norm <= 1e-8 * (1.0 + size) ? MS_OK : MS_NO_SOLUTION;
}

static int solve_nonlinear(ms_loop *loop, double t, double *y)
{
    double *v = N_VGetArrayPointer(loop->guess);
    loop->t = t;
    memcpy(loop->y, y, sizeof(double) * (size_t)loop->system->ny);
    for (int k = 0; k < loop->n; k++)
        v[k] = y[loop->unknown[k]];
    const int flag = KINSol(loop->kinsol, loop->guess, KIN_LINESEARCH, loop->scale, loop->scale);
    if (flag < 0 && flag != KIN_LINESEARCH_NONCONV)
        return MS_NO_SOLUTION;
    for (int k = 0; k < loop->n; k++)
        y[loop->unknown[k]] = v[k];
    return polish(loop, y);
}

int ms_loop_outputs(ms_loop *loop, double t, double *y, double *u)
{
    const ms_system *s = loop->system;
    int status = MS_OK;
    if (loop->constant) { /* z = g(x, 0), then (I - D L) y = z */
        memset(loop->du, 0, sizeof(double) * (size_t)s->nu);
        if (outputs(loop, t, loop->du, y) != 0)
            return MS_NO_SOLUTION;
        ms_loop_solve(loop, y);
    } else {
        /* Outputs without feed-through do not depend on the guess for u. */
        ms_system_couple(s, y, u);
        if (outputs(loop, t, u, loop->y) != 0)
            return MS_NO_SOLUTION;
        for (int j = 0; j < s->ny; j++)
            if (loop->position[j] < 0)
                y[j] = loop->y[j];
        if (loop->n > 0)
            status = solve_nonlinear(loop, t, y);
    }
    ms_system_couple(s, y, u);
    return status;
}

static void silent(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code, (void)module, (void)function, (void)message, (void)data;
}

static int create_kinsol(ms_loop *loop)
{
    if (SUNContext_Create(NULL, &loop->context) != 0)
        return MS_NO_MEMORY;
    loop->guess = N_VNew_Serial(loop->n, loop->context);
    loop->scale = N_VNew_Serial(loop->n, loop->context);
    loop->matrix = SUNDenseMatrix(loop->n, loop->n, loop->context);
    loop->kinsol = KINCreate(loop->context);
    if (loop->guess == NULL || loop->scale == NULL || loop->matrix == NULL || loop->kinsol == NULL)
        return MS_NO_MEMORY;
    N_VConst(1.0, loop->scale);
    loop->linear_solver = SUNLinSol_Dense(loop->guess, loop->matrix, loop->context);
    if (loop->linear_solver == NULL)
        return MS_NO_MEMORY;
    int flag = KINSetErrHandlerFn(loop->kinsol, silent, NULL);
    flag |= KINInit(loop->kinsol, residual, loop->guess);
    flag |= KINSetUserData(loop->kinsol, loop);
    flag |= KINSetLinearSolver(loop->kinsol, loop->linear_solver, loop->matrix);
    flag |= KINSetJacFn(loop->kinsol, jacobian);
    flag |= KINSetFuncNormTol(loop->kinsol, 1e-11);
    flag |= KINSetScaledStepTol(loop->kinsol, 1e-13);
    flag |=
        KINSetMaxNewtonStep(loop->kinsol, 1e100); /* its default grows with the guess, which may be zero */
    flag |= KINSetMaxSetupCalls(loop->kinsol, 1); /* a new Jacobian at every iteration */
    return flag == KIN_SUCCESS ? MS_OK : MS_NO_MEMORY;
}

/* u' is known where the outputs that feed it depend on states and time alone, and on no u' themselves. */
static int check_slopes(const ms_system *s, int i, ms_error *error)
{
    for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
        const int j = s->wire_output[w], from = owner(s, j);
        if (is_unknown(s, from, j))
            return ms_fail(
                error, MS_UNSUPPORTED,
                "outputs of %s depend on time derivatives of its inputs, and %s, which feeds them, has "
                "feed-through: that would be differential-algebraic",
                s->sub[i].name, s->sub[from].name);
    }
    return MS_OK;
}

/* Memory for u', where a subsystem uses it. */
static int create_slopes(ms_loop *loop, ms_error *error)
{
    const ms_system *s = loop->system;
    const size_t ny = (size_t)s->ny, nu = (size_t)s->nu;
    bool used = false;
    int status = MS_OK;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (s->sub[i].uses_du) {
            used = true;
            status = check_slopes(s, i, error);
        }
    if (status != MS_OK || !used)
        return status;
    loop->slope = calloc(2 * nu + 4 * ny + 1, sizeof(double));
    loop->feeds = calloc((size_t)s->n, sizeof *loop->feeds);
    if (loop->slope == NULL || loop->feeds == NULL)
        return MS_NO_MEMORY;
    loop->y_slope = loop->slope + nu;
    loop->near = loop->y_slope + ny;
    loop->u_near = loop->near + ny;
    loop->pair = loop->u_near + nu;
    for (int i = 0; i < s->n; i++)
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]] && s->sub[i].uses_du; w++)
            loop->feeds[owner(s, s->wire_output[w])] = true;
    return MS_OK;
}

int ms_loop_create(const ms_system *system, ms_instance *const *instance, ms_loop **out, ms_error *error)
{
    ms_loop *loop = calloc(1, sizeof *loop);
    *out = loop;
    if (loop == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the algebraic loop");
    loop->system = system;
    loop->instance = instance;
    loop->constant = system->linear;

    const size_t ny = (size_t)system->ny, nu = (size_t)system->nu;
    size_t size = 0;
    for (int i = 0; i < system->n; i++)
        if (has_feed_through(system, i))
            size += (size_t)(system->sub[i].ny * system->sub[i].nu);
    for (int i = 0; i < system->n; i++)
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
            loop->n += is_unknown(system, i, j);
    const size_t n = (size_t)loop->n;

    loop->unknown = calloc(n + ny + n + 1, sizeof *loop->unknown);
    loop->D = calloc((size_t)system->n, sizeof *loop->D);
    loop->D_memory = calloc(size + n * n + ny + 2 * nu + n + 1, sizeof *loop->D_memory);
    int status = MS_NO_MEMORY;
    if (loop->unknown == NULL || loop->D == NULL || loop->D_memory == NULL)
        goto failed;
    loop->position = loop->unknown + n;
    loop->pivots = loop->position + ny;
    loop->factors = loop->D_memory + size;
    loop->y = loop->factors + n * n;
    loop->u = loop->y + ny;
    loop->du = loop->u + nu;
    loop->r = loop->du + nu;
    for (int i = 0, k = 0; i < system->n; i++)
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++) {
            loop->position[j] = is_unknown(system, i, j) ? k : -1;
            if (loop->position[j] >= 0)
                loop->unknown[k++] = j;
        }
    double *D = loop->D_memory;
    for (int i = 0; i < system->n; i++)
        if (has_feed_through(system, i)) {
            loop->D[i] = D;
            D += system->sub[i].ny * system->sub[i].nu;
            if (loop->constant)
                memcpy(loop->D[i], system->blocks[i].D,
                       sizeof(double) * (size_t)(system->sub[i].ny * system->sub[i].nu));
        }
    if (loop->constant) {
        assemble(loop);
        status = ms_matrix_factor(loop->n, loop->factors, loop->pivots);
        if (status != MS_OK)
            ms_fail(error, MS_INVALID,
                    "det(I - D L) = 0: the algebraic loop of %s has no unique solution; change the "
                    "feed-through or the "
                    "wires so that I - D L is regular",
                    system->model->name);
    } else {
        status = create_slopes(loop, error);
        if (status == MS_OK && loop->n > 0)
            status = create_kinsol(loop);
    }
failed:
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the algebraic loop of %d outputs", loop->n);
    if (status != MS_OK)
        ms_loop_destroy(out);
    return status;
}

void ms_loop_destroy(ms_loop **out)
{
    ms_loop *loop = *out;
    if (loop == NULL)
        return;
    if (loop->kinsol != NULL)
        KINFree(&loop->kinsol);
    if (loop->linear_solver != NULL)
        SUNLinSolFree(loop->linear_solver);
    if (loop->matrix != NULL)
        SUNMatDestroy(loop->matrix);
    if (loop->guess != NULL)
        N_VDestroy(loop->guess);
    if (loop->scale != NULL)
        N_VDestroy(loop->scale);
    if (loop->context != NULL)
        SUNContext_Free(&loop->context);
    free(loop->slope);
    free(loop->feeds);
    free(loop->D_memory);
    free(loop->D);
    free(loop->unknown);
    free(loop);
    *out = NULL;
}
