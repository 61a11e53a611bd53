/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_field.h - threads that evaluate a field: what the files region*.c share. */
#ifndef MS_REGION_FIELD_H
#define MS_REGION_FIELD_H

#include <macrostep/region.h>

/* Errors: MS_INVALID (see ms_region_grid). */
int ms_region_grid_check(const ms_region_grid *grid, ms_error *error);

/* As ms_thread_pool_create. */
int ms_field_threads(const ms_field *field, const ms_effort *effort, ms_thread_pool *pool, ms_error *error);

/* The field at one point, by the first thread. */
int ms_field_value(const ms_field *field, const ms_thread_pool *pool, double x, double y, double *value,
                   ms_error *error);

#endif
