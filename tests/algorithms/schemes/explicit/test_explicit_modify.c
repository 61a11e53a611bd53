/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_modify.c - an example of a family of its own, made by `config.modify`: the extrapolation is held at its value
 * in the middle of the macro-step. With order 1 and equal steps that is nepce with alpha = 1 by the trapezoidal rule, and has
 * its propagation matrix. */
#include <math.h>

#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include "explicit.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 30, STEPS = 12 };

/* p(h/2) as a constant. */
static ms_weights at_middle(const explicit_data *data, ms_weights p, double h)
{
    (void)data;
    for (int slot = 0; slot < MS_WEIGHT_SLOTS; slot++) {
        double value = 0.0;
        for (int k = p.degree; k >= 0; k--) {
            value = value * 0.5 * h + p.w[k][slot];
            p.w[k][slot] = 0.0;
        }
        p.w[0][slot] = value;
    }
    return p;
}

static int middle_create(ms_cosim *cosim, ms_error *error)
{
    const int status = ms_explicit_create(cosim, error);
    if (status == MS_OK)
        ((explicit_data *)cosim->scheme_data)->config.modify = at_middle;
    return status;
}

static ms_scheme held_at_middle(void)
{
    ms_scheme scheme = *ms_scheme_find("jacobi");
    scheme.name = "held-at-middle";
    scheme.create = middle_create;
    scheme.claims = NULL;
    scheme.form = MS_FORM_OTHER; /* no formula of Psi knows it: it is probed */
    return scheme;
}

static void ends_are_those_of_nepce(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    int differ = 0;
    for (int n = 0; n < SYSTEMS; n++) {
        support_random_system r = support_random_system_next(&seed);
        double x[3][SUPPORT_RANDOM_SYSTEM_TOTAL], y[3][SUPPORT_RANDOM_SYSTEM_TOTAL];
        static const char *const scheme[] = {"scheme=held-at-middle extrapolation-order=1 start=hold",
                                             "scheme=nepce",
                                             "scheme=jacobi extrapolation-order=1 start=hold"};
        for (int k = 0; k < 3; k++) {
            const ms_options options = support_options_of("%s step-size=%.17g stop-time=%.17g", scheme[k],
                                                          0.05 * r.h, STEPS * 0.05 * r.h);
            support_finish(r.system, &options, x[k], y[k]);
        }
        support_near(support_distance(r.system->nx, x[0], x[1]), 0.0, 1e-12);
        differ += support_distance(r.system->nx, x[0], x[2]) > 1e-6;
        support_random_system_drop(&r);
    }
    assert_true(2 * differ > SYSTEMS); /* from what is not modified */
}

static void spectral_radii_are_those_of_nepce(void **state)
{
    (void)state;
    unsigned long long seed = 6;
    for (int n = 0; n < SYSTEMS; n++) {
        support_random_system r = support_random_system_next(&seed);
        const ms_options own = support_options_of(
                             "scheme=held-at-middle extrapolation-order=1 step-size=%.17g", r.h),
                         nepce = support_options_of("scheme=nepce step-size=%.17g", r.h);
        const double radius = ms_propagation_radius(r.system, &nepce, r.h, 100);
        support_near(ms_propagation_radius(r.system, &own, r.h, 100), radius, 1e-8 * (1.0 + radius));
        support_random_system_drop(&r);
    }
}

int main(void)
{
    static ms_scheme scheme;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_those_of_nepce),
        cmocka_unit_test(spectral_radii_are_those_of_nepce),
    };
    scheme = held_at_middle();
    return ms_scheme_add(&scheme, NULL) == MS_OK ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
