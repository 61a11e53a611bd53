/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_process.c - FMUs whose calls do not come back: --call-timeout ends them, and so does one signal; what they start is nobody's to
 * wait for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "fmu.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static const char *command(void)
{
    const char *path = getenv("MACROSTEP");
    return path != NULL ? path : "build/macrostep";
}

/* hang.json: one FMU that does `by` at a place of its life. */
static void make(int fmi, const char *kind, const char *place, const char *by)
{
    char path[256], define[400], text[400];
    snprintf(define, sizeof define, "-DCRASH=%s '-DBY=%s'", place, by);
    support_decay_fmu(
        &(support_decay){
            .fmi = fmi,
            .define = define,
            .edit = {"CoSimulation ", "CoSimulation canHandleVariableCommunicationStepSize=\"true\" "}},
        path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("hang.fmu"));
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"hang.fmu\", \"kind\": \"%s\"}],"
             "\"wires\": [], \"end\": 2, \"step_size\": 0.01}",
             kind);
    support_folder_write("hang.json", text);
}

static const struct {
    const char *kind, *place, *function[2];
} hangs[] = {{"co-simulation", "STEPPED", {"fmi2DoStep", "fmi3DoStep"}},
             {"co-simulation", "READ", {"fmi2GetReal", "fmi3GetFloat64"}},
             {"model-exchange", "SET", {"fmi2SetReal", "fmi3SetFloat64"}},
             {"model-exchange", "EVALUATED", {"fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives"}}};

static void calls_that_take_too_long_end_runs(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < MS_COUNT(hangs); k++) {
            char line[200];
            make(fmi, hangs[k].kind, hangs[k].place, "for (;;) pause()");
            json_t *run = support_answer_of("run %s --errors none --probe off --call-timeout 0.25",
                                            support_folder_path("hang.json"));
            snprintf(line, sizeof line, "%s of hang.fmu took longer than the 0.25 s of --call-timeout",
                     hangs[k].function[fmi - 2]);
            assert_string_equal(json_string_value(json_object_get(run, "reason")), "subsystem-failed");
            support_says(json_string_value(json_object_get(run, "message")), "subsystem fmu");
            support_says(json_string_value(json_object_get(run, "message")), line);
            json_decref(run);
        }
}

/* Those before a run as well; and an end that does not come takes no answer away. */
static void so_do_starts_and_ends(void **state)
{
    static const struct {
        const char *place, *line;
        int status;
    } all[] = {
        {"OPENED", "hang.fmu took longer than the 0.25 s of --call-timeout while its binary was opened", 2},
        {"INSTANTIATED", "fmi2Instantiate of hang.fmu took longer than", 1},
        {"INITIALISED", "fmi2ExitInitializationMode of hang.fmu took longer than", 0},
        {"FREED", "end-time", 0}};
    (void)state;
    for (int k = 0; k < MS_COUNT(all); k++) {
        char *said[1], path[300];
        make(2, "co-simulation", all[k].place, "for (;;) pause()");
        snprintf(path, sizeof path, "%s", support_folder_path("said"));
        support_shell(
            "timeout -k 1 60 %s run %s --errors none --probe off --call-timeout 0.25 >%s 2>&1; test "
            "$? = %d",
            command(), support_folder_path("hang.json"), path, all[k].status);
        said[0] = support_read_file(path, NULL);
        support_says(said[0], all[k].line);
        free(said[0]);
    }
}

/* The probe, which has some twenty components, waits for few calls that do not come back: each writes a line, and so does the first, which
 * comes back. */
