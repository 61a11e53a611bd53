/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "nonlinear.h"

/* clang-format off */
#define CHOICES(...) (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define AT(member) .offset = offsetof(ms_options, member), .size = sizeof(((ms_options *)NULL)->member)

const ms_option ms_option_table[] = {
    {"scheme", MS_OPTION_TEXT, AT(scheme), .common = true, .summary = "family of coupling schemes"},
    {"extrapolation-order", MS_OPTION_INTEGER, AT(extrapolation_order), .min = 0, .max = 2,
     .summary = "order of the extrapolation of coupling variables"},
    {"derivatives", MS_OPTION_CHOICE, AT(derivatives), .choices = CHOICES("differences", "analytic"),
     .bare = -1, .summary = "extrapolate from past values or from output derivatives"},
    {"outputs", MS_OPTION_CHOICE, AT(outputs), .choices = CHOICES("inconsistent", "consistent", "corrected"),
     .bare = -1, .summary = "outputs at communication points: as they come, solved, or linearly corrected"},
    {"smooth-coupling", MS_OPTION_CHOICE, AT(smooth_coupling), .choices = CHOICES("none", "c0", "c1"),
     .bare = 1, .summary = "continuity of the inputs over communication points"},
    {"order", MS_OPTION_TEXT, AT(sweep_order),
     .summary = "Gauss-Seidel: names of the subsystems in their order"},
    {"as-printed", MS_OPTION_FLAGS, AT(as_printed), .choices = CHOICES("quadratic", "smoothing"), .bare = 3,
     .summary = "take formulas as they are printed where they are wrong"},
    {"balance-error", MS_OPTION_CHOICE, AT(balance_error), .choices = CHOICES("raw", "used"), .bare = -1,
     .summary = "balance error: of the extrapolation alone, which is (13) accumulated, or of the "
                "last macro-step with the correction that was added to it"},
    {"balance-hat", MS_OPTION_CHOICE, AT(balance_hat), .choices = CHOICES("box", "triangle", "smooth"),
     .bare = -1, .summary = "function of integral 1 that feeds the balance error back"},
    {"balance-steps", MS_OPTION_INTEGER, AT(balance_steps), .min = 1, .max = MS_BALANCE_STEPS_MAX,
     .summary = "macro-steps over which a balance error is fed back"},
    {"at-events", MS_OPTION_CHOICE, AT(at_events), .choices = CHOICES("keep", "drop"), .bare = -1,
     .summary = "past values of outputs whose subsystem had an event: extrapolated from as if nothing had "
                "happened, or dropped"},
    {"at-time-events", MS_OPTION_CHOICE, AT(at_time_events), .choices = CHOICES("ignore", "communicate"),
     .bare = -1, .common = true, .same_step = true,
     .summary = "time events that subsystems announce: met inside macro-steps, or all subsystems communicate "
                "there"},
    {"fallback", MS_OPTION_CHOICE, AT(fallback), .choices = CHOICES("step", "pointwise"), .bare = -1,
     .summary =
         "negotiated power near a zero of the output: extrapolate for a macro-step, or de l'Hopital there"},
    {"fallback-threshold", MS_OPTION_REAL, AT(fallback_threshold), .min = 0, .max = INFINITY,
     .summary = "step: multiple of H |y'| below which |y| is too small (default 1.5; order 0: 2.5); "
                "pointwise: of |y| (default 0.01)"},
    {"calibration", MS_OPTION_CHOICE, AT(calibration), .choices = CHOICES("extrapolation", "cls"), .bare = -1,
     .summary = "estimates through past values, or constrained least squares through one more"},
    {"smooth-subsystems", MS_OPTION_TEXT, AT(smooth_subsystems),
     .summary = "names of the subsystems whose inputs are smoothed (default: all)"},
    {"error-normalization", MS_OPTION_CHOICE, AT(error_normalization),
     .choices = CHOICES("magnitude", "amplitude", "damped-amplitude"), .bare = -1, .same_step = true,
     .summary = "what the time-stepper measures errors of estimates against"},
    {"damping", MS_OPTION_REAL, AT(damping), .min = 0, .max = INFINITY, .same_step = true,
     .summary = "rate at which the damped amplitude forgets [1/s]"},
    {"scheduler", MS_OPTION_CHOICE, AT(scheduler), .choices = CHOICES("synchronous", "asynchronous"),
     .bare = -1, .summary = "one common step, or each subsystem on its own clock"},
    {"ratio-min", MS_OPTION_REAL, AT(ratio_min), .min = 0, .max = 1, .min_excluded = true, .same_step = true,
     .summary = "smallest ratio of a step to the one before"},
    {"ratio-max", MS_OPTION_REAL, AT(ratio_max), .min = 1, .max = INFINITY, .same_step = true,
     .summary = "largest ratio of a step to the one before"},
    {"solver-nonlinear", MS_OPTION_CHOICE, AT(solver_nonlinear), .name_of = ms_nonlinear_name, .bare = -1,
     .summary = "method that solves the coupling equations of a macro-step"},
    {"backend", MS_OPTION_CHOICE, AT(backend), .choices = ms_backend_names, .bare = -1,
     .summary = "whose implementation of it"},
    {"epsilon", MS_OPTION_REAL, AT(epsilon), .min = 0, .max = 1, .same_step = true,
     .summary = "tolerance of the coupling equations, relative and absolute (0: to round-off)"},
    {"max-iterations", MS_OPTION_INTEGER, AT(max_iterations), .min = 1, .max = 1e6, .same_step = true,
     .summary = "iterations in a macro-step after which none starts and it is rejected"},
    {"step-rule", MS_OPTION_CHOICE, AT(step_rule), .choices = CHOICES("paper", "fixed"), .bare = -1,
     .same_step = true,
     .summary = "after iterations that fail: halve the macro-step and grow by 30 % later, or end the run"},
    {"start", MS_OPTION_CHOICE, AT(start), .choices = CHOICES("derivatives", "hold"), .bare = -1,
     .common = true,
     .summary = "past values at the start: from derivatives, or none (lower order at first, as PyFMI)"},
    {"initial-inputs", MS_OPTION_CHOICE, AT(initial_inputs), .choices = CHOICES("consistent", "zero"),
     .bare = -1, .common = true,
     .summary = "inputs at the start: u = L g(x, u) solved, or outputs for zero inputs"},
    {"output-derivatives", MS_OPTION_CHOICE, AT(output_derivatives),
     .choices = CHOICES("exact", "differences"), .bare = -1, .common = true,
     .summary = "how subsystems obtain output derivatives: exact or backward differences"},
    {"execution", MS_OPTION_CHOICE, AT(execution), .choices = CHOICES("serial", "parallel", "mpi"),
     .bare = -1, .common = true, .same_step = true,
     .summary =
         "where the subsystems run: here, on threads (--num-threads), or each on an MPI rank of its own"},
    {"step-size", MS_OPTION_REAL, AT(step_size), .min = 0, .max = INFINITY, .min_excluded = true,
     .common = true, .same_step = true,
     .summary = "macro-step [s]; the first one under error control (default: the case's)"},
    {"error-controlled", MS_OPTION_CHOICE, AT(error_controlled),
     .choices = CHOICES("none", "richardson", "pyfmi"), .bare = 1,
     .summary = "step size control by Richardson extrapolation: textbook or PyFMI's"},
    {"rtol", MS_OPTION_REAL, AT(rtol), .min = 0, .max = 1, .min_excluded = true, .same_step = true,
     .summary = "relative tolerance of the step control"},
    {"atol", MS_OPTION_REAL, AT(atol), .min = 0, .max = INFINITY, .min_excluded = true, .same_step = true,
     .summary = "absolute tolerance of the step control"},
    {"min-step", MS_OPTION_REAL, AT(min_step), .min = 0, .max = INFINITY, .same_step = true,
     .summary = "smallest macro-step [s]"},
    {"max-step", MS_OPTION_REAL, AT(max_step), .min = 0, .max = INFINITY, .min_excluded = true,
     .same_step = true, .summary = "largest macro-step [s]"},
    {"solver", MS_OPTION_TEXT, AT(solver), .common = true,
     .summary = "micro-solver (default: exact for linear models, else cvode-bdf)"},
    {"solver-rtol", MS_OPTION_REAL, AT(solver_rtol), .min = 0, .max = 1, .min_excluded = true, .common = true,
     .same_step = true, .summary = "relative tolerance of the micro-solver"},
    {"solver-atol", MS_OPTION_REAL, AT(solver_atol), .min = 0, .max = INFINITY, .min_excluded = true,
     .common = true, .same_step = true, .summary = "absolute tolerance of the micro-solver"},
    {"input-change", MS_OPTION_CHOICE, AT(input_change),
     .choices = CHOICES("restart", "proceed", "correct-1", "correct-2"), .bare = -1, .common = true,
     .summary = "what a multistep micro-solver does where its input jumps; cvode-bdf and cvode-adams correct "
                "their predictors in x', or in x' and x''"},
    {"micro-steps", MS_OPTION_INTEGER, AT(micro_steps), .min = 1, .max = 1e6, .common = true,
     .summary = "steps of a fixed-step micro-solver (euler, rk4) in a macro-step"},
    {"start-time", MS_OPTION_REAL, AT(start_time), .min = -INFINITY, .max = INFINITY, .common = true,
     .same_step = true, .summary = "start [s]"},
    {"stop-time", MS_OPTION_REAL, AT(stop_time), .min = -INFINITY, .max = INFINITY, .common = true,
     .same_step = true, .summary = "end [s] (default: the case's)"},
    {"norm", MS_OPTION_CHOICE, AT(norm), .choices = CHOICES("max", "rmse", "l2", "end"), .bare = -1,
     .common = true, .same_step = true, .summary = "the error that compare and converge use"},
    {"mask", MS_OPTION_LIST, AT(mask), .common = true,
     .summary = "SUBSYSTEM:CAPABILITY[=VALUE], take a capability away (* for all subsystems)"},
    {0}};

