/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_study_work.c - error over work: what an error costs. */
#include <math.h>

#include "study_work.h"
#include "support.h"
#include "unit_test.h"

enum { RUNS = 6 };

typedef struct curve {
    double work[RUNS], error[RUNS];
} curve;

/* Twice the work, a quarter of the error. */
static curve second_order(double work, double error)
{
    curve c;
    for (int k = 0; k < RUNS; k++) {
        c.work[k] = ldexp(work, k);
        c.error[k] = ldexp(error, -2 * k);
    }
    return c;
}

static double at(const curve *c, double level)
{
    return ms_work_at(RUNS, c->work, c->error, level);
}

static void test_work_at(void **state)
{
    (void)state;
    curve c = second_order(100.0, 0.1);
    support_near(at(&c, 0.1), 100.0, 1e-10);
    support_near(at(&c, 0.05), 100.0 * sqrt(2.0), 1e-9);
    assert_true(isnan(at(&c, 0.11)));
    assert_true(isnan(at(&c, 1e-9)));
    c = second_order(150.0, 0.2);
    c.work[3] *= 10.0; /* a run that others beat does not count */
    c.error[3] *= 5.0;
    support_near(at(&c, c.error[2]), c.work[2], 1e-9);
    support_near(at(&c, 0.2 * c.error[3]), ldexp(150.0, 3), 1e-9);
    c = second_order(150.0, 0.2);
    c.work[5] = 10.0; /* beats all others */
    support_near(at(&c, 0.19), 10.0, 0.0);
    c = second_order(100.0, 2.0); /* nothing has been solved at 2: 1/2 is the first error that counts */
    support_near(at(&c, 0.5), 200.0, 1e-9);
    assert_true(isnan(at(&c, 0.6)));
    for (int k = 0; k < RUNS; k++)
        c.error[k] = NAN;
    assert_true(isnan(at(&c, 0.1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
