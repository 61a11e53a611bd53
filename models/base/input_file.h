/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input_file.h - what is read: regular files and pipes, of limited size. Devices and what the kernel makes need not have an end, and some wait for ever. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include <macrostep/status.h>

/* Bytes of a text that is read as a whole (a system, a description, a figure), and of rows. */
#define MS_INPUT_TEXT_BYTES 1e9
#define MS_INPUT_ROWS_BYTES 1e11

/* Called before the file is opened. MS_INVALID with the path, and the expected kind or the maximal size; MS_OK also for a folder, or if
 * nothing is known: then opening or reading reports the reason. */
int ms_input_check(const char *path, double most, ms_error *error);

/* The rest of the stream with a zero byte behind it, *size without that, for the caller to free. NULL: errno says why (ENOMEM; EFBIG: a
 * pipe has more than MS_INPUT_TEXT_BYTES), or is 0 where reading has failed without a reason. */
char *ms_input_stream(FILE *stream, size_t *size);

/* The whole text of a file with a zero byte behind it, for the caller to free; NULL after errors: MS_INVALID as above, MS_IO, MS_NO_MEMORY. */
int ms_input_text(const char *path, char **text, ms_error *error);
