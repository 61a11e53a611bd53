/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_certificate.c - what is proved of spectral radii, against closed forms, published tongues and radii by the formula in
 * doubles; nothing that is unstable is proved stable. Where Arb is not there the one line that says so is what is tested. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/spectrum.h>
#include "certificate.h"
#include "plugin_balls.h"
#include "random_system.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { PAIRS = 6, SAMPLES = 200, MATRICES = 40 };

/* Is there a certifier for this system? Else the line names what is missing. */
static bool opened(const ms_system *system, const char *text, ms_certifier **certifier)
{
    const ms_options options = support_options(text);
    ms_error error = {""};
    const int status = ms_certifier_create(system, &options, certifier, &error);
    if (status == MS_OK)
        return true;
    assert_int_equal(status, MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "libflint-arb-dev"));
    return false;
}

/* Systems whose radii are known ------------------------------------------------------------------------- */

static void decay_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->C[0] = 1.0;
}

static void rotation_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 3.0;
    m->A[2] = -3.0;
    m->C[0] = 1.0;
}

/* Two oscillators whose coupling is unstable for step sizes in [0.49442978, 0.49443353]. */
static void slow_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = m->B[1] = m->C[0] = 1.0;
    m->A[2] = -41.452422806721756;
    m->A[3] = -0.00048281053004966797;
}

static void fast_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = m->B[1] = m->C[0] = 1.0;
    m->A[2] = -6809.035590714657;
    m->A[3] = -0.0028988827493588044;
}

static const ms_subsystem decays[] = {SUPPORT_SUBSYSTEM("one", 1, 0, 1, .matrices = decay_matrices),
                                      SUPPORT_SUBSYSTEM("two", 1, 0, 1, .matrices = decay_matrices)};
static const ms_subsystem rotations[] = {SUPPORT_SUBSYSTEM("one", 2, 0, 1, .matrices = rotation_matrices),
                                         SUPPORT_SUBSYSTEM("two", 2, 0, 1, .matrices = rotation_matrices)};
static const ms_subsystem oscillators[] = {SUPPORT_SUBSYSTEM("slow", 2, 1, 1, .matrices = slow_matrices),
                                           SUPPORT_SUBSYSTEM("fast", 2, 1, 1, .matrices = fast_matrices)};
static const ms_wire tongue_wires[] = {{.to = 0, .from = 1, .gain = 0.012375012811462326},
                                       {.to = 1, .from = 0, .gain = 2.0327377017666928}};
static const ms_model decaying = SUPPORT_UNCOUPLED("decaying", decays, .stop_time = 1.0, .step_size = 0.1);
static const ms_model rotating = SUPPORT_UNCOUPLED("rotating", rotations, .stop_time = 1.0, .step_size = 0.1);
static const ms_model tongue =
    SUPPORT_MODEL("tongue", oscillators, tongue_wires, .stop_time = 5.0, .step_size = 0.005);

static ms_certificate certify(ms_certifier *certifier, double low, double high, double largest)
{
    ms_certificate found;
    ms_error error = {""};
    assert_int_equal(
        ms_certifier_interval(certifier, (const double[]){low, high}, largest, NULL, &found, &error), MS_OK);
    return found;
}

/* e^-H is in the bounds, which are narrow. */
static void bounds_hold_the_radius(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decaying);
    ms_certifier *certifier;
    for (double h = 1e-3; h < 20.0 && opened(system, "scheme=jacobi extrapolation-order=1", &certifier);
         h *= 7.0) {
        double bounds[2];
        long bits;
        ms_error error = {""};
        assert_int_equal(ms_certifier_radius(certifier, h, exp(-h) * (1.0 + 1e-9), bounds, &bits, &error),
                         MS_OK);
        assert_true(bounds[0] <= exp(-h) && exp(-h) <= bounds[1]);
        assert_true(bounds[1] - bounds[0] <= 1e-7 * exp(-h));
        ms_certifier_destroy(&certifier);
    }
    ms_system_destroy(&system);
}

