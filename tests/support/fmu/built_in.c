/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "built_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "support.h"
#include "unit_test.h"

enum { SOLVER_MEMORY = 8 };

ms_fmu_export support_export_of(const ms_system *system, const char *subsystem, int fmi, const char *solver)
{
    return (ms_fmu_export){.system = system,
                           .subsystem = subsystem,
                           .fmi = fmi,
                           .solver = {ms_solver_find(solver), 1e-8, 1e-8, 1}};
}

double *support_zeros(int n)
{
    double *values = calloc((size_t)n + 1, sizeof *values);
    assert_non_null(values);
    return values;
}

support_built_in support_built_in_create(const ms_system *system, int index, const ms_export_solver *s)
{
    const ms_subsystem *sub = &system->sub[index];
    const ms_solver_options options = {.rtol = s->rtol, .atol = s->atol, .micro_steps = s->micro_steps};
    support_built_in b = {.system = system,
                          .sub = sub,
                          .x = support_zeros(system->nx),
                          .z = support_zeros(system->nz),
                          .memory = support_zeros(SOLVER_MEMORY),
                          .u = support_zeros(sub->nu),
                          .y = support_zeros(sub->ny)};
    ms_system_start(system, b.x);
    ms_system_start_discrete(system, b.z);
    assert_true(ms_solver_memory(s->solver, sub->nx) <= SOLVER_MEMORY);
    const ms_instance_parts parts = {.system = system,
                                     .index = index,
                                     .solver = s->solver,
                                     .options = &options,
                                     .x = b.x + system->x_at[index],
                                     .z = b.z + system->z_at[index],
                                     .memory = b.memory};
    assert_int_equal(ms_instance_create(&parts, &b.instance, NULL), MS_OK);
    return b;
}

void support_built_in_destroy(support_built_in *b)
{
    ms_instance_destroy(&b->instance);
    free(b->x);
    free(b->z);
    free(b->memory);
    free(b->u);
    free(b->y);
}

void support_same_bits(const support_binary *b, const char *what, double t, int n, const double *value,
                       const double *expected)
{
    for (int k = 0; k < n; k++)
        if (memcmp(&value[k], &expected[k], sizeof *value) != 0 && !(value[k] == 0.0 && expected[k] == 0.0))
            fail_msg("%s, FMI %d, %s %d at %g: %.17g instead of %.17g", b->identifier, b->fmi, what, k, t,
                     value[k], expected[k]);
}

void support_references(const ms_exported *e, ms_exported_group group, unsigned *reference)
{
    for (int k = 0; k < ms_exported_count(e, group); k++)
        reference[k] = e->first[group] + (unsigned)k;
}

/* Every subsystem of the catalogue ------------------------------------------------------------------------ */

static void try_subsystem(const ms_system *system, const char *subsystem, support_try_export *one)
{
    ms_exported e = {0};
    const char *solver = ms_cosim_default_solver(system, NULL);
    ms_fmu_export what = {
        .system = system, .subsystem = subsystem, .solver = {ms_solver_find(solver), 1e-8, 1e-8, 1}};
    assert_int_equal(ms_exported_create(system, subsystem, &e, NULL), MS_OK);
    for (what.fmi = 2; what.fmi <= 3; what.fmi++)
        one(&what, &e);
    ms_exported_destroy(&e);
}

/* Of models with very many subsystems the first and the last few. */
void support_export_all(support_try_export *one)
{
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of(*model);
        for (int i = 0; i < system->n; i++)
            if (i < 3 || i + 2 > system->n)
                try_subsystem(system, system->sub[i].name, one);
        ms_system_destroy(&system);
    }
}

/* Inputs ------------------------------------------------------------------------------------------------- */

/* Derivatives of all inputs at step n, near where loops are solved from. */
void support_choose_inputs(const support_built_in *is, int n, double h,
                           double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS])
{
    for (int i = 0; i < is->sub->nu; i++) {
        const double start = is->sub->u0 != NULL ? is->sub->u0[i] : 0.0;
        u[0][i] = start + 1e-3 * (1.0 + i) * (1.0 + 0.3 * n);
        u[1][i] = 1e-3 / h * (0.7 - 0.2 * i);
        u[2][i] = -1e-3 / (h * h) * (0.4 + 0.1 * n);
    }
}

void support_feed_built_in(support_built_in *is, double h, int degree,
                           double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS])
{
    ms_input *input = &is->instance->input;
    input->degree = degree;
    input->pieces = 1;
    input->end[0] = h;
    for (int i = 0; i < is->sub->nu; i++) {
        for (int k = 0; k <= degree; k++)
            ms_input_coefficients(input, 0, k)[i] = u[k][i] / (k == 2 ? 2.0 : 1.0);
    }
}
