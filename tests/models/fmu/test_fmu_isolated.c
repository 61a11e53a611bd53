/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_isolated.c - `macrostep .. --isolate`: FMUs in processes of their own give the same answers and the same bytes of trajectories, a
 * crash ends a run as subsystem-failed, and nothing stays behind: no process, no zombie, no file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <dirent.h>

#include "command_answer.h"
#include "fmu_archive.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static char scratch[300]; /* TMPDIR of the command, which stays empty */

static int set_up(void **state)
{
    support_folder_create(state);
    snprintf(scratch, sizeof scratch, "%s/scratch", support_folder());
    assert_int_equal(mkdir(scratch, S_IRWXU), 0);
    return setenv("TMPDIR", scratch, 1);
}

/* What stays ---------------------------------------------------------------------------------------------- */

static int count_files(void)
{
    int n = -2; /* . and .. */
    DIR *list = opendir(scratch);
    assert_non_null(list);
    while (readdir(list) != NULL)
        n++;
    closedir(list);
    return n;
}

/* The process of an FMU that is unpacked in the scratch support_folder(), or 0. */
static pid_t find_process(void)
{
    pid_t found = 0;
    DIR *list = opendir("/proc");
    assert_non_null(list);
    for (const struct dirent *entry; found == 0 && (entry = readdir(list)) != NULL;) {
        char path[300], line[4096];
        snprintf(path, sizeof path, "/proc/%.200s/cmdline", entry->d_name);
        FILE *file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        if (file == NULL)
            continue;
        const size_t size = fread(line, 1, sizeof line - 1, file);
        fclose(file);
        line[size] = '\0';
        for (size_t k = 0; strcmp(line, "macrostep-fmu") == 0 && k < size; k += strlen(line + k) + 1)
            if (strncmp(line + k, scratch, strlen(scratch)) == 0)
                found = (pid_t)strtol(entry->d_name, NULL, 10);
    }
    closedir(list);
    return found;
}

/* Is there one, or none, within half a minute? */
static pid_t await_process(bool there)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    pid_t found = find_process();
    for (int k = 0; k < 1500 && (found != 0) != there; k++) {
        nanosleep(&moment, NULL);
        found = find_process();
    }
    assert_true((found != 0) == there);
    return found;
}

static void nothing_stays(void)
{
    await_process(false);
    assert_int_equal(count_files(), 0);
}

/* The same answers ---------------------------------------------------------------------------------------- */

/* Without what a clock has measured. */
static char *answer(const char *arguments, const char *more)
{
    char line[2100];
    snprintf(line, sizeof line, "%s%s", arguments, more);
    json_t *value = support_answer(line);
    json_object_del(value, "wall_seconds");
    json_object_del(value, "provenance");
    char *text = json_dumps(value, JSON_SORT_KEYS);
    json_decref(value);
    return text;
}

static void same(const char *system, const char *options)
{
    char arguments[2000], files[2][400];
    char *text[2], *trajectory[2];
    for (int k = 0; k < 2; k++) {
        snprintf(files[k], sizeof files[k], "%s/%d.csv", support_folder(), k);
        snprintf(arguments, sizeof arguments, "run %s/%s --errors none %s --trajectory %s", support_folder(),
                 system, options, files[k]);
        text[k] = answer(arguments, k == 0 ? "" : " --isolate");
        trajectory[k] = support_read_file(files[k], NULL);
    }
    assert_string_equal(text[0], text[1]);
    char *const body[2] = {strstr(trajectory[0], "\n0,"), strstr(trajectory[1], "\n0,")};
    assert_true(body[0] != NULL && body[1] != NULL && strlen(body[0]) > 200);
    assert_string_equal(body[0], body[1]);
    for (int k = 0; k < 2; k++) {
        free(text[k]);
        free(trajectory[k]);
    }
    nothing_stays();
}

static void export_pair(int fmi)
{
    static const char pair[] =
        "{\"subsystems\": [{\"name\": \"chassis\", \"fmu\": \"fmi%d/quarter_car_chassis.fmu\", \"kind\": "
        "\"%s\"},"
        "{\"name\": \"wheel\", \"fmu\": \"fmi%d/quarter_car_wheel.fmu\", \"kind\": \"%s\"}],"
        "\"wires\": [{\"from\": \"wheel.x\", \"to\": \"chassis.u.x\"}, {\"from\": \"wheel.v\", \"to\": "
        "\"chassis.u.v\"},"
        "{\"from\": \"chassis.x\", \"to\": \"wheel.u.x\"}, {\"from\": \"chassis.v\", \"to\": \"wheel.u.v\"}],"
        "\"end\": 0.1, \"step_size\": 0.001}";
    static const char *const kind[] = {"co-simulation", "model-exchange"};
    char path[400], text[1200];
    const char *binary = getenv("MACROSTEP");
    support_shell("'%s' export quarter-car --fmi %d --directory %s/fmi%d > /dev/null",
                  binary != NULL ? binary : "build/macrostep", fmi, support_folder(), fmi);
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s.json", support_folder(), kind[k]);
        snprintf(text, sizeof text, pair, fmi, kind[k], fmi, kind[k]);
        support_write_file(path, text);
    }
}

