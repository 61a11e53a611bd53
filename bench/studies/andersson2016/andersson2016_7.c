/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "andersson2016_7.h"

#include <string.h>

const char *const ms_mode_names[MS_MODES] = {"restart", "proceed", "correct-1", "correct-2"};
const int ms_mode_lines[MS_MODES] = {1, 2, 3, 4};
const char *const ms_mode_titles[MS_MODES] = {"restarted", "proceeding", "corrected in x′",
                                              "corrected in x′ and x″"};

int ms_modes_repeat(const ms_modes *modes, int mode, double rtol, double atol, bool steps,
                    ms_open_loop_result *result, ms_error *error)
{
    ms_options options = modes->study.arguments.options;
    options.input_change = mode;
    options.solver_rtol = rtol;
    options.solver_atol = atol;
    int status =
        ms_open_loop_run(modes->open_loop, &options, &(ms_open_loop_options){.steps = steps}, result, error);
    if (status == MS_OK && result->reason != MS_REASON_END_TIME) {
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: %s", ms_mode_names[mode], result->message);
        ms_open_loop_result_destroy(result);
    }
    return status;
}

int ms_modes_run(ms_drawing *drawing, bool steps, const char *words, ms_modes *modes, ms_error *error)
{
    ms_drive_call call;
    *modes = (ms_modes){0};
    int status = ms_study_bind(drawing, &modes->study, error, "drive %s --input-change restart", words);
    const ms_options *options = &modes->study.arguments.options;
    if (status == MS_OK)
        status = ms_drive_read(&modes->study.arguments, modes->study.system, &call, error);
    if (status == MS_OK)
        status = ms_drive_create(&call, modes->study.system, &modes->open_loop, error);
    for (int m = 0; m < MS_MODES && status == MS_OK; m++)
        status = ms_modes_repeat(modes, m, options->solver_rtol, options->solver_atol, steps,
                                 &modes->result[m], error);
    const volatile sig_atomic_t *stop = ms_drawing_stop(drawing);
    if (status == MS_OK && stop != NULL && *stop != 0)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    return status;
}

void ms_modes_note(ms_drawing *drawing, const ms_modes *modes, int mode)
{
    const char *line = modes->study.arguments.line, *last = strrchr(line, ' ');
    ms_drawing_note_command(
        drawing, ms_drawing_text(drawing, "%.*s %s", (int)(last - line), line, ms_mode_names[mode]));
}

void ms_modes_destroy(ms_modes *modes)
{
    for (int m = 0; m < MS_MODES; m++)
        ms_open_loop_result_destroy(&modes->result[m]);
    ms_open_loop_destroy(&modes->open_loop);
    ms_study_destroy(&modes->study);
}
