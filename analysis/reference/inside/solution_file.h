/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_file.h - the files of the cache: items of equal size under the key of a reference. */
#pragma once

#include <macrostep/digest.h>
#include <macrostep/system.h>

/* Identifies a reference. */
typedef struct ms_reference_key {
    const ms_system *system;
    double start_time;       /* [s] */
    int n;                   /* fractions at which steps are sampled; -1: it is a dense solution */
    const double *fractions; /* (n) */
    double h;                /* of the first step [s] */
} ms_reference_key;

/* The key as text of one line, to be freed; NULL: no memory. */
char *ms_reference_key_text(const ms_reference_key *key);

/* Items that were read; `memory` is to be freed. */
typedef struct ms_reference_items {
    long n;
    const double *item; /* (n, size) */
    void *memory;
} ms_reference_items;

/* Is there a cache? */
bool ms_reference_cache_is_open(void);

/* The items of `size` doubles stored under a key; none without a cache. */
ms_reference_items ms_reference_file_read(const ms_reference_key *key, size_t size);

/* Keeps n items, which fill(of, k, item) gives, k = 0 .. n - 1. */
typedef void ms_fill_item(const void *of, long k, double *item);
void ms_reference_file_write(const ms_reference_key *key, size_t size, long n, ms_fill_item *fill,
                             const void *of);
