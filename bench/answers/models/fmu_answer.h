/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_answer.h - an FMU as `show` tells of it. */
#pragma once

#include "fmu.h"
#include "fmu_check.h"
#include "fmu_unpack.h"
#include "json.h"

/* The FMU at `path`, as in bench/schemas/show_fmu.json. NULL without memory. */
json_t *ms_fmu_answer(const char *path, const ms_fmu_archive *archive, const ms_fmu_description *description,
                      const ms_fmu_findings *findings);

/* The capabilities of an FMU for co-simulation (steps) or model exchange, with its values at the start, and reasons for differences from flags:
 * {"rollback", .., "hidden_step"} and {NAME: sentence}, added to the answer, which is released and becomes NULL without memory. Errors: those of
 * ms_fmu_open and ms_fmu_probe_run. */
int ms_fmu_answer_probe(json_t **answer, const char *path, const ms_fmu_use *use, bool steps,
                        ms_error *error);

/* Makes it one for a table: what something depends on becomes one text, "x, F" or "all". */
void ms_fmu_answer_for_table(json_t *answer);
