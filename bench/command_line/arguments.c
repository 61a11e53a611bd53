/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <macrostep/extension.h>
#include <macrostep/series_read.h>
#include "arguments_parts.h"
#include "nearest.h"
#include "value_form.h"

/* Errors ------------------------------------------------------------------------------------------------- */

static int find_argument(const char *name)
{
    for (int k = 0; k < MS_ARGUMENTS; k++)
        if (strcmp(ms_argument_table[k].option.name, name) == 0)
            return k;
    return -1;
}

/* Of a run, by its name or its alias. */
static int find_option(const char *name)
{
    const int alias = ms_option_find_alias(name);
    return alias >= 0 ? alias : ms_option_find(name);
}

static bool is_option(const char *name)
{
    return find_argument(name) >= 0 || find_option(name) >= 0;
}

void ms_arguments_respell(char *line)
{
    for (char *quote = strchr(line, '`'); quote != NULL;) {
        char name[64] = "";
        const size_t length = strspn(quote + 1, "abcdefghijklmnopqrstuvwxyz_-");
        if (length < sizeof name && quote[length + 1] == '`')
            for (size_t k = 0; k < length; k++)
                name[k] = quote[k + 1] == '_' ? '-' : quote[k + 1];
        if (is_option(name)) {
            quote[0] = quote[1] = '-';
            for (size_t k = 0; k < length; k++)
                quote[k + 2] = name[k];
        }
        quote = strchr(quote + length + 1, '`');
    }
}

/* Of the names the one that means the same, else the first that the word begins, else the nearest. */
static const char *likely(const char *word, const char *const *names, int n)
{
    const char *synonym = ms_synonym(word, names, n);
    if (synonym != NULL)
        return synonym;
    for (int k = 0; k < n && word[0] != '\0'; k++)
        if (strncmp(names[k], word, strlen(word)) == 0)
            return names[k];
    return ms_nearest(word, names, n);
}

static int unknown_option(const ms_command *command, const char *name, ms_error *error)
{
    const char *names[MS_ARGUMENTS + 2 * MS_OPTIONS + 1];
    int n = 0;
    for (int k = 0; k < MS_ARGUMENTS; k++)
        if (ms_argument_taken(command, k))
            names[n++] = ms_argument_table[k].option.name;
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option *option = &ms_option_table[k];
        if (!ms_command_takes_option(command, k))
            continue;
        names[n++] = option->name;
        if (option->alias != NULL)
            names[n++] = option->alias;
    }
    names[n++] = "help";
    if (ms_command_takes_scheme(command) && find_option(name) >= 0)
        return ms_fail(error, MS_INVALID,
                       "--%s: not an option of this command (macrostep %s --help=all lists all)", name,
                       command->name);
    const bool exists = is_option(name);
    return ms_fail(error, MS_INVALID, "%s--%s%s; did you mean --%s? (macrostep %s --help=all lists all)",
                   exists ? "" : "unknown option ", name, exists ? ": not an option of this command" : "",
                   likely(name, names, n), command->name);
}

static int given_twice(const char *name, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "--%s: given twice", name);
}

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the command line");
}

/* Options ------------------------------------------------------------------------------------------------ */

/* "MEMBER=TEXT". */
static int read_label(ms_arguments *arguments, const char *text, ms_error *error)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return ms_fail(error, MS_INVALID, "--label %s: must be MEMBER=TEXT, as jacobi=parallel", text);
    if (arguments->n_labels == MS_LABELS_MAX)
        return ms_fail(error, MS_INVALID, "--label %s: more than %d labels", text, MS_LABELS_MAX);
    arguments->label[arguments->n_labels++] = text;
    return MS_OK;
}

