/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_source.c - the command of a member, and the values read from its answer. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_parts.h"
#include "memory.h"
#include "run_answer.h"

enum { WORDS_MAX = 128, WORDS_MORE = 12, NAME_LENGTH = 256 };

/* Commands that draw figures or read files of others give no answer here. */
static const char *const refused[] = {"figure", "figures", "report", "ledger",
                                      "merge",  "new",     "export", "demo"};

enum { ANSWER, TRAJECTORY, REFERENCE, LEDGER, HISTORY, EVENTS, ATTEMPTS, SOURCES };
static const char *const sources[MS_FIGURE_SOURCES] = {"answer.",  "trajectory.", "reference.", "ledger.",
                                                       "history.", "events.",     "attempts."};

/* Options with which commands other than `run` write files. */
static char option_trajectory[] = "--trajectory", option_history[] = "--history",
            option_events[] = "--events";
static char *const options[SOURCES] = {
    [TRAJECTORY] = option_trajectory, [HISTORY] = option_history, [EVENTS] = option_events};

/* Answers ------------------------------------------------------------------------------------------------- */

static int append_number(double value, ms_number_column *column, ms_error *error)
{
    double number = value;
    const ms_number_column one = {.n = 1, .value = &number};
    return ms_number_column_append(column, &one, error);
}

/* The member whose key begins the path and may contain dots; NULL: none. *rest: the rest of the path. */
static const json_t *member_at(const json_t *object, const char *path, const char **rest)
{
    char key[NAME_LENGTH];
    for (size_t n = strcspn(path, "."); n < sizeof key; n += 1 + strcspn(path + n + 1, ".")) {
        memcpy(key, path, n);
        key[n] = '\0';
        const json_t *value = json_object_get(object, key);
        *rest = path + n + (path[n] == '.');
        if (value != NULL || path[n] == '\0')
            return value;
    }
    return NULL;
}

/* Records whether a path has led through an array and, if nothing is found, the array and the missing index. */
typedef struct answer_trail {
    bool several, found;
    size_t asked, elements;
} answer_trail;

static int collect(const json_t *value, const char *path, answer_trail *trail, ms_number_column *column,
                   ms_error *error);

/* For each element the values at the path, or instead of each value the index of the element. */
static int collect_each(const json_t *array, const char *path, bool places, answer_trail *trail,
                        ms_number_column *column, ms_error *error)
{
    int status = MS_OK;
    trail->several = true;
    for (size_t k = 0; k < json_array_size(array) && status == MS_OK && trail->found; k++) {
        const size_t before = column->n;
        status = collect(json_array_get(array, k), path, trail, column, error);
        for (size_t row = before; places && row < column->n; row++)
            column->value[row] = (double)k;
    }
    return status;
}

/* An array: its element at an index from 0; all elements for `*`; their indices for `#`; or neither. */
static int collect_array(const json_t *array, const char *path, answer_trail *trail, ms_number_column *column,
                         ms_error *error)
{
    const size_t length = strcspn(path, ".");
    const char *rest = path + length + (path[length] == '.');
    if (length == 1 && (*path == '*' || *path == '#'))
        return collect_each(array, rest, *path == '#', trail, column, error);
    if (!isdigit((unsigned char)*path))
        return collect_each(array, path, false, trail, column, error);
    trail->asked = strtoul(path, NULL, 10);
    trail->elements = json_array_size(array);
    return collect(json_array_get(array, trail->asked), rest, trail, column, error);
}

/* Appends the numbers at the path. */
static int collect(const json_t *value, const char *path, answer_trail *trail, ms_number_column *column,
                   ms_error *error)
{
    if (json_is_array(value))
        return collect_array(value, path, trail, column, error);
    if (json_is_object(value)) {
        const char *rest;
        value = member_at(value, path, &rest);
        return collect(value, value != NULL ? rest : "", trail, column, error);
    }
    if (json_is_null(value)) /* an unknown value has no members */
        return append_number(NAN, column, error);
    if (json_is_string(value) && *path != '\0')
        return append_number(strcmp(json_string_value(value), path) == 0, column, error);
    trail->found = *path == '\0' && value != NULL && !json_is_string(value);
    return append_number(json_is_number(value) ? json_number_value(value)
                         : json_is_true(value) ? 1.0
                                               : 0.0,
                         column, error);
}

