/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What descriptions decide is decided before a binary is opened: the line that refuses stands alone, whatever FMUs print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    support_decay_fmu(
        &(support_decay){
            .fmi = 2,
            .source = "tests/support/fmu/stepping_fmu.c",
            .define = "-DPRINTS",
            .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />", ""}},
        path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("printing.fmu"));
    return 0;
}

/* Calls a command on what it cannot take: a file, and options. */
static void refuses(const char *command, const char *words, int status, const char *what)
{
    char said_in[300];
    const char *program = getenv("MACROSTEP");
    snprintf(said_in, sizeof said_in, "%s", support_folder_path("said"));
    support_shell("%s %s %s >%s 2>&1; test $? = %d", program != NULL ? program : "build/macrostep", command,
                  words, said_in, status);
    char *said = support_read_file(said_in, NULL);
    support_says(said, what);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
    free(said);
}

static void refused(const char *words, int status, const char *what)
{
    refuses("run", words, status, what);
}

static void the_line_stands_alone(void **state)
{
    (void)state;
    static const struct {
        const char *first, *wire, *what;
    } bad[] = {
        {"", "{\"from\": \"a.out\", \"to\": \"b.u\"}", "subsystem a has no output out; the nearest is y"},
        {"", "{\"from\": \"a.y\", \"to\": \"b.in\"}", "subsystem b has no input in; the nearest is u"},
        {"", "{\"from\": \"a.y\", \"to\": \"c.u\"}", "c.u belongs to no subsystem; the nearest is a"},
        {"", "{\"from\": \"a.y\", \"to\": \"b.k\"}",
         "subsystem b has no input k: it is a parameter of its FMU, to which \"set\" gives a value; the "
         "nearest is u"},
        {"", "{\"from\": \"a.x\", \"to\": \"b.u\"}", "subsystem a has no output x: it is a local of its FMU"},
        {"", "{\"from\": \"a.n\", \"to\": \"b.u\"}",
         "subsystem a has no output n: it is a parameter of its FMU"},
        {", \"kind\": \"model-exchange\"", "", "it is not for model-exchange"},
        {", \"set\": {\"kk\": 1}", "", "has no variable kk; the nearest is k"},
        {", \"set\": {\"y\": 1}", "", "y cannot be set: it is"},
        {", \"set\": {\"n\": 0.5}", "", "n: '0.5' is not a value of type Int32"}};
    for (int k = 0; k < MS_COUNT(bad); k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"printing.fmu\"%s}, {\"name\": \"b\", "
                 "\"fmu\": \"printing.fmu\"}],"
                 "\"wires\": [%s]}",
                 bad[k].first, bad[k].wire);
        refused(support_folder_write("bad.json", text), 2, bad[k].what);
    }
}

