/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work_points.h - rows of runs as points of one picture, errors over work: compare, best and work-precision. */
#pragma once

#include <jansson.h>

/* {"curve", "family", "controlled", "work", "error"} of a run's answer: the member to whose curve it belongs, the scheme's name, whether it chose its
 * steps itself, its cost (pareto.h). NULL: no memory. */
json_t *ms_work_point(const json_t *row, const char *curve);

/* The points of rows whose step sizes and tolerances may differ. An array; NULL: no memory. */
json_t *ms_work_points(const json_t *rows);
