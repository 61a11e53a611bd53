/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dlinfo */
#include "export_libraries.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "plugin.h"

int ms_export_binary(int fmi, char *path, ms_error *error)
{
    return ms_plugin_find(fmi == 2 ? "macrostep-fmi2.so" : "macrostep-fmi3.so", path, error);
}

/* Its strings, to which the entries point. */
static const char *strings_of(const ElfW(Dyn) * entry)
{
    const char *strings = NULL;
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB)
            memcpy(&strings, &entry->d_un.d_ptr, sizeof strings);
    return strings;
}

int ms_export_libraries(int fmi, void (*each)(void *self, const char *name), void *self, ms_error *error)
{
    char path[PATH_MAX];
    struct link_map *map = NULL;
    MS_TRY(ms_export_binary(fmi, path, error));
    void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (object == NULL || dlinfo(object, RTLD_DI_LINKMAP, &map) != 0)
        return ms_fail(error, MS_UNSUPPORTED, "%s does not open: %s", path, dlerror());
    const char *strings = strings_of(map->l_ld);
    for (const ElfW(Dyn) *entry = map->l_ld; strings != NULL && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED)
            each(self, strings + entry->d_un.d_val);
    dlclose(object);
    return MS_OK;
}
