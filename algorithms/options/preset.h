/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preset.h - master algorithms of other tools by name: each means options of this program, `as` NAME.
 *
 * What a preset is (its scheme, its inputs, its step control) is fixed: an option that it means may be given as well, with
 * the same value. What users of the tool choose (steps, tolerances, iterations) it only has defaults for. A new one is a line of
 * preset.c. */
#pragma once

#include <macrostep/options.h>

typedef struct ms_preset_value {
    ms_option_id option;
    const char *value; /* as on a command line */
    bool may_differ;   /* a default, and no more */
} ms_preset_value;

enum { MS_PRESET_VALUES = 10 };

typedef struct ms_preset {
    const char *name, *summary, *source;
    const char *faults;                      /* of the tool, which come with it unless it says otherwise */
    ms_preset_value value[MS_PRESET_VALUES]; /* ends with a NULL value */
} ms_preset;

/* Preset k = 0, 1, .., or NULL beyond the last. */
const ms_preset *ms_preset_at(int k);

/* The name of choice k of `as`: none, and the presets. NULL beyond the last. */
const char *ms_preset_choice(int k);

/* "`scheme` jacobi `outputs` consistent": its options, without those that have this value anyway, in `text`, which is
 * returned. */
const char *ms_preset_text(const ms_preset *preset, char *text, size_t size);

/* Resets options set by an earlier preset, and sets those of options->as. Errors: MS_INVALID with a message if a given option
 * differs from the preset's value. */
int ms_preset_apply(ms_options *options, ms_error *error);

/* May `option`, which a preset has set in `options`, become the value in `wanted`? Otherwise MS_INVALID. */
int ms_preset_keeps(const ms_options *options, ms_option_id option, const ms_options *wanted,
                    const char *value, ms_error *error);
