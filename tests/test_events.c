/* test_events.c - state, time and step events of one subsystem, in every solver that stops at events, against
 * closed forms and against CVODE's own root finding. */
#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmocka.h>

#include "allocations.h"
#include "event_models.h"
#include "hybrid.h"
#include "solver_bench.h"

static const ms_solver_options finer = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 512},
                               coarser = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 512};

/* With the finer ones the first-order one would take more micro-steps than a piece may have. */
static const ms_solver_options *usual_of(const ms_solver *solver)
{
    return solver_slope(solver) > 0.5 ? &finer : &coarser;
}

#define FOR_ALL_WITH_EVENTS(solver)                                                                          \
    for (const ms_solver *const *at_##solver = ms_solvers, *solver; (solver = *at_##solver) != NULL;         \
         at_##solver++)                                                                                      \
        if (solver->events)

/* What a solution of order 1 over some seconds may miss, with events on the way. */
static double tolerance_of(const ms_solver *solver)
{
    return solver->adaptive ? 2000.0 * pow(usual_of(solver)->rtol, solver_slope(solver)) : solver->order == 1 ? 0.3 : 1e-4;
}

/* Times of events, as the watch sees them. */
enum { LOG = 64 };
typedef struct event_log {
    int n;
    double t[LOG];
    bool falling_only;
} event_log;

static void write_log(void *self, double t, const ms_event *event)
{
    event_log *log = self;
    if (log->falling_only && !(event->state && event->crossed[0] < 0))
        return;
    assert_true(log->n < LOG);
    log->t[log->n++] = t;
}

static void watch(workbench *bench, event_log *log)
{
    bench->instance->watch = (ms_watch){.self = log, .event = write_log};
}

static workbench *make_event(int subsystem, const ms_solver *solver)
{
    return make_of(&event_model, subsystem, solver, usual_of(solver));
}

/* Macro-steps of length h from 0. */
static void run(workbench *bench, int steps, double h)
{
    for (int n = 0; n < steps; n++) {
        feed(bench, h, 0);
        advance(bench, n * h, h);
    }
}

static void assert_close(const ms_solver *solver, const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%s: %s is %.17g, not %.17g (tolerance %g)", solver->name, what, value, expected, tolerance);
}

/* State events ------------------------------------------------------------------------------------------- */

/* Impacts and states of the ball; macro-steps so long that two impacts are in one, and that it rises and falls
 * within one. */
static void check_ball(int ball, const ms_solver *solver, int steps, double h)
{
    event_log log = {.falling_only = true};
    double height, velocity;
    workbench *bench = make_event(ball, solver);
    watch(bench, &log);
    run(bench, steps, h);
    ball_exact(steps * h, &height, &velocity);
    if (log.n != 5)
        fail_msg("%s sees %d impacts in %d steps", solver->name, log.n, steps);
    for (int k = 0; k < log.n; k++)
        assert_close(solver, "the time of an impact", log.t[k], ball_impact(k), tolerance_of(solver));
    assert_close(solver, "the height", bench->x[0], height, 10.0 * tolerance_of(solver));
    assert_close(solver, "the velocity", bench->x[1], velocity, 10.0 * tolerance_of(solver));
    drop(bench);
}

static void test_ball(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        check_ball(BALL, solver, 30, 0.1);
        check_ball(BALL, solver, 2, 1.5);
        check_ball(LINEAR_BALL, solver, 6, 0.5); /* the first impact is at the end of the first macro-step */
        check_ball(BALL, solver, 1, 3.0);
    }
}

