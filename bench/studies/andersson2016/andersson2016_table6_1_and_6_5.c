/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016): Tables 6.1 and 6.5, the conditions for coupling stability, from computed limits H -> 0.
 *
 * Each cell: random linear systems (below), the spectrum of the limit of Psi(H)
 * by formula (propagation.h), and the verdict stable (radius <= 1, no defective eigenvalue on the circle)
 * against the condition that is printed and the one that is derived. The spectrum of D L is made real,
 * imaginary, or left as it comes; rho(DL) is scaled to a number below or above 1, or to 1. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/model.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include <macrostep/system.h>
#include "arguments.h"
#include "figure.h"
#include "study.h"

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
    if (structure->subsystems == NULL || structure->wires == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a random system");
    for (int i = 0; i < net->n; i++) {
        const char *name = ms_structure_name(structure, "s%d", i + 1);
        if (name == NULL)
            return ms_fail(error, MS_NO_MEMORY, "not enough memory for a random system");
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

static int loop_spectrum(const network *net, ms_spectrum *spectrum, ms_error *error)
{
    return ms_spectrum_create(net->n, net->DL, spectrum, error);
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
    int status = loop_spectrum(net, &spectrum, error);
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

typedef enum condition { ALWAYS, LOOP, LOOP_STRICT, COMPANION } condition;

static const char *const condition_names[] = {
    [ALWAYS] = "unconditional",
    [LOOP] = "rho(DL) <= 1",
    [LOOP_STRICT] = "rho(DL) < 1",
    [COMPANION] = "rho([2DL, -DL; I, 0]) <= 1",
};

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

/* Cells -------------------------------------------------------------------------------------------------- */

typedef struct cell {
    const char *approach, *options, *key; /* key: of the published condition; NULL: no cell of the table */
    condition printed, derived;
} cell;

enum { TABLE_6_1 = 6, TABLE_6_5 = 3 };

#define FIRST_ORDER "--extrapolation-order 1"

static const cell table6_1[TABLE_6_1] = {
    {"consistent, constant", "--extrapolation-order 0 --outputs consistent", "consistent.constant", ALWAYS,
     ALWAYS},
    {"consistent, linear, analytic", FIRST_ORDER " --derivatives analytic --outputs consistent",
     "consistent.linear", ALWAYS, ALWAYS},
    {"consistent, linear, differences", FIRST_ORDER " --outputs consistent", "consistent.linear", ALWAYS,
     ALWAYS},
    {"inconsistent, constant", "--extrapolation-order 0", "inconsistent.constant", LOOP, LOOP},
    {"inconsistent, linear, analytic", FIRST_ORDER " --derivatives analytic", "inconsistent.linear_analytic",
     LOOP, LOOP_STRICT},
    {"inconsistent, linear, differences", FIRST_ORDER, "inconsistent.linear_differences", COMPANION,
     COMPANION},
};

static const cell table6_5[TABLE_6_5] = {
    {"consistent with smoothing, linear, analytic",
     FIRST_ORDER " --derivatives analytic --outputs consistent --smooth-coupling c0",
     "consistent_linear_analytic", ALWAYS, ALWAYS},
    {"inconsistent with smoothing, linear, analytic",
     FIRST_ORDER " --derivatives analytic --smooth-coupling c0", "inconsistent_linear_analytic", LOOP,
     COMPANION},
    {"the same with (6.77) as printed",
     FIRST_ORDER " --derivatives analytic --smooth-coupling c0 --as-printed=smoothing", NULL, LOOP, LOOP},
};

/* Of each group: systems, stable ones, and those where a condition says otherwise. */
typedef struct count {
    int systems, stable, off_printed, off_derived;
} count;

typedef struct result {
    count drawn, at_one;
} result;

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
    if (status == MS_OK)
        status = ms_analytic_propagation_create(system, options, &formula, error);
    if (status == MS_OK) {
        const size_t n = (size_t)ms_analytic_propagation_dimension(formula);
        psi = calloc(n * n, sizeof *psi);
        status = psi == NULL ? ms_fail(error, MS_NO_MEMORY, "not enough memory for a propagation matrix")
                             : ms_analytic_propagation_evaluate(formula, 0.0, psi);
    }
    if (status == MS_OK)
        status = ms_spectrum_create(ms_analytic_propagation_dimension(formula), psi, spectrum, error);
    free(psi);
    ms_analytic_propagation_destroy(&formula);
    ms_system_destroy(&system);
    return status;
}

static int check_cell(const network *net, double rho, const cell *c, const ms_options *options, count *of,
                      ms_error *error)
{
    ms_spectrum spectrum = {0};
    double companion = 0.0;
    int status = companion_radius(net, &companion, error);
    if (status == MS_OK)
        status = limit(net, options, &spectrum, error);
    if (status != MS_OK)
        return status;
    of->systems++;
    of->stable += spectrum.stable;
    of->off_printed += spectrum.stable != fulfils(c->printed, rho, companion);
    of->off_derived += spectrum.stable != fulfils(c->derived, rho, companion);
    ms_spectrum_destroy(&spectrum);
    return MS_OK;
}

static int measure(ms_drawing *drawing, const cell *c, result *r, ms_error *error)
{
    unsigned long long seed = SEED; /* the same systems for each cell */
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "spectral linear-pair --step-size 0 %s", c->options);
    for (int k = 0; k < SYSTEMS + AT_ONE && status == MS_OK; k++) {
        const bool at_one = k >= SYSTEMS;
        const double rho = at_one       ? 1.0
                           : k % 2 == 0 ? network_uniform(&seed, 0.02, 0.98)
                                        : network_uniform(&seed, 1.02, 2.0);
        network net;
        bool good = false;
        while (!good && status == MS_OK)
            status = network_draw(k % SPECTRA, rho, &seed, &net, &good, error);
        if (status == MS_OK)
            status =
                check_cell(&net, rho, c, &study.arguments->options, at_one ? &r->at_one : &r->drawn, error);
    }
    ms_study_destroy(&study);
    return status;
}

static void tabulate(ms_drawing *drawing, int n, const cell *cells, const result *results)
{
    ms_table *table = ms_drawing_table(
        drawing, "", "Condition for coupling stability, printed and derived, against computed limits",
        "approach|printed|derived|systems|stable|against printed|against derived|with rho(DL) = 1|stable "
        "there|against printed there|against derived there");
    for (int k = 0; k < n; k++) {
        const count *d = &results[k].drawn, *o = &results[k].at_one;
        ms_table_add(table, "sssiiiiiiii", cells[k].approach, condition_names[cells[k].printed],
                     condition_names[cells[k].derived], d->systems, d->stable, d->off_printed, d->off_derived,
                     o->systems, o->stable, o->off_printed, o->off_derived);
    }
}

/* The printed condition over the systems of a count: it holds, or the one that is derived does. */
static void check_cell_of(ms_drawing *drawing, const cell *c, const char *where, const count *d,
                          const char *note)
{
    ms_study_check(drawing, ms_drawing_text(drawing, "%s%s", c->approach, where), c->key,
                   json_pack("{s:s, s:i, s:i, s:i, s:i}", "derived", condition_names[c->derived], "systems",
                             d->systems, "stable", d->stable, "printed condition wrong", d->off_printed,
                             "derived condition wrong", d->off_derived),
                   json_string("no system against the condition"), d->off_printed == 0, "%s",
                   d->off_printed > 0 && note != NULL ? note : "Every system agrees.");
}

/* Two checks for each printed cell: systems with rho(DL) = 1 lie on the boundary of most conditions. */
static void check_cells(ms_drawing *drawing, int n, const cell *cells, const result *results,
                        const char *const *notes)
{
    for (int k = 0; k < n; k++) {
        const count *d = &results[k].drawn, *o = &results[k].at_one;
        if (cells[k].key == NULL)
            continue;
        check_cell_of(drawing, &cells[k], ", rho(DL) other than 1", d, notes[k]);
        check_cell_of(drawing, &cells[k], ", rho(DL) = 1", o, notes[k]);
    }
}

/* Side by side on Example 6.1.1: the spectral radius of the limit, and runs ------------------------------ */

typedef struct example {
    const char *printed, *derived, *name, *options;
} example;

static int write_example(ms_drawing *drawing, const example *e, ms_table *table, ms_error *error)
{
    static const double steps[] = {1e-2, 1e-3, 1e-4}; /* [s] */
    json_t *row = json_array();
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "spectral linear-pair --step-size 0 %s", e->options);
    double rho = NAN;
    if (status == MS_OK)
        rho = ms_propagation_radius(study.system, &study.arguments->options, 0.0, 100);
    json_array_append_new(row, json_string(e->name));
    json_array_append_new(row, json_string(e->printed));
    json_array_append_new(row, json_string(e->derived));
    json_array_append_new(row, ms_json_real(rho));
    ms_study_destroy(&study);
    for (int k = 0; k < 3 && status == MS_OK; k++) {
        status = ms_study_run(drawing, &ms_simulation_errors, &study, error,
                              "run linear-pair %s --step-size %g", e->options, steps[k]);
        if (status == MS_OK && study.simulation.errors_valid)
            json_array_append_new(row, ms_json_real(study.simulation.errors.max));
        else
            json_array_append_new(row, json_string("diverged"));
        ms_study_destroy(&study);
    }
    ms_table_row(table, row);
    return status;
}

