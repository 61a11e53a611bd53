/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spline.h"

#include <string.h>

#include "matrix.h"

enum { POINTS = MS_SPLINE_SAMPLES + 1, KNOTS = POINTS + MS_SPLINE_DEGREE + 1, ORDER = MS_SPLINE_DEGREE + 1 };

int ms_spline_breaks(int samples, int degree, double *breaks)
{
    const int p = ms_spline_degree(samples, degree), width = p > 0 ? p : 1;
    for (int j = 1; j <= samples - width; j++) /* (j + .. + j + width - 1)/width/m */
        breaks[j - 1] = (double)(width * (2 * j + width - 1)) / (double)(2 * width * samples);
    return samples - width;
}

/* Inserts a time where it is not there yet; ascending. Returns how many there are. */
static int insert(double time, int n, double *times)
{
    int at = n;
    while (at > 0 && times[at - 1] >= time)
        at--;
    if (at < n && times[at] == time)
        return n;
    memmove(times + at + 1, times + at, sizeof *times * (size_t)(n - at));
    times[at] = time;
    return n + 1;
}

int ms_spline_pieces(unsigned counts, int degree, double *end)
{
    double all[MS_SPLINE_PIECES] = {1.0}, breaks[MS_SPLINE_SAMPLES];
    int n = 1;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++) {
        const int more = (counts >> m & 1U) != 0 ? ms_spline_breaks(m, degree, breaks) : 0;
        for (int k = 0; k < more; k++)
            n = insert(breaks[k], n, all);
    }
    if (end != NULL)
        memcpy(end, all, sizeof *all * (size_t)n);
    return n;
}

static void make_knots(int samples, int p, double *knot)
{
    const int inside = ms_spline_breaks(samples, p, knot + p + 1);
    for (int k = 0; k <= p; k++) {
        knot[k] = 0.0;
        knot[p + 1 + inside + k] = 1.0;
    }
}

/* The interval [knot_s, knot_{s+1}) of theta, the last one for 1. */
static int find_span(int samples, int p, const double *knot, double theta)
{
    int s = p;
    while (s < samples && theta >= knot[s + 1])
        s++;
    return s;
}

/* The p + 1 basis functions s - p .. s that live on the span s, by powers of theta - b: c[i][k] (Cox and de Boor's recursion,
 * on polynomials). */
static void span_basis(int p, const double *knot, int s, double b, double c[ORDER][ORDER])
{
    memset(c, 0, sizeof(double[ORDER][ORDER]));
    c[p][0] = 1.0;
    for (int d = 1; d <= p; d++)
        for (int i = p - d; i <= p;
             i++) { /* N_d = (theta - t_a)/.. N_{d-1} + (t_{a+d+1} - theta)/.. N'_{d-1} */
            const int a = s - p + i;
            double next[ORDER] = {0.0};
            const double rise = i > p - d ? 1.0 / (knot[a + d] - knot[a]) : 0.0;
            const double fall = i < p ? 1.0 / (knot[a + d + 1] - knot[a + 1]) : 0.0;
            for (int k = 0; k < d; k++) {
                const double after = i < p ? c[i + 1][k] : 0.0;
                next[k] += rise * (b - knot[a]) * c[i][k] + fall * (knot[a + d + 1] - b) * after;
                next[k + 1] += rise * c[i][k] - fall * after;
            }
            memcpy(c[i], next, sizeof next);
        }
}

/* Factors of the collocation matrix: values of the basis functions at the samples. */
static void collocate(int samples, int p, const double *knot, double *M, int *pivots)
{
    const int n = samples + 1;
    memset(M, 0, sizeof(double) * (size_t)(n * n));
    for (int j = 0; j < n; j++) {
        double c[ORDER][ORDER];
        const double theta = (double)j / (double)samples;
        const int s = find_span(samples, p, knot, theta);
        span_basis(p, knot, s, theta, c);
        for (int i = 0; i <= p; i++)
            M[j * n + s - p + i] = c[i][0];
    }
    (void)ms_matrix_factor(n, M, pivots); /* averaged knots: regular (Schoenberg and Whitney) */
}

static void hold_right(int samples, int most, int pieces, const double *end, double *w)
{
    for (int q = 0; q < pieces; q++, w += (most + 1) * (samples + 1)) {
        int j = 1;
        while (j < samples && end[q] > (double)j / (double)samples)
            j++;
        w[j] = 1.0;
    }
}

void ms_spline_weights(int samples, int degree, int most, int pieces, const double *end, double *w)
{
    const int p = ms_spline_degree(samples, degree), n = samples + 1, block = (most + 1) * n;
    double knot[KNOTS], M[POINTS * POINTS], control[POINTS];
    int pivots[POINTS];
    memset(w, 0, sizeof(double) * (size_t)(pieces * block));
    if (p == 0) {
        hold_right(samples, most, pieces, end, w);
        return;
    }
    make_knots(samples, p, knot);
    collocate(samples, p, knot, M, pivots);
    for (int j = 0; j < n; j++) { /* the spline of sample j alone */
        memset(control, 0, sizeof control);
        control[j] = 1.0;
        ms_matrix_solve(n, M, pivots, control);
        for (int q = 0; q < pieces; q++) {
            double c[ORDER][ORDER];
            const double begin = q == 0 ? 0.0 : end[q - 1];
            const int s = find_span(samples, p, knot, begin);
            span_basis(p, knot, s, begin, c);
            for (int k = 0; k <= p; k++)
                for (int i = 0; i <= p; i++)
                    w[q * block + k * n + j] += c[i][k] * control[s - p + i];
        }
    }
}
