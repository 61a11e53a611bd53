/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schemas of bench/schemas, held against real answers of every command, and against broken ones. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_answer.h"
#include "folder.h"
#include "json_schema.h"
#include "plugin.h"
#include "support.h"
#include "unit_test.h"

/* Schemas ------------------------------------------------------------------------------------------------ */

static void every_command_with_json_has_a_schema(void **state)
{
    (void)state;
    for (const ms_command *command = ms_commands; command->name != NULL; command++) {
        char file[64], why[512];
        if (!ms_argument_taken(command, MS_ARGUMENT_FORMAT))
            continue; /* a text */
        snprintf(file, sizeof file, "%s.json", command->name);
        if (!support_schema_sound(SUPPORT_SCHEMAS, file, why, sizeof why))
            fail_msg("%s: %s", file, why);
    }
}

static void every_schema_is_sound(void **state)
{
    int n = 0;
    DIR *all = opendir(SUPPORT_SCHEMAS);
    (void)state;
    assert_non_null(all);
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
        char why[512];
        if (strstr(entry->d_name, ".json") == NULL)
            continue;
        n++;
        if (!support_schema_sound(SUPPORT_SCHEMAS, entry->d_name, why, sizeof why))
            fail_msg("%s: %s", entry->d_name, why);
    }
    closedir(all);
    assert_true(n > 16);
}

/* Real answers ------------------------------------------------------------------------------------------- */

/* support_answer holds each of them against the schema of its command. */
static void real_answers_fit(void **state)
{
    static const char *const calls[] = {
        "ledger",
        "ledger moshagen2021 --equations",
        "graph example-5.3.1",
        "graph plate-chain",
        "run spring-mass --stop-time 1",
        "run quarter-car --case as-printed --stop-time 100 --step-size 0.01", /* diverges */
        "run spring-mass --stop-time 1 --extrapolation-order 2 --as-printed --mask '*:rollback'",
        "run linear-pair --stop-time 1 --scheme ifosmondi",
        "run spring-mass --stop-time 1 --error-controlled",
        "compare spring-mass --scheme jacobi,power --extrapolation-order 0,1 --stop-time 1",
        "integrate van-der-pol --stop-time 1",
        "integrate bell --stop-time 1",
        "integrate spring-mass --stop-time 1 --solver all",
        "sweep --models spring-mass --cases first --scheme balance --stop-time 1 --step-size 0.1",
        "sweep --models spring-mass --scheme jacobi --step-size 0.1 --sample 3 --set 'c=uniform(1,2)'",
        "converge spring-mass --step-size 0.04,0.02 --stop-time 1",
        "converge linear-pair --scheme ifosmondi --step-size 0.1 --stop-time 1",
        "converge linear-pair --scheme jacobi,ifosmondi,power --extrapolation-order 0,1 --step-size 0.2,0.1",
        "best quarter-car --error 1e-2 --scheme jacobi,f3ornits --extrapolation-order 0,1 --stop-time 0.2",
        "best quarter-car --error 1e-30 --scheme jacobi --extrapolation-order 0 --stop-time 0.2",
        "stability quarter-car --critical",
        "stability quarter-car --critical --scheme jacobi,power",
        "stability quarter-car --x step-size=0.01:0.1:lin:3",
        "stability quarter-car --x step-size=0.01:0.1:lin:3 --scheme jacobi,f3ornits",
        "stability --x re-lambda=-1:1:lin:5 --y im-lambda=-1:1:lin:5 --extrapolation-order 0,1",
        "spectral quarter-car --scheme jacobi,power --step-size 0.1,0.2",
        "stability double-pendulum --critical --at 0.5 --max-step 0.1",
        "stability --x re-lambda=-1:1:lin:5 --y im-lambda=-1:1:lin:5",
        "stability --test-equation --x re=-1:1:lin:5 --y im=-1:1:lin:5 --order-star",
        "stability quarter-car --x step-size=0.001:0.1:lin:3 --y mc=300,400 --boundary-only",
        "spectral quarter-car --matrix",
        "spectral quarter-car --step-size 0",
        "spectral quarter-car --extreme 3",
        "spectral mass-chain --set masses=200 --extreme 2 --max-applications 40", /* not converged */
        "spectral double-pendulum --at equilibrium",
        "spectral double-pendulum --along --step-size 1",
        "linearise quarter-car",
        "linearise double-pendulum --at 0.5 --differences forward",
        "linearise full-car --subsystem chassis",
        "drive spring-mass --subsystem spring --segments 2",
    };
    (void)state;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        json_decref(support_answer(calls[k]));
}

