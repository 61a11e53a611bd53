/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_figure_checks_moved.c - no check of a figure file says the same whatever is measured. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "figure_file.h"
#include "figure_registry.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

/* What takes longer than a few seconds is left out; each of them has its like here. */
static const char *const long_ones[] = {
    "eguillon2021:fig6", "eguillon2022:fig15",  "eguillon2022:table1",
    "libraries:",        "macrostep:iterated-", "macrostep:power-fallback",
    "macrostep:rho-",    "macrostep:two-mass-", "macrostep:work-precision-"};

static bool is_long(const char *id)
{
    for (int k = 0; k < MS_COUNT(long_ones); k++)
        if (strncmp(id, long_ones[k], strlen(long_ones[k])) == 0)
            return true;
    return false;
}

/* How many of its checks say the same whatever is measured, each with a line. */
static int count_deaf(const ms_figure *figure, int *checks)
{
    json_t *mutants = NULL, *mutant;
    ms_error error = {0};
    size_t k;
    int deaf = 0;
    const int status = ms_figure_file_mutants(figure, ms_command_call_within, &mutants, &error);
    if (status == MS_UNSUPPORTED)
        return 0;
    if (status != MS_OK)
        fail_msg("%s: %s", figure->id, error.text);
    json_array_foreach (mutants, k, mutant) {
        if (json_is_true(json_object_get(mutant, "changes")))
            continue;
        print_message("%s: '%s' is %s whatever is measured\n", figure->id,
                      json_string_value(json_object_get(mutant, "what")),
                      json_string_value(json_object_get(mutant, "verdict")));
        deaf++;
    }
    *checks += (int)k;
    json_decref(mutants);
    return deaf;
}

static void every_check_can_fail(void **state)
{
    (void)state;
    const int stride = support_ensemble(10) < 10 ? 5 : 1; /* a fifth where ensembles are short */
    int checks = 0, deaf = 0;
    for (int k = 0; ms_figure_at(k) != NULL; k++)
        if (k % stride == 0 && !is_long(ms_figure_at(k)->id))
            deaf += count_deaf(ms_figure_at(k), &checks);
    assert_int_equal(deaf, 0);
    assert_true(stride > 1 || checks > 200);
}

/* A constant, and what holds of any numbers, are found; a comparison of what is measured with a number is not. */
static void checks_that_cannot_fail_are_found(void **state)
{
    (void)state;
    static const char text[] =
        "{\"id\": \"doe2024:fig1\", \"title\": \"t\", \"source\": \"s\", \"picture\": false,\n"
        " \"runs\": {\"run\": {\"command\": \"run spring-mass --stop-time 1\", \"values\": {\"e\": \"answer.errors.max\"}}},\n"
        " \"checks\": [\n"
        "  {\"kind\": \"number\", \"what\": \"echo\", \"published\": 2, \"measured\": \"2\", \"tolerance\": 0},\n"
        "  {\"kind\": \"claim\", \"what\": \"rows\", \"published\": {\"text\": \"p\"}, \"measured\": \"run.e\", \"holds\": "
        "\"rows(run.e) == 1\"},\n"
        "  {\"kind\": \"claim\", \"what\": \"small\", \"published\": {\"text\": \"p\"}, \"measured\": \"run.e\", \"holds\": "
        "\"run.e < 1\"}]}\n";
    static const bool changes[] = {false, false, true};
    ms_figure_file *file = NULL;
    json_t *mutants = NULL;
    ms_error error = {0};
    if (ms_figure_file_read(support_folder_write("toy.json", text), &file, &error) != MS_OK ||
        ms_figure_file_mutants(ms_figure_file_figure(file), ms_command_call_within, &mutants, &error) !=
            MS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(json_array_size(mutants), MS_COUNT(changes));
    for (size_t k = 0; k < MS_COUNT(changes); k++)
        assert_int_equal(json_is_true(json_object_get(json_array_get(mutants, k), "changes")), changes[k]);
    json_decref(mutants);
    ms_figure_file_destroy(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checks_that_cannot_fail_are_found),
                                       cmocka_unit_test(every_check_can_fail)};
    return cmocka_run_group_tests_name("checks that can fail", tests, support_folder_create,
                                       support_folder_remove);
}
