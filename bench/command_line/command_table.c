/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_table.c - the commands: what they say of themselves and which options they take. */
#include <stdio.h>
#include <string.h>

#include <macrostep/model.h>
#include <macrostep/options.h>
#include "command.h"
#include "nearest.h"

/* What a run takes, and what of it takes a solver without coupling. */
#define MS_TAKES_RUN  MS_TAKES(NUM_THREADS)
#define MS_TAKES_PART (MS_TAKES(SHARD) | MS_TAKES(RESUME) | MS_TAKES(REPAIR))

/* Options of a run that commands take: all, all but what those do not ask for or always do, and some. */
#define OPTIONS(...)                                                                                         \
    (const int[])                                                                                            \
    {                                                                                                        \
        __VA_ARGS__, MS_NO_OPTION                                                                            \
    }
#define EVERY     OPTIONS(MS_EVERY_OPTION)
#define OF_SCHEME OPTIONS(MS_EVERY_OPTION, MS_OPTION_ERRORS)
/* What macro-steps of one length, mapped linearly, know nothing of: how they begin, how long they are, how often, where
 * they are taken, and what is measured. --max-step ends the search of stability --critical. */
#define OF_MATRIX                                                                                            \
    MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_MAX_STEPS,           \
        MS_OPTION_START, MS_OPTION_INITIAL_INPUTS, MS_OPTION_EXECUTION, MS_OPTION_PASSIVITY,                 \
        MS_OPTION_PASSIVITY_LIMIT, MS_OPTION_FALLBACK, MS_OPTION_FALLBACK_THRESHOLD, MS_OPTION_CALIBRATION,  \
        MS_OPTION_SMOOTH_SUBSYSTEMS, MS_OPTION_ERROR_NORMALIZATION, MS_OPTION_DAMPING, MS_OPTION_SCHEDULER,  \
        MS_OPTION_RATIO_MIN, MS_OPTION_RATIO_MAX, MS_OPTION_ERROR_CONTROLLED, MS_OPTION_ORDER_CONTROL,       \
        MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTION_MIN_STEP, MS_OPTION_SAFETY, MS_OPTION_RATE_MIN,            \
        MS_OPTION_RATE_MAX, MS_OPTION_GAIN_P, MS_OPTION_GAIN_I, MS_OPTION_ECCO_SCALE,                        \
        MS_OPTION_ECCO_ROUNDING
#define OF_SOLVER                                                                                            \
    MS_OPTION_SOLVER, MS_OPTION_SOLVER_RTOL, MS_OPTION_SOLVER_ATOL, MS_OPTION_START_TIME, MS_OPTION_STOP_TIME

