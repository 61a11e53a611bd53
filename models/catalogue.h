/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalogue.h - all models by name. A new model is one file and one line in catalogue.c. */
#ifndef MS_CATALOGUE_H
#define MS_CATALOGUE_H

#include "model.h"

extern const ms_model *const ms_catalogue[]; /* ends with NULL */

/* The model of that name, or NULL. */
const ms_model *ms_catalogue_find(const char *name);

#endif
