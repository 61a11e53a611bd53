/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ledger.c - every printed item has a status, which follows from the answers of a folder and from nothing else. */
#include <string.h>
#include <sys/stat.h>

#include "figure_registry.h"
#include "folder.h"
#include "ledger.h"
#include "published.h"
#include "support.h"
#include "unit_test.h"

enum { ITEMS = 331 };

static json_t *ledger_of(const char *paper)
{
    json_t *ledger = NULL;
    ms_error error = {0};
    if (ms_ledger(support_folder(), paper, &ledger, &error) != MS_OK)
        fail_msg("%s", error.text);
    return ledger;
}

static json_t *row_of(json_t *ledger, size_t item)
{
    return json_array_get(json_object_get(ledger, "rows"), item - 1);
}

static void says(const json_t *row, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(row, key));
    if (expected == NULL ? text != NULL : text == NULL || strcmp(text, expected) != 0)
        fail_msg("%s is %s, not %s", key, text != NULL ? text : "nothing",
                 expected != NULL ? expected : "nothing");
}

static int count(const json_t *ledger, const char *status)
{
    return (int)json_integer_value(json_object_get(json_object_get(ledger, "counts"), status));
}

/* How many of these members it has. */
static int members(const json_t *item, const char *const *names)
{
    int n = 0;
    for (; *names != NULL; names++)
        n += json_object_get(item, *names) != NULL;
    return n;
}

/* Of an item: a figure of the list, or why there is nothing to compare, or what is missing; one of these. With a figure: its sentences
 * among the readings, or what settles them, or that it has numbers or curves alone; one of these, and none without a figure. */
static void items_are_whole(void **state)
{
    (void)state;
    int n = 0;
    for (const ms_published *file = ms_published_files; file->name != NULL; file++) {
        if (strstr(file->name, "_ledger.json") == NULL)
            continue;
        json_t *items = json_loadb((const char *)file->data, file->size, 0, NULL), *item;
        size_t k;
        assert_non_null(items);
        json_array_foreach (items, k, item) {
            const char *figure = json_string_value(json_object_get(item, "figure"));
            static const char *const ways[] = {"figure", "no_check", "missing", NULL}, *const sentences[] = {
                                                                                           "readings",
                                                                                           "settled",
                                                                                           "number", NULL};
            n++;
            if (members(item, ways) != 1 || members(item, sentences) != (figure != NULL) ||
                json_string_length(json_object_get(item, "place")) == 0 ||
                json_string_length(json_object_get(item, "printed")) == 0 ||
                (figure != NULL && ms_figure_find(figure) == NULL) ||
                (json_object_get(item, "unfair") != NULL && !json_is_string(json_object_get(item, "why"))))
                fail_msg("%s, item %zu is not whole", file->name, k + 1);
        }
        json_decref(items);
    }
    assert_int_equal(n, ITEMS);
}

/* Names of sentences, to true. */
static void note(json_t *names, const json_t *list)
{
    size_t k;
    json_t *name;
    json_array_foreach (list, k, name) {
        json_object_set_new(names, json_string_value(name), json_true());
    }
}

static json_t *sentences_of_ledgers(void)
{
    json_t *ledger = ledger_of(NULL), *names = json_object(), *row;
    size_t k;
    json_array_foreach (json_object_get(ledger, "rows"), k, row) {
        note(names, json_object_get(row, "readings"));
    }
    json_decref(ledger);
    return names;
}

/* What the lists .._sentence of macrostep:readings name. */
static json_t *sentences_of_readings(void)
{
    const char *text = ms_published_text(ms_figure_texts, "macrostep_readings.json");
    assert_non_null(text);
    json_t *figure = json_loads(text, 0, NULL), *names = json_object(), *list, *one;
    const char *name, *key;
    json_object_foreach (json_object_get(figure, "lists"), name, list) {
        json_object_foreach (list, key, one) {
            if (strstr(name, "_sentence") != NULL)
                json_object_set(names, json_string_value(json_object_get(one, "name")), json_true());
        }
    }
    json_decref(figure);
    return names;
}

/* Every sentence of macrostep:readings is of an item, and every one that an item names is there. */
static void sentences_are_those_of_the_readings(void **state)
{
    (void)state;
    json_t *items = sentences_of_ledgers(), *readings = sentences_of_readings(), *yes;
    const char *name;
    assert_true(json_object_size(readings) > 80);
    json_object_foreach (items, name, yes) {
        if (json_object_get(readings, name) == NULL)
            fail_msg("no sentence %s in macrostep:readings", name);
    }
    json_object_foreach (readings, name, yes) {
        if (json_object_get(items, name) == NULL)
            fail_msg("no item of a ledger names the sentence %s", name);
    }
    json_decref(items);
    json_decref(readings);
}

