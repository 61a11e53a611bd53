/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.c - what sharing rows costs, in processor time.
 *
 *     ranks                  of one process the parts of a row's way: its place in the grid, its text, its line in the file
 *     mpirun -n N ranks      rank 0's time for a row that costs nothing, which is what limits the number of ranks
 *
 * The peer is the row's bytes written to a file of the same folder, and nothing else.
 *
 * 1e6 rows on 1000 ranks. Measured in November 2026 on two cores of a busy machine, in processor time. A row takes 0.2 s, the
 * average of `sweep --models all` over its first 15,000 rows (25 minutes, two cores).
 *
 *     each rank      counts the grid, counts it for the columns of CSV, and for its rows       3 x 1.4 us a row    4 s
 *     a rank         text of a row, 0.7 kB of CSV to 1.9 kB of JSON                            32 us               0.03 s on each
 *     the network    16 bytes for a block of rows to a rank, 24 bytes and the text of each     0.7 to 1.9 kB       1.9 GB to rank 0
 *                    row back
 *     rank 0         receives, puts in order, writes                                           5.6 us (pwrite 2)   7 s with the grid
 *
 * The ranks need 200 s. Rank 0 works for 7 s of these and receives 10 MB/s; a rank waits at most 1 ms for its next block (both
 * sides look for messages every 20 us to 0.5 ms). Rank 0 saturates at about 140,000 rows/s: rows of less than 7 ms do not need
 * 1000 ranks. The grid is the serial part, 4 s of 200. A row that takes much longer than the others holds back the file. Once
 * 1024 rows for each rank wait for it (2 MB a rank), the other ranks wait as well: with rows of 0.2 s that is a row of more than
 * 200 s. Blocks cost references: each block of eight rows integrates the reference of a nonlinear model again, where one process
 * integrates it once. A network with slow messages adds its own cost for each message. `merge` reads parts twice and holds one
 * row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmark.h"
#include "ranks.h"
#include "scratch.h"
#include "sweep.h"
#include "sweep_file.h"

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

static bool hand_out(void *self, long *first, long *count)
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
    status = status == MS_OK ? ms_sweep_file_open(&b->file, NULL, &error) : status;
    memset(b->text, 'x', sizeof b->text - 1);
    return status;
}

static void close_file(bench *b, int descriptor, const char *path)
{
    ms_error error;
    ms_sweep_file_close(&b->file, &error);
    close(descriptor);
    unlink(path);
}

/* Timings ------------------------------------------------------------------------------------------------- */

/* The row's bytes, ROWS times. */
static double take_bare(void *self, ms_error *error)
{
    char path[MS_SCRATCH_PATH], text[ROW_BYTES];
    (void)self;
    memset(text, 'x', sizeof text);
    const int descriptor = ms_scratch_file(path);
    const double begin = processor();
    long written = 0;
    for (int k = 0; descriptor >= 0 && k < ROWS; k++)
        written += write(descriptor, text, sizeof text) == sizeof text;
    const double seconds = processor() - begin;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(path);
    }
    return written == ROWS ? seconds : ms_fail(error, MS_IO, "%s: not written", path);
}

static double take_append(void *self, ms_error *error)
{
    char path[MS_SCRATCH_PATH];
    bench b = {0};
    const int descriptor = ms_scratch_file(path);
    (void)self;
    if (descriptor < 0 || open_file(&b, path) != MS_OK)
        return ms_fail(error, MS_IO, "%s: not written", path);
    const double begin = processor();
    for (int k = 0; k < ROWS; k++)
        deliver(&b, k, MS_OK, b.text);
    const double seconds = processor() - begin;
    close_file(&b, descriptor, path);
    return b.delivered == ROWS ? seconds : ms_fail(error, MS_IO, "%s: not written", path);
}

static int make_grid(ms_arguments *arguments, ms_sweep *sweep, ms_error *error)
{
    char *argv[] = {"sweep", "--models", "quarter-car", "--cases", "first", "--set", "kc=1e4:2e4:lin:40"};
    const int status = ms_arguments_read(MS_COUNT(argv), argv, arguments, error);
    return status == MS_OK ? ms_sweep_create(arguments, sweep, error) : status;
}

/* A row's place: all places of a grid. */
static double take_place(void *self, ms_error *error)
{
    ms_arguments arguments;
    ms_sweep sweep = {0};
    ms_sweep_cursor cursor = {.sweep = &sweep};
    ms_sweep_point point = {0};
    long rows = 0;
    bool more = true;
    int status = make_grid(&arguments, &sweep, error);
    const double begin = processor();
    for (; status == MS_OK && more; rows += more)
        status = ms_sweep_next(&cursor, &point, &more, error);
    const double seconds = processor() - begin;
    ((ms_timing *)self)->per = (double)rows;
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    ms_sweep_destroy(&sweep);
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? seconds : NAN;
}

