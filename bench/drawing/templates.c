/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "templates.h"

#include <string.h>

#include "published.h"

extern const ms_published ms_templates[];

const char *ms_published_text(const ms_published *files, const char *name)
{
    for (; files->name != NULL; files++)
        if (strcmp(files->name, name) == 0)
            return (const char *)files->data;
    return NULL;
}

const char *ms_template(const char *name)
{
    return ms_published_text(ms_templates, name);
}
