/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/reference.h>
#include "answer.h"
#include "command.h"
#include "coupled_outputs.h"
#include "number.h"
#include "open_loop.h"
#include "text_stream.h"

/* The coupled model -------------------------------------------------------------------------------------- */

void ms_coupled_rows_name(const void *of, int column, char *name, size_t size)
{
    const ms_system *s = of;
    const bool state = column <= s->nx;
    const int k = state ? column - 1 : column - 1 - s->nx;
    const int *at = state ? s->x_at : s->y_at;
    if (column == 0) {
        snprintf(name, size, "time");
        return;
    }
    const int i = ms_owner_of(at, s->n, k);
    const ms_variable *v = state ? s->sub[i].x : s->sub[i].y;
    snprintf(name, size, "%s.%c.%s", s->sub[i].name, state ? 'x' : 'y', v[k - at[i]].name);
}

static int read_row(ms_coupled_rows *r, ms_coupled_outputs *outputs, const ms_reference *reference, long k,
                    double t, ms_error *error)
{
    const ms_system *s = r->system;
    const double *x = ms_reference_state(reference);
    double *row = r->row + k * r->columns;
    const int status = ms_coupled_outputs_at(outputs, t, x, ms_reference_discrete(reference), error);
    row[0] = t;
    memcpy(row + 1, x, sizeof *row * (size_t)s->nx);
    memcpy(row + 1 + s->nx, outputs->y, sizeof *row * (size_t)s->y_at[ms_system_shown(s)]);
    return status;
}

static int read_rows(ms_coupled_rows *r, ms_coupled_outputs *outputs, ms_reference *reference,
                     ms_error *error)
{
    const double h = r->system->step_size, end = r->system->stop_time;
    int status = read_row(r, outputs, reference, 0, 0.0, error);
    for (long k = 0; k < r->n && status == MS_OK; k++) {
        const double t = (double)k * h, to = k + 1 < r->n ? (double)(k + 1) * h : end;
        status = ms_interrupted ? MS_INTERRUPTED : ms_reference_step(reference, t, to - t);
        if (status == MS_SOLVER_FAILED || status == MS_SPENT || status == MS_DISAGREE)
            return ms_fail(error, MS_SOLVER_FAILED, "the reference ends between %g s and %g s", t, to);
        MS_THEN(status, read_row(r, outputs, reference, k + 1, to, error));
    }
    return status;
}

int ms_coupled_rows_compute(const ms_system *system, ms_coupled_rows *rows, ms_error *error)
{
    ms_coupled_outputs outputs = {0};
    ms_reference *reference = NULL;
    *rows = (ms_coupled_rows){.system = system,
                              .n = (long)ceil(system->stop_time / system->step_size * (1.0 - 1e-12)),
                              .columns = 1 + system->nx + system->y_at[ms_system_shown(system)]};
    rows->row = calloc((size_t)(rows->n + 1) * (size_t)rows->columns, sizeof *rows->row);
    MS_TRY_MEMORY_FOR(rows->row != NULL, error, "the reference");
    int status = ms_coupled_outputs_create(system, &outputs, error);
    MS_THEN(status, ms_reference_create(system, 0, NULL, &reference, error));
    MS_THEN(status, read_rows(rows, &outputs, reference, error));
    ms_reference_destroy(&reference);
    ms_coupled_outputs_destroy(&outputs);
    return status;
}

void ms_coupled_rows_free(ms_coupled_rows *rows)
{
    free(rows->row);
    rows->row = NULL;
}

/* Text --------------------------------------------------------------------------------------------------- */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the experiment");
}