/* Steps of 0.1 s and 0.02 s that are declared, and units: what options of a run ask of them is known before. */
static void steps_and_units_are_decided_before(void **state)
{
    (void)state;
    static const struct {
        const char *options, *what;
    } bad[] = {
        {"--units on",
         "wire a.y to b.u: m where kg is expected: units do not fit; --units off leaves this check out"},
        {"--units off --step-size 0.05",
         "subsystem a imposes a step of 0.1 s; set --step-size 0.1 without step control"},
        {"--units off --error-controlled richardson", "subsystem a imposes a step of 0.1 s"},
        {"--units off --stop-time 0.25",
         "subsystem a imposes a step of 0.1 s, which does not divide the run of 0.25 s"},
        {"--units off --scheme strang", "scheme strang takes halves of macro-steps"},
        {"--units off --scheme f3ornits",
         "subsystems a and b impose steps of 0.1 s and 0.02 s, which cannot be combined"},
        {"--units off --step-size 11", "must be greater than 0 and at most 10, the length of the run"},
        {"--units off --stop-time 0.05",
         "the step size of this model is 0.1 s, and the run is 0.05 s long; set --stop-time to a multiple"},
        {"--units off --stop-time 0.05 --step-size 0.05",
         "subsystem a imposes a step of 0.1 s; all of them divide 0.1 s, but the run is shorter; set --stop-time"},
        {"--units off --scheme gauss-seidel --sequence b,q",
         "model steps has no subsystem q; its first is a"},
        {"--units off --scheme gauss-seidel --sequence b", "names 1 of 2 subsystems, not a"},
        {"--units off --set kk=1", "--set kk=1: model steps has no parameter kk: it has none"},
        {"--units off --mask q:rollback", "model steps has no subsystem q; its first is a"},
        {"--units off --case q", "--case q: model steps has no case q"},
        {"--units off --solver-of q=rk4", "--solver-of q=rk4: model steps has no subsystem q"},
        {"--units off --scheme nepce --wires b.u.q", "--wires b.u.q: model steps has no input b.u.q"},
        {"--units off --scheme multirate --substeps q=2", "--substeps q=2: model steps has no subsystem q"},
        {"--units off --scheme waveform --samples q=2", "--samples q=2: model steps has no subsystem q"},
        {"--units off --scheme f3ornits --smooth-coupling c1 --smooth-subsystems q",
         "--smooth-subsystems q: model steps has no subsystem q"},
        {"--units off --min-step 1", "--min-step"}};
    static const char *const step[] = {"0.1", "0.02"};
    static const char units[] =
        "<UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit><Unit name=\"kg\"><BaseUnit "
        "kg=\"1\"/></Unit></UnitDefinitions><TypeDefinitions>";
    char path[256], line[600];
    for (int k = 0; k < MS_COUNT(step); k++) {
        snprintf(line, sizeof line, "</TypeDefinitions><DefaultExperiment stepSize=\"%s\"/>", step[k]);
        support_decay_fmu(&(support_decay){.fmi = 2,
                                           .source = "tests/support/fmu/stepping_fmu.c",
                                           .define = "-DPRINTS",
                                           .edit = {"<TypeDefinitions>", units, "</TypeDefinitions>", line,
                                                    "<Real/>", "<Real unit=\"m\"/>", "\"input\"><Real ",
                                                    "\"input\"><Real unit=\"kg\" "}},
                          path, sizeof path);
        support_shell("mv %s %s%d.fmu", path, support_folder_path("step"), k);
    }
    support_folder_write("steps.json",
                         "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"step0.fmu\", \"kind\": "
                         "\"co-simulation\"}, {\"name\": \"b\", \"fmu\": \"step1.fmu\", \"kind\": "
                         "\"co-simulation\"}], \"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}]}");
    support_folder_write("held.csv", "time,b.w.q\n0,1\n20,1\n");
    for (int k = 0; k < MS_COUNT(bad); k++) {
        snprintf(line, sizeof line, "%s %s", support_folder_path("steps.json"), bad[k].options);
        refused(line, 2, bad[k].what);
    }
    snprintf(line, sizeof line, "run --units off --inputs %s --system", support_folder_path("held.csv"));
    refuses(line, support_folder_path("steps.json"), 2, "column b.w.q: model steps has no external inputs");
    refuses("sweep --units off --solver-of q=rk4 --system", support_folder_path("steps.json"), 2,
            "--solver-of q=rk4: model steps has no subsystem q");
    refuses("sweep --units off --step-size 0.1,0.2 --mask q:rollback --system",
            support_folder_path("steps.json"), 2, "--mask q:rollback: model steps has no subsystem q");
    refuses("best --error 1 --units off --solver-of q=rk4", support_folder_path("steps.json"), 2,
            "--solver-of q=rk4: model steps has no subsystem q");
    refuses("integrate --units off", support_folder_path("steps.json"), 2,
            "a micro-solver needs the equations of all subsystems, but a is an FMU for co-simulation");
    json_decref(support_answer_of("run %s --units off --errors none --stop-time 0.1",
                                  support_folder_path("steps.json")));
}

