/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_defaults.h - options of a run from a model's file (ms_model.defaults), as defaults for the given ones.
 *
 * They are set as on a command line, including `as`, which is expanded. Options from the file are
 * MS_SET_BY_FILE in ms_options.set_by: an option that is given replaces them, and they are ignored if they have no meaning
 * together with the given ones. */
#pragma once

#include <macrostep/model.h>
#include <macrostep/options.h>

/* The defaults of a program with those of the file. Errors: MS_INVALID with the file, its line, the option, and what would be right. */
int ms_file_defaults_read(const ms_model *model, ms_options *said, ms_error *error);

/* Takes of them what was not given. The step size stays the model's. */
void ms_file_defaults_apply(const ms_options *said, ms_options *options);

/* MS_INVALID with the file and the line where it says option k, which is one of its own. */
int ms_file_defaults_fail(const ms_model *model, int k, ms_error *error, const char *why);
