/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <locale.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "commands.h"
#include "completion.h"
#include "exits.h"
#include "fmu.h"
#include "long_call.h"
#include "memory.h"
#include "output.h"
#include "ranks.h"
#include "standard_output.h"
#include "version.h"

/* [us] from one look at what is at work to the next */
enum { TICK = 50000 };

/* What has been done has to be answered from then on: [s] of work after the signal, and looks without any in between. */
static const double PATIENCE = 0.15, NO_WORK = 1e-3;
enum { IDLE_LOOKS = 4 };

/* The end, without an answer. */
static void end_at_once(void)
{
    static const char line[] = "macrostep: interrupted\n";
    const size_t length = ms_interruption_told ? 0 : sizeof line - 1;
    const ssize_t written = write(fileno(ms_standard_error()), line, length);
    (void)written;
    ms_part_files_remove();
    ms_output_folders_drop_empty();
    _exit(MS_EXIT_INTERRUPTED);
}

/* [s] that the processors have worked for this process */
static double work_done(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The same at the signal, and at the last look. */
static double work_at_signal, work_seen;

/* Ends the current run as interrupted, except for a library call that may last minutes. A second signal ends the program at once, unless it comes
 * with the first: some senders signal a process and its group. */
static void interrupt(int number)
{
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (ms_interrupted == 0) {
        first = now;
        work_at_signal = work_seen = work_done();
    }
    if (now.tv_sec - first.tv_sec > 1 || ms_long_call_at_work())
        end_at_once();
    ms_interrupted = number;
    struct itimerval pending;
    if (getitimer(ITIMER_REAL, &pending) == 0 && pending.it_value.tv_sec == 0 &&
        pending.it_value.tv_usec == 0) /* else: MPI's start has its limit */
        setitimer(ITIMER_REAL, &(struct itimerval){{0, TICK}, {0, TICK}}, NULL);
}

/* Has the signal gone unanswered too long, by processor time or by waiting? Time of other programs does not count. */
static bool goes_on(void)
{
    static int idle;
    const double work = work_done();
    idle = work - work_seen < NO_WORK ? idle + 1 : 0;
    work_seen = work;
    return !ms_answering && (work - work_at_signal > PATIENCE || idle >= IDLE_LOOKS);
}

/* Some time after the signal, again and again: a call of an FMU that does not come back is not asked twice. */
static void look_again(int number)
{
    (void)number;
    if (ms_fmu_interrupt() || goes_on())
        end_at_once();
}

/* The signal ends the program, as it would have, after the program's own files are removed. */
static void clean_up(int number)
{
    if (ms_fmu_called() != NULL && number != SIGXCPU)
        ms_exits_blame("macrostep: a fault in ", " or in what it calls ends the program");
    ms_part_files_remove();
    ms_output_folders_drop_empty();
    signal(number, SIG_DFL);
    raise(number);
}

/* Sanitizers have handlers of their own, which stay. */
static void clean_up_at(int number)
{
    struct sigaction before;
    const struct sigaction action = {.sa_handler = clean_up};
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(number, &action, NULL);
}

static void catch_signals(void)
{
    static const int ends[] = {SIGPIPE, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = look_again, .sa_flags = SA_RESTART}, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* of nohup */
        sigaction(SIGHUP, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* the write fails, and says so */
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        clean_up_at(ends[k]);
    ms_long_call_refused(&ms_interrupted, end_at_once);
    ms_exits_watch();
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strncmp(word, "--help=", 7) == 0;
}

static int unknown(const char *name)
{
    ms_error error;
    const char *nearest = ms_command_nearest(name);
    return ms_command_fail(ms_fail(&error, MS_INVALID,
                                   "unknown command %s; the nearest is %s (macrostep --help)",
                                   name[0] != '\0' ? name : "''", nearest),
                           &error);
}

/* Is this a run with --execution mpi, or a command that shares its rows? */
static bool wants_ranks(int argc, char **argv)
{
    const ms_command *command = argc > 1 ? ms_command_find(argv[1]) : NULL;
    bool wants = false;
    if (command == NULL || ms_command_shares(command))
        return command != NULL;
    for (int i = 2; i < argc; i++)
        wants = wants || strcmp(argv[i], "--execution=mpi") == 0 ||
                (strcmp(argv[i], "mpi") == 0 && strcmp(argv[i - 1], "--execution") == 0);
    return wants && command->ranks;
}

/* Hides all output of this process. Error messages go to an unnamed file, if one can be made;
 * *voice: their original stream. */
static bool silence(FILE **said, int *voice)
{
    *said = tmpfile();
    *voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    return freopen("/dev/null", "w", stdout) != NULL && freopen("/dev/null", "w", stderr) != NULL &&
           (*said == NULL || dup2(fileno(*said), STDERR_FILENO) >= 0);
}

/* The line of a rank that broke down, which rank 0 knows nothing of. Where it has broken down, too, it speaks first. */
static void speak_up(int rank, FILE *said, int voice)
{
    static const char head[] = "macrostep: ";
    char line[1024] = "";
    if (ms_interrupted == 0)
        sleep(2);
    fflush(stderr);
    if (ms_interrupted != 0 || said == NULL || voice < 0 || fseek(said, 0, SEEK_SET) != 0)
        return;
    while (fgets(line, sizeof line, said) != NULL)
        if (strncmp(line, head, sizeof head - 1) == 0)
            dprintf(voice, "%srank %d: %s", head, rank, line + sizeof head - 1);
}

/* macrostep --help, help, help COMMAND */
static int help(int argc, char **argv)
{
    const ms_command *command = argc > 2 ? ms_command_find(argv[2]) : NULL;
    if (argc > 2 && command == NULL)
        return unknown(argv[2]);
    if (command != NULL)
        ms_help_command(command, ms_standard_output());
    else
        ms_help_all(ms_standard_output());
    return MS_EXIT_DONE;
}

/* The value of the option, or NULL. */
static const char *value_of(const char *option, int argc, char **argv)
{
    const size_t length = strlen(option);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], option) == 0 && i + 1 < argc)
            return argv[i + 1];
        if (strncmp(argv[i], option, length) == 0 && argv[i][length] == '=')
            return argv[i] + length + 1;
    }
    return NULL;
}

