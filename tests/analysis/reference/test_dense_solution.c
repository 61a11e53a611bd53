/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dense_solution.c - the reference of smooth models: piecewise polynomials that many runs read. */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/reference.h>
#include "dense_solution.h"
#include "shared_reference.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static ms_reference *reader_of(const ms_system *system, ms_shared_reference *shared)
{
    const ms_reference_reading reading = {.shared = shared};
    ms_reference *reference = NULL;
    ms_error error = {""};
    if (ms_reference_create_reading(system, &reading, &reference, &error) != MS_OK)
        fail_msg("%s", error.text);
    return reference;
}

static ms_reference *reference_of(const ms_system *system)
{
    return reader_of(system, NULL);
}

/* The state at `end`, read in equal steps. */
static void read_until(ms_reference *reference, double end, int steps)
{
    for (int n = 0; n < steps; n++)
        assert_int_equal(ms_reference_step(reference, end * n / steps, end / steps), MS_OK);
}

static const double ones[] = {1.0, 1.0};

#define ALONE(subsystem)                                                                                     \
    SUPPORT_MODEL_OF("alone", &(subsystem), 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1)

/* x1' = r (x2 - x1), x2' = -x2: x1 = r/(r - 1) e^-t - 1/(r - 1) e^-rt. */
static const double rate = 1e7;

static void stiff_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -rate;
    m->A[1] = rate;
    m->A[2] = 0.0;
    m->A[3] = -1.0;
}

