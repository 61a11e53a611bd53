/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "export_answer.h"

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    call->answer.columns = ms_export_columns;
    return ms_export_write(&call->arguments, call->system, &call->answer.value, error);
}

const ms_call_steps ms_command_export = {
    .size = sizeof(ms_call), .binds = MS_BINDS_SYSTEM, .compute = compute};