static void decay_is_proved_from_zero_on(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decaying);
    ms_certifier *certifier;
    if (opened(system, "scheme=gauss-seidel extrapolation-order=2", &certifier)) {
        ms_certificate found = certify(certifier, 0.0, 3.0, 3.0);
        assert_true(ms_certificate_holds(&found));
        assert_int_equal(found.gap_count, 0);
        assert_true(found.proved[0][0] == 0.0 && found.proved[0][1] == 3.0);
        ms_certificate_destroy(&found);
        ms_certifier_destroy(&certifier);
    }
    ms_system_destroy(&system);
}

/* rho = 1 for all H: nothing can be proved, and it ends. */
static void nothing_conservative_is_proved(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&rotating);
    ms_certifier *certifier;
    if (opened(system, "scheme=jacobi", &certifier)) {
        ms_certificate found = certify(certifier, 0.0, 1.0, 1.0);
        assert_int_equal(found.proved_count, 0);
        assert_int_equal(found.unstable_count, 0);
        assert_false(ms_certificate_holds(&found));
        ms_certificate_destroy(&found);
        ms_certifier_destroy(&certifier);
    }
    ms_system_destroy(&system);
}

static void a_tongue_is_never_proved(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&tongue);
    ms_certifier *certifier;
    if (!opened(system, "scheme=jacobi", &certifier)) {
        ms_system_destroy(&system);
        return;
    }
    ms_certificate found = certify(certifier, 0.4943, 0.4946, 0.4946);
    int inside = 0;
    for (int k = 0; k < found.proved_count; k++)
        if (found.proved[k][1] > 0.4944298 && found.proved[k][0] < 0.4944335)
            fail_msg("proved from %.17g to %.17g", found.proved[k][0], found.proved[k][1]);
    for (int k = 0; k < found.unstable_count; k++)
        inside += found.unstable[k] > 0.49442977 && found.unstable[k] < 0.49443354;
    assert_true(inside > 0);
    assert_int_equal(found.proved_count, 2);
    assert_true(found.proved[0][1] > 0.49442 && found.proved[1][0] < 0.49444);
    assert_false(ms_certificate_holds(&found));
    ms_certificate_destroy(&found);
    ms_certifier_destroy(&certifier);
    ms_system_destroy(&system);
}

/* Against radii in doubles ------------------------------------------------------------------------------- */

static double radius(const ms_system *system, const ms_options *options, double h)
{
    int n;
    double *psi = support_random_system_formula(system, options, h, &n);
    double *work = malloc(sizeof *work * (size_t)(ms_spectrum_work(n) + 1));
    assert_non_null(work);
    const double rho = ms_spectrum_radius(n, psi, work);
    free(work);
    free(psi);
    return rho;
}

/* What a radius in doubles says at SAMPLES points of [0, end] and at what is said to be unstable. */
static bool agrees(const ms_system *system, const char *text, const ms_certificate *found, double end)
{
    const ms_options options = support_options(text);
    double most = 0.0;
    for (int k = 1; k <= SAMPLES; k++) {
        const double h = end * k / SAMPLES, rho = radius(system, &options, h);
        most = fmax(most, rho);
        for (int i = 0; i < found->proved_count; i++)
            if (h >= found->proved[i][0] && h <= found->proved[i][1] && !(rho < 1.0 + 1e-7))
                fail_msg("%s: proved at %.17g, where rho is %.17g", text, h, rho);
    }
    for (int k = 0; k < found->unstable_count; k++)
        assert_true(radius(system, &options, found->unstable[k]) > 1.0 - 1e-7);
    return most < 1.0 - 1e-4 / SAMPLES;
}

