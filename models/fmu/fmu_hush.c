/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_hush.c - FMUs print banners on standard output, where answers belong. */
#include <stdio.h>
#include <unistd.h>

#include "fmu_parts.h"

/* The lock of stdout keeps other threads from printing where the banner goes. */
int ms_fmu_hush(void)
{
    flockfile(stdout);
    fflush(stdout);
    const int token = dup(STDOUT_FILENO);
    if (token >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(token);
        return -1;
    }
    return token;
}

void ms_fmu_unhush(int token)
{
    if (token >= 0) {
        fflush(stdout);
        dup2(token, STDOUT_FILENO);
        close(token);
    }
    funlockfile(stdout);
}
