/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shard.h"

#include <stdio.h>
#include <string.h>

enum { BLOCKS = 8, BLOCK_MAX = 8 };

int ms_shard_read(const char *text, ms_shard *shard, ms_error *error)
{
    long index = 0, of = 0;
    int end = 0;
    const bool digits = text[strspn(text, "0123456789/")] == '\0';
    if (!digits || sscanf(text, "%16ld/%16ld%n", &index, &of, &end) != 2 || text[end] != '\0')
        return ms_fail(error, MS_INVALID, "--shard %s: must be I/N, as 1/8 to 8/8", text);
    if (of < 1 || of > MS_SHARDS_MAX)
        return ms_fail(error, MS_INVALID, "--shard %s: N must be 1 to %d", text, MS_SHARDS_MAX);
    if (index < 1 || index > of)
        return ms_fail(error, MS_INVALID, "--shard %s: I must be 1 to %ld", text, of);
    *shard = (ms_shard){(int)index, (int)of};
    return MS_OK;
}

long ms_shard_block(long n, int among)
{
    const long fair = n / ((long)BLOCKS * among);
    return fair < 1 ? 1 : fair > BLOCK_MAX ? BLOCK_MAX : fair;
}

bool ms_shard_has(const ms_shard *shard, long n, long k)
{
    return shard->of == 0 || k / ms_shard_block(n, shard->of) % shard->of == shard->index - 1;
}

long ms_shard_next(const ms_shard *shard, long n, long k)
{
    if (k >= n || ms_shard_has(shard, n, k))
        return k < n ? k : n;
    const long block = ms_shard_block(n, shard->of), at = k / block;
    const long turn = at / shard->of * shard->of + shard->index - 1;
    const long next = (turn > at ? turn : turn + shard->of) * block;
    return next < n ? next : n;
}

long ms_shard_rows(const ms_shard *shard, long n)
{
    long rows = 0;
    for (long k = ms_shard_next(shard, n, 0); k < n; k = ms_shard_next(shard, n, k + 1))
        rows++;
    return rows;
}