static void co_simulation_is_the_same(void **state)
{
    static const char *const options[] = {
        "--scheme jacobi",
        "--scheme gauss-seidel --extrapolation-order 2",
        "--scheme jacobi --derivatives analytic --extrapolation-order 1 --execution parallel --num-threads 2",
        "--scheme jacobi --error-controlled richardson",
        "--scheme zoh-iterative --step-size 0.005",
        "--scheme ijcsa --sensitivities differences --step-size 0.005",
        "--scheme jacobi --probe off"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        export_pair(fmi);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if (fmi == 2 || k % 2 == 1)
                same("co-simulation.json", options[k]);
        if (fmi == 2) /* of FMI 3.0 inputs are parabolas at most */
            same("co-simulation.json", "--scheme ifosmondi --step-size 0.005 --probe off");
    }
}

static void model_exchange_is_the_same(void **state)
{
    static const char *const options[] = {
        "--solver rk4 --step-size 0.01", "--solver cvode-bdf --step-size 0.05",
        "--solver rk4 --step-size 0.01 --execution parallel --num-threads 2"};
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        export_pair(fmi);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            same("model-exchange.json", options[k]);
    }
}

static void events_are_the_same(void **state)
{
    const char *binary = getenv("MACROSTEP");
    (void)state;
    support_shell("'%s' export impact-oscillator --directory %s/events > /dev/null",
                  binary != NULL ? binary : "build/macrostep", support_folder());
    same("events/impact-oscillator.ssp", "--stop-time 2");
}

static void probes_are_the_same(void **state)
{
    (void)state;
    export_pair(3);
    char arguments[400];
    snprintf(arguments, sizeof arguments, "show %s/fmi3/quarter_car_wheel.fmu --probe", support_folder());
    char *here = answer(arguments, ""), *there = answer(arguments, " --isolate");
    assert_string_equal(here, there);
    free(here);
    free(there);
    nothing_stays();
}

/* Without its binary an FMU runs where its sources are to be compiled. They are the FMU's, whatever functions of these names the program has:
 * in another process there are none. */
static void sources_are_compiled_when_asked(void **state)
{
    char path[400];
    const char *binary = getenv("MACROSTEP");
    ms_fmu_archive *archive;
    ms_error error = {""};
    (void)state;
    support_shell("'%s' export quarter-car --sources --directory %s/fmi2 > /dev/null",
                  binary != NULL ? binary : "build/macrostep", support_folder());
    snprintf(path, sizeof path, "%s/fmi2/quarter_car_wheel.fmu", support_folder());
    assert_int_equal(ms_fmu_archive_open(path, &archive, &error), MS_OK);
    support_shell("rm -r %s/binaries", ms_fmu_archive_folder(archive));
    assert_int_equal(ms_fmu_archive_write(ms_fmu_archive_folder(archive), path, &error), MS_OK);
    ms_fmu_archive_close(&archive);
    snprintf(path, sizeof path, "%s/wheel.json", support_folder());
    support_write_file(
        path,
        "{\"subsystems\": [{\"name\": \"wheel\", \"fmu\": \"fmi2/quarter_car_wheel.fmu\", \"kind\": "
        "\"co-simulation\", \"set\": {\"u.x\": 0.1}}], \"wires\": [], \"end\": 0.1, \"step_size\": 0.001}");
    same("wheel.json", "--compile-sources");
}

/* Crashes ------------------------------------------------------------------------------------------------- */

/* A system of one FMU that behaves as defined, and one that is sound. */
static void make_system(int fmi, const char *kind, const char *define)
{
    char path[2][256], text[1000], name[400];
    support_decay_fmu(&(support_decay){.fmi = fmi, .define = define}, path[0], sizeof path[0]);
    support_decay_fmu(&(support_decay){.fmi = fmi}, path[1], sizeof path[1]);
    for (int k = 0; k < 2; k++)
        support_shell("mv %s %s/%d.fmu", path[k], support_folder(), k);
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"0.fmu\", \"kind\": \"%s\"},"
             "{\"name\": \"other\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}],"
             "\"wires\": [[0, 1, 1], [1, 0, 1]], \"end\": 2, \"step_size\": 0.01}",
             kind);
    snprintf(name, sizeof name, "%s/crash.json", support_folder());
    support_write_file(name, text);
}

