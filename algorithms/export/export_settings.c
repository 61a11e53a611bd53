/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/solver_registry.h>
#include <macrostep/system_file.h>
#include "json_memory.h"

/* MS_VERSION comes from the Makefile, for this file and bench/output/version.c alone. */
const char *ms_export_version(void)
{
    return MS_VERSION;
}

/* Text --------------------------------------------------------------------------------------------------- */

/* With decimals that read back to the same numbers; NULL: no memory. */
static char *dump(const json_t *value)
{
    return value != NULL ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
}

static json_t *parameters(const ms_system *base)
{
    json_t *all = json_object();
    for (int k = 0; k < base->model->n_parameters; k++)
        if (json_object_set_new(all, base->model->parameters[k].name, json_real(base->p[k])) != 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

char *ms_export_settings_text(const ms_exported *exported, const ms_export_solver *solver, int fmi)
{
    const ms_system *base = exported->base;
    json_t *all =
        json_pack("{s:s, s:i, s:s, s:s, s:s?, s:o, s:s, s:f, s:f, s:i}", "macrostep", ms_export_version(),
                  "fmi", fmi, "model", base->model->name, "case", base->case_name, "subsystem",
                  exported->whole != NULL ? NULL : exported->sub->name, "parameters", parameters(base),
                  "solver", solver->solver->name, "solver_rtol", solver->rtol, "solver_atol", solver->atol,
                  "micro_steps", solver->micro_steps);
    char *text = dump(all);
    json_decref(all);
    return text;
}

/* Fowler, Noll and Vo's hash, 64 bits. */
static uint64_t hash(uint64_t digest, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        digest = (digest ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return digest;
}

void ms_export_token(const char *settings, const char *model_file, char token[MS_EXPORT_TOKEN])
{
    uint64_t half[2];
    for (int k = 0; k < 2; k++) {
        half[k] = hash(UINT64_C(14695981039346656037) + (uint64_t)k, ms_export_version());
        half[k] = hash(half[k], settings);
        half[k] = hash(half[k], model_file != NULL ? model_file : "");
    }
    snprintf(token, MS_EXPORT_TOKEN,
             "{%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64 "}", half[0] >> 32,
             half[0] >> 16 & 0xffff, half[0] & 0xffff, half[1] >> 48, half[1] & UINT64_C(0xffffffffffff));
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* PATH of a file in a folder. Errors: MS_INVALID. */
static int join(const char *folder, const char *file, char path[PATH_MAX], ms_error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "the path of the resources is too long");
}

/* The model of the file next to it, or of the catalogue. */
static int find_model(const char *folder, const char *name, ms_export_settings *settings, ms_error *error)
{
    char path[PATH_MAX];
    int status = join(folder, MS_EXPORT_MODEL_FILE, path, error);
    settings->model = ms_catalogue_find(name);
    if (status == MS_OK && access(path, F_OK) == 0) {
        status = ms_model_read(path, &settings->owned, error);
        settings->model = settings->owned;
    }
    if (settings->owned != NULL) {
        settings->owned->name = settings->owned_name = strdup(name);
        MS_TRY_MEMORY_FOR(settings->owned_name != NULL, error, "the settings");
    }
    if (status == MS_OK && settings->model == NULL)
        return ms_fail(error, MS_INVALID, "there is no model %s", name);
    return status;
}

static int read_parameters(const json_t *object, ms_export_settings *settings, ms_error *error)
{
    const ms_model *model = settings->model;
    settings->p = calloc((size_t)model->n_parameters + 1, sizeof *settings->p);
    MS_TRY_MEMORY_FOR(settings->p != NULL, error, "the parameters");
    for (int k = 0; k < model->n_parameters; k++) {
        const json_t *value = json_object_get(object, model->parameters[k].name);
        if (!json_is_number(value))
            return ms_fail(error, MS_INVALID, "%s: parameter %s is missing", MS_EXPORT_SETTINGS_FILE,
                           model->parameters[k].name);
        settings->p[k] = json_number_value(value);
    }
    return MS_OK;
}

/* What the members say, the model being found. */
static int read_members(json_t *root, const char *folder, ms_export_settings *settings, ms_error *error)
{
    const char *version = "", *model = "", *name = "", *solver = "";
    const char *subsystem = json_string_value(json_object_get(root, "subsystem"));
    const json_t *p = NULL;
    ms_export_solver *of = &settings->solver;
    if (json_unpack(root, "{s:s, s:s, s:s, s:o, s:s, s:F, s:F, s:i}", "macrostep", &version, "model", &model,
                    "case", &name, "parameters", &p, "solver", &solver, "solver_rtol", &of->rtol,
                    "solver_atol", &of->atol, "micro_steps", &of->micro_steps) != 0)
        return ms_fail(error, MS_INVALID, "%s: a member is missing or has the wrong type",
                       MS_EXPORT_SETTINGS_FILE);
    if (strcmp(version, ms_export_version()) != 0)
        return ms_fail(error, MS_INVALID,
                       "the resources were written by version %s, the binary by version %s", version,
                       ms_export_version());
    of->solver = ms_solver_choose(solver, error);
    if (of->solver == NULL)
        return MS_INVALID;
    settings->case_name = strdup(name);
    settings->subsystem = subsystem != NULL ? strdup(subsystem) : NULL;
    if (settings->case_name == NULL || (subsystem != NULL && settings->subsystem == NULL))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the settings");
    const int status = find_model(folder, model, settings, error);
    return status == MS_OK ? read_parameters(p, settings, error) : status;
}

/* The whole file at once: masters make many components. *text is to be freed. Errors: MS_IO, MS_NO_MEMORY. */
static int read_text(const char *path, char **text, ms_error *error)
{
    size_t room = 0;
    *text = NULL;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    errno = 0;
    const ssize_t length = getdelim(text, &room, '\0', file);
    const int failed = length < 0 ? errno : 0;
    fclose(file);
    if (failed == ENOMEM)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    return length >= 0 ? MS_OK : ms_fail(error, MS_IO, "%s: it cannot be read", path);
}

static int read_root(const char *path, const char *text, json_t **root, ms_error *error)
{
    json_error_t why;
    *root = json_loads(text, 0, &why);
    if (*root == NULL && ms_json_lacks_memory(&why))
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    return *root != NULL ? MS_OK : ms_fail(error, MS_INVALID, "%s: line %d: %s", path, why.line, why.text);
}

int ms_export_settings_read(const char *folder, ms_export_settings *settings, ms_error *error)
{
    char path[PATH_MAX], *text = NULL;
    json_t *root = NULL;
    *settings = (ms_export_settings){0};
    int status = join(folder, MS_EXPORT_SETTINGS_FILE, path, error);
    MS_THEN(status, read_text(path, &text, error));
    MS_THEN(status, read_root(path, text, &root, error));
    MS_THEN(status, read_members(root, folder, settings, error));
    if (status == MS_OK)
        ms_export_token(text, settings->owned != NULL ? settings->owned->text : NULL, settings->token);
    json_decref(root);
    free(text);
    return status;
}

void ms_export_settings_free(ms_export_settings *settings)
{
    ms_model_destroy(&settings->owned);
    MS_FREE(settings->owned_name, settings->case_name, settings->subsystem, settings->p);
    *settings = (ms_export_settings){0};
}
