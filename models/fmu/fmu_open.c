/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_open.c - an FMU is opened: its archive, its description, its binary (fmu_binary.c). */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu_binary.h"
#include "fmu_description_read.h"
#include "fmu_process.h"
#include "fmu_unpack.h"

/* Resources ---------------------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("/-._~", c) != NULL);
}

/* 2.0: a URI; 3.0: a path ending with a slash. To be freed; NULL: no memory. */
static char *make_resources(const char *folder, int fmi)
{
    static const char name[] = "/resources/";
    const size_t size = 3 * strlen(folder) + sizeof name + sizeof "file://";
    char *text = malloc(size), *end = text;
    if (text == NULL || fmi == 3) {
        if (text != NULL)
            snprintf(text, size, "%s%s", folder, name);
        return text;
    }
    end += snprintf(end, size, "file://");
    for (; *folder != '\0'; folder++)
        end += snprintf(end, 4, is_plain(*folder) ? "%c" : "%%%02X", (unsigned char)*folder);
    snprintf(end, sizeof name, "%.*s", (int)sizeof name - 2, name);
    return text;
}

/* Opening ------------------------------------------------------------------------------------------------ */

static int check_kind(const ms_fmu *fmu, ms_error *error)
{
    if (!ms_fmu_flags_of(fmu)->present)
        return ms_fail(error, MS_UNSUPPORTED, "%s: it is not for %s; it is for %s", fmu->path,
                       ms_fmu_kind_names[fmu->kind],
                       ms_fmu_kind_names[fmu->kind == MS_FMU_CO_SIMULATION ? MS_FMU_MODEL_EXCHANGE
                                                                           : MS_FMU_CO_SIMULATION]);
    return MS_OK;
}

/* In co-simulation without event mode clocks are the FMU's own business. */
static int check_clocks(const ms_fmu *fmu, ms_error *error)
{
    const ms_fmu_description *d = fmu->description;
    const bool sees_events = fmu->kind == MS_FMU_MODEL_EXCHANGE || ms_fmu_flags_of(fmu)->event_mode;
    for (int k = 0; k < d->n_variables && sees_events; k++)
        if (d->variables[k].ticks)
            return ms_fail(
                error, MS_UNSUPPORTED,
                "%s: line %d: its clock %.100s is to be made to tick, and clocks are not supported",
                fmu->path, d->variables[k].line, d->variables[k].name);
    return MS_OK;
}

