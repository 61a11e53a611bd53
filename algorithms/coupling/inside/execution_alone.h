/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_alone.h - what macrostep-mpi.so gives, of one rank that nobody has launched with others: without MPI, which takes a
 * while to start and does not give back all that it takes. */
#ifndef MS_EXECUTION_ALONE_H
#define MS_EXECUTION_ALONE_H

#include "plugin_mpi.h"

extern const ms_plugin_mpi ms_execution_alone;

#endif
