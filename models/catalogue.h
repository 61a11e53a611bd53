/* catalogue.h - all models by name. A new model is one file and one line in catalogue.c. */
#ifndef MS_CATALOGUE_H
#define MS_CATALOGUE_H

#include "model.h"

extern const ms_model *const ms_catalogue[]; /* ends with NULL */

/* The model of that name, or NULL. */
const ms_model *ms_catalogue_find(const char *name);

/* The index of the named case or parameter, or -1. */
int ms_model_case(const ms_model *model, const char *name);
int ms_model_parameter(const ms_model *model, const char *name);

#endif
