/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalogued.h - subsystems of a file that are taken from the catalogue. */
#ifndef MS_CATALOGUED_H
#define MS_CATALOGUED_H

#include "file_model.h"

/* Puts each of them, bound to the parameters p of the file, into its place in the structure, which owns what they need. Errors:
 * MS_INVALID (a parameter of theirs is out of its range), MS_NO_MEMORY. */
int ms_catalogued_bind(const ms_catalogued *list, const double *p, ms_structure *structure, ms_error *error);

#endif
