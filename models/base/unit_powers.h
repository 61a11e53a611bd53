/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_powers.h - units as powers of the base units of the SI, as expressions of system files and descriptions of FMUs have them. */
#ifndef MS_UNIT_POWERS_H
#define MS_UNIT_POWERS_H

#include <stdbool.h>
#include <stddef.h>

enum { MS_UNIT_SECOND = 2, MS_UNIT_RADIAN = 7, MS_UNIT_BASES = 8 };

extern const char *const ms_unit_bases[MS_UNIT_BASES]; /* kg, m, s, A, K, mol, cd, rad */

/* Powers of the base units in a unit such as "N s/m" or "kg m^2"; '/' divides by the next factor alone. Returns false where a symbol
 * is not known. */
bool ms_unit_powers(const char *unit, int power[MS_UNIT_BASES]);

/* A name of these powers, such as "kg m^2/s^3", "1" where all are 0. Returns name. */
const char *ms_unit_name(const double power[MS_UNIT_BASES], char *name, size_t size);

#endif
