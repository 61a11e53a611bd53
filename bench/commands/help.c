/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "commands.h"
#include "text_stream.h"
#include "value_form.h"

enum { NAME_WIDTH = 34, TEXT_WIDTH = 110 };

void ms_help_all(FILE *file)
{
    fputs("macrostep COMMAND [ARGUMENT] [OPTION ..]: benchmark and numerical analysis of co-simulation\n\n",
          file);
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        fprintf(file, "  %-9s %-6s  %s\n", command->name, command->operand, command->summary);
    fputs("\nmacrostep COMMAND --help says more; macrostep --version; macrostep --completion bash|zsh.\n",
          file);
}

/* "--name VALUE", and the text behind it, in lines of at most TEXT_WIDTH. */
static void write_option(const char *name, const char *text, FILE *file)
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

/* The summary, and "(jacobi, balance)", the schemes that know an option of a run, unless all do; to be freed. NULL: no memory. */
static char *describe(const ms_option *option)
{
    ms_text_stream text;
    FILE *file = ms_text_open(&text);
    const int id = ms_option_find(option->name);
    int knowing = 0;
    if (file != NULL)
        fputs(option->summary, file);
    for (int k = 0; file != NULL && !option->common && id >= 0 && ms_schemes[k] != NULL; k++)
        if (ms_scheme_knows(ms_schemes[k], id))
            fprintf(file, "%s%s", knowing++ > 0 ? ", " : " (", ms_schemes[k]->name);
    if (knowing > 0)
        fputc(')', file);
    return ms_text_close(&text);
}

/* "--name VALUE", and the text behind it. */
static void write_named(const ms_option *option, const char *text, FILE *file)
{
    char name[80 + MS_VALUE_FORM_MAX], form[MS_VALUE_FORM_MAX];
    snprintf(name, sizeof name, "--%s%s", option->name, ms_value_form(option, form));
    write_option(name, text, file);
}

static void write_alias(const ms_option *option, FILE *file)
{
    char name[80], text[128];
    snprintf(name, sizeof name, "--%s", option->alias);
    snprintf(text, sizeof text, "stands for --%s %s", option->name, option->alias_value);
    write_option(name, text, file);
}

static void write_run_options(const ms_command *command, FILE *file)
{
    const bool all = ms_command_takes_scheme(command);
    fputs("\nOptions of a run", file);
    fputs(!all ? ":\n"
               : " (where not all schemes know one, those that do are named; "
                 "other schemes refuse it):\n",
          file);
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option *option = &ms_option_table[k];
        if (!ms_command_takes_option(command, k))
            continue;
        char *text = describe(option);
        write_named(option, text != NULL ? text : option->summary, file);
        free(text);
        if (option->alias != NULL)
            write_alias(option, file);
    }
    if (command->lists)
        fputs("\nWhere one value stands, a list a,b,c or from:to:log:count or from:to:lin:count sweeps it.\n",
              file);
}

void ms_help_command(const ms_command *command, FILE *file)
{
    const bool system = (command->takes & MS_TAKES(SYSTEM)) != 0 && command->operand[0] != '\0';
    fprintf(file, "macrostep %s %s%s%s[OPTION ..]: %s\n", command->name, command->operand,
            command->operand[0] != '\0' ? (system ? "|" : " ") : "", system ? "--system FILE " : "",
            command->summary);
    fprintf(file, "%s%s\nOptions:\n", command->help[0] != '\0' ? "\n" : "", command->help);
    for (int k = 0; k < MS_ARGUMENTS; k++)
        if (ms_argument_taken(command, k))
            write_named(&ms_argument_table[k].option, ms_argument_table[k].option.summary, file);
    write_option("--help", "this text", file);
    if (command->options != NULL)
        write_run_options(command, file);
}
