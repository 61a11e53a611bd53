/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "ledger.h"

static int compute(void *self, ms_error *error)
{
    static const ms_column columns[] = {{"paper", "paper"},     {"item", "item"},     {"place", "place"},
                                        {"printed", "printed"}, {"figure", "figure"}, {"verdict", "verdict"},
                                        {"status", "status"},   {NULL, NULL}};
    ms_call *call = self;
    call->answer.columns = columns;
    return ms_ledger(ms_arguments_directory(&call->arguments), call->arguments.operand, &call->answer.value,
                     error);
}

int ms_command_ledger(int argc, char **argv)
{
    static const ms_call_steps steps = {.compute = compute};
    ms_call call = {0};
    return ms_call_run(&steps, &call, argc, argv);
}
