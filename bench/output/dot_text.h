/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dot_text.h - texts of a user in the DOT language of Graphviz. */
#pragma once

#include <stdio.h>

/* Writes a text into a label, like HTML or not, or into another string between quotes: none of its letters means anything to dot. */
void ms_dot_text(const char *text, FILE *file);
