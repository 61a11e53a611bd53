/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_read.h - a time series from a CSV file.
 *
 * One line of names `time,NAME,NAME,..`, then rows of numbers, true or false with ascending times, (9.6) of Andersson (2016) for
 * inputs. Lines that begin with '#' are remarks, anywhere in the file. Lines may end in LF or CRLF, names and numbers may be
 * surrounded by blanks, names by quotes. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/series.h>

MS_C_LINKAGE_BEGIN

/* Reads a file; empty cells are NaN, as of outputs that are not defined. Errors: MS_IO (it cannot be read), MS_INVALID with file and line (a cell that
 * is no finite number, a row of another length, times that do not ascend, names that are empty or repeated,
 * no rows), MS_NO_MEMORY. */
int ms_series_read(const char *path, ms_series **series, ms_error *error);
/* The same of inputs, without empty cells, which jump from the first to the last row of one time. */
int ms_series_read_inputs(const char *path, ms_series **series, ms_error *error);

MS_C_LINKAGE_END
