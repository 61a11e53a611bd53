/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/digest.h>

#include <stdio.h>
#include <string.h>

void ms_digest_add(ms_digest *digest, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k += sizeof(uint64_t)) {
        const size_t rest = size - k;
        uint64_t word = 0;
        memcpy(&word, at + k, rest < sizeof word ? rest : sizeof word);
        digest->first = (digest->first ^ word) * 0x9E3779B97F4A7C15U; /* odd: each step is one to one */
        digest->first ^= digest->first >> 32;
        digest->second = (digest->second + word) * 0xC2B2AE3D27D4EB4FU;
        digest->second ^= digest->second >> 29;
    }
}

void ms_digest_add_int(ms_digest *digest, int number)
{
    ms_digest_add(digest, &number, sizeof number);
}

void ms_digest_add_text(ms_digest *digest, const char *text)
{
    ms_digest_add_int(digest, (int)strlen(text));
    ms_digest_add(digest, text, strlen(text));
}

void ms_digest_add_ints(ms_digest *digest, int n, const int *numbers)
{
    ms_digest_add_int(digest, n);
    for (int k = 0; k < n; k++)
        ms_digest_add_int(digest, numbers[k]);
}

void ms_digest_add_numbers(ms_digest *digest, size_t n, const double *numbers)
{
    ms_digest_add(digest, &n, sizeof n);
    if (numbers != NULL)
        ms_digest_add(digest, numbers, sizeof *numbers * n);
}

bool ms_digest_add_file(ms_digest *digest, const char *path)
{
    char bytes[1 << 14];
    size_t n;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return false;
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        ms_digest_add(digest, bytes, n);
    const bool read = ferror(file) == 0;
    fclose(file);
    return read;
}
