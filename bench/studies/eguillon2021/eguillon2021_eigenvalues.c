/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of Psi_tau = z - gamma_tau(z), (25), from the real callback over the size of the macro-step,
 * against (33) and (34) of Eguillon et al. (2021), 5.2, with exact output derivatives and with differences.
 *
 * Psi_tau is affine, so that its columns are Psi(e_k) - Psi(0). With f_L zero and the subsystems at rest
 * Psi(0) = 0, and no column suffers from cancellation. Unknowns in the order of inputs: z = (v_C, x_C, f_C,
 * v_C', x_C', f_C'). */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "figure.h"
#include "ifosmondi.h"
#include "matrix.h"
#include "study_orders.h"

enum { V_C, X_C, F_C, DV_C, DX_C, DF_C, UNKNOWNS };

static const double sizes[] = {1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};
static const double dampings[] = {4.0, 0.64, 0.01};

enum { SIZES = MS_COUNT(sizes), DAMPINGS = MS_COUNT(dampings) };

static const char *const derivatives[] = {"exact", "differences"};
enum { EXACT, DIFFERENCES, KINDS };

typedef struct spectrum {
    double J[UNKNOWNS * UNKNOWNS];
    double lambda[UNKNOWNS][2]; /* by ascending imaginary part */
    double pair;                /* distance of those that tend to +- i sqrt(D_SD/D_D) from it, the largest */
    double zero;                /* modulus of those that tend to zero, the largest */
    double radius;
} spectrum;

/* The Jacobian at the point where the co-simulation stands, for macro-steps of length h. */
static int jacobian(ms_cosim *cosim, double t, double h, double *J)
{
    double state[64], z[UNKNOWNS] = {0.0}, r0[UNKNOWNS], r[UNKNOWNS];
    if (ms_cosim_state_size(cosim) > MS_COUNT(state))
        return MS_INVALID;
    ms_cosim_save(cosim, state);
    int status = ms_ifosmondi_begin(cosim, t, h, r);
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    if (status == MS_OK)
        status = problem.residual(problem.context, z, r0);
    for (int k = 0; k < UNKNOWNS && status == MS_OK; k++) {
        z[k] = 1.0;
        status = problem.residual(problem.context, z, r);
        for (int i = 0; i < UNKNOWNS; i++)
            J[i * UNKNOWNS + k] = z[i] - (r[i] - r0[i]);
        z[k] = 0.0;
    }
    ms_cosim_restore(cosim, state);
    return status;
}

static int by_imaginary_part(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (first[1] > second[1]) - (first[1] < second[1]);
}

/* of_pair: how many eigenvalues tend to each of +- i limit. */
static int analyse(spectrum *s, double limit, int of_pair)
{
    double M[UNKNOWNS * UNKNOWNS];
    memcpy(M, s->J, sizeof M);
    const int status = ms_matrix_eigenvalues(UNKNOWNS, M, &s->lambda[0][0]);
    if (status != MS_OK)
        return status;
    qsort(s->lambda, UNKNOWNS, sizeof s->lambda[0], by_imaginary_part);
    for (int k = 0; k < UNKNOWNS; k++) {
        const double re = s->lambda[k][0], im = s->lambda[k][1];
        s->radius = fmax(s->radius, hypot(re, im));
        if (k < of_pair || k >= UNKNOWNS - of_pair)
            s->pair = fmax(s->pair, hypot(re, fabs(im) - limit));
        else
            s->zero = fmax(s->zero, hypot(re, im));
    }
    return MS_OK;
}

/* The second macro-step: in the first one the input is a parabola. */
static int measure_one(ms_drawing *drawing, double damping, int kind, spectrum *s, ms_error *error)
{
    ms_study study;
    ms_cosim *cosim = NULL;
    int status =
        ms_study_bind(drawing, &study, error,
                      "run damping-reaction --set d_d=%.17g --scheme ifosmondi --output-derivatives %s",
                      damping, derivatives[kind]);
    if (status == MS_OK) {
        study.system->homogeneous = true;
        status = ms_cosim_of_options(study.system, &study.arguments->options, &cosim, error);
    }
    if (status == MS_OK)
        status = ms_cosim_start(cosim);
    if (status == MS_OK)
        status = ms_cosim_step(cosim, 0.0, 1.0);
    for (int k = 0; k < SIZES && status == MS_OK; k++) {
        status = jacobian(cosim, 1.0, sizes[k], s[k].J);
        if (status == MS_OK)
            status = analyse(&s[k], sqrt(1.0 / damping), kind == EXACT ? 2 : 1);
    }
    if (status > MS_OK || (status != MS_OK && cosim != NULL))
        status =
            ms_fail(error, MS_SOLVER_FAILED, "the callback has no value, or its Jacobian no eigenvalues");
    ms_cosim_destroy(&cosim);
    ms_study_destroy(&study);
    return status;
}

typedef struct spectra {
    spectrum of[KINDS][DAMPINGS][SIZES];
} spectra;

/* Data and tables ---------------------------------------------------------------------------------------- */

static void write_distances(ms_drawing *drawing, const spectra *all)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 0; d < DAMPINGS; d++) {
            ms_data *data =
                ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-%g", derivatives[kind], dampings[d]),
                                "step_size,pair,zero,radius");
            for (int k = 0; k < SIZES; k++) {
                const spectrum *s = &all->of[kind][d][k];
                MS_ROW(data, sizes[k], s->pair, s->zero, s->radius);
            }
        }
}

