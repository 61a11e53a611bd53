/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), chapter 6: its matrices Psi(H) as printed, entered block by block for the linear pair, against the propagation
 * matrix of the program by formula and by probe.
 *
 *     printed-matrix EQUATION D1 D2 H spectral linear-pair ..
 *
 * EQUATION is 6.14, 6.21, .. (printed below). Answer: the spectral radii `printed`, `formula` and `probe`; `formula_off` and `probe_off`, how far
 * an eigenvalue of modulus above 1e-3 is from that of the print at most. Coordinates of the memory differ (y', H y'), eigenvalues do not. */
#include <math.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include "arguments.h"
#include "matrix.h"
#include "measurement.h"

enum { BLOCKS = 3, SIZE_MAX_PSI = 32 };

static const double insignificant = 1e-3; /* zeros of a defective matrix, split by round-off */

/* Matrices (2 x 2) of the pair: a = -1, so that e^{AH} = e I. ----------------------------------------------- */

typedef struct block {
    double m[2][2];
} block;

static const block identity = {{{1.0, 0.0}, {0.0, 1.0}}};

static block scaled(double factor, block a)
{
    for (int i = 0; i < 4; i++)
        (&a.m[0][0])[i] *= factor;
    return a;
}

static block sum(block a, block b)
{
    for (int i = 0; i < 4; i++)
        (&a.m[0][0])[i] += (&b.m[0][0])[i];
    return a;
}

static block product(block a, block b)
{
    block c;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j];
    return c;
}

/* What the printed matrices are made of; K1 (6.12), K2 (6.35), K3 = (I - D L)^-1 C, K4 (6.78), HCBL = H C B L, and so on. */
typedef struct parts {
    double H;
    block E, C, BL, DL, K1, K2, K3, K4, C1; /* C1 = C (I + A H) */
} parts;

static parts parts_of(double d1, double d2, double H)
{
    const double e = exp(-H), det = 1.0 - d1 * d2;
    parts p = {.H = H, .E = scaled(e, identity)};
    p.C = (block){{{1.0, 0.0}, {0.0, -5.0}}};
    p.BL = (block){{{0.0, 1.0}, {3.0, 0.0}}};
    p.DL = (block){{{0.0, d1}, {d2, 0.0}}};
    p.K1 = scaled(-expm1(-H), p.BL);
    p.K2 = scaled((expm1(-H) + H) / H, p.BL);
    p.K3 = product((block){{{1.0 / det, d1 / det}, {d2 / det, 1.0 / det}}}, p.C);
    p.K4 = sum(sum(p.DL, scaled(-1.0, identity)), scaled(H, product(p.C, p.BL)));
    p.C1 = scaled(1.0 - H, p.C);
    return p;
}

/* As printed; blocks that are not named are zero. ---------------------------------------------------------- */

typedef block rows[BLOCKS][BLOCKS];

static void eq_6_14(const parts *p, rows psi)
{
    psi[0][0] = p->E, psi[0][1] = p->K1;
    psi[1][0] = product(p->C, p->E), psi[1][1] = sum(product(p->C, p->K1), p->DL);
}

static void eq_6_21(const parts *p, rows psi)
{
    psi[0][0] = p->E, psi[0][1] = p->K1;
    psi[1][0] = product(p->K3, p->E), psi[1][1] = product(p->K3, p->K1);
}

static void eq_6_38(const parts *p, rows psi)
{
    const block K = sum(p->K1, p->K2);
    psi[0][0] = p->E, psi[0][1] = K, psi[0][2] = scaled(-1.0, p->K2);
    psi[1][0] = product(p->C, p->E), psi[1][1] = sum(product(p->C, K), scaled(2.0, p->DL));
    psi[1][2] = scaled(-1.0, sum(product(p->C, p->K2), p->DL));
    psi[2][1] = identity;
}

static void eq_6_44(const parts *p, rows psi)
{
    const block CE = product(p->C, p->E), CBL = product(p->C, p->BL);
    psi[0][0] = p->E, psi[0][1] = p->K1, psi[0][2] = scaled(p->H, p->K2);
    psi[1][0] = CE, psi[1][1] = sum(product(p->C, p->K1), p->DL);
    psi[1][2] = scaled(p->H, sum(product(p->C, p->K2), p->DL));
    psi[2][0] = scaled(-1.0, CE), psi[2][1] = sum(scaled(-1.0, product(p->C, p->K1)), CBL);
    psi[2][2] = sum(scaled(p->H, sum(scaled(-1.0, product(p->C, p->K2)), CBL)), p->DL);
}

static void eq_6_49(const parts *p, rows psi)
{
    const block K = sum(p->K1, p->K2);
    psi[0][0] = p->E, psi[0][1] = K, psi[0][2] = scaled(-1.0, p->K2);
    psi[1][0] = product(p->K3, p->E), psi[1][1] = product(p->K3, K);
    psi[1][2] = scaled(-1.0, product(p->K3, p->K2));
    psi[2][1] = identity;
}

static void eq_6_77(const parts *p, rows psi)
{
    psi[0][0] = p->E, psi[0][1] = p->K1, psi[0][2] = p->K2;
    psi[1][1] = psi[1][2] = identity;
    psi[2][0] = product(p->C1, p->E);
    psi[2][1] = sum(product(p->C1, p->K1), p->K4);
    psi[2][2] = sum(product(p->C1, p->K2), p->K4);
}