/* What is known of it. */
static int open_parts(ms_fmu *fmu, const char *path, ms_error *error)
{
    fmu->fmi = fmu->description->fmi == 3 ? &ms_fmi_3 : &ms_fmi_2;
    fmu->resources = make_resources(ms_fmu_archive_folder(fmu->archive), fmu->description->fmi);
    fmu->path = strdup(path);
    fmu->voices = calloc(1, sizeof *fmu->voices);
    fmu->home = getcwd(NULL, 0);
    if (fmu->resources == NULL || fmu->path == NULL || fmu->voices == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    atomic_init(&fmu->voices->fatal, false);
    MS_TRY(check_kind(fmu, error));
    return check_clocks(fmu, error);
}

bool ms_fmu_needs_process(const ms_fmu_archive *archive, const ms_fmu_description *description,
                          ms_fmu_kind kind, char why[MS_FMU_WHY])
{
    char symbol[MS_FMU_SYMBOL];
    if (description->flags[kind].only_once_per_process) {
        snprintf(why, MS_FMU_WHY,
                 "it can be instantiated only once per process (canBeInstantiatedOnlyOncePerProcess)");
        return true;
    }
    if (!ms_fmu_symbol_of_both(ms_fmu_archive_folder(archive), symbol))
        return false;
    snprintf(why, MS_FMU_WHY, "its binary defines %s, which this program also defines", symbol);
    return true;
}

/* NULL folder: the file at the path is unpacked. */
static int describe(ms_fmu *fmu, const char *folder, const char *path, ms_error *error)
{
    MS_TRY(folder == NULL ? ms_fmu_unpack(path, &fmu->archive, &fmu->description, error)
                          : ms_fmu_unpacked(folder, path, &fmu->archive, &fmu->description, error));
    if (fmu->kind == MS_FMU_KINDS)
        fmu->kind = fmu->description->flags[MS_FMU_MODEL_EXCHANGE].present ? MS_FMU_MODEL_EXCHANGE
                                                                           : MS_FMU_CO_SIMULATION;
    return open_parts(fmu, path, error);
}

static int isolate(ms_fmu *fmu, ms_error *error)
{
    MS_TRY(ms_fmu_processes_start(fmu, error));
    fmu->fmi = &ms_fmi_isolated;
    return MS_OK;
}

int ms_fmu_move_to_process(const ms_fmu *fmu, ms_error *error)
{
    return fmu->here ? MS_UNSUPPORTED : isolate((ms_fmu *)fmu, error); /* which ms_fmu_open has made */
}

/* here: in this process in any case. */
static int load(ms_fmu *fmu, bool here, ms_error *error)
{
    char binary[PATH_MAX], why[MS_FMU_WHY];
    MS_TRY(ms_fmu_binary_find(fmu, binary, error));
    const bool isolates = fmu->use.isolate || fmu->use.call_timeout > 0.0;
    fmu->here = here;
    if (here || (!isolates && !ms_fmu_needs_process(fmu->archive, fmu->description, fmu->kind, why)))
        return ms_fmu_binary_open(fmu, binary, error);
    return isolate(fmu, error);
}

int ms_fmu_load(ms_fmu *fmu, ms_error *error)
{
    return load(fmu, false, error);
}

static int create(const char *folder, const char *path, ms_fmu_kind kind, const ms_fmu_use *use, ms_fmu **fmu,
                  ms_error *error)
{
    *fmu = calloc(1, sizeof **fmu);
    MS_TRY_MEMORY_OR(*fmu != NULL, ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path));
    (*fmu)->kind = kind;
    (*fmu)->use = use != NULL ? *use : (ms_fmu_use){0};
    (*fmu)->arithmetic = ms_fmu_arithmetic_now();
    const int status = describe(*fmu, folder, path, error);
    if (status != MS_OK)
        ms_fmu_close(fmu);
    return status;
}

int ms_fmu_open_description(const char *path, ms_fmu_kind kind, const ms_fmu_use *use, ms_fmu **fmu,
                            ms_error *error)
{
    return create(NULL, path, kind, use, fmu, error);
}

static int open_all(const char *folder, const char *path, ms_fmu_kind kind, const ms_fmu_use *use,
                    ms_fmu **fmu, ms_error *error)
{
    int status = create(folder, path, kind, use, fmu, error);
    if (*fmu == NULL)
        return status;
    status = load(*fmu, folder != NULL, error);
    if (status != MS_OK)
        ms_fmu_close(fmu);
    return status;
}

int ms_fmu_open(const char *path, ms_fmu_kind kind, const ms_fmu_use *use, ms_fmu **fmu, ms_error *error)
{
    return open_all(NULL, path, kind, use, fmu, error);
}

int ms_fmu_open_unpacked(const char *folder, const char *path, ms_fmu_kind kind, ms_fmu **fmu,
                         ms_error *error)
{
    return open_all(folder, path, kind, NULL, fmu, error);
}

void ms_fmu_close(ms_fmu **fmu)
{
    ms_fmu *f = fmu != NULL ? *fmu : NULL;
    if (f == NULL)
        return;
    ms_fmu_processes_end(f);
    ms_fmu_voices_free(f->voices, ms_fmu_binary_close(f));
    MS_FREE(f->functions, f->resources, f->home, (void *)f->path);
    ms_fmu_description_free(&f->description);
    ms_fmu_archive_close(&f->archive);
    free(f);
    *fmu = NULL;
}

ms_fmu_kind ms_fmu_kind_of(const ms_fmu *fmu)
{
    return fmu->kind;
}

const ms_fmu_description *ms_fmu_describe(const ms_fmu *fmu)
{
    return fmu->description;
}

const char *ms_fmu_path(const ms_fmu *fmu)
{
    return fmu->path;
}
