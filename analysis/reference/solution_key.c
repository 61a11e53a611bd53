/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_key.c - what tells one reference from another. Functions of a model are told by the program and the model's name, or
 * by the text that they are read from, its numbers one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solution_file.h"
#include "solution_pair.h"
#include "text_stream.h"

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

static void add_int(ms_digest *digest, int number)
{
    ms_digest_add(digest, &number, sizeof number);
}

static void add_text(ms_digest *digest, const char *text)
{
    add_int(digest, (int)strlen(text));
    ms_digest_add(digest, text, strlen(text));
}

static void add_ints(ms_digest *digest, int n, const int *numbers)
{
    add_int(digest, n);
    for (int k = 0; k < n; k++)
        add_int(digest, numbers[k]);
}

static void add_numbers(ms_digest *digest, size_t n, const double *numbers)
{
    ms_digest_add(digest, &n, sizeof n);
    if (numbers != NULL)
        ms_digest_add(digest, numbers, sizeof *numbers * n);
}

static void add_subsystem(ms_digest *digest, const ms_system *system, int i)
{
    const ms_subsystem *sub = &system->sub[i];
    const ms_blocks *m = &system->blocks[i];
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    const int sizes[] = {sub->nx, sub->nu, sub->ny, sub->nw, sub->nz, sub->n_indicators};
    add_text(digest, sub->name);
    add_ints(digest, MS_COUNT(sizes), sizes);
    add_int(digest, system->alike[i]);
    if (m->A == NULL || system->alike[i] != i)
        return;
    add_numbers(digest, nx * nx, m->A);
    add_numbers(digest, nx * nu, m->B);
    add_numbers(digest, ny * nx, m->C);
    add_numbers(digest, ny * nu, m->D);
    add_numbers(digest, nx * nw, m->E);
    add_numbers(digest, ny * nw, m->F);
}

static void add_wires(ms_digest *digest, const ms_system *system)
{
    add_ints(digest, system->nu + 1, system->row_at);
    add_ints(digest, system->row_at[system->nu], system->wire_output);
    add_numbers(digest, (size_t)system->row_at[system->nu], system->wire_gain);
}

static void add_inputs(ms_digest *digest, const ms_system *system)
{
    const ms_series *series = system->inputs;
    add_int(digest, series != NULL);
    if (series == NULL)
        return;
    add_ints(digest, system->nw, system->input_column);
    add_numbers(digest, (size_t)series->rows, series->time);
    add_numbers(digest, (size_t)series->rows * (size_t)series->columns, series->value);
}

/* Returns MS_OK or MS_NO_MEMORY. */
static int add_start(ms_digest *digest, const ms_system *system)
{
    double *start = calloc((size_t)(system->nx + system->nz) + 1, sizeof *start);
    if (start == NULL)
        return MS_NO_MEMORY;
    ms_system_start(system, start);
    ms_system_start_discrete(system, start + system->nx);
    add_numbers(digest, (size_t)(system->nx + system->nz), start);
    free(start);
    return MS_OK;
}

static int digest_system(const ms_system *system, ms_digest *digest)
{
    *digest = (ms_digest){1, 2};
    add_text(digest, system->model->text != NULL ? system->model->text : "");
    for (int i = 0; i < system->n; i++)
        add_subsystem(digest, system, i);
    add_wires(digest, system);
    add_inputs(digest, system);
    return add_start(digest, system);
}

static void write_kind(const ms_reference_key *key, FILE *out)
{
    if (key->n < 0) {
        fprintf(out, "; dense");
        return;
    }
    fprintf(out, "; steps from %.17g, samples", key->h);
    for (int k = 0; k < key->n; k++)
        fprintf(out, " %.17g", key->fractions[k]);
}

char *ms_reference_key_text(const ms_reference_key *key)
{
    const ms_system *system = key->system;
    ms_digest digest;
    ms_text_stream stream;
    FILE *out = digest_system(system, &digest) == MS_OK ? ms_text_open(&stream) : NULL;
    if (out == NULL)
        return NULL;
    fprintf(out, "%s; case %s; ", system->model->name, system->case_name);
    for (int k = 0; k < system->model->n_parameters; k++)
        fprintf(out, "%s=%.17g ", system->model->parameters[k].name, system->p[k]);
    fprintf(out, "; start %d, time %.17g; inputs %s; step size %.17g; tolerance %g; numbers %016jx%016jx",
            system->start_eps, key->start_time, system->homogeneous ? "zero" : "own", system->step_size,
            MS_SOLUTION_RTOL, (uintmax_t)digest.first, (uintmax_t)digest.second);
    write_kind(key, out);
    return ms_text_close(&stream);
}
