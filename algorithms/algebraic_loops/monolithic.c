/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monolithic.h"

#include <stdlib.h>

#include "coupled_outputs.h"
#include "monolithic_parts.h"

/* Up to here a linear system becomes one matrix, solved by exponentials of nx^3 operations. Larger ones are
 * evaluated subsystem by subsystem, as nonlinear ones are, which costs what their wires cost. */
enum { DENSE_STATES_MAX = 256 };

/* Creation ----------------------------------------------------------------------------------------------- */

static void release(ms_monolith *m)
{
    ms_loop_destroy(&m->loop);
    ms_evaluations_destroy(m->system, m->instance);
    MS_FREE(m->blocks, m->memory);
    m->instance = NULL;
    m->blocks = NULL;
    m->memory = NULL;
}

static void destroy(ms_monolith *m)
{
    if (m == NULL)
        return;
    release(m);
    free(m->solver_memory);
    ms_monolithic_events_destroy(m);
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

static int allocate(ms_monolith *m)
{
    const ms_system *s = m->system;
    const size_t nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny, nz = (size_t)s->nz;
    const size_t whole = m->dense ? nx * (nx + (size_t)s->nw) : 0;
    m->instance = calloc((size_t)s->n, sizeof(ms_instance *));
    m->blocks = calloc((size_t)s->n, sizeof *m->blocks);
    m->memory = calloc(2 * nx + nz + 2 * ny + 2 * nu + blocks_size(s) + whole + 1, sizeof(double));
    m->solver_memory = calloc(MS_EVALUATIONS_MEMORY, sizeof(double));
    MS_TRY_MEMORY(m->instance != NULL && m->blocks != NULL && m->memory != NULL && m->solver_memory != NULL &&
                  ms_monolithic_events_create(m) == MS_OK);
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

/* f of a subsystem jumps, or x' is not a function of the point. */
static bool is_dense(const ms_system *s)
{
    bool dense = s->linear && s->nx <= DENSE_STATES_MAX;
    for (int i = 0; i < s->n; i++)
        dense = dense && !ms_subsystem_jumps(&s->sub[i]);
    return dense;
}

/* u' = L y' would need x'. */
static int check_residuals(const ms_system *s, ms_error *error)
{
    for (int i = 0; i < s->n && ms_system_has_residual(s); i++)
        if (s->sub[i].uses_du)
            return ms_fail(
                error, MS_UNSUPPORTED,
                "outputs of %s depend on time derivatives of its inputs, which do not follow from the "
                "states if a subsystem is differential-algebraic",
                s->sub[i].name);
    return MS_OK;
}

/* The instances serve evaluations only, one at a time. */
static int create(const ms_system *system, ms_monolith **out, ms_error *error)
{
    ms_monolith *m = calloc(1, sizeof *m);
    *out = m;
    MS_TRY_MEMORY(m);
    m->system = system;
    m->dense = is_dense(system);
    int status = check_residuals(system, error), switches = 0;
    MS_THEN(status, allocate(m));
    MS_THEN(status, ms_evaluations_create(system, m->x, m->z, m->solver_memory, m->instance, error));
    for (int i = 0; i < system->n && status == MS_OK; i++) {
        m->instance[i]->left_limits = true;
        m->instance[i]->sides = m->events.sides + switches;
        switches += system->sub[i].n_switches;
    }
    MS_THEN(status, ms_loop_create(system, m->instance, &m->loop, error));
    if (status == MS_OK && m->dense)
        ms_monolithic_couple(m);
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
            const bool is_sign =
                kind == 'z' && j - at[i] >= sub->nz; /* of an indicator, or a time: not used here */
            all[j].name =
                is_sign ? ms_structure_name(structure, "%s.indicator%d", sub->name, j - at[i] - sub->nz + 1)
                        : ms_structure_name(structure, "%s.%s", sub->name, from[j - at[i]].name);
            all[j].unit = is_sign ? "1" : from[j - at[i]].unit;
            if (all[j].name == NULL)
                return NULL;
        }
    }
    return all;
}

/* Which variables of all subsystems are algebraic. */
static bool *collect_algebraic(ms_structure *structure, const ms_system *s)
{
    bool *all = ms_structure_alloc(structure, (size_t)s->nx + 1, sizeof *all);
    for (int i = 0; i < s->n && all != NULL; i++)
        for (int j = 0; j < s->sub[i].nx && s->sub[i].residual != NULL; j++)
            all[s->x_at[i] + j] = s->sub[i].algebraic[j];
    return all;
}

static int describe_events(const ms_system *s, const ms_monolith *m, ms_structure *structure,
                           ms_subsystem *sub)
{
    bool jumps = false, announces = false, rates = true;
    double *z0 = ms_structure_alloc(structure, (size_t)s->nz + 1, sizeof *z0);
    MS_TRY_MEMORY(z0);
    ms_system_start_discrete(s, z0);
    sub->z0 = z0;
    sub->n_indicators = m->events.n;
    sub->n_switches = m->events.n_switches;
    for (int i = 0; i < s->n; i++) {
        jumps = jumps || ms_subsystem_jumps(&s->sub[i]);
        announces = announces || ms_subsystem_announces(&s->sub[i]);
        rates = rates && ms_subsystem_has_rates(&s->sub[i]);
        if (ms_subsystem_has_times(&s->sub[i]))
            sub->next_time = ms_monolithic_next_time, sub->time_round_off = ms_monolithic_time_round_off;
        if (s->sub[i].step_event != NULL)
            sub->step_event = ms_monolithic_step_event;
    }
    sub->indicators = sub->n_indicators > 0 ? ms_monolithic_indicators : NULL;
    sub->switches = sub->n_switches > 0 ? ms_monolithic_switches : NULL;
    sub->switch_rates = sub->n_switches > 0 && rates ? ms_monolithic_switch_rates : NULL;
    sub->handle = jumps ? ms_monolithic_handle : NULL;
    sub->times_are_breakpoints = !announces;
    return MS_OK;
}