static void stiff_linear_models_go_on_with_exponentials(void **state)
{
    (void)state;
    const ms_subsystem stiff = SUPPORT_SUBSYSTEM("stiff", 2, 0, 0, .x0 = ones, .matrices = stiff_matrices);
    const ms_model model = ALONE(stiff);
    ms_system *system = support_system_of(&model);
    assert_true(ms_dense_solution_serves(system));
    for (int steps = 1; steps <= 64; steps *= 8) {
        ms_reference *reference = reference_of(system);
        read_until(reference, 1.0, steps);
        support_near(ms_reference_state(reference)[0], rate / (rate - 1.0) * exp(-1.0), 1e-14);
        support_near(ms_reference_state(reference)[1], exp(-1.0), 1e-14);
        ms_reference_destroy(&reference);
    }
    ms_reference *reference = reference_of(system); /* in the boundary layer */
    const double t = 2.0 / rate;
    assert_int_equal(ms_reference_step(reference, 0.0, t), MS_OK);
    support_near(ms_reference_state(reference)[0],
                 rate / (rate - 1.0) * exp(-t) - 1.0 / (rate - 1.0) * exp(-rate * t), 1e-15);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* x1' = 1, x2' = 1 where x1 < 1.3, else 3: a kink that nobody declares. */
static int kink_f(const ms_point *at, double *dx)
{
    dx[0] = 1.0;
    dx[1] = at->x[0] < 1.3 ? 1.0 : 3.0;
    return 0;
}

static void kinks_are_found(void **state)
{
    (void)state;
    const ms_subsystem kink = SUPPORT_SUBSYSTEM("kink", 2, 0, 0, .x0 = ones, .f = kink_f);
    const ms_model model = ALONE(kink);
    ms_system *system = support_system_of(&model);
    ms_reference *reference = reference_of(system);
    for (int n = 0; n < 100; n++) {
        const double t = 0.01 * (n + 1);
        assert_int_equal(ms_reference_step(reference, 0.01 * n, 0.01), MS_OK);
        support_near(ms_reference_state(reference)[1], t < 0.3 ? 1.0 + t : 1.3 + 3.0 * (t - 0.3), 1e-11);
    }
    assert_true(ms_reference_error(reference) < 1e-9);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* A solution that begins at zero, one that stays there, and one that grows. */
static int odd_f(const ms_point *at, double *dx)
{
    dx[0] = at->t * at->t * at->t;
    dx[1] = 0.0;
    return 0;
}

static void solutions_from_zero_are_read(void **state)
{
    (void)state;
    const ms_subsystem odd = SUPPORT_SUBSYSTEM("odd", 2, 0, 0, .f = odd_f);
    const ms_model model = ALONE(odd);
    ms_system *system = support_system_of(&model);
    ms_reference *reference = reference_of(system);
    read_until(reference, 2.0, 50);
    support_near(ms_reference_state(reference)[0], 4.0, 1e-13);
    support_near(ms_reference_state(reference)[1], 0.0, 0.0);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* Bits do not depend on who asks, how often, or on who has asked before. */
static void all_read_the_same_bits(void **state)
{
    (void)state;
    static const char *const models[] = {"double-pendulum", "quarter-car", "example-6.3.1"};
    static const size_t most[] = {0, 4096, MS_SHARED_REFERENCE_BYTES}; /* nothing fits; a few pieces; all */
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        ms_reference *own = reference_of(system);
        const size_t bytes = sizeof(double) * (size_t)system->nx;
        read_until(own, 1.0, 128);
        for (int k = 0; k < MS_COUNT(most); k++) {
            ms_shared_reference *shared = NULL;
            assert_int_equal(ms_shared_reference_create(system, 0.0, most[k], &shared, NULL), MS_OK);
            for (int steps = 64; steps <= 1024; steps *= 4) {
                ms_reference *other = reader_of(system, shared);
                read_until(other, 1.0, steps);
                assert_memory_equal(ms_reference_state(own), ms_reference_state(other), bytes);
                assert_true(ms_reference_error(own) == ms_reference_error(other));
                ms_reference_destroy(&other);
            }
            ms_shared_reference_destroy(&shared);
        }
        ms_reference_destroy(&own);
        ms_system_destroy(&system);
    }
}

typedef struct reader {
    const ms_system *system;
    ms_shared_reference *shared;
    double x[4];
    int steps;
} reader;

static void *read_shared(void *self)
{
    reader *r = self;
    const ms_reference_reading reading = {.shared = r->shared};
    ms_reference *reference = NULL;
    if (ms_reference_create_reading(r->system, &reading, &reference, NULL) != MS_OK)
        return NULL;
    for (int n = 0; n < r->steps; n++)
        if (ms_reference_step(reference, 2.0 * n / r->steps, 2.0 / r->steps) != MS_OK)
            break;
    memcpy(r->x, ms_reference_state(reference), sizeof r->x);
    ms_reference_destroy(&reference);
    return NULL;
}

static void threads_share_pieces(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    ms_system *system = support_system("double-pendulum", "");
    ms_shared_reference *shared = NULL;
    pthread_t thread[THREADS];
    reader readers[THREADS];
    assert_int_equal(system->nx, 4);
    assert_int_equal(ms_shared_reference_create(system, 0.0, MS_SHARED_REFERENCE_BYTES, &shared, NULL),
                     MS_OK);
    for (int k = 0; k < THREADS; k++) {
        readers[k] = (reader){.system = system, .shared = shared, .steps = 32 << (2 * k)};
        assert_int_equal(pthread_create(&thread[k], NULL, read_shared, &readers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        assert_memory_equal(readers[k].x, readers[0].x, sizeof readers[k].x);
    }
    ms_shared_reference_destroy(&shared);
    ms_system_destroy(&system);
}

/* Macro-steps far longer than the model's own, up to what no time can hold, are no work. */
static void long_steps_take_exponentials(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    ms_reference *reference = reference_of(system);
    assert_int_equal(ms_reference_step(reference, 0.0, 1e6), MS_OK);
    support_near(ms_reference_state(reference)[1], 0.0, 1e-12);
    ms_reference_start(reference);
    assert_int_equal(ms_reference_step(reference, 0.0, 1e300), MS_SOLVER_FAILED);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* Nor are steps that become so. */
static void uneven_steps_take_exponentials(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const ms_reference_reading reading = {.uneven_steps = true};
    ms_reference *reference = NULL;
    double t = 0.0;
    assert_int_equal(ms_reference_create_reading(system, &reading, &reference, NULL), MS_OK);
    for (double h = 1e-3; t < 1e9; t += h, h *= 2.0)
        assert_int_equal(ms_reference_step(reference, t, h), MS_OK);
    support_near(ms_reference_state(reference)[1], 0.0, 1e-12);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* Series of steps that change, pieces, and exponentials of steps that do not are three ways to one solution. */
static void uneven_steps_agree_with_pieces(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "mass-chain", "two-mass-oscillator", "spring-mass"};
    static const double fractions[] = {0.113, 0.5, 0.887};
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        const ms_reference_reading uneven = {.n = 3, .fractions = fractions, .uneven_steps = true};
        ms_reference *pieces = NULL, *steps = NULL;
        double t = 0.0;
        assert_int_equal(ms_reference_create_reading(system, &uneven, &steps, NULL), MS_OK);
        assert_int_equal(ms_reference_create(system, 3, fractions, &pieces, NULL), MS_OK);
        for (int k = 0; k < 300; k++) {
            const double h = system->step_size * (0.05 + 0.37 * (k % 23));
            assert_int_equal(ms_reference_step(steps, t, h), MS_OK);
            assert_int_equal(ms_reference_step(pieces, t, h), MS_OK);
            const double within = 1e-13 + 2.0 * ms_reference_error(pieces);
            support_near_all(system->nx, ms_reference_state(steps), ms_reference_state(pieces), within);
            for (int j = 0; j < 3; j++)
                support_near_all(system->nx, ms_reference_sample(steps, j), ms_reference_sample(pieces, j),
                                 within);
            t += h;
        }
        assert_true(ms_reference_error(steps) < 1e-12);
        assert_true(ms_reference_error(pieces) < 1e-10);
        ms_reference_destroy(&pieces);
        ms_reference_destroy(&steps);
        ms_system_destroy(&system);
    }
}

/* So are they where external inputs vary, smoothly or with announced breakpoints, at which pieces end. */
static void driven_solutions_agree_with_steps(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
    } driven[] = {{"full-car", ""},
                  {"full-car", "case=one-sided"},
                  {"controlled-car", ""},
                  {"controlled-car", "case=stepwise"},
                  {"two-masses-springs-dampers", ""}};
    for (int m = 0; m < MS_COUNT(driven); m++) {
        ms_system *system = support_system(driven[m].model, driven[m].settings);
        const ms_reference_reading uneven = {.uneven_steps = true};
        ms_reference *pieces = NULL, *steps = NULL;
        double t = 0.0;
        assert_true(ms_dense_solution_serves(system));
        assert_int_equal(ms_reference_create_reading(system, &uneven, &steps, NULL), MS_OK);
        assert_int_equal(ms_reference_create(system, 0, NULL, &pieces, NULL), MS_OK);
        for (int k = 0; k < 200; k++) {
            const double h = system->step_size * (0.05 + 0.17 * (k % 7));
            assert_int_equal(ms_reference_step(steps, t, h), MS_OK);
            assert_int_equal(ms_reference_step(pieces, t, h), MS_OK);
            double largest = 1.0;
            for (int j = 0; j < system->nx; j++)
                largest = fmax(largest, fabs(ms_reference_state(steps)[j]));
            support_near_all(system->nx, ms_reference_state(steps), ms_reference_state(pieces),
                             1e-13 * largest +
                                 4.0 * (ms_reference_error(pieces) + ms_reference_error(steps)));
            t += h;
        }
        assert_true(ms_reference_error(pieces) < 1e-9 && ms_reference_error(steps) < 1e-8);
        ms_reference_destroy(&pieces);
        ms_reference_destroy(&steps);
        ms_system_destroy(&system);
    }
}

/* A jump of the force every half second: there pieces end, and they need not look for it. */
static void pieces_end_at_breakpoints(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", "case=stepwise");
    ms_dense_solution *solution = NULL;
    ms_dense_piece *piece = malloc(ms_dense_piece_size(system));
    assert_non_null(piece);
    assert_int_equal(ms_dense_solution_create(system, &solution, NULL), MS_OK);
    int met = 0, pieces = 0;
    for (double t = 0.0; t < 9.5; t = piece->end, pieces++) {
        assert_int_equal(ms_dense_solution_next(solution, piece), MS_OK);
        met += piece->end == 0.5 * (met + 1);
        assert_true(piece->end <= 0.5 * (met + 1));
    }
    assert_int_equal(met, 19);
    assert_in_range(pieces, 19, 200);
    ms_dense_solution_destroy(&solution);
    free(piece);
    ms_system_destroy(&system);
}

/* What is not the same system is not read. */
static void other_systems_do_not_fit(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", ""), *other = support_system("quarter-car", "kc=20000");
    ms_shared_reference *shared = NULL;
    assert_int_equal(ms_shared_reference_create(system, 0.0, MS_SHARED_REFERENCE_BYTES, &shared, NULL),
                     MS_OK);
    assert_true(ms_shared_reference_fits(shared, system, 0.0));
    assert_false(ms_shared_reference_fits(shared, system, 1.0));
    assert_false(ms_shared_reference_fits(shared, other, 0.0));
    ms_reference *own = reference_of(other), *reading = reader_of(other, shared);
    read_until(own, 1.0, 100);
    read_until(reading, 1.0, 100);
    assert_memory_equal(ms_reference_state(own), ms_reference_state(reading), sizeof(double) * 4);
    ms_reference_destroy(&own);
    ms_reference_destroy(&reading);
    ms_shared_reference_destroy(&shared);
    ms_system_destroy(&other);
    ms_system_destroy(&system);
}

/* A chain of N masses, of which the first is displaced by 1, is a sum of modes phi_k(j) = sin(j k pi/(N + 1)), each a damped
 * oscillator with s_k = 4 sin^2(k pi/(2 (N + 1))) times the spring and the damper. */
static double chain_position(int n, int j, double t)
{
    const double m = 1.0, spring = 10.0, damper = 0.2, pi = acos(-1.0);
    double sum = 0.0;
    for (int k = 1; k <= n; k++) {
        const double root = 2.0 * sin(0.5 * k * pi / (n + 1)), s = root * root;
        const double decay = 0.5 * damper * s / m, omega = sqrt(spring * s / m - decay * decay);
        const double mode = 2.0 / (n + 1) * sin(k * pi / (n + 1)) * sin(j * k * pi / (n + 1));
        sum += mode * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
    }
    return sum;
}

/* One matrix; the same by its entries; and without one that is full. */
static void long_chains_are_sums_of_modes(void **state)
{
    (void)state;
    static const int masses[] = {20, 60, 300};
    for (int k = 0; k < MS_COUNT(masses); k++) {
        char settings[32];
        snprintf(settings, sizeof settings, "masses=%d", masses[k]);
        ms_system *system = support_system("mass-chain", settings);
        ms_reference *reference = reference_of(system);
        read_until(reference, 4.0, 100);
        for (int j = 0; j < masses[k]; j++)
            support_near(ms_reference_state(reference)[2 * j], chain_position(masses[k], j + 1, 4.0), 1e-13);
        assert_true(ms_reference_error(reference) < 1e-13);
        ms_reference_destroy(&reference);
        ms_system_destroy(&system);
    }
}

static double allocated(void)
{
    const struct mallinfo2 held = mallinfo2();
    return (double)held.uordblks + (double)held.hblkhd;
}

/* The series has 400 bytes a mass, samples and polynomials have as much; no micro-solver and no subsystem is held. */
static void long_chains_hold_what_the_series_needs(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=2000");
    const double before = allocated();
    ms_reference *reference = reference_of(system);
    read_until(reference, 0.02, 2);
    assert_true(allocated() - before < 2000.0 * 2048.0);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* x' = -x + u, y = x + 0.5 u + w: many of them in a ring, each reading the one before it, move as one that reads itself. */
static void ring_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->B[0] = m->C[0] = m->F[0] = 1.0;
    m->D[0] = 0.5;
}

static void ring_external(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)p, (void)data;
    w[0] = -0.3;
}

static void algebraic_loops_of_many(void **state)
{
    (void)state;
    enum { RING = 300 };
    static ms_subsystem subsystems[RING];
    static ms_wire wires[RING];
    static char name[RING][16];
    double end[2];
    for (int i = 0; i < RING; i++) {
        snprintf(name[i], sizeof name[i], "s%d", i);
        subsystems[i] =
            (ms_subsystem)SUPPORT_SUBSYSTEM(name[i], 1, 1, 1, .nw = 1, .x0 = ones, .matrices = ring_matrices,
                                            .external = ring_external, .external_constant = true);
    }
    for (int k = 0; k < 2; k++) {
        const int n = k == 0 ? 1 : RING;
        for (int i = 0; i < n; i++)
            wires[i] = (ms_wire){i, 0, (i + n - 1) % n, 0, 1.0};
        const ms_model model =
            SUPPORT_MODEL_OF("ring", subsystems, n, wires, n, .stop_time = 1.0, .step_size = 0.1);
        ms_system *system = support_system_of(&model);
        ms_reference *reference = reference_of(system);
        read_until(reference, 2.0, 20);
        end[k] = ms_reference_state(reference)[n - 1];
        ms_reference_destroy(&reference);
        ms_system_destroy(&system);
    }
    support_near(end[1], end[0], 1e-13);
    /* u = 2 (x + w), x' = x + 2 w */
    support_near(end[0], 0.6 + 0.4 * exp(2.0), 1e-13);
}

/* Sliding ------------------------------------------------------------------------------------------------ */

/* x' = -1 above zero, 1 below: from 1 down to zero at t = 1, and no solution from there. */
static int falling_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0] > 0.0 ? -1.0 : 1.0;
    return 0;
}

