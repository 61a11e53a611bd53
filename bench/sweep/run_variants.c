/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_variants.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/choices.h>
#include <macrostep/scheme_registry.h>
#include "growing.h"

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
}

static int too_many(ms_error *error)
{
    return ms_fail(
        error, MS_INVALID,
        "lists make more than %d rows, which are held in memory; macrostep sweep writes them as they come",
        MS_RUN_VARIANTS_MAX);
}

static int add(ms_run_variants *runs, const ms_arguments *arguments, const ms_options *options,
               ms_error *error)
{
    const size_t settings = (size_t)arguments->n_settings;
    if (runs->n == MS_RUN_VARIANTS_MAX)
        return too_many(error);
    MS_TRY_MEMORY_OR(ms_grow(&runs->variant, &runs->capacity, (size_t)runs->n + 1, sizeof *runs->variant),
                     no_memory(error));
    ms_setting *own = malloc(sizeof *own * (settings + 1));
    MS_TRY_MEMORY_OR(own != NULL, no_memory(error));
    if (settings > 0)
        memcpy(own, arguments->settings, sizeof *own * settings);
    runs->variant[runs->n++] = (ms_run_variant){.options = *options, .settings = own};
    return MS_OK;
}

/* All points of a family's grid except those that are skipped. */
static int add_grid(ms_run_variants *runs, ms_arguments *arguments, const ms_options *own, ms_grid *grid,
                    bool (*skip)(const ms_arguments *, const ms_options *), ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < grid->n && status == MS_OK; k++) /* before any work */
        status = grid->axis[k]->n > MS_RUN_VARIANTS_MAX ? too_many(error) : MS_OK;
    for (bool more = true; more && status == MS_OK; more = ms_grid_advance(grid)) {
        ms_options options = *own;
        for (int k = 0; k < grid->n && status == MS_OK; k++)
            status = ms_arguments_apply(arguments, grid->axis[k], grid->at[k], &options, error);
        if (status == MS_OK && (skip == NULL || !skip(arguments, &options)))
            status = add(runs, arguments, &options, error);
    }
    return status;
}

int ms_run_variants_of_lists(ms_arguments *arguments, int but, ms_run_variants *runs, ms_error *error)
{
    ms_axis schemes = {0};
    *runs = (ms_run_variants){0};
    int status = ms_scheme_variants_named(arguments, &schemes, error);
    MS_THEN(status, ms_scheme_variants_check(arguments, &schemes, error));
    for (int k = 0; k < schemes.n && status == MS_OK; k++) {
        const char *scheme = ms_axis_value(&schemes, k);
        ms_grid grid = {0};
        ms_options own;
        status = ms_scheme_variants_options(arguments, scheme, schemes.n > 1, &own, error);
        MS_THEN(status, ms_scheme_variants_lists(arguments, scheme, but, &grid, error));
        MS_THEN(status, add_grid(runs, arguments, &own, &grid, NULL, error));
    }
    ms_axis_destroy(&schemes);
    return status;
}

int ms_run_variants_of_schemes(ms_arguments *arguments, const ms_scheme_variants *variants,
                               ms_run_variants *runs, ms_error *error)
{
    int status = ms_scheme_variants_check(arguments, &variants->schemes, error);
    for (int k = 0; k < variants->schemes.n && status == MS_OK; k++) {
        const char *scheme = ms_axis_value(&variants->schemes, k);
        ms_options own;
        ms_grid grid;
        status = ms_scheme_variants_options(arguments, scheme, variants->schemes.n > 1, &own, error);
        MS_THEN(status, ms_scheme_variants_grid(variants, arguments, scheme, &grid, error));
        MS_THEN(status, add_grid(runs, arguments, &own, &grid, ms_scheme_variants_skip, error));
    }
    return status;
}

bool ms_run_variant_is_controlled(const ms_run_variant *variant)
{
    return variant->options.control.error_controlled != MS_CONTROL_NONE ||
           ms_scheme_find(variant->options.scheme)->next_time != NULL;
}

void ms_run_variant_set_step(ms_run_variant *variant, double step)
{
    variant->options.step_size = step;
    variant->options.given[MS_OPTION_STEP_SIZE] = true;
}

void ms_run_variant_set_tolerance(ms_run_variant *variant, double rtol, bool atol_given)
{
    ms_options *o = &variant->options;
    o->control.rtol = rtol;
    o->control.atol = atol_given ? o->control.atol : 0.01 * rtol;
    o->given[MS_OPTION_RTOL] = o->given[MS_OPTION_ATOL] = true;
}

void ms_run_variants_destroy(ms_run_variants *runs)
{
    for (int k = 0; k < runs->n; k++)
        free(runs->variant[k].settings);
    free(runs->variant);
    *runs = (ms_run_variants){0};
}

int ms_run_variant_bind(const ms_arguments *arguments, const ms_run_variant *variant, const ms_model *model,
                        ms_system **system, ms_error *error)
{
    ms_arguments its = *arguments;
    its.settings = variant->settings;
    return ms_arguments_bind(&its, model, system, error);
}
