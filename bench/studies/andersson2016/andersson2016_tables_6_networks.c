/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "andersson2016_tables_6_networks.h"

#include <math.h>

#include "spectrum.h"
#include "system.h"

double ms_network_uniform(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX */
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static void scalar_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const ms_scalar *s = data;
    (void)p;
    m->A[0] = s->a;
    m->B[0] = s->b;
    m->C[0] = s->c;
    m->D[0] = s->d;
}

int ms_network_build(const double *p, ms_structure *structure, ms_error *error)
{
    static const ms_variable x = {"x", "1"}, u = {"u", "1"}, y = {"y", "1"};
    const ms_network *net = structure->model->data;
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

static int loop_spectrum(const ms_network *net, ms_spectrum *spectrum, ms_error *error)
{
    return ms_spectrum_create(net->n, net->DL, spectrum, error);
}

static void multiply(ms_network *net, double factor)
{
    for (int i = 0; i < net->n; i++)
        for (int j = 0; j < net->n; j++) {
            net->L[i * net->n + j] *= factor;
            net->DL[i * net->n + j] = net->sub[i].d * net->L[i * net->n + j];
        }
}

static void draw_network(int spectra, unsigned long long *seed, ms_network *net)
{
    net->n = 2 + (int)ms_network_uniform(seed, 0.0, MS_NETWORK_MAX - 1.0);
    for (int i = 0; i < net->n; i++) {
        ms_scalar *s = &net->sub[i];
        *s = (ms_scalar){ms_network_uniform(seed, -2.0, 1.0), ms_network_uniform(seed, 0.5, 2.0),
                         ms_network_uniform(seed, 0.5, 2.0), ms_network_uniform(seed, 0.2, 1.0)};
        for (int j = 0; j <= i; j++) {
            const double lower = ms_network_uniform(seed, -1.0, 1.0),
                         upper = ms_network_uniform(seed, -1.0, 1.0);
            net->L[i * net->n + j] = j == i ? 0.0 : lower;
            net->L[j * net->n + i] = j == i                             ? 0.0
                                     : spectra == MS_SPECTRUM_REAL      ? lower
                                     : spectra == MS_SPECTRUM_IMAGINARY ? -lower
                                                                        : upper;
        }
    }
    multiply(net, 1.0);
}

int ms_network_draw(int spectra, double rho, unsigned long long *seed, ms_network *net, bool *good,
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
