#include "monolithic.h"

#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "loop.h"

/* Up to here a linear system becomes one matrix, solved by exponentials of nx^3 operations. Larger ones are
 * evaluated subsystem by subsystem, as nonlinear ones are, which costs what their wires cost. */
enum { DENSE_STATES_MAX = 256 };

/* What the one subsystem works with. */
typedef struct monolithic {
    const ms_system *system;
    bool dense; /* one matrix */
    ms_instance **instance; /* (n) with states and discrete variables in x, z */
    ms_loop *loop;
    ms_blocks *blocks; /* (n): A, B, C of the subsystems at the last point; the system's where linear */
    double *x, *z;     /* (nx), (nz) */
    double *y, *u;     /* (ny), (nu): the last solution of the loop, the guess for the next one */
    double *v, *dv;    /* (nx + ny), (nu): a column on its way through the coupling */
    double *A, *E;     /* (nx x nx), (nx x nw) of a linear system */
    double *memory, *solver_memory;
} monolithic;

/* Keeps the subsystem's data const and what it refers to not. */
typedef struct handle {
    monolithic *m;
} handle;

static monolithic *data_of(const void *data)
{
    const handle *h = data;
    return h->m;
}

/* Coupling ----------------------------------------------------------------------------------------------- */

/* Column j of a block M (rows x columns) into v. */
static void copy_column(const double *M, int rows, int columns, int j, double *v)
{
    for (int i = 0; i < rows; i++)
        v[i] = M[i * columns + j];
}

/* The response of x' to a change that gives subsystem i directly the column dx of x' and dy of y (in m->v):
 * dx + B L (I - D L)^-1 dy, written to column j of M (nx x columns). */
static void respond(monolithic *m, int columns, int j, double *M)
{
    const ms_system *s = m->system;
    const double *dx = m->v;
    double *dy = m->v + s->nx;
    ms_loop_solve(m->loop, dy);
    ms_system_couple(s, dy, m->dv);
    for (int i = 0; i < s->n; i++) {
        const int nu = s->sub[i].nu;
        for (int row = 0; row < s->sub[i].nx; row++) {
            double sum = dx[s->x_at[i] + row];
            for (int k = 0; k < nu; k++)
                sum += m->blocks[i].B[row * nu + k] * m->dv[s->u_at[i] + k];
            M[(s->x_at[i] + row) * columns + j] = sum;
        }
    }
}

/* A + B L (I - D L)^-1 C, with the factors of the loop's last linearisation. */
static void couple_states(monolithic *m, double *A)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        const int nx = s->sub[i].nx, ny = s->sub[i].ny;
        for (int j = 0; j < nx; j++) {
            memset(m->v, 0, sizeof(double) * (size_t)(s->nx + s->ny));
            copy_column(m->blocks[i].A, nx, nx, j, m->v + s->x_at[i]);
            copy_column(m->blocks[i].C, ny, nx, j, m->v + s->nx + s->y_at[i]);
            respond(m, s->nx, s->x_at[i] + j, A);
        }
    }
}

/* E + B L (I - D L)^-1 F. */
static void couple_external(monolithic *m, double *E)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        const int nw = s->sub[i].nw;
        for (int j = 0; j < nw; j++) {
            memset(m->v, 0, sizeof(double) * (size_t)(s->nx + s->ny));
            copy_column(m->blocks[i].E, s->sub[i].nx, nw, j, m->v + s->x_at[i]);
            copy_column(m->blocks[i].F, s->sub[i].ny, nw, j, m->v + s->nx + s->y_at[i]);
            respond(m, s->nw, s->w_at[i] + j, E);
        }
    }
}

/* The subsystem ------------------------------------------------------------------------------------------ */

static void whole_start(const double *p, const void *data, double *x)
{
    (void)p;
    ms_system_start(data_of(data)->system, x);
}

static double whole_energy(const double *x, const double *p, const void *data)
{
    (void)p;
    return ms_system_energy(data_of(data)->system, x);
}

static void whole_external(double t, const double *p, const void *data, double *w)
{
    (void)p;
    const ms_system *s = data_of(data)->system;
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].nw > 0)
            ms_subsystem_external(s, &s->sub[i], t, w + s->w_at[i]);
}

static void whole_matrices(const double *p, const void *data, const ms_blocks *blocks)
{
    (void)p;
    const monolithic *m = data_of(data);
    const size_t nx = (size_t)m->system->nx, nw = (size_t)m->system->nw;
    memcpy(blocks->A, m->A, sizeof(double) * nx * nx);
    memcpy(blocks->E, m->E, sizeof(double) * nx * nw);
}

/* Takes over states and discrete variables and solves y = g(t, x, L y). */
static int solve(monolithic *m, const ms_point *at)
{
    const ms_system *s = m->system;
    if (s->nx > 0)
        memcpy(m->x, at->x, sizeof(double) * (size_t)s->nx);
    if (s->nz > 0)
        memcpy(m->z, at->z, sizeof(double) * (size_t)s->nz);
    return ms_loop_outputs(m->loop, at->t, m->y, m->u) == MS_OK ? 0 : 1;
}