int ms_option_find(const char *name)
{
    for (int k = 0; ms_option_table[k].name != NULL; k++)
        if (strcmp(ms_option_table[k].name, name) == 0)
            return k;
    return -1;
}

void ms_options_default(ms_options *options)
{
    *options = (ms_options){.scheme = "jacobi",
                            .rtol = 1e-6,
                            .atol = 1e-6,
                            .max_step = INFINITY,
                            .solver_rtol = 1e-10,
                            .solver_atol = 1e-10,
                            .micro_steps = 1,
                            .balance_steps = 1,
                            .epsilon = 1e-4,
                            .max_iterations = 50,
                            .damping = 0.05,
                            .ratio_min = 0.1,
                            .ratio_max = 1.05};
}

/* "a, b or c" */
static void join(const ms_option *option, char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; ms_option_choice_at(option, k) != NULL; k++) {
        const bool last = ms_option_choice_at(option, k + 1) == NULL;
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 k == 0 ? ""
                 : last ? " or "
                        : ", ",
                 ms_option_choice_at(option, k));
    }
}

static int choice_index(const ms_option *option, const char *word, size_t length)
{
    for (int k = 0; ms_option_choice_at(option, k) != NULL; k++) {
        const char *choice = ms_option_choice_at(option, k);
        if (strlen(choice) == length && strncmp(choice, word, length) == 0)
            return k;
    }
    return -1;
}

