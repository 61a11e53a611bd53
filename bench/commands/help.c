/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - help on commands. inside/help/COMMAND.txt has what a command does, examples, its most needed options
 * ("Options: NAME, NAME, ..") and, after that line, details. The options come from their tables; inside/help/options.txt explains
 * those of commands, "NAME: TEXT"; continuation lines begin with blanks. */
#include <stdlib.h>

#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "commands.h"
#include "templates.h"
#include "text_stream.h"
#include "value_form.h"

static const char *const options_mark = "\nOptions: "; /* the names of the most needed options follow */

enum { NAME_WIDTH = 34, TEXT_WIDTH = 110 };

/* Options of commands, then options of a run, numbered consecutively. */
enum { ROWS = MS_ARGUMENTS + MS_OPTIONS, OF_RUN = MS_ARGUMENTS };

/* First option of each topic. */
static const struct {
    int first;
    const char *title;
} topics[] = {
    {MS_ARGUMENT_SYSTEM, "The model"},
    {MS_ARGUMENT_X, "What is computed"},
    {MS_ARGUMENT_FORMAT, "The answer and other files"},
    {MS_ARGUMENT_PLOT, "The picture"},
    {MS_ARGUMENT_NUM_THREADS, "Threads, cache, parts"},
    {OF_RUN + MS_OPTION_SCHEME, "The scheme"},
    {OF_RUN + MS_OPTION_EXTRAPOLATION_ORDER, "Extrapolation, outputs, smoothing"},
    {OF_RUN + MS_OPTION_BALANCE_ERROR, "Balance errors"},
    {OF_RUN + MS_OPTION_PASSIVITY, "Passivity"},
    {OF_RUN + MS_OPTION_AT_EVENTS, "Events"},
    {OF_RUN + MS_OPTION_FALLBACK, "Negotiated power"},
    {OF_RUN + MS_OPTION_CALIBRATION, "F3ORNITS"},
    {OF_RUN + MS_OPTION_SOLVER_NONLINEAR, "Iterations"},
    {OF_RUN + MS_OPTION_INPUT_DEGREE, "Interface Jacobians"},
    {OF_RUN + MS_OPTION_SAMPLES, "Waveforms"},
    {OF_RUN + MS_OPTION_SUBSTEPS, "Several rates"},
    {OF_RUN + MS_OPTION_DELAY, "Transmission lines"},
    {OF_RUN + MS_OPTION_START, "Start and execution"},
    {OF_RUN + MS_OPTION_STEP_SIZE, "Macro-steps and their control"},
    {OF_RUN + MS_OPTION_SAFETY, "Step control ecco"},
    {OF_RUN + MS_OPTION_SOLVER, "Micro-solvers"},
    {OF_RUN + MS_OPTION_START_TIME, "Times, limits, errors, capabilities"},
};

void ms_help_all(FILE *file)
{
    fputs("macrostep COMMAND [ARGUMENT] [OPTION ..]: benchmark and numerical analysis of co-simulation\n\n",
          file);
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        fprintf(file, "  %-14s %-6s  %s\n", command->name, command->operand, command->summary);
    fputs(
        "\nMODEL: one of macrostep list models, or a file: equations or matrices (.json), .fmu, .ssp, .ssd.\n"
        "macrostep COMMAND --help says more; macrostep demo shows it at work; macrostep --version;\n"
        "macrostep --completion bash|zsh.\n",
        file);
}

static const ms_option *option_at(int row)
{
    return row < OF_RUN ? &ms_argument_table[row].option : &ms_option_table[row - OF_RUN];
}

static bool taken(const ms_command *command, int row)
{
    return row < OF_RUN ? ms_argument_taken(command, row) : ms_command_takes_option(command, row - OF_RUN);
}