/* One micro-step a macro-step: the parabola is exact, and from the floor back to the floor is one micro-step. */
static void test_rise_and_fall(void **state)
{
    (void)state;
    const ms_solver_options one = {.micro_steps = 1};
    event_log log = {.falling_only = true};
    workbench *bench = make_of(&event_model, BALL, ms_solver_find("rk4"), &one);
    watch(bench, &log);
    bench->x[0] = 0.0;
    bench->x[1] = 5.0; /* falls back at 1 */
    feed(bench, 1.2, 0);
    advance(bench, 0.0, 1.2);
    assert_int_equal(log.n, 1);
    assert_true(fabs(log.t[0] - 1.0) < 1e-14);
    drop(bench);
    bench = make_of(&event_model, BALL, ms_solver_find("rk4"), &one);
    log.n = 0;
    watch(bench, &log);
    feed(bench, 1.5, 0); /* falls at 0.5, and the rest of the step is longer than the flight until 1.3 */
    advance(bench, 0.0, 1.5);
    assert_int_equal(log.n, 2);
    assert_true(fabs(log.t[0] - 0.5) < 1e-14 && fabs(log.t[1] - 1.3) < 1e-13);
    drop(bench);
}

/* Times at which CVODE's own root finding sees the indicator of ANGLE change its sign. */
static int reference_rhs(realtype t, N_Vector x, N_Vector dx, void *data)
{
    (void)t, (void)data;
    NV_Ith_S(dx, 0) = NV_Ith_S(x, 1);
    NV_Ith_S(dx, 1) = -9.81 * sin(NV_Ith_S(x, 0));
    return 0;
}

static int reference_root(realtype t, N_Vector x, realtype *r, void *data)
{
    (void)t, (void)data;
    r[0] = 0.5 - cos(NV_Ith_S(x, 0));
    return 0;
}

static int reference_roots(double end, double *roots)
{
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector x = N_VNew_Serial(2, context);
    SUNMatrix J = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver linear = SUNLinSol_Dense(x, J, context);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    NV_Ith_S(x, 0) = 1.5707963267948966;
    NV_Ith_S(x, 1) = 0.0;
    assert_int_equal(CVodeInit(cvode, reference_rhs, 0.0, x), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(cvode, 1e-13, 1e-14), CV_SUCCESS);
    assert_int_equal(CVodeSetLinearSolver(cvode, linear, J), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxNumSteps(cvode, 100000), CV_SUCCESS);
    assert_int_equal(CVodeRootInit(cvode, 1, reference_root), CV_SUCCESS);
    int n = 0, code;
    double t = 0.0;
    while ((code = CVode(cvode, end, x, &t, CV_NORMAL)) == CV_ROOT_RETURN && n < LOG)
        roots[n++] = t;
    assert_int_equal(code, CV_SUCCESS);
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return n;
}

static void test_against_cvode(void **state)
{
    (void)state;
    double roots[LOG];
    const int n = reference_roots(4.0, roots);
    assert_int_equal(n, 7); /* two a half swing */
    FOR_ALL_WITH_EVENTS (solver) {
        event_log log = {0};
        workbench *bench = make_of(&pendulum_model, ANGLE, solver, usual_of(solver));
        watch(bench, &log);
        run(bench, 20, 0.2);
        assert_int_equal(log.n, n);
        for (int k = 0; k < n; k++)
            assert_close(solver, "the time of a root", log.t[k], roots[k], tolerance_of(solver));
        drop(bench);
    }
}

/* Indicators with the same root are one event, those with another are another. */
static void test_simultaneous(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        event_log log = {0};
        workbench *bench = make_event(CONTACTS, solver);
        watch(bench, &log);
        run(bench, 2, 0.5);
        assert_int_equal(log.n, 2);
        assert_close(solver, "the first root", log.t[0], 0.25, 1e-13);
        assert_close(solver, "the common root", log.t[1], 0.35, 1e-13);
        const double seen_crossings[] = {1.0 + 10.0 - 1.0, 1.0, 10.0, 2.0};
        assert_memory_equal(bench->z + 0, seen_crossings + 0, sizeof(double));
        for (int k = 1; k < 4; k++)
            assert_true(bench->z[k] == seen_crossings[k]);
        drop(bench);
    }
}

