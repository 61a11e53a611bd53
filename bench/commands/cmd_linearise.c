/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands.h"
#include "linearise_answer.h"
#include "nearest.h"
#include "provenance.h"

/* Everything that one call owns. */
typedef struct linearise_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_linearisation_options options;
    ms_linearisation_point linearised_at;
    int only;                 /* subsystem; -1: all */
    double *state, *discrete; /* (nx), (nz) */
    ms_linearised *linearised;
    ms_output output;
    ms_answer answer;
} linearise_call;

/* Options ------------------------------------------------------------------------------------------------ */

static int read_choices(linearise_call *call, ms_error *error)
{
    const char *differences = call->arguments.text[MS_ARGUMENT_DIFFERENCES];
    const char *compression = call->arguments.text[MS_ARGUMENT_COMPRESSION];
    call->options = (ms_linearisation_options){MS_PARTIALS_BEST, true};
    if (differences != NULL) {
        const bool forward = strcmp(differences, "forward") == 0;
        if (!forward && strcmp(differences, "central") != 0)
            return ms_fail(error, MS_INVALID, "--differences %s: must be forward or central", differences);
        call->options.partials = forward ? MS_PARTIALS_FORWARD : MS_PARTIALS_CENTRAL;
    }
    if (compression != NULL) {
        call->options.compress = strcmp(compression, "on") == 0;
        if (!call->options.compress && strcmp(compression, "off") != 0)
            return ms_fail(error, MS_INVALID, "--compression %s: must be on or off", compression);
    }
    return MS_OK;
}

/* The nearest name of a subsystem, or of a state. */
static const char *nearest_of(const ms_system *system, const ms_subsystem *sub, const char *name)
{
    const char *names[256];
    const int n = sub != NULL ? sub->nx : system->n;
    const int known = n < MS_COUNT(names) ? n : MS_COUNT(names);
    for (int k = 0; k < known; k++)
        names[k] = sub != NULL ? sub->x[k].name : system->sub[k].name;
    return ms_nearest(name, names, known);
}

static int read_subsystem(linearise_call *call, ms_error *error)
{
    const char *name = call->arguments.text[MS_ARGUMENT_SUBSYSTEM];
    call->only = name != NULL ? ms_system_find(call->system, name) : -1;
    if (name != NULL && call->only < 0)
        return ms_fail(error, MS_INVALID, "--subsystem %s: model %s has none of that name; the nearest is %s",
                       name, call->system->model->name, nearest_of(call->system, NULL, name));
    return MS_OK;
}

/* One "SUB.NAME=VALUE". */
static int set_state(const ms_system *system, char *word, double *x, ms_error *error)
{
    char *equals = strchr(word, '='), *dot = strchr(word, '.'), *end;
    if (equals == NULL || dot == NULL || dot > equals || dot == word || dot + 1 == equals ||
        equals[1] == '\0')
        return ms_fail(error, MS_INVALID,
                       "--state %s: must be SUB.NAME=VALUE, or several with commas between", word);
    *dot = *equals = '\0';
    const int i = ms_system_find(system, word);
    if (i < 0)
        return ms_fail(error, MS_INVALID, "--state %s.%s: model %s has no subsystem %s; the nearest is %s",
                       word, dot + 1, system->model->name, word, nearest_of(system, NULL, word));
    int k = 0;
    while (k < system->sub[i].nx && strcmp(system->sub[i].x[k].name, dot + 1) != 0)
        k++;
    if (system->sub[i].nx == 0)
        return ms_fail(error, MS_INVALID, "--state %s.%s: subsystem %s has no states", word, dot + 1, word);
    if (k == system->sub[i].nx)
        return ms_fail(error, MS_INVALID, "--state %s.%s: subsystem %s has no such state; the nearest is %s",
                       word, dot + 1, word, nearest_of(system, &system->sub[i], dot + 1));
    const double value = strtod(equals + 1, &end);
    if (*end != '\0' || !isfinite(value))
        return ms_fail(error, MS_INVALID, "--state %s.%s=%s: the value must be a finite number", word,
                       dot + 1, equals + 1);
    x[system->x_at[i] + k] = value;
    return MS_OK;
}

static int set_states(const linearise_call *call, ms_error *error)
{
    const char *text = call->arguments.text[MS_ARGUMENT_STATE];
    if (text == NULL)
        return MS_OK;
    char *copy = strdup(text);
    int status =
        copy != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the command line");
    for (char *word = copy; word != NULL && status == MS_OK;) {
        char *comma = strchr(word, ',');
        if (comma != NULL)
            *comma = '\0';
        status = set_state(call->system, word, call->state, error);
        word = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return status;
}

/* Place and states. */
static int read_point(linearise_call *call, ms_error *error)
{
    ms_system *s = call->system;
    if (s->linear && call->arguments.text[MS_ARGUMENT_STATE] != NULL)
        return ms_fail(
            error, MS_INVALID,
            "--state: model %s is linear, its matrices are the same everywhere; leave the option out",
            s->model->name);
    call->state = calloc((size_t)(s->nx + s->nz) + 1, sizeof *call->state);
    if (call->state == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the states of model %s", s->model->name);
    call->discrete = call->state + s->nx;
    int status = ms_linearisation_point_read(call->arguments.text[MS_ARGUMENT_AT], s,
                                             &call->arguments.options, &call->linearised_at, error);
    if (status == MS_OK)
        status = set_states(call, error); /* is it well written? */
    if (status == MS_OK)
        status = ms_linearisation_point_state(s, &call->linearised_at, &ms_interrupted, call->state,
                                              call->discrete, error);
    if (status == MS_OK)
        status = set_states(call, error);
    return status;
}

/* The command -------------------------------------------------------------------------------------------- */

static int answer(int argc, char **argv, linearise_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(arguments, model, &call->system, error);
    if (status == MS_OK)
        status = read_choices(call, error);
    if (status == MS_OK)
        status = read_subsystem(call, error);
    if (status == MS_OK)
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK)
        status = read_point(call, error);
    if (status == MS_OK)
        status = ms_linearised_create(call->system, call->linearised_at.t, call->state, call->discrete,
                                      call->only, &call->options, &call->linearised, error);
    if (status == MS_SOLVER_FAILED) /* of the point that was asked for */
        status = MS_INVALID;
    if (status == MS_OK) {
        call->answer.value = (arguments->format == MS_FORMAT_TABLE
                                  ? ms_linearise_table
                                  : ms_linearise_answer)(call->linearised, &call->linearised_at, call->only);
        call->answer.provenance = ms_provenance(arguments->line);
        status = ms_answer_finish(&call->answer, arguments, &call->output, error);
    }
    return status;
}

int ms_command_linearise(int argc, char **argv)
{
    linearise_call call = {0};
    ms_error error = {0};
    const int status = answer(argc, argv, &call, &error);
    ms_answer_discard(&call.answer);
    ms_output_discard(&call.output);
    ms_linearised_destroy(&call.linearised);
    free(call.state);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    return status != MS_OK ? ms_command_fail(status, &error) : MS_EXIT_DONE;
}
