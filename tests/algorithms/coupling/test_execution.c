/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_execution.c - one co-simulation on threads has the bits of the serial one: trajectory, samples, counts of work, and
 * the end of a run whose subsystem fails. tests/command/test_mpi.sh asks the same of ranks. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Everything that a run shows, number after number. */
typedef struct record {
    double *value;
    size_t n, room;
} record;

static void note(record *r, int n, const double *values)
{
    if (r->n + (size_t)n > r->room) {
        r->room = 2 * (r->n + (size_t)n) + 1024;
        r->value = realloc(r->value, sizeof *r->value * r->room);
        assert_non_null(r->value);
    }
    if (n > 0)
        memcpy(r->value + r->n, values, sizeof *values * (size_t)n);
    r->n += (size_t)n;
}

static int note_step(void *self, const ms_cosim *cosim, double t, double h)
{
    record *r = self;
    const ms_system *s = cosim->system;
    note(r, 2, (double[]){t, h});
    note(r, cosim->lin_size, cosim->lin);
    note(r, cosim->aux_size, cosim->aux);
    note(r, s->ny, cosim->y_raw);
    note(r, s->nu, cosim->u_left);
    for (int k = 0; k < cosim->n_segments; k++)
        for (int i = cosim->segment[k].first; i < cosim->segment[k].last; i++) {
            note(r, s->sub[i].nu, cosim->segment[k].u + s->u_at[i]);
            for (int m = 0; m < cosim->n_samples; m++) {
                note(r, s->sub[i].nx, cosim->segment[k].samples + m * s->nx + s->x_at[i]);
                note(r, s->sub[i].nu, cosim->segment[k].inputs + m * s->nu + s->u_at[i]);
            }
        }
    return 0;
}

static int note_attempt(void *self, double t, double h, double estimate, bool accepted)
{
    note(self, 4, (double[]){t, h, estimate, accepted});
    return 0;
}

static void note_end(record *r, const ms_cosim *cosim, const ms_run_result *result)
{
    const ms_system *s = cosim->system;
    note(r, 6,
         (double[]){result->reason, result->end_time, (double)result->macro_steps,
                    (double)result->rejected_steps, (double)result->iterations,
                    (double)result->integrations});
    note(r, s->nx, cosim->x);
    note(r, s->ny, cosim->y_raw);
    note(r, s->nu, cosim->u_left);
    for (int i = 0; i < s->n; i++) {
        const ms_work *w = &cosim->instance[i]->work;
        note(r, 6,
             (double[]){(double)w->micro_steps, (double)w->rhs_evaluations, (double)w->jacobian_evaluations,
                        (double)w->error_test_failures, (double)w->convergence_failures, (double)w->events});
    }
}

/* threads: 0 is serial. */
static ms_run_result run(const ms_system *system, const char *text, int threads, record *r)
{
    static const double fractions[] = {0.25, 0.5, 1.0};
    ms_options options = support_options(text);
    if (threads > 0)
        support_options_add(&options, "execution=parallel");
    options.num_threads = threads;
    ms_cosim *cosim = support_cosim(system, &options);
    const ms_observer observer = {.self = r, .step = note_step, .attempt = note_attempt};
    ms_run_result result;
    ms_error error = {""};
    assert_int_equal(ms_cosim_sample(cosim, MS_COUNT(fractions), fractions), MS_OK);
    if (ms_run(cosim, &observer, 1, NULL, NULL, &result, &error) != MS_OK)
        fail_msg("%s", error.text);
    note_end(r, cosim, &result);
    ms_cosim_destroy(&cosim);
    return result;
}

/* The serial run, and that threads do not differ from it. */
static ms_run_result check(const ms_system *system, const char *text)
{
    static const int threads[] = {1, 2, 4};
    record serial = {0};
    const ms_run_result expected = run(system, text, 0, &serial);
    for (int k = 0; k < MS_COUNT(threads); k++) {
        record other = {0};
        const ms_run_result result = run(system, text, threads[k], &other);
        assert_string_equal(result.message, expected.message);
        if (other.n != serial.n || memcmp(other.value, serial.value, sizeof *serial.value * serial.n) != 0)
            fail_msg("%s %s: %d threads differ from the serial run", system->model->name, text, threads[k]);
        free(other.value);
    }
    free(serial.value);
    return expected;
}