static void random_pairs_agree_with_doubles(void **state)
{
    (void)state;
    static const char *const texts[] = {"scheme=jacobi", "scheme=gauss-seidel extrapolation-order=1",
                                        "scheme=jacobi outputs=consistent",
                                        "scheme=gauss-seidel smooth-coupling=c0"};
    static const support_random_shape shape = {.subsystems = {2, 2},
                                               .states = {1, 2},
                                               .step = 0.1,
                                               .spread = 1.0,
                                               .stiffness = 3.0,
                                               .feed_through = 0.5,
                                               .missing = 0.5};
    unsigned long long seed = 41;
    int stable = 0, proved = 0;
    for (int trial = 0; trial < support_ensemble(PAIRS); trial++) {
        support_random_system s = support_random_system_of(&shape, &seed);
        for (int k = 0; k < MS_COUNT(texts); k++) {
            ms_certifier *certifier;
            if (!opened(s.system, texts[k], &certifier))
                continue;
            ms_certificate found = certify(certifier, 0.0, s.h, s.h);
            const bool all = agrees(s.system, texts[k], &found, s.h);
            stable += all;
            proved += all && ms_certificate_holds(&found);
            ms_certificate_destroy(&found);
            ms_certifier_destroy(&certifier);
        }
        support_random_system_drop(&s);
    }
    assert_true(10 * proved >= 9 * stable);
}

/* What is unstable from a crossing on is not proved, though it was asked for. */
static void an_interval_that_is_too_long_is_cut(void **state)
{
    (void)state;
    const ms_options options = support_options("scheme=gauss-seidel");
    ms_system *system = support_system("mass-spring-damper", NULL);
    ms_certifier *certifier;
    if (opened(system, "scheme=gauss-seidel", &certifier)) {
        ms_certificate found = certify(certifier, 0.0, 0.2, 0.2);
        assert_int_equal(found.proved_count, 1);
        const double end = found.proved[0][1];
        assert_true(radius(system, &options, end * 0.999) < 1.0 &&
                    radius(system, &options, end * 1.001) > 1.0);
        assert_true(found.unstable_count > 0);
        assert_true(found.gap_count == 1 && found.gap[0][1] == 0.2);
        ms_certificate_destroy(&found);
        ms_certifier_destroy(&certifier);
    }
    ms_system_destroy(&system);
}

/* An interval that ends 2e-5 of it behind its crossing, as one that doubles found, is one that ends at it. */
static void a_crossing_is_placed(void **state)
{
    (void)state;
    const ms_options options = support_options("scheme=gauss-seidel");
    ms_system *system = support_system("mass-spring-damper", NULL);
    ms_certifier *certifier;
    if (opened(system, "scheme=gauss-seidel", &certifier)) {
        double stable = 0.01, unstable = 0.2;
        assert_true(radius(system, &options, unstable) > 1.0);
        while (unstable - stable > 1e-12) {
            const double middle = 0.5 * (stable + unstable);
            *(radius(system, &options, middle) > 1.0 ? &unstable : &stable) = middle;
        }
        ms_certificate found = certify(certifier, 0.0, stable * (1.0 + 2e-5), 0.2);
        assert_true(ms_certificate_holds(&found));
        support_near(found.interval[1], stable, 1e-7 * stable);
        assert_int_equal(found.unstable_count, 1);
        assert_true(found.unstable[0] == found.interval[1]);
        ms_certificate_destroy(&found);
        ms_certifier_destroy(&certifier);
    }
    ms_system_destroy(&system);
}

/* The functions of the plug-in --------------------------------------------------------------------------- */

static const ms_plugin_balls *balls_plugin(void)
{
    const ms_plugin *plugin = NULL;
    ms_error error = {""};
    return ms_plugin_open("balls", "`certify`", &plugin, &error) == MS_OK
               ? (const ms_plugin_balls *)(const void *)plugin
               : NULL;
}

/* prod (1 - l_i), prod (1 + l_i), prod_{i<j} (1 - l_i l_j), which are real. */
static void products(const ms_spectrum *s, double value[MS_BALLS_FUNCTIONS])
{
    double re[MS_BALLS_FUNCTIONS] = {1.0, 1.0, 1.0}, im[MS_BALLS_FUNCTIONS] = {0.0};
    for (int i = 0; i < s->n; i++)
        for (int j = i; j < s->n; j++) {
            const double *a = s->eigenvalues + 2 * i, *b = s->eigenvalues + 2 * j;
            for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
                const double sign = k == MS_BALLS_MINUS_ONE ? 1.0 : -1.0;
                if ((k == MS_BALLS_PAIRS) == (i == j))
                    continue;
                const double x = k == MS_BALLS_PAIRS ? 1.0 - a[0] * b[0] + a[1] * b[1] : 1.0 + sign * a[0];
                const double y = k == MS_BALLS_PAIRS ? -a[0] * b[1] - a[1] * b[0] : sign * a[1];
                const double real = re[k] * x - im[k] * y;
                im[k] = re[k] * y + im[k] * x;
                re[k] = real;
            }
        }
    memcpy(value, re, sizeof re);
}

