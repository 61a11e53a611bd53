/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_network.h - random networks of lines: bodies on wall springs, m x'' = -k x + sum of g_q u_q, joined by springs. Nothing is
 * damped. */
#pragma once

#include <macrostep/system.h>

enum { SUPPORT_LINE_NETWORK_BODIES = 4, SUPPORT_LINE_NETWORK_LINES = 4 };

typedef struct support_line_body {
    double m, k, x, v;
    double gain[2 * SUPPORT_LINE_NETWORK_LINES]; /* of its ports, one for each line that ends there */
    int ports;
} support_line_body;

/* Bodies are the first subsystems, of states x, v and the output v; elements follow. */
typedef struct support_line_network {
    int bodies, lines;
    support_line_body body[SUPPORT_LINE_NETWORK_BODIES];
    ms_line line[SUPPORT_LINE_NETWORK_LINES];
    double elongation[SUPPORT_LINE_NETWORK_LINES];
    double fastest; /* no frequency of a body with all its springs is larger [1/s] */
    ms_model model;
} support_line_network;

/* The next one, with 2 to SUPPORT_LINE_NETWORK_BODIES bodies that hang together, and a system of it, which points to it. */
ms_system *support_line_network_next(unsigned long long *seed, support_line_network *network);

/* Kinetic energy and that of wall springs, of all bodies. */
double support_line_network_energy(const support_line_network *network, const double *x);
