/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_folder.h - the results of two folders, paired by their paths. */
#ifndef MS_RESULT_FOLDER_H
#define MS_RESULT_FOLDER_H

#include "differences.h"

/* Compares two files, or all files of two folders that ms_result_file_is knows, at any depth. Errors: those of
 * ms_result_file_read; MS_INVALID where one is a folder and the other is none. */
int ms_result_compare(ms_differences *differences, const char *a, const char *b, ms_error *error);

#endif