/* Does each row of an answer with lists have something at the path? */
static bool rows_have(const json_t *answer, const char *path)
{
    ms_number_column column = {0};
    answer_trail trail = {.found = true};
    const json_t *rows = json_object_get(answer, "rows");
    const bool have = json_array_size(rows) > 0 && strncmp(path, "rows.", 5) != 0 &&
                      collect(rows, path, &trail, &column, NULL) == MS_OK && trail.found;
    ms_number_column_free(&column);
    return have;
}

static int say_missing(const json_t *answer, const char *path, const answer_trail *trail, const char *name,
                       ms_error *error)
{
    if (trail->asked >= trail->elements && trail->elements > 0)
        return ms_fail(error, MS_INVALID,
                       "the answer has no number %s; an array of %zu has the places 0 to %zu", name,
                       trail->elements, trail->elements - 1);
    if (rows_have(answer, path))
        return ms_fail(error, MS_INVALID,
                       "the answer has no number %s; this command answers in rows: answer.rows.%s", name,
                       path);
    return ms_fail(error, MS_INVALID, "the answer has no number %s", name);
}

static int find_in_answer(const json_t *answer, const char *path, const char *name, ms_number_column *column,
                          ms_error *error)
{
    answer_trail trail = {.found = true};
    const int status = collect(answer, path, &trail, column, error);
    column->single = !trail.several;
    if (status == MS_OK && trail.found)
        return MS_OK;
    ms_number_column_free(column);
    return status != MS_OK ? status : say_missing(answer, path, &trail, name, error);
}

const char *ms_figure_answer_text(const ms_figure_scope *scope, const char *name)
{
    const json_t *answer = scope->source != NULL   ? scope->source->answer
                           : scope->member != NULL ? scope->member->answer
                                                   : NULL;
    const char *path = name + strlen(sources[0]), *rest = path;
    if (strncmp(name, "published.", 10) == 0)
        return json_string_value(ms_json_at(scope->work->published, name + 10));
    if (strncmp(name, sources[0], strlen(sources[0])) != 0)
        return NULL;
    for (; json_is_object(answer) && *path != '\0'; path = rest)
        answer = member_at(answer, path, &rest);
    return json_string_value(answer);
}

/* Trajectories -------------------------------------------------------------------------------------------- */

static int take(const double *row, long rows, int stride, ms_number_column *column, ms_error *error)
{
    const int status = ms_number_column_create((size_t)rows, false, column, error);
    for (long n = 0; n < rows && status == MS_OK; n++)
        column->value[n] = row[n * stride];
    return status;
}

static int find_in_trajectory(const ms_study *study, const char *what, ms_number_column *column,
                              ms_error *error)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const int k = ms_study_column(study, what);
    if (k < 0)
        return ms_fail(error, MS_INVALID,
                       "unknown column trajectory.%s; the file of --trajectory has the columns", what);
    return take(trajectory->row + k, trajectory->rows, trajectory->columns, column, error);
}

/* A row of a trajectory is the time followed by the states; a row of a reference is only the states. */
static int find_in_reference(ms_study *study, const char *what, ms_number_column *column, ms_error *error)
{
    const int k = ms_study_column(study, what), nx = study->system->nx;
    if (k < 1 || k > nx)
        return ms_fail(error, MS_INVALID,
                       "unknown column reference.%s; it has those of states, as SUBSYSTEM.x.NAME", what);
    const int status = study->exact == NULL ? ms_study_reference(study, error) : MS_OK;
    return status == MS_OK ? take(study->exact + k - 1, study->simulation.trajectory.rows, nx, column, error)
                           : status;
}