static const ms_subsystem falling = SUPPORT_SUBSYSTEM("s", 1, 0, 0, .x0 = ones, .f = falling_f);

static void a_solution_that_slides_along_a_jump_ends(void **state)
{
    (void)state;
    const ms_model model = ALONE(falling);
    ms_system *system = support_system_of(&model);
    ms_reference *reference = reference_of(system);
    read_until(reference, 0.9, 3);
    assert_float_equal(ms_reference_state(reference)[0], 0.1, 1e-12);
    assert_int_equal(ms_reference_step(reference, 0.9, 0.2), MS_SPENT);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* There are no pieces to share behind t = 1, and none of its own. */
static void a_shared_one_fails_as_well(void **state)
{
    (void)state;
    const ms_model model = ALONE(falling);
    ms_error error = {""};
    ms_system *system = support_system_of(&model);
    ms_shared_reference *shared = NULL;
    assert_int_equal(ms_shared_reference_create(system, 0.0, 1 << 20, &shared, &error), MS_OK);
    static const double late[] = {0.75};
    const ms_reference_reading reading = {.n = 1, .fractions = late, .shared = shared};
    ms_reference *reference = NULL;
    assert_int_equal(ms_reference_create_reading(system, &reading, &reference, &error), MS_OK);
    read_until(reference, 0.9, 3);
    assert_int_equal(ms_reference_step(reference, 0.9, 0.2), MS_SPENT);
    ms_reference_destroy(&reference);
    ms_shared_reference_destroy(&shared);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stiff_linear_models_go_on_with_exponentials),
                                       cmocka_unit_test(a_solution_that_slides_along_a_jump_ends),
                                       cmocka_unit_test(a_shared_one_fails_as_well),
                                       cmocka_unit_test(kinks_are_found),
                                       cmocka_unit_test(solutions_from_zero_are_read),
                                       cmocka_unit_test(all_read_the_same_bits),
                                       cmocka_unit_test(threads_share_pieces),
                                       cmocka_unit_test(long_steps_take_exponentials),
                                       cmocka_unit_test(uneven_steps_take_exponentials),
                                       cmocka_unit_test(uneven_steps_agree_with_pieces),
                                       cmocka_unit_test(driven_solutions_agree_with_steps),
                                       cmocka_unit_test(pieces_end_at_breakpoints),
                                       cmocka_unit_test(other_systems_do_not_fit),
                                       cmocka_unit_test(long_chains_are_sums_of_modes),
                                       cmocka_unit_test(long_chains_hold_what_the_series_needs),
                                       cmocka_unit_test(algebraic_loops_of_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