static int bad_choice(const ms_option *option, const char *value, ms_error *error)
{
    char names[256];
    join(option, names, sizeof names);
    return ms_fail(error, MS_INVALID, "--%s %s: must be %s", option->name, value, names);
}

static int bad_number(const ms_option *option, const char *value, ms_error *error)
{
    const char *kind = option->kind == MS_OPTION_INTEGER ? "a whole number" : "a finite number";
    if (isinf(option->min))
        return ms_fail(error, MS_INVALID, "--%s %s: must be a finite number", option->name, value);
    if (isinf(option->max))
        return ms_fail(error, MS_INVALID, "--%s %s: must be %s %s %g", option->name, value, kind,
                       option->min_excluded ? "greater than" : "of at least", option->min);
    return ms_fail(error, MS_INVALID, "--%s %s: must be %s in %c%g, %g]", option->name, value, kind,
                   option->min_excluded ? '(' : '[', option->min, option->max);
}

static int set_number(const ms_option *option, const char *value, void *member, ms_error *error)
{
    char *end;
    const double number = strtod(value, &end);
    const bool low = option->min_excluded ? number <= option->min : number < option->min;
    const bool fits = end != value && *end == '\0' && isfinite(number) && !low && number <= option->max;
    if (!fits || (option->kind == MS_OPTION_INTEGER && number != floor(number)))
        return bad_number(option, value, error);
    if (option->kind == MS_OPTION_INTEGER)
        *(int *)member = (int)number;
    else
        *(double *)member = number;
    return MS_OK;
}