/* An item with a sentence is over readings or settled, never both; the ledger counts them. */
static void sentences_are_counted(void **state)
{
    (void)state;
    json_t *ledger = ledger_of("andersson2016"), *counts = json_object_get(ledger, "sentences"), *row;
    int readings = 0, settled = 0;
    size_t k;
    json_array_foreach (json_object_get(ledger, "rows"), k, row) {
        readings += json_is_array(json_object_get(row, "readings"));
        settled += json_is_string(json_object_get(row, "settled"));
    }
    assert_int_equal(json_integer_value(json_object_get(counts, "readings")), readings);
    assert_int_equal(json_integer_value(json_object_get(counts, "settled")), settled);
    assert_true(readings > 0 && settled > 0);
    says(row_of(ledger, 62), "place", "Fig. 6.8 left");
    assert_string_equal(json_string_value(json_array_get(json_object_get(row_of(ledger, 62), "readings"), 0)),
                        "held: unstable at 0.01 s");
    says(row_of(ledger, 62), "settled", NULL);
    says(row_of(ledger, 19), "settled", "a theorem");
    assert_true(json_is_null(json_object_get(row_of(ledger, 19), "readings")));
    json_decref(ledger);
}

/* Nothing is drawn here: no item is fair, and none is lost. */
static void nothing_drawn_is_not_fair(void **state)
{
    (void)state;
    json_t *all = ledger_of(NULL), *one = ledger_of("moshagen2021");
    assert_int_equal(json_array_size(json_object_get(all, "rows")), ITEMS);
    assert_int_equal(
        count(all, "fair") + count(all, "deviates") + count(all, "too-kind") + count(all, "too-strict"), 0);
    assert_int_equal(count(all, "not-drawn") + count(all, "missing") + count(all, "no-check"), ITEMS);
    assert_true(count(all, "no-check") > 0);
    assert_int_equal(count(all, "missing"), 0); /* each item has what judges it, or says why nothing does */
    assert_int_equal(json_array_size(json_object_get(one, "rows")), 56);
    json_decref(all);
    json_decref(one);
}

static void store(const char *name, const char *checks, const char *status)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"status\": \"%s\", \"checks\": [%s]}", status, checks);
    mkdir(support_folder_path("figures"), 0777);
    support_folder_write(name, text);
}

#define CHECK(what, verdict) "{\"what\": \"" what "\", \"verdict\": \"" verdict "\"}"

/* Moshagen, item 43: the check of Fig. 10 that has "conserves the energy" in its name; 46 one of Fig. 11, 47 one of Fig. 12, 31 one of an own
 * study. */
static void statuses_follow_from_the_checks(void **state)
{
    (void)state;
    store("figures/moshagen2021-fig10.json",
          CHECK("power conserves the energy", "not-determined") ", " CHECK("it is the only one", "deviates"),
          "deviates");
    store("figures/moshagen2021-fig11.json", CHECK("all are stable for smaller step sizes", "deviates"),
          "deviates");
    store("figures/moshagen2021-fig12.json",
          CHECK("6.2: stable for larger H than all other methods", "reproduced"), "reproduced");
    store("figures/macrostep-power-fallback.json",
          CHECK("d'Hopital's rule near the zeros", "expectation-missed"), "expectation-missed");
    json_t *ledger = ledger_of("moshagen2021");
    says(row_of(ledger, 43), "verdict", "not-determined");
    says(row_of(ledger, 43), "status", "fair");
    says(row_of(ledger, 43), "command", "macrostep figure moshagen2021:fig10");
    says(row_of(ledger, 46), "status", "deviates");
    assert_true(json_string_length(json_object_get(row_of(ledger, 46), "why")) > 0);
    says(row_of(ledger, 47), "verdict", "reproduced");
    says(row_of(ledger, 47), "status", "fair");
    says(row_of(ledger, 31), "status", "deviates");
    assert_int_equal(count(ledger, "deviates"), 3); /* with the only one of item 44 */
    json_decref(ledger);
}

