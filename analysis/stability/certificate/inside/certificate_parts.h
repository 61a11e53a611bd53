/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate_parts.h - what the files of the certificate share. */
#pragma once

#include "analytic_propagation_balls.h"
#include "certificate.h"

enum { CERTIFIER_BITS = 128, CERTIFIER_BITS_MAX = 2048, CERTIFIER_NODES = 128 };

struct ms_certifier {
    const ms_plugin_balls *plugin;
    ms_analytic_propagation_balls *formula;
    const ms_system *system;
    int n,
        *index; /* (n): rows and columns of Psi without those that are 0 for all H, and add an eigenvalue 0 */
    ms_balls *whole;                              /* all of them */
    ms_balls *h, *psi, *values, *most;            /* 1 x 1, n x n, functions x nodes, functions x 1 */
    ms_balls *T, *inverse;                        /* (n x n) coordinates */
    ms_balls *disc, *sample[MS_BALLS_SAMPLES];    /* (n x n) psi there */
    double *scale, *moduli, *coordinates, *terms; /* n, n x n, n x n, MS_BALLS_TERMS x n x n */
    long bits;                                    /* with which to begin: those that did it last */
};

/* psi at h; counts. Errors: those of the formula. */
int ms_certifier_evaluate(ms_certifier *certifier, long bits);

/* The coordinates of psi, as it is now. Returns whether there are any. */
bool ms_certifier_choose_coordinates(ms_certifier *certifier, long bits);

/* The disc of a panel, up to panel->wide, that takes the fewest nodes, and how many; `most` has the bounds. least: about log2 of the
 * least modulus of each function on the panel. Returns whether there is one. */
bool ms_certifier_choose_disc(ms_certifier *certifier, ms_balls_panel *panel,
                              const double least[MS_BALLS_FUNCTIONS]);

/* The order of the zero at 0 that the plug-in divides out. */
double ms_certifier_zero_order(const ms_certifier *certifier, const ms_balls_panel *panel, int function);

/* Powers of 2 (n) that balance rows and columns of M_ij scale_j/scale_i (n x n). */
void ms_certificate_balance(int n, const double *M, double *scale);

/* T (n x n) so that T^-1 M T is nearly triangular; M and work (n x n) are lost. */
void ms_certificate_triangularise(int n, double *M, double *T, double *work);
