/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_two_mass.h - the plane that all maps of the two-mass oscillator share, and what is made of
 * boundary curves in it. */
#ifndef MS_TWO_MASS_H
#define MS_TWO_MASS_H

#include <math.h>

#include <macrostep/region.h>
#include "study_checks.h"

static const double step_range[] = {0.01, 10.0}, ratio_range[] = {0.01, 100.0}; /* H omega1, m2/m1 */

/* The grid of n x n points of the plane in equal ratios; x, y (n each) take its lines. */
ms_region_grid ms_plane_grid(int n, double *x, double *y);

/* Values on a grid (n x n) of the plane, and a field that takes its values from there at their nodes. The
 * field's self is the cache. */
typedef struct ms_field_cache {
    const ms_field *field;
    int n;
    const double *x, *y, *value;
} ms_field_cache;

ms_field ms_cached_field(ms_field_cache *cache);

/* Which nodes of the grid (n x n) that a boundary was traced on are stable: each row begins stable, and
 * changes sides where a curve crosses it. */
void ms_plane_fill(const ms_boundary *boundary, int n, const double *x, const double *y, bool *stable);

/* Rows `tag`,x,y of the curves, without points that lie within 5e-4 of the plane's width of the curve through
 * the others. Closed curves that span less than `cells` cells of the grid (n x n) in both
 * directions are left to `islands`: one row each, their middle. Errors: MS_NO_MEMORY. */
int ms_plane_write(const ms_boundary *boundary, double tag, int n, int cells, ms_data *curves,
                   ms_data *islands, ms_error *error);

#endif
