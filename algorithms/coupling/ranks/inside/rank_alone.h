/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_alone.h - what macrostep-mpi.so gives, of one rank that nobody has launched with others: without MPI, which takes a
 * while to start and does not give back all that it takes. */
#ifndef MS_RANK_ALONE_H
#define MS_RANK_ALONE_H

#include "plugin_mpi.h"

extern const ms_plugin_mpi ms_rank_alone;

#endif
