/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_explorer.c - models and schemes that explorer.html offers, and the code that it computes with (bench/explorer). */
#include "report_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/option_id.h>
#include <macrostep/scheme_registry.h>
#include "explorer.h"
#include "json.h"
#include "plugin.h"

/* What is offered ----------------------------------------------------------------------------------------- */

static json_t *parameters(const ms_model *model, const double *values)
{
    json_t *rows = json_array();
    for (int k = 0; k < model->n_parameters; k++) {
        const ms_parameter *p = &model->parameters[k];
        ms_json_append(&rows, ms_json_object("name:s unit:s summary:s value:f min:r max:r integer:b", p->name,
                                             p->unit, p->summary, values[k], p->min, p->max, p->integer));
    }
    return rows;
}

static json_t *states(const ms_system *system)
{
    json_t *rows = json_array();
    for (int i = 0; i < system->n; i++)
        for (int j = 0; j < system->sub[i].nx; j++)
            ms_json_append(
                &rows, ms_json_object("name:o unit:s",
                                      json_sprintf("%s.%s", system->sub[i].name, system->sub[i].x[j].name),
                                      system->sub[i].x[j].unit));
    return rows;
}

static json_t *model_json(const ms_model *model)
{
    ms_system *system = NULL;
    json_t *row = NULL;
    if (ms_system_create(model, NULL, NULL, 0, &system, NULL) == MS_OK)
        row = ms_json_object("name:s summary:s step_size:f stop_time:f parameters:o states:o", model->name,
                             model->summary, system->step_size, system->stop_time,
                             parameters(model, system->p), states(system));
    ms_system_destroy(&system);
    return row;
}

static json_t *scheme_json(const ms_scheme *scheme)
{
    return ms_json_object("name:s extrapolation-order:b outputs:b", scheme->name,
                          ms_scheme_knows(scheme, MS_OPTION_EXTRAPOLATION_ORDER),
                          ms_scheme_knows(scheme, MS_OPTION_OUTPUTS));
}

static char *offer(void)
{
    json_t *models = json_array(), *schemes = json_array();
    for (int k = 0; ms_explorer_models[k] != NULL; k++)
        ms_json_append(&models, model_json(ms_explorer_models[k]));
    for (int k = 0; ms_explorer_schemes[k] != NULL; k++)
        ms_json_append(&schemes, scheme_json(ms_scheme_find(ms_explorer_schemes[k])));
    json_t *both = ms_json_object("models:o schemes:o", models, schemes);
    char *text = both != NULL ? json_dumps(both, JSON_COMPACT) : NULL;
    json_decref(both);
    return text;
}

/* What it computes with ----------------------------------------------------------------------------------- */

/* Four letters of up to three bytes. */
static void write_four(const unsigned char *bytes, size_t n, char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned of =
        (unsigned)bytes[0] << 16 | (n > 1 ? (unsigned)bytes[1] << 8 : 0) | (n > 2 ? bytes[2] : 0);
    for (size_t k = 0; k < 4; k++)
        text[k] = letters[of >> (18 - 6 * k) & 63];
    for (size_t k = n + 1; k < 4; k++)
        text[k] = '=';
}

/* A file in base64 (RFC 4648, 4) into *text. Returns MS_OK, MS_IO or MS_NO_MEMORY. */
static int read_base64(const char *path, char **text)
{
    FILE *file = fopen(path, "rb");
    int status = file != NULL ? MS_OK : MS_IO;
    size_t length = 0, n;
    unsigned char bytes[3 * 1024];
    while (status == MS_OK && (n = fread(bytes, 1, sizeof bytes, file)) > 0) {
        char *longer = realloc(*text, length + sizeof bytes / 3 * 4 + 1);
        status = longer != NULL ? MS_OK : MS_NO_MEMORY;
        *text = longer != NULL ? longer : *text;
        for (size_t k = 0; k < n && status == MS_OK; k += 3, length += 4)
            write_four(bytes + k, n - k < 3 ? n - k : 3, *text + length);
        if (status == MS_OK)
            (*text)[length] = '\0';
    }
    if (file != NULL && ferror(file))
        status = MS_IO;
    if (file != NULL)
        fclose(file);
    return status;
}

int ms_report_explorer(json_t **explorer, ms_error *error)
{
    char path[PATH_MAX], *code = NULL, *offered = offer();
    int status = MS_OK;
    if (ms_plugin_find("macrostep-explorer.wasm", path, NULL) == MS_OK)
        status = read_base64(path, &code);
    *explorer = status == MS_OK ? ms_json_object("computes:b offer:s code:s*", 1, offered, code) : NULL;
    MS_FREE(offered, code);
    if (status == MS_IO)
        return ms_fail(error, MS_IO, "%s could not be read", path);
    return *explorer != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
}
