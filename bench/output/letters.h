/* SPDX-License-Identifier: GPL-3.0-or-later */
/* letters.h - letters (code points) of a text in UTF-8: its width. */
#pragma once

#include <stddef.h>
#include <stdio.h>

size_t ms_letters(const char *text);

/* Where letter `number`, from 0, begins; at or behind the last one: the end of the text. */
const char *ms_letter(const char *text, size_t number);

/* Writes the text for a terminal: letters that are not printable (printable.h) as question marks. */
void ms_letters_print(const char *text, FILE *file);

/* tex_text.c: texts whose letters mean themselves in LaTeX, too. */

/* Of the first letter of a text (UTF-8): what stands for it in LaTeX, NULL where it is itself, and its length in bytes. */
const char *ms_tex_letter(const char *text, size_t *length);

/* The letter that is the command \NAME of LaTeX's mathematics; NULL: none that is known. */
const char *ms_tex_symbol(const char *name, size_t length);
