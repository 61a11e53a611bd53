/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_tables_6_networks.h - random linear systems for Tables 6.1 and 6.5.
 *
 * A subsystem is x' = a x + b u, y = c x + d u, and each takes a combination of all other outputs, so that
 * D L = diag(d) L with a zero diagonal. */
#ifndef MS_STUDIES_ANDERSSON2016_TABLES_6_NETWORKS_H
#define MS_STUDIES_ANDERSSON2016_TABLES_6_NETWORKS_H

#include "model.h"

enum { MS_NETWORK_MAX = 5 }; /* subsystems */

/* Spectra of D L: real (L symmetric, d > 0), imaginary (L antisymmetric, d > 0), as it comes. */
enum { MS_SPECTRUM_REAL, MS_SPECTRUM_IMAGINARY, MS_SPECTRUM_MIXED, MS_SPECTRA };

typedef struct ms_scalar {
    double a, b, c, d;
} ms_scalar;

typedef struct ms_network {
    int n;
    ms_scalar sub[MS_NETWORK_MAX];
    double L[MS_NETWORK_MAX * MS_NETWORK_MAX], DL[MS_NETWORK_MAX * MS_NETWORK_MAX]; /* (n x n) */
} ms_network;

/* Uniform in [low, high); the seed moves on. */
double ms_network_uniform(unsigned long long *seed, double low, double high);

/* What a model with a network as its data is built by. */
int ms_network_build(const double *p, ms_structure *structure, ms_error *error);

/* A network of 2 to MS_NETWORK_MAX subsystems with rho(DL) = rho and no eigenvalue close to 1, where the loop
 * has no solution. *good = false: draw again. Errors: those of ms_spectrum_create. */
int ms_network_draw(int spectra, double rho, unsigned long long *seed, ms_network *net, bool *good,
                    ms_error *error);

#endif
