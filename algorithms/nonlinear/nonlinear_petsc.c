/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_petsc.c - the methods of PETSc's SNES with the options of Eguillon et al. (2021), appendix A.
 *
 * The options of Tables 3 to 6 are given below as printed there. Otherwise PETSc's defaults apply: GMRES restarted after 30 steps
 * with rtol 1e-5 (newtonls), and the search `l2` between the two candidates of ngmres-ls, which the options of Table 6 do not
 * affect. Calls of gamma are counted; iterations are those of SNES.
 *
 * PETSc is opened (plugin_petsc.h) when a method is first created. It is not thread-safe: while methods exist, only the thread
 * that created the first of them can create and use them, and none can be created by one of several threads (threads.h). */
#include "nonlinear_shared.h"

#ifdef MS_HAVE_PETSC
#include <pthread.h>

#include "plugin_petsc.h"
#include "threads.h"

typedef struct petsc_method {
    const char *type, *options;
} petsc_method;

static const petsc_method newtonls = {
    "newtonls", "-snes_mf -snes_linesearch_type bt -snes_linesearch_order 3 -snes_linesearch_norms true "
                "-snes_linesearch_alpha 1e-4 -snes_linesearch_maxstep 1e8 -snes_linesearch_minlambda 1e-12 "
                "-snes_linesearch_damping 1 -snes_linesearch_rtol 1e-8 -snes_linesearch_atol 1e-15 "
                "-snes_linesearch_ltol 1e-8 -snes_linesearch_max_it 40 -snes_linesearch_keeplambda false "
                "-snes_linesearch_precheck_picard false"};

static const petsc_method anderson = {"anderson",
                                      "-snes_anderson_m 30 -snes_anderson_beta 1 "
                                      "-snes_anderson_restart_type none -snes_anderson_restart_it 2 "
                                      "-snes_anderson_restart 30"};

#define MS_NGMRES                                                                                            \
    " -snes_ngmres_restart_type difference -snes_ngmres_candidate false -snes_ngmres_approxfunc false "      \
    "-snes_ngmres_m 30 -snes_ngmres_restart_it 2 -snes_ngmres_gammaA 2 -snes_ngmres_gammaC 2 "               \
    "-snes_ngmres_epsilonB 0.1 -snes_ngmres_deltaB 0.9 -snes_ngmres_single_reduction false "                 \
    "-snes_ngmres_restart_fm_rise false"

static const petsc_method ngmres = {"ngmres", "-snes_ngmres_select_type difference" MS_NGMRES};

static const petsc_method ngmres_ls = {
    "ngmres", "-snes_ngmres_select_type linesearch" MS_NGMRES
              " -snes_linesearch_type basic -snes_linesearch_order 0 -snes_linesearch_norms true "
              "-snes_linesearch_maxstep 1e8 -snes_linesearch_minlambda 1e-12 -snes_linesearch_damping 1 "
              "-snes_linesearch_rtol 1e-8 -snes_linesearch_atol 1e-15 -snes_linesearch_ltol 1e-8 "
              "-snes_linesearch_max_it 1 -snes_linesearch_keeplambda false "
              "-snes_linesearch_precheck_picard false"};

typedef struct solver {
    void *snes; /* PETSc's */
    const ms_nonlinear_problem *problem;
    ms_nonlinear_counts *counts;
    int status; /* of the last evaluation */
} solver;

/* One thread --------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static const ms_plugin_petsc *petsc;                     /* NULL until it has been started */
static pthread_t owner;                                  /* the one thread that uses PETSc, ... */
static int living;                                       /* ... as long as this many solvers live */

static int start(ms_error *error)
{
    const ms_plugin *plugin;
    MS_TRY(ms_plugin_open("petsc", "`backend` petsc", &plugin, error));
    const ms_plugin_petsc *opened = (const ms_plugin_petsc *)(const void *)plugin;
    if (opened->start() != MS_OK)
        return ms_fail(error, MS_UNSUPPORTED, "PETSc does not start: use the backend native");
    petsc = opened;
    return MS_OK;
}

