/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for pages: what LaTeX and Markdown would take for commands is text, numbers stand in math or as siunitx reads them. */
#include <stdio.h>
#include <stdlib.h>

#include "grid.h"
#include "unit_test.h"

static const char source[] = "[[\"name & unit\", \"a|b\", \"nothing\", \"n\"],"
                             " [\"k_1 50% \\\\x\", \"-1.25e-08\", \"-\", \"12\"],"
                             " [\"x*y\", \"-\", \"\", \"7\"]]";

static void is_written(const char *cells, ms_markup markup, const char *expected)
{
    json_t *grid = json_loads(cells, 0, NULL);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(grid);
    assert_non_null(stream);
    assert_int_equal(ms_grid_marked_up(grid, markup, stream), 0);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    json_decref(grid);
}

static void pages_are_written(void **state)
{
    (void)state;
    is_written(source, MS_MARKUP_LATEX,
               "% \\usepackage{booktabs}\n\\begin{tabular}{lrr}\n\\toprule\nname \\& unit & a$|$b & n \\\\\n"
               "\\midrule\nk\\_1 50\\% \\textbackslash{}x & $-1.25 \\times 10^{-8}$ & $12$ \\\\\n"
               "x*y & -- & $7$ \\\\\n\\bottomrule\n\\end{tabular}\n");
    is_written(
        source, MS_MARKUP_SIUNITX,
        "% \\usepackage{booktabs, siunitx}\n"
        "\\begin{tabular}{lS[table-format = -1.2e-1]S[table-format = 2.0]}\n\\toprule\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_are_written),
                                       cmocka_unit_test(a_table_without_rows_has_its_heading)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
