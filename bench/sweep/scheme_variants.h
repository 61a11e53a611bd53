/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_variants.h - the variants of the scheme families: the grid traversed by compare and sweep. */
#pragma once

#include "arguments.h"

enum { MS_VARIANT_OPTIONS = 11, MS_GRID_AXES_MAX = 32 };

/* The options whose values make different schemes of one family. An option given on the command line, with one value
 * or a list, replaces the default values. */
extern const ms_option_id ms_variant_options[MS_VARIANT_OPTIONS];

typedef struct ms_scheme_variants {
    ms_axis schemes;                 /* families: those of --scheme, or all */
    ms_axis own[MS_VARIANT_OPTIONS]; /* all values of each option */
} ms_scheme_variants;

/* Errors: MS_NO_MEMORY, MS_INVALID. Destroying is safe after all of them. */
int ms_scheme_variants_create(const ms_arguments *arguments, ms_scheme_variants *variants, ms_error *error);
void ms_scheme_variants_destroy(ms_scheme_variants *variants);

/* One family's grid: axes, and the index of the current value of each. The last axis varies fastest. */
typedef struct ms_grid {
    const ms_axis *axis[MS_GRID_AXES_MAX];
    int at[MS_GRID_AXES_MAX];
    int n;
} ms_grid;

/* Lists of parameters, then the variant options that the family knows (not with --variants default), then the other
 * lists of options that it knows, so that rows of one scheme are adjacent. Errors: MS_INVALID (too many lists). */
int ms_scheme_variants_grid(const ms_scheme_variants *variants, const ms_arguments *arguments,
                            const char *scheme, ms_grid *grid, ms_error *error);

/* The families asked for: those of --scheme, or by default all of them. Errors:
 * MS_NO_MEMORY. */
int ms_scheme_variants_named(const ms_arguments *arguments, ms_axis *schemes, ms_error *error);

/* A grid of the lists only: of parameters, then of options that the family knows; but: an option that is omitted,
 * or MS_NO_OPTION. Errors: MS_INVALID (too many lists). */
int ms_scheme_variants_lists(const ms_arguments *arguments, const char *scheme, int but, ms_grid *grid,
                             ms_error *error);

/* MS_INVALID if there are several families and none of them knows a given option. */
int ms_scheme_variants_check(const ms_arguments *arguments, const ms_axis *schemes, ms_error *error);

/* The options of the call for that family; of several families each ignores the options that it does not know.
 * Errors: MS_INVALID. */
int ms_scheme_variants_options(const ms_arguments *arguments, const char *scheme, bool several,
                               ms_options *options, ms_error *error);

/* Advances to the next point; false after the last one, and the grid is at its beginning again. */
bool ms_grid_advance(ms_grid *grid);
double ms_grid_size(const ms_grid *grid);

/* Is the point to be skipped: the second of two points that are the same scheme (order 0 takes no
 * derivatives), or a combination that the family does not have? The latter is kept as a row with its reason if
 * one of its options was asked for. */
bool ms_scheme_variants_skip(const ms_arguments *arguments, const ms_options *options);
