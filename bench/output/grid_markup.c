/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_markup.c - a table for LaTeX (booktabs, and siunitx where numbers are to stand by their points) or Markdown. */
#include <string.h>

#include <macrostep/status.h>
#include "grid.h"
#include "letters.h"
#include "rounded.h"

/* Numbers ------------------------------------------------------------------------------------------------ */

/* The parts of "-1.25e-08": letters of the mantissa, and its power of ten; false where it has none. */
static bool has_power(const char *number, int *mantissa, int *power)
{
    const char *e = strpbrk(number, "eE");
    *mantissa = (int)(e != NULL ? (size_t)(e - number) : strlen(number));
    *power = e != NULL ? atoi(e + 1) : 0;
    return e != NULL;
}

/* "0.0125" as "1.25e-02", so that a column has one notation; what has a power, and 0, as it is. */
static const char *with_power(const char *number, char text[MS_ROUNDED_SIZE])
{
    const char *sign = number[0] == '-' ? "-" : "", *digits = number + strlen(sign),
               *first = digits + strspn(digits, "0."), *point = strchr(digits, '.');
    size_t n = 0, kept = 0;
    char only[MS_ROUNDED_SIZE] = "";
    if (strpbrk(number, "eE") != NULL || first[0] == '\0' || strspn(digits, "0123456789.") < strlen(digits) ||
        strlen(number) > MS_ROUNDED_SIZE / 2)
        return number;
    const ptrdiff_t before = (point != NULL ? point : digits + strlen(digits)) - first;
    for (const char *c = first; *c != '\0'; c++)
        if (*c != '.') {
            only[n++] = *c;
            kept = *c != '0' || point != NULL ? n : kept; /* zeros behind a point are known */
        }
    snprintf(text, MS_ROUNDED_SIZE, "%s%c%s%.*se%+03d", sign, only[0], kept > 1 ? "." : "", (int)kept - 1,
             only + 1, (int)(before > 0 ? before - 1 : before));
    return text;
}