static void functions_are_products_over_eigenvalues(void **state)
{
    (void)state;
    const ms_plugin_balls *p = balls_plugin();
    unsigned long long seed = 5;
    for (int trial = 0; trial < MATRICES && p != NULL; trial++) {
        const int n = 1 + trial % 9;
        double M[81], value[MS_BALLS_FUNCTIONS];
        ms_balls *psi, *values;
        ms_spectrum s;
        ms_error error = {""};
        assert_int_equal(p->create(n, n, &psi), MS_OK);
        assert_int_equal(p->create(MS_BALLS_FUNCTIONS, 1, &values), MS_OK);
        for (int e = 0; e < n * n; e++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            M[e] = 1.6 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
            p->set(psi, e / n, e % n, M[e]);
        }
        assert_int_equal(ms_spectrum_create(n, M, &s, &error), MS_OK);
        p->functions(psi, values, 0, 128);
        products(&s, value);
        for (int k = 0; k < MS_BALLS_FUNCTIONS; k++)
            if (!(fabs(p->middle(values, k, 0) - value[k]) <= 1e-9 * (1.0 + fabs(value[k]))))
                fail_msg("function %d of %d rows: %.15g, by eigenvalues %.15g", k, n, p->middle(values, k, 0),
                         value[k]);
        for (double r = 0.25; r < 3.0; r *= 2.0) {
            int inside = 0;
            for (int i = 0; i < n; i++)
                inside += hypot(s.eigenvalues[2 * i], s.eigenvalues[2 * i + 1]) < r;
            assert_int_equal(p->inside(psi, r, 256), inside);
        }
        ms_spectrum_destroy(&s);
        p->destroy(&psi);
        p->destroy(&values);
    }
}

/* Of matrices with given moduli: not below the functions of a random one, and those of -M, M diagonal and >= 0, are the bounds. */
static void bounds_hold_the_functions(void **state)
{
    (void)state;
    const ms_plugin_balls *p = balls_plugin();
    unsigned long long seed = 17;
    for (int trial = 0; trial < MATRICES && p != NULL; trial++) {
        const int n = 1 + trial % 9;
        double M[81], moduli[81], scale[9], value[MS_BALLS_FUNCTIONS];
        ms_balls *most;
        ms_spectrum s;
        ms_error error = {""};
        assert_int_equal(p->create(MS_BALLS_FUNCTIONS, 1, &most), MS_OK);
        for (int e = 0; e < n * n; e++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            M[e] = 3.0 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
            M[e] = trial % 4 != 0 ? M[e] : e % (n + 1) == 0 ? -fabs(M[e]) : 0.0;
            moduli[e] = fabs(M[e]);
            scale[e % n] = ldexp(1.0, (int)(seed >> 60) % 5 - 2);
        }
        assert_int_equal(ms_spectrum_create(n, M, &s, &error), MS_OK);
        products(&s, value);
        p->bounds(n, moduli, scale, most);
        for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
            const double bound = p->middle(most, k, 0), size = fabs(value[k]);
            if (!(size <= bound * (1.0 + 1e-12)))
                fail_msg("function %d of %d rows: %.15g, bound %.15g", k, n, size, bound);
            if (trial % 4 == 0 && k == MS_BALLS_ONE && !(bound <= size * (1.0 + 1e-6)))
                fail_msg("diagonal, %d rows: %.15g, bound %.15g", n, size, bound);
        }
        ms_spectrum_destroy(&s);
        p->destroy(&most);
    }
}

/* z^32 - 1 vanishes at all 32 points of the unit circle and is 2 in modulus between them; on the disc of radius 4 it is at most
 * 2^64 + 1. */
