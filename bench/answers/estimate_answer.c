/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate_answer.h"

#include <macrostep/cosim.h>
#include <macrostep/scheme_registry.h>
#include "provenance.h"
#include "series_file.h"

const ms_column ms_estimate_columns[] = {{"name", "parameter"},
                                         {"unit", "unit"},
                                         {"start", "start"},
                                         {"estimate", "estimate"},
                                         {"standard_error", "std. error"},
                                         {"lower", "95 % from"},
                                         {"upper", "to"},
                                         {"at_bound", "at bound"},
                                         {"identifiable", "identifiable"},
                                         {0}};

static json_t *rows(const ms_estimate_options *request, const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int i = 0; i < estimate->n; i++) {
        const ms_estimated *p = &estimate->parameter[i];
        const ms_parameter *parameter = &request->system->model->parameters[p->parameter];
        ms_json_append(&array,
                       json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "name", parameter->name,
                                 "unit", parameter->unit, "start", ms_json_real(p->start), "estimate",
                                 ms_json_real(p->value), "standard_error", ms_json_real(p->standard_error),
                                 "lower", ms_json_real(p->lower), "upper", ms_json_real(p->upper), "at_bound",
                                 p->at_bound, "identifiable", p->identifiable));
    }
    return array;
}

static json_t *residuals(const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int k = 0; k < estimate->columns; k++) {
        const ms_estimate_column *column = &estimate->column[k];
        ms_json_append(&array,
                       json_pack("{s:s, s:o, s:o, s:o}", "column", column->name, "sigma",
                                 ms_json_real(column->sigma), "rmse_start", ms_json_real(column->rmse_start),
                                 "rmse", ms_json_real(column->rmse)));
    }
    return array;
}

/* Names of the parameters that the measurements do not determine. */
static json_t *unidentifiable(const ms_estimate_options *request, const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int i = 0; i < estimate->n; i++)
        if (!estimate->parameter[i].identifiable)
            ms_json_append(
                &array,
                json_string(request->system->model->parameters[estimate->parameter[i].parameter].name));
    return array;
}

/* The resolved options of the co-simulation, null for the monolithic form. */
static json_t *scheme(const ms_estimate_options *request)
{
    ms_options options = request->options;
    if (!request->cosimulated)
        return json_null();
    if (options.step_size == 0.0)
        options.step_size = request->system->step_size;
    options.stop_time = request->measurements->time[request->measurements->rows - 1];
    if (options.solver[0] == '\0')
        snprintf(options.solver, sizeof options.solver, "%s",
                 ms_cosim_default_solver(request->system, ms_scheme_find(options.scheme)));
    return ms_options_json(&options);
}

/* The micro-solver of the monolithic form, null for a co-simulation. */
static json_t *solver(const ms_estimate_options *request)
{
    const ms_options *o = &request->options;
    if (request->cosimulated)
        return json_null();
    return ms_solver_json(ms_cosim_solver(request->system, NULL, o), o);
}

json_t *ms_estimate_answer(const ms_estimate_options *request, const ms_estimate *estimate)
{
    return json_pack(
        "{s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:I, "
        "s:I, s:I}",
        "model", request->system->model->name, "case", request->system->case_name, "parameters",
        ms_parameters_json(request->system), "form", request->cosimulated ? "co-simulated" : "monolithic",
        "method", ms_estimate_method_name(request->method), "scheme", scheme(request), "solver",
        solver(request), "reason", ms_estimate_reason_name(estimate->reason), "rows", rows(request, estimate),
        "unidentifiable", unidentifiable(request, estimate), "correlation",
        ms_json_of_matrix(estimate->n, estimate->n, estimate->n, estimate->correlation), "residuals",
        residuals(estimate), "condition", ms_json_real(estimate->condition), "sum_of_squares_start",
        ms_json_real(estimate->sum_start), "sum_of_squares", ms_json_real(estimate->sum),
        "degrees_of_freedom", (json_int_t)estimate->degrees_of_freedom, "residual_deviation",
        ms_json_real(estimate->deviation), "measurements", (json_int_t)estimate->rows * estimate->columns,
        "iterations", (json_int_t)estimate->iterations, "simulations", (json_int_t)estimate->simulations,
        "failed_simulations", (json_int_t)estimate->failed);
}

/* Columns: time, and of each measurement the fitted output, then what was measured. */
static void name_of_column(const void *self, int column, char *name, size_t size)
{
    const ms_estimate *estimate = self;
    const char *of = column > 0 ? estimate->column[(column - 1) / 2].name : "time";
    snprintf(name, size, "%s%s", of, column > 0 && column % 2 == 0 ? ".measured" : "");
}

static void write_row(const ms_estimate_options *request, const ms_estimate *estimate, long row, FILE *file)
{
    ms_csv_number(request->measurements->time[row], file);
    for (int k = 0; k < estimate->columns; k++) {
        fputc(',', file);
        ms_csv_number(estimate->fitted[row * estimate->columns + k], file);
        fputc(',', file);
        ms_csv_number(estimate->measured[row * estimate->columns + k], file);
    }
    fputc('\n', file);
}

int ms_estimate_write(const ms_estimate_options *request, const ms_estimate *estimate, const char *line,
                      ms_output *output, ms_error *error)
{
    const ms_series_table head = {
        .columns = 1 + 2 * estimate->columns, .of = estimate, .name = name_of_column};
    if (output->file == NULL)
        return MS_OK;
    MS_TRY(ms_series_file_begin(&head, ms_provenance(line), output, error));
    for (long row = 0; row < estimate->rows; row++)
        write_row(request, estimate, row, output->file);
    return ms_output_close(output, error);
}
