/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modelled.h - which options a computation about schemes models.
 *
 * A propagation matrix by formula, a limit, a claimed order are each written apart from the engine, for the
 * options that its author knew. Each has a list of them; an option that is not in the list may only
 * have its default. So an option, or a value of one, that the engine has learnt later is refused until
 * it is added here, after the formula or the claim has been checked. Options that no
 * macro-step of given length depends on say so where they are defined (ms_option.same_step). */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

#define MS_MODELLED_CHECKED "*"

typedef struct ms_modelled {
    const char *option; /* NULL ends the list */
    /* Names of choices, flags, or whole numbers, separated by blanks. MS_MODELLED_CHECKED: it matters, and the
     * valid values are checked elsewhere, by a registry. NULL: it does not matter. */
    const char *values;
} ms_modelled;

/* The line of that option, or NULL. */
const ms_modelled *ms_modelled_find(const ms_modelled *list, const char *option);

/* Are all options modelled? Otherwise MS_UNSUPPORTED, with a line that names the option and `what` does not
 * model it. A text that is empty counts as not given. */
int ms_modelled_check(const ms_modelled *list, const ms_options *options, const char *what, ms_error *error);

MS_C_LINKAGE_END
