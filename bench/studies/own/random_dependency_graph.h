/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_dependency_graph.h - random graphs of inputs and outputs, for statements about evaluation orders. */
#pragma once

#include "dependency_graph.h"

typedef struct ms_random_graph_options {
    int subsystems;
    int inputs, outputs; /* of each subsystem */
    double feed_through; /* probability that an output depends on an input of its subsystem */
    bool loops; /* may wires form loops? Otherwise feed-through, and wires to inputs with it, follow a
                            random sequence of all variables, so that there is no algebraic loop */
} ms_random_graph_options;

/* Every input has one wire, from an output that is drawn uniformly (of those that may lead there). The same
 * graph for the same seed on every machine; the seed moves on. Returns MS_OK or MS_NO_MEMORY;
 * ms_dependency_graph_destroy frees it. */
int ms_random_dependency_graph(const ms_random_graph_options *request, unsigned long long *seed,
                               ms_dependency_graph *d);
