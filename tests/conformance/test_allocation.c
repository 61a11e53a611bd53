/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_allocation.c - nothing is allocated in a macro-step (allocations.h says what is counted): from the
 * first one on by the project's own code and GSL, from the second on by SUNDIALS, which clones vectors and
 * the Jacobian when an integrator takes its first step ever. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/solver_registry.h>
#include "allocations.h"
#include "scheme_families.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

enum { MACRO_STEPS = 6 };

/* The coming macro-step: of two lengths, or as the scheme plans it. */
static double step_length(const ms_cosim *cosim, double t, double H, int n)
{
    if (cosim->scheme->next_time != NULL)
        return cosim->scheme->next_time(cosim) - t;
    return n % 4 == 3 ? 0.5 * H : H;
}

/* Allocations in MACRO_STEPS steps after the first `skipped` ones, and in a save and a restore. gives_up: it may
 * (support_families_stepped). */
static long allocations_of(const ms_system *system, const char *text, double H, int skipped, bool gives_up)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    double *saved = malloc(sizeof(double) * ms_cosim_state_size(cosim));
    assert_non_null(saved);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    int status = MS_OK;
    double t = cosim->variant.start_time;
    long made = 0;
    for (int n = 0; n < skipped + MACRO_STEPS && status == MS_OK; n++) {
        ms_allocations_count(true);
        const double h = step_length(cosim, t, H, n);
        status = ms_cosim_step(cosim, t, h);
        t += status == MS_OK ? h : 0.0;
        status = gives_up && !support_families_stepped(cosim, status) ? MS_OK : status;
        ms_cosim_save(cosim, saved);
        ms_cosim_restore(cosim, saved);
        const long in_step = ms_allocations_count(false);
        made += n >= skipped ? in_step : 0;
    }
    if (status != MS_OK)
        fail_msg("%s %s: %s", system->model->name, text, cosim->error.text);
    free(saved);
    ms_cosim_destroy(&cosim);
    return made;
}

static void check_steps(const ms_system *system, const char *text, double H, bool gives_up)
{
    const long n = allocations_of(system, text, H, 0, gives_up);
    if (n != 0)
        fail_msg("%s %s: %ld allocations in %d macro-steps", system->model->name, text, n, MACRO_STEPS);
}

static void check(const ms_system *system, const char *text, double H)
{
    check_steps(system, text, H, false);
}

/* Those made here, by libc, and by another shared library. */
static void the_counter_counts(void **state)
{
    (void)state;
    void *volatile made[5];
    void *aligned = NULL;
    char *text = NULL;
    ms_allocations_count(true);
    made[0] = malloc(10);
    made[1] = calloc(3, 7);
    made[2] = realloc(NULL, 10);
    made[3] = aligned_alloc(64, 64);
    const int status = posix_memalign(&aligned, 64, 64);
    const long here = ms_allocations_count(false);
    ms_allocations_count(true);
    const int length = asprintf(&text, "%d", MACRO_STEPS);
    const long in_libc = ms_allocations_count(false);
    ms_allocations_count(true);
    made[4] = test_malloc(10);
    const long in_cmocka = ms_allocations_count(false);
    for (int k = 0; k < 4; k++)
        free(made[k]);
    test_free(made[4]);
    free(aligned);
    free(text);
    assert_int_equal(status, 0);
    assert_int_equal(length, 1);
    assert_int_equal(here, 5);
    assert_true(in_libc >= 1);
    assert_true(in_cmocka >= 1);
}

static void no_variant_allocates_in_a_macro_step(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "quarter-car", "linear-pair"};
    support_variant variant;
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        for (int k = 0; support_variant_at(k, &variant); k++) {
            char text[256];
            check(system, variant.text, 0.01);
            snprintf(text, sizeof text, "%s output-derivatives=differences start=hold", variant.text);
            check(system, text, 0.01);
        }
        ms_system_destroy(&system);
    }
}

static void no_loop_allocates_in_a_macro_step(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver=rk4", variant.text);
        if (!variant.analytic || variant.order < 2)
            check(system, text, 0.01);
    }
    ms_system_destroy(&system);
}

static void no_micro_solver_allocates_once_it_is_running(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "double-pendulum"};
    static const char *const changes[] = {"restart", "proceed", "correct-1", "correct-2"};
    char found[1024] = "";
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
            for (int c = 0; c < MS_COUNT(changes); c++) {
                char text[256];
                if (((*solver)->linear_only && !system->linear) || (c >= 2 && !(*solver)->corrects))
                    continue;
                if ((*solver)->allocates)
                    continue; /* GSL's LU decomposition takes its pivots from the heap */
                snprintf(text, sizeof text,
                         "solver=%s extrapolation-order=1 outputs=corrected input-change=%s", (*solver)->name,
                         changes[c]);
                const bool sundials = (*solver)->library == MS_LIBRARY_SUNDIALS;
                const long n = allocations_of(system, text, 0.01, sundials ? 1 : 0, false);
                const size_t length = strlen(found);
                if (n != 0)
                    snprintf(found + length, sizeof found - length, " %s on %s (%s): %ld;", (*solver)->name,
                             models[m], changes[c], n);
            }
        ms_system_destroy(&system);
    }
    if (found[0] != '\0')
        fail_msg("allocations in %d macro-steps:%s", MACRO_STEPS, found);
}

