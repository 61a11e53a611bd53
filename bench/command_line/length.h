/* SPDX-License-Identifier: GPL-3.0-or-later */
/* length.h - lengths on paper, "8cm". */
#ifndef MS_LENGTH_H
#define MS_LENGTH_H

#include <macrostep/status.h>

enum { MS_WIDTH_LEAST = 4, MS_WIDTH_MOST = 60 }; /* of pictures [cm] */

/* [cm]. Errors: MS_INVALID, with the option's name. */
int ms_length_read(const char *name, const char *text, double least, double most, double *length,
                   ms_error *error);

#endif
