/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "preset.h"

#include <stdio.h>
#include <string.h>

static const ms_preset presets[] = {
    {.name = "oms-ma",
     .summary = "OMSimulator, fixed step",
     .faults = "none; its time is a sum of steps, so that the last step may be very short",
     .source = "OMSimulator, SystemWC.cpp, without input extrapolation",
     .value = {{MS_OPTION_SCHEME, "jacobi", false},
               {MS_OPTION_EXTRAPOLATION_ORDER, "0", false},
               {MS_OPTION_OUTPUTS, "consistent", false},
               {MS_OPTION_SMOOTH_COUPLING, "none", false},
               {MS_OPTION_ERROR_CONTROLLED, "none", false},
               {MS_OPTION_INITIAL_INPUTS, "consistent", false}}},
    {.name = "oms-mav",
     .summary = "OMSimulator, variable step",
     .faults = "it controls the jump of the inputs, an error of order 1, by a square root; a step "
               "of the least length is accepted whatever its error",
     .source = "OMSimulator, SystemWC.cpp",
     .value = {{MS_OPTION_SCHEME, "jacobi", false},
               {MS_OPTION_EXTRAPOLATION_ORDER, "0", false},
               {MS_OPTION_OUTPUTS, "consistent", false},
               {MS_OPTION_SMOOTH_COUPLING, "none", false},
               {MS_OPTION_ERROR_CONTROLLED, "oms", false},
               {MS_OPTION_INITIAL_INPUTS, "consistent", false},
               {MS_OPTION_STEP_SIZE, "1e-6", true}}},
    {.name = "libcosim",
     .summary = "libcosim, fixed step with decimation",
     .faults = "at the start it makes one pass for each simulator, and does not solve algebraic loops",
     .source = "libcosim, fixed_step_algorithm.cpp",
     .value = {{MS_OPTION_SCHEME, "multirate", false},
               {MS_OPTION_EXTRAPOLATION_ORDER, "0", false},
               {MS_OPTION_FIRST, "parallel", false},
               {MS_OPTION_POINTS, "common", false},
               {MS_OPTION_INITIAL_INPUTS, "passes", false}}},
    {.name = "maestro",
     .summary = "maestro (INTO-CPS), fixed step with stabilisation",
     .faults = "it takes a small change from pass to pass for convergence; after its last pass it continues "
               "with the values that it has",
     .source = "maestro, StabilisationBuilder.java",
     .value = {{MS_OPTION_SCHEME, "stabilised", false},
               {MS_OPTION_INITIAL_INPUTS, "consistent", false},
               {MS_OPTION_MAX_ITERATIONS, "5", true}}},
    {.name = "fmpy",
     .summary = "FMPy, simulate_ssp",
     .faults = "connectors are 0 in the first step, whatever the start values; its row at t has the "
               "values at t + H (here a row has the values at its time)",
     .source = "FMPy, ssp/simulation.py",
     .value = {{MS_OPTION_SCHEME, "jacobi", false},
               {MS_OPTION_EXTRAPOLATION_ORDER, "0", false},
               {MS_OPTION_OUTPUTS, "inconsistent", false},
               {MS_OPTION_SMOOTH_COUPLING, "none", false},
               {MS_OPTION_ERROR_CONTROLLED, "none", false},
               {MS_OPTION_INITIAL_INPUTS, "unset", false}}},
    {.name = "pyfmi",
     .summary = "PyFMI, error control",
     .faults = "its error estimate has no square inside, it uses outputs for the inputs of the step "
               "before, and a square root of it chooses the steps, whatever the order",
     .source = "PyFMI, master.pyx; Andersson 2016, 9.1.3",
     .value = {{MS_OPTION_SCHEME, "jacobi", false},
               {MS_OPTION_ERROR_CONTROLLED, "pyfmi", false},
               {MS_OPTION_START, "hold", false},
               {MS_OPTION_INITIAL_INPUTS, "consistent", false},
               {MS_OPTION_EXTRAPOLATION_ORDER, "0", true},
               {MS_OPTION_RTOL, "1e-4", true},
               {MS_OPTION_ATOL, "1e-4", true}}}};

enum { PRESETS = sizeof presets / sizeof presets[0] };

