/* The residual of gamma_tau over the iterations of every method in one macro-step of damping-reaction, from 1 s to 1.01 s. The
 * residual is max |gamma_i|; components are compared with epsilon (1 + |z_i|) in rule (27) of Eguillon et al. (2021). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "eguillon2021_runs.h"
#include "figure.h"
#include "ifosmondi.h"

static const double dampings[] = {4.0, 0.64, 0.01};
static const char *const backends[] = {"native", "petsc", "kinsol"};

static const double START = 1.0, STEP = 0.01, TARGET = 1e-10; /* [s], [s], below it a trace ends */

enum {
    DAMPINGS = sizeof dampings / sizeof dampings[0],
    BACKENDS = sizeof backends / sizeof backends[0],
    MOST = 50
};
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

static bool watch(void *context, const double *z, const double *r)
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

/* From the same guess, in the macro-step at which the co-simulation stands. */
static int follow(ms_cosim *cosim, const ms_nonlinear_method *method, trace *t, ms_error *error)
{
    double z[UNKNOWNS], r[UNKNOWNS];
    double *state = malloc(sizeof *state * ms_cosim_state_size(cosim));
    void *workspace = NULL;
    ms_nonlinear_counts counts = {0};
    if (state == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a figure");
    ms_cosim_save(cosim, state);
    int status = method->create(UNKNOWNS, &(ms_nonlinear_options){.max_iterations = MOST}, &workspace, error);
    if (status == MS_OK)
        status = ms_ifosmondi_begin(cosim, START, STEP, z);
    probe p = {.inner = ms_ifosmondi_problem(cosim), .trace = t, .calls = 1};
    const ms_nonlinear_problem problem = {UNKNOWNS, count, watch, &p};
    if (status == MS_OK)
        status = count(&p, z, r);
    if (status == MS_OK) {
        const int found = watch(&p, z, r) ? MS_OK : method->solve(workspace, &problem, z, r, &counts);
        t->known = true;
        t->converged = found == MS_OK;
        t->evaluations = p.calls;
        t->iterations = counts.iterations;
        memcpy(t->solution, z, sizeof z);
        status = found < MS_OK ? found : MS_OK;
    }
    ms_cosim_restore(cosim, state);
    method->destroy(&workspace);
    free(state);
    return status;
}

typedef struct traces {
    trace of[DAMPINGS][BACKENDS][MS_METHODS];
} traces;

static int measure_one(ms_drawing *drawing, double damping, trace (*of)[MS_METHODS], ms_error *error)
{
    ms_study study;
    ms_cosim *cosim = NULL;
    int status = ms_study_bind(
        drawing, &study, error,
        "run damping-reaction --set d_d=%.17g --scheme ifosmondi --solver-nonlinear newtonls --epsilon 1e-10 "
        "--step-size %g",
        damping, STEP);
    if (status == MS_OK)
        status = ms_cosim_create(study.system, &study.arguments.options, &cosim, error);
    if (status == MS_OK)
        status = ms_cosim_start(cosim);
    const long steps = lround(START / STEP);
    for (long n = 0; n < steps && status == MS_OK; n++)
        status = ms_cosim_step(cosim, (double)n * STEP, STEP);
    if (status == MS_NOT_CONVERGED)
        status = ms_fail(error, MS_SOLVER_FAILED, "%s", cosim->error.text);
    for (int b = 0; b < BACKENDS && status == MS_OK; b++)
        for (int m = 0; m < MS_METHODS && status == MS_OK; m++) {
            const ms_nonlinear_method *method = ms_nonlinear_find(ms_method_names[m], backends[b]);
            if (method != NULL)
                status = follow(cosim, method, &of[b][m], error);
        }
    ms_cosim_destroy(&cosim);
    ms_study_destroy(&study);
    return status;
}

/* Data and tables ------------------------------------------------------------------------------------------ */

static void write_traces(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++) {
            char part[48];
            snprintf(part, sizeof part, "%g-%s", dampings[d], ms_method_names[m]);
            ms_data *data = ms_drawing_data(drawing, part, "iteration,calls,residual");
            const trace *t = &all->of[d][0][m];
            for (int k = 0; k < t->n; k++)
                ms_data_row(data, (const double[]){k, (double)t->calls[k], t->residual[k]});
        }
    ms_table *table =
        ms_drawing_table(drawing, "ends", "What it takes to bring the residual below 1e-4 and 1e-10",
                         "D_D|method|backend|ends|iterations to 1e-4|calls of gamma to 1e-4|iterations|"
                         "calls of gamma|last residual");
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++)
            for (int b = 0; b < BACKENDS; b++) {
                const trace *t = &all->of[d][b][m];
                int first = 0;
                while (first < t->n && t->residual[first] >= 1e-4)
                    first++;
                if (t->known)
                    ms_table_row(table,
                                 json_pack("[f, s, s, s, o, o, I, I, o]", dampings[d], ms_method_names[m],
                                           backends[b], t->converged ? "converged" : "not converged",
                                           first < t->n ? json_integer(first) : json_null(),
                                           first < t->n ? json_integer(t->calls[first]) : json_null(),
                                           (json_int_t)t->iterations, (json_int_t)t->evaluations,
                                           ms_json_real(t->residual[t->n - 1])));
            }
}