static int write_examples(ms_drawing *drawing, int n, const example *examples, ms_error *error)
{
    ms_table *table =
        ms_drawing_table(drawing, "example", "Example 6.1.1 side by side: largest error within 1 s",
                         "case|by the print|derived|rho of the limit|H = 10 ms|H = 1 ms|H = 100 us");
    int status = MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        status = write_example(drawing, &examples[k], table, error);
    return status;
}

static int draw_table(ms_drawing *drawing, int n, const cell *cells, const char *const *notes, int n_examples,
                      const example *examples, ms_error *error)
{
    result results[TABLE_6_1] = {0};
    int status = MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        status = measure(drawing, &cells[k], &results[k], error);
    if (status != MS_OK)
        return status;
    tabulate(drawing, n, cells, results);
    check_cells(drawing, n, cells, results, notes);
    ms_drawing_remark(drawing,
                      "Each row: %d random systems of 2 to %d subsystems with rho(DL) between 0.02 and 2, "
                      "and %d with rho(DL) = 1; a third of each with real spectra of DL, a third with "
                      "imaginary ones. Stable: the limit H -> 0 of Psi(H) has a spectral radius of at most 1 "
                      "and no defective eigenvalue on the unit circle. The same seed for all rows.",
                      SYSTEMS, NETWORK_MAX, AT_ONE);
    return write_examples(drawing, n_examples, examples, error);
}

