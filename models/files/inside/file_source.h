/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_source.h - a system file as JSON, whatever it is: JSON itself, a system structure (.ssd, .ssp), a single FMU (.fmu). */
#pragma once

#include "ssp.h"

typedef struct ms_source {
    const char *path;
    char *text;       /* as JSON */
    json_t *root;     /* the same */
    const long *line; /* of each subsystem in the file where that is no JSON; NULL: the text is the file */
    bool is_fmu;      /* one alone */
    long start_line;  /* of the file, where the start time is given */
    ms_ssp ssp;       /* while its FMUs are read */
} ms_source;

/* kind: of FMUs (ms_fmu_reading). Errors: MS_IO, MS_INVALID, MS_UNSUPPORTED, MS_NO_MEMORY. Whatever is returned,
 * ms_source_close frees. */
int ms_source_open(const char *path, const char *kind, ms_source *source, ms_error *error);
void ms_source_close(ms_source *source);

/* The options of a run that the file gives, a start time other than 0 being one, as `owner` keeps them. MS_OK or
 * MS_NO_MEMORY. */
int ms_source_defaults(const ms_source *source, ms_structure *owner, const ms_default **list, int *n);
