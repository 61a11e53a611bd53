/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spline.c - the spline through samples: what defines it. It passes through the samples, is smooth at its knots, and is a
 * polynomial through all samples where these are few. */
#include <math.h>

#include "spline.h"
#include "support.h"
#include "unit_test.h"

enum { PIECES = MS_SPLINE_SAMPLES, ROOM = PIECES * (MS_SPLINE_DEGREE + 2) * (MS_SPLINE_SAMPLES + 1) };

typedef struct spline {
    int samples, degree, pieces, most;
    double end[PIECES], w[ROOM];
} spline;

static void make(int samples, int degree, int most, spline *s)
{
    *s = (spline){.samples = samples, .degree = ms_spline_degree(samples, degree), .most = most};
    s->pieces = ms_spline_breaks(samples, degree, s->end) + 1;
    s->end[s->pieces - 1] = 1.0;
    ms_spline_weights(samples, degree, most, s->pieces, s->end, s->w);
}

/* Its derivative of that order on a piece, for the values y. */
static double value(const spline *s, int piece, int order, double theta, const double *y)
{
    const double tau = theta - (piece == 0 ? 0.0 : s->end[piece - 1]);
    double sum = 0.0;
    for (int k = s->most; k >= order; k--) {
        const double *w = s->w + (piece * (s->most + 1) + k) * (s->samples + 1);
        double c = 0.0, factor = 1.0;
        for (int j = 0; j <= s->samples; j++)
            c += w[j] * y[j];
        for (int i = k; i > k - order; i--)
            factor *= i;
        sum = sum * tau + factor * c;
    }
    return sum;
}

static int piece_of(const spline *s, double theta)
{
    int piece = 0;
    while (piece < s->pieces - 1 && theta > s->end[piece])
        piece++;
    return piece;
}

/* Worked out by hand from the means of p successive times. */
static void knots_are_means(void **state)
{
    (void)state;
    static const struct {
        int samples, degree, n;
        double knot[6];
    } known[] = {{1, 1, 0, {0}},
                 {1, 3, 0, {0}},
                 {4, 0, 3, {0.25, 0.5, 0.75}},
                 {4, 1, 3, {0.25, 0.5, 0.75}},
                 {2, 2, 0, {0}},
                 {3, 2, 1, {0.5}},
                 {4, 2, 2, {0.375, 0.625}},
                 {3, 3, 0, {0}},
                 {4, 3, 1, {0.5}},
                 {6, 3, 3, {2.0 / 6.0, 3.0 / 6.0, 4.0 / 6.0}}};
    for (int k = 0; k < (int)(sizeof known / sizeof *known); k++) {
        double knot[MS_SPLINE_SAMPLES];
        assert_int_equal(ms_spline_breaks(known[k].samples, known[k].degree, knot), known[k].n);
        assert_memory_equal(knot, known[k].knot, sizeof(double) * (size_t)known[k].n);
    }
}

static void it_passes_through_the_samples_and_is_smooth(void **state)
{
    (void)state;
    unsigned long long seed = 71;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        for (int p = 1; p <= MS_SPLINE_DEGREE; p++) {
            double y[MS_SPLINE_SAMPLES + 1];
            spline s;
            make(m, p, MS_SPLINE_DEGREE, &s);
            for (int j = 0; j <= m; j++)
                y[j] = support_random(&seed);
            for (int j = 0; j <= m; j++) {
                const double theta = (double)j / m;
                support_near(value(&s, piece_of(&s, theta), 0, theta, y), y[j], 1e-13);
            }
            for (int q = 0; q + 1 < s.pieces; q++)
                for (int order = 0; order < s.degree; order++)
                    support_near(value(&s, q, order, s.end[q], y), value(&s, q + 1, order, s.end[q], y),
                                 1e-13 * pow(4.0 * m, order));
        }
}

static void right_hand_samples_are_held(void **state)
{
    (void)state;
    spline s;
    double y[MS_SPLINE_SAMPLES + 1];
    for (int j = 0; j <= MS_SPLINE_SAMPLES; j++)
        y[j] = j;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++) {
        make(m, 0, 0, &s);
        assert_int_equal(s.pieces, m);
        for (int q = 0; q < m; q++)
            assert_true(value(&s, q, 0, s.end[q] - 0.5 / m, y) == y[q + 1]);
    }
}

/* Polynomials of its degree are their own splines, on finer pieces too, with zeros above the degree. */
static void polynomials_are_reproduced(void **state)
{
    (void)state;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        for (int p = 1; p <= MS_SPLINE_DEGREE; p++) {
            double y[MS_SPLINE_SAMPLES + 1];
            spline s;
            make(m, p, MS_SPLINE_DEGREE + 1, &s);
            for (int j = 0; j <= m; j++)
                y[j] = pow((double)j / m - 0.3, s.degree);
            for (double theta = 0.0; theta <= 1.0; theta += 0.03125)
                support_near(value(&s, piece_of(&s, theta), 0, theta, y), pow(theta - 0.3, s.degree), 1e-13);
            s.end[s.pieces - 1] = 0.5 * (1.0 + (s.pieces > 1 ? s.end[s.pieces - 2] : 0.0));
            if (s.pieces == PIECES)
                continue;
            s.end[s.pieces++] = 1.0;
            ms_spline_weights(m, p, s.most, s.pieces, s.end, s.w);
            support_near(value(&s, s.pieces - 1, 0, 0.99, y), pow(0.69, s.degree), 1e-13);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_are_means),
        cmocka_unit_test(it_passes_through_the_samples_and_is_smooth),
        cmocka_unit_test(right_hand_samples_are_held),
        cmocka_unit_test(polynomials_are_reproduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
