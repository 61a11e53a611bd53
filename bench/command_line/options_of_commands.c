/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_of_commands.c - the options of the commands that are no options of a run: type, range, meaning. */
#include <stddef.h>

#include "arguments.h"

/* clang-format off */
#define CHOICES(...) (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define AT(member) .offset = offsetof(ms_arguments, member), .size = sizeof(((ms_arguments *)NULL)->member)

const ms_argument_row ms_argument_table[MS_ARGUMENTS] = {
    [MS_ARGUMENT_SYSTEM] = {{"system", MS_KIND_TEXT,
                             .summary = "a system as JSON or of SSP, or an FMU, in place of MODEL",
                             .value = "FILE"},
                            .result = true},
    [MS_ARGUMENT_LOAD] = {{"load", MS_KIND_TEXT,
                           .summary = "models and schemes of shared objects of your own (macrostep new)",
                           .value = "FILE.so[,FILE.so ..]"},
                          .result = true},
    [MS_ARGUMENT_CASE] = {{"case", MS_KIND_TEXT, .summary = "a paper's own parameter values",
                           .value = "NAME"},
                          .result = true},
    [MS_ARGUMENT_SET] = {{"set", MS_KIND_LIST, .summary = "a parameter's value, over the case's (repeatable)",
                          .value = "PARAMETER=VALUE"},
                         .repeatable = true,
                         .result = true},
    [MS_ARGUMENT_PERTURB_START] =
        {{"perturb-start", MS_KIND_INTEGER, AT(perturb_start), .min = -MS_PERTURB_START_MAX,
          .max = MS_PERTURB_START_MAX,
          .summary = "start values are times 1 + K eps, K whole, eps = 2^-52; K eps where all are zero (0): "
                     "what hangs on round-off shows over K = -4..4",
          .value = "K"},
         .result = true},
    [MS_ARGUMENT_TRAJECTORY] =
        {{"trajectory", MS_KIND_TEXT,
          .summary = "writes time, states, inputs and outputs at the communication points; of "
                     "an integration time, event (0, -1 left of one, 1 right of it), states, "
                     "discrete variables and external inputs at output points and events",
          .value = "FILE.csv"}},
    [MS_ARGUMENT_ENERGY] =
        {{"energy", MS_KIND_TEXT,
          .summary = "writes the energy ledger: energies, power and work at the ports, and what the "
                     "coupling produced, at the communication points",
          .value = "FILE.csv"}},
    [MS_ARGUMENT_OUTPUT_POINTS] = {{"output-points", MS_KIND_INTEGER, AT(output_points), .min = 0, .max = 1e6,
                                    .summary = "equal intervals with an output at each of their ends; 0: an "
                                               "output after each micro-step (500)",
                                    .value = "N"},
                                   .result = true},
    [MS_ARGUMENT_HISTORY] = {{"history", MS_KIND_TEXT,
                              .summary = "writes the end, length and order of each micro-step",
                              .value = "FILE.csv"}},
    [MS_ARGUMENT_EVENTS] = {{"events", MS_KIND_TEXT,
                             .summary =
                                 "writes the time, kinds, indicators, left and right values of each event",
                             .value = "FILE.csv"}},
    [MS_ARGUMENT_DIRECTORY] = {{"directory", MS_KIND_TEXT, .summary = "where the files go (results/)",
                                .value = "DIR"}},
    [MS_ARGUMENT_CACHE] =
        {{"cache", MS_KIND_TEXT,
          .summary = "keeps references on disk, for later calls; results do not depend on it (none)",
          .value = "DIR"}},
    [MS_ARGUMENT_REFERENCE] =
        {{"reference", MS_KIND_TEXT,
          .summary =
              "what errors are against: another model, a time series, or the same scheme at a sixteenth of "
              "the step; states by name, else outputs (the model itself in one piece)",
          .value = "MODEL|FILE|finer"},
         .result = true},
    [MS_ARGUMENT_PROBE] =
        {{"probe", MS_KIND_CHOICE, AT(probe), .choices = CHOICES("on", "off", "trust"), .bare = 0,
          .summary =
              "of FMUs for co-simulation: on, flags that do not hold are taken away; off, they are believed; "
              "trust, believed and said (on); show tells what holds"},
         .result = true},
    [MS_ARGUMENT_ISOLATE] = {{"isolate", MS_KIND_FLAG, AT(isolate),
                              .summary =
                                  "runs FMUs in processes of their own: one that crashes ends the run as "
                                  "subsystem-failed, and nothing else"}},
    [MS_ARGUMENT_COMPILE_SOURCES] =
        {{"compile-sources", MS_KIND_FLAG, AT(compile_sources),
          .summary = "compiles the sources of an FMU that has no binary for this machine, with cc"},
         .result = true},
    [MS_ARGUMENT_UNITS] =
        {{"units", MS_KIND_CHOICE, AT(units), .choices = CHOICES("on", "off"), .bare = -1,
          .summary =
              "on: expressions and wires of a system file whose declared units do not fit are refused; "
              "off: they are not looked at (on)"},
         .result = true},
    [MS_ARGUMENT_KIND] =
        {{"kind", MS_KIND_CHOICE, AT(kind), .choices = CHOICES("model-exchange", "co-simulation"), .bare = -1,
          .summary = "what an FMU alone, FILE.fmu, is taken for (model-exchange where it has both)"},
         .result = true},
    [MS_ARGUMENT_FORMAT] =
        {{"format", MS_KIND_CHOICE, AT(format), .choices = CHOICES("table", "csv", "json", "jsonl"),
          .bare = -1,
          .summary = "of the answer; jsonl: a line with the provenance, then one for each row (table)"}},
    [MS_ARGUMENT_OUTPUT] = {{"output", MS_KIND_TEXT, .summary = "where the answer goes (standard output)",
                             .value = "FILE"}},
    [MS_ARGUMENT_MODELS] =
        {{"models", MS_KIND_TEXT,
          .summary = "models of the sweep (all: those with couplings, but not lim-manipulator, whose "
                     "runs take seconds)",
          .value = "all|NAME,NAME,.."},
         .result = true},
    [MS_ARGUMENT_CASES] = {{"cases", MS_KIND_TEXT,
                            .summary =
                                "cases of each model: all, its first one, or those of these names (all)",
                            .value = "all|first|NAME,.."},
                           .result = true},
    [MS_ARGUMENT_RESUME] = {{"resume", MS_KIND_FLAG, AT(resume),
                             .summary = "goes on in FILE where the same call has ended early"}},
    [MS_ARGUMENT_REPAIR] = {{"repair", MS_KIND_FLAG, AT(repair),
                             .summary = "with --resume: rows from the first damaged one on are made anew"}},
    [MS_ARGUMENT_SHARD] = {{"shard", MS_KIND_SHARD, AT(shard),
                            .summary = "part I of N of the rows alone, for macrostep merge to join",
                            .value = "I/N"}},
    [MS_ARGUMENT_NUM_THREADS] = {{"num-threads", MS_KIND_INTEGER, AT(num_threads), .min = 1,
                                  .max = MS_THREADS_MAX,
                                  .summary = "threads (all processors); results do not depend on it",
                                  .value = "N"}},
    [MS_ARGUMENT_X] = {{"x", MS_KIND_RANGE, AT(range[0]),
                        .summary =
                            "an axis: step-size, a parameter, re-lambda or im-lambda, and from:to:lin:count, "
                            "from:to:log:count or a list",
                        .value = "NAME=RANGE"},
                       .result = true},
    [MS_ARGUMENT_Y] = {{"y", MS_KIND_RANGE, AT(range[1]), .summary = "the other axis", .value = "NAME=RANGE"},
                       .result = true},
    [MS_ARGUMENT_BOUNDARY_ONLY] = {{"boundary-only", MS_KIND_FLAG, AT(boundary_only),
                                    .summary =
                                        "traces the boundary without the spectral radius at all points"},
                                   .result = true},
    [MS_ARGUMENT_BOUNDARY_TOLERANCE] = {{"boundary-tolerance", MS_KIND_REAL, AT(boundary_tolerance),
                                         .min = 1e-14, .max = 1,
                                         .summary =
                                             "how near the points of a boundary lie to it, relative to "
                                             "their coordinates (1e-6)",
                                         .value = "X"},
                                        .result = true},
    [MS_ARGUMENT_CRITICAL] = {{"critical", MS_KIND_FLAG, AT(critical),
                               .summary =
                                   "step sizes at which stability is lost and regained, up to --max-step"},
                              .result = true},
    [MS_ARGUMENT_CERTIFY] = {{"certify", MS_KIND_FLAG, AT(certify),
                              .summary =
                                  "proves stability of a linear model in ball arithmetic (Arb): of the "
                                  "intervals of --critical, of the radius of spectral"},
                             .result = true},
    [MS_ARGUMENT_MATRIX] = {{"matrix", MS_KIND_FLAG, AT(matrix),
                             .summary = "adds the propagation matrix, by rows"},
                            .result = true},
    [MS_ARGUMENT_EXTREME] = {{"extreme", MS_KIND_INTEGER, AT(extreme), .min = 1, .max = 1000,
                              .summary = "the K eigenvalues of largest modulus alone, by macro-steps of the "
                                         "engine, however large the matrix is",
                              .value = "K"},
                             .result = true},
    [MS_ARGUMENT_MAX_APPLICATIONS] =
        {{"max-applications", MS_KIND_INTEGER, AT(max_applications), .min = 1, .max = 1e9,
          .summary = "macro-steps that --extreme takes at most (2e8 over the rows of the matrix, at least "
                     "400, at most 1e6)",
          .value = "N"},
         .result = true},
    [MS_ARGUMENT_AT] = {{"at", MS_KIND_TEXT,
                         .summary = "where a nonlinear model is linearised: at the start, at TIME [s] along "
                                    "the reference, or at the "
                                    "equilibrium that Newton's method finds from there (start)",
                         .value = "start|TIME|equilibrium"},
                        .result = true},
    [MS_ARGUMENT_ALONG] =
        {{"along", MS_KIND_FLAG, AT(along),
          .summary = "the spectral radius along the reference of a nonlinear model: rows of time and radius"},
         .result = true},
    [MS_ARGUMENT_STATE] = {{"state", MS_KIND_PAIRS, AT(state),
                            .summary = "states of a nonlinear model that are set, over those of --at",
                            .value = "SUB.NAME=VALUE,.."},
                           .result = true},
    [MS_ARGUMENT_SUBSYSTEM] = {{"subsystem", MS_KIND_TEXT, .summary = "this subsystem alone",
                                .value = "NAME"},
                               .result = true},
    [MS_ARGUMENT_DIFFERENCES] = {{"differences", MS_KIND_CHOICE, AT(differences),
                                  .choices = CHOICES("forward", "central"), .bare = -1,
                                  .summary = "differences for every subsystem (directional derivatives where "
                                             "there are any, else central)"},
                                 .result = true},
    [MS_ARGUMENT_COMPRESSION] = {{"compression", MS_KIND_CHOICE, AT(compression),
                                  .choices = CHOICES("on", "off"), .bare = -1,
                                  .summary = "finds columns without a common row together (on)"},
                                 .result = true},
    [MS_ARGUMENT_DRAW] = {{"draw", MS_KIND_TEXT,
                           .summary = "draws the graph by Graphviz' dot, or writes dot's text; numbers are "
                                      "places in the reduced order",
                           .value = "FILE.svg|FILE.dot"}},
    [MS_ARGUMENT_INPUTS] = {{"inputs", MS_KIND_TEXT,
                             .summary = "external inputs, linear between the rows of time and "
                                        "SUBSYSTEM.w.NAME (*.w.NAME: of all subsystems), in place of the "
                                        "model's own",
                             .value = "FILE.csv"},
                            .result = true},
    [MS_ARGUMENT_MEASUREMENTS] = {{"measurements", MS_KIND_TEXT,
                                   .summary = "rows of time, SUBSYSTEM.x.NAME and SUBSYSTEM.y.NAME",
                                   .value = "FILE.csv"},
                                  .result = true},
    [MS_ARGUMENT_PARAMETERS] = {{"parameters", MS_KIND_PAIRS, AT(parameters),
                                 .summary = "the parameters to estimate, and where to start (their values "
                                            "by --case and --set)",
                                 .value = "NAME[=START],.."},
                                .result = true},
    [MS_ARGUMENT_METHOD] = {{"method", MS_KIND_CHOICE, AT(method),
                             .choices = CHOICES("trust-region", "nelder-mead"), .bare = -1,
                             .summary = "of minimisation (trust-region)"},
                            .result = true},
    [MS_ARGUMENT_SIGMA] = {{"sigma", MS_KIND_PAIRS, AT(sigma),
                            .summary = "standard deviations that residuals are divided by, of all columns or "
                                       "of each (the largest absolute value of each)",
                            .value = "X|COLUMN=X,.."},
                           .result = true},
    [MS_ARGUMENT_TOLERANCE] = {{"tolerance", MS_KIND_REAL, AT(tolerance), .min = 0, .max = 1,
                                .min_excluded = true, .max_excluded = true,
                                .summary =
                                    "relative, of the parameters (trust-region 1e-8, nelder-mead 1e-6)",
                                .value = "X"},
                               .result = true},
    [MS_ARGUMENT_MAX_SIMULATIONS] =
        {{"max-simulations", MS_KIND_INTEGER, AT(max_simulations), .min = 1, .max = 1e9,
          .summary = "runs after which the best point so far is the answer (5000)", .value = "N"},
         .result = true},
    [MS_ARGUMENT_SEGMENTS] = {{"segments", MS_KIND_INTEGER, AT(segments), .min = 1, .max = 1e6,
                               .summary = "equal segments of the inputs, at whose ends they change (20)",
                               .value = "N"},
                              .result = true},
    [MS_ARGUMENT_INPUT_SHAPE] =
        {{"input-shape", MS_KIND_CHOICE, AT(input_shape),
          .choices = CHOICES("constant", "linear", "interpolated"), .bare = -1,
          .summary = "on a segment: held, with the value and slope at its start, or the line between the "
                     "values at its ends (constant)"},
         .result = true},
    [MS_ARGUMENT_FMI] = {{"fmi", MS_KIND_INTEGER, AT(fmi), .min = 2, .max = 3,
                          .summary = "the version of FMI (2)", .value = "2|3"},
                         .result = true},
    [MS_ARGUMENT_SOURCES] =
        {{"sources", MS_KIND_FLAG, AT(sources),
          .summary = "subsystems that are linear or equations in C as well, which needs libm alone"},
         .result = true},
    [MS_ARGUMENT_PLOT] = {{"plot", MS_KIND_TEXT,
                           .summary = "draws the answer by gnuplot; FILE.tex is for LaTeX, beside its "
                                      "FILE.pdf; - draws in the terminal",
                           .value = "FILE.svg|pdf|png|tex|-"}},
    [MS_ARGUMENT_WIDTH] = {{"width", MS_KIND_LENGTH, AT(width), .min = 4, .max = 60,
                            .summary = "of the picture: 8cm a column, 17cm a page (17cm)",
                            .value = "LENGTH"}},
    [MS_ARGUMENT_TITLE] = {{"title", MS_KIND_TEXT, .summary = "above the picture (none)", .value = "TEXT"}},
    [MS_ARGUMENT_STYLE] = {{"style", MS_KIND_CHOICE, AT(style), .choices = CHOICES("paper", "screen"),
                            .bare = -1,
                            .summary = "of the picture; screen has larger text and wider lines (paper)"}},
    [MS_ARGUMENT_KEEP] =
        {{"keep", MS_KIND_FLAG, AT(keep),
          .summary = "writes the picture's gnuplot script and data beside it, FILE.gp and FILE-*.csv"}},
    [MS_ARGUMENT_ERROR] = {{"error", MS_KIND_REAL, AT(error), .min = 0, .min_excluded = true, .max = 1e300,
                            .summary = "the error that is to be reached, in the sense of --norm",
                            .value = "E"},
                           .result = true},
    [MS_ARGUMENT_RANK] = {{"rank", MS_KIND_CHOICE, AT(rank), .choices = CHOICES("error", "work", "pareto"),
                           .bare = -1,
                           .summary = "by error, by integrations, or by both: 1 is the Pareto front (error)"},
                          .result = true},
    [MS_ARGUMENT_QUIET] =
        {{"quiet", MS_KIND_FLAG, AT(quiet),
          .summary = "no progress, which standard error has of what takes longer than two seconds"}},
    [MS_ARGUMENT_VERBOSE] = {{"verbose", MS_KIND_FLAG, AT(verbose),
                              .summary = "the table with all that csv and json have, in place of a summary"}},
    [MS_ARGUMENT_RELATIVE_TOLERANCE] =
        {{"relative-tolerance", MS_KIND_REAL, AT(relative_tolerance), .min = 0, .max = 1,
          .summary = "numbers that differ by less, relative to the larger one, are the same (1e-9)",
          .value = "X"},
         .result = true},
    [MS_ARGUMENT_ABSOLUTE_TOLERANCE] = {{"absolute-tolerance", MS_KIND_REAL, AT(absolute_tolerance), .min = 0,
                                         .max = 1e300,
                                         .summary = "numbers as far apart as that are the same (1e-12)",
                                         .value = "X"},
                                        .result = true},
    [MS_ARGUMENT_IGNORE] = {{"ignore", MS_KIND_TEXT,
                             .summary = "members and columns that are left aside, beside provenance and "
                                        "wall_seconds",
                             .value = "NAME,NAME,.."},
                            .result = true},
    [MS_ARGUMENT_WIDE] = {{"wide", MS_KIND_FLAG, AT(wide),
                           .summary = "csv: a column for each parameter, state and subsystem of every model, "
                                      "in place of one of JSON for parameters, errors.per_state and work"},
                          .result = true},
    [MS_ARGUMENT_SINGLE_FILE] = {{"single-file", MS_KIND_FLAG, AT(single_file),
                                  .summary = "report.html holds its pictures and the two pages beside it"}},
};

const ms_arguments ms_arguments_default = {.relative_tolerance = 1e-9,
                                           .absolute_tolerance = 1e-12,
                                           .boundary_tolerance = 1e-6,
                                           .output_points = 500,
                                           .segments = 20,
                                           .width = 17,
                                           .differences = -1,
                                           .fmi = 2}; /* none: the best there is */
