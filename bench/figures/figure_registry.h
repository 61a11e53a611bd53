/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_registry.h - all figures and tables by ID, those of the papers first. A new one is one line in
 * inside/figure_list.txt; if it is written in C, another in inside/figure_list.h. */
#pragma once

#include "figure.h"

/* Figure k in the order of figure_list.txt; NULL after the last one. Thread-safe. */
const ms_figure *ms_figure_at(int k);

/* Reads all files of figures. Without memory figures keep empty titles. Returns MS_OK or MS_NO_MEMORY. */
int ms_figures_read(ms_error *error);

/* The figure with ID PAPER:NAME, or the name of its files, PAPER-NAME or PAPER_NAME; or NULL. And the most similar ID. */
const ms_figure *ms_figure_find(const char *id);
const char *ms_figure_nearest(const char *id);
