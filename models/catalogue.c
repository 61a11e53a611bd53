/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue.h"

#include <string.h>

#define MS_MODELS(_)        \
    _(linear_pair)          \
    _(mass_spring_damper)   \
    _(double_pendulum)      \
    _(example_6_3_1)        \
    _(quarter_car)          \
    _(spring_mass)          \
    _(oscillator_chain)     \
    _(moshagen_2x2)         \
    _(mass_chain)           \
    _(two_mass_oscillator)  \
    _(controlled_car)       \
    _(two_masses)           \
    _(three_clocks)         \
    _(damping_reaction)     \
    _(full_car)             \
    _(plate_chain)          \
    _(coupled_pendula)      \
    _(bell)                 \
    _(impact_oscillator)    \
    _(van_der_pol)          \
    _(woodpecker)           \
    _(woodpecker_explicit)  \
    _(example_5_0_1)        \
    _(example_5_1_1)        \
    _(example_5_2_1)        \
    _(example_5_2_2)        \
    _(example_5_3_1)        \
    _(quadruple_tank)

#define DECLARE(model) extern const ms_model ms_model_##model;
#define LIST(model) &ms_model_##model,

MS_MODELS(DECLARE)

const ms_model *const ms_catalogue[] = {MS_MODELS(LIST) NULL};

const ms_model *ms_catalogue_find(const char *name)
{
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        if (strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}
