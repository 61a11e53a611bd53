/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_analytic_propagation_balls.c - the formula in balls holds the formula in doubles up to the round-off of that one, at
 * points and over discs, for random systems and the members of the explicit family. Where Arb is not there it says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analytic_propagation_balls_parts.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 60 };

static const char *const members[] = {
    "scheme=jacobi",
    "scheme=jacobi extrapolation-order=1",
    "scheme=jacobi extrapolation-order=2",
    "scheme=jacobi extrapolation-order=2 as-printed=quadratic",
    "scheme=gauss-seidel",
    "scheme=gauss-seidel extrapolation-order=1",
    "scheme=gauss-seidel extrapolation-order=2",
    "scheme=jacobi outputs=consistent extrapolation-order=2",
    "scheme=gauss-seidel outputs=corrected extrapolation-order=1",
    "scheme=jacobi smooth-coupling=c0",
    "scheme=gauss-seidel smooth-coupling=c1 extrapolation-order=2",
    "scheme=jacobi derivatives=analytic extrapolation-order=1",
    "scheme=jacobi derivatives=analytic extrapolation-order=2",
    "scheme=gauss-seidel derivatives=analytic extrapolation-order=2",
    "scheme=jacobi derivatives=analytic extrapolation-order=2 outputs=consistent",
    "scheme=jacobi derivatives=analytic extrapolation-order=2 outputs=corrected",
    "scheme=jacobi derivatives=analytic extrapolation-order=2 output-derivatives=differences",
    ("scheme=gauss-seidel derivatives=analytic extrapolation-order=1 output-derivatives=differences "
     "outputs=corrected"),
    "scheme=jacobi extrapolation-order=1 solver=euler micro-steps=3",
    "scheme=gauss-seidel extrapolation-order=2 solver=rk4 micro-steps=2",
    "scheme=strang"};

/* The plug-in; NULL where the build has none, which is what is tested then. */
static const ms_plugin_balls *plugin_of(void)
{
    const ms_plugin *plugin = NULL;
    ms_error error = {""};
    if (ms_plugin_open("balls", "`certify`", &plugin, &error) != MS_OK)
        assert_non_null(strstr(error.text, "macrostep-balls.so"));
    return (const ms_plugin_balls *)(const void *)plugin;
}

/* psi in the units of the balls: states scaled, derivatives as H^j y^(j). */
static void scale_as_balls(ms_analytic_propagation *f, const ms_analytic_propagation_balls *balls, double h,
                           double *psi)
{
    const double *unit = balls->unit;
    propagation_scale scale[SCALES_MAX];
    const int scales = f->split ? 0 : ms_analytic_propagation_scales(f, h, scale);
    double *size = calloc((size_t)f->n + 1, sizeof *size);
    assert_non_null(size);
    for (int j = 0; j < f->n; j++)
        size[j] = j < f->system->nx ? unit[j] : 1.0;
    for (int k = 0; k < scales; k++)
        for (int j = 0; j < scale[k].count; j++)
            size[scale[k].column + j] = 1.0 / scale[k].factor;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++)
            psi[i * f->n + j] *= size[j] / size[i];
    free(size);
}

static double largest(size_t n, const double *psi)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(psi[i]));
    return most;
}

typedef struct tried {
    const ms_plugin_balls *plugin;
    ms_analytic_propagation *f;
    ms_analytic_propagation_balls *balls;
    ms_balls *h, *psi;
    double *expected;
    int n;
} tried;

static bool open_member(tried *t, const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    ms_error error = {""};
    if (ms_analytic_propagation_create(system, &options, &t->f, &error) != MS_OK)
        return false;
    assert_int_equal(ms_analytic_propagation_balls_create(t->plugin, system, &options, &t->balls, &error),
                     MS_OK);
    t->n = ms_analytic_propagation_balls_dimension(t->balls);
    assert_int_equal(t->n, ms_analytic_propagation_dimension(t->f));
    t->expected = malloc(sizeof *t->expected * (size_t)(t->n * t->n));
    assert_non_null(t->expected);
    assert_int_equal(t->plugin->create(1, 1, &t->h), MS_OK);
    assert_int_equal(t->plugin->create(t->n, t->n, &t->psi), MS_OK);
    return true;
}