static void check_family(const ms_system *system, const ms_scheme *scheme, const char *text)
{
    (void)scheme;
    check_steps(system, text, 0.002, true);
}

static void no_family_allocates_in_a_macro_step(void **state)
{
    (void)state;
    support_families("solver=rk4", check_family);
}

/* What more than one option makes of families beside the explicit one of support_variant_at, and other systems. */
static void no_combination_allocates_in_a_macro_step(void **state)
{
    (void)state;
    static const struct {
        const char *model, *text;
    } runs[] = {{"mass-chain", "scheme=strang"},
                {"spring-mass", "scheme=nepce error-controlled=ecco"},
                {"spring-mass", "scheme=balance balance-hat=triangle balance-steps=3 extrapolation-order=1"},
                {"spring-mass", "scheme=balance balance-hat=smooth smooth-coupling=c1 outputs=consistent"},
                {"double-pendulum", "scheme=balance solver=rk4 balance-error=used"},
                {"spring-mass", "scheme=power solver=gsl-rk8pd"},
                {"spring-mass", "scheme=power solver=gsl-rk8pd extrapolation-order=1 fallback=pointwise"},
                {"oscillator-chain", "scheme=power solver=gsl-rk8pd extrapolation-order=1"},
                {"two-masses-springs-dampers", "scheme=f3ornits"},
                {"two-masses-springs-dampers",
                 "scheme=f3ornits calibration=cls smooth-coupling=c1 outputs=consistent"},
                {"three-clocks", "scheme=f3ornits scheduler=asynchronous"},
                {"three-clocks", "scheme=f3ornits scheduler=asynchronous smooth-coupling=c1 calibration=cls"},
                {"damping-reaction", "scheme=zoh-iterative"},
                {"damping-reaction", "scheme=stabilised"},
                {"quarter-car", "error-controlled=oms rtol=1e-2 atol=1e-2"},
                {"quarter-car", "error-controlled=oms rtol=1e-2 atol=1e-2 mask=wheel:rollback"},
                {"double-pendulum", "scheme=multirate substeps=3 points=common solver=rk4"},
                {"double-pendulum", "scheme=missiles solver=rk4"},
                {"quarter-car", "scheme=ifosmondi rollback=estimated solver-nonlinear=anderson"},
                {"lim-oscillator", "scheme=ijcsa input-degree=3 sensitivities=differences"},
                {"double-pendulum", "scheme=ijcsa input-degree=2 update=slow solver=rk4"},
                {"quarter-car", "scheme=semi-implicit"},
                {"quarter-car", "scheme=multirate substeps=3 first=fast extrapolation-order=2"},
                {"double-pendulum", "scheme=multirate substeps=2 solver=rk4"},
                {"quarter-car", "scheme=waveform samples=5 spline-degree=3 sweep=gauss-seidel"},
                {"double-pendulum", "scheme=waveform samples=3 solver-nonlinear=anderson solver=rk4"},
                {"spring-mass", "scheme=ifosmondi epsilon=1e-9"},
                {"spring-mass", "scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-9"},
                {"spring-mass",
                 "scheme=ifosmondi solver-nonlinear=anderson output-derivatives=differences epsilon=1e-9"},
                {"spring-mass", "scheme=ifosmondi solver-nonlinear=ngmres epsilon=1e-9"},
                {"spring-mass", "scheme=ifosmondi solver-nonlinear=ngmres-ls epsilon=0"},
                {"stiff-damper", "scheme=zoh-iterative solver-nonlinear=aitken sweep=gauss-seidel"},
                {"stiff-damper", "scheme=ifosmondi solver-nonlinear=iqn-ils"},
                {"stiff-damper", "scheme=zoh-iterative solver-nonlinear=iqn-imvj filter=qr1 reuse=3"}};
    for (int k = 0; k < MS_COUNT(runs); k++) {
        ms_system *system = support_system(runs[k].model, "");
        check(system, runs[k].text, 0.01);
        ms_system_destroy(&system);
    }
    ms_system *lines = support_system("lim-oscillator", "case=force-force");
    check(lines, "scheme=tlm delay=0.025 wave-damping=0.1", 0.01);
    check(lines, "scheme=robin solver-nonlinear=iqn-ils", 0.01);
    ms_system_destroy(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_counter_counts),
                                       cmocka_unit_test(no_variant_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_loop_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_family_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_combination_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_micro_solver_allocates_once_it_is_running)};
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
