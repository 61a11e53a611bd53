/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_of_commands.c - the options of the commands that are no options of a run: type, range, meaning. */
#include <stddef.h>

#include "arguments.h"

/* clang-format off */
#define CHOICES(...) (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define AT(member) .offset = offsetof(ms_arguments, member), .size = sizeof(((ms_arguments *)NULL)->member)

const ms_argument_row ms_argument_table[MS_ARGUMENTS] = {
    [MS_ARGUMENT_SYSTEM] =
        {{"system", MS_KIND_TEXT,
          .summary = "a system file (JSON), a system structure (.ssd, .ssp) or an FMU, in place of MODEL",
          .value = "FILE"},
         .result = true},
    [MS_ARGUMENT_LOAD] = {{"load", MS_KIND_TEXT,
                           .summary =
                               "adds models and schemes of your own from shared objects (macrostep new)",
                           .value = "FILE.so[,FILE.so ..]"},
                          .result = true},
    [MS_ARGUMENT_CASE] = {{"case", MS_KIND_TEXT,
                           .summary = "the parameter values of a case; `macrostep show MODEL` has the cases",
                           .value = "NAME"},
                          .result = true},
    [MS_ARGUMENT_SET] = {{"set", MS_KIND_LIST,
                          .summary = "sets a parameter, in place of the value of the case (repeatable)",
                          .value = "PARAMETER=VALUE"},
                         .repeatable = true,
                         .result = true},
    [MS_ARGUMENT_PERTURB_START] =
        {{"perturb-start", MS_KIND_INTEGER, AT(perturb_start), .min = -MS_PERTURB_START_MAX,
          .max = MS_PERTURB_START_MAX,
          .summary = "multiplies start values by 1 + K eps, where K is whole and eps = 2^-52; where all "
                     "are zero they are K eps. K = -4..4 show what depends on round-off (0)",
          .value = "K"},
         .result = true},
    [MS_ARGUMENT_TRAJECTORY] =
        {{"trajectory", MS_KIND_TEXT,
          .summary = "writes time, states, inputs and outputs at the communication points; integrate "
                     "writes time, event (-1 left of one, 1 right of one, else 0), states, discrete "
                     "variables and external inputs at output points and events",
          .value = "FILE.csv"}},
    [MS_ARGUMENT_ENERGY] =
        {{"energy", MS_KIND_TEXT,
          .summary = "writes the energy ledger: energies, power and work at the ports, and what the "
                     "coupling produced, at the communication points",
          .value = "FILE.csv"}},
    [MS_ARGUMENT_OUTPUT_POINTS] =
        {{"output-points", MS_KIND_INTEGER, AT(output_points), .min = 0, .max = 1e6,
          .summary = "number of equal intervals with an output at each end; 0: an output after each "
                     "micro-step (500)",
          .value = "N"},
         .result = true},
    [MS_ARGUMENT_HISTORY] = {{"history", MS_KIND_TEXT,
                              .summary = "writes the end, length and order of each micro-step",
                              .value = "FILE.csv"}},
    [MS_ARGUMENT_EVENTS] = {{"events", MS_KIND_TEXT,
                             .summary =
                                 "writes the time, kinds, indicators, left and right values of each event",
                             .value = "FILE.csv"}},
    [MS_ARGUMENT_DIRECTORY] = {{"directory", MS_KIND_TEXT, .summary = "folder of the files (results)",
                                .value = "DIR"}},
    [MS_ARGUMENT_CACHE] =
        {{"cache", MS_KIND_TEXT,
          .summary = "keeps references in this folder for later calls; results do not depend on it (none)",
          .value = "DIR"}},
    [MS_ARGUMENT_REFERENCE] =
        {{"reference", MS_KIND_TEXT,
          .summary = "computes errors against another model, a time series, or the same scheme at a "
                     "sixteenth of the step; states are matched by name, else outputs (the model solved "
                     "as a whole)",
          .value = "MODEL|FILE|finer"},
         .result = true},
    [MS_ARGUMENT_PROBE] =
        {{"probe", MS_KIND_CHOICE, AT(fmus.probing), .choices = CHOICES("on", "off", "trust"), .bare = 0,
          .summary = "tests the capability flags of FMUs for co-simulation: on, wrong flags are removed; "
                     "trust, they are kept and named; off, no test (on)"},
         .result = true},
    [MS_ARGUMENT_ISOLATE] = {{"isolate", MS_KIND_FLAG, AT(fmus.use.isolate),
                              .summary =
                                  "runs each FMU in its own process: one that crashes ends only the run, as "
                                  "subsystem-failed"}},
    [MS_ARGUMENT_CALL_TIMEOUT] =
        {{"call-timeout", MS_KIND_REAL, AT(fmus.use.call_timeout), .min = 1e-3, .max = 1e9,
          .summary =
              "a call into an FMU that takes longer ends the run as subsystem-failed; implies --isolate "
              "(none) [s]",
          .value = "SECONDS"}},
    [MS_ARGUMENT_COMPILE_SOURCES] =
        {{"compile-sources", MS_KIND_FLAG, AT(fmus.use.compile_sources),
          .summary = "compiles the sources of an FMU that has no binary for this machine, by cc"},
         .result = true},
    [MS_ARGUMENT_UNITS] =
        {{"units", MS_KIND_CHOICE, AT(units), .choices = CHOICES("on", "off"), .bare = -1,
          .summary = "refuses expressions and wires of a system file whose declared units do not fit (on)"},
         .result = true},
    [MS_ARGUMENT_KIND] =
        {{"kind", MS_KIND_CHOICE, AT(kind), .choices = CHOICES("model-exchange", "co-simulation"), .bare = -1,
          .summary = "what an FMU alone, FILE.fmu, is taken for (model-exchange where it has both)"},
         .result = true},
    [MS_ARGUMENT_FORMAT] =
        {{"format", MS_KIND_CHOICE, AT(format),
          .choices = CHOICES("table", "csv", "json", "jsonl", "latex", "latex-siunitx", "markdown"),
          .bare = -1,
          .summary = "format of the answer; jsonl has a line with the provenance and one for each row; latex "
                     "(booktabs), latex-siunitx and markdown are tables for a page (table)"}},
    [MS_ARGUMENT_DIGITS] =
        {{"digits", MS_KIND_INTEGER, AT(digits), .min = 1, .max = 17,
          .summary = "significant digits of numbers in tables (6; latex and markdown: no more than stated "
                     "errors leave)",
          .value = "N"},
         .result = true},
    [MS_ARGUMENT_OUTPUT] = {{"output", MS_KIND_TEXT, .summary = "file of the answer (standard output)",
                             .value = "FILE"}},
    [MS_ARGUMENT_COMMENTS] =
        {{"comments", MS_KIND_CHOICE, AT(comments), .choices = CHOICES("yes", "no"), .bare = -1,
          .summary =
              "says where CSV files and tables in files come from, in lines that begin with #, of LaTeX with % (yes)"}},
    [MS_ARGUMENT_MODELS] =
        {{"models", MS_KIND_TEXT,
          .summary = "models of the sweep; all: those with couplings except lim-manipulator, whose runs "
                     "take seconds (all)",
          .value = "all|NAME,NAME,.."},
         .result = true},
    [MS_ARGUMENT_CASES] = {{"cases", MS_KIND_TEXT,
                            .summary = "cases of each model: all, its first one, or those named (all)",
                            .value = "all|first|NAME,.."},
                           .result = true},
    [MS_ARGUMENT_RESUME] = {{"resume", MS_KIND_FLAG, AT(resume),
                             .summary = "goes on in FILE, where the same call has ended early"}},
    [MS_ARGUMENT_REPAIR] =
        {{"repair", MS_KIND_FLAG, AT(repair),
          .summary = "with --resume: computes the first damaged row and all rows after it again"}},
    [MS_ARGUMENT_SHARD] = {{"shard", MS_KIND_SHARD, AT(shard),
                            .summary =
                                "computes only part I of N of the rows; macrostep merge joins the parts",
                            .value = "I/N"}},
    [MS_ARGUMENT_NUM_THREADS] =
        {{"num-threads", MS_KIND_INTEGER, AT(num_threads), .min = 1, .max = MS_THREADS_MAX,
          .summary = "number of threads; results do not depend on it (all processors)", .value = "N"}},
    [MS_ARGUMENT_X] = {{"x", MS_KIND_RANGE, AT(range[0]),
                        .summary =
                            "an axis: step-size, a parameter, re-lambda or im-lambda, and from:to:lin:count, "
                            "from:to:log:count or a list",
                        .value = "NAME=RANGE"},
                       .result = true},
    [MS_ARGUMENT_Y] = {{"y", MS_KIND_RANGE, AT(range[1]), .summary = "the other axis", .value = "NAME=RANGE"},
                       .result = true},
    [MS_ARGUMENT_BOUNDARY_ONLY] =
        {{"boundary-only", MS_KIND_FLAG, AT(boundary_only),
          .summary = "traces the boundary without computing the spectral radius at all points"},
         .result = true},
    [MS_ARGUMENT_BOUNDARY_TOLERANCE] =
        {{"boundary-tolerance", MS_KIND_REAL, AT(boundary_tolerance), .min = 1e-14, .max = 1,
          .summary = "accuracy of the points of a boundary, relative to their coordinates (1e-6)",
          .value = "X"},
         .result = true},
    [MS_ARGUMENT_CRITICAL] =
        {{"critical", MS_KIND_FLAG, AT(critical),
          .summary = "finds the step sizes at which stability is lost and regained, up to --max-step"},
         .result = true},
    [MS_ARGUMENT_CERTIFY] =
        {{"certify", MS_KIND_FLAG, AT(certify),
          .summary = "proves the stability of a linear model in ball arithmetic (Arb): the intervals of "
                     "--critical, or the spectral radius"},
         .result = true},
    [MS_ARGUMENT_TEST_EQUATION] =
        {{"test-equation", MS_KIND_FLAG, AT(test_equation),
          .summary =
              "maps the plane of H lambda at H = 1 by the model test-equation, z' = lambda z in two coupled "
              "copies, and gives the limits on the real and imaginary axis"},
         .result = true},
    [MS_ARGUMENT_ORDER_STAR] =
        {{"order-star", MS_KIND_FLAG, AT(order_star),
          .summary =
              "divides the spectral radius by that of the exact solution: the boundary is the order star"},
         .result = true},
    [MS_ARGUMENT_MATRIX] = {{"matrix", MS_KIND_FLAG, AT(matrix),
                             .summary = "adds the propagation matrix, by rows"},
                            .result = true},
    [MS_ARGUMENT_EXTREME] =
        {{"extreme", MS_KIND_INTEGER, AT(extreme), .min = 1, .max = 1000,
          .summary = "computes only the K eigenvalues of largest modulus, by macro-steps of the engine, "
                     "for matrices of any size",
          .value = "K"},
         .result = true},
    [MS_ARGUMENT_MAX_APPLICATIONS] =
        {{"max-applications", MS_KIND_INTEGER, AT(max_applications), .min = 1, .max = 1e9,
          .summary = "largest number of macro-steps of --extreme (2e8 over the rows of the matrix, at "
                     "least 400, at most 1e6)",
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
          .summary = "computes the spectral radius along the reference of a nonlinear model: rows of time "
                     "and radius"},
         .result = true},
    [MS_ARGUMENT_STATE] = {{"state", MS_KIND_PAIRS, AT(state),
                            .summary = "sets states of a nonlinear model, in place of those of --at",
                            .value = "SUB.NAME=VALUE,.."},
                           .result = true},
    [MS_ARGUMENT_SUBSYSTEM] = {{"subsystem", MS_KIND_TEXT, .summary = "the name of one subsystem",
                                .value = "NAME"},
                               .result = true},
    [MS_ARGUMENT_DIFFERENCES] =
        {{"differences", MS_KIND_CHOICE, AT(differences), .choices = CHOICES("forward", "central"),
          .bare = -1,
          .summary = "uses differences for every subsystem (directional derivatives where there are any, "
                     "else central)"},
         .result = true},
    [MS_ARGUMENT_COMPRESSION] = {{"compression", MS_KIND_CHOICE, AT(compression),
                                  .choices = CHOICES("on", "off"), .bare = -1,
                                  .summary = "finds columns without a common row together (on)"},
                                 .result = true},
    [MS_ARGUMENT_DRAW] =
        {{"draw", MS_KIND_TEXT,
          .summary = "draws the graph by Graphviz (dot), or writes the text of dot; numbers are places in "
                     "the reduced order",
          .value = "FILE.svg|FILE.dot"}},
    [MS_ARGUMENT_INPUTS] =
        {{"inputs", MS_KIND_TEXT,
          .summary = "external inputs, in place of those of the model: columns time and SUBSYSTEM.w.NAME "
                     "(*.w.NAME for all subsystems), linear between rows",
          .value = "FILE.csv"},
         .result = true},
    [MS_ARGUMENT_MEASUREMENTS] =
        {{"measurements", MS_KIND_TEXT,
          .summary = "the measurements: columns time, SUBSYSTEM.x.NAME and SUBSYSTEM.y.NAME",
          .value = "FILE.csv"},
         .result = true},
    [MS_ARGUMENT_PARAMETERS] =
        {{"parameters", MS_KIND_PAIRS, AT(parameters),
          .summary = "the parameters to estimate, and their start values (those of --case and --set)",
          .value = "NAME[=START],.."},
         .result = true},
    [MS_ARGUMENT_METHOD] = {{"method", MS_KIND_CHOICE, AT(method),
                             .choices = CHOICES("trust-region", "nelder-mead"), .bare = -1,
                             .summary = "method of minimisation (trust-region)"},
                            .result = true},
    [MS_ARGUMENT_SIGMA] =
        {{"sigma", MS_KIND_PAIRS, AT(sigma),
          .summary = "standard deviations, by which residuals are divided, of all columns or of each (the "
                     "largest absolute value of each)",
          .value = "X|COLUMN=X,.."},
         .result = true},
    [MS_ARGUMENT_TOLERANCE] =
        {{"tolerance", MS_KIND_REAL, AT(tolerance), .min = 0, .max = 1, .min_excluded = true,
          .max_excluded = true,
          .summary = "relative tolerance of the parameters (trust-region 1e-8, nelder-mead 1e-6)",
          .value = "X"},
         .result = true},
    [MS_ARGUMENT_MAX_SIMULATIONS] =
        {{"max-simulations", MS_KIND_INTEGER, AT(max_simulations), .min = 1, .max = 1e9,
          .summary = "largest number of runs, after which the best point so far is the answer (5000)",
          .value = "N"},
         .result = true},
    [MS_ARGUMENT_SEGMENTS] = {{"segments", MS_KIND_INTEGER, AT(segments), .min = 1, .max = 1e6,
                               .summary = "number of equal segments of the inputs (20)", .value = "N"},
                              .result = true},
    [MS_ARGUMENT_INPUT_SHAPE] =
        {{"input-shape", MS_KIND_CHOICE, AT(input_shape),
          .choices = CHOICES("constant", "linear", "interpolated"), .bare = -1,
          .summary = "shape of the inputs on a segment: held, a line with the slope at its start, or a "
                     "line between the values at its ends (constant)"},
         .result = true},
    [MS_ARGUMENT_FMI] = {{"fmi", MS_KIND_INTEGER, AT(fmi), .min = 2, .max = 3,
                          .summary = "the version of FMI (2)", .value = "2|3"},
                         .result = true},
    [MS_ARGUMENT_SOURCES] =
        {{"sources", MS_KIND_FLAG, AT(sources),
          .summary = "exports linear subsystems and equations also as C sources, which need only libm"},
         .result = true},
    [MS_ARGUMENT_PLOT] =
        {{"plot", MS_KIND_TEXT,
          .summary = "draws the answer by gnuplot; FILE.tex and FILE.pdf are for LaTeX; - draws in the "
                     "terminal",
          .value = "FILE.svg|pdf|png|tex|-"}},
    [MS_ARGUMENT_WIDTH] = {{"width", MS_KIND_LENGTH, AT(width), .min = 4, .max = 60,
                            .summary = "width of the picture: 8cm fits a column, 17cm a page (17cm)",
                            .value = "LENGTH"}},
    [MS_ARGUMENT_TITLE] = {{"title", MS_KIND_TEXT, .summary = "title above the picture (none)",
                            .value = "TEXT"}},
    [MS_ARGUMENT_XLABEL] = {{"xlabel", MS_KIND_TEXT,
                             .summary = "label of the horizontal axis, in place of quantity, symbol and unit",
                             .value = "TEXT"}},
    [MS_ARGUMENT_YLABEL] = {{"ylabel", MS_KIND_TEXT, .summary = "label of the vertical axis",
                             .value = "TEXT"}},
    [MS_ARGUMENT_LABEL] = {{"label", MS_KIND_LIST,
                            .summary = "what a curve is called in the key, in place of its name (repeatable)",
                            .value = "MEMBER=TEXT"},
                           .repeatable = true},
    [MS_ARGUMENT_KEY] =
        {{"key", MS_KIND_CHOICE, AT(key), .choices = CHOICES("auto", "inside", "below", "none"), .bare = -1,
          .summary = "where the key stands: auto, inside where it covers no curve, else below (auto)"}},
    [MS_ARGUMENT_FONT_SIZE] =
        {{"font-size", MS_KIND_REAL, AT(font_size), .min = 4, .max = 40,
          .summary = "size of the type at the size of the picture (8 up to a width of 12cm, else 9) [pt]",
          .value = "PT"}},
    [MS_ARGUMENT_LINES] = {{"lines", MS_KIND_REAL, AT(lines), .min = 0.1, .max = 10,
                            .summary = "width of curves (0.9 up to a width of 12cm, else 1.1) [pt]",
                            .value = "PT"}},
    [MS_ARGUMENT_STYLE] =
        {{"style", MS_KIND_CHOICE, AT(style), .choices = CHOICES("paper", "screen"), .bare = -1,
          .summary = "style of the picture; screen has larger text and wider lines (paper)"}},
    [MS_ARGUMENT_KEEP] =
        {{"keep", MS_KIND_FLAG, AT(keep),
          .summary = "also writes the gnuplot script and the data of the picture, FILE.gp and FILE-*.csv"}},
    [MS_ARGUMENT_ERROR] = {{"error", MS_KIND_REAL, AT(error), .min = 0, .min_excluded = true, .max = 1e300,
                            .summary = "the error that must be reached, in the norm of --norm", .value = "E"},
                           .result = true},
    [MS_ARGUMENT_WORK] =
        {{"work", MS_KIND_CHOICE, AT(work), .choices = CHOICES("integrations", "evaluations", "time"),
          .bare = -1,
          .summary =
              "what errors are drawn over: integrations of a macro-step and sensitivities, evaluations of "
              "right-hand sides, or seconds, which are measured on one thread (integrations)"},
         .result = true},
    [MS_ARGUMENT_STARTS] =
        {{"starts", MS_KIND_INTEGER, AT(starts), .min = 1, .max = 99,
          .summary =
              "runs of each step size and tolerance, from start values times 1 + K eps with K = 0, 1, -1, "
              "2, ..: medians, and bars from the least to the largest (1)",
          .value = "N"},
         .result = true},
    [MS_ARGUMENT_RANK] =
        {{"rank", MS_KIND_CHOICE, AT(rank), .choices = CHOICES("error", "work", "pareto"), .bare = -1,
          .summary = "rank by error, by integrations (work), or by both: 1 is the Pareto front (error)"},
         .result = true},
    [MS_ARGUMENT_QUIET] =
        {{"quiet", MS_KIND_FLAG, AT(quiet),
          .summary = "prints no progress; else it is printed on standard error after two seconds"}},
    [MS_ARGUMENT_VERBOSE] = {{"verbose", MS_KIND_FLAG, AT(verbose),
                              .summary = "prints everything that csv and json have, in place of a summary"}},
    [MS_ARGUMENT_RELATIVE_TOLERANCE] =
        {{"relative-tolerance", MS_KIND_REAL, AT(relative_tolerance), .min = 0, .max = 1,
          .summary = "numbers that differ by less, relative to the larger one, count as equal (1e-9)",
          .value = "X"},
         .result = true},
    [MS_ARGUMENT_ABSOLUTE_TOLERANCE] =
        {{"absolute-tolerance", MS_KIND_REAL, AT(absolute_tolerance), .min = 0, .max = 1e300,
          .summary = "numbers that differ by at most this count as equal (1e-12)", .value = "X"},
         .result = true},
    [MS_ARGUMENT_IGNORE] = {{"ignore", MS_KIND_TEXT,
                             .summary =
                                 "members and columns that are ignored, besides provenance and wall_seconds",
                             .value = "NAME,NAME,.."},
                            .result = true},
    [MS_ARGUMENT_WIDE] =
        {{"wide", MS_KIND_FLAG, AT(wide),
          .summary = "csv: writes a column for each parameter, state and subsystem of every model, in "
                     "place of one column of JSON for parameters, errors.per_state and work"},
         .result = true},
    [MS_ARGUMENT_SINGLE_FILE] = {{"single-file", MS_KIND_FLAG, AT(single_file),
                                  .summary =
                                      "writes report.html with its pictures and the other pages inside"}},
    [MS_ARGUMENT_EQUATIONS] = {{"equations", MS_KIND_FLAG, AT(equations),
                                .summary =
                                    "lists each numbered equation, and which files, tests and commands are "
                                    "about it"}},
};

const ms_arguments ms_arguments_default = {.relative_tolerance = 1e-9,
                                           .absolute_tolerance = 1e-12,
                                           .boundary_tolerance = 1e-6,
                                           .output_points = 500,
                                           .segments = 20,
                                           .starts = 1,
                                           .width = 17,
                                           .differences = -1,
                                           .fmi = 2}; /* none: the best there is */
