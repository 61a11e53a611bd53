/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"

#include <omp.h>
#include <stdlib.h>

#include <macrostep/error_scale.h>
#include <macrostep/solver_registry.h>
#include "command.h"
#include "json.h"
#include "memory.h"
#include "natural_steps.h"
#include "progress.h"
#include "provenance.h"
#include "reference_cache.h"

/* Does every state have a scale for its errors? Without one no row would run. */
static int check_scale(ms_call *call, ms_error *error)
{
    ms_system *own = NULL;
    ms_error_scale scale = {0};
    if (call->arguments.options.error_scale != MS_SCALE_NOMINAL)
        return MS_OK;
    int status = call->system == NULL ? ms_arguments_bind(&call->arguments, call->model, &own, error) : MS_OK;
    MS_THEN(status, ms_error_scale_create(own != NULL ? own : call->system, MS_SCALE_NOMINAL, &scale, error));
    ms_error_scale_destroy(&scale);
    ms_system_destroy(&own);
    return status;
}

static int read_once(ms_call *call, ms_error *error)
{
    const bool reads = call->steps->read != NULL && !call->was_read;
    call->was_read = true;
    return reads ? call->steps->read(call, error) : MS_OK;
}

/* Checks that which the command asks of its system. */
static int check(void *self, ms_system *system, ms_error *error)
{
    ms_call *call = self;
    ms_system *own = call->system;
    if (call->steps->check == NULL || call->checked)
        return MS_OK;
    MS_TRY(read_once(call, error));
    call->checked = true;
    call->system = system;
    const int status = call->steps->check(call, error);
    call->system = own;
    return status;
}

static int bind_model(ms_call *call, bool system, ms_error *error)
{
    int status = ms_arguments_model(&call->arguments, &call->model, &call->owned, error);
    if (status == MS_OK && system)
        status = ms_arguments_bind(&call->arguments, call->model, &call->system, error);
    MS_THEN(status, check(call, call->system, error));
    return status == MS_OK ? check_scale(call, error) : status;
}

/* grows: the file of the answer grows row by row, otherwise only parts do. */
static int check_part(const ms_call *call, bool grows, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    if (arguments->repair && !arguments->resume)
        return ms_fail(error, MS_INVALID, "--repair: requires --resume");
    if (arguments->resume && !grows && arguments->shard.of == 0)
        return ms_fail(error, MS_INVALID, "--resume: applies only to parts, --shard I/N; 1/1 has all rows");
    if (arguments->comments == MS_COMMENTS_NO && (arguments->resume || arguments->shard.of > 0))
        return ms_fail(error, MS_INVALID, "--comments no: `%s` needs the remarks of its file",
                       arguments->resume ? "resume" : "shard");
    return !arguments->resume || ms_call_output(call) != NULL
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--resume: needs the file to continue, --output FILE");
}

/* Only rank 0 draws. */
static int open_canvas(ms_call *call, ms_error *error)
{
    int rank;
    (void)ms_ranks_launched(&rank);
    return rank <= 0 ? ms_canvas_open(&call->arguments, &call->canvas, error) : MS_OK;
}

/* Reads the arguments and finds the model. */
static int prepare(const ms_call_steps *steps, ms_call *call, int argc, char **argv, ms_error *error)
{
    const ms_outline_check of_command = {check, call};
    MS_TRY(ms_arguments_read_with(argc, argv, &of_command, &call->arguments, error));
    if (ms_command_shares(call->arguments.command))
        MS_TRY(check_part(call, steps->opens_itself, error));
    MS_TRY(read_once(call, error));
    if (steps->binds != MS_BINDS_NOTHING)
        MS_TRY(bind_model(call, steps->binds == MS_BINDS_SYSTEM, error));
    if (steps->bind != NULL)
        MS_TRY(steps->bind(call, error));
    if (steps->plot != NULL || steps->plot_answer != NULL)
        MS_TRY(open_canvas(call, error));
    if (call->serial && call->arguments.shard.of > 0)
        return ms_fail(error, MS_INVALID, "--shard %s: %s", call->arguments.text[MS_ARGUMENT_SHARD],
                       call->why_serial);
    return MS_OK;
}

