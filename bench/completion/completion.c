/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "completion.h"

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "arguments.h"
#include "figure_registry.h"
#include "templates.h"

/* Names -------------------------------------------------------------------------------------------------- */

static void write_models(FILE *file)
{
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        fprintf(file, " %s", ms_catalogue[k]->name);
}

static void write_schemes(FILE *file)
{
    for (int k = 0; ms_schemes[k] != NULL; k++)
        fprintf(file, " %s", ms_schemes[k]->name);
}

static void write_solvers(FILE *file)
{
    for (int k = 0; ms_solvers[k] != NULL; k++)
        fprintf(file, " %s", ms_solvers[k]->name);
}

static void write_figures(FILE *file)
{
    for (int k = 0; ms_figure_at(k) != NULL; k++)
        fprintf(file, " %s", ms_figure_at(k)->id);
}

/* Functions: what there is for a word -------------------------------------------------------------------- */

static void begin(const char *function, const char *what, FILE *file)
{
    fprintf(file, "\n# %s\n%s()\n{\n    case $1 in\n", what, function);
}

static void end(FILE *file)
{
    fputs("    esac\n}\n", file);
}

static void write_commands(FILE *file)
{
    fputs("\n_macrostep_commands='", file);
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        fprintf(file, "%s ", command->name);
    fputs("help --help --version --completion'\n", file);
}

/* With its alias. */
static void write_option(const ms_option *option, FILE *file)
{
    fprintf(file, "--%s ", option->name);
    if (option->alias != NULL)
        fprintf(file, "--%s ", option->alias);
}

static void write_options_of(const ms_command *command, FILE *file)
{
    fprintf(file, "        %s) echo '", command->name);
    for (int k = 0; k < MS_ARGUMENTS; k++)
        if (ms_argument_taken(command, k))
            fprintf(file, "--%s ", ms_argument_table[k].option.name);
    for (int k = 0; k < MS_OPTIONS; k++)
        if (ms_command_takes_option(command, k))
            write_option(&ms_option_table[k], file);
    fputs("--help' ;;\n", file);
}

static void write_options(FILE *file)
{
    begin("_macrostep_options", "COMMAND: its options", file);
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        write_options_of(command, file);
    end(file);
}

/* What means the first word: @models are models and files of systems. */
static void write_operands(FILE *file)
{
    begin("_macrostep_operands", "COMMAND: what its words are", file);
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        const char *operand = command->operand;
        fprintf(file, "        %s) echo '%s' ;;\n", command->name,
                strcmp(operand, "MODEL") == 0       ? "@models"
                : strcmp(operand, "[MODEL]") == 0   ? "@models"
                : strncmp(operand, "ID", 2) == 0    ? "@figures"
                : strcmp(operand, "[WHAT]") == 0    ? "models schemes solvers studies figures commands"
                : strcmp(operand, "KIND NAME") == 0 ? "model scheme"
                                                    : (operand[0] != '\0' ? "@files" : ""));
    }
    end(file);
}

/* Options whose values are names. */
static const struct {
    const char *option, *words;
    void (*write)(FILE *file); /* NULL: none but those */
} named[] = {{"scheme", "", write_schemes},   {"solver", "", write_solvers},
             {"models", "all", write_models}, {"reference", "finer", write_models},
             {"cases", "all first", NULL},    {"case", "@cases", NULL},
             {"set", "@parameters", NULL}};

static bool write_named(const char *option, FILE *file)
{
    for (int k = 0; k < MS_COUNT(named); k++) {
        if (strcmp(named[k].option, option) != 0)
            continue;
        fprintf(file, "        --%s) echo '%s", option, named[k].words);
        if (named[k].write != NULL)
            named[k].write(file);
        fputs("' ;;\n", file);
        return true;
    }
    return false;
}

static void write_values_of(const ms_option *option, FILE *file)
{
    const char *value = option->value;
    const bool is_file = value != NULL && (strstr(value, "FILE") != NULL || strstr(value, "DIR") != NULL);
    if (write_named(option->name, file) || (!ms_option_has_choices(option) && !is_file))
        return;
    fprintf(file, "        --%s) echo '%s", option->name, is_file ? "@files" : "");
    for (int k = 0; ms_option_has_choices(option) && ms_option_choice_at(option, k) != NULL; k++)
        fprintf(file, " %s", ms_option_choice_at(option, k));
    fputs("' ;;\n", file);
}

static void write_values(FILE *file)
{
    begin("_macrostep_values", "OPTION: its values, where they are names or files", file);
    for (int k = 0; k < MS_ARGUMENTS; k++)
        write_values_of(&ms_argument_table[k].option, file);
    for (int k = 0; k < MS_OPTIONS; k++)
        write_values_of(&ms_option_table[k], file);
    fputs("        --help) echo all ;;\n", file);
    end(file);
}

/* Where its value may be left out, or it takes none; and its alias, which takes none. */
static void write_flag(const ms_option *option, FILE *file)
{
    if (option->kind == MS_KIND_FLAG || (ms_option_has_choices(option) && option->bare >= 0))
        fprintf(file, " --%s", option->name);
    if (option->alias != NULL)
        fprintf(file, " --%s", option->alias);
}

/* Options behind which the next word is no value. */
static void write_flags(FILE *file)
{
    fputs("\n_macrostep_flags=' --help", file);
    for (int k = 0; k < MS_ARGUMENTS; k++)
        write_flag(&ms_argument_table[k].option, file);
    for (int k = 0; k < MS_OPTIONS; k++)
        write_flag(&ms_option_table[k], file);
    fputs(" '\n", file);
}

static void write_model(const ms_model *model, bool cases, FILE *file)
{
    fprintf(file, "        %s) echo '", model->name);
    for (int k = 0; k < model->n_cases && cases; k++)
        fprintf(file, " %s", model->cases[k].name);
    for (int k = 0; k < model->n_parameters && !cases; k++)
        fprintf(file, " %s=", model->parameters[k].name);
    fputs("' ;;\n", file);
}

static void write_of_models(FILE *file)
{
    begin("_macrostep_cases", "MODEL: its cases", file);
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        write_model(ms_catalogue[k], true, file);
    end(file);
    begin("_macrostep_parameters", "MODEL: its parameters", file);
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        write_model(ms_catalogue[k], false, file);
    end(file);
}

static void write_names(FILE *file)
{
    fputs("\n_macrostep_models='", file);
    write_models(file);
    fputs("'\n_macrostep_figures='", file);
    write_figures(file);
    fputs("'\n", file);
}

/* All together ------------------------------------------------------------------------------------------- */

static const char *text_for(const char *shell)
{
    char name[64];
    snprintf(name, sizeof name, "completion.%.20s.in", shell);
    return ms_template(name);
}

int ms_completion_write(const char *shell, FILE *file, ms_error *error)
{
    const char *text = text_for(shell);
    if (text == NULL)
        return ms_fail(error, MS_INVALID, "--completion %s: must be bash or zsh",
                       shell[0] != '\0' ? shell : "''");
    fputs(strcmp(shell, "zsh") == 0 ? "#compdef macrostep\n" : "", file);
    fprintf(file, "# SPDX-License-Identifier: GPL-3.0-or-later\n# Made by macrostep --completion %s.\n",
            shell);
    write_commands(file);
    write_names(file);
    write_flags(file);
    write_options(file);
    write_operands(file);
    write_values(file);
    write_of_models(file);
    fputs(text + strcspn(text, "\n"), file); /* the licence of both is above */
    return MS_OK;
}