/* "--name VALUE" and its text, in lines of at most TEXT_WIDTH. */
static void write_line(const char *name, const char *text, FILE *file)
{
    int at = fprintf(file, "  %-*s", NAME_WIDTH - 3, name);
    const char *separator = " ";
    if (at >= NAME_WIDTH)
        separator = "\n";
    for (const char *word = text; *word != '\0';) {
        const int length = (int)strcspn(word, " ");
        if (separator[0] == '\n' || at + 1 + length > TEXT_WIDTH)
            at = fprintf(file, "\n%*s%.*s", NAME_WIDTH, "", length, word) - 1;
        else
            at += fprintf(file, " %.*s", length, word);
        separator = " ";
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', file);
}

static bool knows(const ms_scheme *scheme, int row)
{
    return option_at(row)->common || ms_scheme_knows(scheme, row - OF_RUN);
}

/* Is the name in the comma-separated list? */
static bool is_listed(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Is it an option of commands, or an option of a run that one of the schemes takes (NULL: any)? */
static bool known(const char *schemes, int row)
{
    bool is = row < OF_RUN || schemes == NULL;
    for (int k = 0; !is && ms_schemes[k] != NULL; k++)
        is = is_listed(ms_schemes[k]->name, schemes) && knows(ms_schemes[k], row);
    return is;
}

/* The line of options.txt that begins with "NAME: ", after that prefix; "" if there is none. */
static const char *line_of(const char *name)
{
    const size_t length = strlen(name);
    const char *line = ms_template("options.txt");
    while (strncmp(line, name, length) != 0 || line[length] != ':') {
        line += strcspn(line, "\n");
        if (*line++ == '\0')
            return "";
    }
    return line + length + 2;
}

/* Writes the meaning of an option; continuation lines are joined by a blank. */
static void write_meaning(int row, FILE *file)
{
    const char *line = row < OF_RUN ? line_of(option_at(row)->name) : option_at(row)->summary;
    for (size_t blanks = 1; blanks > 0; line += blanks) {
        const size_t length = strcspn(line, "\n");
        fprintf(file, "%.*s", (int)length, line);
        line += length + (line[length] != '\0');
        blanks = strspn(line, " ");
        fputs(blanks > 0 ? " " : "", file);
    }
}

/* The meaning of an option and, if `schemes`, the schemes that take it unless all do (of --scheme: their names).
 * To be freed. NULL: no memory. */
static char *describe(int row, bool schemes)
{
    const ms_option *option = option_at(row);
    ms_text_stream text;
    FILE *file = ms_text_open(&text);
    const bool names = row == OF_RUN + MS_OPTION_SCHEME,
               known_by = schemes && row >= OF_RUN && !option->common;
    int knowing = 0;
    if (file != NULL)
        write_meaning(row, file);
    for (int k = 0; file != NULL && (names || known_by) && ms_schemes[k] != NULL; k++)
        if (names || knows(ms_schemes[k], row))
            fprintf(file, "%s%s", knowing++ > 0 ? ", " : names ? ": " : "; schemes: ", ms_schemes[k]->name);
    char *line = ms_text_close(&text);
    if (line != NULL)
        ms_arguments_respell(line);
    return line;
}

static void write_option(int row, bool schemes, FILE *file)
{
    const ms_option *option = option_at(row);
    char name[80 + MS_VALUE_FORM_MAX], form[MS_VALUE_FORM_MAX];
    char *text = describe(row, schemes);
    snprintf(name, sizeof name, "--%s%s", option->name, ms_value_form(option, form));
    write_line(name, text != NULL ? text : "", file);
    free(text);
}

static void write_alias(const ms_option *option, FILE *file)
{
    char name[80], text[128];
    if (option->alias == NULL)
        return;
    snprintf(name, sizeof name, "--%s", option->alias);
    snprintf(text, sizeof text, "the same as --%s %s", option->name, option->alias_value);
    write_line(name, text, file);
}

/* The options of the line "Options: NAME, NAME, ..", whose names begin at `names`; NULL: all. */
static void write_first_options(const ms_command *command, const char *names, FILE *file)
{
    for (int row = 0; names == NULL && row < ROWS; row++)
        if (taken(command, row))
            write_option(row, false, file);
    for (size_t length; names != NULL && *names != '\n'; names += length + strspn(names + length, ", ")) {
        length = strcspn(names, ",\n");
        for (int row = 0; row < ROWS; row++)
            if (taken(command, row) && strlen(option_at(row)->name) == length &&
                strncmp(option_at(row)->name, names, length) == 0)
                write_option(row, false, file);
    }
}

/* The title of the topic that the row belongs to. */
static const char *topic_of(int row)
{
    size_t k = 1;
    while (k < sizeof topics / sizeof *topics && topics[k].first <= row)
        k++;
    return topics[k - 1].title;
}

/* Every option that the command takes; options of a run only if one of the schemes takes them. NULL: all. */
static void write_all_options(const ms_command *command, const char *schemes, FILE *file)
{
    const char *topic = NULL;
    bool run = false;
    for (int row = 0; row < ROWS; row++) {
        if (!taken(command, row) || !known(schemes, row))
            continue;
        if (row >= OF_RUN && !run && schemes != NULL)
            fprintf(file, "\nOptions of a run that %s takes:\n", schemes);
        else if (row >= OF_RUN && !run)
            fputs(
                "\nOptions of a run. Defaults are in brackets; schemes are named where not all take an option:\n",
                file);
        run = row >= OF_RUN;
        if (topic != topic_of(row))
            fprintf(file, "\n%s:\n", topic = topic_of(row));
        write_option(row, schemes == NULL, file);
        write_alias(option_at(row), file);
    }
    if (ms_command_takes_option(command, MS_OPTION_STEP_SIZE) &&
        !ms_argument_taken(command, MS_ARGUMENT_MODELS))
        fputs(
            "\n--step-size 0.1/omega1 is 0.1 over the lowest natural frequency of the model; show has the others.\n",
            file);
    if (command->lists)
        fputs("\nA list a,b,c, from:to:log:count or from:to:lin:count in place of one value sweeps it.\n",
              file);
}

/* Writes what the command does and its examples. Returns the list of its first options, or NULL. */
static const char *write_head(const ms_command *command, FILE *file)
{
    const bool system = ms_argument_taken(command, MS_ARGUMENT_SYSTEM) && command->operand[0] != '\0';
    char name[32];
    snprintf(name, sizeof name, "%s.txt", command->name);
    const char *text = ms_template(name), *names = strstr(text, options_mark);
    fprintf(file, "macrostep %s %s%s%s[OPTION ..]\n\n", command->name, command->operand,
            command->operand[0] != '\0' ? (system ? "|" : " ") : "", system ? "--system FILE " : "");
    fprintf(file, "%.*s", names != NULL ? (int)(names - text) : (int)strlen(text), text);
    return names != NULL ? names + strlen(options_mark) : NULL;
}

json_t *ms_help_row(const ms_command *command)
{
    char name[32], form[MS_VALUE_FORM_MAX];
    json_t *options = json_array();
    for (int row = 0; row < ROWS; row++) {
        const ms_option *option = option_at(row);
        if (!taken(command, row))
            continue;
        char *text = describe(row, true);
        ms_json_append(&options, ms_json_object("name:s value:s summary:s", option->name,
                                                ms_value_form(option, form), text));
        free(text);
    }
    snprintf(name, sizeof name, "%s.txt", command->name);
    const char *text = ms_template(name), *end = strstr(text, options_mark);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s%, s:o}", "kind", "command", "name", command->name,
                     "summary", command->summary, "source", "", "operand", command->operand, "text", text,
                     end != NULL ? (size_t)(end - text) : strlen(text), "options", options);
}