static int read_argument(ms_arguments *arguments, int k, const char *value, ms_error *error)
{
    const ms_argument_row *row = &ms_argument_table[k];
    const ms_option *option = &row->option;
    void *member = (char *)arguments + option->offset;
    if (arguments->text[k] != NULL && !row->repeatable)
        return given_twice(option->name, error);
    char form[MS_VALUE_FORM_MAX];
    if (value == NULL && ms_value_may_lack(option))
        value = ms_option_choice_at(option, option->bare);
    if (option->kind != MS_KIND_FLAG && (value == NULL || (value[0] == '\0' && k != MS_ARGUMENT_SET)))
        return ms_fail(error, MS_INVALID, "--%s: a value is missing: --%s%s", option->name, option->name,
                       ms_value_form(option, form));
    arguments->text[k] = value != NULL ? value : option->name;
    switch (option->kind) {
    case MS_KIND_LIST:
        return (k == MS_ARGUMENT_LABEL ? read_label : ms_arguments_read_settings)(arguments, value, error);
    case MS_KIND_PAIRS:
        return ms_pairs_create(option->name, value, member, error);
    case MS_KIND_RANGE:
        return ms_range_create(option->name, value, member, error);
    case MS_KIND_SHARD:
        return ms_shard_read(value, member, error);
    case MS_KIND_LENGTH:
        return ms_length_read(option->name, value, option->min, option->max, member, error);
    default:
        return ms_option_read(option, value, arguments, error);
    }
}

/* --step-size 0, the limit, which commands that show a propagation matrix take. */
static bool is_limit(const ms_arguments *arguments, ms_option_id option, const char *value)
{
    double number;
    return option == MS_OPTION_STEP_SIZE && ms_argument_taken(arguments->command, MS_ARGUMENT_MATRIX) &&
           value != NULL && ms_option_number(value, &number) && number == 0.0;
}

static int read_option(ms_arguments *arguments, int k, const char *name, const char *value, ms_error *error)
{
    const ms_option *option = &ms_option_table[k];
    if (arguments->options.given[k] && arguments->options.set_by[k] == MS_SET_BY_NO_OTHER &&
        option->kind != MS_KIND_LIST)
        return given_twice(option->name, error);
    if (value != NULL && value[0] == '\0')
        return ms_fail(error, MS_INVALID, "--%s: a value is missing", name);
    const bool numeric = option->kind == MS_KIND_INTEGER || option->kind == MS_KIND_REAL;
    if (ms_option_find_alias(name) < 0 && value != NULL && ms_axis_fits(option) &&
        ms_axis_is_list(value, numeric)) {
        char what[72];
        snprintf(what, sizeof what, "--%s", name);
        return ms_arguments_add_list(arguments, what, option->name, value, -1, error);
    }
    if (k == MS_OPTION_SCHEME && value != NULL && strcmp(value, "all") == 0)
        return ms_arguments_add_all_schemes(arguments, error);
    if (is_limit(arguments, (ms_option_id)k, value)) {
        arguments->options.step_size = 0.0;
        arguments->options.given[k] = true;
        return MS_OK;
    }
    return ms_options_set(&arguments->options, name, value, error);
}

/* Is every word of the comma list one of the option's choices? */
static bool is_choice(const ms_option *option, const char *text)
{
    for (const char *word = text; word != NULL;) {
        const size_t length = strcspn(word, ",");
        if (ms_option_choice_index(option, word, length) < 0)
            return false;
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return true;
}

/* Does the option take the next word as its value? One with an optional value takes what can only be that. */
static bool takes_next(const ms_arguments *arguments, int argument, const char *name, const char *next)
{
    if (next == NULL || strncmp(next, "--", 2) == 0 || ms_option_find_alias(name) >= 0)
        return false;
    const ms_option *option =
        argument >= 0 ? &ms_argument_table[argument].option : &ms_option_table[ms_option_find(name)];
    if (!ms_value_may_lack(option))
        return option->kind != MS_KIND_FLAG;
    return is_choice(option, next) ||
           (argument < 0 && (arguments->operand != NULL || arguments->text[MS_ARGUMENT_SYSTEM] != NULL));
}

/* Reads the option argv[*i] and its value, and leaves *i on the last word that belongs to it. */
static int read_word(int argc, char **argv, int *i, ms_arguments *arguments, ms_error *error)
{
    char name[64];
    const char *word = argv[*i] + 2, *value = strchr(word, '=');
    const size_t length = value != NULL ? (size_t)(value - word) : strlen(word);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
    const int argument = find_argument(name), option = find_option(name);
    const bool known = argument >= 0 ? ms_argument_taken(arguments->command, argument)
                                     : option >= 0 && ms_command_takes_option(arguments->command, option);
    if (!known)
        return unknown_option(arguments->command, name, error);
    if (value != NULL)
        value++;
    else if (takes_next(arguments, argument, name, *i + 1 < argc ? argv[*i + 1] : NULL))
        value = argv[++*i];
    return argument >= 0 ? read_argument(arguments, argument, value, error)
                         : read_option(arguments, option, name, value, error);
}

/* Tables for a page are tables that are written otherwise. */
static int take_markup(ms_arguments *arguments, ms_error *error)
{
    const int format = (int)arguments->format;
    if (format > MS_FORMAT_JSONL) {
        arguments->markup = (ms_markup)(format - MS_FORMAT_JSONL);
        arguments->format = MS_FORMAT_TABLE;
    }
    if (arguments->text[MS_ARGUMENT_COLUMNS] != NULL && arguments->format != MS_FORMAT_TABLE &&
        arguments->format != MS_FORMAT_CSV)
        return ms_fail(error, MS_INVALID, "--columns %s: applies only to tables and csv; %s has all members",
                       arguments->text[MS_ARGUMENT_COLUMNS], arguments->text[MS_ARGUMENT_FORMAT]);
    return arguments->digits == 0 || arguments->format == MS_FORMAT_TABLE
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--digits %d: applies only to tables; %s has all digits",
                         arguments->digits, arguments->text[MS_ARGUMENT_FORMAT]);
}

