/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_key.c - what tells one reference from another. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "number.h"
#include "solution_file.h"
#include "solution_pair.h"
#include "system_digest.h"
#include "text_stream.h"

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
    FILE *out = ms_system_digest(system, &digest) == MS_OK ? ms_text_open(&stream) : NULL;
    if (out == NULL)
        return NULL;
    const locale_t before = ms_number_locale();
    fprintf(out, "%s; case %s; ", system->model->name, system->case_name);
    for (int k = 0; k < system->model->n_parameters; k++)
        fprintf(out, "%s=%.17g ", system->model->parameters[k].name, system->p[k]);
    fprintf(out, "; start %d, time %.17g; inputs %s; step size %.17g; tolerance %g; numbers %016jx%016jx",
            system->start_eps, key->start_time, system->homogeneous ? "zero" : "own", system->step_size,
            MS_SOLUTION_RTOL, (uintmax_t)digest.first, (uintmax_t)digest.second);
    write_kind(key, out);
    uselocale(before);
    return ms_text_close(&stream);
}
