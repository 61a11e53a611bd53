/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_identity.c - whole runs: every model with schemes of every family that FMI carries, its subsystems built in, and as
 * exported FMUs loaded back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "fmu_co_simulation.h"
#include "fmu_export.h"
#include "support.h"
#include "unit_test.h"

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
static bool compare(const ms_system *inner, const ms_system *of_fmus, int k, int fmi, const char *solver)
{
    ending a = {0}, b = {0};
    char line[512];
    const double h = inner->step_size, end = fmin(inner->stop_time, STEPS * h);
    ms_options options = support_options_of("%s solver=%s step-size=%.17g stop-time=%.17g errors=none",
                                            schemes[k].text, solver, h, end);
    if (support_refusal(inner, &options, line, sizeof line) != MS_OK ||
        support_refusal(of_fmus, &options, line, sizeof line) != MS_OK)
        return false;
    a.result = support_run(inner, &options, a.x, a.y);
    b.result = support_run(of_fmus, &options, b.x, b.y);
    const bool near = schemes[k].near || loops(inner) || (fmi == 3 && schemes[k].degree > 0);
    const int nx =
        of_fmus->nx == inner->nx ? inner->nx : 0; /* a differential-algebraic one shows no states */
    const double apart = fmax(support_distance(nx, b.x, a.x), support_distance(inner->ny, b.y, a.y));
    if (a.result.reason != b.result.reason || !(apart <= (near ? 1e-11 : 0.0)))
        fail_msg("%s, FMI %d, %s, solver %s: %g apart (%s, %s %s)", inner->model->name, fmi, schemes[k].text,
                 solver, apart, ms_reason_name(a.result.reason), ms_reason_name(b.result.reason),
                 b.result.message);
    return true;
}

/* A system's FMUs, exported and loaded. */
typedef struct loaded {
    const ms_system *inner;
    ms_fmu **fmu; /* (inner->n) */
} loaded;

static int build(const double *p, ms_structure *s, ms_error *error)
{
    (void)p;
    const loaded *l = s->model->data;
    const ms_system *inner = l->inner;
    support_build_like(inner, s);
    int status = MS_OK;
    for (int i = 0; i < inner->n && status == MS_OK; i++) {
        /* Our flags are true, and the probe takes its time. */
        const ms_fmu_choice choice = {.name = inner->sub[i].name, .probing = MS_FMU_PROBE_OFF};
        status = ms_fmu_co_simulation(l->fmu[i], &choice, s, &s->subsystems[i], error);
    }
    return status;
}

static ms_fmu *load(const ms_fmu_export *what)
{
    char stem[256], path[300];
    ms_fmu_exported exported;
    ms_error error = {0};
    ms_fmu *fmu = NULL;
    support_temporary_file("", stem, sizeof stem);
    snprintf(path, sizeof path, "%s.fmu", stem);
    if (ms_fmu_export_write(what, path, &exported, &error) != MS_OK ||
        ms_fmu_open(path, MS_FMU_CO_SIMULATION, NULL, &fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    remove(path);
    remove(stem);
    return fmu;
}

/* Exported with the micro-solver that the built-in subsystems take, and its tolerances. */
static void load_all(loaded *l, const ms_system *inner, int fmi, const char *solver)
{
    const ms_options usual = support_options("");
    *l = (loaded){inner, calloc((size_t)inner->n, sizeof(ms_fmu *))};
    assert_non_null(l->fmu);
    for (int i = 0; i < inner->n; i++)
        l->fmu[i] = load(&(ms_fmu_export){
            .system = inner,
            .subsystem = inner->sub[i].name,
            .fmi = fmi,
            .solver = {ms_solver_find(solver), usual.solver_rtol, usual.solver_atol, usual.micro_steps}});
}

static ms_system *system_of(loaded *l)
{
    ms_model model = *l->inner->model;
    ms_system *system = NULL;
    ms_error error = {0};
    model.build = build;
    model.data = l;
    if (ms_system_create(&model, l->inner->case_name, NULL, 0, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    system->model = system->structure.model = l->inner->model; /* nobody builds it again */
    return system;
}

static bool can_be_wired(const ms_system *s)
{
    bool all = s->nx <= STATES && s->ny <= STATES;
    for (int i = 0; i < s->n; i++)
        all = all && s->sub[i].nu + s->sub[i].ny > 0;
    return all;
}

static int compare_all(const ms_model *model, int fmi)
{
    ms_system *inner = support_system_of(model);
    const char *solver = ms_cosim_default_solver(inner, NULL);
    int n = 0;
    loaded l;
    if (!can_be_wired(inner)) {
        ms_system_destroy(&inner);
        return -1;
    }
    load_all(&l, inner, fmi, solver);
    ms_system *of_fmus = system_of(&l);
    for (int k = 0; k < MS_COUNT(schemes); k++)
        n += compare(inner, of_fmus, k, fmi, solver);
    ms_system_destroy(&of_fmus);
    for (int i = 0; i < inner->n; i++)
        ms_fmu_close(&l.fmu[i]);
    free(l.fmu);
    ms_system_destroy(&inner);
    return n;
}

static void test_identity(void **state)
{
    (void)state;
    int n = 0, tried = 0;
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        for (int fmi = 2; fmi <= 3 && support_in_ensemble(k, support_models()); fmi++, tried++) {
            const int ran = compare_all(ms_catalogue[k], fmi);
            if (ran == 0)
                fail_msg("%s: no scheme runs", ms_catalogue[k]->name);
            n += ran > 0 ? ran : 0;
        }
    print_message("%d pairs of runs\n", n);
    assert_true(tried > 0 && n >= 4 * tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_identity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
