/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_4.h - what the figures of Andersson's section 6.4.1 share. */
#ifndef MS_ANDERSSON2016_6_4_H
#define MS_ANDERSSON2016_6_4_H

#include "andersson2016_6_3.h"

/* The first three are the paper's. */
enum {
    INCONSISTENT,
    SMOOTHED,
    CORRECTED,
    APPROACHES,
    SMOOTHED_AS_PRINTED = APPROACHES,
    SMOOTHED_C1,
    ALL_APPROACHES
};

typedef struct ms_approach {
    const char *name, *options; /* to go with linear extrapolation */
} ms_approach;

extern const ms_approach ms_approaches[ALL_APPROACHES];

/* {"differences": .., "exact": ..} */
json_t *ms_sources_json(const double value[SOURCES]);

#endif
