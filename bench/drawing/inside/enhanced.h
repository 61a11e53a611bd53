/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MS_ENHANCED_H
#define MS_ENHANCED_H

#include <stddef.h>

/* The bytes of the mathematics of LaTeX that begins at a dollar and ends at the next one; 0: of none that LaTeX could set. */
size_t ms_mathematics(const char *text);

/* A text whose mathematics between dollars is in gnuplot's notation of enhanced text, for the caller to free. NULL: it has none, or
 * more than subscripts, superscripts, Greek letters and names of functions; or there is no memory. */
char *ms_enhanced(const char *text);

#endif