const ms_preset *ms_preset_at(int k)
{
    return k < PRESETS ? &presets[k] : NULL;
}

const char *ms_preset_choice(int k)
{
    const ms_preset *preset = k > 0 ? ms_preset_at(k - 1) : NULL;
    return k == 0 ? "none" : preset != NULL ? preset->name : NULL;
}

static void *member(ms_options *options, ms_option_id k)
{
    return (char *)options + ms_option_table[k].offset;
}

static const void *member_of(const ms_options *options, ms_option_id k)
{
    return (const char *)options + ms_option_table[k].offset;
}

static bool equal(const ms_options *a, const ms_options *b, ms_option_id k)
{
    const ms_option *option = &ms_option_table[k];
    return option->kind == MS_KIND_TEXT ? strcmp(member_of(a, k), member_of(b, k)) == 0
                                        : memcmp(member_of(a, k), member_of(b, k), option->size) == 0;
}

const char *ms_preset_text(const ms_preset *preset, char *text, size_t size)
{
    ms_options defaults;
    size_t length = 0;
    ms_options_default(&defaults);
    text[0] = '\0';
    for (const ms_preset_value *v = preset->value; v->value != NULL && length < size; v++) {
        ms_options wanted = defaults;
        (void)ms_option_read(&ms_option_table[v->option], v->value, &wanted, NULL);
        if (v->option == MS_OPTION_SCHEME || !equal(&defaults, &wanted, v->option))
            length += (size_t)snprintf(text + length, size - length, "%s`%s` %s", length > 0 ? " " : "",
                                       ms_option_table[v->option].name, v->value);
    }
    return text;
}

static int differs(const ms_options *options, ms_option_id k, const char *given, const char *preset,
                   ms_error *error)
{
    return ms_fail(error, MS_INVALID, "`%s`%s%s: `as` %s means `%s` %s; leave one of them out",
                   ms_option_table[k].name, given[0] != '\0' ? " " : "", given, ms_preset_choice(options->as),
                   ms_option_table[k].name, preset);
}

/* What options->as says of option k; it says something. */
static const char *said(const ms_options *options, ms_option_id k)
{
    const ms_preset_value *v = presets[options->as - 1].value;
    while (v->option != k)
        v++;
    return v->value;
}

int ms_preset_keeps(const ms_options *options, ms_option_id k, const ms_options *wanted, const char *value,
                    ms_error *error)
{
    return equal(options, wanted, k)
               ? MS_OK
               : differs(options, k, value != NULL ? value : "", said(options, k), error);
}

static void take_back(ms_options *options)
{
    ms_options defaults;
    ms_options_default(&defaults);
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option_id id = (ms_option_id)k;
        if (options->set_by[k] == MS_SET_BY_NO_OTHER || options->set_by[k] == MS_SET_BY_FILE)
            continue;
        memcpy(member(options, id), member_of(&defaults, id), ms_option_table[k].size);
        options->given[k] = options->given[k] && options->set_by[k] != MS_FIXED_BY_PRESET;
        options->set_by[k] = MS_SET_BY_NO_OTHER;
    }
}

static int take(ms_options *options, const ms_preset_value *v, ms_error *error)
{
    ms_options wanted = *options;
    const int status = ms_option_read(&ms_option_table[v->option], v->value, &wanted, error);
    const bool asked = ms_option_asked(options, v->option);
    if (status != MS_OK || (asked && v->may_differ))
        return status;
    if (asked)
        return equal(options, &wanted, v->option) ? MS_OK : differs(options, v->option, "", v->value, error);
    memcpy(member(options, v->option), member_of(&wanted, v->option), ms_option_table[v->option].size);
    options->given[v->option] = !v->may_differ;
    options->set_by[v->option] = v->may_differ ? MS_SET_BY_PRESET : MS_FIXED_BY_PRESET;
    return MS_OK;
}

int ms_preset_apply(ms_options *options, ms_error *error)
{
    take_back(options);
    if (options->as == 0)
        return MS_OK;
    for (const ms_preset_value *v = presets[options->as - 1].value; v->value != NULL; v++)
        MS_TRY(take(options, v, error));
    return MS_OK;
}