/* What an FMU is given is checked at the values of parameters that the command has, for which it may be right only. */
static void settings_are_checked_with_the_values_in_force(void **state)
{
    (void)state;
    char file[300], path[256];
    support_decay_fmu(&(support_decay){.fmi = 2}, path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("taking.fmu"));
    snprintf(
        file, sizeof file, "%s",
        support_folder_write(
            "force.json",
            "{\"parameters\": {\"whole\": {\"value\": 0.5, \"max\": 9}, \"mass\": -1}, "
            "\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"taking.fmu\", \"set\": {\"n\": \"whole\"}}, {\"name\": "
            "\"b\", \"model\": \"two-mass-oscillator\", \"subsystem\": \"left\", \"set\": {\"mass_ratio\": \"mass\"}}], \"wires\": []}"));
    const char *run = "--errors none --stop-time 0.1 --step-size 0.1";
    char line[600];
    snprintf(line, sizeof line, "%s %s", file, run);
    refused(line, 2, "n: '0.5' is not a value of type Int32");
    snprintf(line, sizeof line, "%s %s --set whole=2", file, run);
    refused(line, 2, "parameter mass_ratio of model two-mass-oscillator is -1");
    snprintf(line, sizeof line, "%s %s --set mass=1,whole=1.5", file, run);
    refused(line, 2, "n: '1.5' is not a value of type Int32");
    snprintf(line, sizeof line, "%s %s --set mass=1,whole=10", file, run);
    refused(line, 2, "--set whole=10: parameter whole of model force is 10 [1], but its range is (-inf, 9]");
    json_decref(support_answer_of("run %s %s --set mass=1,whole=2", file, run));
    refuses("sweep --step-size 0.1 --stop-time 0.1 --set mass=1 --set whole=2,1.5 --system", file, 2,
            "n: '1.5' is not a value of type Int32");
    refuses("sweep --step-size 0.1 --stop-time 0.1 --set mass=1 --set whole=2,10 --system", file, 2,
            "--set whole=10: parameter whole of model force is 10 [1], but its range is (-inf, 9]");
}

static void make(const char *define, char *path, size_t size)
{
    support_decay_fmu(
        &(support_decay){
            .fmi = 2,
            .source = "tests/support/fmu/stepping_fmu.c",
            .define = define,
            .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />", ""}},
        path, size);
}

/* Whole numbers of 64 bits are passed on as doubles: those that are none are not rounded in silence. */
static void whole_numbers_are_not_rounded(void **state)
{
    (void)state;
    static const struct {
        const char *start, *set, *what; /* NULL: it is right */
    } numbers[] = {
        {"9007199254740993", "", "input n starts at 9007199254740993, which is not a double"},
        {"-9223372036854775807", "", "input n starts at -9223372036854775807, which is not a double"},
        {"9007199254740993", ", \"set\": {\"n\": 7}", NULL},
        {"9007199254740994", "", NULL},
        {"0", ", \"set\": {\"n\": 9007199254740993}",
         "n: '9007199254740993' is not a value of type Int64 that can be passed: values are passed as "
         "doubles, whole up to 2^53"},
        {"0", ", \"set\": {\"n\": \"9007199254740993\"}", "is not a value of type Int64 that can be passed"},
        {"0", ", \"set\": {\"n\": \"9007199254740992 + 1\"}",
         "is not a value of type Int64 that can be passed"},
        {"0", ", \"set\": {\"n\": \"9007199254740992\"}", NULL},
        {"0", ", \"set\": {\"n\": 9007199254740994}", NULL}};
    for (int k = 0; k < MS_COUNT(numbers); k++) {
        char path[256], input[200], text[600];
        snprintf(input, sizeof input, "name=\"n\" valueReference=\"5\" causality=\"input\" start=\"%s\"",
                 numbers[k].start);
        support_decay_fmu(&(support_decay){.fmi = 3,
                                           .edit = {"name=\"n\" valueReference=\"5\" causality=\"parameter\" "
                                                    "variability=\"fixed\" start=\"0\"",
                                                    input}},
                          path, sizeof path);
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\"%s}], \"wires\": []}", path,
                 numbers[k].set);
        json_t *shown = support_answer_of("show %s", path),
               *start = json_object_get(json_array_get(json_object_get(shown, "inputs"), 1), "start");
        char digits[40] = "";
        if (json_is_string(start))
            snprintf(digits, sizeof digits, "%s", json_string_value(start));
        else
            snprintf(digits, sizeof digits, "%.0f", json_number_value(start));
        assert_string_equal(digits, numbers[k].start);
        json_decref(shown);
        if (numbers[k].what != NULL)
            refused(support_folder_write("numbers.json", text), 2, numbers[k].what);
        else
            json_decref(
                support_answer_of("run %s --errors none", support_folder_write("numbers.json", text)));
        remove(path);
    }
}

