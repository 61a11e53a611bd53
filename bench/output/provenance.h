/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h - what a data file says of its origin. What cannot change a result (threads, date, host, the
 * names of the files that it goes to) is left out, so that equal runs give equal files. */
#ifndef MS_PROVENANCE_H
#define MS_PROVENANCE_H

#include <jansson.h>

#include <macrostep/choices.h>
#include <macrostep/option_id.h>
#include <macrostep/system.h>
#include "shard.h"

/* Version, commit, command, compiler, libraries; NULL without memory. line: the command as
 * ms_arguments.line. */
json_t *ms_provenance(const char *line);

/* A provenance (stolen) with "shard": "I/N" behind the command, a line of its own wherever it stands, so that what
 * is left without it is the provenance of the whole; as it is where shard->of = 0. NULL without memory. */
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

#endif
