/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_alone.h - the functions of macrostep-mpi.so for a program that runs as the only rank. MPI is not started: its start is
 * slow, and it does not free all of its memory. */
#ifndef MS_RANK_ALONE_H
#define MS_RANK_ALONE_H

#include "plugin_mpi.h"

extern const ms_plugin_mpi ms_rank_alone;

#endif