/* The signal is the program's end, as a shell sees it; the shell has a word of its own for some. */
static void faults_are_said(void **state)
{
    static const struct {
        const char *define;
        int status;
    } ends[] = {{"-include signal.h '-DEXITS(status)=raise(SIGABRT)'", 134},
                {"-include signal.h '-DEXITS(status)=raise(SIGPIPE)'", 141}};
    (void)state;
    for (int k = 0; k < MS_COUNT(ends); k++) {
        char path[256];
        const char *program = getenv("MACROSTEP");
        make(ends[k].define, path, sizeof path);
        support_shell("{ %s run %s; } >%s 2>&1; test $? = %d", program != NULL ? program : "build/macrostep",
                      path, support_folder_path("said"), ends[k].status);
        char *said = support_read_file(support_folder_path("said"), NULL);
        support_says(said, path);
        support_says(said, ".fmu or in what it calls ends the program; with --isolate only the run ends, "
                           "and says where\n");
        free(said);
        remove(path);
    }
}

/* A process that an FMU starts may end as it likes: the run goes on, and has nothing to say of it. */
static void ends_of_other_processes_are_not(void **state)
{
    (void)state;
    char path[256];
    const char *program = getenv("MACROSTEP");
    make("-include unistd.h '-DEXITS(status)={static int n;if(n++==0&&fork()==0)exit(7);}'", path,
         sizeof path);
    support_shell("%s run %s --errors none >%s 2>&1", program != NULL ? program : "build/macrostep", path,
                  support_folder_path("said"));
    char *said = support_read_file(support_folder_path("said"), NULL);
    assert_null(strstr(said, "exit()"));
    free(said);
    remove(path);
}

/* The end of the program is no answer, nor is that of a process, which needs no function of the C library to end. */
static void exits_are_failures(void **state)
{
    (void)state;
    static const char *const ways[] = {"-DEXITS=exit", "-DEXITS=quick_exit", "-DEXITS=_exit",
                                       "-DEXITS=_Exit"};
    char path[256];
    for (int k = 0; k < MS_COUNT(ways); k++) {
        make(ways[k], path, sizeof path);
        refused(path, 1, "the program was ended by a call of exit() in /");
        remove(path);
    }
    make("-include sys/syscall.h '-DEXITS(status)=syscall(SYS_exit_group, status)'", path, sizeof path);
    json_t *run = support_answer_of("run %s --isolate --errors none", path);
    assert_string_equal(json_string_value(json_object_get(run, "reason")), "subsystem-failed");
    support_says(json_string_value(json_object_get(run, "message")),
                 "it has ended its process, with exit status 0");
    json_decref(run);
    remove(path);
}

/* The program's files are where it was called, wherever an FMU has gone to: by its own steps, or by its equations within the run. */
static void answers_stay_where_they_are(void **state)
{
    (void)state;
    const char *program = getenv("MACROSTEP");
    for (int k = 0; k < 2; k++) {
        char path[256];
        if (k == 0)
            make("'-DEXITS(status)=chdir(\"/\")'", path, sizeof path);
        else
            support_decay_fmu(
                &(support_decay){.fmi = 2,
                                 .define = "-DCRASH=EVALUATED '-DBY=chdir(\"/\")' -include unistd.h"},
                path, sizeof path);
        support_shell("program=$(realpath %s) && cd %s && rm -f here.* && $program run %s --errors none "
                      "--trajectory here.csv --output here.txt && test -s here.csv && test -s here.txt",
                      program != NULL ? program : "build/macrostep", support_folder_path("."), path);
        remove(path);
    }
}