/* Rows (columns) of time and the variables of some groups as text, to be freed. Errors: MS_NO_MEMORY. */
static int write_rows(const ms_exported *e, const ms_exported_group *group, const ms_coupled_rows *rows,
                      char **text, ms_error *error)
{
    ms_text_stream stream;
    int columns = 1;
    FILE *file = ms_text_open(&stream);
    MS_TRY_MEMORY_OR(file != NULL, no_memory(error));
    fputs("time", file);
    for (; *group != MS_EXPORTED_GROUPS; group++)
        for (int k = 0; k < ms_exported_count(e, *group); k++, columns++) {
            char name[MS_EXPORTED_NAME];
            ms_exported_name(e, *group, k, name);
            fputc(',', file);
            ms_csv_text(name, file);
        }
    for (long k = 0; k <= rows->n; k++)
        for (int j = 0; j < columns; j++) {
            fputc(j == 0 ? '\n' : ',', file);
            ms_csv_number(rows->row[k * rows->columns + j], file);
        }
    fputc('\n', file);
    *text = ms_text_close(&stream);
    return *text != NULL ? MS_OK : no_memory(error);
}

/* A subsystem -------------------------------------------------------------------------------------------- */

/* Time and inputs at T_i; at the end of the last segment from its beginning. */
static void fill_inputs(const ms_open_loop *d, int i, double *row)
{
    const int at = i < d->segments ? i : i - 1;
    const double since = d->time[i] - d->time[at];
    row[0] = d->time[i];
    for (int k = 0; k < d->nu; k++)
        row[1 + k] = d->value[at * d->nu + k] + since * d->slope[at * d->nu + k];
}

/* Time, states and outputs there, of the tight solution. */
static int fill_solution(const ms_exported *e, const ms_open_loop *d, int i, const double *inputs,
                         double *row)
{
    double *w = calloc((size_t)e->sub->nw + 1, sizeof *w);
    ms_point at = {.t = d->time[i], .x = row + 1, .u = inputs + 1};
    MS_TRY_MEMORY(w);
    row[0] = d->time[i];
    for (int k = 0; k < d->nx; k++)
        row[1 + k] = d->tight[i * d->nx + k];
    const int status = e->sub->uses_du ? 0 : ms_subsystem_g(e->base, e->index, &at, w, row + 1 + d->nx);
    free(w);
    return status == 0 ? MS_OK : MS_SOLVER_FAILED;
}

static int write_driven(const ms_exported *e, const ms_open_loop *d, ms_experiment *experiment,
                        ms_error *error)
{
    static const ms_exported_group stimuli[] = {MS_EXPORTED_INPUT, MS_EXPORTED_GROUPS},
                                   states[] = {MS_EXPORTED_STATE, MS_EXPORTED_GROUPS},
                                   solution[] = {MS_EXPORTED_STATE, MS_EXPORTED_OUTPUT, MS_EXPORTED_GROUPS};
    ms_coupled_rows in = {.n = d->segments, .columns = 1 + d->nu},
                    out = {.n = d->segments, .columns = 1 + d->nx + e->sub->ny};
    in.row = calloc((size_t)(in.n + 1) * (size_t)(in.columns + out.columns), sizeof *in.row);
    MS_TRY_MEMORY_OR(in.row != NULL, no_memory(error));
    out.row = in.row + (in.n + 1) * in.columns;
    int status = MS_OK;
    for (int i = 0; i <= d->segments && status == MS_OK; i++) {
        fill_inputs(d, i, in.row + (ptrdiff_t)i * in.columns);
        status =
            fill_solution(e, d, i, in.row + (ptrdiff_t)i * in.columns, out.row + (ptrdiff_t)i * out.columns);
    }
    if (status != MS_OK)
        ms_fail(error, status, "the outputs of subsystem %s are not defined", e->sub->name);
    if (status == MS_OK && d->nu > 0)
        status = write_rows(e, stimuli, &in, &experiment->stimuli, error);
    MS_THEN(status, write_rows(e, e->sub->uses_du ? states : solution, &out, &experiment->reference, error));
    free(in.row);
    return status;
}

static int segments_of(const ms_exported *e)
{
    const double imposed = e->sub->imposed_step, end = e->base->stop_time;
    const double n = round(end / (imposed > 0.0 ? imposed : e->base->step_size));
    return imposed > 0.0 || n < MS_EXPERIMENT_ROWS ? (int)fmax(n, 1.0) : MS_EXPERIMENT_ROWS;
}

