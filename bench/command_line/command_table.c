/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_table.c - the commands: their descriptions and options. */
#include <string.h>

#include <macrostep/model.h>
#include <macrostep/options.h>
#include "command.h"
#include "nearest.h"

#define LIST(...)                                                                                            \
    (const int[])                                                                                            \
    {                                                                                                        \
        __VA_ARGS__, MS_NO_OPTION                                                                            \
    }

/* Command options (ms_argument) that commands take: one, and those that go together. */
#define A(name)  MS_ARGUMENT_##name
#define A_FILE   A(SYSTEM), A(PROBE), A(ISOLATE), A(CALL_TIMEOUT), A(COMPILE_SOURCES), A(UNITS)
#define A_SYSTEM A_FILE, A(KIND)
#define A_MODEL  A_SYSTEM, A(LOAD), A(CASE), A(SET)
#define ROWS     A(SHARD), A(RESUME), A(REPAIR)
#define PICTURE                                                                                              \
    A(PLOT), A(WIDTH), A(TITLE), A(XLABEL), A(YLABEL), A(LABEL), A(KEY), A(FONT_SIZE), A(LINES), A(STYLE),   \
        A(KEEP)
#define ANSWER A(FORMAT), A(DIGITS), A(COLUMNS), A(OUTPUT), A(COMMENTS)

/* Options of a run that commands take: all, all but what those do not ask for or always do, and some. */
#define EVERY     LIST(MS_EVERY_OPTION)
#define OF_SCHEME LIST(MS_EVERY_OPTION, MS_OPTION_ERRORS)
/* What macro-steps of one length, mapped linearly, know nothing of: how they begin, how long they are, how often, where
 * they are taken, and what is measured. --max-step ends the search of stability --critical. */
#define OF_MATRIX                                                                                            \
    MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_MAX_STEPS,           \
        MS_OPTION_START, MS_OPTION_INITIAL_INPUTS, MS_OPTION_EXECUTION, MS_OPTION_PASSIVITY,                 \
        MS_OPTION_PASSIVITY_LIMIT, MS_OPTION_FALLBACK, MS_OPTION_FALLBACK_THRESHOLD, MS_OPTION_CALIBRATION,  \
        MS_OPTION_ESTIMATE_DEGREE, MS_OPTION_SMOOTH_SUBSYSTEMS, MS_OPTION_ERROR_NORMALIZATION,               \
        MS_OPTION_DAMPING, MS_OPTION_SCHEDULER, MS_OPTION_RATIO_MIN, MS_OPTION_RATIO_MAX,                    \
        MS_OPTION_ERROR_CONTROLLED, MS_OPTION_ORDER_CONTROL, MS_OPTION_RTOL, MS_OPTION_ATOL,                 \
        MS_OPTION_MIN_STEP, MS_OPTION_SAFETY, MS_OPTION_RATE_MIN, MS_OPTION_RATE_MAX, MS_OPTION_GAIN_P,      \
        MS_OPTION_GAIN_I, MS_OPTION_ECCO_SCALE, MS_OPTION_ECCO_ROUNDING
#define OF_SOLVER                                                                                            \
    MS_OPTION_SOLVER, MS_OPTION_SOLVER_RTOL, MS_OPTION_SOLVER_ATOL, MS_OPTION_START_TIME, MS_OPTION_STOP_TIME

