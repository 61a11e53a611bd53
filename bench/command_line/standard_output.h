/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standard_output.h - standard output as the command's own, where answers go and nothing else does: an FMU prints when it likes, into
 * a buffer that may be written at any time, up to the end of the process. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Reserves standard output until the process ends: whatever others print on stdout and its descriptor goes to standard error from now on. To be
 * called once, before anything is printed; without memory or a free descriptor nothing changes. */
void ms_standard_output_keep(void);

/* Where answers go: stdout, unless that has been kept from others. It is not to be closed. */
FILE *ms_standard_output(void);

/* Has an FMU closed it, as one that closes all descriptors does? Another file may have taken its place. */
bool ms_standard_output_lost(void);

/* Is it what that path names: -, or as the system calls it? */
bool ms_standard_output_is(const char *path);
