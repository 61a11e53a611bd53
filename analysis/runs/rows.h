/* rows.h - a table of numbers that grows with a run: what the observers that keep a series have in common. */
#ifndef MS_ROWS_H
#define MS_ROWS_H

#include <stddef.h>

#include "status.h"

/* Makes room for `rows` rows of `columns` doubles. What *row points to is moved; *capacity is doubled where
 * it does not suffice. Returns MS_OK, or MS_NO_MEMORY with everything as it was. */
int ms_rows_reserve(double **row, long *capacity, long rows, int columns);

typedef struct ms_records {
    int columns;
    long rows, capacity;
    double *row; /* (rows x columns) */
} ms_records;

/* Row n (columns). */
static inline double *ms_records_row(const ms_records *records, long n)
{
    return records->row + (size_t)n * (size_t)records->columns;
}

/* A new row, of any content; NULL without memory, with everything as it was. */
double *ms_records_append(ms_records *records);

/* The time (column 0) of the last row becomes that at which the run ended, which may differ from the sum t +
 * h of its last macro-step by round-off. A last macro-step without a row, as that of a run that diverged,
 * leaves it as it is. */
void ms_rows_end(double *row, long rows, int columns, double t);

#endif