static int open_files(const ms_call_steps *steps, ms_call *call, ms_error *error)
{
    const char *const *text = call->arguments.text;
    int status = MS_OK;
    if (!steps->opens_itself && call->arguments.shard.of == 0) /* a part is a file of its own */
        status = ms_output_open(text[MS_ARGUMENT_OUTPUT], &call->output, error);
    for (int k = 0; k < steps->n_files && status == MS_OK; k++)
        if (text[steps->files[k]] != NULL)
            status = ms_output_open(text[steps->files[k]], &call->file[k], error);
    return status;
}

int ms_call_check_solver(const ms_call *call, const char *solver, ms_error *error)
{
    const ms_options *o = &call->arguments.options;
    const ms_solver *all = ms_solver_find(solver);
    const int n = call->system != NULL ? call->system->n : 0;
    ms_solver together;
    const ms_solver *s =
        all != NULL && ms_solver_together(all, o->solver_of, n, &together) ? &together : NULL;
    const struct {
        ms_option_id option;
        bool used;
        const char *of;
    } idle[] = {{MS_OPTION_SOLVER_RTOL, s == NULL || s->adaptive, "solvers that choose their step sizes"},
                {MS_OPTION_SOLVER_ATOL, s == NULL || s->adaptive, "solvers that choose their step sizes"},
                {MS_OPTION_MICRO_STEPS, s == NULL || s->order > 0, "fixed-step solvers such as rk4"},
                {MS_OPTION_INPUT_CHANGE, s == NULL || s->multistep, "multistep solvers such as cvode-bdf"}};
    for (int k = 0; k < MS_COUNT(idle); k++)
        if (ms_option_asked(o, idle[k].option) && !idle[k].used)
            return ms_fail(error, MS_INVALID, "--%s applies only to %s; this run uses %s",
                           ms_option_table[idle[k].option].name, idle[k].of, solver);
    return MS_OK;
}

/* In a table a scheme takes one line, with the options that were given. */
static void shorten(ms_call *call)
{
    const ms_arguments *arguments = &call->arguments;
    const json_t *scheme = json_object_get(call->answer.value, "scheme");
    if (arguments->format == MS_FORMAT_TABLE && !arguments->verbose && json_is_object(scheme))
        ms_json_set(&call->answer.value, "scheme", ms_options_line(scheme, &arguments->options, NULL));
}

static int answer(ms_call *call, ms_error *error)
{
    shorten(call);
    if (call->answer.provenance == NULL)
        call->answer.provenance = ms_call_provenance(call);
    return ms_answer_finish(&call->answer, &call->arguments, &call->output, error);
}

static int plot_answer(ms_drawing *drawing, ms_error *error)
{
    const ms_call *call = ms_drawing_subject(drawing);
    const int status =
        call->steps->plot_answer(drawing, call->plotted != NULL ? call->plotted : call->answer.value);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "not enough memory for a picture");
}

/* Draws, and lists the files in the answer. */
static int plot(const ms_call_steps *steps, ms_call *call, ms_error *error)
{
    json_t *files = NULL;
    if (call->canvas.arguments == NULL || (steps->plot == NULL && steps->plot_answer == NULL))
        return MS_OK;
    const int status = ms_canvas_draw(&call->canvas, call->arguments.command->summary,
                                      steps->plot != NULL ? steps->plot : plot_answer, call, &files, error);
    if (status == MS_OK && json_is_object(call->answer.value) && json_array_size(files) > 0)
        ms_json_set(&call->answer.value, "files", json_incref(files));
    json_decref(files);
    return status;
}

int ms_call_work(const ms_call_steps *steps, ms_call *call, ms_error *error)
{
    if (call->ranks.rank > 0)
        return steps->compute(call, error);
    const int opened = open_files(steps, call, error);
    const int computed = opened == MS_OK ? steps->compute(call, error) : opened;
    const bool answers = computed == MS_OK || (computed == MS_INTERRUPTED && call->answer.value != NULL);
    if (computed == MS_INTERRUPTED || call->exit_status == MS_EXIT_INTERRUPTED)
        ms_answering = 1;
    ms_error why; /* the answer is written even without a picture */
    const int drawn = answers ? plot(steps, call, &why) : MS_OK;
    int status = answers && !call->written ? answer(call, error) : MS_OK;
    if (answers && status == MS_OK && drawn == MS_OK && call->canvas.arguments != NULL)
        status = ms_canvas_print(&call->canvas, error);
    return status != MS_OK ? status : drawn != MS_OK ? ms_fail(error, drawn, "%s", why.text) : computed;
}

