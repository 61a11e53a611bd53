/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>

/* The numbers in a text for subsystems, as bits, before the subsystems are known; 1 for those omitted. */
static unsigned count_bits(const char *text)
{
    unsigned bits = strchr(text, '=') != NULL || text[0] == '\0' ? 1U << 1 : 0U;
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        const char *sign = memchr(text, '=', length);
        const long number = strtol(sign != NULL ? sign + 1 : text, NULL, 10);
        bits |= number > 0 && number < 31 ? 1U << number : 0U;
        text += length + (text[length] == ',');
    }
    return bits;
}

void ms_variant_set(ms_variant *variant, const ms_scheme *scheme, const ms_solver *solver,
                    const ms_options *o)
{
    const bool changing =
        o->control.error_controlled != MS_CONTROL_NONE || (scheme != NULL && scheme->next_time != NULL);
    const bool integrals = scheme != NULL && scheme->integrals &&
                           !(scheme->trapezoid && o->balance.integral == MS_INTEGRAL_TRAPEZOID);
    *variant = (ms_variant){
        .scheme = scheme,
        .solver = solver,
        .extrapolation = o->extrapolation,
        .balance = o->balance,
        .f3ornits = o->f3ornits,
        .iteration = o->iteration,
        .multirate = o->multirate,
        .lines = o->lines,
        .initial = o->initial,
        .control = o->control,
        .at_time_events = (ms_at_time_events)o->at_time_events,
        .execution = (ms_execution)o->execution,
        .num_threads = o->num_threads,
        .start_time = o->start_time,
        .stop_time = o->stop_time,
        .step_size = o->step_size,
        .max_steps = o->max_steps,
        .integrals = integrals,
        .sample_counts = count_bits(o->multirate.samples),
        .substep_counts = count_bits(o->multirate.substeps),
        .reduced_grid = o->multirate.reduced_grid == 0,
        .micro = {.rtol = o->solver_rtol,
                  .atol = o->solver_atol,
                  .micro_steps = o->micro_steps,
                  .input_change = (ms_input_change)o->input_change,
                  .integrals = integrals,
                  .series = changing ? MS_SERIES_SAMPLES : MS_SERIES_NEVER},
    };
}

bool ms_variant_rolls_back(const ms_variant *variant)
{
    return variant->scheme->rolls_back && variant->iteration.rollback == MS_ROLLBACK_EXACT;
}

int ms_variant_feedback(const ms_variant *variant, const ms_system *system, int i, ms_input_law *law)
{
    const ms_scheme *scheme = variant->scheme;
    return scheme->feedback != NULL ? scheme->feedback(system, variant, i, law) : 0;
}

static bool stands_in(const int *list, int n, int i)
{
    for (int k = 0; k < n; k++)
        if (list[k] == i)
            return true;
    return false;
}

int ms_variant_subsystems(const ms_system *system, const char *what, const char *names, int *list, int *n,
                          int *twice, ms_error *error)
{
    *n = 0;
    *twice = -1;
    for (const char *word = names; *word != '\0';) {
        const size_t length = strcspn(word, ",");
        char name[MS_TEXT_MAX];
        memcpy(name, word, length);
        name[length] = '\0';
        const int i = ms_system_find(system, name);
        if (i < 0)
            return ms_fail(error, MS_INVALID, "%s %s: model %s has no subsystem %s; its first is %s", what,
                           names, system->model->name, name, system->sub[0].name);
        if (!stands_in(list, *n, i))
            list[(*n)++] = i;
        else if (*twice < 0)
            *twice = i;
        word += length + (word[length] == ',');
    }
    return MS_OK;
}

/* The number that a word of `length` is, in 1 .. most. */
static int read_count(const char *option, const char *word, size_t length, int most, int *count,
                      ms_error *error)
{
    char text[32];
    double value = 0.0;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    if (length >= sizeof text || !ms_option_number(text, &value) || value < 1.0 || value > most ||
        value != (int)value)
        return ms_fail(error, MS_INVALID, "`%s` %.*s: must be a whole number in [1, %d], or NAME=NUMBER,..",
                       option, (int)length, word, most);
    *count = (int)value;
    return MS_OK;
}

