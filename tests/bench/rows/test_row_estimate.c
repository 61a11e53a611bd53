/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_row_estimate.c - what is left of a sweep, for made-up costs of rows and for recorded ones. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/model.h>
#include "row_estimate.h"
#include "unit_test.h"

typedef struct table {
    long n;
    double *cost; /* (n) */
    ms_row_estimate estimate;
} table;

static unsigned long long seed;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2.0 * log(uniform())) * cos(2.0 * acos(-1.0) * uniform());
}

static void add(table *t, double cost, int group, bool new_stratum)
{
    if ((t->n & (t->n - 1)) == 0) /* there is room for the next power of two */
        t->cost = realloc(t->cost, sizeof *t->cost * (size_t)(t->n > 0 ? 2 * t->n : 1));
    assert_non_null(t->cost);
    assert_int_equal(ms_row_estimate_add(&t->estimate, t->n, group, new_stratum), MS_OK);
    t->cost[t->n++] = cost;
}

static void forget(table *t)
{
    ms_row_estimate_destroy(&t->estimate);
    free(t->cost);
    *t = (table){0};
}

/* The largest factor by which the work left was misjudged, from a tenth of the work on and until but 2 % are left:
 * then it may be one row. */
static double worst_factor(table *t)
{
    double all = 0.0, spent = 0.0, worst = 1.0;
    for (long k = 0; k < t->n; k++)
        all += t->cost[k];
    for (int first = 1; first >= 0; first--)
        for (long k = 0; k < t->n; k++) {
            if (ms_row_estimate_samples(&t->estimate, k) != (first == 1))
                continue;
            ms_row_estimate_note(&t->estimate, k, t->cost[k]);
            spent += t->cost[k];
            if (k % 16 != 0 || spent < 0.1 * all || spent > 0.98 * all)
                continue;
            const double done = ms_row_estimate_done(&t->estimate);
            const double ratio = spent * (1.0 - done) / done / (all - spent);
            worst = fmax(worst, fmax(ratio, 1.0 / ratio));
        }
    assert_true(fabs(ms_row_estimate_done(&t->estimate) - 1.0) < 1e-12);
    return worst;
}

/* Recorded: the rows of sweep --models all, its first 63 %, one in seven: processor time by model and case, and
 * scheme family, at a time when no row had a bound on its micro-steps. */
