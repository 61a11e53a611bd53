/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_network.h - random networks of lines: bodies on wall springs, m x'' = -k x + sum of g_q u_q, joined by springs. Nothing is
 * damped. */
#ifndef MS_LINE_NETWORK_H
#define MS_LINE_NETWORK_H

#include "system.h"

enum { LINE_NETWORK_BODIES = 4, LINE_NETWORK_LINES = 4 };

typedef struct line_body {
    double m, k, x, v;
    double gain[2 * LINE_NETWORK_LINES]; /* of its ports, one for each line that ends there */
    int ports;
} line_body;

/* Bodies are the first subsystems, of states x, v and the output v; elements follow. */
typedef struct line_network {
    int bodies, lines;
    line_body body[LINE_NETWORK_BODIES];
    ms_line line[LINE_NETWORK_LINES];
    double elongation[LINE_NETWORK_LINES];
    double fastest; /* no frequency of a body with all its springs is larger [1/s] */
    ms_model model;
} line_network;

/* The next one, with 2 to LINE_NETWORK_BODIES bodies that hang together, and a system of it, which points to it. */
ms_system *support_line_network_next(unsigned long long *seed, line_network *network);

/* Kinetic energy and that of wall springs, of all bodies. */
double support_line_network_energy(const line_network *network, const double *x);

#endif
