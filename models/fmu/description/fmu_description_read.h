/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_description_read.h - a modelDescription.xml is read, and asked by name. */
#pragma once

#include <macrostep/model.h>
#include "fmu_description.h"

#define MS_FMU_DESCRIPTION    "modelDescription.xml"
#define MS_FMU_NO_DESCRIPTION "%s: there is no " MS_FMU_DESCRIPTION " in it, so it is not an FMU"

/* The description in an XML text of `size` bytes; `path` is what error lines name. Everything belongs to *description until
 * ms_fmu_description_free. Errors: MS_INVALID (one line with path, line and what would be right), MS_UNSUPPORTED (FMI 1.0, a
 * beta version, scheduled execution only), MS_NO_MEMORY. */
int ms_fmu_description_read(const char *path, const char *text, size_t size, ms_fmu_description **description,
                            ms_error *error);
void ms_fmu_description_free(ms_fmu_description **description);

/* The description of the FMU at `path`, without unpacking it. Errors: also those of ms_fmu_archive_peek, MS_INVALID without
 * modelDescription.xml. */
int ms_fmu_description_peek(const char *path, ms_fmu_description **description, ms_error *error);

/* 3.0: sets n structural parameters to whole numbers, which determine the sizes of all arrays. Start values of a resized array are
 * discarded if their number was the former size. Errors: MS_INVALID (too many values), MS_NO_MEMORY. */
int ms_fmu_description_resize(ms_fmu_description *description, int n, const int *variable,
                              const double *value, ms_error *error);

/* The index of the named variable, or -1. */
int ms_fmu_variable_index(const ms_fmu_description *description, const char *name);

/* Of a value by its name, that of a scalar, of an array, or of one element of it, "T[2]", "A[1,3]": its number among the values of all
 * variables (the first of *n), or -1. */
int ms_fmu_value_find(const ms_fmu_description *description, const char *name, int *n);
/* The index of the variable that a value belongs to. */
int ms_fmu_variable_of(const ms_fmu_description *description, int value);
/* The name of an element of a variable, of a scalar its own; NULL: there is no memory. */
const char *ms_fmu_value_name(const ms_fmu_variable *variable, int element, ms_structure *memory);

/* The number of an item of a variable's enumeration; false: there is no such item, or no enumeration. */
bool ms_fmu_item(const ms_fmu_description *description, int variable, const char *item, double *number);

/* Is the number of each item of the enumeration of y one of that of u? True where u has none. */
bool ms_fmu_items_fit(const ms_fmu_description *from, int y, const ms_fmu_description *to, int u);

/* Name and value of attribute k of <CoSimulation> or <ModelExchange>, as written in the file; false: there are no more. */
bool ms_fmu_declared(const ms_fmu_description *description, ms_fmu_kind kind, int k, const char **name,
                     const char **value);

/* 2.0: name k of the SourceFiles of that kind; NULL: there are no more. */
const char *ms_fmu_source_file(const ms_fmu_description *description, ms_fmu_kind kind, int k);