static const struct recorded {
    int group, rows;
    double least, median, most; /* [ms] */
} recorded[] = {{0, 91, 2, 4, 6},
                {0, 91, 2, 4, 8},
                {0, 175, 3, 5, 22},
                {0, 14, 0, 0, 0},
                {0, 70, 0, 0, 7},
                {0, 7, 60, 60, 60},
                {0, 14, 18, 59, 59},
                {1, 91, 1, 3, 7},
                {1, 84, 2, 4, 8},
                {1, 182, 2, 3, 12},
                {1, 7, 0, 0, 0},
                {1, 77, 0, 0, 4},
                {1, 7, 24, 24, 24},
                {1, 7, 8, 8, 8},
                {2, 91, 1, 2, 3},
                {2, 91, 1, 3, 4},
                {2, 182, 1, 3, 40},
                {2, 7, 0, 0, 0},
                {2, 70, 0, 0, 3},
                {2, 14, 25, 26, 26},
                {2, 7, 8, 8, 8},
                {3, 91, 2, 3, 10},
                {3, 91, 3, 5, 12},
                {3, 182, 1, 4, 18},
                {3, 7, 0, 0, 0},
                {3, 70, 2, 4, 229},
                {3, 7, 50, 50, 50},
                {3, 14, 14, 29, 29},
                {4, 91, 2, 4, 8},
                {4, 91, 2, 4, 11},
                {4, 175, 2, 4, 9},
                {4, 7, 0, 0, 0},
                {4, 77, 2, 4, 145},
                {4, 7, 101, 101, 101},
                {4, 14, 7, 38, 38},
                {5, 84, 2, 3, 6},
                {5, 91, 2, 4, 11},
                {5, 182, 3, 5, 128},
                {5, 7, 0, 0, 0},
                {5, 70, 8, 10, 36},
                {5, 14, 52, 83, 83},
                {5, 7, 14, 14, 14},
                {6, 91, 2, 7, 19},
                {6, 91, 4, 8, 21},
                {6, 182, 7, 17, 94},
                {6, 7, 0, 0, 0},
                {6, 70, 15, 75, 134},
                {6, 14, 100, 216, 216},
                {6, 7, 25, 25, 25},
                {7, 91, 0, 104, 254},
                {7, 91, 0, 93, 234},
                {7, 175, 0, 324, 710},
                {7, 14, 0, 0, 0},
                {7, 70, 237, 325, 483},
                {7, 7, 1028, 1028, 1028},
                {7, 14, 43, 740, 740},
                {8, 91, 0, 81, 298},
                {8, 84, 0, 89, 2515},
                {8, 182, 0, 270, 734},
                {8, 7, 0, 0, 0},
                {8, 77, 209, 452, 1063},
                {8, 7, 731, 731, 731},
                {8, 7, 761, 761, 761},
                {9, 91, 0, 23, 41},
                {9, 91, 0, 22, 40},
                {9, 182, 0, 50, 134},
                {9, 7, 0, 0, 0},
                {9, 70, 16, 20, 71},
                {9, 14, 289, 497, 497},
                {9, 7, 164, 164, 164},
                {10, 91, 0, 21, 41},
                {10, 91, 0, 20, 48},
                {10, 182, 0, 81, 215},
                {10, 7, 0, 0, 0},
                {10, 70, 14, 25, 103},
                {10, 7, 442, 442, 442},
                {10, 14, 86, 201, 201},
                {11, 91, 14, 46, 71},
                {11, 91, 23, 53, 122},
                {11, 175, 13, 45, 650},
                {11, 7, 0, 0, 0},
                {11, 77, 96, 214, 1494},
                {11, 7, 1085, 1085, 1085},
                {11, 14, 186, 359, 359},
                {12, 84, 4, 10, 30},
                {12, 91, 5, 12, 33},
                {12, 182, 7, 19, 99},
                {12, 7, 0, 0, 0},
                {12, 70, 92, 241, 520},
                {12, 14, 70, 113, 113},
                {12, 7, 20, 20, 20},
                {13, 91, 3, 4, 5},
                {13, 91, 3, 5, 13},
                {13, 182, 3, 8, 114},
                {13, 7, 129, 129, 129},
                {13, 70, 2, 11, 26},
                {13, 14, 39, 44, 44},
                {13, 7, 15, 15, 15},
                {14, 91, 18, 630, 1165},
                {14, 91, 15, 570, 1304},
                {14, 175, 26, 473, 1717},
                {14, 14, 715, 752, 752},
                {14, 70, 120, 399, 530},
                {14, 7, 20933, 20933, 20933},
                {14, 14, 98, 331, 331},
                {15, 91, 6, 171, 472},
                {15, 84, 175, 336, 1110},
                {15, 182, 13, 559, 1230},
                {15, 7, 67, 67, 67},
                {15, 77, 75, 125, 149},
                {15, 7, 10790, 10790, 10790},
                {15, 7, 202, 202, 202},
                {16, 91, 26, 461, 869},
                {16, 91, 41, 700, 1540},
                {16, 182, 54, 934, 2034},
                {16, 7, 59, 59, 59},
                {16, 70, 177, 355, 1402},
                {16, 14, 23695, 23868, 23868},
                {16, 7, 765, 765, 765},
                {17, 91, 1, 1, 2},
                {17, 91, 1, 2, 6},
                {17, 182, 1, 176, 559},
                {17, 7, 0, 0, 0},
                {17, 70, 1, 2, 7},
                {17, 7, 10, 10, 10},
                {17, 14, 4, 4, 4},
                {18, 91, 1, 2, 3},
                {18, 91, 1, 2, 7},
                {18, 175, 1, 3, 220},
                {18, 7, 0, 0, 0},
                {18, 77, 1, 1, 5},
                {18, 7, 24, 24, 24},
                {18, 14, 6, 6, 6},
                {19, 84, 70, 146, 468},
                {19, 91, 61, 210, 585},
                {19, 182, 75, 471, 2368},
                {19, 7, 0, 0, 0},
                {19, 70, 577, 1614, 5114},
                {19, 14, 4431, 10231, 10231},
                {19, 7, 729, 729, 729},
                {20, 91, 2, 3, 148},
                {20, 91, 2, 5, 12},
                {20, 182, 3, 14, 122},
                {20, 7, 0, 0, 0},
                {20, 70, 45, 116, 176},
                {20, 14, 61, 112, 112},
                {20, 7, 17, 17, 17},
                {21, 91, 2, 5, 48},
                {21, 91, 2, 5, 9},
                {21, 175, 4, 7, 30},
                {21, 14, 0, 0, 0},
                {21, 70, 9, 46, 80},
                {21, 7, 59, 59, 59},
                {21, 14, 20, 28, 28},
                {22, 91, 2, 5, 290},
                {22, 84, 2, 5, 16},
                {22, 182, 3, 8, 40},
                {22, 7, 0, 0, 0},
                {22, 77, 9, 59, 264},
                {22, 7, 74, 74, 74},
                {22, 7, 25, 25, 25},
                {23, 91, 0, 330, 1663},
                {23, 91, 0, 262, 3163},
                {23, 182, 0, 219, 5021},
                {23, 7, 0, 0, 0},
                {23, 70, 581, 2047, 6647},
                {23, 14, 0, 0, 0},
                {23, 7, 356, 356, 356},
                {24, 91, 0, 106, 1461},
                {24, 91, 0, 109, 1436},
                {24, 182, 0, 228, 5201},
                {24, 7, 0, 0, 0},
                {24, 70, 79, 578, 6513},
                {24, 7, 0, 0, 0},
                {24, 14, 84, 190, 190},
                {25, 91, 0, 109, 1448},
                {25, 91, 0, 320, 1134},
                {25, 175, 0, 231, 3522},
                {25, 7, 0, 0, 0},
                {25, 77, 897, 1330, 5126},
                {25, 7, 0, 0, 0},
                {25, 14, 137, 265, 265},
                {26, 84, 0, 278, 550},
                {26, 91, 0, 402, 887},
                {26, 182, 0, 62, 1260},
                {26, 7, 0, 0, 0},
                {26, 70, 645, 3262, 5005},
                {26, 14, 12811, 15594, 15594},
                {26, 7, 179, 179, 179},
                {27, 91, 0, 775, 2452},
                {27, 91, 0, 675, 1848},
                {27, 182, 0, 693, 3095},
                {27, 7, 0, 0, 0},
                {27, 70, 621, 1274, 5139},
                {27, 14, 3231, 5019, 5019},
                {27, 7, 2381, 2381, 2381},
                {28, 91, 7, 79, 376},
                {28, 91, 10, 197, 454},
                {28, 175, 3, 69, 688},
                {28, 14, 0, 0, 0},
                {28, 70, 36, 125, 277},
                {28, 7, 4257, 4257, 4257},
                {28, 14, 33, 77, 77},
                {29, 91, 0, 0, 4},
                {29, 84, 0, 0, 3},
                {29, 182, 0, 0, 185},
                {29, 7, 0, 0, 0},
                {29, 77, 2, 4, 2959},
                {29, 7, 0, 0, 0},
                {29, 7, 0, 0, 0},
                {30, 91, 0, 28, 57},
                {30, 91, 0, 47, 82},
                {30, 182, 0, 10, 559},
                {30, 7, 0, 0, 0},
                {30, 70, 57, 110, 1200},
                {30, 14, 966, 1351, 1351},
                {30, 7, 706, 706, 706},
                {31, 91, 0, 15, 36},
                {31, 91, 0, 16, 82},
                {31, 182, 0, 6, 9},
                {31, 7, 0, 0, 0},
                {31, 70, 1, 2, 110},
                {31, 7, 393, 393, 393},
                {31, 14, 92, 235, 235},
                {32, 91, 0, 16, 474},
                {32, 91, 0, 15, 536},
                {32, 175, 0, 7, 1198},
                {32, 7, 0, 0, 0},
                {32, 77, 1, 2, 250},
                {32, 7, 526, 526, 526},
                {32, 14, 190, 380, 380},
                {33, 84, 0, 130, 271},
                {33, 91, 0, 155, 326},
                {33, 182, 0, 6, 10},
                {33, 7, 0, 0, 0},
                {33, 70, 1, 1, 64},
                {33, 14, 3130, 6456, 6456},
                {33, 7, 3029, 3029, 3029},
                {34, 91, 0, 708, 1248},
                {34, 91, 0, 568, 1218},
                {34, 182, 0, 1154, 5655},
                {34, 7, 0, 0, 0},
                {34, 70, 5007, 5624, 6570},
                {34, 14, 9846, 16632, 16632},
                {34, 7, 2590, 2590, 2590},
                {35, 91, 0, 419, 807},
                {35, 91, 0, 376, 869},
                {35, 175, 0, 637, 4200},
                {35, 14, 0, 0, 0},
                {35, 70, 5079, 5530, 6296},
                {35, 7, 8154, 8154, 8154},
                {35, 14, 2840, 4269, 4269},
                {36, 56, 809, 1647, 5234}};