/* Checks --------------------------------------------------------------------------------------------------- */

/* The factor of one iteration, as a mean over the last eight above round-off. */
static double rate_of(const trace *t)
{
    int last = t->n - 1;
    while (last > 12 && t->residual[last] < 1e-9)
        last--;
    return last >= 10 ? pow(t->residual[last] / t->residual[last - 8], 1.0 / 8.0) : NAN;
}

static void check_rates(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++) {
        char what[128];
        const double rho = sqrt(1.0 / dampings[d]);
        snprintf(what, sizeof what, "D_D = %g: factor of the fixed point in an iteration", dampings[d]);
        ms_drawing_check_number(drawing, what, rho, rate_of(&all->of[d][0][MS_FIXED_POINT]), 0.02 * rho,
                                "The spectral radius (34), within 2 %%; a mean over eight iterations.");
    }
}

/* gamma is affine and has six unknowns: methods that find the best of all stored points need seven of them. */
static void check_termination(ms_drawing *drawing, const traces *all)
{
    for (int d = 0; d < DAMPINGS; d++) {
        char what[128];
        const trace *t = &all->of[d][0][MS_ANDERSON];
        int first = 0;
        while (first < t->n && t->residual[first] >= 1e-6)
            first++;
        snprintf(what, sizeof what, "D_D = %g: iterations of Anderson until 1e-6", dampings[d]);
        ms_drawing_check(drawing, what, json_string("at most seven"), json_integer(first), NULL,
                         first < t->n && first <= UNKNOWNS + 1 ? MS_REPRODUCED : MS_DEVIATES,
                         "gamma is affine with %d unknowns, and Anderson's method on affine problems equals "
                         "GMRES, one step later.",
                         (int)UNKNOWNS);
    }
}

/* The largest relative difference of residuals that both backends show, above 1e-6. */
static void check_backends(ms_drawing *drawing, const traces *all)
{
    for (int b = 1; b < BACKENDS; b++) {
        double most = 0.0;
        int compared = 0;
        for (int d = 0; d < DAMPINGS; d++)
            for (int m = MS_NEWTONLS; m < MS_METHODS; m++) {
                const trace *own = &all->of[d][0][m], *other = &all->of[d][b][m];
                for (int k = 0; other->known && k < own->n && k < other->n && own->residual[k] >= 1e-4;
                     k++, compared++)
                    most = fmax(most, fabs(other->residual[k] / own->residual[k] - 1.0));
            }
        char what[96];
        snprintf(what, sizeof what, "native and %s show the same residuals", backends[b]);
        if (compared > 0)
            ms_drawing_check(drawing, what, json_string("equal"), ms_json_real(most), json_real(1e-5),
                             most <= 1e-5 ? MS_REPRODUCED : MS_DEVIATES,
                             "The largest relative difference of %d residuals above 1e-4.", compared);
        else
            ms_drawing_remark(drawing, "%s is not built in here.", backends[b]);
    }
}

