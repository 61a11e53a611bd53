/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_registry.h - all scheme families by name, in the order of inside/scheme_list.h. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/scheme.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_variant ms_variant;

extern const ms_scheme *const *const ms_schemes; /* ends with NULL */

/* The scheme family of that name, or NULL. */
const ms_scheme *ms_scheme_find(const char *name);

/* The same, and for NULL a line (MS_INVALID) with the nearest name. */
const ms_scheme *ms_scheme_choose(const char *name, ms_error *error);

/* Adds a family, which must outlive its use; not thread-safe while the list is read. Errors: MS_INVALID (no
 * name, its name is taken, or there is no room). */
int ms_scheme_add(const ms_scheme *scheme, ms_error *error);

/* The names of the families that have a property, spaces between, in text. Returns text. */
const char *ms_scheme_names(bool (*has)(const ms_scheme *scheme), char *text, size_t size);

/* The variant given by the options, without a system. Errors: MS_INVALID (an unknown family or
 * micro-solver). */
int ms_variant_of_options(const ms_options *options, ms_variant *variant, ms_error *error);

/* ms_cosim_create with the scheme and the executor given by the options. Errors: MS_INVALID if unknown, and those of
 * ms_cosim_create. */
int ms_cosim_of_options(const ms_system *system, const ms_options *options, ms_cosim **cosim,
                        ms_error *error);

/* The claimed order of convergence on that system, including micro-solver and start; lower if it is lost to feed-through, higher if
 * all wires run forward in the sequence of subsystems. system NULL: on no particular system. 0: no order is claimed, because
 * the family claims none or the claim does not cover the value of an option. Errors: MS_NO_MEMORY. */
int ms_scheme_order_on(const ms_system *system, const ms_options *options);

MS_C_LINKAGE_END