/* Certificates, where the build has balls. */
static void certificates_fit(void **state)
{
    (void)state;
    const ms_plugin *balls;
    ms_error error = {""};
    if (ms_plugin_open("balls", "`certify`", &balls, &error) != MS_OK)
        return;
    json_decref(support_answer("stability mass-spring-damper --critical --certify --max-step 0.1"));
    json_decref(support_answer(
        "stability mass-spring-damper --critical --certify --max-step 0.1 --scheme jacobi,power"));
    json_decref(support_answer("spectral mass-spring-damper --step-size 0.01 --certify"));
}

static void estimates_fit(void **state)
{
    (void)state;
    support_folder_write("tank.csv",
                         "time,tank1.x.x1,tank2.x.x2\n0,8.15,11.73\n10,8.3,11.9\n20,8.4,12.1\n30,8.6,12.2\n");
    json_decref(support_answer_of("estimate quadruple-tank --measurements %s/tank.csv --parameters a1,a3",
                                  support_folder()));
    json_decref(
        support_answer_of("estimate quadruple-tank --measurements %s/tank.csv --parameters a1 --step-size 5",
                          support_folder()));
}

static void judgements_fit(void **state)
{
    (void)state;
    support_folder_write("coarse.csv",
                         "time,spring.s,mass.v,their.own\n0,1,0,0\n0.5,0.9,-0.5,0\n1,0.5,-0.8,0\n");
    support_folder_write("fine.csv", "time,mass.y.v\n1,-0.84\n");
    json_decref(
        support_answer_of("judge %s/coarse.csv spring-mass %s/fine.csv", support_folder(), support_folder()));
}

static void differences_fit(void **state)
{
    (void)state;
    support_folder_write("one.json", "{\"status\": \"a\", \"x\": [1, 2], \"y\": {}}");
    support_folder_write("two.json", "{\"status\": \"b\", \"x\": [1, 3], \"z\": true}");
    json_decref(support_answer_of("diff %s/one.json %s/two.json", support_folder(), support_folder()));
}

static void exports_fit(void **state)
{
    (void)state;
    json_decref(support_answer_of("export spring-mass --fmi 3 --directory %s", support_folder()));
    json_decref(support_answer_of("export woodpecker --directory %s", support_folder()));
}

/* Of all figures one is drawn; the answer of `figures` has rows of these, and of those that failed. */
static void figures_fit(void **state)
{
    char why[512];
    (void)state;
    json_t *figure = support_answer_of("figure andersson2016:fig5.3 --directory %s", support_folder());
    json_t *provenance = json_incref(json_object_get(figure, "provenance"));
    json_object_del(figure, "provenance");
    json_t *failed = json_pack("{s:s, s:s, s:s, s:n, s:[i, i], s:[], s:[], s:s}", "id", "a:b", "title", "c",
                               "source", "d", "status", "checks_held", 0, 0, "checks", "files", "error", "e");
    json_t *figures = json_pack("{s:[o, o], s:o}", "rows", figure, failed, "provenance", provenance);
    if (!support_schema_fits(SUPPORT_SCHEMAS, "figures.json", figures, why, sizeof why))
        fail_msg("%s", why);
    json_decref(figures);
    json_decref(support_answer_of("report --directory %s", support_folder()));
}