/* An indicator that jumps with a held input, and one that crosses with a line in time, on two pieces. */
static void test_inputs(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        event_log log = {0};
        workbench *bench = make_event(RELAY, solver);
        watch(bench, &log);
        for (int n = 0; n < 6; n++) { /* u = 0, 0, 1, 1, 0, 0 */
            feed(bench, 0.25, 0);
            ms_input_coefficients(&bench->instance->input, 0, 0)[0] = n == 2 || n == 3;
            advance(bench, n * 0.25, 0.25);
        }
        assert_int_equal(log.n, 2);
        assert_true(log.t[0] == 0.5 && log.t[1] == 1.0);
        double x = -1.0 + exp(-0.5);
        x = 1.0 + (x - 1.0) * exp(-0.5);
        x = -1.0 + (x + 1.0) * exp(-0.5);
        assert_close(solver, "the state", bench->x[0], x, tolerance_of(solver));

        ms_input *input = &bench->instance->input; /* u = 2 s - 0.1, then 0.7 - s / 2 */
        input->degree = 1;
        input->pieces = 2;
        input->end[0] = 0.4;
        input->end[1] = 1.0;
        ms_input_coefficients(input, 0, 0)[0] = -0.1;
        ms_input_coefficients(input, 0, 1)[0] = 2.0;
        ms_input_coefficients(input, 1, 0)[0] = 0.7;
        ms_input_coefficients(input, 1, 1)[0] = -0.5;
        log.n = 0;
        advance(bench, 1.5, 1.0);
        assert_int_equal(log.n, 2);
        assert_close(solver, "the rising line", log.t[0], 1.8, 1e-13);
        assert_close(solver, "the falling line", log.t[1], 2.3, 1e-13);
        drop(bench);
    }
}

/* Time events -------------------------------------------------------------------------------------------- */

/* After 0.1 k [s] the triangular wave stands at 0 or 0.1 and z has changed its sign, whatever the round-off in the
 * times of macro-steps; with H = 0.25 events lie inside. */
static void test_time_events(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver)
        for (int model = PULSES; model <= ALARMS; model++) {
            event_log log = {0};
            double sum = 0.0;
            workbench *product = make_event(model, solver), *summed = make_event(model, solver);
            workbench *inside = make_event(model, solver);
            watch(inside, &log);
            for (int n = 0; n < 30; n++, sum += 0.1) {
                feed(product, 0.1, 0);
                feed(summed, 0.1, 0);
                advance(product, n * 0.1, 0.1);
                advance(summed, sum, 0.1);
                const double x = n % 2 == 0 ? 0.1 : 0.0, z = n % 2 == 0 ? -1.0 : 1.0;
                assert_close(solver, "x", product->x[0], x, 1e-12);
                assert_close(solver, "x of summed times", summed->x[0], x, 1e-12);
                assert_true(product->z[0] == z && summed->z[0] == z);
            }
            run(inside, 5, 0.25);
            assert_close(solver, "x with events inside", inside->x[0], 0.05, 1e-12);
            assert_int_equal(log.n, 12);
            for (int k = 0; k < log.n; k++)
                assert_true(log.t[k] == (k + 1) / 10.0);
            drop(product);
            drop(summed);
            drop(inside);
        }
}

static void test_step_events(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        workbench *bench = make_event(STEPS, solver);
        run(bench, 3, 0.2);
        assert_true(bench->z[0] == fmin(10.0, (double)bench->instance->work.micro_steps));
        assert_true(bench->z[0] == (double)bench->instance->work.events);
        assert_close(solver, "the state", bench->x[0], exp(-0.6), tolerance_of(solver));
        drop(bench);
    }
}

/* Mere breakpoints of the external input of a linear subsystem: `exact` too. */
static void test_breakpoints(void **state)
{
    (void)state;
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        for (int steps = 1; steps <= 3; steps++) {
            const double tolerance = (*solver)->linear_only ? 1e-14 : tolerance_of(*solver);
            const double h = 0.9 / steps, at = 0.4 / 0.9;
            workbench *bench = make_event(BROKEN_W, *solver);
            bench->instance->n_samples = steps == 1;
            bench->instance->sample_at[0] = at;
            run(bench, steps, h);
            assert_close(*solver, "the state", bench->x[0], (1.0 - exp(-0.25)) * exp(-0.35), tolerance);
            if (steps == 1)
                assert_close(*solver, "a sample", bench->instance->samples[0], 1.0 - exp(-0.1), tolerance);
            assert_int_equal(bench->instance->work.events, 0);
            drop(bench);
        }
}

