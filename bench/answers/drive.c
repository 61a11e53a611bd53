/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive.h"

#include <string.h>

#include "answer.h"
#include "provenance.h"

/* "constant", "linear", "interpolated". */
static const char *shape_name(ms_open_loop_inputs inputs)
{
    return ms_argument_table[MS_ARGUMENT_INPUT_SHAPE].option.choices[inputs];
}

/* Options ---------------------------------------------------------------------------------------------- */

/* Names all subsystems, or those that fit: "a, b, c and 4 more". */
static void list_subsystems(const ms_system *system, char *names, size_t size)
{
    const size_t more = sizeof " and 2147483647 more";
    const int n = ms_system_shown(system);
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < n; i++) {
        const char *name = system->sub[i].name;
        if (used + strlen(name) + 2 + more >= size) {
            snprintf(names + used, size - used, " and %d more", n - i);
            return;
        }
        used += (size_t)snprintf(names + used, size - used, "%s%s", i > 0 ? ", " : "", name);
    }
}

static int read_subsystem(const char *text, const ms_system *system, int *subsystem, ms_error *error)
{
    char names[256];
    list_subsystems(system, names, sizeof names);
    if (text == NULL && ms_system_shown(system) > 1)
        return ms_fail(error, MS_INVALID, "--subsystem: missing; model %s has %s", system->model->name,
                       names);
    *subsystem = text != NULL ? ms_system_find(system, text) : 0;
    if (*subsystem < 0)
        return ms_fail(error, MS_INVALID, "--subsystem %s: model %s has %s", text, system->model->name,
                       names);
    return MS_OK;
}

int ms_drive_read(const ms_arguments *arguments, const ms_system *system, ms_drive_call *call,
                  ms_error *error)
{
    const ms_options *options = &arguments->options;
    *call = (ms_drive_call){.segments = arguments->segments,
                            .inputs = (ms_open_loop_inputs)arguments->input_shape,
                            .start_time = options->start_time,
                            .stop_time = ms_options_stop_time(options, system->stop_time)};
    return read_subsystem(arguments->text[MS_ARGUMENT_SUBSYSTEM], system, &call->subsystem, error);
}

int ms_drive_create(const ms_drive_call *call, const ms_system *system, ms_open_loop **open_loop,
                    ms_error *error)
{
    return ms_open_loop_create(&(ms_open_loop_problem){system, call->subsystem, call->segments, call->inputs,
                                                       call->start_time, call->stop_time, &ms_interrupted},
                               open_loop, error);
}

/* Answer ----------------------------------------------------------------------------------------------- */

static json_t *errors_json(const ms_subsystem *sub, const ms_open_loop_errors *largest,
                           const ms_open_loop_errors *state)
{
    json_t *states = json_object();
    for (int j = 0; j < sub->nx; j++)
        ms_json_set(&states, sub->x[j].name, ms_json_object("max:r end:r", state[j].max, state[j].end));
    return ms_json_object("max:r end:r per_state:o", largest->max, largest->end, states);
}

json_t *ms_drive_answer(const ms_open_loop *open_loop, const ms_options *options,
                        const ms_open_loop_result *result)
{
    const ms_system *system = open_loop->system;
    const ms_subsystem *sub = &system->sub[open_loop->subsystem];
    const ms_work *work = &result->work;
    return ms_json_object(
        "model:s case:s parameters:o subsystem:s segments:i input_shape:s solver:o reason:s "
        "message:s end_time:f work:o errors:o own_reference_error:r coupled_reference_error:r "
        "wall_seconds:f",
        system->model->name, system->case_name, ms_parameters_json(system), sub->name, open_loop->segments,
        shape_name(open_loop->inputs), ms_solver_json(ms_open_loop_solver(options), options),
        ms_reason_name(result->reason), result->message, result->end_time,
        ms_json_object("micro_steps:l rhs_evaluations:l jacobian_evaluations:l error_test_failures:l "
                       "convergence_failures:l",
                       work->micro_steps, work->rhs_evaluations, work->jacobian_evaluations,
                       work->error_test_failures, work->convergence_failures),
        ms_json_object("own:o coupled:o", errors_json(sub, &result->own_largest, result->own),
                       errors_json(sub, &result->coupled_largest, result->coupled)),
        open_loop->tight_error, open_loop->coupled_error, result->wall_seconds);
}