static void terms_hold_what_no_sample_shows(void **state)
{
    (void)state;
    const ms_plugin_balls *p = balls_plugin();
    ms_balls *zero = NULL, *one = NULL, *disc = NULL, *sample[MS_BALLS_SAMPLES];
    double moduli[MS_BALLS_TERMS], sum = 0.0;
    if (p == NULL)
        return;
    assert_true(p->create(1, 1, &zero) == MS_OK && p->create(1, 1, &one) == MS_OK &&
                p->create(1, 1, &disc) == MS_OK);
    p->set(one, 0, 0, 1.0);
    p->set(disc, 0, 0, 0x1p64 * (1.0 + 0x1p-50));
    for (int k = 0; k < MS_BALLS_SAMPLES; k++)
        sample[k] = zero;
    p->terms(sample, disc, one, one, moduli, 64);
    for (int k = 0; k < MS_BALLS_TERMS; k++)
        sum += moduli[k];
    assert_true(sum >= 2.0);
    p->destroy(&zero);
    p->destroy(&one);
    p->destroy(&disc);
}

/* cos and sin of w H, H on the circle of a panel: at most cosh of w times the radius, which an even circle reaches. */
static void terms_hold_a_rotation_and_are_close(void **state)
{
    (void)state;
    const ms_plugin_balls *p = balls_plugin();
    const ms_balls_panel panel = {.begin = -0.5, .end = 0.5, .wide = 2.0, .nodes = 1};
    ms_balls *A = NULL, *B = NULL, *h = NULL, *G = NULL, *one = NULL, *disc = NULL, *sample[MS_BALLS_SAMPLES];
    double moduli[4 * MS_BALLS_TERMS], sum[2] = {0.0};
    if (p == NULL)
        return;
    assert_true(p->create(2, 2, &A) == MS_OK && p->create(2, 1, &B) == MS_OK &&
                p->create(2, 1, &G) == MS_OK && p->create(1, 1, &h) == MS_OK &&
                p->create(2, 2, &one) == MS_OK && p->create(2, 2, &disc) == MS_OK);
    p->set(A, 0, 1, 3.0);
    p->set(A, 1, 0, -3.0);
    p->set(one, 0, 0, 1.0);
    p->set(one, 1, 1, 1.0);
    p->at_disc(&panel, h, 64);
    assert_int_equal(p->step_map(A, B, h, 0, 1, 0, disc, &G, 64), MS_OK);
    for (int k = 0; k < MS_BALLS_SAMPLES; k++) {
        assert_int_equal(p->create(2, 2, &sample[k]), MS_OK);
        p->at_circle(&panel, k, h, 64);
        assert_int_equal(p->step_map(A, B, h, 0, 1, 0, sample[k], &G, 64), MS_OK);
    }
    p->terms(sample, disc, one, one, moduli, 64);
    for (int k = 0; k < MS_BALLS_TERMS; k++)
        for (int j = 0; j < 2; j++)
            sum[j] += moduli[4 * k + j];
    assert_true(sum[0] >= cosh(3.0) && sum[0] <= cosh(3.0) * (1.0 + 1e-6));
    assert_true(sum[1] >= sinh(3.0) && sum[1] <= sinh(3.0) * (1.0 + 1e-6));
    ms_balls **const matrices[] = {&A, &B, &h, &G, &one, &disc};
    for (int k = 0; k < MS_COUNT(matrices); k++)
        p->destroy(matrices[k]);
    for (int k = 0; k < MS_BALLS_SAMPLES; k++)
        p->destroy(&sample[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_products_over_eigenvalues),
        cmocka_unit_test(bounds_hold_the_functions),
        cmocka_unit_test(terms_hold_what_no_sample_shows),
        cmocka_unit_test(terms_hold_a_rotation_and_are_close),
        cmocka_unit_test(bounds_hold_the_radius),
        cmocka_unit_test(decay_is_proved_from_zero_on),
        cmocka_unit_test(nothing_conservative_is_proved),
        cmocka_unit_test(a_tongue_is_never_proved),
        cmocka_unit_test(random_pairs_agree_with_doubles),
        cmocka_unit_test(an_interval_that_is_too_long_is_cut),
        cmocka_unit_test(a_crossing_is_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