/* States that a scheme keeps go before their component, after an error as well. */
static void states_are_freed_after_errors(void **state)
{
    (void)state;
    char path[256];
    make("-DBREAKS", path, sizeof path);
    for (int k = 0; k < 2; k++) {
        json_t *run = support_answer_of("run %s --scheme zoh-iterative --step-rule fixed --errors none %s",
                                        path, k == 0 ? "" : "--isolate");
        assert_string_equal(json_string_value(json_object_get(run, "reason")), "subsystem-failed");
        assert_null(strstr(json_string_value(json_object_get(run, "message")), "SIGABRT"));
        json_decref(run);
    }
    remove(path);
}

/* What an FMU forks is another process, which ends where its call comes back: nothing is computed, written or said twice. */
static void copies_do_not_go_on(void **state)
{
    (void)state;
    static const char *const place[] = {"OPENED", "INSTANTIATED", "STEPPED"};
    const char *program = getenv("MACROSTEP");
    for (int k = 0; k < 2 * MS_COUNT(place); k++) {
        char path[256], define[160];
        snprintf(define, sizeof define, "-DCRASH=%s '-DBY={static int n; if (n++ == 0) fork();}'",
                 place[k / 2]);
        support_decay_fmu(&(support_decay){.fmi = 2, .define = define}, path, sizeof path);
        support_shell(
            "said=$(%s run %s --kind co-simulation --errors none %s 2>&1); "
            "test $(echo \"$said\" | grep -c ^reason) = 1 && test $(echo \"$said\" | grep -c ^macrostep:) = 0",
            program != NULL ? program : "build/macrostep", path, k % 2 == 0 ? "" : "--isolate");
        remove(path);
    }
}

static void what_it_lacks_is_named(void **state)
{
    (void)state;
    static const char source[] = "tests/support/fmu/stepping_fmu.c",
                      only[] = "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />";
    static const struct {
        support_decay decay;
        const char *remove, *what;
    } fmus[] = {
        {{.fmi = 2, .source = source, .platform = "win64"}, "", "decay.so; it has binaries for: win64"},
        {{.fmi = 2, .source = source}, "binaries/linux64/decay.so", "it has binaries for: none"},
        {{.fmi = 2, .source = source, .edit = {"fmiVersion=\"2.0\"", "fmiVersion=\"1.0\""}},
         "",
         "FMI 1.0 is not supported"},
        {{.fmi = 2, .source = source, .define = "-DFAILS=ERROR", .edit = {only, ""}},
         "",
         "the FMU does not start: the FMU did not say why"},
        {{.fmi = 2, .source = source, .define = "-DFAILS=DISCARD", .edit = {only, ""}},
         "",
         "the FMU does not start: it discards its initialisation"}};
    for (int k = 0; k < MS_COUNT(fmus); k++) {
        char path[256];
        support_decay_fmu(&fmus[k].decay, path, sizeof path);
        if (fmus[k].remove[0] != '\0')
            support_shell("python3 -c 'import sys, zipfile\n"
                          "old = zipfile.ZipFile(sys.argv[1])\n"
                          "kept = [(n, old.read(n)) for n in old.namelist() if n != sys.argv[2]]\n"
                          "new = zipfile.ZipFile(sys.argv[1], \"w\")\n"
                          "[new.writestr(n, b) for n, b in kept]\n"
                          "new.writestr(sys.argv[2].rsplit(\"/\", 1)[0] + \"/\", \"\")\n"
                          "new.close()' %s %s",
                          path, fmus[k].remove);
        refused(path, 2, fmus[k].what);
        remove(path);
    }
}

/* The same in the folder, where the system is opened.json. */
static void refuses_in_folder(const char *command, const char *options, const char *what)
{
    const char *program = getenv("MACROSTEP");
    support_shell(
        "program=$(realpath %s) && cd %s && { $program %s %s opened.json >said 2>&1; test $? = %d; }",
        program != NULL ? program : "build/macrostep", support_folder_path("."), command, options,
        strstr(what, "No such file") != NULL ? 1 : 2);
    char *said = support_read_file(support_folder_path("said"), NULL);
    support_says(said, what);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
    free(said);
}