/* A part of a name begins a word; a check of just that name goes before others that have it in theirs. */
static void checks_are_found_by_their_names(void **state)
{
    (void)state;
    store("figures/andersson2016-table6.5.json",
          CHECK("inconsistent with smoothing, linear",
                "deviates") ", " CHECK("consistent with smoothing, linear", "reproduced"),
          "deviates");
    store("figures/andersson2016-table7.2.json",
          CHECK("steps", "reproduced") ", " CHECK("steps relative to restarting", "not-determined"),
          "not-determined");
    store("figures/andersson2016-table9.5.json", "", "drawn");
    store("figures/andersson2016-fig9.16.json", CHECK("another name", "reproduced"), "reproduced");
    json_t *ledger = ledger_of("andersson2016");
    says(row_of(ledger, 88), "place", "Table 6.5, consistent");
    says(row_of(ledger, 88), "verdict", "reproduced");
    says(row_of(ledger, 89), "verdict", "deviates");
    says(row_of(ledger, 101), "place", "Table 7.2, steps");
    says(row_of(ledger, 101), "verdict", "reproduced");
    says(row_of(ledger, 102), "status", "missing"); /* its check has gone */
    says(row_of(ledger, 102), "why", "the figure has no such check");
    says(row_of(ledger, 161), "verdict", "drawn");
    says(row_of(ledger, 161), "status", "fair");
    json_decref(ledger);
}

/* The row of an equation. */
static json_t *equation(json_t *equations, const char *name)
{
    size_t k;
    json_t *row;
    json_array_foreach (json_object_get(equations, "rows"), k, row) {
        if (strcmp(json_string_value(json_object_get(row, "equation")), name) == 0)
            return row;
    }
    fail_msg("there is no equation %s", name);
    return NULL;
}

static bool lists(const json_t *row, const char *list, const char *part)
{
    size_t k;
    json_t *one;
    json_array_foreach (json_object_get(row, list), k, one) {
        if (strstr(json_string_value(one), part) != NULL)
            return true;
    }
    return false;
}

/* By comments of sources and tests, by figure files, by ranges of the ledger's places. */
static void equations_lead_to_files_tests_and_commands(void **state)
{
    (void)state;
    json_t *thesis = NULL, *all = NULL;
    ms_error error = {0};
    assert_int_equal(ms_equations("andersson2016", &thesis, &error), MS_OK);
    assert_int_equal(json_array_size(json_object_get(thesis, "rows")), 167);
    assert_true(lists(equation(thesis, "6.41"), "files", "andersson2016_fig6.4.json"));
    assert_true(lists(equation(thesis, "6.41"), "tests", "test_propagation_limits.c"));
    assert_true(lists(equation(thesis, "6.41"), "commands", "macrostep figure andersson2016:fig6.4"));
    assert_true(lists(equation(thesis, "6.85"), "files", "mass_spring_damper.c")); /* the middle of a range */
    assert_true(lists(equation(thesis, "6.82"), "commands", "andersson2016:matrices"));
    assert_false(lists(equation(thesis, "6.84"), "commands", "andersson2016:matrices"));
    assert_int_equal(ms_equations(NULL, &all, &error), MS_OK);
    assert_int_equal(json_array_size(json_object_get(all, "rows")), 167 + 35 + 40 + 61);
    assert_int_equal(count(all, "named") + count(all, "without-code"), 167 + 35 + 40 + 61);
    assert_int_equal(count(all, "nowhere"), 0);
    json_decref(thesis);
    json_decref(all);
}

static void unknown_papers_are_refused(void **state)
{
    (void)state;
    json_t *ledger = NULL;
    ms_error error = {0};
    assert_int_equal(ms_ledger(support_folder(), "moshagen2022", &ledger, &error), MS_INVALID);
    assert_string_equal(error.text, "ledger: unknown paper moshagen2022; the nearest is moshagen2021");
    assert_null(ledger);
    assert_int_equal(ms_equations("thesis", &ledger, &error), MS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(items_are_whole),
                                       cmocka_unit_test(sentences_are_those_of_the_readings),
                                       cmocka_unit_test(sentences_are_counted),
                                       cmocka_unit_test(nothing_drawn_is_not_fair),
                                       cmocka_unit_test(statuses_follow_from_the_checks),
                                       cmocka_unit_test(checks_are_found_by_their_names),
                                       cmocka_unit_test(equations_lead_to_files_tests_and_commands),
                                       cmocka_unit_test(unknown_papers_are_refused)};
    return cmocka_run_group_tests_name("the ledger", tests, support_folder_create, support_folder_remove);
}
