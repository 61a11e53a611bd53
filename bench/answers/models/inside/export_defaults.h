/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_defaults.h - options of a run that were given to export, for the system structure that it writes. */
#ifndef MS_EXPORT_DEFAULTS_H
#define MS_EXPORT_DEFAULTS_H

#include "arguments.h"

/* The options of the command line, in the order of their table. They are tried on the system: the errors are those of a run that is
 * made ready. `memory` owns the list. */
int ms_export_defaults(const ms_arguments *arguments, const ms_system *system, ms_structure *memory,
                       const ms_default **list, int *n, ms_error *error);

#endif
