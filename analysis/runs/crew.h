/* crew.h - threads that evaluate a field: what the files region*.c share. */
#ifndef MS_CREW_H
#define MS_CREW_H

#include "region.h"

typedef struct ms_crew {
    const ms_field *field;
    const ms_effort *effort;
    int n;
    void **context; /* (n) */
} ms_crew;

/* Errors: those of the field's open, MS_NO_MEMORY. Destroying is safe after all of them. */
int ms_crew_create(const ms_field *field, const ms_effort *effort, ms_crew *crew, ms_error *error);
void ms_crew_destroy(ms_crew *crew);

/* Errors: MS_INVALID (see ms_raster). */
int ms_raster_check(const ms_raster *raster, ms_error *error);

/* The field at one point, by the first thread. */
int ms_crew_value(const ms_crew *crew, double x, double y, double *value, ms_error *error);

/* Task k of a job. */
typedef int ms_crew_task(void *job, const ms_field *field, void *context, int k, ms_error *error);

/* Tasks 0 .. n-1 in any order, `chunk` at a time; the first that fails ends the work. */
int ms_crew_work(const ms_crew *crew, int n, int chunk, ms_crew_task *task, void *job, ms_error *error);

#endif
