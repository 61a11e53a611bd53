/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex_text.h - texts whose letters mean themselves in LaTeX, too. */
#ifndef MS_TEX_TEXT_H
#define MS_TEX_TEXT_H

#include <stddef.h>

/* Of the first letter of a text (UTF-8): what stands for it in LaTeX, NULL where it is itself, and its length in bytes. */
const char *ms_tex_letter(const char *text, size_t *length);

#endif
