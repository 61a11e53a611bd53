/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate_parts.h - what the files of the certificate share. */
#ifndef MS_CERTIFICATE_PARTS_H
#define MS_CERTIFICATE_PARTS_H

#include "analytic_propagation_balls.h"
#include "certificate.h"

enum { CERTIFIER_BITS = 128, CERTIFIER_BITS_MAX = 2048, CERTIFIER_NODES = 256 };

struct ms_certifier {
    const ms_plugin_balls *plugin;
    ms_analytic_propagation_balls *formula;
    const ms_system *system;
    int n,
        *index; /* (n): rows and columns of Psi without those that are 0 for all H, and add an eigenvalue 0 */
    ms_balls *whole;            /* all of them */
    ms_balls *h, *psi, *values; /* 1 x 1, n x n, functions x nodes */
    double *scale;              /* (n) */
    long bits;                  /* with which to begin: those that did it last */
};

/* psi at h; counts. Errors: those of the formula. */
int ms_certifier_evaluate(ms_certifier *certifier, long bits);

#endif
