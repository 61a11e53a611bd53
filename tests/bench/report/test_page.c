/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page.c - templates: what each tag writes, and that those of the report name no template that is not there. */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "templates.h"
#include "unit_test.h"

static void check(const char *text, bool markdown, const char *expected)
{
    json_t *value = json_loads(
        "{\"word\": \"a<b|c & d\", \"path\": \"a b#\", \"none\": null, \"empty\": \"\", \"zero\": 0, \"yes\": true,"
        " \"list\": [{\"k\": 1}, {\"k\": 2, \"word\": \"own\"}], \"names\": [\"x\", \"y\"], \"inner\": {\"deep\": {\"k\": 3}}}",
        0, NULL);
    char *written = NULL;
    size_t size;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(value);
    assert_non_null(file);
    ms_page_write_text(text, markdown, value, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(written, expected);
    free(written);
    json_decref(value);
}

static void values_are_escaped_for_their_language(void **state)
{
    (void)state;
    check("[{{word}}]", false, "[a&lt;b|c &amp; d]");
    check("[{{word}}]", true, "[a\\<b|c & d]");
    check("[{{|word}}]", true, "[a\\<b\\|c & d]");
    check("[{{&word}}]", false, "[a<b|c & d]");
    check("[{{%path}}]", false, "[a%20b%23]");
    check("{{inner.deep.k}} {{nothing}}{{zero}}{{empty}}", false, "3 0");
}

static void sections_are_written_for_what_holds_something(void **state)
{
    (void)state;
    check("{{#yes}}1{{/}}{{#zero}}2{{/}}{{#none}}3{{/}}{{#empty}}4{{/}}{{#nothing}}5{{/}}", false, "1");
    check("{{^yes}}1{{/}}{{^zero}}2{{/}}{{^none}}3{{/}}{{^empty}}4{{/}}{{^nothing}}5{{/}}", false, "2345");
    check("{{#list}}{{k}}{{^word}}?{{/}}:{{word}};{{/}}", true, "1:a\\<b|c & d;2:own;");
    check("{{#names}}<{{.}}>{{/}}", false, "<x><y>");
    check("{{#inner}}{{#deep}}{{k}}{{/}}{{/}}{{#word}}{{&word}}{{/}}", false, "3a<b|c & d");
}

static void a_tag_alone_on_its_line_goes_with_it(void **state)
{
    (void)state;
    check("{{#list}}\n{{k}}\n{{/}}\nend {{#yes}}\n{{/}}\n", false, "1\n2\nend \n");
}

/* Tags of sections come in pairs, and what is taken in is there. */
static void templates_of_the_report_are_whole(void **state)
{
    static const char *const names[] = {
        "report.html", "report.md",  "field.html",      "errata.html",      "ledger.html",     "foreign.html",
        "figure.html", "index.html", "field_text.html", "errata_text.html", "ledger_text.html"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int depth = 0;
        assert_non_null(ms_template(names[k]));
        for (const char *c = strstr(ms_template(names[k]), "{{"); c != NULL; c = strstr(c + 2, "{{")) {
            char name[64];
            depth += c[2] == '#' || c[2] == '^';
            depth -= c[2] == '/';
            snprintf(name, sizeof name, "%.*s", (int)strcspn(c + 3, "}"), c + 3);
            if (depth < 0 || (c[2] == '>' && ms_template(name) == NULL))
                fail_msg("%s: '%.20s'", names[k], c);
        }
        if (depth != 0)
            fail_msg("%s: a section has no end", names[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_escaped_for_their_language),
        cmocka_unit_test(sections_are_written_for_what_holds_something),
        cmocka_unit_test(a_tag_alone_on_its_line_goes_with_it),
        cmocka_unit_test(templates_of_the_report_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