/* macrostep COMMAND --help, and --help=all with the schemes of --scheme */
static int help_of(const ms_command *command, const char *word, int argc, char **argv)
{
    FILE *file = ms_standard_output();
    ms_error error;
    if (strchr(word, '=') == NULL) {
        ms_help_command(command, file);
        return MS_EXIT_DONE;
    }
    int status = ms_arguments_load(value_of("--load", argc, argv), &error);
    if (strcmp(word, "--help=all") != 0)
        status = ms_fail(&error, MS_INVALID, "%s: must be --help or --help=all", word);
    MS_THEN(status, ms_help_command_all(command, value_of("--scheme", argc, argv), file, &error));
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}

/* macrostep --completion SHELL */
static int complete(const char *shell)
{
    ms_error error;
    const int status = ms_completion_write(shell, ms_standard_output(), &error);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}

static int call(int argc, char **argv)
{
    ms_standard_error_keep();
    ms_standard_output_keep();
    ms_fail_respelled(ms_arguments_respell);
    if (argc < 2) {
        ms_help_all(stderr);
        return MS_EXIT_WRONG;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return help(is_help(argv[1]) ? 1 : argc, argv);
    if (strcmp(argv[1], "--version") == 0) {
        fprintf(ms_standard_output(), "macrostep %s (commit %s; %s; %s)\n", ms_version(), ms_commit(),
                ms_compiler(), ms_library_versions());
        if (argc > 2 && strcmp(argv[2], "--verbose") == 0)
            ms_linked_write(ms_standard_output());
        return MS_EXIT_DONE;
    }
    if (strcmp(argv[1], "--completion") == 0)
        return complete(argc > 2 ? argv[2] : "");
    const ms_command *command = ms_command_find(argv[1]);
    if (command == NULL)
        return unknown(argv[1]);
    for (int i = 2; i < argc; i++)
        if (is_help(argv[i]))
            return help_of(command, argv[i], argc, argv);
    catch_signals();
    const int status = ms_command_call(command, argc - 1, argv + 1);
    ms_output_folders_drop_empty();
    ms_exits_allow();
    return status;
}

/* No file that is opened later takes the place of a standard stream that the caller has closed. */
static void reserve_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY); /* writing to it fails, as to a closed one */
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

/* Under mpirun rank 0 alone works and speaks, but where a command has the others work for it. Their exit status
 * says whether they broke down: any but 0 makes mpirun end all, perhaps before rank 0 has said why. */
int main(int argc, char **argv)
{
    int rank;
    ms_memory_watch();
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* where an FMU chooses one, it is that of others */
    reserve_streams();
    const bool ranks =
        ms_ranks_launched(&rank) > 1; /* they wait for each other, and their launcher ends them */
    ms_answering = ranks;
    if (rank <= 0) {
        const int status = call(argc, argv);
        ms_answering = ranks; /* what hangs from here on, as the end of an FMU may, keeps no answer */
        return status;
    }
    if (!wants_ranks(argc, argv))
        return MS_EXIT_DONE;
    FILE *said;
    int voice;
    const bool silent = silence(&said, &voice);
    if (silent && call(argc, argv) != MS_EXIT_BROKEN)
        return MS_EXIT_DONE;
    speak_up(rank, said, voice);
    return MS_EXIT_BROKEN;
}
