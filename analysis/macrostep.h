/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep.h - the library as its users include it, from C and C++: models, options, runs, and what is said of them.
 * What else is installed is there because these headers include it. */
#ifndef MS_MACROSTEP_H
#define MS_MACROSTEP_H

#ifdef __cplusplus
#include <cmath> /* what the headers below include of the C library has templates in C++ */
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" {
#endif

/* Models: the catalogue's, and those in files. */
#include "catalogue.h"
#include "model.h"
#include "series.h"
#include "series_read.h"
#include "status.h"
#include "system.h"
#include "system_file.h"

/* Models and schemes of shared objects. */
#include "extension.h"

/* Options by name; the lists of schemes and micro-solvers. */
#include "options.h"
#include "options_set.h"
#include "scheme_registry.h"
#include "solver_registry.h"

/* Runs, observers, and their names for how a run ended. */
#include "run.h"

/* Runs with their errors against a reference, orders of convergence, energy. */
#include "convergence_order.h"
#include "reference.h"
#include "simulation.h"

/* Propagation matrices by formula and by probe, spectra, stability. */
#include "analytic_propagation.h"
#include "propagation.h"
#include "region.h"
#include "spectrum.h"
#include "stability.h"

/* State space matrices, parameters from measurements, a model integrated as one. */
#include "estimate.h"
#include "integrate.h"
#include "linearisation.h"

#ifdef __cplusplus
}
#endif
#endif