static int compute_driven(const ms_exported *e, ms_experiment *experiment, double *step, ms_error *error)
{
    const ms_open_loop_problem problem = {.system = e->base,
                                          .subsystem = e->index,
                                          .segments = segments_of(e),
                                          .inputs = MS_OPEN_LOOP_INTERPOLATED,
                                          .stop_time = e->base->stop_time,
                                          .stop = &ms_interrupted};
    ms_open_loop *d = NULL;
    *step = problem.stop_time / problem.segments;
    int status = ms_open_loop_create(&problem, &d, error);
    MS_THEN(status, write_driven(e, d, experiment, error));
    ms_open_loop_destroy(&d);
    return status;
}

/* Both --------------------------------------------------------------------------------------------------- */

static int describe(const ms_exported *e, double step, ms_experiment *experiment, ms_error *error)
{
    char stop[MS_NUMBER_SIZE], length[MS_NUMBER_SIZE];
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    MS_TRY_MEMORY_OR(file != NULL, no_memory(error));
    ms_number_text(e->base->stop_time, stop);
    ms_number_text(step, length);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Experiments>\n", file);
    fprintf(file,
            "  <Experiment name=\"%s\" description=\"%s\" startTime=\"0\" stopTime=\"%s\" "
            "stepSize=\"%s\">\n",
            experiment->stimuli != NULL ? "driven" : "alone",
            experiment->stimuli != NULL ? "inputs of the coupled model, linear between rows" : "as it is",
            stop, length);
    if (experiment->stimuli != NULL)
        fputs("    <Stimuli source=\"stimuli.csv\"/>\n", file);
    fputs("    <References source=\"reference.csv\"/>\n  </Experiment>\n</Experiments>\n", file);
    experiment->description = ms_text_close(&stream);
    return experiment->description != NULL ? MS_OK : no_memory(error);
}

#define MANIFEST(more)                                                                                       \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                           \
    "<fmiReferences xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\" "                               \
    "fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\" fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\" "            \
    "fmi-ls:fmi-ls-description=\"Layered Standard providing information on related files included in an "    \
    "FMU.\">\n"                                                                                              \
    "  <Related type=\"application/xml\" source=\"experiment.xml\" role=\"experiment/smoke-test\" "          \
    "description=\"the experiment\"/>\n"                                                                     \
    "  <Related type=\"text/csv\" source=\"reference.csv\" role=\"result\" "                                 \
    "description=\"its solution to round-off\"/>\n" more "</fmiReferences>\n"

static const char *manifest(bool stimuli)
{
    return stimuli ? MANIFEST("  <Related type=\"text/csv\" source=\"stimuli.csv\" role=\"testcase\" "
                              "description=\"its inputs\"/>\n")
                   : MANIFEST("");
}

static void add(ms_experiment *experiment, const char *name, const char *text)
{
    experiment->file[experiment->n++] = (ms_fmu_extra){name, text};
}

int ms_experiment_compute(const ms_exported *exported, const ms_coupled_rows *rows, ms_experiment *experiment,
                          ms_error *error)
{
    static const ms_exported_group states[] = {MS_EXPORTED_STATE, MS_EXPORTED_GROUPS};
    double step = exported->base->step_size;
    *experiment = (ms_experiment){0};
    MS_TRY(exported->whole != NULL ? write_rows(exported, states, rows, &experiment->reference, error)
                                   : compute_driven(exported, experiment, &step, error));
    MS_TRY(describe(exported, step, experiment, error));
    add(experiment, "fmi-ls-manifest.xml", manifest(experiment->stimuli != NULL));
    add(experiment, "experiment.xml", experiment->description);
    add(experiment, "reference.csv", experiment->reference);
    if (experiment->stimuli != NULL)
        add(experiment, "stimuli.csv", experiment->stimuli);
    return MS_OK;
}

void ms_experiment_free(ms_experiment *experiment)
{
    MS_FREE(experiment->stimuli, experiment->reference, experiment->description);
    *experiment = (ms_experiment){0};
}