static int own(ms_error *error)
{
    int status = MS_OK;
    if (ms_threads_several())
        return ms_fail(error, MS_UNSUPPORTED,
                       "PETSc is not thread-safe: use one thread, or the backend native");
    pthread_mutex_lock(&lock);
    if (petsc == NULL)
        status = start(error);
    else if (living > 0 && !pthread_equal(owner, pthread_self()))
        status = ms_fail(error, MS_UNSUPPORTED,
                         "PETSc is not thread-safe and in use by another thread: use the backend native");
    if (status == MS_OK) {
        owner = pthread_self();
        living++;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static bool owned(void)
{
    pthread_mutex_lock(&lock);
    const bool is = petsc != NULL && living > 0 && pthread_equal(owner, pthread_self());
    pthread_mutex_unlock(&lock);
    return is;
}

static void disown(void)
{
    pthread_mutex_lock(&lock);
    living--;
    pthread_mutex_unlock(&lock);
}

/* The method --------------------------------------------------------------------------------------------- */

static void destroy(void *workspace)
{
    solver *s = workspace;
    if (s->snes != NULL && owned()) { /* elsewhere the objects stay: nothing else would be safe */
        petsc->destroy(&s->snes);
        disown();
    }
}

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    solver *s = workspace;
    const petsc_method *kind = setup->method->own;
    MS_TRY(own(error));
    int status = petsc->create(kind->type, kind->options, setup->n, setup->options->max_iterations, &s->snes);
    if (status != MS_OK && s->snes == NULL)
        disown();
    return status == MS_OK ? MS_OK : MS_NO_MEMORY;
}

static int residual(void *context, const double *z, double *r)
{
    solver *s = context;
    double norm;
    s->status = ms_nonlinear_evaluate(s->problem, z, r, s->counts, &norm);
    return ms_nonlinear_stops(s->status) ? MS_SOLVER_FAILED : s->status;
}

static bool converged(void *context, const double *z, const double *r)
{
    const solver *s = context;
    return s->problem->converged(s->problem->context, z, r);
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    solver *s = workspace;
    if (!owned())
        return MS_UNSUPPORTED;
    s->problem = problem;
    s->counts = counts;
    s->status = MS_OK;
    const ms_plugin_petsc_problem seen = {.residual = residual, .converged = converged, .context = s};
    const int status = petsc->solve(s->snes, &seen, z, r, &counts->iterations);
    if (s->status != MS_OK && status != MS_OK)
        return s->status;
    /* Some methods of SNES also end by rules of their own. */
    return status >= 0 && converged(s, z, r) ? MS_OK : MS_NOT_CONVERGED;
}

/* Behind `table` further members of the method. */
#define MS_PETSC_METHOD(variable, method, text, table, ...)                                                  \
    const ms_nonlinear_method ms_nonlinear_petsc_##method = {.name = (variable),                             \
                                                             .backend = "petsc",                             \
                                                             .summary = (text),                              \
                                                             .source =                                       \
                                                                 "PETSc; Eguillon et al. (2021), " table,    \
                                                             .workspace = sizeof(solver),                    \
                                                             .own = &(method),                               \
                                                             .create = create,                               \
                                                             .destroy = destroy,                             \
                                                             .solve = solve,                                 \
                                                             __VA_ARGS__};

MS_PETSC_METHOD("newtonls", newtonls, "SNESNEWTONLS with -snes_mf", "Table 3", .newton = true,
                .evaluations = 2)
MS_PETSC_METHOD("anderson", anderson, "SNESANDERSON, normal equations", "Table 4", .evaluations = 1)
MS_PETSC_METHOD("ngmres", ngmres, "SNESNGMRES, normal equations", "Table 5", .domain = MS_DOMAIN_DOWNHILL,
                .evaluations = 2)
MS_PETSC_METHOD("ngmres-ls", ngmres_ls, "SNESNGMRES with line search, normal equations", "Table 6",
                .domain = MS_DOMAIN_DOWNHILL, .evaluations = 5)
#endif
