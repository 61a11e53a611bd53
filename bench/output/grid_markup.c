/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_markup.c - a table for LaTeX (booktabs, and siunitx where numbers are to stand by their points) or Markdown. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/status.h>
#include "grid.h"
#include "letters.h"

/* Numbers ------------------------------------------------------------------------------------------------ */

/* The parts of "-1.25e-08": letters of the mantissa, and its power of ten; false where it has none. */
static bool has_power(const char *number, int *mantissa, int *power)
{
    const char *e = strpbrk(number, "eE");
    *mantissa = (int)(e != NULL ? (size_t)(e - number) : strlen(number));
    *power = e != NULL ? atoi(e + 1) : 0;
    return e != NULL;
}

static bool is_unknown(const char *number)
{
    return strcmp(number, "-") == 0;
}

/* $-1.25 \times 10^{-8}$ */
static void write_tex_number(const char *number, FILE *file)
{
    int mantissa, power;
    const bool powers = has_power(number, &mantissa, &power);
    if (is_unknown(number)) {
        fputs("--", file);
        return;
    }
    fprintf(file, "$%.*s", mantissa, number);
    if (powers)
        fprintf(file, " \\times 10^{%d}", power);
    fputc('$', file);
}

/* As siunitx reads it: -1.25e-8. */
static void write_si_number(const char *number, FILE *file)
{
    int mantissa, power;
    const bool powers = has_power(number, &mantissa, &power);
    if (is_unknown(number)) {
        fputs("{--}", file);
        return;
    }
    fprintf(file, "%.*s", mantissa, number);
    if (powers)
        fprintf(file, "e%d", power);
}

/* Most digits before and behind the point, and of the power. */
typedef struct si_format {
    int before, behind, power;
    bool negative, negative_power;
} si_format;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static si_format si_format_of(const json_t *grid, size_t column)
{
    si_format most = {0};
    for (size_t i = 1; i < json_array_size(grid); i++) {
        const char *text = ms_grid_cell(grid, i, column);
        int mantissa, power;
        const bool powers = has_power(text, &mantissa, &power);
        const char *digits = text + (text[0] == '-');
        const int before = (int)strspn(digits, "0123456789"), all = mantissa - (int)(digits - text);
        most.negative = most.negative || (text[0] == '-' && before > 0);
        most.before = larger(most.before, before);
        most.behind = larger(most.behind, all - before - 1);
        most.negative_power = most.negative_power || power < 0;
        most.power = larger(most.power, !powers ? 0 : abs(power) < 10 ? 1 : abs(power) < 100 ? 2 : 3);
    }
    return most;
}

/* S[table-format = -1.5e-2] */
static void write_si_column(const json_t *grid, size_t column, FILE *file)
{
    const si_format f = si_format_of(grid, column);
    fprintf(file, "S[table-format = %s%d.%d", f.negative ? "-" : "", larger(f.before, 1), f.behind);
    if (f.power > 0)
        fprintf(file, "e%s%d", f.negative_power ? "-" : "", f.power);
    fputc(']', file);
}

/* LaTeX -------------------------------------------------------------------------------------------------- */

static void write_tex_text(const char *text, FILE *file)
{
    for (size_t length = 1; *text != '\0'; text += length) {
        const char *as = ms_tex_letter(text, &length);
        if (as != NULL)
            fputs(as, file);
        else
            fwrite(text, 1, length, file);
    }
}

static void write_tex_cell(const char *text, bool numeric, ms_markup markup, FILE *file)
{
    const bool si = numeric && markup == MS_MARKUP_SIUNITX;
    (!numeric ? write_tex_text : si ? write_si_number : write_tex_number)(text, file);
}

/* A heading above numbers of siunitx is a text in braces. */
static void write_tex_heading(const char *text, bool numeric, ms_markup markup, FILE *file)
{
    const bool braces = numeric && markup == MS_MARKUP_SIUNITX;
    fputs(braces ? "{" : "", file);
    write_tex_text(text, file);
    fputs(braces ? "}" : "", file);
}

static void write_tex_row(const json_t *grid, size_t row, const ms_grid_column *column, ms_markup markup,
                          FILE *file)
{
    const char *between = "";
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++) {
        if (column[k].empty)
            continue;
        fputs(between, file);
        (row == 0 ? write_tex_heading : write_tex_cell)(ms_grid_cell(grid, row, k), column[k].numeric, markup,
                                                        file);
        between = " & ";
    }
    fputs(" \\\\\n", file);
}

static void write_tex(const json_t *grid, const ms_grid_column *column, ms_markup markup, FILE *file)
{
    fprintf(file, "%% \\usepackage{booktabs%s}\n\\begin{tabular}{",
            markup == MS_MARKUP_SIUNITX ? ", siunitx" : "");
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++)
        if (!column[k].empty && column[k].numeric && markup == MS_MARKUP_SIUNITX)
            write_si_column(grid, k, file);
        else if (!column[k].empty)
            fputc(column[k].numeric ? 'r' : 'l', file);
    fputs("}\n\\toprule\n", file);
    for (size_t i = 0; i < json_array_size(grid); i++) {
        write_tex_row(grid, i, column, markup, file);
        fputs(i == 0 ? "\\midrule\n" : "", file);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", file);
}

/* Markdown ------------------------------------------------------------------------------------------------- */

static void write_markdown_text(const char *text, FILE *file)
{
    for (; *text != '\0'; text++) {
        if (strchr("|*_`\\<[", *text) != NULL)
            fputc('\\', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
}

static void write_markdown_row(const json_t *grid, size_t row, const ms_grid_column *column, FILE *file)
{
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++) {
        if (column[k].empty)
            continue;
        fputs("| ", file);
        write_markdown_text(ms_grid_cell(grid, row, k), file);
        fputc(' ', file);
    }
    fputs("|\n", file);
}

static void write_markdown(const json_t *grid, const ms_grid_column *column, FILE *file)
{
    write_markdown_row(grid, 0, column, file);
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++)
        if (!column[k].empty)
            fputs(column[k].numeric ? "|---:" : "|---", file);
    fputs("|\n", file);
    for (size_t i = 1; i < json_array_size(grid); i++)
        write_markdown_row(grid, i, column, file);
}

int ms_grid_marked_up(const json_t *grid, ms_markup markup, FILE *file)
{
    ms_grid_column *column = ms_grid_measure(grid);
    MS_TRY_MEMORY(column);
    if (markup == MS_MARKUP_MARKDOWN)
        write_markdown(grid, column, file);
    else
        write_tex(grid, column, markup, file);
    free(column);
    return MS_OK;
}