static void few_calls_are_waited_for(void **state)
{
    static const struct {
        const char *place;
        int calls;
    } all[] = {{"INITIALISED", 4}, {"FREED", 2}};
    (void)state;
    for (int k = 0; k < MS_COUNT(all); k++) {
        char by[500], path[300];
        snprintf(path, sizeof path, "%s", support_folder_path("calls"));
        snprintf(by, sizeof by,
                 "{ FILE *f = fopen(\"%s\", \"a\"); fputs(\"\\n\", f); const long n = ftell(f); fclose(f); "
                 "while (n > 1) pause(); }",
                 path);
        support_shell("rm -f %s", path);
        make(2, "co-simulation", all[k].place, by);
        support_shell("timeout -k 1 60 %s run %s --errors none --call-timeout 0.25 >/dev/null 2>&1; "
                      "test $(wc -l <%s) -le %d",
                      command(), support_folder_path("hang.json"), path, all[k].calls);
    }
}

/* Within their time they are the same. */
static void others_are_not_disturbed(void **state)
{
    (void)state;
    make(3, "co-simulation", "STEPPED", "usleep(1000)");
    json_t *run =
        support_answer_of("run %s --errors none --call-timeout 30", support_folder_path("hang.json"));
    assert_string_equal(json_string_value(json_object_get(run, "reason")), "end-time");
    json_decref(run);
}

/* The FMU sends the signal, so that it comes while the call is under way. */
static void one_signal_ends_them(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < MS_COUNT(hangs); k++)
            for (int isolated = 0; isolated < 2; isolated++) {
                char path[300];
                make(fmi, hangs[k].kind, hangs[k].place,
                     isolated ? "for (kill(getppid(), SIGINT);;) pause()" : "for (raise(SIGINT);;) pause()");
                snprintf(path, sizeof path, "%s", support_folder_path("answer"));
                support_shell(
                    "timeout -k 1 60 %s run %s --errors none --probe off --format json %s >%s 2>/dev/null; "
                    "test $? = 130",
                    command(), support_folder_path("hang.json"), isolated ? "--isolate" : "", path);
                if (!isolated)
                    continue;
                json_t *run = json_load_file(path, 0, NULL);
                assert_string_equal(json_string_value(json_object_get(run, "reason")), "interrupted");
                assert_true(json_number_value(json_object_get(run, "end_time")) > 0.9);
                json_decref(run);
            }
}

static void one_signal_ends_starts(void **state)
{
    static const char *const places[] = {"OPENED", "INSTANTIATED", "INITIALISED"};
    (void)state;
    for (int k = 0; k < MS_COUNT(places); k++)
        for (int isolated = 0; isolated < 2; isolated++) {
            make(2, "co-simulation", places[k],
                 isolated ? "for (kill(getppid(), SIGINT);;) pause()" : "for (raise(SIGINT);;) pause()");
            support_shell("timeout -k 1 60 %s show --system %s --probe %s >/dev/null 2>&1; test $? = 130",
                          command(), support_folder_path("hang.json"), isolated ? "--isolate" : "");
        }
}

/* What an FMU starts does not keep what was asked for open: `cat` would wait for it. In a process of its own it ends with the FMU. */
static void nobody_waits_for_what_it_starts(void **state)
{
    static const char *const options[] = {"2>/dev/null", "--isolate 2>&1"};
    (void)state;
    make(2, "co-simulation", "STEPPED",
         "{ static int n; if (n++ == 0 && fork() == 0) { while (access(\"hang.json\", 0) == 0) sleep(1); "
         "_exit(0); } }");
    for (int k = 0; k < MS_COUNT(options); k++)
        support_shell(
            "cd %s && timeout -k 1 60 sh -c '%s run hang.json --errors none --probe off %s | cat' | "
            "grep -q end-time",
            support_folder(), command(), options[k]);
}

/* A program that is killed leaves what it has unpacked, in a process or not; the next one that unpacks removes that, but nothing of one that
 * lives. */
