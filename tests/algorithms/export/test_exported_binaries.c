/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_binaries.c - every subsystem of every model, exported for both versions of FMI: its description keeps the rules of
 * the standard, its binary has the bits of the built-in subsystem. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue.h"
#include "cosim.h"
#include "exported.h"
#include "exported_binary.h"
#include "fmu_check.h"
#include "monolithic.h"
#include "solver_registry.h"
#include "support.h"

enum { STEPS = 6, SOLVER_MEMORY = 8, BYTES = 1 << 20 };

/* A built-in subsystem as a co-simulation has it. */
typedef struct built_in {
    const ms_system *system;
    const ms_subsystem *sub;
    ms_instance *instance;
    double *x, *z, *memory, *u, *y;
} built_in;

static ms_fmu_export export_of(const ms_system *system, const char *subsystem, int fmi, const char *solver)
{
    return (ms_fmu_export){.system = system,
                           .subsystem = subsystem,
                           .fmi = fmi,
                           .solver = {ms_solver_find(solver), 1e-8, 1e-8, 1}};
}

static double *zeros(int n)
{
    double *values = calloc((size_t)n + 1, sizeof *values);
    assert_non_null(values);
    return values;
}

static built_in build(const ms_system *system, int index, const ms_export_solver *s)
{
    const ms_subsystem *sub = &system->sub[index];
    const ms_solver_options options = {.rtol = s->rtol, .atol = s->atol, .micro_steps = s->micro_steps};
    built_in b = {.system = system,
                  .sub = sub,
                  .x = zeros(system->nx),
                  .z = zeros(system->nz),
                  .memory = zeros(SOLVER_MEMORY),
                  .u = zeros(sub->nu),
                  .y = zeros(sub->ny)};
    ms_system_start(system, b.x);
    ms_system_start_discrete(system, b.z);
    assert_true(s->solver->memory <= SOLVER_MEMORY);
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

static void drop(built_in *b)
{
    ms_instance_destroy(&b->instance);
    free(b->x);
    free(b->z);
    free(b->memory);
    free(b->u);
    free(b->y);
}

static void same_bits(const binary *b, const char *what, double t, int n, const double *value,
                      const double *expected)
{
    for (int k = 0; k < n; k++)
        if (memcmp(&value[k], &expected[k], sizeof *value) != 0 && !(value[k] == 0.0 && expected[k] == 0.0))
            fail_msg("%s, FMI %d, %s %d at %g: %.17g instead of %.17g", b->identifier, b->fmi, what, k, t,
                     value[k], expected[k]);
}

static void references(const ms_exported *e, ms_exported_group group, unsigned *reference)
{
    for (int k = 0; k < ms_exported_count(e, group); k++)
        reference[k] = e->first[group] + (unsigned)k;
}

/* Every subsystem of the catalogue ------------------------------------------------------------------------ */

typedef void try_one(const ms_fmu_export *what, const ms_exported *e);

static void try_subsystem(const ms_system *system, const char *subsystem, try_one *one)
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
static void try_all(try_one *one)
{
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of(*model);
        for (int i = 0; i < system->n; i++)
            if (i < 3 || i + 2 > system->n)
                try_subsystem(system, system->sub[i].name, one);
        ms_system_destroy(&system);
    }
}

/* Rules of the standard ---------------------------------------------------------------------------------- */

static void check_description(const ms_fmu_export *what, const ms_exported *e)
{
    binary b;
    ms_fmu_findings findings = {0};
    support_binary_open(&b, what);
    assert_int_equal(ms_fmu_check(b.description, &findings, NULL), MS_OK);
    for (int k = 0; k < findings.n; k++)
        fail_msg("%s, FMI %d, line %ld: %s", b.identifier, what->fmi, findings.finding[k].line,
                 findings.finding[k].text);
    ms_fmu_findings_free(&findings);
    assert_int_equal(b.description->n_inputs, e->sub->nu);
    assert_int_equal(b.description->n_outputs, e->whole != NULL ? e->sub->nx : e->sub->ny);
    assert_int_equal(b.description->n_event_indicators, e->sub->n_indicators);
    assert_int_equal(b.description->flags[MS_FMU_MODEL_EXCHANGE].present,
                     e->sub->residual == NULL && !e->sub->uses_du);
    assert_true(b.description->flags[MS_FMU_CO_SIMULATION].present);
    support_binary_close(&b);
}

