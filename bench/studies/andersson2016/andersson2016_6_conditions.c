/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016): Tables 6.1 and 6.5, the conditions for coupling stability, from computed limits H -> 0.
 *
 *     random-systems PRINTED DERIVED spectral linear-pair --step-size 0 ..
 *
 * Random linear systems (below), the spectrum of the limit of Psi(H) by formula (propagation.h), and the verdict stable (radius <= 1,
 * no defective eigenvalue on the circle) against two conditions, by their numbers (below). The spectrum of D L is made real, imaginary,
 * or left as it comes; rho(DL) is scaled to a number below or above 1, `drawn`, or to 1, `at_one`. Answer: of each of both `systems`,
 * `stable` ones, and those against a condition, `off_printed` and `off_derived`. */

#include <macrostep/analytic_propagation.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "arguments.h"
#include "measurement.h"

/* Random systems ----------------------------------------------------------------------------------------- */

/* A subsystem is x' = a x + b u, y = c x + d u, and each takes a combination of all other outputs, so that D L =
 * diag(d) L with a zero diagonal. */
enum { NETWORK_MAX = 5 }; /* subsystems */

/* Spectra of D L: real (L symmetric, d > 0), imaginary (L antisymmetric, d > 0), as it comes. */
enum { SPECTRUM_REAL, SPECTRUM_IMAGINARY, SPECTRUM_MIXED, SPECTRA };

typedef struct scalar {
    double a, b, c, d;
} scalar;

typedef struct network {
    int n;
    scalar sub[NETWORK_MAX];
    double L[NETWORK_MAX * NETWORK_MAX], DL[NETWORK_MAX * NETWORK_MAX]; /* (n x n) */
} network;

/* Uniform in [low, high); the seed moves on. */
static double network_uniform(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX */
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static void scalar_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const scalar *s = data;
    (void)p;
    m->A[0] = s->a;
    m->B[0] = s->b;
    m->C[0] = s->c;
    m->D[0] = s->d;
}

/* What a model with a network as its data is built by. */
static int network_build(const double *p, ms_structure *structure, ms_error *error)
{
    static const ms_variable x = {"x", "1"}, u = {"u", "1"}, y = {"y", "1"};
    const network *net = structure->model->data;
    const size_t n = (size_t)net->n;
    (void)p;
    structure->subsystems = ms_structure_alloc(structure, n, sizeof *structure->subsystems);
    structure->wires = ms_structure_alloc(structure, n * n, sizeof *structure->wires);
    MS_TRY_MEMORY_FOR(structure->subsystems != NULL && structure->wires != NULL, error, "a random system");
    for (int i = 0; i < net->n; i++) {
        const char *name = ms_structure_name(structure, "s%d", i + 1);
        MS_TRY_MEMORY_FOR(name != NULL, error, "a random system");
        structure->subsystems[structure->n_subsystems++] = (ms_subsystem){.name = name,
                                                                          .nx = 1,
                                                                          .nu = 1,
                                                                          .ny = 1,
                                                                          .x = &x,
                                                                          .u = &u,
                                                                          .y = &y,
                                                                          .matrices = scalar_matrices,
                                                                          .data = &net->sub[i]};
        for (int j = 0; j < net->n; j++)
            if (j != i)
                structure->wires[structure->n_wires++] = (ms_wire){i, 0, j, 0, net->L[i * net->n + j]};
    }
    return MS_OK;
}

static void multiply(network *net, double factor)
{
    for (int i = 0; i < net->n; i++)
        for (int j = 0; j < net->n; j++) {
            net->L[i * net->n + j] *= factor;
            net->DL[i * net->n + j] = net->sub[i].d * net->L[i * net->n + j];
        }
}

static void draw_network(int spectra, unsigned long long *seed, network *net)
{
    net->n = 2 + (int)network_uniform(seed, 0.0, NETWORK_MAX - 1.0);
    for (int i = 0; i < net->n; i++) {
        scalar *s = &net->sub[i];
        *s = (scalar){network_uniform(seed, -2.0, 1.0), network_uniform(seed, 0.5, 2.0),
                      network_uniform(seed, 0.5, 2.0), network_uniform(seed, 0.2, 1.0)};
        for (int j = 0; j <= i; j++) {
            const double lower = network_uniform(seed, -1.0, 1.0), upper = network_uniform(seed, -1.0, 1.0);
            net->L[i * net->n + j] = j == i ? 0.0 : lower;
            net->L[j * net->n + i] = j == i                          ? 0.0
                                     : spectra == SPECTRUM_REAL      ? lower
                                     : spectra == SPECTRUM_IMAGINARY ? -lower
                                                                     : upper;
        }
    }
    multiply(net, 1.0);
}

/* A network of 2 to NETWORK_MAX subsystems with rho(DL) = rho and no eigenvalue close to 1, where the loop has no
 * solution. *good = false: draw again. */
static int network_draw(int spectra, double rho, unsigned long long *seed, network *net, bool *good,
                        ms_error *error)
{
    ms_spectrum spectrum = {0};
    draw_network(spectra, seed, net);
    int status = ms_spectrum_create(net->n, net->DL, &spectrum, error);
    *good = status == MS_OK && spectrum.radius > 1e-3;
    if (*good)
        multiply(net, rho / spectrum.radius);
    for (int k = 0; *good && k < net->n; k++) {
        const double *value = spectrum.eigenvalues + 2 * k, scale = rho / spectrum.radius;
        *good = hypot(scale * value[0] - 1.0, scale * value[1]) > 0.05;
    }
    ms_spectrum_destroy(&spectrum);
    return status;
}

