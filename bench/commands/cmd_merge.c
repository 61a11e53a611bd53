/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "call.h"
#include "commands.h"
#include "version.h"

typedef struct merge_call {
    ms_call base;
    ms_parts parts;
} merge_call;

/* What follows the rows of these is done again. */
static const struct {
    const char *name;
    int (*run)(ms_parts *given, int argc, char **argv);
} repeated[] = {{"compare", ms_compare_with},
                {"converge", ms_converge_with},
                {"stability", ms_stability_with},
                {"figures", ms_figures_with}};

static int read_parts(void *self, ms_error *error)
{
    merge_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    if (arguments->n_operands == 0)
        return ms_fail(error, MS_INVALID, "merge: the parts are missing: macrostep merge FILE..");
    return ms_parts_open(arguments->operands, arguments->n_operands, &call->parts, error);
}

/* Rows that stand in the answer as they are ---------------------------------------------------------------- */

static int copy_rows(merge_call *call, ms_error *error)
{
    FILE *file = call->base.output.file;
    const bool json = call->parts.format == MS_FORMAT_JSON;
    int status = MS_OK;
    fputs(call->parts.head, file);
    for (long k = 0; k < call->parts.rows && status == MS_OK; k++) {
        const char *text;
        size_t length;
        status = ms_parts_row(&call->parts, k, &text, &length, error);
        if (status == MS_OK) {
            fputs(json && k > 0 ? ",\n" : "", file);
            fwrite(text, 1, length, file);
        }
    }
    fputs(ms_parts_tail(&call->parts), file);
    return status;
}

static int copy(merge_call *call, ms_error *error)
{
    int status = ms_output_open(call->base.arguments.text[MS_ARGUMENT_OUTPUT], &call->base.output, error);
    if (status == MS_OK)
        status = copy_rows(call, error);
    return status == MS_OK ? ms_output_close(&call->base.output, error) : status;
}

/* Rows from which the answer follows ---------------------------------------------------------------------- */

static const char *of_part(const merge_call *call, const char *key)
{
    const char *text = json_string_value(json_object_get(call->parts.provenance, key));
    return text != NULL ? text : "";
}

/* Answers differ with the program, so it has to be the same. */
static int check_program(const merge_call *call, ms_error *error)
{
    const char *version = of_part(call, "version"), *commit = of_part(call, "commit");
    if (strcmp(version, ms_version()) == 0 && strcmp(commit, ms_commit()) == 0)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "%s: was made by macrostep %s (commit %s), this is %s (commit %s)",
                   call->parts.part[0].path, version, commit, ms_version(), ms_commit());
}

/* Of the commands whose answers are made anew, or -1. */
static int find_command(const char *name)
{
    for (int k = 0; k < MS_COUNT(repeated); k++)
        if (strcmp(repeated[k].name, name) == 0)
            return k;
    return -1;
}

/* Repeats the call `words`, "macrostep" COMMAND .., with the rows of the parts, its format, and --output of merge. */
static int repeat(merge_call *call, const wordexp_t *words, ms_error *error)
{
    const char *output = call->base.arguments.text[MS_ARGUMENT_OUTPUT];
    const size_t n = words->we_wordc > 0 ? words->we_wordc - 1 : 0;
    const int known = n > 0 ? find_command(words->we_wordv[1]) : -1;
    char option[] = "--format", format[16], path_option[] = "--output",
         *path = strdup(output != NULL ? output : "-");
    char **argv = calloc(n + 5, sizeof *argv);
    int status = MS_OK;
    if (known < 0) {
        status = ms_fail(error, MS_INVALID, "%s: is of a command that makes no parts: %s",
                         call->parts.part[0].path, of_part(call, "command"));
    } else if (argv == NULL || path == NULL) {
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the call");
    } else {
        char *const more[] = {option, format, path_option, path};
        snprintf(format, sizeof format, "%s", of_part(call, "format"));
        memcpy(argv, words->we_wordv + 1, n * sizeof *argv);
        memcpy(argv + n, more, sizeof more);
        call->base.exit_status = repeated[known].run(&call->parts, (int)n + 4, argv);
    }
    free(argv);
    free(path);
    return status;
}

static int answer_anew(merge_call *call, ms_error *error)
{
    wordexp_t words;
    int status = check_program(call, error);
    if (status != MS_OK)
        return status;
    if (wordexp(of_part(call, "command"), &words, WRDE_NOCMD | WRDE_UNDEF) != 0)
        return ms_fail(error, MS_INVALID, "%s: its command cannot be read: %s", call->parts.part[0].path,
                       of_part(call, "command"));
    status = repeat(call, &words, error);
    wordfree(&words);
    return status;
}

/* Only parts whose format is not that of the answer say what that is. */
static int compute(void *self, ms_error *error)
{
    merge_call *call = self;
    call->base.written = true;
    return json_object_get(call->parts.provenance, "format") != NULL ? answer_anew(call, error)
                                                                     : copy(call, error);
}

static void destroy(void *self)
{
    ms_parts_close(&((merge_call *)self)->parts);
}

int ms_command_merge(int argc, char **argv)
{
    static const ms_call_steps steps = {
        .opens_itself = true, .read = read_parts, .compute = compute, .destroy = destroy};
    merge_call call = {.parts = {.open = -1}};
    return ms_call_run(&steps, &call.base, argc, argv);
}