static void test_descriptions(void **state)
{
    (void)state;
    try_all(check_description);
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

/* Derivatives of all inputs at step n, near where loops are solved from. */
static void choose_inputs(const built_in *is, int n, double h, double u[BINARY_DEGREE + 1][BINARY_INPUTS])
{
    for (int i = 0; i < is->sub->nu; i++) {
        const double start = is->sub->u0 != NULL ? is->sub->u0[i] : 0.0;
        u[0][i] = start + 1e-3 * (1.0 + i) * (1.0 + 0.3 * n);
        u[1][i] = 1e-3 / h * (0.7 - 0.2 * i);
        u[2][i] = -1e-3 / (h * h) * (0.4 + 0.1 * n);
    }
}

static void feed_built_in(built_in *is, double h, int degree, double u[BINARY_DEGREE + 1][BINARY_INPUTS])
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

/* Outputs, their derivatives and D at the end of a step, all under the left limits of the inputs. */
static void compare_outputs(binary *b, built_in *is, const ms_exported *e, double t)
{
    unsigned out[BINARY_INPUTS], in[BINARY_INPUTS];
    const int ny = is->sub->ny, nu = is->sub->nu;
    double y[BINARY_INPUTS], *du = zeros(nu), *ddu = zeros(nu), *D = zeros(nu * ny), *expected = zeros(ny);
    references(e, MS_EXPORTED_OUTPUT, out);
    references(e, MS_EXPORTED_INPUT, in);
    ms_input_left(&is->instance->input, is->u);
    ms_input_left_derivative(&is->instance->input, 1, du);
    ms_input_left_derivative(&is->instance->input, 2, ddu);
    assert_int_equal(ms_instance_outputs(is->instance, t, is->u, du, is->y), 0);
    assert_int_equal(support_binary_get(b, ny, out, y), 0);
    same_bits(b, "output", t, ny, y, is->y);
    if (is->instance->can.output_derivatives > 0) {
        assert_int_equal(ms_instance_output_derivative(is->instance, t, is->u, du, expected), MS_OK);
        assert_int_equal(support_binary_output_derivatives(b, ny, out, 1, y), 0);
        same_bits(b, "y'", t, ny, y, expected);
    }
    if (is->instance->can.output_derivatives > 1) {
        assert_int_equal(ms_instance_output_second_derivative(is->instance, t, is->u, du, ddu, expected),
                         MS_OK);
        assert_int_equal(support_binary_output_derivatives(b, ny, out, 2, y), 0);
        same_bits(b, "y''", t, ny, y, expected);
    }
    if (!is->sub->uses_du) {
        assert_int_equal(ms_instance_feed_through(is->instance, t, is->u, D), MS_OK);
        for (int k = 0; k < nu; k++) {
            for (int j = 0; j < ny; j++)
                expected[j] = D[j * nu + k];
            assert_int_equal(support_binary_directional(b, ny, out, 1, &in[k], &(double){1.0}, y), 0);
            same_bits(b, "D", t, ny, y, expected);
        }
    }
    free(du);
    free(ddu);
    free(D);
    free(expected);
}

/* Steps with held, linear and quadratic inputs in turn; FMI 3.0 has held ones alone to the bit. */
static void check_steps(const ms_fmu_export *what, const ms_exported *e)
{
    binary b;
    built_in is = build(e->system, e->index, &what->solver);
    unsigned state[BINARY_INPUTS];
    double u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}}, x[BINARY_INPUTS];
    const double h = is.instance->can.step != 0.0 ? is.instance->can.step : what->system->step_size;
    const int most = what->fmi == 3                      ? 0
                     : is.instance->can.input_degree < 2 ? is.instance->can.input_degree
                                                         : 2;
    const int nx = is.sub->nx < BINARY_INPUTS ? is.sub->nx : BINARY_INPUTS;
    support_binary_open(&b, what);
    assert_true(support_binary_instantiate(&b, NULL, false));
    choose_inputs(&is, 0, h, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    feed_built_in(&is, what->system->step_size, 0, u);
    is.instance->h = what->system->step_size;
    assert_int_equal(ms_instance_make_consistent(is.instance, 0.0, what->system->step_size), MS_OK);
    for (int k = 0; k < nx; k++)
        state[k] = e->first[MS_EXPORTED_STATE] + (unsigned)k;
    int done = 0;
    for (int n = 0; n < STEPS; n++) {
        const int degree = n % (most + 1);
        choose_inputs(&is, n, h, u);
        assert_int_equal(support_binary_feed(&b, n * h, degree, u), 0);
        feed_built_in(&is, h, degree, u);
        const int expected = ms_instance_step(is.instance, n * h, h),
                  status = support_binary_step(&b, n * h, h);
        assert_int_equal(status, expected == MS_OK ? 0 : 2);
        if (status != 0)
            break;
        assert_int_equal(support_binary_get(&b, nx, state, x), 0);
        same_bits(&b, "state", n * h + h, nx, x, is.instance->x);
        compare_outputs(&b, &is, e, n * h + h);
        done++;
    }
    if (done == 0)
        fail_msg("%s: not one step was possible", b.identifier);
    drop(&is);
    support_binary_close(&b);
}