enum { SYSTEMS = 300, AT_ONE = 100 }; /* systems with rho(DL) drawn, and with rho(DL) = 1 */

static const unsigned long long SEED = 6105;
static const double TOLERANCE = 1e-8; /* "<= 1", as in spectrum.h */

/* Conditions --------------------------------------------------------------------------------------------- */

/* None, rho(DL) <= 1, rho(DL) < 1, rho([2DL, -DL; I, 0]) <= 1. */
typedef enum condition { ALWAYS, LOOP, LOOP_STRICT, COMPANION } condition;

/* [2DL, -DL; I, 0] (6.40). */
static int companion_radius(const network *net, double *radius, ms_error *error)
{
    enum { SIZE = 2 * NETWORK_MAX };
    double M[SIZE * SIZE] = {0.0};
    const int n = net->n;
    ms_spectrum spectrum;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * 2 * n + j] = 2.0 * net->DL[i * n + j];
            M[i * 2 * n + n + j] = -net->DL[i * n + j];
        }
        M[(n + i) * 2 * n + i] = 1.0;
    }
    const int status = ms_spectrum_create(2 * n, M, &spectrum, error);
    *radius = spectrum.radius;
    ms_spectrum_destroy(&spectrum);
    return status;
}

static bool fulfils(condition c, double loop, double companion)
{
    return c == ALWAYS || (c == LOOP && loop <= 1.0 + TOLERANCE) ||
           (c == LOOP_STRICT && loop < 1.0 - TOLERANCE) || (c == COMPANION && companion <= 1.0 + TOLERANCE);
}

/* Counts ------------------------------------------------------------------------------------------------- */

/* Of a group: systems, stable ones, and those where a condition says otherwise. */
typedef struct count {
    int systems, stable, off_printed, off_derived;
} count;

static int limit(const network *net, const ms_options *options, ms_spectrum *spectrum, ms_error *error)
{
    const ms_case only = {.name = "random"};
    const ms_model model = {.name = "random",
                            .cases = &only,
                            .n_cases = 1,
                            .build = network_build,
                            .data = net,
                            .stop_time = 1.0,
                            .step_size = 0.1};
    ms_system *system = NULL;
    ms_analytic_propagation *formula = NULL;
    double *psi = NULL;
    int status = ms_system_create(&model, NULL, NULL, 0, &system, error);
    MS_THEN(status, ms_analytic_propagation_create(system, options, &formula, error));
    if (status == MS_OK) {
        const size_t n = (size_t)ms_analytic_propagation_dimension(formula);
        psi = calloc(n * n, sizeof *psi);
        status = psi == NULL ? ms_fail(error, MS_NO_MEMORY, "not enough memory for a propagation matrix")
                             : ms_analytic_propagation_evaluate(formula, 0.0, psi);
    }
    MS_THEN(status, ms_spectrum_create(ms_analytic_propagation_dimension(formula), psi, spectrum, error));
    free(psi);
    ms_analytic_propagation_destroy(&formula);
    ms_system_destroy(&system);
    return status;
}

static int check_system(const network *net, double rho, const condition of[2], const ms_options *options,
                        count *c, ms_error *error)
{
    ms_spectrum spectrum = {0};
    double companion = 0.0;
    MS_TRY(companion_radius(net, &companion, error));
    MS_TRY(limit(net, options, &spectrum, error));
    c->systems++;
    c->stable += spectrum.stable;
    c->off_printed += spectrum.stable != fulfils(of[0], rho, companion);
    c->off_derived += spectrum.stable != fulfils(of[1], rho, companion);
    ms_spectrum_destroy(&spectrum);
    return MS_OK;
}

static int count_systems(const condition of[2], const ms_options *options, count *drawn, count *at_one,
                         ms_error *error)
{
    unsigned long long seed = SEED; /* the same systems for each call */
    int status = MS_OK;
    for (int k = 0; k < SYSTEMS + AT_ONE && status == MS_OK; k++) {
        const double rho = k >= SYSTEMS ? 1.0
                           : k % 2 == 0 ? network_uniform(&seed, 0.02, 0.98)
                                        : network_uniform(&seed, 1.02, 2.0);
        network net;
        bool good = false;
        while (!good && status == MS_OK)
            status = network_draw(k % SPECTRA, rho, &seed, &net, &good, error);
        MS_THEN(status, check_system(&net, rho, of, options, k >= SYSTEMS ? at_one : drawn, error));
    }
    return status;
}

static json_t *count_json(const count *c)
{
    return MS_COUNTS({"systems", c->systems}, {"stable", c->stable}, {"off_printed", c->off_printed},
                     {"off_derived", c->off_derived});
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2];
    const char *command = ms_measurement_numbers(words, 2, number);
    const condition of[2] = {(condition)number[0], (condition)number[1]};
    count drawn = {0}, at_one = {0};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", command);
    MS_THEN(status, count_systems(of, &study.arguments->options, &drawn, &at_one, error));
    ms_study_destroy(&study);
    ms_measured_members(answer, ms_json_object("drawn:o at_one:o", count_json(&drawn), count_json(&at_one)));
    return status;
}

const ms_measurement ms_measurement_random_systems = {"random-systems", measure, NULL};
