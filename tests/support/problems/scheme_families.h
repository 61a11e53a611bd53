/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_families.h - every registered family of schemes, on the systems here that it takes: as it is by itself, and with each
 * value of each of its own options. */
#pragma once

#include <stdbool.h>

#include <macrostep/cosim.h>
#include <macrostep/scheme.h>
#include <macrostep/system.h>

/* A test of one of them. text: its options. */
typedef void support_family_test(const ms_system *system, const ms_scheme *scheme, const char *text);

/* Of all families with `common` behind their own options, those alone that the system takes: linear subsystems joined by ports and
 * feed-through, by lines, and nonlinear ones. Values are choices and small whole numbers, of another library's implementation none.
 * Fails where a family takes no system, or is refused without a word. */
void support_families(const char *common, support_family_test *test);

/* The same of all families that take a given system. */
void support_families_on(const ms_system *system, const char *common, support_family_test *test);

/* Was the macro-step taken that ended with `status`? False: its iteration has not converged, and all is as it was, which methods of
 * narrow reach may come to in families that retry. Fails otherwise. */
bool support_families_stepped(const ms_cosim *cosim, int status);
