/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "call.h"
#include "export_answer.h"
#include "exported.h"

static int check(void *self, ms_error *error)
{
    const ms_call *call = self;
    const char *name = call->arguments.text[MS_ARGUMENT_SUBSYSTEM];
    int subsystem;
    return name == NULL || strcmp(name, "whole") == 0
               ? MS_OK
               : ms_exported_find_subsystem(call->system, name, &subsystem, error);
}

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    call->answer.columns = ms_export_columns;
    return ms_export_write(&call->arguments, call->system, &call->answer.value, error);
}

const ms_call_steps ms_command_export = {
    .size = sizeof(ms_call), .binds = MS_BINDS_SYSTEM, .check = check, .compute = compute};
