/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 9.3.5: the Lyapunov equation (9.14) of a linear model, "lyapunov T linearise MODEL ..".
 *
 *     P' = A P + P A' + B B'        vec(P)' = K vec(P) + vec(B B'),  K = I (x) A + A (x) I        (9.14), (9.15)
 *
 * B is a push on the last state, once P(0) = B B', once P(0) = 0 as the listing in A.5 has it. Answer:
 *
 *     states, entries, diagonal     n; entries of A that may differ from zero, and how many of them are on its diagonal
 *     entries_K, dense              the same of K, which is the large block of (9.17), and (n^2)^2
 *     A_row, A_column, K_row, ..    these entries, of K up to n = DRAWN
 *     vectors, matrices, off        P_nn(T) by the exponential of K, and by P(T) = E P(0) E' + int e^{As} B B' e^{A's} ds; how far P(T) of one is from
 *                                   the other, relative to its largest entry; up to n = DRAWN
 *     from_zero                     largest difference that the start at zero makes, relative to the same
 *
 * The integral is a block of the exponential of [-A, B B'; 0, A'] (Van Loan 1978). */
#include <math.h>

#include <macrostep/linearisation.h>
#include "exponential.h"
#include "matrix.h"
#include "measurement.h"

enum { DRAWN = 8, LARGEST = DRAWN * DRAWN };

/* May the entry of K differ from zero? Columns k, l of P, rows i, j. */
static bool in_structure(int n, const bool *A, int k, int i, int l, int j)
{
    return (k == l && A[i * n + j]) || (i == j && A[k * n + l]);
}

static void count_structure(int n, const bool *A, json_t *answer)
{
    long entries = 0, diagonal = 0, kronecker = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            entries += A[i * n + j];
            diagonal += i == j && A[i * n + j];
            if (A[i * n + j]) {
                ms_measured_append(answer, "A_row", i + 1);
                ms_measured_append(answer, "A_column", j + 1);
            }
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                for (int j = 0; j < n; j++) {
                    if (!in_structure(n, A, k, i, l, j))
                        continue;
                    kronecker++;
                    if (n <= DRAWN) {
                        ms_measured_append(answer, "K_row", k * n + i + 1);
                        ms_measured_append(answer, "K_column", l * n + j + 1);
                    }
                }
    ms_measured_members(answer,
                        MS_REALS({"states", n}, {"entries", (double)entries}, {"diagonal", (double)diagonal},
                                 {"entries_K", (double)kronecker}, {"dense", pow(n, 4.0)}));
}

/* e^{MT} (size x size) and, where W is wanted, phi_1(MT) b. */
static int exponential(int size, const double *M, const double *b, double T, double *E, double *W,
                       ms_error *error)
{
    ms_exponential e;
    double *memory = malloc(sizeof *memory * ms_exponential_size(size, 1));
    MS_TRY_MEMORY_FOR(memory != NULL, error, "an exponential");
    ms_exponential_prepare(&e, size, 1, M, b, memory);
    const int status = ms_exponential_evaluate(&e, T, 1, E, W);
    free(memory);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "the exponential is not finite");
}

/* vec(P(T)), by columns, from P(0) = start BB' (of which the last entry alone is 1). */
static int solve_vectors(int n, const double *A, double T, double start, double *P, ms_error *error)
{
    const int N = n * n;
    double *K = calloc((size_t)(2 * N * N), sizeof *K), b[LARGEST] = {0.0}, W[LARGEST];
    MS_TRY_MEMORY_FOR(K != NULL, error, "a Lyapunov equation");
    double *E = K + N * N;
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            const int k = row / n, i = row % n, l = column / n, j = column % n;
            K[row * N + column] = (k == l ? A[i * n + j] : 0.0) + (i == j ? A[k * n + l] : 0.0);
        }
    b[N - 1] = 1.0;
    const int status = exponential(N, K, b, T, E, W, error);
    for (int row = 0; row < N; row++)
        P[row] = start * E[row * N + N - 1] + T * W[row];
    free(K);
    return status;
}

/* P(T) from P(0) = BB' as a matrix. */
static int solve_matrices(int n, const double *A, double T, double *P, ms_error *error)
{
    double M[4 * LARGEST] = {0.0}, X[4 * LARGEST], b[2 * DRAWN] = {0.0}, W[2 * DRAWN];
    const int size = 2 * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i * size + j] = -A[i * n + j];
            M[(n + i) * size + n + j] = A[j * n + i];
        }
    M[(n - 1) * size + size - 1] = 1.0;
    const int status = exponential(size, M, b, T, X, W, error);
    for (int i = 0; i < n && status == MS_OK; i++)
        for (int j = 0; j < n; j++) {
            const double *F = X + n * size + n; /* e^{A'T} */
            P[j * n + i] = F[(n - 1) * size + i] * F[(n - 1) * size + j];
            for (int k = 0; k < n; k++)
                P[j * n + i] += F[k * size + i] * X[k * size + n + j];
        }
    return status;
}

static int solve(int n, const double *A, double T, json_t *answer, ms_error *error)
{
    double vectors[LARGEST], zero[LARGEST], matrices[LARGEST], none[LARGEST] = {0.0};
    MS_TRY(solve_vectors(n, A, T, 1.0, vectors, error));
    MS_TRY(solve_vectors(n, A, T, 0.0, zero, error));
    MS_TRY(solve_matrices(n, A, T, matrices, error));
    const size_t N = (size_t)n * (size_t)n;
    const double largest = ms_largest_difference(N, matrices, none);
    ms_measured_members(answer, MS_REALS({"vectors", vectors[N - 1]}, {"matrices", matrices[N - 1]},
                                         {"off", ms_largest_difference(N, vectors, matrices) / largest},
                                         {"from_zero", ms_largest_difference(N, zero, matrices) / largest}));
    return MS_OK;
}

static int examine(const ms_linearised *linearised, double T, json_t *answer, ms_error *error)
{
    const ms_coupled *whole = linearised->whole;
    count_structure(whole->nx, whole->structure, answer);
    json_object_set_new(answer, "groups", json_integer(whole->groups));
    return whole->nx <= DRAWN ? solve(whole->nx, whole->A, T, answer, error) : MS_OK;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double T;
    ms_study study;
    ms_linearised *linearised = NULL;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 1, &T));
    double *x = status == MS_OK ? calloc((size_t)study.system->nx + 1, sizeof *x) : NULL;
    if (status == MS_OK && x == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the states");
    if (status == MS_OK) {
        ms_system_start(study.system, x);
        status =
            ms_linearised_create(study.system, 0.0, x, NULL, -1,
                                 &(ms_linearisation_options){MS_PARTIALS_BEST, true}, &linearised, error);
    }
    if (linearised != NULL)
        status = examine(linearised, T, answer, error);
    ms_linearised_destroy(&linearised);
    free(x);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_lyapunov = {"lyapunov", measure, NULL};