static int find_in_ledger(const ms_study *study, const char *what, ms_number_column *column, ms_error *error)
{
    const ms_energy *ledger = &study->simulation.ledger;
    char name[NAME_LENGTH];
    if (!ms_energy_declared(study->system))
        return ms_fail(error, MS_INVALID, "ledger.%s: the model declares no energies", what);
    for (int k = 0; k < ledger->columns; k++) {
        ms_energy_name(ledger, k, name, sizeof name);
        if (strcmp(name, what) == 0)
            return take(ledger->row + k, ledger->rows, ledger->columns, column, error);
    }
    return ms_fail(error, MS_INVALID, "unknown column ledger.%s; the file of --energy has the columns", what);
}

static int source_of(const char *name)
{
    int k = 0;
    while (k < SOURCES && strncmp(name, sources[k], strlen(sources[k])) != 0)
        k++;
    return k;
}

bool ms_figure_source_has(const char *name)
{
    return source_of(name) < SOURCES;
}

int ms_figure_source_find(const ms_figure_scope *scope, const char *name, ms_number_column *column,
                          ms_error *error)
{
    const int k = source_of(name);
    const char *what = name + strlen(sources[k]);
    ms_figure_source *source = scope->source;
    if (source == NULL && k != ANSWER)
        return ms_fail(error, MS_INVALID, "%s: it is available only in the values of the run", name);
    if (scope->work->dry || (source != NULL && json_is_null(source->answer)))
        return ms_number_column_single(NAN, column, error);
    if (k == ANSWER)
        return find_in_answer(source != NULL ? source->answer : scope->member->answer, what, name, column,
                              error);
    if (source->study == NULL ? options[k] != NULL : k == ATTEMPTS)
        return ms_figure_table_column(&source->table[k], what, column, error);
    if (source->study == NULL)
        return ms_fail(error, MS_INVALID, "%s: only `run` gives columns of this kind", name);
    return k == TRAJECTORY  ? find_in_trajectory(source->study, what, column, error)
           : k == REFERENCE ? find_in_reference(source->study, what, column, error)
           : k == LEDGER    ? find_in_ledger(source->study, what, column, error)
                            : ms_fail(error, MS_INVALID, "%s: `run` gives no columns of this kind", name);
}

/* Commands ------------------------------------------------------------------------------------------------ */

/* The words of a command, stored in `copy`. */
static int split(char *copy, char *words[WORDS_MAX], ms_error *error)
{
    char *rest = NULL;
    int n = 0;
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (n == WORDS_MAX - WORDS_MORE)
            return ms_fail(error, MS_INVALID, "a command has more than %d words", WORDS_MAX - WORDS_MORE);
        words[n++] = word;
    }
    return n > 0 ? n : ms_fail(error, MS_INVALID, "a command without words");
}

static int check_command(const char *name, const ms_command **command, ms_error *error)
{
    *command = ms_command_find(name);
    if (*command == NULL)
        return ms_fail(error, MS_INVALID, "unknown command %s; the nearest is %s", name,
                       ms_command_nearest(name));
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (strcmp(name, refused[k]) == 0)
            return ms_fail(error, MS_INVALID, "%s gives no answer that a figure could use", name);
    return MS_OK;
}

/* Is it a known command with options that it takes? */
static int check_words(int n, char **words, ms_error *error)
{
    const ms_command *command;
    ms_arguments *arguments = calloc(1, sizeof *arguments);
    MS_TRY_MEMORY_FOR(arguments != NULL, error, "the figure");
    int status = check_command(words[0], &command, error);
    if (status == MS_OK) {
        status = ms_arguments_read(n, words, arguments, error);
        ms_arguments_destroy(arguments);
    }
    free(arguments);
    return status;
}

/* Errors need a reference, which doubles the time: computed only if the values name something that needs them. */
static bool names_errors(const char *values)
{
    static const char *const parts[] = {"answer.err", "answer.reference", "answer.energy.drift"};
    bool named = false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        named = named || strstr(values, parts[k]) != NULL;
    return named;
}

/* The values of the run as a text, searched for the names they use; owned, NULL: no memory. */
static char *values_text(const ms_figure_scope *scope)
{
    const json_t *values = json_object_get(scope->family->spec, "values");
    return values != NULL ? json_dumps(values, JSON_COMPACT) : strdup("");
}

static bool names_source(const char *values, int k)
{
    return strstr(values, sources[k]) != NULL;
}