static double time_texts(const ms_row_form *form, json_t *row, ms_timing *timing)
{
    const double begin = processor();
    for (int k = 0; k < ROWS / 10; k++)
        free(ms_row_text(form, row));
    timing->per = ROWS / 10.0;
    return processor() - begin;
}

/* Of a grid's first row the text. */
static double take_text(void *self, ms_error *error)
{
    ms_arguments arguments;
    ms_sweep sweep = {0};
    ms_sweep_cursor cursor = {.sweep = &sweep};
    ms_sweep_point point = {0};
    const ms_row_form form = {.format = MS_FORMAT_JSON};
    json_t *row = NULL;
    bool more = true;
    double seconds = NAN;
    int status = make_grid(&arguments, &sweep, error);
    if (status == MS_OK)
        status = ms_sweep_next(&cursor, &point, &more, error);
    if (status == MS_OK)
        status = ms_sweep_shape(&point, true, &row, error);
    if (status == MS_OK)
        seconds = time_texts(&form, row, self);
    json_decref(row);
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    ms_sweep_destroy(&sweep);
    ms_arguments_destroy(&arguments);
    return seconds;
}

static void measure_alone(ms_benchmark *b)
{
    ms_timing bare = {.name = "bare write", .take = take_bare, .per = ROWS, .unit = "row"},
              append = {.name = "line", .take = take_append, .per = ROWS, .unit = "row"},
              place = {.name = "place", .take = take_place, .self = &place, .unit = "row"},
              text = {.name = "text", .take = take_text, .self = &text, .unit = "row"};
    ms_timing *const timings[] = {&bare, &append, &place, &text};
    const ms_ratio ratios[] = {
        {"place in the grid / bare write", &place, &bare, .wanted = MS_WANTED_NOTHING},
        {"text / bare write", &text, &bare, .wanted = MS_WANTED_NOTHING},
        {"line in the file / bare write", &append, &bare, .wanted = MS_WANTED_NOTHING}};
    ms_benchmark_measure(b, "one process", ROUNDS, MS_COUNT(timings), timings, MS_COUNT(ratios), ratios);
}

/* Ranks -------------------------------------------------------------------------------------------------- */

/* Rank 0: all rows are handed out, computed by the others, and written. */
static double take_serve(void *self, ms_error *error)
{
    char path[MS_SCRATCH_PATH];
    bench b = {.block = 8};
    const int descriptor = ms_scratch_file(path);
    if (descriptor < 0 || open_file(&b, path) != MS_OK)
        return ms_fail(error, MS_IO, "%s: not written", path);
    const ms_ranks_service service = {&b, 1, hand_out, deliver};
    const double begin = processor();
    const int status = ms_ranks_serve(self, &service, error);
    const double seconds = processor() - begin;
    close_file(&b, descriptor, path);
    return status == MS_OK ? seconds : NAN;
}

/* The others leave when the rows are done, so that there is one round. */
static void measure_ranks(ms_benchmark *b, ms_ranks *ranks)
{
    ms_timing bare = {.name = "bare write", .take = take_bare, .per = ROWS, .unit = "row"},
              serve = {.name = "rank 0", .take = take_serve, .self = ranks, .per = ROWS, .unit = "row"};
    ms_timing *const timings[] = {&bare, &serve};
    const ms_ratio ratio = {"rank 0 / bare write", &serve, &bare, .wanted = MS_WANTED_NOTHING};
    char name[32];
    snprintf(name, sizeof name, "%d ranks", ranks->size);
    ms_benchmark_measure(b, name, 1, 2, timings, 1, &ratio);
}

static int obey(ms_ranks *ranks, ms_error *error)
{
    bench b = {0};
    memset(b.text, 'x', sizeof b.text - 1);
    return ms_ranks_obey(ranks, 1, &b, compute, error);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_ranks ranks;
    ms_error error = {""};
    if (!ms_benchmark_begin(&b, "ranks", &argc, argv))
        return (int)b.exit;
    int status = ms_ranks_begin(&ms_ranks_mpi, &ranks, &error);
    if (status == MS_OK && ranks.size <= 1)
        measure_alone(&b);
    else if (status == MS_OK && ranks.rank == 0)
        measure_ranks(&b, &ranks);
    else if (status == MS_OK)
        status = obey(&ranks, &error);
    if (status != MS_OK)
        ms_benchmark_fail(&b, "%s", error.text);
    const bool speaks = ranks.rank == 0;
    ms_ranks_end(&ranks);
    return speaks ? ms_benchmark_end(&b) : (int)b.exit;
}
