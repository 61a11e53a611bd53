/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/catalogue.h>

#include <string.h>

#include "nearest.h"

#define MS_MODELS(_)                                                                                         \
    _(linear_pair)                                                                                           \
    _(mass_spring_damper)                                                                                    \
    _(double_pendulum)                                                                                       \
    _(example_6_3_1)                                                                                         \
    _(quarter_car)                                                                                           \
    _(spring_mass)                                                                                           \
    _(oscillator_chain)                                                                                      \
    _(moshagen_2x2)                                                                                          \
    _(mass_chain)                                                                                            \
    _(two_mass_oscillator)                                                                                   \
    _(controlled_car)                                                                                        \
    _(two_masses)                                                                                            \
    _(three_clocks)                                                                                          \
    _(damping_reaction)                                                                                      \
    _(full_car)                                                                                              \
    _(plate_chain)                                                                                           \
    _(coupled_pendula)                                                                                       \
    _(bell)                                                                                                  \
    _(impact_oscillator)                                                                                     \
    _(van_der_pol)                                                                                           \
    _(woodpecker)                                                                                            \
    _(woodpecker_explicit)                                                                                   \
    _(example_5_0_1)                                                                                         \
    _(example_5_1_1)                                                                                         \
    _(example_5_2_1)                                                                                         \
    _(example_5_2_2)                                                                                         \
    _(example_5_3_1)                                                                                         \
    _(lim_oscillator)                                                                                        \
    _(lim_manipulator)                                                                                       \
    _(precice_oscillator)                                                                                    \
    _(dual_mass_oscillator)                                                                                  \
    _(stiff_damper)                                                                                          \
    _(quadruple_tank)                                                                                        \
    _(test_equation)

#define DECLARE(model) extern const ms_model ms_model_##model;
#define LIST(model)    &ms_model_##model,

MS_MODELS(DECLARE)

/* The project's own models are followed by those added. */
enum { ADDED_MAX = 64, OWN = MS_COUNT(((const ms_model *[]){MS_MODELS(LIST)})) };
static const ms_model *all[] = {MS_MODELS(LIST)[OWN + ADDED_MAX] = NULL};
const ms_model *const *const ms_catalogue = all;

const ms_model *ms_catalogue_find(const char *name)
{
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        if (strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}

bool ms_catalogue_own(const ms_model *model)
{
    bool own = false;
    for (int k = 0; k < OWN; k++)
        own = own || all[k] == model;
    return own;
}

const char *ms_catalogue_nearest(const char *name)
{
    const char *names[MS_COUNT(all)];
    int n = 0;
    for (; all[n] != NULL; n++)
        names[n] = all[n]->name;
    return ms_nearest(name, names, n);
}

int ms_catalogue_add(const ms_model *model, ms_error *error)
{
    int n = 0;
    while (all[n] != NULL)
        n++;
    if (model->name == NULL || model->name[0] == '\0')
        return ms_fail(error, MS_INVALID, "a model has no name");
    if (ms_catalogue_find(model->name) != NULL)
        return ms_fail(error, MS_INVALID, "there is a model %s already", model->name);
    if (n + 1 >= MS_COUNT(all))
        return ms_fail(error, MS_INVALID, "no more than %d models can be added", ADDED_MAX);
    all[n] = model;
    return MS_OK;
}
