/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot.h - runs gnuplot as a process of its own. */
#ifndef MS_GNUPLOT_H
#define MS_GNUPLOT_H

#include <signal.h>

#include <macrostep/status.h>

/* Runs `gnuplot SCRIPT` in the folder. stop (may be NULL): becomes non-zero to end it. Errors: MS_IO with
 * what gnuplot said, or that it is not installed; MS_INTERRUPTED. */
int ms_gnuplot_run(const char *folder, const char *script, const volatile sig_atomic_t *stop,
                   ms_error *error);

#endif