/* The file fits the schema. */
static void file_fits(const char *schema, const char *path)
{
    char why[512];
    json_t *value = json_load_file(path, 0, NULL);
    assert_non_null(value);
    if (!support_schema_fits(SUPPORT_SCHEMAS, schema, value, why, sizeof why))
        fail_msg("%s: %s", path, why);
    json_decref(value);
}

/* Parts, and what they are merged to. */
static void parts_fit(void **state)
{
    static const char *const calls[][2] = {
        {"part.json", "converge spring-mass --step-size 0.04,0.02 --stop-time 1"},
        {"part.json", "compare spring-mass --scheme jacobi --extrapolation-order 0 --stop-time 1"},
        {"part.json", "stability --x re-lambda=-1:1:lin:5 --y im-lambda=-1:1:lin:5"},
        {"sweep.json", "sweep --models spring-mass --scheme jacobi --extrapolation-order 0 --stop-time 1"},
        {"part.json",
         "sweep --models spring-mass --scheme jacobi --extrapolation-order 0 --stop-time 1 --sample 2 "
         "--set 'c=uniform(1,2)'"}};
    (void)state;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        const char *program = getenv("MACROSTEP");
        program = program != NULL ? program : "build/macrostep";
        support_shell(
            "m='%s' d='%s'; for i in 1 2; do \"$m\" %s --format json --shard $i/2 --output \"$d/$i.json\" || "
            "exit 1; done; \"$m\" merge \"$d/1.json\" \"$d/2.json\" --output \"$d/3.json\"",
            program, support_folder(), calls[k][1]);
        file_fits(calls[k][0], support_folder_path("1.json"));
        file_fits("merge.json", support_folder_path("3.json"));
    }
}

/* Broken answers ----------------------------------------------------------------------------------------- */

/* The schema refuses the value, and says where; the value is freed. */
static void refuse(const char *file, json_t *value, const char *where)
{
    char why[512];
    const bool fits = support_schema_fits(SUPPORT_SCHEMAS, file, value, why, sizeof why);
    json_decref(value);
    if (fits || strstr(why, where) == NULL)
        fail_msg("%s: %s expected, not: %s", file, where, fits ? "it fits" : why);
}

static void broken_runs_do_not_fit(void **state)
{
    json_t *run = support_answer("run spring-mass --stop-time 1"), *broken;
    (void)state;

    broken = json_deep_copy(run);
    json_object_del(broken, "reason");
    refuse("run.json", broken, "/: has no member reason");

    broken = json_deep_copy(run);
    json_object_set_new(broken, "wall_time", json_real(1.0));
    refuse("run.json", broken, "/: no schema describes the member wall_time");

    broken = json_deep_copy(run);
    json_object_set_new(broken, "macro_steps", json_integer(-1));
    refuse("run.json", broken, "/macro_steps: must be at least 0");

    broken = json_deep_copy(run);
    json_object_set_new(broken, "macro_steps", json_real(5.0));
    refuse("run.json", broken, "/macro_steps: must be of type \"integer\"");

    broken = json_deep_copy(run);
    json_object_set_new(broken, "reason", json_string("tired"));
    refuse("run.json", broken, "/reason: is none of the values that are allowed: \"tired\"");

    broken = json_deep_copy(run);
    json_object_set_new(json_array_get(json_object_get(broken, "work"), 1), "events", json_null());
    refuse("run.json", broken, "1/events: must be of type");

    broken = json_deep_copy(run);
    json_object_set_new(json_object_get(json_object_get(broken, "errors"), "per_state"), "spring.s",
                        json_real(0.1));
    refuse("run.json", broken, "/errors/per_state/spring.s: must be of type \"object\"");

    broken = json_deep_copy(run);
    json_object_set_new(json_object_get(broken, "energy"), "drift", json_string("small"));
    refuse("run.json", broken, "/energy");

    broken = json_deep_copy(run);
    json_object_set_new(json_object_get(broken, "provenance"), "commit", json_string(""));
    refuse("run.json", broken, "/provenance/commit: is too short");

    refuse("run.json", json_array(), "/: must be of type \"object\"");
    refuse("compare.json", json_incref(run), "/: has no member rows");
    json_decref(run);
}