const ms_command ms_commands[] = {
    {"list", "lists of models, schemes, solvers, studies, figures, commands", "[WHAT]",
     .takes = LIST(A(LOAD), ANSWER)},
    {"show", "a model: source, parameters, couplings, feed-through, evaluation order, eigenvalues", "MODEL",
     .takes = LIST(A_FILE, A(LOAD), A(CASE), A(SET), ANSWER)},
    {"graph", "dependencies of inputs and outputs: algebraic loops, evaluation orders, a picture", "MODEL",
     .takes = LIST(A_MODEL, A(DRAW), ANSWER)},
    {"run", "one co-simulation: errors, energy, coupling residual, work", "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(INPUTS), A(TRAJECTORY), A(ENERGY), A(NUM_THREADS), A(CACHE),
                   A(REFERENCE), PICTURE, A(CURVES), A(VERBOSE), A(QUIET), ANSWER),
     .options = EVERY, .couples = true, .ranks = true},
    {"compare", "one model with all schemes, ranked by error", "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(VARIANTS), A(NUM_THREADS), ROWS, A(RANK), A(CACHE),
                   A(REFERENCE), PICTURE, A(QUIET), ANSWER),
     .options = EVERY, .lists = true, .threaded = true},
    {"best", "the cheapest schemes that reach an error, and their step sizes", "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(VARIANTS), A(NUM_THREADS), A(ERROR), A(CACHE), A(REFERENCE),
                   PICTURE, A(QUIET), ANSWER),
     .options = OF_SCHEME, .lists = true, .threaded = true},
    {"work-precision", "errors over work: step sizes and tolerances as two lists, a curve for each scheme",
     "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(NUM_THREADS), A(WORK), A(STARTS), ROWS, A(CACHE),
                   A(REFERENCE), PICTURE, A(QUIET), ANSWER),
     .options = OF_SCHEME, .couples = true, .lists = true, .threaded = true},
    {"integrate", "one model by one micro-solver, without coupling: steps, evaluations, events, errors",
     "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(INPUTS), A(OUTPUT_POINTS), A(TRAJECTORY), A(HISTORY),
                   A(EVENTS), A(CACHE), PICTURE, A(CURVES), A(QUIET), ANSWER),
     .options = LIST(OF_SOLVER, MS_OPTION_STEP_SIZE, MS_OPTION_ERRORS, MS_OPTION_ERROR_SCALE),
     .needs_equations = true, .lists = true},
    {"sweep", "models by cases by schemes by step sizes by parameters, with predicted and observed growth",
     "[MODEL]",
     .takes =
         LIST(A(MODELS), A(CASES), A(VARIANTS), A_SYSTEM, A(LOAD), A(SET), A(SAMPLE), A(SEED), A(SAMPLING),
              A(NUM_THREADS), ROWS, A(CACHE), A(REFERENCE), A(WIDE), PICTURE, A(QUIET), ANSWER),
     .options = EVERY, .lists = true, .threaded = true},
    {"converge", "errors over step sizes, and the observed order", "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(NUM_THREADS), ROWS, A(CACHE), A(REFERENCE), PICTURE, A(QUIET),
                   ANSWER),
     .options = OF_SCHEME, .couples = true, .lists = true, .threaded = true},
    {"spectral", "eigenvalues of the propagation matrix, by formula and by a probe of the implementation",
     "MODEL",
     .takes = LIST(A_MODEL, A(MATRIX), A(CERTIFY), A(EXTREME), A(MAX_APPLICATIONS), A(AT), A(ALONG), A(CACHE),
                   PICTURE, A(QUIET), ANSWER),
     .options = LIST(OF_MATRIX, MS_OPTION_MAX_STEP), .couples = true, .lists = true},
    {"linearise", "A, B, C, D of each subsystem and of the coupled model, and their cost", "MODEL",
     .takes = LIST(A_MODEL, A(AT), A(STATE), A(SUBSYSTEM), A(DIFFERENCES), A(COMPRESSION), A(CACHE), PICTURE,
                   ANSWER)},
    {"stability", "regions of stability, their boundaries, and critical step sizes", "MODEL",
     .takes = LIST(A_MODEL, A(X), A(Y), A(BOUNDARY_ONLY), A(BOUNDARY_TOLERANCE), A(CRITICAL), A(CERTIFY),
                   A(TEST_EQUATION), A(ORDER_STAR), A(AT), A(NUM_THREADS), ROWS, A(CACHE), PICTURE, A(QUIET),
                   ANSWER),
     .options = LIST(OF_MATRIX), .couples = true, .lists = true, .threaded = true},
    {"estimate", "parameters from measurements: least squares, intervals, correlation, identifiability",
     "MODEL",
     .takes = LIST(A_MODEL, A(INPUTS), A(MEASUREMENTS), A(PARAMETERS), A(METHOD), A(SIGMA), A(TOLERANCE),
                   A(MAX_SIMULATIONS), A(TRAJECTORY), A(NUM_THREADS), PICTURE, ANSWER),
     .options =
         LIST(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_STOP_TIME)},
    {"drive", "one subsystem driven alone by inputs that the coupled model gives", "MODEL",
     .takes = LIST(A_MODEL, A(PERTURB_START), A(SUBSYSTEM), A(SEGMENTS), A(INPUT_SHAPE), A(TRAJECTORY),
                   A(HISTORY), A(CACHE), PICTURE, ANSWER),
     .options = LIST(OF_SOLVER, MS_OPTION_MICRO_STEPS, MS_OPTION_INPUT_CHANGE)},
    {"judge", "errors, order and energy of another tool's results", "RESULT.csv.. MODEL",
     .takes = LIST(A_MODEL, A(INPUTS), A(CACHE), A(QUIET), ANSWER),
     .options = LIST(MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_START_TIME)},
    {"diff", "differences between two results: verdicts, checks, numbers", "A B",
     .takes = LIST(A(RELATIVE_TOLERANCE), A(ABSOLUTE_TOLERANCE), A(IGNORE), ANSWER)},
    {"export", "subsystems as FMUs for other tools, and the reference of the coupled model", "MODEL",
     .takes = LIST(A_MODEL, A(FMI), A(SOURCES), A(SUBSYSTEM), A(DIRECTORY), A(CACHE), ANSWER),
     .options = LIST(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE,
                     MS_OPTION_EXECUTION, MS_OPTION_SOLVER_OF, MS_OPTION_START_TIME, MS_OPTION_STOP_TIME)},
    {"figure", "redraws a published figure or table and judges it against the printed values", "ID|FILE.json",
     .takes = LIST(A(WIDTH), A(DIRECTORY), A(CACHE), A(QUIET), ANSWER)},
    {"figures", "all published figures and tables", "",
     .takes = LIST(A(DIRECTORY), ROWS, A(CACHE), A(QUIET), ANSWER)},
    {"merge", "joins the parts that --shard I/N has made of a command's rows", "FILE..",
     .takes = LIST(A(OUTPUT), PICTURE)},
    {"report", "pages of the reproduced figures beside the published values, as HTML and Markdown",
     "[FOLDER]", .takes = LIST(A(DIRECTORY), A(SINGLE_FILE), ANSWER)},
    {"ledger", "every printed item of the papers, with the checks that judge it and its verdict", "[PAPER]",
     .takes = LIST(A(DIRECTORY), A(EQUATIONS), ANSWER)},
    {"new", "a model or a scheme of your own to start from, as C", "KIND NAME", .takes = LIST(ANSWER)},
    {"check", "tests of a scheme or a model: rollback, repetition, memory, masks, order, growth",
     "FILE.so|MODEL", .takes = LIST(A_MODEL, A(QUIET), ANSWER)},
    {"demo", "a tour of five minutes: a stable and an unstable run, orders, work, each with its command", "",
     .takes = LIST(A(QUIET))},
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
    return MS_NEAREST_OF(name, ms_commands, MS_COUNT(ms_commands) - 1);
}

static bool stands_in(const int *list, int option)
{
    while (*list != MS_NO_OPTION && *list != option)
        list++;
    return *list == option;
}

bool ms_argument_taken(const ms_command *command, int argument)
{
    return stands_in(command->takes, argument);
}

bool ms_command_takes_scheme(const ms_command *command)
{
    return command->options != NULL && command->options[0] == MS_EVERY_OPTION;
}

bool ms_command_takes_option(const ms_command *command, int option)
{
    return command->options != NULL &&
           stands_in(command->options, option) != ms_command_takes_scheme(command);
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