static int allocate(int argc, char **argv, ms_arguments *arguments, ms_error *error)
{
    static const char program[] = "macrostep";
    size_t length = sizeof program, n = (size_t)argc + 1;
    for (int i = 0; i < argc; i++) {
        length += 4 * strlen(argv[i]) + 3;
        for (const char *c = argv[i]; *c != '\0'; c++)
            n += *c == ',';
    }
    arguments->settings = calloc(n, sizeof *arguments->settings);
    arguments->setting_text = calloc(n, sizeof *arguments->setting_text);
    arguments->distributions = calloc(n, sizeof *arguments->distributions);
    arguments->axes = calloc(n, sizeof *arguments->axes);
    arguments->operands = calloc(n, sizeof *arguments->operands);
    arguments->line = calloc(length, 1);
    MS_TRY_MEMORY_OR(arguments->settings != NULL && arguments->setting_text != NULL &&
                         arguments->distributions != NULL && arguments->axes != NULL &&
                         arguments->operands != NULL && arguments->line != NULL,
                     no_memory(error));
    memcpy(arguments->line, program, sizeof program);
    ms_arguments_append_word(arguments->line, argv[0]);
    return MS_OK;
}

const char *ms_arguments_directory(const ms_arguments *arguments)
{
    const char *directory = arguments->text[MS_ARGUMENT_DIRECTORY];
    return directory != NULL ? directory : "results";
}

int ms_arguments_threads(const ms_arguments *arguments)
{
    return arguments->num_threads > 0 ? arguments->num_threads : omp_get_max_threads();
}

static bool has_ranks(const ms_command *command)
{
    return command->ranks;
}

/* --num-threads where it is that of a run, and whether the command can have ranks work for it. */
static int read_execution(ms_arguments *arguments, ms_error *error)
{
    const ms_command *command = arguments->command;
    ms_options *o = &arguments->options;
    char commands[256];
    if (o->execution == MS_EXECUTION_MPI && !command->ranks)
        return ms_fail(error, MS_INVALID, "--execution mpi applies only to %s; %s takes serial or parallel",
                       ms_command_names(has_ranks, commands, sizeof commands), command->name);
    if (arguments->num_threads == 0 || command->threaded)
        return MS_OK;
    o->num_threads = arguments->num_threads;
    if (o->execution != MS_EXECUTION_PARALLEL)
        return ms_fail(error, MS_INVALID, "--num-threads %d: requires --execution parallel", o->num_threads);
    return MS_OK;
}

static int unexpected(const ms_command *command, const char *word, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "unexpected word %s; the call is macrostep %s %s%s[OPTION ..]",
                   word[0] != '\0' ? word : "''", command->name, command->operand,
                   command->operand[0] != '\0' ? " " : "");
}

/* As many words as the command's operand has, or any number where it ends with dots. */
static int read_operand(ms_arguments *arguments, char *word, ms_error *error)
{
    const ms_command *command = arguments->command;
    const bool any = strstr(command->operand, "..") != NULL;
    const int most = (command->operand[0] != '\0') + (strchr(command->operand, ' ') != NULL);
    if (word[0] == '\0' || (!any && arguments->n_operands >= most))
        return unexpected(command, word, error);
    arguments->operands[arguments->n_operands++] = word;
    arguments->operand = arguments->operands[0];
    return MS_OK;
}