static void write_table(ms_drawing *drawing, const spectra *all)
{
    ms_table *table = ms_drawing_table(
        drawing, "eigenvalues", "Eigenvalues of the Jacobian of Psi over the macro-step",
        "output derivatives|D_D|dt / s|1|2|3|4|5|6|spectral radius|limit|pair: distance|others: modulus");
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 0; d < DAMPINGS; d++)
            for (int k = 0; k < SIZES; k++) {
                const spectrum *s = &all->of[kind][d][k];
                json_t *row = json_pack("[s, f, f]", derivatives[kind], dampings[d], sizes[k]);
                for (int j = 0; j < UNKNOWNS; j++)
                    json_array_append_new(row, json_sprintf("%.6g %+.6gi", s->lambda[j][0], s->lambda[j][1]));
                json_array_append_new(row, ms_json_real(s->radius));
                json_array_append_new(row, ms_json_real(sqrt(1.0 / dampings[d])));
                json_array_append_new(row, ms_json_real(s->pair));
                json_array_append_new(row, ms_json_real(s->zero));
                ms_table_row(table, row);
            }
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* The largest relative deviation of an entry from factor dt^power / D_D. */
static double deviation(const spectra *all, int row, int column, double factor, int power)
{
    double most = 0.0;
    for (int d = 0; d < DAMPINGS; d++)
        for (int k = 0; k < SIZES; k++) {
            const double expected = factor * pow(sizes[k], power) / dampings[d];
            most = fmax(most, fabs(all->of[EXACT][d][k].J[row * UNKNOWNS + column] / expected - 1.0));
        }
    return most;
}

static void check_entries(ms_drawing *drawing, const spectra *all)
{
    ms_drawing_check_number(
        drawing, "dx_C/df_C at finite steps: relative deviation from dt/(2 D_D)", 0.0,
        deviation(all, X_C, F_C, 0.5, 1), 1e-9,
        "(33) has 0 there, which is the limit. The Hermite input with end value 1 has the integral dt/2.");
    ms_drawing_check_number(drawing, "dx_C/df_C' at finite steps: relative deviation from -dt^2/(12 D_D)",
                            0.0, deviation(all, X_C, DF_C, -1.0 / 12.0, 2), 1e-9,
                            "(33) has 0 there, which is the limit. The Hermite input with end slope 1 has "
                            "the integral -dt^2/12.");
}

/* (33) with exact derivatives: the lower left block without the framed zeros. */
static void check_limit(ms_drawing *drawing, const spectra *all)
{
    double most = 0.0;
    for (int d = 0; d < DAMPINGS; d++) {
        const double *J = all->of[EXACT][d][SIZES - 1].J;
        double printed[UNKNOWNS * UNKNOWNS] = {0.0};
        for (int at = 0; at < UNKNOWNS; at += 3) {
            printed[(at + F_C) * UNKNOWNS + at + V_C] = -1.0;
            printed[(at + F_C) * UNKNOWNS + at + X_C] = -1.0;
            printed[(at + V_C) * UNKNOWNS + at + F_C] = 1.0 / dampings[d];
        }
        for (int i = 0; i < UNKNOWNS; i++)
            for (int k = 0; k < UNKNOWNS; k++)
                if (i < 3 || k >= 3)
                    most = fmax(most, fabs(J[i * UNKNOWNS + k] - printed[i * UNKNOWNS + k]) * dampings[d]);
    }
    ms_drawing_check_number(drawing,
                            "(33): largest deviation times D_D at dt = 1e-6 s, without the lower left block",
                            0.0, most, 1e-5, "Exact output derivatives, three values of D_D.");
}

