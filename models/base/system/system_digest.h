/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_digest.h - whether two systems are the same: name, parameters, texts, matrices, wires, external inputs that a series gives,
 * start values, sizes by which steps of differences go. Two programs may have different functions under the same name; FMUs are known by the text that names them. */
#pragma once

#include <macrostep/digest.h>
#include <macrostep/system.h>

/* Returns MS_OK or MS_NO_MEMORY. */
int ms_system_digest(const ms_system *system, ms_digest *digest);