static void test_steps(void **state)
{
    (void)state;
    try_all(check_steps);
}

/* Parabolas by the intermediate update of 3.0 are met up to round-off. */
static void test_intermediate_update(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    ms_fmu_export what = export_of(system, "wheel", 3, "exact");
    built_in is = build(system, ms_system_find(system, "wheel"), &what.solver);
    double u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}}, x[2];
    binary b;
    support_binary_open(&b, &what);
    const unsigned names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
    for (int n = 0; n < 9; n++) {
        choose_inputs(&is, n, 0.01, u);
        assert_int_equal(support_binary_feed(&b, n * 0.01, n % 3, u), 0);
        feed_built_in(&is, 0.01, n % 3, u);
        assert_int_equal(ms_instance_step(is.instance, n * 0.01, 0.01), MS_OK);
        assert_int_equal(support_binary_step(&b, n * 0.01, 0.01), 0);
        assert_int_equal(support_binary_get(&b, 2, names, x), 0);
        assert_true(support_distance(2, x, is.instance->x) < 1e-13);
    }
    drop(&is);
    support_binary_close(&b);
    ms_system_destroy(&system);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

static void check_exchange(const ms_fmu_export *what, const ms_exported *e)
{
    binary b;
    const ms_subsystem *sub = e->sub;
    const int i = e->index, nx = sub->nx, ny = sub->ny;
    support_binary_open(&b, what);
    if (!b.description->flags[MS_FMU_MODEL_EXCHANGE].present) {
        assert_false(support_binary_instantiate(&b, NULL, true));
        assert_non_null(strstr(b.said, "no model exchange"));
        support_binary_close(&b);
        return;
    }
    built_in is = build(e->system, i, &what->solver);
    double u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}}, next = NAN;
    double *x = is.instance->x, *value = zeros(nx + ny + sub->n_indicators),
           *expected = zeros(nx + ny + sub->n_indicators), *w = zeros(sub->nw);
    assert_true(support_binary_instantiate(&b, NULL, true));
    choose_inputs(&is, 0, 1.0, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    assert_int_equal(support_binary_events(&b, false, &next), 0);
    assert_true(next == ms_subsystem_next_time(e->system, i, 0.0, is.instance->z));
    for (int n = 0; n < 4; n++) {
        const double t = 1e-3 * n;
        ms_point at = {.t = t, .x = x, .u = u[0], .z = is.instance->z};
        choose_inputs(&is, n, 1.0, u);
        assert_int_equal(support_binary_set_point(&b, t, nx, x), 0);
        assert_int_equal(support_binary_set(&b, b.n, b.reference, u[0]), 0);
        assert_int_equal(ms_subsystem_f(e->system, i, &at, w, expected),
                         support_binary_derivatives(&b, nx, value));
        same_bits(&b, "derivative", t, nx, value, expected);
        unsigned out[BINARY_INPUTS];
        references(e, MS_EXPORTED_OUTPUT, out);
        assert_int_equal(ms_subsystem_g(e->system, i, &at, w, expected),
                         support_binary_get(&b, ny, out, value));
        same_bits(&b, "output", t, ny, value, expected);
        if (sub->n_indicators > 0) {
            assert_int_equal(ms_subsystem_indicators(e->system, i, &at, w, expected), 0);
            assert_int_equal(support_binary_indicators(&b, sub->n_indicators, value), 0);
            same_bits(&b, "indicator", t, sub->n_indicators, value, expected);
        }
        for (int k = 0; k < nx; k++)
            x[k] += 1e-4 * (1.0 + 0.1 * k);
    }
    free(value);
    free(expected);
    free(w);
    drop(&is);
    support_binary_close(&b);
}