/* A cell as it is written: where one number of its column has a power of ten all have. */
static const char *cell_of(const json_t *grid, size_t row, size_t k, const ms_grid_column *column,
                           char text[MS_ROUNDED_SIZE])
{
    const char *cell = ms_grid_cell(grid, row, k);
    return row > 0 && column[k].powers ? with_power(cell, text) : cell;
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

static si_format si_format_of(const json_t *grid, size_t k, const ms_grid_column *column)
{
    si_format most = {0};
    for (size_t i = 1; i < json_array_size(grid); i++) {
        char cell[MS_ROUNDED_SIZE];
        const char *text = cell_of(grid, i, k, column, cell);
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
static void write_si_column(const json_t *grid, size_t k, const ms_grid_column *column, FILE *file)
{
    const si_format f = si_format_of(grid, k, column);
    fprintf(file, "S[table-format = %s%d.%d", f.negative ? "-" : "", larger(f.before, 1), f.behind);
    if (f.power > 0)
        fprintf(file, "e%s%d", f.negative_power ? "-" : "", f.power);
    fputc(']', file);
}

/* LaTeX -------------------------------------------------------------------------------------------------- */

static void write_tex_text(const char *text, FILE *file)
{
    if (is_unknown(text)) {
        fputs("--", file);
        return;
    }
    for (size_t length = 1; *text != '\0'; text += length) {
        const char *as = ms_tex_letter(text, &length);
        if (strncmp(text, "--", 2) == 0)
            as = "-{}"; /* and another one, which make no dash */
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

/* A column is part of the table unless it is empty or the same in all rows. */
static bool is_shown(const ms_grid_column *column)
{
    return !column->empty && !column->same;
}

static void write_tex_row(const json_t *grid, size_t row, const ms_grid_column *column, bool begins,
                          ms_markup markup, FILE *file)
{
    const char *between = "";
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++) {
        char text[MS_ROUNDED_SIZE];
        if (!is_shown(&column[k]))
            continue;
        fputs(between, file);
        if (row == 0)
            write_tex_heading(ms_grid_cell(grid, row, k), column[k].numeric, markup, file);
        else if (row == 1 || begins || !column[k].once)
            write_tex_cell(cell_of(grid, row, k, column, text), column[k].numeric, markup, file);
        between = " & ";
    }
    fputs(" \\\\\n", file);
}

/* Columns that say the same in all rows, in lines no wider than the others. */
static void write_tex_same(const json_t *grid, const ms_grid_column *column, FILE *file)
{
    const size_t columns = json_array_size(json_array_get(grid, 0));
    size_t shown = 0, room = 0, used = 0;
    for (size_t k = 0; k < columns; k++)
        if (is_shown(&column[k])) {
            shown++;
            room += column[k].width + 2;
        }
    for (size_t k = 0; k < columns; k++) {
        const char *title = ms_grid_cell(grid, 0, k), *text = ms_grid_cell(grid, 1, k);
        const size_t width = strlen(title) + strlen(text) + 3;
        if (!column[k].same)
            continue;
        const bool ends = used > 0 && used + width > room;
        fputs(ends ? "} \\\\\n" : used > 0 ? ", " : "", file);
        if (ends || used == 0)
            fprintf(file, "\\multicolumn{%zu}{@{}l@{}}{", shown);
        write_tex_text(title, file);
        fputc(' ', file);
        (column[k].numeric ? write_tex_number : write_tex_text)(text, file);
        used = ends ? width : used + width;
    }
    fputs(used > 0 ? "} \\\\\n\\midrule\n" : "", file);
}

enum { LONG = 60 }; /* letters of a column whose texts are broken */

static void write_tex(const json_t *grid, const ms_grid_column *column, const bool *begins, ms_markup markup,
                      FILE *file)
{
    fprintf(file, "%% \\usepackage{booktabs%s}\n\\begin{tabular}{@{}",
            markup == MS_MARKUP_SIUNITX ? ", siunitx" : "");
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++)
        if (is_shown(&column[k]) && column[k].numeric && markup == MS_MARKUP_SIUNITX)
            write_si_column(grid, k, column, file);
        else if (is_shown(&column[k]) && column[k].width > LONG)
            fputs("p{0.4\\linewidth}", file);
        else if (is_shown(&column[k]))
            fputc(column[k].numeric ? 'r' : 'l', file);
    fputs("@{}}\n\\toprule\n", file);
    write_tex_same(grid, column, file);
    for (size_t i = 0; i < json_array_size(grid); i++) {
        fputs(begins[i] ? "\\midrule\n" : "", file);
        write_tex_row(grid, i, column, begins[i], markup, file);
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
        char text[MS_ROUNDED_SIZE];
        if (!is_shown(&column[k]))
            continue;
        fputs("| ", file);
        write_markdown_text(cell_of(grid, row, k, column, text), file);
        fputc(' ', file);
    }
    fputs("|\n", file);
}

static void write_markdown_same(const json_t *grid, const ms_grid_column *column, FILE *file)
{
    const char *between = "";
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++) {
        if (!column[k].same)
            continue;
        fputs(between, file);
        write_markdown_text(ms_grid_cell(grid, 0, k), file);
        fputc(' ', file);
        write_markdown_text(ms_grid_cell(grid, 1, k), file);
        between = ", ";
    }
    fputs(between[0] != '\0' ? "\n\n" : "", file);
}

static void write_markdown(const json_t *grid, const ms_grid_column *column, FILE *file)
{
    write_markdown_same(grid, column, file);
    write_markdown_row(grid, 0, column, file);
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++)
        if (is_shown(&column[k]))
            fputs(column[k].numeric ? "|---:" : "|---", file);
    fputs("|\n", file);
    for (size_t i = 1; i < json_array_size(grid); i++)
        write_markdown_row(grid, i, column, file);
}

int ms_grid_marked_up(const json_t *grid, ms_markup markup, bool all_stay, FILE *file)
{
    ms_grid_column *column = ms_grid_measure(grid);
    bool *begins = calloc(json_array_size(grid) + 1, sizeof *begins);
    int status = column != NULL && begins != NULL ? MS_OK : MS_NO_MEMORY;
    MS_THEN(status, ms_grid_group(grid, all_stay, column, begins));
    if (status == MS_OK && markup == MS_MARKUP_MARKDOWN)
        write_markdown(grid, column, file);
    else if (status == MS_OK)
        write_tex(grid, column, begins, markup, file);
    MS_FREE(begins, column);
    return status;
}
