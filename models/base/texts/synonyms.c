/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

typedef struct synonyms {
    const char *name, *words; /* blanks between words */
} synonyms;

/* A word may mean several names; the first one that is among the names asked about counts. */
static const synonyms options[] = {
    {"stop-time",
     "final-time finaltime tfinal t-final tend t-end end-time endtime end tstop t-stop stop duration until horizon"},
    {"start-time", "initial-time tstart t-start t0 begin-time begin"},
    {"step-size", "dt h step stepsize timestep time-step delta-t step-length macro-step macro-step-size "
                  "communication-step communication-step-size communication-interval"},
    {"max-step", "max-step-size max-dt dt-max h-max hmax"},
    {"min-step", "min-step-size min-dt dt-min h-min hmin"},
    {"micro-steps", "substeps sub-steps n-substeps"},
    {"substeps", "sub-steps n-substeps"},
    {"solver-rtol", "tolerance tol rtol reltol rel-tol relative-tolerance accuracy solver-tolerance"},
    {"solver-atol", "atol abstol abs-tol absolute-tolerance"},
    {"rtol", "tolerance tol reltol rel-tol relative-tolerance accuracy"},
    {"atol", "abstol abs-tol absolute-tolerance"},
    {"tolerance", "tol rtol accuracy"},
    {"relative-tolerance", "rtol tol reltol tolerance"},
    {"absolute-tolerance", "atol abstol"},
    {"epsilon", "eps iteration-tolerance coupling-tolerance"},
    {"max-iterations", "maxiter max-iter maxit iterations n-iterations"},
    {"scheme", "method algorithm master coupling family"},
    {"solver", "integrator ode-solver micro-solver integration-method"},
    {"as", "master-algorithm preset tool"},
    {"extrapolation-order", "extrapolation degree polynomial-degree input-order"},
    {"error-controlled", "adaptive variable-step error-control step-control"},
    {"sequence", "evaluation-order execution-order"},
    {"solver-nonlinear", "nonlinear-solver nonlinear iteration"},
    {"set", "parameter param params parameters p define"},
    {"parameters", "parameter param params fit"},
    {"num-threads", "threads jobs cores nthreads n-threads processes"},
    {"trajectory", "results result csv save record"},
    {"inputs", "input input-file"},
    {"output", "out outfile output-file o"},
    {"format", "json csv latex markdown"},
    {"directory", "dir outdir out-dir output-dir output-directory folder"},
    {"plot", "figure fig picture chart draw"},
    {"system", "model file fmu ssp"},
    {"quiet", "silent no-progress"},
    {"norm", "error-norm"},
    {"error", "target accuracy"},
};

static const synonyms values[] = {
    {"gauss-seidel", "gs gaussseidel seidel sequential serial zig-zag"},
    {"jacobi", "parallel explicit"},
    {"waveform", "wr waveform-relaxation waveform-iteration"},
    {"multirate", "multi-rate"},
    {"semi-implicit", "semiimplicit linear-implicit linearly-implicit"},
    {"tlm", "transmission-line transmission-lines"},
    {"strang", "strang-splitting splitting"},
    {"ijcsa", "interface-jacobian"},
    {"zoh-iterative", "iterative implicit zoh"},
    {"stabilised", "stabilized"},
    {"newtonls", "newton"},
    {"iqn-ils", "iqn quasi-newton"},
    {"fixed-point", "picard fixedpoint"},
    {"cvode-bdf", "cvode bdf"},
    {"cvode-adams", "adams"},
    {"ida", "dassl dae"},
    {"gsl-rkf45", "rkf45 rk45 ode45"},
    {"arkode-erk", "dopri5 dopri rk45 dormand-prince erk"},
    {"gsl-rk8pd", "dop853 rk8"},
    {"radau-iia", "radau radau5"},
    {"gsl-rk1imp", "implicit-euler backward-euler euler-backward"},
    {"euler", "explicit-euler forward-euler euler-forward"},
    {"rk4", "runge-kutta classical"},
    {"midpoint", "rk2"},
    {"trapezoidal", "trapezium trapezoid newmark"},
    {"generalised-alpha", "generalized-alpha"},
    {"exact", "expm matrix-exponential"},
    {"rmse", "rms"},
    {"max", "infinity linf inf maximum"},
};

static const synonyms commands[] = {
    {"run", "simulate simulation sim cosimulate co-simulate execute start solve energy plot"},
    {"converge", "convergence order orders"},
    {"spectral", "eigenvalues spectrum radius"},
    {"work-precision", "efficiency precision wp"},
    {"show", "info describe inspect fmu import"},
    {"estimate", "fit identify calibrate optimise optimize"},
    {"sweep", "batch grid sample random montecarlo monte-carlo uncertainty"},
    {"stability", "critical region regions"},
    {"linearise", "linearize poles bode"},
    {"compare", "benchmark rank"},
    {"check", "validate verify test conformance"},
    {"new", "init template create"},
};

static bool same_letters(const char *a, const char *b, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if ((a[k] == '_' ? '-' : tolower((unsigned char)a[k])) != (b[k] == '_' ? '-' : b[k]))
            return false;
    return true;
}

static bool is_among(const char *word, const char *words)
{
    for (size_t length; *words != '\0'; words += length + strspn(words + length, " ")) {
        length = strcspn(words, " ");
        if (strlen(word) == length && same_letters(word, words, length))
            return true;
    }
    return false;
}

static const char *find(const synonyms *table, size_t rows, const char *word, const void *first,
                        size_t stride, int n)
{
    for (size_t k = 0; k < rows; k++)
        for (int i = 0; i < n && is_among(word, table[k].words); i++) {
            const char *name = ms_name_at(first, stride, i);
            if (strlen(name) == strlen(table[k].name) && same_letters(name, table[k].name, strlen(name)))
                return name;
        }
    return NULL;
}

const char *ms_synonym(const char *word, const char *const *names, int n)
{
    return ms_synonym_of(word, names, sizeof *names, n);
}

const char *ms_synonym_of(const char *word, const void *first, size_t stride, int n)
{
    const char *name = find(options, sizeof options / sizeof *options, word, first, stride, n);
    if (name == NULL)
        name = find(values, sizeof values / sizeof *values, word, first, stride, n);
    return name != NULL ? name : find(commands, sizeof commands / sizeof *commands, word, first, stride, n);
}