static void test_exchange(void **state)
{
    (void)state;
    try_all(check_exchange);
}

/* The bell, by Euler's method: wherever an indicator has changed its sign the handlers of both are called. */
static void check_bell(int fmi)
{
    ms_system *system = support_system("bell", NULL);
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        ms_fmu_export what = export_of(system, sub->name, fmi, "cvode-bdf");
        built_in is = build(system, i, &what.solver);
        double u[BINARY_INPUTS] = {0}, dx[BINARY_INPUTS], r[BINARY_INPUTS], before[BINARY_INPUTS],
               next = INFINITY;
        double *x = is.instance->x, *z = is.instance->z, w[BINARY_INPUTS], x0[BINARY_INPUTS],
               z0[BINARY_INPUTS];
        int crossed[BINARY_INPUTS], events = 0;
        binary b;
        support_binary_open(&b, &what);
        assert_true(support_binary_instantiate(&b, NULL, true));
        assert_int_equal(support_binary_start(&b, 0.0, u), 0);
        assert_int_equal(support_binary_events(&b, false, &next), 0);
        ms_point at = {.x = x, .u = u, .z = z};
        assert_int_equal(ms_subsystem_indicators(system, i, &at, w, before), 0);
        for (int n = 1; n <= 20000 && events < 4; n++) {
            bool any = false, time;
            at = (ms_point){.t = (n - 1) * 1e-3, .x = x, .u = u, .z = z};
            assert_int_equal(ms_subsystem_f(system, i, &at, w, dx), 0);
            assert_int_equal(support_binary_derivatives(&b, sub->nx, x0), 0);
            if (n > 1)
                same_bits(&b, "derivative", at.t, sub->nx, x0, dx);
            for (int k = 0; k < sub->nx; k++)
                x[k] += 1e-3 * dx[k];
            at.t = n * 1e-3;
            time = at.t >= next;
            assert_int_equal(support_binary_set_point(&b, at.t, sub->nx, x), 0);
            assert_int_equal(ms_subsystem_indicators(system, i, &at, w, r), 0);
            for (int k = 0; k < sub->n_indicators; k++) {
                crossed[k] = (before[k] < 0.0 && r[k] >= 0.0) - (before[k] > 0.0 && r[k] <= 0.0);
                any = any || crossed[k] != 0;
                if (r[k] != 0.0)
                    before[k] = r[k];
            }
            if (!any && !time)
                continue;
            events++;
            memcpy(x0, x, sizeof *x * (size_t)sub->nx);
            memcpy(z0, z, sizeof *z * (size_t)sub->nz);
            ms_point then = {.t = time ? next : at.t, .x = x0, .u = u, .z = z0};
            const ms_event event = {.state = any, .crossed = crossed, .time = time, .x = x, .z = z};
            assert_int_equal(ms_subsystem_handle(system, i, &then, w, &event), 0);
            assert_int_equal(support_binary_events(&b, true, &next), 0);
            assert_int_equal(support_binary_states(&b, sub->nx, x0), 0);
            same_bits(&b, "state behind an event", at.t, sub->nx, x0, x);
            at.x = x;
            assert_int_equal(ms_subsystem_indicators(system, i, &at, w, before), 0);
        }
        assert_true(events > 0 || !ms_subsystem_jumps(sub));
        drop(&is);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

static void test_events(void **state)
{
    (void)state;
    check_bell(2);
    check_bell(3);
}

/* States ------------------------------------------------------------------------------------------------- */

static void check_states(const ms_fmu_export *what, const ms_exported *e)
{
    binary b;
    void *saved = NULL, *other = NULL;
    const int n = (int)e->first[MS_EXPORTED_PARAMETER] > 64 ? 64 : (int)e->first[MS_EXPORTED_PARAMETER];
    unsigned all[BINARY_INPUTS];
    double first[BINARY_INPUTS], again[BINARY_INPUTS], u[BINARY_INPUTS] = {0};
    const double h = what->system->step_size;
    unsigned char *bytes = calloc(1, BYTES);
    for (int k = 0; k < n; k++)
        all[k] = (unsigned)k;
    support_binary_open(&b, what);
    for (int k = 0; k < e->sub->nu; k++)
        u[k] = e->sub->u0 != NULL ? e->sub->u0[k] : 0.0;
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, u), 0);
    if (support_binary_step(&b, 0.0, h) == 0 && support_binary_save(&b, &saved) == 0 &&
        support_binary_step(&b, h, h) == 0) {
        assert_int_equal(support_binary_get(&b, n, all, first), 0);
        assert_int_equal(support_binary_restore(&b, saved), 0);
        assert_int_equal(support_binary_step(&b, h, h), 0);
        assert_int_equal(support_binary_get(&b, n, all, again), 0);
        same_bits(&b, "variable", 2.0 * h, n, again, first);
        const size_t size = support_binary_serialise(&b, saved, bytes, BYTES);
        support_binary_forget(&b, &saved);
        assert_null(saved);
        support_binary_free(&b); /* another component goes on from the bytes */
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_start(&b, 0.0, u), 0);
        assert_int_equal(support_binary_deserialise(&b, bytes, size - 1, &other), 3);
        assert_int_equal(support_binary_deserialise(&b, bytes, size, &other), 0);
        assert_int_equal(support_binary_restore(&b, other), 0);
        assert_int_equal(support_binary_step(&b, h, h), 0);
        assert_int_equal(support_binary_get(&b, n, all, again), 0);
        same_bits(&b, "variable from bytes", 2.0 * h, n, again, first);
        support_binary_forget(&b, &other);
    }
    support_binary_forget(&b, &saved);
    free(bytes);
    support_binary_close(&b);
}