static void folders_of_killed_programs_are_removed(void **state)
{
    static const char *const ends[] = {"kill(getpid(), SIGKILL)", "kill(getppid(), SIGKILL)"};
    char path[256], unpacked[300];
    (void)state;
    snprintf(unpacked, sizeof unpacked, "%s/tmp", support_folder());
    support_decay_fmu(&(support_decay){.fmi = 2}, path, sizeof path);
    support_shell("mkdir %s", unpacked);
    for (int k = 0; k < MS_COUNT(ends); k++) {
        make(2, "co-simulation", "STEPPED", ends[k]);
        support_shell(
            "TMPDIR=%s timeout -k 1 60 %s run %s --errors none --probe off %s >/dev/null 2>&1; test $? = "
            "137 && test -n \"$(ls %s)\"",
            unpacked, command(), support_folder_path("hang.json"), k == 0 ? "" : "--isolate", unpacked);
        support_shell("TMPDIR=%s %s show %s >/dev/null && test -z \"$(ls %s)\"", unpacked, command(), path,
                      unpacked);
    }
    support_shell("rm -r %s %s", unpacked, path);
}

/* Files that are open while an FMU works are not those of programs that it starts. */
static void programs_of_fmus_inherit_nothing(void **state)
{
    static const char *const calls[] = {
        "run hang.json --errors none --probe off --trajectory t.csv --output o.json",
        "run hang.json --errors none --isolate --trajectory t.csv --output o.json",
        "sweep --system hang.json --probe off --scheme jacobi --solver rk4 --errors none --output rows.csv"};
    (void)state;
    make(2, "co-simulation", "STEPPED",
         "{ static int n; if (n++ == 90) system(\"ls /proc/self/fd | wc -l >inside\"); }");
    for (int k = 0; k < MS_COUNT(calls); k++)
        support_shell(
            "cd %s && rm -f inside && ls /proc/self/fd | wc -l >outside && %s %s >/dev/null 2>&1 && "
            "test $(cat inside) -le $(cat outside)",
            support_folder(), command(), calls[k]);
}

/* One variable after the other is read behind steps, by references at the same place: each is what it is in this process. */
static void what_is_read_behind_steps_is_what_was_asked_for(void **state)
{
    static const ms_fmu_setup setup = {.instance_name = "fmu", .stop_time = INFINITY};
    static const unsigned asked[] = {0, 0, 3, 4, 4, 2, 0, 0, 0, 3};
    double value[2][MS_COUNT(asked)], reached;
    char path[256];
    (void)state;
    support_decay_fmu(&(support_decay){.fmi = 2}, path, sizeof path);
    for (int isolated = 0; isolated < 2; isolated++) {
        ms_fmu *fmu;
        ms_fmu_component *c;
        assert_int_equal(
            ms_fmu_open(path, MS_FMU_CO_SIMULATION, &(ms_fmu_use){.isolate = isolated}, &fmu, NULL), MS_OK);
        assert_int_equal(ms_fmu_component_create(fmu, &setup, &c, NULL), MS_OK);
        assert_int_equal(ms_fmu_component_initialise(c, NULL, NULL), MS_OK);
        for (int k = 0; k < MS_COUNT(asked); k++) {
            const unsigned reference = asked[k];
            assert_int_equal(ms_fmu_step(c, 0.1 * k, 0.1, true, &reached), MS_OK);
            assert_int_equal(ms_fmu_get(c, 1, &reference, &value[isolated][k]), MS_OK);
        }
        ms_fmu_component_destroy(&c);
        ms_fmu_close(&fmu);
    }
    assert_memory_equal(value[0], value[1], sizeof value[0]);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_that_take_too_long_end_runs),
                                       cmocka_unit_test(so_do_starts_and_ends),
                                       cmocka_unit_test(few_calls_are_waited_for),
                                       cmocka_unit_test(what_is_read_behind_steps_is_what_was_asked_for),
                                       cmocka_unit_test(others_are_not_disturbed),
                                       cmocka_unit_test(one_signal_ends_them),
                                       cmocka_unit_test(one_signal_ends_starts),
                                       cmocka_unit_test(nobody_waits_for_what_it_starts),
                                       cmocka_unit_test(programs_of_fmus_inherit_nothing),
                                       cmocka_unit_test(folders_of_killed_programs_are_removed)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
