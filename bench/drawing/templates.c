/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "templates.h"

#include <string.h>

#include "published.h"

extern const ms_published ms_templates[];

const char *ms_template(const char *name)
{
    for (const ms_published *t = ms_templates; t->name != NULL; t++)
        if (strcmp(t->name, name) == 0)
            return (const char *)t->data;
    return NULL;
}
