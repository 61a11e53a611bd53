/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "ledger.h"
#include "value_line.h"

enum { CELL = 72 }; /* letters of a list */

/* In tables each list becomes one text. */
static void join_lists(const json_t *rows)
{
    static const char *const lists[] = {"files", "tests", "commands"};
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        for (size_t j = 0; j < sizeof lists / sizeof lists[0]; j++)
            json_object_set_new(row, lists[j], ms_value_text(json_object_get(row, lists[j]), CELL));
    }
}

static int compute_equations(ms_call *call, ms_error *error)
{
    const int status = ms_equations(call->arguments.operand, &call->answer.value, error);
    if (status == MS_OK && call->arguments.format == MS_FORMAT_TABLE)
        join_lists(json_object_get(call->answer.value, "rows"));
    return status;
}

static int compute(void *self, ms_error *error)
{
    static const ms_column columns[] = {{"paper", "paper"},     {"item", "item"},     {"place", "place"},
                                        {"printed", "printed"}, {"figure", "figure"}, {"verdict", "verdict"},
                                        {"status", "status"},   {NULL, NULL}};
    ms_call *call = self;
    if (call->arguments.equations)
        return compute_equations(call, error);
    call->answer.columns = columns;
    return ms_ledger(ms_arguments_directory(&call->arguments), call->arguments.operand, &call->answer.value,
                     error);
}

const ms_call_steps ms_command_ledger = {.size = sizeof(ms_call), .compute = compute};
