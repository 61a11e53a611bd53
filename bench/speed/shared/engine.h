/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the engine alone: what benchmarks time and compare with loops by hand. */
#pragma once

#include <macrostep/cosim.h>

/* Options of a run as on a command line, "scheme gauss-seidel outputs corrected". The run takes `steps` macro-steps of length h [s].
 * Errors: MS_INVALID. */
int ms_engine_options(const char *words, double h, double steps, ms_options *options, ms_error *error);

/* The run itself. Errors: those of the options and of ms_cosim_of_options. */
int ms_engine_create(const ms_system *system, const char *words, double h, double steps, ms_cosim **cosim,
                     ms_error *error);

/* Processor time of a run with nothing recorded [s]; NAN: it failed, said in error. */
double ms_engine_seconds(ms_cosim *cosim, ms_error *error);