static void close_member(tried *t)
{
    free(t->expected);
    t->plugin->destroy(&t->h);
    t->plugin->destroy(&t->psi);
    ms_analytic_propagation_balls_destroy(&t->balls);
    ms_analytic_propagation_destroy(&t->f);
}

static void expect_at(tried *t, double h)
{
    assert_int_equal(ms_analytic_propagation_evaluate(t->f, h, t->expected), MS_OK);
    scale_as_balls(t->f, t->balls, h, t->expected);
}

/* At a point the balls are narrow: their middles are what the doubles are up to round-off, and more bits do not move them. */
static void points_agree(tried *t, double h, const char *text)
{
    expect_at(t, h);
    t->plugin->at(h, t->h);
    for (long bits = 128; bits <= 256; bits *= 2) {
        assert_int_equal(ms_analytic_propagation_balls_evaluate(t->balls, t->h, bits, t->psi), MS_OK);
        const double off = 1e-11 * (1.0 + largest((size_t)(t->n * t->n), t->expected));
        for (int e = 0; e < t->n * t->n; e++)
            if (!(fabs(t->plugin->middle(t->psi, e / t->n, e % t->n) - t->expected[e]) <= off))
                fail_msg("%s, h = %g, entry %d: %.17g in balls, %.17g in doubles", text, h, e,
                         t->plugin->middle(t->psi, e / t->n, e % t->n), t->expected[e]);
    }
}

/* The disc from which the circle of a panel is seen: its balls hold what the formula gives anywhere in it. */
static void disc_holds(tried *t, double h, const char *text)
{
    const ms_balls_panel panel = {.begin = 0.975 * h, .end = 1.025 * h, .wide = 2.0, .nodes = 1};
    t->plugin->at_disc(&panel, t->h, 64);
    assert_int_equal(ms_analytic_propagation_balls_evaluate(t->balls, t->h, 64, t->psi), MS_OK);
    for (int k = -2; k <= 2; k++) {
        const double there = h * (1.0 + 0.1 * k);
        expect_at(t, there);
        for (int e = 0; e < t->n * t->n; e++) {
            const double most = t->plugin->modulus(t->psi, e / t->n, e % t->n);
            if (!(fabs(t->expected[e]) <= most + 1e-11 * largest((size_t)(t->n * t->n), t->expected)))
                fail_msg("%s: %g at %g, bound %g over the disc about %g", text, t->expected[e], there, most,
                         h);
        }
    }
}

static void the_formula_in_balls_is_the_formula(void **state)
{
    (void)state;
    tried t = {.plugin = plugin_of()};
    if (t.plugin == NULL)
        return;
    unsigned long long seed = 29;
    int compared = 0;
    for (int trial = 0; trial < support_ensemble(SYSTEMS); trial++) {
        support_random_system s = support_random_system_next(&seed);
        for (int k = 0; k < MS_COUNT(members); k++) {
            if (!open_member(&t, s.system, members[k]))
                continue; /* strang: not with feed-through */
            points_agree(&t, s.h, members[k]);
            points_agree(&t, 1e-3 * s.h, members[k]);
            disc_holds(&t, s.h, members[k]);
            close_member(&t);
            compared++;
        }
        support_random_system_drop(&s);
    }
    assert_true(compared >= 20 * support_ensemble(SYSTEMS));
}

static void schemes_without_one_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"scheme=balance", "scheme=waveform", "scheme=ifosmondi"};
    const ms_plugin_balls *plugin = plugin_of();
    if (plugin == NULL)
        return;
    unsigned long long seed = 3;
    support_random_system s = support_random_system_next(&seed);
    for (int k = 0; k < MS_COUNT(texts); k++) {
        const ms_options options = support_options(texts[k]);
        ms_analytic_propagation_balls *balls;
        ms_error error = {""};
        assert_int_equal(ms_analytic_propagation_balls_create(plugin, s.system, &options, &balls, &error),
                         MS_UNSUPPORTED);
        assert_null(balls);
        assert_non_null(strstr(error.text, "`scheme`"));
    }
    support_random_system_drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formula_in_balls_is_the_formula),
        cmocka_unit_test(schemes_without_one_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
