/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_shift.c - the band matrix against the probed one, on random systems and on chains; eigenvalues next to shifts
 * against all eigenvalues, from so few products that these know little. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/spectrum.h>
#include "propagation_extreme.h"
#include "propagation_shift.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 40, FEW = 30, LIMIT = 3000, WANTED = 4 };

static const char *const members[] = {"",
                                      "extrapolation-order=1",
                                      "extrapolation-order=2 outputs=corrected",
                                      "extrapolation-order=1 smooth-coupling=c1 solver=rk4",
                                      "scheme=gauss-seidel",
                                      "scheme=balance"};
enum { MEMBERS = sizeof members / sizeof *members };

/* Returns MS_OK and compares, or why there is no band. */
static int compare_band(const ms_system *system, const ms_options *options, double h)
{
    ms_propagation_map *map;
    ms_propagation_band band;
    ms_error error;
    double *psi, largest = 0.0;
    int n;
    if (ms_propagation_probe(system, options, h, &n, &psi, &error) != MS_OK)
        return MS_NO_SOLUTION;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(psi[i]));
    assert_int_equal(ms_propagation_map_create(system, options, h, &map, &error), MS_OK);
    const int status = ms_propagation_band_create(system, map, NULL, &band, &error);
    for (int i = 0; i < n && status == MS_OK; i++)
        for (int j = 0; j < n; j++) {
            const int width = band.matrix->width;
            const double entry = abs(i - j) > width ? 0.0 : *ms_band_entry(band.matrix, i, j);
            support_near(entry, psi[(size_t)band.row[i] * (size_t)n + (size_t)band.row[j]],
                         1e-11 * n * largest);
        }
    ms_propagation_band_destroy(&band);
    ms_propagation_map_destroy(&map);
    free(psi);
    return status;
}

static void finds_the_matrix_of_random_systems(void **state)
{
    (void)state;
    unsigned long long seed = 903;
    int compared = 0;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = 0; m < MEMBERS; m++) {
            const ms_options options = support_options(members[m]);
            compared += compare_band(s.system, &options, s.h) == MS_OK;
        }
        support_random_system_drop(&s);
    }
    assert_true(compared >= 2 * support_ensemble(SYSTEMS));
}

static void finds_the_matrix_of_a_chain(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=40");
    for (int m = 0; m < MEMBERS; m++) {
        const ms_options options = support_options(members[m]);
        const int status = compare_band(system, &options, 0.3);
        assert_int_equal(status, strstr(members[m], "gauss-seidel") != NULL ? MS_UNSUPPORTED : MS_OK);
    }
    ms_system_destroy(&system);
}