/* The point of subsystem i at the solution. */
static ms_point point_of(const monolithic *m, int i, double t)
{
    const ms_system *s = m->system;
    return (ms_point){.t = t, .x = m->x + s->x_at[i], .u = m->u + s->u_at[i], .z = m->z + s->z_at[i]};
}

static int whole_f(const ms_point *at, double *dx)
{
    monolithic *m = data_of(at->data);
    const ms_system *s = m->system;
    int status = solve(m, at);
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = point_of(m, i, at->t);
        status = ms_subsystem_f(s, i, &point, m->instance[i]->w, dx + s->x_at[i]);
    }
    if (status != 0) /* the next guess must not start from a solution that is none */
        memset(m->y, 0, sizeof(double) * (size_t)s->ny);
    return status;
}

static int whole_jacobian(const ms_point *at, const ms_blocks *blocks)
{
    monolithic *m = data_of(at->data);
    const ms_system *s = m->system;
    int status = solve(m, at);
    if (status == 0 && ms_loop_linearise(m->loop, at->t, m->u) != MS_OK)
        status = 1;
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = point_of(m, i, at->t);
        ms_instance *instance = m->instance[i];
        status = ms_subsystem_jacobian(s, i, &point, instance->w, instance->scratch, &m->blocks[i], NULL);
    }
    if (status == 0 && blocks->A != NULL)
        couple_states(m, blocks->A);
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void destroy(monolithic *m)
{
    if (m == NULL)
        return;
    ms_loop_destroy(&m->loop);
    for (int i = 0; m->instance != NULL && i < m->system->n; i++)
        ms_instance_destroy(&m->instance[i]);
    free(m->instance);
    free(m->blocks);
    free(m->memory);
    free(m->solver_memory);
    free(m);
}

/* Doubles of A, B, C of all nonlinear subsystems. */
static size_t blocks_size(const ms_system *s)
{
    size_t size = 0;
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].matrices == NULL)
            size += (size_t)s->sub[i].nx * (size_t)(s->sub[i].nx + s->sub[i].nu + s->sub[i].ny);
    return size;
}

static int allocate(monolithic *m, const ms_solver *solver)
{
    const ms_system *s = m->system;
    const size_t nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny, nz = (size_t)s->nz;
    const size_t whole = m->dense ? nx * (nx + (size_t)s->nw) : 0;
    m->instance = calloc((size_t)s->n, sizeof(ms_instance *));
    m->blocks = calloc((size_t)s->n, sizeof *m->blocks);
    m->memory = calloc(2 * nx + nz + 2 * ny + 2 * nu + blocks_size(s) + whole + 1, sizeof(double));
    m->solver_memory = calloc((size_t)solver->memory + 1, sizeof(double));
    if (m->instance == NULL || m->blocks == NULL || m->memory == NULL || m->solver_memory == NULL)
        return MS_NO_MEMORY;
    m->x = m->memory;
    m->z = m->x + nx;
    m->y = m->z + nz;
    m->u = m->y + ny;
    m->v = m->u + nu;
    m->dv = m->v + nx + ny;
    m->A = m->dv + nu;
    m->E = m->A + (m->dense ? nx * nx : 0);
    double *next = m->A + whole;
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        if (sub->matrices != NULL) {
            m->blocks[i] = s->blocks[i];
            continue;
        }
        m->blocks[i] = (ms_blocks){.A = next, .B = next + sub->nx * sub->nx};
        m->blocks[i].C = m->blocks[i].B + sub->nx * sub->nu;
        next = m->blocks[i].C + sub->ny * sub->nx;
    }
    return MS_OK;
}

/* The instances serve evaluations only, so any solver does. */
static int create(const ms_system *system, monolithic **out, ms_error *error)
{
    const ms_solver *solver = ms_solver_find("euler");
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 1};
    monolithic *m = calloc(1, sizeof *m);
    *out = m;
    if (m == NULL)
        return MS_NO_MEMORY;
    m->system = system;
    m->dense = system->linear && system->nx <= DENSE_STATES_MAX;
    int status = allocate(m, solver);
    for (int i = 0; i < system->n && status == MS_OK; i++)
        status = ms_instance_create(system, i, solver, &options, m->x + system->x_at[i],
                                    m->z + system->z_at[i], m->solver_memory, &m->instance[i], error);
    if (status == MS_OK)
        status = ms_loop_create(system, m->instance, &m->loop, error);
    if (status == MS_OK && m->dense) {
        couple_states(m, m->A);
        couple_external(m, m->E);
    }
    return status;
}

