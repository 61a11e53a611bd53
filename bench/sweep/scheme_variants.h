/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_variants.h - the variants of the scheme families: the grid that compare and sweep go through. */
#ifndef MS_SCHEME_VARIANTS_H
#define MS_SCHEME_VARIANTS_H

#include "arguments.h"

enum { MS_VARIANT_OPTIONS = 11, MS_GRID_AXES_MAX = 32 };

/* The options whose values make different schemes of one family. One that is given on the command line, with
 * one value or with a list, replaces the values that would be tried. */
extern const ms_option_id ms_variant_options[MS_VARIANT_OPTIONS];

typedef struct ms_scheme_variants {
    ms_axis schemes;                 /* families: those of --scheme, or all */
    ms_axis own[MS_VARIANT_OPTIONS]; /* all values of each option */
} ms_scheme_variants;

/* Errors: MS_NO_MEMORY, MS_INVALID. Destroying is safe after all of them. */
int ms_scheme_variants_create(const ms_arguments *arguments, ms_scheme_variants *variants, ms_error *error);
void ms_scheme_variants_destroy(ms_scheme_variants *variants);

/* One family's grid: axes, and the value at which each of them stands. The last axis is the fastest. */
typedef struct ms_grid {
    const ms_axis *axis[MS_GRID_AXES_MAX];
    int at[MS_GRID_AXES_MAX];
    int n;
} ms_grid;

/* Lists of parameters, then the variant options that the family knows (not with --variants default), then the other
 * lists of what it knows, so that rows of one scheme stand together. Errors: MS_INVALID (too many lists). */
int ms_scheme_variants_grid(const ms_scheme_variants *variants, const ms_arguments *arguments,
                            const char *scheme, ms_grid *grid, ms_error *error);

/* The families that are named: those of --scheme, or the one that means all commands without it. Errors:
 * MS_NO_MEMORY. */
int ms_scheme_variants_named(const ms_arguments *arguments, ms_axis *schemes, ms_error *error);

/* A grid of the lists alone: those of parameters, then those of options that the family knows; but: an option that is left
 * out, or MS_NO_OPTION. Errors: MS_INVALID (too many lists). */
int ms_scheme_variants_lists(const ms_arguments *arguments, const char *scheme, int but, ms_grid *grid,
                             ms_error *error);

/* MS_INVALID where there are several families and none of them knows an option that is given. */
int ms_scheme_variants_check(const ms_arguments *arguments, const ms_axis *schemes, ms_error *error);

/* The options of the call for that family; where it is one of several those that it does not know are as if they had not been
 * given. Errors: MS_INVALID. */
int ms_scheme_variants_options(const ms_arguments *arguments, const char *scheme, bool several,
                               ms_options *options, ms_error *error);

/* To the next point; false behind the last one, where the grid is at its beginning again. */
bool ms_grid_advance(ms_grid *grid);
double ms_grid_size(const ms_grid *grid);

/* Is the point no variant of its own: the second of two that are the same scheme (order 0 takes no
 * derivatives), or a combination that the family does not have? Where one of its options was asked for, the
 * latter is kept: a row with its reason. */
bool ms_scheme_variants_skip(const ms_arguments *arguments, const ms_options *options);

#endif
