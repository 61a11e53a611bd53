/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_series.c - time series as CSV. */
#include <macrostep/series_read.h>
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ms_series *series = NULL;
    ms_error error = {{0}};
    if (harness_check(ms_series_read(harness_file(data, size, ""), &series, &error), &error)) {
        harness_require(series->rows > 0 && series->columns > 0, "a series without numbers");
        for (long k = 1; k < series->rows; k++)
            harness_require(series->time[k] > series->time[k - 1], "times that do not ascend");
    }
    ms_series_destroy(&series);
    return 0;
}
