/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_identity.c - whole runs: every model with schemes of every family that FMI carries, its subsystems built in, and as
 * exported FMUs loaded back. */
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
#include "scheme_registry.h"
#include "solver_registry.h"
#include "stepped_binaries.h"
#include "support.h"

enum { STATES = 256, STEPS = 12 };

/* Inputs over a macro-step are held, linear, quadratic. */
static const struct {
    const char *text;
    int degree;
    bool near; /* step sizes that vary, or inputs of higher degree: the same up to round-off */
} schemes[] = {{"scheme=jacobi", 0, false},
               {"scheme=jacobi extrapolation-order=1 start=hold", 1, false},
               {"scheme=jacobi extrapolation-order=2 start=hold", 2, false},
               {"scheme=jacobi outputs=consistent", 0, false},
               {"scheme=jacobi outputs=corrected", 0, false},
               {"scheme=gauss-seidel", 0, false},
               {"scheme=gauss-seidel extrapolation-order=1 start=hold", 1, false},
               {"scheme=jacobi smooth-coupling=c0 extrapolation-order=1 start=hold", 2, true},
               {"scheme=zoh-iterative", 0, false},
               {"scheme=ifosmondi", 4, true},
               {"scheme=jacobi error-controlled=richardson rtol=1e-4 atol=1e-6", 0, true},
               {"scheme=f3ornits rtol=1e-4 atol=1e-6", 2, true}};

/* How two runs end. */
typedef struct ending {
    double x[STATES], y[STATES];
    ms_run_result result;
} ending;

static bool loops(const ms_system *system)
{
    bool any = false;
    for (int j = 0; j < system->ny; j++)
        any = any || system->feed_through[j];
    return any;
}

/* Runs one scheme both ways. Returns whether it was no refusal, which has to be one of FMUs alone. */
static bool compare(const ms_system *inner, const ms_system *of_binaries, int k, int fmi, const char *solver)
{
    ending a = {0}, b = {0};
    char line[512];
    const double h = inner->step_size, end = fmin(inner->stop_time, STEPS * h);
    ms_options options = support_options_of("%s solver=%s step-size=%.17g stop-time=%.17g errors=none",
                                            schemes[k].text, solver, h, end);
    if (support_refusal(inner, &options, line, sizeof line) != MS_OK ||
        support_refusal(of_binaries, &options, line, sizeof line) != MS_OK)
        return false;
    a.result = support_run(inner, &options, a.x, a.y);
    b.result = support_run(of_binaries, &options, b.x, b.y);
    const bool near = schemes[k].near || loops(inner) || (fmi == 3 && schemes[k].degree > 0);
    const double apart = fmax(support_distance(inner->nx, b.x, a.x), support_distance(inner->ny, b.y, a.y));
    if (a.result.reason != b.result.reason || !(apart <= (near ? 1e-11 : 0.0)))
        fail_msg("%s, FMI %d, %s, solver %s: %g apart (%s, %s %s)", inner->model->name, fmi, schemes[k].text,
                 solver, apart, ms_reason_name(a.result.reason), ms_reason_name(b.result.reason),
                 b.result.message);
    return true;
}

static int compare_all(const ms_model *model, int fmi, const char *solver)
{
    ms_system *inner = support_system_of(model);
    int n = 0;
    if (inner->nx <= STATES && inner->ny <= STATES) {
        const char *name = solver != NULL ? solver : ms_cosim_default_solver(inner, NULL);
        const ms_options usual = support_options("");
        support_binaries binaries;
        support_binaries_open(&binaries, &(ms_fmu_export){.system = inner,
                                                          .fmi = fmi,
                                                          .solver = {ms_solver_find(name), usual.solver_rtol,
                                                                     usual.solver_atol, usual.micro_steps}});
        ms_system *of_binaries = support_binaries_system(&binaries);
        for (int k = 0; k < MS_COUNT(schemes); k++)
            n += compare(inner, of_binaries, k, fmi, name);
        ms_system_destroy(&of_binaries);
        support_binaries_close(&binaries);
    }
    ms_system_destroy(&inner);
    return n;
}

static void test_identity(void **state)
{
    (void)state;
    int n = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            const int ran = compare_all(*model, fmi, NULL);
            if (ran == 0)
                fail_msg("%s: no scheme runs", (*model)->name);
            n += ran;
        }
    print_message("%d pairs of runs\n", n);
    assert_true(n >= 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_identity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
