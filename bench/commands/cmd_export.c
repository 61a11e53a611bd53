/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "export_answer.h"

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    call->answer.columns = ms_export_columns;
    return ms_export_write(&call->arguments, call->system, &call->answer.value, error);
}

int ms_command_export(int argc, char **argv)
{
    static const ms_call_steps steps = {.binds = MS_BINDS_SYSTEM, .compute = compute};
    ms_call call = {0};
    return ms_call_run(&steps, &call, argc, argv);
}
