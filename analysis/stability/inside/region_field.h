/* region_field.h - threads that evaluate a field: what the files region*.c share. */
#ifndef MS_REGION_FIELD_H
#define MS_REGION_FIELD_H

#include "region.h"

/* Errors: MS_INVALID (see ms_raster). */
int ms_raster_check(const ms_raster *raster, ms_error *error);

/* As ms_crew_create. */
int ms_field_crew(const ms_field *field, const ms_effort *effort, ms_crew *crew, ms_error *error);

/* The field at one point, by the first thread. */
int ms_field_value(const ms_field *field, const ms_crew *crew, double x, double y, double *value,
                   ms_error *error);

#endif
