/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_answer.h - an FMU as `show` tells of it. */
#ifndef MS_FMU_ANSWER_H
#define MS_FMU_ANSWER_H

#include "fmu_check.h"
#include "fmu_file.h"
#include "json.h"

/* The FMU at `path`, as in bench/schemas/show_fmu.json. NULL without memory. */
json_t *ms_fmu_answer(const char *path, const ms_fmu_archive *archive, const ms_fmu_description *description,
                      const ms_fmu_findings *findings);

/* Makes it one for a table: what something depends on becomes one text, "x, F" or "all". */
void ms_fmu_answer_for_table(json_t *answer);

#endif