/* A subsystem without states, with its output integrated: z = 1 from u = 0 at 0.2 on, 101 from 0.25, 201 from
 * 0.75, and one more where u jumps back. */
static void test_without_states(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        ms_solver_options options = *usual_of(solver);
        options.integrals = true;
        workbench *bench = make_of(&event_model, COUNTER, solver, &options);
        ms_input *input = &bench->instance->input; /* u = s - 0.2 */
        feed(bench, 1.0, 1);
        ms_input_coefficients(input, 0, 0)[0] = -0.2;
        ms_input_coefficients(input, 0, 1)[0] = 1.0;
        bench->instance->n_samples = 1;
        bench->instance->sample_at[0] = 0.5;
        advance(bench, 0.0, 1.0);
        assert_true(bench->z[0] == 201.0);
        assert_close(solver, "the integral", *ms_instance_integrals(bench->instance),
                     0.05 * 1.0 + 0.5 * 101.0 + 0.25 * 201.0, 1e-13);
        assert_close(solver, "a sample of it", bench->instance->samples[0], 0.05 * 1.0 + 0.25 * 101.0, 1e-13);
        feed(bench, 0.2, 0);
        ms_input_coefficients(input, 0, 0)[0] = -1.0;
        advance(bench, 1.0, 0.2);
        assert_true(bench->z[0] == 202.0);
        drop(bench);
    }
}

/* Samples, integrals, rollback --------------------------------------------------------------------------- */

/* Samples on both sides of impacts, and the integral of the velocity, which is the height. */
static void test_samples(void **state)
{
    (void)state;
    static const double at[] = {0.1, 0.3, 0.5, 0.9, 1.0};
    FOR_ALL_WITH_EVENTS (solver) {
        ms_solver_options options = *usual_of(solver);
        options.integrals = true;
        workbench *bench = make_of(&event_model, BALL, solver, &options);
        const int n = bench->instance->n_state;
        bench->instance->n_samples = MS_COUNT(at);
        memcpy(bench->instance->sample_at, at, sizeof at);
        double height, velocity, integral = 1.25;
        for (int step = 0; step < 2; step++) {
            for (int k = 0; k < MS_COUNT(at) * n; k++)
                bench->instance->samples[k] = NAN;
            feed(bench, 1.4, 0);
            advance(bench, 1.4 * step, 1.4);
            for (int k = 0; k < MS_COUNT(at); k++) {
                const double *sample = bench->instance->samples + k * n;
                ball_exact(1.4 * (step + at[k]), &height, &velocity);
                assert_close(solver, "a height", sample[0], height, 10.0 * tolerance_of(solver));
                assert_close(solver, "a velocity", sample[1], velocity, 10.0 * tolerance_of(solver));
                assert_close(solver, "an integral", integral + sample[2], height, 10.0 * tolerance_of(solver));
            }
            assert_memory_equal(bench->x, bench->instance->samples + (MS_COUNT(at) - 1) * n, sizeof(double) * 2);
            integral += *ms_instance_integrals(bench->instance);
        }
        drop(bench);
    }
}

/* Samples change nothing; a sample at a time event is a right limit. */
static void test_sample_at_event(void **state)
{
    (void)state;
    static const double at[] = {0.25, 0.5, 0.75, 1.0};
    FOR_ALL_WITH_EVENTS (solver) {
        workbench *with = make_event(BALL, solver), *without = make_event(BALL, solver);
        with->instance->n_samples = MS_COUNT(at);
        memcpy(with->instance->sample_at, at, sizeof at);
        for (int n = 0; n < 2; n++) {
            feed(with, 1.0, 0);
            feed(without, 1.0, 0);
            advance(with, n, 1.0);
            advance(without, n, 1.0);
            assert_memory_equal(with->x, without->x, sizeof with->x);
            assert_memory_equal(with->z, without->z, sizeof with->z);
            assert_memory_equal(with->memory, without->memory, sizeof with->memory);
        }
        drop(with);
        drop(without);
    }
}

