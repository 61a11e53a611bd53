/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/solver_choice.h>

#include <stdio.h>
#include <stdlib.h>

#include <macrostep/instance.h>
#include <macrostep/options.h>
#include <macrostep/solver_registry.h>
#include <macrostep/variant.h>

static const char option[] = "solver-of";

typedef struct chosen {
    const ms_system *system;
    const ms_solver **of; /* NULL: not named yet */
} chosen;

static int take(void *self, int i, const char *value, size_t length, ms_error *error)
{
    const chosen *c = self;
    const char *subsystem = c->system->sub[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, value);
    if (length == 0)
        return ms_fail(error, MS_INVALID, "`%s` %s: needs a solver, as %s=rk4", option, subsystem, subsystem);
    if (c->of[i] != NULL)
        return ms_fail(error, MS_INVALID, "`%s`: subsystem %s is given twice", option, subsystem);
    if (c->system->sub[i].stepper != NULL)
        return ms_fail(error, MS_UNSUPPORTED, "`%s` %s=%s: the subsystem brings its own solver", option,
                       subsystem, name);
    c->of[i] = ms_solver_choose_for(option, name, error);
    return c->of[i] != NULL ? MS_OK : MS_INVALID;
}

static void join(const ms_system *system, ms_solver_choice *choice)
{
    const ms_solver *usual = choice->all;
    for (int i = 0; i < system->n; i++) {
        if (choice->of[i] == NULL)
            choice->of[i] = usual;
        if (i == 0)
            choice->together = *choice->of[i];
        ms_solver_join(&choice->together, choice->of[i]);
    }
    choice->all = &choice->together;
}

/* Fills choice->of with those that are named, NULL for the others. */
static int choose_named(const ms_system *system, const ms_options *options, ms_solver_choice *choice,
                        ms_error *error)
{
    choice->of = calloc((size_t)system->n + 1, sizeof(const ms_solver *));
    MS_TRY_MEMORY_FOR(choice->of != NULL, error, "the micro-solvers of %d subsystems", system->n);
    chosen c = {system, choice->of};
    return ms_variant_each(system, option, options->solver_of, take, &c, error);
}

int ms_solver_choice_check(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_solver_choice choice = {0};
    const int status = choose_named(system, options, &choice, error);
    ms_solver_choice_destroy(&choice);
    return status;
}

int ms_solver_choice_create(const ms_system *system, const ms_options *options, ms_solver_choice *choice,
                            ms_error *error)
{
    choice->all = ms_solver_choose(options->solver, error);
    if (choice->all == NULL)
        return MS_INVALID;
    if (options->solver_of[0] == '\0')
        return MS_OK;
    MS_TRY(choose_named(system, options, choice, error));
    join(system, choice);
    return MS_OK;
}

const ms_solver *ms_solver_choice_linear_only(const ms_solver_choice *choice, const ms_system *system)
{
    if (choice->of == NULL)
        return choice->all->linear_only ? choice->all : NULL;
    for (int i = 0; i < system->n; i++)
        if (choice->of[i]->linear_only)
            return choice->of[i];
    return NULL;
}

void ms_solver_choice_destroy(ms_solver_choice *choice)
{
    free(choice->of);
    choice->of = NULL;
}

int ms_solver_choice_memory(const ms_solver_choice *choice, const ms_system *system, int last)
{
    int memory = 0;
    if (choice->of == NULL)
        return ms_system_solver_memory(system, choice->all, 0, last);
    for (int i = 0; i < last; i++)
        memory += ms_solver_memory(choice->of[i], system->sub[i].nx);
    return memory;
}