int ms_variant_each(const ms_system *system, const char *option, const char *text, ms_variant_take *take,
                    void *self, ms_error *error)
{
    int status = MS_OK;
    for (const char *word = text; *word != '\0' && status == MS_OK;) {
        const size_t length = strcspn(word, ","), name_length = strcspn(word, "=,");
        char name[MS_TEXT_MAX];
        snprintf(name, sizeof name, "%.*s", (int)name_length, word);
        const int i = ms_system_find(system, name);
        if (i < 0)
            return ms_fail(error, MS_INVALID, "`%s` %s: model %s has no subsystem %s; its first is %s",
                           option, text, system->model->name, name, system->sub[0].name);
        status = take(self, i, word + name_length + (name_length < length),
                      length - name_length - (name_length < length), error);
        word += length + (word[length] == ',');
    }
    return status;
}

typedef struct counts_read {
    const char *option;
    int most, *count;
} counts_read;

static int take_count(void *self, int i, const char *value, size_t length, ms_error *error)
{
    const counts_read *read = self;
    return read_count(read->option, value, length, read->most, &read->count[i], error);
}

int ms_variant_counts(const ms_system *system, const char *option, const char *text, int most, int *counts,
                      ms_error *error)
{
    const bool named = strchr(text, '=') != NULL;
    int status = MS_OK, all = 1;
    if (!named && text[0] != '\0')
        status = read_count(option, text, strlen(text), most, &all, error);
    for (int i = 0; i < system->n; i++)
        counts[i] = all;
    counts_read read = {option, most, counts};
    return status == MS_OK && named ? ms_variant_each(system, option, text, take_count, &read, error)
                                    : status;
}

/* The first subsystem that is not among these n. */
static const char *left_out(const ms_system *system, int n, const int *sequence)
{
    int i = 0;
    for (int k = 0; k < n; k++)
        if (sequence[k] == i) {
            i++;
            k = -1;
        }
    return system->sub[i].name;
}

int ms_variant_sequence(const ms_system *system, const ms_options *options, int *sequence, int *rank,
                        ms_error *error)
{
    const char *names = options->sequence;
    int n, twice;
    MS_TRY(ms_variant_subsystems(system, "`sequence`", names, sequence, &n, &twice, error));
    if (twice >= 0)
        return ms_fail(error, MS_INVALID,
                       "`sequence` %s: %s is given twice; name each of the %d subsystems once", names,
                       system->sub[twice].name, system->n);
    const int named = n;
    for (int i = ms_system_shown(system); i < system->n && named > 0; i++)
        sequence[n++] = i;
    if (n != 0 && n != system->n)
        return ms_fail(error, MS_INVALID, "`sequence` %s: names %d of %d subsystems, not %s; name each once",
                       names, named, system->n - (n - named), left_out(system, named, sequence));
    for (int k = 0; k < system->n; k++) {
        sequence[k] = n == 0 ? k : sequence[k];
        rank[sequence[k]] = k;
    }
    return MS_OK;
}

/* The index of the input SUB.u.NAME of that length, or -1. */
static int find_input(const ms_system *s, const char *word, size_t length)
{
    char name[MS_TEXT_MAX];
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < s->sub[i].nu; l++) {
            const int written = snprintf(name, sizeof name, "%s.u.%s", s->sub[i].name, s->sub[i].u[l].name);
            if ((size_t)written == length && strncmp(name, word, length) == 0)
                return s->u_at[i] + l;
        }
    return -1;
}

int ms_variant_inputs(const ms_system *s, const ms_options *options, bool *held, ms_error *error)
{
    const char *names = options->balance.wires;
    for (int l = 0; l < s->nu; l++)
        held[l] = names[0] != '\0';
    for (const char *word = names; *word != '\0';) {
        const size_t length = strcspn(word, ",");
        const int l = find_input(s, word, length);
        if (l < 0)
            return ms_fail(error, MS_INVALID,
                           "`wires` %s: model %s has no input %.*s; inputs are named as %s.u.%s", names,
                           s->model->name, (int)length, word, s->sub[0].name,
                           s->sub[0].nu > 0 ? s->sub[0].u[0].name : "NAME");
        held[l] = false;
        word += length + (word[length] == ',');
    }
    return MS_OK;
}
