/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw */
#include "fmu_export.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "component.h"
#include "component_parts.h"
#include "description_write.h"
#include "export_libraries.h"
#include "fmu_archive.h"
#include "plugin.h"

/* Files -------------------------------------------------------------------------------------------------- */

static int cannot_write(const char *path, ms_error *error)
{
    return ms_fail(error, MS_IO, "%s cannot be written: %s", path, strerror(errno));
}

static int join(const char *folder, const char *name, char path[PATH_MAX], ms_error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "folder %.100s..: its path is too long", folder);
}

/* A folder in a folder, whose path is the result. */
static int make_folder(const char *in, const char *name, char path[PATH_MAX], ms_error *error)
{
    const int status = join(in, name, path, error);
    if (status != MS_OK)
        return status;
    return mkdir(path, 0777) == 0 ? MS_OK : cannot_write(path, error);
}

static int open_new(const char *folder, const char *name, FILE **file, char path[PATH_MAX], ms_error *error)
{
    const int status = join(folder, name, path, error);
    if (status != MS_OK)
        return status;
    *file = fopen(path, "w");
    return *file != NULL ? MS_OK : cannot_write(path, error);
}

static int close_new(FILE *file, const char *path, ms_error *error)
{
    const bool broken = ferror(file) != 0;
    return fclose(file) == 0 && !broken ? MS_OK : cannot_write(path, error);
}

static int write_text(const char *folder, const char *name, const char *text, ms_error *error)
{
    char path[PATH_MAX];
    FILE *file = NULL;
    const int status = open_new(folder, name, &file, path, error);
    if (status != MS_OK)
        return status;
    fputs(text, file);
    return close_new(file, path, error);
}

static int copy_file(const char *from, const char *folder, const char *name, ms_error *error)
{
    char path[PATH_MAX], bytes[65536];
    size_t n;
    FILE *to = NULL, *of = fopen(from, "r");
    if (of == NULL)
        return ms_fail(error, MS_IO, "%s cannot be read: %s", from, strerror(errno));
    int status = open_new(folder, name, &to, path, error);
    while (status == MS_OK && (n = fread(bytes, 1, sizeof bytes, of)) > 0)
        fwrite(bytes, 1, n, to);
    if (status == MS_OK)
        status = close_new(to, path, error);
    fclose(of);
    return status;
}

/* What an FMU consists of -------------------------------------------------------------------------------- */

static int write_resources(const ms_fmu_export *what, const ms_exported *exported, const char *folder,
                           char token[MS_EXPORT_TOKEN], ms_error *error)
{
    const char *model = exported->base->model->text;
    char *text = ms_export_settings_text(exported, &what->solver, what->fmi);
    if (text == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the settings");
    ms_export_token(text, model, token);
    int status = write_text(folder, MS_EXPORT_SETTINGS_FILE, text, error);
    if (status == MS_OK && model != NULL)
        status = write_text(folder, MS_EXPORT_MODEL_FILE, model, error);
    free(text);
    return status;
}

static int write_description(const char *folder, ms_component *component, int fmi, ms_error *error)
{
    char path[PATH_MAX];
    FILE *file = NULL;
    const int status = open_new(folder, "modelDescription.xml", &file, path, error);
    if (status != MS_OK)
        return status;
    ms_description_write(file, component, fmi);
    return close_new(file, path, error);
}

/* The shared object under the name that the standard asks for; a model that is read from a file needs expressions beside it. */
static int write_binary(const ms_fmu_export *what, const char *folder, const char *identifier,
                        ms_error *error)
{
    char path[PATH_MAX], binaries[PATH_MAX], platform[PATH_MAX], name[MS_EXPORTED_NAME + 8];
    int status = ms_export_binary(what->fmi, path, error);
    if (status == MS_OK)
        status = make_folder(folder, "binaries", binaries, error);
    if (status == MS_OK)
        status = make_folder(binaries, what->fmi == 2 ? "linux64" : "x86_64-linux", platform, error);
    snprintf(name, sizeof name, "%s.so", identifier);
    if (status == MS_OK)
        status = copy_file(path, platform, name, error);
    if (status == MS_OK && what->system->model->text != NULL &&
        ms_plugin_find("macrostep-expressions.so", path, NULL) == MS_OK)
        status = copy_file(path, platform, "macrostep-expressions.so", error);
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
    int status = make_folder(folder, "resources", resources, error);
    if (status == MS_OK)
        status = write_resources(what, of, resources, token, error);
    if (status == MS_OK)
        status = ms_component_create(resources, token, false, &component, error);
    if (status == MS_OK)
        status = write_description(folder, component, what->fmi, error);
    if (status == MS_OK)
        status = write_binary(what, folder, exported->identifier, error);
    ms_component_destroy(&component);
    return status;
}

int ms_fmu_export_folder(const ms_fmu_export *what, const char *folder, ms_fmu_exported *exported,
                         ms_error *error)
{
    ms_exported of = {0};
    int status = ms_exported_create(what->system, what->subsystem, &of, error);
    if (status == MS_OK)
        status = write_all(what, &of, folder, exported, error);
    ms_exported_destroy(&of);
    return status;
}

/* The archive -------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

int ms_fmu_export_write(const ms_fmu_export *what, const char *path, ms_fmu_exported *exported,
                        ms_error *error)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s.part.XXXXXX", path) >= (int)sizeof folder)
        return ms_fail(error, MS_INVALID, "file %.100s..: its path is too long", path);
    if (mkdtemp(folder) == NULL)
        return cannot_write(folder, error);
    int status = ms_fmu_export_folder(what, folder, exported, error);
    if (status == MS_OK)
        status = ms_fmu_archive_write(folder, path, error);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return status;
}
