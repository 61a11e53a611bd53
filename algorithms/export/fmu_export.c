/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_export.h"

#include <stdlib.h>

#include <jansson.h>

#include "component_parts.h"
#include "description_write.h"
#include "export_files.h"
#include "export_libraries.h"
#include "export_sources.h"
#include "model_fmu.h"

/* What an FMU consists of -------------------------------------------------------------------------------- */

static bool has_fmus(const ms_system *system)
{
    ms_model_fmu_found found;
    for (int i = 0; i < system->n; i++)
        if (ms_model_fmu(system->model, system->sub[i].name, &found))
            return true;
    return false;
}

/* The file without the other subsystems, some of which are FMUs that an FMU does not hold, and without wires. NULL: no memory. */
static char *text_alone(const ms_model *model, int index, const char *name)
{
    static const char *const between[] = {"L", "lines"};
    json_t *root = json_loads(model->text, 0, NULL), *list = json_array(),
           *one = json_incref(json_array_get(json_object_get(root, "subsystems"), (size_t)index));
    int status = json_object_set_new(one, "name", json_string(name));
    status |= json_array_append(list, one);
    status |= json_object_set(root, "subsystems", list);
    status |= json_object_set_new(root, "wires", json_array());
    for (int k = 0; k < MS_COUNT(between); k++)
        (void)json_object_del(root, between[k]);
    char *text = status == 0 ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(list);
    json_decref(one);
    json_decref(root);
    return text;
}

static int write_resources(const ms_fmu_export *what, const ms_exported *exported, const char *folder,
                           char token[MS_EXPORT_TOKEN], ms_error *error)
{
    const bool alone = has_fmus(exported->base);
    char *own = alone ? text_alone(exported->base->model, exported->index, exported->sub->name) : NULL;
    const char *model = alone ? own : exported->base->model->text;
    char *text = ms_export_settings_text(exported, &what->solver, what->fmi);
    if (text == NULL || (alone && own == NULL)) {
        MS_FREE(text, own);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the settings");
    }
    ms_export_token(text, model, token);
    int status = ms_export_file_text(folder, MS_EXPORT_SETTINGS_FILE, text, error);
    if (status == MS_OK && model != NULL)
        status = ms_export_file_text(folder, MS_EXPORT_MODEL_FILE, model, error);
    MS_FREE(text, own);
    return status;
}

static int write_description(const char *folder, ms_component *component, int fmi, bool sources,
                             ms_error *error)
{
    ms_export_file file;
    MS_TRY(ms_export_file_open(folder, "modelDescription.xml", &file, error));
    ms_description_write(file.stream, component, fmi, sources);
    return ms_export_file_close(&file, error);
}

/* The shared object under the name required by the standard; a model read from a file also needs expressions. */
static int write_binary(const ms_fmu_export *what, const char *folder, const char *identifier,
                        ms_error *error)
{
    char path[PATH_MAX], binaries[PATH_MAX], platform[PATH_MAX], name[MS_EXPORTED_NAME + 8];
    int status = ms_export_binary(what->fmi, path, error);
    MS_THEN(status, ms_export_folder(folder, "binaries", binaries, error));
    MS_THEN(status, ms_export_folder(binaries, what->fmi == 2 ? "linux64" : "x86_64-linux", platform, error));
    snprintf(name, sizeof name, "%s.so", identifier);
    MS_THEN(status, ms_export_file_copy(path, platform, name, error));
    return status;
}

static int write_extra(const ms_fmu_export *what, const char *folder, ms_error *error)
{
    char extra[PATH_MAX], own[PATH_MAX];
    if (what->n_extra == 0)
        return MS_OK;
    MS_TRY(ms_export_folder(folder, "extra", extra, error));
    MS_TRY(ms_export_folder(extra, "org.fmi-standard.fmi-ls-ref", own, error));
    for (int k = 0; k < what->n_extra; k++)
        MS_TRY(ms_export_file_text(own, what->extra[k].name, what->extra[k].text, error));
    return MS_OK;
}

static int write_sources(const ms_fmu_export *what, const ms_component *component, const char *folder,
                         ms_error *error)
{
    char sources[PATH_MAX];
    const int status = ms_export_folder(folder, "sources", sources, error);
    return status == MS_OK ? ms_export_sources_write(component, what->fmi, sources, error) : status;
}

static int write_of_component(const ms_fmu_export *what, ms_component *component, const char *folder,
                              ms_fmu_exported *exported, ms_error *error)
{
    exported->no_sources = ms_export_sources_lack(component);
    const bool sources = what->sources && exported->no_sources == NULL;
    int status = write_description(folder, component, what->fmi, sources, error);
    if (status == MS_OK && sources)
        status = write_sources(what, component, folder, error);
    return status;
}

static int write_all(const ms_fmu_export *what, const ms_exported *of, const char *folder,
                     ms_fmu_exported *exported, ms_error *error)
{
    char resources[PATH_MAX], token[MS_EXPORT_TOKEN];
    ms_component *component = NULL;
    exported->why_not = ms_exported_no_model_exchange(of);
    exported->model_exchange = exported->why_not == NULL;
    ms_exported_identifier(of, exported->identifier);
    int status = ms_export_folder(folder, "resources", resources, error);
    MS_THEN(status, write_resources(what, of, resources, token, error));
    MS_THEN(status, ms_component_create(resources, token, false, &component, error));
    MS_THEN(status, write_of_component(what, component, folder, exported, error));
    MS_THEN(status, write_binary(what, folder, exported->identifier, error));
    MS_THEN(status, write_extra(what, folder, error));
    ms_component_destroy(&component);
    return status;
}

int ms_fmu_export_folder(const ms_fmu_export *what, const char *folder, ms_fmu_exported *exported,
                         ms_error *error)
{
    ms_exported of = {0};
    int status = ms_exported_create(what->system, what->subsystem, &of, error);
    MS_THEN(status, ms_exported_check_names(&of, error));
    MS_THEN(status, write_all(what, &of, folder, exported, error));
    ms_exported_destroy(&of);
    return status;
}

/* The archive -------------------------------------------------------------------------------------------- */

/* An FMU on its way into a folder. */
typedef struct filling {
    const ms_fmu_export *what;
    ms_fmu_exported *exported;
} filling;

static int fill(void *self, const char *folder, ms_error *error)
{
    const filling *f = self;
    return ms_fmu_export_folder(f->what, folder, f->exported, error);
}

int ms_fmu_export_write(const ms_fmu_export *what, const char *path, ms_fmu_exported *exported,
                        ms_error *error)
{
    return ms_export_pack(path, fill, &(filling){what, exported}, error);
}
