/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_variant_simulate.h - one run of a variant, as a record for row_work.h. */
#pragma once

#include <jansson.h>

#include "run_variants.h"
#include "shared_reference.h"

/* Runs the variant on the model: {"answer": that of a run, "fits": false if options or model do not fit the scheme, "why": the reason or an empty
 * text}. reference may be NULL; wanted: the error that a run must attain to be useful, as in ms_simulation_options. Errors: those of the system
 * and the run; MS_INTERRUPTED, with a record. */
int ms_run_variant_simulate(const ms_arguments *arguments, const ms_model *model,
                            const ms_run_variant *variant, ms_shared_reference *reference, double wanted,
                            json_t **record, ms_error *error);

/* The reference shared by all runs of the call, with its system; both NULL if errors are taken against
 * something else, or if there is none, which each run reports. */
void ms_run_variant_reference(const ms_arguments *arguments, const ms_model *model, ms_system **system,
                              ms_shared_reference **reference);