static int describe(const ms_system *s, const ms_monolith_handle *data, ms_structure *structure,
                    ms_subsystem *sub)
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
                          .start = ms_monolithic_start,
                          .external = ms_monolithic_external,
                          .external_constant = constant,
                          .energy = energy ? ms_monolithic_energy : NULL,
                          .data = data};
    if (data->m->dense) {
        sub->matrices = ms_monolithic_matrices;
    } else if (ms_system_has_residual(s)) {
        sub->residual = ms_monolithic_residual;
        sub->algebraic = collect_algebraic(structure, s);
        MS_TRY_MEMORY(sub->algebraic);
    } else {
        sub->f = ms_monolithic_f;
        sub->jacobian =
            uses_du ? NULL : ms_monolithic_jacobian; /* the way through u' is left to differences */
    }
    MS_TRY_MEMORY(sub->x != NULL && sub->w != NULL && sub->z != NULL);
    return describe_events(s, data->m, structure, sub);
}

/* Offsets, all zero except the last one. */
static int *offsets(ms_structure *structure, int total)
{
    int *at = ms_structure_alloc(structure, 2, sizeof *at);
    if (at != NULL)
        at[1] = total;
    return at;
}

/* The fields of a system of one subsystem without inputs and outputs. */
static int fill(ms_system *whole, const ms_system *s, ms_monolith *m)
{
    ms_structure *structure = &whole->structure;
    ms_monolith_handle *data = ms_structure_alloc(structure, 1, sizeof *data);
    ms_subsystem *sub = ms_structure_alloc(structure, 1, sizeof *sub);
    whole->model = structure->model = s->model;
    whole->p = s->p;
    whole->x_scale = s->x_scale;
    whole->n = structure->n_subsystems = 1;
    whole->sub = structure->subsystems = sub;
    whole->linear = m->dense;
    whole->nx = s->nx;
    whole->nw = s->nw;
    whole->stop_time = s->stop_time;
    whole->step_size = s->step_size;
    whole->case_name = s->case_name;
    whole->blocks = ms_structure_alloc(structure, 1, sizeof *whole->blocks);
    whole->equal_to = offsets(structure, 0);
    whole->x_at = offsets(structure, s->nx);
    whole->u_at = offsets(structure, 0);
    whole->y_at = offsets(structure, 0);
    whole->w_at = offsets(structure, s->nw);
    whole->z_at = offsets(structure, 0);
    whole->row_at = ms_structure_alloc(structure, 1, sizeof *whole->row_at);
    whole->wire_output = ms_structure_alloc(structure, 1, sizeof *whole->wire_output);
    whole->wire_gain = ms_structure_alloc(structure, 1, sizeof *whole->wire_gain);
    whole->feed_through = ms_structure_alloc(structure, 1, sizeof *whole->feed_through);
    /* B, C, D, F are empty, but a linear system's blocks are not NULL. */
    double *none = ms_structure_alloc(structure, 1, sizeof *none);
    MS_TRY_MEMORY(data != NULL && sub != NULL && whole->blocks != NULL && whole->equal_to != NULL &&
                  whole->x_at != NULL && whole->u_at != NULL && whole->y_at != NULL && whole->w_at != NULL &&
                  whole->z_at != NULL && whole->row_at != NULL && whole->wire_output != NULL &&
                  whole->wire_gain != NULL && whole->feed_through != NULL && none != NULL);
    data->m = m;
    if (m->dense)
        whole->blocks[0] = (ms_blocks){.A = m->A, .B = none, .C = none, .D = none, .E = m->E, .F = none};
    const int status = describe(s, data, structure, sub);
    whole->nz = whole->z_at[1] = ms_subsystem_nz(sub);
    return status;
}

int ms_monolithic_create(const ms_system *system, ms_system **monolithic, ms_error *error)
{
    *monolithic = NULL;
    ms_monolith *m = NULL;
    MS_TRY(ms_system_needs_equations(system, "a monolithic form", error));
    ms_system *whole = calloc(1, sizeof *whole);
    int status = whole != NULL ? create(system, &m, error) : MS_NO_MEMORY;
    MS_THEN(status, fill(whole, system, m));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the monolithic model of %d states", system->nx);
    if (status == MS_OK) {
        *monolithic = whole;
    } else {
        destroy(m);
        ms_system_destroy(&whole);
    }
    return status;
}

void ms_monolithic_set_bias(const ms_system *monolithic, const double *bias)
{
    ms_monolith_of(monolithic->sub[0].data)->bias = bias;
}

void ms_monolithic_release(const ms_system *monolithic)
{
    release(ms_monolith_of(monolithic->sub[0].data));
}

void ms_monolithic_destroy(ms_system **whole)
{
    if (whole == NULL || *whole == NULL)
        return;
    const ms_monolith_handle *data = (*whole)->sub[0].data;
    destroy(data->m);
    ms_system_destroy(whole);
}
