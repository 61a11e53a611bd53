/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme_variants.h"

#include <string.h>

#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/variant.h>

const ms_option_id ms_variant_options[MS_VARIANT_OPTIONS] = {
    MS_OPTION_EXTRAPOLATION_ORDER, MS_OPTION_DERIVATIVES,   MS_OPTION_OUTPUTS,
    MS_OPTION_SMOOTH_COUPLING,     MS_OPTION_BALANCE_ERROR, MS_OPTION_FALLBACK,
    MS_OPTION_CALIBRATION,         MS_OPTION_SCHEDULER,     MS_OPTION_ERROR_NORMALIZATION,
    MS_OPTION_SOLVER_NONLINEAR,    MS_OPTION_INPUT_DEGREE};

int ms_scheme_variants_named(const ms_arguments *arguments, ms_axis *schemes, ms_error *error)
{
    const ms_axis *list = ms_arguments_list(arguments, MS_OPTION_SCHEME);
    return list != NULL ? ms_axis_copy(list, schemes, error)
                        : ms_axis_create("--scheme", "scheme", arguments->options.scheme, schemes, error);
}

static int choose_schemes(const ms_arguments *arguments, ms_axis *schemes, ms_error *error)
{
    const ms_options *o = &arguments->options;
    if (o->given[MS_OPTION_AS]) /* each preset brings its own */
        return ms_axis_create("--scheme", "scheme", o->scheme, schemes, error);
    return ms_option_asked(o, MS_OPTION_SCHEME)
               ? ms_scheme_variants_named(arguments, schemes, error)
               : ms_axis_of_option(&ms_option_table[MS_OPTION_SCHEME], schemes, error);
}

int ms_scheme_variants_create(const ms_arguments *arguments, ms_scheme_variants *variants, ms_error *error)
{
    *variants = (ms_scheme_variants){0};
    int status = choose_schemes(arguments, &variants->schemes, error);
    for (int k = 0; k < MS_VARIANT_OPTIONS && status == MS_OK; k++)
        status = ms_axis_of_option(&ms_option_table[ms_variant_options[k]], &variants->own[k], error);
    return status;
}

void ms_scheme_variants_destroy(ms_scheme_variants *variants)
{
    ms_axis_destroy(&variants->schemes);
    for (int k = 0; k < MS_VARIANT_OPTIONS; k++)
        ms_axis_destroy(&variants->own[k]);
}

static int check_room(const ms_arguments *arguments, ms_error *error)
{
    return arguments->n_axes + MS_VARIANT_OPTIONS + 2 <=
                   MS_GRID_AXES_MAX /* including step sizes and draws of a sweep */
               ? MS_OK
               : ms_fail(error, MS_INVALID, "%s: %d lists are too many", arguments->command->name,
                         arguments->n_axes);
}

static void add_settings(const ms_arguments *arguments, ms_grid *grid)
{
    for (int k = 0; k < arguments->n_axes; k++)
        if (arguments->axes[k].setting >= 0)
            grid->axis[grid->n++] = &arguments->axes[k];
}

static bool is_known(const ms_scheme *scheme, const ms_axis *axis)
{
    const int option = ms_option_find(axis->name);
    return option >= 0 && ms_scheme_knows(scheme, option);
}

/* If there is only one scheme, options that it does not know are kept, so that the run refuses them. */
static void add_lists(const ms_arguments *arguments, const ms_scheme *scheme, bool several, int but,
                      ms_grid *grid)
{
    for (int k = 0; k < arguments->n_axes; k++) {
        if (arguments->axes[k].setting >= 0 || ms_axis_is(&arguments->axes[k], MS_OPTION_SCHEME))
            continue;
        if ((but == MS_NO_OPTION || !ms_axis_is(&arguments->axes[k], (ms_option_id)but)) &&
            (!several || is_known(scheme, &arguments->axes[k])))
            grid->axis[grid->n++] = &arguments->axes[k];
    }
}