static void broken_numbers_do_not_fit(void **state)
{
    json_t *found = support_answer("spectral quarter-car --matrix"), *broken;
    (void)state;

    broken = json_deep_copy(found);
    json_array_append_new(json_array_get(json_object_get(broken, "eigenvalues"), 0), json_real(1.0));
    refuse("spectral.json", broken, "/eigenvalues/0: has too many elements");

    broken = json_deep_copy(found);
    json_array_remove(json_array_get(json_object_get(broken, "eigenvalues"), 0), 0);
    refuse("spectral.json", broken, "/eigenvalues/0: has too few elements");

    broken = json_deep_copy(found);
    json_array_append_new(json_object_get(broken, "matrix"), json_real(1.0));
    refuse("spectral.json", broken, "/matrix/8: must be of type \"array\"");
    json_decref(found);
}

/* What a schema may say ---------------------------------------------------------------------------------- */

static void schemas_that_say_more_are_refused(void **state)
{
    static const struct {
        const char *schema, *says;
    } wrong[] = {
        {"{\"anyOf\": [{\"minimun\": 3}, {\"type\": \"null\"}]}", "unknown keyword minimun"},
        {"{\"items\": {\"uniqueItems\": true}}", "unknown keyword uniqueItems"},
        {"{\"$ref\": \"#/$defs/nothing\", \"$defs\": {}}", "leads nowhere: #/$defs/nothing"},
        {"{\"anyOf\": [{\"$ref\": \"none.json\"}]}", "cannot be read: none.json"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char why[512];
        json_t *value = json_pack("[i]", 1);
        support_folder_write("wrong.json", wrong[k].schema);
        assert_false(support_schema_sound(support_folder(), "wrong.json", why, sizeof why));
        assert_non_null(strstr(why, wrong[k].says));
        assert_false(support_schema_fits(support_folder(), "wrong.json", value, why, sizeof why));
        assert_non_null(strstr(why, wrong[k].says));
        json_decref(value);
    }
}

static void limits_and_patterns_are_held(void **state)
{
    static const struct {
        const char *schema, *value, *says; /* NULL: it fits */
    } cases[] = {
        {"{\"maximum\": 3}", "[3]", NULL},
        {"{\"maximum\": 3}", "[3.5]", "must be at most 3"},
        {"{\"pattern\": \"^[a-z]+:[0-9]+$\"}", "[\"fig:12\"]", NULL},
        {"{\"pattern\": \"^[a-z]+:[0-9]+$\"}", "[\"fig 12\"]", "does not match ^[a-z]+:[0-9]+$"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char why[512] = "", schema[200];
        json_t *value = json_loads(cases[k].value, 0, NULL);
        snprintf(schema, sizeof schema, "{\"items\": %s}", cases[k].schema);
        support_folder_write("limits.json", schema);
        assert_int_equal(support_schema_fits(support_folder(), "limits.json", value, why, sizeof why),
                         cases[k].says == NULL);
        assert_true(cases[k].says == NULL || strstr(why, cases[k].says) != NULL);
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_with_json_has_a_schema),
        cmocka_unit_test(every_schema_is_sound),
        cmocka_unit_test(real_answers_fit),
        cmocka_unit_test(parts_fit),
        cmocka_unit_test(certificates_fit),
        cmocka_unit_test(estimates_fit),
        cmocka_unit_test(judgements_fit),
        cmocka_unit_test(differences_fit),
        cmocka_unit_test(exports_fit),
        cmocka_unit_test(figures_fit),
        cmocka_unit_test(broken_runs_do_not_fit),
        cmocka_unit_test(broken_numbers_do_not_fit),
        cmocka_unit_test(schemas_that_say_more_are_refused),
        cmocka_unit_test(limits_and_patterns_are_held),
    };
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
