/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, realpath */
#endif
#include "version.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <sundials/sundials_version.h>

#include "plugin.h"

typedef struct listing {
    FILE *file;
    const char *plugin; /* that has brought them */
    int known, at;      /* objects that are written; the one that is looked at */
} listing;

/* "27.0.0" of libgsl.so.27.0.0 */
static const char *version_of(const char *name)
{
    const char *behind = strstr(name, ".so.");
    return behind != NULL ? behind + 4 : "-";
}

/* Objects keep the order in which they came. */
static int write_object(struct dl_phdr_info *info, size_t size, void *to)
{
    listing *list = to;
    char path[PATH_MAX];
    (void)size;
    if (list->at++ < list->known)
        return 0;
    list->known++;
    if (info->dlpi_name[0] == '\0' || realpath(info->dlpi_name, path) == NULL) /* the program, the kernel's */
        return 0;
    const char *name = strrchr(path, '/') + 1;
    fprintf(list->file, "%-28.*s %-14s %s%s%s%s\n", (int)strcspn(name, "."), name, version_of(name), path,
            list->plugin != NULL ? " (" : "", list->plugin != NULL ? list->plugin : "",
            list->plugin != NULL ? ")" : "");
    return 0;
}

static void write_objects(listing *list)
{
    list->at = 0;
    dl_iterate_phdr(write_object, list);
}

static void write_stated(FILE *file)
{
    char sundials[32] = "unknown";
    SUNDIALSGetVersion(sundials, (int)sizeof sundials);
    fprintf(file, "stated at run time: SUNDIALS %s; GSL %s; %s; Jansson %s; glibc %s\n", sundials,
            gsl_version, openblas_get_config(), jansson_version_str(), gnu_get_libc_version());
}

void ms_linked_write(FILE *file)
{
    static const char *const plugins[] = {"archives", "balls", "mpi", "petsc"};
    listing list = {.file = file};
    write_stated(file);
    write_objects(&list);
    for (size_t k = 0; k < sizeof plugins / sizeof *plugins; k++) {
        const ms_plugin *plugin;
        ms_error error = {0};
        list.plugin = plugins[k];
        if (ms_plugin_open(plugins[k], "--verbose", &plugin, &error) == MS_OK)
            write_objects(&list);
        else
            fprintf(file, "%-28s %-14s not here\n", plugins[k], "-");
    }
}
