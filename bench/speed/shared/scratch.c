/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>

bool ms_scratch_folder(char path[MS_SCRATCH_PATH])
{
    const char *folder = getenv("TMPDIR");
    const int length =
        snprintf(path, MS_SCRATCH_PATH, "%s/macrostep-XXXXXX", folder != NULL ? folder : "/tmp");
    return length < MS_SCRATCH_PATH && mkdtemp(path) != NULL;
}

bool ms_scratch_remove(const char *folder)
{
    char line[MS_SCRATCH_PATH + 16];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) == 0;
}
