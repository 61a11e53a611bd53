/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear.h - methods for gamma(z) = 0 that use only evaluations of gamma: no Jacobian is ever formed.
 *
 * An iterative coupling scheme hands its callback to one of them; each call of gamma integrates every subsystem over
 * the macro-step, so calls determine the cost. A new method, or another backend of one, is one file and one line in
 * inside/nonlinear_list.h. All of them are tested by the same conformance suite (tests/conformance/test_nonlinear.c).
 * */
#pragma once

#include <macrostep/model.h>

typedef struct ms_nonlinear_problem {
    int n;
    /* r = gamma(z), both (n). Returns MS_OK, a positive status where gamma has no value at z (a method may
     * try another z, or give up), or MS_INTERRUPTED or a negative one, with which the method returns at once.
     * Entries of r that are not finite are no value either. */
    int (*residual)(void *context, const double *z, double *r);
    /* Is z accepted as the solution, r = gamma(z)? */
    bool (*converged)(void *context, const double *z, const double *r);
    void *context;
    /* Memory of the method across macro-steps, of the size given by its memory(): zero before the first
     * one; the owner saves and restores it, and discards changes by macro-steps that are not accepted. */
    double *memory;
} ms_nonlinear_problem;

/* Filters of columns that are nearly dependent, and preconditioners, in the order of their names in option_table.c. */
typedef enum ms_filter {
    MS_FILTER_NONE,
    MS_FILTER_QR1,
    MS_FILTER_QR1_ABSOLUTE,
    MS_FILTER_QR2,
    MS_FILTER_QR3
} ms_filter;
typedef enum ms_preconditioner {
    MS_PRECONDITIONER_CONSTANT,
    MS_PRECONDITIONER_VALUE,
    MS_PRECONDITIONER_RESIDUAL,
    MS_PRECONDITIONER_RESIDUAL_SUM
} ms_preconditioner;

typedef struct ms_nonlinear_options {
    int max_iterations; /* counted from the initial guess, 0 or more: none starts after the last of them */

    /* For methods that take them (`takes` of the method). */
    double relaxation;          /* the first factor, (0, 1]; 0: the method's own */
    int reuse, max_columns;     /* macro-steps whose columns stay; columns at most, 0: the method's own */
    int filter, preconditioner; /* ms_filter, ms_preconditioner */
    double filter_limit;
    /* datum (n): of each unknown, in [0, n_data); NULL: all belong to the first. Negative: it has no weight, and is
     * combined with the coefficients of the others */
    int n_data;
    const int *datum;
} ms_nonlinear_options;

/* Those that methods take or do not, as bits. */
enum ms_nonlinear_taken {
    MS_TAKES_RELAXATION = 1,
    MS_TAKES_REUSE = 2,
    MS_TAKES_MAX_COLUMNS = 4,
    MS_TAKES_FILTER = 8,
    MS_TAKES_FILTER_LIMIT = 16,
    MS_TAKES_PRECONDITIONER = 32
};

typedef struct ms_nonlinear_counts {
    long iterations;  /* of the method, the accepted ones */
    long evaluations; /* calls of residual */
} ms_nonlinear_counts;

/* The linear problems gamma(z) = (I - J) (z - root) that a method solves, by the spectral radius of J. */
typedef enum ms_nonlinear_domain {
    MS_DOMAIN_ALL,          /* all, but for the number of iterations */
    MS_DOMAIN_DOWNHILL,     /* contractions; beyond them it may fail */
    MS_DOMAIN_CONTRACTIONS, /* contractions, and it diverges beyond them */
    MS_DOMAIN_ONE_EQUATION  /* those of one equation; of several what their eigenvalues allow */
} ms_nonlinear_domain;

typedef struct ms_nonlinear_method ms_nonlinear_method;

/* Arguments for the creation of a workspace: problems of size n, with memory from `memory`, which frees it. */
typedef struct ms_nonlinear_setup {
    const ms_nonlinear_method *method;
    int n;
    const ms_nonlinear_options *options;
    ms_structure *memory;
} ms_nonlinear_setup;

struct ms_nonlinear_method {
    const char *name; /* REQUIRED: of the method, the value of --solver-nonlinear; backends of one share it */
    const char *backend;          /* REQUIRED: native, petsc, kinsol */
    const char *summary, *source; /* REQUIRED */

    /* OPTIONAL. Its iterations are calls of gamma. A scheme that has called gamma to find the guess and its
     * residual counts these calls as iterations, too, and leaves that many fewer to the method. */
    bool counts_calls;

    /* OPTIONAL. It starts at the unknowns of the first call instead of its result; no last call is needed, as the
     * last evaluation was at the solution. Implies counts_calls. */
    bool from_start;

    /* OPTIONAL. The options that it takes beyond those of all methods (ms_nonlinear_taken). Its defaults of them. */
    unsigned takes;
    double relaxation;
    int reuse, max_columns;

    /* OPTIONAL. Doubles that it keeps from one macro-step to the next; NULL: none. */
    size_t (*memory)(int n, const ms_nonlinear_options *options);

    ms_nonlinear_domain domain;

    /* Calls of gamma per iteration; with `newton` without those for products with the Jacobian. 0: varies. */
    int evaluations;

    /* OPTIONAL. Its iterations solve the linearised equations: linear ones converge at once, contraction or not. */
    bool newton;

    size_t workspace; /* REQUIRED: its bytes, which are zero before create() */
    int kind;         /* OPTIONAL: of several methods that one create() makes, which */
    const void *own;  /* OPTIONAL: the same as data of the backend */

    /* REQUIRED. Errors: MS_UNSUPPORTED, MS_NO_MEMORY, whose line the caller writes. */
    int (*create)(const ms_nonlinear_setup *setup, void *workspace, ms_error *error);
    void (*destroy)(
        void *
            workspace); /* OPTIONAL: frees everything except `memory`; also after a create() that failed or was not called */

    /* REQUIRED. z: on entry the initial guess, on exit the solution; r: gamma(z) on entry, already known and not
     * counted, and on exit; both (n). The guess may be the solution. Adds to counts. The native backend allocates
     * nothing. Returns MS_OK if converged has accepted z, MS_NOT_CONVERGED (max_iterations, breakdown, no
     * decrease, not finite), or what residual returned where it had no value. Unless it is MS_OK, z and r are of no
     * use. */
    int (*solve)(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts);
};

/* A workspace of setup->method, NULL after an error: the errors of its create. */
int ms_nonlinear_create(const ms_nonlinear_setup *setup, void **workspace, ms_error *error);

extern const ms_nonlinear_method *const ms_nonlinear_methods[]; /* ends with NULL */

/* The method of that name and backend, or NULL. */
const ms_nonlinear_method *ms_nonlinear_find(const char *name, const char *backend);

/* Names of methods, each once, in the order of the list: that of index k, or NULL beyond the last; and the index of a
 * name, or -1. The values of --solver-nonlinear. */
const char *ms_nonlinear_name(int k);
int ms_nonlinear_index(const char *name);

/* "aitken, iqn-ils": the names of the methods that take an option (one of ms_nonlinear_taken), each once, into text, which it returns. */
const char *ms_nonlinear_names(unsigned taken, char *text, size_t size);

/* Whose implementations there may be, in the order of ms_backend; ends with NULL. */
extern const char *const ms_backend_names[];

/* The backends that a method has here, as "native, petsc" (empty: no such method). */
void ms_nonlinear_backends(const char *name, char *text, size_t size);
