/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for pages: what LaTeX and Markdown would take for commands is text, numbers stand in math or as siunitx reads them. */
#include <stdio.h>
#include <stdlib.h>

#include "grid.h"
#include "unit_test.h"

static const char source[] = "[[\"name & unit\", \"a|b\", \"nothing\", \"n\"],"
                             " [\"k_1 50% \\\\x\", \"-1.25e-08\", \"-\", \"12\"],"
                             " [\"x*y\", \"-\", \"\", \"7\"]]";

static void is_written_so(const char *cells, ms_markup markup, bool all_stay, const char *expected)
{
    json_t *grid = json_loads(cells, 0, NULL);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(grid);
    assert_non_null(stream);
    assert_int_equal(ms_grid_marked_up(grid, markup, all_stay, stream), 0);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    json_decref(grid);
}

static void is_written(const char *cells, ms_markup markup, const char *expected)
{
    is_written_so(cells, markup, false, expected);
}

static void pages_are_written(void **state)
{
    (void)state;
    is_written(
        source, MS_MARKUP_LATEX,
        "% \\usepackage{booktabs}\n\\begin{tabular}{@{}lrr@{}}\n\\toprule\nname \\& unit & a$|$b & n \\\\\n"
        "\\midrule\nk\\_1 50\\% \\textbackslash{}x & $-1.25 \\times 10^{-8}$ & $12$ \\\\\n"
        "x*y & -- & $7$ \\\\\n\\bottomrule\n\\end{tabular}\n");
    is_written(
        source, MS_MARKUP_SIUNITX,
        "% \\usepackage{booktabs, siunitx}\n"
        "\\begin{tabular}{@{}lS[table-format = -1.2e-1]S[table-format = 2.0]@{}}\n\\toprule\n"
        "name \\& unit & {a$|$b} & {n} \\\\\n\\midrule\nk\\_1 50\\% \\textbackslash{}x & -1.25e-8 & 12 \\\\\n"
        "x*y & {--} & 7 \\\\\n\\bottomrule\n\\end{tabular}\n");
    is_written(source, MS_MARKUP_MARKDOWN,
               "| name & unit | a\\|b | n |\n|---|---:|---:|\n| k\\_1 50% \\\\x | -1.25e-08 | 12 |\n"
               "| x\\*y | - | 7 |\n");
}

static void a_table_without_rows_has_its_heading(void **state)
{
    (void)state;
    is_written("[[\"a\", \"b\"]]", MS_MARKUP_MARKDOWN, "| a | b |\n|---:|---:|\n");
}

static const char schemes[] =
    "[[\"scheme\", \"order\", \"solver\", \"error\"], [\"a\", \"1\", \"rk4\", \"0.0125\"],"
    " [\"a\", \"1\", \"rk4\", \"6.5e-05\"], [\"b\", \"-\", \"rk4\", \"20\"], [\"b\", \"-\", \"rk4\", \"0\"]]";

/* What a column has in all rows is said above, names once, with a rule between schemes; one notation a column. */
static void rows_of_a_scheme_are_a_group(void **state)
{
    (void)state;
    is_written(
        schemes, MS_MARKUP_LATEX,
        "% \\usepackage{booktabs}\n\\begin{tabular}{@{}lrr@{}}\n\\toprule\n\\multicolumn{3}{@{}l@{}}{solver rk4} \\\\\n"
        "\\midrule\nscheme & order & error \\\\\n\\midrule\na & $1$ & $1.25 \\times 10^{-2}$ \\\\\n"
        " &  & $6.5 \\times 10^{-5}$ \\\\\n\\midrule\nb & -- & $2 \\times 10^{1}$ \\\\\n &  & $0$ \\\\\n"
        "\\bottomrule\n\\end{tabular}\n");
    is_written(schemes, MS_MARKUP_MARKDOWN,
               "solver rk4\n\n| scheme | order | error |\n|---|---:|---:|\n| a | 1 | 1.25e-02 |\n"
               "| a | 1 | 6.5e-05 |\n| b | - | 2e+01 |\n| b | - | 0 |\n");
    is_written_so(schemes, MS_MARKUP_MARKDOWN, true,
                  "| scheme | order | solver | error |\n|---|---:|---|---:|\n| a | 1 | rk4 | 1.25e-02 |\n"
                  "| a | 1 | rk4 | 6.5e-05 |\n| b | - | rk4 | 2e+01 |\n| b | - | rk4 | 0 |\n");
}

/* The dashes of an option stay two, and a sentence is broken. */
static void sentences_fit_a_page(void **state)
{
    (void)state;
    is_written(
        "[[\"m\", \"why\"], [\"a\", \"--scheme a: a sentence that is too long for a column that is to stand on a page\"],"
        " [\"b\", \"\"]]",
        MS_MARKUP_LATEX,
        "% \\usepackage{booktabs}\n\\begin{tabular}{@{}lp{0.4\\linewidth}@{}}\n\\toprule\nm & why \\\\\n\\midrule\n"
        "a & -{}-scheme a: a sentence that is too long for a column that is to stand on a page \\\\\nb &  \\\\\n"
        "\\bottomrule\n\\end{tabular}\n");
}

/* A scheme that comes again makes no groups, and one row says nothing in all rows. */
static void other_rows_are_none(void **state)
{
    (void)state;
    is_written(
        "[[\"m\", \"e\"], [\"a\", \"1\"], [\"a\", \"2\"], [\"b\", \"3\"], [\"a\", \"4\"]]", MS_MARKUP_LATEX,
        "% \\usepackage{booktabs}\n\\begin{tabular}{@{}lr@{}}\n\\toprule\nm & e \\\\\n\\midrule\na & $1$ \\\\\na & $2$ \\\\\n"
        "b & $3$ \\\\\na & $4$ \\\\\n\\bottomrule\n\\end{tabular}\n");
    is_written("[[\"m\", \"e\"], [\"a\", \"1\"]]", MS_MARKUP_MARKDOWN, "| m | e |\n|---|---:|\n| a | 1 |\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_written), cmocka_unit_test(a_table_without_rows_has_its_heading),
        cmocka_unit_test(rows_of_a_scheme_are_a_group), cmocka_unit_test(sentences_fit_a_page),
        cmocka_unit_test(other_rows_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