/* The same bits after a restore, in the instance that went on meanwhile and in a fresh one. */
static void check_rollback(const ms_model *of, int subsystem, const ms_solver *solver, double h)
{
    workbench *bench = make_of(of, subsystem, solver, usual_of(solver)), *fresh = make_of(of, subsystem, solver, usual_of(solver));
    const size_t nz = sizeof bench->z;
    for (int n = 0; n < 6; n++) {
        const workbench saved = *bench;
        workbench *of_both[2] = {bench, fresh};
        feed(bench, h, 1);
        advance(bench, n * h, h);
        const workbench after = *bench;
        feed(bench, 0.6 * h, 0); /* astray */
        advance(bench, (n + 1) * h, 0.6 * h);
        for (int k = 0; k < 2; k++) {
            memcpy(of_both[k]->x, saved.x, sizeof saved.x);
            memcpy(of_both[k]->z, saved.z, nz);
            memcpy(of_both[k]->memory, saved.memory, sizeof saved.memory);
            feed(of_both[k], h, 1);
            advance(of_both[k], n * h, h);
            assert_memory_equal(of_both[k]->x, after.x, sizeof after.x);
            assert_memory_equal(of_both[k]->z, after.z, nz);
            assert_memory_equal(of_both[k]->memory, after.memory, sizeof after.memory);
        }
    }
    drop(bench);
    drop(fresh);
}

static void test_rollback(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        check_rollback(&event_model, BALL, solver, 0.45);
        check_rollback(&event_model, ALARMS, solver, 0.1);
        check_rollback(&event_model, RELAY, solver, 0.4);
        check_rollback(&event_model, COUNTER, solver, 0.4);
        check_rollback(&pendulum_model, ANGLE, solver, 0.3);
        if (solver->residuals)
            check_rollback(&pendulum_model, CARTESIAN, solver, 0.3);
    }
}

static long allocated_by(workbench *bench, double t, double h)
{
    feed(bench, h, 0);
    allocations_count(true);
    const int status = ms_instance_step(bench->instance, t, h);
    const long made = allocations_count(false);
    assert_int_equal(status, MS_OK);
    return made;
}

static void test_allocation(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        if (strncmp(solver->name, "gsl", 3) == 0 && solver_implicit(solver))
            continue; /* GSL's LU decomposition allocates */
        workbench *bench = make_event(BALL, solver);
        advance(bench, 0.0, 0.2); /* SUNDIALS clones vectors in the first step ever */
        for (int n = 1; n < 10; n++)
            if (allocated_by(bench, 0.2 * n, 0.2) > 0)
                fail_msg("%s allocates in macro-step %d", solver->name, n);
        drop(bench);
    }
}

/* Failures ----------------------------------------------------------------------------------------------- */

static void test_failures(void **state)
{
    (void)state;
    FOR_ALL_WITH_EVENTS (solver) {
        workbench *sliding = make_event(SLIDING, solver), *stuck = make_event(STUCK, solver);
        feed(sliding, 2.0, 0);
        if (ms_instance_step(sliding->instance, 0.0, 2.0) != MS_SOLVER_FAILED)
            fail_msg("%s does not fail", solver->name);
        const char *why = sliding->instance->hybrid->failure;
        if (why == NULL || strstr(why, "chattering") == NULL)
            fail_msg("%s fails because %s", solver->name, why != NULL ? why : "of itself");
        feed(stuck, 2.0, 0);
        assert_int_equal(ms_instance_step(stuck->instance, 0.0, 2.0), MS_SOLVER_FAILED);
        assert_non_null(strstr(stuck->instance->hybrid->failure, "time event"));
        drop(sliding);
        drop(stuck);
    }
}

