/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shard.h - part I of N of the rows of a command, for job arrays: --shard I/N.
 *
 * Consecutive rows often have a model and its reference in common, and cost about the same; so rows are dealt in
 * blocks, block b to part b mod N + 1. Blocks are as long as leaves each part eight of them, and at most eight
 * rows long. Which rows a part has depends on their number and on N alone. */
#pragma once

#include <stdbool.h>

#include <macrostep/status.h>

enum { MS_SHARDS_MAX = 1000000 };

typedef struct ms_shard {
    int index, of; /* 1 .. of; of = 0: all rows */
} ms_shard;

/* Of "I/N". MS_INVALID with a line that says what is wrong and what would be right. */
int ms_shard_read(const char *text, ms_shard *shard, ms_error *error);

/* The length of the blocks of n rows that this many parts get in turn. */
long ms_shard_block(long n, int among);

/* Has it row k of n? The first row at or behind k that it has, or n. How many it has. */
bool ms_shard_has(const ms_shard *shard, long n, long k);
long ms_shard_next(const ms_shard *shard, long n, long k);
long ms_shard_rows(const ms_shard *shard, long n);