/* Trajectories ------------------------------------------------------------------------------------------- */

static void threads_do_not_change_a_run(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings, *options;
    } runs[] = {
        {"quarter-car", "", "stop-time=0.5"},
        {"quarter-car", "", "stop-time=0.5 extrapolation-order=2 derivatives=analytic outputs=corrected"},
        {"quarter-car", "", "stop-time=0.5 extrapolation-order=1 smooth-coupling as-printed=smoothing"},
        {"quarter-car", "", "extrapolation-order=1 error-controlled=richardson rtol=1e-4"},
        {"linear-pair", "", "extrapolation-order=1 outputs=consistent stop-time=0.5"},
        {"double-pendulum", "", "solver=gsl-rk8pd outputs=corrected extrapolation-order=1 stop-time=0.3"},
        {"double-pendulum", "", "scheme=gauss-seidel solver=cvode-bdf stop-time=0.1"},
        {"example-6.3.1", "", "solver=arkode-erk extrapolation-order=1 stop-time=0.3"},
        {"mass-chain", "masses=5", "stop-time=0.5 extrapolation-order=1 smooth-coupling=c1"},
        {"mass-chain", "masses=5",
         "scheme=gauss-seidel stop-time=0.5 extrapolation-order=2 sequence=mass5,mass3,mass1,mass2,mass4"},
        {"mass-chain", "masses=4", "scheme=balance stop-time=0.5 extrapolation-order=1"},
        {"mass-chain", "masses=4", "scheme=nepce stop-time=0.5"},
        {"mass-chain", "masses=4", "scheme=strang stop-time=0.5"},
        {"quarter-car", "case=bonded", "scheme=jacobi error-controlled=ecco stop-time=0.5"},
        {"quarter-car", "", "as=oms-mav rtol=1e-2 atol=1e-2 stop-time=0.3"},
        {"mass-chain", "masses=4", "as=oms-mav rtol=1e-2 atol=1e-2 mask=mass2:rollback stop-time=0.3"},
        {"mass-chain", "masses=3", "as=fmpy stop-time=0.3"},
        {"mass-chain", "masses=3",
         "scheme=balance stop-time=0.5 balance-hat=triangle solver=rk4 balance-error=used"},
        {"mass-chain", "masses=4",
         "stop-time=0.5 solver=cvode-adams input-change=proceed extrapolation-order=1"},
        {"mass-chain", "masses=4",
         "stop-time=0.5 solver=cvode-bdf input-change=correct-2 extrapolation-order=1"},
        {"spring-mass", "", "scheme=power stop-time=2"},
        {"spring-mass", "",
         "scheme=power extrapolation-order=1 fallback=pointwise fallback-threshold=0.1 stop-time=2 "
         "solver=gsl-rk8pd"},
        {"oscillator-chain", "masses=2", "scheme=power extrapolation-order=1 stop-time=2"},
        {"controlled-car", "", "scheme=f3ornits stop-time=1"},
        {"impact-oscillator", "case=both", "extrapolation-order=1 at-events=drop"},
        {"impact-oscillator", "case=both",
         "extrapolation-order=2 error-controlled=richardson rtol=1e-4 at-events=drop start=hold"},
        {"impact-oscillator", "case=switch",
         "scheme=gauss-seidel extrapolation-order=1 smooth-coupling at-events=drop solver=arkode-erk"},
        {"impact-oscillator", "case=time",
         "scheme=balance extrapolation-order=1 at-events=drop outputs=consistent"},
        {"impact-oscillator", "case=impact", "scheme=ifosmondi solver-nonlinear=anderson"},
        {"impact-oscillator", "case=both",
         "scheme=f3ornits scheduler=asynchronous at-events=drop smooth-coupling=c1"},
        {"impact-oscillator", "case=time", "extrapolation-order=2 at-events=drop at-time-events=communicate"},
        {"impact-oscillator", "case=time",
         "scheme=ifosmondi solver-nonlinear=anderson at-time-events=communicate"},
        {"two-masses-springs-dampers", "", "scheme=f3ornits smooth-coupling=c1 stop-time=5"},
        {"two-masses-springs-dampers", "case=jump change_time=1.234",
         "scheme=f3ornits stop-time=5 at-time-events=communicate"},
        {"two-masses-springs-dampers", "case=jump change_time=1.234",
         "error-controlled=richardson rtol=1e-4 stop-time=3 at-time-events=communicate"},
        {"three-clocks", "", "scheme=f3ornits scheduler=asynchronous"},
        {"three-clocks", "", "scheme=f3ornits scheduler=asynchronous smooth-coupling=c1 solver=cvode-bdf"},
        {"damping-reaction", "", "scheme=ifosmondi solver-nonlinear=newtonls stop-time=1"},
        {"damping-reaction", "", "scheme=ifosmondi solver-nonlinear=ngmres solver=cvode-bdf stop-time=0.3"},
        {"damping-reaction", "", "scheme=zoh-iterative stop-time=0.5"},
        {"lim-oscillator", "case=force-force", "scheme=ifosmondi solver-nonlinear=iqn-imvj stop-time=0.3"},
        {"lim-oscillator", "case=force-force",
         "scheme=zoh-iterative solver-nonlinear=iqn-ils sweep=gauss-seidel stop-time=0.3"},
        {"lim-oscillator", "case=force-force", "scheme=missiles stop-time=0.5"},
        {"double-pendulum", "",
         "scheme=ifosmondi rollback=estimated solver-nonlinear=newtonls solver=rk4 stop-time=0.3"},
        {"lim-oscillator", "case=force-force", "scheme=ijcsa input-degree=2 stop-time=0.5"},
        {"lim-oscillator", "case=force-force",
         "scheme=multirate substeps=right=4,left=2 extrapolation-order=1 stop-time=0.5"},
        {"lim-oscillator", "case=force-force", "as=libcosim substeps=right=4,left=2,element=3 stop-time=0.5"},
        {"lim-oscillator", "case=force-force", "as=maestro rtol=1e-3 atol=1e-3 stop-time=0.5"},
        {"lim-oscillator", "case=force-force", "scheme=tlm delay=0.025 wave-damping=0.1 stop-time=0.5"},
        {"lim-oscillator", "case=force-force", "scheme=tlm solver=cvode-bdf stop-time=0.2"},
        {"lim-oscillator", "case=force-force", "scheme=robin solver-nonlinear=anderson stop-time=0.3"},
        {"double-pendulum", "", "scheme=multirate substeps=3 first=fast solver=rk4 stop-time=0.3"},
        {"lim-oscillator", "case=force-force", "scheme=waveform samples=3 spline-degree=2 stop-time=0.5"},
        {"double-pendulum", "",
         "scheme=waveform samples=2 sweep=gauss-seidel solver-nonlinear=newtonls solver=rk4 stop-time=0.3"},
        {"double-pendulum", "",
         "scheme=ijcsa sensitivities=differences update=slow solver=rk4 stop-time=0.3"},
        {"double-pendulum", "", "scheme=semi-implicit input-degree=3 solver=rk4 stop-time=0.3"},
        {"plate-chain", "plates=2", "scheme=ifosmondi solver-nonlinear=anderson stop-time=0.5"},
        {"plate-chain", "plates=2",
         "scheme=ifosmondi output-derivatives=differences solver-nonlinear=anderson stop-time=0.3"},
    };
    for (int k = 0; k < MS_COUNT(runs); k++) {
        ms_system *system = support_system(runs[k].model, runs[k].settings);
        const ms_run_result result = check(system, runs[k].options);
        if (result.reason != MS_REASON_END_TIME)
            fail_msg("%s %s: %s", runs[k].model, runs[k].options, result.message);
        ms_system_destroy(&system);
    }
}