static void refuse(const ms_model *of, int subsystem, const ms_solver *solver, const char *text)
{
    ms_error error = {""};
    ms_system *system;
    ms_instance *instance;
    double x[STATES] = {0.0}, z[STATES] = {0.0}, memory[4] = {0.0};
    assert_int_equal(ms_system_create(of, NULL, NULL, 0, &system, &error), MS_OK);
    assert_int_equal(ms_instance_create(system, subsystem, solver, &finer, x, z, memory, &instance, &error),
                     MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, solver->name));
    assert_non_null(strstr(error.text, text));
    ms_system_destroy(&system);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse(&event_model, LINEAR_BALL, ms_solver_find("exact"), "events");
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        if (!(*solver)->residuals && !(*solver)->linear_only)
            refuse(&pendulum_model, CARTESIAN, *solver, "ida");
}

/* Stiff, and differential-algebraic ---------------------------------------------------------------------- */

/* x = (K^2 cos t + K sin t) / (1 + K^2) + c e^-K t for x' = -K (x - cos t). */
static double fast_exact(double t)
{
    const double K = 1000.0, scale = 1.0 / (1.0 + K * K);
    return (K * K * cos(t) + K * sin(t)) * scale + (1.0 - K * K * scale) * exp(-K * t);
}

static void test_stiff(void **state)
{
    (void)state;
    double low = 0.5, high = 0.8; /* of the root of x = 0.8, by bisection */
    while (high - low > 4.0 * DBL_EPSILON) {
        const double middle = 0.5 * (low + high);
        if (fast_exact(middle) > 0.8)
            low = middle;
        else
            high = middle;
    }
    FOR_ALL_WITH_EVENTS (solver) {
        if (!solver_implicit(solver))
            continue;
        workbench *bench = make_event(FAST, solver);
        run(bench, 4, 0.25);
        assert_true(bench->z[0] == 1.0);
        assert_close(solver, "the time of the event", bench->z[1], high, tolerance_of(solver));
        assert_close(solver, "the state", bench->x[0], fast_exact(1.0), tolerance_of(solver));
        drop(bench);
    }
}

/* The pendulum of index 1 against its angle: states, the algebraic variable, events; from a wrong start value of
 * lambda, in each macro-step anew and going on. */
static void test_algebraic(void **state)
{
    (void)state;
    double roots[LOG];
    const int n = reference_roots(2.0, roots);
    for (int change = MS_INPUT_RESTART; change <= MS_INPUT_PROCEED; change++) {
        ms_solver_options options = {.rtol = 1e-9, .atol = 1e-9, .input_change = (ms_input_change)change};
        event_log log = {0};
        workbench *bench = make_of(&pendulum_model, CARTESIAN, ms_solver_find("ida"), &options);
        options = (ms_solver_options){.rtol = 1e-12, .atol = 1e-12};
        workbench *angle = make_of(&pendulum_model, ANGLE, ms_solver_find("gsl-rk8pd"), &options);
        assert_int_equal(bench->instance->can.output_derivatives, 0);
        watch(bench, &log);
        for (int k = 0; k < 10; k++) {
            feed(bench, 0.2, 0);
            feed(angle, 0.2, 0);
            advance(bench, 0.2 * k, 0.2);
            advance(angle, 0.2 * k, 0.2);
            const double theta = angle->x[0], omega = angle->x[1];
            const double expected[5] = {sin(theta), -cos(theta), omega * cos(theta), omega * sin(theta),
                                        omega * omega + 9.81 * cos(theta)};
            for (int i = 0; i < 5; i++)
                assert_close(bench->instance->solver, "a variable", bench->x[i], expected[i], 1e-6);
        }
        assert_int_equal(log.n, n);
        for (int k = 0; k < n; k++)
            assert_close(bench->instance->solver, "the time of a root", log.t[k], roots[k], 1e-6);
        assert_true(bench->instance->work.jacobian_evaluations > 0);
        drop(bench);
        drop(angle);
    }
}

int main(void)
{
    allocations_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),           cmocka_unit_test(test_rise_and_fall),
        cmocka_unit_test(test_against_cvode),  cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_inputs),         cmocka_unit_test(test_time_events),
        cmocka_unit_test(test_step_events),    cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_without_states), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_sample_at_event), cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_allocation),     cmocka_unit_test(test_failures),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_algebraic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