int ms_arguments_load(const char *list, ms_error *error)
{
    int status = MS_OK;
    while (list != NULL && status == MS_OK) {
        char path[PATH_MAX];
        const char *comma = strchr(list, ',');
        const size_t length = comma != NULL ? (size_t)(comma - list) : strlen(list);
        if (length == 0 || length >= sizeof path)
            return ms_fail(error, MS_INVALID,
                           "--load: the name of a shared object is expected, FILE.so[,FILE.so ..]");
        snprintf(path, sizeof path, "%.*s", (int)length, list);
        status = ms_extension_open(path, error);
        list = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

/* Of a command that takes files and a model: words that end in .csv are the files, and stay the operands; the other one is
 * the model. */
static int take_results(ms_arguments *arguments, ms_error *error)
{
    const ms_command *command = arguments->command;
    const int n = arguments->n_operands;
    if (strstr(command->operand, "..") == NULL || !ms_argument_taken(command, MS_ARGUMENT_SYSTEM))
        return MS_OK;
    arguments->operand = NULL;
    arguments->n_operands = 0;
    for (int k = 0; k < n && arguments->operands[k] != NULL; k++) {
        char *word = arguments->operands[k];
        if (ms_arguments_ends_with(word, ".csv"))
            arguments->operands[arguments->n_operands++] = word;
        else if (arguments->operand == NULL)
            arguments->operand = word;
        else
            return ms_fail(error, MS_INVALID,
                           "unexpected word %s; the call is macrostep %s %s [OPTION ..], and %s is the model",
                           word[0] != '\0' ? word : "''", command->name, command->operand,
                           arguments->operand);
    }
    return MS_OK;
}

static bool is_system_file(const char *word)
{
    static const char *const endings[] = {".json", ".fmu", ".ssd", ".ssp"};
    bool is = false;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        is = is || ms_arguments_ends_with(word, endings[k]);
    return is;
}

/* A word that ends like a system file is taken as one in place of a model's name. */
static void take_system_file(ms_arguments *arguments)
{
    const char *word = arguments->operand;
    if (!ms_argument_taken(arguments->command, MS_ARGUMENT_SYSTEM) ||
        arguments->text[MS_ARGUMENT_SYSTEM] != NULL || word == NULL || !is_system_file(word))
        return;
    arguments->text[MS_ARGUMENT_SYSTEM] = word;
    arguments->operand = NULL;
}

/* A word of a command that runs many models is the name of one. */
static int take_model(ms_arguments *arguments, ms_error *error)
{
    const char *word = arguments->operand;
    if (word == NULL || !ms_argument_taken(arguments->command, MS_ARGUMENT_MODELS))
        return MS_OK;
    for (int k = 0; k < 2; k++) {
        const ms_argument other = k == 0 ? MS_ARGUMENT_MODELS : MS_ARGUMENT_SYSTEM;
        if (arguments->text[other] != NULL)
            return ms_fail(error, MS_INVALID, "%s and --%s %s: leave one of them out", word,
                           ms_argument_table[other].option.name, arguments->text[other]);
    }
    arguments->text[MS_ARGUMENT_MODELS] = word;
    arguments->operand = NULL;
    return MS_OK;
}

static bool is_of_fmus(const char *file)
{
    return file != NULL && (ms_arguments_ends_with(file, ".fmu") || ms_arguments_ends_with(file, ".ssp") ||
                            ms_arguments_ends_with(file, ".ssd"));
}

/* Built-in models have no FMUs, and units that fit. */
static int check_files_given(const ms_arguments *arguments, ms_error *error)
{
    const char *const *text = arguments->text;
    const bool files = text[MS_ARGUMENT_SYSTEM] != NULL || text[MS_ARGUMENT_REFERENCE] != NULL;
    if (text[MS_ARGUMENT_PROBE] != NULL && !files)
        return ms_fail(error, MS_INVALID,
                       "--probe applies only to FMUs, and no file is given that is or contains one");
    if (text[MS_ARGUMENT_UNITS] != NULL && !files)
        return ms_fail(error, MS_INVALID, "--units applies only to system files, and none is given");
    if (text[MS_ARGUMENT_KIND] != NULL && !is_of_fmus(text[MS_ARGUMENT_SYSTEM]))
        return ms_fail(
            error, MS_INVALID,
            "--kind applies only to FILE.fmu, FILE.ssp and FILE.ssd, and none is given; in a system "
            "file a subsystem has a member \"kind\" beside its \"fmu\"");
    return MS_OK;
}

static int check_reference_given(const ms_arguments *arguments, ms_error *error)
{
    return arguments->reference == NULL || arguments->options.errors != MS_AGAINST_NONE
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--reference %s: requires --errors reference",
                         arguments->text[MS_ARGUMENT_REFERENCE]);
}

int ms_arguments_read(int argc, char **argv, ms_arguments *arguments, ms_error *error)
{
    return ms_arguments_read_with(argc, argv, &(ms_outline_check){0}, arguments, error);
}

int ms_arguments_read_with(int argc, char **argv, const ms_outline_check *of_command, ms_arguments *arguments,
                           ms_error *error)
{
    *arguments = ms_arguments_default;
    arguments->of_command = *of_command;
    arguments->command = ms_command_find(argv[0]);
    ms_options_default(&arguments->options);
    int status = allocate(argc, argv, arguments, error);
    for (int i = 1; i < argc && status == MS_OK; i++) {
        const int first = i;
        if (strncmp(argv[i], "--", 2) == 0 && argv[i][2] != '\0')
            status = read_word(argc, argv, &i, arguments, error);
        else if (argv[i][0] == '-')
            status = ms_fail(error, MS_INVALID,
                             "%s: options begin with two dashes; macrostep %s --help lists them", argv[i],
                             argv[0]);
        else
            status = read_operand(arguments, argv[i], error);
        if (status == MS_OK)
            ms_arguments_append(arguments->line, argv, first, i);
    }
    MS_THEN(status, take_results(arguments, error));
    MS_THEN(status, take_markup(arguments, error));
    take_system_file(arguments);
    MS_THEN(status, take_model(arguments, error));
    MS_THEN(status, ms_arguments_load(arguments->text[MS_ARGUMENT_LOAD], error));
    MS_THEN(status, ms_arguments_fill_all_schemes(arguments, error));
    MS_THEN(status, ms_arguments_check_schemes(arguments, error));
    if (status == MS_OK && arguments->text[MS_ARGUMENT_INPUTS] != NULL)
        status = ms_series_read_inputs(arguments->text[MS_ARGUMENT_INPUTS], &arguments->inputs, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_REFERENCE] != NULL) {
        arguments->reference = calloc(1, sizeof *arguments->reference);
        status = arguments->reference != NULL ? MS_OK : no_memory(error);
    }
    MS_THEN(status, check_reference_given(arguments, error));
    MS_THEN(status, ms_arguments_read_defaults(arguments, error));
    MS_THEN(status, read_execution(arguments, error));
    if (status == MS_OK && !arguments->command->lists)
        status = ms_arguments_refuse_lists(arguments, error);
    MS_THEN(status, ms_arguments_check_sample(arguments, error));
    MS_THEN(status, ms_arguments_check_files(arguments, error));
    MS_THEN(status, check_files_given(arguments, error));
    MS_THEN(status, check_reference_given(arguments, error));
    if (status == MS_OK && arguments->text[MS_ARGUMENT_SYSTEM] == NULL)
        status = ms_arguments_read_reference(arguments, NULL, error);
    return status;
}

void ms_arguments_destroy(ms_arguments *arguments)
{
    for (int i = 0; i < arguments->n_settings; i++)
        free(arguments->setting_text[i]);
    for (int i = 0; i < arguments->n_axes; i++)
        ms_axis_destroy(&arguments->axes[i]);
    for (int k = 0; k < 2; k++)
        ms_range_destroy(&arguments->range[k]);
    ms_pairs_destroy(&arguments->state);
    ms_pairs_destroy(&arguments->parameters);
    ms_pairs_destroy(&arguments->sigma);
    MS_FREE(arguments->settings, arguments->setting_text, arguments->distributions, arguments->axes,
            arguments->operands, arguments->line);
    ms_series_destroy(&arguments->inputs);
    if (arguments->reference != NULL) {
        ms_series_destroy(&arguments->reference->series);
        ms_model_destroy(&arguments->reference->model);
    }
    free(arguments->reference);
    ms_model_destroy(&arguments->system_model);
    *arguments = (ms_arguments){0};
}
