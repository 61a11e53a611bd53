/* SPDX-License-Identifier: GPL-3.0-or-later */
/* published.h - the files of results/published, compiled in, so that an installed command works anywhere. */
#pragma once

#include <stddef.h>

typedef struct ms_published {
    const char *name;          /* the file's name without its folder */
    const unsigned char *data; /* its bytes, and a zero byte after them */
    size_t size;               /* number of bytes, without that zero */
} ms_published;

/* In the order of names; ends with a NULL name. */
extern const ms_published ms_published_files[];

/* The figure files of bench/studies and gnuplot commands of figures, compiled in as well; ends with a NULL name. */
extern const ms_published ms_figure_texts[];

/* The text of that name among such files; NULL if there is none. */
const char *ms_published_text(const ms_published *files, const char *name);
