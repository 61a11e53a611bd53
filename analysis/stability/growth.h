/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.h - the growth of a scheme's memory per macro-step, observed in a long run.
 *
 * On a homogeneous linear problem a scheme's memory follows v_{n+1} = Psi v_n, so that ||v_n|| grows like
 * rho^n. Actual macro-steps are taken from a random memory, and no eigenvalue is computed. */
#pragma once

#include <signal.h>

#include <macrostep/choices.h>
#include <macrostep/spectrum.h>
#include <macrostep/system.h>

/* Growth per macro-step up to this counts as zero: round-off left in a memory that is forgotten (static
 * subsystems, converged iterations). */
#define MS_GROWTH_ZERO 1e-14
/* The same if only the eigenvalue zero is predicted: in a memory of four macro-steps round-off e leaves e^(1/4). */
#define MS_GROWTH_NILPOTENT 1.3e-4

/* Macro-steps of the longest window of powers. */
enum { MS_GROWTH_POWERS = 1 << 22 };

typedef struct ms_growth_options {
    /* Macro-steps of the first window that counts, and of the longest allowed; if all macro-steps are taken,
     * the first has at most a quarter of the longest. */
    long shortest, longest;
    double tolerance; /* relative change of the factor from window to window that counts as settled */
    /* 0: all macro-steps are taken. Otherwise this many. If each of them after the first eight maps the
     * memory as the probed Psi does, Psi's powers replace the remaining macro-steps; otherwise these are taken as well. */
    long stepped;
    unsigned long long seed;           /* of the memory at the start, uniform in [-1, 1] */
    const volatile sig_atomic_t *stop; /* becomes non-zero to end early; may be NULL */
} ms_growth_options;

typedef struct ms_growth {
    double factor; /* exp of the slope of log ||v_n|| over the last window; 0 if the memory vanished */
    double change; /* relative change of the factor from the window before; infinite after one window */
    long steps;    /* macro-steps of the last window */
    bool settled;  /* two consecutive changes were within the tolerance, or the memory vanished */
    bool powers;   /* the windows went through powers of Psi */
} ms_growth;

/* Windows [N, 2N), N doubled until the factor has settled. The slope in a window is the mean of log ||v_{n+1}|| - log ||v_n|| with the
 * weights exp(-1/(s (1 - s))), s = (n - N + 1/2) / N, which averages the oscillation of a complex pair out faster than any power of 1/N
 * (Das, Sander, Yorke, Saiki, Nonlinearity 30, 2017). Each entry of v counts in units of its largest share so far. Powers of two keep v
 * within range, so that rescaling adds no round-off. With powers of Psi a window has 256 values of log ||v||; since they are cheap,
 * windows double until two consecutive changes are below a ten-thousandth of the tolerance. The system must be linear and homogeneous,
 * the variant must have equal steps. Errors: those of ms_cosim_create and ms_cosim_start, MS_SOLVER_FAILED, MS_NO_MEMORY,
 * MS_INTERRUPTED. */
int ms_growth_observe(const ms_system *system, const ms_options *options, double h,
                      const ms_growth_options *request, ms_growth *growth, ms_error *error);

/* Relation of the eigenvalues of largest modulus. */
typedef enum ms_dominance {
    MS_DOMINANCE_SINGLE,    /* one real or one pair, or repeated with a full set of eigenvectors */
    MS_DOMINANCE_CLUSTERED, /* another eigenvalue has a similar modulus: gap < 1e-4 */
    MS_DOMINANCE_DEFECTIVE  /* repeated with too few eigenvectors: ||v_n|| grows like n^k rho^n */
} ms_dominance;

/* gap = 1 - |next| / rho, with the next modulus after the largest eigenvalue, those equal to it within 1e-5, and
 * their conjugates; 1 if there is no other. psi (n x n, by rows). Errors: MS_NO_MEMORY, MS_NOT_CONVERGED. */
int ms_growth_dominance(int n, const double *psi, const ms_spectrum *spectrum, ms_dominance *dominance,
                        double *gap, ms_error *error);
