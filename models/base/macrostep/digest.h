/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h - digests of numbers and texts in 128 bits: do two processes, or a file and a program, have the same? It gives no
 * protection against deliberate collisions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_digest {
    uint64_t first, second;
} ms_digest;

/* Of nothing yet. */
static const ms_digest ms_digest_empty = {1, 2};

/* Takes `size` bytes into the digest. One word that differs changes it for certain. */
void ms_digest_add(ms_digest *digest, const void *bytes, size_t size);

/* The same of an int, of a text and its length, of n ints or doubles and n; NULL: of n alone. */
void ms_digest_add_int(ms_digest *digest, int number);
void ms_digest_add_text(ms_digest *digest, const char *text);
void ms_digest_add_ints(ms_digest *digest, int n, const int *numbers);
void ms_digest_add_numbers(ms_digest *digest, size_t n, const double *numbers);

/* All bytes of a file. Returns whether it could be read. */
bool ms_digest_add_file(ms_digest *digest, const char *path);

static inline bool ms_digest_same(const ms_digest *a, const ms_digest *b)
{
    return a->first == b->first && a->second == b->second;
}

MS_C_LINKAGE_END