/* Failures ----------------------------------------------------------------------------------------------- */

static int rise_f(const ms_point *at, double *dx)
{
    dx[0] = 1.0 + at->u[0];
    return 0;
}

/* y is not defined from t = 0.3 on. */
static int ending_g(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    return at->t > 0.3 - 1e-9;
}

static const double ahead[] = {0.1};
static const ms_wire wires[] = {{0, 0, 1, 0, 1.0}, {1, 0, 2, 0, 1.0}, {2, 0, 0, 0, 1.0}};

#define SCALAR(called, right_hand_side, output, start)                                                       \
    SUPPORT_SUBSYSTEM(called, 1, 1, 1, .x0 = start, .f = right_hand_side, .g = output,                       \
                      .feed_through = support_no_feed_through)
#define THREE(array) SUPPORT_MODEL(#array, array, wires, .stop_time = 2.0, .step_size = 0.01)

/* The later of two in the list comes to its wall first; two come to it in the same step; outputs end. */
static const ms_subsystem walls[] = {SCALAR("near", support_wall, support_first_state, NULL),
                                     SCALAR("between", rise_f, support_first_state, NULL),
                                     SCALAR("far", support_wall, support_first_state, ahead)};
static const ms_subsystem twins[] = {SCALAR("free", rise_f, support_first_state, NULL),
                                     SCALAR("first", support_wall, support_first_state, ahead),
                                     SCALAR("second", support_wall, support_first_state, ahead)};
