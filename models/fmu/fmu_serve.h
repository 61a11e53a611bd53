/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_serve.h - the other side of an FMU in a separate process: the program macrostep-fmu. */
#pragma once

#include "fmu.h"

/* Opens the binary of an FMU that the program at the other end of the channel has unpacked into `folder`, and carries out its calls until
 * it sends the end. memory: the channel's descriptor, which is closed; path: the FMU's name in messages. */
void ms_fmu_serve(int memory, const char *folder, const char *path, ms_fmu_kind kind);
