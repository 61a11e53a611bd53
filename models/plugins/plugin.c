/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* MS_PLUGIN_BUILD comes from the Makefile, for this file and the shared objects alone. */

/* Relative to the folder of the program: of the command as built, of tests and benchmarks, of the
 * installed command, of a program next to them. */
static const char *const folders[] = {"plugins", "../plugins", "../lib/macrostep", "."};

/* The folder of the program, with a slash at its end. */
static bool own_folder(char *text, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(text, '/');
    if (slash != NULL)
        slash[1] = '\0';
    return slash != NULL;
}

/* Is the shared object in one of the folders? Then its path is known. */
static bool find(const char *file, char path[PATH_MAX])
{
    char own[PATH_MAX];
    const bool known = own_folder(own, sizeof own);
    for (size_t k = 0; k < sizeof folders / sizeof *folders && known; k++)
        if (snprintf(path, PATH_MAX, "%s%s/%s", own, folders[k], file) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

/* MPI has plug-ins of its own, which want its symbols. No other symbols are visible: an FMU that brings another libzip, or
 * another zlib, would get those of the first one that was opened. */
static int visibility(const char *name)
{
    return strcmp(name, "mpi") == 0 || strcmp(name, "petsc") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
}

static void *open_object(const char *file, int mode)
{
    char path[PATH_MAX];
    return dlopen(find(file, path) ? path : file, mode);
}

int ms_plugin_find(const char *file, char *path, ms_error *error)
{
    if (find(file, path))
        return MS_OK;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "%s does not exist; its place is plugins beside the program, or lib/macrostep after an installation",
        file);
}

int ms_plugin_open(const char *name, const char *asked, const ms_plugin **plugin, ms_error *error)
{
    char file[32], table[32];
    snprintf(file, sizeof file, "macrostep-%s.so", name);
    snprintf(table, sizeof table, "ms_plugin_table_%s", name);
    *plugin = NULL;
    errno = 0;
    void *object = open_object(file, RTLD_LAZY | visibility(name));
    if (object == NULL && errno == ENOMEM)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for %s", asked, file);
    if (object == NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "%s: %s does not open (%s); its place is plugins beside the program, or "
                       "lib/macrostep after an installation",
                       asked, file, dlerror());
    const ms_plugin *found = dlsym(object, table);
    if (found == NULL || strcmp(found->build, MS_PLUGIN_BUILD) != 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "%s: %s is from build %s, but the program needs %s; install both together", asked,
                       file, found != NULL ? found->build : "(none)", MS_PLUGIN_BUILD);
    *plugin = found;
    return MS_OK;
}
