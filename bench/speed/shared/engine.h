/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the engine alone: what benchmarks time and compare with loops by hand. */
#ifndef MS_ENGINE_H
#define MS_ENGINE_H

#include <macrostep/cosim.h>

/* Processor time of a run with nothing recorded [s]; NAN: it failed, said in error. */
double ms_engine_seconds(ms_cosim *cosim, ms_error *error);

#endif