static void check_ends(ms_drawing *drawing, const traces *all)
{
    json_t *failing = json_array();
    bool expected = true;
    for (int d = 0; d < DAMPINGS; d++)
        for (int m = 0; m < MS_METHODS; m++) {
            const bool converged = all->of[d][0][m].converged;
            if (!converged)
                json_array_append_new(failing, json_pack("[f, s]", dampings[d], ms_method_names[m]));
            expected = expected && converged == !((m == MS_FIXED_POINT && dampings[d] < 1.0) ||
                                                  (m == MS_NGMRES && dampings[d] < 0.02));
        }
    ms_drawing_check_claim(
        drawing, "the fixed point fails without contraction, NGMRES without line search at D_D = 0.01",
        "5.3: so they do, and no other method", failing, expected,
        "Measured: [D_D, method] that do not reach 1e-10 in 50 iterations.");
}

/* Drawing -------------------------------------------------------------------------------------------------- */

static const char script[] =
    "set multiplot layout 2,3\n"
    "set logscale y\n"
    "set format y powers\n"
    "set yrange [1e-14:1e6]\n"
    "set ylabel 'max |γ_i|'\n"
    "set key vertical maxrows 3\n"
    "array dampings[3] = ['4', '0.64', '0.01']\n"
    "array methods[5] = ['fixed-point', 'newtonls', 'anderson', 'ngmres', 'ngmres-ls']\n"
    "array names[5] = ['fixed point', 'NewtonLS', 'Anderson', 'NGMRES', 'NGMRES, line search']\n"
    "array colours[5] = [1, 2, 3, 4, 6]\n"
    "do for [x in 'iteration calls'] {\n"
    "    set xlabel (x eq 'calls' ? 'calls of γ (integrations)' : 'iterations')\n"
    "    set xrange [0:(x eq 'calls' ? 60 : 20)]\n"
    "    if (x eq 'calls') { set key off; set tmargin 2 } else { set tmargin 6 }\n"
    "    do for [d = 1:3] {\n"
    "        set title 'D_D = '.dampings[d]\n"
    "        plot for [m = 1:5] part(dampings[d].'-'.methods[m]) using x:'residual' with linespoints lt "
    "colours[m] title names[m], "
    "\\\n"
    "            1e-4 with lines lt 9 dashtype 2 notitle\n"
    "    }\n"
    "}\n";

static int draw_traces(ms_drawing *drawing, ms_error *error)
{
    traces *all = calloc(1, sizeof *all);
    int status = MS_OK;
    if (all == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a figure");
    for (int d = 0; d < DAMPINGS && status == MS_OK; d++)
        status = measure_one(drawing, dampings[d], all->of[d], error);
    if (status == MS_OK) {
        write_traces(drawing, all);
        check_ends(drawing, all);
        check_rates(drawing, all);
        check_termination(drawing, all);
        check_backends(drawing, all);
        ms_drawing_remark(
            drawing,
            "Every method starts from the dispatched outputs of the first call, after 100 macro-steps that "
            "were solved to 1e-10. Dashed: 1e-4, below which (27) holds with epsilon = 1e-4. The guess "
            "stands at iteration 0.");
        ms_drawing_size(drawing, 1260, 820);
        ms_drawing_script(drawing, "%s", script);
    }
    free(all);
    return status;
}

const ms_figure ms_figure_macrostep_iteration_traces = {
    .id = "macrostep:iteration-traces",
    .title = "Residuals over iterations and integrations in one macro-step, all methods",
    .source = "ours, on Eguillon et al. (2021), section 5.3",
    .draw = draw_traces,
};
