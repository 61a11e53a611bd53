/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graphviz.h - draws a text in the DOT language with Graphviz' `dot`, run as a process of its own. */
#pragma once

#include <signal.h>
#include <stdio.h>

#include <macrostep/status.h>

/* Appends the picture of the text in a format of dot ("svg", "pdf", "png") to the file.
 * what: its name in messages. Errors: MS_IO (dot is not installed, or its message), MS_INTERRUPTED. */
int ms_graphviz_draw(const char *text, const char *format, FILE *file, const char *what,
                     const volatile sig_atomic_t *stop, ms_error *error);
