/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "differences.h"

typedef struct diff_call {
    ms_call base;
    ms_differences differences;
} diff_call;

static const ms_column columns[] = {{"kind", "kind"},   {"file", "file"},
                                    {"where", "where"}, {"a", "A"},
                                    {"b", "B"},         {"difference", "difference"},
                                    {"count", "count"}, {0}};

static int read_words(void *self, ms_error *error)
{
    const ms_arguments *arguments = &((diff_call *)self)->base.arguments;
    return arguments->n_operands == 2
               ? MS_OK
               : ms_fail(error, MS_INVALID,
                         "diff: two results are compared, files or folders: macrostep diff A B");
}

static void answer(diff_call *call)
{
    const ms_arguments *arguments = &call->base.arguments;
    const ms_differences *d = &call->differences;
    json_t *of_kind = json_object();
    for (int k = 0; k < MS_DIFFERENCE_KINDS; k++)
        ms_json_set(&of_kind, ms_difference_kind_name((ms_difference_kind)k), json_integer(d->of_kind[k]));
    call->base.answer.columns = columns;
    call->base.answer.value = ms_json_object(
        "a:s b:s relative_tolerance:f absolute_tolerance:f same:b files:l numbers:l differences:l "
        "kinds:o rows:o",
        arguments->operands[0], arguments->operands[1], d->tolerances.relative, d->tolerances.absolute,
        d->differences == 0, d->files, d->numbers, d->differences, of_kind, ms_differences_rows(d));
    call->base.exit_status = d->differences == 0 ? MS_EXIT_DONE : MS_EXIT_DIFFERENT;
}

static int compute(void *self, ms_error *error)
{
    diff_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const ms_tolerances tolerances = {arguments->relative_tolerance, arguments->absolute_tolerance};
    ms_differences_begin(&tolerances, arguments->text[MS_ARGUMENT_IGNORE], &call->differences);
    const int status =
        ms_result_compare(&call->differences, arguments->operands[0], arguments->operands[1], error);
    if (status == MS_OK)
        answer(call);
    return status;
}

static void destroy(void *self)
{
    ms_differences_end(&((diff_call *)self)->differences);
}

const ms_call_steps ms_command_diff = {
    .size = sizeof(diff_call), .read = read_words, .compute = compute, .destroy = destroy};
