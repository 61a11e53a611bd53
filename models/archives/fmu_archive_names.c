/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_archive_parts.h"

#include <stdbool.h>
#include <string.h>

static bool is_part(const char *part, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(part, word, length) == 0;
}

/* A part between slashes. */
static const char *part_fault(const char *part, size_t length)
{
    if (length == 0)
        return "has an empty part between slashes";
    if (length > 255)
        return "has a part of more than 255 bytes";
    if (is_part(part, length, ".."))
        return "leaves the folder";
    return is_part(part, length, ".") ? "has a part that is a single point" : NULL;
}

bool ms_archive_find_entry(const ms_plugin_archives *library, void *zip, long long k, ms_archive_entry *entry,
                           char why[MS_PLUGIN_WHY])
{
    if (!library->entry(zip, k, &entry->entry, why))
        return false;
    const char *name = entry->entry.name;
    const size_t length = strlen(name);
    if (length >= sizeof entry->name)
        return true;
    for (size_t i = 0; i <= length; i++)
        entry->name[i] = name[i] == '\\' ? '/' : name[i];
    entry->entry.name = entry->name + (strncmp(entry->name, "./", 2) == 0 ? 2 : 0);
    if (length > 0 && entry->name[length - 1] == '/' && entry->entry.size == 0 &&
        entry->entry.type == MS_PLUGIN_ENTRY_FILE)
        entry->entry.type = MS_PLUGIN_ENTRY_FOLDER;
    return true;
}

const char *ms_archive_name_fault(const char *name)
{
    const char *fault = NULL;
    int depth = 0;
    if (name[0] == '\0')
        return "is empty";
    if (!ms_archives_is_text(name))
        return "is not UTF-8 without control characters";
    if (strlen(name) > MS_FMU_ARCHIVE_NAME)
        return "is longer than 1000 bytes";
    if (name[0] == '/' || name[1] == ':')
        return "is absolute";
    for (const char *part = name; *part != '\0' && fault == NULL; depth++) {
        const size_t length = strcspn(part, "/");
        fault = part_fault(part, length);
        part += length + (part[length] == '/');
    }
    return fault == NULL && depth > MS_FMU_ARCHIVE_DEPTH ? "goes down more than 32 folders" : fault;
}
