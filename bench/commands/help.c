/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "scheme_registry.h"

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

/* "  (jacobi, balance)": the schemes that know an option, unless all do. */
static void write_schemes(const ms_option *option, char *text, size_t size)
{
    const int id = ms_option_find(option->name);
    int knowing = 0;
    text[0] = '\0';
    if (option->common || id < 0)
        return;
    for (int k = 0; ms_schemes[k] != NULL; k++) {
        if (!ms_scheme_knows(ms_schemes[k], id))
            continue;
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", knowing++ > 0 ? ", " : " (", ms_schemes[k]->name);
    }
    if (knowing > 0)
        snprintf(text + strlen(text), size - strlen(text), ")");
}

/* What stands for the value: the choices, a range, or a word. */
static void write_value(const ms_option *option, char *text, size_t size)
{
    const bool optional = ms_option_has_choices(option) && option->bare >= 0;
    text[0] = '\0';
    for (int k = 0; ms_option_has_choices(option) && ms_option_choice_at(option, k) != NULL; k++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 k > 0      ? "|"
                 : optional ? "[="
                            : " ",
                 ms_option_choice_at(option, k));
    }
    const size_t length = strlen(text);
    if (ms_option_has_choices(option))
        snprintf(text + length, size - length, "%s", optional ? "]" : "");
    else if (option->kind == MS_KIND_INTEGER)
        snprintf(text, size, " %g..%g", option->min, option->max);
    else
        snprintf(text, size, "%s",
                 option->kind == MS_KIND_REAL         ? " X"
                 : strcmp(option->name, "order") == 0 ? " NAME,NAME,.."
                 : option->kind == MS_KIND_LIST       ? " SPEC"
                                                      : " NAME");
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
        char name[128], value[96], schemes[160], text[512];
        write_value(option, value, sizeof value);
        write_schemes(option, schemes, sizeof schemes);
        snprintf(name, sizeof name, "--%s%s", option->name, value);
        snprintf(text, sizeof text, "%s%s", option->summary, schemes);
        write_option(name, text, file);
        if (k == MS_OPTION_OUTPUTS)
            write_option("--linear-correction", "stands for --outputs corrected", file);
    }
    if (!all)
        return;
    fputs("\nWhere one value stands, a list a,b,c or from:to:log:count or from:to:lin:count sweeps it "
          "(compare and\n"
          "sweep; converge for --step-size).\n",
          file);
}

void ms_help_command(const ms_command *command, FILE *file)
{
    const bool system = (command->takes & MS_TAKES(SYSTEM)) != 0 && command->operand[0] != '\0';
    fprintf(file, "macrostep %s %s%s%s[OPTION ..]: %s\n", command->name, command->operand,
            command->operand[0] != '\0' ? (system ? "|" : " ") : "", system ? "--system FILE " : "",
            command->summary);
    fprintf(file, "%s%s\nOptions:\n", command->help[0] != '\0' ? "\n" : "", command->help);
    for (int k = 0; k < MS_ARGUMENTS; k++) {
        char name[96];
        const ms_argument_row *row = &ms_argument_table[k];
        if (!ms_argument_taken(command, k))
            continue;
        snprintf(name, sizeof name, "--%s%s%s", row->option.name, row->value != NULL ? " " : "",
                 row->value != NULL ? row->value : "");
        write_option(name, row->option.summary, file);
    }
    write_option("--help", "this text", file);
    if (command->options != NULL)
        write_run_options(command, file);
}