static const char *const attempted[] = {"time", "step_size", "estimate", "accepted"};

/* Notes a macro-step attempted from t on. */
static int note_attempt(void *self, double t, double h, double estimate, bool accepted)
{
    ms_error error;
    return ms_figure_table_append(self, (const double[]){t, h, estimate, accepted}, &error);
}

/* Runs and records what the values name. */
static int run_naming(const ms_figure_scope *scope, const char *line, const char *shown, const char *values,
                      ms_figure_source *source, ms_error *error)
{
    const ms_observer observer = {.self = &source->table[ATTEMPTS], .attempt = note_attempt};
    const ms_simulation_options request = {.errors = names_errors(values),
                                           .trajectory = names_source(values, TRAJECTORY) ||
                                                         names_source(values, REFERENCE),
                                           .energies = names_source(values, LEDGER),
                                           .observers = &observer,
                                           .n_observers = names_source(values, ATTEMPTS)};
    int status = ms_figure_table_begin(MS_COUNT(attempted), attempted, &source->table[ATTEMPTS], error);
    MS_THEN(status, ms_study_run_shown(scope->work->drawing, &request, source->study, error, shown, line));
    if (status == MS_OK && strstr(values, "answer.reason") == NULL)
        status = ms_study_ended(&source->study->simulation, error);
    if (status == MS_OK)
        source->answer = ms_run_answer(&source->study->simulation);
    return status != MS_OK || source->answer != NULL
               ? status
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
}

static int run_study(const ms_figure_scope *scope, const char *line, const char *shown,
                     ms_figure_source *source, ms_error *error)
{
    char *values = values_text(scope);
    source->study = calloc(1, sizeof *source->study);
    const int status = values != NULL && source->study != NULL
                           ? run_naming(scope, line, shown, values, source, error)
                           : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    free(values);
    return status;
}

/* Files for an answer and whatever else the values name, in a folder removed after reading. */
enum { PATH_LENGTH = 1024 };

typedef struct file_names {
    ms_part_file temporary;
    char path[SOURCES][PATH_LENGTH]; /* "": none */
} file_names;

static int name_file(file_names *names, int k, ms_error *error)
{
    if (snprintf(names->path[k], PATH_LENGTH, "%s/%d", names->temporary.folder, k) < PATH_LENGTH)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "the path of TMPDIR is too long");
}

/* Appends the options to the n words (there is room). */
static int make_files(const char *values, file_names *names, int *n, char **words, ms_error *error)
{
    static char output[] = "--output", format[] = "--format", json[] = "json";
    int status = ms_part_folder_temporary(&names->temporary) == 0
                     ? name_file(names, ANSWER, error)
                     : ms_fail(error, MS_IO, "no file for the answer could be made in %s (TMPDIR)",
                               ms_temporary_place());
    for (int k = TRAJECTORY; k < SOURCES && status == MS_OK; k++)
        if (options[k] != NULL && names_source(values, k)) {
            status = name_file(names, k, error);
            words[(*n)++] = options[k];
            words[(*n)++] = names->path[k];
        }
    char *more[] = {output, names->path[ANSWER], format, json};
    memcpy(words + *n, more, sizeof more);
    *n += MS_COUNT(more);
    return status;
}

static int read_files(const file_names *names, ms_figure_source *source, ms_error *error)
{
    json_error_t why = {.text = ""};
    source->answer = json_load_file(names->path[ANSWER], 0, &why);
    int status = source->answer != NULL ? MS_OK
                 : ms_memory_refused()  ? ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer")
                                        : ms_fail(error, MS_IO, "the answer could not be read: %s", why.text);
    for (int k = TRAJECTORY; k < SOURCES && status == MS_OK; k++)
        if (names->path[k][0] != '\0')
            status = ms_figure_table_read(names->path[k], &source->table[k], error);
    return status;
}

