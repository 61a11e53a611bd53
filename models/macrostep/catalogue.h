/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalogue.h - all models by name. A new model is one file and one line in catalogue.c. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/model.h>

MS_C_LINKAGE_BEGIN

extern const ms_model *const *const ms_catalogue; /* ends with NULL */

/* The model of that name, or NULL. */
const ms_model *ms_catalogue_find(const char *name);

/* Is the model one of this project's own, and not one that was added? */
bool ms_catalogue_own(const ms_model *model);

/* The model name that is nearest to a word. */
const char *ms_catalogue_nearest(const char *name);

/* One more model, which outlives the program's use of it; not while other threads read the catalogue. Errors: MS_INVALID (it
 * has no name, its name is taken, or there is no room). */
int ms_catalogue_add(const ms_model *model, ms_error *error);

MS_C_LINKAGE_END
