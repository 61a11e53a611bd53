/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "provenance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "json.h"
#include "json_text.h"
#include "round_off.h"
#include "version.h"

enum { LINE_LENGTH = 1024 };

json_t *ms_provenance(const char *line)
{
    return ms_json_object("version:s commit:s command:s compiler:s compiler_flags:s libraries:s blas_core:s",
                          ms_version(), ms_commit(), line, ms_compiler(), ms_compiler_flags(),
                          ms_library_versions(), ms_blas_core());
}

json_t *ms_provenance_of_part(json_t *provenance, const ms_shard *shard)
{
    if (shard->of == 0)
        return provenance;
    json_t *part = json_object(), *value;
    const char *key;
    char text[32];
    snprintf(text, sizeof text, "%d/%d", shard->index, shard->of);
    json_object_foreach (provenance, key, value) {
        ms_json_set(&part, key, json_incref(value));
        if (strcmp(key, "command") == 0)
            ms_json_set(&part, "shard", json_string(text));
    }
    json_decref(provenance);
    return part;
}

int ms_provenance_digest(json_t *provenance, const char *key, const char *path, ms_error *error)
{
    if (path == NULL)
        return MS_OK;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    unsigned long long digest = 14695981039346656037ULL;
    for (int c; (c = fgetc(file)) != EOF;)
        digest = (digest ^ (unsigned long long)c) * 1099511628211ULL;
    const bool whole = ferror(file) == 0;
    const int failed = errno;
    fclose(file);
    if (!whole)
        return ms_fail(error, MS_IO, "%s: cannot be read: %s", path, strerror(failed));
    char text[32];
    snprintf(text, sizeof text, "%016llx", digest);
    return json_object_set_new(provenance, key, json_string(text)) == 0
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the provenance");
}

json_t *ms_provenance_of_model(const char *line, const ms_system *system)
{
    json_t *provenance = ms_provenance(line);
    ms_json_join(&provenance, ms_json_object("model:s case:s parameters:o", system->model->name,
                                             system->case_name, ms_parameters_json(system)));
    return provenance;
}

json_t *ms_provenance_of_run(const char *line, const ms_system *system, const ms_options *options)
{
    json_t *provenance = ms_provenance_of_model(line, system);
    char why[128], round_off[192] = "own code: the same under every blas_core";
    if (!ms_round_off_is_ours(system, options, why, sizeof why))
        snprintf(round_off, sizeof round_off, "may depend on the machine and its blas_core: %s", why);
    ms_json_set(&provenance, "scheme", ms_options_json(options));
    ms_json_set(&provenance, "round_off", json_string(round_off));
    return provenance;
}

json_t *ms_solver_json(const char *name, const ms_options *options)
{
    return ms_json_object("name:s rtol:f atol:f input_change:s micro_steps:i", name, options->solver_rtol,
                          options->solver_atol, ms_option_choice(options, MS_OPTION_INPUT_CHANGE),
                          options->micro_steps);
}

/* The names of the set bits, or the masks. */
static json_t *names_json(const ms_options *options, const ms_option *option)
{
    json_t *names = json_array();
    const bool masks = option->kind == MS_KIND_LIST;
    for (int k = 0; k < options->n_masks && masks; k++)
        ms_json_append(&names, ms_json_text(options->mask[k]));
    for (int k = 0; !masks && ms_option_choice_at(option, k) != NULL; k++)
        if ((*(const int *)((const char *)options + option->offset) & (1 << k)) != 0)
            ms_json_append(&names, json_string(ms_option_choice_at(option, k)));
    return names;
}

static json_t *option_json(const ms_options *options, const ms_option *option)
{
    const void *member = (const char *)options + option->offset;
    switch (option->kind) {
    case MS_KIND_CHOICE:
        return json_string(ms_option_choice_at(option, *(const int *)member));
    case MS_KIND_INTEGER:
        return json_integer(*(const int *)member);
    case MS_KIND_REAL:
        return ms_json_real(*(const double *)member);
    case MS_KIND_TEXT:
        return ms_json_text(member);
    case MS_KIND_FLAGS:
    case MS_KIND_LIST:
        return names_json(options, option);
    case MS_KIND_FLAG:
        return json_boolean(*(const bool *)member);
    case MS_KIND_PAIRS: /* of commands alone */
    case MS_KIND_RANGE:
    case MS_KIND_SHARD:
    case MS_KIND_LENGTH:
        break;
    }
    return NULL;
}

json_t *ms_options_json(const ms_options *options)
{
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    json_t *object = json_object();
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option *option = &ms_option_table[k];
        if (!ms_scheme_knows(scheme, k) || k == MS_OPTION_NORM || k == MS_OPTION_ERRORS ||
            k == MS_OPTION_ERROR_SCALE || (k == MS_OPTION_AS && options->as == 0) ||
            (k == MS_OPTION_SOLVER_OF && options->solver_of[0] == '\0'))
            continue; /* timings do not belong to a run, and empty names are ignored */
        char key[64];
        snprintf(key, sizeof key, "%s", option->name);
        for (char *c = key; *c != '\0'; c++)
            if (*c == '-')
                *c = '_';
        ms_json_set(&object, key, option_json(options, option));
    }
    return object;
}

json_t *ms_options_value(const json_t *options, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "%s", name);
    for (char *c = key; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
    return json_object_get(options, key);
}

json_t *ms_parameters_json(const ms_system *system)
{
    json_t *object = json_object();
    for (int i = 0; i < system->model->n_parameters; i++)
        ms_json_set(&object, system->model->parameters[i].name, ms_json_real(system->p[i]));
    return object;
}

/* " --OPTION VALUE", if there is room and memory; repeated for a list given in parts. */
static void append_option(char *text, size_t size, const char *option, const json_t *value)
{
    for (size_t k = 0; k < json_array_size(value); k++)
        append_option(text, size, option, json_array_get(value, k));
    const size_t length = strlen(text);
    char *word = json_is_array(value)    ? NULL
                 : json_is_string(value) ? strdup(json_string_value(value))
                                         : ms_json_line(value);
    if (word != NULL)
        snprintf(text + length, size - length, " --%s %s", option, word);
    free(word);
}

static bool is_among(int option, const ms_option_id *list)
{
    while (list != NULL && *list != MS_OPTIONS && (int)*list != option)
        list++;
    return list != NULL && *list != MS_OPTIONS;
}

json_t *ms_options_line(const json_t *scheme, const ms_options *options, const ms_option_id *apart)
{
    char text[LINE_LENGTH];
    snprintf(text, sizeof text, "%s", json_string_value(json_object_get(scheme, "scheme")));
    for (int k = 0; k < MS_OPTIONS; k++) {
        const json_t *value = ms_options_value(scheme, ms_option_table[k].name);
        if (options->given[k] && value != NULL && k != MS_OPTION_SCHEME && !is_among(k, apart))
            append_option(text, sizeof text, ms_option_table[k].name, value);
    }
    return ms_json_text(text);
}
