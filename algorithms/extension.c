/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/extension.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme_registry.h>

enum { EXTENSIONS_MAX = 64, PATH_LENGTH = 4096 };
static char opened[EXTENSIONS_MAX][PATH_LENGTH];
static int n_opened;

const char *ms_extension_path(int k)
{
    return k < n_opened ? opened[k] : NULL;
}

static bool fits(const ms_extension *extension)
{
    static const size_t sizes[] = MS_EXTENSION_SIZES;
    return extension->interface == MS_EXTENSION_INTERFACE &&
           memcmp(extension->sizes, sizes, sizeof sizes) == 0;
}

/* path as it was given, and from here on. */
static int open_object(const char *path, const char *here, void **object, ms_error *error)
{
    const char *ending = strrchr(path, '.');
    const int length = ending != NULL ? (int)(ending - path) : 0;
    if (access(here, R_OK) != 0)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    if (length > 0 && strcmp(ending, ".c") == 0)
        return ms_fail(
            error, MS_INVALID,
            "%s is C source; compile it first: cc -std=c11 -O2 -shared -fPIC %s -o %.*s.so, with the flags of pkg-config for macrostep",
            path, path, length, path);
    *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    return *object != NULL ? MS_OK : ms_fail(error, MS_INVALID, "%s", dlerror());
}

int ms_extension_open(const char *path, ms_error *error)
{
    void *object = NULL;
    ms_error why = {0};
    if (n_opened == EXTENSIONS_MAX)
        return ms_fail(error, MS_INVALID, "%s: no more than %d shared objects can be opened", path,
                       EXTENSIONS_MAX);
    /* A name without a slash is a file here, and not one of the system's. */
    char *here = opened[n_opened];
    snprintf(here, PATH_LENGTH, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    int status = open_object(path, here, &object, error);
    if (status != MS_OK || object == NULL)
        return status;
    const ms_extension *extension = dlsym(object, "macrostep_extension");
    if (extension == NULL || !fits(extension)) {
        dlclose(object);
        return ms_fail(error, MS_INVALID,
                       extension == NULL
                           ? "%s has no macrostep_extension; its source must end with MS_EXTENSION(..)"
                           : "%s was compiled with headers of another version; compile it again",
                       path);
    }
    n_opened++;
    if (extension->model != NULL)
        status = ms_catalogue_add(extension->model, &why);
    if (status == MS_OK && extension->scheme != NULL)
        status = ms_scheme_add(extension->scheme, &why);
    if (why.text[0] != '\0')
        ms_fail(error, status, "%s: %s", path, why.text);
    return status;
}
