/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The residual of gamma_tau over the iterations of every method in one macro-step of damping-reaction, from 1
 * s to 1.01 s. The residual is max |gamma_i|; components are compared with epsilon (1 + |z_i|) in rule (27)
 * of Eguillon et al. (2021).
 *
 * What a Newton step leaves at D_D = 0.01 is round-off of the differences that mean products with the
 * Jacobian: all is judged over nine starts that differ by round-off. */
#include <stdlib.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "figure.h"
#include "ifosmondi.h"
#include "structure.h"
#include "study.h"

/* Methods in the order of the option --solver-nonlinear. */
enum { MS_FIXED_POINT, MS_NEWTONLS, MS_ANDERSON, MS_NGMRES, MS_NGMRES_LS, MS_METHODS };

static const char *const method_names[MS_METHODS] = {"fixed-point", "newtonls", "anderson", "ngmres",
                                                     "ngmres-ls"};

static const double dampings[] = {4.0, 0.64, 0.01};
static const char *const backends[] = {"native", "petsc", "kinsol"};

static const double START = 1.0, STEP = 0.01, TARGET = 1e-10; /* [s], [s], below it a trace ends */

enum { DAMPINGS = MS_COUNT(dampings), BACKENDS = MS_COUNT(backends), MOST = 50 };
enum { POINTS = MOST + 2, UNKNOWNS = 6 };

/* Iterates that the method shows to the stopping rule. */
typedef struct trace {
    bool known, converged;
    int n;
    long calls[POINTS]; /* of gamma when the iterate was shown, first call and guess included */
    double residual[POINTS];
    double solution[UNKNOWNS];
    long evaluations, iterations;
} trace;

typedef struct probe {
    ms_nonlinear_problem inner;
    trace *trace;
    long calls;
} probe;

static int count(void *context, const double *z, double *r)
{
    probe *p = context;
    p->calls++;
    return p->inner.residual(p->inner.context, z, r);
}

static bool monitor(void *context, const double *z, const double *r)
{
    probe *p = context;
    trace *t = p->trace;
    double size = 0.0;
    (void)z;
    for (int i = 0; i < UNKNOWNS; i++)
        size = fmax(size, fabs(r[i]));
    const bool again = t->n > 0 && size == t->residual[t->n - 1]; /* shown twice */
    if (t->n < POINTS && !again) {
        t->calls[t->n] = p->calls;
        t->residual[t->n++] = size;
    }
    return size < TARGET;
}

/* From the same initial guess, in the present macro-step of the co-simulation. */
static int follow(ms_cosim *cosim, const ms_nonlinear_method *method, trace *t, ms_error *error)
{
    double z[UNKNOWNS], r[UNKNOWNS];
    double *state = malloc(sizeof *state * ms_cosim_state_size(cosim));
    void *workspace = NULL;
    ms_nonlinear_counts counts = {0};
    MS_TRY_MEMORY_FOR(state != NULL, error, "a figure");
    ms_cosim_save(cosim, state);
    const ms_nonlinear_options limit = {.max_iterations = ms_ifosmondi_iterations_left(method, MOST, false)};
    ms_structure memory = {0};
    int status =
        ms_nonlinear_create(&(ms_nonlinear_setup){method, UNKNOWNS, &limit, &memory}, &workspace, error);
    MS_THEN(status, ms_ifosmondi_begin(cosim, START, STEP, z));
    probe p = {.inner = ms_ifosmondi_problem(cosim), .trace = t, .calls = 1};
    const ms_nonlinear_problem problem = {
        .n = UNKNOWNS, .residual = count, .converged = monitor, .context = &p};
    MS_THEN(status, count(&p, z, r));
    if (status == MS_OK) {
        const int found = monitor(&p, z, r) ? MS_OK : method->solve(workspace, &problem, z, r, &counts);
        t->known = true;
        t->converged = found == MS_OK;
        t->evaluations = p.calls;
        t->iterations = counts.iterations;
        memcpy(t->solution, z, sizeof z);
        status = found < MS_OK ? found : MS_OK;
    }
    ms_cosim_restore(cosim, state);
    ms_structure_free(&memory);
    free(state);
    return status;
}

typedef struct traces {
    trace of[DAMPINGS][BACKENDS][MS_METHODS];
} traces;