const ms_command ms_commands[] = {
    {"list", "what there is: models, schemes, solvers, studies, figures", "[WHAT]",
     .takes = MS_TAKES(LOAD) | MS_TAKES_ANSWER},
    {"show", "a model: source, parameters, couplings, feed-through, evaluation order, eigenvalues", "MODEL",
     .takes = (MS_TAKES_MODEL & ~MS_TAKES(KIND)) | MS_TAKES_ANSWER},
    {"graph", "which input and output needs which: algebraic loops, evaluation orders, a picture", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(DRAW) | MS_TAKES_ANSWER},
    {"run", "one co-simulation: errors, energy, coupling residual, work", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(INPUTS) | MS_TAKES(TRAJECTORY) |
              MS_TAKES(ENERGY) | MS_TAKES_RUN | MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES_PLOT |
              MS_TAKES(VERBOSE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .couples = true, .ranks = true},
    {"compare", "one model with all schemes, ranked by error", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(RANK) |
              MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .lists = true, .threaded = true},
    {"best", "the cheapest schemes that reach an error, and their step sizes", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES(ERROR) | MS_TAKES(CACHE) |
              MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OF_SCHEME, .lists = true, .threaded = true},
    {"integrate", "one model by one micro-solver, without coupling: steps, evaluations, events, errors",
     "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(INPUTS) | MS_TAKES(OUTPUT_POINTS) |
              MS_TAKES(TRAJECTORY) | MS_TAKES(HISTORY) | MS_TAKES(EVENTS) | MS_TAKES(CACHE) | MS_TAKES_PLOT |
              MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_SOLVER, MS_OPTION_STEP_SIZE, MS_OPTION_ERRORS, MS_OPTION_ERROR_SCALE),
     .lists = true},
    {"sweep", "models by cases by schemes by step sizes by parameters, with predicted and observed growth",
     "",
     .takes = MS_TAKES(MODELS) | MS_TAKES(CASES) | MS_TAKES_SYSTEM | MS_TAKES(LOAD) | MS_TAKES(SET) |
              MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES(WIDE) |
              MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .lists = true, .threaded = true},
    {"converge", "errors over step sizes, and the observed order", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) |
              MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OF_SCHEME, .couples = true, .lists = true, .threaded = true},
    {"spectral", "eigenvalues of the propagation matrix, by formula and by a probe of the implementation",
     "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(MATRIX) | MS_TAKES(CERTIFY) | MS_TAKES(EXTREME) |
              MS_TAKES(MAX_APPLICATIONS) | MS_TAKES(AT) | MS_TAKES(ALONG) | MS_TAKES(CACHE) | MS_TAKES_PLOT |
              MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_MATRIX, MS_OPTION_MAX_STEP), .couples = true, .lists = true},
    {"linearise", "A, B, C, D of each subsystem and of the coupled model, and what they cost", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(AT) | MS_TAKES(STATE) | MS_TAKES(SUBSYSTEM) | MS_TAKES(DIFFERENCES) |
              MS_TAKES(COMPRESSION) | MS_TAKES(CACHE) | MS_TAKES_PLOT | MS_TAKES_ANSWER},
    {"stability", "regions of stability, their boundaries, and critical step sizes", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(X) | MS_TAKES(Y) | MS_TAKES(BOUNDARY_ONLY) |
              MS_TAKES(BOUNDARY_TOLERANCE) | MS_TAKES(CRITICAL) | MS_TAKES(CERTIFY) | MS_TAKES(AT) |
              MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES_PLOT | MS_TAKES(QUIET) |
              MS_TAKES_ANSWER,
     .options = OPTIONS(OF_MATRIX), .couples = true, .lists = true, .threaded = true},
    {"estimate", "parameters from measurements: least squares, intervals, correlation, identifiability",
     "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(INPUTS) | MS_TAKES(MEASUREMENTS) | MS_TAKES(PARAMETERS) |
              MS_TAKES(METHOD) | MS_TAKES(SIGMA) | MS_TAKES(TOLERANCE) | MS_TAKES(MAX_SIMULATIONS) |
              MS_TAKES(TRAJECTORY) | MS_TAKES_RUN | MS_TAKES_PLOT | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE,
                        MS_OPTION_STOP_TIME)},
    {"drive", "one subsystem driven alone by inputs that the coupled model gives", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(SUBSYSTEM) | MS_TAKES(SEGMENTS) |
              MS_TAKES(INPUT_SHAPE) | MS_TAKES(TRAJECTORY) | MS_TAKES(HISTORY) | MS_TAKES(CACHE) |
              MS_TAKES_PLOT | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_SOLVER, MS_OPTION_MICRO_STEPS, MS_OPTION_INPUT_CHANGE)},
    {"judge", "errors, order and energy of results that another tool has written", "RESULT.csv.. MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(INPUTS) | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_START_TIME)},
    {"diff", "what differs between two results: verdicts, checks, numbers", "A B",
     .takes =
         MS_TAKES(RELATIVE_TOLERANCE) | MS_TAKES(ABSOLUTE_TOLERANCE) | MS_TAKES(IGNORE) | MS_TAKES_ANSWER},
    {"export", "subsystems as FMUs for other tools, and the reference of the coupled model", "MODEL",
     .takes = MS_TAKES_MODEL | MS_TAKES(FMI) | MS_TAKES(SOURCES) | MS_TAKES(SUBSYSTEM) | MS_TAKES(DIRECTORY) |
              MS_TAKES(CACHE) | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE,
                        MS_OPTION_EXECUTION, MS_OPTION_SOLVER_OF, MS_OPTION_START_TIME, MS_OPTION_STOP_TIME)},
    {"figure", "redraws a published figure or table and judges it against the printed values", "ID|FILE.json",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER},
    {"figures", "all published figures and tables", "",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER},
    {"merge", "joins the parts that --shard I/N has made of a command's rows", "FILE..",
     .takes = MS_TAKES(OUTPUT)},
    {"report", "everything that was reproduced beside what was published, as HTML and Markdown", "[FOLDER]",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES(SINGLE_FILE) | MS_TAKES_ANSWER},
    {"new", "a model or a scheme of your own to start from, as C", "KIND NAME", .takes = MS_TAKES_ANSWER},
    {0}};

const ms_command *ms_command_find(const char *name)
{
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const char *ms_command_nearest(const char *name)
{
    const char *names[MS_COUNT(ms_commands)];
    int n = 0;
    for (; ms_commands[n].name != NULL; n++)
        names[n] = ms_commands[n].name;
    return ms_nearest(name, names, n);
}

bool ms_argument_taken(const ms_command *command, int argument)
{
    return (command->takes >> argument & 1U) != 0;
}

bool ms_command_takes_scheme(const ms_command *command)
{
    return command->options != NULL && command->options[0] == MS_EVERY_OPTION;
}

bool ms_command_takes_option(const ms_command *command, int option)
{
    const bool but = ms_command_takes_scheme(command);
    for (int k = but ? 1 : 0; command->options != NULL && command->options[k] != MS_NO_OPTION; k++)
        if (command->options[k] == option)
            return !but;
    return but;
}

bool ms_command_shares(const ms_command *command)
{
    return ms_argument_taken(command, MS_ARGUMENT_SHARD);
}

const char *ms_command_names(bool (*holds)(const ms_command *command), char *text, size_t size)
{
    const char *names[MS_COUNT(ms_commands)];
    int n = 0;
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        if (holds(command))
            names[n++] = command->name;
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", k == 0 ? "" : k == n - 1 ? " and " : ", ", names[k]);
    }
    return text;
}
