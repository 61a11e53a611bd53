/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extension.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "catalogue.h"
#include "scheme_registry.h"

static bool fits(const ms_extension *extension)
{
    static const size_t sizes[] = MS_EXTENSION_SIZES;
    return extension->interface == MS_EXTENSION_INTERFACE &&
           memcmp(extension->sizes, sizes, sizeof sizes) == 0;
}

int ms_extension_open(const char *path, ms_error *error)
{
    /* A name without a slash is a file here, and not one of the system's. */
    char here[4096];
    ms_error why = {0};
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        return ms_fail(error, MS_INVALID, "%s", dlerror());
    const ms_extension *extension = dlsym(object, "macrostep_extension");
    if (extension == NULL || !fits(extension)) {
        dlclose(object);
        return ms_fail(error, MS_INVALID,
                       extension == NULL
                           ? "%s has no macrostep_extension; its source has to end with MS_EXTENSION(..)"
                           : "%s was compiled with headers of another version; compile it anew",
                       path);
    }
    int status = MS_OK;
    if (extension->model != NULL)
        status = ms_catalogue_add(extension->model, &why);
    if (status == MS_OK && extension->scheme != NULL)
        status = ms_scheme_add(extension->scheme, &why);
    if (why.text[0] != '\0')
        ms_fail(error, status, "%s: %s", path, why.text);
    return status;
}
