/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option_read.c - finds options by name; their defaults, values from text, and values taken from the model if they are unset. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/options.h>
#include "nonlinear.h"
#include "number.h"

int ms_option_find(const char *name)
{
    for (int k = 0; ms_option_table[k].name != NULL; k++)
        if (strcmp(ms_option_table[k].name, name) == 0 ||
            (ms_option_table[k].former != NULL && strcmp(ms_option_table[k].former, name) == 0))
            return k;
    return -1;
}

int ms_option_find_alias(const char *alias)
{
    for (int k = 0; k < MS_OPTIONS; k++)
        if (ms_option_table[k].alias != NULL && strcmp(ms_option_table[k].alias, alias) == 0)
            return k;
    return -1;
}

void ms_options_default(ms_options *options)
{
    *options = (ms_options){.scheme = "jacobi",
                            .control.rtol = 1e-6,
                            .control.atol = 1e-6,
                            .control.max_step = INFINITY,
                            .work_factor = MS_WORK_FACTOR,
                            .solver_rtol = 1e-10,
                            .solver_atol = 1e-10,
                            .micro_steps = 1,
                            .balance.steps = 1,
                            .balance.alpha = 1.0,
                            .balance.passivity_limit = 1.0,
                            .control.safety = 0.8,
                            .control.rate_min = 0.2,
                            .control.rate_max = 1.5,
                            .control.gain_p = 0.2,
                            .control.gain_i = 0.15,
                            .iteration.relaxation = 0.5,
                            .iteration.reuse = 10,
                            .iteration.max_columns = 100,
                            .iteration.filter = MS_FILTER_QR3,
                            .iteration.filter_limit = 1e-2,
                            .iteration.preconditioner = MS_PRECONDITIONER_RESIDUAL_SUM,
                            .iteration.epsilon = 1e-4,
                            .iteration.max_iterations = 50,
                            .iteration.input_degree = 1,
                            .multirate.spline_degree = 1,
                            .f3ornits.damping = 0.05,
                            .f3ornits.ratio_min = 0.1,
                            .f3ornits.ratio_max = 1.05};
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

int ms_option_choice_index(const ms_option *option, const char *word, size_t length)
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
    return ms_fail(error, MS_INVALID, "`%s` %s: must be %s", option->name, value, names);
}

bool ms_option_has_unit(const char *text)
{
    char *end;
    const double number = ms_number_read(text, &end);
    return end != text && isfinite(number) && isalpha((unsigned char)*end);
}

static int bad_number(const ms_option *option, const char *value, ms_error *error)
{
    const char *kind = option->kind == MS_KIND_INTEGER ? "a whole number" : "a finite number";
    const char *unit = !ms_option_has_unit(value) ? ""
                       : option->summary != NULL && strstr(option->summary, "[s]") != NULL
                           ? ", in seconds and without a unit"
                           : ", without a unit";
    if (isinf(option->min))
        return ms_fail(error, MS_INVALID, "`%s` %s: must be a finite number%s", option->name, value, unit);
    if (isinf(option->max))
        return ms_fail(error, MS_INVALID, "`%s` %s: must be %s %s %g%s", option->name, value, kind,
                       option->min_excluded ? "greater than" : "of at least", option->min, unit);
    return ms_fail(error, MS_INVALID, "`%s` %s: must be %s in %c%.10g, %.10g%c%s", option->name, value, kind,
                   option->min_excluded ? '(' : '[', option->min, option->max,
                   option->max_excluded ? ')' : ']', unit);
}