static int count_taken(const ms_command *command)
{
    int n = 0;
    for (int row = 0; row < ROWS; row++)
        n += taken(command, row);
    return n;
}

void ms_help_command(const ms_command *command, FILE *file)
{
    char text[128];
    const char *names = write_head(command, file);
    fputs("\nOptions (defaults in brackets):\n", file);
    write_first_options(command, names, file);
    snprintf(text, sizeof text, "details and all %d options%s", count_taken(command),
             ms_command_takes_scheme(command) ? "; with --scheme NAME those that the scheme takes" : "");
    write_line(names != NULL ? "--help=all" : "--help", names != NULL ? text : "this text", file);
}

/* Is each name of the list a scheme? */
static int check_schemes(const char *list, ms_error *error)
{
    char name[64];
    for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        if (ms_scheme_choose(name, error) == NULL)
            return MS_INVALID;
    }
    return MS_OK;
}

int ms_help_command_all(const ms_command *command, const char *schemes, FILE *file, ms_error *error)
{
    if (!ms_command_takes_scheme(command) || (schemes != NULL && strcmp(schemes, "all") == 0))
        schemes = NULL;
    const int status = schemes != NULL ? check_schemes(schemes, error) : MS_OK;
    if (status != MS_OK)
        return status;
    const char *names = write_head(command, file);
    if (names != NULL)
        fprintf(file, "\n%s", names + strcspn(names, "\n") + 1);
    write_all_options(command, schemes, file);
    fputc('\n', file);
    write_line("--help", "what the command does, and the options needed first", file);
    return MS_OK;
}
