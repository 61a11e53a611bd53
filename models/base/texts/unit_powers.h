/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_powers.h - units as powers of the base units of the SI, as expressions of system files and descriptions of FMUs have them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MS_UNIT_SECOND = 2, MS_UNIT_RADIAN = 7, MS_UNIT_BASES = 8 };

extern const char *const ms_unit_bases[MS_UNIT_BASES]; /* kg, m, s, A, K, mol, cd, rad */

/* A value in units of the SI is factor * value + offset. */
typedef struct ms_unit {
    int power[MS_UNIT_BASES];
    double factor, offset;
} ms_unit;

/* A unit such as "N s/m", "kg m^2", "mm/s2" or "N.m"; '/' divides by the next factor alone. Returns false where a symbol is not known. */
bool ms_unit_read(const char *text, ms_unit *unit);

/* What takes a value from one unit to another: gain * value + offset. Returns false where their powers differ. */
bool ms_unit_convert(const ms_unit *from, const ms_unit *to, double *gain, double *offset);

/* Powers of the base units in a unit of the SI itself, factor 1 and offset 0. Returns false for any other, and where a symbol is not known. */
bool ms_unit_powers(const char *unit, int power[MS_UNIT_BASES]);

/* A name of these powers, such as "kg m^2/s^3", "1" where all are 0. Returns name. */
const char *ms_unit_name(const double power[MS_UNIT_BASES], char *name, size_t size);