static void test_states(void **state)
{
    (void)state;
    try_all(check_states);
}

/* The rest ----------------------------------------------------------------------------------------------- */

/* The coupled model: its states after steps are those of the monolithic form. */
static void test_whole(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "double-pendulum", "mass-chain",
                                         "woodpecker-explicit"};
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], NULL), *whole = NULL;
        assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
        ms_fmu_export what = export_of(system, NULL, 2, "cvode-bdf");
        for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
            built_in is = build(whole, 0, &what.solver);
            binary b;
            unsigned out[BINARY_INPUTS];
            double x[BINARY_INPUTS], u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}};
            support_binary_open(&b, &what);
            const int nx = support_binary_outputs(&b, out);
            assert_int_equal(nx, system->nx);
            assert_true(support_binary_instantiate(&b, NULL, false));
            assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
            for (int n = 0; n < 3; n++) {
                feed_built_in(&is, 0.01, 0, u);
                assert_int_equal(ms_instance_step(is.instance, 0.01 * n, 0.01), MS_OK);
                assert_int_equal(support_binary_step(&b, 0.01 * n, 0.01), 0);
                assert_int_equal(support_binary_get(&b, nx, out, x), 0);
                same_bits(&b, "state", 0.01 * n, nx, x, is.x);
            }
            support_binary_close(&b);
            drop(&is);
        }
        ms_monolithic_destroy(&whole);
        ms_system_destroy(&system);
    }
}

/* A parameter that is set gives what the model with that parameter gives. */
static void test_parameters(void **state)
{
    (void)state;
    ms_system *as_it_is = support_system("quarter-car", NULL),
              *system = support_system("quarter-car", "kc=20000");
    ms_fmu_export what = export_of(as_it_is, "chassis", 2, "exact");
    for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
        built_in is = build(system, ms_system_find(system, "chassis"), &what.solver);
        double u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0.1, 0.2}}, x[2];
        binary b;
        support_binary_open(&b, &what);
        const unsigned kc = support_binary_named(&b, "p.kc"),
                       names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){20000.0}), 0);
        assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
        assert_int_equal(support_binary_feed(&b, 0.0, 0, u), 0);
        feed_built_in(&is, 0.01, 0, u);
        assert_int_equal(ms_instance_step(is.instance, 0.0, 0.01), MS_OK);
        assert_int_equal(support_binary_step(&b, 0.0, 0.01), 0);
        assert_int_equal(support_binary_get(&b, 2, names, x), 0);
        same_bits(&b, "state", 0.01, 2, x, is.instance->x);
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){15000.0}), 3);
        assert_non_null(strstr(b.said, "fixed"));
        support_binary_free(&b);
        assert_true(support_binary_instantiate(&b, NULL, false)); /* a value out of its range */
        assert_int_equal(support_binary_set(&b, 1, &kc, &(double){-1.0}), 0);
        assert_int_equal(support_binary_start(&b, 0.0, u[0]), 3);
        assert_non_null(strstr(b.said, "its range is"));
        support_binary_close(&b);
        drop(&is);
    }
    ms_system_destroy(&as_it_is);
    ms_system_destroy(&system);
}