static void check_eigenvalues(ms_drawing *drawing, const spectra *all)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 0; d < DAMPINGS; d++) {
            const spectrum *coarse = &all->of[kind][d][1], *fine = &all->of[kind][d][3],
                           *last = &all->of[kind][d][SIZES - 1];
            const double limit = sqrt(1.0 / dampings[d]), distance = fmax(last->pair, last->zero) / limit;
            ms_drawing_check(
                drawing,
                ms_drawing_text(drawing, "D_D = %g, %s: eigenvalues tend to 0 and +- i sqrt(D_SD/D_D)",
                                dampings[d], derivatives[kind]),
                json_string(kind == EXACT ? "each with multiplicity 2, (34)"
                                          : "the pair simple, 0 four times"),
                ms_json_real(distance), json_real(1e-9), ms_verdict_of(distance < 1e-9),
                "Largest distance at dt = 1e-6 s, relative to the limit's modulus.%s",
                kind == EXACT
                    ? ""
                    : " The paper says that the method for the derivatives does not matter, as the matrix is "
                      "block-triangular. With y' = (y - y_n)/dt the lower half of the Jacobian is the upper "
                      "one over dt: it has rank 3, so that at any dt half of the eigenvalues are zero.");
            ms_drawing_check_number(drawing,
                                    ms_drawing_text(drawing,
                                                    "D_D = %g, %s: order in dt of the distance of the pair",
                                                    dampings[d], derivatives[kind]),
                                    2.0, ms_observed_order(coarse->pair, fine->pair, sizes[1], sizes[3]),
                                    0.05, "Ours; from 0.1 s to 0.001 s.");
        }
}

static void check_radius(ms_drawing *drawing, const spectra *all)
{
    for (int d = 0; d < DAMPINGS; d++) {
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "D_D = %g: spectral radius at dt = 0.01 s", dampings[d]),
            sqrt(1.0 / dampings[d]), all->of[EXACT][d][2].radius, 0.02 * sqrt(1.0 / dampings[d]),
            "Against (34), within 2 %%; with differences %.5g.", all->of[DIFFERENCES][d][2].radius);
    }
}

static const char script[] = "set multiplot layout 1,2\n"
                             "set logscale xy\n"
                             "set format xy powers\n"
                             "set xlabel 'macro-step dt / s'\n"
                             "set ylabel 'distance of the pair from ± i (D_{SD}/D_D)^{1/2}'\n"
                             "set yrange [1e-14:1]\n"
                             "set key vertical maxrows 3\n"
                             "set tmargin 6\n"
                             "array damping[3] = ['4', '0.64', '0.01']\n"
                             "do for [kind in 'exact differences'] {\n"
                             "    set title kind eq 'exact' ? 'exact output derivatives, the pair double' : "
                             "'differences, the pair simple'\n"
                             "    plot for [d = 1:3] part(kind.'-'.damping[d]) using 'step_size':'pair' with "
                             "linespoints lt d + 1 title 'D_D = '.damping[d], \\\n"
                             "        0.02*x**2 with lines lt 1 lw 1 dashtype 3 title 'order 2'\n"
                             "}\n";

static int draw_eigenvalues(ms_drawing *drawing, ms_error *error)
{
    spectra *all = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int kind = 0; kind < KINDS; kind++)
        for (int d = 0; d < DAMPINGS && status == MS_OK; d++)
            status = measure_one(drawing, dampings[d], kind, all->of[kind][d], error);
    if (status == MS_OK) {
        write_distances(drawing, all);
        write_table(drawing, all);
        check_entries(drawing, all);
        check_limit(drawing, all);
        check_eigenvalues(drawing, all);
        check_radius(drawing, all);
        ms_drawing_remark(
            drawing,
            "Columns by unit vectors, as Psi is affine, in the second macro-step and with f_L = 0; in the "
            "first one nothing is asked of the slope at the start, and the input is a parabola. What lies "
            "below 1e-10 is round-off, which enters the eigenvalues of Jordan blocks by its roots.");
        ms_drawing_picture(drawing, 1000, 480, "%s", script);
    }
    return status;
}

const ms_figure ms_figure_macrostep_callback_eigenvalues = {
    "macrostep:callback-eigenvalues",
    "Eigenvalues of the Jacobian of the fixed point's callback as the macro-step tends to zero",
    "ours, on Eguillon et al. (2021), (33), (34), section 5.2", .draw = draw_eigenvalues,
    .memory = sizeof(spectra)};
