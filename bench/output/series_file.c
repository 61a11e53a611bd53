/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series_file.h"

#include "answer.h"

static void write_names(const ms_series_table *table, FILE *file)
{
    for (int k = 0; k < table->columns; k++) {
        char name[MS_SERIES_NAME_MAX];
        table->name(table->of, k, name, sizeof name);
        fputs(k > 0 ? "," : "", file);
        ms_csv_text(name, file);
    }
    fputc('\n', file);
}

int ms_series_file_begin(const ms_series_table *table, json_t *provenance, ms_output *output, ms_error *error)
{
    FILE *file = output->file;
    if (file != NULL)
        write_names(table, file);
    const int status = provenance == NULL ? MS_NO_MEMORY
                       : file != NULL     ? ms_answer_remarks(provenance, file)
                                          : MS_OK;
    json_decref(provenance);
    return status == MS_OK ? MS_OK
                           : ms_fail(error, status, "not enough memory for the head of %s",
                                     output->path != NULL ? output->path : "the rows");
}

int ms_series_file_rows(const ms_series_table *table, const ms_output *output)
{
    for (long i = 0; i < table->rows; i++)
        ms_csv_numbers(table->columns, table->row + i * table->columns, output->file);
    return ferror(output->file) ? MS_IO : MS_OK;
}

int ms_series_file_write(const ms_series_table *table, json_t *provenance, ms_output *output, ms_error *error)
{
    const int status = ms_series_file_begin(table, provenance, output, error);
    if (status != MS_OK)
        ms_output_discard(output);
    if (status != MS_OK || output->file == NULL)
        return status;
    (void)ms_series_file_rows(table, output); /* closing says why */
    return ms_output_close(output, error);
}
