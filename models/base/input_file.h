/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input_file.h - what is read: regular files and pipes, of limited size. Devices need not have an end, and some wait for ever. */
#ifndef MS_INPUT_FILE_H
#define MS_INPUT_FILE_H

#include <macrostep/status.h>

/* Bytes of a text that is read as a whole (a system, a description, a figure), and of rows. */
#define MS_INPUT_TEXT_BYTES 1e9
#define MS_INPUT_ROWS_BYTES 1e11

/* Before the file is opened. MS_INVALID with the path, and what is expected or how much may be read; MS_OK also for a folder, or where
 * nothing is known of it: opening or reading it says why. */
int ms_input_check(const char *path, double most, ms_error *error);

#endif
