/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option_table.c - every option of a run: name, range, default and meaning. */
#include <math.h>

#include "nonlinear.h"
#include "preset.h"

/* clang-format off */
#define CHOICES(...) (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define AT(member) .offset = offsetof(ms_options, member), .size = sizeof(((ms_options *)NULL)->member)

const ms_option ms_option_table[MS_OPTIONS + 1] =
    {[MS_OPTION_SCHEME] = {"scheme", MS_KIND_TEXT, AT(scheme), .common = true,
                           .summary = "family of coupling schemes"},
     [MS_OPTION_AS] = {"as", MS_KIND_CHOICE, AT(as), .name_of = ms_preset_choice, .bare = -1, .common = true,
                       .same_step = true,
                       .summary = "the master algorithm of another tool, as a set of options (none)"},
     [MS_OPTION_EXTRAPOLATION_ORDER] = {"extrapolation-order", MS_KIND_INTEGER, AT(extrapolation.order),
                                        .min = 0, .max = 2,
                                        .summary =
                                            "order of the extrapolation of inputs over a macro-step (0)"},
     [MS_OPTION_DERIVATIVES] = {"derivatives", MS_KIND_CHOICE, AT(extrapolation.derivatives),
                                .choices = CHOICES("differences", "analytic"), .bare = -1,
                                .summary =
                                    "extrapolate from past values or from output derivatives (differences)"},
     [MS_OPTION_OUTPUTS] =
         {"outputs", MS_KIND_CHOICE, AT(extrapolation.outputs),
          .choices = CHOICES("inconsistent", "consistent", "corrected"), .bare = -1,
          .alias = "linear-correction", .alias_value = "corrected",
          .summary = "outputs at communication points: as the subsystems give them, with loops solved, or "
                     "linearly corrected (inconsistent)"},
     [MS_OPTION_SMOOTH_COUPLING] = {"smooth-coupling", MS_KIND_CHOICE, AT(extrapolation.smooth_coupling),
                                    .choices = CHOICES("none", "c0", "c1"), .bare = 1,
                                    .summary = "continuity of the inputs at communication points (none)"},
     [MS_OPTION_SEQUENCE] = {"sequence", MS_KIND_TEXT, AT(sequence), .value = "NAME,NAME,..",
                             .former = "order",
                             .summary = "the sequence in which the subsystems step (the model's)"},
     [MS_OPTION_AS_PRINTED] = {"as-printed", MS_KIND_FLAGS, AT(extrapolation.as_printed),
                               .choices = CHOICES("quadratic", "smoothing"), .bare = 3,
                               .summary = "use formulas as they are printed, where the print is wrong"},
     [MS_OPTION_BALANCE_ERROR] =
         {"balance-error", MS_KIND_CHOICE, AT(balance.error), .choices = CHOICES("raw", "used"), .bare = -1,
          .summary = "balance error: of the extrapolation alone, which is (13) accumulated, or of the "
                     "last macro-step with the correction that was added to it"},
     [MS_OPTION_BALANCE_HAT] = {"balance-hat", MS_KIND_CHOICE, AT(balance.hat),
                                .choices = CHOICES("box", "triangle", "smooth"), .bare = -1,
                                .summary = "function of integral 1 that feeds the balance error back (box)"},
     [MS_OPTION_BALANCE_STEPS] = {"balance-steps", MS_KIND_INTEGER, AT(balance.steps), .min = 1,
                                  .max = MS_BALANCE_STEPS_MAX,
                                  .summary =
                                      "number of macro-steps over which a balance error is fed back (1)"},
     [MS_OPTION_ALPHA] =
         {"alpha", MS_KIND_REAL, AT(balance.alpha), .min = 0, .max = 1,
          .summary = "part of an input's error in a macro-step that the next macro-step corrects (1)"},
     [MS_OPTION_BALANCE_INTEGRAL] =
         {"balance-integral", MS_KIND_CHOICE, AT(balance.integral), .choices = CHOICES("trapezoid", "exact"),
          .bare = -1,
          .summary =
              "integrals of outputs over a macro-step: by their values at its ends, or the subsystem's own"},
     [MS_OPTION_WIRES] = {"wires", MS_KIND_TEXT, AT(balance.wires),
                          .summary = "inputs SUB.u.NAME,.. that are corrected (all)"},
     [MS_OPTION_PASSIVITY] = {"passivity", MS_KIND_CHOICE, AT(balance.passivity),
                              .choices = CHOICES("off", "on"), .bare = -1,
                              .summary = "damp a bond while it has produced energy (off)"},
     [MS_OPTION_PASSIVITY_LIMIT] = {"passivity-limit", MS_KIND_REAL, AT(balance.passivity_limit), .min = 0,
                                    .max = INFINITY, .max_excluded = true,
                                    .summary = "passivity: largest damping, input over output (1)"},
     [MS_OPTION_AT_EVENTS] = {"at-events", MS_KIND_CHOICE, AT(extrapolation.at_events),
                              .choices = CHOICES("keep", "drop"), .bare = -1,
                              .summary =
                                  "past values of outputs whose subsystem had an event: keep them for the "
                                  "extrapolation, or drop them (keep)"},
     [MS_OPTION_AT_TIME_EVENTS] =
         {"at-time-events", MS_KIND_CHOICE, AT(at_time_events), .choices = CHOICES("ignore", "communicate"),
          .bare = -1, .common = true, .same_step = true,
          .summary = "time events that subsystems announce: handle them inside macro-steps, or let all "
                     "subsystems communicate there (ignore)"},
     [MS_OPTION_FALLBACK] = {"fallback", MS_KIND_CHOICE, AT(extrapolation.fallback),
                             .choices = CHOICES("step", "pointwise", "through"), .bare = -1,
                             .summary = "negotiated power near a zero of the output: extrapolate for a "
                                        "macro-step, de l'Hopital there, or lead y² through it"},
     [MS_OPTION_FALLBACK_THRESHOLD] =
         {"fallback-threshold", MS_KIND_REAL, AT(extrapolation.fallback_threshold), .min = 0, .max = INFINITY,
          .summary = "step: multiple of H |y'| below which |y| is too small (1.5; order 0: 2.5); "
                     "pointwise: of |y| (0.01)"},
     [MS_OPTION_CALIBRATION] =
         {"calibration", MS_KIND_CHOICE, AT(f3ornits.calibration), .choices = CHOICES("extrapolation", "cls"),
          .bare = -1,
          .summary = "estimates through past values, or constrained least squares through one more"},
     [MS_OPTION_ESTIMATE_DEGREE] = {"estimate-degree", MS_KIND_CHOICE, AT(f3ornits.degree),
                                    .choices = CHOICES("flexible", "0", "1", "2"), .bare = -1,
                                    .summary = "degree of estimates: the one that would have been best, or "
                                               "always the same (flexible)"},
     [MS_OPTION_SMOOTH_SUBSYSTEMS] = {"smooth-subsystems", MS_KIND_TEXT, AT(f3ornits.smooth_subsystems),
                                      .summary = "names of the subsystems whose inputs are smoothed (all)"},
     [MS_OPTION_ERROR_NORMALIZATION] =
         {"error-normalization", MS_KIND_CHOICE, AT(f3ornits.error_normalization),
          .choices = CHOICES("magnitude", "amplitude", "damped-amplitude"), .bare = -1, .same_step = true,
          .summary = "what errors of estimates are relative to in the step size control"},
     [MS_OPTION_DAMPING] = {"damping", MS_KIND_REAL, AT(f3ornits.damping), .min = 0, .max = INFINITY,
                            .same_step = true,
                            .summary = "rate at which the damped amplitude decays [1/s] (0.05)"},
     [MS_OPTION_SCHEDULER] = {"scheduler", MS_KIND_CHOICE, AT(f3ornits.scheduler),
                              .choices = CHOICES("synchronous", "asynchronous"), .bare = -1,
                              .summary = "one common step, or each subsystem on its own clock"},
     [MS_OPTION_RATIO_MIN] = {"ratio-min", MS_KIND_REAL, AT(f3ornits.ratio_min), .min = 0, .max = 1,
                              .min_excluded = true, .same_step = true,
                              .summary = "smallest ratio of a step to the one before"},
     [MS_OPTION_RATIO_MAX] = {"ratio-max", MS_KIND_REAL, AT(f3ornits.ratio_max), .min = 1, .max = INFINITY,
                              .same_step = true, .summary = "largest ratio of a step to the one before"},
     [MS_OPTION_SOLVER_NONLINEAR] = {"solver-nonlinear", MS_KIND_CHOICE, AT(iteration.solver_nonlinear),
                                     .name_of = ms_nonlinear_name, .bare = -1,
                                     .summary = "method that solves the coupling equations of a macro-step"},
     [MS_OPTION_BACKEND] = {"backend", MS_KIND_CHOICE, AT(iteration.backend), .choices = ms_backend_names,
                            .bare = -1, .summary = "the implementation of that method (native)"},
     [MS_OPTION_RELAXATION] = {"relaxation", MS_KIND_REAL, AT(iteration.relaxation), .min = 0, .max = 1,
                               .min_excluded = true, .same_step = true,
                               .summary = "first factor of relaxation (0.5; iqn-ils, iqn-imvj: 0.1)"},
     [MS_OPTION_REUSE] = {"reuse", MS_KIND_INTEGER, AT(iteration.reuse), .min = 0, .max = 1e6,
                          .same_step = true,
                          .summary =
                              "quasi-Newton: number of macro-steps whose columns are kept (10; iqn-imvj: 0)"},
     [MS_OPTION_MAX_COLUMNS] = {"max-columns", MS_KIND_INTEGER, AT(iteration.max_columns), .min = 1,
                                .max = 1e6, .same_step = true,
                                .summary = "quasi-Newton: largest number of columns (100; iqn-imvj: 20)"},
     [MS_OPTION_FILTER] =
         {"filter", MS_KIND_CHOICE, AT(iteration.filter),
          .choices = CHOICES("none", "qr1", "qr1-absolute", "qr2", "qr3"), .bare = -1, .same_step = true,
          .summary = "quasi-Newton: which columns are removed because they nearly depend on newer ones "
                     "(qr3)"},
     [MS_OPTION_FILTER_LIMIT] = {"filter-limit", MS_KIND_REAL, AT(iteration.filter_limit), .min = 0,
                                 .max = INFINITY, .same_step = true,
                                 .summary = "quasi-Newton: limit of the filter (0.01)"},
     [MS_OPTION_PRECONDITIONER] =
         {"preconditioner", MS_KIND_CHOICE, AT(iteration.preconditioner),
          .choices = CHOICES("constant", "value", "residual", "residual-sum"), .bare = -1, .same_step = true,
          .summary = "aitken, quasi-Newton: weights of the residuals of values and slopes (residual-sum)"},
     [MS_OPTION_SWEEP] =
         {"sweep", MS_KIND_CHOICE, AT(iteration.sweep), .choices = CHOICES("jacobi", "gauss-seidel"),
          .bare = -1,
          .summary = "subsystems of an iteration: all at once, or in sequence with the newest outputs "
                     "(jacobi)"},
     [MS_OPTION_EPSILON] =
         {"epsilon", MS_KIND_REAL, AT(iteration.epsilon), .min = 0, .max = 1, .same_step = true,
          .summary = "tolerance of the coupling equations, relative and absolute; 0: to round-off (1e-4)"},
     [MS_OPTION_MAX_ITERATIONS] =
         {"max-iterations", MS_KIND_INTEGER, AT(iteration.max_iterations), .min = 1, .max = 1e6,
          .same_step = true,
          .summary = "largest number of iterations in a macro-step, after which it is rejected (50)"},
     [MS_OPTION_STEP_RULE] =
         {"step-rule", MS_KIND_CHOICE, AT(iteration.step_rule), .choices = CHOICES("paper", "fixed"),
          .bare = -1, .same_step = true,
          .summary = "after an iteration that fails: halve the macro-step, and let it grow by 30 % later, "
                     "or end the run (paper)"},
     [MS_OPTION_ROLLBACK] =
         {"rollback", MS_KIND_CHOICE, AT(iteration.rollback), .choices = CHOICES("exact", "estimated"),
          .bare = -1,
          .summary = "repeat macro-steps, or estimate them from linearisations and take them once (exact)"},
     [MS_OPTION_INPUT_DEGREE] =
         {"input-degree", MS_KIND_INTEGER, AT(iteration.input_degree), .min = 0, .max = 3,
          .summary = "degree of the inputs through past values and the value at the end of the macro-step "
                     "(1)"},
     [MS_OPTION_SENSITIVITIES] =
         {"sensitivities", MS_KIND_CHOICE, AT(iteration.sensitivities),
          .choices = CHOICES("exact", "directional", "differences"), .bare = -1,
          .summary = "derivatives of outputs at the end of a macro-step by inputs there: exact for linear "
                     "subsystems (the default where all are linear), propagated, or by differences of "
                     "integrations"},
     [MS_OPTION_UPDATE] =
         {"update", MS_KIND_CHOICE, AT(iteration.update), .choices = CHOICES("always", "slow"), .bare = -1,
          .summary = "compute sensitivities in each iteration, or when convergence slows down (always)"},
     [MS_OPTION_SAMPLES] =
         {"samples", MS_KIND_TEXT, AT(multirate.samples),
          .summary = "samples of outputs in a macro-step: a number from 1 to 16, or NAME=NUMBER,.. for "
                     "subsystems (1)"},
     [MS_OPTION_SPLINE_DEGREE] = {"spline-degree", MS_KIND_INTEGER, AT(multirate.spline_degree), .min = 0,
                                  .max = 3, .summary = "degree of the B-splines through samples"},
     [MS_OPTION_REDUCED_GRID] =
         {"reduced-grid", MS_KIND_CHOICE, AT(multirate.reduced_grid), .choices = CHOICES("on", "off"),
          .bare = -1, .same_step = true,
          .summary = "aitken, quasi-Newton: compute factors only from the samples at the end of "
                     "macro-steps (on)"},
     [MS_OPTION_SUBSTEPS] = {"substeps", MS_KIND_TEXT, AT(multirate.substeps),
                             .summary =
                                 "equal sub-steps of subsystems in a macro-step: a number from 1 to 16, or "
                                 "NAME=NUMBER,.. (1)"},
     [MS_OPTION_FIRST] =
         {"first", MS_KIND_CHOICE, AT(multirate.first), .choices = CHOICES("parallel", "slow", "fast"),
          .bare = -1,
          .summary = "which subsystems step first: all at once, those with few sub-steps, or those with "
                     "many (parallel)"},
     [MS_OPTION_POINTS] = {"points", MS_KIND_CHOICE, AT(multirate.points),
                           .choices = CHOICES("micro", "macro", "common"), .bare = -1,
                           .summary =
                               "where outputs are passed on: at the ends of sub-steps, of macro-steps, or of "
                               "sub-steps that both ends of a wire have in common (micro)"},
     [MS_OPTION_DELAY] =
         {"delay", MS_KIND_REAL, AT(lines.delay), .min = 0, .max = INFINITY, .max_excluded = true,
          .summary = "lines: time that a wave takes from end to end [s], at least the macro-step; 0: the "
                     "macro-step (0)"},
     [MS_OPTION_IMPEDANCE] =
         {"impedance", MS_KIND_REAL, AT(lines.impedance), .min = 0, .max = INFINITY, .max_excluded = true,
          .summary = "lines: force over velocity of a wave [N s/m]; 0: stiffness times delay (0)"},
     [MS_OPTION_WAVE_DAMPING] = {"wave-damping", MS_KIND_REAL, AT(lines.wave_damping), .min = 0, .max = 1,
                                 .max_excluded = true,
                                 .summary = "lines: part of a wave that arrives half a delay later (0)"},
     [MS_OPTION_WAVE_START] =
         {"wave-start", MS_KIND_CHOICE, AT(lines.wave_start),
          .choices = CHOICES("spring", "zero-force", "zero-wave"), .bare = -1,
          .summary = "lines: waves that arrive before the first real one: those of the spring's force, of "
                     "no force, or none (spring)"},
     [MS_OPTION_START] =
         {"start", MS_KIND_CHOICE, AT(initial.history), .choices = CHOICES("derivatives", "hold"), .bare = -1,
          .common = true,
          .summary = "past values at the start: from derivatives, or none, which lowers the order at "
                     "first, as in PyFMI (derivatives)"},
     [MS_OPTION_INITIAL_INPUTS] =
         {"initial-inputs", MS_KIND_CHOICE, AT(initial.inputs),
          .choices = CHOICES("consistent", "zero", "passes", "unset"), .bare = -1, .common = true,
          .summary = "inputs at the start: the solution of u = L g(x, u); outputs for zero inputs; "
                     "outputs passed on once for each subsystem; or zero in the first macro-step "
                     "(consistent)"},
     [MS_OPTION_OUTPUT_DERIVATIVES] =
         {"output-derivatives", MS_KIND_CHOICE, AT(initial.output_derivatives),
          .choices = CHOICES("exact", "differences", "mixed"), .bare = -1, .common = true,
          .summary = "output derivatives of subsystems: exact, or backward differences; mixed: these for "
                     "the first, exact second ones (exact)"},
     [MS_OPTION_EXECUTION] =
         {"execution", MS_KIND_CHOICE, AT(execution), .choices = CHOICES("serial", "parallel", "mpi"),
          .bare = -1, .common = true, .same_step = true,
          .summary = "where the subsystems run: in this process, on threads, or on the ranks of MPI "
                     "(serial)"},
     [MS_OPTION_STEP_SIZE] = {"step-size", MS_KIND_REAL, AT(step_size), .min = 0, .max = INFINITY,
                              .min_excluded = true, .common = true, .same_step = true,
                              .summary =
                                  "length of the macro-steps [s]; of the first one under step size control "
                                  "(the case's; of sweep that and half of it)"},
     [MS_OPTION_ERROR_CONTROLLED] =
         {"error-controlled", MS_KIND_CHOICE, AT(control.error_controlled),
          .choices = CHOICES("none", "richardson", "pyfmi", "predictor-corrector", "ecco", "oms"), .bare = 1,
          .summary = "step size control: by Richardson extrapolation (richardson, or as in PyFMI), by the "
                     "correction of predicted inputs, by the energy that bonds lose (ecco), or by the "
                     "error of held inputs, as in OMSimulator (none)"},
     [MS_OPTION_ORDER_CONTROL] =
         {"order-control", MS_KIND_CHOICE, AT(control.order), .choices = CHOICES("on", "off"), .bare = 0,
          .same_step = true,
          .summary = "choose the degree of the inputs, 0 to 3, with the step size; off: it is "
                     "`input-degree`"},
     [MS_OPTION_RTOL] = {"rtol", MS_KIND_REAL, AT(control.rtol), .min = 0, .max = 1, .min_excluded = true,
                         .same_step = true, .summary = "relative tolerance of the step control"},
     [MS_OPTION_ATOL] = {"atol", MS_KIND_REAL, AT(control.atol), .min = 0, .max = INFINITY,
                         .min_excluded = true, .same_step = true,
                         .summary = "absolute tolerance of the step control"},
     [MS_OPTION_MIN_STEP] =
         {"min-step", MS_KIND_REAL, AT(control.min_step), .min = 0, .max = INFINITY, .same_step = true,
          .summary =
              "smallest macro-step [s] (0; ecco 1e-4, oms 1e-12; of f3ornits `step-size`, the length of "
              "its first step, which holds inputs and is not repeated)"},
     [MS_OPTION_MAX_STEP] = {"max-step", MS_KIND_REAL, AT(control.max_step), .min = 0, .max = INFINITY,
                             .min_excluded = true, .same_step = true, .summary = "largest macro-step [s]"},
     [MS_OPTION_SAFETY] = {"safety", MS_KIND_REAL, AT(control.safety), .min = 0, .max = 1,
                           .min_excluded = true, .same_step = true,
                           .summary = "ecco: factor of each new step"},
     [MS_OPTION_RATE_MIN] = {"rate-min", MS_KIND_REAL, AT(control.rate_min), .min = 0, .max = 1,
                             .min_excluded = true, .same_step = true,
                             .summary = "ecco: smallest ratio of a step to the one before"},
     [MS_OPTION_RATE_MAX] = {"rate-max", MS_KIND_REAL, AT(control.rate_max), .min = 1, .max = INFINITY,
                             .same_step = true, .summary = "ecco: largest ratio of a step to the one before"},
     [MS_OPTION_GAIN_P] = {"gain-p", MS_KIND_REAL, AT(control.gain_p), .min = 0, .max = 1, .same_step = true,
                           .summary = "ecco: proportional gain of the controller"},
     [MS_OPTION_GAIN_I] = {"gain-i", MS_KIND_REAL, AT(control.gain_i), .min = 0, .max = 1, .same_step = true,
                           .summary = "ecco: integral gain of the controller"},
     [MS_OPTION_ECCO_SCALE] =
         {"ecco-scale", MS_KIND_CHOICE, AT(control.ecco_scale),
          .choices = CHOICES("code", "energy"), .bare = -1, .same_step = true,
          .summary = "ecco: the lost energy is relative to its largest value over the bonds, or to the "
                     "stored energy (code)"},
     [MS_OPTION_ECCO_ROUNDING] =
         {"ecco-rounding", MS_KIND_REAL, AT(control.ecco_rounding), .min = 0, .max = 1e9, .same_step = true,
          .summary = "ecco: steps are multiples of this many nanoseconds; 0: of any length (0)"},
     [MS_OPTION_SOLVER] =
         {"solver", MS_KIND_TEXT, AT(solver), .common = true,
          .summary = "micro-solver of the subsystems; `macrostep list solvers` has all (exact for linear "
                     "models, else automatic)"},
     [MS_OPTION_SOLVER_OF] =
         {"solver-of", MS_KIND_TEXT, AT(solver_of), .common = true,
          .summary = "micro-solvers of single subsystems, SUBSYSTEM=NAME,.., in place of `solver`"},
     [MS_OPTION_SOLVER_RTOL] = {"solver-rtol", MS_KIND_REAL, AT(solver_rtol), .min = 0, .max = 1,
                                .min_excluded = true, .common = true, .same_step = true,
                                .summary = "relative tolerance of the micro-solver"},
     [MS_OPTION_SOLVER_ATOL] = {"solver-atol", MS_KIND_REAL, AT(solver_atol), .min = 0, .max = INFINITY,
                                .min_excluded = true, .common = true, .same_step = true,
                                .summary = "absolute tolerance of the micro-solver"},
     [MS_OPTION_INPUT_CHANGE] =
         {"input-change", MS_KIND_CHOICE, AT(input_change),
          .choices = CHOICES("restart", "proceed", "correct-1", "correct-2"), .bare = -1, .common = true,
          .summary = "what a multistep micro-solver does at a jump of its input: restart, proceed, or "
                     "correct its predictor in x', or in x' and x'' (cvode-bdf, cvode-adams)"},
     [MS_OPTION_MICRO_STEPS] =
         {"micro-steps", MS_KIND_INTEGER, AT(micro_steps), .min = 1, .max = 1e6, .common = true,
          .summary = "steps of a fixed-step micro-solver, such as rk4, in a macro-step (1)"},
     [MS_OPTION_START_TIME] = {"start-time", MS_KIND_REAL, AT(start_time), .min = -INFINITY, .max = INFINITY,
                               .common = true, .same_step = true, .summary = "start [s]"},
     [MS_OPTION_STOP_TIME] = {"stop-time", MS_KIND_REAL, AT(stop_time), .min = -INFINITY, .max = INFINITY,
                              .common = true, .same_step = true,
                              .summary = "end of the run [s] (the case's)"},
     [MS_OPTION_MAX_STEPS] =
         {"max-steps", MS_KIND_REAL, AT(max_steps), .min = 1, .max = INFINITY, .common = true,
          .same_step = true,
          .summary = "number of macro-steps and rejected attempts after which a run ends as work-limit "
                     "(1000 times the planned number, 10 times in a sweep)"},
     [MS_OPTION_NORM] = {"norm", MS_KIND_CHOICE, AT(norm), .choices = CHOICES("max", "rmse", "l2", "end"),
                         .bare = -1, .common = true, .same_step = true,
                         .summary = "the error norm that ranks rows and that orders are fitted to (max)"},
     [MS_OPTION_ERROR_SCALE] =
         {"error-scale", MS_KIND_CHOICE, AT(error_scale), .choices = CHOICES("none", "nominal", "range"),
          .bare = -1, .common = true, .same_step = true,
          .summary = "divisor of the errors of each state: none, its nominal value, or max - min of the "
                     "reference over the run (none)"},
     [MS_OPTION_ERRORS] =
         {"errors", MS_KIND_CHOICE, AT(errors), .choices = CHOICES("reference", "none"), .bare = -1,
          .common = true, .same_step = true,
          .summary = "compute errors against the reference, or no errors and no reference (reference)"},
     [MS_OPTION_MASK] = {"mask", MS_KIND_LIST, AT(mask), .common = true,
                         .summary =
                             "removes a capability of a subsystem: SUBSYSTEM:CAPABILITY[=VALUE], * for all "
                             "subsystems (repeatable)"},
     [MS_OPTIONS] = {0}};
