/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sharing rows costs: of one process the parts of a row's way (its place in the grid, its text, its line in the
 * file); under `mpirun -n N build/speed/ranks` rank 0's processor time for a row that costs nothing, which is what limits
 * the number of ranks. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ranks.h"
#include "sweep.h"
#include "sweep_file.h"
#include "timing.h"

enum { ROUNDS = 5, ROWS = 20000, ROW_BYTES = 2048 };

typedef struct bench {
    ms_sweep_file file;
    char text[ROW_BYTES];
    long taken, delivered, block;
} bench;

static double processor(void)
{
    return ms_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* Microseconds a row since then. */
static double since(double begin, long rows)
{
    return 1e6 * (processor() - begin) / (double)rows;
}

static bool take(void *self, long *first, long *count)
{
    bench *b = self;
    *first = b->taken;
    *count = ROWS - b->taken < b->block ? ROWS - b->taken : b->block;
    b->taken += *count;
    return *count > 0;
}

static void deliver(void *self, long row, int status, const char *text)
{
    bench *b = self;
    (void)row;
    b->delivered += status == MS_OK && ms_sweep_file_append(&b->file, text, NULL) == MS_OK;
}

static int compute(void *self, long row, char **text, ms_error *error)
{
    (void)row;
    *text = strdup(((bench *)self)->text);
    return *text != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory");
}

/* A file of rows of JSON in the folder for temporary files. */
static int open_file(bench *b, char *path)
{
    ms_error error;
    json_t *provenance = json_object();
    int status = ms_sweep_file_create(path, MS_FORMAT_JSON, NULL, provenance, ROWS, &b->file, &error);
    json_decref(provenance);
    status = status == MS_OK ? ms_sweep_file_begin(&b->file, &error) : status;
    memset(b->text, 'x', sizeof b->text - 1);
    return status;
}

/* Rank 0: seconds of processor and of the clock. */
static int serve(ms_ranks *ranks)
{
    char path[] = "/tmp/macrostep-ranks-XXXXXX";
    bench b = {.block = 8};
    ms_error error;
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || open_file(&b, path) != MS_OK)
        return 1;
    const ms_ranks_service service = {&b, 1, take, deliver};
    const double begin = processor(), clock = ms_clock_seconds(CLOCK_MONOTONIC);
    const int status = ms_ranks_serve(ranks, &service, &error);
    printf("%d ranks, %ld rows of %d bytes: rank 0 %.2f us of processor a row, %.0f rows/s by the clock\n",
           ranks->size, b.delivered, ROW_BYTES, since(begin, b.delivered),
           (double)b.delivered / (ms_clock_seconds(CLOCK_MONOTONIC) - clock));
    ms_sweep_file_close(&b.file, &error);
    close(descriptor);
    unlink(path);
    return status != MS_OK;
}

/* One process -------------------------------------------------------------------------------------------- */

static int measure_append(double *us)
{
    char path[] = "/tmp/macrostep-ranks-XXXXXX";
    bench b = {0};
    ms_error error;
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || open_file(&b, path) != MS_OK)
        return 1;
    const double begin = processor();
    for (int k = 0; k < ROWS; k++)
        deliver(&b, k, MS_OK, b.text);
    *us = since(begin, ROWS);
    ms_sweep_file_close(&b.file, &error);
    close(descriptor);
    unlink(path);
    return b.delivered != ROWS;
}

/* All places of a grid, and of its first row the text. */
static int measure_grid(double *place, double *text, size_t *bytes)
{
    char *argv[] = {"sweep", "--models", "quarter-car", "--cases", "first", "--set", "kc=1e4:2e4:lin:40"};
    ms_arguments arguments;
    ms_sweep sweep = {0};
    ms_sweep_point point = {0};
    ms_sweep_file file = {.format = MS_FORMAT_JSON};
    ms_error error;
    json_t *row = NULL;
    long rows = 0;
    bool more = true;
    int status = ms_arguments_read(MS_COUNT(argv), argv, &arguments, &error);
    status = status == MS_OK ? ms_sweep_create(&arguments, &sweep, &error) : status;
    const double begin = processor();
    for (; status == MS_OK && more; rows += more)
        status = ms_sweep_next(&sweep, &point, &more, &error);
    *place = since(begin, rows);
    ms_sweep_rewind(&sweep);
    status = status == MS_OK ? ms_sweep_next(&sweep, &point, &more, &error) : status;
    status = status == MS_OK ? ms_sweep_shape(&point, &row, &error) : status;
    const double middle = processor();
    for (int k = 0; k < ROWS / 10 && status == MS_OK; k++) {
        char *line = ms_sweep_file_text(&file, row);
        *bytes = strlen(line);
        free(line);
    }
    *text = since(middle, ROWS / 10);
    json_decref(row);
    ms_sweep_point_destroy(&point);
    ms_sweep_destroy(&sweep);
    ms_arguments_destroy(&arguments);
    return status != MS_OK;
}

static int measure_alone(void)
{
    double place[ROUNDS], text[ROUNDS], append[ROUNDS];
    size_t bytes = 0;
    for (int k = 0; k < ROUNDS; k++)
        if (measure_grid(&place[k], &text[k], &bytes) != 0 || measure_append(&append[k]) != 0)
            return 1;
    printf("a row [us of processor]: its place in the grid %.2f, its text (%zu bytes) %.2f, into the file "
           "%.2f\n",
           ms_median(ROUNDS, place), bytes, ms_median(ROUNDS, text), ms_median(ROUNDS, append));
    return 0;
}

int main(void)
{
    ms_ranks ranks;
    ms_error error = {0};
    bench b = {0};
    int failed = ms_ranks_begin(&ms_ranks_mpi, &ranks, &error) != MS_OK;
    memset(b.text, 'x', sizeof b.text - 1);
    if (!failed && ranks.size <= 1)
        failed = measure_alone();
    else if (!failed)
        failed = ranks.rank == 0 ? serve(&ranks) : ms_ranks_obey(&ranks, 1, &b, compute, &error) != MS_OK;
    if (error.text[0] != '\0')
        fprintf(stderr, "%s\n", error.text);
    ms_ranks_end(&ranks);
    return failed;
}
