/* SPDX-License-Identifier: GPL-3.0-or-later */
/* label.h - fits names of any length and alphabet (UTF-8) into little room. */
#pragma once

#include <stddef.h>

/* Writes the text to `to` of `size` bytes, at least 8, and 0. Where it has more than `most` letters, or more bytes than
 * there is room for, its middle is left out for "...": names of one kind differ at either end. */
void ms_label_fit(const char *text, int most, char *to, size_t size);
