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
     "WHAT is models, schemes, solvers, studies or figures; without it all of them are listed.\n",
     .takes = MS_TAKES(LOAD) | MS_TAKES_ANSWER},
    {"show", "a model: source, parameters, couplings, feed-through, evaluation order, eigenvalues", "MODEL",
     "The evaluation order lists the subsystems in groups: outputs of a group depend, through feed-through, "
     "on groups\n"
     "before it; a group of several subsystems may hold an algebraic loop. variable_order is that of scalar "
     "inputs and\n"
     "outputs with few model evaluations, loops lists the algebraic loops in it. Feed-through and "
     "eigenvalues (of\n"
     "the coupled, linearised model) are those at the start. Of an FMU, FILE.fmu: version, kinds, flags as "
     "declared, variables\n"
     "by causality with units and start values, states, what outputs depend on, and where its description "
     "breaks a rule of FMI.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES_ANSWER},
    {"graph", "which input and output needs which: algebraic loops, evaluation orders, a picture", "MODEL",
     "Nodes are scalar inputs and outputs, SUB.u.NAME and SUB.y.NAME; edges are wires, feed-through, and "
     "time derivatives\n"
     "where outputs read those of inputs. The order is Tarjan's, the reduced one joins outputs of a "
     "subsystem so that it is\n"
     "evaluated less often; evaluations counts them, minimum is null where it is not known (large "
     "graphs).\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(DRAW) | MS_TAKES_ANSWER},
    {"run", "one co-simulation: errors, energy, coupling residual, work", "MODEL",
     "The energy's drift is the largest deviation from the reference's energy, relative to that at the "
     "start; its residual is\n"
     "what the coupling has produced [J]. In the ledger (--energy) a bond SUB.PORT-SUB.PORT has a residual "
     "for each macro-step,\n"
     "the sum of the work into its two ends; drift is the sum of the residuals so far, and supplied what "
     "else has changed the\n"
     "energy: external inputs, wires without ports, dissipation, the micro-solver.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(INPUTS) | MS_TAKES(TRAJECTORY) |
              MS_TAKES(ENERGY) | MS_TAKES_RUN | MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES_PLOT |
              MS_TAKES(VERBOSE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .couples = true, .ranks = true},
    {"compare", "one model with all schemes, ranked by error", "MODEL",
     "Runs every family with every extrapolation order, kind of derivatives, of outputs and of smoothing. An "
     "option that\n"
     "is given, with one value or with a list, replaces the values that would be tried. Pairs that do not "
     "fit are rows\n"
     "with the reason incompatible. The table is sorted by rank; csv and json keep the order of the grid.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(RANK) |
              MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .lists = true, .threaded = true},
    {"best", "the cheapest schemes that reach an error, and their step sizes", "MODEL",
     "Every variant that compare would run is tried with macro-steps from 32 times the case's, or from "
     "--step-size, "
     "halved up to\n"
     "twelve times, until its error is at most --error E; schemes that choose their steps with tolerances "
     "from 0.1, "
     "which fall by\n"
     "half a decade. The change is then halved twice. Cost counts integrations and sensitivities; what costs "
     "more than "
     "twice\n"
     "the cheapest is left out. --step-size takes one value.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES(ERROR) | MS_TAKES(CACHE) |
              MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OF_SCHEME, .lists = true, .threaded = true},
    {"integrate", "one model by one micro-solver, without coupling: steps, evaluations, events, errors",
     "MODEL",
     "A coupled model is integrated as a whole (its monolithic form). --solver takes a name, a list, or all; "
     "lists give\n"
     "rows. Tolerances are 1e-6 unless given; --step-size is that of solvers with fixed steps. Errors are "
     "those against the\n"
     "reference at the output points.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(INPUTS) | MS_TAKES(OUTPUT_POINTS) |
              MS_TAKES(TRAJECTORY) | MS_TAKES(HISTORY) | MS_TAKES(EVENTS) | MS_TAKES(CACHE) | MS_TAKES_PLOT |
              MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_SOLVER, MS_OPTION_STEP_SIZE, MS_OPTION_ERRORS, MS_OPTION_ERROR_SCALE),
     .lists = true},
    {"sweep", "models by cases by schemes by step sizes by parameters, with predicted and observed growth",
     "",
     "Runs every variant of every scheme family, as compare does, on every case of every model; --step-size "
     "is the case's\n"
     "own and half of it unless given. Each row is a run with the growth of the scheme's memory per "
     "macro-step, predicted\n"
     "(spectral radius) and observed (long run of the homogeneous problem), and whether both agree to 1e-4. "
     "As csv and json\n"
     "rows are written as they come, in grid order, the same bytes for any number of threads; FILE is valid "
     "at every moment,\n"
     "FILE.log says when and where it was made, and after an interruption --resume goes on. A row that is "
     "not the one of\n"
     "its place is refused then; with --repair it is made anew, and all behind it.\n",
     .takes = MS_TAKES(MODELS) | MS_TAKES(CASES) | MS_TAKES_SYSTEM | MS_TAKES(LOAD) | MS_TAKES(SET) |
              MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES(REFERENCE) | MS_TAKES(WIDE) |
              MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = EVERY, .lists = true, .threaded = true},
    {"converge", "errors over step sizes, and the observed order", "MODEL",
     "--step-size takes a list; from one value, or the case's own, it is halved six times. The order is "
     "fitted over the\n"
     "rows without a note; expected_order is what the literature claims of the scheme, with its start and a "
     "micro-solver\n"
     "of fixed order; null where nothing is coupled, where an option has a value that the claim does not "
     "know, and\n"
     "where the scheme is not zero-stable: its propagation matrix has a spectral radius above 1 as H -> 0. "
     "Where errors\n"
     "stop falling, tolerances are tightened in turn on the finest rows, and a message names the one that "
     "moved them.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) |
              MS_TAKES(REFERENCE) | MS_TAKES_PLOT | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OF_SCHEME, .couples = true, .lists = true, .threaded = true},
    {"spectral", "eigenvalues of the propagation matrix, by formula and by a probe of the implementation",
     "MODEL",
     "The matrix maps states and the scheme's memory over one macro-step. --step-size 0 is the limit H -> "
     "0, by formula only.\n"
     "Nonlinear models are linearised, see --at. A scheme or solver without a linear propagation is "
     "refused. formula is null\n"
     "where an option has a value that the formula does not model. Where formula and probe differ by more "
     "than round-off\n"
     "explains, there is no answer (exit status 1), with --along in any row.\n"
     "--extreme K never makes the matrix: Arnoldi's method on macro-steps of the engine, residuals |Psi v - "
     "lambda v|/|v| of at\n"
     "most 1e-8 |lambda|. Where they are not reached within --max-applications, the answer's status is "
     "not-converged, and each\n"
     "value is an eigenvalue of Psi + E with |E| the residual that stands beside it.\n"
     "--certify encloses the radius of an explicit scheme on a linear model: certify.spectral_radius = [low, "
     "high] is proved.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(MATRIX) | MS_TAKES(CERTIFY) | MS_TAKES(EXTREME) |
              MS_TAKES(MAX_APPLICATIONS) | MS_TAKES(AT) | MS_TAKES(ALONG) | MS_TAKES(CACHE) | MS_TAKES_PLOT |
              MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_MATRIX, MS_OPTION_MAX_STEP), .couples = true, .lists = true},
    {"linearise", "A, B, C, D of each subsystem and of the coupled model, and what they cost", "MODEL",
     "Subsystems: x' = A x + B u + E w, y = C x + D u + F w, w their external inputs. Whole: the coupled "
     "model with its loop\n"
     "solved, x' = A x + B w, y = C x + D w, y all coupling outputs. Columns that have no row in common are "
     "found together\n"
     "(Curtis, Powell, Reid 1974); the structure is that of the matrices, or is detected once. Counted are "
     "evaluations of f\n"
     "and of g, or directional derivatives; residual compares the matrices with one more difference in a "
     "random direction,\n"
     "max_difference the whole A with differences of the coupled x'.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(AT) | MS_TAKES(STATE) | MS_TAKES(SUBSYSTEM) | MS_TAKES(DIFFERENCES) |
              MS_TAKES(COMPRESSION) | MS_TAKES(CACHE) | MS_TAKES_PLOT | MS_TAKES_ANSWER,
     0},
    {"stability", "regions of stability, their boundaries, and critical step sizes", "MODEL",
     "The spectral radius over two axes, and the curves where it is 1; up to 1 + 1e-10 counts as stable. "
     "re-lambda and\n"
     "im-lambda take no model: the limit H -> 0 of the scheme for one complex eigenvalue lambda of D L. The "
     "boundary is\n"
     "traced from a coarse grid; evaluations counts what it takes by itself, and islands the curves that "
     "only the full\n"
     "map has shown. With --boundary-only every curve is found that crosses the line between two neighbours "
     "of the coarse\n"
     "grid of different stability, so as a rule every region as wide as 1/45 of the shorter side (23 lines "
     "of more than\n"
     "1024); smaller islands may be missed. Points of a boundary lie within --boundary-tolerance of it, "
     "relative "
     "to their\n"
     "coordinates; boundary_width and boundary_residual say how near, and those that are no simple crossing "
     "are named: flat,\n"
     "steep, jump, undefined. --critical searches the step sizes up to --max-step (the length "
     "of the run):\n"
     "changes between 2000 equal steps and 40 a decade below the first, local extrema of these, and tongues "
     "of "
     "any width where\n"
     "two eigenvalues of modulus above 1/2 meet (of at most 64 rows; `resonances` counts meetings and those "
     "looked into). What is\n"
     "narrower than the scan and has another cause may be missed.\n"
     "Nonlinear models are linearised, see --at, anew for all values of parameters. Radii come from the "
     "formula, where it\n"
     "models all options, else from the probe; the formula is held against the probe at begin, middle and "
     "end of both\n"
     "axes, with --critical at the largest step and where stable intervals end, and where they differ by "
     "more than\n"
     "round-off explains there is no answer (exit status 1). The limit over lambda has no probe; it refuses "
     "what it does\n"
     "not model.\n"
     "--critical --certify proves, for explicit schemes on linear models, that the radius is below 1 for all "
     "step sizes of an\n"
     "interval: certify has the intervals proved, the gaps, and step sizes at which instability is proved. "
     "It takes the\n"
     "entries of A, B, C, D, L as the doubles that they are, and needs Arb (libflint-arb-dev).\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(X) | MS_TAKES(Y) | MS_TAKES(BOUNDARY_ONLY) |
              MS_TAKES(BOUNDARY_TOLERANCE) | MS_TAKES(CRITICAL) | MS_TAKES(CERTIFY) | MS_TAKES(AT) |
              MS_TAKES_RUN | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES_PLOT | MS_TAKES(QUIET) |
              MS_TAKES_ANSWER,
     .options = OPTIONS(OF_MATRIX), .couples = true, .lists = true, .threaded = true},
    {"estimate", "parameters from measurements: least squares, intervals, correlation, identifiability",
     "MODEL",
     "Residuals are simulated output minus measurement, divided by --sigma. Without options of a scheme\n"
     "the model is solved in one piece (--solver and its tolerances); with any of them it is co-simulated,\n"
     "and the step size is part of the simulated output. The run\n"
     "ends with the last measurement. Standard errors and 95 % intervals follow from the Jacobian at the "
     "minimum; --trajectory\n"
     "writes the fitted output beside the measurements.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(INPUTS) | MS_TAKES(MEASUREMENTS) | MS_TAKES(PARAMETERS) |
              MS_TAKES(METHOD) | MS_TAKES(SIGMA) | MS_TAKES(TOLERANCE) | MS_TAKES(MAX_SIMULATIONS) |
              MS_TAKES(TRAJECTORY) | MS_TAKES_RUN | MS_TAKES_PLOT | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE,
                        MS_OPTION_STOP_TIME)},
    {"drive", "one subsystem driven alone by inputs that the coupled model gives", "MODEL",
     "The inputs are read from the coupled model's reference at the ends of equal segments, and the "
     "micro-solver gets them\n"
     "segment by segment, as in a co-simulation whose coupling makes no error. Errors are those at these "
     "times, against a\n"
     "tight solution of the same open-loop problem (own) and against the coupled model (coupled), which "
     "differs "
     "from it by the\n"
     "sampling of the inputs. The solver is cvode-bdf unless given.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(PERTURB_START) | MS_TAKES(SUBSYSTEM) | MS_TAKES(SEGMENTS) |
              MS_TAKES(INPUT_SHAPE) | MS_TAKES(TRAJECTORY) | MS_TAKES(HISTORY) | MS_TAKES(CACHE) |
              MS_TAKES_PLOT | MS_TAKES_ANSWER,
     .options = OPTIONS(OF_SOLVER, MS_OPTION_MICRO_STEPS, MS_OPTION_INPUT_CHANGE)},
    {"judge", "errors, order and energy of results that another tool has written", "RESULT.csv.. MODEL",
     "Each RESULT.csv is a time series: lines with #, one line time,NAME,NAME,.., rows with ascending times. "
     "Names are\n"
     "SUB.x.NAME, SUB.u.NAME and SUB.y.NAME, as --trajectory writes them, or SUB.NAME, the state of that "
     "name or "
     "else the\n"
     "output; other columns are listed as ignored. Errors are those against the reference at the times of "
     "the "
     "file, rmse and\n"
     "l2 by the trapezoidal rule on them. Over several files with different step sizes, that of a file being "
     "its longest\n"
     "step, the order is fitted as by converge. Words that end in .csv are results, the other one is the "
     "model, "
     "in any order.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(INPUTS) | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_OPTION_NORM, MS_OPTION_ERROR_SCALE, MS_OPTION_START_TIME)},
    {"diff", "what differs between two results: verdicts, checks, numbers", "A B",
     "A and B are files that commands have written (json, jsonl, csv), or folders of them, as --directory "
     "makes them: those "
     "of the same path are compared. A row is a verdict or a check that differs, or of the numbers of one "
     "column or matrix "
     "the one furthest apart, relative to the larger one; count says how many differ. Exit status: 0 nothing "
     "differs, 3 something does.\n",
     .takes =
         MS_TAKES(RELATIVE_TOLERANCE) | MS_TAKES(ABSOLUTE_TOLERANCE) | MS_TAKES(IGNORE) | MS_TAKES_ANSWER},
    {"export", "subsystems as FMUs for other tools, and the reference of the coupled model", "MODEL",
     "Every subsystem becomes an FMU MODEL_SUBSYSTEM.fmu, for co-simulation with its micro-solver inside and "
     "for model exchange "
     "in one;\n"
     "what is differential-algebraic or reads time derivatives of inputs is for co-simulation alone. "
     "--subsystem whole is the "
     "coupled\n"
     "model, its loop solved, as one FMU. MODEL_ref.csv is the reference at the communication points, in the "
     "columns that judge "
     "reads.\n"
     "MODEL.ssp is all of it for tools that read SSP; options of a run that are given stand in it as "
     "defaults "
     "of its runs.\n"
     "The FMUs answer with the bits of the built-in subsystems; the binaries, for linux64, need the "
     "libraries that the answer "
     "lists.\n",
     .takes = MS_TAKES_MODEL | MS_TAKES(FMI) | MS_TAKES(SOURCES) | MS_TAKES(SUBSYSTEM) | MS_TAKES(DIRECTORY) |
              MS_TAKES(CACHE) | MS_TAKES_ANSWER,
     .options = OPTIONS(MS_EVERY_OPTION, MS_OPTION_ERRORS, MS_OPTION_NORM, MS_OPTION_ERROR_SCALE,
                        MS_OPTION_EXECUTION, MS_OPTION_SOLVER_OF, MS_OPTION_START_TIME, MS_OPTION_STOP_TIME)},
    {"figure", "redraws a published figure or table and judges it against the printed values", "ID|FILE.json",
     "IDs look like andersson2016:fig6.4; macrostep list figures shows them. FILE.json is a figure of your "
     "own, with its picture's\n"
     "gnuplot commands in FILE.gp beside it; the manual, bench/README.md, has an example and all members.\n",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER},
    {"figures", "all published figures and tables", "", "",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES_PART | MS_TAKES(CACHE) | MS_TAKES(QUIET) | MS_TAKES_ANSWER},
    {"merge", "joins the parts that --shard I/N has made of a command's rows", "FILE..",
     "The answer has the bytes of that of the whole call, and its format. All N parts are needed, each once, "
     "in any "
     "order. Parts of\n"
     "sweep are read row by row; of other commands merge does what follows the rows (ranks, orders, "
     "boundaries), so "
     "that it has to\n"
     "be the program that made the parts. --shard and --resume go together: a part that has ended early goes "
     "on.\n",
     .takes = MS_TAKES(OUTPUT)},
    {"report", "everything that was reproduced beside what was published, as HTML and Markdown", "[FOLDER]",
     "DIRECTORY/report.html and report.md tell of the answers in DIRECTORY/figures, field.html which scheme "
     "is for "
     "what, errata.html\n"
     "what the papers print wrong, or not at all. Pictures stay beside them. With FOLDER all figure files in "
     "it (.json) are\n"
     "drawn, and the report tells of these alone; DIRECTORY is FOLDER/results then, unless it is given.\n",
     .takes = MS_TAKES(DIRECTORY) | MS_TAKES(SINGLE_FILE) | MS_TAKES_ANSWER},
    {"new", "a model or a scheme of your own to start from, as C", "KIND NAME",
     "KIND is model or scheme; NAME.c is written here, with the line that compiles it. What comes of it is "
     "opened by --load.\n",
     .takes = MS_TAKES_ANSWER},
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