/* Costs of a stratum's rows: between least and median, or median and most, by chance. */
static double recorded_cost(const struct recorded *r)
{
    const double u = uniform(), low = r->least + 0.01, middle = r->median + 0.01, high = r->most + 0.01;
    return u < 0.5 ? low * pow(middle / low, 2.0 * u) : middle * pow(high / middle, 2.0 * u - 1.0);
}

static void what_is_left_is_known_after_a_tenth_of_recorded_sweeps(void **state)
{
    (void)state;
    for (seed = 1; seed <= 20;) {
        const unsigned long long which = seed;
        table t = {0};
        for (int s = 0; s < MS_COUNT(recorded); s++)
            for (int k = 0; k < recorded[s].rows; k++)
                add(&t, recorded_cost(&recorded[s]), recorded[s].group, k == 0);
        const double worst = worst_factor(&t);
        if (!(worst < 2.0))
            fail_msg("seed %llu: off by a factor %g", which, worst);
        forget(&t);
        seed = which + 1;
    }
}

/* Strata whose means differ by a factor of e^2 either way, and rows within them by e. */
static void what_is_left_is_known_after_a_tenth_of_made_up_sweeps(void **state)
{
    (void)state;
    for (unsigned long long which = 1; which <= 20; which++) {
        table t = {0};
        seed = which;
        for (int group = 0; group < 40; group++)
            for (int s = 0; s < 8; s++) {
                const double mean = exp(2.0 * normal());
                const int rows = 8 + (int)(200.0 * uniform());
                for (int k = 0; k < rows; k++)
                    add(&t, mean * exp(normal()), group, k == 0);
            }
        const double worst = worst_factor(&t);
        if (!(worst < 2.0))
            fail_msg("seed %llu: off by a factor %g", which, worst);
        forget(&t);
    }
}