/* Variables of all subsystems as "SUB.NAME". */
static ms_variable *collect(ms_structure *structure, const ms_system *s, int total, const int *at, char kind)
{
    ms_variable *all = ms_structure_alloc(structure, (size_t)total + 1, sizeof *all);
    for (int i = 0; i < s->n && all != NULL; i++) {
        const ms_subsystem *sub = &s->sub[i];
        const ms_variable *from = kind == 'x' ? sub->x : kind == 'w' ? sub->w : sub->z;
        for (int j = at[i]; j < at[i + 1]; j++) {
            all[j].name = ms_structure_name(structure, "%s.%s", sub->name, from[j - at[i]].name);
            all[j].unit = from[j - at[i]].unit;
            if (all[j].name == NULL)
                return NULL;
        }
    }
    return all;
}

static int describe(const ms_system *s, const handle *data, ms_structure *structure, ms_subsystem *sub)
{
    bool energy = true, constant = true, uses_du = false;
    for (int i = 0; i < s->n; i++) {
        uses_du = uses_du || s->sub[i].uses_du;
        energy = energy && s->sub[i].energy != NULL;
        constant = constant && (s->sub[i].nw == 0 || s->sub[i].external_constant);
    }
    *sub = (ms_subsystem){.name = "monolithic",
                          .nx = s->nx,
                          .nw = s->nw,
                          .nz = s->nz,
                          .x = collect(structure, s, s->nx, s->x_at, 'x'),
                          .w = collect(structure, s, s->nw, s->w_at, 'w'),
                          .z = collect(structure, s, s->nz, s->z_at, 'z'),
                          .start = whole_start,
                          .external = whole_external,
                          .external_constant = constant,
                          .energy = energy ? whole_energy : NULL,
                          .data = data};
    if (data->m->dense) {
        sub->matrices = whole_matrices;
    } else {
        sub->f = whole_f;
        sub->jacobian = uses_du ? NULL : whole_jacobian; /* the way through u' is left to differences */
    }
    return sub->x != NULL && sub->w != NULL && sub->z != NULL ? MS_OK : MS_NO_MEMORY;
}

/* Zeroed offsets but for the last one. */
static int *offsets(ms_structure *structure, int total)
{
    int *at = ms_structure_alloc(structure, 2, sizeof *at);
    if (at != NULL)
        at[1] = total;
    return at;
}

/* The fields of a system of one subsystem without inputs and outputs. */
static int fill(ms_system *whole, const ms_system *s, monolithic *m)
{
    ms_structure *structure = &whole->structure;
    handle *data = ms_structure_alloc(structure, 1, sizeof *data);
    ms_subsystem *sub = ms_structure_alloc(structure, 1, sizeof *sub);
    whole->model = structure->model = s->model;
    whole->p = s->p;
    whole->n = structure->n_subsystems = 1;
    whole->sub = structure->subsystems = sub;
    whole->linear = m->dense;
    whole->nx = s->nx;
    whole->nw = s->nw;
    whole->nz = s->nz;
    whole->stop_time = s->stop_time;
    whole->step_size = s->step_size;
    whole->case_name = s->case_name;
    whole->blocks = ms_structure_alloc(structure, 1, sizeof *whole->blocks);
    whole->x_at = offsets(structure, s->nx);
    whole->u_at = offsets(structure, 0);
    whole->y_at = offsets(structure, 0);
    whole->w_at = offsets(structure, s->nw);
    whole->z_at = offsets(structure, s->nz);
    whole->row_at = ms_structure_alloc(structure, 1, sizeof *whole->row_at);
    whole->wire_output = ms_structure_alloc(structure, 1, sizeof *whole->wire_output);
    whole->wire_gain = ms_structure_alloc(structure, 1, sizeof *whole->wire_gain);
    whole->feed_through = ms_structure_alloc(structure, 1, sizeof *whole->feed_through);
    /* B, C, D, F are empty, but a linear system's blocks are not NULL. */
    double *none = ms_structure_alloc(structure, 1, sizeof *none);
    if (data == NULL || sub == NULL || whole->blocks == NULL || whole->x_at == NULL || whole->u_at == NULL ||
        whole->y_at == NULL || whole->w_at == NULL || whole->z_at == NULL || whole->row_at == NULL ||
        whole->wire_output == NULL || whole->wire_gain == NULL || whole->feed_through == NULL || none == NULL)
        return MS_NO_MEMORY;
    data->m = m;
    if (m->dense)
        whole->blocks[0] = (ms_blocks){.A = m->A, .B = none, .C = none, .D = none, .E = m->E, .F = none};
    return describe(s, data, structure, sub);
}

int ms_monolithic_create(const ms_system *system, ms_system **out, ms_error *error)
{
    *out = NULL;
    monolithic *m = NULL;
    ms_system *whole = calloc(1, sizeof *whole);
    int status = whole != NULL ? create(system, &m, error) : MS_NO_MEMORY;
    if (status == MS_OK)
        status = fill(whole, system, m);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the monolithic model of %d states", system->nx);
    if (status == MS_OK) {
        *out = whole;
    } else {
        destroy(m);
        ms_system_destroy(&whole);
    }
    return status;
}

void ms_monolithic_destroy(ms_system **whole)
{
    if (whole == NULL || *whole == NULL)
        return;
    const handle *data = (*whole)->sub[0].data;
    destroy(data->m);
    ms_system_destroy(whole);
}
