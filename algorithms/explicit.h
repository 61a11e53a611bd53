/* explicit.h - what the two files of the explicit engine share: scheme_explicit.c takes macro-steps, explicit_setup.c checks,
 * allocates and starts. Nobody else includes it. */
#ifndef MS_EXPLICIT_H
#define MS_EXPLICIT_H

#include "cosim.h"
#include "polynomial.h"

/* Head of the scheme's memory in aux. */
typedef struct explicit_history {
    double h1, h2; /* lengths of the last macro-step and the one before [s] */
    double known;  /* highest order that the remembered values support */
} explicit_history;

enum { HISTORY_SIZE = (int)(sizeof(explicit_history) / sizeof(double)) };

/* Two kinds of polynomial: of feeders that have not stepped yet, and of those that have (Gauss-Seidel). */
enum { EXTRAPOLATED, NEWEST, KINDS };

/* c_k (+)= w v: one weight that is not zero; `first` begins a coefficient. */
typedef struct explicit_term {
    int k;
    bool first;
    double w;
    const double *v;
} explicit_term;

/* Where the coefficients c_0, c_1, .. of an input go. */
typedef struct explicit_target {
    double *c;
    int stride;
} explicit_target;

typedef struct explicit_data {
    bool gauss_seidel, analytic, differences; /* differences: output derivatives by backward differences */
    bool one_to_one; /* each input has exactly one wire */
    bool in_place; /* raw outputs are the new ones and go straight to where they are remembered */
    int order, smoothing, outputs, as_printed;
    explicit_target *target; /* (nu) */
    int *sequence;     /* (n): order of the subsystems */
    int *rank;         /* (n): its inverse */
    int *owner;        /* (ny): subsystem of each output */
    double *slot[KINDS][MS_WEIGHT_SLOTS]; /* (ny) each: where the values that the weights multiply stand; NULL: unused */
    double *raw_before; /* (ny): raw outputs at T_n, with differences */
    ms_weights weights[KINDS];
    explicit_term term[KINDS][(MS_WEIGHT_DEGREE + 1) * MS_WEIGHT_SLOTS]; /* their entries that are not zero */
    int terms[KINDS];
    double key[4];      /* h, h1, h2, known that the weights are for */
    double *coefficients; /* (KINDS x stride): of the output polynomials, p = (degree + 1) x ny of them */
    int stride;
    const double *p[KINDS];
    const double *y_new, *u_new; /* (ny), (nu): solved outputs at T_n + H, and the inputs that belong to them */
    double *y, *dy, *ddy, *u, *du, *ddu; /* scratch */
} explicit_data;

static inline explicit_history *ms_explicit_history(const ms_cosim *cosim)
{
    return (explicit_history *)(void *)cosim->scheme_aux;
}

/* Operations of the scheme, see ms_scheme. */
void ms_explicit_memory(const ms_cosim *cosim, int *lin, int *aux);
int ms_explicit_create(ms_cosim *cosim, ms_error *error);
void ms_explicit_destroy(ms_cosim *cosim);
int ms_explicit_start(ms_cosim *cosim);
int ms_explicit_order(const ms_options *options);

#endif