static void each_stratum_has_rows_that_are_run_first(void **state)
{
    (void)state;
    table t = {0};
    long samples = 0;
    for (int s = 0; s < 300; s++)
        for (int k = 0; k < 1 + s; k++)
            add(&t, 1.0, s / 8, k == 0);
    for (int s = 0; s < t.estimate.n; s++) {
        const ms_row_stratum *stratum = &t.estimate.stratum[s];
        long n = 0;
        for (long k = 0; k < stratum->rows; k++)
            n += ms_row_estimate_samples(&t.estimate, stratum->first + k);
        assert_true(n >= 1);
        samples += n;
    }
    assert_true(samples < t.n / 10);
    assert_false(ms_row_estimate_samples(&t.estimate, t.n));
    forget(&t);
}

static void few_rows_are_run_in_their_order(void **state)
{
    (void)state;
    table t = {0};
    for (int k = 0; k < 500; k++)
        add(&t, 1.0, k / 100, k % 10 == 0);
    for (long k = 0; k < t.n; k++)
        assert_false(ms_row_estimate_samples(&t.estimate, k));
    assert_true(worst_factor(&t) < 1.0 + 1e-9); /* equal costs */
    forget(&t);
    assert_true(ms_row_estimate_done(&t.estimate) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_known_after_a_tenth_of_recorded_sweeps),
        cmocka_unit_test(what_is_left_is_known_after_a_tenth_of_made_up_sweeps),
        cmocka_unit_test(each_stratum_has_rows_that_are_run_first),
        cmocka_unit_test(few_rows_are_run_in_their_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
