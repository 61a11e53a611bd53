/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "figure_parts.h"

int ms_figure_systems_make(ms_figure_work *work, ms_error *error)
{
    json_t *systems = json_object_get(work->file->spec, "systems"), *system;
    const char *name;
    if (systems == NULL)
        return MS_OK;
    if (ms_part_folder_temporary(&work->systems) != 0)
        return ms_fail(error, MS_IO, "no folder for the systems of the figure in %s: %s",
                       ms_temporary_place(), strerror(errno));
    json_object_foreach (systems, name, system) {
        const char *path = ms_drawing_text(work->drawing, "%s/%s.json", work->systems.folder, name);
        if (strchr(name, '/') != NULL)
            return ms_fail(error, MS_INVALID, "\"systems\": a name without / is expected, not %s", name);
        if (json_dump_file(system, path, JSON_INDENT(2)) != 0)
            return ms_fail(error, MS_IO, "the system %s of the figure could not be written: %s", name,
                           strerror(errno));
    }
    return MS_OK;
}
