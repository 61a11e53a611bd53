/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_table.c - the options of the commands that are no options of a run. */
#include "arguments.h"

const ms_argument_row ms_argument_table[MS_ARGUMENTS] = {
    [MS_ARGUMENT_SYSTEM] = {"system", "FILE", .result = true,
                            .summary = "a linear system as JSON, in place of MODEL"},
    [MS_ARGUMENT_CASE] = {"case", "NAME", .result = true, .summary = "a paper's own parameter values"},
    [MS_ARGUMENT_SET] = {"set", "PARAMETER=VALUE", .repeatable = true, .result = true,
                         .summary = "a parameter's value, over the case's (repeatable)"},
    [MS_ARGUMENT_PERTURB_START] =
        {"perturb-start", "K", .result = true,
         .summary = "start values are times 1 + K eps, K whole, eps = 2^-52; K eps where all are zero (0): "
                    "what hangs on round-off shows over K = -4..4"},
    [MS_ARGUMENT_TRAJECTORY] = {"trajectory", "FILE.csv",
                                .summary =
                                    "writes time, states, inputs and outputs at the communication points; of "
                                    "an integration time, event (0, -1 left of one, 1 right of it), states, "
                                    "discrete variables and external inputs at output points and events"},
    [MS_ARGUMENT_ENERGY] =
        {"energy", "FILE.csv",
         .summary = "writes the energy ledger: energies, power and work at the ports, and what the "
                    "coupling produced, at the communication points"},
    [MS_ARGUMENT_OUTPUT_POINTS] = {"output-points", "N", .result = true,
                                   .summary = "equal intervals with an output at each of their ends; 0: an "
                                              "output after each micro-step (500)"},
    [MS_ARGUMENT_HISTORY] = {"history", "FILE.csv",
                             .summary = "writes the end, length and order of each micro-step"},
    [MS_ARGUMENT_EVENTS] = {"events", "FILE.csv",
                            .summary =
                                "writes the time, kinds, indicators, left and right values of each event"},
    [MS_ARGUMENT_DIRECTORY] = {"directory", "DIR", .summary = "where the files go (results/)"},
    [MS_ARGUMENT_FORMAT] = {"format", "table|csv|json", .summary = "of the answer (table)"},
    [MS_ARGUMENT_OUTPUT] = {"output", "FILE", .summary = "where the answer goes (standard output)"},
    [MS_ARGUMENT_MODELS] = {"models", "all|NAME,NAME,..", .result = true,
                            .summary = "models of the sweep (all: those with couplings)"},
    [MS_ARGUMENT_CASES] = {"cases", "all|first|NAME,..", .result = true,
                           .summary =
                               "cases of each model: all, its first one, or those of these names (all)"},
    [MS_ARGUMENT_RESUME] = {"resume",
                            .summary = "goes on in FILE where a sweep of the same options ended early"},
    [MS_ARGUMENT_NUM_THREADS] = {"num-threads", "N",
                                 .summary = "threads (all processors); results do not depend on it"},
    [MS_ARGUMENT_X] = {"x", "NAME=RANGE", .result = true,
                       .summary =
                           "an axis: step-size, a parameter, re-lambda or im-lambda, and from:to:lin:count, "
                           "from:to:log:count or a list"},
    [MS_ARGUMENT_Y] = {"y", "NAME=RANGE", .result = true, .summary = "the other axis"},
    [MS_ARGUMENT_BOUNDARY_ONLY] = {"boundary-only", .result = true,
                                   .summary =
                                       "traces the boundary without the spectral radius at all points"},
    [MS_ARGUMENT_CRITICAL] = {"critical", .result = true,
                              .summary =
                                  "step sizes at which stability is lost and regained, up to --max-step"},
    [MS_ARGUMENT_MATRIX] = {"matrix", .result = true, .summary = "adds the propagation matrix, by rows"},
    [MS_ARGUMENT_AT] = {"at", "start|TIME|equilibrium", .result = true,
                        .summary = "where a nonlinear model is linearised: at the start, at TIME [s] along "
                                   "the reference, or at the "
                                   "equilibrium that Newton's method finds from there (start)"},
    [MS_ARGUMENT_ALONG] =
        {"along", .result = true,
         .summary = "the spectral radius along the reference of a nonlinear model: rows of time and radius"},
    [MS_ARGUMENT_STATE] = {"state", "SUB.NAME=VALUE,..", .result = true,
                           .summary = "states of a nonlinear model that are set, over those of --at"},
    [MS_ARGUMENT_SUBSYSTEM] = {"subsystem", "NAME", .result = true, .summary = "this subsystem alone"},
    [MS_ARGUMENT_DIFFERENCES] = {"differences", "forward|central", .result = true,
                                 .summary = "differences for every subsystem (directional derivatives where "
                                            "there are any, else central)"},
    [MS_ARGUMENT_COMPRESSION] = {"compression", "on|off", .result = true,
                                 .summary = "finds columns without a common row together (on)"},
    [MS_ARGUMENT_DRAW] = {"draw", "FILE.svg|FILE.dot",
                          .summary = "draws the graph by Graphviz' dot, or writes dot's text; numbers are "
                                     "places in the reduced order"},
    [MS_ARGUMENT_INPUTS] = {"inputs", "FILE.csv", .result = true,
                            .summary = "external inputs, linear between the rows of time and "
                                       "SUBSYSTEM.w.NAME (*.w.NAME: of all subsystems), in place of the "
                                       "model's own"},
    [MS_ARGUMENT_MEASUREMENTS] = {"measurements", "FILE.csv", .result = true,
                                  .summary = "rows of time, SUBSYSTEM.x.NAME and SUBSYSTEM.y.NAME"},
    [MS_ARGUMENT_PARAMETERS] = {"parameters", "NAME[=START],..", .result = true,
                                .summary = "the parameters to estimate, and where to start (their values "
                                           "by --case and --set)"},
    [MS_ARGUMENT_METHOD] = {"method", "trust-region|nelder-mead", .result = true,
                            .summary = "of minimisation (trust-region)"},
    [MS_ARGUMENT_SIGMA] = {"sigma", "X|COLUMN=X,..", .result = true,
                           .summary = "standard deviations that residuals are divided by, of all columns or "
                                      "of each (the largest absolute value of each)"},
    [MS_ARGUMENT_TOLERANCE] = {"tolerance", "X", .result = true,
                               .summary =
                                   "relative, of the parameters (trust-region 1e-8, nelder-mead 1e-6)"},
    [MS_ARGUMENT_MAX_SIMULATIONS] = {"max-simulations", "N", .result = true,
                                     .summary =
                                         "runs after which the best point so far is the answer (5000)"},
    [MS_ARGUMENT_SEGMENTS] = {"segments", "N", .result = true,
                              .summary = "equal segments of the inputs, at whose ends they change (20)"},
    [MS_ARGUMENT_INPUT_SHAPE] =
        {"input-shape", "constant|linear|interpolated", .result = true,
         .summary = "on a segment: held, with the value and slope at its start, or the line between the "
                    "values at its ends (constant)"},
};
