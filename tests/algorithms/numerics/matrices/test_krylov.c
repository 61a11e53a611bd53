/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_krylov.c - what Arnoldi's method does to its columns, against the sums that define it; nothing is written beyond. */
#include <math.h>
#include <string.h>

#include "arnoldi_parts.h"
#include "support.h"
#include "unit_test.h"

enum { N = 2 * MS_KRYLOV_ROWS + 3, M = 7, BEYOND = 3 };

/* m columns of cosines over n points, which are orthonormal (DCT-IV). */
static void cosines(int n, int m, double *V)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            V[j * n + i] = sqrt(2.0 / n) * cos(acos(-1.0) * (i + 0.5) * (j + 0.5) / n);
}

/* w = sum_j (j + 1) v_j + 5 v_m, v_m another one. */
static void orthogonalising_takes_the_columns_out(void **state)
{
    (void)state;
    static const int sizes[] = {M, M + 2, MS_KRYLOV_ROWS, MS_KRYLOV_ROWS + 1, N};
    static double V[(M + 1) * N], w[N + BEYOND];
    for (int k = 0; k < MS_COUNT(sizes); k++)
        for (int m = 0; m < M; m++) {
            const int n = sizes[k];
            double h[M + BEYOND], again[M + BEYOND];
            cosines(n, m + 1, V);
            memset(w, 0, sizeof w);
            for (int j = 0; j <= m; j++)
                for (int i = 0; i < n; i++)
                    w[i] += (j < m ? j + 1.0 : 5.0) * V[j * n + i];
            for (int j = 0; j < BEYOND; j++)
                w[n + j] = h[m + j] = again[m + j] = 3.0;
            support_near(ms_krylov_orthogonalise(n, m, V, w, h, again), 5.0, 1e-12);
            for (int j = 0; j < m; j++)
                support_near(h[j], j + 1.0, 1e-12);
            for (int i = 0; i < n; i++)
                support_near(w[i], 5.0 * V[m * n + i], 1e-12);
            for (int j = 0; j < BEYOND; j++)
                assert_true(w[n + j] == 3.0 && h[m + j] == 3.0 && again[m + j] == 3.0);
        }
}

/* V Q, and V y, against their sums. */
static void combinations_are_the_sums(void **state)
{
    (void)state;
    static double V[M * N + BEYOND], before[M * N], work[M * MS_KRYLOV_ROWS], x[N + BEYOND];
    unsigned long long seed = 3;
    double Q[M * M];
    for (int k = 0; k < M * M; k++)
        Q[k] = support_random(&seed);
    for (int k = 1; k <= M; k++) {
        for (int i = 0; i < M * N; i++)
            V[i] = before[i] = support_random(&seed);
        V[M * N] = x[N] = 3.0;
        ms_krylov_combine(N, M, V, Q + M * (k - 1), x);
        ms_krylov_rotate(N, M, k, Q, V, work);
        for (int i = 0; i < N; i++)
            support_near(x[i], V[(k - 1) * N + i], 1e-14);
        for (int c = 0; c < M; c++)
            for (int i = 0; i < N; i++) {
                double sum = c < k ? 0.0 : before[c * N + i];
                for (int j = 0; j < M && c < k; j++)
                    sum += before[j * N + i] * Q[c * M + j];
                support_near(V[c * N + i], sum, 1e-14);
            }
        assert_true(V[M * N] == 3.0 && x[N] == 3.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthogonalising_takes_the_columns_out),
        cmocka_unit_test(combinations_are_the_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