static int draw_table6_1(ms_drawing *drawing, ms_error *error)
{
    static const char defective[] =
        "At rho(DL) = 1 the limit (6.45) has the eigenvalues of modulus 1 twice, and C B L joins them to a "
        "defective one, so that the condition is rho(DL) < 1 in general. Away from 1 every system agrees.";
    static const char *const notes[TABLE_6_1] = {[4] = defective};
    static const example examples[] = {
        {"stable", "stable", "constant, rho(DL) = 1", "--case boundary --extrapolation-order 0"},
        {"stable", "unstable", "linear, analytic, rho(DL) = 1",
         "--case boundary " FIRST_ORDER " --derivatives analytic"},
        {"stable", "stable", "linear, analytic, rho(DL) = 0.9",
         "--case stable " FIRST_ORDER " --derivatives analytic"},
    };
    ms_drawing_remark(drawing, "Linear, analytic: for H > 0 the double eigenvalues of (6.45) split by a "
                               "multiple of sqrt(H), so that below rho(DL) = 1 stability sets in at much "
                               "smaller steps than with constant extrapolation (last table).");
    return draw_table(drawing, TABLE_6_1, table6_1, notes, MS_COUNT(examples), examples, error);
}

static int draw_table6_5(ms_drawing *drawing, ms_error *error)
{
    static const char *const notes[TABLE_6_5] = {
        [1] = "(6.73c) lost the term D L H y'_n of (6.71b). With it smoothing has the condition (6.41) of "
              "linear extrapolation from past values. The matrix as printed has rho(DL) <= 1, see the last "
              "row of the table.",
    };
    static const example examples[] = {
        {"stable", "unstable", "smoothing, rho(DL) = 0.9",
         "--case stable " FIRST_ORDER " --derivatives analytic --smooth-coupling c0"},
        {"stable", "stable", "smoothing as printed, rho(DL) = 0.9",
         "--case stable " FIRST_ORDER " --derivatives analytic --smooth-coupling c0 --as-printed=smoothing"},
        {"stable", "stable", "smoothing, rho(DL) = 0.3",
         "--case stable-linear " FIRST_ORDER " --derivatives analytic --smooth-coupling c0"},
    };
    return draw_table(drawing, TABLE_6_5, table6_5, notes, MS_COUNT(examples), examples, error);
}

const ms_figure ms_figure_andersson2016_table6_1 = {
    "andersson2016:table6.1", "Conditions for coupling stability, without smoothing",
    "Andersson (2016), Table 6.1, section 6.1.2", .draw = draw_table6_1};

const ms_figure ms_figure_andersson2016_table6_5 = {
    "andersson2016:table6.5", "Conditions for coupling stability with smoothing",
    "Andersson (2016), Table 6.5, section 6.5", .draw = draw_table6_5};
