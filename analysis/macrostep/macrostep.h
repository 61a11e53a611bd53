/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep.h - the library as included by its users, from C and C++: models, options, runs, and their results.
 * Other installed headers are there because these include them. */
#pragma once

/* Models: the catalogue's, and those in files. */
#include <macrostep/catalogue.h>
#include <macrostep/series_read.h>
#include <macrostep/system_file.h>

/* Models and schemes of shared objects. */
#include <macrostep/extension.h>

/* Options by name; the lists of schemes and micro-solvers. */
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>

/* Runs, observers, and their names for how a run ended; the ranks that share one. */
#include <macrostep/execution_ranks.h>

/* Runs with their errors against a reference, orders of convergence, energy. */
#include <macrostep/convergence_order.h>
#include <macrostep/reference.h>
#include <macrostep/simulation.h>

/* Propagation matrices by formula and by probe, spectra, stability. */
#include <macrostep/analytic_propagation.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include <macrostep/stability.h>

/* State space matrices, parameters from measurements, a model integrated as one. */
#include <macrostep/estimate.h>
#include <macrostep/integrate.h>
#include <macrostep/linearisation.h>