int ms_scheme_variants_lists(const ms_arguments *arguments, const char *scheme, int but, ms_grid *grid,
                             ms_error *error)
{
    *grid = (ms_grid){0};
    MS_TRY(check_room(arguments, error));
    add_settings(arguments, grid);
    add_lists(arguments, ms_scheme_find(scheme), ms_arguments_list(arguments, MS_OPTION_SCHEME) != NULL, but,
              grid);
    return MS_OK;
}

int ms_scheme_variants_grid(const ms_scheme_variants *variants, const ms_arguments *arguments,
                            const char *scheme_name, ms_grid *grid, ms_error *error)
{
    const ms_scheme *scheme = ms_scheme_find(scheme_name);
    *grid = (ms_grid){0};
    MS_TRY(check_room(arguments, error));
    add_settings(arguments, grid);
    for (int k = 0; k < MS_VARIANT_OPTIONS && arguments->variants == MS_VARIANTS_ALL; k++)
        if (ms_scheme_knows(scheme, ms_variant_options[k]) &&
            !ms_option_asked(&arguments->options, ms_variant_options[k]) &&
            !arguments->options.given[MS_OPTION_AS])
            grid->axis[grid->n++] = &variants->own[k];
    add_lists(arguments, scheme, variants->schemes.n > 1, MS_NO_OPTION, grid);
    return MS_OK;
}

/* Families and options ------------------------------------------------------------------------------------ */

static bool one_knows(const ms_axis *schemes, int option)
{
    for (int k = 0; k < schemes->n; k++)
        if (ms_scheme_knows(ms_scheme_find(ms_axis_value(schemes, k)), option))
            return true;
    return false;
}

int ms_scheme_variants_check(const ms_arguments *arguments, const ms_axis *schemes, ms_error *error)
{
    for (int k = 0; ms_option_table[k].name != NULL && schemes->n > 1; k++)
        if (ms_option_asked(&arguments->options, k) && !one_knows(schemes, k))
            return ms_fail(error, MS_INVALID, "--%s: none of these %d schemes has this option",
                           ms_option_table[k].name, schemes->n);
    return MS_OK;
}

int ms_scheme_variants_options(const ms_arguments *arguments, const char *scheme_name, bool several,
                               ms_options *options, ms_error *error)
{
    const ms_scheme *scheme = ms_scheme_find(scheme_name);
    ms_options defaults;
    ms_options_default(&defaults);
    *options = arguments->options;
    for (int k = 0; ms_option_table[k].name != NULL && several; k++) {
        const ms_option *option = &ms_option_table[k];
        if (!options->given[k] || ms_scheme_knows(scheme, k))
            continue;
        memcpy((char *)options + option->offset, (const char *)&defaults + option->offset, option->size);
        options->given[k] = false;
    }
    return ms_options_set(options, "scheme", scheme_name, error);
}

/* Points ------------------------------------------------------------------------------------------------- */

bool ms_grid_advance(ms_grid *grid)
{
    for (int k = grid->n - 1; k >= 0; k--) {
        if (++grid->at[k] < grid->axis[k]->n)
            return true;
        grid->at[k] = 0;
    }
    return false;
}

double ms_grid_size(const ms_grid *grid)
{
    double size = 1.0;
    for (int k = 0; k < grid->n; k++)
        size *= grid->axis[k]->n;
    return size;
}

bool ms_scheme_variants_skip(const ms_arguments *arguments, const ms_options *options)
{
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    /* a variant that was asked for becomes a row with its reason */
    bool asked = arguments->variants == MS_VARIANTS_DEFAULT;
    for (int k = 0; k < MS_VARIANT_OPTIONS; k++)
        asked = asked || ms_option_asked(&arguments->options, ms_variant_options[k]);
    ms_variant variant;
    ms_variant_set(&variant, scheme, NULL, options);
    if (scheme->has_variant != NULL && !asked && !scheme->has_variant(&variant))
        return true;
    return options->extrapolation.order == 0 &&
           options->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC &&
           !ms_option_asked(&arguments->options, MS_OPTION_DERIVATIVES);
}