/* A hundred subsystems around one: any order leaves some of them apart. */
static void knows_what_has_no_narrow_band(void **state)
{
    (void)state;
    enum { RAYS = 100 };
    char text[16384] = "{\"subsystems\": [{\"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}", wire[32];
    for (int i = 0; i < RAYS; i++)
        strcat(text, ", {\"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}");
    strcat(text, "], \"wires\": [");
    for (int i = 0; i < RAYS; i++) {
        snprintf(wire, sizeof wire, "%s[%d, 0, 0.5]", i > 0 ? ", " : "", i + 1);
        strcat(text, wire);
    }
    strcat(text, "]}");
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options("");
    assert_int_equal(compare_band(system, &options, 0.1), MS_UNSUPPORTED);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Eigenvalues ---------------------------------------------------------------------------------------------- */

static int apply(void *self, const double *v, double *to)
{
    return ms_propagation_map_apply(self, v, to, NULL);
}

/* Moduli of the largest against those of all eigenvalues. */
static void compare_largest(const char *what, const ms_system *system, double h)
{
    const ms_options options = support_options(what);
    const ms_arnoldi_request few = {.k = WANTED, .applications = FEW, .tolerance = 1e-8},
                             request = {.k = WANTED, .applications = LIMIT, .tolerance = 1e-8};
    ms_propagation_map *map;
    ms_propagation_band band;
    ms_spectrum all;
    ms_arnoldi found;
    ms_error error;
    double *psi;
    int n, shifts;
    assert_int_equal(ms_propagation_probe(system, &options, h, &n, &psi, &error), MS_OK);
    assert_int_equal(ms_spectrum_create(n, psi, &all, &error), MS_OK);
    assert_int_equal(ms_propagation_map_create(system, &options, h, &map, &error), MS_OK);
    assert_int_equal(ms_propagation_band_create(system, map, NULL, &band, &error), MS_OK);
    const ms_arnoldi_map map_of = {.n = n, .apply = apply, .self = map, .round_off = 1e-14};
    assert_int_equal(ms_arnoldi_create(&map_of, &few, &found), MS_NOT_CONVERGED);
    if (ms_propagation_shift(&band, &map_of, &request, &found, &shifts) != MS_OK)
        fail_msg("%s, h = %g: not converged after %d shifts", what, h, shifts);
    assert_true(found.n >= WANTED && found.converged == found.n && shifts > 0);
    for (int k = 0; k < found.n; k++) {
        const double *value = found.eigenvalues + 2 * k, *known = all.eigenvalues + 2 * k;
        const double off = 4.0 * found.residuals[k] * found.conditions[k] + 1e-10;
        if (!(fabs(hypot(value[0], value[1]) - hypot(known[0], known[1])) <= off))
            fail_msg("%s, h = %g: modulus %d is %.17g, not %.17g", what, h, k, hypot(value[0], value[1]),
                     hypot(known[0], known[1]));
    }
    ms_arnoldi_destroy(&found);
    ms_propagation_band_destroy(&band);
    ms_propagation_map_destroy(&map);
    ms_spectrum_destroy(&all);
    free(psi);
}

static int fail_to_apply(void *self, const double *v, double *to)
{
    (void)v, (void)to;
    return ms_fail(self, MS_SOLVER_FAILED, "subsystem mass7 has failed");
}

/* What a macro-step says is neither lost nor taken for a shift that is an eigenvalue. */
static void a_macro_step_that_fails_is_heard(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=120");
    const ms_options options = support_options("");
    const ms_arnoldi_request few = {.k = WANTED, .applications = FEW, .tolerance = 1e-8},
                             request = {.k = WANTED, .applications = LIMIT, .tolerance = 1e-8};
    ms_error error = {""};
    ms_arnoldi_map psi = {.apply = apply, .round_off = 1e-14};
    ms_propagation_map *map;
    ms_propagation_band band;
    ms_arnoldi found;
    int shifts;
    assert_int_equal(ms_propagation_map_create(system, &options, 0.3, &map, NULL), MS_OK);
    assert_int_equal(ms_propagation_band_create(system, map, NULL, &band, NULL), MS_OK);
    psi.n = ms_propagation_map_dimension(map);
    psi.self = map;
    assert_int_equal(ms_arnoldi_create(&psi, &few, &found), MS_NOT_CONVERGED);
    psi.apply = fail_to_apply;
    psi.self = &error;
    assert_int_equal(ms_propagation_shift(&band, &psi, &request, &found, &shifts), MS_SOLVER_FAILED);
    assert_string_equal(error.text, "subsystem mass7 has failed");
    ms_arnoldi_destroy(&found);
    ms_propagation_band_destroy(&band);
    ms_propagation_map_destroy(&map);
    ms_system_destroy(&system);
}

/* No more address space than this process has now, but for a megabyte. */
static void limit_memory(void)
{
    long pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)pages * 4096 + (1 << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* Jacobi's macro-steps; from the tenth on, when the Krylov space is there, memory is limited. */
static int step_and_limit(ms_cosim *cosim, double t, double h)
{
    static int steps;
    if (++steps == 10)
        limit_memory();
    return ms_scheme_find("jacobi")->step(cosim, t, h);
}

/* A band matrix and its factors need more memory than the Krylov space, which then does without. */
static void products_go_on_where_shifts_have_no_memory(void **state)
{
    (void)state;
    enum { FIRST = 1000, PRODUCTS = 2200 }; /* the first are those from which shifts would start */
    static ms_scheme limited;
    struct rlimit before;
    ms_propagation_extreme extreme;
    ms_error error = {""};
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it takes address space as it likes */
#endif
    ms_system *system = support_system("mass-chain", "masses=5000");
    limited = *ms_scheme_find("jacobi");
    limited.name = "limited";
    limited.step = step_and_limit;
    assert_int_equal(ms_scheme_add(&limited, NULL), MS_OK);
    const ms_options options = support_options("scheme=limited");
    const ms_arnoldi_request request = {.k = WANTED, .applications = PRODUCTS, .tolerance = 1e-8};
    getrlimit(RLIMIT_AS, &before);
    const int status = ms_propagation_extreme_create(system, &options, 0.3, &request, &extreme, &error);
    setrlimit(RLIMIT_AS, &before);
    if (status != MS_OK && status != MS_NOT_CONVERGED)
        fail_msg("%d: %s", status, error.text);
    assert_int_equal(extreme.shifts, 0);
    assert_true(extreme.found.n >= WANTED && extreme.found.applications > FIRST);
    ms_propagation_extreme_destroy(&extreme);
    ms_system_destroy(&system);
}

/* Slow waves, real and complex; an end of a curve of eigenvalues that grow; a maximum within one. */
static void finds_the_largest_of_chains(void **state)
{
    (void)state;
    static const char *const of[] = {"", "extrapolation-order=1", "extrapolation-order=2",
                                     "extrapolation-order=1 smooth-coupling=c1"};
    static const double step_sizes[] = {0.01, 0.3, 0.5};
    ms_system *system = support_system("mass-chain", "masses=120");
    for (size_t m = 0; m < sizeof of / sizeof *of; m++)
        for (size_t i = 0; i < sizeof step_sizes / sizeof *step_sizes; i++)
            compare_largest(of[m], system, step_sizes[i]);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_matrix_of_random_systems),
        cmocka_unit_test(finds_the_matrix_of_a_chain),
        cmocka_unit_test(knows_what_has_no_narrow_band),
        cmocka_unit_test(finds_the_largest_of_chains),
        cmocka_unit_test(a_macro_step_that_fails_is_heard),
        cmocka_unit_test(products_go_on_where_shifts_have_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
