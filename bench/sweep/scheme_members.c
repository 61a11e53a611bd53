/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme_members.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
}

static int add(ms_scheme_members *members, const ms_arguments *arguments, const ms_options *options,
               ms_error *error)
{
    const size_t settings = (size_t)arguments->n_settings;
    if (members->n == members->capacity) {
        const int capacity = 2 * members->capacity + 64;
        ms_scheme_member *grown = realloc(members->member, sizeof *grown * (size_t)capacity);
        if (grown == NULL)
            return no_memory(error);
        members->member = grown;
        members->capacity = capacity;
    }
    ms_setting *own = malloc(sizeof *own * (settings + 1));
    if (own == NULL)
        return no_memory(error);
    if (settings > 0)
        memcpy(own, arguments->settings, sizeof *own * settings);
    members->member[members->n++] = (ms_scheme_member){.options = *options, .settings = own};
    return MS_OK;
}

/* All points of a family's grid, but those that are left out. */
static int add_grid(ms_scheme_members *members, ms_arguments *arguments, const ms_options *own, ms_grid *grid,
                    bool (*skip)(const ms_arguments *, const ms_options *), ms_error *error)
{
    int status = MS_OK;
    for (bool more = true; more && status == MS_OK; more = ms_grid_advance(grid)) {
        ms_options options = *own;
        for (int k = 0; k < grid->n && status == MS_OK; k++)
            status = ms_arguments_apply(arguments, grid->axis[k], grid->at[k], &options, error);
        if (status == MS_OK && (skip == NULL || !skip(arguments, &options)))
            status = add(members, arguments, &options, error);
    }
    return status;
}

int ms_scheme_members_of_lists(ms_arguments *arguments, int but, ms_scheme_members *members, ms_error *error)
{
    ms_axis schemes = {0};
    *members = (ms_scheme_members){0};
    int status = ms_scheme_variants_named(arguments, &schemes, error);
    if (status == MS_OK)
        status = ms_scheme_variants_check(arguments, &schemes, error);
    for (int k = 0; k < schemes.n && status == MS_OK; k++) {
        const char *scheme = ms_axis_value(&schemes, k);
        ms_grid grid = {0};
        ms_options own;
        status = ms_scheme_variants_options(arguments, scheme, schemes.n > 1, &own, error);
        if (status == MS_OK)
            status = ms_scheme_variants_lists(arguments, scheme, but, &grid, error);
        if (status == MS_OK)
            status = add_grid(members, arguments, &own, &grid, NULL, error);
    }
    ms_axis_destroy(&schemes);
    return status;
}

int ms_scheme_members_of_variants(ms_arguments *arguments, const ms_scheme_variants *variants,
                                  ms_scheme_members *members, ms_error *error)
{
    int status = ms_scheme_variants_check(arguments, &variants->schemes, error);
    for (int k = 0; k < variants->schemes.n && status == MS_OK; k++) {
        const char *scheme = ms_axis_value(&variants->schemes, k);
        ms_options own;
        ms_grid grid;
        status = ms_scheme_variants_options(arguments, scheme, variants->schemes.n > 1, &own, error);
        if (status == MS_OK)
            status = ms_scheme_variants_grid(variants, arguments, scheme, &grid, error);
        if (status == MS_OK)
            status = add_grid(members, arguments, &own, &grid, ms_scheme_variants_skip, error);
    }
    return status;
}

void ms_scheme_members_destroy(ms_scheme_members *members)
{
    for (int k = 0; k < members->n; k++)
        free(members->member[k].settings);
    free(members->member);
    *members = (ms_scheme_members){0};
}

int ms_scheme_member_bind(const ms_arguments *arguments, const ms_scheme_member *member,
                          const ms_model *model, ms_system **system, ms_error *error)
{
    ms_arguments its = *arguments;
    its.settings = member->settings;
    return ms_arguments_bind(&its, model, system, error);
}