static int set_flags(const ms_option *option, const char *value, int *member, ms_error *error)
{
    int bits = 0;
    for (const char *word = value; word != NULL;) {
        const char *comma = strchr(word, ',');
        const size_t length = comma != NULL ? (size_t)(comma - word) : strlen(word);
        const int k = choice_index(option, word, length);
        if (k < 0)
            return bad_choice(option, value, error);
        bits |= 1 << k;
        word = comma != NULL ? comma + 1 : NULL;
    }
    *member = bits;
    return MS_OK;
}

static int set_value(const ms_option *option, const char *value, ms_options *options, ms_error *error)
{
    void *member = (char *)options + option->offset;
    if (value == NULL) {
        if (!ms_option_has_choices(option) || option->bare < 0)
            return ms_fail(error, MS_INVALID, "--%s: a value is missing", option->name);
        *(int *)member = option->bare;
        return MS_OK;
    }
    switch (option->kind) {
    case MS_OPTION_CHOICE: {
        const int k = choice_index(option, value, strlen(value));
        if (k < 0)
            return bad_choice(option, value, error);
        *(int *)member = k;
        return MS_OK;
    }
    case MS_OPTION_INTEGER:
    case MS_OPTION_REAL:
        return set_number(option, value, member, error);
    case MS_OPTION_FLAGS:
        return set_flags(option, value, member, error);
    case MS_OPTION_TEXT:
        if (value[0] == '\0' || strlen(value) >= option->size)
            return ms_fail(error, MS_INVALID, "--%s: must be 1 to %zu characters long", option->name,
                           option->size - 1);
        memcpy(member, value, strlen(value) + 1);
        return MS_OK;
    case MS_OPTION_LIST:
        if (options->n_masks == MS_MASKS_MAX || strlen(value) >= sizeof options->mask[0])
            return ms_fail(error, MS_INVALID, "--%s %s: at most %d of at most %zu characters", option->name,
                           value, MS_MASKS_MAX, sizeof options->mask[0] - 1);
        memcpy(options->mask[options->n_masks++], value, strlen(value) + 1);
        return MS_OK;
    }
    return MS_OK;
}

static const char *nearest_option(const char *name)
{
    const char *names[MS_OPTIONS_MAX];
    int n = 0;
    while (ms_option_table[n].name != NULL) {
        names[n] = ms_option_table[n].name;
        n++;
    }
    return ms_nearest(name, names, n);
}

int ms_options_set(ms_options *options, const char *name, const char *value, ms_error *error)
{
    if (strcmp(name, "linear-correction") == 0) {
        if (value != NULL)
            return ms_fail(error, MS_INVALID,
                           "--linear-correction takes no value; it stands for --outputs corrected");
        return ms_options_set(options, "outputs", "corrected", error);
    }
    const int k = ms_option_find(name);
    if (k < 0)
        return ms_fail(error, MS_INVALID, "unknown option --%s; the nearest is --%s", name,
                       nearest_option(name));
    const int status = set_value(&ms_option_table[k], value, options, error);
    if (status == MS_OK)
        options->given[k] = true;
    return status;
}

const char *ms_option_choice(const ms_options *options, const char *name)
{
    const ms_option *option = &ms_option_table[ms_option_find(name)];
    return ms_option_choice_at(option, *(const int *)((const char *)options + option->offset));
}
