/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_texts.h - the figure files of bench/studies and their gnuplot commands, compiled in, so that an installed command has them
 * anywhere. */
#ifndef MS_FIGURE_TEXTS_H
#define MS_FIGURE_TEXTS_H

#include "published.h"

/* By their names without folders; ends with a NULL name. */
extern const ms_published ms_figure_texts[];

#endif
