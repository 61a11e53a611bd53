/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h - the origin of a data file. Anything that cannot change a result (threads, date, host,
 * names of output files) is omitted, so that equal runs give equal files. */
#pragma once

#include <jansson.h>

#include <macrostep/choices.h>
#include <macrostep/option_id.h>
#include <macrostep/system.h>
#include "shard.h"

/* Version, commit, command, compiler, libraries; NULL without memory. line: the command as
 * ms_arguments.line. */
json_t *ms_provenance(const char *line);

/* A provenance (stolen) with "shard": "I/N" after the command, on a separate line, so that the rest is the
 * provenance of the whole; unchanged if shard->of = 0. NULL: no memory. */
json_t *ms_provenance_of_part(json_t *provenance, const ms_shard *shard);

/* Adds a digest of the file's bytes (FNV-1a, 64 bits): what of a call the file's name hides. path may be NULL: no
 * file. Errors: MS_IO, MS_NO_MEMORY. */
int ms_provenance_digest(json_t *provenance, const char *key, const char *path, ms_error *error);

/* The same with model, case and parameters, ... */
json_t *ms_provenance_of_model(const char *line, const ms_system *system);

/* ... and with resolved options of one run. */
json_t *ms_provenance_of_run(const char *line, const ms_system *system, const ms_options *options);

/* Resolved options: those that the scheme knows, in the order of the table, '_' for '-'. NULL without
 * memory. */
json_t *ms_options_json(const ms_options *options);

/* An option in it, by its name on the command line; borrowed. NULL: it is not there. */
json_t *ms_options_value(const json_t *options, const char *name);

/* "jacobi --extrapolation-order 1": the scheme with the options that were given, as the object of ms_options_json has them
 * resolved; apart: those that are left out, up to MS_OPTIONS, or NULL. NULL without memory. */
json_t *ms_options_line(const json_t *scheme, const ms_options *options, const ms_option_id *apart);

/* A micro-solver on a grid of times: name, rtol, atol, input_change, micro_steps. NULL without memory. */
json_t *ms_solver_json(const char *name, const ms_options *options);

/* The parameters' values by name. NULL without memory. */
json_t *ms_parameters_json(const ms_system *system);
