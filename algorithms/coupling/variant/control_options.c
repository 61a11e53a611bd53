/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control_options.h"

#include <stdio.h>
#include <string.h>

#include <macrostep/options.h>

/* The table ----------------------------------------------------------------------------------------------- */

static void set(const ms_options *o, ms_option_id option, double *member, double value)
{
    if (!o->given[option])
        *member = value;
}

/* Defaults of libcosim. */
static void ecco_defaults(ms_options *o)
{
    set(o, MS_OPTION_RTOL, &o->control.rtol, 1e-4);
    set(o, MS_OPTION_ATOL, &o->control.atol, 1e-4);
    set(o, MS_OPTION_MIN_STEP, &o->control.min_step, 1e-4);
    set(o, MS_OPTION_MAX_STEP, &o->control.max_step, 1e-2);
}

/* Defaults of OMSimulator. */
static void oms_defaults(ms_options *o)
{
    set(o, MS_OPTION_RTOL, &o->control.rtol, 1e-4);
    set(o, MS_OPTION_ATOL, &o->control.atol, 1e-4);
    set(o, MS_OPTION_MIN_STEP, &o->control.min_step, 1e-12);
}

static const ms_option_id of_ecco[] = {MS_OPTION_SAFETY,        MS_OPTION_RATE_MIN, MS_OPTION_RATE_MAX,
                                       MS_OPTION_GAIN_P,        MS_OPTION_GAIN_I,   MS_OPTION_ECCO_SCALE,
                                       MS_OPTION_ECCO_ROUNDING, MS_OPTIONS};

static const ms_control_options controls[] = {
    [MS_CONTROL_NONE] = {.own = NULL},
    [MS_CONTROL_RICHARDSON] = {.own = NULL},
    [MS_CONTROL_PYFMI] = {.own = NULL},
    [MS_CONTROL_PREDICTOR_CORRECTOR] = {.of_predictions = true},
    [MS_CONTROL_ECCO] = {.own = of_ecco, .defaults = ecco_defaults},
    [MS_CONTROL_OMS] = {.defaults = oms_defaults},
};

const ms_control_options *ms_control_options_of(ms_error_control control)
{
    return &controls[control];
}

/* What fits ------------------------------------------------------------------------------------------------ */

static const char *name_of(int control)
{
    return ms_option_choice_at(&ms_option_table[MS_OPTION_ERROR_CONTROLLED], control);
}

static int check_predictions(const ms_scheme *scheme, int control, ms_error *error)
{
    char others[128] = "";
    if (!controls[control].of_predictions || scheme->predicts)
        return MS_OK;
    for (int k = MS_CONTROL_NONE + 1; k < MS_COUNT(controls); k++)
        if (!controls[k].of_predictions)
            snprintf(others + strlen(others), sizeof others - strlen(others), "%s%s",
                     others[0] != '\0' ? ", " : "", name_of(k));
    return ms_fail(error, MS_INVALID,
                   "`error-controlled` %s: scheme %s has no predicted inputs that it corrects; it can "
                   "use %s",
                   name_of(control), scheme->name, others);
}

/* An option that was given and is another control's own. */
static int check_own(const ms_options *o, ms_error *error)
{
    for (ms_error_control k = MS_CONTROL_NONE; k < (ms_error_control)MS_COUNT(controls); k++) {
        const ms_option_id *own = k != o->control.error_controlled ? controls[k].own : NULL;
        for (; own != NULL && *own != MS_OPTIONS; own++)
            if (ms_option_asked(o, (int)*own))
                return ms_fail(error, MS_INVALID, "`%s`: requires `error-controlled` %s",
                               ms_option_table[*own].name, name_of(k));
    }
    return MS_OK;
}

/* Tolerances and limits where steps are equal. */
static int check_equal(const ms_scheme *scheme, const ms_options *o, ms_error *error)
{
    static const ms_option_id common[] = {MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTION_MIN_STEP,
                                          MS_OPTION_MAX_STEP};
    if (o->control.error_controlled != MS_CONTROL_NONE || scheme->next_time != NULL || scheme->retries ||
        scheme->compares)
        return MS_OK;
    for (int k = 0; k < MS_COUNT(common); k++)
        if (ms_option_asked(o, (int)common[k]))
            return ms_fail(error, MS_INVALID,
                           "`%s`: requires `error-controlled`; the steps of this run are equal",
                           ms_option_table[common[k]].name);
    return MS_OK;
}

int ms_control_options_check(const ms_scheme *scheme, const ms_options *o, ms_error *error)
{
    MS_TRY(check_predictions(scheme, o->control.error_controlled, error));
    MS_TRY(check_own(o, error));
    return check_equal(scheme, o, error);
}