bool ms_option_number(const char *text, double *value)
{
    char *end;
    *value = ms_number_read(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && strpbrk(text, "xX") == NULL;
}

static int read_number(const ms_option *option, const char *value, void *member, ms_error *error)
{
    double number;
    const bool right = ms_option_number(value, &number);
    const bool low = option->min_excluded ? number <= option->min : number < option->min;
    const bool high = option->max_excluded ? number >= option->max : number > option->max;
    if (!right || low || high || (option->kind == MS_KIND_INTEGER && number != floor(number)))
        return bad_number(option, value, error);
    if (option->kind == MS_KIND_INTEGER)
        *(int *)member = (int)number;
    else
        *(double *)member = number;
    return MS_OK;
}

static int read_flags(const ms_option *option, const char *value, int *member, ms_error *error)
{
    int bits = 0;
    for (const char *word = value; word != NULL;) {
        const char *comma = strchr(word, ',');
        const size_t length = comma != NULL ? (size_t)(comma - word) : strlen(word);
        const int k = ms_option_choice_index(option, word, length);
        if (k < 0)
            return bad_choice(option, value, error);
        bits |= 1 << k;
        word = comma != NULL ? comma + 1 : NULL;
    }
    *member = bits;
    return MS_OK;
}

static int read_choice(const ms_option *option, const char *value, int *member, ms_error *error)
{
    const int k = ms_option_choice_index(option, value, strlen(value));
    if (k < 0)
        return bad_choice(option, value, error);
    *member = k;
    return MS_OK;
}

static int read_text(const ms_option *option, const char *value, char *member, ms_error *error)
{
    if (value[0] == '\0' || strlen(value) >= option->size)
        return ms_fail(error, MS_INVALID, "`%s`: must be 1 to %zu characters long", option->name,
                       option->size - 1);
    memcpy(member, value, strlen(value) + 1);
    return MS_OK;
}

_Static_assert(offsetof(ms_options, n_masks) == offsetof(ms_options, mask) + sizeof((ms_options *)NULL)->mask,
               "the number of texts follows the last of them");

/* One more of the texts at `member`, whose number comes after the last of them. */
static int append_text(const ms_option *option, const char *value, char *member, ms_error *error)
{
    int *n = (int *)(void *)(member + option->size);
    if (*n == MS_MASKS_MAX || strlen(value) >= MS_MASK_MAX)
        return ms_fail(error, MS_INVALID, "`%s` %s: at most %d of at most %d characters", option->name, value,
                       MS_MASKS_MAX, MS_MASK_MAX - 1);
    memcpy(member + (size_t)(*n)++ * MS_MASK_MAX, value, strlen(value) + 1);
    return MS_OK;
}

/* Without a value. */
static int read_bare(const ms_option *option, void *member, ms_error *error)
{
    if (option->kind == MS_KIND_FLAG)
        *(bool *)member = true;
    else if (ms_option_has_choices(option) && option->bare >= 0)
        *(int *)member = option->bare;
    else
        return ms_fail(error, MS_INVALID, "`%s`: a value is missing", option->name);
    return MS_OK;
}

int ms_option_read(const ms_option *option, const char *value, void *structure, ms_error *error)
{
    void *member = (char *)structure + option->offset;
    if (value == NULL)
        return read_bare(option, member, error);
    switch (option->kind) {
    case MS_KIND_CHOICE:
        return read_choice(option, value, member, error);
    case MS_KIND_INTEGER:
    case MS_KIND_REAL:
        return read_number(option, value, member, error);
    case MS_KIND_FLAG:
        return ms_fail(error, MS_INVALID, "`%s`: takes no value", option->name);
    case MS_KIND_FLAGS:
        return read_flags(option, value, member, error);
    case MS_KIND_TEXT:
        return option->size > 0 ? read_text(option, value, member, error) : MS_OK;
    case MS_KIND_LIST:
        return append_text(option, value, member, error);
    case MS_KIND_PAIRS:
    case MS_KIND_RANGE:
    case MS_KIND_SHARD:
    case MS_KIND_LENGTH:
        break;
    }
    return ms_fail(error, MS_INVALID, "`%s`: only the command that takes it reads it", option->name);
}

const char *ms_option_choice(const ms_options *options, ms_option_id option)
{
    const ms_option *row = &ms_option_table[option];
    return ms_option_choice_at(row, *(const int *)((const char *)options + row->offset));
}

double ms_options_stop_time(const ms_options *options, double length)
{
    return options->given[MS_OPTION_STOP_TIME] ? options->stop_time : options->start_time + length;
}

double ms_options_length(const ms_options *options, double length)
{
    return options->given[MS_OPTION_STOP_TIME] ? options->stop_time - options->start_time : length;
}

void ms_options_resolve_times(ms_options *options, double step_size, double length)
{
    if (options->step_size == 0.0)
        options->step_size = step_size;
    options->stop_time = ms_options_stop_time(options, length);
    if (options->max_steps == 0.0)
        options->max_steps = options->work_factor *
                             fmax(1.0, ceil((options->stop_time - options->start_time) / options->step_size));
}