static int measure_one(ms_drawing *drawing, double damping, const char *words, trace (*of)[MS_METHODS],
                       ms_error *error)
{
    ms_study study;
    ms_cosim *cosim = NULL;
    int status = ms_study_bind(drawing, &study, error,
                               "run damping-reaction --set d_d=%.17g --scheme ifosmondi --solver-nonlinear "
                               "newtonls --epsilon 1e-10 --step-size %g%s",
                               damping, STEP, words);
    MS_THEN(status, ms_cosim_of_options(study.system, &study.arguments->options, &cosim, error));
    MS_THEN(status, ms_cosim_start(cosim));
    const long steps = lround(START / STEP);
    for (long n = 0; n < steps && status == MS_OK; n++)
        status = ms_cosim_step(cosim, (double)n * STEP, STEP);
    if (status == MS_NOT_CONVERGED)
        status = ms_fail(error, MS_SOLVER_FAILED, "%s", cosim->error.text);
    for (int b = 0; b < BACKENDS && status == MS_OK; b++)
        for (int m = 0; m < MS_METHODS && status == MS_OK; m++) {
            const ms_nonlinear_method *method = ms_nonlinear_find(method_names[m], backends[b]);
            if (method != NULL)
                status = follow(cosim, method, &of[b][m], error);
        }
    ms_cosim_destroy(&cosim);
    ms_study_destroy(&study);
    return status;
}

/* Iterations until the residual is below a limit, or n. */
static int iterations_to(const trace *t, double limit)
{
    int first = 0;
    while (first < t->n && t->residual[first] >= limit)
        first++;
    return first;
}

/* Data and tables ---------------------------------------------------------------------------------------- */

static void write_traces(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++) {
            ms_data *data =
                ms_drawing_data(drawing, ms_drawing_text(drawing, "%g-%s", dampings[d], method_names[m]),
                                "iteration,calls,residual");
            const trace *t = &all->of[d][0][m];
            for (int k = 0; k < t->n; k++)
                MS_ROW(data, k, (double)t->calls[k], t->residual[k]);
        }
    ms_table *table =
        ms_drawing_table(drawing, "ends", "What it takes to bring the residual below 1e-4 and 1e-10",
                         "D_D|method|backend|ends|iterations to 1e-4|calls of gamma to 1e-4|iterations|calls "
                         "of gamma|last residual");
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++)
            for (int b = 0; b < BACKENDS; b++) {
                const trace *t = &all->of[d][b][m];
                const int first = iterations_to(t, 1e-4);
                if (t->known)
                    ms_table_add(table, "rsssooIIr", dampings[d], method_names[m], backends[b],
                                 t->converged ? "converged" : "not converged",
                                 first < t->n ? json_integer(first) : json_null(),
                                 first < t->n ? json_integer(t->calls[first]) : json_null(),
                                 (json_int_t)t->iterations, (json_int_t)t->evaluations,
                                 t->residual[t->n - 1]);
            }
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* The factor of one iteration, as a mean over the last eight above round-off. */
static double rate_of(const trace *t)
{
    int last = t->n - 1;
    while (last > 12 && t->residual[last] < 1e-9)
        last--;
    return last >= 10 ? pow(t->residual[last] / t->residual[last - 8], 1.0 / 8.0) : NAN;
}

/* all: those of nine starts. */
static void check_rates(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++) {
        double rate[MS_ENSEMBLE];
        const double rho = sqrt(1.0 / dampings[d]);
        for (int run = 0; run < MS_ENSEMBLE; run++)
            rate[run] = rate_of(&all[run].of[d][0][MS_FIXED_POINT]);
        ms_drawing_check_ensemble(
            drawing,
            ms_drawing_text(drawing, "D_D = %g: factor of the fixed point in an iteration", dampings[d]), rho,
            rate, 0.02 * rho, "The spectral radius (34), within 2 %%; a mean over eight iterations.");
    }
}

/* gamma is affine and has six unknowns: methods that find the best of all stored points need seven of
 * them. */
static void check_termination(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++) {
        bool holds[MS_ENSEMBLE];
        double ends[2] = {INFINITY, 0.0}, first[MS_ENSEMBLE];
        for (int run = 0; run < MS_ENSEMBLE; run++) {
            const trace *t = &all[run].of[d][0][MS_ANDERSON];
            const int n = iterations_to(t, 1e-6);
            first[run] = n < t->n ? (double)n : (double)NAN;
            ms_widen(&ends[0], &ends[1], n);
        }
        ms_judge_nine(drawing, first, -INFINITY, UNKNOWNS + 1, holds);
        ms_drawing_check_ensemble_claim(
            drawing, ms_drawing_text(drawing, "D_D = %g: iterations of Anderson until 1e-6", dampings[d]),
            "at most seven",
            json_integer(iterations_to(&all[MS_ENSEMBLE_MIDDLE].of[d][0][MS_ANDERSON], 1e-6)), holds, ends,
            "gamma is affine with %d unknowns, and Anderson's method on affine problems equals GMRES, one "
            "step later.",
            (int)UNKNOWNS);
    }
}

