/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmarks in their shortest form: that they run and that their JSON fits its schema, never how fast anything is. And
 * collect, given made-up runs. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "folder.h"
#include "json_schema.h"
#include "support.h"
#include "unit_test.h"

static char speed[512]; /* of the benchmarks */

static int set_up(void **state)
{
    const char *command = getenv("MACROSTEP");
    if (command == NULL)
        command = "build/macrostep";
    const char *slash = strrchr(command, '/');
    snprintf(speed, sizeof speed, "%.*s/speed", slash != NULL ? (int)(slash - command) : 1,
             slash != NULL ? command : ".");
    return support_folder_create(state);
}

/* What a command line prints, as JSON that fits the schema (NULL: nothing), and its exit status. */
static json_t *answer_of(const char *line, int *status)
{
    char why[512];
    FILE *output = popen(line, "r");
    assert_non_null(output);
    json_t *answer = json_loadf(output, JSON_DISABLE_EOF_CHECK, NULL);
    *status = WEXITSTATUS(pclose(output));
    if (answer != NULL && !support_schema_fits("bench/speed", "ratios.json", answer, why, sizeof why))
        fail_msg("%s: %s", line, why);
    return answer;
}

/* Programs ----------------------------------------------------------------------------------------------- */

static void run_shortest(const char *program)
{
    char line[1024];
    int status;
    snprintf(line, sizeof line, "%s/%s --effort short --format json", speed, program);
    json_t *answer = answer_of(line, &status);
    if (answer == NULL || (status != 0 && status != 1 && status != 3))
        fail_msg("%s: exit status %d", line, status);
    if (json_array_size(json_object_get(answer, "rows")) == 0)
        fail_msg("%s: no rows", line);
    json_decref(answer);
}

static void every_benchmark_runs(void **state)
{
    DIR *all = opendir("bench/speed");
    int n = 0;
    (void)state;
    assert_non_null(all);
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
        char name[256];
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".c") != 0 || strcmp(entry->d_name, "collect.c") == 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        run_shortest(name);
        n++;
    }
    closedir(all);
    assert_true(n >= 11);
}

static void the_schema_is_sound(void **state)
{
    char why[512];
    (void)state;
    if (!support_schema_sound("bench/speed", "ratios.json", why, sizeof why))
        fail_msg("%s", why);
}

/* The collector ------------------------------------------------------------------------------------------ */

/* A shell script of that name that prints one row, or what `text` says, and ends with the status. */
static void write_program(const char *name, double ratio, double scatter, int status, const char *text)
{
    FILE *file = fopen(support_folder_path("%s", name), "w");
    assert_non_null(file);
    if (text != NULL)
        fprintf(file, "printf '%%s' '%s'\n", text);
    else
        fprintf(file,
                "cat <<'END'\n{\"rows\": [{\"program\": \"%s\", \"name\": \"a: b / c\", \"ratio\": %g, "
                "\"scatter\": %g, "
                "\"rounds\": 5, \"wanted\": {\"at_most\": 2.0}, \"verdict\": \"met\", \"scatters\": false, "
                "\"work\": {\"name\": \"b\", \"unit\": \"call\", \"seconds\": 1}, \"peer\": null, \"base\": "
                "null}]}\nEND\n",
                name, ratio, scatter);
    fprintf(file, "exit %d\n", status);
    assert_int_equal(fclose(file), 0);
}

/* collect of such programs ("a b"), with the options before; the answer belongs to the caller. */
static json_t *collect(const char *options, const char *programs, int *status)
{
    char line[4096], list[256], *rest = list;
    snprintf(list, sizeof list, "%s", programs);
    int n = snprintf(line, sizeof line, "%s/collect --format json %s", speed, options);
    for (char *name = strtok_r(list, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
        n += snprintf(line + n, sizeof line - (size_t)n, " 'sh %s/%s'", support_folder(), name);
    snprintf(line + n, sizeof line - (size_t)n, " 2>'%s/err'", support_folder());
    return answer_of(line, status);
}

static int collect_status(const char *programs)
{
    int status;
    json_decref(collect("", programs, &status));
    return status;
}

static void write_programs(void)
{
    write_program("good", 1.5, 0.1, 0, NULL);
    write_program("missed", 3.0, 0.1, 1, NULL);
    write_program("close", 2.1, 0.1, 3, NULL);
    write_program("loose", 1.0, 0.3, 3, NULL);
    write_program("broken", 1.5, 0.1, 2, NULL);
    write_program("silent", 0.0, 0.0, 0, "");
    write_program("other", 0.0, 0.0, 0, "{\"a\": 1}");
}

static void collected_rows_decide_the_status(void **state)
{
    (void)state;
    write_programs();
    assert_int_equal(collect_status("good"), 0);
    assert_int_equal(collect_status("good missed"), 1);
    assert_int_equal(collect_status("missed good close"), 1);
    assert_int_equal(collect_status("good close"), 3);
    assert_int_equal(collect_status("loose good"), 3);
    assert_int_equal(collect_status(""), 2);
}

static void a_benchmark_that_fails_is_said(void **state)
{
    int status;
    (void)state;
    write_programs();
    assert_int_equal(collect_status("broken missed"), 2);
    assert_int_equal(collect_status("other"), 2);
    json_t *answer = collect("", "silent good", &status);
    assert_int_equal(status, 2);
    assert_int_equal(json_array_size(json_object_get(answer, "rows")), 1);
    json_decref(answer);
}

static void collected_rows_are_compared_with_a_stored_run(void **state)
{
    char options[512];
    int status;
    (void)state;
    write_programs();
    const char *path = support_folder_path("stored");
    snprintf(options, sizeof options, "--base '%s'", path);
    json_t *answer = collect("", "good close", &status);
    assert_int_equal(json_dump_file(answer, path, 0), 0);
    json_decref(answer);
    write_program("good", 1.0, 0.1, 0, NULL);
    answer = collect(options, "good", &status);
    assert_int_equal(status, 0);
    const json_t *row = json_array_get(json_object_get(answer, "rows"), 0),
                 *base = json_object_get(row, "base");
    assert_string_equal(json_string_value(json_object_get(base, "verdict")), "better");
    support_near(json_number_value(json_object_get(base, "change")), -1.0 / 3.0, 1e-12);
    assert_int_equal(json_array_size(json_object_get(answer, "not_measured")), 1);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_is_sound),
        cmocka_unit_test(every_benchmark_runs),
        cmocka_unit_test(collected_rows_decide_the_status),
        cmocka_unit_test(a_benchmark_that_fails_is_said),
        cmocka_unit_test(collected_rows_are_compared_with_a_stored_run),
    };
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