static void fails(const char *options, const char *words)
{
    char arguments[600];
    snprintf(arguments, sizeof arguments, "run %s/crash.json --errors none --isolate %s", support_folder(),
             options);
    json_t *value = support_answer(arguments);
    const char *message = json_string_value(json_object_get(value, "message"));
    assert_string_equal(json_string_value(json_object_get(value, "reason")), "subsystem-failed");
    if (strstr(message, "subsystem fmu") == NULL || strstr(message, words) == NULL)
        fail_msg("%s", message);
    json_decref(value);
    nothing_stays();
}

static void crashes_end_runs(void **state)
{
    static const struct {
        const char *kind, *define, *words;
    } crash[] = {
        {"co-simulation", "-DCRASH=STEPPED '-DBY=raise(SIGSEGV)'", "signal 11 (SIGSEGV) while it did a step"},
        {"co-simulation", "-DCRASH=READ '-DBY=abort()'", "signal 6 (SIGABRT) while variables were read"},
        {"model-exchange", "-DCRASH=EVALUATED '-DBY=raise(SIGSEGV)'",
         "signal 11 (SIGSEGV) while its equations were evaluated"},
        {"model-exchange", "-DCRASH=EVALUATED '-DBY=exit(1)'", "with exit status 1, while its equations"},
    };
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (size_t k = 0; k < sizeof crash / sizeof *crash; k++) {
            make_system(fmi, crash[k].kind, crash[k].define);
            fails("--solver rk4", crash[k].words);
            fails("--solver cvode-bdf --execution parallel --num-threads 2", crash[k].words);
        }
}

/* Where the process has no room for one more component the next one has: of runs, and of a probe. */
static void components_of_a_process_may_be_few(void **state)
{
    static const char *const calls[] = {
        "run", "run --isolate",
        "compare --num-threads 2 --scheme jacobi,gauss-seidel --extrapolation-order 0 --stop-time 0.1",
        "compare --num-threads 2 --scheme jacobi,gauss-seidel --extrapolation-order 0 --isolate --stop-time 0.1"};
    static const char *const kinds[] = {"co-simulation", "model-exchange"};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            make_system(fmi, kinds[k], "-DLIMIT=1"); /* a run for model exchange makes two, all others more */
            for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
                char arguments[600];
                const int name = (int)strcspn(calls[i], " ");
                snprintf(arguments, sizeof arguments, "%.*s %s/crash.json%s", name, calls[i],
                         support_folder(), calls[i] + name);
                char *text = answer(arguments, " --errors none");
                if (strstr(text, "subsystem-failed") != NULL || strstr(text, "end-time") == NULL)
                    fail_msg("%s: %s", arguments, text);
                free(text);
                nothing_stays();
            }
        }
}

/* Reasons of rows, in the order of the grid. */
static void expect_reasons(const char *arguments, int n, const char *const *reasons)
{
    json_t *value = support_answer(arguments), *rows = json_object_get(value, "rows");
    assert_int_equal(json_array_size(rows), n);
    for (int k = 0; k < n; k++) {
        const json_t *row = json_array_get(rows, (size_t)k);
        const char *reason = json_string_value(json_object_get(row, "reason"));
        if (strcmp(reason, reasons[k]) != 0)
            fail_msg("%s: row %d: %s: %s", arguments, k, reason,
                     json_string_value(json_object_get(row, "message")));
    }
    json_decref(value);
    nothing_stays();
}

/* Up to 1 s Euler's method evaluates no equations at 1 s, where they crash, and rk4 does: what one row has lost the next one has again, in
 * whichever order and among however many threads. */
static void crashes_are_of_one_run(void **state)
{
    static const char *const reasons[] = {"subsystem-failed", "end-time", "subsystem-failed",
                                          "subsystem-failed", "end-time", "subsystem-failed"};
    char arguments[600];
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int threads = 1; threads <= 3; threads++) {
            make_system(fmi, "model-exchange", "-DCRASH=EVALUATED '-DBY=raise(SIGSEGV)'");
            snprintf(
                arguments, sizeof arguments,
                "compare %s/crash.json --errors none --isolate --scheme jacobi --derivatives differences "
                "--outputs inconsistent --smooth-coupling none --extrapolation-order 0,1 --solver "
                "rk4,euler,rk4 --stop-time 1 --num-threads %d",
                support_folder(), threads);
            expect_reasons(arguments, 6, reasons);
        }
}