/* Whatever a command asks by name of its system: an FMU that prints when its binary is opened says nothing. */
static void names_of_commands_are_decided_before(void **state)
{
    (void)state;
    static const struct {
        const char *command, *options, *what;
    } bad[] = {
        {"run", "--energy e.csv", "--energy e.csv: model opened declares no energies"},
        {"run", "--plot p.svg --curves q", "--curves q: no column of the trajectory is called that"},
        {"run", "--plot p.svg --label q=z", "--label q=z: no curve is called q"},
        {"run", "--reference none.csv", "--reference none.csv: none.csv: cannot be read: No such file"},
        {"run", "--reference oscilator", "--reference oscilator: neither finer, nor a FILE.csv"},
        {"run", "--reference other.csv", "other.csv, line 1: no column is a variable of model opened"},
        {"run", "--reference spring-mass", "it has neither a state nor an output of model opened by name"},
        {"run", "--reference opened.json --errors none", "requires --errors reference"},
        {"run", "--reference stranger.json", "it has neither a state nor an output of model opened by name"},
        {"compare", "--scheme jacobi --reference other.csv",
         "other.csv, line 1: no column is a variable of model opened"},
        {"estimate", "--measurements good.csv --parameters q",
         "--parameters q: model opened has no such parameter"},
        {"estimate", "--measurements good.csv --parameters k=-1", "--parameters k=-1: "},
        {"estimate", "--measurements none.csv --parameters k", "none.csv: cannot be read: No such file"},
        {"estimate", "--measurements other.csv --parameters k", "column a.y.q names no state or output"},
        {"estimate", "--measurements good.csv --parameters k --sigma q=1", "--sigma q: must be a number"},
        {"linearise", "--subsystem q", "--subsystem q: model opened has none of that name"},
        {"linearise", "--state a.q=1", "--state a.q: subsystem a has no such state"},
        {"export", "--subsystem q --directory exported", "model opened has no subsystem q"},
        {"drive", "--subsystem q", "--subsystem q: model opened has a, b"},
        {"judge", "other.csv", "other.csv, line 1: no column is a variable of model opened"},
        {"judge", "late.csv --start-time 1", "late.csv, line 2: time 0 is before the start at 1 s"},
        {"judge", "none.csv", "none.csv: cannot be read: No such file"}};
    static const char subsystem[] =
        "{\"parameters\": {\"k\": {\"value\": 1, \"min\": 0}}, \"subsystems\": "
        "[{\"name\": \"%s\", \"fmu\": \"opened.fmu\", \"kind\": \"model-exchange\", \"set\": {\"k\": \"k\"}}, "
        "{\"name\": \"%s\", \"fmu\": \"opened.fmu\"}], \"wires\": []}";
    char path[256], text[600];
    support_decay_fmu(&(support_decay){.fmi = 2, .define = "-DCRASH=OPENED '-DBY=puts(\"opened\")'"}, path,
                      sizeof path);
    support_shell("mv %s %s", path, support_folder_path("opened.fmu"));
    snprintf(text, sizeof text, subsystem, "a", "b");
    support_folder_write("opened.json", text);
    snprintf(text, sizeof text, subsystem, "c", "d");
    support_folder_write("stranger.json", text);
    support_folder_write("other.csv", "time,a.y.q\n0,1\n1,2\n");
    support_folder_write("good.csv", "time,a.y.y\n0,1\n1,2\n");
    support_folder_write("late.csv", "time,a.y.y\n0,1\n1,2\n");
    for (int k = 0; k < MS_COUNT(bad); k++)
        refuses_in_folder(bad[k].command, bad[k].options, bad[k].what);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_line_stands_alone),
                                       cmocka_unit_test(steps_and_units_are_decided_before),
                                       cmocka_unit_test(names_of_commands_are_decided_before),
                                       cmocka_unit_test(settings_are_checked_with_the_values_in_force),
                                       cmocka_unit_test(whole_numbers_are_not_rounded),
                                       cmocka_unit_test(answers_stay_where_they_are),
                                       cmocka_unit_test(copies_do_not_go_on),
                                       cmocka_unit_test(what_it_lacks_is_named),
                                       cmocka_unit_test(exits_are_failures),
                                       cmocka_unit_test(ends_of_other_processes_are_not),
                                       cmocka_unit_test(faults_are_said),
                                       cmocka_unit_test(states_are_freed_after_errors)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
