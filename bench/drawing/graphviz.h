/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graphviz.h - draws a text in the DOT language with Graphviz' `dot`, run as a process of its own. */
#ifndef MS_GRAPHVIZ_H
#define MS_GRAPHVIZ_H

#include <signal.h>
#include <stdio.h>

#include <macrostep/status.h>

/* The picture of the text in a format of dot's ("svg", "pdf", "png") goes into the file, from where it stands
 * now. what names it in lines. Errors: MS_IO (dot is not installed, or what it said), MS_INTERRUPTED. */
int ms_graphviz_draw(const char *text, const char *format, FILE *file, const char *what,
                     const volatile sig_atomic_t *stop, ms_error *error);

#endif
