/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_refused_memory.c - each allocation of each scheme, probe, formula and analysis refused in turn: that is said, and nothing else happens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/cosim_create.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include <macrostep/region.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "allocations.h"
#include "growth.h"
#include "scheme_families.h"
#include "step_control.h"
#include "stepping.h"
#include "support.h"
#include "unit_test.h"

static const struct {
    const char *model, *settings, *options;
} runs[] = {
    {"linear-pair", "", "scheme=jacobi extrapolation-order=2 smooth-coupling=c1"},
    {"linear-pair", "", "scheme=gauss-seidel extrapolation-order=1 outputs=consistent"},
    {"linear-pair", "", "scheme=jacobi extrapolation-order=1 outputs=corrected"},
    {"linear-pair", "", "scheme=balance extrapolation-order=1"},
    {"impact-oscillator", "case=none", "extrapolation-order=2 at-events=drop solver=rk4"},
    {"quarter-car", "case=bonded", "scheme=nepce"},
    {"quarter-car", "case=bonded", "error-controlled=ecco"},
    {"quarter-car", "", "error-controlled=richardson"},
    {"quarter-car", "", "scheme=stabilised"},
    {"quarter-car", "", "scheme=strang"},
    {"quarter-car", "", "scheme=f3ornits"},
    {"quarter-car", "", "scheme=f3ornits scheduler=asynchronous"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=newtonls backend=native"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=anderson backend=native"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=ngmres"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=aitken preconditioner=residual-sum"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=iqn-ils"},
    {"quarter-car", "", "scheme=ifosmondi solver-nonlinear=iqn-imvj"},
    {"quarter-car", "", "scheme=waveform samples=2 spline-degree=2"},
    {"quarter-car", "", "scheme=ijcsa"},
    {"mass-spring-damper", "", "scheme=semi-implicit error-controlled=predictor-corrector"},
    {"quarter-car", "", "scheme=multirate substeps=wheel=4 extrapolation-order=1"},
    {"quarter-car", "", "scheme=multirate points=common substeps=wheel=4"},
    {"spring-mass", "", "scheme=power extrapolation-order=1 solver=rk4"},
    {"lim-oscillator", "case=force-force", "scheme=tlm wave-damping=0.1"},
    {"lim-oscillator", "case=force-force", "scheme=robin"},
};

/* What is made of a system and options, and thrown away. */
typedef int made(const ms_system *system, const ms_options *options, ms_error *error);

static int make_cosim(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_cosim *cosim = NULL;
    const int status = ms_cosim_of_options(system, options, &cosim, error);
    assert_true((cosim == NULL) == (status != MS_OK));
    ms_cosim_destroy(&cosim);
    return status;
}

static int make_probe(const ms_system *system, const ms_options *options, ms_error *error)
{
    double *psi = NULL;
    int n;
    const int status = ms_propagation_probe(system, options, 0.01, &n, &psi, error);
    assert_true((psi == NULL) == (status != MS_OK));
    free(psi);
    return status;
}

static int make_formula(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_analytic_propagation *formula = NULL;
    const int status = ms_analytic_propagation_create(system, options, &formula, error);
    assert_true((formula == NULL) == (status != MS_OK));
    ms_analytic_propagation_destroy(&formula);
    return status;
}

static int make_control(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_cosim *cosim = NULL;
    ms_step_control *control = NULL;
    int status = ms_cosim_of_options(system, options, &cosim, error);
    if (status == MS_OK)
        status = ms_step_control_create(cosim, &control, error);
    assert_true((control == NULL) == (status != MS_OK));
    ms_step_control_destroy(&control); /* NULL as well */
    assert_null(control);
    ms_cosim_destroy(&cosim);
    return status;
}

static int make_growth(const ms_system *system, const ms_options *options, ms_error *error)
{
    const ms_growth_options request = {
        .shortest = 8, .longest = 16, .stepped = 16, .tolerance = 1e-3, .seed = 1};
    ms_growth growth;
    return ms_growth_observe(system, options, 0.01, &request, &growth, error);
}

/* A run with errors against its reference, which has other ways where there is no memory for the shorter one: then the errors are
 * the same. */
static double largest; /* error of the run with all memory; 0: not known yet */

static int make_simulation(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_simulation run = {0};
    const int status = ms_simulation_run(
        system, options, &(ms_simulation_options){.errors = true, .trajectory = true}, &run, error);
    if (status != MS_OK)
        return status;
    if (largest == 0.0)
        largest = run.errors.max;
    assert_true(largest > 0.0 && isfinite(largest));
    support_near(run.errors.max, largest, 1e-9 * largest);
    ms_simulation_destroy(&run);
    return MS_OK;
}

/* How many allocations there are; -1: it cannot be made of this system, whatever memory there is. */
static long allocations_of(made *make, const ms_system *system, const ms_options *options)
{
    ms_error error = {""};
    if (make(system, options, &error) != MS_OK) { /* the first time, with what is made once and for all */
        if (make == make_cosim)
            fail_msg("%s", error.text);
        return -1;
    }
    ms_allocations_count(true);
    const int status = make(system, options, &error);
    const long n = ms_allocations_count(false);
    assert_int_equal(status, MS_OK);
    return n;
}

/* Returns how many were refused. */
static long refuse_each(made *make, const ms_system *system, const ms_options *options, const char *text)
{
    const long n = allocations_of(make, system, options);
    for (long k = 1; k <= n; k++) {
        ms_error error = {""};
        ms_allocations_refuse(k);
        const int status = make(system, options, &error);
        ms_allocations_refuse(0);
        if (status != MS_NO_MEMORY && !(status == MS_OK && make == make_simulation))
            fail_msg("%s, allocation %ld of %ld: status %d: %s", text, k, n, status, error.text);
    }
    return n;
}

static made *const makes[] = {make_cosim, make_probe, make_formula, make_control, make_growth};
static long refused[MS_COUNT(makes)];

static void refuse_all(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    for (int k = 0; k < MS_COUNT(makes); k++) {
        const long n = refuse_each(makes[k], system, &options, text);
        refused[k] += n > 0 ? n : 0;
    }
}

static void every_refusal_is_said(void **state)
{
    (void)state;
    memset(refused, 0, sizeof refused);
    for (int r = 0; r < MS_COUNT(runs); r++) {
        ms_system *system = support_system(runs[r].model, runs[r].settings);
        char text[256];
        snprintf(text, sizeof text, "solver=exact %s", runs[r].options); /* no SUNDIALS */
        system->homogeneous = true;                                      /* which growth is asked of */
        refuse_all(system, text);
        ms_system_destroy(&system);
    }
    assert_true(refused[1] > 100 && refused[2] > 50 && refused[4] > 100);
}

static void refuse_family(const ms_system *system, const ms_scheme *scheme, const char *text)
{
    (void)scheme;
    refuse_all(system, text);
}

static void every_refusal_is_said_in_every_family(void **state)
{
    (void)state;
    support_families("solver=rk4", refuse_family);
}

/* Analyses -------------------------------------------------------------------------------------------------- */

enum { MOST = 16 };

static int make_jacobians(const ms_system *system, const ms_options *options, ms_error *error)
{
    double x[MOST], u[MOST], DL[MOST * MOST], A[MOST * MOST];
    (void)options;
    assert_true(system->nx <= MOST && system->nu <= MOST && system->ny <= MOST);
    int status = ms_linearisation_start(system, x, u, error);
    if (status == MS_OK)
        status = ms_linearisation_loop(system, 0.0, x, u, DL, error);
    return status == MS_OK ? ms_linearisation_monolithic(system, 0.0, x, A, error) : status;
}

static int make_linear(const ms_system *system, const ms_options *options, ms_error *error)
{
    double x[MOST];
    ms_system *linear = NULL;
    (void)options;
    ms_system_start(system, x);
    int status = ms_linearisation_equilibrium(system, 0.0, x, error);
    if (status == MS_OK)
        status = ms_linearisation_system(system, 0.0, x, &linear, error);
    assert_true((linear == NULL) == (status != MS_OK));
    ms_system_destroy(&linear);
    return status;
}

static int circle(void *context, double x, double y, double *value, ms_error *error)
{
    (void)context, (void)error;
    *value = x * x + y * y;
    return MS_OK;
}

/* The unit circle, on one thread. */
static int make_curve(const ms_system *system, const ms_options *options, ms_error *error)
{
    static const double node[] = {-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0};
    const ms_region_grid grid = {MS_COUNT(node), MS_COUNT(node), node, node};
    ms_boundary boundary = {0};
    (void)system, (void)options;
    const int status = ms_region_trace(&(ms_field){.value = circle}, &grid, 1.0, 1e-6, NULL,
                                       &(ms_effort){.threads = 1}, &boundary, error);
    assert_true((boundary.n == 1) == (status == MS_OK));
    ms_boundary_destroy(&boundary);
    return status;
}

static void every_refusal_of_an_analysis_is_said(void **state)
{
    static const struct {
        made *make;
        const char *model, *options;
    } analyses[] = {{make_simulation, "quarter-car", "solver=exact stop-time=0.02"},
                    {make_simulation, "linear-pair", "solver=rk4 stop-time=0.02"},
                    {make_jacobians, "quarter-car", ""},
                    {make_linear, "quarter-car", ""},
                    {make_curve, "linear-pair", ""}};
    (void)state;
    for (int k = 0; k < MS_COUNT(analyses); k++) {
        ms_system *system = support_system(analyses[k].model, "");
        const ms_options options = support_options(analyses[k].options);
        largest = 0.0;
        assert_true(refuse_each(analyses[k].make, system, &options, analyses[k].model) > 3);
        ms_system_destroy(&system);
    }
}

/* Subsystems that bring their own solvers. */
static void every_refusal_of_steppers_is_said(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    support_stepping stepping = {.inner = system, .only = -1, .can = support_stepping_all};
    ms_system *wrapped = support_stepping_system(&stepping);
    const ms_options options = support_options("scheme=zoh-iterative solver=exact");
    assert_true(refuse_each(make_cosim, wrapped, &options, "steppers") > 10);
    ms_system_destroy(&wrapped);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_is_said),
        cmocka_unit_test(every_refusal_is_said_in_every_family),
        cmocka_unit_test(every_refusal_of_an_analysis_is_said),
        cmocka_unit_test(every_refusal_of_steppers_is_said),
    };
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