static void destroy(const ms_call_steps *steps, ms_call *call)
{
    if (steps->destroy != NULL)
        steps->destroy(call);
    for (int k = 0; k < steps->n_files; k++)
        ms_output_discard(&call->file[k]);
    ms_output_discard(&call->output);
    ms_canvas_discard(&call->canvas);
    json_decref(call->plotted);
    ms_answer_discard(&call->answer);
    ms_system_destroy(&call->system);
    ms_model_destroy(&call->owned);
    ms_arguments_destroy(&call->arguments);
}

/* Called before anything is computed. */
static int open_cache(const ms_call *call, ms_error *error)
{
    const char *folder = call->arguments.text[MS_ARGUMENT_CACHE];
    return folder != NULL ? ms_reference_cache_open(folder, error) : MS_OK;
}

/* Called when all references have written their files. */
static void close_cache(void)
{
    ms_error note;
    if (ms_reference_cache_close(&note))
        ms_command_note("--cache", note.text);
}

/* With several ranks each has one thread, unless --num-threads gives rank 0 more. */
static int begin_ranks(ms_call *call, ms_error *error)
{
    const int status = ms_ranks_begin(&ms_ranks_mpi, &call->ranks, error);
    if (call->ranks.size > 1)
        omp_set_num_threads(1);
    return status;
}

/* Is this thread working for another call? */
static _Thread_local bool within;

bool ms_call_within(bool another)
{
    const bool before = within;
    within = another;
    return before;
}

static int run(const ms_call_steps *steps, ms_call *call, int argc, char **argv)
{
    ms_error error = {0};
    char **words; /* arguments with fractions of natural frequencies replaced by numbers */
    int rank = 0, status = ms_natural_steps_resolve(argc, argv, &words, &error);
    MS_THEN(status, prepare(steps, call, argc, words, &error));
    if (!within) {
        ms_progress_silence(call->arguments.quiet);
        ms_answer_leave_out_remarks(call->arguments.comments == MS_COMMENTS_NO);
        (void)ms_ranks_launched(&rank);
    }
    if (status == MS_OK && !within)
        status = open_cache(call, &error);
    if (status != MS_OK && rank > 0 && steps->refuse != NULL)
        steps->refuse(&error);
    const bool idle = status == MS_OK && call->serial && rank > 0;
    if (status == MS_OK && ms_command_shares(call->arguments.command) && !call->serial &&
        call->given == NULL && !within)
        status = begin_ranks(call, &error);
    if (status == MS_OK && !idle)
        status =
            steps->around != NULL ? steps->around(steps, call, &error) : ms_call_work(steps, call, &error);
    const bool told = call->exit_status != MS_EXIT_DONE && call->answer.value == NULL; /* by a call within */
    if (status == MS_OK && !told && ms_memory_refused())
        status = ms_fail(&error, MS_NO_MEMORY, "not enough memory for the answer");
    const int exit_status = status == MS_OK ? call->exit_status : ms_command_fail(status, &error);
    ms_ranks_end(&call->ranks);
    destroy(steps, call);
    ms_natural_steps_free(argc, argv, &words);
    if (!within)
        close_cache();
    return exit_status;
}

int ms_call_run(const ms_call_steps *steps, ms_parts *given, int argc, char **argv)
{
    ms_call *call = calloc(1, steps->size);
    if (call == NULL)
        return ms_command_fail(MS_NO_MEMORY, &(ms_error){0});
    call->steps = steps;
    call->argc = argc;
    call->argv = argv;
    call->given = given;
    if (steps->begin != NULL)
        steps->begin(call);
    const int exit_status = run(steps, call, argc, argv);
    free(call);
    return exit_status;
}
