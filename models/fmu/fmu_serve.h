/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_serve.h - the other side of an FMU in a process of its own: what the program macrostep-fmu does. */
#ifndef MS_FMU_SERVE_H
#define MS_FMU_SERVE_H

#include "fmu.h"

/* Opens the binary of an FMU that the program at the other end of the channel has unpacked into `folder`, and carries out its calls until
 * it says that this is the end. memory: the channel's descriptor, which is closed; path: what lines call the FMU. */
void ms_fmu_serve(int memory, const char *folder, const char *path, ms_fmu_kind kind);

#endif