/* Each row is a run, whatever the one before it has met. */
static void step_sizes_are_runs(void **state)
{
    char arguments[600];
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        make_system(3, "model-exchange", "-DCRASH=EVALUATED '-DBY=raise(SIGSEGV)'");
        snprintf(arguments, sizeof arguments,
                 "converge %s/crash.json --isolate --reference finer --solver rk4,euler --stop-time 1 "
                 "--step-size 0.1 --num-threads %d",
                 support_folder(), threads);
        json_t *value = support_answer(arguments), *schemes = json_object_get(value, "rows");
        assert_int_equal(json_array_size(schemes), 2);
        for (size_t k = 0; k < 2; k++) {
            const json_t *one = json_array_get(schemes, k), *rows = json_object_get(one, "rows");
            assert_true(json_array_size(rows) > 3);
            for (size_t row = 0; row < json_array_size(rows); row++)
                assert_int_equal(json_is_number(json_object_get(json_array_get(rows, row), "error")), k == 1);
        }
        json_decref(value);
        nothing_stays();
    }
}

static void crashes_that_the_probe_meets(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        make_system(fmi, "co-simulation", "-DCRASH=RESTORED '-DBY=raise(SIGSEGV)'");
        char arguments[400];
        snprintf(arguments, sizeof arguments, "run %s/crash.json --errors none --isolate", support_folder());
        json_t *value = support_answer(arguments); /* it has no rollback then */
        assert_string_equal(json_string_value(json_object_get(value, "reason")), "end-time");
        assert_true(json_array_size(json_object_get(value, "degraded")) > 0);
        json_decref(value);
        nothing_stays();
    }
}

/* Ends from outside --------------------------------------------------------------------------------------- */

/* Processor time of a process so far [ticks]. */
static long ticks_of(pid_t id)
{
    char path[64], line[1000];
    long user = 0, kernel = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)id);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(
        sscanf(strrchr(line, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &kernel),
        2);
    return user + kernel;
}

/* One that is in the midst of its run. */
static pid_t await_work(void)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    const pid_t id = await_process(true);
    for (int k = 0; k < 1500 && ticks_of(id) < 20; k++)
        nanosleep(&moment, NULL);
    return id;
}

/* A run that lasts until somebody ends it; its answer goes into a file. */
static pid_t start_run(void)
{
    const char *binary = getenv("MACROSTEP");
    char line[2000];
    snprintf(
        line, sizeof line,
        "exec '%s' run %s/crash.json --errors none --isolate --probe off --step-size 1e-6 --stop-time 1e4 "
        "--format json > %s/answer 2> /dev/null",
        binary != NULL ? binary : "build/macrostep", support_folder(), support_folder());
    const pid_t id = fork();
    if (id == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    assert_true(id > 0);
    return id;
}

static void ends_as(pid_t id, int status, const char *reason)
{
    char path[400];
    const struct timespec moment = {.tv_nsec = 20000000};
    int how = 0;
    pid_t ended = 0;
    for (int k = 0; k < 3000 && ended == 0; k++) {
        nanosleep(&moment, NULL);
        ended = waitpid(id, &how, WNOHANG);
    }
    if (ended == 0) {
        kill(id, SIGKILL);
        waitpid(id, NULL, 0);
    }
    assert_int_equal(ended, id);
    if (status < 0)
        assert_true(WIFSIGNALED(how) && WTERMSIG(how) == -status);
    else
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == status);
    snprintf(path, sizeof path, "%s/answer", support_folder());
    char *text = support_read_file(path, NULL);
    support_says(text, reason);
    free(text);
    await_process(false);
}

/* Its process is killed: the run says so. The run is killed: so is its process. Interrupted, both end. */
static void ends_from_outside(void **state)
{
    (void)state;
    make_system(2, "co-simulation", "");
    pid_t run = start_run();
    kill(await_work(), SIGKILL);
    ends_as(run, 0, "\"subsystem-failed\"");
    assert_int_equal(count_files(), 0);
    run = start_run();
    await_work();
    kill(run, SIGINT);
    ends_as(run, 130, "");
    assert_int_equal(count_files(), 0);
    run = start_run();
    await_work();
    kill(run, SIGKILL);
    ends_as(run, -SIGKILL, ""); /* its folder stays: nobody could remove it */
}

/* It does not come to an end while it is initialised. */
static void endless_ones_end_with_the_program(void **state)
{
    (void)state;
    make_system(3, "co-simulation", "-DCRASH=INITIALISED '-DBY=for (;;) (void)0'");
    const pid_t run = start_run();
    await_work();
    kill(run, SIGINT);
    ends_as(run, 130, "");
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(co_simulation_is_the_same, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(model_exchange_is_the_same, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(events_are_the_same, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(probes_are_the_same, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(sources_are_compiled_when_asked, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(crashes_end_runs, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(components_of_a_process_may_be_few, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(crashes_are_of_one_run, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(step_sizes_are_runs, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(crashes_that_the_probe_meets, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(ends_from_outside, set_up, support_folder_remove),
        cmocka_unit_test_setup_teardown(endless_ones_end_with_the_program, set_up, support_folder_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
