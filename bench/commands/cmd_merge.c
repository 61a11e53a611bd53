/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "commands.h"
#include "version.h"

typedef struct merge_call {
    ms_call base;
    ms_parts parts;
} merge_call;

/* Commands whose steps after the rows are repeated. */
static const char *const repeated[] = {"compare",   "work-precision", "converge",
                                       "stability", "figures",        "sweep"};

static int read_parts(void *self, ms_error *error)
{
    merge_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    if (arguments->n_operands == 0)
        return ms_fail(error, MS_INVALID, "merge: the parts are missing: macrostep merge FILE..");
    return ms_parts_open(arguments->operands, arguments->n_operands, &call->parts, error);
}

/* Rows that are in the answer as they are ---------------------------------------------------------------- */

static int copy_rows(merge_call *call, ms_error *error)
{
    ms_parts *parts = &call->parts;
    FILE *file = call->base.output.file;
    const bool json = parts->format == MS_FORMAT_JSON;
    int status = MS_OK;
    fputs(parts->head, file);
    for (long k = 0; k < parts->rows && status == MS_OK; k++) {
        fputs(json && k > 0 ? ",\n" : "", file);
        status = ms_parts_row(parts, k, error);
        if (status == MS_OK)
            fwrite(parts->reader.text, 1, parts->reader.length, file);
    }
    fputs(json ? "\n]}\n" : "", file);
    return status;
}

static int copy(merge_call *call, ms_error *error)
{
    if (call->base.arguments.text[MS_ARGUMENT_PLOT] != NULL)
        return ms_fail(
            error, MS_INVALID,
            "--plot: the rows of this sweep are joined as they are; a sweep without --shard draws them");
    MS_TRY(ms_output_open(call->base.arguments.text[MS_ARGUMENT_OUTPUT], &call->base.output, error));
    MS_TRY(copy_rows(call, error));
    return ms_output_close(&call->base.output, error);
}

/* Rows from which the answer follows ---------------------------------------------------------------------- */

static const char *of_part(const merge_call *call, const char *key)
{
    const char *text = json_string_value(json_object_get(call->parts.provenance, key));
    return text != NULL ? text : "";
}

/* Answers depend on the program's version, so it must be the same. */
static int check_program(const merge_call *call, ms_error *error)
{
    const char *version = of_part(call, "version"), *commit = of_part(call, "commit");
    if (strcmp(version, ms_version()) == 0 && strcmp(commit, ms_commit()) == 0)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "%s: was made by macrostep %s (commit %s), this is %s (commit %s)",
                   call->parts.first, version, commit, ms_version(), ms_commit());
}

static bool is_part(const merge_call *call, const char *word)
{
    for (int k = 0; k < call->base.arguments.n_operands; k++)
        if (word == call->base.arguments.operands[k])
            return true;
    return false;
}

/* The call of the parts, and behind it the options of merge: --output, and those of a picture. */
static int join(const merge_call *call, const wordexp_t *words, char **joined)
{
    int n = 0;
    for (size_t k = 1; k < words->we_wordc; k++)
        joined[n++] = words->we_wordv[k];
    for (int k = 1; k < call->base.argc; k++)
        if (!is_part(call, call->base.argv[k]))
            joined[n++] = call->base.argv[k];
    return n;
}

/* Repeats the call of the parts with their rows and the format of its answer. */
static int repeat(merge_call *call, const wordexp_t *words, ms_error *error)
{
    const ms_command *command = NULL;
    for (int k = 0; k < MS_COUNT(repeated); k++)
        if (strcmp(repeated[k], words->we_wordv[1]) == 0)
            command = ms_command_find(repeated[k]);
    if (command == NULL)
        return ms_fail(error, MS_INVALID, "%s: was made by a command that makes no parts: %s",
                       call->parts.first, of_part(call, "command"));
    char **joined = calloc(words->we_wordc + (size_t)call->base.argc + 1, sizeof *joined);
    MS_TRY_MEMORY_FOR(joined != NULL, error, "the call");
    call->base.exit_status = ms_command_call_with(&call->parts, command, join(call, words, joined), joined);
    free(joined);
    return MS_OK;
}

static int answer_anew(merge_call *call, ms_error *error)
{
    wordexp_t words;
    int status = check_program(call, error);
    if (status != MS_OK)
        return status;
    json_t *line = json_sprintf("%s --format %s", of_part(call, "command"), of_part(call, "format"));
    MS_TRY_MEMORY_FOR(line != NULL, error, "the call");
    if (wordexp(json_string_value(line), &words, WRDE_NOCMD | WRDE_UNDEF) == 0) {
        status = repeat(call, &words, error);
        wordfree(&words);
    } else {
        status = ms_fail(error, MS_INVALID, "%s: its command cannot be read: %s", call->parts.first,
                         of_part(call, "command"));
    }
    json_decref(line);
    return status;
}

/* Parts whose format differs from the answer's record the answer's. */
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

static void begin(void *self)
{
    ((merge_call *)self)->parts.open = -1;
}

const ms_call_steps ms_command_merge = {.size = sizeof(merge_call),
                                        .begin = begin,
                                        .opens_itself = true,
                                        .read = read_parts,
                                        .compute = compute,
                                        .destroy = destroy};