/* Residual k of a method over the nine starts: false where not all of them show one. */
static bool residual_range(const traces *all, int d, int b, int m, int k, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = 0.0;
    for (int run = 0; run < MS_ENSEMBLE; run++) {
        const trace *t = &all[run].of[d][b][m];
        if (!t->known || k >= t->n)
            return false;
        ms_widen(&ends[0], &ends[1], t->residual[k]);
    }
    return true;
}

/* What lies between two ranges, relative to the first; 0 where they meet. */
static double gap(const double own[2], const double other[2])
{
    return fmax(0.0, fmax(other[0] / own[1] - 1.0, 1.0 - other[1] / own[0]));
}

/* The largest gap between the ranges of residuals of both backends, above 1e-4. Residuals at round-off level
 * have wide, overlapping ranges. */
static void check_backends(ms_drawing *drawing, const traces *all)
{
    for (int b = 1; b < BACKENDS; b++) {
        double most = 0.0, own[2], other[2];
        int compared = 0;
        for (int d = 0; d < DAMPINGS; d++)
            for (int m = MS_NEWTONLS; m < MS_METHODS; m++)
                for (int k = 0; residual_range(all, d, 0, m, k, own) && own[1] >= 1e-4 &&
                                residual_range(all, d, b, m, k, other);
                     k++, compared++)
                    most = fmax(most, gap(own, other));
        if (compared > 0)
            ms_drawing_check(
                drawing, ms_drawing_text(drawing, "native and %s show the same residuals", backends[b]),
                json_string("equal"), ms_json_real(most), json_real(1e-5),
                ms_verdict_of(ms_judge_at_most(drawing, most, 1e-5)),
                "The largest relative gap between the ranges of %d residuals above 1e-4, each over %d starts "
                "that differ by round-off.",
                compared, (int)MS_ENSEMBLE);
        else
            ms_drawing_remark(drawing, "%s is not built in here.", backends[b]);
    }
}

/* The fixed point without contraction, and NGMRES at the largest radius. */
static bool is_failing(int d, int m)
{
    return (m == MS_FIXED_POINT && dampings[d] < 1.0) || (m == MS_NGMRES && dampings[d] < 0.02);
}

/* How many methods and dampings end otherwise. */
static int count_surprises(const traces *run)
{
    int surprises = 0;
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++)
            surprises += run->of[d][0][m].converged == is_failing(d, m);
    return surprises;
}

static void check_ends(ms_drawing *drawing, const traces *all)
{
    json_t *failing = json_array();
    bool holds[MS_ENSEMBLE];
    double surprises[MS_ENSEMBLE];
    for (int run = 0; run < MS_ENSEMBLE; run++)
        surprises[run] = count_surprises(&all[run]);
    ms_judge_nine(drawing, surprises, 0.0, 0.0, holds);
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++)
            if (!all[MS_ENSEMBLE_MIDDLE].of[d][0][m].converged)
                json_array_append_new(failing, json_pack("[f, s]", dampings[d], method_names[m]));
    ms_drawing_check_ensemble_claim(
        drawing, "the fixed point fails without contraction, NGMRES without line search at D_D = 0.01",
        "5.3: so they do, and no other method", failing, holds, NULL,
        "Measured: [D_D, method] that do not reach 1e-10 in 50 iterations; those of the fixed point are "
        "calls of gamma, the two that lead to the guess and its residual included.");
}

/* Drawing ------------------------------------------------------------------------------------------------ */

static int draw_traces(ms_drawing *drawing, ms_error *error)
{
    traces *all = ms_drawing_memory(drawing);
    for (int run = 0; run < MS_ENSEMBLE; run++)
        for (int d = 0; d < DAMPINGS; d++)
            MS_TRY(measure_one(drawing, dampings[d], ms_ensemble_words[run], all[run].of[d], error));
    write_traces(drawing, &all[MS_ENSEMBLE_MIDDLE]);
    check_ends(drawing, all);
    check_rates(drawing, all);
    check_termination(drawing, all);
    check_backends(drawing, all);
    ms_drawing_remark(drawing,
                      "Every method starts from the dispatched outputs of the first call, after 100 "
                      "macro-steps that were solved to 1e-10. Dashed: 1e-4, below which (27) holds with "
                      "epsilon = 1e-4. The guess stands at iteration 0, for the fixed point as well: "
                      "here its first two calls do not count. NGMRES with line search is the wide line "
                      "behind that without: where no search is needed both have the same iterates.");
    ms_drawing_commands_of(drawing, "macrostep_iteration-traces.gp", 960, 740);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_iteration_traces = {
    "macrostep:iteration-traces",
    "Residuals over iterations and integrations in one macro-step, all methods",
    "ours, on Eguillon et al. (2021), section 5.3",
    .draw = draw_traces,
    .memory = MS_ENSEMBLE * sizeof(traces),
    .alone = true};