static int call_with_files(const ms_figure_scope *scope, int n, char **words, const char *values,
                           ms_figure_source *source, ms_error *error)
{
    file_names names = {0};
    ms_error why = {.text = ""}, *caller = ms_command_caller;
    int ended = MS_EXIT_DONE, status = make_files(values, &names, &n, words, error);
    ms_command_caller = &why;
    if (status == MS_OK)
        ended = ms_drawing_calls(scope->work->drawing)(ms_command_find(words[0]), n, words);
    ms_command_caller = caller;
    if (status == MS_OK && ended == MS_EXIT_DONE)
        status = read_files(&names, source, error);
    ms_part_file_drop(&names.temporary);
    if (ended == MS_EXIT_INTERRUPTED)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    if (status == MS_OK && source->answer == NULL)
        return ms_fail(error, ended == MS_EXIT_WRONG ? MS_INVALID : MS_IO, "%s",
                       why.text[0] != '\0' ? why.text : "the command has failed");
    return status;
}

/* Any other command, called as by a user, with files for its answer and its columns. */
static int call_command(const ms_figure_scope *scope, int n, char **words, const char *shown,
                        ms_figure_source *source, ms_error *error)
{
    if (ms_drawing_calls(scope->work->drawing) == NULL)
        return ms_fail(error, MS_UNSUPPORTED, "%s: only `run` can be called here", words[0]);
    char *values = values_text(scope);
    const int status = values != NULL ? call_with_files(scope, n, words, values, source, error)
                                      : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    free(values);
    const char *line = json_string_value(ms_json_at(source->answer, "provenance.command"));
    if (status == MS_OK && (shown != NULL || line != NULL))
        ms_drawing_note_command(scope->work->drawing, shown != NULL ? shown : line);
    return status;
}

/* The name and the numbers of a measurement precede the words of its command; NULL ends the words. */
static int words_before(const ms_measurement *measurement, char **words)
{
    int k = measurement != NULL;
    while (k > 0 && words[k] != NULL && isdigit((unsigned char)words[k][words[k][0] == '-']))
        k++;
    return k;
}

/* model: what follows the command within the measurement's words, or NULL. */
static int measure(const ms_figure_scope *scope, const ms_measurement *measurement, const char *command,
                   const char *model, ms_figure_source *source, ms_error *error)
{
    const char *words = command + strlen(measurement->name) + 1;
    if (measurement->model != NULL && (model == NULL || strcmp(model, measurement->model) != 0))
        return ms_fail(error, MS_INVALID, "%s: model %s is expected", measurement->name, measurement->model);
    source->answer = json_object();
    const int status = source->answer != NULL
                           ? measurement->measure(scope->work->drawing, words, source->answer, error)
                           : MS_OK;
    return status != MS_OK ||
                   (source->answer != NULL && json_object_get(source->answer, MS_MEASURED_IN_PART) == NULL)
               ? status
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
}

int ms_figure_source_run(const ms_figure_scope *scope, const char *command, const char *shown,
                         ms_figure_source *source, ms_error *error)
{
    char *copy = strdup(command), *words[WORDS_MAX] = {NULL};
    MS_TRY_MEMORY_FOR(copy != NULL, error, "the figure");
    const int n = split(copy, words, error);
    int status = n > 0 && words[0] != NULL ? MS_OK : MS_INVALID;
    const ms_measurement *measurement = n > 1 ? ms_measurement_find(words[0]) : NULL;
    const int skipped = words_before(measurement, words);
    if (status == MS_OK && scope->work->dry)
        status = skipped < n ? check_words(n - skipped, words + skipped, error) : MS_OK;
    else if (status == MS_OK && measurement != NULL)
        status =
            measure(scope, measurement, command, skipped < n - 1 ? words[skipped + 1] : NULL, source, error);
    else if (status == MS_OK && strcmp(words[0], "run") == 0)
        status = run_study(scope, command, shown, source, error);
    else if (status == MS_OK)
        status = call_command(scope, n, words, shown, source, error);
    free(copy);
    return status;
}

void ms_figure_source_free(ms_figure_source *source)
{
    json_decref(source->answer);
    for (int k = 0; k < MS_FIGURE_SOURCES; k++)
        ms_figure_table_free(&source->table[k]);
    if (source->study != NULL)
        ms_study_destroy(source->study);
    free(source->study);
    *source = (ms_figure_source){0};
}