/* The source form: another solver and another way to the same values. */
static void check_sources(const ms_system *system, int index, int fmi)
{
    ms_fmu_export what = export_of(system, system->sub[index].name, fmi, "exact");
    built_in is = build(system, index, &what.solver);
    ms_exported e = {0};
    unsigned state[BINARY_INPUTS], out[BINARY_INPUTS];
    double u[BINARY_DEGREE + 1][BINARY_INPUTS] = {{0}}, x[BINARY_INPUTS], dy[BINARY_INPUTS],
                             left[2][BINARY_INPUTS];
    const double h = is.instance->can.step != 0.0 ? is.instance->can.step : 0.03;
    const int most = is.instance->can.input_degree < 2 ? is.instance->can.input_degree : 2;
    const int nx = is.sub->nx, ny = is.sub->ny;
    binary b;
    what.sources = true;
    assert_int_equal(ms_exported_create(system, what.subsystem, &e, NULL), MS_OK);
    references(&e, MS_EXPORTED_STATE, state);
    references(&e, MS_EXPORTED_OUTPUT, out);
    support_binary_open(&b, &what);
    support_binary_compile(&b);
    assert_false(support_binary_instantiate(&b, "{no}", false));
    assert_true(support_binary_instantiate(&b, NULL, false));
    choose_inputs(&is, 0, h, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    for (int n = 0; n < 9; n++) {
        const int degree = n % (most + 1);
        choose_inputs(&is, n, h, u);
        assert_int_equal(support_binary_feed(&b, n * h, degree, u), 0);
        feed_built_in(&is, h, degree, u);
        assert_int_equal(ms_instance_step(is.instance, n * h, h), MS_OK);
        assert_int_equal(support_binary_step(&b, n * h, h), 0);
        assert_int_equal(support_binary_get(&b, nx, state, x), 0);
        assert_true(support_distance(nx, x, is.instance->x) < 1e-11);
        ms_input_left(&is.instance->input, left[0]);
        ms_input_left_derivative(&is.instance->input, 1, left[1]);
        assert_int_equal(ms_instance_outputs(is.instance, n * h + h, left[0], left[1], is.y), 0);
        assert_int_equal(support_binary_get(&b, ny, out, x), 0);
        assert_true(support_distance(ny, x, is.y) < 1e-11);
        assert_int_equal(ms_instance_output_derivative(is.instance, n * h + h, left[0], left[1], dy), MS_OK);
        assert_int_equal(support_binary_output_derivatives(&b, ny, out, 1, x), 0);
        assert_true(support_distance(ny, x, dy) < 1e-9);
    }
    support_binary_close(&b);
    ms_exported_destroy(&e);
    drop(&is);
}

static void test_sources(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "linear-pair", "three-clocks"};
    for (int m = 0; m < 3; m++) {
        ms_system *system = support_system(models[m], NULL);
        for (int i = 0; i < system->n; i++)
            check_sources(system, i, 2 + (m + i) % 2);
        ms_system_destroy(&system);
    }
}

/* What is wrong is refused and said. */
static void test_refusals(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    ms_fmu_export what = export_of(system, "chassis", 2, "exact");
    for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
        binary b;
        double value = 1.0;
        support_binary_open(&b, &what);
        assert_false(support_binary_instantiate(&b, "{no}", false));
        assert_non_null(strstr(b.said, "the token (guid) is {no}"));
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_step(&b, 0.0, 0.1), 3);
        assert_non_null(strstr(b.said, "must not be called in this mode"));
        assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
        assert_int_equal(support_binary_step(&b, 0.0, -0.1), 3);
        assert_non_null(strstr(b.said, "not positive"));
        assert_int_equal(support_binary_get(&b, 1, &(unsigned){1000}, &value), 3);
        assert_non_null(strstr(b.said, "value reference 1000 is no variable"));
        value = NAN;
        assert_int_equal(support_binary_set(&b, 1, b.reference, &value), 2);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_descriptions),
                                       cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_intermediate_update),
                                       cmocka_unit_test(test_exchange),
                                       cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_whole),
                                       cmocka_unit_test(test_parameters),
                                       cmocka_unit_test(test_sources),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
