/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_signals.h - what a wire of a system file carries: whether that fits its input, and what its map makes of it. */
#ifndef MS_WIRE_SIGNALS_H
#define MS_WIRE_SIGNALS_H

#include "file_model.h"

/* Of output or input k; signal NULL: of all. */
ms_signal ms_file_signal(const ms_signal *signal, int k);

/* Does what the wire carries fit what the input takes? Reals take whole numbers; all others take their own kind, as it is. MS_OK or
 * MS_INVALID. */
int ms_file_check_signals(const ms_file_model *file, const ms_wire *wire, double offset,
                          const ms_json_place *at, ms_error *error);

/* A map, {"VALUE": value, ..} of whole numbers, true and false, and names of items, for the wire, whose ends are variables of FMUs of these
 * types. Errors: MS_INVALID with the line, MS_NO_MEMORY. */
int ms_file_map_wire(ms_file_model *file, const json_t *map, const ms_wire *wire, double offset,
                     const ms_json_place *at, ms_error *error);

#endif