static const ms_subsystem mute[] = {SCALAR("free", rise_f, support_first_state, NULL),
                                    SCALAR("ending", rise_f, ending_g, NULL),
                                    SCALAR("free2", rise_f, support_first_state, NULL)};
static const ms_model walls_model = THREE(walls), twins_model = THREE(twins), mute_model = THREE(mute);

static void expect_failure(const ms_model *model, const char *options, ms_reason reason, double end,
                           const char *who)
{
    ms_system *system = support_system_of(model);
    const ms_run_result result = check(system, options);
    if (result.reason != reason || (who != NULL && strstr(result.message, who) == NULL))
        fail_msg("%s %s: %s, %s", model->name, options, ms_reason_name(result.reason), result.message);
    support_near(result.end_time, end, 0.011);
    ms_system_destroy(&system);
}

static void a_subsystem_that_fails_is_named_by_all_executions(void **state)
{
    (void)state;
    expect_failure(&walls_model, "solver=rk4", MS_REASON_SUBSYSTEM_FAILED, 0.4, "subsystem far ");
    expect_failure(&walls_model, "solver=cvode-bdf scheme=gauss-seidel", MS_REASON_SUBSYSTEM_FAILED, 0.4,
                   "subsystem far ");
    expect_failure(&twins_model, "solver=rk4", MS_REASON_SUBSYSTEM_FAILED, 0.4, "subsystem first ");
    expect_failure(&mute_model, "solver=rk4", MS_REASON_SUBSYSTEM_FAILED, 0.29,
                   "outputs of subsystem ending ");
    expect_failure(&twins_model, "solver=rk4 error-controlled", MS_REASON_STEP_SIZE_UNDERFLOW, 0.4, NULL);
}

/* Choices ------------------------------------------------------------------------------------------------ */

static void within_a_parallel_region_a_run_stays_on_its_thread(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=3");
    record serial = {0}, inner[2] = {{0}, {0}};
    run(system, "stop-time=0.2", 0, &serial);
#pragma omp parallel for num_threads(2)
    for (int k = 0; k < 2; k++)
        run(system, "stop-time=0.2", 4, &inner[k]);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(inner[k].n, serial.n);
        assert_memory_equal(inner[k].value, serial.value, sizeof *serial.value * serial.n);
        free(inner[k].value);
    }
    free(serial.value);
    ms_system_destroy(&system);
}

static void ranks_that_nobody_started_are_refused(void **state)
{
    (void)state;
    char line[512];
    ms_system *system = support_system("quarter-car", "");
    const ms_options options = support_options("execution=mpi");
    assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_UNSUPPORTED);
#ifdef MS_HAVE_MPI
    assert_non_null(strstr(line, "mpirun -n 2"));
#else
    assert_non_null(strstr(line, "without MPI"));
#endif
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_change_a_run),
                                       cmocka_unit_test(a_subsystem_that_fails_is_named_by_all_executions),
                                       cmocka_unit_test(within_a_parallel_region_a_run_stays_on_its_thread),
                                       cmocka_unit_test(ranks_that_nobody_started_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