/* With the term D L of (6.71b) that the print lost (errata). */
static void eq_6_77_whole(const parts *p, rows psi)
{
    eq_6_77(p, psi);
    psi[2][2] = sum(psi[2][2], p->DL);
}

static void eq_6_82(const parts *p, rows psi)
{
    const block first = sum(scaled(1.0 - p->H, p->K1), scaled(p->H, p->BL)),
                second = sum(scaled(1.0 - p->H, p->K2), scaled(p->H, p->BL));
    psi[0][0] = p->E, psi[0][1] = p->K1, psi[0][2] = p->K2;
    psi[1][1] = psi[1][2] = identity;
    psi[2][0] = scaled(1.0 - p->H, product(p->K3, p->E));
    psi[2][1] = sum(product(p->K3, first), scaled(-1.0, identity));
    psi[2][2] = sum(product(p->K3, second), scaled(-1.0, identity));
}

typedef struct printed_matrix {
    double equation; /* 6.771: (6.77) with the term */
    int blocks;
    void (*fill)(const parts *p, rows psi);
} printed_matrix;

static const printed_matrix printed[] = {{6.14, 2, eq_6_14},        {6.21, 2, eq_6_21}, {6.38, 3, eq_6_38},
                                         {6.44, 3, eq_6_44},        {6.49, 3, eq_6_49}, {6.77, 3, eq_6_77},
                                         {6.771, 3, eq_6_77_whole}, {6.82, 3, eq_6_82}};
enum { PRINTED = sizeof printed / sizeof printed[0] };

/* Eigenvalues, pairs re, im, of which there are 2 blocks; 0: there is no such matrix, or it has none. */
static int printed_eigenvalues(double equation, const parts *p, double *eigenvalues)
{
    double psi[4 * BLOCKS * BLOCKS];
    rows block_at = {0};
    size_t k = 0;
    while (k < PRINTED && printed[k].equation != equation)
        k++;
    if (k == PRINTED)
        return 0;
    const int n = 2 * printed[k].blocks;
    printed[k].fill(p, block_at);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            psi[i * n + j] = block_at[i / 2][j / 2].m[i % 2][j % 2];
    return ms_matrix_eigenvalues(n, psi, eigenvalues) == MS_OK ? n : 0;
}

/* Comparison ------------------------------------------------------------------------------------------------ */

/* The largest distance of an eigenvalue of `a` from the nearest of `b`, where it counts. */
static double one_sided(int n, const double *a, int m, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < m; j++)
            nearest = fmin(nearest, hypot(a[2 * i] - b[2 * j], a[2 * i + 1] - b[2 * j + 1]));
        if (hypot(a[2 * i], a[2 * i + 1]) > insignificant)
            largest = fmax(largest, nearest);
    }
    return largest;
}

/* Of psi (n x n), which is lost, into the answer: its radius, and how far its eigenvalues are from the m printed ones. */
static int compare(int n, double *psi, int m, const double *print, const char *radius, const char *off,
                   json_t *answer, ms_error *error)
{
    double eigenvalues[2 * SIZE_MAX_PSI];
    if (n > SIZE_MAX_PSI || ms_matrix_eigenvalues(n, psi, eigenvalues) != MS_OK)
        return ms_fail(error, MS_SOLVER_FAILED, "printed-matrix: no eigenvalues");
    ms_measured_members(answer,
                        json_pack("{s:o, s:o}", radius, ms_json_real(ms_spectral_radius(n, eigenvalues)), off,
                                  ms_json_real(fmax(one_sided(n, eigenvalues, m, print),
                                                    one_sided(m, print, n, eigenvalues)))));
    return MS_OK;
}

static int compare_formula(const ms_study *study, double H, int m, const double *print, json_t *answer,
                           ms_error *error)
{
    double psi[SIZE_MAX_PSI * SIZE_MAX_PSI];
    ms_analytic_propagation *formula = NULL;
    int status = ms_analytic_propagation_create(study->system, &study->arguments->options, &formula, error);
    const int n = status == MS_OK ? ms_analytic_propagation_dimension(formula) : 0;
    if (status == MS_OK && n <= SIZE_MAX_PSI)
        status = ms_analytic_propagation_evaluate(formula, H, psi);
    ms_analytic_propagation_destroy(&formula);
    return status == MS_OK ? compare(n, psi, m, print, "formula", "formula_off", answer, error) : status;
}

static int compare_probe(const ms_study *study, double H, int m, const double *print, json_t *answer,
                         ms_error *error)
{
    double *psi = NULL;
    int n, status = ms_propagation_probe(study->system, &study->arguments->options, H, &n, &psi, error);
    MS_THEN(status, compare(n, psi, m, print, "probe", "probe_off", answer, error));
    free(psi);
    return status;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[4], print[4 * BLOCKS];
    ms_study study;
    const char *command = ms_measurement_numbers(words, 4, number);
    const parts p = parts_of(number[1], number[2], number[3]);
    const int m = printed_eigenvalues(number[0], &p, print);
    if (m == 0)
        return ms_fail(error, MS_INVALID, "printed-matrix: no matrix (%g)", number[0]);
    ms_measured_members(answer, ms_json_object("printed:r", ms_spectral_radius(m, print)));
    int status = ms_study_bind(drawing, &study, error, "%s --set d1=%.17g --set d2=%.17g --step-size %.17g",
                               command, number[1], number[2], number[3]);
    MS_THEN(status, compare_formula(&study, number[3], m, print, answer, error));
    MS_THEN(status, compare_probe(&study, number[3], m, print, answer, error));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_printed_matrix = {"printed-matrix", measure, "linear-pair"};
